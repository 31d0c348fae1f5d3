//! Mock servers that replay recorded responses of engines: which dialect is detected, and what becomes of their messages.

use super::*;
use crate::Dialect;

/// A recorded response, the dialect that it reveals, and the outcome of the query.
struct Seen {
    response: ResponseTemplate,
    dialect: &'static str,
    outcome: &'static str,
}

fn seen(response: ResponseTemplate, dialect: &'static str, outcome: &'static str) -> Seen {
    Seen { response, dialect, outcome }
}

fn said(status: u16, body: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body, "text/plain")
}

fn page(status: u16, title: &str) -> ResponseTemplate {
    let body = format!(
        "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\"/>\n<title>Error {status} \
         {title}</title>\n</head>\n<body><h2>HTTP ERROR {status}</h2>\n<p>Problem accessing /bigdata/namespace/wdq/sparql. \
         Reason:\n<pre>    {title}</pre></p><hr><a href=\"http://eclipse.org/jetty\">Powered by Jetty:// 9.4.12.v20180830</a>\
         <hr/>\n\n</body>\n</html>\n"
    );
    ResponseTemplate::new(status)
        .set_body_raw(body, "text/html;charset=utf-8")
        .insert_header("x-served-by", "wdqs1004")
}

fn json(status: u16, body: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body, "application/json")
}

async fn assert_seen(cases: Vec<Seen>) {
    for Seen { response, dialect, outcome } in cases {
        let (_server, options) = server(response).await;
        let endpoint = endpoint(RemoteOptions { retries: 0, ..options });
        assert_eq!(endpoint.dialect().name(), "plain", "nothing is known before");
        let told = match endpoint.query(&query(SELECT), LIMITS).await {
            Ok(answer) => format!("{} rows, {:?}", answer.row_count(), answer.incomplete),
            Err(error) => format!("{}: {error}", error.kind()),
        };
        assert_eq!(endpoint.dialect().name(), dialect, "{told}");
        assert!(told.contains(outcome), "{outcome}: {told}");
    }
}

const TRACE: &str = "\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)\n\tat \
     com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)";

#[tokio::test]
async fn the_query_service_of_wikidata() {
    let timeout = format!("SPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.TimeoutException\n{TRACE}");
    let syntax = format!(
        "SPARQL-QUERY: queryStr=SELECT * WHERE {{ ?s ?p \"timed out\" FILTR }}\njava.util.concurrent.ExecutionException: \
         org.openrdf.query.MalformedQueryException: Encountered \" \"}}\" \"}} \"\" at line 1, column 40.\n{TRACE}"
    );
    let prefix = format!(
        "SPARQL-QUERY: queryStr=SELECT ?a WHERE {{?a a foo:bar}}\njava.util.concurrent.ExecutionException: \
         org.openrdf.query.MalformedQueryException: com.bigdata.rdf.sail.sparql.ast.VisitorException: QName 'foo:bar' uses \
         an undefined prefix\n{TRACE}"
    );
    let cut = format!("{}\n{timeout}", ONE_ROW.trim_end_matches("]}}"));
    let wait = page(429, "Too Many Requests - Please retry in 9 seconds.").insert_header("retry-after", "9");
    let ban = "You have been banned until 2026-11-22T10:00:00.123Z, please respect throttling and retry-after headers.";
    let agent =
        "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n";
    assert_seen(vec![
        seen(said(500, &timeout), "wdqs", "timeout: "),
        seen(said(500, &syntax), "wdqs", "syntax error at line 1, column 40 near `}`"),
        seen(said(500, &prefix), "wdqs", "unknown prefix `foo:`"),
        seen(results(&cut), "plain", "1 rows, Some(Endpoint(\"no answer within"),
        seen(results(ONE_ROW).insert_header("x-first-solution-millis", "12"), "wdqs", "1 rows, None"),
        seen(
            wait,
            "wdqs",
            "rate_limited: the endpoint limits the rate of queries: Error 429 Too Many Requests",
        ),
        seen(
            page(403, ban),
            "wdqs",
            "rate_limited: the endpoint limits the rate of queries: Error 403 You have been",
        ),
        seen(
            said(403, agent),
            "plain",
            "endpoint_down: the endpoint is not available: HTTP 403: Please set a user-agent",
        ),
    ])
    .await;
}

#[tokio::test]
async fn qlever() {
    let error = |words: &str, metadata: &str| {
        format!(r#"{{"exception":"{words}","query":"SELECT","resultsize":0,"status":"ERROR"{metadata}}}"#)
    };
    let place = r#","metadata":{"line":3,"positionInLine":2,"query":"","startIndex":30,"stopIndex":34}"#;
    let syntax =
        error(r#"Invalid SPARQL query: Token \"FILTR\": mismatched input 'FILTR' expecting {'}'}"#, place);
    let prefix =
        error("Invalid SPARQL query: Prefix foo was not registered using a PREFIX declaration", place);
    let function = error(
        "Not supported: Function \\\"<http://ex.org/f>\\\" is currently not supported by QLever.",
        place,
    );
    let memory = error("Tried to allocate 21.5 GB, but only 4 GB were available", "");
    let timeout = error("Operation timed out.", "");
    let meta =
        ONE_ROW.trim_end_matches('}').to_owned() + r#"},"meta":{"query-time-ms":3,"result-size-total":1}}"#;
    let cut = format!(
        "{}\n !!!!>># An error has occurred while exporting the query result. Unfortunately due to limitations in the HTTP 1.1 \
         protocol, there is no better way to report this than to append it to the incomplete result. The error message \
         was:\nOperation timed out.",
        ONE_ROW.trim_end_matches("]}}")
    );
    assert_seen(vec![
        seen(json(400, &syntax), "qlever", "syntax error at line 3, column 3 near `FILTR`"),
        seen(json(400, &prefix), "qlever", "unknown prefix `foo:`"),
        seen(
            json(400, &function),
            "qlever",
            "rejected: the endpoint rejected the query: Not supported: Function",
        ),
        seen(json(500, &memory), "qlever", "too_large: "),
        seen(json(429, &timeout), "qlever", "timeout: "),
        seen(said(429, "Another rebuild is currently in progress!"), "plain", "rate_limited: "),
        seen(results(&meta), "qlever", "1 rows, None"),
        seen(results(&cut), "plain", "1 rows, Some(Endpoint(\"no answer within"),
    ])
    .await;
}

#[tokio::test]
async fn virtuoso_and_fuseki() {
    let virtuoso = |response: ResponseTemplate| {
        response.insert_header("server", "Virtuoso/07.20.3240 (Linux) x86_64-pc-linux-gnu")
    };
    let syntax = "Virtuoso 37000 Error SP030: SPARQL compiler, line 2: syntax error at 'FILTR' before '('\n\nSPARQL query:\nSELECT";
    let prefix = "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: Undefined namespace prefix at 'foo' before ':bar'";
    let path = "Virtuoso 42000 Error TN...: Exceeded 1000000000 bytes in transitive temp memory.  use t_distinct, t_max";
    let fuseki = |response: ResponseTemplate| response.insert_header("fuseki-request-id", "7");
    let parse = "Parse error: \nSELECT * WHERE { FILTR }\nEncountered \" <VARNAME> \"FILTR \"\" at line 1, column 18.\nWas";
    let unresolved = "Error 400: Parse error: \nLine: 1, Column: 20: Unresolved prefixed name: foo:bar";
    let cut = "\n##  Query cancelled due to timeout during execution   ##\n##  ****          Incomplete results           ****   ##\n";
    let cut = ONE_ROW.trim_end_matches("]}}").to_owned() + cut;
    assert_seen(vec![
        seen(said(400, syntax), "virtuoso", "syntax error at line 2 near `FILTR`"),
        seen(virtuoso(said(400, prefix)), "virtuoso", "unknown prefix `foo:`"),
        seen(said(500, "Virtuoso S1T00 Error SR171: Transaction timed out"), "virtuoso", "timeout: "),
        seen(said(500, path), "virtuoso", "too_large: "),
        seen(
            said(500, "Virtuoso S1TAT Error Query did not complete due to ANYTIME timeout."),
            "virtuoso",
            "timeout: ",
        ),
        seen(virtuoso(results(ONE_ROW)), "virtuoso", "1 rows, None"),
        seen(fuseki(said(400, parse)), "fuseki", "syntax error at line 1, column 18 near `FILTR`"),
        seen(fuseki(said(400, unresolved)), "fuseki", "unknown prefix `foo:`"),
        seen(fuseki(said(503, "Query timed out")), "fuseki", "timeout: "),
        seen(fuseki(results(&cut)), "fuseki", "1 rows, Some(Endpoint(\"no answer within"),
    ])
    .await;
}

#[tokio::test]
async fn rdf4j_and_graphdb() {
    let graphdb = |response: ResponseTemplate| response.insert_header("server", "GraphDB/10.6.3 RDF4J/4.3.9");
    let syntax =
        "MALFORMED QUERY: Lexical error at line 1, column 18.  Encountered: \"F\" (70), after : \"\"";
    let prefix = "MALFORMED QUERY: org.eclipse.rdf4j.query.parser.sparql.ast.VisitorException: QName 'foo:bar' uses an undefined prefix";
    let memory = "Query evaluation error: com.ontotext.trree.util.NotEnoughMemoryForDistinctGroupBy: Insufficient free Heap Memory 201Mb for group by and distinct, threshold:250Mb, reached 0Mb";
    assert_seen(vec![
        seen(said(400, syntax), "rdf4j", "syntax error at line 1, column 18 near `F`"),
        seen(said(400, prefix), "rdf4j", "unknown prefix `foo:`"),
        seen(said(503, "Query evaluation took too long"), "plain", "timeout: "),
        seen(graphdb(said(400, syntax)), "graphdb", "syntax error at line 1, column 18 near `F`"),
        seen(graphdb(said(400, prefix)), "graphdb", "unknown prefix `foo:`"),
        seen(graphdb(said(503, "Query evaluation took too long")), "graphdb", "timeout: "),
        seen(said(500, memory), "graphdb", "too_large: "),
    ])
    .await;
}

#[tokio::test]
async fn stardog_and_oxigraph() {
    let stardog = |status: u16, code: &str, words: &str| {
        let body = format!(r#"{{"message":"com.complexible.stardog.plan.eval.{words}","code":"{code}"}}"#);
        json(status, &body)
    };
    let timeout = "operator.OperatorException: Execution time exceeded query timeout 300000";
    let syntax = r#"ExecutionException: Encountered \" <IRI_REF> \"<http://ex.org/a> \"\" at line 1, column 11.\nWas expecting"#;
    let prefix = "ExecutionException: QName 'foo:bar' uses an undefined prefix";
    let oxigraph = |response: ResponseTemplate| response.insert_header("server", "Oxigraph/0.5.13");
    assert_seen(vec![
        seen(stardog(500, "QEQOE2", timeout), "stardog", "timeout: "),
        seen(
            stardog(400, "QE0PE2", syntax),
            "stardog",
            "syntax error at line 1, column 11 near `<http://ex.org/a>`",
        ),
        seen(stardog(400, "QE0PE2", prefix), "stardog", "unknown prefix `foo:`"),
        seen(said(400, "").insert_header("sd-error-code", "QE0PE2"), "stardog", "rejected: "),
        seen(
            oxigraph(said(400, "error at 1:18: expected one of \"}\"")),
            "oxigraph",
            "syntax error at line 1, column 18",
        ),
        // The message does not say which prefix.
        seen(
            oxigraph(said(400, "error at 1:9: Prefix not found")),
            "oxigraph",
            "syntax error at line 1, column 9",
        ),
        seen(oxigraph(said(500, "The SPARQL operation has been cancelled")), "oxigraph", "timeout: "),
    ])
    .await;
}

#[tokio::test]
async fn addresses_say_what_they_can_and_what_is_named_stays() {
    for (url, name) in [
        ("https://query.wikidata.org/sparql", "wdqs"),
        ("https://query-main.wikidata.org/sparql", "wdqs"),
        ("https://query-scholarly.wikidata.org/sparql", "wdqs-scholarly"),
        ("http://wdqs:9999/bigdata/namespace/wdq/sparql", "blazegraph"),
        ("https://commons-query.wikimedia.org/sparql", "blazegraph"),
        ("https://qlever.dev/api/wikidata", "qlever"),
        ("https://qlever.cs.uni-freiburg.de/api/wikidata", "qlever"),
        ("http://localhost:8080/rdf4j-server/repositories/a", "rdf4j"),
        ("http://localhost:7200/repositories/a", "graphdb"),
        ("http://localhost:5820/a/query", "stardog"),
        ("https://dbpedia.org/sparql", "plain"),
        ("https://notquery.wikidata.org.example.org/sparql", "plain"),
    ] {
        assert_eq!(endpoint(RemoteOptions::new(url)).dialect().name(), name, "{url}");
    }
    // Both graphs respond alike, but the URL tells which one it is.
    let response = results(ONE_ROW).insert_header("x-served-by", "wdqs1004");
    let (server, options) = server(response).await;
    let blazegraph = format!("{}/bigdata/sparql", server.uri());
    Mock::given(path("/bigdata/sparql"))
        .respond_with(results(ONE_ROW).insert_header("x-served-by", "wdqs1"))
        .mount(&server)
        .await;
    let endpoint_at_path = endpoint(RemoteOptions::new(blazegraph));
    assert!(endpoint_at_path.query(&query(SELECT), LIMITS).await.is_ok());
    assert_eq!(endpoint_at_path.dialect().name(), "blazegraph");
    let named = endpoint(RemoteOptions { dialect: Dialect::named("stardog"), ..options });
    assert!(named.query(&query(SELECT), LIMITS).await.is_ok());
    assert_eq!(named.dialect().name(), "stardog");
}

#[tokio::test]
async fn a_change_of_engine_is_noticed() {
    let fuseki = results(ONE_ROW).insert_header("fuseki-request-id", "1");
    let responses =
        vec![fuseki, results(ONE_ROW), results(ONE_ROW).insert_header("server", "GraphDB/10.6.3")];
    let (_server, options) = sequence(responses).await;
    let endpoint = endpoint(options);
    for name in ["fuseki", "fuseki", "graphdb"] {
        assert!(endpoint.query(&query(SELECT), LIMITS).await.is_ok());
        assert_eq!(endpoint.dialect().name(), name);
    }
}

#[tokio::test]
async fn engines_are_told_of_the_deadline_in_their_way() {
    let limits = Limits { timeout: Duration::from_millis(29_300), ..LIMITS };
    for (name, parameter, header) in [
        ("plain", None, None),
        ("virtuoso", None, None),
        ("qlever", None, None),
        ("oxigraph", None, None),
        ("fuseki", Some("30"), None),
        ("rdf4j", Some("30"), None),
        ("graphdb", Some("30"), None),
        ("stardog", Some("29300"), None),
        ("blazegraph", None, Some("29300")),
        ("wdqs", None, Some("29300")),
        ("wdqs-scholarly", None, Some("29300")),
    ] {
        for method in [Method::Get, Method::Post] {
            let dialect = Dialect::named(name);
            assert!(dialect.is_some());
            let endpoint =
                endpoint(RemoteOptions { dialect, method, ..RemoteOptions::new("http://ex.org/s?a=b") });
            let request = endpoint.request(&query(SELECT), limits).build().unwrap();
            let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
            let sent = format!("{}&{}", request.url(), String::from_utf8_lossy(body));
            let found = sent.split(['&', '?']).find_map(|pair| pair.strip_prefix("timeout="));
            assert_eq!(found, parameter, "{name}: {sent}");
            let found =
                request.headers().get("x-bigdata-max-query-millis").map(|value| value.to_str().unwrap());
            assert_eq!(found, header, "{name}");
        }
    }
    // The configured value is kept.
    let options = RemoteOptions {
        dialect: Dialect::named("fuseki"),
        ..RemoteOptions::new("http://ex.org/s?timeout=5")
    };
    let request = endpoint(options).request(&query(SELECT), limits).build().unwrap();
    assert_eq!(request.url().as_str().matches("timeout=").count(), 1);
}

#[test]
fn names_are_unique_and_hints_short() {
    let names: std::collections::BTreeSet<_> = Dialect::all().map(Dialect::name).collect();
    assert_eq!(names.len(), Dialect::all().count());
    for dialect in Dialect::all() {
        assert!(
            dialect.hints().len() <= 3 && dialect.hints().iter().all(|hint| hint.len() < 250),
            "{dialect:?}"
        );
        assert!(names.contains(dialect.name()) && !dialect.title().is_empty());
    }
    assert_eq!(Dialect::named("postgres"), None);
}
