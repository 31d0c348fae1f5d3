//! Texts of answers linked to the things of a graph: namesakes, other names, misspellings, classes, values, and nothing.

use eruca_testing::helpers::{SilentModel, TestApp, data, json};
use reqwest::{Method, Response};
use serde_json::{Value, json as made};

const NAMES: &str = "https://example.org/names/";

async fn app() -> TestApp {
    let file = Value::from(data("names.ttl"));
    TestApp::with(&format!("[[datasets]]\nid = \"names\"\nfiles = [{file}]")).await
}

async fn post(app: &TestApp, body: &Value) -> Response {
    app.request(Method::POST, "/link").json(body).send().await.unwrap()
}

async fn linked(app: &TestApp, mut body: Value) -> Vec<Value> {
    body["dataset"] = "names".into();
    let response = post(app, &body).await;
    assert_eq!(response.status(), 200, "{body}");
    json(response).await["texts"].as_array().unwrap().clone()
}

/// `name match score` of each link, the name being the end of the IRI.
fn shown(text: &Value) -> Vec<String> {
    let links = text["links"].as_array().unwrap().iter();
    links
        .map(|link| {
            let name = link["iri"].as_str().unwrap().strip_prefix(NAMES).unwrap();
            format!("{name} {} {}", link["match"].as_str().unwrap(), link["score"])
        })
        .collect()
}

#[tokio::test]
async fn many_texts_are_linked_at_once_in_their_order() {
    let app = app().await;
    let texts = [
        "Northern Gannet",
        "port wex",
        "Wexmünde",
        "Nothern Ganet",
        "The Little Tern",
        "Little Tern (ship)",
        ":dalby",
        "Zanzibar",
    ];
    let found = linked(&app, made!({"texts": texts})).await;
    let found: Vec<Vec<String>> = found.iter().map(shown).collect();
    let expected: [&[&str]; 8] = [
        &["gannet exact 1.0"],
        &["wexmouth alias 0.95"],
        &["wexmouth exact 1.0"],
        &["gannet fuzzy 0.78"],
        &["tern fuzzy 0.882"],
        &["tern fuzzy 0.9"],
        &["dalby exact 1.0"],
        &[],
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn namesakes_share_a_score_and_a_class_tells_them_apart() {
    let app = app().await;
    let items = made!([
        {"text": "Wexmouth"},
        {"text": "Wexmouth", "class": "Schiff"},
        {"text": "Wexmouth", "class": "place"},
        {"text": "Wexmouth", "class": format!("{NAMES}Harbour")},
        {"text": "Wexmouth", "class": "mission"},
        {"text": format!("{NAMES}tern"), "class": "place"},
        {"text": format!("{NAMES}tern"), "class": "ship"}
    ]);
    let found = linked(&app, made!({"items": items, "lang": "de"})).await;
    let expected: [&[&str]; 7] = [
        &["wexmouth exact 1.0", "wexmouth_ship exact 1.0"],
        &["wexmouth_ship exact 1.0"],
        &["wexmouth exact 1.0"],
        &["wexmouth exact 1.0"],
        &[],
        &[],
        &["tern exact 1.0"],
    ];
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected);
    let best = &found[0]["links"][0];
    assert_eq!((&best["label"], &best["matched"]), (&made!("Wexmünde"), &made!("Wexmouth")));
    assert_eq!(best["classes"], made!([{"iri": format!("{NAMES}Harbour"), "label": "harbour"}]));
    assert_eq!(shown(&linked(&app, made!({"texts": ["Wexmouth"], "limit": 1})).await[0]).len(), 1);
}

#[tokio::test]
async fn what_is_not_called_so_is_no_guess() {
    let app = app().await;
    let texts = [
        "Kite 12",
        "Dolby City",
        "Northern",
        "Tern Island",
        "?!",
        "",
        "<>\"{}",
        "SELECT * { ?s ?p ?o }",
        "👻",
    ];
    for text in linked(&app, made!({"texts": texts})).await {
        assert_eq!(text["links"], made!([]), "{text}");
    }
}

#[tokio::test]
async fn values_say_what_they_are() {
    let app = app().await;
    let texts =
        ["1,250", "-3.5", "17 April 1962", "1962-04-17", "April 1962", "1962", "yes", "two million", "Dalby"];
    let found = linked(&app, made!({"texts": texts, "lang": "en"})).await;
    let told: Vec<String> = found
        .iter()
        .map(|text| match &text["literal"] {
            Value::Null => "-".to_owned(),
            literal => {
                format!("{} {}", literal["kind"].as_str().unwrap(), literal["value"].as_str().unwrap())
            }
        })
        .collect();
    assert_eq!(
        told,
        [
            "number 1250",
            "number -3.5",
            "date 1962-04-17",
            "date 1962-04-17",
            "month 1962-04",
            "year 1962",
            "boolean true",
            "number 2000000",
            "-"
        ]
    );
    assert_eq!(found[0]["literal"]["datatype"], "http://www.w3.org/2001/XMLSchema#integer");
}

#[tokio::test]
async fn requests_are_bounded_and_mistakes_are_told() {
    let app = app().await;
    let many = vec!["Dalby"; 101];
    let long = "x".repeat(201);
    for (body, field, said) in [
        (made!({"dataset": "names"}), "texts", "1 to 100 texts"),
        (made!({"dataset": "names", "texts": many}), "texts", "1 to 100 texts"),
        (made!({"dataset": "names", "texts": [long]}), "texts", "longer than 200"),
        (made!({"dataset": "names", "texts": ["a"], "limit": 21}), "limit", "1 to 20"),
        (
            made!({"dataset": "names", "items": [{"text": "a", "class": "dragon"}]}),
            "class",
            "no class 'dragon'",
        ),
    ] {
        let response = post(&app, &body).await;
        assert_eq!(response.status(), 422, "{body}");
        let told = json(response).await;
        assert_eq!(told["detail"][0]["loc"], made!(["body", field]));
        assert!(told["detail"][0]["msg"].as_str().unwrap().contains(said), "{told}");
    }
    let unknown = post(&app, &made!({"dataset": "nowhere", "texts": ["a"]})).await;
    assert_eq!((unknown.status().as_u16(), &json(unknown).await["code"]), (404, &made!("unknown_dataset")));
}

#[tokio::test]
async fn linking_keeps_to_keys_limits_and_the_queue() {
    let body = made!({"dataset": "cities", "texts": ["Paris"]});
    let closed = TestApp::with("[server]\napi_keys = { shop = \"k\" }\nquestions_per_minute = 1").await;
    assert_eq!(post(&closed, &body).await.status(), 401);
    let with_key =
        async || closed.request(Method::POST, "/link").bearer_auth("k").json(&body).send().await.unwrap();
    assert_eq!(
        (with_key().await.status(), with_key().await.status()),
        (200.try_into().unwrap(), 429.try_into().unwrap())
    );
    let model = SilentModel::start().await;
    let busy = TestApp::with_room_for_one(&model).await;
    let question = made!({"dataset": "cities", "question": eruca_testing::helpers::QUESTION});
    let first = tokio::spawn(busy.request(Method::POST, "/ask").json(&question).send());
    let connection = model.asked().await;
    assert_eq!(post(&busy, &body).await.status(), 503);
    drop((connection, model));
    assert_eq!(first.await.unwrap().unwrap().status(), 200);
}
