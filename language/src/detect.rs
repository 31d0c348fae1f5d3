//! Detects the language of a question: by words and letters known to the packs, otherwise by its script.

use super::phrases::folded_words;
use super::script::language_of_letters;
use super::{Cue, Language, is_kana, language, language_of_script, languages, neutral};
use crate::text::{fold, is_unspaced, normalize_word};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Weight of a function word or cue.
const FUNCTION: f32 = 1.0;
/// Weight of a noun, verb or adjective: names contain such words from any language.
const CONTENT: f32 = 0.4;
/// Weight of a word that a pack only has in another form: "rivers" for "river".
const INFLECTED: f32 = 0.3;
/// Weight of a letter that other languages lack: names contain such letters too.
const LETTER: f32 = 0.75;
/// Weight of such a letter if it occurs only in capitalized words inside the question, which are usually names.
const NAME_LETTER: f32 = 0.2;
/// Factor for a function word capitalized inside the question: "Dining Car" is not French.
const IN_NAME: f32 = 0.25;
/// Scores up to this come from names alone and are ignored.
const NOTHING: f32 = 0.25;
/// Factor for the first word, which is more significant: "was", "die" and "in" also occur inside questions of other languages.
const FIRST_WORD: f32 = 1.5;

/// Minimum length of a base form used for detection: short ones are ambiguous between languages.
const MIN_BASE: usize = 4;

impl Language {
    /// Whether a folded word alone marks a text as a question.
    fn asks(&self, folded: &str) -> bool {
        let cued = self.cues_at(&[folded]).iter().any(|(cue, _)| cue.asks_for_things() || *cue == Cue::Why);
        cued || self.asks_at_end(folded) || self.asks_whether(folded)
    }
}

/// How strongly a word indicates each language that has it.
type Weights = Vec<(&'static str, f32)>;

/// The language of a question; `None` if undecidable.
pub fn detect(question: &str) -> Option<&'static Language> {
    by_letters(question)
        .or_else(|| asked_without_spaces(question))
        .or_else(|| likeliest(question, &[]))
        .or_else(|| by_script(question))
}

/// The language of a question. Among equally likely languages, the caller's first preference wins; it is also the result if the
/// language is undecidable. Without preferences, the pack marked as fallback is the default.
pub fn detect_among(question: &str, preferred: &[String]) -> Option<&'static Language> {
    // A lone word is usually a name, which many languages share.
    let alone = folded_words(question).len() < 2 && !preferred.is_empty();
    let told = || if alone { None } else { likeliest(question, preferred) };
    by_letters(question)
        .or_else(|| asked_without_spaces(question))
        .or_else(told)
        .or_else(|| by_script(question))
        .or_else(|| preferred.iter().find_map(|tag| language(tag)))
        .or_else(|| languages().find(|language| language.about.fallback))
}

/// A language without a pack, if its distinctive letters occur outside of names: packs of the same script are no evidence then.
fn by_letters(question: &str) -> Option<&'static Language> {
    let (_, others) = names_and_others(question);
    let tag = language_of_letters(&others.concat()).filter(|tag| language(tag).is_none())?;
    Some(neutral(tag))
}

/// The language without spaces that a question is in: one of its question words occurs, even among names in other languages. A
/// name alone is not a question, and kana indicates another language.
fn asked_without_spaces(question: &str) -> Option<&'static Language> {
    if !question.contains(is_unspaced) || question.contains(is_kana) {
        return None;
    }
    languages().filter(|language| language.is_unspaced()).find(|language| {
        let words = language.cut(question).into_iter().filter_map(|(from, to)| question.get(from..to));
        words.filter(|word| word.contains(is_unspaced)).any(|word| language.asks(&fold(word)))
    })
}

fn by_script(question: &str) -> Option<&'static Language> {
    language_of_script(question).map(|tag| language(tag).unwrap_or_else(|| neutral(tag)))
}

fn likeliest(question: &str, preferred: &[String]) -> Option<&'static Language> {
    let scores = scores(question);
    let best = scores.iter().map(|(_, score)| *score).fold(0.0, f32::max);
    let rank = |known: &Language| {
        let place =
            preferred.iter().position(|tag| language(tag).is_some_and(|other| other.tag == known.tag));
        (place.unwrap_or(preferred.len()), !known.about.fallback)
    };
    let likeliest = scores.iter().filter(|(_, score)| best > NOTHING && *score >= best - f32::EPSILON);
    likeliest.min_by_key(|(language, _)| rank(language)).map(|(language, _)| *language)
}

fn scores(question: &str) -> Vec<(&'static Language, f32)> {
    let (names, others) = names_and_others(question);
    let in_names: Vec<String> = names.iter().copied().flat_map(folded_words).collect();
    let weighed = |word: &String| {
        let mut weights = weights(word);
        if in_names.contains(word) {
            weights
                .iter_mut()
                .filter(|(_, weight)| *weight >= FUNCTION)
                .for_each(|(_, weight)| *weight *= IN_NAME);
        }
        weights
    };
    let words: Vec<Weights> = folded_words(question).iter().map(weighed).collect();
    let lower = |words: &[&str]| words.concat().to_lowercase();
    let (name_letters, own_letters) = (lower(&names), lower(&others));
    let score = |language: &'static Language| {
        let letters = language.about.letters.chars().map(|letter| match letter {
            letter if own_letters.contains(letter) => LETTER,
            letter if name_letters.contains(letter) => NAME_LETTER,
            _ => 0.0,
        });
        let told = words.iter().enumerate().map(|(at, weights)| {
            let place = if at == 0 { FIRST_WORD } else { 1.0 };
            place * told(language.tag, weights)
        });
        told.sum::<f32>() + letters.sum::<f32>()
    };
    languages().map(|language| (language, score(language))).collect()
}

/// The capitalized words that do not begin the question, which are usually names; and all others.
fn names_and_others(question: &str) -> (Vec<&str>, Vec<&str>) {
    let capital = |word: &str| word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
    let words = question.split_whitespace().enumerate();
    let (names, others): (Vec<_>, Vec<_>) = words.partition(|(at, word)| *at > 0 && capital(word));
    (names.into_iter().map(|(_, word)| word).collect(), others.into_iter().map(|(_, word)| word).collect())
}

/// How strongly a word indicates a language: the more languages have it, the less.
fn told(tag: &str, weights: &[(&'static str, f32)]) -> f32 {
    let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
    let own = weights.iter().find(|(known, _)| *known == tag).map_or(0.0, |(_, weight)| *weight);
    if own > 0.0 { own * own / sum } else { 0.0 }
}

/// The weights of a word: as spelled in the packs, and by its base form in those that lack it.
fn weights(word: &str) -> Weights {
    let known = &word_weights().as_written;
    let written = known.get(word).or_else(|| known.get(&normalize_word(word)));
    let mut found = written.cloned().unwrap_or_default();
    for language in languages() {
        let base = language.base(word);
        let bases = word_weights().by_base.get(&base).map_or(&[][..], Vec::as_slice);
        if bases.contains(&language.tag) && base.chars().count() >= MIN_BASE {
            add(&mut found, language.tag, INFLECTED);
        }
    }
    found
}

/// The words of all packs.
#[derive(Default)]
struct Known {
    as_written: FxHashMap<String, Weights>,
    by_base: FxHashMap<String, Vec<&'static str>>,
}

fn word_weights() -> &'static Known {
    static TABLE: OnceLock<Known> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut known = Known::default();
        for language in languages() {
            let cued = language.cues.phrases().flat_map(|(words, _)| words);
            for word in language.words.function_words.iter().chain(cued) {
                add(known.as_written.entry(word.clone()).or_default(), language.tag, FUNCTION);
            }
            for word in language.content_words() {
                add(known.as_written.entry(word.to_owned()).or_default(), language.tag, CONTENT);
                let tags = known.by_base.entry(language.base(word)).or_default();
                // Languages come one after the other.
                if tags.last() != Some(&language.tag) {
                    tags.reserve_exact(1);
                    tags.push(language.tag);
                }
            }
        }
        known
    })
}

/// Keeps the first weight added for a language, which is the largest.
fn add(weights: &mut Weights, tag: &'static str, weight: f32) {
    if !weights.iter().any(|(known, _)| *known == tag) {
        // Most words are of one language only.
        weights.reserve_exact(1);
        weights.push((tag, weight));
    }
}
