//! Classes and properties that are known from the search of a Wikibase alone, as lines for models.

use crate::dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::{Label, WikibaseEntity, display_label};
use eruca_sparql::one_line;

const MAX_DESCRIPTION_CHARS: usize = 160;
/// Other names shown.
const MAX_OTHER_NAMES: usize = 2;

/// One line: IRI, label, what its values are, other names, description.
pub(crate) fn live_line(dataset: &Dataset, iri: &str, entity: &WikibaseEntity) -> String {
    let WikibaseEntity { id, labels, description, datatype } = entity;
    let label = display_label(labels, &dataset.languages).unwrap_or(id);
    let mut line = format!("- {} \"{}\"", dataset.compact(iri), one_line(label, MAX_NAME_CHARS));
    if let Some(datatype) = datatype {
        line.push_str(&format!(" -> {}", one_line(datatype, MAX_NAME_CHARS)));
    }
    let other = labels.iter().map(|Label { text, .. }| text.as_str()).filter(|text| *text != label);
    let other: Vec<String> = other.take(MAX_OTHER_NAMES).map(|name| one_line(name, MAX_NAME_CHARS)).collect();
    if !other.is_empty() {
        line.push_str(&format!(", also \"{}\"", other.join("\", \"")));
    }
    if let Some(description) = description {
        line.push_str(&format!(": {}", one_line(description, MAX_DESCRIPTION_CHARS)));
    }
    line
}
