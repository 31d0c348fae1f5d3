//! Converts a run to the form in which the interfaces send it: ids, times and errors become text, and what the trace
//! says about the answer is placed next to it.

use super::run::{Run, RunState};
use super::types::ServiceError;
use eruca_api as api;
use std::time::SystemTime;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

impl From<Run> for api::Run {
    fn from(run: Run) -> Self {
        let (state, error) = state_and_error(&run.state);
        let trace = run.trace.as_ref();
        let known = trace.and_then(|trace| trace.insight.as_ref());
        let api::Insight { unused, not_found, about, because, doubts, alternatives, .. } =
            known.cloned().unwrap_or_default();
        Self {
            id: run.id.to_string(),
            asked_at: rfc3339(run.asked_at),
            state,
            error,
            answered_by: trace.map(|trace| trace.answered_by),
            model: trace.and_then(|trace| trace.model.clone()),
            confidence: known.map(api::Insight::belief),
            reading: known.map(|known| known.reading.clone()),
            unused,
            not_found,
            about,
            because,
            doubts,
            alternatives: if run.alternatives { alternatives } else { Vec::new() },
            steps: if trace.is_some() { Vec::new() } else { run.steps },
            dataset: run.dataset,
            question: run.question,
            asked: run.asked,
            taken_over: run.taken_over,
            follows: run.follows,
            lang: run.lang,
            similar: run.similar,
            clarify: run.clarify,
            words: run.words,
            query: run.query,
            rows_query: run.rows_query,
            explanation: run.explanation,
            editor: run.editor,
            rows: run.rows.map(|rows| rows.rows()),
            answer: run.answer,
            claims: run.claims,
            article: run.article,
            empty: run.empty,
            missing: run.missing,
            trace: run.trace,
            elapsed: run.elapsed,
        }
    }
}

fn state_and_error(state: &RunState) -> (api::RunState, Option<api::ErrorBody>) {
    match state {
        RunState::Running => (api::RunState::Running, None),
        RunState::Done => (api::RunState::Done, None),
        RunState::Failed(failed) => (api::RunState::Failed, Some(failed.body())),
        RunState::Cancelled => (api::RunState::Cancelled, Some(ServiceError::Cancelled.body())),
    }
}

fn rfc3339(time: SystemTime) -> String {
    OffsetDateTime::from(time).format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_comes_back_as_it_was_written() {
        let run = Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned());
        let sent = api::Run::from(run);
        let text = serde_json::to_string(&sent).unwrap();
        assert_eq!(serde_json::from_str::<api::Run>(&text).unwrap(), sent);
        assert!(sent.asked_at.ends_with('Z'), "{}", sent.asked_at);
    }
}
