//! Questions to small graphs of our own, answered as a whole: index, reading, queries, judgement. What shows one construct is beside
//! that construct.

pub(crate) mod graph;
mod languages;
mod long;
mod names;
mod people;
mod quantifiers;
mod traps1_directions;
mod traps1_quantities;
