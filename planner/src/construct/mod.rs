//! The grammar: constructs, one file each, that make phrases of words, of a phrase, or of two neighbours. Rules look at the types of
//! phrases and at cues, never at words. No construct knows another, nor what reads with them: what several need is in `compose`,
//! and what says something with the words of others stands above, in `quantify`.
//!
//! Another construct is one file with its rules on types, its line in [`CONSTRUCTS`], and its words under a cue in the
//! packs; its score comes from features in `score/features.rs` with a weight each. Its tests show what it is for and
//! what it must not touch: beside it, or with the questions of `tests/`. What it shares with others goes to `compose`.

mod ages;
mod aggregate;
mod asked;
mod between;
mod both;
mod bounded;
mod bounds;
mod columns;
mod compare;
mod coordinated;
mod counts;
mod differences;
mod either;
mod flags;
mod groups;
mod joins;
mod kinds;
mod lone;
mod members;
mod nouns;
mod orders;
mod places;
mod recent;
mod relations;
mod same;
mod shares;
mod states;
mod superlatives;
mod texts;
mod than;
mod times;
mod top_ranked;
mod years;

pub(crate) use ages::Ages;
pub(crate) use bounded::BoundedNouns;
pub(crate) use bounds::Bounds;
pub(crate) use compare::Comparisons;
pub(crate) use counts::Counts;
pub(crate) use flags::Flags;
pub(crate) use joins::Joins;
pub(crate) use relations::Relations;
pub(crate) use texts::Texts;
pub(crate) use than::ThanComparisons;
pub(crate) use times::Times;

use crate::chart::Construct;

/// All constructs, which a chart is parsed with; those of `quantify` come on top.
pub(crate) const CONSTRUCTS: &[&dyn Construct] = &[
    &nouns::Nouns,
    &Relations,
    &Joins,
    &between::Between,
    &members::Members,
    &Bounds,
    &BoundedNouns,
    &Times,
    &Ages,
    &Comparisons,
    &ThanComparisons,
    &superlatives::Superlatives,
    &lone::Lone,
    &recent::Recent,
    &Counts,
    &aggregate::Aggregates,
    &columns::Columns,
    &groups::Groups,
    &orders::Orders,
    &places::Places,
    &either::Either,
    &both::Both,
    &Texts,
    &differences::Differences,
    &shares::Shares,
    &asked::Asked,
    &Flags,
    &states::States,
    &top_ranked::TopRanked,
    &same::Same,
    &coordinated::CoordinatedQuestions,
    &years::Years,
    &kinds::Kinds,
];
