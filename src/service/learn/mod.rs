//! What is learned from corrections: they become proposals, which the owner of a graph accepts or rejects after seeing what each
//! would change.
//!
//! ```text
//! correction ─► meant (checked against the graph) ─► proposal ─► trial (asked again, before and after) ─► decide (files, reload)
//! ```
//! Nothing changes without the owner. Meanings that a reader chooses for one question are checked in the same way.

mod decide;
mod meant;
mod propose;
mod trial;

pub use decide::{DecideError, Decider, proposal_shown};
pub use trial::RECENT_QUESTIONS;

use super::Service;
use eruca_api::{Correction, Trial};
use eruca_dataset::Dataset;
use eruca_knowledge::proposals::{Proposal, Proposed, Source};
use eruca_knowledge::{GlossaryEntry, Learned};
use std::sync::Arc;

impl Service {
    /// The proposal that a correction makes.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence: the graph does not have the term, or it is out of bounds.
    pub fn proposed_word(
        &self,
        dataset: &Dataset,
        source: Source,
        correction: &Correction,
    ) -> Result<Proposal, String> {
        // A short question tells its language badly, and a word that counts in a wrong one helps nobody: without one it counts in all.
        let meaning = meant::meaning(dataset, &correction.meaning)?;
        let words = correction.words.clone();
        Proposal::new(source, Proposed::Glossary { words, meaning })
    }

    /// The proposal of a verified question, whose query can be run.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    pub fn proposed_question(
        &self,
        dataset: &Dataset,
        mut source: Source,
        query: &str,
    ) -> Result<Proposal, String> {
        dataset.check(query).map_err(|error| error.to_string())?;
        source.lang = language_of(dataset, &source.question);
        Proposal::new(source, Proposed::Question { query: query.to_owned() })
    }

    /// What an entry would change: the last questions and the verified ones are asked again without a model.
    pub async fn trial(&self, dataset: &Arc<Dataset>, learned: &Learned, recent: Vec<String>) -> Trial {
        trial::trial(self, dataset, learned, recent).await
    }
}

/// The language of a question, if it is known.
fn language_of(dataset: &Dataset, question: &str) -> Option<String> {
    let known = dataset.read(question).language;
    (!question.is_empty() && !known.is_unknown()).then(|| known.tag().to_owned())
}

/// The dataset for one question with meanings that its reader has chosen, and a note for each that the graph does not have.
pub(super) fn with_meanings(dataset: &Arc<Dataset>, chosen: &[Correction]) -> (Arc<Dataset>, Vec<String>) {
    if chosen.is_empty() {
        return (dataset.clone(), Vec::new());
    }
    let (mut entries, mut notes): (Vec<GlossaryEntry>, Vec<String>) = (Vec::new(), Vec::new());
    for one in chosen {
        match meant::entry(dataset, one) {
            Ok(entry) => entries.push(entry),
            Err(reason) => notes.push(format!("a chosen meaning is left out: {reason}")),
        }
    }
    (Arc::new(dataset.meaning(entries)), notes)
}
