//! What several constructs put meanings together with: the measures of a set, the columns that it may have, times and names that no
//! word names, what belongs to two sets. Made of the context, phrases and meanings; nothing here knows a construct.

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

/// Things that are shown where several are asked for and no number is said.
pub(crate) const SEVERAL: u32 = 5;
