//! The calls of a model with what is to be done for each, and what a run must be told of the queries in them.

use super::key::CallKey;
use crate::dataset::RunQuery;
use crate::form::{FormKind, StatedForm};
use crate::llm::ToolCall;
use crate::tools::{ANSWER, Arguments, Observation, ObservationKind, OpenPoint, Tool};
use crate::trace::cut;

/// Longest arguments of a call that are read: the longest query, with every character escaped, fits.
pub(super) const MAX_ARGUMENTS: usize = 131_072;

/// Bytes that stay in the conversation of arguments and names that are too long.
const MAX_EXCERPT: usize = 500;

/// Longest name of a tool that stays in the conversation.
pub(super) const MAX_NAME: usize = 100;

/// A tool call with what is to be done for it.
#[derive(Debug, Clone)]
pub struct PlannedCall {
    /// The call as the model wrote it.
    pub call: ToolCall,
    /// What is to be done.
    pub plan: CallPlan,
    /// The call in one spelling, if it could be read.
    pub(super) key: Option<CallKey>,
    /// What the call says that the graph lacks.
    pub(super) absence: Option<String>,
    /// What the call says that is not certain.
    pub(super) unsure: Option<String>,
}

/// What is to be done for a call.
#[derive(Clone)]
pub enum CallPlan {
    /// Run the tool.
    Run(&'static dyn Tool, Arguments),
    /// The observation is known already.
    Known(Box<Observation>),
}

impl std::fmt::Debug for CallPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Run(tool, arguments) => f.debug_tuple("Run").field(&tool.name()).field(arguments).finish(),
            Self::Known(observation) => f.debug_tuple("Known").field(observation).finish(),
        }
    }
}

/// What a run must know of queries and cannot tell by itself.
pub trait RunRules: Send + Sync {
    /// One spelling for equal queries; `None` for what is no query.
    fn key(&self, text: &str) -> Option<String>;

    /// What in a query that has run is not of the form that the model states, one sentence each.
    fn differences(&self, stated: &StatedForm, run: &RunQuery) -> Vec<String>;

    /// What a query that has run asks for without a word of the question, so that rows may be missing.
    fn narrows(&self, run: &RunQuery) -> Vec<OpenPoint>;

    /// All conditions of a query in words.
    fn reading(&self, run: &RunQuery) -> Option<String>;
}

/// A call as it stays in the conversation.
pub(super) fn kept(call: &ToolCall) -> ToolCall {
    let ToolCall { id, name, arguments } = call;
    let arguments =
        if arguments.len() > MAX_ARGUMENTS { cut(arguments, MAX_EXCERPT) } else { arguments.clone() };
    ToolCall { id: id.clone(), name: cut(name, MAX_NAME), arguments }
}

pub(super) fn repeated() -> CallPlan {
    let text =
        "You made this very call before and its result stands above. Try something else, or call `answer`.";
    CallPlan::Known(Box::new(Observation::new(ObservationKind::Repeated, text)))
}

/// What a call states of the answer's form. Models write "none" where they mean to leave something out.
pub(super) fn statement(arguments: &Arguments) -> StatedForm {
    let order = arguments.optional("order").filter(|order| !["none", "no", "-"].contains(order));
    StatedForm {
        kind: arguments.optional("form").and_then(FormKind::parse),
        columns: arguments.list("columns"),
        order: order.map(str::to_owned),
        limit: arguments.count("limit"),
    }
}

pub(super) fn answer_call(query: &str) -> ToolCall {
    let arguments = serde_json::json!({ "query": query }).to_string();
    ToolCall { id: "text".to_owned(), name: ANSWER.to_owned(), arguments }
}
