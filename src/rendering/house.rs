//! What the owner of a graph says of it: always in quotes, as it is data.

use eruca_dataset::{Dataset, quoted_name};
use eruca_knowledge::{GlossaryEntry, Meaning, THIS, VALUE};
use eruca_sparql::quoted;

/// Maximum number of notes about one class or property, and of characters of each.
const MAX_NOTES: usize = 3;
const MAX_NOTE_CHARS: usize = 300;
/// Maximum number of notes about the graph.
const MAX_ABOUT_GRAPH: usize = 10;
/// Maximum number of characters of a pattern.
const MAX_PATTERN_CHARS: usize = 600;

/// The unit and the notes of a class or property, as they follow its line; empty if there are none.
pub(crate) fn owner_notes(dataset: &Dataset, iri: &str) -> String {
    let known = dataset.knowledge();
    let unit = known.unit_of(iri).map(|unit| format!("; unit {}", quoted_name(unit))).unwrap_or_default();
    let notes: Vec<String> =
        known.notes_about(Some(iri)).take(MAX_NOTES).map(|note| quoted(note, MAX_NOTE_CHARS)).collect();
    let notes =
        if notes.is_empty() { String::new() } else { format!("; the owner notes: {}", notes.join(" ")) };
    format!("{unit}{notes}")
}

/// The notes about a graph, one per line.
pub(crate) fn notes_about_graph(dataset: &Dataset) -> String {
    let notes = dataset.knowledge().notes_about(None).take(MAX_ABOUT_GRAPH);
    notes.map(|note| format!("The owner notes: {}\n", quoted(note, MAX_NOTE_CHARS))).collect()
}

/// What an entry of the glossary says of words of a question; `None` if nothing that a query could use.
pub(crate) fn glossary_line(dataset: &Dataset, words: &str, entry: &GlossaryEntry) -> Option<String> {
    let words = quoted_name(words);
    let of = entry.of.as_ref().map(|class| format!(" of {}", dataset.with_label(class))).unwrap_or_default();
    Some(match &entry.meaning {
        Meaning::Class(iri) => format!("{words}{of} is the class {}", dataset.with_label(iri)),
        Meaning::Property(iri) => format!("{words}{of} is the property {}", dataset.with_label(iri)),
        Meaning::Thing(iri) => format!("{words}{of} is the thing {}", dataset.with_label(iri)),
        Meaning::Value { property, text } => {
            format!("{words}{of} is the value {} of {}", quoted_name(text), dataset.with_label(property))
        }
        Meaning::Pattern(pattern) if pattern.is_relation() => {
            let written = quoted(pattern.written(), MAX_PATTERN_CHARS);
            format!("{words}{of} leads from ?{THIS} to ?{VALUE} by the pattern {written}")
        }
        Meaning::Pattern(pattern) => {
            let written = quoted(pattern.written(), MAX_PATTERN_CHARS);
            format!("{words}{of} is every ?{THIS} with the pattern {written}")
        }
        Meaning::Measure { property, descending } => {
            let order = match descending {
                Some(true) => ", the greatest first",
                Some(false) => ", the smallest first",
                None => "",
            };
            format!("{words}{of} is measured by {}{order}", dataset.with_label(property))
        }
        Meaning::Prefer { property, over } => {
            let over: Vec<String> = over.iter().map(|iri| dataset.with_label(iri)).collect();
            format!("{} is meant rather than {}", dataset.with_label(property), over.join(", "))
        }
        Meaning::Unit { .. } => return None,
    })
}
