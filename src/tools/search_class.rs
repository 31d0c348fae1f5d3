//! `search_class`: classes by meaning and by words.

use super::arguments::{SearchWords, schema};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::rendering::{class_line, live_line};
use async_trait::async_trait;
use eruca_dataset::{Dataset, KnownTerm, SchemaFound, quoted_name};
use eruca_indexer::{ClassCard, Edge, PropertyCard, Target};

const CLASSES: usize = 8;
/// Maximum number of properties listed in one line.
const MAX_NAMES: usize = 8;
/// Maximum number of classes listed as domains of a property.
const MAX_OWNERS: usize = 3;

pub(super) struct SearchClass;

#[async_trait]
impl Tool for SearchClass {
    fn name(&self) -> &'static str {
        "search_class"
    }

    fn description(&self) -> &'static str {
        "Finds classes (kinds of things) by meaning or words, with instance counts, subclasses, the \
         properties that their instances have, and those that lead to them."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("query", "what kind of thing", true)])
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match arguments.words("query") {
            Ok(SearchWords { text, note }) => search(text, context.dataset).await.noting(note),
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

async fn search(text: &str, dataset: &Dataset) -> Observation {
    let mut found = match dataset.find_classes(text, CLASSES).await {
        Ok(found) => found,
        Err(error) => return Observation::lookup_failed(&error),
    };
    found.hits.sort_by_key(|hit| matches!(&hit.known, KnownTerm::Card(class) if class.is_unused()));
    if found.hits.iter().any(|hit| matches!(hit.known, KnownTerm::Live(_))) {
        found.notes.push("instances of what was looked up are not counted".to_owned());
    }
    let line = |hit: &SchemaFound<'_, ClassCard>| match &hit.known {
        KnownTerm::Card(class) => format!(
            "{}{}{}",
            class_line(dataset, class),
            class_properties(dataset, class),
            incoming_properties(dataset, class)
        ),
        KnownTerm::Live(class) => live_line(dataset, &hit.iri, class),
    };
    let lines: Vec<String> = found.hits.iter().map(line).collect();
    let words = quoted_name(text);
    if lines.is_empty() && !dataset.is_indexed() {
        let text = format!("No class is like {words}; try other words, or get_entry of an instance.");
        return Observation::new(ObservationKind::Empty, text).noting(found.note());
    }
    if lines.is_empty() {
        let text = format!("No class is like {words}. The largest classes:\n{}", largest(dataset));
        return Observation::new(ObservationKind::Empty, text).noting(found.note());
    }
    Observation::new(ObservationKind::Ok, lines.join("\n")).noting(found.note())
}

fn class_properties(dataset: &Dataset, class: &ClassCard) -> String {
    let used = dataset.index.card.properties_from(&class.iri).take(MAX_NAMES * 2);
    let names: Vec<String> = used.map(|property| dataset.named(&property.iri)).collect();
    if names.is_empty() { String::new() } else { format!("\n  has {}", names.join(", ")) }
}

/// Properties that lead to instances of a class, with the classes that they come from.
fn incoming_properties(dataset: &Dataset, class: &ClassCard) -> String {
    let leads_here = |edge: &&Edge| matches!(&edge.target, Target::Class(target) if *target == class.iri);
    let text = |property: &PropertyCard| {
        let from = property.edges.iter().filter(leads_here).filter_map(|edge| edge.class.as_deref());
        let from: Vec<String> = from.take(MAX_OWNERS).map(|owner| dataset.named(owner)).collect();
        let of = if from.is_empty() { String::new() } else { format!(" of {}", from.join(", ")) };
        format!("{}{of}", dataset.named(&property.iri))
    };
    let names: Vec<String> = dataset.index.card.properties_to(&class.iri).take(MAX_NAMES).map(text).collect();
    if names.is_empty() { String::new() } else { format!("\n  is the object of {}", names.join("; ")) }
}

fn largest(dataset: &Dataset) -> String {
    let lines = dataset.index.card.classes.iter().take(CLASSES).map(|class| class_line(dataset, class));
    lines.collect::<Vec<_>>().join("\n")
}
