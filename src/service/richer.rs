//! Rows for people: beside the things what decided over them, "the longest river" with its length. The query of the answer stays as it
//! is; what these rows come from is a query of its own.

use crate::dataset::Dataset;
use eruca_sparql::{Answer, CheckedQuery, Prefixes, Results, Rewrite, Term};
use std::sync::Arc;
use std::time::Duration;

/// Columns that are added.
const MAX_ADDED: usize = 2;
/// Time for the other query.
const TIME: Duration = Duration::from_secs(2);

/// The query with what decides as further columns, and its rows; nothing where that adds none, or changes what is found.
pub(super) async fn richer(
    dataset: &Dataset,
    query: &CheckedQuery,
    answer: &Answer,
    left: Duration,
) -> Option<(CheckedQuery, Arc<Answer>)> {
    let Results::Solutions(found) = &answer.results else { return None };
    let [only] = found.variables.as_slice() else { return None };
    if found.rows.is_empty() || answer.incomplete.is_some() {
        return None;
    }
    let added = query.deciding().into_iter().take(MAX_ADDED);
    let columns: Vec<String> = std::iter::once(only.clone()).chain(added).collect();
    let text = query.rewritten(&Rewrite::Columns(columns), &Prefixes::default())?;
    let richer = dataset.check(&text).ok()?;
    let rows = dataset.run(&richer, left.min(TIME)).await.ok()?;
    let Results::Solutions(more) = &rows.results else { return None };
    let first = |rows: &[Vec<Option<Term>>]| {
        let mut first: Vec<String> = rows.iter().map(|row| format!("{:?}", row.first())).collect();
        first.sort_unstable();
        first
    };
    let complete = more.rows.iter().flatten().all(Option::is_some);
    (complete && first(&found.rows) == first(&more.rows)).then_some((richer, rows))
}
