//! Rows as JSON: a table with titles, kinds and units, each term with its name and address.

use crate::service::{AnswerColumn, Rows};
use eruca_sparql::{Answer, BlankNode, Literal, NamedNode, Results, Solutions, Term, Triple};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// The results of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Rows)]
pub enum RowsDto {
    /// Of an ASK query.
    Boolean {
        /// The answer.
        boolean: bool,
    },
    /// Of any other query; a graph comes as a table of its triples.
    Table(TableDto),
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Table)]
pub struct TableDto {
    /// The columns.
    pub columns: Vec<ColumnDto>,
    /// The rows; `null` where a variable is unbound.
    pub rows: Vec<Vec<Option<ShownTermDto>>>,
    /// Rows that the query returned, within the configured limits.
    pub row_count: usize,
    /// Why rows are missing, in words for people; absent when none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Where things in the rows are: latitude and longitude by IRI.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, [f64; 2]>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Column)]
pub struct ColumnDto {
    /// The variable.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it contains: `thing`, `number`, `year`, `month`, `date`, `text`, `boolean`, `coordinates`, `picture` or `link`.
    pub kind: String,
    /// The unit of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A term with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ShownTerm)]
pub struct ShownTermDto {
    /// "uri", "literal" or "bnode".
    #[serde(rename = "type")]
    pub kind: String,
    /// The IRI, the literal's text, or the blank node's label.
    pub value: String,
    /// The datatype's IRI, unless it is a plain or language-tagged string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// The language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The name in the reader's language, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where it lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

impl From<AnswerColumn> for ColumnDto {
    fn from(column: AnswerColumn) -> Self {
        let AnswerColumn { name, title, kind, unit, named: _ } = column;
        Self { name, title, kind: kind.name().to_owned(), unit }
    }
}

impl From<&Rows> for RowsDto {
    fn from(rows: &Rows) -> Self {
        let Rows { page, row_count, columns, labels } = rows;
        let shown = |term: &Term| Some(ShownTermDto::new(term, labels));
        let cells: Vec<Vec<_>> = match &page.results {
            Results::Boolean(boolean) => return Self::Boolean { boolean: *boolean },
            Results::Solutions(solutions) => {
                let row =
                    |row: &Vec<Option<Term>>| row.iter().map(|cell| cell.as_ref().and_then(shown)).collect();
                solutions.rows.iter().map(row).collect()
            }
            Results::Graph(triples) => {
                triples.iter().map(|triple| terms(triple).iter().map(shown).collect()).collect()
            }
        };
        Self::Table(TableDto {
            columns: columns.iter().cloned().map(ColumnDto::from).collect(),
            rows: cells,
            row_count: *row_count,
            incomplete: super::incomplete(page),
            places: BTreeMap::new(),
        })
    }
}

impl RowsDto {
    /// The rows as the service knows them.
    pub fn to_answer(&self) -> Answer {
        let results = match self {
            Self::Boolean { boolean } => Results::Boolean(*boolean),
            Self::Table(table) => {
                let cells = |row: &Vec<Option<ShownTermDto>>| {
                    row.iter().map(|cell| cell.as_ref().map(ShownTermDto::to_term)).collect()
                };
                let variables = table.columns.iter().map(|column| column.name.clone()).collect();
                Results::Solutions(Solutions { variables, rows: table.rows.iter().map(cells).collect() })
            }
        };
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    /// Whether no row is missing.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Boolean { .. } => true,
            Self::Table(table) => table.incomplete.is_none() && table.rows.len() == table.row_count,
        }
    }
}

fn terms(triple: &Triple) -> [Term; 3] {
    let Triple { subject, predicate, object } = triple;
    [Term::from(subject.clone()), Term::from(predicate.clone()), object.clone()]
}

impl ShownTermDto {
    /// The term without its name.
    pub fn to_term(&self) -> Term {
        let literal = match (&self.lang, &self.datatype) {
            (Some(lang), _) => Literal::new_language_tagged_literal_unchecked(&self.value, lang),
            (None, Some(datatype)) => {
                Literal::new_typed_literal(&self.value, NamedNode::new_unchecked(datatype))
            }
            (None, None) => Literal::new_simple_literal(&self.value),
        };
        match self.kind.as_str() {
            "uri" => NamedNode::new_unchecked(&self.value).into(),
            "bnode" => BlankNode::new_unchecked(&self.value).into(),
            _ => literal.into(),
        }
    }

    /// A term with its name among `labels`.
    pub fn new(term: &Term, labels: &BTreeMap<String, String>) -> Self {
        let super::TermDto { kind, value, datatype, lang } = super::TermDto::from(term);
        let is_iri = matches!(term, Term::NamedNode(_));
        let label = is_iri.then(|| labels.get(&value).cloned()).flatten();
        let href = is_iri.then(|| href(&value)).flatten();
        Self { kind: kind.to_owned(), value, datatype, lang, label, href }
    }
}

/// The address of a thing, if its IRI is one: a graph may hold `javascript:` and the like too.
pub fn href(iri: &str) -> Option<String> {
    let url = url::Url::parse(iri).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| iri.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert_eq!(href("https://example.org/a?b#c").as_deref(), Some("https://example.org/a?b#c"));
        for iri in [
            "javascript:alert(1)",
            "data:text/html,x",
            "urn:a:b",
            "mailto:a@b",
            "http:",
            "a b",
            "JavaScript:x//http://",
        ] {
            assert_eq!(href(iri), None, "{iri}");
        }
    }
}
