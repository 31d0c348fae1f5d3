//! How a language refers to what was asked before: "and in …", "it", "which of them".

use super::Language;
use super::phrases::{begins, folded_words, phrases};
use super::template::Template;
use crate::text::fold;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How a phrase refers to what was asked before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Back {
    /// Begins what stands in the place of a part of the last question: "and", "what about".
    Lead,
    /// Says nothing at the end of such a part: "then", "instead".
    Tail,
    /// Stands for a thing or a person.
    One,
    /// Stands for a thing or a person where it is the last word, and elsewhere for nothing.
    Last,
    /// Stands for a thing.
    Thing,
    /// Stands for a person.
    Person,
    /// Stands for something behind the verb, before which it is written: the name goes to the end.
    Moved,
    /// The owner of the noun behind it is a thing or a person.
    Owner,
    /// The owner of the noun behind it is a thing.
    ThingOwner,
    /// The owner of the noun behind it is a person.
    PersonOwner,
    /// Stands for a place.
    There,
    /// Points, with the noun behind it, to a thing.
    This,
    /// The same in a form that also says whose something is: right behind a noun it points, too.
    OfThis,
    /// Some of the last answers are asked for; what they must meet follows.
    OfThem,
    /// A condition on the last answers follows.
    Only,
    /// What the last answers are ordered by follows.
    Sort,
    /// The number of the last answers is asked for.
    Count,
    /// The number of those of the last answers is asked for that meet what follows.
    CountOf,
    /// Stands for several things: those of the last answer.
    Them,
    /// Wants what is found in a certain view, and asks for nothing: "on a map".
    View,
    /// Stands for a kind of things that was named before, behind an adjective: "the longest one".
    Ones,
    /// Says that more is wanted than was given before: "what else".
    Else,
    /// Stands for what the question itself named before: "the village where they live".
    Again,
}

/// Phrases as folded words that refer back, the longest first.
pub(super) type BackPhrases = Vec<(Vec<String>, Back)>;

pub(super) fn phrases_of(lists: &BTreeMap<Back, String>) -> BackPhrases {
    let split = |(back, list): (&Back, &String)| {
        phrases(list).map(|phrase| (folded_words(phrase), *back)).collect::<Vec<_>>()
    };
    let mut found: BackPhrases =
        lists.iter().flat_map(split).filter(|(words, _)| !words.is_empty()).collect();
    found.sort_by_key(|(words, _)| Reverse(words.len()));
    found
}

/// A word that stands before nouns of some sounds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoundForm {
    key: String,
    word: String,
    /// How nouns begin ("a-") or end ("-a"); without any it stands before all.
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
    /// How many of these folded words, from the first one on, refer back in this way; the longest phrase counts.
    pub fn refers_back(&self, back: Back, words: &[&str]) -> Option<usize> {
        let known = self.back_phrases.iter().filter(|(_, known)| *known == back);
        known.map(|(phrase, _)| phrase).find(|phrase| begins(words, phrase)).map(Vec::len)
    }

    /// How a question is put together with what came before; nothing where the language has no way that is always right.
    pub fn follow_phrase(&self, key: &str) -> Option<&Template> {
        self.sentences().follow.get(key)
    }

    /// The word of a key (a possessive, the beginning of a question) that stands before a folded noun.
    pub fn fitting(&self, key: &str, noun: &str) -> Option<&str> {
        let fits = |fit: &&SoundForm| fold(&fit.key) == key && fit.stands_before(noun);
        self.sentences().fits.iter().find(fits).map(|fit| fit.word.as_str())
    }
}
