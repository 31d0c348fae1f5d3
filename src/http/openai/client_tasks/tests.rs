//! Requests as written by current front ends, shortened where their wording does not matter: only the form counts.

use super::*;
use serde_json::from_str;

const QUESTION: &str = "What is the capital of France?";

fn asked(body: Value) -> Option<Done> {
    done(&serde_json::from_value(body).unwrap(), "Cities")
}

fn prompt(text: &str) -> Option<Done> {
    asked(json!({"messages": [{"role": "user", "content": text}]}))
}

/// A prompt of Open WebUI: the task, the form of the answer, the conversation.
fn open_webui(form: &str) -> String {
    format!(
        "### Task:\nDo something with the chat history.\n### Output:\nJSON format: {form}\n### Chat History:\n\
         <chat_history>\nUSER: {QUESTION}\nASSISTANT: Paris.\n\n| capital |\n</chat_history>"
    )
}

fn json_of(done: Option<Done>) -> Value {
    match done {
        Some(Done::Text(text)) => from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn prompts_of_open_webui_get_the_json_that_they_show() {
    for (form, expected) in [
        ("{ \"title\": \"your concise title here\" }", json!({"title": QUESTION})),
        ("{ \"tags\": [\"tag1\", \"tag2\", \"tag3\"] }", json!({"tags": ["Cities"]})),
        ("{ \"follow_ups\": [\"Question 1?\", \"Question 2?\"] }", json!({"follow_ups": []})),
        ("{\n  \"queries\": [\"query1\", \"query2\"]\n}", json!({"queries": []})),
        ("{\n    \"prompt\": \"Your detailed description here.\"\n}", json!({"prompt": QUESTION})),
    ] {
        assert_eq!(json_of(prompt(&open_webui(form))), expected, "{form}");
    }
    let completing = format!(
        "### Task:\nContinue the text in `<text>`.\nIf unsure, return: `{{ \"text\": \"\" }}`.\n### Context:\n<chat_history>\n\
         USER: {QUESTION}\n</chat_history>\n<type>search query</type>\n<text>Which riv</text>\n#### Output:\n"
    );
    assert_eq!(json_of(prompt(&completing)), json!({"text": ""}));
}

#[test]
fn a_choice_of_tools_chooses_none() {
    let system = "Available Tools: [{\"name\": \"search\"}]\n\nThe format is strictly:\n{\n  \"tool_calls\": [\n    {\"name\": \"toolName1\"}\n  ]\n}";
    let query = format!("Query: History:\nUSER: \"\"\"{QUESTION}\"\"\"\nQuery: {QUESTION}");
    let messages = json!([{"role": "system", "content": system}, {"role": "user", "content": query}]);
    assert_eq!(json_of(asked(json!({ "messages": messages }))), json!({"tool_calls": []}));
}

#[test]
fn prompts_of_librechat_get_a_title() {
    for text in [
        format!(
            "Provide a concise, 5-word-or-less title for the conversation.\n\nConversation:\nUser: {QUESTION}\nAI: Paris."
        ),
        format!("Provide a title.\n\nConversation:\nUser: {QUESTION}"),
        format!("Titel bitte:\nHuman: {QUESTION}\nAI: Paris.\n\nTitel:"),
    ] {
        assert_eq!(prompt(&text), Some(Done::Text(QUESTION.to_owned())), "{text}");
    }
}

#[test]
fn a_schema_of_known_keys_is_filled() {
    let text = format!(
        "Analyze this conversation and provide:\n1. The language\n2. A title\n\nUser: {QUESTION}\nAI: Paris."
    );
    let schema = json!({"type": "object", "properties": {"language": {"type": "string"}, "title": {"type": "string"}}});
    let messages = json!([{"role": "user", "content": text}]);
    let expected = json!({"language": "English", "title": QUESTION});
    let format = json!({"type": "json_schema", "json_schema": {"name": "extract", "schema": schema}});
    assert_eq!(json_of(asked(json!({"messages": messages, "response_format": format}))), expected);

    let tools = json!([{"type": "function", "function": {"name": "extract", "parameters": schema}}]);
    let choice = json!({"type": "function", "function": {"name": "extract"}});
    let called = asked(json!({"messages": messages, "tools": tools, "tool_choice": choice}));
    let Some(Done::Call { name, arguments }) = called else { panic!("{called:?}") };
    assert_eq!((name.as_str(), from_str::<Value>(&arguments).unwrap()), ("extract", expected));
}

#[test]
fn questions_are_questions() {
    for text in [
        QUESTION,
        "Which films have the title \"Heat\"?",
        "Which book has the tags {\"title\": 1}?",
        "What is the user: a person or a machine?",
        "User: who is it?",
        "Generate a title for the film of 1995.",
    ] {
        assert_eq!(prompt(text), None, "{text}");
    }
    let schema = |name: &str| {
        let schema = json!({"type": "object", "properties": {name: {"type": "string"}}});
        let format = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema}});
        asked(json!({"messages": [{"role": "user", "content": QUESTION}], "response_format": format}))
    };
    assert_eq!((schema("capital"), schema("text")), (None, None), "who wants another form has a question");
    let tools = json!([{"type": "function", "function": {"name": "search", "parameters": {"properties": {"title": {}}}}}]);
    let offered =
        json!({"messages": [{"role": "user", "content": QUESTION}], "tools": tools, "tool_choice": "auto"});
    assert_eq!(asked(offered), None, "functions that may be called");
    let conversation = json!([{"role": "user", "content": QUESTION}, {"role": "assistant", "content": "Paris"},
        {"role": "user", "content": open_webui("{ \"title\": \"x\" }")}]);
    assert_eq!(asked(json!({ "messages": conversation })), None, "such prompts stand alone");
}

#[test]
fn a_title_is_short_and_on_one_line() {
    let long = "Which cities\nof the south are located in a country with more than ten million inhabitants?";
    let text = format!("Title!\nUser: {long}\nAI: x");
    let Some(Done::Text(title)) = prompt(&text) else { panic!() };
    assert_eq!(title, "Which cities of the south are located in a country with…");
    let Some(Done::Text(title)) = prompt(&format!("Title!\nUser: {}", "ü".repeat(200))) else { panic!() };
    assert_eq!(title.chars().count(), MAX_TITLE + 1);
    assert_eq!(prompt("Title!\nUser:\nAI: x"), Some(Done::Text("Cities".to_owned())));
}
