//! The edits that adapt a query to the requested form.

use super::read::{AnswerForm, FormKind};
use eruca_dataset::Dataset;
use eruca_language::text::humanize;
use eruca_sparql::{Answer, CheckedQuery, Column, QueryForm, Results, Rewrite, Term};

/// The edits that the form suggests, in the order in which to try them.
pub(super) fn edits(
    form: &AnswerForm,
    query: &CheckedQuery,
    answer: &Answer,
    dataset: &Dataset,
) -> Vec<Rewrite> {
    if query.form() != QueryForm::Select {
        return Vec::new();
    }
    let columns = query.model().columns(&dataset.vocabulary().type_property);
    match form.kind {
        FormKind::Ask => return vec![Rewrite::Ask],
        FormKind::Count if !columns.iter().any(|column| column.aggregated) && !is_number(answer) => {
            return main_column(&columns, answer, dataset)
                .map(|column| Rewrite::Count(column.name.clone()))
                .into_iter()
                .collect();
        }
        FormKind::Count | FormKind::Things | FormKind::Values | FormKind::Table => {}
    }
    let mut edits = Vec::new();
    let kept = wanted(form, &columns, answer, dataset);
    if !kept.is_empty() {
        edits.push(Rewrite::Columns(kept));
    }
    if query.model().limit.is_some() && !form.limited {
        edits.push(Rewrite::NoLimit);
    }
    let aggregated = columns.iter().any(|column| column.aggregated);
    if matches!(form.kind, FormKind::Things | FormKind::Values) && !aggregated && !query.model().is_ordered()
    {
        edits.push(Rewrite::Distinct);
    }
    edits
}

/// The columns left after the form's edits; all of them if there is nothing to drop.
pub(super) fn kept_columns(
    form: &AnswerForm,
    query: &CheckedQuery,
    answer: &Answer,
    dataset: &Dataset,
) -> Vec<String> {
    let columns = query.model().columns(&dataset.vocabulary().type_property);
    let kept = wanted(form, &columns, answer, dataset);
    if kept.is_empty() { columns.into_iter().map(|column| column.name).collect() } else { kept }
}

/// A column that the query was meant to return.
pub(super) struct AskedColumn {
    /// Its name; for the label of an entity, that of the entity's column.
    pub(super) name: String,
    /// It stands for entities.
    pub(super) thing: bool,
    /// It holds literals, including labels.
    pub(super) literal: bool,
    /// It is a sort key, and not the only column.
    pub(super) sorts: bool,
}

/// The columns of a result; an entity and its label count as one.
pub(super) fn asked_columns(query: &CheckedQuery, answer: &Answer, dataset: &Dataset) -> Vec<AskedColumn> {
    if answer.is_empty() {
        return Vec::new();
    }
    let columns = query.model().columns(&dataset.vocabulary().type_property);
    let mut asked: Vec<AskedColumn> = Vec::new();
    for column in &columns {
        let literal = !holds_resources(column, answer);
        let (name, thing) = match label_subject(column, dataset) {
            Some(subject) => (subject, true),
            None => (column.name.clone(), !literal),
        };
        let sorts = columns.len() > 1 && column.sorts;
        match asked.iter_mut().find(|other| other.name == name) {
            Some(other) => other.literal |= literal,
            None => asked.push(AskedColumn { name, thing, literal, sorts }),
        }
    }
    asked
}

/// Whether the result is a single numeric literal: "how many inhabitants" may be answered by a value of the graph.
pub(super) fn is_number(answer: &Answer) -> bool {
    let Results::Solutions(solutions) = &answer.results else { return false };
    let [row] = solutions.rows.as_slice() else { return false };
    row.iter()
        .flatten()
        .any(|cell| matches!(cell, Term::Literal(literal) if literal.value().parse::<f64>().is_ok()))
}

/// The columns to keep, in their order.
fn wanted(form: &AnswerForm, columns: &[Column], answer: &Answer, dataset: &Dataset) -> Vec<String> {
    let label_of = |column: &Column| label_subject(column, dataset);
    match form.kind {
        FormKind::Count => columns
            .iter()
            .find(|column| column.aggregated)
            .map(|column| vec![column.name.clone()])
            .unwrap_or_default(),
        FormKind::Things if form.names => {
            let named = columns.iter().find(|column| label_of(column).is_some());
            named.map(|column| vec![column.name.clone()]).unwrap_or_default()
        }
        FormKind::Values => {
            let value = columns.iter().find(|column| !column.sorts && !holds_resources(column, answer));
            value.map(|column| vec![column.name.clone()]).unwrap_or_default()
        }
        FormKind::Things => thing_columns(form, columns, answer, dataset),
        FormKind::Table => table_columns(form, columns, dataset),
        FormKind::Ask => Vec::new(),
    }
}

/// The entities, and those of their values that the question mentions; label and sort columns were not requested.
fn thing_columns(form: &AnswerForm, columns: &[Column], answer: &Answer, dataset: &Dataset) -> Vec<String> {
    let Some(main) = main_column(columns, answer, dataset) else { return Vec::new() };
    let mentioned = |column: &&Column| {
        let about = column.properties.iter().map(|(_, property)| dataset.schema_name(property));
        let said = form.says(&humanize(&column.name)) || about.into_iter().any(|name| form.says(&name));
        said && !column.sorts && label_subject(column, dataset).is_none() && !holds_resources(column, answer)
    };
    let main_name = label_subject(main, dataset).unwrap_or_else(|| main.name.clone());
    if form.stated.kind == Some(FormKind::Things) {
        return vec![main_name];
    }
    let others = columns.iter().filter(|column| column.name != main.name).filter(mentioned);
    std::iter::once(main_name).chain(others.map(|column| column.name.clone())).collect()
}

fn holds_resources(column: &Column, answer: &Answer) -> bool {
    let Results::Solutions(solutions) = &answer.results else { return false };
    let Some(at) = solutions.variables.iter().position(|name| *name == column.name) else { return false };
    let first = solutions.rows.iter().find_map(|row| row.get(at)?.as_ref());
    first.is_some_and(|cell| !matches!(cell, Term::Literal(_)))
}

/// A table loses only labels that were not requested. If labels are requested, the entities stay beside them to
/// tell namesakes apart.
fn table_columns(form: &AnswerForm, columns: &[Column], dataset: &Dataset) -> Vec<String> {
    let is_projected = |name: &String| columns.iter().any(|column| column.name == *name);
    let is_name =
        |column: &Column| label_subject(column, dataset).is_some_and(|subject| is_projected(&subject));
    columns.iter().filter(|column| form.names || !is_name(column)).map(|column| column.name.clone()).collect()
}

/// The column with the requested entities: the first one that is not a label of another, contains resources and
/// is not an aggregate; otherwise the first one that is more than a sort key.
fn main_column<'a>(columns: &'a [Column], answer: &Answer, dataset: &Dataset) -> Option<&'a Column> {
    let plain = |column: &&Column| !column.aggregated && label_subject(column, dataset).is_none();
    let first = columns.iter().filter(plain).find(|column| holds_resources(column, answer));
    first.or_else(|| columns.iter().find(|column| !column.sorts)).or(columns.first())
}

/// The variable whose label a column holds.
fn label_subject(column: &Column, dataset: &Dataset) -> Option<String> {
    let naming = &dataset.index.card.naming_properties;
    let (subject, _) = column.properties.iter().find(|(_, property)| naming.contains(property))?;
    let only_names = column.properties.iter().all(|(_, property)| naming.contains(property));
    subject.clone().filter(|_| only_names)
}
