//! Follow-up questions made to stand alone: a name in the place of another, a name in the place of a pronoun, the last
//! question with a condition more. A question that stands by itself is left alone.
//!
//! Works on words, names and the phrases of the language packs (`questions.toml`); knows no query. What was taken over is told in
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
use crate::question::Question;
pub use again::{Again, again, converted};
use eruca_indexer::DatasetIndex;
use eruca_language::{Back, Cue, Language};
use eruca_sparql::GroupScope;
use text::Words;

/// A thing of the last answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastThing {
    /// Its IRI.
    pub iri: String,
    /// Its name for people.
    pub name: String,
}

/// The last question and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    /// The last question; one that followed another as it was made to stand alone.
    pub question: &'a Question,
    /// What its words may name.
    pub mentions: &'a [Mention],
    /// The things in the first column of its first rows.
    pub things: &'a [PastThing],
    /// Whether these are all of its rows.
    pub whole: bool,
    /// The kind of things that it found, where its query says so.
    pub group: Option<&'a PastGroup>,
}

/// What the last question found, as a kind of things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastGroup {
    /// The name of their class.
    pub one: String,
    /// The same in the plural, or the same.
    pub many: String,
    /// How many they are, where that is known.
    pub count: Option<usize>,
}

/// A question that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// The question.
    pub text: String,
    /// What was taken over from the one before it, in words.
    pub taken_over: Vec<String>,
    /// Which things of the one before it alone it is asked of.
    pub within: Option<GroupScope>,
    /// What of the one before it it needs.
    pub rests_on: RestsOn,
}

/// What a question needs of the one before it to stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestsOn {
    /// The things that it found: the next answer is as uncertain as they are.
    Answer,
    /// The thing that it names.
    Name,
    /// The question, with more behind it.
    Question,
    /// The question, with another part in the place of one.
    Part,
}

/// Everything that a follow-up is made of.
#[derive(Clone, Copy)]
struct Pair<'a> {
    index: &'a DatasetIndex,
    past: &'a Past<'a>,
    question: &'a Question,
    mentions: &'a [Mention],
}

/// The question with what it takes over from the one before it; nothing when it stands by itself, or when it cannot be told
/// what it refers to. `mentions` are what its own words may name.
pub fn stand_alone(
    index: &DatasetIndex,
    past: &Past<'_>,
    question: &Question,
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

/// Whether a question asks for others than those that were named or found before: "what else did he make?", "which other …?".
/// Where it says itself than which ("other than …"), it does not.
pub fn wants_others(question: &Question) -> bool {
    let words = Words::of(question);
    let other = |at: usize| words.back(at, Back::Else).is_some() || words.has_cue(at, Cue::Other);
    !question.cues.iter().any(|found| found.cue == Cue::Than) && (0..words.len()).any(other)
}

/// A pronoun that nothing in a question tells what it stands for, as it is written.
pub fn dangling(question: &Question) -> Option<String> {
    refer::dangling(&Words::of(question))
}

/// Where a question says at its end in which view it wants what is found, and how many words that takes.
fn view(words: &Words<'_>) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| {
        let length = words.back(at, Back::View)?;
        (at + length == words.len()).then_some((at, length))
    })
}

/// Whether a question begins as a part of an earlier one does: "and the smallest?". If it replaces nothing in the last
/// question, the one before may be meant.
pub fn is_part(question: &Question) -> bool {
    Words::of(question).back(0, Back::Lead).is_some()
}

/// How things are said: in the language of the follow-up, or of the question before it where its words tell none.
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

/// A sentence on what was taken over.
fn told(pair: Pair<'_>, key: &str, values: &[(&str, &str)]) -> String {
    tongue(pair).follow_phrase(key).map_or_else(String::new, |template| template.fill(values))
}
