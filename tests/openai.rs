//! OpenAI's chat API: models, answers whole and in pieces, errors, follow-ups, and what front ends send beside questions.

use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::helpers::{CITIES, CITIES_ALIAS, DOWN, QUESTION, SilentModel, TestApp, json};
use eruca_testing::scripted::{answers, served, tries};
use reqwest::header::{ORIGIN, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;

const CHAT: &str = "/v1/chat/completions";
/// Longer than anything here takes; a test that waits for it has failed.
const VERY_LONG: Duration = Duration::from_secs(60);
/// A request of Open WebUI for a title.
const TITLE: &str = "### Task:\nGenerate a concise title summarizing the chat history.\n### Output:\nJSON format: \
    { \"title\": \"your concise title here\" }\n### Chat History:\n<chat_history>\nUSER: Which cities are there?\n\
    ASSISTANT: Paris.\n</chat_history>";

/// A conversation in which the user says these things, and nothing is answered.
fn said(texts: &[&str]) -> Value {
    let messages: Vec<Value> = texts.iter().map(|text| json!({"role": "user", "content": text})).collect();
    json!({"model": CITIES, "messages": messages})
}

fn streamed(mut body: Value) -> Value {
    body["stream"] = json!(true);
    body
}

fn chat(app: &TestApp, body: &Value) -> RequestBuilder {
    app.request(Method::POST, CHAT).json(body)
}

async fn sent(app: &TestApp, body: &Value) -> Response {
    chat(app, body).send().await.unwrap()
}

fn content(completion: &Value) -> &str {
    completion["choices"][0]["message"]["content"].as_str().unwrap_or_else(|| panic!("{completion}"))
}

/// The chunks of a stream, which ends as it should.
async fn chunks(response: Response) -> Vec<Value> {
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    let mut data: Vec<&str> = blocks.map(|block| block.strip_prefix("data: ").unwrap()).collect();
    assert_eq!(data.pop(), Some("[DONE]"), "{text}");
    data.into_iter().map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// The status and the error of a question that failed. In a stream that had begun the error is all there is, and its code
/// tells the status.
async fn refusal(response: Response) -> (u16, Value) {
    match response.status().as_u16() {
        200 => {
            let error = chunks(response).await.pop().unwrap()["error"].clone();
            let statuses = [("overloaded", 503), ("endpoint_down", 502)];
            (statuses.iter().find(|(code, _)| error["code"] == *code).unwrap().1, error)
        }
        503 if !response.headers().contains_key(RETRY_AFTER) => panic!("when to try again is not told"),
        status => (status, json(response).await["error"].clone()),
    }
}

/// All that the chunks say in this field.
fn joined(chunks: &[Value], field: &str) -> String {
    chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"][field].as_str()).collect()
}

/// The run that an answer links to.
fn linked(content: &str) -> &str {
    let (_, after) = content.rsplit_once("/runs/").unwrap_or_else(|| panic!("{content}"));
    &after[..32]
}

#[tokio::test]
async fn datasets_are_models() {
    let app = TestApp::with_endpoint_down().await;
    let list = json(app.get("/v1/models").await).await;
    let ids: Vec<&str> =
        list["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!((&list["object"], ids), (&json!("list"), vec![CITIES, DOWN, "auto"]));
    let model = json!({"id": CITIES, "object": "model", "created": 0, "owned_by": "eruca", "name": "Cities"});
    assert_eq!(list["data"][0], model);
    let encoded: String = url::form_urlencoded::byte_serialize(CITIES.as_bytes()).collect();
    for name in [CITIES, CITIES_ALIAS, &encoded] {
        assert_eq!(json(app.get(&format!("/v1/models/{name}")).await).await, model, "{name}");
    }
    assert_eq!(json(app.get("/v1/models/auto").await).await["id"], "auto");
    let alone = TestApp::start().await;
    assert_eq!(json(alone.get("/v1/models").await).await["data"].as_array().unwrap().len(), 1);
    assert_eq!(alone.get("/v1/models/auto").await.status(), 404);
    let unknown = app.get("/v1/models/nowhere").await;
    assert_eq!(unknown.status(), 404);
    assert_eq!(json(unknown).await["error"]["code"], "model_not_found");
}

#[tokio::test]
async fn an_answer_is_markdown_with_its_rows_its_query_and_its_run() {
    let app = TestApp::start().await;
    let response = sent(&app, &said(&[QUESTION])).await;
    assert_eq!(response.status(), 200);
    let run = response.headers()["eruca-run"].to_str().unwrap().to_owned();
    let completion = json(response).await;
    assert_eq!(completion["object"], "chat.completion");
    assert_eq!(
        (&completion["model"], &completion["id"]),
        (&json!(CITIES), &json!(format!("chatcmpl-{run}")))
    );
    let choice = &completion["choices"][0];
    assert_eq!((&choice["finish_reason"], &choice["message"]["role"]), (&json!("stop"), &json!("assistant")));
    assert_eq!(completion["usage"]["total_tokens"], 0, "no model was asked");
    let text = content(&completion);
    let (sentence, rest) = text.split_once("\n\n").unwrap();
    assert!(sentence.contains("[Paris](https://example.org/cities/Paris)"), "{text}");
    assert!(
        rest.starts_with("| capital |\n| --- |\n| [Paris](https://example.org/cities/Paris) |\n"),
        "{text}"
    );
    let kept = json(app.get(&format!("/runs/{run}")).await).await;
    assert!(
        text.contains(&format!("```sparql\n{}\n```", kept["query"].as_str().unwrap().trim_end())),
        "{text}"
    );
    let percent = (kept["confidence"]["probability"].as_f64().unwrap() * 100.0).round();
    assert!(text.contains(&format!("Confidence: {percent}%")), "{text}");
    assert!(text.ends_with(&format!("({}/runs/{run})", app.url)), "{text}");
    let steps = kept["trace"]["steps"].as_array().unwrap().len();
    let reasoning = choice["message"]["reasoning_content"].as_str().unwrap();
    assert!(steps > 0 && reasoning.starts_with("- ") && reasoning.lines().count() >= steps, "{reasoning}");
}

#[tokio::test]
async fn the_link_is_for_browsers() {
    let app = TestApp::with("[server]\npublic_url = \"https://eruca.example.org/kg/\"").await;
    let told = json(sent(&app, &said(&[QUESTION])).await).await;
    assert!(content(&told).contains("](https://eruca.example.org/kg/runs/"), "{}", content(&told));
    let without_page = TestApp::with("[server]\npage = false").await;
    let told = json(sent(&without_page, &said(&[QUESTION])).await).await;
    assert!(content(&told).contains("Paris") && !content(&told).contains("/runs/"), "there is no page");
}

#[tokio::test]
async fn a_stream_says_who_speaks_then_the_steps_then_the_answer() {
    let app = TestApp::start().await;
    let whole = json(sent(&app, &said(&[QUESTION])).await).await;
    let mut body = streamed(said(&[QUESTION]));
    let response = sent(&app, &body).await;
    let run = response.headers()["eruca-run"].to_str().unwrap().to_owned();
    let pieces = chunks(response).await;
    assert_eq!(pieces[0]["choices"][0]["delta"], json!({"role": "assistant", "content": ""}));
    assert_eq!(pieces.iter().filter(|piece| piece["choices"][0]["delta"].get("role").is_some()).count(), 1);
    let kinds = pieces[1..].iter().map(|piece| match &piece["choices"][0] {
        choice if choice["delta"].get("reasoning_content").is_some() => "step",
        choice if choice["delta"].get("content").is_some() => "text",
        choice => choice["finish_reason"].as_str().unwrap(),
    });
    let mut kinds: Vec<&str> = kinds.collect();
    kinds.dedup();
    assert_eq!(kinds, ["step", "text", "stop"]);
    for piece in &pieces {
        assert_eq!((&piece["object"], &piece["model"]), (&json!("chat.completion.chunk"), &json!(CITIES)));
        assert_eq!(piece["id"], format!("chatcmpl-{run}"));
        assert!(piece.get("usage").is_none(), "it was not asked for");
    }
    let text = joined(&pieces, "content");
    assert_eq!(text.replace(&run, "RUN"), content(&whole).replace(linked(content(&whole)), "RUN"));
    let reasoning = joined(&pieces, "reasoning_content");
    assert!(reasoning.lines().count() >= pieces.len() - 5 && reasoning.ends_with('\n'), "{reasoning}");

    body["stream_options"] = json!({"include_usage": true});
    let pieces = chunks(sent(&app, &body).await).await;
    let (last, before) = pieces.split_last().unwrap();
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &json!(0)));
    assert!(before.iter().all(|piece| piece.get("usage") == Some(&Value::Null)));
}

#[tokio::test]
async fn the_tokens_of_the_model_are_told() {
    let query = "SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> <https://eruca.dev/demo/ontology#capital> ?capital }";
    let words = "The capital of France is <b>Paris</b>.";
    let ask = async |stream: bool| {
        let turns = [tries(query).saying("I try | this"), answers(query), ScriptedTurn::text(words)];
        let (_setup, url, handle) = served(Arc::new(ScriptedModel::new(turns))).await;
        let mut body = said(&[QUESTION]);
        body["model"] = json!("demo");
        body["stream"] = json!(stream);
        body["stream_options"] = json!({"include_usage": true});
        let response = reqwest::Client::new().post(format!("{url}{CHAT}")).json(&body).send().await.unwrap();
        let told = if stream { Value::from(chunks(response).await) } else { json(response).await };
        handle.stop(false).await;
        told
    };
    let whole = ask(false).await;
    let usage = &whole["usage"];
    let [prompt, completion] =
        ["prompt_tokens", "completion_tokens"].map(|name| usage[name].as_u64().unwrap());
    assert!(prompt > 0 && completion > 0, "{usage}");
    assert_eq!(usage["total_tokens"], prompt + completion);
    let text = content(&whole);
    assert!(
        text.starts_with("The capital of France is \\<b\\>[Paris](") || text.contains("\\<b\\>"),
        "{text}"
    );
    assert!(!text.contains("<b>"), "{text}");
    let reasoning = whole["choices"][0]["message"]["reasoning_content"].as_str().unwrap();
    assert!(
        reasoning.contains("- I try \\| this\n") && reasoning.contains("execute\\_sparql: ok"),
        "{reasoning}"
    );
    let pieces = ask(true).await;
    let pieces = pieces.as_array().unwrap();
    assert!(joined(pieces, "content").starts_with(text.split("\n\n").next().unwrap()));
    assert_eq!(pieces.last().unwrap()["usage"], *usage);
}

#[tokio::test]
async fn what_is_wrong_is_told_as_openai_tells_it() {
    let app = TestApp::with_endpoint_down().await;
    let with = |field: &str, value: Value| {
        let mut body = said(&[QUESTION]);
        body[field] = value;
        body
    };
    let image = json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]}]);
    for (body, status, param, code) in [
        (with("model", Value::Null), 400, json!("model"), "invalid_value"),
        (with("model", json!("nowhere")), 404, json!("model"), "model_not_found"),
        (with("messages", json!([])), 400, json!("messages"), "invalid_value"),
        (
            with("messages", json!([{"role": "assistant", "content": "x"}])),
            400,
            json!("messages"),
            "invalid_value",
        ),
        (
            with("messages", json!([{"role": "user", "content": " "}])),
            400,
            json!("messages"),
            "invalid_value",
        ),
        (with("messages", image), 400, json!("messages"), "invalid_value"),
        (with("messages", json!("x")), 400, Value::Null, "json_invalid"),
        (with("n", json!(2)), 400, json!("n"), "invalid_value"),
        (said(&[&"x".repeat(3000)]), 400, json!("messages"), "invalid_value"),
        (with("model", json!(DOWN)), 502, Value::Null, "endpoint_down"),
    ] {
        for stream in [false, true] {
            let mut body = body.clone();
            body["stream"] = json!(stream);
            let (told, error) = refusal(sent(&app, &body).await).await;
            assert_eq!(told, status, "{param} {code}");
            assert_eq!((&error["param"], &error["code"]), (&param, &json!(code)), "{error}");
            let kind = if status < 500 { "invalid_request_error" } else { "server_error" };
            assert_eq!(error["type"], kind);
            assert!(!error["message"].as_str().unwrap().is_empty());
        }
    }
    let code = async |request: RequestBuilder| {
        let response = request.send().await.unwrap();
        (response.status().as_u16(), json(response).await["error"]["code"].clone())
    };
    let body = said(&[QUESTION]);
    assert_eq!(
        code(chat(&app, &body).header(ORIGIN, "https://evil.example")).await,
        (403, json!("other_origin"))
    );
    assert_eq!(code(app.request(Method::POST, CHAT).body(body.to_string())).await, (415, json!("not_json")));
    assert_eq!(code(app.request(Method::GET, CHAT)).await, (405, json!("method_not_allowed")));
    assert_eq!(code(app.request(Method::POST, "/v1/models")).await, (405, json!("method_not_allowed")));
    assert_eq!(
        code(app.request(Method::POST, "/v1/embeddings").json(&body)).await,
        (404, json!("not_found"))
    );
    let many = json!({"temperature": 1.5, "top_p": 0.1, "tools": [], "tool_choice": "auto", "seed": 1, "stop": ["x"],
        "max_tokens": 5, "user": "u", "logit_bias": {}, "metadata": {}, "reasoning_effort": "low", "unheard_of": true});
    let mut body = said(&[QUESTION]);
    body.as_object_mut().unwrap().extend(many.as_object().unwrap().clone());
    assert_eq!(sent(&app, &body).await.status(), 200, "what means nothing here is let be");
}

#[tokio::test]
async fn keys_and_limits_are_those_of_all_questions() {
    let app = TestApp::with("[server]\nquestions_per_minute = 1\n[server.api_keys]\nshop = \"k\"\n").await;
    for request in
        [app.request(Method::GET, "/v1/models"), chat(&app, &said(&[QUESTION])), chat(&app, &said(&[TITLE]))]
    {
        let response = request.send().await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["www-authenticate"]),
            (401, &"Bearer".parse().unwrap())
        );
        let error = json(response).await["error"].clone();
        assert_eq!(
            (&error["type"], &error["code"]),
            (&json!("invalid_request_error"), &json!("invalid_api_key"))
        );
    }
    assert_eq!(app.request(Method::GET, "/v1/models").bearer_auth("k").send().await.unwrap().status(), 200);
    let asked =
        async |text: &str| chat(&app, &streamed(said(&[text]))).bearer_auth("k").send().await.unwrap();
    assert_eq!(asked(TITLE).await.status(), 200, "a title is no question");
    assert_eq!(asked(QUESTION).await.status(), 200);
    let limited = asked(QUESTION).await;
    assert_eq!(limited.status(), 429);
    assert!(limited.headers()[RETRY_AFTER].to_str().unwrap().parse::<u64>().unwrap() > 0);
    let error = json(limited).await["error"].clone();
    assert_eq!((&error["type"], &error["code"]), (&json!("rate_limit_error"), &json!("rate_limit_exceeded")));
    assert_eq!(asked(TITLE).await.status(), 200);
}

#[tokio::test]
async fn a_title_needs_no_agent_and_no_place_and_who_finds_none_is_told_by_status() {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let held = tokio::spawn(chat(&app, &streamed(said(&[QUESTION]))).send());
    let connection = model.asked().await;
    let title = json(sent(&app, &said(&[TITLE])).await).await;
    assert_eq!(content(&title), "{\"title\":\"Which cities are there?\"}");
    assert_eq!(title["choices"][0]["message"].get("reasoning_content"), None);
    let pieces = chunks(sent(&app, &streamed(said(&[TITLE]))).await).await;
    assert_eq!(joined(&pieces, "content"), content(&title));
    assert_eq!(pieces[0]["choices"][0]["delta"]["role"], "assistant");
    for body in [said(&["Which cities are there?"]), streamed(said(&["Which cities are there?"]))] {
        let (status, error) = refusal(sent(&app, &body).await).await;
        assert_eq!((status, &error["code"]), (503, &json!("overloaded")));
    }
    drop((connection, model));
    assert!(joined(&chunks(held.await.unwrap().unwrap()).await, "content").contains("Paris"));
    let metrics = app.get("/metrics").await.text().await.unwrap();
    let counted = |line: &&str| line.starts_with("eruca_questions_total") && line.contains(CITIES);
    assert!(
        metrics.lines().filter(counted).all(|line| line.ends_with(" 1") || line.contains("overloaded")),
        "{metrics}"
    );
}

#[tokio::test]
async fn earlier_questions_are_followed_with_their_run_and_without() {
    let app = TestApp::start().await;
    let first = json(sent(&app, &said(&[QUESTION])).await).await;
    let follow = async |answer: &str| {
        let body = json!({"model": CITIES_ALIAS, "messages": [
            {"role": "system", "content": "You are helpful."},
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": answer},
            {"role": "user", "content": [{"type": "text", "text": "And of Germany?"}]},
        ]});
        let told = json(sent(&app, &body).await).await;
        let run = json(app.get(&format!("/runs/{}", linked(content(&told)))).await).await;
        (content(&told).to_owned(), run)
    };
    let unknown = format!("x/runs/{}", "0".repeat(32));
    for answer in [content(&first), "Paris.", unknown.as_str()] {
        let (text, run) = follow(answer).await;
        assert!(text.contains("[Berlin]("), "{text}");
        assert_eq!(run["question"], "And of Germany?");
        assert!(
            run["asked"].as_str().unwrap().contains("capital") && run["taken_over"] != json!([]),
            "{run}"
        );
    }
}

#[tokio::test]
async fn who_closes_a_stream_ends_the_work() {
    let model = SilentModel::start().await;
    for stream in [true, false] {
        // Another one each time: the place of a question is free only a little after its end.
        let app = TestApp::with_room_for_one(&model).await;
        let body = if stream { streamed(said(&[QUESTION])) } else { said(&[QUESTION]) };
        let asked = tokio::spawn(chat(&app, &body).send());
        let mut connection = model.asked().await;
        if stream {
            drop(asked.await.unwrap().unwrap());
        } else {
            asked.abort();
            drop(asked.await);
        }
        let mut request = Vec::new();
        let ended = tokio::time::timeout(VERY_LONG, connection.read_to_end(&mut request)).await;
        ended.expect("the model is still waited for").ok();
    }
}

#[tokio::test]
async fn what_a_graph_says_is_no_markup() {
    let hostile = "Evil [click](javascript:alert(1)) <img src=x onerror=alert(1)> | cell `code` **bold** http://evil.example";
    let graph = format!(
        "@prefix : <https://example.org/gadgets/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
         @prefix owl: <http://www.w3.org/2002/07/owl#> .\n:Gadget a owl:Class ; rdfs:label \"gadget\"@en .\n\
         :a a :Gadget ; rdfs:label \"{hostile}\"@en .\n:b a :Gadget ; rdfs:label \"Plain\"@en .\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gadgets.ttl");
    std::fs::write(&file, graph).unwrap();
    let file = Value::from(file.to_str().unwrap());
    let app = TestApp::with(&format!("[[datasets]]\nid = \"gadgets\"\nfiles = [{file}]")).await;
    let body =
        json!({"model": "gadgets", "messages": [{"role": "user", "content": "Which gadgets are there?"}]});
    let told = json(sent(&app, &body).await).await;
    let text = content(&told);
    let (before, after) = text.split_once("```sparql").unwrap();
    assert!(
        after.contains("```") && before.contains("Plain") && before.matches("Evil").count() >= 2,
        "{text}"
    );
    let shown = "Evil [click\\](javascript:alert(1)) \\<img src=x onerror=alert(1)\\> \\| cell \\`code\\` \\*\\*bold\\*\\* http\\://evil.example";
    assert!(before.contains(&format!("| [{shown}](https://example.org/gadgets/a) |")), "{text}");
    // Without what a backslash has taken the meaning from, there is nothing of it.
    let mut chars = before.chars();
    let mut bare = String::new();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else {
            bare.push(c);
        }
    }
    for markup in ["](javascript", "<img", "://evil", "`code`", "**bold**"] {
        assert!(hostile.contains(markup) && !bare.contains(markup), "{markup} in {bare}");
    }
}
