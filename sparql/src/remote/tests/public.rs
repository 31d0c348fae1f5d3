//! Public servers that limit, refuse and ban, reached by a public name: what is said, and that they are left alone.

use super::*;
use crate::outgoing::client_builder;

/// What Wikimedia's servers send before a request reaches a service, shortened.
const WIKIMEDIA_PAGE: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Wikimedia Error</title>\n<style>\n\
    * { margin: 0; padding: 0; }\nbody { background: #fff; font: 15px/1.6 sans-serif; color: #333; }\n</style>\n<div class=\"content\">\
    <h1>Error</h1><p>Too many requests. Please comply with the User-Agent policy to get a higher rate limit: \
    https://meta.wikimedia.org/wiki/User-Agent_policy (1e30f7b)</p></div>\n</html>\n";

/// An endpoint with a public name, at which this server answers; those made by one call share what they know of it.
fn named(server: &MockServer) -> impl Fn() -> RemoteEndpoint {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let client =
        client_builder().no_proxy().resolve("sparql.example.org", *server.address()).build().unwrap();
    let options = RemoteOptions::new(format!("http://sparql.example.org:{}/sparql", server.address().port()));
    move || RemoteEndpoint::new(client.clone(), options.clone()).unwrap()
}

fn said(status: u16, body: &str, media_type: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body, media_type)
}

/// The page of Jetty for an error of the query service.
fn jetty(status: u16, words: &str) -> ResponseTemplate {
    let body = format!(
        "<html>\n<head>\n<title>Error {status} {words}</title>\n</head>\n<body><h2>HTTP ERROR {status}</h2>\n<p>Problem accessing \
         /bigdata/namespace/wdq/sparql. Reason:\n<pre>    {words}</pre></p></body>\n</html>\n"
    );
    said(status, &body, "text/html;charset=utf-8")
}

#[tokio::test]
async fn who_is_refused_for_not_saying_who_is_told_what_to_set() {
    let robots =
        "Please respect our robots policy https://wikitech.wikimedia.org/wiki/Robot_policy (1e30f7b)";
    let agent =
        "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n";
    let blocked = "Scripted requests from your IP have been blocked, please see \
        https://meta.wikimedia.org/wiki/User-Agent_policy";
    for (response, kind, words) in [
        (said(403, robots, "text/plain"), "endpoint_down", "HTTP 403: Please respect our robots policy"),
        (said(403, agent, "text/plain"), "endpoint_down", "HTTP 403: Please set a user-agent"),
        (said(429, blocked, "text/plain"), "rate_limited", "Scripted requests"),
        (
            said(403, WIKIMEDIA_PAGE, "text/html"),
            "endpoint_down",
            "HTTP 403: Wikimedia Error. Error Too many requests.",
        ),
        (
            said(429, WIKIMEDIA_PAGE, "text/html"),
            "rate_limited",
            ": Wikimedia Error. Error Too many requests.",
        ),
    ] {
        let error = outcome(SELECT, response).await.unwrap_err();
        let told = error.to_string();
        assert_eq!(error.kind(), kind, "{told}");
        assert!(
            told.contains(words) && told.contains("set [outgoing] contact to an e-mail address"),
            "{told}"
        );
        assert!(!told.contains("credentials") && !told.contains("margin"), "{told}");
    }
    let other = outcome(SELECT, said(403, "no such user", "text/plain")).await.unwrap_err().to_string();
    assert!(other.contains("check the credentials") && !other.contains("contact"), "{other}");
}

#[tokio::test]
async fn a_public_endpoint_that_limits_one_question_is_not_asked_by_others() {
    let wait =
        jetty(429, "Too Many Requests - Please retry in 600 seconds.").insert_header("retry-after", "600");
    let (server, _) = server(wait).await;
    let new = named(&server);
    // Two datasets with the same endpoint, both with the same `Hosts`.
    for (endpoint, said) in
        [(new(), "Please retry in 600 seconds"), (new(), "sparql.example.org has asked to wait")]
    {
        let error = endpoint.query(&query(SELECT), LIMITS).await.unwrap_err();
        assert!(error.to_string().contains("; ask again in 60"), "{error}");
        let QueryError::RateLimited { retry_after: Some(wait), message } = error else { panic!("{error:?}") };
        assert!((500..=601).contains(&wait.as_secs()) && message.contains(said), "{wait:?} {message}");
    }
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn a_ban_is_waited_for_until_the_time_that_it_names() {
    let in_an_hour = time::OffsetDateTime::now_utc() + Duration::from_secs(3_600);
    let until = in_an_hour.format(&time::format_description::well_known::Rfc3339).unwrap();
    let words =
        format!("You have been banned until {until}, please respect throttling and retry-after headers.");
    let (server, _) = server(jetty(403, &words)).await;
    let new = named(&server);
    for said in ["You have been banned until", "has asked to wait"] {
        let error = new().query(&query(SELECT), LIMITS).await.unwrap_err();
        let QueryError::RateLimited { retry_after: Some(wait), message } = error else { panic!("{error:?}") };
        assert!((3_500..=3_600).contains(&wait.as_secs()) && message.contains(said), "{wait:?} {message}");
    }
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn a_refusal_without_a_time_is_not_answered_by_asking_again_at_once() {
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let server = MockServer::start().await;
    let seen = Arc::clone(&asked);
    let refuse = move |_: &Request| {
        seen.lock().unwrap().push(Instant::now());
        said(429, "slow down", "text/plain")
    };
    Mock::given(path("/sparql")).respond_with(refuse).mount(&server).await;
    let error = named(&server)().query(&query(SELECT), LIMITS).await.unwrap_err();
    assert!(error.to_string().contains("slow down"), "{error}");
    let asked = asked.lock().unwrap();
    let [first, second, third] = asked[..] else { panic!("{asked:?}") };
    assert!(
        second - first >= Duration::from_secs(1) && third - second >= Duration::from_secs(2),
        "{asked:?}"
    );
}

#[tokio::test]
async fn a_time_out_that_comes_with_the_status_of_a_limit_stops_nobody() {
    let timeout = r#"{"exception":"Operation timed out.","query":"SELECT","resultsize":0,"status":"ERROR"}"#;
    let (server, _) = server(said(429, timeout, "application/json")).await;
    let new = named(&server);
    for asked in 1..=3 {
        assert_eq!(new().query(&query(SELECT), LIMITS).await.unwrap_err().kind(), "timeout");
        assert_eq!(requests(&server).await.len(), asked);
    }
}

#[tokio::test]
async fn what_breaks_off_in_the_midst_of_results_is_no_whole_result() {
    let cut = ONE_ROW.trim_end_matches("]}}");
    for (body, outcome_told) in [
        (format!("{cut},"), "endpoint_down"),
        (format!("{cut},{{\"s\":{{\"type\":\"uri\",\"val"), "endpoint_down"),
        (
            format!(
                "{cut},\nSPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.TimeoutException\n\tat java.util.X"
            ),
            "1 rows",
        ),
    ] {
        let told = match outcome(SELECT, results(&body)).await {
            Ok(answer) => {
                assert!(answer.incomplete.is_some(), "{body}");
                format!("{} rows", answer.row_count())
            }
            Err(error) => {
                assert!(error.to_string().contains("breaks off in the midst of results"), "{error}");
                error.kind().to_owned()
            }
        };
        assert_eq!(told, outcome_told, "{body}");
    }
}
