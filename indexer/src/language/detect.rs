//! Which language a question is in: by the words and letters of the packs, else by its script.

use super::files::folded_words;
use super::{Language, language, language_of_script, languages, neutral};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A letter that one language has tells as much as a word that only this one has.
const LETTER: f32 = 1.0;
/// A word that begins a question tells more: "was", "die" and "in" stand in the middle of other languages' questions too.
const FIRST_WORD: f32 = 1.5;

/// The language of a question; `None` when nothing tells it.
pub fn detect(question: &str) -> Option<&'static Language> {
    detect_among(question, &[])
}

/// The language of a question. Of languages that are equally likely, the first that the caller prefers is taken; when
/// nothing tells the language, the first preferred one that has a pack.
pub fn detect_among(question: &str, preferred: &[String]) -> Option<&'static Language> {
    let scores: Vec<(&'static Language, f32)> = scores(question);
    let best = scores.iter().map(|(_, score)| *score).fold(0.0, f32::max);
    let rank = |language: &Language| {
        let asked = |tag: &String| super::language(tag).is_some_and(|known| known.tag == language.tag);
        preferred.iter().position(asked).unwrap_or(preferred.len())
    };
    let likeliest = scores.iter().filter(|(_, score)| best > 0.0 && *score >= best - f32::EPSILON);
    likeliest
        .min_by_key(|(language, _)| rank(language))
        .map(|(language, _)| *language)
        .or_else(|| language_of_script(question).map(|tag| language(tag).unwrap_or_else(|| neutral(tag))))
        .or_else(|| preferred.iter().find_map(|tag| language(tag)))
}

fn scores(question: &str) -> Vec<(&'static Language, f32)> {
    let words = folded_words(question);
    let lower = question.to_lowercase();
    let score = |language: &'static Language| {
        let letters = language.about.letters.chars().filter(|letter| lower.contains(*letter)).count();
        let words: f32 = words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| {
                let tags = word_languages().get(word).filter(|tags| tags.contains(&language.tag))?;
                let place = if at == 0 { FIRST_WORD } else { 1.0 };
                Some(place / tags.len() as f32)
            })
            .sum();
        words + letters as f32 * LETTER
    };
    languages().map(|language| (language, score(language))).collect()
}

/// Which languages have a word among their function words and cues.
fn word_languages() -> &'static FxHashMap<String, Vec<&'static str>> {
    static TABLE: OnceLock<FxHashMap<String, Vec<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: FxHashMap<String, Vec<&'static str>> = FxHashMap::default();
        for language in languages() {
            let cued = language.cues.phrases().flat_map(|(words, _)| words);
            for word in language.function_words.iter().chain(cued) {
                let tags = table.entry(word.clone()).or_default();
                if !tags.contains(&language.tag) {
                    tags.push(language.tag);
                }
            }
        }
        table
    })
}
