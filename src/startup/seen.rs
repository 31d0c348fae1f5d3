//! Who does not see everything of a dataset: everybody, where its owner hides something, and roles. An index of what they see is built
//! beside that of the whole graph.

use super::knowledge::{hide_from, read};
use crate::config::{DatasetSettings, Settings};
use eruca_indexer::{Hides, LeftOut};
use eruca_knowledge::Hidden;
use eruca_sparql::Prefixes;
use std::sync::Arc;

/// What is hidden from somebody in a graph with these prefixes, each once. What cannot be told is left out: it keeps the dataset
/// from being opened for those it is hidden from.
pub(super) fn hidden(settings: &Settings, dataset: &DatasetSettings, prefixes: &Prefixes) -> Vec<LeftOut> {
    let Ok(known) = read(dataset, prefixes) else { return Vec::new() };
    let of_roles = settings.roles.iter().filter(|role| role.sees(dataset)).filter_map(|role| {
        let mut seen = known.clone();
        hide_from(role, dataset, prefixes, &mut seen).ok()?;
        Some((format!("the role '{}'", role.id), seen.hidden))
    });
    let everybody = ("everybody".to_owned(), known.hidden.clone());
    let mut hidden: Vec<LeftOut> = Vec::new();
    for (from, terms) in std::iter::once(everybody).chain(of_roles).filter(|(_, terms)| !terms.is_empty()) {
        let seal = terms.seal();
        match hidden.iter_mut().find(|known| known.seal == seal) {
            Some(same) => same.from = format!("{}, {from}", same.from),
            None => hidden.push(LeftOut { seal, from, hides: hides(terms) }),
        }
    }
    hidden
}

fn hides(terms: Hidden) -> Hides {
    Arc::new(move |iri: &str| terms.hides(iri))
}
