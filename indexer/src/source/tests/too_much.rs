//! Files that exceed a limit are refused with the position and the limit; files just within the limits are read.

use super::*;
use serde_json::{Value, json};

/// A construct nested the given number of times.
fn nested(begin: &str, inside: &str, end: &str, times: usize) -> String {
    format!("{}{inside}{}", begin.repeat(times), end.repeat(times))
}

/// Documents with this many levels of each construct of JSON-LD that can be nested; a level is one or two deep.
fn deep(times: usize) -> Vec<(&'static str, String)> {
    let node = r#"{"@id":"http://ex.org/y","http://ex.org/p":"v"}"#;
    let with = |context: Value, begin: &str, end: &str| {
        let inside = r#""@id":"http://ex.org/y","http://ex.org/p":"v""#;
        format!("{{\"@context\":{context},{}}}", nested(begin, inside, end, times))
    };
    let of_values = |begin: &str, end: &str| {
        format!(r#"{{"@id":"http://ex.org/x","http://ex.org/p":{}}}"#, nested(begin, "\"v\"", end, times))
    };
    let container = |kind: Value| json!({"g": {"@id": "http://ex.org/g", "@container": kind}});
    let of_terms = nested(r#"{"@id":"http://ex.org/a","@context":{"a":"#, "\"http://ex.org/b\"", "}}", times);
    vec![
        ("nodes", nested(r#"{"@id":"http://ex.org/x","http://ex.org/p":"#, node, "}", times)),
        ("graphs", nested(r#"{"@graph":"#, node, "}", times)),
        ("lists", of_values(r#"{"@list":["#, "]}")),
        ("sets", of_values(r#"{"@set":["#, "]}")),
        ("arrays", of_values("[", "]")),
        ("json", of_values(r#"{"@type":"@json","@value":["#, "]}")),
        ("included", nested(r#"{"@id":"http://ex.org/x","@included":["#, node, "]}", times)),
        ("reversed", nested(r#"{"@id":"http://ex.org/x","@reverse":{"http://ex.org/p":"#, node, "}}", times)),
        ("parts", with(json!({"n": "@nest"}), r#""n":{"#, "}")),
        ("maps of ids", with(container(json!("@id")), r#""g":{"http://ex.org/i":{"#, "}}")),
        ("maps of types", with(container(json!("@type")), r#""g":{"http://ex.org/i":{"#, "}}")),
        ("maps of graphs", with(container(json!(["@graph", "@index"])), r#""g":{"i":{"#, "}}")),
        (
            "contexts of types",
            with(
                json!({"T": {"@id": "http://ex.org/T", "@context": {"z": "http://ex.org/z"}}}),
                r#""@type":"T","http://ex.org/p":{"#,
                "}",
            ),
        ),
        (
            "contexts of properties",
            with(
                json!({"p": {"@id": "http://ex.org/p", "@context": {"@propagate": false}}}),
                r#""@id":"http://ex.org/x","p":{"#,
                "}",
            ),
        ),
        (
            "contexts of terms",
            format!(r#"{{"@context":{{"a":{of_terms}}},"@id":"http://ex.org/x","a":"v"}}"#),
        ),
        ("contexts in lists", format!(r#"{{"@context":{}}}"#, nested("[", "{}", "]", times))),
    ]
}

/// Terms each defined by the next one.
fn chain(links: usize) -> Value {
    let mut terms: serde_json::Map<_, _> =
        (1..links).map(|at| (format!("t{at}"), json!(format!("t{}:x/", at + 1)))).collect();
    terms.insert(format!("t{links}"), json!("http://ex.org/"));
    Value::Object(terms)
}

fn document(context: Value) -> Vec<u8> {
    json!({"@context": context, "@id": "http://ex.org/x", "t1": "v"}).to_string().into_bytes()
}

/// The error, which is the same if errors are skipped.
fn refused(path: &Path) -> String {
    let told = read(path, false).unwrap_err().to_string();
    assert_eq!(read(path, true).unwrap_err().to_string(), told);
    told
}

#[test]
fn json_ld_is_read_as_deep_as_people_write_and_refused_where_it_is_deeper() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, text) in deep(50) {
        let path = write(folder.path(), "shallow.jsonld", text.as_bytes());
        assert!(read(&path, true).is_ok(), "{kind}: {:?}", read(&path, true).err());
    }
    for times in [130, 1_200, 30_000] {
        for (kind, text) in deep(times) {
            let told = refused(&write(folder.path(), "deep.jsonld", text.as_bytes()));
            assert!(
                told.contains("deep.jsonld:1:") && told.contains("more than 128 deep in each other"),
                "{kind}: {told}"
            );
        }
    }
}

#[test]
fn what_came_before_it_is_read_and_texts_are_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let brackets = "[{".repeat(1_000);
    let text = format!(
        "[{{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":\"{brackets}\\\"{brackets}\"}},\n{}]",
        nested("[", "1", "]", 200)
    );
    let path = write(folder.path(), "a.jsonld", text.as_bytes());
    let mut quads = Vec::new();
    let told = read_quads(&path, false, &NoProgress, &mut |quad| quads.push(quad)).unwrap_err().to_string();
    assert!(told.contains("a.jsonld:2:128: objects and arrays"), "{told}");
    assert_eq!(quads.len(), 1);
}

#[test]
fn a_format_that_only_the_name_says_is_tried_within_the_same_bounds() {
    let head = format!("{{\"@id\":\"http://ex.org/x\",\"@graph\":{}", nested("[{\"a\":", "1", "}]", 2_000));
    let format = oxrdfio::RdfFormat::JsonLd { profile: oxrdfio::JsonLdProfileSet::empty() };
    let trial = Trial::of(FileHead { bytes: head.as_bytes(), whole: true }, format);
    assert!(trial.error.unwrap().contains("more than 128 deep"));
}

#[test]
fn terms_that_are_made_of_others_in_too_many_steps_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (quads, _) = read(&write(folder.path(), "short.jsonld", &document(chain(100))), false).unwrap();
    assert!(quads[0].predicate.as_str().starts_with("http://ex.org/x"), "{quads:?}");
    // A long chain, a cycle, and chains at the end of each other.
    let mut context = chain(60);
    for _ in 0..20 {
        let mut outer = chain(60);
        outer["t60"] = json!({"@id": "http://ex.org/", "@context": context});
        context = outer;
    }
    for context in [chain(129), chain(20_000), json!({"a": "b:x", "b": "a:x"}), context] {
        let told = refused(&write(folder.path(), "long.jsonld", &document(context)));
        assert!(
            told.contains("long.jsonld:1:") && told.contains("in more than 128 steps or in a circle"),
            "{told}"
        );
    }
    let escaped =
        String::from_utf8(document(chain(2_000))).unwrap().replacen("@context", "\\u0040cont\\u0065xt", 1);
    assert!(refused(&write(folder.path(), "escaped.jsonld", escaped.as_bytes())).contains("128 steps"));
}

#[test]
fn contexts_that_name_each_other_are_counted_as_often_as_they_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let context = |name: &str, context: Value| {
        write(folder.path(), name, json!({ "@context": context }).to_string().as_bytes());
    };
    let scoped = |to: &str| json!({"@id": "http://ex.org/", "@context": to});
    let term = |at: usize| format!("t{at}");
    // Each refers to the next one twenty times.
    for level in 0..6 {
        let next = format!("c{}.json", level + 1);
        context(&format!("c{level}.json"), (0..20).map(|at| (term(at), scoped(&next))).collect());
    }
    context("c6.json", (0..20).map(|at| (term(at), json!("http://ex.org/long"))).collect());
    // A cycle, and a chain that is too long.
    context("round.json", json!({"t1": scoped("back.json"), "a": "t1:x"}));
    context("back.json", json!({"t2": scoped("round.json")}));
    for at in 0..20 {
        context(&format!("row{at}.json"), json!([format!("row{}.json", at + 1)]));
    }
    for (first, reason) in [
        ("c0.json", "others for its terms"),
        ("round.json", "names itself"),
        ("row0.json", "more than 8 contexts"),
    ] {
        for context in [json!(first), json!([{}, first]), json!({"t1": scoped(first)})] {
            let told = refused(&write(folder.path(), "a.jsonld", &document(context)));
            assert!(told.contains("a.jsonld:1:") && told.contains(reason), "{told}");
        }
    }
    // The file itself is such a context.
    let own = json!({"t1": scoped("own.jsonld"), "a": "t1:x"});
    assert!(refused(&write(folder.path(), "own.jsonld", &document(own))).contains("names itself"));
    context("plain.json", json!({"t1": "http://ex.org/"}));
    let twice = json!(["plain.json", {"t2": scoped("plain.json")}, "plain.json"]);
    assert_eq!(read(&write(folder.path(), "b.jsonld", &document(twice)), false).unwrap().0.len(), 1);
}

#[test]
fn long_contexts_are_in_use_a_few_times_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let long: serde_json::Map<_, _> =
        (0..20_000).map(|at| (format!("term{at}"), json!(format!("http://ex.org/{at}")))).collect();
    let scoped = |context: Value| json!({"@id": "http://ex.org/p", "@context": context});
    let of_terms = long.clone().into_iter().chain([("p".to_owned(), scoped(json!({})))]).collect::<Value>();
    let long = Value::Object(long);
    let read_nested = |context: &Value, begin: &str, late: bool| {
        let (first, last) = (format!("\"@context\":{context},"), format!(",\"@context\":{context}"));
        let inside = nested(begin, "\"@id\":\"http://ex.org/y\"", "}", 60);
        let (first, last) = if late { ("", last.as_str()) } else { (first.as_str(), "") };
        let text = format!("[{{{first}{inside}{last}}},{{{first}{inside}{last}}}]");
        read(&write(folder.path(), "a.jsonld", text.as_bytes()), false)
    };
    let (plain, own, term) = (r#""http://ex.org/p":{"#, r#""http://ex.org/p":{"@context":{},"#, r#""p":{"#);
    for late in [false, true] {
        assert!(read_nested(&long, plain, false).is_ok());
        for (context, begin) in [(&long, own), (&of_terms, term)] {
            let told = read_nested(context, begin, late).unwrap_err().to_string();
            assert!(told.contains("the contexts of objects in each other"), "{told}");
        }
    }
}

#[test]
fn rdf_xml_with_entities_and_depth_beyond_bounds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://ex.org/'";
    let entities: String =
        (1..10).map(|at| format!("<!ENTITY e{at} \"{}\">\n", format!("&e{};", at - 1).repeat(10))).collect();
    let laughs = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY e0 \"aaaaaaaaaa\">\n{entities}]><rdf:RDF {rdf}><e:T><e:p>&e9;</e:p></e:T></rdf:RDF>"
    );
    let deep =
        |times: usize| format!("<rdf:RDF {rdf}>\n{}</rdf:RDF>", nested("<e:T>", "", "</e:T>", 2 * times));
    assert!(read(&write(folder.path(), "a.rdf", deep(1_000).as_bytes()), false).is_ok());
    for (text, place, reason) in [
        (laughs, 12, "stand for more than 1048576 bytes"),
        (deep(10_000), 2, "more than 10000 tags in each other"),
    ] {
        let told = refused(&write(folder.path(), "a.rdf", text.as_bytes()));
        assert!(told.contains(&format!("a.rdf:{place}: ")) && told.contains(reason), "{told}");
    }
}

/// What other parsers keep for open brackets is on the heap, and proportional to the file size.
#[test]
fn turtle_and_entities_of_a_wikibase_may_be_as_deep_as_they_like() {
    let folder = tempfile::tempdir().unwrap();
    let begin = "<http://ex.org/x> <http://ex.org/p> ";
    for (name, text) in [
        ("a.ttl", nested("[ <http://ex.org/p> ", "1", "]", 50_000)),
        ("b.ttl", nested("(", "1", ")", 50_000)),
        ("a.trig", nested("(", "1", ")", 50_000)),
        ("a.n3", nested("{ <http://ex.org/x> <http://ex.org/p> ", "1", "}", 50_000)),
    ] {
        let (quads, _) =
            read(&write(folder.path(), name, format!("{begin}{text} .").as_bytes()), false).unwrap();
        assert!(quads.len() > 50_000, "{name}");
    }
    let quoted = format!("{begin}{} .", nested("<< <http://ex.org/x> <http://ex.org/p> ", "1", ">>", 50_000));
    assert!(read(&write(folder.path(), "c.ttl", quoted.as_bytes()), false).is_err());
    let deep = nested("[{\"a\":", "1", "}]", 50_000);
    for claims in [format!("{{\"P1\":[{{\"mainsnak\":{deep}}}]}}"), deep] {
        let entity = format!(
            "{{\"type\":\"item\",\"id\":\"Q1\",\"labels\":{{}},\"claims\":{claims},\"x\":{claims}}}\n"
        );
        let _read = read(&write(folder.path(), "w.json", entity.as_bytes()), true);
    }
}
