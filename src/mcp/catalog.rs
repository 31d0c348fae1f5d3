//! The tools as seen by clients. The exploration tools are the agent's own, with its names, descriptions and
//! arguments.

use super::output::{AnsweredOutput, DatasetList, Described, Emptiness, Observed, QueryResult};
use crate::service::{ExplorationTool, MAX_IRI, MAX_PREFERS, exploration_tools};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const TEXT2SPARQL: &str = "text2sparql";
pub(super) const EXPLAIN_EMPTY: &str = "explain_empty";
pub(super) const LIST_DATASETS: &str = "list_datasets";
pub(super) const DESCRIBE_DATASET: &str = "describe_dataset";

/// Description of the argument `dataset`.
const DATASET: &str = "id or alias of the dataset (list_datasets); may be left out when there is only one";

/// Description of `execute_sparql`, which returns different rows here than to the agent.
const RUNS_A_QUERY: &str = "Runs a read-only SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) and shows the first 50 rows, or \
                            why it failed or has no results. Known prefixes need not be declared. Names stand beside the \
                            IRIs in the rows, so the query need not select labels.";

/// All tools; those that run queries written by models only if `takes_queries`, and that for texts only if there are any.
pub(super) fn tools(takes_queries: bool, has_texts: bool) -> Vec<Tool> {
    let mut tools = vec![list_datasets(), text2sparql(), describe_dataset()];
    let fits =
        |tool: &ExplorationTool| (takes_queries || !writes_sparql(tool)) && (has_texts || !tool.needs_texts);
    let offered = exploration_tools().into_iter().filter(fits);
    tools.extend(offered.map(|ExplorationTool { spec, runs_query, .. }| {
        let parameters = with_dataset(spec.parameters);
        if runs_query {
            finished::<QueryResult>(Tool::new(spec.name, RUNS_A_QUERY, parameters))
        } else {
            finished::<Observed>(Tool::new(spec.name, spec.description, parameters))
        }
    }));
    tools.extend(takes_queries.then(explain_empty));
    tools
}

/// Whether a tool runs the query in its argument `query`; its result has rows.
pub(super) fn runs_query(name: &str) -> bool {
    name == EXPLAIN_EMPTY || exploration_tools().iter().any(|tool| tool.runs_query && tool.spec.name == name)
}

/// Whether a tool runs queries or patterns written by a model.
fn writes_sparql(tool: &ExplorationTool) -> bool {
    tool.runs_query || tool.runs_patterns
}

fn list_datasets() -> Tool {
    let description = "Lists the datasets (RDF graphs) that can be asked and explored, with their sizes, languages and the \
                       address of the card that describe_dataset shows.";
    finished::<DatasetList>(Tool::new(LIST_DATASETS, description, object(json!({}), &[])))
}

fn describe_dataset() -> Tool {
    let description = "Says what a dataset is made of: prefixes, classes and properties with how often they are used, and \
                       examples of values. Call it once before you explore a dataset.";
    let properties = json!({"dataset": {"type": "string", "description": DATASET}});
    finished::<Described>(Tool::new(DESCRIBE_DATASET, description, object(properties, &[])))
}

fn text2sparql() -> Tool {
    let description = "Answers a question in plain language over a dataset: finds the SPARQL query, runs it, and returns the \
                       query with its rows, an answer in words, and how reliable it is: the confidence, the words of the \
                       question that were not used in the query, and why a result is empty. Use it first; when its answer is \
                       doubtful, check with the other tools. It takes seconds, with a language model up to a minute.";
    let properties = json!({
        "question": {"type": "string", "description": "the question in plain language, any language; it must stand alone"},
        "dataset": {"type": "string", "description": format!("{DATASET}; or \"auto\" for the one that has names for most words of the question; or several ids with commas between them, to be asked together")},
        "claims": {
            "type": "boolean",
            "description": "whether each sentence of the answer comes with the triples that support it; takes up to 5 s more"
        },
        "style": {
            "type": "string",
            "enum": ["short", "article"],
            "description": "`article` for sections about the first things of the answer, each line with its sources, besides the short answer"
        },
        "prefers": {
            "type": "array",
            "items": {"type": "string", "maxLength": MAX_IRI},
            "maxItems": MAX_PREFERS,
            "description": "IRIs of the properties that are meant where others would do as well, as `clarify` of an answer names them"
        },
        "deadline_seconds": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "time for the answer, at most what the service allows; without it the best answer comes within 50 s"
        },
    });
    finished::<AnsweredOutput>(Tool::new(TEXT2SPARQL, description, object(properties, &["question"])))
}

fn explain_empty() -> Tool {
    let description = "Says why a SPARQL query has no results, and without which of its conditions it would have some, \
                       with the query that leaves the condition out.";
    let properties = json!({
        "query": {"type": "string", "description": "the SPARQL query that had no results"},
        "dataset": {"type": "string", "description": DATASET},
    });
    finished::<Emptiness>(Tool::new(EXPLAIN_EMPTY, description, object(properties, &["query"])))
}

/// Adds the output schema and the hints that all tools share: read-only and closed-world.
fn finished<Output: JsonSchema + 'static>(tool: Tool) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    tool.with_output_schema::<Output>().with_annotations(hints)
}

/// The arguments of an agent tool, extended by the dataset, which the agent need not pass.
fn with_dataset(mut schema: Value) -> Arc<JsonObject> {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("dataset".to_owned(), json!({"type": "string", "description": DATASET}));
    }
    as_object(schema)
}

fn object(properties: Value, required: &[&str]) -> Arc<JsonObject> {
    let closed = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    as_object(closed)
}

fn as_object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_reads_alone_and_tells_its_form() {
        let tools = tools(true, true);
        for tool in &tools {
            let hints = tool.annotations.as_ref().unwrap();
            assert_eq!(
                (hints.read_only_hint, hints.destructive_hint),
                (Some(true), Some(false)),
                "{}",
                tool.name
            );
            assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            let takes_dataset = tool.input_schema["properties"].get("dataset").is_some();
            assert_eq!(takes_dataset, tool.name != LIST_DATASETS, "{}", tool.name);
        }
        let mut names: Vec<_> = tools.iter().map(|tool| tool.name.clone()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), tools.len());
    }

    #[test]
    fn where_no_queries_are_taken_no_tool_runs_one() {
        assert!(tools(false, true).iter().all(|tool| !runs_query(&tool.name)));
        let names =
            |tools: Vec<Tool>| tools.into_iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        let (all, others) = (names(tools(true, true)), names(tools(false, true)));
        let hidden: Vec<_> = all.iter().filter(|name| !others.contains(name)).collect();
        assert_eq!(hidden, ["search_in", "execute_sparql", EXPLAIN_EMPTY]);
    }

    #[test]
    fn texts_are_searched_only_where_there_are_any() {
        let has_it = |has_texts| tools(true, has_texts).iter().any(|tool| tool.name == "search_text");
        assert!(has_it(true) && !has_it(false));
    }
}
