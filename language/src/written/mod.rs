//! Numbers, dates and times as a language writes them, for people. The phrases stand in the pack with those that say
//! answers; reading what people write is `number` and `date`. May use `template`.

mod number;
mod time;

pub use time::written_year;

/// The table of the packs that holds the phrases.
const TABLE: &str = "say";
