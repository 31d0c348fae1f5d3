//! Adjectives that compare: what they measure, and in which direction.

use crate::text::fold;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Lines of `positive | comparative | superlative | sign | nouns | nouns of which less means more`, folded.
const TABLE: &str = include_str!("gradable.txt");
/// Lines of `words : formula`; the formula joins lists of nouns by `*`, `/` or `,`.
const MEASURES: &str = include_str!("measures.txt");

/// The degree of an adjective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Degree {
    /// "old"
    Positive,
    /// "older"
    Comparative,
    /// "oldest"
    Superlative,
}

/// An adjective that compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradable {
    /// Its degree.
    pub degree: Degree,
    /// Whether more of it means a larger value.
    pub up: bool,
    /// What it measures, the likeliest first.
    pub nouns: Vec<&'static str>,
    /// What it measures the other way round: who is older was born earlier.
    pub reversed: Vec<&'static str>,
}

/// A quantity that follows from others.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Groups of nouns, each standing for one factor.
    pub factors: Vec<Vec<&'static str>>,
    /// What stands before each factor but the first: `*`, `/` (all that follow are below the line) or `,`.
    pub joiner: Vec<char>,
}

/// What a folded word grades.
pub fn gradable(word: &str) -> Option<&'static Gradable> {
    static WORDS: OnceLock<FxHashMap<&'static str, Gradable>> = OnceLock::new();
    WORDS.get_or_init(|| TABLE.lines().flat_map(parse).collect()).get(word)
}

fn parse(line: &'static str) -> Vec<(&'static str, Gradable)> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [positive, comparative, superlative, sign, nouns, reversed] = columns[..] else { return Vec::new() };
    let nouns: Vec<&str> = nouns.split_whitespace().collect();
    let reversed: Vec<&str> = reversed.split_whitespace().collect();
    let degrees = [
        (positive, Degree::Positive),
        (comparative, Degree::Comparative),
        (superlative, Degree::Superlative),
    ];
    let words = degrees.into_iter().flat_map(|(words, degree)| words.split(' ').map(move |w| (w, degree)));
    words
        .filter(|(word, _)| !word.is_empty())
        .map(|(word, degree)| {
            let up = sign == "+";
            (word, Gradable { degree, up, nouns: nouns.clone(), reversed: reversed.clone() })
        })
        .collect()
}

/// The quantity that a word names, if it follows from others: "volume".
pub fn measure(word: &str) -> Option<Measure> {
    let word = fold(word);
    let line = MEASURES.lines().find(|line| {
        line.split_once(" : ").is_some_and(|(names, _)| names.split(' ').any(|name| name == word))
    })?;
    let formula = line.split_once(" : ")?.1;
    let mut measure = Measure { factors: vec![Vec::new()], joiner: Vec::new() };
    for token in formula.split_whitespace() {
        match token {
            "*" | "/" | "," => {
                measure.joiner.extend(token.chars());
                measure.factors.push(Vec::new());
            }
            noun => measure.factors.last_mut()?.push(noun),
        }
    }
    Some(measure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_know_their_measure_and_direction() {
        let cheapest = gradable("cheapest").unwrap();
        assert_eq!((cheapest.degree, cheapest.up), (Degree::Superlative, false));
        assert!(cheapest.nouns.contains(&"price"));
        assert!(gradable("alteste").unwrap().reversed.contains(&"birth"));
        assert!(gradable("supplier").is_none());
    }

    #[test]
    fn quantities_follow_from_others() {
        let density = measure("density").unwrap();
        assert_eq!(density.joiner, ['/', '*', '*']);
        assert_eq!(density.factors.len(), 4);
        assert!(measure("price").is_none());
    }
}
