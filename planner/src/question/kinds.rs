//! The kind of each word, which determines how much it matters when unused.

use super::{CueAt, ParsedQuestion, Span, Word, WordKind};
use eruca_language::{Cue, Language};

/// Maximum number of words before an auxiliary verb of the main clause: "in which towns did …".
const MAX_BEFORE_HELP: u16 = 4;

/// Assigns a kind to every word, once everything else is known.
pub(super) fn settle(question: &mut ParsedQuestion) {
    let kinds: Vec<WordKind> =
        question.words.iter().enumerate().map(|(at, word)| kind(question, at, word)).collect();
    for (word, kind) in question.words.iter_mut().zip(kinds) {
        word.kind = kind;
    }
}

fn kind(question: &ParsedQuestion, at: usize, word: &Word) -> WordKind {
    let here = Span::new(at, at + 1);
    if question.quotes.iter().any(|quote| quote.span.contains(here)) {
        return WordKind::Quoted;
    }
    // "one" is usually a pronoun.
    let small = question.language.is_function_word(&word.folded);
    if is_number(question, here) && !(small && question.numerals.iter().any(|found| found.span == here)) {
        return WordKind::Number;
    }
    if word.capital {
        return WordKind::Name;
    }
    let language = question.language;
    // With capitalized nouns, a capitalized word is not a verb; the first word may be anything.
    let noun = at > 0 && language.has_noun_capitals() && word.raw.starts_with(char::is_uppercase);
    match small || question.is_possessive_ending(at) {
        true => WordKind::Function,
        false if !noun && (is_verb(language, word) || is_said_of(question, at)) => WordKind::Verb,
        false if is_marked(question, at) => WordKind::Verb,
        false => WordKind::Noun,
    }
}

impl ParsedQuestion {
    /// Whether a word is an adjective: gradable, or next to a noun and not a noun that the language knows.
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

/// Whether a word is in the position of a verb: directly after "who", or after a name with an auxiliary verb ("does Ada admire
/// …"). Its ending may not show it.
fn is_said_of(question: &ParsedQuestion, at: usize) -> bool {
    if at == 0 {
        return begins(question);
    }
    let Some(last) = at.checked_sub(1).map(|last| Span::new(last, at)) else { return false };
    let graded = question.grades.iter().any(|grade| grade.span.has(at as u16));
    let cued = question.cues.iter().any(|cue| cue.span.has(at as u16));
    if graded || cued {
        return false;
    }
    let who = question.cues.iter().any(|cue| cue.cue == Cue::Who && cue.span == last);
    let named = question.words.get(at - 1).is_some_and(|word| word.capital);
    let joined = question.words.get(at).is_some_and(|word| word.broken.is_some());
    who || (named && !joined && is_helped(question, at as u16))
}

/// Whether a word follows that only stands after verbs.
fn is_marked(question: &ParsedQuestion, at: usize) -> bool {
    let next = question.words.get(at + 1).filter(|next| next.broken.is_none());
    next.is_some_and(|next| question.language.stands_behind_verbs(&next.folded))
}

/// "Kennt Ada …?": with capitalized nouns, a first word before a name or a determiner is a verb.
fn begins(question: &ParsedQuestion) -> bool {
    let language = question.language;
    let cued = question.cues.iter().any(|cue| cue.span.has(0))
        || question.grades.iter().any(|grade| grade.span.has(0));
    let next = question.words.get(1);
    let announced = next
        .is_some_and(|word| word.broken.is_none() && (word.capital || language.is_determiner(&word.folded)));
    let small =
        question.words.first().is_some_and(|word| !language.is_function_word(&word.folded) && !word.capital);
    language.has_noun_capitals() && !cued && announced && small && question.text.trim_end().ends_with('?')
}

/// Whether an auxiliary verb precedes a word without another main verb for it.
fn is_helped(question: &ParsedQuestion, at: u16) -> bool {
    let begins = |cue: &CueAt| cue.cue == Cue::Do && cue.span.from <= MAX_BEFORE_HELP;
    let has = |cue: &CueAt| matches!(cue.cue, Cue::Have | Cue::Be) && cue.span.from > at;
    let helped = question.cues.iter().any(|cue| begins(cue) && cue.span.to < at);
    let verb = |other: &Word| is_verb(question.language, other) && !other.capital;
    helped
        && !question.language.has_noun_capitals()
        && !question.cues.iter().any(has)
        && !question.words.iter().skip(usize::from(at)).any(verb)
}

fn is_number(question: &ParsedQuestion, here: Span) -> bool {
    let numbers = question.numerals.iter().map(|found| found.span);
    let places = question.ordinals.iter().map(|found| found.span);
    let times = question.periods.iter().map(|found| found.span);
    numbers.chain(places).chain(times).any(|span| span.contains(here))
}

/// Listed as related to a noun, or ending like a verb; but not a noun or adjective listed in this form.
fn is_verb(language: &Language, word: &Word) -> bool {
    let listed = language.is_listed_noun(&word.norm) || language.grade(&word.raw).is_some();
    !listed && (language.leads_to_nouns(&word.norm) || language.ends_as_verb(&word.raw))
}
