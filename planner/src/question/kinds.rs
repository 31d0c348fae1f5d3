//! How much each word says when it is left over.

use super::{CueAt, Question, Span, Word, WordKind};
use eruca_language::{Cue, Language};

/// Words before a helping verb that is one of the whole question: "in which towns did …".
const MAX_BEFORE_HELP: u16 = 4;

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
        false if !noun && (is_verb(language, word) || is_said_of(question, at)) => WordKind::Verb,
        false if is_marked(question, at) => WordKind::Verb,
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

/// Whether a word stands where only what is done does: right behind "who", or behind a name whose verb is helped ("does Ada
/// admire …"). It may have no ending that tells so.
fn is_said_of(question: &Question, at: usize) -> bool {
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

/// Whether a word that stands behind verbs alone follows.
fn is_marked(question: &Question, at: usize) -> bool {
    let next = question.words.get(at + 1).filter(|next| next.broken.is_none());
    next.is_some_and(|next| question.language.stands_behind_verbs(&next.folded))
}

/// "Kennt Ada …?": where nouns have capitals, a question that begins with a word before a name or a determiner begins with a verb.
fn begins(question: &Question) -> bool {
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

/// Whether a helping verb stands before a word and no other verb is said for it.
fn is_helped(question: &Question, at: u16) -> bool {
    let begins = |cue: &CueAt| cue.cue == Cue::Do && cue.span.from <= MAX_BEFORE_HELP;
    let has = |cue: &CueAt| matches!(cue.cue, Cue::Have | Cue::Be) && cue.span.from > at;
    let helped = question.cues.iter().any(|cue| begins(cue) && cue.span.to < at);
    let verb = |other: &Word| is_verb(question.language, other) && !other.capital;
    helped
        && !question.language.has_noun_capitals()
        && !question.cues.iter().any(has)
        && !question.words.iter().skip(usize::from(at)).any(verb)
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
