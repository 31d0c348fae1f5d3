//! The [JSON results format](https://www.w3.org/TR/sparql11-results-json/), read leniently.
//!
//! Real data have IRIs with blanks, and Virtuoso's blank nodes look like `nodeID://b1`: a strict parser would
//! lose the whole result over one such cell. Rows that were complete before an error are kept.

use super::body::Partial;
use crate::Limits;
use crate::results::{Collector, Results, Solutions, row_bytes};
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Parses a body; never fails, but says what was wrong.
pub(super) fn parse(bytes: &[u8], limits: Limits) -> Partial {
    let mut reader = Reader { variables: Vec::new(), rows: Collector::new(limits), seen: Seen::Nothing };
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let outcome = Document(&mut reader).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    let error = match (outcome, &reader.seen) {
        (Err(e), _) => Some(e.to_string()),
        (Ok(()), Seen::Nothing) => Some("neither `results` nor `boolean`".to_owned()),
        (Ok(()), _) => None,
    };
    if let Seen::Boolean(value) = reader.seen {
        return Partial { results: Results::Boolean(value), incomplete: None, error };
    }
    let (width, incomplete) = (reader.variables.len(), reader.rows.incomplete);
    let mut rows = reader.rows.items;
    // Early rows do not know of variables that only later ones name.
    rows.iter_mut().for_each(|row| row.resize(width, None));
    Partial {
        results: Results::Solutions(Solutions { variables: reader.variables, rows }),
        incomplete,
        error,
    }
}

/// Which of the two kinds of result has been met.
enum Seen {
    Nothing,
    Boolean(bool),
    Rows,
}

struct Reader {
    variables: Vec<String>,
    rows: Collector<Vec<Option<Term>>>,
    seen: Seen,
}

impl Reader {
    fn column(&mut self, name: &str) -> usize {
        self.variables.iter().position(|v| v == name).unwrap_or_else(|| {
            self.variables.push(name.to_owned());
            self.variables.len() - 1
        })
    }

    fn push(&mut self, binding: Binding) -> bool {
        let mut row = vec![None; self.variables.len()];
        for (name, term) in binding.0 {
            let column = self.column(&name);
            if row.len() <= column {
                row.resize(column + 1, None);
            }
            row[column] = term;
        }
        let bytes = row_bytes(&row);
        self.rows.push(row, bytes)
    }
}

/// The outermost object.
struct Document<'r>(&'r mut Reader);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SPARQL results in JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "head" => {
                    let head: Head = map.next_value()?;
                    for variable in head.vars {
                        self.0.column(&variable);
                    }
                }
                "boolean" => self.0.seen = Seen::Boolean(map.next_value()?),
                "results" => {
                    self.0.seen = Seen::Rows;
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

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    vars: Vec<String>,
}

/// The object with the key `bindings`.
struct ResultsObject<'r>(&'r mut Reader);

impl<'de> DeserializeSeed<'de> for ResultsObject<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ResultsObject<'_> {
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
struct Bindings<'r>(&'r mut Reader);

impl<'de> DeserializeSeed<'de> for Bindings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Bindings<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while let Some(binding) = rows.next_element::<Binding>()? {
            if !self.0.push(binding) {
                // The reader knows why; there is no other way to stop.
                return Err(Error::custom("a limit is reached"));
            }
        }
        Ok(())
    }
}

/// One row: names and terms.
struct Binding(Vec<(String, Option<Term>)>);

impl<'de> Deserialize<'de> for Binding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(BindingVisitor)
    }
}

struct BindingVisitor;

impl<'de> Visitor<'de> for BindingVisitor {
    type Value = Binding;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Binding, A::Error> {
        let mut cells = Vec::new();
        while let Some((name, cell)) = map.next_entry::<String, Option<Cell>>()? {
            cells.push((name, cell.and_then(Cell::into_term)));
        }
        Ok(Binding(cells))
    }
}

#[derive(Deserialize)]
struct Cell {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    value: serde_json::Value,
    #[serde(rename = "xml:lang", alias = "lang")]
    language: Option<String>,
    datatype: Option<String>,
}

impl Cell {
    /// The term; `None` for kinds that RDF 1.1 does not have.
    fn into_term(self) -> Option<Term> {
        let value = match self.value {
            serde_json::Value::String(text) => text,
            // Virtuoso writes the value of its ASK table as a bare number.
            other => other.to_string(),
        };
        match self.kind.as_str() {
            "uri" | "iri" => Some(NamedNode::new_unchecked(value).into()),
            "bnode" => Some(BlankNode::new_unchecked(blank_node_label(&value)).into()),
            "literal" | "typed-literal" => Some(literal(value, self.language, self.datatype).into()),
            _ => None,
        }
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

/// A legal label, another one for each node: Virtuoso's `nodeID://b1` becomes `b1`, `a_b` becomes `a__b`, and `a.b`
/// becomes `a_2e_b`.
fn blank_node_label(value: &str) -> String {
    let label = value.strip_prefix("_:").or_else(|| value.strip_prefix("nodeID://")).unwrap_or(value);
    let mut legal = String::new();
    for c in label.chars() {
        match c {
            _ if c.is_ascii_alphanumeric() => legal.push(c),
            '_' => legal.push_str("__"),
            _ => legal.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    // No other label becomes a single one of these.
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
            // A prefix is left out; one response has it everywhere or nowhere.
            prop_assume!(one != other && !one.starts_with("_:") && !other.starts_with("_:"));
            let (one, other) = (blank_node_label(&one), blank_node_label(&other));
            prop_assert!(BlankNode::new(&one).is_ok() && BlankNode::new(&other).is_ok(), "{one} {other}");
            prop_assert_ne!(one, other);
        }
    }
}
