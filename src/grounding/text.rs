//! The grounding as text for the first prompt.

use super::terms::is_unused;
use super::{GroundedTerm, Grounding, UnknownName};
use crate::rendering::{class_line, entity_line, glossary_line, live_line, property_line, value_line};
use eruca_dataset::{Dataset, quoted_name};
use eruca_indexer::ValueHit;
use eruca_knowledge::Meaning;
use eruca_planner::{GlossaryHit, Mention};
use eruca_sparql::Prefixes;

/// Maximum number of candidates shown per mention.
const MAX_SHOWN: usize = 3;
/// Maximum number of entries of the glossary shown.
const MAX_SAID: usize = 12;

impl Grounding {
    /// The findings as text for a model. With `details`, classes and properties are described; without, they are
    /// only named, because the dataset card in the prompt already describes them.
    pub fn text(&self, dataset: &Dataset, details: bool) -> String {
        let named = self.names().filter(|mention| !self.is_look_alike(mention));
        let named = named.map(|mention| (mention.span, mention_text(dataset, mention)));
        let unknown = self.unknown.iter().map(|name| (name.span, self.unknown_text(dataset, name)));
        let mut named: Vec<_> = named.chain(unknown).collect();
        named.sort_by_key(|(span, _)| (span.from, std::cmp::Reverse(span.to)));
        let mut parts: Vec<String> = Vec::new();
        for (_, text) in named {
            // A name may occur twice in a question.
            if !parts.contains(&text) {
                parts.push(text);
            }
        }
        // Without an index, no card describes anything.
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
        parts.extend(self.owner_text(dataset));
        parts.extend(self.notes.iter().cloned());
        if parts.is_empty() {
            return "No word of the question was found in the graph's names; search for what it means."
                .to_owned();
        }
        parts.join("\n")
    }

    /// What the owner of the graph says of the words of the question.
    fn owner_text(&self, dataset: &Dataset) -> Option<String> {
        let shown = |iri: &String| self.properties.iter().any(|link| link.iri == *iri);
        let line = |hit: &GlossaryHit| {
            // Without words, it counts where one of its properties may be meant.
            let counts = match &hit.entry.meaning {
                Meaning::Prefer { property, over } => {
                    hit.span.is_some() || shown(property) || over.iter().any(shown)
                }
                _ => true,
            };
            glossary_line(dataset, &hit.text, &hit.entry).filter(|_| counts)
        };
        let mut lines: Vec<String> = Vec::new();
        for line in self.named.glossary.iter().filter_map(line) {
            if !lines.contains(&line) && lines.len() < MAX_SAID {
                lines.push(line);
            }
        }
        (!lines.is_empty()).then(|| format!("The owner of the graph says:\n- {}", lines.join("\n- ")))
    }

    /// Says that nothing has this name, and lists entities that have some of its words in theirs.
    fn unknown_text(&self, dataset: &Dataset, name: &UnknownName) -> String {
        let alike = self.names().filter(|mention| name.span.contains(mention.span));
        let mut lines: Vec<String> = Vec::new();
        for line in alike.flat_map(|mention| candidates(dataset, mention)) {
            if !lines.contains(&line) && lines.len() < MAX_SHOWN {
                lines.push(line);
            }
        }
        let only = if lines.is_empty() { "." } else { "; other things that have a part of the name:" };
        lines.insert(0, format!("No thing is named {}{only}", quoted_name(&name.text)));
        lines.join("\n")
    }
}

/// The words with what they may name; a mentioned IRI is shown as an IRI.
fn mention_text(dataset: &Dataset, mention: &Mention) -> String {
    let address = mention.entities.iter().any(|hit| hit.record.iri == mention.text);
    let shown = match address {
        true => Prefixes::default().shown(&mention.text),
        false => quoted_name(&mention.text),
    };
    let lines: Vec<String> = candidates(dataset, mention).collect();
    format!("{shown}:\n{}", lines.join("\n"))
}

/// The entities and values that a span may name, one per line.
fn candidates(dataset: &Dataset, mention: &Mention) -> impl Iterator<Item = String> {
    let things = mention.entities.iter().take(MAX_SHOWN).map(|hit| entity_line(dataset, &hit.record));
    things.chain(values(mention).take(MAX_SHOWN).map(|hit| value_line(dataset, &hit.record)))
}

/// The values, except those that only repeat an entity's name: the entity says more.
fn values(mention: &Mention) -> impl Iterator<Item = &ValueHit> {
    let labels = || mention.entities.iter().flat_map(|hit| &hit.record.labels);
    mention.values.iter().filter(move |value| !labels().any(|label| label.text == value.record.text))
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
        let unused = is_unused(dataset, &link.iri);
        let words = (!link.text.is_empty()).then(|| quoted_name(&link.text));
        let notes: Vec<String> = words.into_iter().chain(unused.then(|| "never used".to_owned())).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        format!("{}{notes}", dataset.named(&link.iri))
    });
    Some(format!("{title}: {}", named.collect::<Vec<_>>().join(", ")))
}
