//! Applies the edits, each verified against the results.
//!
//! The kept columns have the same rows, a COUNT equals the number of distinct values, an ASK is true if there was a row,
//! and removing a LIMIT only adds rows. Edits work on the algebra, never on the text. Test:
//! `tests/form_peers.rs`.

use super::prune::edits;
use super::read::AnswerForm;
use eruca_dataset::{Dataset, RunQuery};
use eruca_sparql::{Answer, Results, Rewrite, Term};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// With less time than this left, no further edit is tried.
const MIN_TIME: Duration = Duration::from_millis(20);
/// Time held in reserve, so that an edit that hangs does not delay the answer past the deadline.
const SPARE_TIME: Duration = Duration::from_millis(50);

/// A query adapted to the form of the answer.
#[derive(Debug)]
pub struct Fitted {
    /// The query after the edits, with its result.
    pub run: RunQuery,
    /// What was changed, in words for people.
    pub changes: Vec<String>,
}

/// Adapts a query that has run to the form of the answer. Edits that cannot be verified are not made.
pub async fn fit(form: &AnswerForm, run: RunQuery, dataset: &Dataset, deadline: Instant) -> Fitted {
    let mut fitted = Fitted { run, changes: Vec::new() };
    let Ok(answer) = &fitted.run.result else { return fitted };
    for edit in edits(form, &fitted.run.query, answer, dataset) {
        let left = deadline.saturating_duration_since(Instant::now()).saturating_sub(SPARE_TIME);
        if left < MIN_TIME {
            break;
        }
        if let Some(changed) = try_edit(&edit, &fitted.run, dataset, left).await {
            fitted.changes.push(describe(&edit));
            fitted.run = changed;
        }
    }
    fitted
}

async fn try_edit(edit: &Rewrite, run: &RunQuery, dataset: &Dataset, timeout: Duration) -> Option<RunQuery> {
    let before = run.result.as_ref().ok()?;
    let text = run.query.rewritten(edit, &dataset.index.card.prefixes)?;
    let query = dataset.check(&text).ok()?;
    let after = dataset.run(&query, timeout).await.ok()?;
    is_harmless(edit, before, &after)
        .then(|| RunQuery { at: run.at.clone(), ..RunQuery::new(query, Ok(after)) })
}

fn describe(edit: &Rewrite) -> String {
    match edit {
        Rewrite::Columns(columns) => {
            format!("kept the columns that the question asks for: ?{}", columns.join(" ?"))
        }
        Rewrite::Distinct => "made the rows distinct".to_owned(),
        Rewrite::NoLimit => "removed a LIMIT that the question does not ask for".to_owned(),
        Rewrite::Ask => "turned it into ASK: the question asks for yes or no".to_owned(),
        Rewrite::Count(variable) => format!("counted ?{variable}: the question asks how many"),
    }
}

/// Whether the results show that the edit changed the form and nothing else.
fn is_harmless(edit: &Rewrite, before: &Answer, after: &Answer) -> bool {
    if before.incomplete.is_some() && !matches!(edit, Rewrite::Ask) {
        return false;
    }
    match (edit, &before.results, &after.results) {
        (Rewrite::Ask, Results::Solutions(rows), Results::Boolean(found)) => *found != rows.rows.is_empty(),
        (Rewrite::Count(variable), _, Results::Solutions(counted)) => {
            let distinct = rows_of(before, std::slice::from_ref(variable)).map(|rows| rows.len().to_string());
            let number = counted.rows.first().and_then(|row| row.first().cloned().flatten());
            matches!((distinct, number), (Some(rows), Some(Term::Literal(number))) if rows == number.value())
        }
        (Rewrite::Columns(columns), _, Results::Solutions(_)) => same_columns(columns, before, after),
        (Rewrite::Distinct, Results::Solutions(old), Results::Solutions(_)) => {
            same_columns(&old.variables, before, after)
        }
        (Rewrite::NoLimit, Results::Solutions(old), Results::Solutions(_)) => {
            match (rows_of(before, &old.variables), rows_of(after, &old.variables)) {
                (Some(few), Some(all)) => few.is_subset(&all) && after.incomplete.is_none(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether the kept columns hold the same rows as before. A column that was not projected before (an entity instead of
/// its name) must have at least as many.
fn same_columns(columns: &[String], before: &Answer, after: &Answer) -> bool {
    match (rows_of(before, columns), rows_of(after, columns)) {
        (Some(old), Some(new)) => old == new,
        (None, Some(new)) => !new.is_empty() && after.row_count() <= before.row_count(),
        _ => false,
    }
}

type Row = Vec<Option<Term>>;

/// The distinct rows of some columns; `None` if a column is missing.
fn rows_of(answer: &Answer, columns: &[String]) -> Option<HashSet<Row>> {
    let Results::Solutions(solutions) = &answer.results else { return None };
    let at: Option<Vec<usize>> =
        columns.iter().map(|column| solutions.variables.iter().position(|name| name == column)).collect();
    let at = at?;
    Some(
        solutions
            .rows
            .iter()
            .map(|row| at.iter().map(|index| row.get(*index).cloned().flatten()).collect())
            .collect(),
    )
}
