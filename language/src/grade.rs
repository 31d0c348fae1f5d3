//! Gradable adjectives: what they measure, and in which direction.

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

/// A gradable adjective in one of its degrees.
#[derive(Debug, Clone, PartialEq)]
pub struct Grade {
    /// Its degree.
    pub degree: Degree,
    /// Whether more of it means a larger value.
    pub up: bool,
    /// Nouns for what it measures, most likely first. "How old" asks for the same.
    pub nouns: Arc<[String]>,
    /// Nouns for what it measures in reverse: whoever is older was born earlier.
    pub reversed: Arc<[String]>,
    /// The antonym: "cheap" for "expensive"; empty if there is none.
    pub opposite: Arc<str>,
}

impl Grade {
    /// The same adjective in another degree: "most expensive" is a superlative.
    #[must_use]
    pub fn in_degree(&self, degree: Degree) -> Self {
        Self { degree, ..self.clone() }
    }

    /// The reverse direction: "least expensive".
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { up: !self.up, ..self.clone() }
    }
}

/// An adjective in a pack; forms are separated by spaces, with `_` for a space inside one.
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
    /// All its forms with their grades.
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

/// The adjectives of a language in all their forms.
#[derive(Debug, Default)]
pub(super) struct Grades {
    /// By the lower-case form with accents: "größer" is a comparative, "großer" is not.
    written: FxHashMap<Box<str>, Arc<Grade>>,
    /// By the folded form.
    folded: FxHashMap<Box<str>, Arc<Grade>>,
    /// Forms listed both as comparative and as superlative.
    either: FxHashSet<String>,
    /// Single-word comparatives and superlatives, as listed.
    degrees: Vec<(String, Grade)>,
}

impl Grades {
    pub(super) fn of(adjectives: &[Adjective], forms: &Forms) -> Self {
        let listed: Vec<(String, Grade)> = adjectives.iter().flat_map(Adjective::degrees).collect();
        let mut found = Self::default();
        // Comparatives before positives: without accents, "alter" is more likely "älter" than the "alter" of "ein alter Mann".
        for degree in [Degree::Superlative, Degree::Comparative, Degree::Positive] {
            for (word, grade) in listed.iter().filter(|(_, grade)| grade.degree == degree) {
                let grade = Arc::new(grade.clone());
                for form in forms.adjective_forms(word) {
                    let known = found.written.get(written(&form).as_str()).map(|known| known.degree);
                    if degree == Degree::Comparative && known == Some(Degree::Superlative) {
                        found.either.insert(fold(&form));
                    }
                    found.folded.entry(fold(&form).into()).or_insert_with(|| Arc::clone(&grade));
                    found.written.entry(written(&form).into()).or_insert_with(|| Arc::clone(&grade));
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
    pub(super) fn forms(&self) -> impl Iterator<Item = &str> {
        self.folded.keys().map(|form| &**form)
    }
}

impl Language {
    /// The grade of an adjective. Accents take precedence over the folded form: "größer" is a comparative, "großer" is not.
    pub fn grade(&self, word: &str) -> Option<&Grade> {
        let plain = || {
            let folded = fold(word);
            (folded == word.to_lowercase()).then(|| self.grades.folded.get(folded.as_str())).flatten()
        };
        self.grades.written.get(written(word).as_str()).or_else(plain).map(|grade| &**grade)
    }

    /// The grade for questions like "how much is it".
    pub fn price(&self) -> Option<&Grade> {
        self.grade(&self.about.price)
    }

    /// The superlative that corresponds to a folded comparative, if it is a single word.
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

    /// The folded forms that a comparative and a superlative of any adjective may have, if the language makes them by endings;
    /// some of them may be no words.
    pub fn compared(&self, adjective: &str) -> Vec<(String, Degree)> {
        let forms = self.forms.compared(&adjective.to_lowercase()).into_iter();
        forms.map(|(form, degree)| (fold(&form), degree)).collect()
    }

    /// Whether a form may be comparative or superlative, depending on context: Spanish "mayor".
    pub fn is_either_degree(&self, word: &str) -> bool {
        self.grades.either.contains(&fold(word))
    }

    /// Whether a comparative may be followed by its operand directly, without a word for "than".
    pub fn compares_without_than(&self) -> bool {
        self.about.bare_comparison
    }
}

/// Lower case with accents; "ß" becomes "ss", as in Swiss spelling.
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
    fn degrees_are_made_by_endings_where_the_language_does_so() {
        let made = |tag: &str, word: &str, form: &str| {
            let forms = language(tag).unwrap().compared(word);
            forms.into_iter().find(|(own, _)| own == form).map(|(_, degree)| degree)
        };
        let (more, most) = (Some(Degree::Comparative), Some(Degree::Superlative));
        for (tag, word, comparative, superlative) in [
            ("en", "lofty", "loftier", "loftiest"),
            ("en", "bleak", "bleaker", "bleakest"),
            ("en", "wan", "wanner", "wannest"),
            ("en", "pale", "paler", "palest"),
            ("de", "luftig", "luftiger", "luftigsten"),
            ("de", "dunkel", "dunkler", "dunkelste"),
            ("de", "zart", "zartere", "zarteste"),
            ("nl", "zacht", "zachter", "zachtste"),
            ("nl", "fel", "feller", "felst"),
        ] {
            assert_eq!((made(tag, word, comparative), made(tag, word, superlative)), (more, most), "{word}");
        }
        assert!(language("fr").unwrap().compared("vaste").is_empty());
        assert_eq!(made("en", "lofty", "lofter"), None);
    }

    #[test]
    fn few_languages_compare_without_a_word_for_than() {
        assert!(language("ru").unwrap().compares_without_than());
        assert!(!language("en").unwrap().compares_without_than());
    }
}
