//! What the service answers when something is wrong.

use eruca_testing::helpers::{CITIES, DOWN, QUESTION, SilentModel, TestApp, json};
use reqwest::Method;
use reqwest::header::{ALLOW, RETRY_AFTER};
use serde_json::{Value, json as value};

fn wrong(parameter: &str, msg: &str, kind: &str) -> Value {
    value!({"loc": ["query", parameter], "msg": msg, "type": kind})
}

#[tokio::test]
async fn wrong_parameters_are_told_as_fastapi_tells_them() {
    let app = TestApp::with("[server]\nmax_question_chars = 20").await;
    let long = "x".repeat(21);
    let missing = |parameter| wrong(parameter, "Field required", "missing");
    let short = |parameter| wrong(parameter, "String should have at least 1 character", "string_too_short");
    let cases: [(&[(&str, &str)], Value); 7] = [
        (&[("dataset", CITIES)], value!([missing("question")])),
        (&[("question", "q")], value!([missing("dataset")])),
        (&[], value!([missing("dataset"), missing("question")])),
        (&[("dataset", CITIES), ("question", "")], value!([short("question")])),
        (&[("dataset", " "), ("question", "\n")], value!([short("dataset"), short("question")])),
        (
            &[("dataset", CITIES), ("question", &long)],
            value!([wrong("question", "String should have at most 20 characters", "string_too_long")]),
        ),
        (
            &[("dataset", CITIES), ("question", "q"), ("trace", "perhaps")],
            value!([wrong(
                "trace",
                "Input should be a valid boolean, unable to interpret input",
                "bool_parsing"
            )]),
        ),
    ];
    for (params, detail) in cases {
        for response in [app.text2sparql(params).await, app.root(params).await] {
            assert_eq!(response.status(), 422, "{params:?}");
            assert_eq!(json(response).await, value!({ "detail": detail }), "{params:?}");
        }
    }
}

#[tokio::test]
async fn a_dataset_name_of_any_length_is_no_fault() {
    let app = TestApp::start().await;
    let body = json(app.ask(&"x".repeat(3000), QUESTION).await).await;
    assert_eq!(body["detail"][0]["type"], "string_too_long");
}

#[tokio::test]
async fn an_unknown_dataset_is_told_with_the_known_ones() {
    let app = TestApp::start().await;
    let response = app.ask("nowhere", QUESTION).await;
    assert_eq!(response.status(), 404);
    let body = json(response).await;
    let detail = body["detail"].as_str().unwrap();
    assert!(detail.contains("nowhere") && detail.contains(CITIES), "{detail}");
    assert_eq!(body["datasets"], value!([CITIES]));
    assert_eq!(body["code"], "unknown_dataset");
}

#[tokio::test]
async fn one_question_too_many_is_refused_at_once() {
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
    let first = tokio::spawn(request.send());
    let connection = model.asked().await;

    let refused = app.ask(CITIES, "What is the capital of Germany?").await;
    assert_eq!(refused.status(), 503);
    let seconds: u64 = refused.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!(seconds >= 1);
    assert_eq!(json(refused).await["code"], "overloaded");
    assert_eq!(app.health().await.status(), 200, "others are served meanwhile");

    drop((connection, model));
    assert_eq!(first.await.unwrap().unwrap().status(), 200);
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200, "there is room again");
}

#[tokio::test]
async fn an_endpoint_that_is_down_is_told_in_its_words() {
    let app = TestApp::with_endpoint_down().await;
    let response = app.ask(DOWN, QUESTION).await;
    assert_eq!(response.status(), 502);
    let body = json(response).await;
    assert_eq!(body["code"], "endpoint_down");
    assert!(body["detail"].as_str().unwrap().contains(DOWN), "{body}");
    assert_eq!(app.ask(CITIES, QUESTION).await.status(), 200, "other datasets are not concerned");
}

#[tokio::test]
async fn routes_and_methods_that_do_not_exist_are_told_in_json() {
    let app = TestApp::start().await;
    for path in ["/nowhere", "/docs/nowhere.js", "/text2sparql/nowhere"] {
        let nowhere = app.get(path).await;
        assert_eq!(nowhere.status(), 404, "{path}");
        assert_eq!(json(nowhere).await["code"], "not_found", "{path}");
    }
    for path in ["/text2sparql", "/", "/datasets", "/health", "/ready", "/openapi.json", "/docs", "/docs/"] {
        let response = app.request(Method::POST, path).send().await.unwrap();
        assert_eq!(response.status(), 405, "{path}");
        assert_eq!(response.headers()[ALLOW], "GET, HEAD", "{path}");
        assert_eq!(json(response).await["code"], "method_not_allowed", "{path}");
    }
}
