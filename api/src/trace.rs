//! How a query came about: who stated it, what speaks for it, and every step.

use crate::{Citation, Computed, Results, Verified, millis, thousandth};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;
use utoipa::ToSchema;

/// How the query came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Trace {
    /// The id of the dataset that was asked (not the alias).
    pub dataset_id: String,
    /// Who stated the query.
    pub answered_by: AnsweredBy,
    /// Why the run ended.
    #[serde(rename = "stop_reason")]
    pub stop: StopReason,
    /// The chat model's name, if one was asked.
    pub model: Option<String>,
    /// What did not work as configured, in words for people.
    pub degraded: Vec<String>,
    /// What is known of the answer; absent where a model says that the graph does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insight: Option<Insight>,
    /// What the graph lacks, if the model says that it does not contain the answer. The query then returns nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_in_graph: Option<String>,
    /// What the model computed from the results of its queries, if that and not the rows of the query is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<Computed>,
    /// The verified question by whose query it came about, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What texts beside the graph say of the question; the query shows none of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// Completions requested from the model.
    pub model_calls: u32,
    /// Tokens spent in all.
    #[serde(rename = "tokens")]
    pub usage: Usage,
    /// What they cost, in the currency of the configured prices; absent without prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Wall-clock time of the whole run, in milliseconds.
    #[serde(rename = "elapsed_ms", with = "millis")]
    #[schema(value_type = f64)]
    pub elapsed: Duration,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The query's results, if it was run while answering.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub results: Option<Results>,
}

/// Who stated the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredBy {
    /// The agent with a chat model.
    Agent,
    /// The planner, without a chat model.
    Planner,
    /// A person, who has verified the question with its query.
    Verified,
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
    /// The question is a verified one: its query was run, and neither model nor planner asked.
    Verified,
}

/// What is known of an answer, the planner's or the agent's.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Insight {
    /// How reliable the answer is.
    pub confidence: Confidence,
    /// The probability that it is exactly right, from 0 to 1.
    #[serde(serialize_with = "crate::thousandths")]
    #[schema(value_type = f64)]
    pub probability: f32,
    /// How the question was read, in words; of a model's query all of its conditions.
    pub reading: String,
    /// Words of the question that were not used in the query.
    pub unused: Vec<String>,
    /// Names in the question that the graph does not know.
    pub not_found: Vec<String>,
    /// IRIs of the things that the question names without asking anything else about them: the answer is what is said of them.
    #[serde(default)]
    pub about: Vec<String>,
    /// The words of the question with what they stand for in the query, in their order.
    #[serde(default)]
    pub because: Vec<Because>,
    /// What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it.
    #[serde(default)]
    pub doubts: Vec<Doubtful>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<Alternative>,
    /// What the probability was worked out from, by name.
    #[serde(skip)]
    pub signs: Vec<(&'static str, f32)>,
}

impl Insight {
    /// Nothing but the probability.
    pub fn of(probability: f32) -> Self {
        Self { probability, confidence: Confidence::of(probability), ..Self::default() }
    }

    /// Lowers the probability to this one, if it is higher.
    pub fn lower(&mut self, at_most: f32) {
        self.probability = self.probability.min(at_most);
        self.confidence = Confidence::of(self.probability);
    }

    /// The probability with its name.
    pub fn belief(&self) -> Belief {
        Belief { name: self.confidence, probability: thousandth(f64::from(self.probability)) }
    }
}

/// How reliable an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Belief {
    /// The probability as a word.
    pub name: Confidence,
    /// The probability that the answer is exactly right, from 0 to 1.
    pub probability: f64,
}

/// How reliable an answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Right in at least 85 of 100 cases.
    Sure,
    /// Rather right than wrong.
    Likely,
    /// It may well be wrong.
    #[default]
    Guess,
}

impl Confidence {
    /// The name of a probability.
    pub fn of(probability: f32) -> Self {
        match eruca_planner::Confidence::of(probability) {
            eruca_planner::Confidence::Sure => Self::Sure,
            eruca_planner::Confidence::Likely => Self::Likely,
            eruca_planner::Confidence::Guess => Self::Guess,
        }
    }

    /// The name in headers and texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
            Self::Guess => "guess",
        }
    }
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

/// Words of the question and the part of the query that they stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Because {
    /// The words.
    pub words: String,
    /// The name of the class, property, thing or value; absent where the words ask for a form of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The part: `term`, `thing`, `value`, `comparison`, `order`, `count`, `computed`, `negation`, `alternatives`, `group`, `form`.
    pub part: Cow<'static, str>,
    /// The right: `glossary` (the owner of the graph says so), `exact`, `lemma`, `synonym`, `translation`, `type`, `dimension`,
    /// `form`; no proof by themselves are `name-part`, `related`, `typo`, `outdone`.
    pub right: Cow<'static, str>,
    /// Whether the right is no proof by itself.
    #[serde(skip)]
    pub weak: bool,
    /// Both in a sentence.
    pub text: String,
}

/// Something that nothing accounts for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Doubt)]
pub struct Doubtful {
    /// The kind: `unused`, `weak`, `form`, `dimension`, `turned`, `unsaid`, `not-returned`, `narrow`, `nameless`, `empty`, `rival`;
    /// of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`, `computed`.
    pub kind: Cow<'static, str>,
    /// The words of the question or the name that it is about; empty where it is about the answer.
    pub about: String,
    /// Both in a sentence.
    pub text: String,
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

/// Tokens spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Tokens)]
pub struct Usage {
    /// Of the prompts.
    #[serde(rename = "prompt")]
    pub prompt_tokens: u64,
    /// Part of the prompts that the model's server had in its cache.
    #[serde(rename = "cached")]
    pub cached_tokens: u64,
    /// Of the completions.
    #[serde(rename = "completion")]
    pub completion_tokens: u64,
    /// True when at least one count is an estimate.
    pub estimated: bool,
}

impl Usage {
    /// Tokens of prompt and completion.
    pub fn total(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        // Servers may count as they like.
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(other.cached_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.estimated = self.estimated || other.estimated;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_is_sent_with_three_digits_and_keeps_its_name() {
        let insight = Insight { signs: vec![("full", 1.0)], ..Insight::of(0.8496) };
        let sent = serde_json::to_value(&insight).unwrap();
        assert_eq!((sent["probability"].as_f64(), sent["confidence"].as_str()), (Some(0.85), Some("likely")));
        assert!(sent.get("signs").is_none());
        let read: Insight = serde_json::from_value(sent.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), sent);
        assert_eq!(read.belief(), Belief { name: Confidence::Likely, probability: 0.85 });
    }
}
