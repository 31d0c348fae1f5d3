//! Words of a question that refer back, and texts assembled from pieces of questions.

use crate::question::{ParsedQuestion, Span, WordKind};
use eruca_language::{Anaphor, Cue, Language, QUESTION_WORDS, Role};

/// The folded words of a question, with lookups in its language.
pub(super) struct Words<'q> {
    pub question: &'q ParsedQuestion,
    folded: Vec<&'q str>,
}

impl<'q> Words<'q> {
    pub fn of(question: &'q ParsedQuestion) -> Self {
        Self { question, folded: question.words.iter().map(|word| word.folded.as_str()).collect() }
    }

    pub fn len(&self) -> usize {
        self.folded.len()
    }

    /// Number of words from here on that refer back in this way.
    pub fn back(&self, at: usize, back: Anaphor) -> Option<usize> {
        self.question.language.refers_back(back, self.folded.get(at..)?)
    }

    /// The end of the words, excluding a closing filler phrase.
    pub fn end(&self, from: usize) -> usize {
        let ends = |at: &usize| self.back(*at, Anaphor::Tail).is_some_and(|length| at + length == self.len());
        (from..self.len()).find(ends).filter(|at| *at > from).unwrap_or(self.len())
    }

    /// The text from one word up to, but excluding, another.
    pub fn text(&self, from: usize, to: usize) -> &'q str {
        self.question.text_of(Span::new(from, to))
    }

    pub fn kind(&self, at: usize) -> Option<WordKind> {
        self.question.words.get(at).map(|word| word.kind)
    }

    /// Whether a question word or command stands between two positions.
    pub fn asks(&self, from: usize, to: usize) -> bool {
        let all = || QUESTION_WORDS.iter().chain(&[Cue::Command, Cue::Why, Cue::Exists]);
        (from..to).any(|at| all().any(|cue| self.has_cue(at, *cue)))
    }

    pub fn has_cue(&self, at: usize, cue: Cue) -> bool {
        u16::try_from(at).is_ok_and(|at| self.question.has_cue(at, cue))
    }

    pub fn has_role(&self, at: usize, role: Role) -> bool {
        u16::try_from(at).is_ok_and(|at| self.question.role_at(at) == Some(role))
    }

    /// Whether a form of "be", "do" or "have" stands here, not used as a preposition.
    pub fn is_small_verb(&self, at: usize) -> bool {
        let preposition = u16::try_from(at).is_ok_and(|at| self.question.role_at(at).is_some());
        !preposition && [Cue::Be, Cue::Do, Cue::Have].iter().any(|cue| self.has_cue(at, *cue))
    }

    /// The verb joined to a word by hyphens: "est-elle", "a-t-il".
    pub fn verb_before(&self, at: usize) -> Option<usize> {
        let word = |at: usize| self.question.words.get(at);
        let joined = |at: &usize| match (at.checked_sub(1).and_then(word), word(*at)) {
            (Some(before), Some(here)) => self.question.text.get(before.bytes.1..here.bytes.0) == Some("-"),
            _ => false,
        };
        let first = (1..=at).rev().take_while(joined).last()?;
        first.checked_sub(1)
    }

    /// Whether a word is part of a longer fixed phrase: "are there".
    pub fn is_in_phrase(&self, at: usize) -> bool {
        let at = u16::try_from(at).unwrap_or(u16::MAX);
        let form = [Cue::Exists, Cue::HowMany, Cue::HowMuch, Cue::Command];
        self.question.cues.iter().any(|cue| cue.span.len() > 1 && cue.span.has(at) && form.contains(&cue.cue))
    }
}

/// The text of a question with some spans replaced; positions count words.
pub(super) fn edited(question: &ParsedQuestion, edits: &[(Span, String)]) -> String {
    let mut edits: Vec<&(Span, String)> = edits.iter().collect();
    edits.sort_by_key(|(span, _)| span.from);
    let (mut text, mut from) = (String::new(), 0);
    for (span, new) in edits {
        let bounds = |at: u16| question.word(at).map(|word| word.bytes);
        let last = span.to.checked_sub(1).and_then(bounds);
        let (Some((begin, _)), Some((_, end))) = (bounds(span.from), last) else { continue };
        text.push_str(question.text.get(from..begin).unwrap_or_default());
        text.push_str(new);
        from = end;
    }
    text.push_str(question.text.get(from..).unwrap_or_default());
    tidy(&text)
}

/// A phrase with the article or the like that its language puts before the noun: "la población", "l'adresse".
pub(super) fn fitted(language: &Language, key: &str, noun: &str, phrase: &str) -> String {
    match language.fitting(key, noun) {
        Some(word) if word.ends_with(['\'', '’']) => format!("{word}{phrase}"),
        Some(word) => format!("{word} {phrase}"),
        None => phrase.to_owned(),
    }
}

/// The text of a question without its punctuation marks.
pub(super) fn bare(question: &ParsedQuestion) -> &str {
    question
        .text
        .trim()
        .trim_start_matches(['¿', '¡'])
        .trim_end_matches(['?', '.', '!', ' ', '\u{a0}', '\u{202f}'])
}

/// A text with capital and marks like a given question.
pub(super) fn asked(text: &str, like: &ParsedQuestion) -> String {
    let text = tidy(text);
    let mut chars = text.chars();
    let text = chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect());
    let (before, behind) = marks(like);
    format!("{before}{text}{behind}")
}

/// The opening and closing marks of a question.
fn marks(like: &ParsedQuestion) -> (&str, &str) {
    let text = like.text.trim();
    let inner = bare(like);
    text.split_once(inner).filter(|_| !inner.is_empty()).unwrap_or(("", "?"))
}

fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
