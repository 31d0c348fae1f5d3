//! The [JSON results format](https://www.w3.org/TR/sparql11-results-json/), read leniently.
//!
//! Real data have IRIs with blanks, and some engines' blank nodes look like `nodeID://b1`: a strict parser would
//! lose the whole result over one such cell. Rows that were complete before an error are kept.

use super::body::Partial;
use super::stop::StopFlag;
use crate::Limits;
use crate::dialect::bare_label;
use crate::results::{CELL_BYTES, Collector, MAX_COLUMNS, MAX_NAME_BYTES, Results, Solutions, row_bytes};
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::fmt;

/// Parses a body; never fails, but says what was wrong.
pub(super) fn parse(bytes: &[u8], limits: Limits, stop: &StopFlag) -> Partial {
    let mut reader = ResultReader {
        variables: Vec::new(),
        columns: HashMap::new(),
        rows: Collector::new(limits),
        seen: ResultKind::Nothing,
        too_wide: false,
        stop,
    };
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let outcome = Document(&mut reader).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    let error = match (outcome, &reader.seen) {
        (Err(e), _) => Some(e.to_string()),
        (Ok(()), ResultKind::Nothing) => Some("neither `results` nor `boolean`".to_owned()),
        (Ok(()), _) => None,
    };
    let too_wide = reader.too_wide;
    if let ResultKind::Boolean(value) = reader.seen {
        return Partial { results: Results::Boolean(value), incomplete: None, error, too_wide };
    }
    let incomplete = reader.rows.incomplete;
    let kept = same_width(reader.rows.items, reader.variables.len(), limits);
    let (variables, rows) = (reader.variables, kept.items);
    let results = Results::Solutions(Solutions { variables, rows });
    Partial { results, incomplete: kept.incomplete.or(incomplete), error, too_wide }
}

/// Early rows do not know of variables that only later ones name, or a head behind them; with those, they may be too
/// large.
fn same_width(rows: Vec<Vec<Option<Term>>>, width: usize, limits: Limits) -> Collector<Vec<Option<Term>>> {
    let mut kept = Collector::new(limits);
    for mut row in rows {
        let bytes = row_bytes(&row) + (width - row.len()) * CELL_BYTES;
        row.reserve_exact(width - row.len());
        row.resize(width, None);
        if !kept.push(row, bytes) {
            break;
        }
    }
    kept
}

/// Which of the two kinds of result has been met.
enum ResultKind {
    Nothing,
    Boolean(bool),
    Rows,
}

struct ResultReader<'s> {
    variables: Vec<String>,
    /// Where each variable stands.
    columns: HashMap<String, usize>,
    rows: Collector<Vec<Option<Term>>>,
    seen: ResultKind,
    too_wide: bool,
    stop: &'s StopFlag,
}

impl ResultReader<'_> {
    fn column<E: Error>(&mut self, name: &str) -> Result<usize, E> {
        if let Some(at) = self.columns.get(name) {
            return Ok(*at);
        }
        let at = self.variables.len();
        if at >= MAX_COLUMNS || name.len() > MAX_NAME_BYTES {
            self.too_wide = true;
            return Err(E::custom("too many columns"));
        }
        self.variables.push(name.to_owned());
        self.columns.insert(name.to_owned(), at);
        Ok(at)
    }

    fn push<E: Error>(&mut self, row: Vec<Option<Term>>) -> Result<(), E> {
        let bytes = row_bytes(&row);
        // The reader knows which limit it is; an error is serde's only way to stop early.
        if self.rows.push(row, bytes) { Ok(()) } else { Err(E::custom("a limit is reached")) }
    }
}

/// The outermost object.
struct Document<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SPARQL results in JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "head" => map.next_value_seed(HeadSeed(&mut *self.0))?,
                "boolean" => self.0.seen = ResultKind::Boolean(map.next_value()?),
                "results" => {
                    self.0.seen = ResultKind::Rows;
                    map.next_value_seed(ResultsObject(&mut *self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The object with the key `vars`.
struct HeadSeed<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for HeadSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for HeadSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with variables")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "vars" {
                map.next_value_seed(Variables(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The array of variables.
struct Variables<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for Variables<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Variables<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of variables")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<(), A::Error> {
        while names.next_element_seed(ColumnSeed(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// The name of a variable, as the number of its column.
struct ColumnSeed<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for ColumnSeed<'_, '_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for ColumnSeed<'_, '_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a variable")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.0.column(name)
    }
}

/// The object with the key `bindings`.
struct ResultsObject<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for ResultsObject<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ResultsObject<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with bindings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "bindings" {
                map.next_value_seed(Bindings(&mut *self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The array of rows.
struct Bindings<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for Bindings<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Bindings<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while let Some(row) = rows.next_element_seed(RowSeed(&mut *self.0))? {
            self.0.push(row)?;
        }
        Ok(())
    }
}

/// The object of one row.
struct RowSeed<'r, 's>(&'r mut ResultReader<'s>);

impl<'de> DeserializeSeed<'de> for RowSeed<'_, '_> {
    type Value = Vec<Option<Term>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_, '_> {
    type Value = Vec<Option<Term>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        if self.0.stop.is_set() {
            return Err(A::Error::custom("cancelled: the result is no longer needed"));
        }
        let mut row = vec![None; self.0.variables.len()];
        while let Some(column) = map.next_key_seed(ColumnSeed(&mut *self.0))? {
            if row.len() <= column {
                row.resize(column + 1, None);
            }
            let cell = map.next_value::<Option<TermSeed>>()?.and_then(TermSeed::into_term);
            if let Some(place) = row.get_mut(column) {
                *place = cell;
            }
        }
        Ok(row)
    }
}

#[derive(Deserialize)]
struct TermSeed {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    value: TermText,
    #[serde(rename = "xml:lang", alias = "lang")]
    language: Option<String>,
    datatype: Option<String>,
}

impl TermSeed {
    /// The term; `None` for kinds that RDF 1.1 does not have.
    fn into_term(self) -> Option<Term> {
        let value = self.value.0?;
        match self.kind.as_str() {
            "uri" | "iri" => Some(NamedNode::new_unchecked(value).into()),
            "bnode" => Some(BlankNode::new_unchecked(blank_node_label(&value)).into()),
            "literal" | "typed-literal" => Some(literal(value, self.language, self.datatype).into()),
            _ => None,
        }
    }
}

/// The text of a term; `None` for what is none, however large.
#[derive(Default)]
struct TermText(Option<String>);

impl<'de> Deserialize<'de> for TermText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = TermText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<TermText, E> {
        Ok(TermText(Some(text.to_owned())))
    }

    // Where ASK is answered with a table, its value may be a bare number.
    fn visit_i64<E: Error>(self, number: i64) -> Result<TermText, E> {
        Ok(TermText(Some(number.to_string())))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<TermText, E> {
        Ok(TermText(Some(number.to_string())))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<TermText, E> {
        Ok(TermText(Some(serde_json::Value::from(number).to_string())))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<TermText, E> {
        Ok(TermText(Some(value.to_string())))
    }

    fn visit_unit<E: Error>(self) -> Result<TermText, E> {
        Ok(TermText(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<TermText, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(TermText(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<TermText, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(TermText(None))
    }
}

fn literal(value: String, language: Option<String>, datatype: Option<String>) -> Literal {
    match (language, datatype) {
        (Some(language), _) if !language.is_empty() => {
            Literal::new_language_tagged_literal_unchecked(value, language.to_ascii_lowercase())
        }
        (_, Some(datatype)) => Literal::new_typed_literal(value, NamedNode::new_unchecked(datatype)),
        _ => Literal::new_simple_literal(value),
    }
}

/// A legal label, another one for each node: `nodeID://b1` becomes `b1`, `a_b` becomes `a__b`, and `a.b`
/// becomes `a_2e_b`.
fn blank_node_label(value: &str) -> String {
    let label = bare_label(value);
    let mut legal = String::new();
    for c in label.chars() {
        match c {
            _ if c.is_ascii_alphanumeric() => legal.push(c),
            '_' => legal.push_str("__"),
            _ => legal.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    // No other label becomes a single underscore: one in a label is doubled.
    if legal.is_empty() { "_".to_owned() } else { legal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_of_blank_nodes_are_shown_as_engines_write_them_where_they_can_be() {
        let labels = ["b1", "_:b1", "nodeID://b10005", "a-b", "a.b", "a_b", ""].map(blank_node_label);
        assert_eq!(labels, ["b1", "b1", "b10005", "a_2d_b", "a_2e_b", "a__b", "_"]);
    }

    proptest! {
        #[test]
        fn two_blank_nodes_never_become_one(one in "[a2e_.:é/ -]{0,6}", other in "[a2e_.:é/ -]{0,6}") {
            // The prefix `_:` is dropped; one response has it on all labels or on none.
            prop_assume!(one != other && !one.starts_with("_:") && !other.starts_with("_:"));
            let (one, other) = (blank_node_label(&one), blank_node_label(&other));
            prop_assert!(BlankNode::new(&one).is_ok() && BlankNode::new(&other).is_ok(), "{one} {other}");
            prop_assert_ne!(one, other);
        }
    }
}
