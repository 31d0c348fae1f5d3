//! What the calls of one run leave behind for later calls: the results of queries as `r1`, `r2`, …, what was computed
//! from them as `c1`, `c2`, …, the triples that were remembered, and the passages that were found.

use eruca_api::{Computed, ComputedInput, ComputedValue};
use eruca_compute::{Table, Value};
use eruca_dataset::RunQuery;
use eruca_indexer::texts::Passage;
use eruca_sparql::{
    AddedTriples, Answer, CheckedQuery, Results, Solutions, Term, Triple, WorkingGraph, XSD, is_numeric_type,
};
use std::sync::Arc;

/// Results that are kept; queries beyond them have no name.
const MAX_RESULTS: usize = 50;

/// Passages that are kept.
const MAX_PASSAGES: usize = 200;

/// The result of a program.
pub type Computation = Arc<Computed>;

/// What a call brings for later calls.
#[derive(Debug, Clone)]
pub enum Brought {
    /// What a program computed.
    Computation(Computation),
    /// Triples to remember.
    Triples(RememberedTriples),
    /// Rows of the working graph.
    FromMemory(Arc<KeptResult>),
    /// Passages of texts.
    Passages(Vec<Arc<Passage>>),
}

/// Triples to remember.
#[derive(Debug, Clone)]
pub struct RememberedTriples {
    /// What they come from: blank nodes with equal labels are the same node only within it.
    pub origin: String,
    /// The triples.
    pub triples: Vec<Triple>,
}

/// The result of a query with a name.
#[derive(Debug)]
pub struct KeptResult {
    /// The query.
    pub query: CheckedQuery,
    /// Its result.
    pub answer: Arc<Answer>,
    /// Whether it comes from the working graph and not from the dataset.
    pub from_memory: bool,
}

/// The results of a run so far. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    question: String,
    results: Vec<Arc<KeptResult>>,
    computations: Vec<Computation>,
    passages: Vec<Arc<Passage>>,
    memory: WorkingGraph,
}

impl Workspace {
    /// A workspace in which there is nothing, for calls outside a run.
    pub const EMPTY: &'static Self = &Self {
        question: String::new(),
        results: Vec::new(),
        computations: Vec::new(),
        passages: Vec::new(),
        memory: WorkingGraph::EMPTY,
    };

    /// A workspace for a question, without results.
    pub fn of(question: &str) -> Self {
        Self { question: question.to_owned(), ..Self::default() }
    }

    /// The question of the run; empty outside a run.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The triples that were remembered.
    pub fn memory(&self) -> &WorkingGraph {
        &self.memory
    }

    /// Keeps the result of a query and returns its name. A query that failed or returned no rows is not kept.
    pub fn keep(&mut self, run: &RunQuery) -> Option<String> {
        let answer = run.result.as_ref().ok()?.clone();
        self.keep_result(Arc::new(KeptResult { query: run.query.clone(), answer, from_memory: false }))
    }

    /// Keeps what a call brought, and says under which name, or what became of it.
    pub fn take(&mut self, brought: &Brought) -> Option<String> {
        let kept = |name: &str| format!("(kept as {name})");
        match brought {
            Brought::Computation(computation) => Some(kept(&self.keep_computation(computation.clone()))),
            Brought::Triples(RememberedTriples { origin, triples }) => {
                let added = self.memory.add(origin, triples);
                Some(told(added, self.memory.len()))
            }
            Brought::Passages(passages) => {
                self.keep_passages(passages);
                None
            }
            Brought::FromMemory(result) => {
                let name = self.keep_result(result.clone())?;
                Some(format!(
                    "(kept as {name}, from the working graph; `answer` runs its query on the dataset)"
                ))
            }
        }
    }

    /// The result with a name.
    pub(super) fn result(&self, name: &str) -> Option<&KeptResult> {
        Some(numbered(&self.results, ['r', 'R'], name)?.as_ref())
    }

    fn keep_result(&mut self, result: Arc<KeptResult>) -> Option<String> {
        if result.answer.is_empty() || self.results.len() >= MAX_RESULTS {
            return None;
        }
        self.results.push(result);
        Some(format!("r{}", self.results.len()))
    }

    fn keep_passages(&mut self, passages: &[Arc<Passage>]) {
        for passage in passages {
            if self.passages.len() < MAX_PASSAGES && self.passage(&passage.name()).is_none() {
                self.passages.push(passage.clone());
            }
        }
    }

    /// The passage with a name.
    pub fn passage(&self, name: &str) -> Option<&Arc<Passage>> {
        let name = name.trim().to_lowercase();
        self.passages.iter().find(|passage| passage.name() == name)
    }

    /// The names of the passages, for messages.
    pub(super) fn passage_names(&self) -> Vec<String> {
        self.passages.iter().map(|passage| passage.name()).collect()
    }

    fn keep_computation(&mut self, computation: Computation) -> String {
        self.computations.push(computation);
        format!("c{}", self.computations.len())
    }

    /// What was computed under a name.
    pub fn computation(&self, name: &str) -> Option<&Computation> {
        numbered(&self.computations, ['c', 'C'], name)
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
        used.map(|(name, result)| {
            let table = table(&name, &result.answer);
            let input = ComputedInput {
                name,
                query: result.query.text().to_owned(),
                rows: table.rows.len(),
                incomplete: result.answer.incomplete.is_some(),
                from_memory: result.from_memory,
            };
            (table, input)
        })
        .unzip()
    }
}

/// The entry with a name like `r2`, counted from 1.
fn numbered<'a, T>(entries: &'a [T], letters: [char; 2], name: &str) -> Option<&'a T> {
    let number: usize = name.trim().strip_prefix(letters)?.parse().ok()?;
    entries.get(number.checked_sub(1)?)
}

/// What became of triples to remember.
fn told(outcome: AddedTriples, held: usize) -> String {
    let AddedTriples { added, known, left_out } = outcome;
    let known = if known > 0 { format!(", {known} were there already") } else { String::new() };
    let left_out = if left_out > 0 {
        format!(
            ", {left_out} are left out: the working graph is full ({} triples or {} MiB at most)",
            WorkingGraph::MAX_TRIPLES,
            WorkingGraph::MAX_BYTES >> 20
        )
    } else {
        String::new()
    };
    format!("({added} added{known}{left_out}; the working graph has {held} triples)")
}

/// The rows of a result under a name.
fn table(name: &str, answer: &Answer) -> Table {
    let cell = |term: &Option<Term>| term.as_ref().map_or(Value::Nil, value);
    let (columns, rows) = match &answer.results {
        Results::Boolean(value) => (vec!["answer".to_owned()], vec![vec![Value::Boolean(*value)]]),
        Results::Solutions(found) => {
            let rows = found.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
            (found.variables.clone(), rows)
        }
        Results::Graph(_) => {
            let Solutions { variables, rows } = answer.table(answer.row_count());
            (variables, rows.iter().map(|row| row.iter().map(cell).collect()).collect())
        }
    };
    Table { name: name.to_owned(), columns, rows }
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
    fn what_became_of_triples_is_told() {
        let mut workspace = Workspace::default();
        let node = |name: &str| NamedNode::new_unchecked(format!("http://a.example/{name}"));
        let triple = |name: String| Triple::new(node(&name), node("p"), node("o"));
        let remembered =
            |triples: Vec<Triple>| Brought::Triples(RememberedTriples { origin: "r1".to_owned(), triples });
        let one = vec![triple("a".to_owned())];
        let told = workspace.take(&remembered(one.clone())).unwrap();
        assert_eq!(told, "(1 added; the working graph has 1 triples)");
        let told = workspace.take(&remembered(one)).unwrap();
        assert_eq!(told, "(0 added, 1 were there already; the working graph has 1 triples)");
        let many = (0..WorkingGraph::MAX_TRIPLES).map(|number| triple(number.to_string())).collect();
        let told = workspace.take(&remembered(many)).unwrap();
        assert!(told.contains("1 are left out: the working graph is full (20000 triples or 4 MiB"), "{told}");
    }

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
        assert!(workspace.result("r1").is_none());
        for absent in ["c0", "c2", "r1", "c", "1", ""] {
            assert!(workspace.computation(absent).is_none(), "{absent}");
        }
    }
}
