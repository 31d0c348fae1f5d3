//! Countries by name, adjective and code: a "French supplier" is a supplier in France.

use super::Language;
use super::files::Files;
use super::forms::Forms;
use super::phrases::phrases;
use crate::text::fold;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The countries of a language.
#[derive(Debug, Default)]
pub(super) struct Countries {
    /// All names of a country, by each of its folded names and adjectives.
    by_word: FxHashMap<String, Arc<[String]>>,
    /// The same by the base form of the word: "Niederlanden", "Deutschlands".
    by_base: FxHashMap<String, Arc<[String]>>,
    /// The same by its codes, which are case-sensitive: "US", not "us".
    by_code: FxHashMap<String, Arc<[String]>>,
}

impl Countries {
    /// Reads lines of `names, the English one first : adjectives and CODES`.
    pub(super) fn read(files: &mut Files, forms: &Forms) -> Self {
        let mut found = Self::default();
        files.each_pair("countries.txt", |names, words| {
            let is_code = |word: &&str| word.chars().all(char::is_uppercase);
            let (codes, adjectives): (Vec<&str>, Vec<&str>) = phrases(words).partition(is_code);
            let all: Arc<[String]> = phrases(names).chain(codes.iter().copied()).map(str::to_owned).collect();
            let inflected =
                adjectives.into_iter().flat_map(|word| forms.adjective_forms(&word.to_lowercase()));
            for word in phrases(names).map(str::to_owned).chain(inflected) {
                let word = fold(&word);
                found.by_base.entry(forms.base(&word)).or_insert_with(|| Arc::clone(&all));
                found.by_word.entry(word).or_insert_with(|| Arc::clone(&all));
            }
            found.by_code.extend(codes.into_iter().map(|code| (code.to_owned(), Arc::clone(&all))));
            (!all.is_empty()).then_some(())
        });
        found
    }

    /// The folded names and adjectives, without the English name if the language has its own.
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        let english = |word: &str, names: &[String]| {
            names.len() > 1 && names.first().is_some_and(|first| fold(first) == word)
        };
        self.by_word.iter().filter(move |(word, names)| !english(word, names)).map(|(word, _)| word)
    }
}

impl Language {
    /// The names of the country, or larger region, for a name, an adjective or an upper-case code; the English name first, codes
    /// last.
    pub fn country(&self, word: &str) -> &[String] {
        let (known, folded) = (&self.countries, fold(word));
        let found = known.by_code.get(word).or_else(|| known.by_word.get(&folded));
        found.or_else(|| known.by_base.get(&self.base(&folded))).map_or(&[], |names| names)
    }
}
