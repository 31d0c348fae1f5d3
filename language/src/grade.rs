//! Adjectives that compare: what they measure, and in which direction.

use super::Language;
use super::files::{Files, normal};
use super::forms::Forms;
use crate::text::fold;
use rustc_hash::{FxHashMap, FxHashSet};
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
    pub(super) fn read(files: &mut Files, forms: &Forms) -> Self {
        let mut listed: Vec<(String, Grade)> = Vec::new();
        files.each_line("gradable", |line| {
            listed.extend(parse(line)?);
            Some(())
        });
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

    /// The superlative in the place of a folded comparative, with the same ending: "biggest" for "bigger", "größte" for "größere".
    pub(super) fn superlative(&self, comparative: &str, grade: &Grade) -> Option<String> {
        let listed = |wanted: Grade| {
            self.degrees.iter().filter(move |(_, known)| *known == wanted).map(|(word, _)| word.as_str())
        };
        let best = listed(grade.in_degree(Degree::Superlative)).next()?;
        let mut stems = listed(grade.in_degree(Degree::Comparative)).map(fold);
        let ending = stems.find_map(|stem| comparative.strip_prefix(stem.as_str()).map(str::to_owned));
        Some(format!("{best}{}", ending.unwrap_or_default()))
    }

    /// All forms, folded.
    pub(super) fn forms(&self) -> impl Iterator<Item = &String> {
        self.folded.keys()
    }

    pub(super) fn is_either(&self, word: &str) -> bool {
        self.either.contains(&fold(word))
    }

    /// By the form as it is written; one without accents stands for those with them, in whatever script.
    pub(super) fn get(&self, word: &str) -> Option<&Grade> {
        let plain = || {
            let folded = fold(word);
            (folded == word.to_lowercase()).then(|| self.folded.get(&folded)).flatten()
        };
        self.written.get(&written(word)).or_else(plain)
    }
}

impl Language {
    /// Whether what a comparative is set against may follow it at once, without a word for "than".
    pub fn compares_without_than(&self) -> bool {
        self.about.bare_comparison
    }
}

/// In lower case with its accents; the Swiss write no "ß".
fn written(word: &str) -> String {
    word.to_lowercase().replace('ß', "ss")
}

/// `positive | comparative | superlative | + or - | nouns | nouns of which less means more | opposite`.
fn parse(line: &str) -> Option<Vec<(String, Grade)>> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [positive, comparative, superlative, sign, nouns, reversed, opposite] = columns.try_into().ok()?;
    let up = match sign {
        "+" => true,
        "-" => false,
        _ => return None,
    };
    let list = |text: &str| text.split_whitespace().map(normal).collect::<Arc<[String]>>();
    let (nouns, reversed, opposite) = (list(nouns), list(reversed), Arc::from(fold(opposite)));
    let degrees = [
        (positive, Degree::Positive),
        (comparative, Degree::Comparative),
        (superlative, Degree::Superlative),
    ];
    let words = degrees.into_iter().flat_map(|(words, degree)| {
        words.split_whitespace().map(move |word| (word.to_lowercase().replace('_', " "), degree))
    });
    let grade = |degree| Grade {
        degree,
        up,
        nouns: Arc::clone(&nouns),
        reversed: Arc::clone(&reversed),
        opposite: Arc::clone(&opposite),
    };
    Some(words.map(|(word, degree)| (word, grade(degree))).collect())
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
