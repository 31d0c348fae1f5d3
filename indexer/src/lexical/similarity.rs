//! How well a name fits the words that were asked for: the fine order of candidates.

use super::expand::allowed_edits;
use super::query::QueryToken;
use crate::lexicon::{is_function_word, related_words};
use crate::text::{Token, TokenKind, name_key, tokens, words};

/// Added when the name is the very text that was asked for.
const SAME_NAME_BONUS: f32 = 0.25;
/// How much of the score depends on the name having no further words.
const NAME_COVERAGE_SHARE: f32 = 0.25;

/// The fit of one name: the share of the question's words found in it (rare words count more), lowered a
/// little for words of the name that nobody asked for.
pub(super) fn score(query: &[QueryToken], key: &str, name: &str) -> f32 {
    let name_tokens = tokens(name);
    let words = name_tokens.iter().filter(|token| token.kind == TokenKind::Word).count();
    if words == 0 {
        return 0.0;
    }
    let mut covered = vec![false; name_tokens.iter().map(|token| token.position + 1).max().unwrap_or(0)];
    let mut found = 0.0;
    for token in query {
        let (fit, position) = best_match(token, &name_tokens);
        found += token.weight * fit;
        if let Some(seen) = position.and_then(|position| covered.get_mut(position)) {
            *seen = true;
        }
    }
    let asked: f32 = query.iter().map(|token| token.weight).sum();
    let of_question = if asked > 0.0 { found / asked } else { 0.0 };
    let of_name = covered.iter().filter(|seen| **seen).count() as f32 / words as f32;
    let same = if !key.is_empty() && name_key(name) == key { SAME_NAME_BONUS } else { 0.0 };
    of_question * (1.0 - NAME_COVERAGE_SHARE + NAME_COVERAGE_SHARE * of_name.min(1.0)) + same
}

/// How well a text meets the best of some names when every word counts the same: 1 when all words meet, more
/// for the very same name. Words that say nothing are left out; related words count a little less.
pub fn name_fit<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> f32 {
    let asked: Vec<QueryToken> = words(text)
        .into_iter()
        .map(|token| QueryToken { alternatives: related_words(&token.text), text: token.text, weight: 1.0 })
        .filter(|token| !is_function_word(&token.text) || !token.alternatives.is_empty())
        .collect();
    let key = name_key(text);
    names.map(|name| score(&asked, &key, name)).fold(0.0, f32::max)
}

fn best_match(asked: &QueryToken, name: &[Token]) -> (f32, Option<usize>) {
    let mut best = (0.0, None);
    for token in name {
        let whole = if token.kind == TokenKind::Part { 0.9 } else { 1.0 };
        let mut fit = whole * word_similarity(&asked.text, &token.text);
        for (alternative, weight) in &asked.alternatives {
            fit = fit.max(whole * weight * if *alternative == token.text { 1.0 } else { 0.0 });
        }
        if fit > best.0 {
            best = (fit, Some(token.position));
        }
    }
    best
}

/// 1 for the same word, less for a misspelling or a beginning, 0 for another word.
fn word_similarity(asked: &str, word: &str) -> f32 {
    if asked == word {
        return 1.0;
    }
    let (asked_len, word_len) = (asked.chars().count(), word.chars().count());
    if asked_len >= 3 && word.starts_with(asked) {
        return 0.5 + 0.4 * asked_len as f32 / word_len as f32;
    }
    let allowed = usize::from(allowed_edits(asked));
    if allowed == 0 || asked_len.abs_diff(word_len) > allowed {
        return 0.0;
    }
    let distance = edit_distance(asked, word);
    if distance > allowed { 0.0 } else { 1.0 - 1.2 * distance as f32 / asked_len as f32 }
}

/// Optimal string alignment distance: insertions, deletions, substitutions, neighbours swapped.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let mut cost = (last[j + 1] + 1).min(row[j] + 1).min(last[j] + usize::from(ca != cb));
            if i > 0 && j > 0 && *ca == b[j - 1] && a[i - 1] == *cb {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
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

    fn word(text: &str) -> QueryToken {
        QueryToken { text: text.to_owned(), weight: 1.0, alternatives: Vec::new() }
    }

    #[test]
    fn the_same_name_beats_a_longer_one() {
        let query = [word("data"), word("service")];
        let same = score(&query, "data service", "Data Services");
        let longer = score(&query, "data service", "Data Services Europe");
        let half = score(&query, "data service", "Data Centre");
        assert!(same > longer && longer > half, "{same} {longer} {half}");
    }
}
