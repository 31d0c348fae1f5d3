//! Public host names that resolve to a local test server.

use super::super::client_builder;
use super::*;
use reqwest::Client;
use reqwest::header::HeaderValue;
use reqwest::header::RETRY_AFTER;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

const SOON: Duration = Duration::from_secs(30);

/// A server, and a client that resolves every name used here to it.
async fn server(response: ResponseTemplate) -> (MockServer, Client) {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(response).mount(&server).await;
    let names = ["one.example.org", "two.example.org"].map(|name| (name, *server.address()));
    let builder = client_builder().no_proxy();
    let builder = names.into_iter().fold(builder, |builder, (name, address)| builder.resolve(name, address));
    (server, builder.build().unwrap())
}

fn at(name: &str, server: &MockServer) -> String {
    format!("http://{name}:{}/sparql", server.address().port())
}

fn after(time: Duration) -> Instant {
    Instant::now() + time
}

async fn seen(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

fn limited(status: u16, wait: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).insert_header("retry-after", wait)
}

#[tokio::test]
async fn a_pause_that_one_asker_is_told_holds_for_all() {
    for status in [429, 503] {
        let (server, client) = server(limited(status, "3600")).await;
        let hosts = Hosts::default();
        let get = |name: &str| client.get(at(name, &server));
        let first = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
        assert_eq!(first.status().as_u16(), status);
        drop(first);
        // Another caller fails immediately, without sending anything.
        let error = hosts.clone().send(get("one.example.org"), after(SOON)).await.unwrap_err();
        let SendError::Busy { host, retry_after: Some(left) } = &error else { panic!("{error}") };
        assert_eq!(host, "one.example.org");
        assert!((3_500..=3_600).contains(&left.as_secs()), "{left:?}");
        assert!(error.to_string().contains("asked to wait for 3"), "{error}");
        assert_eq!(seen(&server).await, 1);
        // Other hosts are not affected, and the local machine is never limited.
        assert!(hosts.send(get("two.example.org"), after(SOON)).await.is_ok());
        for _ in 0..2 {
            assert!(hosts.send(client.get(server.uri()), after(SOON)).await.is_ok());
        }
        assert_eq!(seen(&server).await, 4);
    }
}

#[tokio::test]
async fn a_pause_that_ends_in_time_is_waited_for() {
    let (server, client) = server(limited(429, "1")).await;
    let hosts = Hosts::default();
    let get = || client.get(at("one.example.org", &server));
    drop(hosts.send(get(), after(SOON)).await.unwrap());
    let told = Instant::now();
    drop(hosts.send(get(), after(SOON)).await.unwrap());
    assert!(told.elapsed() >= Duration::from_millis(900), "{:?}", told.elapsed());
}

#[tokio::test]
async fn other_answers_ask_for_no_pause() {
    for response in [
        limited(200, "3600"),
        limited(500, "3600"),
        limited(429, "soon"),
        limited(429, "0"),
        ResponseTemplate::new(429),
    ] {
        let (server, client) = server(response).await;
        let hosts = Hosts::default();
        for _ in 0..2 {
            assert!(hosts.send(client.get(at("one.example.org", &server)), after(SOON)).await.is_ok());
        }
    }
}

#[tokio::test]
async fn a_host_gets_so_many_requests_at_once_and_waiting_ends_at_the_deadline() {
    let (server, client) = server(ResponseTemplate::new(200).set_body_string("here")).await;
    let hosts = Hosts::new(2);
    let get = |name: &str| client.get(at(name, &server));
    let first = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
    let second = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
    // The response bodies have not been read yet.
    let error = hosts.send(get("one.example.org"), after(Duration::from_millis(20))).await.unwrap_err();
    assert!(matches!(error, SendError::Busy { retry_after: None, .. }), "{error}");
    assert!(hosts.send(get("two.example.org"), after(SOON)).await.is_ok());
    assert_eq!(seen(&server).await, 3);
    assert_eq!(first.read(100).await.unwrap(), (b"here".to_vec(), false));
    let third = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
    drop((second, third));
    assert_eq!(seen(&server).await, 4);
}

#[tokio::test]
async fn whoever_waits_for_a_place_hears_of_a_pause_too() {
    let (server, client) = server(limited(429, "3600")).await;
    let hosts = Hosts::new(1);
    let url = at("one.example.org", &server);
    let first = hosts.send(client.get(&url), after(SOON)).await.unwrap();
    let state = hosts.state(&Url::parse(&url).unwrap()).unwrap();
    let waiting = tokio::spawn({
        let state = Arc::clone(&state);
        async move { state.place(after(SOON)).await.map(drop) }
    });
    drop(first);
    assert!(matches!(waiting.await.unwrap(), Err(Some(left)) if left > SOON));
    assert_eq!(seen(&server).await, 1);
}

#[tokio::test]
async fn a_pause_is_never_cut_short_and_never_endless() {
    let state = HostState { places: Arc::new(Semaphore::new(1)), resumes: Mutex::default() };
    let hear = |wait: &str| {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_str(wait).unwrap())]);
        state.hear(StatusCode::TOO_MANY_REQUESTS, &headers);
        state.resumes().unwrap().saturating_duration_since(Instant::now())
    };
    assert!(hear("600") > Duration::from_secs(500));
    assert!(hear("5") > Duration::from_secs(500));
    assert!(hear(&i64::MAX.to_string()) <= LONGEST_PAUSE);
}

#[test]
fn public_hosts_are_told_from_ones_own() {
    for (url, public) in [
        ("https://query.wikidata.org/sparql", true),
        ("https://qlever.dev./api", true),
        ("http://8.8.8.8/", true),
        ("http://[2001:db8::1]/", true),
        ("http://localhost:8890/sparql", false),
        ("http://virtuoso:8890/sparql", false),
        ("http://store.localhost/", false),
        ("http://store.local./", false),
        ("http://127.0.0.1/", false),
        ("http://10.1.2.3/", false),
        ("http://172.16.0.9/", false),
        ("http://192.168.1.1/", false),
        ("http://169.254.0.1/", false),
        ("http://0.0.0.0/", false),
        ("http://[::1]/", false),
        ("http://[fd00::1]/", false),
        ("http://[fe80::1]/", false),
        ("http://[::ffff:127.0.0.1]/", false),
        ("data:text/plain,x", false),
    ] {
        assert_eq!(is_public(&Url::parse(url).unwrap()), public, "{url}");
    }
}
