//! Classes.

use super::owner_notes;
use eruca_dataset::{Dataset, quoted_name};
use eruca_indexer::ClassCard;
use eruca_sparql::quoted;

const MAX_COMMENT_CHARS: usize = 120;
/// Subclasses named in one line.
const MAX_NAMES: usize = 8;

/// One line about a class: IRI, label, instances, hierarchy, comment.
pub(crate) fn class_line(dataset: &Dataset, class: &ClassCard) -> String {
    let card = &dataset.index.card;
    let mut line =
        format!("- {} {}", dataset.compact(&class.iri), quoted_name(&dataset.schema_name(&class.iri)));
    line.push_str(&dataset.synonyms(&class.iri, &class.labels));
    let subclasses: Vec<String> =
        card.subclasses(&class.iri).take(MAX_NAMES).map(|sub| dataset.named(&sub.iri)).collect();
    line.push_str(&match (class.instances, class.instances_with_subclasses) {
        (0, 0) => ", no instances".to_owned(),
        (0, all) => {
            let path = dataset.compact_text(&dataset.vocabulary().type_path(true));
            format!(", no direct instances, {all} in subclasses (use {path})")
        }
        (direct, all) if all > direct => format!(", {direct} direct instances, {all} with subclasses"),
        (1, _) => ", 1 instance".to_owned(),
        (direct, _) => format!(", {direct} instances"),
    });
    if !subclasses.is_empty() {
        line.push_str(&format!("; subclasses {}", subclasses.join(", ")));
    }
    if !class.superclasses.is_empty() {
        let names: Vec<String> = class.superclasses.iter().take(3).map(|iri| dataset.named(iri)).collect();
        line.push_str(&format!("; subclass of {}", names.join(", ")));
    }
    if let Some(comment) = &class.comment {
        line.push_str(&format!(": {}", quoted(comment, MAX_COMMENT_CHARS)));
    }
    line.push_str(&owner_notes(dataset, &class.iri));
    line
}
