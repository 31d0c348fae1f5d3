use super::*;
use crate::results::{Incomplete, Results};
use crate::{Prefixes, QueryPolicy, check};
use oxrdf::Term;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{body_string_contains, header, method, path, query_param};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

mod dialects;
mod manners;
mod public;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(30), max_rows: 1_000, max_bytes: 1_000_000 };
const JSON: &str = "application/sparql-results+json";
const ONE_ROW: &str =
    r#"{"head":{"vars":["s","o"]},"results":{"bindings":[{"s":{"type":"uri","value":"http://ex.org/a"}}]}}"#;

fn query(text: &str) -> CheckedQuery {
    check(text, &Prefixes::default(), &QueryPolicy::default()).unwrap()
}

fn endpoint(options: RemoteOptions) -> RemoteEndpoint {
    // Another test in this process may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = crate::outgoing::client_builder().no_proxy().build().unwrap();
    RemoteEndpoint::new(client, options).unwrap()
}

fn results(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body, JSON)
}

/// A server that gives the same response to every request.
async fn server(response: ResponseTemplate) -> (MockServer, RemoteOptions) {
    let server = MockServer::start().await;
    Mock::given(path("/sparql")).respond_with(response).mount(&server).await;
    let options = RemoteOptions::new(format!("{}/sparql", server.uri()));
    (server, options)
}

/// The outcome of a query answered with this response.
async fn outcome(text: &str, response: ResponseTemplate) -> Result<Answer, QueryError> {
    let (_server, options) = server(response).await;
    endpoint(RemoteOptions { retries: 0, ..options }).query(&query(text), LIMITS).await
}

/// Returns the responses in order, then repeats the last one.
struct Sequence(Vec<ResponseTemplate>, AtomicUsize);

impl Respond for Sequence {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        let at = self.1.fetch_add(1, Ordering::SeqCst).min(self.0.len() - 1);
        self.0[at].clone()
    }
}

async fn sequence(responses: Vec<ResponseTemplate>) -> (MockServer, RemoteOptions) {
    let server = MockServer::start().await;
    Mock::given(path("/sparql")).respond_with(Sequence(responses, AtomicUsize::new(0))).mount(&server).await;
    let options = RemoteOptions::new(format!("{}/sparql", server.uri()));
    (server, options)
}

async fn requests(server: &MockServer) -> Vec<Request> {
    server.received_requests().await.unwrap()
}

const SELECT: &str = "SELECT ?s ?o WHERE { ?s ?p ?o }";

#[tokio::test]
async fn short_queries_go_by_get_with_graphs_headers_and_credentials() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/sparql"))
        .and(query_param("key", "k"))
        .and(query_param("query", SELECT))
        .and(query_param("default-graph-uri", "http://ex.org/g"))
        .and(header("authorization", "Basic dXNlcjpww6Rzcw=="))
        .and(header("x-extra", "yes"))
        .and(header("user-agent", "test/1"))
        .respond_with(results(ONE_ROW))
        .mount(&server)
        .await;
    let endpoint = endpoint(RemoteOptions {
        credentials: Credentials::Basic { user: "user".into(), password: "p\u{e4}ss".into() },
        headers: vec![("X-Extra".into(), "yes".into()), ("User-Agent".into(), "test/1".into())],
        default_graphs: vec!["http://ex.org/g".into()],
        ..RemoteOptions::new(format!("{}/sparql?key=k", server.uri()))
    });
    let answer = endpoint.query(&query(SELECT), LIMITS).await.unwrap();
    let Results::Solutions(solutions) = &answer.results else { panic!("{answer:?}") };
    assert_eq!(solutions.variables, ["s", "o"]);
    assert_eq!(solutions.rows.len(), 1);
    assert_eq!(solutions.rows[0][1], None);
    assert_eq!(endpoint.name(), format!("{}/sparql", server.uri()));
}

#[tokio::test]
async fn long_queries_go_by_form_post_with_the_same_parameters() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/sparql"))
        .and(header("content-type", "application/x-www-form-urlencoded"))
        .and(header("authorization", "Bearer token"))
        .and(body_string_contains("default-graph-uri=http%3A%2F%2Fex.org%2Fg"))
        .respond_with(results(ONE_ROW))
        .mount(&server)
        .await;
    let endpoint = endpoint(RemoteOptions {
        credentials: Credentials::Bearer("token".into()),
        default_graphs: vec!["http://ex.org/g".into()],
        ..RemoteOptions::new(format!("{}/sparql", server.uri()))
    });
    let long = format!("SELECT ?s ?o WHERE {{ ?s ?p ?o FILTER(?o != '{}') }}", "x".repeat(2_000));
    assert_eq!(endpoint.query(&query(&long), LIMITS).await.unwrap().row_count(), 1);
}

#[tokio::test]
async fn unavailable_servers_are_tried_again() {
    let down = ResponseTemplate::new(503);
    let (server, options) = sequence(vec![down.clone(), down.clone(), results(ONE_ROW)]).await;
    let answer = endpoint(options.clone()).query(&query(SELECT), LIMITS).await.unwrap();
    assert_eq!((answer.row_count(), requests(&server).await.len()), (1, 3));

    let (server, options) = sequence(vec![down.clone()]).await;
    let error = endpoint(RemoteOptions { retries: 1, ..options }).query(&query(SELECT), LIMITS).await;
    assert_eq!((error.unwrap_err().kind(), requests(&server).await.len()), ("endpoint_down", 2));
}

#[tokio::test]
async fn errors_of_the_query_are_not_tried_again() {
    let timeout = ResponseTemplate::new(503).set_body_string("Query timed out");
    let (server, options) = sequence(vec![timeout]).await;
    let error = endpoint(options).query(&query(SELECT), LIMITS).await.unwrap_err();
    assert_eq!((error.kind(), requests(&server).await.len()), ("timeout", 1));
}

#[tokio::test]
async fn retry_after_is_honoured_when_it_fits_and_reported_when_not() {
    let limited = |wait: &str| ResponseTemplate::new(429).insert_header("retry-after", wait);
    let (server, options) = sequence(vec![limited("0"), results(ONE_ROW)]).await;
    assert!(endpoint(options).query(&query(SELECT), LIMITS).await.is_ok());
    assert_eq!(requests(&server).await.len(), 2);

    let (server, options) = sequence(vec![limited("3600")]).await;
    let error = endpoint(options).query(&query(SELECT), LIMITS).await.unwrap_err();
    let QueryError::RateLimited { retry_after, .. } = error else { panic!("{error:?}") };
    assert_eq!((retry_after, requests(&server).await.len()), (Some(Duration::from_secs(3600)), 1));
}

#[tokio::test]
async fn a_refused_connection_is_unavailable_and_hides_the_parameters() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sparql?apikey=secret", listener.local_addr().unwrap());
    drop(listener);
    let endpoint = endpoint(RemoteOptions { retries: 0, ..RemoteOptions::new(url) });
    let error = endpoint.query(&query(SELECT), LIMITS).await.unwrap_err();
    assert_eq!(error.kind(), "endpoint_down");
    assert!(!format!("{error} {}", endpoint.name()).contains("secret"));
}

#[tokio::test]
async fn the_deadline_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sparql", listener.local_addr().unwrap());
    // A server that accepts and then only reads: it returns when the client closes the connection.
    let closed = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 4096];
        assert!(socket.read(&mut buffer).await.unwrap() > 0);
        let start = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n\r\n{\"head\":";
        socket.write_all(start).await.unwrap();
        while socket.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    });
    let limits = Limits { timeout: Duration::from_millis(300), ..LIMITS };
    let error = endpoint(RemoteOptions::new(url)).query(&query(SELECT), limits).await.unwrap_err();
    assert_eq!(error, QueryError::Timeout { after: limits.timeout });
    tokio::time::timeout(Duration::from_secs(30), closed).await.unwrap().unwrap();
}

fn many_rows(count: usize) -> String {
    let row = |i| format!(r#"{{"s":{{"type":"uri","value":"http://ex.org/{i}"}}}}"#);
    let rows: Vec<String> = (0..count).map(row).collect();
    format!(r#"{{"head":{{"vars":["s"]}},"results":{{"bindings":[{}]}}}}"#, rows.join(","))
}

#[tokio::test]
async fn rows_and_bytes_are_limited() {
    let (_server, options) = server(results(&many_rows(100))).await;
    let endpoint = endpoint(options);
    let limited = |limits| {
        let endpoint = &endpoint;
        async move {
            let answer = endpoint.query(&query("SELECT ?s { ?s ?p ?o }"), limits).await.unwrap();
            (answer.row_count(), answer.incomplete)
        }
    };
    assert_eq!(limited(LIMITS).await, (100, None));
    assert_eq!(limited(Limits { max_rows: 100, ..LIMITS }).await, (100, None));
    assert_eq!(limited(Limits { max_rows: 7, ..LIMITS }).await, (7, Some(Incomplete::RowLimit(7))));
    let (rows, incomplete) = limited(Limits { max_bytes: 1_000, ..LIMITS }).await;
    assert!((10..30).contains(&rows), "{rows}");
    assert_eq!(incomplete, Some(Incomplete::ByteLimit(1_000)));
    assert_eq!(limited(Limits { max_bytes: 5, ..LIMITS }).await, (0, Some(Incomplete::ByteLimit(5))));
}

#[tokio::test]
async fn virtuoso_says_in_headers_that_rows_are_missing() {
    let partial = results(ONE_ROW)
        .insert_header("X-SQL-State", "S1TAT")
        .insert_header("X-SQL-Message", "RC...: Returning incomplete results");
    let answer = outcome(SELECT, partial).await.unwrap();
    let expected = "S1TAT RC...: Returning incomplete results".to_owned();
    assert_eq!(answer.incomplete, Some(Incomplete::Endpoint(expected)));

    let capped = |rows: &str| results(ONE_ROW).insert_header("X-SPARQL-MaxRows", rows);
    assert_eq!(outcome(SELECT, capped("1")).await.unwrap().incomplete, Some(Incomplete::ServerRows(1)));
    assert_eq!(outcome(SELECT, capped("10000")).await.unwrap().incomplete, None);
    let one = "SELECT ?s ?o WHERE { ?s ?p ?o } LIMIT 1";
    assert_eq!(outcome(one, capped("1")).await.unwrap().incomplete, None);
}

#[tokio::test]
async fn ask_is_a_boolean_also_when_virtuoso_sends_a_table() {
    let table = |rows: &str| {
        results(&format!(
            r#"{{"head":{{"link":[],"vars":["__ASK_RETVAL"]}},"results":{{"distinct":false,"ordered":true,"bindings":[{rows}]}}}}"#
        ))
    };
    let one = r#"{"__ASK_RETVAL":{"type":"typed-literal","datatype":"http://www.w3.org/2001/XMLSchema#integer","value":"1"}}"#;
    for (response, expected) in [
        (table(one), true),
        (table(&one.replace("\"1\"", "\"0\"")), false),
        (table(""), false),
        (results(r#"{"head":{},"boolean":true}"#), true),
        (results(r#"{"boolean":false,"head":{}}"#), false),
    ] {
        assert_eq!(outcome("ASK { ?s ?p ?o }", response).await.unwrap().results, Results::Boolean(expected));
    }
}

#[tokio::test]
async fn terms_that_a_strict_parser_refuses_do_not_cost_the_result() {
    let body = r#"{"results":{"bindings":[
        {"s":{"type":"uri","value":"http://ex.org/a b"},"o":{"type":"literal","xml:lang":"en_US","value":"x"}},
        {"s":{"type":"bnode","value":"nodeID://b10005"},"new":{"type":"triple","value":{"subject":1}}},
        {"o":{"type":"literal","datatype":"http://www.w3.org/2001/XMLSchema#integer","value":"5"}}
      ]},"head":{"vars":["s","o"]}}"#;
    let Results::Solutions(solutions) = outcome(SELECT, results(body)).await.unwrap().results else {
        panic!()
    };
    let cells: Vec<Vec<String>> = solutions
        .rows
        .iter()
        .map(|row| row.iter().map(|c| c.as_ref().map_or("-".to_owned(), Term::to_string)).collect())
        .collect();
    assert_eq!(solutions.variables, ["s", "o", "new"]);
    assert_eq!(cells[0], ["<http://ex.org/a b>", "\"x\"@en_us", "-"]);
    assert_eq!(cells[1], ["_:b10005", "-", "-"]);
    assert_eq!(cells[2][1], "\"5\"^^<http://www.w3.org/2001/XMLSchema#integer>");
}

#[tokio::test]
async fn xml_is_read_when_the_endpoint_sends_nothing_else() {
    let rows = r#"<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="s"/></head><results><result><binding name="s"><literal>x</literal></binding></result></results></sparql>"#;
    let xml = |body: &str| ResponseTemplate::new(200).set_body_raw(body, "application/sparql-results+xml");
    assert_eq!(outcome(SELECT, xml(rows)).await.unwrap().row_count(), 1);
    let ask =
        r#"<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>true</boolean></sparql>"#;
    assert_eq!(outcome("ASK {}", xml(ask)).await.unwrap().results, Results::Boolean(true));
}

#[tokio::test]
async fn xml_with_endless_tags_is_refused_before_it_is_parsed() {
    let many = |count: usize| (0..count).map(|at| format!(" e:a{at}=''")).collect::<String>();
    let rows = |attributes: String| {
        format!(
            "<sparql xmlns='http://www.w3.org/2005/sparql-results#'><head><variable name='s'/></head><results>\
             <result><binding name='s'{attributes}><literal>x</literal></binding></result></results></sparql>"
        )
    };
    let graph = |attributes: String| {
        format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e.x/'>\
             <e:C rdf:about='http://e.x/s'{attributes}/></rdf:RDF>"
        )
    };
    for (query, few, endless, media_type) in [
        (SELECT, rows(many(500)), rows(many(1_001)), "application/sparql-results+xml"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", graph(many(500)), graph(many(1_001)), "application/rdf+xml"),
    ] {
        let response = |body| ResponseTemplate::new(200).set_body_raw::<String>(body, media_type);
        assert!(outcome(query, response(few)).await.unwrap().row_count() > 0);
        let error = outcome(query, response(endless)).await.unwrap_err();
        assert!(error.to_string().contains("more than 1000 attributes"), "{error}");
    }
}

#[tokio::test]
async fn construct_reads_n_triples_and_turtle() {
    let construct = "CONSTRUCT WHERE { ?s ?p ?o }";
    for (body, media_type) in [
        ("<e:s> <e:p> \"o\" .\n<e:s> <e:p> _:b .\n", "application/n-triples"),
        ("@prefix e: <e:> . e:s e:p \"o\", [] .", "text/turtle; charset=utf-8"),
    ] {
        let response = ResponseTemplate::new(200).set_body_raw(body, media_type);
        let answer = outcome(construct, response).await.unwrap();
        assert!(matches!(&answer.results, Results::Graph(triples) if triples.len() == 2), "{answer:?}");
    }
    let request =
        endpoint(RemoteOptions::new("http://ex.org/")).request(&query(construct), LIMITS).build().unwrap();
    assert!(request.headers()[ACCEPT].to_str().unwrap().starts_with("application/n-triples"));
}

#[tokio::test]
async fn errors_with_status_200_are_errors() {
    let trace = "SPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.TimeoutException\n\tat java.util.X";
    let cut = many_rows(3).replace("]}}", "");
    let partial = outcome(SELECT, results(&format!("{cut},\n{trace}"))).await.unwrap();
    assert_eq!(partial.row_count(), 3);
    assert!(matches!(partial.incomplete, Some(Incomplete::Endpoint(_))), "{:?}", partial.incomplete);
    let none = outcome(SELECT, results(&format!(r#"{{"head":{{"vars":["s"]}},{trace}"#))).await.unwrap_err();
    assert_eq!(none.kind(), "timeout");
    assert_eq!(outcome(SELECT, results(&cut)).await.unwrap_err().kind(), "endpoint_down");
    for (body, media_type, kind) in [
        ("<!DOCTYPE html><html><body>Login</body></html>", "text/html", "endpoint_down"),
        ("", JSON, "endpoint_down"),
        ("Virtuoso 22023 Error SR585: no", "text/plain", "rejected"),
        (r#"{"status":"fine"}"#, "application/json", "endpoint_down"),
    ] {
        let response = ResponseTemplate::new(200).set_body_raw(body, media_type);
        assert_eq!(outcome(SELECT, response).await.unwrap_err().kind(), kind, "{body}");
    }
}

#[tokio::test]
async fn error_statuses_are_read_in_the_engines_words() {
    let body = "Virtuoso 37000 Error SP030: SPARQL compiler, line 2: syntax error at 'x' before 'y'";
    let response = ResponseTemplate::new(400).set_body_string(body);
    let error = outcome(SELECT, response).await.unwrap_err();
    assert!(matches!(error, QueryError::Syntax { line: Some(2), .. }), "{error:?}");
}

#[tokio::test]
async fn a_redirect_to_another_server_is_told_and_not_tried_again() {
    let (stranger, _) = server(results(ONE_ROW)).await;
    let place = format!("{}/sparql?key=s3cret", stranger.uri());
    let (server, options) = server(ResponseTemplate::new(307).insert_header("location", place)).await;
    let headers = vec![("X-Secret-Key".into(), "hush-hush".into())];
    let credentials = Credentials::Bearer("token-token".into());
    let endpoint = endpoint(RemoteOptions { headers, credentials, ..options });
    let error = endpoint.query(&query(SELECT), LIMITS).await.unwrap_err();
    let told = error.to_string();
    assert_eq!(error.kind(), "endpoint_down");
    assert!(
        told.contains(&format!("another server, {},", stranger.uri())) && !told.contains("s3cret"),
        "{told}"
    );
    assert_eq!((requests(&server).await.len(), requests(&stranger).await.len()), (1, 0));
}

#[test]
fn bad_options_are_refused_without_showing_secrets() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let new = |options| RemoteEndpoint::new(Client::new(), options).map(|_| ()).unwrap_err().to_string();
    for url in ["", "ex.org/sparql", "file:///etc/passwd", "ftp://ex.org/"] {
        assert!(new(RemoteOptions::new(url)).contains("endpoint URL"), "{url}");
    }
    let credentials = Credentials::Bearer("se\ncret".into());
    let message = new(RemoteOptions { credentials, ..RemoteOptions::new("http://ex.org/") });
    assert!(message.contains("bearer token") && !message.contains("cret`"), "{message}");
    let debug = format!(
        "{:?}",
        RemoteOptions {
            credentials: Credentials::Bearer("hidden".into()),
            ..RemoteOptions::new("http://ex.org/")
        }
    );
    assert!(!debug.contains("hidden"), "{debug}");
}

#[tokio::test]
async fn a_dropped_call_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/sparql", listener.local_addr().unwrap());
    let endpoint = Arc::new(endpoint(RemoteOptions::new(url)));
    let call = tokio::spawn(async move { endpoint.query(&query(SELECT), LIMITS).await });
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut buffer = [0; 1024];
    assert!(socket.read(&mut buffer).await.unwrap() > 0);
    call.abort();
    let closed = async { while socket.read(&mut buffer).await.is_ok_and(|read| read > 0) {} };
    tokio::time::timeout(Duration::from_secs(30), closed).await.unwrap();
}

proptest::proptest! {
    #[test]
    fn no_body_panics(body in r#"([{}\[\],:"0-9a\\]|"head"|"vars"|"results"|"bindings"|"boolean"|"type"|"value"|true|null){0,30}"#) {
        let raw = body::Raw { head: body::ResponseHead::typed(""), bytes: body.into_bytes(), cut: false, elapsed: Duration::ZERO };
        let (_waiting, stop) = StopFlag::new();
        for text in [SELECT, "ASK {}", "CONSTRUCT WHERE { ?s ?p ?o }"] {
            let _ = body::parse(&raw, &query(text), LIMITS, &stop);
        }
    }
}
