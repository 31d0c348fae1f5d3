//! The support of rows: the triples of the graph that make them results of a query, looked up with `eruca_sparql::proof`.

use super::Dataset;
use async_trait::async_trait;
use eruca_sparql::proof::{Missing, Proof, ProofSource, Wanted, prove};
use eruca_sparql::{Answer, CheckedQuery, Incomplete, QueryError, Results, Triple};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The endpoint of a dataset for the queries of a proof, asked until a deadline.
pub struct ProofEndpoint<'a> {
    dataset: &'a Dataset,
    /// `None` means no deadline.
    until: Option<Instant>,
}

impl<'a> ProofEndpoint<'a> {
    /// The endpoint of `dataset`, asked for `time` from now.
    #[must_use]
    pub fn new(dataset: &'a Dataset, time: Duration) -> Self {
        Self { dataset, until: Instant::now().checked_add(time) }
    }

    /// Whether the time is over.
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }
}

#[async_trait]
impl ProofSource for ProofEndpoint<'_> {
    async fn ask(&self, query: &str) -> Result<Answer, Missing> {
        let failed = |error: &dyn std::fmt::Display| Missing::Failed(error.to_string());
        let left = match self.until {
            Some(until) => until.checked_duration_since(Instant::now()).ok_or(Missing::Time)?,
            None => Duration::MAX,
        };
        let query = self.dataset.check(query).map_err(|error| failed(&error))?;
        match self.dataset.run(&query, left).await {
            Ok(answer) => match &answer.incomplete {
                // Absence cannot be concluded from a result that the endpoint truncated.
                Some(Incomplete::Endpoint(words)) => Err(Missing::Failed(words.clone())),
                _ => Ok(Arc::unwrap_or_clone(answer)),
            },
            Err(QueryError::Timeout { .. }) => Err(Missing::Time),
            Err(error) => Err(failed(&error)),
        }
    }
}

/// What is to be proven of a row; `None` if the answer has no such row.
#[must_use]
pub fn wanted(answer: &Answer, row: usize) -> Option<Wanted> {
    match &answer.results {
        Results::Boolean(truth) => (row == 0).then_some(Wanted::Truth(*truth)),
        // Constructed triples have no bindings of their own, so the proof only covers that the pattern matched.
        Results::Graph(triples) => (row < triples.len()).then_some(Wanted::Truth(true)),
        Results::Solutions(solutions) => {
            let row_values = solutions.rows.get(row)?.iter().cloned();
            let values = solutions.variables.iter().cloned().zip(row_values).collect();
            Some(Wanted::Row { values, place: row })
        }
    }
}

/// The proofs of some rows.
#[derive(Debug, Clone, Default)]
pub struct Support {
    /// Each row that was looked at, with its proof.
    pub proofs: Vec<(usize, Proof)>,
    /// Rows for which there was no time.
    pub late: usize,
}

impl Support {
    /// The triples of all proofs, each once.
    #[must_use]
    pub fn triples(&self) -> Vec<Triple> {
        let mut found: Vec<Triple> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for triple in self.proofs.iter().flat_map(|(_, proof)| proof.triples()) {
            if seen.insert(triple.clone()) {
                found.push(triple);
            }
        }
        found
    }
}

/// Proves rows of a result one after the other, for `time` at most. The triples of a graph need no proof.
pub async fn support(
    dataset: &Dataset,
    query: &CheckedQuery,
    answer: &Answer,
    rows: impl IntoIterator<Item = usize>,
    time: Duration,
) -> Support {
    let endpoint = ProofEndpoint::new(dataset, time);
    let mut support = Support::default();
    for row in rows {
        let Some(wanted) = wanted(answer, row) else { continue };
        if endpoint.is_late() {
            support.late += 1;
            continue;
        }
        support.proofs.push((row, prove(query, &wanted, &endpoint).await));
    }
    support
}
