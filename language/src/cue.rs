//! Phrases that say how a question is built: what counts, compares, groups, orders, negates.

use super::Language;
use super::phrases::{begins, folded_words, phrases};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a phrase says about the form of a question. Of equally long phrases, the cue that stands first here is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// Which things: "which", "what".
    Which,
    /// Which person.
    Who,
    /// Which person, as the one that something is done to.
    Whom,
    /// At what time.
    When,
    /// At what place.
    Where,
    /// "how", before an adjective or a verb.
    How,
    /// A number of things is asked for.
    HowMany,
    /// An amount is asked for.
    HowMuch,
    /// A reason.
    Why,
    /// "number of".
    Count,
    /// What is wanted follows: "list", "show me".
    Command,
    /// "what is".
    WhatIs,
    /// "is there", "do … exist".
    Exists,
    /// The text of a name: "name", "title", "called".
    NameOf,
    /// "kind of", "type of".
    KindOf,
    /// An age: "how old", "years old".
    Old,
    /// Time back from now.
    Ago,
    /// What something costs: "how much is".
    Price,
    /// Not long ago: "recently", "newly".
    Recent,
    /// An average.
    Average,
    /// A largest value.
    Maximum,
    /// A smallest value.
    Minimum,
    /// A total.
    Sum,
    /// A share in hundred.
    Percentage,
    /// What is left of one value when another is taken away.
    Difference,
    /// One row for each of something.
    Each,
    /// Every one of a set, without an exception.
    All,
    /// Each answer once.
    Distinct,
    /// What the rows are ordered by follows.
    OrderBy,
    /// What the rows are ordered by follows further on: "sort … by".
    Sorting,
    /// Ordered by name.
    Alphabetical,
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// The first rows: "top 3".
    FirstInRow,
    /// The largest number, and superlatives in words: "most".
    Most,
    /// The smallest number, and superlatives in words: "fewest", "least".
    Fewest,
    /// The value that most things have.
    Commonest,
    /// The value that fewest things have.
    Rarest,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// Later in time.
    After,
    /// Earlier in time.
    Before,
    /// From a time on, with it.
    Since,
    /// Up to a time, with it.
    Until,
    /// Two bounds follow.
    Between,
    /// A time follows: "in the year".
    InTime,
    /// `=`
    Equal,
    /// What a comparative compares with follows.
    Than,
    /// Two things agree.
    Same,
    /// Not the thing itself.
    Other,
    /// In both directions.
    Mutual,
    /// The next condition must not hold.
    Not,
    /// What something lacks: "without".
    Without,
    /// Either.
    Or,
    /// Also.
    And,
    /// Two conditions that different things may meet.
    Both,
    /// A condition begins: "that", "which have".
    Relative,
    /// A condition on an attribute of the thing before it begins.
    Whose,
    /// A text is part of the value.
    Contains,
    /// A text begins the value.
    Begins,
    /// A text ends the value.
    Ends,
    /// Nothing else.
    Only,
    /// Another column: "as well as their", "along with".
    AsWell,
    /// Where there is one: "if any", "if known".
    Optional,
    /// A larger number, and comparatives in words: "more".
    More,
    /// A smaller number, and comparatives in words: "fewer", "less".
    Fewer,
    /// Copulas: "is", "were".
    Be,
    /// Auxiliaries: "does", "wird".
    Do,
    /// Verbs of having, and "with".
    Have,
}

/// Cues of the words that ask for something: things, persons, times, places, amounts.
pub const QUESTION_WORDS: [Cue; 8] =
    [Cue::Which, Cue::Who, Cue::When, Cue::Where, Cue::How, Cue::HowMany, Cue::HowMuch, Cue::WhatIs];

impl Cue {
    /// Whether a question that begins with it asks for things, whatever verb it begins with: "can you list".
    #[must_use]
    pub fn asks_for_things(self) -> bool {
        QUESTION_WORDS.contains(&self) || self == Self::Command
    }
}

/// The phrases of a language with their cues.
#[derive(Debug, Default)]
pub(super) struct Cues {
    /// Phrases by their first word, the longest first.
    by_first: FxHashMap<String, Vec<(Vec<String>, Cue)>>,
}

impl Cues {
    pub(super) fn of(lists: &BTreeMap<Cue, String>) -> Self {
        let mut by_first: FxHashMap<String, Vec<(Vec<String>, Cue)>> = FxHashMap::default();
        for (cue, phrase) in lists.iter().flat_map(|(cue, list)| phrases(list).map(move |one| (*cue, one))) {
            let words = folded_words(phrase);
            let Some(first) = words.first() else { continue };
            let known = by_first.entry(first.clone()).or_default();
            let new = (words, cue);
            if !known.contains(&new) {
                known.push(new);
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(words, _)| Reverse(words.len()));
        }
        Self { by_first }
    }

    /// All phrases with their cues.
    pub(super) fn phrases(&self) -> impl Iterator<Item = &(Vec<String>, Cue)> {
        self.by_first.values().flatten()
    }
}

impl Language {
    /// All cues of all phrases that folded words begin with, the longest first, with how many words each takes.
    pub fn cues_at(&self, words: &[&str]) -> Vec<(Cue, usize)> {
        let Some(first) = words.first() else { return Vec::new() };
        let phrases = self.cues.by_first.get(*first).map_or(&[][..], Vec::as_slice);
        let fitting = phrases.iter().filter(|(phrase, _)| begins(words, phrase));
        fitting.map(|(phrase, cue)| (*cue, phrase.len())).collect()
    }
}
