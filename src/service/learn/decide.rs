//! The owner's decision: an accepted proposal is written into the files of the dataset, which are read again at once; a rejected
//! one is remembered.

use crate::service::{Service, ServiceError};
use eruca_api::{self as api, Decided, Meant, MeantKind, ProposalKind};
use eruca_dataset::Dataset;
use eruca_knowledge::Learned;
use eruca_knowledge::proposals::{
    Decision, LearnError, Proposal, ProposalState, ProposalStore, Proposed, StoreError, WordMeaning, learn,
};
use eruca_knowledge::questions::{EditError, VerifiedQuestion, outcome, remove};
use std::path::PathBuf;
use std::sync::Arc;

/// Why a proposal was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecideError {
    /// The proposals cannot be read or changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The dataset has no files of its owner.
    #[error(
        "dataset '{dataset}' has no folder for what its owner knows; write it into a configuration (`eruca init`) first"
    )]
    NoFolder {
        /// The id of the dataset.
        dataset: String,
    },
    /// The entry cannot be used.
    #[error("the entry cannot be used: {reason}")]
    Wrong {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Somebody has decided already.
    #[error("this proposal was decided already")]
    Decided,
    /// Verified questions would be answered wrongly.
    #[error(
        "{broken} verified questions would no longer be answered as they were verified; it needs to be forced"
    )]
    Breaks {
        /// How many.
        broken: usize,
    },
    /// The files cannot be written.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A file of questions cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It is written, but the dataset does not open with it.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Who decides, when, and over what.
#[derive(Debug, Clone)]
pub struct Decider {
    /// The proposals.
    pub store: ProposalStore,
    /// Who decides.
    pub by: String,
    /// The day, as YYYY-MM-DD.
    pub today: String,
}

impl Decider {
    /// The entry of a proposal, or another one in its place, with its text.
    ///
    /// # Errors
    /// When it cannot be read, or is about what the graph does not have.
    pub fn entry(
        &self,
        dataset: &Dataset,
        proposal: &Proposal,
        edited: Option<&str>,
    ) -> Result<(Learned, String), DecideError> {
        let own = || proposal.block(&self.by, &self.today);
        let text = edited.map_or_else(own, str::to_owned);
        let wrong = |reason| DecideError::Wrong { reason };
        let learned = Learned::read(&text, dataset.prefixes()).map_err(wrong)?;
        match &learned {
            Learned::Glossary(entry) => match dataset.lacks(entry) {
                Some(iri) => Err(wrong(format!("the graph has no term <{iri}>"))),
                None => Ok((learned, text)),
            },
            Learned::Note(note) => match note.about.as_ref().filter(|iri| !dataset.has_term(iri)) {
                Some(iri) => Err(wrong(format!("the graph has no class or property <{iri}>"))),
                None => Ok((learned, text)),
            },
            Learned::Question(question) => match dataset.check(&question.query) {
                Err(error) => Err(wrong(format!("the query cannot be used: {error}"))),
                Ok(_) => Ok((learned, text)),
            },
        }
    }

    fn decision(&self) -> Decision {
        Decision { by: self.by.clone(), at: self.today.clone() }
    }
}

impl Service {
    /// Rejects a proposal; the same is not proposed again.
    ///
    /// # Errors
    /// When it is unknown or decided, or cannot be written.
    pub fn reject(&self, decider: &Decider, dataset: &str, id: &str) -> Result<Decided, DecideError> {
        is_open(decider, dataset, id)?;
        decider.store.decide((dataset, id), ProposalState::Rejected, decider.decision())?;
        Ok(Decided { id: id.to_owned(), accepted: false, file: None })
    }

    /// Accepts a proposal, or another entry in its place: it is written into the files of the dataset, which are read again.
    ///
    /// # Errors
    /// When it cannot be used or written, or verified questions break and it is not forced.
    pub async fn accept(
        &self,
        decider: &Decider,
        dataset: &Arc<Dataset>,
        (id, edited, force): (&str, Option<&str>, bool),
        recent: Vec<String>,
    ) -> Result<Decided, DecideError> {
        let proposal = is_open(decider, &dataset.id, id)?;
        let (learned, text) = decider.entry(dataset, &proposal, edited)?;
        let trial = if force { None } else { Some(self.trial(dataset, &learned, recent).await) };
        if let Some(broken) = trial.map(|trial| trial.broken).filter(|broken| *broken > 0) {
            return Err(DecideError::Breaks { broken });
        }
        let learned = match learned {
            Learned::Question(question) => {
                Learned::Question(Box::new(self.run(dataset, *question, force).await?))
            }
            other => other,
        };
        let comment = proposal.comment(&decider.by, &decider.today);
        let (knowledge, questions) = folders(dataset)?;
        let file = learn(&knowledge, &questions, &learned, (&comment, &text))?;
        decider.store.decide((&dataset.id, id), ProposalState::Accepted, decider.decision())?;
        match self.reload(&dataset.id).await {
            // A command opens its datasets once; the service that runs reads the files by itself.
            Ok(_) | Err(ServiceError::NotReloaded { .. }) => {}
            Err(other) => return Err(other.into()),
        }
        let file = file.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Decided { id: id.to_owned(), accepted: true, file })
    }

    /// A verified question with what its query gives, in place of one with the same words if that is forced.
    async fn run(
        &self,
        dataset: &Dataset,
        question: VerifiedQuestion,
        force: bool,
    ) -> Result<VerifiedQuestion, DecideError> {
        let wrong = |reason: String| DecideError::Wrong { reason };
        let query = dataset.check(&question.query).map_err(|error| wrong(error.to_string()))?;
        let answer = dataset.endpoint.query(&query, dataset.rules.limits).await;
        let answer = answer.map_err(|error| wrong(format!("the query does not run: {error}")))?;
        let known = dataset.questions().now();
        match known.find(&question.question) {
            Some(entry) if force => remove(entry)?,
            Some(_) => {
                return Err(wrong("this question is verified already; force takes the new query".to_owned()));
            }
            None => {}
        }
        Ok(VerifiedQuestion { outcome: Some(outcome(&answer)), ..question })
    }
}

fn is_open(decider: &Decider, dataset: &str, id: &str) -> Result<Proposal, DecideError> {
    let proposal = decider.store.get(dataset, id)?;
    match proposal.state {
        ProposalState::Open => Ok(proposal),
        ProposalState::Accepted | ProposalState::Rejected => Err(DecideError::Decided),
    }
}

/// The folders of a dataset's knowledge and of its verified questions.
fn folders(dataset: &Dataset) -> Result<(PathBuf, PathBuf), DecideError> {
    let knowledge = dataset.knowledge().folder().map(PathBuf::from);
    let questions =
        Some(dataset.questions().folder().to_owned()).filter(|folder| !folder.as_os_str().is_empty());
    knowledge.zip(questions).ok_or_else(|| DecideError::NoFolder { dataset: dataset.id.clone() })
}

/// A proposal as it is shown.
pub fn proposal_shown(dataset: &Dataset, proposal: Proposal, decider: &Decider) -> api::Proposal {
    let entry = proposal.block(&decider.by, &decider.today);
    let Proposal { id, dataset: _, question, lang, what, run, at, by, state: _, decided: _ } = proposal;
    let name = |iri: &str| dataset.label(iri).unwrap_or_else(|| dataset.compact(iri));
    let mut shown = api::Proposal {
        id,
        kind: ProposalKind::Glossary,
        question,
        lang,
        words: None,
        meaning: None,
        name: None,
        property: None,
        query: None,
        text: None,
        run,
        at,
        by,
        entry,
    };
    match what {
        Proposed::Glossary { words, meaning } => {
            let meant = meant(meaning);
            shown.property = meant.property.as_deref().map(name);
            shown.name = meant.value.clone().or_else(|| meant.iri.as_deref().map(name));
            (shown.words, shown.meaning) = (Some(words), Some(meant));
        }
        Proposed::Question { query } => {
            (shown.kind, shown.query) = (ProposalKind::Question, Some(query));
        }
        Proposed::Note { text, about } => {
            (shown.kind, shown.name, shown.text) = (ProposalKind::Note, Some(name(&about)), Some(text));
        }
    }
    shown
}

fn meant(meaning: WordMeaning) -> Meant {
    let of = |kind, iri| Meant { kind: Some(kind), iri: Some(iri), ..Meant::default() };
    match meaning {
        WordMeaning::Class { iri } => of(MeantKind::Class, iri),
        WordMeaning::Property { iri } => of(MeantKind::Property, iri),
        WordMeaning::Thing { iri } => of(MeantKind::Thing, iri),
        WordMeaning::Prefer { iri, over } => Meant { over, ..of(MeantKind::Prefer, iri) },
        WordMeaning::Value { property, value } => {
            let (kind, property) = (Some(MeantKind::Value), Some(property));
            Meant { kind, property, value: Some(value), ..Meant::default() }
        }
    }
}
