//! The agent: a language model that explores the graph with tools until it can state the final query.
//!
//! ```text
//! prompt ──► run (state machine, no I/O) ◄──► driver ──► llm · tools
//!               ├─ action      what a completion asks for
//!               ├─ text_calls  calls written as text
//!               ├─ candidates  queries that have run, and the best of them
//!               ├─ planned_call  what to do for each call
//!               ├─ key         keys by which equal calls are recognised
//!               ├─ earlier     earlier questions of the same conversation
//!               ├─ examples    verified questions near to the one that is asked
//!               └─ budget      the budget of a run
//! baseline ──► llm   the same model without tools, for benchmarks
//! ```
//! Depends on the tools, the chat model trait and the trace; knows nothing about HTTP or other datasets.
//!
//! A draft by the planner is not a candidate until the model runs or states it (test: `tests/drafts.rs`). Of each reply of
//! a model, at most 1 MB is read and 16 calls are executed, and the conversation keeps bounded parts (tests:
//! `llm/openai/tests.rs`, `action`, `run/tests.rs`). A failure of the model is never an error of the service.

mod action;
mod baseline;
mod budget;
mod candidates;
mod card_text;
mod driver;
mod earlier;
mod examples;
mod key;
mod planned_call;
mod progress;
mod prompt;
mod run;
mod several;
mod text_calls;

pub use baseline::{Baseline, BaselineReply, prompt_without_tools, read_without_tools};
pub use budget::Budget;
pub use candidates::RunSigns;
pub use driver::{AgentOutcome, AgentTask, Draft, run_agent};
pub use earlier::Earlier;
pub use examples::Example;
pub use planned_call::{CallPlan, PlannedCall, RunRules};
pub use prompt::{ShownOfGraph, graph_text, shown_of_graph};
pub use run::{AgentRun, NextStep};
pub use several::OtherGraph;

/// Reads a text as a completion, for fuzzers.
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz_completion(text: &str) {
    let text = Some(text.to_owned());
    let usage = crate::llm::Usage::default();
    let completion = crate::llm::Completion { text, calls: Vec::new(), usage, cut: false, attempts: 1 };
    let _read = action::read(&completion);
}
