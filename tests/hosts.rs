//! Whom a request names: only the service's own names are answered to, on every path and before everything else.

use eruca_testing::helpers::{CITIES, QUESTION, TestApp, json};
use reqwest::Method;
use reqwest::header::{HOST, ORIGIN};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// What the service says to these bytes.
async fn heard(app: &TestApp, request: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(app.url.trim_start_matches("http://")).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut heard = String::new();
    stream.read_to_string(&mut heard).await.unwrap();
    heard
}

#[tokio::test]
async fn a_page_that_points_its_own_name_here_reaches_nothing() {
    let app = TestApp::with("[server]\ncors_origins = [\"*\"]").await;
    let question = format!("/text2sparql?dataset={CITIES}&question=x");
    for path in [
        "/",
        "/text2sparql",
        &question,
        "/datasets",
        "/health",
        "/ready",
        "/metrics",
        "/docs",
        "/docs/",
        "/openapi.json",
        "/nowhere",
    ] {
        for method in [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS] {
            let request = app.request(method.clone(), path).header(HOST, "rebound.example:8080");
            let response = request.header(ORIGIN, "http://rebound.example:8080").send().await.unwrap();
            assert_eq!(response.status(), 421, "{method} {path}");
            assert!(response.headers().contains_key("x-request-id"), "{path}");
            assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{path}");
            assert!(!response.headers().contains_key("access-control-allow-origin"), "{path}");
            if method == Method::GET {
                let body = json(response).await;
                assert_eq!(body["code"], "unknown_host", "{path}");
                let detail = body["detail"].as_str().unwrap();
                assert!(
                    detail.contains("'rebound.example'") && detail.contains("[server] allowed_hosts"),
                    "{detail}"
                );
            }
        }
    }
}

#[tokio::test]
async fn its_own_names_are_answered_to() {
    let app = TestApp::with(
        "[server]\nhost = \"own.example\"\nallowed_hosts = [\"Proxy.example\", \"eruca:8080\"]",
    )
    .await;
    let asked = async |host: &str| {
        let request = app.question("/text2sparql", &[("dataset", CITIES), ("question", QUESTION)]);
        request.header(HOST, host).send().await.unwrap().status().as_u16()
    };
    for host in [
        "127.0.0.1",
        "10.1.2.3:80",
        "[::1]:8080",
        "localhost:9",
        "own.example",
        "proxy.example",
        "eruca:8080",
    ] {
        assert_eq!(asked(host).await, 200, "{host}");
    }
    for host in ["eruca", "example", "proxy.example.org"] {
        assert_eq!(asked(host).await, 421, "{host}");
    }
    let any = TestApp::with("[server]\nallowed_hosts = [\"*\"]").await;
    let response = any.request(Method::GET, "/health").header(HOST, "any.example").send().await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn requests_that_name_no_host_or_several_are_refused_as_the_standard_says() {
    let app = TestApp::start().await;
    let end = "Connection: close\r\n\r\n";
    let cases = [
        (format!("GET /health HTTP/1.1\r\n{end}"), 400),
        (format!("GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n{end}"), 400),
        (format!("GET /health HTTP/1.1\r\nHost: a b\r\n{end}"), 400),
        (format!("GET /health HTTP/1.1\r\nHost:\r\n{end}"), 400),
        (format!("GET http://rebound.example/health HTTP/1.1\r\nHost: localhost\r\n{end}"), 421),
        (format!("GET http://localhost/health HTTP/1.1\r\nHost: rebound.example\r\n{end}"), 200),
        (format!("GET /health HTTP/1.0\r\n{end}"), 200),
        (format!("GET /health HTTP/1.0\r\nHost: rebound.example\r\n{end}"), 421),
        (format!("GET /health HTTP/1.0\r\nHost: localhost\r\n{end}"), 200),
    ];
    for (request, status) in cases {
        let heard = heard(&app, &request).await;
        let said = heard.split(' ').nth(1).unwrap_or_default();
        assert_eq!(said, status.to_string(), "{request}{heard}");
        // What has no Host or several is no HTTP for the server itself; it has no words for it.
        let worded = status == 400 && request.matches("Host:").count() == 1;
        assert_eq!(heard.contains("\"code\":\"bad_host\""), worded, "{heard}");
    }
}
