//! Rows as JSON: a table with titles, kinds and units, each term with its name and address.

use crate::{Term, TermKind, incomplete};
use eruca_sparql::{Answer, BlankNode, Literal, NamedNode, Results, Solutions, Term as RdfTerm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// The results of a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Rows {
    /// Of an ASK query.
    Boolean {
        /// The answer.
        boolean: bool,
    },
    /// Of any other query; a graph comes as a table of its triples.
    Table(Table),
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; `null` where a variable is unbound.
    pub rows: Vec<Vec<Option<ShownTerm>>>,
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
pub struct Column {
    /// The variable.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it contains: `thing`, `number`, `year`, `month`, `date`, `text`, `boolean`, `coordinates`, `picture` or `link`.
    #[schema(value_type = String)]
    pub kind: ColumnKind,
    /// The unit of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whether the title is a name of the graph, and not one of the query.
    #[serde(skip)]
    pub named: bool,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Things of the graph.
    Thing,
    /// Numbers.
    Number,
    /// Calendar years.
    Year,
    /// Months of any year, by their numbers.
    Month,
    /// Days and moments.
    Date,
    /// Anything that is written.
    Text,
    /// Yes or no.
    Boolean,
    /// Places on a map.
    Coordinates,
    /// Addresses of pictures.
    Picture,
    /// Addresses of pages.
    Link,
}

/// A term with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShownTerm {
    /// "uri", "literal" or "bnode".
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: TermKind,
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

impl Rows {
    /// The rows of `answer`, which may be the first of `row_count`, with names for the things among `labels`.
    pub fn new(
        answer: &Answer,
        row_count: usize,
        columns: Vec<Column>,
        labels: &BTreeMap<String, String>,
    ) -> Self {
        if let Results::Boolean(boolean) = answer.results {
            return Self::Boolean { boolean };
        }
        let shown = |term: &RdfTerm| {
            let mut shown = ShownTerm::from(term);
            shown.name(labels);
            shown
        };
        let cells = |row: &Vec<Option<RdfTerm>>| row.iter().map(|cell| cell.as_ref().map(shown)).collect();
        let rows = answer.table(usize::MAX).rows.iter().map(cells).collect();
        let (incomplete, places) = (incomplete(answer), BTreeMap::new());
        Self::Table(Table { columns, rows, row_count, incomplete, places })
    }

    /// The rows as the service knows them.
    pub fn to_answer(&self) -> Answer {
        let results = match self {
            Self::Boolean { boolean } => Results::Boolean(*boolean),
            Self::Table(table) => {
                let cells = |row: &Vec<Option<ShownTerm>>| {
                    row.iter().map(|cell| cell.as_ref().map(ShownTerm::to_term)).collect()
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

impl From<&RdfTerm> for ShownTerm {
    /// The term, as yet without its name.
    fn from(term: &RdfTerm) -> Self {
        let Term { kind, value, datatype, lang } = Term::from(term);
        let href = (kind == TermKind::Uri).then(|| href(&value)).flatten();
        Self { kind, value, datatype, lang, label: None, href }
    }
}

impl ShownTerm {
    /// The term without its name.
    pub fn to_term(&self) -> RdfTerm {
        match self.kind {
            TermKind::Uri => NamedNode::new_unchecked(&self.value).into(),
            TermKind::Bnode => BlankNode::new_unchecked(&self.value).into(),
            TermKind::Literal => self.to_literal().into(),
        }
    }

    fn to_literal(&self) -> Literal {
        match (&self.lang, &self.datatype) {
            (Some(lang), _) => Literal::new_language_tagged_literal_unchecked(&self.value, lang),
            (None, Some(datatype)) => {
                Literal::new_typed_literal(&self.value, NamedNode::new_unchecked(datatype))
            }
            (None, None) => Literal::new_simple_literal(&self.value),
        }
    }

    /// The IRI of a thing.
    pub fn iri(&self) -> Option<&str> {
        (self.kind == TermKind::Uri).then_some(self.value.as_str())
    }

    /// Takes its name from `labels`, if it has one there.
    pub fn name(&mut self, labels: &BTreeMap<String, String>) {
        self.label = self.iri().and_then(|iri| labels.get(iri)).cloned();
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
