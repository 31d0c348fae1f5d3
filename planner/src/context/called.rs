//! Names of properties and classes as words: computed once per question and cached.

use super::Context;
use super::known::Names;
use crate::meaning::{Iri, Step};
use crate::question::WordKind;
use crate::schema::Kind;
use eruca_indexer::Label;
use eruca_indexer::name_words;
use eruca_language::text::{fold, humanize, normalize_word};
use eruca_language::{AnswerKind, Role, fallback};
use eruca_sparql::local_name;
use std::rc::Rc;

/// Maximum number of labels examined per property or class; those in the question's language and the fallback come first.
const MAX_LABELS: usize = 12;
/// Maximum number of classes examined per kind.
const MAX_CLASSES: usize = 6;

/// Maximum number of properties examined for whether things of a kind act as agents.
const MAX_PROPERTIES: usize = 300;

impl<'k> Context<'k> {
    /// The words of each name of a property.
    pub(crate) fn names_of(&self, property: &str) -> Names {
        let Some(card) = self.schema.property(property) else { return self.named(property, &[]).into() };
        let known = self.called.properties.borrow().get(card.iri.as_str()).cloned();
        known.unwrap_or_else(|| {
            let names: Names = self.named(&card.iri, &card.labels).into();
            self.called.properties.borrow_mut().insert(&card.iri, names.clone());
            names
        })
    }

    fn named(&self, iri: &str, labels: &[Label]) -> Vec<Vec<String>> {
        let near = |label: &&Label| {
            let tag = label.language.split('-').next().unwrap_or_default();
            tag.is_empty() || tag == self.question.language.tag() || tag == fallback().tag()
        };
        let far = |label: &&Label| !near(label);
        let labels = labels.iter().filter(near).chain(labels.iter().filter(far)).take(MAX_LABELS);
        let texts = std::iter::once(humanize(local_name(iri))).chain(labels.map(|label| label.text.clone()));
        texts.map(|text| name_words(&text)).collect()
    }

    /// Whether a property's name means a year, a date or a time.
    pub fn names_time(&self, property: &str) -> bool {
        self.names_kind(property, AnswerKind::Time)
    }

    /// Whether a path ends in a time, judging by its values or the name of its property.
    pub fn tells_time(&self, path: &[Step<'k>]) -> bool {
        path.last().is_some_and(|last| self.schema.end(*last).is_time() || self.names_time(last.property))
    }

    /// Whether a path ends in a number or a time, by which things can be ordered.
    pub fn tells_number_or_time(&self, path: &[Step<'k>]) -> bool {
        path.last().is_some_and(|last| self.schema.end(*last).is_number()) || self.tells_time(path)
    }

    /// Whether a property's name contains a noun of a kind.
    pub fn names_kind(&self, property: &str, wanted: AnswerKind) -> bool {
        let languages = [self.question.language, fallback()];
        self.names_of(property)
            .iter()
            .flatten()
            .any(|word| languages.iter().any(|language| language.kind_of_noun(word) == Some(wanted)))
    }

    /// Whether a property's name means a point in time, not a duration: a "date", but not "hours".
    pub fn names_moment(&self, property: &str) -> bool {
        let languages = [self.question.language, fallback()];
        let amount = |word: &String| {
            languages.iter().any(|language| language.unit(word).is_some() && !language.is_year(word))
        };
        let amounts = self.names_of(property).iter().any(|name| name.last().is_some_and(amount));
        self.names_time(property) && !amounts
    }

    /// Whether a property is named after an agent: "manager". "Mentors" is more likely a verb.
    pub fn names_agent(&self, property: &str) -> bool {
        let languages = [self.question.language, fallback()];
        let person = |word: &str| {
            languages.iter().any(|language| {
                matches!(language.kind_of_noun(word), Some(AnswerKind::Person | AnswerKind::Organization))
            })
        };
        let done = |norm: &str| {
            self.question.words.iter().any(|word| word.kind == WordKind::Verb && word.norm == norm)
        };
        self.last_words(property).any(|word| {
            let norm = normalize_word(&word);
            person(&norm) && (norm == word || !done(&norm))
        })
    }

    /// The last word of each name of a property, with its spelling kept except for capitals.
    pub fn last_words(&self, property: &str) -> impl Iterator<Item = String> {
        let labels = self.schema.property(property).map_or(&[][..], |card| &card.labels);
        let texts = labels.iter().map(|label| label.text.clone()).chain([humanize(local_name(property))]);
        texts.filter_map(|text| text.split_whitespace().next_back().map(fold))
    }

    /// Whether a property's name is a passive with an agent: "trained by".
    pub fn names_passively(&self, property: &str) -> bool {
        let languages = [self.question.language, fallback()];
        let by = |word: &String| languages.iter().any(|language| language.role(word) == Some(Role::By));
        self.names_of(property).iter().any(|name| name.len() > 1 && name.last().is_some_and(by))
    }

    /// Whether a property's name describes its subject in relation to its object: "supplier of".
    pub fn names_owner_behind(&self, property: &str) -> bool {
        let languages = [self.question.language, fallback()];
        let of = |word: &String| languages.iter().any(|language| language.role(word) == Some(Role::Of));
        self.names_of(property).iter().any(|name| name.len() > 1 && name.last().is_some_and(of))
    }

    /// Whether things of a kind are agents according to the name of some property: "trained by".
    pub fn does_something(&self, kind: &Kind<'k>) -> bool {
        let schema = &self.schema;
        let ends = |property: &str| {
            schema.forward(property).is_some_and(|step| {
                let end = schema.end(step);
                matches!(end, Kind::Classes(_)) && schema.compatible(&end, kind)
            })
        };
        let properties = schema.index.card.properties.iter().take(MAX_PROPERTIES);
        properties.into_iter().any(|card| self.names_passively(&card.iri) && ends(&card.iri))
    }

    /// Whether things of a kind are persons, places and so on, by the names of their classes.
    pub fn is_kind(&self, kind: &Kind<'k>, wanted: AnswerKind) -> Option<bool> {
        let mut known = false;
        for class in kind.classes().iter().take(MAX_CLASSES) {
            let kinds = self.answer_kinds(class);
            known |= !kinds.is_empty();
            if kinds.contains(&wanted) {
                return Some(true);
            }
        }
        known.then_some(false)
    }

    fn answer_kinds(&self, class: Iri<'k>) -> Rc<[AnswerKind]> {
        if let Some(known) = self.called.kinds.borrow().get(class) {
            return known.clone();
        }
        let labels = self.schema.index.card.class(class).map_or(&[][..], |card| &card.labels);
        let heads = self.named(class, labels).into_iter().filter_map(|mut name| name.pop());
        // Classes are often named in a language other than the question's.
        let languages = [self.question.language, fallback()];
        let known = |head: String| languages.iter().find_map(|language| language.kind_of_noun(&head));
        let kinds: Rc<[AnswerKind]> = heads.filter_map(known).collect();
        self.called.kinds.borrow_mut().insert(class, kinds.clone());
        kinds
    }
}
