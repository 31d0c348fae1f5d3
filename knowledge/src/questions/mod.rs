//! Verified questions: pairs of a question and a query that a person has checked, in files made for git.
//!
//! ```text
//! questions/*.toml ─► folder (bounds, problems) ─► file (one entry) ─► Questions ─► exact · template · near
//! ```
//! A question with the same words is answered by its query; one with another name in the place of a parameter by its query with
//! the other thing; a near one lends its query to a model. What is set aside is in none of these. Nothing is run here: `digest`
//! only names a result, so that a later one can be compared with it.

mod digest;
mod edit;
mod file;
mod folder;
mod key;
mod leak;
mod named;
mod near;
mod page;
mod query_file;
mod template;
mod watched;

pub use digest::{Outcome, outcome};
pub use edit::{EditError, add, record, remove};
pub use file::{MAX_PARAMETERS, MAX_QUERY_BYTES, MAX_QUESTION_CHARS};
pub use folder::{Problem, read_questions};
pub use key::question_key;
pub use leak::{BenchmarkQuestion, LEAK_QUERY_SHARE, LEAK_SHARE};
pub use named::named_parameters;
pub use near::{MAX_NEAR, MIN_SHARE, shared_words};
pub use page::{MAX_SLUG_CHARS, VIEWS, is_slug, parse_duration};
pub use query_file::{QueryFileError, read_query_file};
pub use template::{Filled, Replaced};
pub use watched::WatchedQuestions;

pub(crate) use file::{parse_one, string};

use near::Words;
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::time::Duration;
use template::Template;

/// A question with the query that answers it, as a person has checked them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifiedQuestion {
    /// Its name where it comes from, as in a benchmark.
    pub id: Option<String>,
    /// The name under which it is a page of its own.
    pub name: Option<String>,
    /// The question.
    pub question: String,
    /// The tag of its language, if it is told.
    pub lang: Option<String>,
    /// The query.
    pub query: String,
    /// Who has checked it.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub at: String,
    /// What else there is to say.
    pub comment: Option<String>,
    /// Names in the question that may be replaced.
    pub parameters: Vec<Parameter>,
    /// The view in which its page shows it, one of [`VIEWS`].
    pub view: Option<String>,
    /// How long its page shows a result before the query is run again.
    pub refresh: Option<Duration>,
    /// Whether its page shows an older result while the query is run again.
    pub stale: bool,
    /// What running the query gave.
    pub outcome: Option<Outcome>,
    /// Why it is set aside, if it is.
    pub aside: Option<String>,
}

/// A name in a question that may be replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameter {
    /// The name as it stands in the question.
    pub name: String,
    /// What stands for it in the query: an IRI, or a literal in quotes.
    pub value: String,
    /// Its name in the address of a page, where that is not made of `name`.
    pub alias: Option<String>,
}

/// A verified question with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The question.
    pub question: VerifiedQuestion,
    /// The file.
    pub file: PathBuf,
    /// Its number in the file, from 0.
    pub number: usize,
}

/// The verified questions of a dataset.
#[derive(Debug, Default)]
pub struct Questions {
    entries: Vec<Entry>,
    exact: FxHashMap<String, usize>,
    named: FxHashMap<String, usize>,
    templates: Vec<(usize, Template)>,
    words: Words,
}

impl Questions {
    /// The questions for look-ups. Of two with the same words, the first counts.
    #[must_use]
    pub fn new(entries: Vec<Entry>) -> Self {
        let (mut exact, mut named) = (FxHashMap::default(), FxHashMap::default());
        let (mut templates, mut words) = (Vec::new(), Words::default());
        for (at, Entry { question, .. }) in entries.iter().enumerate() {
            if question.aside.is_some() {
                continue;
            }
            exact.entry(question_key(&question.question)).or_insert(at);
            if let Some(name) = &question.name {
                named.entry(name.clone()).or_insert(at);
            }
            templates.extend(Template::of(question).map(|template| (at, template)));
            words.add(at, question);
        }
        Self { entries, exact, named, templates, words }
    }

    /// All entries, those that are set aside as well.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The question with the same words: case, accents, spaces and punctuation do not matter.
    #[must_use]
    pub fn exact(&self, text: &str) -> Option<&VerifiedQuestion> {
        // A question is much shorter than this; nothing longer is compared.
        let text = Some(text).filter(|text| text.len() <= MAX_QUESTION_CHARS * 4)?;
        self.question(*self.exact.get(&question_key(text))?)
    }

    /// The question with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&VerifiedQuestion> {
        self.question(*self.named.get(name)?)
    }

    /// Whether any question has a name.
    #[must_use]
    pub fn has_pages(&self) -> bool {
        !self.named.is_empty()
    }

    /// The questions that have a name, in the order of the files.
    pub fn pages(&self) -> impl Iterator<Item = &VerifiedQuestion> {
        let mut all: Vec<usize> = self.named.values().copied().collect();
        all.sort_unstable();
        all.into_iter().filter_map(|at| self.question(at))
    }

    /// The entry with the same words, also one that is set aside.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<&Entry> {
        let key = question_key(text);
        let mut aside = self.entries.iter().filter(|entry| entry.question.aside.is_some());
        let used = self.exact.get(&key).and_then(|at| self.entries.get(*at));
        used.or_else(|| aside.find(|entry| question_key(&entry.question.question) == key))
    }

    /// The question that becomes this one when names are put in the places of its parameters; `None` if there are several.
    #[must_use]
    pub fn filled(&self, text: &str) -> Option<Filled<'_>> {
        let asked = key::tokens(Some(text).filter(|text| text.len() <= MAX_QUESTION_CHARS * 4)?);
        let mut found = self.templates.iter().filter_map(|(at, template)| {
            Some(Filled { question: self.question(*at)?, replaced: template.fill(text, &asked)? })
        });
        let first = found.next()?;
        // Two patterns that both fit may mean different queries.
        found.all(|other| other.question.query == first.question.query).then_some(first)
    }

    /// The places among the entries of the questions that share most words with this one, the nearest first.
    #[must_use]
    pub fn near(&self, text: &str, lang: &str) -> Vec<usize> {
        self.words.near(text, lang)
    }

    fn question(&self, at: usize) -> Option<&VerifiedQuestion> {
        self.entries.get(at).map(|entry| &entry.question)
    }
}

#[cfg(test)]
mod tests;
