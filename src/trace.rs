//! What happened while a question was answered: steps, timings, tokens, stop reason.
//!
//! Plain data, filled by the agent and the planner, shown by the HTTP layer and the command line. What goes over the wire as it is
//! has the derives for it.

mod evidence;
pub(crate) mod millis;

pub use evidence::{Because, Doubtful, Evidence};

use crate::llm::Usage;
use eruca_planner::Confidence;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;
use utoipa::ToSchema;

/// Who stated the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// The agent with a chat model.
    Agent,
    /// The planner, without a chat model.
    Planner,
}

/// Why the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model stated its final query.
    Answered,
    /// The model wrote its final query as text.
    AnsweredAsText,
    /// The deadline came; the best query so far was taken.
    Deadline,
    /// The allowed model calls or tokens were used up; the best query so far was taken.
    Budget,
    /// The model failed for good; the best query so far or the planner's was taken.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alternative {
    /// How the question was read, in words.
    pub reading: String,
    /// Its query.
    pub query: String,
    /// Rows that it returned.
    pub rows: usize,
    /// The properties by which alone it differs from the answer, if that is so: a choice for the reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

/// Two properties of which either may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Choice {
    /// The one of the answer.
    pub taken: Chosen,
    /// The one of the other reading; sent as `prefers` of /ask, it goes before.
    pub instead: Chosen,
}

/// A property with its name for the reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// One step of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// Time from the start of the run, in milliseconds.
    #[serde(rename = "at_ms", with = "millis")]
    #[schema(value_type = f64)]
    pub at: Duration,
    /// How long the step took, in milliseconds.
    #[serde(rename = "elapsed_ms", with = "millis")]
    #[schema(value_type = f64)]
    pub elapsed: Duration,
    /// What was done.
    #[serde(flatten)]
    pub kind: StepKind,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepKind {
    /// Candidates looked up before the first model call.
    Grounding {
        /// What was found.
        observation: String,
    },
    /// One model call.
    Model {
        /// The model's free text.
        thought: Option<String>,
        /// The tools called.
        calls: Vec<ToolCall>,
        /// Tokens of this call.
        #[serde(rename = "tokens")]
        usage: Usage,
    },
    /// One tool call.
    Tool {
        /// The tool.
        name: String,
        /// The arguments as the model wrote them.
        arguments: String,
        /// The kind of outcome: `ok`, `empty`, `truncated`, `syntax_error`, ...
        outcome: Cow<'static, str>,
        /// What the model was shown.
        observation: String,
    },
    /// The planner's work.
    Planner {
        /// How it read the question and why it chose the query.
        readings: Vec<String>,
    },
    /// An edit that made the final query fit the form of the answer.
    Rewrite {
        /// What was changed.
        change: String,
    },
    /// A decision of the controller.
    Controller {
        /// What was decided and why.
        note: String,
    },
}

/// A tool call of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
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
                let short = |ToolCall { name, arguments }: &ToolCall| ToolCall {
                    name: cut(name, MAX_NAME),
                    arguments: cut(arguments, MAX_ARGUMENTS),
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
