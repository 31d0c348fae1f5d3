//! Results of the final query on the wire, near to SPARQL's own JSON format.

use eruca_sparql::{Answer, Incomplete, Results, Term, Triple};
use serde::Serialize;
use utoipa::ToSchema;

/// Rows sent at most: results are shown here to judge the query, not to be loaded from here.
const MAX_ROWS: usize = 100;
/// Column names of a graph.
const TRIPLE_COLUMNS: [&str; 3] = ["subject", "predicate", "object"];

/// The results of the final query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Results)]
pub enum ResultsDto {
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
        rows: Vec<Vec<Option<TermDto>>>,
        /// Rows that the query returned, within the configured limits.
        row_count: usize,
        /// Why rows are missing here, in words for people; absent when none is.
        #[serde(skip_serializing_if = "Option::is_none")]
        incomplete: Option<String>,
    },
}

/// An RDF term, as in [SPARQL results in JSON](https://www.w3.org/TR/sparql11-results-json/#select-encode-terms).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Term)]
pub struct TermDto {
    /// "uri", "literal" or "bnode".
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The IRI, the literal's text, or the blank node's label.
    pub value: String,
    /// The datatype's IRI, unless it is a plain or language-tagged string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// The language tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
}

impl From<&Answer> for ResultsDto {
    fn from(answer: &Answer) -> Self {
        let Answer { results, incomplete, elapsed: _ } = answer;
        match results {
            Results::Boolean(boolean) => Self::Boolean { boolean: *boolean },
            Results::Solutions(solutions) => {
                let rows = solutions.rows.iter().take(MAX_ROWS).map(|row| row.iter().map(cell).collect());
                table(solutions.variables.clone(), rows.collect(), solutions.rows.len(), incomplete.as_ref())
            }
            Results::Graph(triples) => {
                let rows = triples.iter().take(MAX_ROWS).map(triple_row).collect();
                table(TRIPLE_COLUMNS.map(str::to_owned).to_vec(), rows, triples.len(), incomplete.as_ref())
            }
        }
    }
}

fn table(
    variables: Vec<String>,
    rows: Vec<Vec<Option<TermDto>>>,
    row_count: usize,
    cut: Option<&Incomplete>,
) -> ResultsDto {
    let unsent = (rows.len() < row_count).then(|| format!("only the first {MAX_ROWS} rows are sent"));
    let reasons: Vec<String> = cut.map(reason).into_iter().chain(unsent).collect();
    let incomplete = (!reasons.is_empty()).then(|| reasons.join("; "));
    ResultsDto::Table { variables, rows, row_count, incomplete }
}

/// Why an answer is cut, if it is, in words for people.
pub fn incomplete(answer: &Answer) -> Option<String> {
    answer.incomplete.as_ref().map(reason)
}

/// Why an answer is cut, in words for people.
pub(super) fn reason(incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::RowLimit(rows) => format!("cut at the limit of {rows} rows"),
        Incomplete::ByteLimit(bytes) => format!("cut at the limit of {bytes} bytes"),
        Incomplete::ServerRows(rows) => {
            format!("cut by the endpoint: the server returns at most {rows} rows")
        }
        Incomplete::Endpoint(words) => format!("cut by the endpoint: {words}"),
        // The list of reasons may grow; that rows are missing must be reported in any case.
    }
}

fn cell(term: &Option<Term>) -> Option<TermDto> {
    term.as_ref().map(TermDto::from)
}

fn triple_row(triple: &Triple) -> Vec<Option<TermDto>> {
    let Triple { subject, predicate, object } = triple;
    let terms = [Term::from(subject.clone()), Term::from(predicate.clone()), object.clone()];
    terms.iter().map(|term| Some(TermDto::from(term))).collect()
}

impl From<&Term> for TermDto {
    fn from(term: &Term) -> Self {
        let plain = |kind, value| Self { kind, value, datatype: None, lang: None };
        match term {
            Term::NamedNode(node) => plain("uri", node.as_str().to_owned()),
            Term::BlankNode(node) => plain("bnode", node.as_str().to_owned()),
            Term::Literal(literal) => {
                let lang = literal.language().map(str::to_owned);
                let datatype = literal.datatype().as_str();
                let implied = lang.is_some() || datatype == "http://www.w3.org/2001/XMLSchema#string";
                let datatype = (!implied).then(|| datatype.to_owned());
                Self { kind: "literal", value: literal.value().to_owned(), datatype, lang }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode, Solutions};
    use serde_json::json;
    use std::time::Duration;

    fn sent(results: Results, incomplete: Option<Incomplete>) -> serde_json::Value {
        let answer = Answer { results, incomplete, elapsed: Duration::ZERO };
        serde_json::to_value(ResultsDto::from(&answer)).unwrap()
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
            sent(Results::Solutions(solutions), None)["rows"][0],
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
        let sent = sent(Results::Solutions(solutions), Some(Incomplete::RowLimit(150)));
        assert_eq!(sent["rows"].as_array().unwrap().len(), 100);
        assert_eq!(sent["row_count"], 150);
        assert_eq!(sent["incomplete"], "cut at the limit of 150 rows; only the first 100 rows are sent");
    }

    #[test]
    fn ask_gives_a_boolean_and_a_graph_a_table() {
        assert_eq!(sent(Results::Boolean(false), None), json!({"boolean": false}));
        let node = NamedNode::new_unchecked("http://e.x/a");
        let graph = Results::Graph(vec![Triple::new(node.clone(), node.clone(), node)]);
        let sent = sent(graph, None);
        assert_eq!(sent["variables"], json!(["subject", "predicate", "object"]));
        assert_eq!(sent["rows"][0][2]["value"], "http://e.x/a");
    }
}
