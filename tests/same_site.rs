//! The page of another site can make a browser send requests to this service; none of them does any work.

use eruca_testing::helpers::{CITIES_ALIAS, QUESTION, TestApp, json};
use reqwest::header::{ACCEPT, ORIGIN};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::json;

const SITE: &str = "sec-fetch-site";
/// What costs nothing, and may be shown or linked to by any page: all else that is documented refuses.
const FREE: [&str; 5] = ["/", "/config.json", "/health", "/metrics", "/ready"];
/// What a browser sends for the page of another site: with a picture, with a script, for a page at another port of the same
/// machine, from a file.
const OTHERS: [&[(&str, &str)]; 5] = [
    &[(SITE, "cross-site")],
    &[(SITE, "same-site")],
    &[("origin", "https://evil.example")],
    &[("origin", "https://evil.example"), (SITE, "cross-site")],
    &[("origin", "null")],
];

/// A route that is documented, as a request that it understands.
fn asked(app: &TestApp, method: &str, path: &str) -> RequestBuilder {
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let of_a_run = path.starts_with("/runs/");
    let id = if of_a_run { "00000000000000000000000000000000" } else { CITIES_ALIAS };
    let at = path.replace("{id}", id).replace("{dataset}", CITIES_ALIAS).replace("{row}", "0");
    if method == Method::GET {
        let parameters =
            [("dataset", CITIES_ALIAS), ("question", QUESTION), ("q", "par"), ("iri", "http://e.x/")];
        return app.question(&at, &parameters);
    }
    app.request(method, &at).json(&json!({}))
}

#[tokio::test]
async fn the_page_of_another_site_can_make_no_route_work() {
    let app = TestApp::with("[feedback]\nfile = \"reports.jsonl\"").await;
    let description = app.openapi().await;
    let mut refused = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            if FREE.contains(&path.as_str()) {
                continue;
            }
            for headers in OTHERS {
                let with =
                    |request: RequestBuilder, (name, value): &(&str, &str)| request.header(*name, *value);
                let response = headers.iter().fold(asked(&app, method, path), with).send().await.unwrap();
                assert_eq!(response.status(), 403, "{method} {path} {headers:?}");
                let body = json(response).await;
                let code = body.get("code").unwrap_or(&body["error"]["code"]);
                assert_eq!(code, "other_origin", "{method} {path}: {body}");
            }
            for site in [None, Some("none"), Some("same-origin")] {
                let request = asked(&app, method, path);
                let request = site.into_iter().fold(request, |request, site| request.header(SITE, site));
                assert_ne!(request.send().await.unwrap().status(), 403, "{method} {path} {site:?}");
            }
            refused.push(path);
        }
    }
    assert!(refused.len() > 15, "{refused:?}");
}

#[tokio::test]
async fn pictures_on_the_page_of_another_site_ask_no_question() {
    let app = TestApp::start().await;
    for (path, graph) in [("/", "cities"), ("/text2sparql", "cities"), ("/text2sparql/", "cities")] {
        let ask = |site: &str| {
            let request = app.question(path, &[("dataset", graph), ("question", QUESTION)]);
            request.header(SITE, site).header("sec-fetch-mode", "no-cors").header("sec-fetch-dest", "image")
        };
        assert_eq!(ask("cross-site").send().await.unwrap().status(), 403, "{path}");
        assert_eq!(ask("same-origin").send().await.unwrap().status(), 200, "{path}");
    }
    let metrics = app.get("/metrics").await.text().await.unwrap();
    let answered = metrics.lines().filter(|line| line.starts_with("eruca_questions_total"));
    let answered: f64 = answered.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum();
    assert!((answered - 3.0).abs() < f64::EPSILON, "{metrics}");
}

#[tokio::test]
async fn links_on_other_sites_still_lead_to_the_page() {
    let app = TestApp::start().await;
    let visit = async |path: &str| {
        let request = app.request(Method::GET, path).header(ACCEPT, "text/html,*/*;q=0.8");
        let request = request.header(SITE, "cross-site").header("sec-fetch-mode", "navigate");
        let response = request.send().await.unwrap();
        let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        (response.status(), kind.is_some_and(|kind| kind.starts_with("text/html")))
    };
    let page = (StatusCode::OK, true);
    for path in
        ["/", "/?graph=cities&question=Which+cities+are+there", "/runs/00000000000000000000000000000000"]
    {
        assert_eq!(visit(path).await, page, "{path}");
    }
    for path in ["/?dataset=cities&question=Which+cities+are+there", "/datasets/cities/search?q=par"] {
        assert_eq!(visit(path).await.0, 403, "{path}");
    }
}

#[tokio::test]
async fn pages_that_are_configured_may_look_and_ask() {
    let app = TestApp::with("[server]\ncors_origins = [\"https://friend.example\"]").await;
    let status = async |path: &str, origin: Option<&str>| {
        let request = app.request(Method::GET, path).header(SITE, "cross-site");
        let request = origin.into_iter().fold(request, |request, origin| request.header(ORIGIN, origin));
        request.send().await.unwrap().status().as_u16()
    };
    let ask = "/text2sparql?dataset=cities&question=Which+cities+are+there";
    for path in ["/datasets", "/datasets/cities/card", "/v1/models", ask] {
        assert_eq!(status(path, Some("https://friend.example")).await, 200, "{path}");
        assert_eq!(status(path, Some("https://friend.example.evil.example")).await, 403, "{path}");
        assert_eq!(status(path, None).await, 403, "{path}: a picture has no origin");
    }
    let open = TestApp::with("[server]\ncors_origins = [\"*\"]").await;
    let picture = open.request(Method::GET, "/datasets").header(SITE, "cross-site").send().await.unwrap();
    assert_eq!(picture.status(), 200, "any page may");
}
