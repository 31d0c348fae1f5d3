//! The grammar: constructs, one file each, that make phrases of words, of a phrase, or of two neighbours. Rules look at the types of
//! phrases and at cues, never at words. No construct knows another, nor what reads with them: what several need is in `compose`.

mod ages;
mod aggregate;
mod asked;
mod between;
mod both;
mod bounded;
mod bounds;
mod columns;
mod compare;
mod counts;
mod differences;
mod either;
mod flags;
mod groups;
mod halves;
mod having;
mod joins;
mod kinds;
mod members;
mod names;
mod negation;
mod nouns;
mod only;
mod orders;
mod places;
mod quantifiers;
mod relations;
mod same;
mod shares;
mod states;
mod superlatives;
mod texts;
mod than;
mod times;
mod winners;
mod years;

use crate::chart::Construct;

/// All constructs, which a chart is parsed with.
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
    &only::Only,
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
