//! Public host names that resolve to a local test server.

use super::super::client_builder;
use super::state::{Course, LONGEST_PAUSE};
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
        let SendError::Busy { host, held: Held::Asked(left) } = &error else { panic!("{error}") };
        assert_eq!(host, "one.example.org");
        assert!((3_500..=3_601).contains(&left.as_secs()), "{left:?}");
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
    for response in
        [limited(200, "3600"), limited(500, "3600"), limited(429, "soon"), ResponseTemplate::new(429)]
    {
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
    let hosts = Hosts::new(2, 100);
    let get = |name: &str| client.get(at(name, &server));
    let first = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
    let second = hosts.send(get("one.example.org"), after(SOON)).await.unwrap();
    // The response bodies have not been read yet.
    let error = hosts.send(get("one.example.org"), after(Duration::from_millis(20))).await.unwrap_err();
    assert!(matches!(error, SendError::Busy { held: Held::Full, .. }), "{error}");
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
    let hosts = Hosts::new(1, 100);
    let url = at("one.example.org", &server);
    let first = hosts.send(client.get(&url), after(SOON)).await.unwrap();
    let state = hosts.state(&Url::parse(&url).unwrap()).unwrap();
    let waiting = tokio::spawn({
        let state = Arc::clone(&state);
        async move { state.place(after(SOON)).await.map(drop) }
    });
    drop(first);
    assert!(matches!(waiting.await.unwrap(), Err(Held::Asked(left)) if left > SOON));
    assert_eq!(seen(&server).await, 1);
}

#[test]
fn a_pause_is_never_cut_short_and_never_endless() {
    let (mut course, now) = (Course::new(100), Instant::now());
    let mut hear = |wait: &str| {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_str(wait).unwrap())]);
        course.hear(StatusCode::TOO_MANY_REQUESTS, &headers, now);
        course.wait(now).unwrap().until.duration_since(now)
    };
    assert!(hear("600") > Duration::from_secs(500));
    assert!(hear("5") > Duration::from_secs(500));
    assert!(hear(&i64::MAX.to_string()) <= LONGEST_PAUSE);
}

/// When each of so many requests is sent, in whole seconds after `start`, by someone who waits as told.
fn turns(course: &mut Course, start: Instant, requests: usize) -> Vec<u64> {
    let mut now = start;
    let mut turn = || {
        while let Some(wait) = course.wait(now) {
            now = wait.until;
        }
        assert!(course.counts(now));
        now.duration_since(start).as_secs()
    };
    (0..requests).map(|_| turn()).collect()
}

#[test]
fn a_minute_has_as_many_requests_as_are_allowed() {
    let mut course = Course::new(3);
    let start = Instant::now();
    assert_eq!(turns(&mut course, start, 3), [0, 0, 0]);
    let later = start + Duration::from_secs(20);
    assert!(!course.counts(later));
    assert_eq!(turns(&mut course, later, 7), [40, 40, 40, 100, 100, 100, 160]);
}

#[tokio::test]
async fn who_cannot_wait_until_a_minute_has_room_is_told_at_once() {
    let (server, client) = server(ResponseTemplate::new(200)).await;
    let hosts = Hosts::new(5, 2);
    let get = || hosts.send(client.get(at("one.example.org", &server)), after(SOON));
    assert!(get().await.is_ok() && get().await.is_ok());
    let error = get().await.unwrap_err();
    assert!(matches!(error, SendError::Busy { held: Held::Minute(left), .. } if left > SOON), "{error}");
    assert!(
        error.to_string().contains("as many requests as [outgoing] requests_per_minute allows"),
        "{error}"
    );
    assert_eq!(seen(&server).await, 2);
}

#[test]
fn nothing_is_sent_before_the_time_is_over_and_a_second_more() {
    let date =
        |seconds| httpdate::fmt_http_date(std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    let asked = |wait: String| {
        let named = |name, text: String| (name, HeaderValue::from_str(&text).unwrap());
        HeaderMap::from_iter([named(RETRY_AFTER, wait), named(reqwest::header::DATE, date(100_000))])
    };
    for (headers, turn) in [
        (asked("120".into()), 121),
        (asked("0".into()), 1),
        // By the clock of the server, which is decades behind.
        (asked(date(100_120)), 121),
        (asked(date(99_000)), 1),
    ] {
        for status in [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE] {
            let (mut course, start) = (Course::new(100), Instant::now());
            course.hear(status, &headers, start);
            assert_eq!(turns(&mut course, start, 2), [turn, turn], "{headers:?}");
        }
    }
}

#[test]
fn a_host_that_goes_on_refusing_is_asked_less_and_less() {
    let (mut course, start) = (Course::new(100), Instant::now());
    let (mut now, mut sent) = (start, Vec::new());
    while now < start + Duration::from_secs(300) {
        assert!(course.counts(now));
        sent.push(now.duration_since(start).as_secs());
        course.hear(StatusCode::TOO_MANY_REQUESTS, &HeaderMap::new(), now);
        course.refused(now);
        now = course.wait(now).unwrap().until;
    }
    assert_eq!(sent, [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    // An answer ends this.
    course.hear(StatusCode::OK, &HeaderMap::new(), now);
    course.refused(now);
    assert_eq!(turns(&mut course, now, 1), [1]);
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
