//! What a completion asks for: tool calls (native, or written as text), or a final query written as text.

use crate::llm::{Completion, ToolCall};
use crate::tools;
use serde_json::Value;

/// What the model wants to happen next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// Native tool calls.
    Calls(Vec<ToolCall>),
    /// Tool calls written as text; they carry no ids known to the server.
    TextCalls(Vec<ToolCall>),
    /// A SPARQL query written as text instead of a call of `answer`.
    TextAnswer(String),
    /// Nothing that can be acted on.
    Nothing,
}

/// Maximum number of calls executed per reply; well-behaved models make a handful.
pub(super) const MAX_CALLS: usize = 16;
/// Bytes at the end of a text that are searched for calls and queries; models put them there.
const MAX_TEXT: usize = 65_536;
/// Bytes that may be scanned, repeats included, when looking for calls in a text.
const MAX_WORK: usize = 4 * MAX_TEXT;

/// What a reply asks for.
#[derive(Debug)]
pub(super) struct ReadReply {
    /// The action to take.
    pub(super) action: Action,
    /// The reply contains more calls than are executed.
    pub(super) more: bool,
}

/// Reads a completion.
pub(super) fn read(completion: &Completion) -> ReadReply {
    let whole = |action| ReadReply { action, more: false };
    if !completion.calls.is_empty() {
        let calls = completion.calls.iter().take(MAX_CALLS).cloned().collect();
        return ReadReply { action: Action::Calls(calls), more: completion.calls.len() > MAX_CALLS };
    }
    let text = completion.text.as_deref().unwrap_or_default();
    let text = text[text.ceil_char_boundary(text.len().saturating_sub(MAX_TEXT))..].trim();
    if text.is_empty() {
        return whole(Action::Nothing);
    }
    let TextCalls { mut calls, .. } = text_calls(text);
    if !calls.is_empty() {
        let more = calls.len() > MAX_CALLS;
        calls.truncate(MAX_CALLS);
        return ReadReply { action: Action::TextCalls(calls), more };
    }
    whole(query_in(text).map_or(Action::Nothing, Action::TextAnswer))
}

/// Calls in a text.
struct TextCalls {
    calls: Vec<ToolCall>,
    /// Bytes scanned; some of them several times.
    work: usize,
}

/// Calls written as `{"name": …, "arguments": {…}}`: in a code fence, in `<tool_call>` tags or bare; alone or nested in
/// other JSON.
fn text_calls(text: &str) -> TextCalls {
    let mut found = TextCalls { calls: Vec::new(), work: 0 };
    let mut from = 0;
    while let Some(at) = text[from..].find('{') {
        let start = from + at;
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                collect_calls(&value, &mut found.calls);
                from = start + values.byte_offset().max(1);
                found.work += from - start;
            }
            Some(Err(error)) => {
                from = start + 1;
                found.work += offset(&text[start..], &error);
            }
            None => break,
        }
        if found.calls.len() > MAX_CALLS || found.work > MAX_WORK {
            break;
        }
    }
    found
}

/// Byte offset of a parse error.
fn offset(text: &str, error: &serde_json::Error) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    (before + error.column()).clamp(1, text.len().max(1))
}

/// Collects the calls in a value: the value itself, or those nested in it.
fn collect_calls(value: &Value, calls: &mut Vec<ToolCall>) {
    if let Some(call) = text_call(value, calls.len()) {
        calls.push(call);
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_calls(item, calls)),
        Value::Object(entries) => entries.values().for_each(|item| collect_calls(item, calls)),
        _ => {}
    }
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
    let begins = ["SELECT", "ASK", "PREFIX", "CONSTRUCT", "DESCRIBE", "BASE"]
        .iter()
        .any(|word| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)));
    begins && text.contains('{') && text.contains('}')
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

    fn action(text: &str) -> Action {
        read(&completion(text)).action
    }

    #[test]
    fn calls_written_as_text_are_calls() {
        let spellings = [
            r#"<tool_call>{"name": "search_entity", "arguments": {"query": "x"}}</tool_call>"#,
            "I will search.\n```json\n{\"name\": \"search_entity\", \"arguments\": \"{\\\"query\\\": \\\"x\\\"}\"}\n```",
            r#"{"type": "function", "function": {"name": "search_entity", "parameters": {"query": "x"}}}"#,
            r#"{"calls": [{"name": "search_entity", "arguments": {"query": "x"}}]} {"a": 1}"#,
        ];
        for spelling in spellings {
            let Action::TextCalls(calls) = action(spelling) else { panic!("no call in {spelling}") };
            assert_eq!(calls.len(), 1, "{spelling}");
            assert_eq!(calls[0].name, "search_entity");
            assert!(calls[0].arguments.contains("\"x\""), "{spelling}");
        }
    }

    #[test]
    fn a_query_written_as_text_is_an_answer() {
        let fenced = "The query is:\n```sparql\nSELECT ?x { ?x ?p ?o }\n```\nDone.";
        assert_eq!(action(fenced), Action::TextAnswer("SELECT ?x { ?x ?p ?o }".to_owned()));
        assert_eq!(action("ASK { ?s ?p ?o }"), Action::TextAnswer("ASK { ?s ?p ?o }".to_owned()));
        assert_eq!(action("Let me select something {}"), Action::Nothing);
        assert_eq!(action("   "), Action::Nothing);
    }

    /// Whatever braces a text contains, it is scanned only a few times.
    #[test]
    fn looking_for_calls_is_bounded_work() {
        for unit in [
            "{\"name\":",
            "{",
            "{\"a\":[",
            "{\n",
            "[{\"a\":{",
            "{\"a\":\"",
            "{}",
            "```sparql\n",
            "{\"a\":1,\n",
        ] {
            let text = unit.repeat(700_000 / unit.len());
            let end = &text[text.len() - MAX_TEXT..];
            let found = text_calls(end);
            assert!(found.calls.is_empty() && found.work <= MAX_WORK + MAX_TEXT, "{unit}: {}", found.work);
            assert_eq!(action(&text), Action::Nothing, "{unit}");
        }
    }

    #[test]
    fn only_so_many_calls_of_a_reply_are_done() {
        let call = r#"{"name": "search_entity", "arguments": {"query": "x"}} "#;
        for (count, more) in [(MAX_CALLS, false), (MAX_CALLS + 1, true), (1_000, true)] {
            let ReadReply { action: Action::TextCalls(calls), more: told } =
                read(&completion(&call.repeat(count)))
            else {
                panic!("no calls")
            };
            assert_eq!((calls.len(), told), (MAX_CALLS, more));
            let native = ToolCall { id: "a".to_owned(), name: "b".to_owned(), arguments: String::new() };
            let reply = Completion { calls: vec![native; count], ..completion("") };
            let ReadReply { action: Action::Calls(calls), more: told } = read(&reply) else {
                panic!("no calls")
            };
            assert_eq!((calls.len(), told), (MAX_CALLS, more));
        }
    }

    #[test]
    fn a_call_or_query_at_the_end_of_a_long_text_is_found() {
        let thought = "I think. ".repeat(100_000);
        let call = r#"{"name": "search_entity", "arguments": {"query": "x"}}"#;
        assert!(matches!(action(&format!("{thought}{call}")), Action::TextCalls(calls) if calls.len() == 1));
        let text = format!("{thought}\n```sparql\nASK {{ ?s ?p ?o }}\n```\n");
        assert_eq!(action(&text), Action::TextAnswer("ASK { ?s ?p ?o }".to_owned()));
    }
}
