//! Cues: phrases that determine the form of a question, such as counting, comparing, grouping, ordering, negating.

use super::Language;
use super::phrases::{begins, folded_words, phrases};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What a phrase says about the form of a question. Among equally long phrases, the cue listed first here is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// Asks for things: "which", "what".
    Which,
    /// Asks for a person.
    Who,
    /// Asks for a person as the object: "whom".
    Whom,
    /// Asks for a time.
    When,
    /// Asks for a place.
    Where,
    /// "how", before an adjective or a verb.
    How,
    /// Asks for a count.
    HowMany,
    /// Asks for an amount.
    HowMuch,
    /// Asks for a reason.
    Why,
    /// "number of".
    Count,
    /// Introduces what is wanted: "list", "show me".
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
    /// Time before now.
    Ago,
    /// What something costs: "how much is".
    Price,
    /// Not long ago: "recently", "newly".
    Recent,
    /// An average.
    Average,
    /// A maximum.
    Maximum,
    /// A minimum.
    Minimum,
    /// A total.
    Sum,
    /// A percentage.
    Percentage,
    /// The difference of two values.
    Difference,
    /// One row per thing.
    Each,
    /// Every member of a set, without exception.
    All,
    /// Each answer once.
    Distinct,
    /// The sort key follows.
    OrderBy,
    /// The sort key follows later in the sentence: "sort … by".
    Sorting,
    /// Ordered by name.
    Alphabetical,
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// The first rows: "top 3".
    FirstInRow,
    /// The largest count, and superlatives: "most".
    Most,
    /// The smallest count, and superlatives: "fewest", "least".
    Fewest,
    /// The value that most things have.
    Commonest,
    /// The value that the fewest things have.
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
    /// From a time on, inclusive.
    Since,
    /// Up to a time, inclusive.
    Until,
    /// Two bounds follow.
    Between,
    /// A time follows: "in the year".
    InTime,
    /// `=`
    Equal,
    /// The operand of a comparative follows.
    Than,
    /// Two things have something in common.
    Same,
    /// Excludes the thing itself.
    Other,
    /// In both directions.
    Mutual,
    /// The next condition must not hold.
    Not,
    /// What something lacks: "without".
    Without,
    /// Alternatives.
    Or,
    /// Conjunction.
    And,
    /// Two conditions, possibly met through different things.
    Both,
    /// Introduces a condition: "that", "which have".
    Relative,
    /// Introduces a condition on an attribute of the preceding thing.
    Whose,
    /// The value contains a text.
    Contains,
    /// The value begins with a text.
    Begins,
    /// The value ends with a text.
    Ends,
    /// Nothing else: "only".
    Only,
    /// Another column: "as well as their", "along with".
    AsWell,
    /// Members without a value are kept: "if any", "if known".
    Optional,
    /// A larger number, and comparatives: "more".
    More,
    /// A smaller number, and comparatives: "fewer", "less".
    Fewer,
    /// Copulas: "is", "were".
    Be,
    /// Auxiliaries: "does", "wird".
    Do,
    /// Forms of "have", and "with".
    Have,
}

/// Cues of the words that ask for something: things, persons, times, places, amounts.
pub const QUESTION_WORDS: [Cue; 8] =
    [Cue::Which, Cue::Who, Cue::When, Cue::Where, Cue::How, Cue::HowMany, Cue::HowMuch, Cue::WhatIs];

impl Cue {
    /// Whether a question that begins with it asks for things, regardless of its verb: "can you list".
    #[must_use]
    pub fn asks_for_things(self) -> bool {
        QUESTION_WORDS.contains(&self) || self == Self::Command
    }
}

/// The cue phrases of a language.
#[derive(Debug, Default)]
pub(super) struct Cues {
    /// Phrases by their first word, longest first.
    by_first: FxHashMap<String, Vec<(Vec<String>, Cue)>>,
}

impl Cues {
    pub(super) fn of(lists: &BTreeMap<Cue, String>) -> Self {
        let mut by_first: FxHashMap<String, Vec<(Vec<String>, Cue)>> = FxHashMap::default();
        for (cue, phrase) in lists.iter().flat_map(|(cue, list)| phrases(list).map(move |one| (*cue, one))) {
            let mut words = folded_words(phrase);
            words.shrink_to_fit();
            let Some(first) = words.first() else { continue };
            let known = by_first.entry(first.clone()).or_default();
            let new = (words, cue);
            if !known.contains(&new) {
                known.push(new);
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(words, _)| Reverse(words.len()));
            phrases.shrink_to_fit();
        }
        Self { by_first }
    }

    /// All phrases with their cues.
    pub(super) fn phrases(&self) -> impl Iterator<Item = &(Vec<String>, Cue)> {
        self.by_first.values().flatten()
    }
}

impl Language {
    /// All cues of phrases at the start of folded words, longest first, with the number of words of each.
    pub fn cues_at(&self, words: &[&str]) -> Vec<(Cue, usize)> {
        let Some(first) = words.first() else { return Vec::new() };
        let phrases = self.cues.by_first.get(*first).map_or(&[][..], Vec::as_slice);
        let fitting = phrases.iter().filter(|(phrase, _)| begins(words, phrase));
        fitting.map(|(phrase, cue)| (*cue, phrase.len())).collect()
    }
}
