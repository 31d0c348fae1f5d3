//! Bodies that only a hostile endpoint sends: wide, deep, repetitive, or expanding to many times their size.

use super::*;
use crate::{Prefixes, QueryPolicy, check};
use reqwest::header::HeaderValue;
use std::fmt::Write;

const LIMITS: Limits = Limits { timeout: Duration::from_secs(30), max_rows: 10_000, max_bytes: 10 << 20 };
const SELECT: &str = "SELECT ?s ?o WHERE { ?s ?p ?o }";
const GRAPH: &str = "CONSTRUCT WHERE { ?s ?p ?o }";
const JSON: &str = "application/sparql-results+json";
const XML: &str = "application/sparql-results+xml";
const TSV: &str = "text/tab-separated-values";

fn read_with(stop: &StopFlag, limits: Limits, query: &str, content_type: &str, body: &str) -> Outcome {
    let query = check(query, &Prefixes::default(), &QueryPolicy::default()).unwrap();
    let raw = Raw::for_fuzzing(body.as_bytes(), content_type, usize::MAX);
    parse(&raw, &query, limits, stop)
}

fn read(query: &str, content_type: &str, body: &str) -> Outcome {
    let (_waiting, stop) = StopFlag::new();
    read_with(&stop, LIMITS, query, content_type, body)
}

fn table(content_type: &str, body: &str) -> (Solutions, Option<Incomplete>) {
    match read(SELECT, content_type, body).unwrap() {
        (Results::Solutions(solutions), incomplete) => (solutions, incomplete),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn too_wide(content_type: &str, body: &str) {
    let error = read(SELECT, content_type, body).unwrap_err();
    let QueryError::TooLarge { message } = &error else { panic!("{error:?}") };
    assert!(message.contains("more than 1000 columns"), "{message}");
}

fn names(count: usize, one: impl Fn(usize) -> String, between: &str) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(between)
}

fn json(vars: &str, rows: &str) -> String {
    format!(r#"{{"head":{{"vars":[{vars}]}},"results":{{"bindings":[{rows}]}}}}"#)
}

fn json_head_last(vars: &str, rows: &str) -> String {
    format!(r#"{{"results":{{"bindings":[{rows}]}},"head":{{"vars":[{vars}]}}}}"#)
}

fn json_names(count: usize) -> String {
    names(count, |at| format!("\"c{at:x}\""), ",")
}

#[test]
fn more_columns_than_anyone_asks_for_are_refused_in_every_format() {
    let empty = names(10_000, |_| "{}".to_owned(), ",");
    too_wide(JSON, &json_head_last(&json_names(20_000), &empty));
    too_wide(JSON, &json(&json_names(20_000), &empty));
    too_wide(JSON, &json(&json_names(1_000_000), "{}"));
    let named_by_rows = names(1_001, |at| format!(r#"{{"c{at}":null}}"#), ",");
    too_wide(JSON, &json("", &named_by_rows));
    // Comparing them pairwise would take minutes.
    let variables = names(300_000, |at| format!("<variable name='c{at}'/>"), "");
    too_wide(XML, &format!("<sparql><head>{variables}</head><results/></sparql>"));
    too_wide(TSV, &format!("{}\n", names(300_000, |at| format!("?c{at}"), "\t")));
    too_wide(TSV, &format!("?a\n{}\n", "\t".repeat(1_000_000)));
}

#[test]
fn names_of_columns_are_bounded() {
    let name = "n".repeat(5_000_000);
    too_wide(JSON, &json(&format!("\"{name}\""), ""));
    too_wide(JSON, &json("", &format!(r#"{{"{name}":null}}"#)));
    too_wide(TSV, &format!("?{}\n", &name[..2_000]));
    let long = read(SELECT, TSV, &format!("?a\n\"{name}\"\n")).unwrap_err();
    assert!(long.to_string().contains("a line has more than 1048576 bytes"), "{long}");
    too_wide(XML, &format!("<sparql><head><variable name='{}'/></head><results/></sparql>", &name[..2_000]));
    assert_eq!(table(JSON, &json(&names(1_000_000, |_| "\"a\"".to_owned(), ","), "{}")).0.variables, ["a"]);
}

#[test]
fn cells_without_a_term_count_wherever_the_head_stands() {
    let empty = names(10_000, |_| "{}".to_owned(), ",");
    let xml = format!(
        "<sparql><head>{}</head><results>{}</results></sparql>",
        names(1_000, |at| format!("<variable name='c{at}'/>"), ""),
        "<result/>".repeat(10_000)
    );
    let named = format!(r#"{},{{{}}}"#, empty, names(1_000, |at| format!(r#""c{at}":null"#), ","));
    for (content_type, body) in [
        (JSON, json(&json_names(1_000), &empty)),
        (JSON, json_head_last(&json_names(1_000), &empty)),
        (JSON, json("", &named)),
        (XML, xml),
    ] {
        let (solutions, incomplete) = table(content_type, &body);
        assert_eq!((solutions.variables.len(), solutions.rows.len()), (1_000, (10 << 20) / 16_000));
        assert!(solutions.rows.iter().all(|row| row.len() == 1_000));
        assert!(matches!(incomplete, Some(Incomplete::ByteLimit(_) | Incomplete::RowLimit(_))));
    }
}

#[test]
fn keys_that_are_repeated_change_nothing_that_was_read() {
    let body = r#"{"head":{"vars":["s"]},"head":{"vars":["t"]},"results":{"bindings":[
        {"s":{"type":"uri","value":"http://e/1"},"s":{"type":"uri","value":"http://e/2"}}]},
        "boolean":true,"results":{"bindings":[]}}"#;
    let (solutions, incomplete) = table(JSON, body);
    assert_eq!(solutions.variables, ["s", "t"]);
    assert_eq!(solutions.rows.len(), 1);
    assert_eq!(solutions.rows[0][0].as_ref().unwrap().to_string(), "<http://e/2>");
    assert_eq!(incomplete, None);
    let repeated = names(500_000, |_| r#""s":null"#.to_owned(), ",");
    assert_eq!(table(JSON, &json("\"s\"", &format!("{{{repeated}}}"))).0.rows, [[None]]);
}

#[test]
fn depth_costs_nothing() {
    let brackets = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let ignored = |depth| format!(r#"{{"x":{},"results":{{"bindings":[{{}}]}}}}"#, brackets(depth));
    assert_eq!(table(JSON, &ignored(60_000)).0.rows.len(), 1);
    assert!(matches!(read(SELECT, JSON, &ignored(4_000_000)), Err(QueryError::Unavailable { .. })));
    let value = format!(r#"{{"s":{{"type":"literal","value":{}}}}}"#, brackets(60_000));
    assert_eq!(table(JSON, &json("\"s\"", &value)).0.rows, [[None]]);
    let flat = format!(r#"{{"s":{{"type":"literal","value":[{}0]}}}}"#, "{},".repeat(1_000_000));
    assert_eq!(table(JSON, &json("\"s\"", &flat)).0.rows, [[None]]);
}

#[test]
fn what_a_graph_says_in_few_bytes_is_bounded_too() {
    let triples = |content_type: &str, body: &str| match read(GRAPH, content_type, body) {
        Ok((Results::Graph(triples), incomplete)) => Ok((triples.len(), incomplete)),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error.to_string()),
    };
    let long = "n".repeat(100_000);
    let prefixed = format!("@prefix p: <http://e.x/{long}> .\n{}", "p:a p:b p:c .\n".repeat(5_000));
    let (count, incomplete) = triples("text/turtle", &prefixed).unwrap();
    assert_eq!((count, incomplete), (34, Some(Incomplete::ByteLimit(10 << 20))));
    for open in ["[ a ", "("] {
        // As many as may be open without a triple, and ten times as many.
        let deep = format!("<e:a> <e:b> {}", open.repeat((10 << 20) / open.len()));
        let told = triples("text/turtle", &deep);
        assert!(told.as_ref().is_ok_and(|(count, _)| *count <= 10_000) || told.is_err(), "{told:?}");
    }
    let mut entities = "<!ENTITY a0 \"aaaaaaaaaa\">".to_owned();
    for at in 1..30 {
        write!(entities, "<!ENTITY a{at} \"{}\">", format!("&a{};", at - 1).repeat(10)).unwrap();
    }
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e.x/'";
    let bomb = format!("<!DOCTYPE r [{entities}]><rdf:RDF {rdf}><e:C e:p='&a29;'/></rdf:RDF>");
    assert!(triples("application/rdf+xml", &bomb).unwrap_err().contains("declares entities"));
    let based =
        format!("<rdf:RDF {rdf} xml:base='http://e.x/{}'>{}", &long[..60_000], "<e:C><e:p>".repeat(1_000));
    assert!(triples("application/rdf+xml", &based).unwrap_err().contains("tags in each other"));
    for unasked in ["application/ld+json", "text/n3"] {
        assert!(triples(unasked, "{}").is_err());
    }
}

#[test]
fn nothing_is_read_when_nobody_waits_any_more() {
    let rows = names(1_000, |at| format!(r#"{{"s":{{"type":"uri","value":"e:{at}"}}}}"#), ",");
    let xml = "<result><binding name='s'><uri>e:a</uri></binding></result>".repeat(1_000);
    let xml = format!("<sparql><head><variable name='s'/></head><results>{xml}</results></sparql>");
    for (query, content_type, body) in [
        (SELECT, JSON, json("\"s\"", &rows)),
        (SELECT, XML, xml),
        (SELECT, TSV, format!("?s\n{}", "<e:a>\n".repeat(1_000))),
        (GRAPH, "text/turtle", "<e:a> <e:b> <e:c> .\n".repeat(1_000)),
        (GRAPH, "application/n-triples", "<e:a> <e:b> <e:c> .\n".repeat(1_000)),
    ] {
        let (waiting, stop) = StopFlag::new();
        assert!(read_with(&stop, LIMITS, query, content_type, &body).is_ok(), "{content_type}");
        drop(waiting);
        let error = read_with(&stop, LIMITS, query, content_type, &body).unwrap_err();
        assert!(error.to_string().contains("cancelled"), "{content_type}: {error}");
    }
}

#[test]
fn what_a_header_says_is_one_short_line() {
    let mut raw = Raw::for_fuzzing(json("\"s\"", "{}").as_bytes(), JSON, usize::MAX);
    let words = [b"S1TAT\t\x9b31m".as_slice(), &[b'x'; 10_000]].concat();
    let words = HeaderValue::from_bytes(&words).unwrap();
    raw.head.headers.insert("x-sql-state", words);
    let (_waiting, stop) = StopFlag::new();
    let query = check(SELECT, &Prefixes::default(), &QueryPolicy::default()).unwrap();
    let (_, incomplete) = parse(&raw, &query, LIMITS, &stop).unwrap();
    let Some(Incomplete::Endpoint(words)) = incomplete else { panic!("{incomplete:?}") };
    assert!(words.chars().count() <= 301 && !words.contains(char::is_control), "{words}");
}
