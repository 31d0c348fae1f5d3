//! How much each word says when it is left over.

use super::{Question, Span, Word, WordKind};
use eruca_indexer::language::Language;

/// Gives every word its kind, once everything else is known.
pub(super) fn settle(question: &mut Question) {
    let kinds: Vec<WordKind> =
        question.words.iter().enumerate().map(|(at, word)| kind(question, at, word)).collect();
    for (word, kind) in question.words.iter_mut().zip(kinds) {
        word.kind = kind;
    }
}

fn kind(question: &Question, at: usize, word: &Word) -> WordKind {
    let here = Span::new(at, at + 1);
    if question.quotes.iter().any(|quote| quote.span.contains(here)) {
        return WordKind::Quoted;
    }
    // "one" is mostly a pronoun.
    let small = question.language.is_function_word(&word.folded);
    if is_number(question, here) && !(small && question.numerals.iter().any(|found| found.span == here)) {
        return WordKind::Number;
    }
    if word.capital {
        return WordKind::Name;
    }
    let language = question.language;
    // Where nouns have capitals, a word with one is no verb; the first word may be anything.
    let noun = at > 0 && language.has_noun_capitals() && word.raw.starts_with(char::is_uppercase);
    match small || question.is_possessive_ending(at) {
        true => WordKind::Function,
        false if !noun && is_verb(language, word) => WordKind::Verb,
        false => WordKind::Noun,
    }
}

impl Question {
    /// Whether a word says what something is like: it compares, or stands beside a noun and is none that its language knows.
    pub fn is_adjective(&self, at: u16) -> bool {
        if self.grades.iter().any(|found| found.span.has(at)) {
            return true;
        }
        let noun = |at: u16| self.word(at).filter(|word| word.kind == WordKind::Noun);
        let Some(word) = noun(at) else { return false };
        let behind = at + 1;
        let before = at.checked_sub(1).filter(|_| word.broken.is_none());
        let beside =
            noun(behind).is_some_and(|next| next.broken.is_none()) || before.and_then(noun).is_some();
        let written_as_noun = self.language.has_noun_capitals() && word.raw.starts_with(char::is_uppercase);
        beside && !written_as_noun && !self.language.is_noun(&word.norm)
    }
}

fn is_number(question: &Question, here: Span) -> bool {
    let numbers = question.numerals.iter().map(|found| found.span);
    let places = question.ordinals.iter().map(|found| found.span);
    let times = question.periods.iter().map(|found| found.span);
    numbers.chain(places).chain(times).any(|span| span.contains(here))
}

/// Listed as leading to a noun, or with the ending of a verb; no noun or adjective that the pack lists in this form.
fn is_verb(language: &Language, word: &Word) -> bool {
    let listed = language.is_listed_noun(&word.norm) || language.grade(&word.raw).is_some();
    !listed && (language.leads_to_nouns(&word.norm) || language.ends_as_verb(&word.raw))
}
