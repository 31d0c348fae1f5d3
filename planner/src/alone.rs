//! Questions that consist of a name only: "K2", "Tell me about Paris", "Who is Ada Lind?". Reads the question, the candidates
//! linked to its words, and the names in the index.

use crate::link::{
    Evidence, LinkError, Mention, Named, NamedTerm, SAME_NAME_FIT, is_together, is_written_as_name,
};
use crate::question::{ParsedQuestion, Span};
use eruca_indexer::{DatasetIndex, EntityHit};
use eruca_language::{Cue, Role};

/// Maximum number of words in a name: a title may be long.
const MAX_WORDS: usize = 24;
/// Maximum number of things returned for one name.
const MAX_THINGS: usize = 8;
/// Minimum similarity for a label to count as the same name.
const MIN_ALIKE: f32 = 0.75;
/// Minimum similarity for capitalized words: a near match is reported as no more than that.
const MIN_NEAR: f32 = 0.6;
/// Minimum similarity when some of the words match the schema themselves: "Blue Mil" for "Blue Mill", where there are mills.
const MIN_CLOSE: f32 = 0.85;
/// Maximum score distance from the best match for other inexact matches.
const EVEN: f32 = 0.02;
/// Cues that may surround a name without asking for anything else.
const FRAME: &[Cue] = &[Cue::Command, Cue::WhatIs, Cue::Who, Cue::Which, Cue::Be];
/// Roles of prepositions that may precede the name in such a frame: "tell me about …".
const FRAME_ROLES: &[Role] = &[Role::About, Role::Of, Role::Kind];

/// A name that is all a question asks about.
#[derive(Debug, Clone)]
pub struct NameAlone {
    /// The words of the name.
    pub span: Span,
    /// The name as written.
    pub text: String,
    /// The things that have this name or a similar one, best first: at least one.
    pub things: Vec<EntityHit>,
    /// Whether the name matches exactly.
    pub exact: bool,
}

/// The name that the question consists of, if every other word only says that something is asked.
///
/// # Errors
/// When the index cannot be read.
pub fn name_alone(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    named: &Named,
) -> Result<Option<NameAlone>, LinkError> {
    let Some(span) = named_span(question, named) else { return Ok(None) };
    let schematic = |term: &&NamedTerm| term.fit >= 1.0 && term.evidence <= Evidence::Stem;
    let mut terms = named.terms.iter().filter(schematic);
    if terms.any(|term| term.span == span) && !is_written_as_name(question, span) {
        return Ok(None);
    }
    let mention = named.mentions.iter().find(|mention| mention.span == span);
    if let Some(mention) = mention.filter(|mention| mention.is_same_name()) {
        return Ok(exact(span, mention));
    }
    if holds_other_names(named, span) {
        return Ok(None);
    }
    // If the question is not in the graph's language, a translation counts as much.
    let translated = |term: &NamedTerm| term.evidence == Evidence::Translation;
    let mut terms = named.terms.iter().filter(|term| schematic(term) || translated(term));
    let says_more = terms.any(|term| term.span.overlaps(span));
    // The first word of a sentence is capitalized anyway: alone it may well be a name.
    let capital = question.words_of(span).iter().any(|word| word.raw.starts_with(char::is_uppercase));
    let least = match (says_more, capital) {
        (true, _) => MIN_CLOSE,
        (false, false) => MIN_ALIKE,
        (false, true) => MIN_NEAR,
    };
    alike(index, question, span, least)
}

fn exact(span: Span, mention: &Mention) -> Option<NameAlone> {
    let same = mention.entities.iter().filter(|hit| hit.score >= SAME_NAME_FIT);
    let things: Vec<EntityHit> = same.take(MAX_THINGS).cloned().collect();
    (!things.is_empty()).then(|| NameAlone { span, text: mention.text.clone(), things, exact: true })
}

/// Things with a similar name: different letters, or additional words.
fn alike(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    span: Span,
    least: f32,
) -> Result<Option<NameAlone>, LinkError> {
    let text = question.text_of(span);
    let mut things = index.entities.search(text, None, MAX_THINGS)?;
    let best = things.first().map_or(0.0, |hit| hit.score);
    things.retain(|hit| hit.score >= least && hit.score + EVEN >= best && is_together(question, text, hit));
    let exact = best >= SAME_NAME_FIT;
    Ok((!things.is_empty()).then(|| NameAlone { span, text: text.to_owned(), things, exact }))
}

/// Whether a part of the span is itself the exact name of something: "Rhine and Danube" is not one name.
fn holds_other_names(named: &Named, span: Span) -> bool {
    let within = |mention: &&Mention| span.contains(mention.span) && mention.span != span;
    named.mentions.iter().filter(within).any(Mention::is_same_name)
}

/// The words of a name surrounded by nothing but a frame: those of a title, or all content words.
fn named_span(question: &ParsedQuestion, named: &Named) -> Option<Span> {
    let words = || 0..question.len() as u16;
    let frames = |span: &Span| words().filter(|at| !span.has(*at)).all(|at| is_frame(question, at));
    let titled = named.titles().map(|title| title.span).filter(frames).max_by_key(|span| span.len());
    let silent = |at: u16| question.is_function_word(at) || in_frame(question, at);
    let all = || {
        let from = words().find(|at| !silent(*at))?;
        let to = words().rev().find(|at| !silent(*at))? + 1;
        Some(Span { from, to })
    };
    let whole = || quoted(question).filter(frames).or_else(|| all().filter(frames));
    titled.or_else(whole).filter(|span| span.len() <= MAX_WORDS && !asks_more(question, *span))
}

/// The quotation, if there is exactly one.
fn quoted(question: &ParsedQuestion) -> Option<Span> {
    match question.quotes.as_slice() {
        [only] => Some(only.span),
        _ => None,
    }
}

fn in_frame(question: &ParsedQuestion, at: u16) -> bool {
    question.cues.iter().any(|cue| cue.span.has(at) && FRAME.contains(&cue.cue))
}

/// Whether a word outside the name belongs to the frame, that is, asks for nothing else.
fn is_frame(question: &ParsedQuestion, at: u16) -> bool {
    let asks = |cue: Cue| !FRAME.contains(&cue);
    let cued = question.cues.iter().any(|cue| cue.span.has(at) && asks(cue.cue)) && !in_frame(question, at);
    let placed = question.role_at(at).is_some_and(|role| !FRAME_ROLES.contains(&role));
    let silent = question.is_function_word(at) || in_frame(question, at);
    silent && (is_about(question, at) || !(cued || placed))
}

/// Whether a preposition introduces the topic after a command: "erzähl mir etwas über", even if it has other roles elsewhere.
fn is_about(question: &ParsedQuestion, at: u16) -> bool {
    let told = question.cues.iter().any(|cue| cue.cue == Cue::Command && cue.span.to <= at);
    let is = |roles: &[Role]| roles.contains(&Role::About);
    told && question.word(at).is_some_and(|word| is(question.language.roles(&word.folded)))
}

/// Whether the question asks for more than a description: yes/no, numbers, comparisons.
fn asks_more(question: &ParsedQuestion, span: Span) -> bool {
    let outside = |other: Span| !span.contains(other);
    let begins = |cue: Cue| question.cues.iter().any(|found| found.cue == cue && outside(found.span));
    question.grades.iter().any(|grade| outside(grade.span))
        || question.numerals.iter().any(|numeral| outside(numeral.span))
        || question.periods.iter().any(|period| outside(period.span))
        || (question.asks_yes_or_no() && begins(Cue::Be))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::link;
    use crate::tests::graph::Graph;

    const PEAKS: &str = r#"
        :Mountain rdfs:label "mountain"@en . :Country rdfs:label "country"@en . :height rdfs:label "height"@en .
        :lies rdfs:label "lies in"@en .
        :k2 a :Mountain ; rdfs:label "K2" ; :height 8611 ; :lies :pk . :pk a :Country ; rdfs:label "Pakistan" .
        :p1 a :Mountain ; rdfs:label "Broad Peak" ; :lies :pk . :p2 a :Mountain ; rdfs:label "Fan Rock" .
        :p3 a :Mountain ; rdfs:label "Fan Rock" ; :lies :pk . :p4 a :Mountain ; rdfs:label "Never Let Go" .
    "#;

    fn names(graph: &Graph, text: &str) -> Option<(Vec<String>, bool)> {
        let question = ParsedQuestion::read(text, &["en".to_owned()]);
        let named = link(&graph.index, &question, None).unwrap();
        let found = name_alone(&graph.index, &question, &named).unwrap()?;
        let iri = |hit: &EntityHit| hit.record.iri.rsplit('/').next().unwrap_or_default().to_owned();
        Some((found.things.iter().map(iri).collect(), found.exact))
    }

    #[test]
    fn names_in_whatever_frame_are_found() {
        let graph = Graph::of(PEAKS);
        let one = |iri: &str, exact: bool| Some((vec![iri.to_owned()], exact));
        for text in [
            "K2",
            "k2",
            "K2?",
            "What is K2?",
            "Tell me about K2.",
            "who is K2",
            "Show me \"K2\"",
            "describe K2",
        ] {
            assert_eq!(names(&graph, text), one("k2", true), "{text}");
        }
        assert_eq!(names(&graph, "broad peak"), one("p1", true));
        assert_eq!(names(&graph, "Was ist Broad Peak?"), one("p1", true));
        assert_eq!(names(&graph, "Broad Paek"), one("p1", false));
        assert_eq!(names(&graph, "What about Pakistn?"), one("pk", false));
        assert_eq!(names(&graph, "Never Let Go"), one("p4", true));
        let (both, exact) = names(&graph, "Fan Rock").unwrap();
        assert_eq!((both.len(), exact), (2, true));
    }

    #[test]
    fn questions_that_ask_for_something_are_no_names() {
        let graph = Graph::of(PEAKS);
        for text in [
            "How high is K2?",
            "Where is K2?",
            "Is K2 a mountain?",
            "What is the height of K2?",
            "mountains",
            "Mountain",
            "country",
            "What is in Pakistan?",
            "K2 and Broad Peak",
            "mountains in Pakistan",
            "How many mountains?",
            "Who is in Pakistan?",
            "hello",
            "president",
            "highest mountain",
            "not K2",
            "mountain Pakistan",
        ] {
            assert_eq!(names(&graph, text), None, "{text}");
        }
    }
}
