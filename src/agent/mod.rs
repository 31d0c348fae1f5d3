//! The agent: a language model that explores the graph with tools until it can state the final query.
//!
//! ```text
//! prompt ──► run (state machine, no I/O) ◄──► driver ──► llm · tools
//!               ├─ action      what a completion asks for
//!               ├─ candidates  queries that have run, the best of them
//!               ├─ planned_call  what is to be done for each call
//!               ├─ key         by what equal calls are known
//!               ├─ earlier     questions of the same conversation that were asked before
//!               └─ budget      what may be spent
//! ```
//! Knows tools, the chat model's seam and the trace; nothing of HTTP or of other datasets.
//!
//! A draft of the planner is no candidate until the model runs or states it (test: `tests/drafts.rs`). Of one reply of
//! a model at most 1 MB is read and 16 calls are done, and the conversation keeps bounded parts (tests:
//! `llm/openai/tests.rs`, `action`, `run/tests.rs`). A failure of the model is never an error of the service.

mod action;
mod budget;
mod candidates;
mod card_text;
mod driver;
mod earlier;
mod key;
mod planned_call;
mod prompt;
mod run;

pub use budget::Budget;
pub use candidates::RunSigns;
pub use driver::{AgentOutcome, AgentTask, Draft, run_agent};
pub use earlier::Earlier;
pub use planned_call::{CallPlan, PlannedCall, RunRules};
pub use prompt::graph_text;
pub use run::{AgentRun, NextStep};

/// Reads a text as a completion, for fuzzers.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz_completion(text: &str) {
    let text = Some(text.to_owned());
    let usage = crate::llm::Usage::default();
    let completion = crate::llm::Completion { text, calls: Vec::new(), usage, cut: false, attempts: 1 };
    let _read = action::read(&completion);
}
