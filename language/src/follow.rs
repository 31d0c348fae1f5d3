//! How a language refers to an earlier question: "and in …", "it", "which of them".

use super::Language;
use super::phrases::{begins, folded_words, phrases};
use super::template::Template;
use crate::text::fold;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How a phrase refers to an earlier question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anaphor {
    /// Introduces a replacement for a part of the last question: "and", "what about".
    Lead,
    /// Filler at the end of such a part: "then", "instead".
    Tail,
    /// A pronoun for a thing or a person.
    One,
    /// A pronoun for a thing or a person, but only as the last word.
    Last,
    /// A pronoun for a thing.
    Thing,
    /// A pronoun for a person.
    Person,
    /// An object pronoun before the verb: the name that replaces it goes to the end.
    Moved,
    /// A possessive whose owner is a thing or a person.
    Owner,
    /// A possessive whose owner is a thing.
    ThingOwner,
    /// A possessive whose owner is a person.
    PersonOwner,
    /// A pronoun for a place.
    There,
    /// A demonstrative before a noun.
    This,
    /// A demonstrative whose form also expresses possession; directly after a noun, it is possessive.
    OfThis,
    /// Asks for some of the last answers; a condition follows.
    OfThem,
    /// Introduces a condition on the last answers.
    Only,
    /// Introduces a sort key for the last answers.
    Sort,
    /// Asks for the number of the last answers.
    Count,
    /// Asks for the number of the last answers that meet a condition; it follows.
    CountOf,
    /// A plural pronoun for the last answers.
    Them,
    /// Requests a view without asking for anything: "on a map".
    View,
    /// Stands for an earlier noun after an adjective: "the longest one".
    Ones,
    /// Asks for more than was given before: "what else".
    Else,
    /// Refers to something in the same question: "the village where they live".
    Again,
}

/// Folded phrases that refer back, longest first.
pub(super) type BackPhrases = Vec<(Vec<String>, Anaphor)>;

pub(super) fn phrases_of(lists: &BTreeMap<Anaphor, String>) -> BackPhrases {
    let split = |(back, list): (&Anaphor, &String)| {
        phrases(list).map(|phrase| (folded_words(phrase), *back)).collect::<Vec<_>>()
    };
    let mut found: BackPhrases =
        lists.iter().flat_map(split).filter(|(words, _)| !words.is_empty()).collect();
    found.sort_by_key(|(words, _)| Reverse(words.len()));
    found
}

/// A word that stands before nouns with certain sounds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoundForm {
    key: String,
    word: String,
    /// How the nouns begin ("a-") or end ("-a"); if empty, it stands before all nouns.
    #[serde(default)]
    sounds: String,
}

impl SoundForm {
    fn stands_before(&self, noun: &str) -> bool {
        let sounds = |sound: String| match (sound.strip_suffix('-'), sound.strip_prefix('-')) {
            (Some(begin), _) => noun.starts_with(begin),
            (None, Some(end)) => noun.ends_with(end),
            (None, None) => noun == sound,
        };
        self.sounds.is_empty() || self.sounds.split_whitespace().map(fold).any(sounds)
    }
}

impl Language {
    /// The number of words, from the first on, that refer back in this way, by the longest matching phrase.
    pub fn refers_back(&self, back: Anaphor, words: &[&str]) -> Option<usize> {
        let known = self.back_phrases.iter().filter(|(_, known)| *known == back);
        known.map(|(phrase, _)| phrase).find(|phrase| begins(words, phrase)).map(Vec::len)
    }

    /// The template for merging a question with an earlier one; none if the language has no template that is always correct.
    pub fn follow_phrase(&self, key: &str) -> Option<&Template> {
        self.sentences().follow.get(key)
    }

    /// The form of a key (a possessive, the beginning of a question) that fits before a folded noun.
    pub fn fitting(&self, key: &str, noun: &str) -> Option<&str> {
        let fits = |fit: &&SoundForm| fold(&fit.key) == key && fit.stands_before(noun);
        self.sentences().fits.iter().find(fits).map(|fit| fit.word.as_str())
    }
}
