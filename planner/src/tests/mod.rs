//! Questions to small graphs of our own, answered as a whole: index, reading, queries, judgement. What shows one construct is beside
//! that construct.

mod cases;
mod directions;
pub(crate) mod graph;
mod languages;
mod lists;
mod long;
mod names;
mod people;
mod quantifiers;
mod quantities;
mod units;
mod unspaced;
mod who;
