//! Answers in words: sentences and titles made of a question, its query and its rows, in the question's language.
//!
//! ```text
//! question · query · answer ─► columns (titles, kinds, units)
//!                           └► sentence ─► retell (the question as a statement) | frames (plain forms) ─► caveats ─► Words
//!                                          model (a chat model's sentence) ─► verify (names and numbers) ─► Words
//! ```
//! A sentence says what the rows say and no more: what cannot be worded well gets a plain form. All words are in the
//! language packs (`say.txt`, `retell.txt`, `symbols.txt`). Uses datasets and `variable_labels`; knows nothing of chat models or HTTP.
//!
//! A question is told as a statement only if all its words were used and its reading is no guess; names and numbers
//! of a model's text that are in no row and not in the question are listed. Tests: `tests`, `tests/words.rs`.

mod card;
mod caveats;
mod columns;
mod frames;
mod lists;
mod model;
mod names;
mod orient;
mod phrase;
mod retell;
#[cfg(test)]
mod tests;
mod values;
mod verify;

pub use columns::columns;
pub use model::{ModelPrompt, model_prompt, read_model_text};
pub use orient::{Orientation, about, main_classes};

use eruca_api::Insight;
use eruca_api::{Column, WordedBy, Words, WordsKind};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{Answer, CheckedQuery};
use phrase::Phrase;
use std::collections::BTreeMap;

/// Everything that a sentence is made of.
#[derive(Clone, Copy)]
pub struct AnswerContext<'a> {
    /// The dataset, with the question's language before its own ([`Dataset::asked`]).
    pub dataset: &'a Dataset,
    /// The question, as it was read.
    pub question: &'a ParsedQuestion,
    /// The final query.
    pub query: &'a CheckedQuery,
    /// What it gave.
    pub answer: &'a Answer,
    /// What the planner knows of its answer, if it is the planner's.
    pub insight: Option<&'a Insight>,
    /// What the graph lacks, if a model says that it does not hold the answer.
    pub absence: Option<&'a str>,
    /// Names of things that were fetched for the answer, by IRI.
    pub labels: &'a BTreeMap<String, String>,
    /// Why nothing was found.
    pub empty: Option<&'a str>,
    /// What helps somebody on whose question was not read, or who has none.
    pub orientation: Option<&'a Orientation>,
    /// The unit in which numbers are wanted, by its symbol.
    pub unit: Option<&'a str>,
    /// How many of the last columns were added for people: what decides over the rows.
    pub added: usize,
    /// The columns, as [`columns`] tells them.
    pub columns: &'a [Column],
}

/// A text that says all.
pub fn plain(text: String, question: &ParsedQuestion) -> Words {
    let phrase = Phrase::from(text);
    words(tongue(question), phrase, WordsKind::Answer, WordedBy::Reading)
}

/// The answer in words, without a model. Never fails: what cannot be worded well gets a plain form.
pub fn sentence(context: &AnswerContext<'_>) -> Words {
    let teller = Verbalizer::new(*context);
    let (phrase, kind) = caveats::told(&teller);
    words(teller.language, phrase, kind, WordedBy::Reading)
}

fn words(language: &Language, phrase: Phrase, kind: WordsKind, by: WordedBy) -> Words {
    let (text, parts) = phrase.into_parts();
    Words { text, parts, lang: language.tag().to_owned(), kind, by, unverified: Vec::new() }
}

/// What is said, with the language in which it is said.
#[derive(Clone, Copy)]
struct Verbalizer<'a> {
    context: AnswerContext<'a>,
    language: &'static Language,
}

impl<'a> Verbalizer<'a> {
    fn new(context: AnswerContext<'a>) -> Self {
        Self { context, language: tongue(context.question) }
    }

    /// A phrase of the pack with its places filled.
    fn phrase(&self, key: &str, values: &[(&str, Phrase)]) -> Phrase {
        match self.language.phrase("say", key) {
            Some(template) => Phrase::filled(template, values),
            None => Phrase::default(),
        }
    }

    /// A phrase of the pack with its places filled by texts.
    fn text(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.language.say("say", key, values).into_owned()
    }
}

/// The language in which a question is answered: its own if there are words of it, else the one that all packs fall back
/// to.
fn tongue(question: &ParsedQuestion) -> &'static Language {
    match question.language.is_unknown() || eruca_language::language(question.language.tag()).is_none() {
        true => eruca_language::fallback(),
        false => question.language,
    }
}
