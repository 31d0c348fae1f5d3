//! QLever's public server: errors in JSON, time-outs with the status of a rate limit, a proxy before it.

use super::*;
use std::sync::atomic::{AtomicBool, Ordering};

const QLEVER: &str = "https://qlever.dev/api/wikidata";

fn exception(status: u16, words: &str) -> ResponseTemplate {
    let body = serde_json::json!({"exception": words, "query": "SELECT", "resultsize": 0, "status": "ERROR",
        "time": {"total": 1, "computeResult": 1}});
    ResponseTemplate::new(status).set_body_raw(body.to_string(), "application/json")
}

#[tokio::test]
async fn it_is_asked_in_standard_sparql_and_sets_its_own_time_limit() {
    let log = Log::default();
    let (asker, _server) = Asker::of(QLEVER, CONTACT, log.gate(|_, _| None)).await;
    let (answered, said) = asker.ask("Japan");
    assert!(answered && said.contains("Tokyo"), "{said}");
    let seen = log.seen();
    assert!(!seen.is_empty());
    for Seen { address, agent, .. } in seen {
        // More than its own limit would be refused with 403.
        assert!(address.contains("/api/wikidata") && !address.contains("timeout="), "{address}");
        assert!(agent.ends_with("(you@example.org)"), "{agent}");
    }
}

#[tokio::test]
async fn its_errors_are_told_in_its_words() {
    for (response, words) in [
        (exception(429, "Operation timed out. Last operation: Join"), "no answer within"),
        (exception(500, "Tried to allocate 21.5 GB, but only 4 GB were available"), "Tried to allocate 21.5 GB"),
        (
            page(502, "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>502 Proxy Error</title>\n</head>\
                <body>\n<h1>Proxy Error</h1>\n<p>The proxy server received an invalid response.</p></body></html>\n".to_owned()),
            "HTTP 502: 502 Proxy Error",
        ),
    ] {
        let log = Log::default();
        let (asker, _server) = Asker::of(QLEVER, CONTACT, log.gate(move |_, _| Some(response.clone()))).await;
        let (_, said) = asker.ask("Japan");
        assert!(said.contains(words) && !said.contains("<h1>"), "{words}: {said}");
    }
}

#[tokio::test]
async fn a_time_out_of_one_question_does_not_stop_the_next() {
    let busy = Arc::new(AtomicBool::new(true));
    let out_of_time = busy.clone();
    let gate = Gate::new(move |_| {
        out_of_time.load(Ordering::SeqCst).then(|| exception(429, "Operation timed out."))
    });
    let (asker, _server) = Asker::of(QLEVER, CONTACT, gate).await;
    let service = asker.serve();
    let (_, late) = service.ask("Japan").await;
    assert!(late.contains("no answer within") && !late.contains("ask again in"), "{late}");
    busy.store(false, Ordering::SeqCst);
    let (status, said) = service.ask("France").await;
    assert!(status == StatusCode::OK && said.contains("Paris"), "{said}");
}
