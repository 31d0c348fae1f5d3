//! The prompt `ask_graph`, and the instructions of the server.

use super::arguments::CallArguments;
use super::host::Host;
use super::output::said;
use eruca_sparql::disarmed;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use std::sync::Arc;

/// The instructions sent to every client.
pub(super) const INSTRUCTIONS: &str = include_str!("prompts/instructions.md");
const ASK_GRAPH: &str = "ask_graph";
const HOW: &str = include_str!("prompts/ask_graph.md");

/// The prompts.
pub(super) fn list() -> Vec<Prompt> {
    let argument = |name: &str, description: &str, required| {
        PromptArgument::new(name).with_description(description).with_required(required)
    };
    let arguments = vec![
        argument("question", "the question in plain language", true),
        argument("dataset", "the dataset; may be left out when there is only one", false),
    ];
    let description =
        "How to answer a question by exploring a graph and running queries, with what the graph is made of.";
    vec![Prompt::new(ASK_GRAPH, Some(description), Some(arguments)).with_title("Ask a graph")]
}

/// A prompt with its arguments filled in.
///
/// # Errors
/// If there is no prompt with this name, or its arguments are invalid.
pub(super) async fn get(
    host: &Arc<dyn Host>,
    name: &str,
    given: &CallArguments,
) -> Result<GetPromptResult, ErrorData> {
    let wrong = |message: String| ErrorData::invalid_params(message, None);
    if name != ASK_GRAPH {
        return Err(wrong(format!("there is no prompt '{name}'; there is {ASK_GRAPH}")));
    }
    let question = given.text("question").map_err(wrong)?;
    let dataset = given.dataset(host.service()).map_err(wrong)?;
    let graph = host.service().graph_text(&dataset).await;
    let graph = graph.map_err(|error| ErrorData::internal_error(said(&error), None))?;
    let text = format!("{HOW}\nThe dataset: {dataset}\nThe graph: {graph}\nThe question: {question}");
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, disarmed(&text))])
        .with_description("A question, what the graph is made of, and how to find the answer."))
}
