//! Number words, and how a language writes numbers in digits.

use super::Language;
use super::pack::NumbersAndDates;
use super::phrases::{key, keys, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;

/// The suffix of ordinals written with a period: "3. Platz".
const POINT: &str = ".";

/// Numbers, scales and ordinals of a language.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    values: FxHashMap<String, f64>,
    scales: FxHashMap<String, f64>,
    percent: Vec<String>,
    joiners: Vec<String>,
    decimal: Vec<char>,
    thousands: Vec<char>,
    ordinals: FxHashMap<String, u32>,
    suffixes: Vec<String>,
    dotted: bool,
}

impl Numbers {
    pub(super) fn of(file: &NumbersAndDates) -> Self {
        let values =
            file.numbers.iter().flat_map(|(value, list)| keys(list).map(|key| (key, f64::from(*value))));
        let scales = file.scales.iter().flat_map(|(scale, list)| phrases(list).map(move |one| (one, *scale)));
        let ordinals =
            file.ordinals.iter().flat_map(|(at, words)| words.split_whitespace().map(move |one| (one, *at)));
        let suffixes = || file.ordinal_suffixes.split_whitespace();
        Self {
            values: values.collect(),
            scales: scales.map(|(phrase, scale)| (scale_key(phrase), scale as f64)).collect(),
            percent: keys(&file.percent).collect(),
            joiners: keys(&file.joiner).collect(),
            decimal: marks(&file.decimal),
            thousands: marks(&file.thousands),
            ordinals: ordinals.map(|(word, at)| (fold(word), at)).collect(),
            suffixes: suffixes().filter(|suffix| *suffix != POINT).map(fold).collect(),
            dotted: suffixes().any(|suffix| suffix == POINT),
        }
    }
}

impl Language {
    /// The value of a folded number word or phrase.
    pub fn number(&self, folded: &str) -> Option<f64> {
        self.numbers.values.get(folded).copied()
    }

    /// The factor by which a word or phrase multiplies the number before it: "million". A single letter is case-sensitive: "5M"
    /// is a number, "5m" a length.
    pub fn scale(&self, word: &str) -> Option<f64> {
        self.numbers.scales.get(&scale_key(word)).copied()
    }

    /// Whether a folded word or phrase means percent.
    pub fn is_percent(&self, folded: &str) -> bool {
        self.numbers.percent.iter().any(|known| known == folded)
    }

    /// Whether a folded word joins hundreds with the rest of a number: "two hundred and fifty".
    pub fn joins_numbers(&self, folded: &str) -> bool {
        self.numbers.joiners.iter().any(|known| known == folded)
    }

    /// Whether it is a decimal separator.
    pub fn is_decimal_mark(&self, c: char) -> bool {
        self.numbers.decimal.contains(&c)
    }

    /// Whether it is a thousands separator.
    pub fn is_thousands_mark(&self, c: char) -> bool {
        self.numbers.thousands.contains(&c)
    }

    /// The number of a folded ordinal: "third", "3rd".
    pub fn ordinal(&self, folded: &str) -> Option<u32> {
        if let Some(place) = self.numbers.ordinals.get(folded) {
            return Some(*place);
        }
        let digits = folded.trim_end_matches(|c: char| !c.is_ascii_digit());
        let suffix = folded.strip_prefix(digits)?;
        self.numbers.suffixes.iter().find(|known| *known == suffix)?;
        digits.parse().ok()
    }

    /// A folded word without the suffix of numeric ordinals: "XXe" is "XX".
    pub fn without_ordinal_suffix<'a>(&self, folded: &'a str) -> Option<&'a str> {
        self.numbers.suffixes.iter().find_map(|suffix| folded.strip_suffix(suffix.as_str()))
    }

    /// Whether a period after a number makes it an ordinal: "3. Platz".
    pub fn has_dotted_ordinals(&self) -> bool {
        self.numbers.dotted
    }
}

/// Separators of digits; the space is written as a word.
fn marks(texts: &str) -> Vec<char> {
    let mark = |text: &str| if text == "space" { Some(' ') } else { text.chars().next() };
    texts.split_whitespace().filter_map(mark).collect()
}

/// Folded, except for a single letter.
fn scale_key(word: &str) -> String {
    if word.chars().count() == 1 { word.to_owned() } else { key(word) }
}
