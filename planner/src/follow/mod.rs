//! Rewrites follow-up questions so that they stand alone: replaces one name by another or a pronoun by a name, or adds a
//! condition to the last question. A question that already stands alone is left unchanged.
//!
//! Works on words, names and the phrases of the language packs (`questions.toml`); knows no query. Reports what was taken over in
//! the language of the question.

mod again;
mod group;
mod narrow;
mod refer;
mod replace;
#[cfg(test)]
mod tests;
mod text;

use crate::link::Mention;
use crate::question::ParsedQuestion;
pub use again::{Again, again, converted};
use eruca_indexer::DatasetIndex;
use eruca_language::{Anaphor, Cue, Language};
use eruca_sparql::GroupScope;
use text::Words;

/// A thing of the last answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastThing {
    /// Its IRI.
    pub iri: String,
    /// Its display name.
    pub name: String,
}

/// The last question and its outcome.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    /// The last question, in its rewritten form if it was a follow-up itself.
    pub question: &'a ParsedQuestion,
    /// The candidates linked to its words.
    pub mentions: &'a [Mention],
    /// The things in the first column of its first rows.
    pub things: &'a [PastThing],
    /// Whether these are all of its rows.
    pub whole: bool,
    /// The class of the things found, where its query tells.
    pub group: Option<&'a PastGroup>,
}

/// The results of the last question, as a class of things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastGroup {
    /// The name of their class.
    pub one: String,
    /// Its plural, or the same form.
    pub many: String,
    /// How many there are, if known.
    pub count: Option<usize>,
}

/// A follow-up rewritten to stand alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// The question.
    pub text: String,
    /// What was taken over from the previous question, in words.
    pub taken_over: Vec<String>,
    /// The things of the previous question that it is restricted to.
    pub within: Option<GroupScope>,
    /// What it depends on in the previous question.
    pub rests_on: RestsOn,
}

/// What a follow-up depends on in the previous question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestsOn {
    /// The things found: the next answer is as uncertain as they are.
    Answer,
    /// The thing named there.
    Name,
    /// The question, with an addition.
    ParsedQuestion,
    /// The question, with one part replaced.
    Part,
}

/// The inputs for rewriting a follow-up.
#[derive(Clone, Copy)]
struct Pair<'a> {
    index: &'a DatasetIndex,
    past: &'a Past<'a>,
    question: &'a ParsedQuestion,
    mentions: &'a [Mention],
}

/// The question with what it takes over from the previous one; none when it already stands alone, or when it is unclear what it
/// refers to. `mentions` are the candidates linked to its own words.
pub fn stand_alone(
    index: &DatasetIndex,
    past: &Past<'_>,
    question: &ParsedQuestion,
    mentions: &[Mention],
) -> Option<Followed> {
    if question.is_empty() || past.question.is_empty() {
        return None;
    }
    let pair = Pair { index, past, question, mentions };
    let words = Words::of(question);
    group::of_group(pair, &words)
        .or_else(|| narrow::narrowed(pair, &words))
        .or_else(|| replace::replaced(pair, &words))
        .or_else(|| refer::resolved(pair, &words))
}

/// Whether a question asks for things other than those named or found before: "what else did he make?", "which other …?". False
/// if it states the exception itself ("other than …").
pub fn wants_others(question: &ParsedQuestion) -> bool {
    let words = Words::of(question);
    let other = |at: usize| words.back(at, Anaphor::Else).is_some() || words.has_cue(at, Cue::Other);
    !question.cues.iter().any(|found| found.cue == Cue::Than) && (0..words.len()).any(other)
}

/// A pronoun without an antecedent in the question, as written.
pub fn dangling(question: &ParsedQuestion) -> Option<String> {
    refer::dangling(&Words::of(question))
}

/// The position and length of a final phrase that requests a view.
fn view(words: &Words<'_>) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| {
        let length = words.back(at, Anaphor::View)?;
        (at + length == words.len()).then_some((at, length))
    })
}

/// Whether a question begins as a continuation: "and the smallest?". If it replaces nothing in the last question, an earlier one
/// may be meant.
pub fn is_part(question: &ParsedQuestion) -> bool {
    Words::of(question).back(0, Anaphor::Lead).is_some()
}

/// The language for phrases: that of the follow-up, or of the previous question if the follow-up's has none.
fn tongue(pair: Pair<'_>) -> &'static Language {
    let own = pair.question.language;
    let known = |language: &'static Language| language.follow_phrase("taken_question").is_some();
    match known(own) {
        true => own,
        false => Some(pair.past.question.language)
            .filter(|last| known(last))
            .unwrap_or_else(eruca_language::fallback),
    }
}

/// A sentence about what was taken over.
fn told(pair: Pair<'_>, key: &str, values: &[(&str, &str)]) -> String {
    tongue(pair).follow_phrase(key).map_or_else(String::new, |template| template.fill(values))
}
