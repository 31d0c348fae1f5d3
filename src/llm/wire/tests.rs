//! Requests as sent, and lenient parsing of replies.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::time::Duration;

fn request() -> ChatRequest {
    let call = |id: &str, name: &str, arguments: &str| ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    ChatRequest {
        messages: vec![
            Message::System("Be exact.".to_owned()),
            Message::User("Où est Größe?".to_owned()),
            Message::Assistant {
                text: Some("Hm.".to_owned()),
                calls: vec![call("a", "look", r#"{"b": 1, "a":2}"#), call("b", "a.b c", "{broken")],
            },
            Message::Tool { call_id: "a".to_owned(), content: "nothing".to_owned() },
            Message::Tool { call_id: "b".to_owned(), content: "no such tool".to_owned() },
            Message::Assistant { text: None, calls: vec![call("c", "", "")] },
            Message::Assistant { text: None, calls: Vec::new() },
        ],
        tools: vec![ToolSpec {
            name: "look",
            description: "Looks.",
            parameters: json!({"type": "object", "properties": {"z": {}, "a": {}}}),
            strict: false,
        }],
        timeout: Duration::from_secs(1),
        sampled_anew: false,
    }
}

fn completion(reply: &str) -> Completion {
    match read(reply, ReplyContext::of(&request())).unwrap() {
        ParsedReply::Completion(completion) => completion,
        ParsedReply::Complaint(complaint) => panic!("{complaint:?}"),
    }
}

/// The completion if the server answers with this message.
fn said(message: &Value) -> Completion {
    completion(&json!({"choices": [{"message": message}]}).to_string())
}

#[test]
fn the_body_has_every_kind_of_message_and_is_the_same_each_time() {
    let request = request();
    let sampling = Sampling { temperature: Some(0.2), limit: Some(99), old_limit_name: false };
    let body = || serde_json::to_string(&ChatBody::new("m", &request, sampling)).unwrap();
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let expected = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be exact."},
            {"role": "user", "content": "Où est Größe?"},
            {"role": "assistant", "content": "Hm.", "tool_calls": [
                call("a", "look", r#"{"b": 1, "a":2}"#),
                call("b", "a_b_c", r#"{"unparsed":"{broken"}"#),
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "nothing"},
            {"role": "tool", "tool_call_id": "b", "content": "no such tool"},
            {"role": "assistant", "content": null, "tool_calls": [call("c", "unnamed", "{}")]},
            {"role": "assistant", "content": ""},
        ],
        "tools": [{"type": "function", "function": {
            "name": "look",
            "description": "Looks.",
            "parameters": {"type": "object", "properties": {"z": {}, "a": {}}},
        }}],
        "tool_choice": "auto",
        "temperature": 0.2,
        "max_completion_tokens": 99,
        "stream": false,
    });
    // Compared as text: the order of keys matters to prompt caches.
    assert_eq!(body(), expected.to_string());
    assert_eq!(body(), body());
    let temperature = |own: Option<f32>| {
        let request = ChatRequest { sampled_anew: true, ..request.clone() };
        serde_json::to_value(ChatBody::new("m", &request, Sampling { temperature: own, ..sampling })).unwrap()
            ["temperature"]
            .clone()
    };
    let free = [temperature(Some(0.0)), temperature(Some(1.0)), temperature(None)];
    assert_eq!(
        free.map(|value| value.as_f64().map(|number| (number * 10.0).round())),
        [Some(8.0), Some(10.0), None]
    );
}

#[test]
fn without_tools_or_settings_the_body_does_not_name_them() {
    let request =
        ChatRequest { messages: Vec::new(), tools: Vec::new(), timeout: Duration::ZERO, sampled_anew: false };
    let sampling = Sampling { temperature: None, limit: None, old_limit_name: true };
    let body = serde_json::to_value(ChatBody::new("m", &request, sampling)).unwrap();
    assert_eq!(body, json!({"model": "m", "messages": [], "stream": false}));
}

#[test]
fn content_may_be_null_missing_a_string_or_parts() {
    let text = |content: Value| said(&json!({"content": content})).text;
    assert_eq!(text(Value::Null), None);
    assert_eq!(text(json!("")), None);
    assert_eq!(text(json!(" Yes. ")).as_deref(), Some("Yes."));
    let parts = json!([{"type": "thinking", "text": "x"}, {"type": "text", "text": "Y"}, {"text": "e"}, "s"]);
    assert_eq!(text(parts).as_deref(), Some("Yes"));
    assert_eq!(said(&json!({})).text, None);
    assert_eq!(said(&json!({"content": null, "refusal": "No."})).text.as_deref(), Some("No."));
}

#[test]
fn reasoning_is_left_out_of_the_text_but_counted() {
    let reply = said(&json!({"content": "Yes.", "reasoning_content": "12345678"}));
    assert_eq!(reply.text.as_deref(), Some("Yes."));
    assert_eq!(reply.usage.completion_tokens, 3);
}

#[test]
fn thoughts_are_removed_wherever_they_stand() {
    for (text, kept) in [
        ("<think>\nhm\n</think>\n\nYes.", "Yes."),
        ("One <think>a</think>two<think>b</think> three", "One two three"),
        ("the prompt opened this</think>Yes.", "Yes."),
        ("Yes.<think>cut he", "Yes."),
        ("<think></think>", ""),
        ("a < b", "a < b"),
    ] {
        assert_eq!(without_thoughts(text), kept, "{text:?}");
    }
}

/// Each of these would take minutes if every tag caused a scan of the rest of the text.
#[test]
fn thoughts_are_removed_in_one_pass() {
    for unit in ["<think>", "</think>", "<think></think>", "</think><think>", "<"] {
        let text = unit.repeat(1_000_000);
        assert!(without_thoughts(&text).len() <= text.len());
    }
    assert_eq!(without_thoughts(&format!("{}Yes.", "</think>".repeat(1_000_000))), "Yes.");
}

#[test]
fn replies_of_more_values_than_anyone_sends_are_refused() {
    let refused = |body: &str| read(body, ReplyContext::of(&request())).err().unwrap();
    let many = format!(r#"{{"choices": [{}0]}}"#, "0,".repeat(200_000));
    assert!(refused(&many).contains("more than 100000 values"), "{}", &refused(&many)[..200]);
    let calls = vec![r#"{"function": {"name": "look", "arguments": {"a": [1]}}}"#; 60_000].join(",");
    let reply = format!(r#"{{"choices": [{{"message": {{"tool_calls": [{calls}]}}}}]}}"#);
    assert!(refused(&reply).contains("more than 100000 values"));
    let deep = format!(r#"{{"choices":{}{}}}"#, "[".repeat(500_000), "]".repeat(500_000));
    assert!(refused(&deep).contains("recursion limit"));
}

#[test]
fn long_ids_are_replaced() {
    let call = json!({"id": "x".repeat(100_000), "function": {"name": "look", "arguments": "{}"}});
    assert_eq!(said(&json!({"tool_calls": [call]})).calls[0].id, "call00003");
}

#[test]
fn calls_get_ids_that_are_new_in_the_conversation() {
    let call = |id: Value| json!({"id": id, "function": {"name": "look", "arguments": "{}"}});
    let calls =
        [call(json!("own")), call(json!("own")), call(json!("a")), call(json!("")), call(Value::Null)];
    let reply = said(&json!({"tool_calls": calls}));
    let ids: Vec<&str> = reply.calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["own", "call00004", "call00005", "call00006", "call00007"]);
}

#[test]
fn arguments_stay_as_written_or_are_serialized() {
    let arguments = |function: Value| {
        let reply = said(&json!({"tool_calls": [{"id": "x", "function": function}]}));
        reply.calls[0].arguments.clone()
    };
    assert_eq!(arguments(json!({"name": "f", "arguments": "{ \"a\" :1"})), "{ \"a\" :1");
    assert_eq!(arguments(json!({"name": "f", "arguments": {"b": 1, "a": [2]}})), r#"{"b":1,"a":[2]}"#);
    assert_eq!(arguments(json!({"name": "f", "arguments": null})), "{}");
    assert_eq!(arguments(json!({"name": "f"})), "{}");
}

#[test]
fn the_old_function_call_counts_when_it_is_the_only_one() {
    let old = json!({"name": "look", "arguments": "{}"});
    let reply = said(&json!({"content": null, "function_call": old}));
    assert_eq!((reply.calls.len(), reply.calls[0].name.as_str()), (1, "look"));
    assert!(!reply.calls[0].id.is_empty());

    let new = json!([{"id": "x", "function": {"name": "other", "arguments": "{}"}}]);
    let both = said(&json!({"function_call": old, "tool_calls": new}));
    assert_eq!((both.calls.len(), both.calls[0].name.as_str()), (1, "other"));
    assert!(said(&json!({"function_call": null, "tool_calls": null})).calls.is_empty());
}

#[test]
fn usage_is_taken_from_the_server_or_estimated() {
    let usage = |usage: Value| {
        completion(&json!({"choices": [{"message": {"content": "12345"}}], "usage": usage}).to_string()).usage
    };
    let prompt = estimated_tokens(prompt_bytes(&request()));
    let estimated = Usage { prompt_tokens: prompt, cached_tokens: 0, completion_tokens: 2, estimated: true };
    assert_eq!(usage(Value::Null), estimated);
    assert_eq!(usage(json!({"prompt_tokens": 0, "completion_tokens": 0})), estimated);
    assert_eq!(usage(json!({"prompt_tokens": 70})), Usage { prompt_tokens: 70, ..estimated });

    let endless = json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX});
    assert_eq!(usage(endless), estimated);

    let counted = Usage { prompt_tokens: 70, cached_tokens: 64, completion_tokens: 9, estimated: false };
    let details =
        json!({"prompt_tokens": 70, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 64}});
    assert_eq!(usage(details), counted);
    let flat = json!({"prompt_tokens": 70, "completion_tokens": 9, "prompt_cache_hit_tokens": 64});
    assert_eq!(usage(flat), counted);
    let nulls = json!({"prompt_tokens": 70, "completion_tokens": 9, "prompt_tokens_details": null});
    assert_eq!(usage(nulls), Usage { cached_tokens: 0, ..counted });
}

#[test]
fn a_completion_at_the_length_limit_is_cut() {
    let cut = |reason: Value| {
        completion(&json!({"choices": [{"message": {}, "finish_reason": reason}]}).to_string()).cut
    };
    assert!(cut(json!("length")));
    assert!(!cut(json!("stop")) && !cut(json!("tool_calls")) && !cut(Value::Null));
}

#[test]
fn a_byte_order_mark_and_white_space_are_no_hindrance() {
    let reply = "\u{feff}\r\n  {\"choices\": [{\"message\": {\"content\": \"Yes.\"}}]}\n\n";
    assert_eq!(completion(reply).text.as_deref(), Some("Yes."));
}

#[test]
fn what_is_not_a_completion_says_why() {
    for (body, reason) in [
        ("", "EOF while parsing"),
        ("<html>", "expected value"),
        (r#"{"choices": [{"message": {"content": "Y"#, "EOF while parsing"),
        ("[]", "no choices in: []"),
        (r#"{"choices": []}"#, "no choices"),
        (r#"{"choices": [{"text": "Yes."}]}"#, "no message"),
        (r#"{"choices": [{"message": "Yes."}]}"#, "no message"),
    ] {
        let found = read(body, ReplyContext::of(&request())).err().unwrap_or_default();
        assert!(found.contains(reason), "{body}: {found}");
    }
}

#[test]
fn an_error_sent_as_a_success_is_a_complaint_unless_a_completion_is_there_too() {
    let body = r#"{"error": {"code": 429, "message": "slow"}}"#;
    let Ok(ParsedReply::Complaint(found)) = read(body, ReplyContext::of(&request())) else {
        panic!("the error was not seen");
    };
    let slow = Complaint { status: Some(429), words: "slow".to_owned(), about: None, too_long: false };
    assert_eq!(found, slow);
    assert_eq!(completion(r#"{"error": {}, "choices": [{"message": {"content": "Yes."}}]}"#).calls, []);
}

#[test]
fn complaints_are_understood_in_every_dialect() {
    let find = |body: &str| {
        let Complaint { status, words, about, too_long: _ } = complaint(body);
        (status, words, about)
    };
    let owned = |words: &str| words.to_owned();
    assert_eq!(find(r#"{"error": {"message": "bad key"}}"#), (None, owned("bad key"), None));
    assert_eq!(find(r#"{"error": "bad key"}"#), (None, owned("bad key"), None));
    assert_eq!(find(r#"{"message": "bad key", "code": "401"}"#), (Some(401), owned("bad key"), None));
    assert_eq!(find(r#"{"detail": "Not Found"}"#), (None, owned("Not Found"), None));
    assert_eq!(find(r#"{"detail": [1]}"#), (None, owned(r#"{"detail": [1]}"#), None));
    assert_eq!(find(" no such page\n"), (None, owned("no such page"), None));

    let about = |body: &str| complaint(body).about;
    assert_eq!(
        about(r#"{"error": {"message": "no", "param": "temperature"}}"#),
        Some(Parameter::Temperature)
    );
    assert_eq!(about(r#"{"error": "temperature is not supported"}"#), Some(Parameter::Temperature));
    assert_eq!(about("Use 'max_completion_tokens' instead."), Some(Parameter::Limit));
    assert_eq!(about("Unrecognized argument: max_tokens"), Some(Parameter::Limit));

    let long = |body: &str| (complaint(body).too_long, about(body));
    // As llama.cpp, its Python server and vLLM say it.
    let llama = r#"{"error": {"code": 400, "message": "request (4031 tokens) is long", "type": "exceed_context_size_error"}}"#;
    assert_eq!(long(llama), (true, None));
    let python = r#"{"error": {"message": "You requested 7393 tokens (3297 in the messages, 4096 in the completion).", "code": "context_length_exceeded"}}"#;
    assert_eq!(long(python), (true, Some(Parameter::Limit)));
    let vllm = r#"{"object": "error", "message": "'max_tokens' is too large: 4096. The model's maximum context length is 8192", "code": 400}"#;
    assert_eq!(long(vllm), (true, Some(Parameter::Limit)));
    assert_eq!(long("Unrecognized argument: max_tokens"), (false, Some(Parameter::Limit)));
}

/// JSON made of the words that the parser looks for, in places where they may not belong.
fn any_reply() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "choices",
        "message",
        "content",
        "tool_calls",
        "function",
        "function_call",
        "name",
        "arguments",
        "id",
        "usage",
        "prompt_tokens",
        "error",
        "code",
        "<think>",
        "</think>",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 48, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..4)
                .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #[test]
    fn no_reply_is_too_odd_to_read(reply in any_reply(), text in "\\PC{0,40}") {
        let request = request();
        let wrapped = json!({"choices": [{"message": reply}], "usage": reply});
        for body in [text, reply.to_string(), wrapped.to_string()] {
            let _ = (read(&body, ReplyContext::of(&request)), complaint(&body));
        }
    }

    #[test]
    fn made_up_ids_never_collide(ids in prop::collection::vec("|a|b|call0000[0-9]", 0..12)) {
        let calls: Vec<Value> = ids.iter().map(|id| json!({"id": id, "function": {"name": "f"}})).collect();
        let found = said(&json!({"tool_calls": calls})).calls;
        let unique: HashSet<&str> = found.iter().map(|call| call.id.as_str()).chain(["a", "b", "c"]).collect();
        prop_assert_eq!(unique.len(), ids.len() + 3);
    }
}
