//! The grammar: constructs, one file each, that make phrases of words, of a phrase, or of two neighbours. Rules look at the types of
//! phrases and at cues, never at words.

mod ages;
mod aggregate;
mod asked;
mod between;
mod both;
mod bounded;
mod bounds;
mod called;
mod columns;
mod compare;
mod context;
mod counts;
mod differences;
mod either;
mod flags;
mod groups;
mod halves;
mod having;
mod joins;
mod kinds;
mod measures;
mod members;
mod names;
mod negation;
mod nouns;
mod orders;
mod places;
mod quantifiers;
mod relations;
mod root;
mod same;
mod shares;
mod states;
mod superlatives;
mod tables;
mod texts;
mod than;
mod thesaurus;
mod times;
mod units;
mod winners;
mod years;

pub(crate) use context::Context;
pub(crate) use measures::noun_fit;
pub(crate) use root::{finish, left_over};

use crate::chart::{Gap, Item, Made};
use crate::question::Span;

/// A part of the grammar.
pub(crate) trait Construct: Sync {
    /// Phrases of words alone.
    fn leaves<'k>(&self, _context: &Context<'k>, _made: &mut Vec<(Span, Made<'k>)>) {}

    /// Phrases that another is as well.
    fn raise<'k>(&self, _context: &Context<'k>, _item: &Item<'k>, _made: &mut Vec<Made<'k>>) {}

    /// Phrases of two neighbours with what stands between them.
    fn combine<'k>(
        &self,
        _context: &Context<'k>,
        _left: &Item<'k>,
        _gap: &Gap,
        _right: &Item<'k>,
        _made: &mut Vec<Made<'k>>,
    ) {
    }
}

/// All constructs.
pub(crate) const CONSTRUCTS: &[&dyn Construct] = &[
    &nouns::Nouns,
    &names::Names,
    &relations::Relations,
    &joins::Joins,
    &between::Between,
    &members::Members,
    &bounds::Bounds,
    &bounded::BoundedNouns,
    &times::Times,
    &ages::Ages,
    &compare::Comparisons,
    &than::Thans,
    &superlatives::Superlatives,
    &counts::Counts,
    &aggregate::Aggregates,
    &columns::Columns,
    &groups::Groups,
    &orders::Orders,
    &places::Places,
    &negation::Negation,
    &having::Having,
    &quantifiers::Quantifiers,
    &either::Either,
    &both::Both,
    &texts::Texts,
    &differences::Differences,
    &shares::Shares,
    &asked::Asked,
    &flags::Flags,
    &states::States,
    &winners::Winners,
    &same::Same,
    &halves::Halves,
    &years::Years,
    &kinds::Kinds,
];
