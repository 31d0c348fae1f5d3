//! The stages of a question: parse, link, let the agent or the planner find the query, shape its answer, verbalize
//! it.
//!
//! The order of the stages is defined here; each stage has its own file: `parse`, `solve`, `verbalize`. Progress is
//! reported only to the handle of the run.

use super::ask::{Ask, Wanted};
use super::clarify::clarify;
use super::follow::Among;
use super::graph::remembered;
use super::index::{check_index, confirm_index};
use super::run_handle::{Event, RunHandle};
use super::similar::similar;
use super::types::{Answered, Question, ServiceError};
use super::{QuestionTime, Service};
use crate::agent::Earlier;
use crate::trace::{Insight, Observer, Recorder};
use eruca_api::{Query, ReadWord, Reading};
use eruca_dataset::Dataset;
use eruca_language::language;
use eruca_planner::follow::Again;
use eruca_planner::question::ParsedQuestion;
use eruca_verbalize::why::explained;
use std::sync::Arc;
use std::time::Instant;

/// A question being answered. It keeps the same dataset until the end, even if the dataset is replaced meanwhile.
pub(super) struct Pipeline {
    pub service: Arc<Service>,
    pub dataset: Arc<Dataset>,
    pub ask: Ask,
    pub handle: Arc<RunHandle>,
    /// Datasets that the question may be about and that cannot be asked, in sentences.
    pub left_out: Vec<String>,
}

/// A standalone question with everything its answer depends on.
pub(super) struct QuestionContext {
    /// The question, including what it takes over from earlier ones.
    pub question: Question,
    /// The parsed question.
    pub parsed: Arc<ParsedQuestion>,
    /// How it has been read so far.
    pub reading: Reading,
    /// Earlier questions, for a model.
    pub earlier: Vec<Earlier>,
    /// The entities that the question is restricted to.
    pub among: Among,
    /// The query of an earlier answer that is requested again, and in which form.
    pub again: Option<(String, Again)>,
    /// The probability of the earlier answer that it relies on.
    pub at_most: Option<f32>,
    /// IRIs of properties that the reader prefers among equally good ones.
    pub prefers: Vec<String>,
    /// Whether the reader has said what words of it mean.
    pub has_meanings: bool,
    pub time: QuestionTime,
    /// Datasets that it may be about and that cannot be asked, in sentences.
    pub left_out: Vec<String>,
}

impl QuestionContext {
    /// Whether the answer depends on nothing but its words.
    fn stands_alone(&self) -> bool {
        self.earlier.is_empty()
            && self.among.is_all()
            && self.again.is_none()
            && self.prefers.is_empty()
            && !self.has_meanings
    }
}

impl Pipeline {
    /// Answers the question.
    pub(super) async fn answer(self) -> Result<Answered, ServiceError> {
        let context = self.context()?;
        let is_fresh = self.ask.test || self.is_verified(&context);
        let remembered = if is_fresh { None } else { self.remembered(&context) };
        let is_new = remembered.is_none();
        let mut answered = match remembered {
            Some(answered) => answered,
            None => self.found(&context).await?,
        };
        let is_verified = answered.trace.verified.is_some();
        if self.service.model.is_none()
            && !is_verified
            && let Some(insight) = &mut answered.trace.insight
        {
            context.lower_confidence(insight);
        }
        self.handle.settle(&mut answered.trace);
        if is_new && !is_verified && !self.ask.test && context.stands_alone() {
            self.service.caches.keep(&self.dataset, &context.question, &answered);
        }
        let dataset = self.dataset.called(&answered.dataset_id);
        self.handle.amend(|run| run.dataset.clone_from(&dataset.id));
        if self.ask.wanted > Wanted::Query {
            self.show(&dataset, &context, &mut answered).await;
        }
        Ok(answered)
    }

    /// The cached answer to the same question; not used if a model also sees earlier questions and could answer
    /// differently.
    fn remembered(&self, context: &QuestionContext) -> Option<Answered> {
        let started = Instant::now();
        let known = || self.service.caches.answer(&self.dataset, &context.question, started.elapsed());
        let answered = context.stands_alone().then(known).flatten()?;
        answered.trace.steps.iter().for_each(|step| self.handle.step(step));
        Some(answered)
    }

    /// Finds the answer once the question has its place in the queue.
    async fn found(&self, context: &QuestionContext) -> Result<Answered, ServiceError> {
        // The deadline counts from the request, so it includes the time in the queue.
        let place = Arc::new(self.service.queue.enter(context.time.allowed / 2).await?);
        let recorder = Recorder::start(&*self.handle);
        check_index(&self.dataset).await?;
        let solved = match self.by_verified(context, &recorder).await {
            Some(answered) => answered,
            None => self.service.solve(&self.dataset, context, &place, &recorder).await,
        };
        confirm_index(&self.dataset).await?;
        solved
    }

    /// Presents the answer: the reading of the question, the explained query, the rows, the text.
    async fn show(&self, dataset: &Arc<Dataset>, context: &QuestionContext, answered: &mut Answered) {
        let handle = &self.handle;
        let mut reading = Reading { dataset: Some(dataset.id.clone()), ..context.reading.clone() };
        if let Some(insight) = &answered.trace.insight {
            reading.words = words(&context.parsed, insight);
            (reading.reading, reading.confidence) = (Some(insight.reading.clone()), Some(insight.belief()));
        }
        let lang = reading.lang.clone();
        handle.push(Event::Reading(reading));
        handle.amend(|run| {
            run.editor = dataset.editor(&answered.query);
            run.missing = dataset.unread().to_vec();
            run.graph = remembered(dataset, &answered.memory);
        });
        let dataset = Arc::new(dataset.for_language(&lang));
        let query = dataset.check(&answered.query);
        let tongue = language(&lang).unwrap_or(context.parsed.language);
        if let Some(clarify) = clarify(&dataset, answered, &context.prefers, tongue) {
            handle.push(Event::Clarify(clarify));
        }
        let explanation = query.as_ref().map(|query| explained(&dataset, query, tongue)).unwrap_or_default();
        handle.push(Event::Query(Query { query: answered.query.clone(), explanation }));
        if let (Some(answer), Ok(query)) = (answered.results.clone(), query) {
            self.verbalize(context, &dataset, (query, answer), answered).await;
        }
        if let Some(insight) = &answered.trace.insight {
            let (cpu_pool, left) = (&self.service.cpu_pool, context.time.left());
            let near = similar(cpu_pool, &dataset, &context.parsed, insight, left).await;
            handle.amend(|run| run.similar = near);
        }
    }
}

/// The words of a question, each with whether it was used.
fn words(parsed: &ParsedQuestion, insight: &Insight) -> Vec<ReadWord> {
    let unused = |word: &str| insight.unused.iter().any(|other| other == word);
    let words = parsed.words.iter().map(|word| ReadWord { used: !unused(&word.raw), text: word.raw.clone() });
    words.collect()
}
