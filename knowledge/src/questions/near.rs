//! Questions that share words with the one that is asked: an inverted index in memory. A question is near if a share of the words
//! of both is common; the rarer these words are, the nearer it is (the weight of a word is that of BM25, without lengths).

use super::VerifiedQuestion;
use eruca_language::text::{normalize_word, searched_part, word_spans};
use eruca_language::{Language, detect, language};
use rustc_hash::{FxHashMap, FxHashSet};

/// Near questions at most.
pub const MAX_NEAR: usize = 3;
/// Share of the words of both questions that must be common.
pub const MIN_SHARE: f32 = 0.25;

/// Content words with the questions that have them.
#[derive(Debug, Default)]
pub(super) struct Words {
    having: FxHashMap<String, Vec<u32>>,
    /// For each question its place, number of words and language.
    known: Vec<(usize, u32, Option<String>)>,
}

impl Words {
    /// Adds a question at a place.
    pub(super) fn add(&mut self, at: usize, question: &VerifiedQuestion) {
        let Ok(number) = u32::try_from(self.known.len()) else { return };
        let words = content_words(&question.question, question.lang.as_deref());
        self.known.push((at, u32::try_from(words.len()).unwrap_or(u32::MAX), question.lang.clone()));
        for word in words {
            self.having.entry(word).or_default().push(number);
        }
    }

    /// The places of the nearest questions in this language or without one.
    pub(super) fn near(&self, text: &str, lang: &str) -> Vec<usize> {
        let asked = content_words(text, Some(lang));
        let mut common: FxHashMap<u32, (u32, f32)> = FxHashMap::default();
        for word in &asked {
            let having = self.having.get(word).map(Vec::as_slice).unwrap_or_default();
            let (all, some) = (self.known.len() as f32, having.len() as f32);
            let weight = ((all - some + 0.5) / (some + 0.5) + 1.0).ln();
            for number in having {
                let (count, sum) = common.entry(*number).or_default();
                (*count, *sum) = (*count + 1, *sum + weight);
            }
        }
        let mut found: Vec<(f32, usize)> = Vec::new();
        for (number, (count, sum)) in common {
            let Some((at, length, of)) = self.known.get(number as usize) else { continue };
            let all = asked.len() as f32 + *length as f32 - count as f32;
            let share = count as f32 / all.max(1.0);
            if share >= MIN_SHARE && of.as_deref().is_none_or(|tag| same_language(tag, lang)) {
                found.push((sum * share, *at));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        found.into_iter().take(MAX_NEAR).map(|(_, at)| at).collect()
    }
}

fn same_language(tag: &str, other: &str) -> bool {
    let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    primary(tag) == primary(other)
}

/// The share of the content words of two questions that both have, from 0 to 1; 0 if they have other numbers.
#[must_use]
pub fn shared_words(one: &str, other: &str, lang: Option<&str>) -> f32 {
    let (one, other) = (content_words(one, lang), content_words(other, lang));
    let has_digit = |word: &&String| word.chars().any(char::is_numeric);
    if one.symmetric_difference(&other).any(|word| has_digit(&word)) {
        return 0.0;
    }
    one.intersection(&other).count() as f32 / (one.union(&other).count().max(1)) as f32
}

/// The different words of a text that are no function words of its language; all of its words if there are no others.
pub(super) fn content_words(text: &str, lang: Option<&str>) -> FxHashSet<String> {
    let text = searched_part(text);
    let language = lang.and_then(language).or_else(|| detect(text));
    let mut all = FxHashSet::default();
    let mut content = FxHashSet::default();
    for (from, to) in word_spans(text) {
        let word = normalize_word(text.get(from..to).unwrap_or_default());
        if !language.is_some_and(|language| is_function_word(language, text.get(from..to), &word)) {
            content.insert(word.clone());
        }
        all.insert(word);
    }
    if content.is_empty() { all } else { content }
}

fn is_function_word(language: &Language, written: Option<&str>, word: &str) -> bool {
    let folded = eruca_language::text::fold(written.unwrap_or_default());
    language.is_function_word(&folded) || language.is_function_word(word) || language.is_light_verb(&folded)
}
