//! Questions as GERBIL QA sends them, answered in QALD-JSON as it reads it.

use eruca_testing::helpers::{CITIES, DOWN, QUESTION, SilentModel, TestApp, data, json, query_log};
use reqwest::header::{ACCEPT, ACCEPT_CHARSET, CONTENT_TYPE, ORIGIN};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json as made};

/// The head and body that GERBIL QA's web-service adapter sends (`ExtendedQALDBasedWebService.answerQuestion` on its branch
/// `QuestionAnswering`): nothing in the body is encoded, and the type of the content names two character sets.
fn gerbil(app: &TestApp, path: &str, question: &str, lang: &str) -> RequestBuilder {
    app.request(Method::POST, path)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded; charset=ISO-8859-1;charset=UTF-8")
        .header(ACCEPT, "application/json; charset=UTF-8")
        .header(ACCEPT_CHARSET, "UTF-8")
        .body(format!("query={question}&lang={lang}"))
}

async fn asked(app: &TestApp, path: &str, question: &str, lang: &str) -> Value {
    let response = gerbil(app, path, question, lang).send().await.unwrap();
    assert_eq!(response.status(), 200);
    json(response).await
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn gerbil_gets_what_it_reads() {
    let app = TestApp::start().await;
    let answer = asked(&app, "/gerbil", QUESTION, "en").await;
    let question = &answer["questions"][0];
    assert_eq!(question["question"], made!([{"language": "en", "string": QUESTION}]));
    assert!(question["query"]["sparql"].as_str().unwrap().contains("capital"), "{question}");
    let values: Vec<&str> = question["answers"][0]["results"]["bindings"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| row.as_object().unwrap().values().map(|term| term["value"].as_str().unwrap()))
        .collect();
    assert_eq!(values, ["https://example.org/cities/Paris"]);
    // Its reader refuses fields that it does not know, of the document, the answers and the terms.
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answer), ["questions"]);
    assert_eq!(keys(question), ["id", "question", "query", "answers"]);
    assert_eq!(keys(&question["answers"][0]), ["head", "results"]);
    assert!(question["id"].is_string());
}

#[tokio::test]
async fn letters_beyond_ascii_come_through_in_both_ways() {
    let app = TestApp::start().await;
    let german = "Wie viele Einwohner hat Köln?";
    let plain = asked(&app, "/gerbil", german, "de").await;
    let form = app.request(Method::POST, "/gerbil").form(&[("lang", "de"), ("query", german)]);
    let encoded = json(form.send().await.unwrap()).await;
    for answer in [plain, encoded] {
        let question = &answer["questions"][0];
        assert_eq!(question["question"], made!([{"language": "de", "string": german}]));
        let row = &question["answers"][0]["results"]["bindings"][0];
        assert!(row.as_object().unwrap().values().any(|term| term["value"] == "1080000"), "{answer}");
    }
}

#[tokio::test]
async fn the_answer_of_an_ask_is_a_truth_value() {
    let app = TestApp::start().await;
    let answer = asked(&app, "/gerbil/cities", "Is Paris located in France?", "en").await;
    assert_eq!(answer["questions"][0]["answers"], made!([{"head": {}, "boolean": true}]));
}

#[tokio::test]
async fn of_several_datasets_one_is_named() {
    let file = Value::from(data("sights.ttl"));
    let app = TestApp::with(&format!("[[datasets]]\nid = \"sights\"\nfiles = [{file}]")).await;
    let response = gerbil(&app, "/gerbil", QUESTION, "en").send().await.unwrap();
    assert_eq!(response.status(), 422);
    let told = json(response).await["detail"][0]["msg"].as_str().unwrap().to_owned();
    assert!(told.contains(CITIES) && told.contains("sights"), "{told}");
    let id: String = url::form_urlencoded::byte_serialize(CITIES.as_bytes()).collect();
    for path in ["/gerbil/cities", &format!("/gerbil/{id}")] {
        assert_eq!(
            asked(&app, path, QUESTION, "en").await["questions"][0]["question"][0]["string"],
            QUESTION
        );
    }
    assert_eq!(status(gerbil(&app, "/gerbil/nowhere", QUESTION, "en")).await, 404);
}

#[tokio::test]
async fn no_page_of_another_site_and_nothing_but_a_form_is_taken() {
    let app = TestApp::with_endpoint_down().await;
    let form = |lang| gerbil(&app, "/gerbil/cities", QUESTION, lang);
    assert_eq!(status(form("en").header(ORIGIN, "https://evil.example")).await, 403);
    assert_eq!(status(form("en").header("sec-fetch-site", "cross-site")).await, 403);
    assert_eq!(status(form("en").header(ORIGIN, &app.url)).await, 200);
    let other = app.request(Method::POST, "/gerbil/cities").json(&made!({"query": QUESTION}));
    assert_eq!(status(other).await, 415);
    assert_eq!(status(gerbil(&app, "/gerbil/cities", " ", "en")).await, 422);
    assert_eq!(status(gerbil(&app, "/gerbil/cities", &"x ".repeat(1500), "en")).await, 422);
    assert_eq!(status(gerbil(&app, "/gerbil/cities", &"x ".repeat(1 << 20), "en")).await, 413);
    assert_eq!(status(gerbil(&app, &format!("/gerbil/{DOWN}"), QUESTION, "en")).await, 502);
    assert_eq!(status(app.request(Method::GET, "/gerbil/cities")).await, 405);
}

#[tokio::test]
async fn keys_limits_queue_and_accounts_are_those_of_all_questions() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Value::from(folder.path().join("log").to_str().unwrap());
    let settings = format!(
        "[server]\napi_keys = {{ shop = \"k\" }}\nquestions_per_minute = 1\n[log]\nquestions_folder = {logs}"
    );
    let closed = TestApp::with(&settings).await;
    let with_key = || gerbil(&closed, "/gerbil", QUESTION, "en").bearer_auth("k");
    assert_eq!(status(gerbil(&closed, "/gerbil", QUESTION, "en")).await, 401);
    assert_eq!((status(with_key()).await, status(with_key()).await), (200, 429));
    let file = query_log(&folder.path().join("log"));
    let line: Value = serde_json::from_str(std::fs::read_to_string(file).unwrap().trim()).unwrap();
    assert_eq!((&line["question"], &line["key"]), (&made!(QUESTION), &made!("shop")));
    let model = SilentModel::start().await;
    let busy = TestApp::with_room_for_one(&model).await;
    let first = tokio::spawn(gerbil(&busy, "/gerbil", QUESTION, "en").send());
    let connection = model.asked().await;
    assert_eq!(status(gerbil(&busy, "/gerbil", QUESTION, "en")).await, 503);
    drop((connection, model));
    assert_eq!(first.await.unwrap().unwrap().status(), 200);
}
