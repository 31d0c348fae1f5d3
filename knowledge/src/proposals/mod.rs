//! Proposals for what the owner of a graph knows: made from the corrections of readers and by models, kept until somebody accepts
//! or rejects them.
//!
//! ```text
//! correction ─► Proposal ─► ProposalStore (a bounded file per dataset) ─► accepted: learned (files of the owner)
//! ```
//! They are text from outside: everything is bounded and of one line, but for queries. The id of a proposal names its content, so
//! that the same is proposed once, and not again when it was rejected.

mod block;
mod learned;
mod store;

pub use learned::{GLOSSARY_FILE, LearnError, learn};
pub use store::{MAX_OPEN, ProposalStore, StoreError};

use crate::questions::{MAX_QUERY_BYTES, MAX_QUESTION_CHARS, question_key};
use crate::read::{MAX_NOTE_CHARS, MAX_VALUE_CHARS, MAX_WORD_CHARS};
use eruca_language::text::fold;
use eruca_sparql::one_line;
use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use std::hash::{Hash, Hasher};

/// Longest IRI, in bytes, and longest of the other short texts, in characters.
const MAX_IRI_BYTES: usize = 2_000;
const MAX_SHORT_CHARS: usize = 200;
/// Properties over which one is preferred.
const MAX_OVER: usize = 20;

/// Something that the owner of a graph may accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Names its content.
    pub id: String,
    /// The id of the dataset.
    pub dataset: String,
    /// The question that was misread; empty if there was none.
    #[serde(default)]
    pub question: String,
    /// The language of the words or of the question, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// What is proposed.
    #[serde(flatten)]
    pub what: Proposed,
    /// The run that was corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// When (RFC 3339).
    pub at: String,
    /// Who: the name of a key or of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What became of it.
    pub state: ProposalState,
    /// Who has decided, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decision>,
}

/// What is proposed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Proposed {
    /// An entry of the glossary.
    Glossary {
        /// The words.
        words: String,
        /// What they mean.
        meaning: WordMeaning,
    },
    /// A verified question: the question with this query.
    Question {
        /// The query.
        query: String,
    },
    /// A note.
    Note {
        /// The sentence.
        text: String,
        /// The IRI of the class or property that it is about.
        about: String,
    },
}

/// What words mean: those of the meanings of the glossary that a reader can choose.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "snake_case")]
pub enum WordMeaning {
    /// A class.
    Class {
        /// Its IRI.
        iri: String,
    },
    /// A property.
    Property {
        /// Its IRI.
        iri: String,
    },
    /// A thing.
    Thing {
        /// Its IRI.
        iri: String,
    },
    /// A value of a property.
    Value {
        /// The IRI of the property.
        property: String,
        /// The text of the value.
        value: String,
    },
    /// Of competing properties the one that is meant, whatever the words.
    Prefer {
        /// The IRI of the property.
        iri: String,
        /// Those that are not meant.
        over: Vec<String>,
    },
}

/// What became of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Nobody has decided.
    Open,
    /// It is in the files of the owner.
    Accepted,
    /// It is not wanted, and not proposed again.
    Rejected,
}

/// Who has decided, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Who.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub at: String,
}

/// From where a proposal comes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The id of the dataset.
    pub dataset: String,
    /// The question that was misread, if there was one.
    pub question: String,
    /// The language of the words or of the question, if it is known.
    pub lang: Option<String>,
    /// The run that was corrected.
    pub run: Option<String>,
    /// When (RFC 3339).
    pub at: String,
    /// Who.
    pub by: Option<String>,
}

impl Proposal {
    /// A proposal that is open.
    ///
    /// # Errors
    /// What is wrong with it, as a part of a sentence.
    pub fn new(source: Source, what: Proposed) -> Result<Self, String> {
        let Source { dataset, question, lang, run, at, by } = source;
        let short = |text: String| one_line(text.trim(), MAX_SHORT_CHARS);
        let what = what.bounded()?;
        let question = one_line(question.trim(), MAX_QUESTION_CHARS);
        if matches!(what, Proposed::Question { .. }) && question_key(&question).is_empty() {
            return Err("the question is empty".to_owned());
        }
        Ok(Self {
            id: id(&dataset, &question, lang.as_deref(), &what),
            dataset,
            question,
            lang: lang.map(short),
            what,
            run: run.map(short),
            at: short(at),
            by: by.map(short),
            state: ProposalState::Open,
            decided: None,
        })
    }
}

impl Proposed {
    /// The same on one line each, if it is within bounds.
    fn bounded(self) -> Result<Self, String> {
        match self {
            Self::Glossary { words, meaning } => {
                let words = one_line(words.trim(), MAX_WORD_CHARS + 1);
                let needs_none = matches!(meaning, WordMeaning::Prefer { .. }) && words.is_empty();
                if !needs_none {
                    crate::read::checked_phrase(&words)?;
                }
                meaning.check()?;
                Ok(Self::Glossary { words, meaning })
            }
            Self::Question { query } => {
                let query = query.trim().replace("\r\n", "\n");
                let has_control = query.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
                if query.is_empty() || query.len() > MAX_QUERY_BYTES || has_control {
                    return Err(format!(
                        "the query must have 1 to {MAX_QUERY_BYTES} bytes and no control characters"
                    ));
                }
                Ok(Self::Question { query })
            }
            Self::Note { text, about } => {
                let text = one_line(text.trim(), MAX_NOTE_CHARS);
                check_iri(&about)?;
                match text.is_empty() {
                    true => Err("the note is empty".to_owned()),
                    false => Ok(Self::Note { text, about }),
                }
            }
        }
    }
}

impl WordMeaning {
    fn check(&self) -> Result<(), String> {
        match self {
            Self::Class { iri } | Self::Property { iri } | Self::Thing { iri } => check_iri(iri),
            Self::Value { property, value } => {
                let has_control = value.chars().any(char::is_control);
                if value.is_empty() || value.chars().count() > MAX_VALUE_CHARS || has_control {
                    return Err(format!(
                        "the value must have 1 to {MAX_VALUE_CHARS} characters and no control characters"
                    ));
                }
                check_iri(property)
            }
            Self::Prefer { iri, over } => {
                if over.is_empty() || over.len() > MAX_OVER || over.contains(iri) {
                    return Err(format!("needs 1 to {MAX_OVER} other properties that are not meant"));
                }
                over.iter().chain([iri]).try_for_each(|iri| check_iri(iri))
            }
        }
    }
}

fn check_iri(iri: &str) -> Result<(), String> {
    let is_iri = eruca_sparql::NamedNode::new(iri).is_ok() && iri.len() <= MAX_IRI_BYTES;
    is_iri.then_some(()).ok_or_else(|| format!("'{}' is no IRI", one_line(iri, MAX_SHORT_CHARS)))
}

/// A name for what is proposed: the same for the same words, whatever their case.
fn id(dataset: &str, question: &str, lang: Option<&str>, what: &Proposed) -> String {
    let mut hasher = SipHasher13::new();
    dataset.hash(&mut hasher);
    match what {
        Proposed::Glossary { words, meaning } => ("glossary", fold(words), lang, meaning).hash(&mut hasher),
        Proposed::Question { query } => ("question", question_key(question), query).hash(&mut hasher),
        Proposed::Note { text, about } => ("note", text, about).hash(&mut hasher),
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests;
