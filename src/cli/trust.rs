//! Whether an answer should be trusted, for scripts, which cannot read caveats. Uses `trace` and the service's runs.

use crate::service::{Run, RunState};
use crate::trace::{AnsweredBy, StopReason, Trace};
use eruca_api::Confidence;
use eruca_sparql::Answer;

/// Whether an answer should be trusted: its query has run, it is not a guess, it is not empty while the question has a name
/// that the graph does not know, and if the agent answered, the model has stated it.
pub(super) fn is_trusted(trace: &Trace, answer: Option<&Answer>) -> bool {
    let Some(answer) = answer else { return false };
    let stated = matches!(trace.stop, StopReason::Answered | StopReason::AnsweredAsText);
    if trace.answered_by == AnsweredBy::Agent && !stated {
        return false;
    }
    let Some(insight) = &trace.insight else { return stated };
    let nothing = answer.gives_nothing();
    insight.confidence != Confidence::Guess && (insight.not_found.is_empty() || !nothing)
}

/// The same for a run; one without an answer should not be trusted.
pub(super) fn deserves(run: &Run) -> bool {
    let answer = run.rows.as_ref().map(|rows| &rows.page);
    run.state == RunState::Done && run.trace.as_ref().is_some_and(|trace| is_trusted(trace, answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Usage;
    use crate::trace::Insight;
    use eruca_sparql::Results;
    use std::time::Duration;

    fn trace(stop: StopReason, insight: Option<Insight>) -> Trace {
        Trace {
            dataset_id: String::new(),
            answered_by: match stop {
                StopReason::NoModel => AnsweredBy::Planner,
                _ => AnsweredBy::Agent,
            },
            stop,
            model: None,
            degraded: Vec::new(),
            insight,
            verified: None,
            not_in_graph: None,
            computed: None,
            citations: Vec::new(),
            steps: Vec::new(),
            model_calls: 0,
            usage: Usage::default(),
            cost: None,
            elapsed: Duration::ZERO,
            results: None,
        }
    }

    fn insight(probability: f32, not_found: &[&str]) -> Insight {
        let not_found = not_found.iter().map(ToString::to_string).collect();
        Insight { not_found, ..Insight::of(probability) }
    }

    fn answer(results: Results) -> Answer {
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    #[test]
    fn guesses_leftovers_and_unknown_names_deserve_none() {
        let yes = answer(Results::Boolean(true));
        let nothing = answer(Results::Graph(Vec::new()));
        let planned = |probability, not_found: &[&str], answer| {
            is_trusted(&trace(StopReason::NoModel, Some(insight(probability, not_found))), answer)
        };
        assert!(planned(0.99, &[], Some(&yes)));
        assert!(planned(0.99, &[], Some(&nothing)), "nothing is an answer, too");
        assert!(!planned(0.99, &["Atlantis"], Some(&nothing)));
        assert!(!planned(0.01, &[], Some(&yes)));
        assert!(!planned(0.99, &[], None), "a query that was not run");
        let modelled = |stop| is_trusted(&trace(stop, Some(insight(0.6, &[]))), Some(&yes));
        assert!(
            !is_trusted(&trace(StopReason::Answered, Some(insight(0.3, &[]))), Some(&yes)),
            "a model's guess"
        );
        assert!(modelled(StopReason::Answered) && modelled(StopReason::AnsweredAsText));
        assert!(!modelled(StopReason::Deadline) && !modelled(StopReason::Budget));
        let absent = trace(StopReason::NotInGraph, None);
        assert!(!is_trusted(&absent, Some(&nothing)), "scripts need not take it for an answer");
    }
}
