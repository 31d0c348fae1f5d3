//! Languages whose words are written without spaces, or stand in another order than the grammar reads: what their packs say of it.

use super::Language;
use super::date::DateOrder;
use super::phrases::WordSet;
use crate::text::is_unspaced;
use serde::Deserialize;

/// What a pack says of spaces and of the order of words.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Order {
    pub(super) unspaced: bool,
    joins: WordSet,
    yes_or_no: WordSet,
    whether: WordSet,
    raises: String,
    tops: String,
    measure_words: WordSet,
    behind_verbs: WordSet,
}

impl Language {
    /// Whether its words are written without spaces between them.
    pub fn is_unspaced(&self) -> bool {
        self.about.order.unspaced
    }

    /// Byte spans of the words of a text in a language without spaces.
    pub fn cut(&self, text: &str) -> Vec<(usize, usize)> {
        self.segments.spans(text)
    }

    /// Whether a folded word is one of a language without spaces whose pack does not list it: part of a name, mostly.
    pub fn is_unlisted(&self, folded: &str) -> bool {
        self.is_unspaced() && folded.contains(is_unspaced) && !self.segments.lists(folded)
    }

    /// Whether a folded word stands between a number and a noun, and says nothing.
    pub fn measures_nouns(&self, folded: &str) -> bool {
        self.about.order.measure_words.contains(folded)
    }

    /// Whether a folded word stands behind verbs alone.
    pub fn stands_behind_verbs(&self, folded: &str) -> bool {
        self.about.order.behind_verbs.contains(folded)
    }

    /// Whether a folded word joins what a noun is narrowed by, or who owns it, with the noun behind it.
    pub fn joins_before_noun(&self, folded: &str) -> bool {
        self.about.order.joins.contains(folded)
    }

    /// Whether a folded word at the end of a sentence makes it a question that is answered by yes or no.
    pub fn asks_at_end(&self, folded: &str) -> bool {
        self.about.order.yes_or_no.contains(folded)
    }

    /// Whether a folded word within a sentence makes it a question that is answered by yes or no.
    pub fn asks_whether(&self, folded: &str) -> bool {
        self.about.order.whether.contains(folded)
    }

    /// The word that makes a comparative of an adjective without a form of its own for it; empty where there is none.
    pub fn raising_word(&self) -> &str {
        &self.about.order.raises
    }

    /// The word that makes a superlative of such an adjective; empty where there is none.
    pub fn topping_word(&self) -> &str {
        &self.about.order.tops
    }

    /// Whether dates in digits begin with the month.
    pub fn has_month_first(&self) -> bool {
        self.dates.order != DateOrder::DayMonthYear
    }

    /// Whether dates are said from the year to the day.
    pub fn has_year_first(&self) -> bool {
        self.dates.order == DateOrder::YearMonthDay
    }
}
