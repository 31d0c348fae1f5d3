//! Retrieves for each question and looks for the terms of its gold query. Nothing is answered.

use super::gold_terms::gold_terms;
use super::lost::{Trail, lost, searches};
use super::ranks::{hits, is_told, ranks};
use super::record::{FoundTerm, GroundingRecord, Hits};
use super::{GoldTerm, Grounder, KnownTerm, Lost, Reason, Retrieved, TermKind};
use crate::gold::runnable;
use crate::select::Task;
use futures_util::StreamExt;
use futures_util::future::join_all;

/// How far the rank of a term is looked for that is not among the first hits.
const FAR: usize = 1_000;
/// Maximum number of names kept in a record.
const MAX_NAMES: usize = 3;

/// A run.
pub struct GroundingRun<'a> {
    /// What is measured; must be able to handle `jobs` questions at once.
    pub grounder: &'a dyn Grounder,
    /// The questions.
    pub tasks: &'a [Task],
    /// The numbers of first hits, sorted: what lies behind the largest is not found.
    pub cuts: &'a [usize],
    /// Number of questions at the same time.
    pub jobs: usize,
}

impl GroundingRun<'_> {
    /// The records of all tasks in order. A question that cannot be measured has an error in its record. `finished` is called
    /// after each question.
    pub async fn run(&self, finished: &(dyn Fn(&GroundingRecord) + Sync)) -> Vec<GroundingRecord> {
        let records = futures_util::stream::iter(self.tasks).map(|task| self.measured(task));
        let told = |record: GroundingRecord| {
            finished(&record);
            record
        };
        records.buffered(self.jobs).map(told).collect().await
    }

    async fn measured(&self, task: &Task) -> GroundingRecord {
        let found = self.terms(task).await;
        let (terms, hits, error) = match found {
            Ok((terms, hits)) => (terms, hits, None),
            Err(error) => (Vec::new(), Hits::default(), Some(error)),
        };
        GroundingRecord {
            id: task.question.id.clone(),
            dataset: task.dataset.clone(),
            question: task.question.text.clone(),
            lang: task.question.lang.clone(),
            model: self.grounder.searchable(&task.dataset).model,
            error,
            hits,
            terms,
        }
    }

    fn first(&self) -> usize {
        self.cuts.last().copied().unwrap_or(1)
    }

    async fn terms(&self, task: &Task) -> Result<(Vec<FoundTerm>, Hits), String> {
        let mut gold = self.gold(task)?;
        if !self.grounder.searchable(&task.dataset).values {
            gold.retain(|term| term.kind != TermKind::Value);
        }
        let retrieved = self.grounder.retrieve(&task.dataset, &task.question.text, self.first()).await?;
        let terms = join_all(gold.iter().map(|term| self.found(task, term, &retrieved))).await;
        Ok((terms, hits(&retrieved, &searches(&retrieved), self.cuts)))
    }

    fn gold(&self, task: &Task) -> Result<Vec<GoldTerm>, String> {
        let Some(sparql) = &task.question.sparql else {
            return Err("the file has no gold query for this question".to_owned());
        };
        let failed = |reason: String| format!("the gold query cannot be read: {reason}");
        let query = runnable(sparql).map_err(|error| failed(error.to_string()))?;
        let query = self.grounder.parsed(&task.dataset, &query).map_err(failed)?;
        Ok(gold_terms(&query, &|iri| self.grounder.role(&task.dataset, iri)))
    }

    async fn found(&self, task: &Task, term: &GoldTerm, retrieved: &Retrieved) -> FoundTerm {
        let known = self.grounder.known(&task.dataset, term).await;
        let written = &known.written;
        let ranks = ranks(term, retrieved, &searches(retrieved));
        let told = is_told(&retrieved.told, written);
        let shown = told || is_told(&retrieved.card, written);
        let question = &task.question.text;
        let trail = Trail { question, known: &known, ranks: &ranks, first: self.first(), told: shown };
        let lost = match lost(&trail) {
            Some(reason) => Some(Lost { reason, rank: self.far_rank(task, term, &known, reason).await }),
            None => None,
        };
        FoundTerm {
            kind: term.kind,
            term: term.key.clone(),
            names: known.names.into_iter().take(MAX_NAMES).collect(),
            ranks,
            told,
            shown,
            lost,
        }
    }

    async fn far_rank(
        &self,
        task: &Task,
        term: &GoldTerm,
        known: &KnownTerm,
        reason: Reason,
    ) -> Option<usize> {
        if !matches!(reason, Reason::RankedLow | Reason::Implicit) {
            return None;
        }
        let names = known.names.as_slice();
        self.grounder.far_rank(&task.dataset, &task.question.text, (term, names), FAR).await
    }
}
