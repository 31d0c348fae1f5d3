//! The grammar: constructs, one file each, that build phrases from words, from one phrase, or from two neighbours. Rules look at
//! phrase types and cues, never at words. Constructs do not know each other or what calls them: shared code is in `compose`, and
//! constructs that call other constructs are in `quantify`, a layer above.
//!
//! To add a construct: one file with its rules on types, a line in [`CONSTRUCTS`], and its words under a cue in the packs; its
//! score comes from features in `score/features.rs`, each with a weight. Its tests show what it is for and what it must not
//! affect: next to it, or with the questions in `tests/`. What it shares with others goes to `compose`.

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

/// All constructs used for parsing; those of `quantify` are added to them.
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
