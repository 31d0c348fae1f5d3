//! Reads what the owner of a graph knows of it, and checks it against the graph.

use super::StartupError;
use crate::config::{DatasetSettings, KnowledgeSettings};
use eruca_dataset::{knowledge_warnings, prefixes_of};
use eruca_indexer::DatasetIndex;
use eruca_knowledge::Knowledge;
use eruca_sparql::Prefixes;

/// What is known of a dataset, with a note for each term that its graph does not have.
pub(super) fn knowledge_of(
    dataset: &DatasetSettings,
    index: &DatasetIndex,
) -> Result<(Knowledge, Vec<String>), StartupError> {
    let knowledge = read(dataset, &prefixes_of(index))?;
    let warnings = knowledge_warnings(&knowledge, index);
    Ok((knowledge, warnings))
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
    let own = dataset.prefixes.iter().map(|(prefix, iri)| (prefix.as_str(), iri.as_str()));
    let prefixes = prefixes.merged(&own.collect());
    Knowledge::read(folder, &prefixes).map_err(|source| StartupError::Knowledge { dataset: id(), source })
}
