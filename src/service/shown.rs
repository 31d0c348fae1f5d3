//! Rows as they are shown: the first of them, with names and what the columns hold.

use super::run::{PAGE_ROWS, Rows, ShownColumn, part};
use crate::dataset::Dataset;
use eruca_sparql::{Answer, Results, Term, Triple, is_numeric_type};
use std::collections::BTreeMap;
use std::time::Duration;

/// Time for names that are looked up elsewhere; rows without them are shown with what is there.
const NAMES_TIME: Duration = Duration::from_secs(3);
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// Columns of a graph.
const TRIPLE: [&str; 3] = ["subject", "predicate", "object"];

/// The first rows of an answer, with names as the dataset prefers them.
pub(super) async fn rows(dataset: &Dataset, answer: &Answer) -> Rows {
    some_rows(dataset, answer, 0, PAGE_ROWS).await
}

/// Any rows of an answer.
pub(super) async fn some_rows(dataset: &Dataset, answer: &Answer, offset: usize, limit: usize) -> Rows {
    let page = part(answer, offset, limit);
    let labels = labels(dataset, &page).await;
    Rows { columns: columns(&page), labels, row_count: answer.row_count(), page }
}

/// The names of all things in an answer of a page.
async fn labels(dataset: &Dataset, page: &Answer) -> BTreeMap<String, String> {
    let mut iris = iris(page);
    iris.sort_unstable();
    iris.dedup();
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
        Results::Graph(triples) => triples.iter().flat_map(terms).filter_map(|term| iri(&term)).collect(),
    }
}

fn terms(triple: &Triple) -> [Term; 3] {
    let Triple { subject, predicate, object } = triple;
    [Term::from(subject.clone()), Term::from(predicate.clone()), object.clone()]
}

fn columns(page: &Answer) -> Vec<ShownColumn> {
    let column =
        |name: &str, kind| ShownColumn { name: name.to_owned(), title: name.to_owned(), kind, unit: None };
    match &page.results {
        Results::Boolean(_) => Vec::new(),
        Results::Graph(_) => TRIPLE.map(|name| column(name, "thing")).into(),
        Results::Solutions(solutions) => {
            let values = |at: usize| solutions.rows.iter().filter_map(move |row| row.get(at)?.as_ref());
            let named = solutions.variables.iter().enumerate();
            named.map(|(at, name)| column(name, kind(values(at)))).collect()
        }
    }
}

/// What all values of a column are.
fn kind<'a>(values: impl Iterator<Item = &'a Term>) -> &'static str {
    let mut kinds: Vec<&str> = values.map(kind_of).collect();
    kinds.dedup();
    match kinds.as_slice() {
        [kind] => kind,
        _ => "text",
    }
}

fn kind_of(term: &Term) -> &'static str {
    match term {
        Term::NamedNode(_) | Term::BlankNode(_) => "thing",
        Term::Literal(literal) if is_numeric_type(literal.datatype().as_str()) => "number",
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(XSD) {
            Some("gYear") => "year",
            Some("date" | "dateTime" | "gYearMonth") => "date",
            Some("boolean") => "boolean",
            Some(_) | None => "text",
        },
    }
}
