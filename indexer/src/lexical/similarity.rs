//! How well a name fits the search words: the final order of candidates.

use super::names::{NameToken, decode, encode, words};
use super::plan::QueryToken;
use eruca_language::text::{self, TokenKind, name_key};
use eruca_language::{is_function_word, related_words};

/// Added if the name is exactly the search text.
const SAME_NAME_BONUS: f32 = 0.25;
/// Added if the name consists of exactly the search words, in another order.
const SAME_WORDS_BONUS: f32 = 0.1;
/// Share of the score that depends on the name having no other words.
const NAME_COVERAGE_SHARE: f32 = 0.25;

/// Letters by which joined words may differ from the search text, and edits of a misspelt word.
const MAX_TORN: usize = 2;
const MAX_TYPOS: usize = 2;

/// Added if the name also contains the function words of the text: "La Paz" before "Paz" for "la paz".
const SMALL_WORDS_BONUS: f32 = 0.02;

/// The search text, prepared for comparison with many names.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SearchedText {
    /// The content words.
    pub(super) tokens: Vec<QueryToken>,
    /// The function words, if there are content words as well.
    pub(super) small_words: Vec<String>,
    /// The whole text as returned by [`name_key`].
    pub(super) key: String,
}

impl SearchedText {
    /// The best score of a name that lacks one of the words.
    pub(super) fn best_without_a_word(&self) -> f32 {
        let weights = self.tokens.iter().map(|token| token.weight);
        let (sum, least) = (weights.clone().sum::<f32>(), weights.fold(f32::MAX, f32::min));
        if sum > 0.0 { 1.0 - least / sum } else { 1.0 }
    }
}

/// How well a name fits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct NameFit {
    /// 1 for the same words, more for an identical name, 0 for no match.
    pub(super) score: f32,
    /// Whether it contains every content word as it was written.
    pub(super) whole: bool,
}

/// The fit of one encoded name: the share of the question's words in it (weighted by rarity),
/// reduced a little for additional words of the name.
pub(super) fn fit(asked: &SearchedText, name: &str) -> NameFit {
    let tokens: Vec<NameToken<'_>> = decode(name).collect();
    let Some(last) = tokens.last().map(|token| token.position) else { return NameFit::default() };
    let mut covered = vec![false; last + 1];
    let mut cover = |position: Option<usize>| {
        if let Some(seen) = position.and_then(|position| covered.get_mut(position)) {
            *seen = true;
        }
    };
    let (mut found, mut weights, mut whole) = (0.0, 0.0, true);
    for token in &asked.tokens {
        let (fit, position) = best_match(token, &tokens);
        whole &= fit >= 1.0;
        found += token.weight * fit;
        weights += token.weight;
        cover(position);
    }
    if found == 0.0 {
        return NameFit::default();
    }
    let mut small = 0.0;
    for word in &asked.small_words {
        let token = tokens.iter().find(|token| token.text == word);
        small += f32::from(u8::from(token.is_some())) / asked.small_words.len() as f32;
        cover(token.map(|token| token.position));
    }
    let of_question = if weights > 0.0 { found / weights } else { 0.0 };
    let of_name = covered.iter().filter(|seen| **seen).count() as f32 / covered.len() as f32;
    let covered = of_question * (1.0 - NAME_COVERAGE_SHARE + NAME_COVERAGE_SHARE * of_name);
    NameFit { score: covered + SMALL_WORDS_BONUS * small + same_words(&asked.key, name), whole }
}

/// The bonus if an encoded name has the words of the key, in the same or another order.
fn same_words(key: &str, name: &str) -> f32 {
    let mut asked: Vec<&str> = key.split(' ').filter(|word| !word.is_empty()).collect();
    let mut found: Vec<&str> = words(name).collect();
    if asked.len() != found.len() || asked.is_empty() {
        return 0.0;
    }
    if asked == found {
        return SAME_NAME_BONUS;
    }
    asked.sort_unstable();
    found.sort_unstable();
    if asked == found { SAME_WORDS_BONUS } else { 0.0 }
}

/// How well a text matches the best of some names, with equal weights for all words: 1 if all words match, more
/// for an identical name. Function words are ignored; related words count a little less.
pub fn name_fit<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> f32 {
    let text = text::searched_part(text);
    let tokens: Vec<QueryToken> = text::words(text)
        .into_iter()
        .map(|token| QueryToken::new(token.text, 1.0, related_words))
        .filter(|token| !is_function_word(&token.text) || !token.alternatives.is_empty())
        .collect();
    let asked = SearchedText { tokens, small_words: Vec::new(), key: name_key(text) };
    names.map(|name| fit(&asked, &encode(name)).score).fold(0.0, f32::max)
}

fn best_match(asked: &QueryToken, name: &[NameToken<'_>]) -> (f32, Option<usize>) {
    let mut best = (0.0, None);
    for token in name {
        let whole = if token.kind == TokenKind::Part { 0.9 } else { 1.0 };
        let mut fit = whole * word_similarity(asked, token.text);
        for (alternative, weight) in &asked.alternatives {
            fit = fit.max(whole * weight * if *alternative == token.text { 1.0 } else { 0.0 });
        }
        if fit > best.0 {
            best = (fit, Some(token.position));
        }
    }
    best
}

/// 1 for the same word, less for a misspelling or a prefix, 0 for another word.
fn word_similarity(asked: &QueryToken, word: &str) -> f32 {
    if asked.text == word {
        return 1.0;
    }
    let asked_len = asked.chars.len();
    // No word has more characters than bytes.
    if word.len() + usize::from(asked.edits) < asked_len {
        return 0.0;
    }
    let word_len = word.chars().count();
    if asked_len >= 3 && word.starts_with(&asked.text) {
        return 0.5 + 0.4 * asked_len as f32 / word_len as f32;
    }
    let allowed = usize::from(asked.edits);
    if allowed == 0 || asked_len.abs_diff(word_len) > allowed {
        return 0.0;
    }
    let distance = distance(&asked.chars, word);
    if distance > allowed { 0.0 } else { 1.0 - 1.2 * distance as f32 / asked_len as f32 }
}

/// Optimal string alignment distance: insertions, deletions, substitutions, transpositions of neighbours.
pub fn edit_distance(a: &str, b: &str) -> usize {
    distance(&a.chars().collect::<Vec<_>>(), b)
}

/// Whether a name is one word that only resembles one of several in the question: "German" is not a misspelling of
/// "Herman Tiller". Joined or split words are as long as the whole question.
pub fn is_like_a_part(asked: &str, name: &str) -> bool {
    let asked: Vec<String> = text::words(asked).into_iter().map(|token| token.text).collect();
    let name: Vec<String> = text::words(name).into_iter().map(|token| token.text).collect();
    let [name] = name.as_slice() else { return false };
    let joined: usize = asked.iter().map(|word| word.chars().count()).sum();
    let meant = |word: &String| word.starts_with(name) || name.starts_with(word.as_str());
    asked.len() > 1
        && joined.abs_diff(name.chars().count()) > MAX_TORN
        && !asked.iter().any(meant)
        && asked.iter().any(|word| edit_distance(word, name) <= MAX_TYPOS)
}

#[expect(clippy::indexing_slicing, reason = "the rows have one cell more than there are characters in b")]
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row: Vec<usize> = vec![0; b.len() + 1];
    for (i, ca) in a.iter().enumerate() {
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let mut cost = (last[j + 1] + 1).min(row[j] + 1).min(last[j] + usize::from(ca != cb));
            if i > 0 && j > 0 && *ca == b[j - 1] && a[i - 1] == *cb {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_swaps_once() {
        assert_eq!(edit_distance("transducr", "transducer"), 1);
        assert_eq!(edit_distance("ab", "ba"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
    }

    fn score(text: &str, small_words: &[&str], name: &str) -> f32 {
        let small = |word: &str| small_words.contains(&word);
        let tokens = text.split(' ').filter(|word| !small(word));
        let tokens = tokens.map(|word| QueryToken::new(word.to_owned(), 1.0, |_| Vec::new())).collect();
        let small_words = small_words.iter().map(|word| (*word).to_owned()).collect();
        fit(&SearchedText { tokens, small_words, key: name_key(text) }, &encode(name)).score
    }

    #[test]
    fn the_same_name_beats_a_longer_one() {
        let same = score("data service", &[], "Data Services");
        let longer = score("data service", &[], "Data Services Europe");
        let half = score("data service", &[], "Data Centre");
        assert!(same > longer && longer > half, "{same} {longer} {half}");
    }

    #[test]
    fn small_words_decide_between_equals_only() {
        assert!(score("la primavra", &["la"], "La Primavera") > score("la primavra", &["la"], "Primavera"));
        assert!(score("the casal", &["the"], "Casal") > score("the casal", &["the"], "The Casal Club"));
    }
}
