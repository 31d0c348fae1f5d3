//! Phrases: the meaning of a span, with the words and features it used, and the connective between two of them.

mod connective;
mod item;

pub(crate) use connective::{Connective, Pair, leaves_no_exception, says_only_form, skips};
pub(crate) use item::{
    Alike, Bound, By, Comparative, Cues, Derivation, Derived, EMPTY_CLASS, Graded, Item, Number, Order,
    PendingRank, Phrase, Quantity, Relation, Sort, Than, Time, Wanted, Words, func_of,
};
