//! The last answers, filtered, ordered or counted, by extending the last question: "Which of them …", "only those …", "sort them
//! by …", "how many are there?".

use super::text::{Words, asked, bare, fitted};
use super::{Followed, Pair, RestsOn, told, tongue};
use crate::question::{ParsedQuestion, Span};
use eruca_language::{Anaphor, Cue, Degree};

/// A question about the answers of the last one; none if it is not one.
pub(super) fn narrowed(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    counted(pair, words).or_else(|| {
        let ways = [(Anaphor::OfThem, "of_them"), (Anaphor::Only, "only"), (Anaphor::Sort, "sorted")];
        ways.into_iter().find_map(|(back, key)| {
            let from = words.back(0, back)?;
            let to = words.end(from);
            let clean = from < to && !words.asks(from, to);
            clean
                .then(|| is_best(words, back, (from, to)).unwrap_or((key, from)))
                .and_then(|(key, from)| composed(pair, key, words.text(from, to)))
        })
    })
}

/// The last question, extended by a condition or key.
pub(super) fn composed(pair: Pair<'_>, key: &str, rest: &str) -> Option<Followed> {
    let last = bare(pair.past.question);
    let template =
        pair.past.question.language.follow_phrase(key).or_else(|| tongue(pair).follow_phrase(key))?;
    let text = asked(&template.fill(&[("last", last), ("rest", rest)]), pair.past.question);
    Some(Followed {
        text,
        taken_over: vec![told(pair, "taken_question", &[("last", last)])],
        within: None,
        rests_on: RestsOn::ParsedQuestion,
    })
}

/// "How many are there?" counts what the last question asked for, if it asked for things.
fn counted(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    let length = words.back(0, Anaphor::Count)?;
    if words.end(length.max(1)) != length && length != words.len() {
        return None;
    }
    let past = pair.past.question;
    let last = Words::of(past);
    let from = wanted(&last)?;
    let rest = past.text_of(Span::new(from, last.len()));
    let template = past.language.follow_phrase("count")?;
    let noun = past.words.get(from).map_or("", |word| word.folded.as_str());
    let rest = fitted(past.language, "count", noun, rest);
    let text = as_question(asked(&template.fill(&[("rest", &rest)]), past));
    Some(Followed {
        text,
        taken_over: vec![told(pair, "taken_question", &[("last", bare(past))])],
        within: None,
        rests_on: RestsOn::ParsedQuestion,
    })
}

/// "Which of them is the longest?": whether only a superlative follows the verb.
fn is_best(words: &Words<'_>, back: Anaphor, (from, to): (usize, usize)) -> Option<(&'static str, usize)> {
    let behind = from + 1;
    let chosen = back == Anaphor::OfThem && behind < to && words.has_cue(from, Cue::Be);
    (chosen && superlative(words.question, Span::new(behind, to)).is_some()).then_some(("best", behind))
}

/// "And the longest?": among the things that the last question asked for.
pub(super) fn best(pair: Pair<'_>, part: &str) -> Option<Followed> {
    wanted(&Words::of(pair.past.question))?;
    composed(pair, "best", part)
}

/// The first superlative in a part of a question.
pub(super) fn superlative(question: &ParsedQuestion, part: Span) -> Option<Span> {
    let grades = question.grades.iter().filter(|found| found.grade.degree == Degree::Superlative);
    grades.map(|found| found.span).find(|span| part.contains(*span))
}

/// Ends a former command with a question mark.
fn as_question(text: String) -> String {
    text.strip_suffix('.').map_or_else(|| text.clone(), |open| format!("{open}?"))
}

/// Start of the noun phrase that a question asks for: after "which", "list all".
fn wanted(words: &Words<'_>) -> Option<usize> {
    let begins = |cue: Cue| {
        let found = words.question.cues.iter().filter(|found| found.cue == cue && found.span.from == 0);
        found.map(|found| usize::from(found.span.to)).max()
    };
    let from = begins(Cue::Which).or_else(|| begins(Cue::Command))?;
    // "Which is …" asks for a single thing.
    (from < words.len() && !words.is_small_verb(from)).then_some(from)
}
