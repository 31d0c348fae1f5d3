//! What happened while a question was answered: steps, timings, tokens, stop reason.
//!
//! The data of it are those of `eruca-api`; here is how they come about, step by step.

pub use eruca_api::{
    Alternative, AnsweredBy, Because, Choice, Chosen, Doubtful, Insight, Step, StepKind, StopReason,
    ToolCall, Trace,
};

use std::time::Duration;

/// How the note begins that says why a query gave nothing while answering.
pub const NO_RESULT: &str = "the query has no result";

/// Bytes kept of a model's free text.
const MAX_THOUGHT: usize = 10_000;
/// Bytes kept of the arguments of a call; a query of the longest kind fits.
const MAX_ARGUMENTS: usize = 30_000;
/// Bytes kept of a tool's name, of which a model may make up any.
const MAX_NAME: usize = 100;

/// A step with what a model wrote cut: a trace is for people.
fn shortened(step: StepKind) -> StepKind {
    match step {
        StepKind::Model { thought, calls, usage } => {
            let short = |ToolCall { name, arguments }: &ToolCall| ToolCall {
                name: cut(name, MAX_NAME),
                arguments: cut(arguments, MAX_ARGUMENTS),
            };
            let thought = thought.map(|thought| cut(&thought, MAX_THOUGHT));
            StepKind::Model { thought, calls: calls.iter().map(short).collect(), usage }
        }
        StepKind::Tool { name, arguments, outcome, observation } => {
            let (name, arguments) = (cut(&name, MAX_NAME), cut(&arguments, MAX_ARGUMENTS));
            StepKind::Tool { name, arguments, outcome, observation }
        }
        other @ (StepKind::Grounding { .. }
        | StepKind::Planner { .. }
        | StepKind::Rewrite { .. }
        | StepKind::Controller { .. }) => other,
    }
}

/// The first bytes of a text, with a note of how many are left out.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let (kept, left_out) = text.split_at(text.floor_char_boundary(most));
    format!("{kept}… ({} more bytes)", left_out.len())
}

/// Sees the steps of a run as they happen.
pub trait Observer: Send + Sync {
    /// Called once for every finished step, in order.
    fn step(&self, step: &Step);
}

/// Times the steps of a run and tells its observer, who keeps them.
pub struct Recorder<'a> {
    started: std::time::Instant,
    observer: &'a dyn Observer,
}

impl<'a> Recorder<'a> {
    /// A recorder that starts now.
    pub fn start(observer: &'a dyn Observer) -> Self {
        Self { started: std::time::Instant::now(), observer }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Notes a step that began at `since` (time from the start) and has just ended.
    pub fn record(&self, since: Duration, kind: StepKind) {
        let step = Step { at: since, elapsed: self.elapsed().saturating_sub(since), kind: shortened(kind) };
        self.observer.step(&step);
    }

    /// Notes an edit of the final query; its time is that of the step before.
    pub fn rewrite(&self, change: impl Into<String>) {
        self.record(self.elapsed(), StepKind::Rewrite { change: change.into() });
    }

    /// Notes a decision, which takes no time.
    pub fn note(&self, note: impl Into<String>) {
        self.record(self.elapsed(), StepKind::Controller { note: note.into() });
    }
}

/// An observer for callers that only want the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn step(&self, _step: &Step) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Usage;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Kept(Mutex<Vec<Step>>);

    impl Observer for Kept {
        fn step(&self, step: &Step) {
            self.0.lock().unwrap().push(step.clone());
        }
    }

    #[test]
    fn steps_keep_a_bounded_part_of_what_a_model_wrote() {
        let kept = Kept::default();
        let recorder = Recorder::start(&kept);
        let long = "ü".repeat(1_000_000);
        let call =
            |name: &str, arguments: &str| ToolCall { name: name.to_owned(), arguments: arguments.to_owned() };
        let calls = vec![call(&long, &long), call("answer", "{}")];
        let usage = Usage::default();
        recorder.record(Duration::ZERO, StepKind::Model { thought: Some(long.clone()), calls, usage });
        let (name, arguments, observation) = (long.clone(), long, "seen".to_owned());
        recorder
            .record(Duration::ZERO, StepKind::Tool { name, arguments, outcome: "ok".into(), observation });
        let steps = kept.0.into_inner().unwrap();
        let StepKind::Model { thought, calls, .. } = &steps[0].kind else { panic!("{:?}", steps[0]) };
        assert!(thought.as_ref().unwrap().ends_with("ü… (1990000 more bytes)"));
        assert!(calls[0].name.len() < 200 && calls[0].arguments.len() < 31_000);
        assert_eq!(calls[1], call("answer", "{}"));
        let StepKind::Tool { name, arguments, .. } = &steps[1].kind else { panic!("{:?}", steps[1]) };
        assert!(name.len() < 200 && arguments.len() < 31_000);
    }
}
