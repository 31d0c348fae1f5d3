//! The rows of a page as they are shown: with names in the reader's language and, where a map can be drawn, places.

use super::FilledPage;
use crate::service::Service;
use crate::service::browse::{MAX_THINGS, places_of};
use crate::service::shown::{labels, some_rows};
use eruca_api::Rows;
use eruca_dataset::Dataset;
use eruca_sparql::{Answer, NamedNode, Results, Term};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Service {
    /// A part of the rows of a page with names and, where a map can be drawn, places.
    pub async fn page_rows(
        self: &Arc<Self>,
        page: &FilledPage,
        answer: &Arc<Answer>,
        part: (usize, usize),
    ) -> Rows {
        let (FilledPage { dataset, query, question, .. }, answer) = (page.clone(), answer.clone());
        let has_map = question.view.as_deref().is_none_or(|view| view == "map");
        let shown = async move {
            let page = some_rows(&dataset, &query, &answer, part).await;
            let places = match has_map {
                true => places(&dataset, &page.page).await,
                false => BTreeMap::new(),
            };
            (page.rows(), places)
        };
        let (mut rows, places) = self.cpu_pool.run(shown).await;
        if let Rows::Table(table) = &mut rows {
            table.places = places;
        }
        rows
    }

    /// The names of all things in the result of a page.
    pub async fn page_names(
        self: &Arc<Self>,
        page: &FilledPage,
        answer: &Arc<Answer>,
    ) -> BTreeMap<String, String> {
        let (dataset, answer) = (page.dataset.clone(), answer.clone());
        self.cpu_pool.run(async move { labels(&dataset, &answer).await }).await
    }
}

async fn places(dataset: &Dataset, page: &Answer) -> BTreeMap<String, [f64; 2]> {
    let Results::Solutions(solutions) = &page.results else { return BTreeMap::new() };
    let mut things: Vec<NamedNode> = Vec::new();
    for term in solutions.rows.iter().flatten().flatten() {
        if let Term::NamedNode(node) = term
            && things.len() < MAX_THINGS
            && !things.contains(node)
        {
            things.push(node.clone());
        }
    }
    // Without places there is no map, which is no failure.
    places_of(dataset, &things).await.unwrap_or_default()
}
