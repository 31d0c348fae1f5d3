//! The caches of a service, including the one for complete answers.
//!
//! Failures, answers during which something failed, and truncated results are not cached. Whether an endpoint is up
//! is never answered from a cache; a cached answer is returned without contacting the endpoint. Tests:
//! `tests/operation.rs`, `tests/outages.rs`.

use super::types::{Answered, Question};
use crate::llm::Usage;
use crate::trace::{Insight, Step, StepKind, StopReason};
use eruca_dataset::cache::{Cache, CacheFigures, VectorCache, Weight};
use eruca_dataset::{Dataset, LiveCaches, ResultCache};
use std::sync::Arc;
use std::time::Duration;

/// Complete answers, by dataset and question.
pub type AnswerCache = Cache<Answered>;

impl Weight for Answered {
    fn bytes(&self) -> usize {
        let results = self.results.as_ref().map_or(0, Weight::bytes);
        let steps: usize = self.trace.steps.iter().map(step_bytes).sum();
        let insight = self.trace.insight.as_ref().map_or(0, insight_bytes);
        results + self.query.len() + steps + insight + self.memory.bytes()
    }
}

fn insight_bytes(insight: &Insight) -> usize {
    let words = insight.unused.iter().chain(&insight.not_found).map(String::len);
    let others = insight.alternatives.iter().map(|other| other.reading.len() + other.query.len());
    let because = insight.because.iter();
    let because =
        because.map(|one| one.words.len() + one.name.as_ref().map_or(0, String::len) + size_of_val(one));
    let doubts = insight.doubts.iter().map(|one| one.about.len() + size_of_val(one));
    let own = insight.reading.len() + size_of_val(insight.signs.as_slice());
    own + because.chain(doubts).sum::<usize>() + words.chain(others).sum::<usize>()
}

fn step_bytes(step: &Step) -> usize {
    match &step.kind {
        StepKind::Model { thought, calls, .. } => {
            let calls: usize = calls.iter().map(|call| call.name.len() + call.arguments.len()).sum();
            thought.as_ref().map_or(0, String::len) + calls
        }
        StepKind::Tool { name, arguments, observation, .. } => {
            name.len() + arguments.len() + observation.len()
        }
        StepKind::Planner { readings } => readings.iter().map(String::len).sum(),
        StepKind::Grounding { observation: text }
        | StepKind::Rewrite { change: text }
        | StepKind::Controller { note: text } => text.len(),
    }
}

/// The caches of a service; `None` disables a cache.
#[derive(Clone, Default)]
pub struct Caches {
    /// Complete answers.
    pub answers: Option<Arc<AnswerCache>>,
    /// Results of remote endpoints; read and filled by the datasets.
    pub results: Option<Arc<ResultCache>>,
    /// Embeddings of search texts; read and filled by the embedding model.
    pub embeddings: Option<Arc<VectorCache>>,
    /// Wikibase look-ups; read and filled by the datasets.
    pub live: Option<Arc<LiveCaches>>,
}

impl Caches {
    /// Usage statistics of each cache.
    pub(super) fn figures(&self) -> Vec<CacheFigures> {
        let answers = self.answers.iter().map(|cache| cache.figures());
        let results = self.results.iter().map(|cache| cache.figures());
        let live = self.live.iter().flat_map(|caches| caches.figures());
        answers
            .chain(results)
            .chain(self.embeddings.iter().map(|cache| cache.figures()))
            .chain(live)
            .collect()
    }

    /// The cached answer to the same question. Its original cost is not counted again.
    pub(super) fn answer(
        &self,
        dataset: &Dataset,
        question: &Question,
        elapsed: Duration,
    ) -> Option<Answered> {
        let mut answered = self.answers.as_ref()?.get(&key(dataset, question))?;
        let trace = &mut answered.trace;
        (trace.model_calls, trace.usage, trace.cost, trace.elapsed) = (0, Usage::default(), None, elapsed);
        let note = "the same question was answered recently: this is that answer, with its steps".to_owned();
        let step = Step { at: Duration::ZERO, elapsed, kind: StepKind::Controller { note } };
        trace.steps.insert(0, step);
        Some(answered)
    }

    /// Caches an answer, unless something failed along the way.
    pub(super) fn keep(&self, dataset: &Dataset, question: &Question, answered: &Answered) {
        let Some(answers) = &self.answers else { return };
        let sound = match answered.trace.stop {
            StopReason::Answered
            | StopReason::AnsweredAsText
            | StopReason::NotInGraph
            | StopReason::NoModel
            | StopReason::AskedAgain
            | StopReason::AskedForHelp
            | StopReason::OnlyNamed
            | StopReason::Verified => true,
            StopReason::Deadline | StopReason::Budget | StopReason::ModelFailed => false,
        };
        if sound && answered.results.is_some() {
            answers.put(key(dataset, question), answered.clone());
        }
    }
}

fn key(dataset: &Dataset, question: &Question) -> String {
    format!("{}\n{}", dataset.version(), question.text.trim())
}
