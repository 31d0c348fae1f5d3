//! Numbers in words, and how a language writes them in digits.

use super::files::{Files, key, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;

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
    pub(super) fn read(files: &mut Files) -> Self {
        let mut found = Self::default();
        files.each_pair("numbers", |name, list| found.add(name, list));
        files.each_pair("ordinals", |name, list| found.add_ordinal(name, list));
        found
    }

    fn add(&mut self, name: &str, list: &str) -> Option<()> {
        match name.strip_prefix("scale ") {
            Some(scale) => {
                let scale: f64 = scale.trim().parse().ok()?;
                self.scales.extend(phrases(list).map(|phrase| (scale_key(phrase), scale)));
            }
            None if name == "percent" => self.percent.extend(phrases(list).map(key)),
            None if name == "joiner" => self.joiners.extend(phrases(list).map(key)),
            None if name == "decimal" => self.decimal.extend(list.split_whitespace().filter_map(mark)),
            None if name == "thousands" => self.thousands.extend(list.split_whitespace().filter_map(mark)),
            None => {
                let value: f64 = name.parse().ok()?;
                self.values.extend(phrases(list).map(|phrase| (key(phrase), value)));
            }
        }
        Some(())
    }

    fn add_ordinal(&mut self, name: &str, list: &str) -> Option<()> {
        if name == "suffix" {
            self.dotted |= list.split_whitespace().any(|suffix| suffix == ".");
            self.suffixes.extend(list.split_whitespace().filter(|suffix| *suffix != ".").map(fold));
            return Some(());
        }
        let place: u32 = name.parse().ok()?;
        self.ordinals.extend(list.split_whitespace().map(|word| (fold(word), place)));
        Some(())
    }

    pub(super) fn value(&self, phrase: &str) -> Option<f64> {
        self.values.get(phrase).copied()
    }

    pub(super) fn scale(&self, word: &str) -> Option<f64> {
        self.scales.get(&scale_key(word)).copied()
    }

    pub(super) fn is_percent(&self, phrase: &str) -> bool {
        self.percent.iter().any(|known| known == phrase)
    }

    pub(super) fn is_joiner(&self, folded: &str) -> bool {
        self.joiners.iter().any(|known| known == folded)
    }

    pub(super) fn is_decimal_mark(&self, c: char) -> bool {
        self.decimal.contains(&c)
    }

    pub(super) fn is_thousands_mark(&self, c: char) -> bool {
        self.thousands.contains(&c)
    }

    /// The place that a word stands for: a listed word, or digits with one of the suffixes.
    pub(super) fn ordinal(&self, folded: &str) -> Option<u32> {
        if let Some(place) = self.ordinals.get(folded) {
            return Some(*place);
        }
        let digits = folded.trim_end_matches(|c: char| !c.is_ascii_digit());
        let suffix = folded.strip_prefix(digits)?;
        self.suffixes.iter().find(|known| *known == suffix)?;
        digits.parse().ok()
    }

    /// A word without what ordinals in digits end with.
    pub(super) fn without_suffix<'a>(&self, folded: &'a str) -> Option<&'a str> {
        self.suffixes.iter().find_map(|suffix| folded.strip_suffix(suffix.as_str()))
    }

    /// Whether a point behind a number makes it an ordinal.
    pub(super) fn dotted_ordinals(&self) -> bool {
        self.dotted
    }
}

/// A mark between digits; the space has a name.
fn mark(text: &str) -> Option<char> {
    match text {
        "space" => Some(' '),
        _ => text.chars().next(),
    }
}

/// Folded, but for a single letter.
fn scale_key(word: &str) -> String {
    if word.chars().count() == 1 { word.to_owned() } else { key(word) }
}
