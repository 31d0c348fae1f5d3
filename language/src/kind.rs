//! Kinds of answers: what question words ask for, and which nouns name things of a kind.

use super::Language;
use super::phrases::{keys, normal};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use std::collections::BTreeMap;

/// What an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// Somebody.
    Person,
    /// A company, a team, a party.
    Organization,
    /// Somewhere.
    Place,
    /// A date, a year.
    Time,
    /// A number.
    Number,
    /// Anything else that has a name.
    Thing,
    /// Why.
    Reason,
    /// In what way.
    Manner,
}

impl AnswerKind {
    /// By the name that the packs have for it.
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
    /// Of question words with what they ask for, and of nouns by their kind.
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
    /// What a folded question word or phrase may ask for, the likeliest first.
    pub fn answer_kinds(&self, phrase: &str) -> &[AnswerKind] {
        self.kinds.asked.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// The kind of things that a normalized noun names.
    pub fn kind_of_noun(&self, norm: &str) -> Option<AnswerKind> {
        self.kinds.of_noun(norm).or_else(|| self.kinds.of_noun(&self.base(norm)))
    }
}
