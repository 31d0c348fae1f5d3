//! Values of statements as terms, and their details as nodes.

use super::model::{DataValue, Snak};
use super::names::{self, WikibaseNames};
use super::time::date_time;
use crate::vocabulary::wikibase_values::{EARTH, ONE};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNode, Term};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

const WKT: &str = "http://www.opengis.net/ont/geosparql#wktLiteral";

/// A value of a statement, qualifier or reference.
#[derive(Debug)]
pub(super) struct JsonTerm {
    pub(super) term: Term,
    pub(super) details: Option<Details>,
}

/// A value node with all details of a value.
#[derive(Debug)]
pub(super) struct Details {
    pub(super) node: NamedNode,
    pub(super) class: &'static str,
    pub(super) says: Vec<(&'static str, Term)>,
}

/// Why a value is not read.
#[derive(Debug)]
pub(super) enum Unread {
    /// This reader does not know its kind.
    Kind(String),
    /// It is invalid for its kind.
    Broken(String),
}

/// The value of a snak.
pub(super) fn value(names: &WikibaseNames, snak: &Snak, data: &DataValue) -> Result<JsonTerm, Unread> {
    match data.kind.as_str() {
        "string" => string(snak.datatype.as_deref(), &parsed::<String>(snak, data)?),
        "wikibase-entityid" => parsed::<EntityId>(snak, data)?.value(names),
        "monolingualtext" => parsed::<Text>(snak, data).map(|text| plain(tagged(&text.text, &text.language))),
        "time" => Ok(parsed::<JsonTime>(snak, data)?.value(names)),
        "quantity" => parsed::<JsonQuantity>(snak, data)?.value(names),
        "globecoordinate" => Ok(parsed::<Globe>(snak, data)?.value(names)),
        kind => Err(Unread::Kind(kind.to_owned())),
    }
    .map_err(|unread| match unread {
        Unread::Broken(reason) => Unread::Broken(format!("{}: {reason}", snak.property)),
        kind => kind,
    })
}

fn parsed<T: DeserializeOwned>(snak: &Snak, data: &DataValue) -> Result<T, Unread> {
    T::deserialize(&data.value)
        .map_err(|error| Unread::Broken(format!("a value of {} is no {}: {error}", snak.property, data.kind)))
}

fn plain(term: impl Into<Term>) -> JsonTerm {
    JsonTerm { term: term.into(), details: None }
}

/// A text in a language; without a language tag if the tag is invalid.
pub(super) fn tagged(text: &str, language: &str) -> Literal {
    Literal::new_language_tagged_literal(text, names::language(language))
        .unwrap_or_else(|_| Literal::new_simple_literal(text))
}

fn string(datatype: Option<&str>, text: &str) -> Result<JsonTerm, Unread> {
    Ok(match datatype {
        Some("url") => match names::iri(text) {
            Some(iri) => plain(iri),
            None => plain(Literal::new_simple_literal(text)),
        },
        Some("commonsMedia") => plain(names::media(text)),
        Some("geo-shape" | "tabular-data") => plain(names::data_page(text)),
        _ => plain(Literal::new_simple_literal(text)),
    })
}

#[derive(Deserialize)]
struct EntityId {
    id: Option<String>,
    #[serde(rename = "entity-type")]
    kind: Option<String>,
    #[serde(rename = "numeric-id")]
    number: Option<u64>,
}

impl EntityId {
    fn value(self, names: &WikibaseNames) -> Result<JsonTerm, Unread> {
        // Old dumps have no ids.
        let letter = match self.kind.as_deref() {
            Some("property") => "P",
            Some("lexeme") => "L",
            _ => "Q",
        };
        let id =
            self.id.or_else(|| self.number.map(|number| format!("{letter}{number}"))).unwrap_or_default();
        let entity = names.entity(&id);
        entity.map(plain).ok_or_else(|| Unread::Broken(format!("'{id}' is not the id of an entity")))
    }
}

#[derive(Deserialize)]
struct Text {
    text: String,
    language: String,
}

#[derive(Deserialize)]
struct JsonTime {
    time: String,
    #[serde(default)]
    timezone: i64,
    #[serde(default)]
    precision: u64,
    #[serde(default)]
    calendarmodel: String,
}

impl JsonTime {
    fn value(self, names: &WikibaseNames) -> JsonTerm {
        let term: Term = match date_time(&self.time, self.precision, &self.calendarmodel) {
            Some(text) => Literal::new_typed_literal(text, xsd::DATE_TIME).into(),
            None => Literal::new_simple_literal(&self.time).into(),
        };
        let mut says = vec![
            ("timeValue", term.clone()),
            ("timePrecision", integer(&self.precision)),
            ("timeTimezone", integer(&self.timezone)),
        ];
        says.extend(names::iri(&self.calendarmodel).map(|model| ("timeCalendarModel", model.into())));
        detailed(names, "TimeValue", term, says, &self.time)
    }
}

#[derive(Deserialize)]
struct JsonQuantity {
    amount: Decimal,
    unit: Option<String>,
    #[serde(rename = "upperBound")]
    upper: Option<Decimal>,
    #[serde(rename = "lowerBound")]
    lower: Option<Decimal>,
}

/// A number with all its digits, which dumps write as a string.
#[derive(Deserialize)]
#[serde(untagged)]
enum Decimal {
    Text(String),
    Number(serde_json::Number),
}

impl Decimal {
    fn literal(self) -> Result<Term, Unread> {
        let text = match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        };
        let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if number(whole) && number(fraction) {
            return Ok(Literal::new_typed_literal(text, xsd::DECIMAL).into());
        }
        Err(Unread::Broken(format!("'{text}' is not a decimal number")))
    }
}

impl JsonQuantity {
    fn value(self, names: &WikibaseNames) -> Result<JsonTerm, Unread> {
        let term = self.amount.literal()?;
        let unit = match self.unit.as_deref() {
            None | Some("1" | "") => ONE,
            Some(unit) => unit,
        };
        let unit = names::iri(unit).ok_or_else(|| Unread::Broken(format!("'{unit}' is not a unit")))?;
        let mut says = vec![("quantityAmount", term.clone()), ("quantityUnit", unit.into())];
        for (name, bound) in [("quantityUpperBound", self.upper), ("quantityLowerBound", self.lower)] {
            if let Some(bound) = bound {
                says.push((name, bound.literal()?));
            }
        }
        Ok(detailed(names, "QuantityValue", term, says, ""))
    }
}

#[derive(Deserialize)]
struct Globe {
    latitude: f64,
    longitude: f64,
    precision: Option<f64>,
    globe: Option<String>,
}

impl Globe {
    fn value(self, names: &WikibaseNames) -> JsonTerm {
        let globe = self.globe.filter(|globe| !globe.is_empty()).unwrap_or_else(|| EARTH.to_owned());
        let point = format!("Point({} {})", digits(self.longitude), digits(self.latitude));
        let text = if globe == EARTH { point } else { format!("<{}> {point}", globe.replace('>', "%3E")) };
        let term: Term = Literal::new_typed_literal(text, NamedNode::new_unchecked(WKT)).into();
        let double = |number: f64| Literal::new_typed_literal(digits(number), xsd::DOUBLE).into();
        let mut says = vec![("geoLatitude", double(self.latitude)), ("geoLongitude", double(self.longitude))];
        says.extend(self.precision.map(|precision| ("geoPrecision", double(precision))));
        says.extend(names::iri(&globe).map(|globe| ("geoGlobe", globe.into())));
        detailed(names, "GlobecoordinateValue", term, says, "")
    }
}

fn integer(number: &impl ToString) -> Term {
    Literal::new_typed_literal(number.to_string(), xsd::INTEGER).into()
}

/// A value with its value node. The same details yield the same node in every file.
fn detailed(
    names: &WikibaseNames,
    class: &'static str,
    term: Term,
    says: Vec<(&'static str, Term)>,
    original: &str,
) -> JsonTerm {
    let mut key = format!("{class} {original}");
    for (name, value) in &says {
        key.push_str(&format!(" {name} {value}"));
    }
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_URL, key.as_bytes()).simple().to_string();
    JsonTerm { term, details: Some(Details { node: names.value(&hash), class, says }) }
}

/// A number with 14 digits, as formatted by PHP: `51.566527777778`, `2.7777777777778E-5`.
fn digits(number: f64) -> String {
    let scientific = format!("{number:.13e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    match exponent.parse::<i32>() {
        // Parsed and formatted again, to get the plain notation of the rounded number.
        Ok(-4..=14) => scientific.parse::<f64>().map_or(scientific.clone(), |rounded| rounded.to_string()),
        Ok(exponent) => {
            let mantissa = if mantissa.contains('.') { mantissa.to_owned() } else { format!("{mantissa}.0") };
            format!("{mantissa}E{exponent:+}")
        }
        Err(_) => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_of_the_export() {
        let cases = [
            (51.566_527_777_777_78, "51.566527777778"),
            (-0.145_444_444_444_444_45, "-0.14544444444444"),
            (2.777_777_777_777_8e-5, "2.7777777777778E-5"),
            (57.0, "57"),
            (0.0, "0"),
            (1e-5, "1.0E-5"),
            (0.0001, "0.0001"),
        ];
        for (number, text) in cases {
            assert_eq!(digits(number), text);
        }
    }
}
