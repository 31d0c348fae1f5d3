//! What a completion asks for: tool calls, also those that a model wrote as text, or a final query as text.

use crate::llm::{Completion, ToolCall};
use crate::tools;
use serde_json::Value;

/// What the model wants to happen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// Native tool calls.
    Calls(Vec<ToolCall>),
    /// Tool calls written as text; they have no ids that a server would know.
    TextCalls(Vec<ToolCall>),
    /// A SPARQL query written as text instead of a call of `answer`.
    TextAnswer(String),
    /// Nothing that can be acted on.
    Nothing,
}

/// Reads a completion.
pub(super) fn read(completion: &Completion) -> Action {
    if !completion.calls.is_empty() {
        return Action::Calls(completion.calls.clone());
    }
    let Some(text) = completion.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) else {
        return Action::Nothing;
    };
    let calls = text_calls(text);
    if !calls.is_empty() {
        return Action::TextCalls(calls);
    }
    query_in(text).map_or(Action::Nothing, Action::TextAnswer)
}

/// Calls written as `{"name": …, "arguments": {…}}`, in a fence, in `<tool_call>` tags, or bare.
fn text_calls(text: &str) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    for (start, _) in text.match_indices('{') {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        calls.extend(text_call(&value, calls.len()));
    }
    calls
}

fn text_call(value: &Value, number: usize) -> Option<ToolCall> {
    let function = value.get("function").unwrap_or(value);
    let name = ["name", "tool", "action"].iter().find_map(|key| function.get(key)?.as_str())?;
    tools::find(name)?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| function.get(key))?;
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    Some(ToolCall { id: format!("text{number}"), name: name.to_owned(), arguments })
}

/// The last SPARQL query in a text: the last fenced block that holds one, or the text itself if it is one.
fn query_in(text: &str) -> Option<String> {
    let fenced = text.split("```").skip(1).step_by(2).map(|block| {
        let body = block.trim_start();
        body.strip_prefix("sparql").or_else(|| body.strip_prefix("SPARQL")).unwrap_or(body).trim()
    });
    let last = fenced.filter(|block| looks_like_query(block)).last().map(str::to_owned);
    last.or_else(|| looks_like_query(text).then(|| text.to_owned()))
}

fn looks_like_query(text: &str) -> bool {
    let upper = text.trim_start().to_uppercase();
    let begins = ["SELECT", "ASK", "PREFIX", "CONSTRUCT", "DESCRIBE", "BASE"]
        .iter()
        .any(|word| upper.starts_with(word));
    begins && text.contains('{') && text.trim_end().contains('}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Usage;

    fn completion(text: &str) -> Completion {
        Completion {
            text: Some(text.to_owned()),
            calls: Vec::new(),
            usage: Usage::default(),
            cut: false,
            attempts: 1,
        }
    }

    #[test]
    fn calls_written_as_text_are_calls() {
        let spellings = [
            r#"<tool_call>{"name": "search_entity", "arguments": {"query": "x"}}</tool_call>"#,
            "I will search.\n```json\n{\"name\": \"search_entity\", \"arguments\": \"{\\\"query\\\": \\\"x\\\"}\"}\n```",
            r#"{"type": "function", "function": {"name": "search_entity", "parameters": {"query": "x"}}}"#,
        ];
        for spelling in spellings {
            let Action::TextCalls(calls) = read(&completion(spelling)) else {
                panic!("no call in {spelling}")
            };
            assert_eq!(calls[0].name, "search_entity");
            assert!(calls[0].arguments.contains("\"x\""), "{spelling}");
        }
    }

    #[test]
    fn a_query_written_as_text_is_an_answer() {
        let fenced = "The query is:\n```sparql\nSELECT ?x { ?x ?p ?o }\n```\nDone.";
        assert_eq!(read(&completion(fenced)), Action::TextAnswer("SELECT ?x { ?x ?p ?o }".to_owned()));
        assert_eq!(read(&completion("ASK { ?s ?p ?o }")), Action::TextAnswer("ASK { ?s ?p ?o }".to_owned()));
        assert_eq!(read(&completion("Let me select something {}")), Action::Nothing);
        assert_eq!(read(&completion("   ")), Action::Nothing);
    }
}
