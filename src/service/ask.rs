//! Asking a question and looking on: the work belongs to the service, goes on as long as somebody reads, and tells what happens.

use super::asking::{Asking, Event, Reading};
use super::run::{ReadWord, Run};
use super::types::{Answered, Question, ServiceError};
use super::{Service, Time, fault};
use crate::dataset::Dataset;
use crate::trace::Insight;
use eruca_planner::question::Question as Read;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tracing::Instrument;

/// A question with how it is to be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// The language of labels and words; that of the question without one.
    pub lang: Option<String>,
    /// Time for the question, if it is less than the configured one.
    pub deadline: Option<Duration>,
    /// Whether other readings are told.
    pub alternatives: bool,
}

impl Service {
    /// Begins to answer a question. The work ends early when all readers have gone for a while; so does work that nobody
    /// has begun to read.
    ///
    /// # Errors
    /// When the question is not well-formed or the dataset is unknown; everything else is told by the events.
    pub fn ask(self: &Arc<Self>, ask: Ask) -> Result<Arc<Asking>, ServiceError> {
        let dataset = self.validate(&ask.question)?;
        let read = dataset.read(&ask.question.text);
        let lang = ask.lang.clone().unwrap_or_else(|| spoken(&dataset, &read));
        let mut run = Run::begin(dataset.id.clone(), ask.question.text.clone(), lang);
        run.alternatives = ask.alternatives;
        let asking = Asking::begin(run);
        let supervised = supervise(self.clone(), dataset, ask, asking.clone());
        tokio::spawn(supervised.in_current_span());
        Ok(asking)
    }

    async fn answer_aloud(
        &self,
        dataset: &Arc<Dataset>,
        ask: &Ask,
        asking: &Asking,
    ) -> Result<Answered, ServiceError> {
        let lang = asking.run().lang;
        let reading = Reading {
            lang: lang.clone(),
            asked: ask.question.text.clone(),
            taken_over: Vec::new(),
            insight: None,
            words: Vec::new(),
        };
        asking.push(Event::Reading(reading.clone()));
        let allowed = ask.deadline.unwrap_or(self.limits.deadline).min(self.limits.deadline);
        let time = Time::from_now(allowed);
        let answered = self.answer_within(&ask.question, time, asking).await?;
        let insight = answered.trace.insight.clone();
        let words = words(&dataset.read(&reading.asked), insight.as_ref());
        asking.push(Event::Reading(Reading { insight, words, ..reading }));
        asking.amend(|run| run.trace = Some(answered.trace.clone()));
        asking.amend(|run| run.editor = dataset.editor(&answered.query));
        asking.push(Event::Query(answered.query.clone()));
        self.show(&dataset.spoken_to(&lang), &answered, time, asking).await;
        Ok(answered)
    }

    /// Tells what the query gave, or why it gave nothing.
    async fn show(&self, dataset: &Dataset, answered: &Answered, time: Time, asking: &Asking) {
        let Some(answer) = &answered.results else { return };
        asking.push(Event::Rows(super::shown::rows(dataset, answer).await));
        if let (true, Ok(query)) = (answer.is_empty(), dataset.check(&answered.query)) {
            let empty = super::emptiness::explain(dataset, &query, self.limits.helps, time.left()).await;
            asking.amend(|run| run.empty = Some(empty));
        }
    }
}

/// Does the work, and ends the question whatever becomes of it.
async fn supervise(service: Arc<Service>, dataset: Arc<Dataset>, ask: Ask, asking: Arc<Asking>) {
    let (answering, told) = (service.clone(), asking.clone());
    let work = async move { answering.answer_aloud(&dataset, &ask, &told).await };
    let work = AssertUnwindSafe(service.workers.run(work)).catch_unwind();
    let outcome = tokio::select! {
        outcome = work => outcome.unwrap_or_else(|panic| Err(fault(panic.as_ref(), asking.run().steps))),
        () = asking.abandoned() => Err(ServiceError::Cancelled),
    };
    asking.end(outcome);
}

/// The language in which the asker of a question is spoken to.
fn spoken(dataset: &Dataset, read: &Read) -> String {
    let own = Some(read.language).filter(|language| !language.is_unknown());
    let preferred = || dataset.languages.first().cloned().unwrap_or_else(|| "en".to_owned());
    own.map_or_else(preferred, |language| language.tag().to_owned())
}

/// The words of a question, each with whether it found a place.
fn words(read: &Read, insight: Option<&Insight>) -> Vec<ReadWord> {
    let unused = |word: &str| insight.is_some_and(|insight| insight.unused.iter().any(|other| other == word));
    let words = read.words.iter().map(|word| ReadWord { used: !unused(&word.raw), text: word.raw.clone() });
    words.collect()
}
