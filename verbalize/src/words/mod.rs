//! Verbalizes answers: turns a question, its query and its rows into sentences and titles in the language of the
//! question.
//!
//! ```text
//! question · query · answer ─► columns (titles, kinds, units)
//!                           └► sentence ─► retell (the question as a statement) | frames (plain forms) ─► caveats ─► Words
//!                                          model (a chat model's sentence) ─► verify (names and numbers) ─► Words
//! sentences with their triples · what the graph says of things ─► article
//! ```
//! A sentence says what the rows say and no more: what cannot be worded well gets a plain form. All words are in the
//! language packs (`say.txt`, `retell.txt`, `symbols.txt`). Uses datasets and `variable_labels`; knows nothing of chat models or HTTP.
//!
//! A question is restated as a statement only if all its words were used and its reading is not a guess. Names and
//! numbers in a model's text that occur neither in the rows nor in the question are listed. Tests: `tests`,
//! `tests/words.rs`.

mod article;
mod card;
mod caveats;
mod citations;
mod claims;
mod columns;
mod computed;
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

pub use article::{AboutThings, ArticleMaterial, article, article_things};
pub use citations::with_citations;
pub use claims::{SupportedSentence, claims};
pub use columns::columns;
pub use model::{ModelPrompt, model_prompt, read_model_text};
pub use orient::{Orientation, about, main_classes};

use eruca_api::{Column, Computed, Insight, WordedBy, Words, WordsKind};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{Answer, CheckedQuery};
use phrase::Phrase;
use std::collections::BTreeMap;

/// Everything needed to verbalize an answer.
#[derive(Clone, Copy)]
pub struct AnswerContext<'a> {
    /// The dataset, preferring the language of the question ([`Dataset::asked`]).
    pub dataset: &'a Dataset,
    /// The parsed question.
    pub question: &'a ParsedQuestion,
    /// The final query.
    pub query: &'a CheckedQuery,
    /// The result of the query.
    pub answer: &'a Answer,
    /// The planner's insight, if the query is the planner's.
    pub insight: Option<&'a Insight>,
    /// What the graph lacks, if a model says that it does not contain the answer.
    pub absence: Option<&'a str>,
    /// What a program computed, if that is the answer.
    pub computed: Option<&'a Computed>,
    /// Labels of entities fetched for the answer, by IRI.
    pub labels: &'a BTreeMap<String, String>,
    /// Why the result is empty.
    pub empty: Option<&'a str>,
    /// Guidance for users without a question, or whose question was not understood.
    pub orientation: Option<&'a Orientation>,
    /// The requested unit for numbers, by symbol.
    pub unit: Option<&'a str>,
    /// Number of trailing columns that were added for display, such as deciding values.
    pub added: usize,
    /// The columns as returned by [`columns`].
    pub columns: &'a [Column],
}

/// Wraps a complete text as [`Words`].
pub fn plain(text: String, question: &ParsedQuestion) -> Words {
    let phrase = Phrase::from(text);
    words(tongue(question), phrase, WordsKind::Answer, WordedBy::Reading)
}

/// Verbalizes the answer without a model. Never fails: anything without a good wording gets a plain form.
pub fn sentence(context: &AnswerContext<'_>) -> Words {
    let teller = Verbalizer::new(*context);
    let (phrase, kind) = caveats::told(&teller);
    words(teller.language, phrase, kind, WordedBy::Reading)
}

fn words(language: &Language, phrase: Phrase, kind: WordsKind, by: WordedBy) -> Words {
    let (text, parts) = phrase.into_parts();
    Words { text, parts, lang: language.tag().to_owned(), kind, by, unverified: Vec::new() }
}

/// Verbalizes an answer in a language.
#[derive(Clone, Copy)]
struct Verbalizer<'a> {
    context: AnswerContext<'a>,
    language: &'static Language,
}

impl<'a> Verbalizer<'a> {
    fn new(context: AnswerContext<'a>) -> Self {
        Self { context, language: tongue(context.question) }
    }

    /// The phrase for a key, with its placeholders filled.
    fn phrase(&self, key: &str, values: &[(&str, Phrase)]) -> Phrase {
        match self.language.phrase("say", key) {
            Some(template) => Phrase::filled(template, values),
            None => Phrase::default(),
        }
    }

    /// The phrase for a key, with its placeholders filled with strings.
    fn text(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.language.say("say", key, values).into_owned()
    }
}

/// The language of the answer: that of the question if there is a pack for it, otherwise the fallback language.
fn tongue(question: &ParsedQuestion) -> &'static Language {
    match question.language.is_unknown() || eruca_language::language(question.language.tag()).is_none() {
        true => eruca_language::fallback(),
        false => question.language,
    }
}
