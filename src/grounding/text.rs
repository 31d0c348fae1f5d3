//! The grounding as text for the first prompt.

use super::links::{GroundedTerm, Grounding, is_described, is_in_a_text};
use crate::dataset::{Dataset, quoted_name};
use crate::rendering::{class_line, entity_line, live_line, property_line, value_line};
use eruca_indexer::{ClassCard, EntityHit, PropertyCard, ValueHit};
use eruca_planner::Mention;
use eruca_sparql::Prefixes;

/// Candidates shown of one mention.
const MAX_SHOWN: usize = 3;

impl Grounding {
    /// What was found, for a model. With `details`, classes and properties are described; without, they are
    /// named only, because the prompt's dataset card describes them already.
    pub fn text(&self, dataset: &Dataset, details: bool) -> String {
        let addressed = self.addressed.iter();
        let mut parts: Vec<String> = addressed
            .map(|thing| {
                format!("{}:\n{}", Prefixes::default().shown(&thing.iri), entity_line(dataset, thing))
            })
            .collect();
        for text in self.names().map(|mention| mention_text(dataset, mention)) {
            // A name may occur twice in a question.
            if !parts.contains(&text) {
                parts.push(text);
            }
        }
        // Without an index no card describes anything.
        let details = details || !dataset.is_indexed();
        let live = |iri: &str| Some(live_line(dataset, iri, &dataset.live_entity(iri)?));
        let class = |link: &GroundedTerm| {
            let card = dataset.index.card.class(&link.iri).map(|card| class_line(dataset, card));
            card.or_else(|| live(&link.iri))
        };
        let property = |link: &GroundedTerm| {
            let card = dataset.index.card.property(&link.iri).map(|card| property_line(dataset, card));
            card.or_else(|| live(&link.iri))
        };
        parts.extend(schema_text(dataset, "Classes", &self.classes, details, class));
        parts.extend(schema_text(dataset, "Properties", &self.properties, details, property));
        parts.extend(self.notes.iter().cloned());
        if parts.is_empty() {
            return "No word of the question was found in the graph's names; search for what it means."
                .to_owned();
        }
        parts.join("\n")
    }
}

fn mention_text(dataset: &Dataset, mention: &Mention) -> String {
    let mut lines = vec![format!("{}:", quoted_name(&mention.text))];
    let named = |hit: &&EntityHit| !is_described(mention, hit);
    lines.extend(
        mention.entities.iter().filter(named).take(MAX_SHOWN).map(|hit| entity_line(dataset, &hit.entity)),
    );
    let named = |hit: &&ValueHit| !is_in_a_text(mention, &hit.value.text);
    lines.extend(values(mention).filter(named).take(MAX_SHOWN).map(|hit| value_line(dataset, &hit.value)));
    lines.join("\n")
}

/// Values that only repeat a thing's name are left out: the thing says more.
fn values(mention: &Mention) -> impl Iterator<Item = &ValueHit> {
    let labels = || mention.entities.iter().flat_map(|hit| &hit.entity.labels);
    mention.values.iter().filter(move |value| !labels().any(|label| label.text == value.value.text))
}

fn schema_text(
    dataset: &Dataset,
    title: &str,
    links: &[GroundedTerm],
    details: bool,
    line: impl Fn(&GroundedTerm) -> Option<String>,
) -> Option<String> {
    if links.is_empty() {
        return None;
    }
    if details {
        let lines: Vec<String> = links.iter().filter_map(line).collect();
        return Some(format!("{title}:\n{}", lines.join("\n")));
    }
    let named = links.iter().map(|link| {
        let card = &dataset.index.card;
        let unused = card.class(&link.iri).is_some_and(ClassCard::is_unused)
            || card.property(&link.iri).is_some_and(PropertyCard::is_unused);
        let words = (!link.text.is_empty()).then(|| quoted_name(&link.text));
        let notes: Vec<String> = words.into_iter().chain(unused.then(|| "never used".to_owned())).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        format!("{}{notes}", dataset.named(&link.iri))
    });
    Some(format!("{title}: {}", named.collect::<Vec<_>>().join(", ")))
}
