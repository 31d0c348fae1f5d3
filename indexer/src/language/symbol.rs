//! Symbols of units, by the words that names of properties call them with: "length in kilometres", `lengthKm`.

use super::files::{Files, key, phrases};
use super::{Language, languages};
use rustc_hash::FxHashMap;

/// Symbols by phrases. A phrase without a symbol says that the unit behind it is not that of the value: "per".
pub(super) type Symbols = FxHashMap<String, Option<&'static str>>;

/// Lines of `symbol : phrases`; `-` stands for none.
pub(super) fn read(files: &mut Files) -> Symbols {
    let mut found = Symbols::default();
    files.each_pair("symbols", |symbol, list| {
        let symbol = Some(symbol).filter(|symbol| *symbol != "-");
        found.extend(phrases(list).map(|phrase| (key(phrase), symbol)));
        Some(())
    });
    found
}

/// The symbol of the unit that a phrase of any language is: "km" for "kilometres", for "km" itself, too.
pub fn unit_symbol(phrase: &str) -> Option<&'static str> {
    let phrase = phrase.trim();
    let written =
        |language: &'static Language| language.symbols.values().flatten().find(|one| **one == phrase);
    let key = key(phrase);
    languages().find_map(|language| {
        written(language).copied().or_else(|| language.symbols.get(&key).copied().flatten())
    })
}

/// Whether a folded word of any language says that the unit behind it is only a part of the value's unit: "per".
pub fn divides_units(folded: &str) -> bool {
    languages().any(|language| matches!(language.symbols.get(folded), Some(None)))
}
