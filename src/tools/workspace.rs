//! What the calls of one run leave behind for later calls: the results of queries as `r1`, `r2`, …, and what was
//! computed from them as `c1`, `c2`, ….

use eruca_api::{Computed, ComputedInput, ComputedValue};
use eruca_compute::{Table, Value};
use eruca_dataset::RunQuery;
use eruca_sparql::{Answer, Results, Term, XSD, is_numeric_type};
use std::sync::Arc;

/// Results that are kept; queries beyond them have no name.
const MAX_RESULTS: usize = 50;

/// The result of a program.
pub type Computation = Arc<Computed>;

/// The results of a run so far. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    question: String,
    results: Vec<(String, Arc<Answer>)>,
    computations: Vec<Computation>,
}

impl Workspace {
    /// A workspace in which there is nothing, for calls outside a run.
    pub const EMPTY: &'static Self =
        &Self { question: String::new(), results: Vec::new(), computations: Vec::new() };

    /// A workspace for a question, without results.
    pub fn of(question: &str) -> Self {
        Self { question: question.to_owned(), ..Self::default() }
    }

    /// The question of the run; empty outside a run.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Keeps the result of a query and returns its name. A query that failed or returned no rows is not kept.
    pub fn keep(&mut self, run: &RunQuery) -> Option<String> {
        let answer = run.result.as_ref().ok().filter(|answer| !answer.is_empty())?;
        if matches!(answer.results, Results::Graph(_)) || self.results.len() >= MAX_RESULTS {
            return None;
        }
        self.results.push((run.query.text().to_owned(), answer.clone()));
        Some(format!("r{}", self.results.len()))
    }

    /// Keeps what was computed and returns its name.
    pub fn keep_computation(&mut self, computation: Computation) -> String {
        self.computations.push(computation);
        format!("c{}", self.computations.len())
    }

    /// What was computed under a name.
    pub fn computation(&self, name: &str) -> Option<&Computation> {
        let number: usize = name.trim().strip_prefix(['c', 'C'])?.parse().ok()?;
        self.computations.get(number.checked_sub(1)?)
    }

    /// The names of the results, for messages.
    pub(super) fn result_names(&self) -> Vec<String> {
        (1..=self.results.len()).map(|number| format!("r{number}")).collect()
    }

    /// The names of what was computed, for messages.
    pub(super) fn computation_names(&self) -> Vec<String> {
        (1..=self.computations.len()).map(|number| format!("c{number}")).collect()
    }

    /// The results that a program names, with their queries.
    pub(super) fn inputs(&self, program: &str) -> (Vec<Table>, Vec<ComputedInput>) {
        let words: Vec<&str> = program.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
        let named = self.result_names().into_iter().zip(&self.results);
        let used = named.filter(|(name, _)| words.contains(&name.as_str()));
        used.filter_map(|(name, (query, answer))| {
            let table = table(&name, answer)?;
            let input = ComputedInput {
                name,
                query: query.clone(),
                rows: table.rows.len(),
                incomplete: answer.incomplete.is_some(),
            };
            Some((table, input))
        })
        .unzip()
    }
}

/// The rows of a result under a name.
fn table(name: &str, answer: &Answer) -> Option<Table> {
    let (columns, rows) = match &answer.results {
        Results::Boolean(value) => (vec!["answer".to_owned()], vec![vec![Value::Boolean(*value)]]),
        Results::Solutions(found) => {
            let cell = |term: &Option<Term>| term.as_ref().map_or(Value::Nil, value);
            let rows = found.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
            (found.variables.clone(), rows)
        }
        Results::Graph(_) => return None,
    };
    Some(Table { name: name.to_owned(), columns, rows })
}

/// A term as a program sees it: numbers and truth values as such, anything else as its text or its IRI.
fn value(term: &Term) -> Value {
    let literal = match term {
        Term::Literal(literal) => literal,
        Term::NamedNode(node) => return Value::Text(node.as_str().to_owned()),
        other => return Value::Text(other.to_string()),
    };
    let text = literal.value();
    let number = || match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(integer), _) => Some(Value::Integer(integer)),
        (Err(_), Ok(number)) if number.is_finite() => Some(Value::Number(number)),
        _ => None,
    };
    let typed = match literal.datatype().as_str().strip_prefix(XSD) {
        Some("boolean") => Some(Value::Boolean(matches!(text, "true" | "1"))),
        Some(name) if is_numeric_type(name) => number(),
        _ => None,
    };
    typed.unwrap_or_else(|| Value::Text(text.to_owned()))
}

/// A computed value as it is sent.
pub(super) fn sent(value: Value) -> ComputedValue {
    match value {
        Value::Nil => ComputedValue::Nothing(()),
        Value::Boolean(value) => ComputedValue::Boolean(value),
        Value::Integer(value) => ComputedValue::Integer(value),
        Value::Number(value) => ComputedValue::Number(value),
        Value::Text(text) => ComputedValue::Text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Literal, NamedNode};

    #[test]
    fn terms_are_what_programs_can_reckon_with() {
        let typed = |text: &str, datatype: &str| {
            value(
                &Literal::new_typed_literal(text, NamedNode::new_unchecked(format!("{XSD}{datatype}")))
                    .into(),
            )
        };
        assert_eq!(typed("12", "integer"), Value::Integer(12));
        assert_eq!(typed("12.50", "decimal"), Value::Number(12.5));
        assert_eq!(typed("99999999999999999999", "integer"), Value::Number(1e20));
        assert_eq!(typed("INF", "double"), Value::Text("INF".to_owned()));
        assert_eq!(typed("1", "boolean"), Value::Boolean(true));
        assert_eq!(typed("12", "string"), Value::Text("12".to_owned()));
        assert_eq!(typed("2001-05-03", "date"), Value::Text("2001-05-03".to_owned()));
        let node = NamedNode::new_unchecked("http://a.example/x");
        assert_eq!(value(&node.into()), Value::Text("http://a.example/x".to_owned()));
    }

    #[test]
    fn computations_have_names() {
        let mut workspace = Workspace::default();
        let computed = Computed {
            program: String::new(),
            inputs: Vec::new(),
            columns: vec!["value".to_owned()],
            rows: vec![vec![ComputedValue::Integer(1)]],
            names: std::collections::BTreeMap::new(),
            cut: false,
            printed: Vec::new(),
        };
        assert_eq!(workspace.keep_computation(Arc::new(computed)), "c1");
        assert!(workspace.computation("c1").is_some() && workspace.computation(" C1 ").is_some());
        for absent in ["c0", "c2", "r1", "c", "1", ""] {
            assert!(workspace.computation(absent).is_none(), "{absent}");
        }
    }
}
