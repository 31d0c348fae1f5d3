//! Answers that a question file has stored beside its questions: what was right when the benchmark was published.
//!
//! Benchmarks write them as results of SPARQL, as rows of bindings, as terms, or as bare values and names. All of these become rows:
//! with their columns where they have some, else as one column.

use super::texts::plain as text;
use eruca_sparql::{Answer, BlankNode, Literal, NamedNode, Results, Solutions, Term, XSD};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The name of the only column of answers without columns.
const COLUMN: &str = "answer";
/// Maximum number of columns: every row gets a cell for each.
const MAX_COLUMNS: usize = 100;

/// A stored answer. Questions that differ in their language alone share its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredAnswer {
    /// Yes or no.
    Truth(bool),
    /// Rows, or one column.
    Rows(Arc<StoredRows>),
}

/// The rows of a stored answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoredRows {
    /// The names of the columns.
    pub variables: Vec<String>,
    /// One term per column; `None` if unbound.
    pub rows: Vec<Vec<Option<Term>>>,
}

impl StoredAnswer {
    /// Reads an answer in any of the forms; `None` for an empty list, which mostly says that there is no answer, and for what is none.
    pub fn read(value: &Value) -> Option<Self> {
        let Value::String(text) = value else { return structured(value) };
        // Tables cannot hold lists, so some files have them as texts.
        let written = text.trim_start().starts_with(['[', '{']).then(|| serde_json::from_str(text).ok());
        match written.flatten() {
            Some(value) => structured(&value),
            None => structured(value),
        }
    }

    /// Reads the result of a query, of which an empty list is one as well.
    pub fn read_result(value: &Value) -> Option<Self> {
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        if is_empty { Some(Self::Rows(Arc::default())) } else { Self::read(value) }
    }

    /// Terms as one column.
    pub fn column(terms: impl IntoIterator<Item = Term>) -> Self {
        let rows = terms.into_iter().map(|term| vec![Some(term)]).collect();
        Self::Rows(Arc::new(StoredRows { variables: vec![COLUMN.to_owned()], rows }))
    }

    /// The answer as a query would give it.
    pub fn answer(&self) -> Answer {
        self.beside(None)
    }

    /// The same as it is compared with another answer: a value that is stored without its type counts as the value with the same text.
    pub fn beside(&self, other: Option<&Answer>) -> Answer {
        let results = match self {
            Self::Truth(truth) => Results::Boolean(*truth),
            Self::Rows(stored) => {
                let typed = other.map(literals).unwrap_or_default();
                let cell = |term: &Option<Term>| term.as_ref().map(|term| with_type(term, &typed));
                let rows = stored.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
                Results::Solutions(Solutions { variables: stored.variables.clone(), rows })
            }
        };
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }
}

/// The literals of an answer by their text; those without a type first.
fn literals(answer: &Answer) -> HashMap<&str, &Term> {
    let mut found = HashMap::new();
    let Results::Solutions(solutions) = &answer.results else { return found };
    for term in solutions.rows.iter().flatten().flatten() {
        let Term::Literal(literal) = term else { continue };
        let known = found.entry(literal.value()).or_insert(term);
        if is_plain(literal) {
            *known = term;
        }
    }
    found
}

fn with_type(term: &Term, typed: &HashMap<&str, &Term>) -> Term {
    let same = match term {
        Term::Literal(literal) if is_plain(literal) => typed.get(literal.value()),
        _ => None,
    };
    same.map_or_else(|| term.clone(), |same| (*same).clone())
}

fn is_plain(literal: &Literal) -> bool {
    let is_string = literal.datatype().as_str().strip_prefix(XSD) == Some("string");
    is_string && literal.language().is_none()
}

fn structured(value: &Value) -> Option<StoredAnswer> {
    match value {
        Value::Bool(truth) => Some(StoredAnswer::Truth(*truth)),
        Value::Array(items) => list(items),
        Value::Object(_) => document(value).or_else(|| Some(StoredAnswer::column([term(value)?]))),
        _ => Some(StoredAnswer::column([term(value)?])),
    }
}

fn list(items: &[Value]) -> Option<StoredAnswer> {
    if let [Value::Bool(truth)] = items {
        return Some(StoredAnswer::Truth(*truth));
    }
    if items.is_empty() {
        return None;
    }
    if let Some(documents) = items.iter().map(document).collect::<Option<Vec<_>>>() {
        return joined(documents);
    }
    if let Some(rows) = bindings(Vec::new(), items).filter(|rows| !rows.variables.is_empty()) {
        return Some(StoredAnswer::Rows(Arc::new(rows)));
    }
    Some(StoredAnswer::column(items.iter().map(term).collect::<Option<Vec<_>>>()?))
}

/// Results in the JSON format of SPARQL.
fn document(value: &Value) -> Option<StoredAnswer> {
    if let Some(truth) = value.get("boolean").and_then(Value::as_bool) {
        return Some(StoredAnswer::Truth(truth));
    }
    let results = value.get("results")?.as_object()?;
    let names = value.get("head").and_then(|head| head.get("vars")).and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    // Older benchmarks leave the list out where nothing was found.
    let rows = results.get("bindings").map_or(Some(&[][..]), |rows| rows.as_array().map(Vec::as_slice))?;
    Some(StoredAnswer::Rows(Arc::new(bindings(names, rows)?)))
}

/// Several results of one question; they have the same columns.
fn joined(documents: Vec<StoredAnswer>) -> Option<StoredAnswer> {
    let mut all = StoredRows::default();
    for document in documents {
        match document {
            StoredAnswer::Truth(_) => return Some(document),
            StoredAnswer::Rows(rows) => {
                let StoredRows { variables, rows } = Arc::unwrap_or_clone(rows);
                let places = places(&mut all.variables, variables);
                let wide = |row: Vec<Option<Term>>| {
                    let cells = places.iter().copied().zip(row);
                    cells.filter_map(|(place, term)| Some((place, term?))).collect::<Vec<_>>()
                };
                all.rows.extend(rows.into_iter().map(|row| spread(wide(row))));
            }
        }
    }
    pad(&mut all);
    Some(StoredAnswer::Rows(Arc::new(all)))
}

/// The columns with these names, added where they are new.
fn places(known: &mut Vec<String>, names: Vec<String>) -> Vec<usize> {
    let mut place = |name: String| {
        known.iter().position(|known| *known == name).unwrap_or_else(|| {
            known.push(name);
            known.len() - 1
        })
    };
    names.into_iter().map(&mut place).collect()
}

/// A row with these cells, as long as its last one needs.
fn spread(cells: Vec<(usize, Term)>) -> Vec<Option<Term>> {
    let width = cells.iter().map(|(place, _)| place + 1).max().unwrap_or_default();
    let mut row = vec![None; width];
    for (place, term) in cells {
        if let Some(cell) = row.get_mut(place) {
            *cell = Some(term);
        }
    }
    row
}

/// Makes all rows as long as there are columns.
fn pad(rows: &mut StoredRows) {
    let width = rows.variables.len();
    rows.rows.iter_mut().for_each(|row| row.resize(width, None));
}

/// Rows of objects that have a term for each name; `None` if some are not.
fn bindings(names: Vec<String>, items: &[Value]) -> Option<StoredRows> {
    let mut found = StoredRows { variables: names, rows: Vec::with_capacity(items.len()) };
    for item in items {
        let mut cells = Vec::new();
        for (name, cell) in item.as_object()? {
            let term = of_object(cell.as_object()?)?;
            let place = places(&mut found.variables, vec![name.clone()]);
            cells.extend(place.first().map(|place| (*place, term)));
        }
        if found.variables.len() > MAX_COLUMNS {
            return None;
        }
        found.rows.push(spread(cells));
    }
    pad(&mut found);
    Some(found)
}

fn term(value: &Value) -> Option<Term> {
    match value {
        Value::Object(fields) => of_object(fields),
        _ => text(value).map(|text| bare(&text)),
    }
}

/// A term as results of SPARQL have it; a name stands for a value that is missing.
fn of_object(fields: &Map<String, Value>) -> Option<Term> {
    let written = |name: &str| fields.get(name).and_then(text);
    let value = written("value").or_else(|| written("label"))?;
    let kind = written("type").unwrap_or_default().to_lowercase();
    Some(match kind.as_str() {
        "uri" | "iri" => iri_or_text(value),
        "bnode" => BlankNode::new(&value).map_or_else(|_| plain(&value), Term::from),
        "" => bare(&value),
        _ => literal(value, written("datatype"), written("xml:lang").or_else(|| written("lang"))),
    })
}

fn literal(value: String, datatype: Option<String>, language: Option<String>) -> Term {
    let tagged = language.filter(|tag| !tag.is_empty());
    if let Some(Ok(tagged)) = tagged.map(|tag| Literal::new_language_tagged_literal(&value, tag)) {
        return tagged.into();
    }
    match datatype.map(NamedNode::new) {
        Some(Ok(datatype)) => Literal::new_typed_literal(value, datatype).into(),
        _ => plain(&value),
    }
}

/// A term that is written without saying what it is.
fn bare(value: &str) -> Term {
    let is_address = ["http://", "https://"].iter().any(|scheme| value.starts_with(scheme));
    if is_address { iri_or_text(value.to_owned()) } else { plain(value) }
}

fn iri_or_text(value: String) -> Term {
    NamedNode::new(&value).map_or_else(|_| plain(&value), Term::from)
}

/// A value or a name as a term.
pub(super) fn plain(value: &str) -> Term {
    Literal::new_simple_literal(value).into()
}

#[cfg(test)]
mod tests;
