//! Symbols of units, by the words used in property names: "length in kilometres", `lengthKm`.

use super::languages;
use super::phrases::{key, phrases};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The unit symbols of a language.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// By phrase. A phrase without a symbol divides: the unit after it is not the unit of the value: "per".
    of: FxHashMap<String, Option<String>>,
    /// As written.
    written: FxHashSet<String>,
}

impl Symbols {
    /// From symbols with their phrases, and phrases that divide.
    pub(super) fn of(symbols: &BTreeMap<String, String>, divides: &str) -> Self {
        let named =
            symbols.iter().flat_map(|(symbol, list)| phrases(list).map(move |phrase| (phrase, symbol)));
        let of = named.map(|(phrase, symbol)| (entry(phrase), Some(symbol.clone())));
        let of = of.chain(phrases(divides).map(|phrase| (entry(phrase), None))).collect();
        Self { of, written: symbols.keys().cloned().collect() }
    }
}

/// The look-up key of a phrase: signs that are not letters stand for themselves.
fn entry(phrase: &str) -> String {
    let key = key(phrase);
    if key.is_empty() { phrase.trim().to_owned() } else { key }
}

/// The symbol of a unit named in any language: "km" for "kilometres", and for "km" itself.
pub fn unit_symbol(phrase: &str) -> Option<&'static str> {
    let phrase = phrase.trim();
    let key = entry(phrase);
    languages().map(|language| &language.symbols).find_map(|symbols| {
        symbols.written.get(phrase).or_else(|| symbols.of.get(&key)?.as_ref()).map(String::as_str)
    })
}

/// Whether a folded word of any language means that the unit after it is only a part of the value's unit: "per".
pub fn divides_units(folded: &str) -> bool {
    languages().any(|language| matches!(language.symbols.of.get(folded), Some(None)))
}
