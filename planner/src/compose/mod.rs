//! Helpers shared by constructs to combine meanings: the measures of a set, its possible columns, implicit times and names, and
//! the intersection of two sets. Built on the context, phrases and meanings; knows no construct.

pub(crate) mod ages;
pub(crate) mod bounds;
pub(crate) mod columns;
pub(crate) mod measures;
pub(crate) mod meet;
pub(crate) mod names;
pub(crate) mod relations;
pub(crate) mod times;
pub(crate) mod truths;
pub(crate) mod units;

/// Number of things shown when several are asked for without a number.
pub(crate) const SEVERAL: u32 = 5;
