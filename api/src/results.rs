//! Results of a query, near to SPARQL's own JSON format.

use eruca_sparql::{Answer, Incomplete, Results as Found, Solutions, Term as RdfTerm};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rows sent at most: results are shown here to judge the query, not to be loaded from here.
const MAX_ROWS: usize = 100;

/// The results of the final query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Results {
    /// Of an ASK query.
    Boolean {
        /// The answer.
        boolean: bool,
    },
    /// Of any other query; a graph comes as a table of its triples.
    Table {
        /// Names of the columns.
        variables: Vec<String>,
        /// At most 100 rows; `null` where a variable is unbound.
        rows: Vec<Vec<Option<Term>>>,
        /// Rows that the query returned, within the configured limits.
        row_count: usize,
        /// Why rows are missing here, in words for people; absent when none is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incomplete: Option<String>,
    },
}

/// An RDF term, as in [SPARQL results in JSON](https://www.w3.org/TR/sparql11-results-json/#select-encode-terms).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Term {
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
}

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// An IRI.
    Uri,
    /// A literal.
    Literal,
    /// A blank node.
    Bnode,
}

impl From<&Answer> for Results {
    fn from(answer: &Answer) -> Self {
        if let Found::Boolean(boolean) = answer.results {
            return Self::Boolean { boolean };
        }
        let (Solutions { variables, rows }, row_count) = (answer.table(MAX_ROWS), answer.row_count());
        let unsent = (rows.len() < row_count).then(|| format!("only the first {MAX_ROWS} rows are sent"));
        let reasons: Vec<String> = incomplete(answer).into_iter().chain(unsent).collect();
        let incomplete = (!reasons.is_empty()).then(|| reasons.join("; "));
        let cells =
            |row: &Vec<Option<RdfTerm>>| row.iter().map(|cell| cell.as_ref().map(Term::from)).collect();
        Self::Table { variables, rows: rows.iter().map(cells).collect(), row_count, incomplete }
    }
}

/// Why an answer is cut, if it is, in words for people.
pub fn incomplete(answer: &Answer) -> Option<String> {
    answer.incomplete.as_ref().map(reason)
}

/// Why an answer is cut, in words for people.
fn reason(incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::RowLimit(rows) => format!("cut at the limit of {rows} rows"),
        Incomplete::ByteLimit(bytes) => format!("cut at the limit of {bytes} bytes"),
        Incomplete::ServerRows(rows) => {
            format!("cut by the endpoint: the server returns at most {rows} rows")
        }
        Incomplete::Endpoint(words) => format!("cut by the endpoint: {words}"),
    }
}

impl From<&RdfTerm> for Term {
    fn from(term: &RdfTerm) -> Self {
        let plain = |kind, value| Self { kind, value, datatype: None, lang: None };
        match term {
            RdfTerm::NamedNode(node) => plain(TermKind::Uri, node.as_str().to_owned()),
            RdfTerm::BlankNode(node) => plain(TermKind::Bnode, node.as_str().to_owned()),
            RdfTerm::Literal(literal) => {
                let lang = literal.language().map(str::to_owned);
                let datatype = literal.datatype().as_str();
                let implied = lang.is_some() || datatype == "http://www.w3.org/2001/XMLSchema#string";
                let datatype = (!implied).then(|| datatype.to_owned());
                Self { kind: TermKind::Literal, value: literal.value().to_owned(), datatype, lang }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode, Triple};
    use serde_json::json;
    use std::time::Duration;

    fn sent(results: Found, incomplete: Option<Incomplete>) -> serde_json::Value {
        let answer = Answer { results, incomplete, elapsed: Duration::ZERO };
        serde_json::to_value(Results::from(&answer)).unwrap()
    }

    #[test]
    fn terms_keep_type_datatype_and_language() {
        let integer = NamedNode::new_unchecked("http://www.w3.org/2001/XMLSchema#integer");
        let row = vec![
            Some(NamedNode::new_unchecked("http://e.x/a").into()),
            Some(Literal::new_simple_literal("a").into()),
            Some(Literal::new_language_tagged_literal_unchecked("ä", "de").into()),
            Some(Literal::new_typed_literal("12", integer).into()),
            None,
        ];
        let solutions = Solutions { variables: vec!["a".into()], rows: vec![row] };
        assert_eq!(
            sent(Found::Solutions(solutions), None)["rows"][0],
            json!([
                {"type": "uri", "value": "http://e.x/a"},
                {"type": "literal", "value": "a"},
                {"type": "literal", "value": "ä", "lang": "de"},
                {"type": "literal", "value": "12", "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
                null
            ])
        );
    }

    #[test]
    fn only_a_hundred_rows_are_sent_and_every_cut_is_told() {
        let solutions = Solutions { variables: vec!["a".into()], rows: vec![vec![None]; 150] };
        let sent = sent(Found::Solutions(solutions), Some(Incomplete::RowLimit(150)));
        assert_eq!(sent["rows"].as_array().unwrap().len(), 100);
        assert_eq!(sent["row_count"], 150);
        assert_eq!(sent["incomplete"], "cut at the limit of 150 rows; only the first 100 rows are sent");
    }

    #[test]
    fn ask_gives_a_boolean_and_a_graph_a_table() {
        assert_eq!(sent(Found::Boolean(false), None), json!({"boolean": false}));
        let node = NamedNode::new_unchecked("http://e.x/a");
        let graph = Found::Graph(vec![Triple::new(node.clone(), node.clone(), node)]);
        let sent = sent(graph, None);
        assert_eq!(sent["variables"], json!(["subject", "predicate", "object"]));
        assert_eq!(sent["rows"][0][2]["value"], "http://e.x/a");
    }
}
