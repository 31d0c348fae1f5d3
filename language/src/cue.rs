//! Phrases that say how a question is built: what counts, compares, groups, orders, negates.

use super::files::{Files, folded_words, phrases};
use rustc_hash::FxHashMap;

macro_rules! cues {
    ($($(#[$doc:meta])* $cue:ident = $name:literal),+ $(,)?) => {
        /// What a phrase says about the form of a question.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Cue { $($(#[$doc])* $cue),+ }

        impl Cue {
            /// All cues.
            pub const ALL: &'static [Self] = &[$(Self::$cue),+];

            /// The name by which the files of the packs call it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$cue => $name),+ }
            }

            fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|cue| cue.name() == name)
            }
        }
    };
}

cues! {
    /// Which things: "which", "what".
    Which = "which",
    /// Which person.
    Who = "who",
    /// Which person, as the one that something is done to.
    Whom = "whom",
    /// At what time.
    When = "when",
    /// At what place.
    Where = "where",
    /// "how", before an adjective or a verb.
    How = "how",
    /// A number of things is asked for.
    HowMany = "how-many",
    /// An amount is asked for.
    HowMuch = "how-much",
    /// A reason.
    Why = "why",
    /// "number of".
    Count = "count",
    /// An average.
    Average = "average",
    /// A largest value.
    Maximum = "maximum",
    /// A smallest value.
    Minimum = "minimum",
    /// A total.
    Sum = "sum",
    /// One row for each of something.
    Each = "each",
    /// What something lacks: "without".
    Without = "without",
    /// Every one of a set, without an exception.
    All = "all",
    /// Each answer once.
    Distinct = "distinct",
    /// What the rows are ordered by follows.
    OrderBy = "order-by",
    /// What the rows are ordered by follows further on: "sort … by".
    Sorting = "sorting",
    /// Ordered by name.
    Alphabetical = "alphabetical",
    /// Smallest first.
    Ascending = "ascending",
    /// Largest first.
    Descending = "descending",
    /// `>`
    Greater = "greater",
    /// `>=`
    AtLeast = "at-least",
    /// `<`
    Less = "less",
    /// `<=`
    AtMost = "at-most",
    /// Later in time.
    After = "after",
    /// Earlier in time.
    Before = "before",
    /// From a time on, with it.
    Since = "since",
    /// Up to a time, with it.
    Until = "until",
    /// Two bounds follow.
    Between = "between",
    /// A time follows: "in the year".
    InTime = "in-time",
    /// `=`
    Equal = "equal",
    /// What a comparative compares with follows.
    Than = "than",
    /// The next condition must not hold.
    Not = "not",
    /// Either.
    Or = "or",
    /// Also.
    And = "and",
    /// Two conditions that different things may meet.
    Both = "both",
    /// A condition begins: "that", "which have".
    Relative = "relative",
    /// A condition on an attribute of the thing before it begins.
    Whose = "whose",
    /// A text is part of the value.
    Contains = "contains",
    /// A text begins the value.
    Begins = "begins",
    /// A text ends the value.
    Ends = "ends",
    /// What is wanted follows: "list", "show me".
    Command = "command",
    /// "what is".
    WhatIs = "what-is",
    /// "is there", "do … exist".
    Exists = "exists",
    /// The text of a name: "name", "title", "called".
    NameOf = "name-of",
    /// "kind of", "type of".
    KindOf = "kind-of",
    /// The value that most things have.
    Commonest = "commonest",
    /// The value that fewest things have.
    Rarest = "rarest",
    /// A share in hundred.
    Percentage = "percentage",
    /// What is left of one value when another is taken away.
    Difference = "difference",
    /// Two things agree.
    Same = "same",
    /// Not the thing itself.
    Other = "other",
    /// In both directions.
    Mutual = "mutual",
    /// The first rows: "top 3".
    FirstInRow = "first-in-row",
    /// The largest number, and superlatives in words: "most".
    Most = "most",
    /// The smallest number, and superlatives in words: "fewest", "least".
    Fewest = "fewest",
    /// A larger number, and comparatives in words: "more".
    More = "more",
    /// A smaller number, and comparatives in words: "fewer", "less".
    Fewer = "fewer",
    /// Another column: "as well as their", "along with".
    AsWell = "as-well",
    /// Nothing else.
    Only = "only",
    /// Time back from now.
    Ago = "ago",
    /// What something costs: "how much is".
    Price = "price",
    /// Not long ago: "recently", "newly".
    Recent = "recent",
    /// An age: "how old", "years old".
    Old = "old",
    /// Where there is one: "if any", "if known".
    Optional = "optional",
    /// Copulas: "is", "were".
    Be = "be",
    /// Auxiliaries: "does", "wird".
    Do = "do",
    /// Verbs of having, and "with".
    Have = "have",
}

/// The phrases of a language with their cues.
#[derive(Debug, Default)]
pub(super) struct Cues {
    /// Phrases by their first word, the longest first.
    by_first: FxHashMap<String, Vec<(Vec<String>, Cue)>>,
}

impl Cues {
    pub(super) fn read(files: &mut Files) -> Self {
        let mut found = Self::default();
        files.each_pair("cues", |name, list| {
            let cue = Cue::parse(name)?;
            phrases(list).try_for_each(|phrase| found.add(cue, phrase))
        });
        for phrases in found.by_first.values_mut() {
            phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        found
    }

    fn add(&mut self, cue: Cue, phrase: &str) -> Option<()> {
        let words = folded_words(phrase);
        let known = self.by_first.entry(words.first()?.clone()).or_default();
        let new = (words, cue);
        if !known.contains(&new) {
            known.push(new);
        }
        Some(())
    }

    /// All cues of all phrases that folded words begin with, the longest first, with how many words each takes.
    pub(super) fn at(&self, words: &[&str]) -> Vec<(Cue, usize)> {
        let Some(first) = words.first() else { return Vec::new() };
        let phrases = self.by_first.get(*first).map_or(&[][..], Vec::as_slice);
        let begins =
            |phrase: &[String]| phrase.len() <= words.len() && phrase.iter().zip(words).all(|(a, b)| a == b);
        phrases
            .iter()
            .filter(|(phrase, _)| begins(phrase))
            .map(|(phrase, cue)| (*cue, phrase.len()))
            .collect()
    }

    /// All phrases with their cues.
    pub(super) fn phrases(&self) -> impl Iterator<Item = &(Vec<String>, Cue)> {
        self.by_first.values().flatten()
    }
}
