//! Reads what the owner of a graph knows of it, and checks it against the graph.

use super::StartupError;
use crate::config::{DatasetSettings, KnowledgeSettings, RoleSettings};
use eruca_dataset::{knowledge_warnings, prefixes_of};
use eruca_indexer::DatasetIndex;
use eruca_knowledge::Knowledge;
use eruca_sparql::Prefixes;

/// What is known of a dataset as a role sees it, with a note for each term that its graph does not have.
pub(super) fn knowledge_of(
    dataset: &DatasetSettings,
    index: &DatasetIndex,
    role: Option<&RoleSettings>,
) -> Result<(Knowledge, Vec<String>), StartupError> {
    let prefixes = prefixes_of(index);
    let mut knowledge = read(dataset, &prefixes)?;
    if let Some(role) = role {
        hide_from(role, dataset, &prefixes, &mut knowledge)?;
    }
    let warnings = knowledge_warnings(&knowledge, index);
    Ok((knowledge, warnings))
}

/// Hides what a role does not see.
///
/// # Errors
/// When a term has a prefix that the dataset does not have: nobody knows then what it is in this graph.
pub(super) fn hide_from(
    role: &RoleSettings,
    dataset: &DatasetSettings,
    prefixes: &Prefixes,
    knowledge: &mut Knowledge,
) -> Result<(), StartupError> {
    let hidden =
        knowledge.hide(&role.hidden.terms, &role.hidden.namespaces, &all_prefixes(dataset, prefixes));
    hidden.map_err(|reason| StartupError::Role { role: role.id.clone(), dataset: dataset.id.clone(), reason })
}

/// What is known of a dataset, with its prefixes.
///
/// # Errors
/// When a file is wrong, or there is no folder although one is named.
pub(super) fn read(dataset: &DatasetSettings, prefixes: &Prefixes) -> Result<Knowledge, StartupError> {
    let Some(KnowledgeSettings { folder, is_named }) = &dataset.knowledge else {
        return Ok(Knowledge::default());
    };
    let id = || dataset.id.clone();
    if *is_named && !folder.is_dir() {
        return Err(StartupError::NoKnowledge { dataset: id(), folder: folder.clone() });
    }
    let prefixes = all_prefixes(dataset, prefixes);
    Knowledge::read(folder, &prefixes).map_err(|source| StartupError::Knowledge { dataset: id(), source })
}

/// The prefixes of a graph with those of the dataset's entry.
fn all_prefixes(dataset: &DatasetSettings, prefixes: &Prefixes) -> Prefixes {
    let own = dataset.prefixes.iter().map(|(prefix, iri)| (prefix.as_str(), iri.as_str()));
    prefixes.merged(&own.collect())
}
