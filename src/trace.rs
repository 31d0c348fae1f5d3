//! What happened while a question was answered: steps, timings, tokens, stop reason.
//!
//! Plain data, filled by the agent and the planner, shown by the HTTP layer and the command line.

mod evidence;

pub use evidence::{Because, Doubtful, Evidence};

use crate::llm::Usage;
use eruca_planner::Confidence;
use std::time::Duration;

/// Who stated the final query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The ReAct agent with a chat model.
    Agent,
    /// The planner, without a chat model.
    Planner,
}

/// Why the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The model called `answer`.
    Answered,
    /// The model wrote its final query as text instead of calling `answer`.
    AnsweredAsText,
    /// The deadline came; the best candidate was taken.
    Deadline,
    /// The allowed number of model calls or tokens was used up; the best candidate was taken.
    Budget,
    /// The model failed for good; the best candidate or the planner's query was taken.
    ModelFailed,
    /// The model says that the graph does not contain the answer.
    NotInGraph,
    /// No chat model is configured: the planner answered.
    NoModel,
    /// The last answer was asked for again, in another way: its query was run again, and no model asked.
    AskedAgain,
    /// Nothing is asked but what can be asked: what the graph holds was told, and no model asked.
    AskedForHelp,
    /// The question only names something: what is said of it was looked up, and no model asked.
    OnlyNamed,
}

/// How the note begins that says why a query gave nothing while answering.
pub const NO_RESULT: &str = "the query has no result";

/// The whole story of one question.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Who stated the final query.
    pub answered_by: AnsweredBy,
    /// Why the run ended.
    pub stop: StopReason,
    /// The model's name, if one was asked.
    pub model: Option<String>,
    /// What did not work as configured, in words for people; empty when all was well.
    pub degraded: Vec<String>,
    /// What is known of the answer; nothing where a model says that there is none.
    pub insight: Option<Insight>,
    /// What the graph lacks, if the model says that it does not hold the answer.
    pub not_in_graph: Option<String>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Completions requested from the model.
    pub model_calls: u32,
    /// Tokens spent in all.
    pub usage: Usage,
    /// What they cost, if the prices are known; in the currency of the prices.
    pub cost: Option<f64>,
    /// Wall-clock time of the whole run.
    pub elapsed: Duration,
}

/// What is known of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Insight {
    /// The probability that the answer is exactly right, from 0 to 1.
    pub probability: f32,
    /// What was read, in words; of a model's query all of its conditions.
    pub reading: String,
    /// Words of the question that were not used in the query, in their order.
    pub unused: Vec<String>,
    /// Names in the question that the graph does not know.
    pub not_found: Vec<String>,
    /// Which words stand for which parts of the query, and what nothing accounts for.
    pub evidence: Evidence,
    /// The things that the question names without asking anything else about them: the answer is what is said of them.
    pub about: Vec<String>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<Alternative>,
    /// What the probability was worked out from, by name.
    pub signs: Vec<(&'static str, f32)>,
}

/// Another reading of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// What was read, in words.
    pub reading: String,
    /// Its query.
    pub query: String,
    /// Rows that it gave.
    pub rows: usize,
    /// The properties by which alone it differs from the answer, if that is so.
    pub choice: Option<Choice>,
}

/// Two properties of which either may be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The one of the answer.
    pub taken: Chosen,
    /// The one of another reading.
    pub instead: Chosen,
}

/// A property with its name for the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The IRI.
    pub iri: String,
    /// The name.
    pub name: String,
}

impl Insight {
    /// The name of the probability.
    pub fn confidence(&self) -> Confidence {
        Confidence::of(self.probability)
    }
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Time from the start of the run to the start of the step.
    pub at: Duration,
    /// How long the step took.
    pub elapsed: Duration,
    /// What was done.
    pub kind: StepKind,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// Candidates looked up for the question before the first model call.
    Grounding {
        /// What was found, as shown to the model.
        observation: String,
    },
    /// One model call.
    Model {
        /// The model's free text.
        thought: Option<String>,
        /// The tools called, as `name {arguments}`.
        calls: Vec<(String, String)>,
        /// Tokens of this call.
        usage: Usage,
    },
    /// One tool call.
    Tool {
        /// The tool's name.
        name: String,
        /// The arguments as the model wrote them.
        arguments: String,
        /// The kind of outcome: `ok`, `empty`, `truncated`, `syntax_error`, ...
        outcome: &'static str,
        /// The observation as shown to the model.
        observation: String,
    },
    /// The planner's work.
    Planner {
        /// What it read in the question and why it chose the query, line by line.
        readings: Vec<String>,
    },
    /// An edit that brought the final query to the form of the answer.
    Rewrite {
        /// What was changed.
        change: String,
    },
    /// A decision of the controller: a repair turn, the choice of a candidate.
    Controller {
        /// What was decided and why.
        note: String,
    },
}

/// Bytes kept of a model's free text.
const MAX_THOUGHT: usize = 10_000;
/// Bytes kept of the arguments of a call; a query of the longest kind fits.
const MAX_ARGUMENTS: usize = 30_000;
/// Bytes kept of a tool's name, of which a model may make up any.
const MAX_NAME: usize = 100;

impl StepKind {
    /// The same with what a model wrote cut: a trace is for people.
    fn shortened(self) -> Self {
        match self {
            Self::Model { thought, calls, usage } => {
                let short = |(name, arguments): &(String, String)| {
                    (cut(name, MAX_NAME), cut(arguments, MAX_ARGUMENTS))
                };
                let thought = thought.map(|thought| cut(&thought, MAX_THOUGHT));
                Self::Model { thought, calls: calls.iter().map(short).collect(), usage }
            }
            Self::Tool { name, arguments, outcome, observation } => {
                let (name, arguments) = (cut(&name, MAX_NAME), cut(&arguments, MAX_ARGUMENTS));
                Self::Tool { name, arguments, outcome, observation }
            }
            other @ (Self::Grounding { .. }
            | Self::Planner { .. }
            | Self::Rewrite { .. }
            | Self::Controller { .. }) => other,
        }
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
        let step = Step { at: since, elapsed: self.elapsed().saturating_sub(since), kind: kind.shortened() };
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
        let calls = vec![(long.clone(), long.clone()), ("answer".to_owned(), "{}".to_owned())];
        let usage = Usage::default();
        recorder.record(Duration::ZERO, StepKind::Model { thought: Some(long.clone()), calls, usage });
        let (name, arguments, observation) = (long.clone(), long, "seen".to_owned());
        recorder.record(Duration::ZERO, StepKind::Tool { name, arguments, outcome: "ok", observation });
        let steps = kept.0.into_inner().unwrap();
        let StepKind::Model { thought, calls, .. } = &steps[0].kind else { panic!("{:?}", steps[0]) };
        assert!(thought.as_ref().unwrap().ends_with("ü… (1990000 more bytes)"));
        assert!(calls[0].0.len() < 200 && calls[0].1.len() < 31_000);
        assert_eq!(calls[1], ("answer".to_owned(), "{}".to_owned()));
        let StepKind::Tool { name, arguments, .. } = &steps[1].kind else { panic!("{:?}", steps[1]) };
        assert!(name.len() < 200 && arguments.len() < 31_000);
    }
}
