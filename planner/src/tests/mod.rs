//! Questions to small test graphs, answered end to end: index, reading, queries, judgement. Tests of a single construct are next
//! to that construct.

mod cases;
mod directions;
pub(crate) mod glossary;
pub mod graph;
mod languages;
mod lists;
mod long;
mod names;
mod patterns;
mod people;
mod quantifiers;
mod quantities;
mod units;
mod unspaced;
mod who;
