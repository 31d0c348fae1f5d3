//! Display names of entities: fetched labels, labels from the index, readable local names.

use super::Verbalizer;
use super::phrase::Phrase;
use eruca_dataset::Dataset;
use eruca_language::text::humanize;
use eruca_sparql::{local_name, one_line};
use std::collections::BTreeMap;

/// Maximum length, in characters, of a name within a sentence.
const MAX_NAME: usize = 100;

/// The display name of an entity.
pub(super) fn name(dataset: &Dataset, labels: &BTreeMap<String, String>, iri: &str) -> String {
    let known = labels.get(iri).cloned().or_else(|| dataset.label(iri));
    let name = known.unwrap_or_else(|| humanize(local_name(iri)));
    let name = one_line(name.trim(), MAX_NAME);
    if name.is_empty() { one_line(iri, MAX_NAME) } else { name }
}

impl Verbalizer<'_> {
    /// An entity by its display name.
    pub(super) fn thing(&self, iri: &str) -> Phrase {
        Phrase::name(name(self.context.dataset, self.context.labels, iri), iri)
    }
}
