//! Classes and properties that are known from the search of a Wikibase alone, as lines for models.

use eruca_dataset::{Dataset, MAX_NAME_CHARS, quoted_name};
use eruca_indexer::{Label, WikibaseEntity, display_label};
use eruca_sparql::{one_line, quoted};

const MAX_DESCRIPTION_CHARS: usize = 160;
/// Characters of a kind of values.
const MAX_DATATYPE: usize = 30;
/// Other names shown.
const MAX_OTHER_NAMES: usize = 2;

/// One line: IRI, label, what its values are, other names, description.
pub(crate) fn live_line(dataset: &Dataset, iri: &str, entity: &WikibaseEntity) -> String {
    let WikibaseEntity { id, labels, description, datatype } = entity;
    let label = display_label(labels, &dataset.languages).unwrap_or(id);
    let shown = |name: &str| quoted_name(&one_line(name, MAX_NAME_CHARS));
    let mut line = format!("- {} {}", dataset.compact(iri), shown(label));
    if let Some(datatype) = datatype {
        // A word like `wikibase-item`; anything else is not of the API.
        let is_word =
            datatype.len() <= MAX_DATATYPE && datatype.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        line.push_str(&format!(" -> {}", if is_word { datatype.clone() } else { quoted_name(datatype) }));
    }
    let other = labels.iter().map(|Label { text, .. }| text.as_str()).filter(|text| *text != label);
    let other: Vec<String> = other.take(MAX_OTHER_NAMES).map(shown).collect();
    if !other.is_empty() {
        line.push_str(&format!(", also {}", other.join(", ")));
    }
    if let Some(description) = description {
        line.push_str(&format!(": {}", quoted(description, MAX_DESCRIPTION_CHARS)));
    }
    line
}
