//! Guidance for users without a question, or whose question was not understood: what the graph contains, what it has
//! about the entity that was named, and example questions.

use super::Verbalizer;
use super::phrase::Phrase;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::is_meta;
use eruca_indexer::{ClassCard, DatasetIndex};
use eruca_language::Language;

/// Maximum number of classes, properties and questions shown.
const MAX_CLASSES: usize = 6;
const MAX_PROPERTIES: usize = 8;
const MAX_QUESTIONS: usize = 6;
/// Maximum number of superclasses examined.
const MAX_ABOVE: usize = 100;
/// Number of questions suggested when a question was not understood.
const SOME_QUESTIONS: usize = 2;

/// What a graph is about: "This graph knows 61 objects, 17 materials and 15 makers."
pub fn about(dataset: &Dataset, language: &Language) -> String {
    let mut told = main_classes(&dataset.index)
        .into_iter()
        .map(|class| {
            let one = dataset.schema_name(&class.iri);
            let count = class.instances_with_subclasses;
            let written = language.written_number(&count.to_string()).unwrap_or_else(|| count.to_string());
            let many = if count == 1 { Some(one.clone()) } else { language.plural(&one) };
            match many {
                Some(many) => {
                    language.say("say", "class_many", &[("n", &written), ("x", &many)]).into_owned()
                }
                None => language.say("say", "class_count", &[("n", &written), ("x", &one)]).into_owned(),
            }
        })
        .collect::<Vec<String>>();
    let Some(last) = told.pop() else { return String::new() };
    let before =
        told.into_iter().reduce(|a, b| language.say("say", "next", &[("a", &a), ("b", &b)]).into_owned());
    let rows = match before {
        Some(before) => language.say("say", "last", &[("a", &before), ("b", &last)]).into_owned(),
        None => last,
    };
    language.say("say", "about_graph", &[("rows", &rows)]).into_owned()
}

/// Guidance for the user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Orientation {
    /// Whether the user asked for guidance and nothing else.
    pub wanted: bool,
    /// An entity named in the question, with the properties that the graph has for it.
    pub known: Option<(String, Vec<String>)>,
    /// Questions that the graph can answer.
    pub questions: Vec<String>,
}

/// The classes that best describe a graph, largest first; unrelated classes come before subclasses of one already
/// listed.
pub fn main_classes(index: &DatasetIndex) -> Vec<&ClassCard> {
    let told = |class: &&ClassCard| class.instances_with_subclasses > 0 && !is_meta(&class.iri);
    let mut classes: Vec<&ClassCard> = index.card.classes.iter().filter(told).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.instances_with_subclasses));
    let mut found: Vec<&ClassCard> = Vec::new();
    for class in &classes {
        if !found.iter().any(|known| is_below(index, class, &known.iri)) {
            found.push(class);
        }
    }
    let kinds = classes
        .iter()
        .filter(|class| class.instances > 0 && found.iter().all(|known| known.iri != class.iri));
    let missing = MAX_CLASSES.saturating_sub(found.len());
    let kinds: Vec<&ClassCard> = kinds.take(missing).copied().collect();
    found.extend(kinds);
    found.truncate(MAX_CLASSES);
    found.sort_by_key(|class| std::cmp::Reverse(class.instances_with_subclasses));
    found
}

/// Whether `class` is a subclass of `above`. In a cycle every class is a subclass of all others.
fn is_below(index: &DatasetIndex, class: &ClassCard, above: &str) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut next: Vec<&str> = class.superclasses.iter().map(String::as_str).collect();
    while let Some(iri) = next.pop() {
        if iri == above {
            return true;
        }
        if seen.len() < MAX_ABOVE && !seen.contains(&iri) {
            seen.push(iri);
            let card = index.card.class(iri);
            next.extend(card.into_iter().flat_map(|card| &card.superclasses).map(String::as_str));
        }
    }
    false
}

impl Verbalizer<'_> {
    /// What the graph is about and what can be asked; empty if there is no guidance.
    pub(super) fn oriented(&self) -> Phrase {
        let Some(orientation) = self.context.orientation else { return Phrase::default() };
        let known = orientation.known.as_ref().map(|(iri, properties)| self.known_of(iri, properties));
        let about = match known {
            Some(known) if !orientation.wanted => known,
            _ => self.about_graph(),
        };
        let most = if orientation.wanted { MAX_QUESTIONS } else { SOME_QUESTIONS };
        about.and_then(self.questions(orientation.questions.iter().take(most)))
    }

    /// "This graph knows 61 objects, 17 materials and 15 makers."
    fn about_graph(&self) -> Phrase {
        about(self.context.dataset, self.language).into()
    }

    /// "Of the old mill it knows: owner, height and year."
    fn known_of(&self, iri: &str, properties: &[String]) -> Phrase {
        let names = properties.iter().map(|property| self.context.dataset.schema_name(property).into());
        let mut names = names.take(MAX_PROPERTIES).collect::<Vec<Phrase>>().into_iter();
        self.phrase("knows_of", &[("x", self.thing(iri)), ("rows", self.list(&mut names))])
    }

    fn questions<'q>(&self, questions: impl Iterator<Item = &'q String>) -> Phrase {
        let quoted = |text: &String| self.phrase("quoted", &[("x", Phrase::question(text.clone()))]);
        let told: Vec<Phrase> = questions.map(quoted).collect();
        if told.is_empty() {
            Phrase::default()
        } else {
            self.phrase("can_ask", &[("rows", self.joined(told, "next"))])
        }
    }
}
