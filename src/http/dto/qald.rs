//! QALD-JSON: questions with queries and answers in the SPARQL JSON results format, as exchanged by evaluation
//! platforms.
//!
//! Its consumers take every value of every column as an answer and reject unknown fields, so nothing is added here.

use eruca_api::{Term, TermKind};
use eruca_sparql::{Answer, Results, Solutions};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Questions with their answers in QALD-JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Qald)]
pub struct QaldDto {
    /// The questions.
    pub questions: Vec<QaldQuestionDto>,
}

/// A question with its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QaldQuestion)]
pub struct QaldQuestionDto {
    /// Its id: that of the file, or of the request.
    pub id: String,
    /// Its text, by language.
    pub question: Vec<QaldTextDto>,
    /// The query that answers it.
    pub query: QaldQueryDto,
    /// The results of the query; empty when there are none that could be read.
    pub answers: Vec<SparqlJsonDto>,
}

/// The text of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QaldText)]
pub struct QaldTextDto {
    /// Its language.
    pub language: String,
    /// The text.
    pub string: String,
}

/// The query of a question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
#[schema(as = QaldQuery)]
pub struct QaldQueryDto {
    /// In SPARQL; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparql: Option<String>,
}

/// Results as [SPARQL 1.1 Query Results JSON Format](https://www.w3.org/TR/sparql11-results-json/); a graph as a table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
#[schema(as = SparqlJson)]
pub struct SparqlJsonDto {
    /// The columns.
    pub head: SparqlHeadDto,
    /// The rows, unless the query is an ASK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<SparqlRowsDto>,
    /// The answer of an ASK.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boolean: Option<bool>,
}

/// The columns of results.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
#[schema(as = SparqlHead)]
pub struct SparqlHeadDto {
    /// Their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vars: Vec<String>,
}

/// The rows of results.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
#[schema(as = SparqlRows)]
pub struct SparqlRowsDto {
    /// Each row: the terms by column, without those that are unbound.
    pub bindings: Vec<BTreeMap<String, SparqlTermDto>>,
}

/// A term in results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SparqlTerm)]
pub struct SparqlTermDto {
    /// "uri", "literal" or "bnode".
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub kind: TermKind,
    /// The IRI, the literal's text, or the blank node's label.
    pub value: String,
    /// The datatype's IRI, unless it is a plain or language-tagged string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// The language tag.
    #[serde(rename = "xml:lang", skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
}

impl From<&Answer> for SparqlJsonDto {
    fn from(answer: &Answer) -> Self {
        if let Results::Boolean(boolean) = answer.results {
            return Self { boolean: Some(boolean), ..Self::default() };
        }
        let Solutions { variables: vars, rows } = answer.table(usize::MAX);
        let cells = |row: Vec<Option<eruca_sparql::Term>>| {
            let bound = vars.iter().zip(row).filter_map(|(name, cell)| Some((name.clone(), cell?)));
            bound.map(|(name, term)| (name, SparqlTermDto::from(Term::from(&term)))).collect()
        };
        let results = Some(SparqlRowsDto { bindings: rows.into_iter().map(cells).collect() });
        Self { head: SparqlHeadDto { vars }, results, boolean: None }
    }
}

impl From<Term> for SparqlTermDto {
    fn from(term: Term) -> Self {
        let Term { kind, value, datatype, lang } = term;
        Self { kind, value, datatype, lang }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode, Triple};
    use serde_json::json;
    use std::time::Duration;

    fn written(results: Results) -> serde_json::Value {
        json!(SparqlJsonDto::from(&Answer { results, incomplete: None, elapsed: Duration::ZERO }))
    }

    #[test]
    fn results_are_those_of_the_standard() {
        let place = NamedNode::new_unchecked("https://e.x/%40");
        let row = vec![
            Some(place.clone().into()),
            Some(Literal::new_language_tagged_literal_unchecked("Ort", "de").into()),
            None,
            Some(Literal::from(3).into()),
        ];
        let variables = ["x", "name", "none", "n"].map(str::to_owned).to_vec();
        assert_eq!(
            written(Results::Solutions(Solutions { variables, rows: vec![row] })),
            json!({"head": {"vars": ["x", "name", "none", "n"]}, "results": {"bindings": [{
                "x": {"type": "uri", "value": "https://e.x/%40"},
                "name": {"type": "literal", "value": "Ort", "xml:lang": "de"},
                "n": {"type": "literal", "value": "3", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}
            }]}})
        );
        assert_eq!(written(Results::Boolean(false)), json!({"head": {}, "boolean": false}));
        let graph = written(Results::Graph(vec![Triple::new(place.clone(), place.clone(), place)]));
        assert_eq!(graph["results"]["bindings"][0]["object"]["value"], "https://e.x/%40");
    }
}
