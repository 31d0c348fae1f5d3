//! What a completion asks for: tool calls (native, or written as text), or a final query written as text.

use super::text_calls::{MAX_CALLS, MAX_TEXT, text_calls};
use crate::llm::{Completion, ToolCall};

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
    let mut calls = text_calls(text).calls;
    if !calls.is_empty() {
        let more = calls.len() > MAX_CALLS;
        calls.truncate(MAX_CALLS);
        return ReadReply { action: Action::TextCalls(calls), more };
    }
    whole(query_in(text).map_or(Action::Nothing, Action::TextAnswer))
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
    fn a_query_written_as_text_is_an_answer() {
        let fenced = "The query is:\n```sparql\nSELECT ?x { ?x ?p ?o }\n```\nDone.";
        assert_eq!(action(fenced), Action::TextAnswer("SELECT ?x { ?x ?p ?o }".to_owned()));
        assert_eq!(action("ASK { ?s ?p ?o }"), Action::TextAnswer("ASK { ?s ?p ?o }".to_owned()));
        assert_eq!(action("Let me select something {}"), Action::Nothing);
        assert_eq!(action("   "), Action::Nothing);
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
