//! A lenient parser for the [JSON results format](https://www.w3.org/TR/sparql11-results-json/).
//!
//! Real data contain IRIs with spaces, and some engines' blank nodes look like `nodeID://b1`: a strict parser would
//! lose the whole result over one such cell. Rows that were complete before an error are kept.

use super::body::Partial;
use super::stop::StopFlag;
use crate::Limits;
use crate::dialect::bare_label;
use crate::results::{CELL_BYTES, Collector, MAX_COLUMNS, MAX_NAME_BYTES, Results, Solutions, row_bytes};
use json_event_parser::{JsonEvent, SliceJsonParser};
use oxrdf::{BlankNode, Literal, NamedNode, Term};
use std::collections::HashMap;

/// Parses a body; never fails, but reports what was wrong.
pub(super) fn parse(bytes: &[u8], limits: Limits, stop: &StopFlag) -> Partial {
    let mut reader = ResultReader {
        events: SliceJsonParser::new(bytes),
        variables: Vec::new(),
        columns: HashMap::new(),
        rows: Collector::new(limits),
        seen: ResultKind::Nothing,
        too_wide: false,
        stop,
    };
    let error = match (reader.document(), &reader.seen) {
        (Err(error), _) => Some(error),
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

/// Pads all rows to the same width: early rows lack variables that appear only in later rows or in a head after them, and
/// may exceed the limits once padded.
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

/// The kind of result found so far.
enum ResultKind {
    Nothing,
    Boolean(bool),
    Rows,
}

/// The result of reading; the error is why reading stopped.
type Read<T = ()> = Result<T, String>;

struct ResultReader<'b> {
    events: SliceJsonParser<'b>,
    variables: Vec<String>,
    /// The column index of each variable.
    columns: HashMap<String, usize>,
    rows: Collector<Vec<Option<Term>>>,
    seen: ResultKind,
    too_wide: bool,
    stop: &'b StopFlag,
}

impl<'b> ResultReader<'b> {
    fn document(&mut self) -> Read {
        self.object("SPARQL results in JSON", |reader, key| match key {
            "head" => reader.object("an object with variables", Self::head_member),
            "boolean" => match reader.next()? {
                JsonEvent::Boolean(value) => {
                    reader.seen = ResultKind::Boolean(value);
                    Ok(())
                }
                other => Err(unexpected("true or false", &other)),
            },
            "results" => {
                reader.seen = ResultKind::Rows;
                reader.object("an object with bindings", Self::results_member)
            }
            _ => reader.skip_value(),
        })?;
        match self.next()? {
            JsonEvent::Eof => Ok(()),
            other => Err(unexpected("the end", &other)),
        }
    }

    fn head_member(&mut self, key: &str) -> Read {
        match key {
            "vars" => self.array("an array of variables", |reader, name| match name {
                JsonEvent::String(name) => reader.column(&name).map(drop),
                other => Err(unexpected("the name of a variable", &other)),
            }),
            _ => self.skip_value(),
        }
    }

    fn results_member(&mut self, key: &str) -> Read {
        match key {
            "bindings" => self.array("an array of rows", |reader, row| match row {
                JsonEvent::StartObject => reader.row(),
                other => Err(unexpected("a row", &other)),
            }),
            _ => self.skip_value(),
        }
    }

    /// Reads a row, after its opening brace.
    fn row(&mut self) -> Read {
        if self.stop.is_set() {
            return Err("cancelled: the result is no longer needed".to_owned());
        }
        let mut row = vec![None; self.variables.len()];
        self.members(|reader, name| {
            let column = reader.column(name)?;
            if row.len() <= column {
                row.resize(column + 1, None);
            }
            let cell = reader.term()?;
            if let Some(place) = row.get_mut(column) {
                *place = cell;
            }
            Ok(())
        })?;
        let bytes = row_bytes(&row);
        // The collector records which limit was reached.
        if self.rows.push(row, bytes) { Ok(()) } else { Err("a limit is reached".to_owned()) }
    }

    fn column(&mut self, name: &str) -> Read<usize> {
        if let Some(at) = self.columns.get(name) {
            return Ok(*at);
        }
        let at = self.variables.len();
        if at >= MAX_COLUMNS || name.len() > MAX_NAME_BYTES {
            self.too_wide = true;
            return Err("too many columns".to_owned());
        }
        self.variables.push(name.to_owned());
        self.columns.insert(name.to_owned(), at);
        Ok(at)
    }

    /// Reads a term; `None` for null and for kinds that are not in RDF 1.1.
    fn term(&mut self) -> Read<Option<Term>> {
        let (mut kind, mut value, mut language, mut datatype) = (None, None, None, None);
        match self.next()? {
            JsonEvent::Null => return Ok(None),
            JsonEvent::StartObject => self.members(|reader, key| {
                match key {
                    "type" => kind = reader.scalar()?,
                    "value" => value = reader.scalar()?,
                    "xml:lang" | "lang" => language = reader.scalar()?,
                    "datatype" => datatype = reader.scalar()?,
                    _ => reader.skip_value()?,
                }
                Ok(())
            })?,
            other => return Err(unexpected("a term", &other)),
        }
        let kind = kind.ok_or("a term has no `type`")?;
        let Some(value) = value else { return Ok(None) };
        Ok(match kind.as_str() {
            "uri" | "iri" => Some(NamedNode::new_unchecked(value).into()),
            "bnode" => Some(BlankNode::new_unchecked(blank_node_label(&value)).into()),
            "literal" | "typed-literal" => Some(literal(value, language, datatype).into()),
            _ => None,
        })
    }

    /// The text of a scalar; other values are skipped and give `None`, whatever their size. If ASK is answered with a table, its
    /// value may be a bare number.
    fn scalar(&mut self) -> Read<Option<String>> {
        match self.next()? {
            JsonEvent::String(text) | JsonEvent::Number(text) => Ok(Some(text.into_owned())),
            JsonEvent::Boolean(value) => Ok(Some(value.to_string())),
            other => self.skip(&other).map(|()| None),
        }
    }

    fn next(&mut self) -> Read<JsonEvent<'b>> {
        self.events.parse_next().map_err(|error| error.to_string())
    }

    /// Reads an object; `member` reads the value of each key.
    fn object(&mut self, what: &str, member: impl FnMut(&mut Self, &str) -> Read) -> Read {
        match self.next()? {
            JsonEvent::StartObject => self.members(member),
            other => Err(unexpected(what, &other)),
        }
    }

    fn members(&mut self, mut member: impl FnMut(&mut Self, &str) -> Read) -> Read {
        loop {
            match self.next()? {
                JsonEvent::ObjectKey(key) => member(self, &key)?,
                JsonEvent::EndObject => return Ok(()),
                other => return Err(unexpected("a key", &other)),
            }
        }
    }

    /// Reads an array; `item` gets the first event of each item.
    fn array(&mut self, what: &str, mut item: impl FnMut(&mut Self, JsonEvent<'b>) -> Read) -> Read {
        match self.next()? {
            JsonEvent::StartArray => {}
            other => return Err(unexpected(what, &other)),
        }
        loop {
            match self.next()? {
                JsonEvent::EndArray => return Ok(()),
                begin => item(self, begin)?,
            }
        }
    }

    fn skip_value(&mut self) -> Read {
        let begin = self.next()?;
        self.skip(&begin)
    }

    /// Skips to the end of the value that starts with `begin`.
    fn skip(&mut self, begin: &JsonEvent<'_>) -> Read {
        let mut depth = depth_change(begin);
        while depth > 0 {
            match self.next()? {
                JsonEvent::Eof => return Err(unexpected("more", &JsonEvent::Eof)),
                event => depth += depth_change(&event),
            }
        }
        Ok(())
    }
}

fn depth_change(event: &JsonEvent<'_>) -> i32 {
    match event {
        JsonEvent::StartArray | JsonEvent::StartObject => 1,
        JsonEvent::EndArray | JsonEvent::EndObject => -1,
        _ => 0,
    }
}

fn unexpected(wanted: &str, met: &JsonEvent<'_>) -> String {
    let met = match met {
        JsonEvent::String(_) => "a text",
        JsonEvent::Number(_) => "a number",
        JsonEvent::Boolean(_) => "true or false",
        JsonEvent::Null => "null",
        JsonEvent::StartArray | JsonEvent::EndArray => "an array",
        JsonEvent::StartObject | JsonEvent::EndObject | JsonEvent::ObjectKey(_) => "an object",
        JsonEvent::Eof => "the end",
    };
    format!("expected {wanted}, and met {met}")
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

/// A legal label, distinct for each node: `nodeID://b1` becomes `b1`, `a_b` becomes `a__b`, and `a.b`
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
    // No other label maps to a single underscore, because an underscore is doubled.
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
            // The prefix `_:` is dropped; a response has it on all labels or on none.
            prop_assume!(one != other && !one.starts_with("_:") && !other.starts_with("_:"));
            let (one, other) = (blank_node_label(&one), blank_node_label(&other));
            prop_assert!(BlankNode::new(&one).is_ok() && BlankNode::new(&other).is_ok(), "{one} {other}");
            prop_assert_ne!(one, other);
        }
    }
}
