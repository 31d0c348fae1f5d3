//! The model's calls with what to do for each, and the rules about queries that a run depends on.

use super::key::CallKey;
use crate::form::{FormKind, StatedForm};
use crate::llm::ToolCall;
use crate::tools::{ANSWER, AnswerRemarks, Arguments, Observation, ObservationKind, OpenPoint, Tool, find};
use crate::trace::cut;
use eruca_dataset::RunQuery;

/// Maximum length of a call's arguments: enough for the longest query with every character escaped.
pub(super) const MAX_ARGUMENTS: usize = 131_072;

/// Bytes kept in the conversation of arguments and names that are too long.
const MAX_EXCERPT: usize = 500;

/// Maximum length of a tool name in the conversation.
pub(super) const MAX_NAME: usize = 100;

/// A tool call with the plan for it.
#[derive(Debug, Clone)]
pub struct PlannedCall {
    /// The call as the model wrote it.
    pub call: ToolCall,
    /// What to do for the call.
    pub plan: CallPlan,
    /// The normalised call, if it could be parsed.
    pub(super) key: Option<CallKey>,
    /// What the call says of the answer, if it states one.
    pub(super) remarks: AnswerRemarks,
}

impl PlannedCall {
    /// Whether the call states the answer.
    pub(super) fn ends_run(&self) -> bool {
        find(&self.call.name).is_some_and(Tool::ends_run)
    }

    /// Whether the same call may have another outcome later in the run.
    pub(super) fn varies(&self) -> bool {
        find(&self.call.name).is_some_and(Tool::varies)
    }
}

/// What to do for a call.
#[derive(Clone)]
pub enum CallPlan {
    /// Run the tool.
    Run(&'static dyn Tool, Arguments),
    /// Return an observation that is already known.
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

/// What a run needs to know about queries and cannot find out itself.
pub trait RunRules: Send + Sync {
    /// A normal form, the same for equivalent queries; `None` if the text is not a query.
    fn key(&self, text: &str) -> Option<String>;

    /// The id of the dataset that a call names, if there are several and it is not the home.
    fn at(&self, _arguments: &Arguments) -> Option<String> {
        None
    }

    /// How a query that has run differs from the form that the model stated, one sentence per difference.
    fn differences(&self, stated: &StatedForm, run: &RunQuery) -> Vec<String>;

    /// Conditions of a query that has run which no word of the question asks for, so that rows may be missing.
    fn narrows(&self, run: &RunQuery) -> Vec<OpenPoint>;

    /// All conditions of a query in words.
    fn reading(&self, run: &RunQuery) -> Option<String>;
}

/// A call in the form kept in the conversation.
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

/// The answer's form as stated in a call. Models write "none" for arguments that they mean to leave out.
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
