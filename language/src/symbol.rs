//! Symbols of units, by the words that names of properties call them with: "length in kilometres", `lengthKm`.

use super::files::{Files, key, phrases};
use super::languages;
use rustc_hash::{FxHashMap, FxHashSet};

/// The symbols of a language.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// By phrases. A phrase without a symbol says that the unit behind it is not that of the value: "per".
    of: FxHashMap<String, Option<&'static str>>,
    /// As they are written.
    written: FxHashSet<&'static str>,
}

/// Lines of `symbol : phrases`; `-` stands for none.
pub(super) fn read(files: &mut Files) -> Symbols {
    let mut found = Symbols::default();
    files.each_pair("symbols", |symbol, list| {
        let symbol = Some(symbol).filter(|symbol| *symbol != "-");
        found.written.extend(symbol);
        found.of.extend(phrases(list).map(|phrase| (entry(phrase), symbol)));
        Some(())
    });
    found
}

/// What a phrase is found by: signs that are no letters stand for themselves.
fn entry(phrase: &str) -> String {
    let key = key(phrase);
    if key.is_empty() { phrase.trim().to_owned() } else { key }
}

/// The symbol of the unit that a phrase of any language is: "km" for "kilometres", for "km" itself, too.
pub fn unit_symbol(phrase: &str) -> Option<&'static str> {
    let phrase = phrase.trim();
    let key = entry(phrase);
    languages().map(|language| &language.symbols).find_map(|symbols| {
        symbols.written.get(phrase).copied().or_else(|| symbols.of.get(&key).copied().flatten())
    })
}

/// Whether a folded word of any language says that the unit behind it is only a part of the value's unit: "per".
pub fn divides_units(folded: &str) -> bool {
    languages().any(|language| matches!(language.symbols.of.get(folded), Some(None)))
}
