//! Languages written without spaces, or with another word order than the grammar: the settings in their packs.

use super::Language;
use super::date::DateOrder;
use super::phrases::WordSet;
use crate::text::is_unspaced;
use serde::Deserialize;

/// Spacing and word order of a pack.
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

    /// Whether a folded word in a language without spaces is missing from the pack: usually part of a name.
    pub fn is_unlisted(&self, folded: &str) -> bool {
        self.is_unspaced() && folded.contains(is_unspaced) && !self.segments.lists(folded)
    }

    /// Whether a folded word is a measure word, which stands between a number and a noun without adding anything.
    pub fn measures_nouns(&self, folded: &str) -> bool {
        self.about.order.measure_words.contains(folded)
    }

    /// Whether a folded word only stands after verbs.
    pub fn stands_behind_verbs(&self, folded: &str) -> bool {
        self.about.order.behind_verbs.contains(folded)
    }

    /// Whether a folded word joins a modifier or an owner to the noun after it.
    pub fn joins_before_noun(&self, folded: &str) -> bool {
        self.about.order.joins.contains(folded)
    }

    /// Whether a folded word at the end of a sentence makes it a yes/no question.
    pub fn asks_at_end(&self, folded: &str) -> bool {
        self.about.order.yes_or_no.contains(folded)
    }

    /// Whether a folded word inside a sentence makes it a yes/no question.
    pub fn asks_whether(&self, folded: &str) -> bool {
        self.about.order.whether.contains(folded)
    }

    /// The word that forms the comparative of an adjective without its own form; empty if there is none.
    pub fn raising_word(&self) -> &str {
        &self.about.order.raises
    }

    /// The word that forms the superlative of such an adjective; empty if there is none.
    pub fn topping_word(&self) -> &str {
        &self.about.order.tops
    }

    /// Whether numeric dates have the month before the day.
    pub fn has_month_first(&self) -> bool {
        self.dates.order != DateOrder::DayMonthYear
    }

    /// Whether dates are written from year to day.
    pub fn has_year_first(&self) -> bool {
        self.dates.order == DateOrder::YearMonthDay
    }
}
