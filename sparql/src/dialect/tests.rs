use super::*;

fn failure(status: u16, body: &str) -> FailedResponse<'_> {
    let dialect = Dialect::plain();
    FailedResponse { status, body, retry_after: None, elapsed: Duration::from_secs(7), dialect }
}

fn classified(status: u16, body: &str) -> QueryError {
    classify(&failure(status, body))
}

const VIRTUOSO_SYNTAX: &str = "Virtuoso 37000 Error SP030: SPARQL compiler, line 2: syntax error at 'FILTR' before '('\n\nSPARQL query:\ndefine sql:big-data-const 0\nSELECT * WHERE { ?s ?p ?o . FILTR(?o = \"timed out\") }";
const VIRTUOSO_PREFIX: &str = "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: Undefined namespace prefix at 'foo' before ':bar'\n\nSPARQL query:\nSELECT * WHERE { ?s foo:bar ?o }";
const VIRTUOSO_TIMEOUT: &str = "Virtuoso S1T00 Error SR171: Transaction timed out\n\nSPARQL query:\nSELECT 1";
const VIRTUOSO_ESTIMATE: &str = "Virtuoso 42000 Error The estimated execution time 5432 (sec) exceeds the limit of 400 (sec).\n\nSPARQL query:\nSELECT *";
const VIRTUOSO_TYPE: &str = "Virtuoso 22023 Error SR585: Function bif:contains needs a string as argument 2\n\nSPARQL query:\nSELECT *";
const VIRTUOSO_DENIED: &str = "Virtuoso 42000 Error SR186:SECURITY: No permission to execute procedure DB.DBA.SPARQL_INSERT_DICT_CONTENT with user ID 107, group ID 107";
const QLEVER_SYNTAX: &str = r#"{"exception":"Invalid SPARQL query: Token \"FILTR\": mismatched input 'FILTR' expecting {'}', 'optional'}","metadata":{"line":3,"positionInLine":2,"query":"SELECT","startIndex":30,"stopIndex":34},"query":"SELECT ... timed out","resultsize":0,"status":"ERROR","time":{"computeResult":0,"total":0}}"#;
const QLEVER_PREFIX: &str = r#"{"exception":"Invalid SPARQL query: Prefix foo was not registered using a PREFIX declaration","status":"ERROR"}"#;
const QLEVER_TIMEOUT: &str = r#"{"exception":"Operation timed out. Last operation: Sort (internal order) on columns: (?s)","status":"ERROR"}"#;
const QLEVER_MEMORY: &str = r#"{"exception":"Tried to allocate 21.5 GB, but only 4 GB were available. Clear the cache or allow more memory for QLever during startup","status":"ERROR"}"#;
const BLAZEGRAPH_SYNTAX: &str = "SPARQL-QUERY: queryStr=SELECT * WHERE { ?s ?p \"timeout\" FILTR }\njava.util.concurrent.ExecutionException: org.openrdf.query.MalformedQueryException: Encountered \" \"}\" \"} \"\" at line 1, column 40.\nWas expecting one of:\n    \"(\" ...\n\tat java.util.concurrent.FutureTask.report(FutureTask.java:122)\n\tat com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)";
const BLAZEGRAPH_PREFIX: &str = "SPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.ExecutionException: org.openrdf.query.MalformedQueryException: QName 'foo:bar' uses an undefined prefix\n\tat java.util.concurrent.FutureTask.report(FutureTask.java:122)";
const BLAZEGRAPH_TIMEOUT: &str = "SPARQL-QUERY: queryStr=SELECT *\njava.util.concurrent.TimeoutException\n\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)";
const FUSEKI_SYNTAX: &str = "Parse error: \nSELECT * WHERE { FILTR }\nEncountered \" <VARNAME> \"FILTR \"\" at line 1, column 18.\nWas expecting one of:\n    \"graph\" ...";
const FUSEKI_PREFIX: &str =
    "Error 400: Parse error: \nLine: 1, Column: 20: Unresolved prefixed name: foo:bar";
const FUSEKI_TIMEOUT: &str = "Query timed out";
const GRAPHDB_SYNTAX: &str = "MALFORMED QUERY: org.eclipse.rdf4j.query.parser.sparql.ast.TokenMgrError: Lexical error at line 1, column 18.  Encountered: \"F\" (70), after : \"\"";
const GRAPHDB_PREFIX: &str = "MALFORMED QUERY: QName 'foo:bar' uses an undefined prefix";
const GRAPHDB_TIMEOUT: &str =
    "Query evaluation error: org.eclipse.rdf4j.query.QueryInterruptedException: Query timeout exceeded";
const OXIGRAPH_SYNTAX: &str = "error at 1:18: expected one of \"}\", OPTIONAL, FILTER";
const PROXY: &str = "<!DOCTYPE html>\n<html><head><title>504 Gateway Time-out</title></head><body><center><h1>504 Gateway Time-out: timed out</h1></center><hr>nginx</body></html>";

#[test]
fn timeouts_in_each_engines_words() {
    let expected = QueryError::Timeout { after: Duration::from_secs(7) };
    for (status, body) in [
        (500, VIRTUOSO_TIMEOUT),
        (429, QLEVER_TIMEOUT),
        (500, BLAZEGRAPH_TIMEOUT),
        (503, FUSEKI_TIMEOUT),
        (503, GRAPHDB_TIMEOUT),
        (408, ""),
    ] {
        assert_eq!(classified(status, body), expected, "{body}");
    }
}

#[test]
fn unknown_prefixes_in_each_engines_words() {
    for (status, body) in [
        (400, VIRTUOSO_PREFIX),
        (400, QLEVER_PREFIX),
        (500, BLAZEGRAPH_PREFIX),
        (400, FUSEKI_PREFIX),
        (400, GRAPHDB_PREFIX),
    ] {
        assert_eq!(classified(status, body), QueryError::UnknownPrefix { prefix: "foo".into() }, "{body}");
    }
}

#[test]
fn syntax_errors_keep_place_and_token() {
    for (status, body, place, token) in [
        (400, VIRTUOSO_SYNTAX, (Some(2), None), Some("FILTR")),
        (400, QLEVER_SYNTAX, (Some(3), Some(3)), Some("FILTR")),
        (500, BLAZEGRAPH_SYNTAX, (Some(1), Some(40)), Some("}")),
        (400, FUSEKI_SYNTAX, (Some(1), Some(18)), Some("FILTR")),
        (400, GRAPHDB_SYNTAX, (Some(1), Some(18)), Some("F")),
        (400, OXIGRAPH_SYNTAX, (Some(1), Some(18)), None),
    ] {
        let QueryError::Syntax { line, column, near, message } = classified(status, body) else {
            panic!("{:?}", classified(status, body));
        };
        assert_eq!(((line, column), near.as_deref()), (place, token), "{message}");
        assert!(message.chars().count() <= 200 && !message.contains("\tat "), "{message}");
    }
}

#[test]
fn refusals_for_size_are_told_from_other_complaints() {
    assert_eq!(classified(500, VIRTUOSO_ESTIMATE).kind(), "too_large");
    assert_eq!(classified(500, QLEVER_MEMORY).kind(), "too_large");
    assert_eq!(classified(413, "").kind(), "too_large");
    let message = "Virtuoso 22023 Error SR585: Function bif:contains needs a string as argument 2".to_owned();
    assert_eq!(classified(500, VIRTUOSO_TYPE), QueryError::Rejected { message });
    assert_eq!(classified(500, VIRTUOSO_DENIED).kind(), "rejected");
}

#[test]
fn failures_of_the_way_are_not_the_querys() {
    assert_eq!(classified(504, PROXY).kind(), "endpoint_down");
    assert_eq!(classified(502, "").kind(), "endpoint_down");
    assert_eq!(classified(401, "").kind(), "endpoint_down");
    assert_eq!(classified(404, "<html><body>Not Found</body></html>").kind(), "endpoint_down");
    let QueryError::Unavailable { message } = classified(502, PROXY) else { panic!() };
    assert!(message.starts_with("HTTP 502: 504 Gateway Time-out"), "{message}");
    assert!(!message.contains('<'), "{message}");
}

#[test]
fn rate_limits_carry_the_wait() {
    let wait = Some(Duration::from_secs(3));
    let failure = FailedResponse { retry_after: wait, ..failure(429, "Too Many Requests") };
    let message = "Too Many Requests".to_owned();
    assert_eq!(classify(&failure), QueryError::RateLimited { retry_after: wait, message });
}

#[test]
fn a_trace_after_partial_output_is_found() {
    let body = format!(r#"{{"head":{{"vars":["s"]}},"results":{{"bindings":[{{{BLAZEGRAPH_TIMEOUT}"#);
    let error = error_after_output(body.as_bytes(), Duration::from_secs(60), Dialect::plain());
    assert_eq!(error, Some(QueryError::Timeout { after: Duration::from_secs(60) }));
    assert_eq!(error_after_output(br#"{"head":{"vars":["#, Duration::ZERO, Dialect::plain()), None);
}

#[test]
fn empty_and_odd_bodies_are_classified_too() {
    for body in
        ["", "{", "[]", "null", "\u{0}", "Virtuoso ", "error at ", "Prefix ", "<html", "SPARQL-QUERY: "]
    {
        for status in [400, 418, 429, 500, 503] {
            let _ = classified(status, body);
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_body_panics(status in 400_u16..600, body in "([<>{}\":a-z '\n]|line |column |at '|Encountered \"|Virtuoso |java\\.|é){0,20}") {
        let _ = classified(status, &body);
        let _ = error_after_output(body.as_bytes(), Duration::ZERO, Dialect::plain());
    }
}

#[test]
fn editors_are_found_by_the_address_of_the_endpoint() {
    let editor = |name: &str, endpoint: &str| {
        Dialect::named(name).unwrap().editor(&Url::parse(endpoint).unwrap()).unwrap_or_default()
    };
    let virtuoso = editor("virtuoso", "https://dbpedia.org/sparql?default-graph-uri=x");
    assert_eq!(virtuoso, "https://dbpedia.org/sparql?qtxt={query}");
    assert_eq!(editor("wdqs", "https://query.wikidata.org/sparql"), "https://query.wikidata.org/#{query}");
    assert_eq!(editor("wdqs", "http://127.0.0.1:9/sparql"), "", "a stand-in has no page of its own");
    assert_eq!(
        editor("qlever", "https://qlever.dev/api/wikidata"),
        "https://qlever.dev/wikidata?query={query}"
    );
    assert_eq!(editor("qlever", "http://127.0.0.1:7001"), "");
    let graphdb = editor("graphdb", "http://localhost:7200/repositories/films");
    assert_eq!(graphdb, "http://localhost:7200/sparql?repositoryId=films&query={query}");
    let fuseki = "http://localhost:3030/#/dataset/films/query?query={query}";
    for endpoint in ["http://localhost:3030/films/sparql", "http://localhost:3030/films/query?x=y"] {
        assert_eq!(editor("fuseki", endpoint), fuseki);
    }
    assert_eq!(editor("fuseki", "http://localhost:3030/films"), fuseki);
    let application = editor("fuseki", "https://example.org/fuseki/films/sparql");
    assert_eq!(application, "https://example.org/fuseki/#/dataset/films/query?query={query}");
    for elsewhere in
        ["https://example.org/films/sparql", "https://example.org/fuseki", "http://localhost:3030/sparql"]
    {
        assert_eq!(editor("fuseki", elsewhere), "", "{elsewhere}");
    }
    let oxigraph = editor("oxigraph", "http://localhost:7878/query?timeout=1");
    assert_eq!(
        oxigraph,
        "http://localhost:7878/#endpoint=http%3A%2F%2Flocalhost%3A7878%2Fquery&query={query}"
    );
    assert_eq!(editor("oxigraph", "https://example.org/store"), "");
    for dialect in Dialect::all() {
        let found = dialect.editor(&Url::parse("https://example.org/repositories/r").unwrap());
        assert!(found.is_none_or(|found| found.contains(Dialect::QUERY)), "{dialect:?}");
    }
}
