//! Kinds of answers: what question words ask for, and what kind of thing a noun names.

use super::Language;
use super::phrases::{keys, normal};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::collections::BTreeMap;

/// The kind of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// A person.
    Person,
    /// A company, a team, a party.
    Organization,
    /// A place.
    Place,
    /// A date, a year.
    Time,
    /// A number.
    Number,
    /// Any other named thing.
    Thing,
    /// A reason.
    Reason,
    /// In what way.
    Manner,
}

impl AnswerKind {
    /// The kind by its name in the packs.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, Error> = name.into_deserializer();
        Self::deserialize(name).ok()
    }
}

/// The kinds of a language's question words and nouns.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    asked: FxHashMap<String, Vec<AnswerKind>>,
    nouns: FxHashMap<String, AnswerKind>,
}

impl Kinds {
    /// From question words with what they ask for, and nouns by kind.
    pub(super) fn of(asked: &[(String, Vec<AnswerKind>)], nouns: &BTreeMap<AnswerKind, Vec<String>>) -> Self {
        let mut found = Self::default();
        for (words, kinds) in asked {
            found.asked.extend(keys(words).map(|phrase| (phrase, kinds.clone())));
        }
        for (kind, lists) in nouns {
            for noun in lists.iter().flat_map(|list| list.split_whitespace()) {
                found.nouns.entry(normal(noun)).or_insert(*kind);
            }
        }
        found
    }

    /// All listed nouns.
    pub(super) fn nouns(&self) -> impl Iterator<Item = &String> {
        self.nouns.keys()
    }

    pub(super) fn of_noun(&self, norm: &str) -> Option<AnswerKind> {
        self.nouns.get(norm).copied()
    }
}

impl Language {
    /// The kinds that a folded question word or phrase may ask for, most likely first.
    pub fn answer_kinds(&self, phrase: &str) -> &[AnswerKind] {
        self.kinds.asked.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// The kind of things that a normalized noun names.
    pub fn kind_of_noun(&self, norm: &str) -> Option<AnswerKind> {
        self.kinds.of_noun(norm).or_else(|| self.kinds.of_noun(&self.base(norm)))
    }
}
