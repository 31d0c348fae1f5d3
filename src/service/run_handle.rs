//! The handle of a run: the events of a question so far, for any number of readers.
//!
//! Events are numbered from 1 and kept as long as the question is needed. Each reader consumes them at its own pace,
//! starting at any number, so a slow reader blocks nobody and loses nothing. Their number is bounded, because steps,
//! rows and texts are.
//!
//! The work ends after half a second without readers and keeps its results. Tests: `tests`, `tests/ask.rs`.

use super::run::{AnswerPage, Run, RunId, RunState};
use super::types::{Answered, ServiceError};
use crate::trace::{Observer, Step, Trace};
use eruca_api::{Clarify, Query, Reading, Words};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long the work continues without readers, so that a client with a broken connection can reconnect.
const GRACE: Duration = Duration::from_millis(500);

/// An event of a question.
#[derive(Debug, Clone)]
pub enum Event {
    /// A step has been completed.
    Step(Step),
    /// The reading of the question; emitted again as more becomes known.
    Reading(Reading),
    /// Several properties may be meant.
    Clarify(Clarify),
    /// The final query is known.
    Query(Query),
    /// The result of the query.
    Rows(AnswerPage),
    /// A piece of a model's text.
    Token(String),
    /// The verbalized answer.
    Answer(Words),
    /// The question failed.
    Failed(ServiceError),
    /// The final event, with the complete run.
    Done(Arc<Run>),
}

/// A question in progress or finished: its run and its events.
pub struct RunHandle {
    id: RunId,
    started: Instant,
    state: Mutex<RunProgress>,
    /// Number of events.
    length: watch::Sender<u64>,
    readers: watch::Sender<usize>,
}

struct RunProgress {
    run: Run,
    events: Vec<Arc<Event>>,
    outcome: Option<Outcome>,
}

/// The outcome of a question: an answer, or the reason why there is none.
pub type Outcome = Result<Arc<Answered>, ServiceError>;

impl RunHandle {
    pub(super) fn begin(run: Run) -> Arc<Self> {
        let id = run.id;
        let state = Mutex::new(RunProgress { run, events: Vec::new(), outcome: None });
        let (length, readers) = (watch::Sender::new(0), watch::Sender::new(0));
        Arc::new(Self { id, started: Instant::now(), state, length, readers })
    }

    /// The id of the run.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// A snapshot of the run.
    pub fn run(&self) -> Run {
        let mut run = self.state().run.clone();
        if run.state == RunState::Running {
            run.elapsed = self.started.elapsed();
        }
        run
    }

    /// Number of events so far.
    pub fn length(&self) -> u64 {
        *self.length.borrow()
    }

    /// Reads the events after number `after`. The work continues as long as there is a reader.
    pub fn read(self: &Arc<Self>, after: u64) -> EventReader {
        self.readers.send_modify(|readers| *readers += 1);
        EventReader { handle: self.clone(), seen: after, length: self.length.subscribe() }
    }

    /// Whether the run has finished.
    pub fn is_over(&self) -> bool {
        self.state().is_over()
    }

    /// Resolves when the run finishes.
    ///
    /// # Errors
    /// Why the question has no answer.
    pub async fn finished(&self) -> Outcome {
        let mut length = self.length.subscribe();
        loop {
            if let Some(outcome) = self.state().outcome.clone() {
                return outcome;
            }
            if length.changed().await.is_err() {
                return Err(ServiceError::Cancelled);
            }
        }
    }

    /// The steps so far.
    pub(super) fn steps(&self) -> Vec<Step> {
        let state = self.state();
        state.run.trace.as_ref().map_or(&state.run.steps, |trace| &trace.steps).clone()
    }

    /// Moves the steps into a trace and stores it in the run.
    pub(super) fn settle(&self, trace: &mut Trace) {
        self.amend(|run| {
            trace.steps = std::mem::take(&mut run.steps);
            run.trace = Some(trace.clone());
        });
    }

    /// Resolves when there are no readers for [`GRACE`].
    pub(super) async fn abandoned(&self) {
        let mut readers = self.readers.subscribe();
        loop {
            if readers.wait_for(|readers| *readers == 0).await.is_err() {
                return std::future::pending().await;
            }
            match tokio::time::timeout(GRACE, readers.wait_for(|readers| *readers > 0)).await {
                Ok(_) => {}
                Err(_) => return,
            }
        }
    }

    /// Adds an event; ignored after the last one.
    pub(super) fn push(&self, event: Event) {
        let mut state = self.state();
        if !state.is_over() {
            state.push(event);
            self.length.send_replace(state.length());
        }
    }

    /// Updates the run without emitting an event.
    pub(super) fn amend(&self, change: impl FnOnce(&mut Run)) {
        let mut state = self.state();
        if !state.is_over() {
            change(&mut state.run);
        }
    }

    /// Ends the run. What was known before is kept.
    pub(super) fn end(&self, outcome: Result<Answered, ServiceError>) {
        let outcome = outcome.map(Arc::new);
        let mut state = self.state();
        if state.is_over() {
            return;
        }
        state.run.elapsed = self.started.elapsed();
        match &outcome {
            Ok(_) => state.run.state = RunState::Done,
            Err(error) => {
                let failed = || RunState::Failed(error.clone());
                let cancelled = matches!(error, ServiceError::Cancelled);
                state.run.state = if cancelled { RunState::Cancelled } else { failed() };
                state.push(Event::Failed(error.clone()));
            }
        }
        let run = Arc::new(state.run.clone());
        state.push(Event::Done(run));
        state.outcome = Some(outcome);
        self.length.send_replace(state.length());
    }

    fn state(&self) -> MutexGuard<'_, RunProgress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for RunHandle {
    fn step(&self, step: &Step) {
        self.push(Event::Step(step.clone()));
    }
}

impl RunProgress {
    fn is_over(&self) -> bool {
        self.run.state != RunState::Running
    }

    fn length(&self) -> u64 {
        self.events.len().try_into().unwrap_or(u64::MAX)
    }

    fn push(&mut self, event: Event) {
        let run = &mut self.run;
        match &event {
            Event::Step(step) => run.steps.push(step.clone()),
            Event::Reading(Reading { lang, asked, taken_over, words, .. }) => {
                (run.lang, run.asked, run.taken_over) = (lang.clone(), asked.clone(), taken_over.clone());
                run.words.clone_from(words);
            }
            Event::Clarify(clarify) => run.clarify = Some(clarify.clone()),
            Event::Query(Query { query, explanation }) => {
                run.query = Some(query.clone());
                run.explanation.clone_from(explanation);
            }
            Event::Rows(rows) => run.rows = Some(rows.clone()),
            Event::Answer(words) => run.answer = Some(words.clone()),
            Event::Token(_) | Event::Failed(_) | Event::Done(_) => {}
        }
        self.events.push(Arc::new(event));
    }
}

/// Reads the events of a question.
pub struct EventReader {
    handle: Arc<RunHandle>,
    seen: u64,
    length: watch::Receiver<u64>,
}

impl EventReader {
    /// The next event with its number, once there is one; `None` after the last. Cancel-safe.
    pub async fn next(&mut self) -> Option<(u64, Arc<Event>)> {
        loop {
            if let Some(event) = self.ready() {
                self.seen += 1;
                return Some((self.seen, event));
            }
            if self.handle.state().is_over() {
                // An event may have arrived since the first check.
                let event = self.ready()?;
                self.seen += 1;
                return Some((self.seen, event));
            }
            let seen = self.seen;
            self.length.wait_for(|length| *length > seen).await.ok()?;
        }
    }

    fn ready(&self) -> Option<Arc<Event>> {
        let at = usize::try_from(self.seen).ok()?;
        self.handle.state().events.get(at).cloned()
    }
}

impl Drop for EventReader {
    fn drop(&mut self) {
        self.handle.readers.send_modify(|readers| *readers = readers.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::StepKind;
    use futures_util::FutureExt;

    fn begun() -> Arc<RunHandle> {
        RunHandle::begin(Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned()))
    }

    fn note(number: usize) -> Event {
        let kind = StepKind::Controller { note: number.to_string() };
        Event::Step(Step { at: Duration::ZERO, elapsed: Duration::ZERO, kind })
    }

    async fn rest(reader: &mut EventReader) -> Vec<u64> {
        let mut numbers = Vec::new();
        while let Some((number, _)) = reader.next().await {
            numbers.push(number);
        }
        numbers
    }

    #[tokio::test]
    async fn every_reader_gets_all_events_in_order_however_slow_it_is() {
        let handle = begun();
        let mut readers: Vec<_> = [0, 0, 2].map(|after| handle.read(after)).into();
        let writer = handle.clone();
        let written = tokio::spawn(async move {
            for number in 0..500 {
                writer.push(note(number));
                tokio::task::yield_now().await;
            }
            writer.end(Err(ServiceError::Cancelled));
            writer.push(note(501));
        });
        let late = readers.remove(0);
        for (mut reader, first) in readers.into_iter().zip([1, 3]) {
            assert_eq!(rest(&mut reader).await, (first..=502).collect::<Vec<_>>());
        }
        written.await.unwrap();
        let mut late = late;
        assert_eq!(rest(&mut late).await.len(), 502);
        assert_eq!(rest(&mut handle.read(502)).await, [0; 0]);
        assert_eq!(rest(&mut handle.read(u64::MAX)).await, [0; 0]);
        let run = handle.run();
        assert_eq!((run.state, run.steps.len()), (RunState::Cancelled, 500));
        assert!(matches!(handle.finished().await, Err(ServiceError::Cancelled)));
    }

    #[tokio::test]
    async fn it_is_abandoned_when_nobody_reads_and_not_before() {
        let handle = begun();
        let [reader, other] = [handle.read(0), handle.read(0)];
        assert!(handle.abandoned().now_or_never().is_none());
        drop(reader);
        assert!(handle.abandoned().now_or_never().is_none(), "there is another reader");
        let waiting = handle.abandoned();
        drop(other);
        waiting.await;
    }
}
