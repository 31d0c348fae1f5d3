//! Enriched rows for people: the deciding values next to the entities, such as "the longest river" with its length.
//! The query of the answer stays unchanged; the enriched rows come from a separate query.

use eruca_dataset::Dataset;
use eruca_sparql::{Answer, CheckedQuery, Prefixes, Results, Rewrite, Solutions, Term, XSD, is_numeric_type};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of columns added.
const MAX_ADDED: usize = 2;
/// Datatypes of dates, months and years.
const TIMES: [&str; 4] = ["date", "dateTime", "gYear", "gYearMonth"];
/// Time limit for the additional query.
const TIME: Duration = Duration::from_secs(2);

/// The query with its deciding values as further columns, or with the entities of its values as the first column, and
/// the rows; `None` if there is nothing to add or the result would change.
pub(super) async fn richer(
    dataset: &Dataset,
    query: &CheckedQuery,
    answer: &Answer,
    left: Duration,
) -> Option<(CheckedQuery, Arc<Answer>)> {
    let Results::Solutions(found) = &answer.results else { return None };
    let [only] = found.variables.as_slice() else { return None };
    // What is compared in a query over several datasets joins them and decides nothing.
    if found.rows.is_empty() || answer.incomplete.is_some() || query.calls_services() {
        return None;
    }
    let added: Vec<String> = query.deciding().into_iter().take(MAX_ADDED).collect();
    let holder =
        || query.holder().filter(|_| found.rows.len() > 1 && found.rows.iter().all(|row| is_measured(row)));
    if added.is_empty()
        && let Some(holder) = holder()
    {
        let (query, rows) = with_columns(dataset, query, vec![holder, only.clone()], left).await?;
        let same = distinct(&found.rows, 0) == distinct(&solutions(&rows)?.rows, 1);
        return same.then_some((query, rows));
    }
    let columns = std::iter::once(only.clone()).chain(added).collect();
    let (query, rows) = with_columns(dataset, query, columns, left).await?;
    let same = sorted(&found.rows, 0) == sorted(&solutions(&rows)?.rows, 0);
    same.then_some((query, rows))
}

/// The query with a different projection, and its rows if all cells are bound.
async fn with_columns(
    dataset: &Dataset,
    query: &CheckedQuery,
    columns: Vec<String>,
    left: Duration,
) -> Option<(CheckedQuery, Arc<Answer>)> {
    let text = query.rewritten(&Rewrite::Columns(columns), &Prefixes::default())?;
    let richer = dataset.check(&text).ok()?;
    let rows = dataset.run(&richer, left.min(TIME)).await.ok()?;
    let complete = solutions(&rows)?.rows.iter().flatten().all(Option::is_some);
    complete.then_some((richer, rows))
}

fn solutions(answer: &Answer) -> Option<&Solutions> {
    match &answer.results {
        Results::Solutions(found) => Some(found),
        Results::Boolean(_) | Results::Graph(_) => None,
    }
}

/// Whether the value is a number or a time: many entities may share it, and it does not tell whose it is.
fn is_measured(row: &[Option<Term>]) -> bool {
    let Some(Some(Term::Literal(value))) = row.first() else { return false };
    let name = value.datatype().as_str().strip_prefix(XSD).unwrap_or_default();
    is_numeric_type(name) || TIMES.contains(&name)
}

fn sorted(rows: &[Vec<Option<Term>>], column: usize) -> Vec<String> {
    let mut sorted: Vec<String> = rows.iter().map(|row| format!("{:?}", row.get(column))).collect();
    sorted.sort_unstable();
    sorted
}

fn distinct(rows: &[Vec<Option<Term>>], column: usize) -> Vec<String> {
    let mut distinct = sorted(rows, column);
    distinct.dedup();
    distinct
}
