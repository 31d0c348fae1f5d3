//! Things and literal values that have been found by name.

use crate::dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::{Entity, PropertyValue};
use eruca_sparql::one_line;

const MAX_DESCRIPTION_CHARS: usize = 100;

fn shown(name: &str) -> String {
    one_line(name, MAX_NAME_CHARS)
}

/// One line about an entity: IRI, label, types, description.
pub(crate) fn entity_line(dataset: &Dataset, entity: &Entity) -> String {
    let mut line =
        format!("- {} \"{}\"", dataset.compact(&entity.iri), shown(entity.label(&dataset.languages)));
    if !entity.types.is_empty() {
        let types: Vec<String> = entity.types.iter().take(3).map(|class| dataset.named(class)).collect();
        line.push_str(&format!(" a {}", types.join(", ")));
    }
    let other: Vec<String> = entity
        .labels
        .iter()
        .skip(1)
        .map(|label| label.text.as_str())
        .filter(|text| *text != entity.label(&dataset.languages))
        .take(2)
        .map(shown)
        .collect();
    if !other.is_empty() {
        line.push_str(&format!(", also \"{}\"", other.join("\", \"")));
    }
    if let Some(description) = &entity.description {
        line.push_str(&format!(": {}", one_line(description, MAX_DESCRIPTION_CHARS)));
    }
    line
}

/// One line about a literal value: the value as it is written in SPARQL, its property, how often.
pub(crate) fn value_line(dataset: &Dataset, value: &PropertyValue) -> String {
    let language = if value.language.is_empty() { String::new() } else { format!("@{}", value.language) };
    let text = shown(&value.text).replace('\\', "\\\\").replace('"', "\\\"");
    let class =
        value.class.as_ref().map_or_else(String::new, |class| format!(" of {}", dataset.named(class)));
    format!(
        "- \"{text}\"{language} is a value of {}{class} ({} times)",
        dataset.named(&value.property),
        value.count
    )
}
