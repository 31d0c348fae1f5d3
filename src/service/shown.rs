//! Rows for display: the first ones, with labels and the kinds of the columns.

use super::run::{AnswerPage, PAGE_ROWS, part};
use eruca_api::{Column, ColumnKind};
use eruca_dataset::Dataset;
use eruca_sparql::{Answer, CheckedQuery, Results, TRIPLE, Term, triple_terms};
use eruca_verbalize::words::columns;
use std::collections::BTreeMap;
use std::time::Duration;

/// Time limit for fetching labels; after that, rows are shown with the labels at hand.
const NAMES_TIME: Duration = Duration::from_secs(3);

/// The first rows of a result, with labels in the languages that the dataset prefers.
pub(super) async fn rows(dataset: &Dataset, query: &CheckedQuery, answer: &Answer) -> AnswerPage {
    some_rows(dataset, query, answer, (0, PAGE_ROWS)).await
}

/// A page of a result.
pub(super) async fn some_rows(
    dataset: &Dataset,
    query: &CheckedQuery,
    answer: &Answer,
    (offset, limit): (usize, usize),
) -> AnswerPage {
    let page = part(answer, offset, limit);
    let labels = labels(dataset, &page).await;
    let columns = match &answer.results {
        Results::Graph(_) => TRIPLE.map(triple_column).into(),
        Results::Solutions(_) | Results::Boolean(_) => columns(dataset, query, answer),
    };
    AnswerPage { columns, labels, row_count: answer.row_count(), page }
}

fn triple_column(name: &str) -> Column {
    let kind = if name == "object" { ColumnKind::Text } else { ColumnKind::Thing };
    Column { name: name.to_owned(), title: name.to_owned(), kind, unit: None, named: false }
}

/// The labels of all entities in a result or a part of one.
pub(super) async fn labels(dataset: &Dataset, page: &Answer) -> BTreeMap<String, String> {
    let mut iris = iris(page);
    iris.sort_unstable();
    iris.dedup();
    names(dataset, iris).await
}

/// The labels of entities.
pub(super) async fn names(dataset: &Dataset, iris: Vec<String>) -> BTreeMap<String, String> {
    let _late = tokio::time::timeout(NAMES_TIME, dataset.fetch_names(iris.iter().map(String::as_str))).await;
    iris.into_iter().filter_map(|iri| dataset.label(&iri).map(|label| (iri, label))).collect()
}

fn iris(page: &Answer) -> Vec<String> {
    let iri = |term: &Term| match term {
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    };
    match &page.results {
        Results::Boolean(_) => Vec::new(),
        Results::Solutions(solutions) => solutions.rows.iter().flatten().flatten().filter_map(iri).collect(),
        Results::Graph(triples) => {
            triples.iter().flat_map(triple_terms).filter_map(|term| iri(&term)).collect()
        }
    }
}
