//! The ways in which models write calls as text.

use super::*;

const QUERY: &str =
    "SELECT ?city WHERE { ?city a <http://e/City> ; <http://e/population> ?p } ORDER BY DESC(?p) LIMIT 1";

/// The one call in a text, with its argument `query`.
fn only_call(text: &str) -> (String, String) {
    let found = text_calls(text).calls;
    let [call] = found.as_slice() else { panic!("{} calls in {text}", found.len()) };
    let arguments = crate::tools::Arguments::parse(&call.arguments).unwrap();
    (call.name.clone(), arguments.text("query").unwrap().to_owned())
}

#[test]
fn calls_are_read_in_every_way_in_which_models_write_them() {
    let json = serde_json::json!({ "query": QUERY }).to_string();
    let call = serde_json::json!({"name": "answer", "arguments": {"query": QUERY}}).to_string();
    for text in [
        call.clone(),
        format!("I will answer now.\n<tool_call>\n{call}\n</tool_call>"),
        format!("<tools>{call}</tools>"),
        format!("[TOOL_CALLS] [{call}]"),
        format!("[TOOL_CALLS]answer[ARGS]{json}"),
        format!("<|python_tag|>{{\"name\": \"answer\", \"parameters\": {json}}}"),
        format!("```json\n{{\"tool\": \"answer\", \"args\": {json}}}\n```"),
        serde_json::json!({"type": "function", "function": {"name": "answer", "arguments": json}})
            .to_string(),
        format!("<function=answer><parameter=query>{QUERY}</parameter></function>"),
        format!(
            "<tool_call>\n<function=answer>\n<parameter=query>\n{QUERY}\n</parameter>\n</function>\n</tool_call>"
        ),
        format!("<function=answer><parameter=query>{QUERY}</parameter>"),
        format!("<function=answer>{json}</function>"),
        format!(
            "<function_calls><invoke name=\"answer\"><parameter name=\"query\">{QUERY}</parameter></invoke></function_calls>"
        ),
        format!("<tool_call>answer\n<arg_key>query</arg_key>\n<arg_value>{QUERY}</arg_value>\n</tool_call>"),
        format!(
            "{{'id': '5', 'type': 'function', 'function': {{'name': 'answer', 'arguments': {{'query': '{QUERY}'}}}}}}"
        ),
        format!("<|channel|>commentary to=functions.answer <|constrain|>json<|message|>{json}<|call|>"),
        format!(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>answer\n```json\n{json}\n```<｜tool▁call▁end｜>"
        ),
        format!("<｜tool▁call▁begin｜>answer<｜tool▁sep｜>{json}<｜tool▁call▁end｜>"),
        format!("Thought: I know it.\nAction: answer\nAction Input: {json}"),
        format!("answer(query=\"{QUERY}\")"),
        format!("```tool_code\nprint(default_api.answer(query=\"\"\"{QUERY}\"\"\", form='list'))\n```"),
        format!("answer('{QUERY}')"),
    ] {
        assert_eq!(only_call(&text), ("answer".to_owned(), QUERY.to_owned()), "{text}");
    }
}

#[test]
fn several_calls_come_in_their_order() {
    for text in [
        "<function=search_entity><parameter=query>a</parameter></function>\n<function=search_class><parameter=query>b</parameter></function>",
        "search_entity(query='a')\nsearch_class(query='b')",
        "{'name': 'search_entity', 'args': {'query': 'a'}} {'name': 'search_class', 'args': {'query': 'b'}}",
        r#"{"calls": [{"name": "search_entity", "arguments": {"query": "a"}}, {"name": "search_class", "arguments": {"query": "b"}}]}"#,
    ] {
        let calls = text_calls(text).calls;
        let names: Vec<_> = calls.iter().map(|call| (call.name.as_str(), call.id.as_str())).collect();
        assert_eq!(names, [("search_entity", "text0"), ("search_class", "text1")], "{text}");
    }
}

#[test]
fn arguments_keep_their_kinds() {
    let arguments = |text: &str| text_calls(text).calls[0].arguments.clone();
    let tagged = "<function=state_form><parameter=form>list</parameter><parameter=columns>[\"a\"]</parameter><parameter=limit>3</parameter></function>";
    let python = "state_form(form='list', columns=['a'], limit=3)";
    for text in [tagged, python] {
        assert_eq!(arguments(text), r#"{"form":"list","columns":["a"],"limit":3}"#, "{text}");
    }
    // A year to search for is a text.
    assert_eq!(
        arguments("<invoke name=\"search_entity\"><parameter name=\"query\">1984</parameter></invoke>"),
        r#"{"query":"1984"}"#
    );
    assert_eq!(arguments(r"search_entity(query='it\'s')"), r#"{"query":"it's"}"#);
}

#[test]
fn prose_and_examples_of_other_things_are_no_calls() {
    for text in [
        "I would call search_entity(query) and then answer(the query).",
        "The tool search_entity takes {\"text\": \"a name\"}.",
        "<function=run_sql><parameter=sql>select 1</parameter></function>",
        "run_sql(sql='select 1')",
        "{'name': 'run_sql', 'arguments': {}}",
        "answer(query=\"SELECT ?x",
        "{'a': 1}",
        "",
    ] {
        assert_eq!(text_calls(text).calls, [], "{text}");
    }
}

/// Whatever stands in a text, it is looked through a few times at most.
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
        "{'",
        "{'a':{",
        "{'a':'",
        "answer(",
        "answer('",
        "answer(query='''",
        "answer(query=[",
        "<function=",
        "<function=answer><parameter=query>",
        "<invoke name=answer>",
        "<tool_call>answer<arg_key>",
        "answer{",
        "( ",
    ] {
        let text = unit.repeat(MAX_TEXT / unit.len());
        let found = text_calls(&text);
        assert!(found.work <= MAX_WORK + MAX_TEXT, "{unit}: {}", found.work);
        assert!(found.calls.len() <= MAX_TEXT / "<invoke name=answer>".len(), "{unit}");
    }
}
