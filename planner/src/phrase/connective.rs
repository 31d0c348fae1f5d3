//! The words between two phrases: prepositions and conjunctions that relate them, and skipped words.

use super::item::{Cues, Item, Words};
use crate::question::{CueAt, ParsedQuestion, Span, WordKind};
use crate::score::{Feature, Features};
use eruca_language::{Cue, QUESTION_WORDS, Role};

/// Maximum number of content words skipped between two related phrases.
const MAX_SKIPPED: u32 = 3;

/// The words between two phrases.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connective {
    pub span: Span,
    /// Cues in it.
    pub cues: Vec<(Cue, Span)>,
    /// The last preposition in it.
    pub role: Option<Role>,
    /// Whether it contains a possessive ending.
    pub possessive: bool,
    /// Whether it contains a comma.
    pub comma: bool,
    /// Whether a sentence ends in it.
    pub sentence: bool,
}

impl Connective {
    /// Reads the connective in a span; none if it contains too many content words.
    pub fn read(question: &ParsedQuestion, span: Span) -> Option<Self> {
        let telling = (span.from..span.to).filter(|at| !question.is_function_word(*at)).count() as u32;
        let cued: Vec<(Cue, Span)> = question
            .cues
            .iter()
            .filter(|cue| span.contains(cue.span))
            .map(|cue| (cue.cue, cue.span))
            .collect();
        let uncued = (span.from..span.to)
            .filter(|at| !question.is_function_word(*at) && !cued.iter().any(|(_, cue)| cue.has(*at)))
            .count() as u32;
        if uncued > MAX_SKIPPED || telling > MAX_SKIPPED + 3 {
            return None;
        }
        let breaks = || (span.from..=span.to).filter_map(|at| question.words.get(usize::from(at))?.broken);
        Some(Self {
            span,
            role: (span.from..span.to).filter_map(|at| question.role_at(at)).next_back(),
            possessive: (span.from..span.to).any(|at| question.is_possessive(at)),
            comma: breaks().any(|mark| ",;–—:".contains(mark)),
            sentence: breaks().any(|mark| ".?!".contains(mark)),
            cues: cued,
        })
    }

    pub fn has(&self, cue: Cue) -> bool {
        self.cues.iter().any(|(known, _)| *known == cue)
    }

    /// The given cues that it contains.
    pub fn those_of(&self, cues: impl IntoIterator<Item = Cue>) -> impl Iterator<Item = Cue> {
        cues.into_iter().filter(|cue| self.has(*cue))
    }

    /// A copy without a cue.
    #[must_use]
    pub fn without(&self, cue: Cue) -> Self {
        let cues = self.cues.iter().filter(|(known, _)| *known != cue).copied().collect();
        Self { cues, ..self.clone() }
    }

    pub fn is_empty(&self) -> bool {
        self.span.is_empty()
    }

    /// Whether the phrases form a list, joined by a comma or "and". "Mayors who are also artists" is not a list.
    pub fn lists(&self) -> bool {
        // "For each town, what is …": a comma before a question does not make a list.
        let asks = self.has(Cue::WhatIs) || self.has(Cue::HowMany) || self.has(Cue::Command);
        self.has(Cue::And) || (self.has(Cue::AsWell) && !self.has(Cue::Be)) || (self.comma && !asks)
    }

    /// The cost of skipping its words, except those of the cues that a construct used; and the words of those cues. `skips` has
    /// the cost of each word of the question.
    pub fn price(&self, skips: &[Features], used: Cues) -> (Features, Words) {
        let mut features = Features::default();
        let mut words = Words::default();
        for (_, span) in self.cues.iter().filter(|(cue, _)| used.contains(*cue)) {
            words = words.with(Words::of(*span));
        }
        for at in (self.span.from..self.span.to).filter(|at| !words.contains(*at)) {
            skips.get(usize::from(at)).into_iter().for_each(|cost| features.add_all(cost));
        }
        (features, words)
    }
}

/// Two neighbours and the words between them.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a, 'k> {
    pub left: &'a Item<'k>,
    pub connective: &'a Connective,
    pub right: &'a Item<'k>,
}

/// The cost of skipping each word of a question.
pub(crate) fn skips(question: &ParsedQuestion) -> Vec<Features> {
    let cost = |at: u16| {
        let mut features = Features::default();
        skip(question, at, &mut features);
        features
    };
    (0..question.len() as u16).map(cost).collect()
}

/// Adds the cost of skipping a word.
pub(crate) fn skip(question: &ParsedQuestion, at: u16, features: &mut Features) {
    let Some(word) = question.words.get(usize::from(at)) else { return };
    if opens_half(question, at) {
        features.add(Feature::SkippedHalf, 1.0);
    }
    if says_only_form(question, at) {
        return;
    }
    quantified(question, at, features);
    // "Qui a un …": an auxiliary verb may be spelled like a preposition.
    let helps = |cue: &CueAt| cue.span.len() == 1 && matches!(cue.cue, Cue::Be | Cue::Do | Cue::Have);
    let here = || question.cues.iter().filter(|cue| cue.span.has(at));
    let helping = word.kind == WordKind::Function && here().any(helps);
    // "In every": without the preposition it still means "every".
    let each = |cue: &CueAt| {
        cue.cue == Cue::Each && question.role_at(at).is_some() && is_quantified(question, cue.span)
    };
    let cue = here().any(|cue| is_strong(cue.cue) && !(helping && cue.span.len() == 1) && !each(cue));
    let feature = match word.kind {
        _ if cue => Feature::SkippedCue,
        WordKind::Function => return,
        WordKind::Verb => Feature::SkippedVerb,
        WordKind::Noun => Feature::SkippedNoun,
        WordKind::Number => Feature::SkippedNumber,
        WordKind::Name | WordKind::Quoted => Feature::SkippedName,
    };
    features.add(feature, 1.0);
}

/// Whether a phrase ends with a universal quantifier.
fn is_quantified(question: &ParsedQuestion, span: Span) -> bool {
    let inside = |cue: &CueAt| cue.cue == Cue::All && cue.span.to == span.to && cue.span.from > span.from;
    question.cues.iter().any(inside)
}

/// Adds the cost of skipping a quantifier: "all" and "only" change the meaning, unless "only" belongs to a number ("only two") or
/// a command ("list only").
fn quantified(question: &ParsedQuestion, at: u16, features: &mut Features) {
    let begins = |cue: Cue| question.cues.iter().find(|found| found.cue == cue && found.span.from == at);
    let all = begins(Cue::All).is_some() && leaves_no_exception(question, at);
    features.add(Feature::SkippedAll, f32::from(u8::from(all)));
    let told = at > 0 && question.cues.iter().any(|cue| cue.cue == Cue::Command && cue.span.has(at - 1));
    let number = |to: u16| question.numerals.iter().any(|number| number.span.from == to);
    let only = begins(Cue::Only).is_some_and(|only| !number(only.span.to)) && !told;
    features.add(Feature::SkippedOnly, f32::from(u8::from(only)));
}

/// Whether "all" at a word excludes exceptions rather than asking about each thing: in yes/no questions, and as the object of a
/// verb or of "have".
pub(crate) fn leaves_no_exception(question: &ParsedQuestion, at: u16) -> bool {
    let begins = |cue: &CueAt| cue.span.from <= 1 && matches!(cue.cue, Cue::Which | Cue::Who);
    let has = |before: u16| {
        question.word(before).is_some_and(|word| word.kind == WordKind::Verb)
            || (question.has_cue(before, Cue::Have) && question.role_at(before).is_none())
    };
    // "Performed in every": a preposition may stand between verb and quantifier.
    let behind = |before: u16| {
        has(before) || (question.role_at(before).is_some() && before.checked_sub(1).is_some_and(has))
    };
    question.asks_yes_or_no() || (question.cues.iter().any(begins) && at.checked_sub(1).is_some_and(behind))
}

/// Whether a second question begins at a word: "… and how big is it".
fn opens_half(question: &ParsedQuestion, at: u16) -> bool {
    let asks = |cue: &CueAt| cue.span.from == at && QUESTION_WORDS.contains(&cue.cue);
    let joined = at
        .checked_sub(1)
        .is_some_and(|before| question.cues.iter().any(|cue| cue.cue == Cue::And && cue.span.has(before)));
    joined && question.cues.iter().any(asks)
}

/// Whether a word belongs only to optional phrases: "show me", "different".
pub(crate) fn says_only_form(question: &ParsedQuestion, at: u16) -> bool {
    let mut cues = question.cues.iter().filter(|cue| cue.span.has(at)).peekable();
    let named = question.words.get(usize::from(at)).is_some_and(|word| word.kind > WordKind::Noun);
    let first = question.begins_sentence(at);
    // "Name all rivers" is a command, even though the word has other meanings.
    let commands = question.cues.iter().any(|cue| cue.cue == Cue::Command && cue.span.has(at));
    let form = |cue: &CueAt| is_form(cue.cue) || (cue.cue == Cue::Sorting && first);
    cues.peek().is_some() && !named && ((first && commands) || cues.all(form))
}

fn is_form(cue: Cue) -> bool {
    matches!(
        cue,
        Cue::Command | Cue::Distinct | Cue::WhatIs | Cue::Exists | Cue::AsWell | Cue::Which | Cue::All
    )
}

/// Whether an answer that ignores the cue is almost certainly wrong.
fn is_strong(cue: Cue) -> bool {
    !matches!(
        cue,
        Cue::Which
            | Cue::Who
            | Cue::Whom
            | Cue::How
            | Cue::Distinct
            | Cue::And
            | Cue::Relative
            | Cue::Command
            | Cue::WhatIs
            | Cue::Exists
            | Cue::NameOf
            | Cue::KindOf
            | Cue::AsWell
            | Cue::Be
            | Cue::Do
            | Cue::Have
            | Cue::InTime
            | Cue::Whose
            | Cue::Than
            | Cue::Only
            | Cue::All
            | Cue::Equal
            | Cue::Optional
            | Cue::When
            | Cue::Where
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_form_at(text: &str, at: u16) -> bool {
        says_only_form(&ParsedQuestion::read(text, &["en".to_owned()]), at)
    }

    fn skipped(text: &str, at: u16) -> Features {
        let mut features = Features::default();
        skip(&ParsedQuestion::read(text, &["en".to_owned()]), at, &mut features);
        features
    }

    #[test]
    fn a_second_question_is_told_from_a_list() {
        assert_eq!(skipped("How old is Ann and how tall is Bob?", 5).of(Feature::SkippedHalf), 1.0);
        assert_eq!(skipped("Rivers and lakes in Peru", 2).of(Feature::SkippedHalf), 0.0);
    }

    #[test]
    fn a_command_at_the_beginning_says_only_form() {
        assert!(is_form_at("Name all rivers in Peru", 0));
        assert!(is_form_at("Show me the rivers", 0));
        assert!(!is_form_at("What is the name of the river?", 3));
        assert!(!is_form_at("Rivers in Peru", 0));
    }
}
