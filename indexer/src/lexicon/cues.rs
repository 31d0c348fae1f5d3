//! Phrases that say how a question is built: what counts, compares, groups, orders, negates.

use crate::text::fold;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Lines of `cue : phrase, phrase`, folded.
const TABLE: &str = include_str!("cues.txt");
/// Words of the longest phrase.
pub const MAX_CUE_WORDS: usize = 6;

macro_rules! cues {
    ($($(#[$doc:meta])* $cue:ident = $name:literal),+ $(,)?) => {
        /// What a phrase says about the form of the answer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Cue { $($(#[$doc])* $cue),+ }

        impl Cue {
            fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$cue),)+
                    _ => None,
                }
            }
        }
    };
}

cues! {
    /// A number of things is asked for.
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
    /// Each answer once.
    Distinct = "distinct",
    /// What the rows are ordered by follows.
    Order = "order",
    /// Ordered by name.
    Alphabetical = "alphabetical",
    /// Ordered, by whatever stands near.
    Ordering = "ordering",
    /// Smallest first.
    Ascending = "ascending",
    /// Largest first.
    Descending = "descending",
    /// `>`
    Greater = "greater",
    /// `>=`
    AtLeast = "atleast",
    /// `<`
    Less = "less",
    /// `<=`
    AtMost = "atmost",
    /// Later in time.
    After = "after",
    /// Earlier in time.
    Before = "before",
    /// Two bounds follow.
    Between = "between",
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
    /// A condition begins.
    Relative = "relative",
    /// A condition on an attribute of the thing before it begins.
    Whose = "whose",
    /// A text is part of the value.
    Contains = "contains",
    /// A text begins the value.
    Begins = "begins",
    /// A text ends the value.
    Ends = "ends",
    /// What is wanted follows.
    Asking = "asking",
    /// Which things.
    Which = "which",
    /// Which person.
    Who = "who",
    /// At what time.
    When = "when",
    /// At what place.
    Where = "where",
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
}

/// The cue that folded words begin with, the longest phrase first, and how many words it takes.
pub fn cue(words: &[&str]) -> Option<(Cue, usize)> {
    let longest = words.len().min(MAX_CUE_WORDS);
    (1..=longest).rev().find_map(|count| {
        let phrase = words.get(..count)?.join(" ");
        phrases().get(phrase.as_str()).map(|cue| (*cue, count))
    })
}

fn phrases() -> &'static FxHashMap<String, Cue> {
    static PHRASES: OnceLock<FxHashMap<String, Cue>> = OnceLock::new();
    PHRASES.get_or_init(|| {
        let mut table = FxHashMap::default();
        for (cue, phrases) in TABLE.lines().filter_map(|line| line.split_once(" : ")) {
            let Some(cue) = Cue::parse(cue) else { continue };
            for phrase in phrases.split(", ") {
                // Apostrophes separate words.
                table.entry(fold(phrase).replace('\'', " ")).or_insert(cue);
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_cue() {
        for line in TABLE.lines() {
            let name = line.split_once(" : ").map(|(name, _)| name);
            assert!(name.and_then(Cue::parse).is_some(), "{line}");
        }
    }

    #[test]
    fn the_longest_phrase_wins() {
        assert_eq!(cue(&["no", "more", "than", "5"]), Some((Cue::AtMost, 3)));
        assert_eq!(cue(&["no", "manager"]), Some((Cue::Not, 1)));
        assert_eq!(cue(&["wie", "viele", "autos"]), Some((Cue::Count, 2)));
        assert_eq!(cue(&["suppliers"]), None);
    }
}
