//! Untrusted JSON as a value of bounded size: an empty array in a list takes about forty times its bytes as a value.

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Maximum number of values in one text; a reply with all its calls has a few hundred.
const MAX_VALUES: usize = 100_000;

/// Parses a text as JSON.
///
/// # Errors
/// When it is not JSON, or has too many values.
pub(super) fn value(text: &str) -> Result<Value, serde_json::Error> {
    let mut left = MAX_VALUES;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = ValueBudget(&mut left).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Counts down the values that are still allowed.
struct ValueBudget<'l>(&'l mut usize);

impl<'de> DeserializeSeed<'de> for ValueBudget<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        *self.0 = self
            .0
            .checked_sub(1)
            .ok_or_else(|| Error::custom(format_args!("it has more than {MAX_VALUES} values")))?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueBudget<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(ValueBudget(&mut *self.0))? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(ValueBudget(&mut *self.0))?;
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_they_are() {
        let all = json!({"a": [1, -1, 1.5, "ä", true, null, {"b": {}}], "c": u64::MAX});
        assert_eq!(value(&all.to_string()).unwrap(), all);
        assert!(value("{} {}").is_err());
    }
}
