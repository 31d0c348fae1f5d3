//! Adjectives that compare: what they measure, and in which direction.

use super::Language;
use super::forms::Forms;
use super::phrases::normals;
use crate::text::fold;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::sync::Arc;

/// The degree of an adjective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Degree {
    /// "old"
    Positive,
    /// "older"
    Comparative,
    /// "oldest"
    Superlative,
}

/// An adjective that compares, in one of its degrees.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// Its degree.
    pub degree: Degree,
    /// Whether more of it means a larger value.
    pub up: bool,
    /// What it measures, the likeliest first. "How old" asks for the same.
    pub nouns: Arc<[String]>,
    /// What it measures the other way round: who is older was born earlier.
    pub reversed: Arc<[String]>,
    /// The adjective of the other end: "cheap" for "expensive"; empty when it has none.
    pub opposite: Arc<str>,
}

impl Grade {
    /// The same adjective in another degree: "most expensive" is a superlative.
    #[must_use]
    pub fn in_degree(&self, degree: Degree) -> Self {
        Self { degree, ..self.clone() }
    }

    /// The other end of what it measures: "least expensive".
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { up: !self.up, ..self.clone() }
    }
}

/// An adjective as a pack has it, its forms in words with `_` for a space in them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adjective {
    #[serde(default)]
    positive: String,
    #[serde(default)]
    comparative: String,
    #[serde(default)]
    superlative: String,
    up: bool,
    #[serde(default)]
    nouns: String,
    #[serde(default)]
    reversed: String,
    #[serde(default)]
    opposite: String,
}

impl Adjective {
    /// Its forms, each with its grade.
    fn degrees(&self) -> Vec<(String, Grade)> {
        let positive = Grade {
            degree: Degree::Positive,
            up: self.up,
            nouns: normals(&self.nouns),
            reversed: normals(&self.reversed),
            opposite: Arc::from(fold(&self.opposite)),
        };
        let degrees = [
            (&self.positive, Degree::Positive),
            (&self.comparative, Degree::Comparative),
            (&self.superlative, Degree::Superlative),
        ];
        let form = |word: &str, degree| (word.to_lowercase().replace('_', " "), positive.in_degree(degree));
        let forms = degrees
            .iter()
            .flat_map(|(words, degree)| words.split_whitespace().map(|word| form(word, *degree)));
        forms.collect()
    }
}

/// The adjectives of a language, in all their forms.
#[derive(Debug, Default)]
pub(super) struct Grades {
    /// By the form in lower case with its accents: "größer" compares, "großer" does not.
    written: FxHashMap<String, Grade>,
    /// By the folded form.
    folded: FxHashMap<String, Grade>,
    /// Forms that are listed as comparative and as superlative.
    either: FxHashSet<String>,
    /// Comparatives and superlatives of one word, as they are listed.
    degrees: Vec<(String, Grade)>,
}

impl Grades {
    pub(super) fn of(adjectives: &[Adjective], forms: &Forms) -> Self {
        let listed: Vec<(String, Grade)> = adjectives.iter().flat_map(Adjective::degrees).collect();
        let mut found = Self::default();
        // Comparatives before positives: without accents, "alter" is more likely "älter" than the "alter" of "ein alter Mann".
        for degree in [Degree::Superlative, Degree::Comparative, Degree::Positive] {
            for (word, grade) in listed.iter().filter(|(_, grade)| grade.degree == degree) {
                for form in forms.adjective_forms(word) {
                    let known = found.written.get(&written(&form)).map(|known| known.degree);
                    if degree == Degree::Comparative && known == Some(Degree::Superlative) {
                        found.either.insert(fold(&form));
                    }
                    found.folded.entry(fold(&form)).or_insert_with(|| grade.clone());
                    found.written.entry(written(&form)).or_insert_with(|| grade.clone());
                }
            }
        }
        let compared = |(word, grade): &(String, Grade)| {
            grade.degree != Degree::Positive && !word.contains(char::is_whitespace)
        };
        found.degrees = listed.into_iter().filter(compared).collect();
        found
    }

    /// All forms, folded.
    pub(super) fn forms(&self) -> impl Iterator<Item = &String> {
        self.folded.keys()
    }
}

impl Language {
    /// What an adjective grades. As written it tells more than folded: "größer" compares, "großer" does not.
    pub fn grade(&self, word: &str) -> Option<&Grade> {
        let plain = || {
            let folded = fold(word);
            (folded == word.to_lowercase()).then(|| self.grades.folded.get(&folded)).flatten()
        };
        self.grades.written.get(&written(word)).or_else(plain)
    }

    /// What is measured where it is asked how much something is.
    pub fn price(&self) -> Option<&Grade> {
        self.grade(&self.about.price)
    }

    /// The superlative in the place of a folded comparative of this grade, where it is a word of its own.
    pub fn superlative(&self, comparative: &str, grade: &Grade) -> Option<String> {
        let listed = |wanted: Grade| {
            self.grades
                .degrees
                .iter()
                .filter(move |(_, known)| *known == wanted)
                .map(|(word, _)| word.as_str())
        };
        let best = listed(grade.in_degree(Degree::Superlative)).next()?;
        let mut stems = listed(grade.in_degree(Degree::Comparative)).map(fold);
        let ending = stems.find_map(|stem| comparative.strip_prefix(stem.as_str()).map(str::to_owned));
        Some(format!("{best}{}", ending.unwrap_or_default()))
    }

    /// Whether a graded word may be comparative and superlative: Spanish "mayor". What stands around it decides.
    pub fn is_either_degree(&self, word: &str) -> bool {
        self.grades.either.contains(&fold(word))
    }

    /// Whether what a comparative is set against may follow it at once, without a word for "than".
    pub fn compares_without_than(&self) -> bool {
        self.about.bare_comparison
    }
}

/// In lower case with its accents; the Swiss write no "ß".
fn written(word: &str) -> String {
    word.to_lowercase().replace('ß', "ss")
}

#[cfg(test)]
mod tests {
    use super::Degree;
    use crate::language;

    #[test]
    fn a_word_without_accents_stands_for_one_with_them_in_every_script() {
        let degree = |word: &str| language("ru").unwrap().grade(word).map(|grade| grade.degree);
        assert_eq!(degree("крупнейший"), Some(Degree::Superlative));
        assert_eq!(degree("крупнеишии"), Some(Degree::Superlative));
        assert_eq!(
            (degree("большой"), degree("больше")),
            (Some(Degree::Positive), Some(Degree::Comparative))
        );
        assert_eq!(degree("город"), None);
    }

    #[test]
    fn few_languages_compare_without_a_word_for_than() {
        assert!(language("ru").unwrap().compares_without_than());
        assert!(!language("en").unwrap().compares_without_than());
    }
}
