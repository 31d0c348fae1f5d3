//! The Wikidata Query Service and what stands before it: refusals for who does not say who they are, limits, bans, time-outs.

use super::*;
use std::time::{Duration, SystemTime};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer};

const WDQS: &str = "https://query.wikidata.org/sparql";
const HOST: &str = "query.wikidata.org";

/// What Wikimedia's servers say before a request reaches the service.
fn wikimedia_page(words: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Wikimedia Error</title>\n<style>\n* {{ margin: 0 }}\n\
         </style>\n<div class=\"content\"><h1>Error</h1><p>{words}</p></div>\n</html>\n"
    )
}

/// What the service says itself.
fn jetty(status: u16, words: &str) -> ResponseTemplate {
    page(
        status,
        format!(
            "<html>\n<head>\n<title>Error {status} {words}</title>\n</head>\n<body><h2>HTTP ERROR {status}</h2>\n<p>Problem \
             accessing /bigdata/namespace/wdq/sparql. Reason:\n<pre>    {words}</pre></p></body>\n</html>\n"
        ),
    )
}

fn throttled(wait: &str) -> ResponseTemplate {
    jetty(429, &format!("Too Many Requests - Please retry in {wait} seconds."))
        .insert_header("retry-after", wait)
}

const TRACE: &str = "SPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.TimeoutException\n\tat \
    java.util.concurrent.FutureTask.get(FutureTask.java:205)\n\tat \
    com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)";

#[tokio::test]
async fn a_client_with_a_contact_is_answered_over_http_2() {
    let log = Log::default();
    let gate = log.gate(|request, _| (!says_who(request)).then(|| ResponseTemplate::new(403)));
    let (asker, _server) = Asker::of(WDQS, CONTACT, gate).await;
    let (answered, said) = asker.ask("Japan");
    assert!(answered && said.contains("Tokyo"), "{said}");
    let agent = format!("eruca/{} (you@example.org)", env!("CARGO_PKG_VERSION"));
    let seen = log.seen();
    assert!(!seen.is_empty() && seen.iter().all(|seen| seen.agent == agent && !seen.refused), "{seen:?}");
    let spoke = asker.web.spoke_http2(HOST);
    assert!(!spoke.is_empty() && spoke.iter().all(|http2| *http2), "{spoke:?}");
    // The stand-in refuses who speaks HTTP/1.1.
    let old = asker.web.client().http1_only().build().unwrap();
    let refused = old.get(WDQS).header("user-agent", agent).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_client_without_a_contact_is_told_what_to_set() {
    let robots =
        "Please respect our robots policy https://wikitech.wikimedia.org/wiki/Robot_policy (1e30f7b)";
    for body in [robots.to_owned(), wikimedia_page(robots)] {
        let log = Log::default();
        let gate = log.gate(move |request, _| (!says_who(request)).then(|| page(403, body.clone())));
        let (asker, _server) = Asker::of(WDQS, "", gate).await;
        let (answered, said) = asker.ask("Japan");
        assert!(!answered, "{said}");
        assert!(said.contains("HTTP 403") && said.contains("robots policy"), "{said}");
        assert!(said.contains("set [outgoing] contact") && !said.contains("margin"), "{said}");
        assert!(log.counts().1 <= 3, "{:?}", log.seen());
    }
}

#[tokio::test]
async fn ten_requests_a_minute_are_ten_and_then_it_waits() {
    // More than a query may take, which is half a minute.
    let seconds: fn() -> String = || "50".to_owned();
    let date = || httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(50));
    for wait in [seconds, date] {
        let log = Log::default();
        // The test is over before a minute is, so that the service never has to begin another one.
        let gate = log.gate(move |request, seen| {
            let words = "Too many requests. Please comply with the User-Agent policy to get a higher rate limit: \
                https://meta.wikimedia.org/wiki/User-Agent_policy";
            let full = !says_who(request) && seen.iter().filter(|seen| !seen.refused).count() >= 10;
            full.then(|| page(429, wikimedia_page(words)).insert_header("retry-after", wait()))
        });
        let (asker, _server) = Asker::of(WDQS, "", gate).await;
        let service = asker.serve();
        assert!(service.said.contains("set [outgoing] contact"), "{}", service.said);
        let mut told = 0;
        for country in COUNTRIES {
            let (status, said) = service.ask(country).await;
            assert_eq!(status, StatusCode::OK, "{said}");
            told += usize::from(said.contains("the query has no result: ") && said.contains("ask again in "));
        }
        let (answered, refused) = log.counts();
        assert!(answered <= 10 && (1..=3).contains(&refused), "{answered} answered, {refused} refused");
        assert!(told >= 3, "{told} questions were told when to ask again");
    }
}

#[tokio::test]
async fn a_pause_that_is_too_long_ends_the_question_and_the_next_one_sends_nothing() {
    let log = Log::default();
    let (asker, _server) = Asker::of(WDQS, CONTACT, log.gate(|_, _| Some(throttled("120")))).await;
    let service = asker.serve();
    for country in &COUNTRIES[..3] {
        let (status, said) = service.ask(country).await;
        assert_eq!(status, StatusCode::OK, "{said}");
        assert!(
            said.contains("the query has no result: the endpoint limits the rate of queries: "),
            "{said}"
        );
        assert!(said.contains("ask again in 1"), "{said}");
    }
    // As many as may be under way at once.
    assert!((1..=3).contains(&log.seen().len()), "{:?}", log.seen());
}

#[tokio::test]
async fn a_short_pause_is_waited_for_and_then_answered() {
    let log = Log::default();
    let gate = log.gate(|_, seen| seen.iter().all(|seen| !seen.refused).then(|| throttled("1")));
    let (asker, _server) = Asker::of(WDQS, CONTACT, gate).await;
    let (answered, said) = asker.ask("Japan");
    assert!(answered && said.contains("Tokyo"), "{said}");
    let seen = log.seen();
    let refusals: Vec<&Seen> = seen.iter().filter(|seen| seen.refused).collect();
    let [refused] = refusals[..] else { panic!("{seen:?}") };
    let next = seen.iter().find(|next| next.at > refused.at).unwrap();
    // Its fraction of a second was cut off, so that a whole one more is waited for.
    assert!(next.at - refused.at >= Duration::from_secs(2), "{seen:?}");
}

#[tokio::test]
async fn a_storm_of_refusals_without_a_time_is_met_with_fewer_and_fewer_requests() {
    let log = Log::default();
    let settings = format!("{CONTACT}[sparql]\ntimeout_seconds = 3\n");
    let (asker, _server) =
        Asker::of(WDQS, &settings, log.gate(|_, _| Some(jetty(429, "Too Many Requests")))).await;
    let service = asker.serve();
    let start = Instant::now();
    for country in &COUNTRIES[..6] {
        let (status, said) = service.ask(country).await;
        assert!(status == StatusCode::OK && said.contains("limits the rate of queries"), "{said}");
    }
    // Pauses double from a second on: so many fit into the time, and as many may be under way at once.
    let most = (start.elapsed().as_secs() + 2).ilog2() as usize + 1 + 3;
    assert!(log.seen().len() <= most, "more than {most}: {:?}", log.seen());
}

#[tokio::test]
async fn a_ban_is_told_and_nothing_is_sent_while_it_lasts() {
    let words = "You have been banned until 2999-01-01T00:00:00.123Z, please respect throttling and retry-after headers.";
    let log = Log::default();
    let (asker, _server) = Asker::of(WDQS, CONTACT, log.gate(|_, _| Some(jetty(403, words)))).await;
    let service = asker.serve();
    let (_, first) = service.ask("Japan").await;
    let sent = log.seen().len();
    let (_, second) = service.ask("France").await;
    assert!(first.contains("ask again in "), "{first}");
    // However long it is, the host is asked again after a day.
    assert!(second.contains("query.wikidata.org has asked to wait; ask again in 86"), "{second}");
    assert!(sent <= 3 && log.seen().len() == sent, "{:?}", log.seen());
}

#[tokio::test]
async fn time_outs_broken_results_and_pages_end_the_question_with_what_happened() {
    let json =
        |body: String| ResponseTemplate::new(200).set_body_raw(body, "application/sparql-results+json");
    let begun = "{\"head\":{\"vars\":[\"x\"]},\"results\":{\"bindings\":[{\"x\":{\"type\":\"uri\",\"value\":\"http://e.x/a\"}},";
    for (response, words) in [
        (ResponseTemplate::new(500).set_body_raw(TRACE, "text/plain"), "no answer within"),
        (json(format!("{begun}{{\"x\":{{\"ty")), "breaks off in the midst of results"),
        (json(format!("{{\"head\":{{\"vars\":[\"x\"]}},\n{TRACE}")), "no answer within"),
        (
            page(502, wikimedia_page("Our servers are currently under maintenance.")),
            "HTTP 502: Wikimedia Error",
        ),
        (jetty(503, "Service is overloaded, please try again later."), "Service is overloaded"),
    ] {
        let log = Log::default();
        let (asker, _server) = Asker::of(WDQS, CONTACT, log.gate(move |_, _| Some(response.clone()))).await;
        let (_, said) = asker.ask("Japan");
        assert!(said.contains(words), "{words}: {said}");
        assert!(
            !said.contains("\tat ") && !said.contains("margin") && !said.contains("SPARQL-QUERY"),
            "{said}"
        );
        // Each query is tried three times at most.
        assert!(log.seen().len() <= 60, "{}", log.seen().len());
    }
}

#[tokio::test]
async fn the_search_of_names_is_left_alone_as_well_and_says_why() {
    let words = "Too many requests. Please comply with the User-Agent policy to get a higher rate limit.";
    let search = MockServer::builder().start().await;
    let refusal = page(429, wikimedia_page(words)).insert_header("retry-after", "50");
    Mock::given(any()).respond_with(refusal).mount(&search).await;
    let graph = SparqlServer::start(&[repository().join("examples/world.ttl")], Manners::default()).await;
    let hosts = [("www.wikidata.org", *search.address()), (HOST, graph.address())];
    let asker = Asker::with("[[datasets]]\nid = \"it\"\npreset = \"wikidata\"\n", &hosts);
    let service = asker.serve();
    let (_, said) = service.ask("Japan").await;
    assert!(
        said.contains("to get a higher rate limit") && said.contains("which is sent as User-Agent"),
        "{said}"
    );
    assert!(!said.contains("margin"), "{said}");
    let sent = search.received_requests().await.unwrap().len();
    let (_, said) = service.ask("France").await;
    assert!(said.contains("it has asked to wait for"), "{said}");
    // As many as may be under way at once.
    assert!((1..=3).contains(&sent), "{sent}");
    assert_eq!(search.received_requests().await.unwrap().len(), sent, "the second question sends nothing");
}
