//! Formats numbers, dates and times for display in a language. The phrases are in the pack with those for answers; parsing of
//! input is in `number` and `date`. May use `template`.

mod number;
mod time;

pub use time::written_year;

/// The table of phrases in the packs.
const TABLE: &str = "say";
