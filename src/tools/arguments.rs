//! Arguments as models write them: JSON that is often a little broken, keys that are often a little wrong.

use serde_json::{Map, Value};

/// A text argument of a tool: its name, what it is for, whether it must be given.
pub(super) type Field = (&'static str, &'static str, bool);

/// The JSON Schema of an arguments object that holds texts.
pub(super) fn schema(fields: &[Field]) -> Value {
    let property = |(name, description, _): &Field| {
        ((*name).to_owned(), serde_json::json!({"type": "string", "description": description}))
    };
    let required: Vec<&str> =
        fields.iter().filter(|(_, _, required)| *required).map(|(name, _, _)| *name).collect();
    serde_json::json!({
        "type": "object",
        "properties": fields.iter().map(property).collect::<Map<String, Value>>(),
        "required": required,
        "additionalProperties": false,
    })
}

/// Names that models give an argument instead of its own.
const OTHER_NAMES: &[(&str, &[&str])] =
    &[("query", &["sparql", "sparql_query"]), ("iri", &["uri", "entity"]), ("property", &["iri", "uri"])];

/// The arguments of a tool call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads the arguments: a JSON object, also inside a Markdown fence, with text around it, with raw line
    /// breaks inside its strings, or as a JSON string that holds the object.
    ///
    /// # Errors
    /// A sentence for the model when no object can be made of it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        let attempts = [text.to_owned(), object_part(text).to_owned(), escape_raw_breaks(object_part(text))];
        for attempt in &attempts {
            match serde_json::from_str(attempt) {
                Ok(Value::Object(map)) => return Ok(Self(map)),
                Ok(Value::String(inner)) => return Self::parse(&inner),
                Ok(Value::Null) => return Ok(Self::default()),
                Ok(_) | Err(_) => {}
            }
        }
        let reason =
            serde_json::from_str::<Value>(text).err().map_or("not an object".to_owned(), |e| e.to_string());
        Err(format!("the arguments are not a JSON object ({reason})"))
    }

    /// A required text, also under a name that models like to give it, or whatever name it has if it is the only one.
    ///
    /// # Errors
    /// A sentence for the model when it is missing or empty.
    pub fn text(&self, key: &str) -> Result<&str, String> {
        let other_names =
            OTHER_NAMES.iter().filter(|(name, _)| *name == key).flat_map(|(_, others)| others.iter());
        let renamed = || other_names.copied().find_map(|name| self.0.get(name));
        let only = || if self.0.len() == 1 { self.0.values().next() } else { None };
        let value = self.0.get(key).or_else(renamed).or_else(only).and_then(Value::as_str).map(str::trim);
        value
            .filter(|text| !text.is_empty())
            .ok_or_else(|| format!("the argument '{key}' is missing; give it as a text"))
    }

    /// An optional text; empty counts as not given.
    pub fn optional(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// An optional list of texts; models also write it as one text with separators. Empty ones are left out.
    pub fn list(&self, key: &str) -> Vec<String> {
        let texts: Vec<&str> = match self.0.get(key) {
            Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => text.split([',', ';', '\n']).collect(),
            _ => Vec::new(),
        };
        texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }

    /// An optional number that counts something; models also write it as a text.
    pub fn count(&self, key: &str) -> Option<usize> {
        match self.0.get(key)? {
            Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
        .filter(|number| *number > 0)
    }

    /// The arguments in one spelling, so that equal calls are known to be equal.
    pub fn canonical(&self) -> String {
        let mut pairs: Vec<_> =
            self.0.iter().map(|(key, value)| (key.clone(), normalized(key, value))).collect();
        pairs.sort();
        pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("\u{1f}")
    }
}

/// Search texts are folded; IRIs are not, since they differ in case.
fn normalized(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if key == "query" { text.to_lowercase() } else { text }
        }
        other => other.to_string(),
    }
}

/// From the first `{` to the last `}`.
fn object_part(text: &str) -> &str {
    match (text.find('{'), text.rfind('}')) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        _ => text,
    }
}

/// Models write multi-line queries with raw line breaks, which JSON strings may not hold.
fn escape_raw_breaks(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    let (mut in_string, mut after_backslash) = (false, false);
    for c in text.chars() {
        match c {
            '\n' if in_string => escaped.push_str("\\n"),
            '\r' if in_string => {}
            '\t' if in_string => escaped.push_str("\\t"),
            other => escaped.push(other),
        }
        if c == '"' && !after_backslash {
            in_string = !in_string;
        }
        after_backslash = c == '\\' && !after_backslash;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn broken_spellings_are_understood() {
        let spellings = [
            r#"{"query": "SELECT 1"}"#,
            "```json\n{\"query\": \"SELECT 1\"}\n```",
            "\"{\\\"query\\\": \\\"SELECT 1\\\"}\"",
            r#"Here: {"sparql": "SELECT 1"}"#,
        ];
        for spelling in spellings {
            assert_eq!(Arguments::parse(spelling).unwrap().text("query"), Ok("SELECT 1"), "{spelling}");
        }
        let raw = "{\"query\": \"SELECT ?x\nWHERE { ?x a \\\"b\\\" }\"}";
        assert_eq!(Arguments::parse(raw).unwrap().text("query"), Ok("SELECT ?x\nWHERE { ?x a \"b\" }"));
    }

    #[test]
    fn an_argument_is_known_by_its_other_names() {
        let arguments = Arguments::parse(r#"{"sparql": "ASK {}", "form": "ask"}"#).unwrap();
        assert_eq!(arguments.text("query"), Ok("ASK {}"));
        assert!(arguments.text("iri").is_err());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(Arguments::parse("{\"query\": \"SELECT").unwrap_err().contains("not a JSON object"));
        assert!(Arguments::parse("[1]").unwrap_err().contains("not a JSON object"));
        assert!(Arguments::parse("").unwrap().text("query").unwrap_err().contains("'query' is missing"));
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,200}") {
            let _ = Arguments::parse(&text).map(|arguments| arguments.canonical());
        }
    }

    #[test]
    fn lists_and_counts_are_read_in_other_spellings_too() {
        let read = |text: &str| Arguments::parse(text).unwrap();
        for spelling in [r#"{"columns": ["a b", " c ", ""]}"#, r#"{"columns": "a b; c"}"#] {
            assert_eq!(read(spelling).list("columns"), ["a b", "c"], "{spelling}");
        }
        assert!(read(r#"{"columns": 3}"#).list("columns").is_empty());
        for (spelling, count) in
            [("3", Some(3)), ("\"3\"", Some(3)), ("0", None), ("-1", None), ("\"all\"", None)]
        {
            assert_eq!(read(&format!("{{\"limit\": {spelling}}}")).count("limit"), count, "{spelling}");
        }
    }
}
