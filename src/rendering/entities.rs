//! Things and literal values that have been found by name.

use eruca_dataset::{Dataset, MAX_NAME_CHARS, quoted_name};
use eruca_indexer::{Entity, PropertyValue};
use eruca_sparql::{Literal, literal_text, one_line, quoted};

const MAX_DESCRIPTION_CHARS: usize = 100;

fn shown(name: &str) -> String {
    quoted_name(&one_line(name, MAX_NAME_CHARS))
}

/// One line about an entity: IRI, label, types, description.
pub(crate) fn entity_line(dataset: &Dataset, entity: &Entity) -> String {
    let mut line = format!("- {} {}", dataset.compact(&entity.iri), shown(entity.label(&dataset.languages)));
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
        line.push_str(&format!(", also {}", other.join(", ")));
    }
    if let Some(description) = &entity.description {
        line.push_str(&format!(": {}", quoted(description, MAX_DESCRIPTION_CHARS)));
    }
    line
}

/// One line about a literal value: the value as it is written in SPARQL, its property, how often.
pub(crate) fn value_line(dataset: &Dataset, value: &PropertyValue) -> String {
    let literal = match value.language.as_str() {
        "" => Literal::new_simple_literal(&value.text),
        language => Literal::new_language_tagged_literal_unchecked(&value.text, language),
    };
    let text = literal_text(&literal, dataset.prefixes(), MAX_NAME_CHARS);
    let class =
        value.class.as_ref().map_or_else(String::new, |class| format!(" of {}", dataset.named(class)));
    format!("- {text} is a value of {}{class} ({} times)", dataset.named(&value.property), value.count)
}
