//! The search against stand-ins that respond like the API and its proxies.

use super::*;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wiremock::matchers::{any, path, query_param};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const TIMEOUT: Duration = Duration::from_secs(20);

fn client() -> reqwest::Client {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    eruca_sparql::outgoing::client_builder().no_proxy().build().unwrap()
}

fn options(server: &str) -> WikibaseApiOptions {
    WikibaseApiOptions {
        api: format!("{server}/w/api.php"),
        vectors: None,
        namespaces: Namespaces::of("http://wiki.example/"),
        timeout: TIMEOUT,
        requests: 4,
    }
}

fn english() -> Vec<String> {
    vec!["en".to_owned()]
}

fn api(options: WikibaseApiOptions) -> WikibaseApi {
    WikibaseApi::new(client(), Hosts::default(), options)
}

fn hit(id: &str, label: &str) -> Value {
    json!({"id": id, "title": id, "pageid": 7, "concepturi": format!("http://wiki.example/entity/{id}"),
        "url": format!("//wiki.example/wiki/{id}"), "label": label, "description": format!("about {label}"),
        "display": {"label": {"value": label, "language": "en"}},
        "match": {"type": "label", "language": "en", "text": label}})
}

fn hits(found: &[Value]) -> Value {
    json!({"searchinfo": {"search": "x"}, "search": found, "success": 1})
}

fn named(id: &str, label: &str) -> Value {
    json!({"type": "item", "id": id, "labels": {"en": {"language": "en", "value": label}}, "descriptions": {},
        "aliases": {}})
}

async fn says(server: &MockServer, response: ResponseTemplate) {
    Mock::given(any()).respond_with(response).mount(server).await;
}

async fn fails(response: ResponseTemplate) -> WikibaseApiError {
    let server = MockServer::start().await;
    says(&server, response).await;
    api(options(&server.uri())).search(WikibaseKind::Item, "Ada", &english(), 5).await.unwrap_err()
}

fn ids(found: &WikibaseFound) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.entity.id.as_str()).collect()
}

#[tokio::test]
async fn hits_keep_the_order_of_the_api_and_bear_their_fit() {
    let server = MockServer::start().await;
    Mock::given(query_param("action", "wbsearchentities"))
        .and(path("/w/api.php"))
        .and(query_param("search", "ada lovelace"))
        .and(query_param("type", "item"))
        .and(query_param("language", "en"))
        .and(query_param("limit", "5"))
        .and(query_param("format", "json"))
        .respond_with(
            ResponseTemplate::new(200)
                .set_body_json(hits(&[hit("Q7259", "Ada Lovelace"), hit("Q20880604", "Ada Lovelace Day")])),
        )
        .expect(1)
        .mount(&server)
        .await;
    let found =
        api(options(&server.uri())).search(WikibaseKind::Item, "ada lovelace", &english(), 5).await.unwrap();
    assert_eq!(ids(&found), ["Q7259", "Q20880604"]);
    assert!(found.hits[0].fit > found.hits[1].fit && found.hits[0].fit > 1.0, "{found:?}");
}

#[tokio::test]
async fn a_name_in_other_letters_is_looked_for_in_their_language_first_and_then_in_the_others() {
    let server = MockServer::start().await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    Mock::given(any())
        .respond_with(move |request: &Request| {
            let language = request.url.query_pairs().find(|(name, _)| name == "language").unwrap().1;
            seen.lock().unwrap().push(language.clone().into_owned());
            let found =
                if language == "de" { vec![hit("Q7243", "Лев Толстой")] } else { Vec::new() };
            ResponseTemplate::new(200).set_body_json(hits(&found))
        })
        .mount(&server)
        .await;
    let found = api(options(&server.uri()))
        .search(WikibaseKind::Item, "Лев Толстой", &["de".to_owned()], 5)
        .await
        .unwrap();
    assert_eq!(ids(&found), ["Q7243"]);
    assert_eq!(*asked.lock().unwrap(), ["ru", "de"]);
}

#[tokio::test]
async fn names_are_fetched_fifty_at_a_time() {
    let server = MockServer::start().await;
    Mock::given(query_param("action", "wbgetentities"))
        .respond_with(|request: &Request| {
            let asked = request.url.query_pairs().find(|(name, _)| name == "ids").unwrap().1;
            let ids: Vec<&str> = asked.split('|').collect();
            assert!(ids.len() <= MAX_IDS);
            let entities: serde_json::Map<String, Value> =
                ids.iter().map(|id| ((*id).to_owned(), named(id, &format!("name of {id}")))).collect();
            ResponseTemplate::new(200).set_body_json(json!({"entities": entities, "success": 1}))
        })
        .expect(3)
        .mount(&server)
        .await;
    let mut wanted: Vec<String> = (1..=120).map(|number| format!("Q{number}")).collect();
    wanted.push("Q1|Q2&x".to_owned());
    let found = api(options(&server.uri())).entities(&wanted, &english()).await.unwrap();
    assert_eq!(found.len(), 120);
    assert!(found.iter().any(|entity| entity.labels[0].text == "name of Q120"));
}

#[tokio::test]
async fn meaning_and_names_are_fused_and_one_of_them_is_enough() {
    let server = MockServer::start().await;
    Mock::given(path("/vectors/item/query/"))
        .and(query_param("K", "5"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!([
            {"QID": "Q2", "similarity_score": 0.8, "rrf_score": 0.03, "source": "Vector Search"},
            {"QID": "Q1", "similarity_score": 0.7, "rrf_score": 0.02, "source": "Vector Search"}])))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(path("/vectors/item/query/"))
        .respond_with(
            ResponseTemplate::new(429)
                .set_body_json(json!({"error": "Rate limit exceeded: 30 per 1 minute"})),
        )
        .mount(&server)
        .await;
    Mock::given(query_param("action", "wbgetentities"))
        .respond_with(ResponseTemplate::new(200).set_body_json(
            json!({"entities": {"Q1": named("Q1", "one"), "Q2": named("Q2", "two")}, "success": 1}),
        ))
        .mount(&server)
        .await;
    Mock::given(query_param("action", "wbsearchentities"))
        .respond_with(ResponseTemplate::new(200).set_body_json(hits(&[hit("Q1", "one"), hit("Q3", "three")])))
        .mount(&server)
        .await;
    let vectors = Some(format!("{}/vectors", server.uri()));
    let api = api(WikibaseApiOptions { vectors, ..options(&server.uri()) });
    let found = api.search(WikibaseKind::Item, "one", &english(), 5).await.unwrap();
    assert_eq!((ids(&found), found.notes.len()), (vec!["Q1", "Q2", "Q3"], 0));
    let found = api.search(WikibaseKind::Item, "one", &english(), 5).await.unwrap();
    assert_eq!(ids(&found), ["Q1", "Q3"]);
    assert!(found.notes[0].contains("Rate limit exceeded"), "{:?}", found.notes);
}

#[tokio::test]
async fn an_error_with_status_200_is_an_error() {
    let body = json!({"error": {"code": "unknown_language", "info": "Unrecognized value for parameter \"language\": xx.",
        "docref": "See https://wiki.example/w/api.php for API usage."}});
    let error = fails(ResponseTemplate::new(200).set_body_json(body)).await;
    assert!(
        matches!(&error, WikibaseApiError::Refused { code, .. } if code == "unknown_language"),
        "{error}"
    );
    assert!(error.to_string().contains("Unrecognized value") && !error.is_transient(), "{error}");
}

#[tokio::test]
async fn overload_with_a_short_break_is_waited_for_once() {
    let server = MockServer::start().await;
    let lagged =
        json!({"error": {"code": "maxlag", "info": "Waiting for 10.0.0.1: 6.5 seconds lagged", "lag": 6.5}});
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).insert_header("retry-after", "0").set_body_json(lagged))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    says(&server, ResponseTemplate::new(200).set_body_json(hits(&[hit("Q1", "Ada")]))).await;
    let found = api(options(&server.uri())).search(WikibaseKind::Item, "Ada", &english(), 5).await.unwrap();
    assert_eq!(ids(&found), ["Q1"]);
}

#[tokio::test]
async fn a_server_that_asks_for_a_long_break_is_left_in_peace() {
    drop(client());
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(
            ResponseTemplate::new(429)
                .insert_header("retry-after", "60")
                .set_body_string("too many requests"),
        )
        .expect(1)
        .mount(&server)
        .await;
    // Only public hosts are limited, so the stand-in gets a public host name.
    let name = "wiki.example.org";
    let client = eruca_sparql::outgoing::client_builder().no_proxy().resolve(name, *server.address());
    let options = options(&format!("http://{name}:{}", server.address().port()));
    let api = WikibaseApi::new(client.build().unwrap(), Hosts::default(), options);
    for _ in 0..3 {
        let error = api.search(WikibaseKind::Item, "Ada", &english(), 5).await.unwrap_err();
        assert!(
            matches!(error, WikibaseApiError::Busy { wait: Some(wait), .. } if wait > Duration::from_secs(50))
        );
        assert!(error.is_transient());
    }
}

#[tokio::test]
async fn what_is_not_the_api_is_told_apart() {
    let page =
        ResponseTemplate::new(200).set_body_raw("<!DOCTYPE html><html>Please log in</html>", "text/html");
    for (response, words) in [
        (page, "a web page"),
        (ResponseTemplate::new(200), "an empty body"),
        (ResponseTemplate::new(200).set_body_string("search: down"), "no JSON: search: down"),
        (ResponseTemplate::new(200).set_body_json(json!({"batchcomplete": true})), "JSON without 'search'"),
        (
            ResponseTemplate::new(403).set_body_string("Please set a user-agent"),
            "set contact under [outgoing]",
        ),
        (ResponseTemplate::new(404).set_body_string("no such page"), "check wikibase_api"),
        (ResponseTemplate::new(500).set_body_raw("<html>Our servers</html>", "text/html"), "HTTP status 500"),
        (
            ResponseTemplate::new(302).insert_header("location", "http://elsewhere.example/"),
            "redirects to another server",
        ),
    ] {
        let error = fails(response).await.to_string();
        assert!(error.contains(words) && error.contains("http://127.0.0.1:"), "{words}: {error}");
    }
}

#[tokio::test]
async fn a_slow_server_costs_no_more_than_the_time_for_a_look_up() {
    let server = MockServer::start().await;
    says(&server, ResponseTemplate::new(200).set_delay(Duration::from_secs(600))).await;
    let options = WikibaseApiOptions { timeout: Duration::from_millis(100), ..options(&server.uri()) };
    let error = api(options).search(WikibaseKind::Item, "Ada", &english(), 5).await.unwrap_err();
    assert!(matches!(error, WikibaseApiError::Timeout { .. }), "{error}");
}

#[tokio::test]
async fn an_endless_body_is_read_up_to_a_bound() {
    let (address, sent) = endless().await;
    let error = api(options(&format!("http://{address}")))
        .search(WikibaseKind::Item, "Ada", &english(), 5)
        .await
        .unwrap_err();
    assert!(matches!(error, WikibaseApiError::TooLong { .. }), "{error}");
    assert!(sent.load(Ordering::SeqCst) < 256 << 20);
}

/// A server whose only response never ends.
async fn endless() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let _read = socket.read(&mut [0; 4096]).await;
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"search\": [";
        let _written = socket.write_all(head.as_bytes()).await;
        let piece = "{\"id\": \"Q1\"},".repeat(5_000);
        while socket.write_all(piece.as_bytes()).await.is_ok() {
            count.fetch_add(piece.len(), Ordering::SeqCst);
        }
    });
    (address, sent)
}

#[tokio::test]
async fn no_more_requests_run_at_once_than_are_allowed() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let options = WikibaseApiOptions { requests: 2, ..options(&format!("http://{address}")) };
    let api = Arc::new(api(options));
    let asking: Vec<_> = (0..5)
        .map(|number| {
            let api = Arc::clone(&api);
            tokio::spawn(async move {
                api.search(WikibaseKind::Item, &format!("name {number}"), &english(), 5).await
            })
        })
        .collect();
    let mut held = vec![listener.accept().await.unwrap().0, listener.accept().await.unwrap().0];
    // A third one is sent only when one of the first two is done.
    let third = tokio::time::timeout(Duration::from_millis(300), listener.accept()).await;
    assert!(third.is_err());
    held.pop();
    let _third = listener.accept().await.unwrap();
    asking.iter().for_each(tokio::task::JoinHandle::abort);
}

#[test]
fn iris_and_ids_belong_together() {
    drop(client());
    let api = api(options("http://x"));
    assert_eq!(api.entity_iri("Q42"), "http://wiki.example/entity/Q42");
    assert_eq!(api.id("http://wiki.example/entity/Q42").as_deref(), Some("Q42"));
    assert_eq!(api.id(&api.direct_iri("P57")).as_deref(), Some("P57"));
    assert_eq!(api.id("http://wiki.example/prop/qualifier/P580").as_deref(), Some("P580"));
    for iri in ["http://wiki.example/entity/statement/Q42-1", "http://other.example/entity/Q42", "Q42"] {
        assert_eq!(api.id(iri), None, "{iri}");
    }
}
