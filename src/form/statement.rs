//! The form of the answer as a model states it, and what in a query is not of that form.

use super::prune::{is_number, kept_columns};
use super::read::{AnswerForm, FormKind};
use crate::dataset::{Dataset, RunQuery};
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_sparql::{Answer, CheckedQuery, QueryForm};

/// What a model says about the answer before it has it; what it leaves out is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatedForm {
    /// The kind of result.
    pub kind: Option<FormKind>,
    /// What the columns hold, in their order; empty when not stated.
    pub columns: Vec<String>,
    /// By what the rows are ordered.
    pub order: Option<String>,
    /// The number of results that the question asks for.
    pub limit: Option<usize>,
}

impl StatedForm {
    /// Takes over what a later statement says; the rest stays as stated before.
    pub fn update(&mut self, later: Self) {
        let Self { kind, columns, order, limit } = later;
        self.kind = kind.or(self.kind);
        if !columns.is_empty() {
            self.columns = columns;
        }
        self.order = order.or(self.order.take());
        self.limit = limit.or(self.limit);
    }
}

/// What is not as stated in a query that has run, one sentence each. Columns too many are no difference where they
/// can be dropped without asking.
pub fn differences(form: &AnswerForm, run: &RunQuery, dataset: &Dataset) -> Vec<String> {
    let (Some(kind), Ok(answer)) = (form.stated.kind, &run.result) else { return Vec::new() };
    if let Some(difference) = other_query_form(kind, run.query.form()) {
        return vec![difference];
    }
    if kind == FormKind::Ask {
        return Vec::new();
    }
    let columns = match kind {
        FormKind::Count => no_number(&run.query, answer),
        _ => other_columns(form, &run.query, answer, dataset),
    };
    columns.into_iter().chain(no_order(form, &run.query, answer)).chain(other_limit(form, answer)).collect()
}

fn other_query_form(kind: FormKind, query: QueryForm) -> Option<String> {
    match (kind, query) {
        (FormKind::Ask, QueryForm::Ask) => None,
        (FormKind::Ask, _) => Some("You stated yes/no, and the query is no ASK.".to_owned()),
        (_, QueryForm::Select) => None,
        (_, _) => Some(format!("You stated {}, and the query is no SELECT.", kind.name())),
    }
}

fn no_number(query: &CheckedQuery, answer: &Answer) -> Option<String> {
    let counted = query.columns(RDF_TYPE).iter().any(|column| column.aggregated) || is_number(answer);
    (!counted).then(|| {
        let rows = answer.row_count();
        format!("You stated a count, and the query returns {rows} rows instead of their number.")
    })
}

fn other_columns(
    form: &AnswerForm,
    query: &CheckedQuery,
    answer: &Answer,
    dataset: &Dataset,
) -> Option<String> {
    let stated = &form.stated.columns;
    let kept = kept_columns(form, query, answer, dataset);
    (!stated.is_empty() && kept.len() != stated.len()).then(|| {
        let (wanted, found) = (stated.len(), kept.len());
        format!(
            "You stated {wanted} columns ({}), and the query returns {found}: ?{}.",
            stated.join(", "),
            kept.join(", ?")
        )
    })
}

fn no_order(form: &AnswerForm, query: &CheckedQuery, answer: &Answer) -> Option<String> {
    let order = form.stated.order.as_ref()?;
    let matters = answer.row_count() > 1 && !query.is_ordered();
    matters.then(|| format!("You stated an order ({order}), and the query has no ORDER BY."))
}

fn other_limit(form: &AnswerForm, answer: &Answer) -> Option<String> {
    let (limit, rows) = (form.stated.limit?, answer.row_count());
    (rows > limit).then(|| format!("You stated {limit} results, and the query returns {rows}."))
}
