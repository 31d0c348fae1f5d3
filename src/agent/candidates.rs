//! Queries that have run, and which of them is the best to return.

use crate::dataset::RunQuery;
use eruca_sparql::{Answer, CheckedQuery, QueryError};

/// How good a candidate is, worst first. Later candidates win among equals: the model has learnt since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It failed, but it parses and is read-only.
    Failed,
    /// It ran and gave nothing.
    Empty,
    /// Its answer stands in the query instead of being found in the graph.
    Faked,
    /// It looks at the graph instead of answering: `?s ?p ?o` patterns, all columns.
    Probe,
    /// It ran and gave something.
    Filled,
    /// The model stated it as its answer and it gave something.
    Stated,
}

/// A query with what it gave.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) query: CheckedQuery,
    pub(super) result: Result<Answer, QueryError>,
    stated: bool,
}

impl Candidate {
    /// The query as if it had just been run.
    pub(super) fn as_run(&self) -> RunQuery {
        RunQuery { query: self.query.clone(), result: self.result.clone() }
    }

    fn grade(&self) -> Grade {
        match &self.result {
            Err(_) => Grade::Failed,
            Ok(answer) if answer.is_empty() || answer.is_zero_aggregate() => Grade::Empty,
            Ok(_) if is_faked(&self.query) => Grade::Faked,
            Ok(_) if self.stated => Grade::Stated,
            Ok(_) if is_probe(&self.query) => Grade::Probe,
            Ok(_) => Grade::Filled,
        }
    }
}

/// A SELECT all of whose columns are set by VALUES or BIND.
pub(super) fn is_faked(query: &CheckedQuery) -> bool {
    let columns = query.columns();
    !columns.is_empty() && columns.iter().all(|column| column.constant)
}

/// A query whose predicates are all variables only looks around.
fn is_probe(query: &CheckedQuery) -> bool {
    let atoms = query.conjunction().atoms;
    !atoms.is_empty()
        && atoms.iter().all(|atom| atom.predicate.is_none() && atom.text.matches('?').count() >= 2)
}

/// The candidates of a run.
#[derive(Debug, Default)]
pub(super) struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Takes a query that was run; `stated` when the model gave it as its answer.
    pub(super) fn add(&mut self, run: RunQuery, stated: bool) {
        self.0.push(Candidate { query: run.query, result: run.result, stated });
    }

    /// Those that gave something.
    pub(super) fn filled(&self) -> impl Iterator<Item = &Candidate> {
        self.0.iter().filter(|candidate| candidate.grade() > Grade::Empty)
    }

    /// The last one, whatever it gave.
    pub(super) fn last(&self) -> Option<&Candidate> {
        self.0.last()
    }

    /// The best so far.
    pub(super) fn best(&self) -> Option<&Candidate> {
        self.0.iter().max_by_key(|candidate| candidate.grade())
    }
}
