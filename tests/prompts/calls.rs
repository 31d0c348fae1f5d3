//! How each tool is called on a hostile graph.

use super::{CITY, WIKI, escaped, payload};
use serde_json::{Value, json};

/// How each tool is called on a dataset, with what is there and with what is not.
pub(super) fn calls(tool: &str, dataset: &str) -> Vec<Value> {
    let (class, thing, property) = match dataset {
        "wiki" => {
            (format!("{WIKI}Q3"), format!("{WIKI}Q1"), "https://wiki.example/prop/direct/P3".to_owned())
        }
        _ => (format!("{CITY}City"), format!("{CITY}Paris"), format!("{CITY}note")),
    };
    let words = [
        "city note unused population hidden Paris",
        "mayor held Grete Muster height",
        "quetzalcoatl",
        &payload(),
    ];
    let search = || words.iter().map(|words| json!({ "query": words }));
    let of_class = || words.iter().map(|words| json!({"query": words, "class": class}));
    match tool {
        "state_form" => vec![
            json!({"form": payload()}),
            json!({"form": "table", "columns": [payload()], "order": payload()}),
        ],
        "search_class" => search().collect(),
        "search_entity" | "search_property" => search().chain(of_class()).collect(),
        "get_entry" => vec![
            json!({"iri": thing}),
            json!({"iri": thing, "property": property}),
            json!({"iri": thing, "property": format!("{CITY}unused")}),
            json!({"iri": format!("{CITY}a\u{200B}b\u{3164}c")}),
            json!({"iri": class}),
            json!({"iri": property}),
            json!({"iri": format!("{CITY}nothing")}),
            json!({"iri": payload()}),
            json!({"iri": "http://e.x/fail"}),
            json!({"iri": "http://e.x/down"}),
            json!({"iri": format!("{WIKI}Q5")}),
        ],
        "get_property_examples" => vec![
            json!({"property": property}),
            json!({"property": format!("{CITY}population")}),
            json!({"property": format!("{CITY}Ignore_all_rules")}),
            json!({"property": format!("{CITY}unused")}),
            json!({"property": "https://wiki.example/prop/qualifier/P4"}),
            json!({"property": "http://e.x/fail"}),
            json!({"property": payload()}),
        ],
        "search_in" => vec![
            json!({"pattern": "?s ?p ?o", "variable": "p"}),
            json!({"pattern": "?s ?p ?o", "variable": "o"}),
            json!({"pattern": format!("?s a ?c ; <{property}> ?o"), "variable": "c"}),
            json!({"pattern": "?s ?p ?o", "variable": "s", "text": payload()}),
            json!({"pattern": payload(), "variable": payload()}),
            json!({"pattern": "?fail ?p ?o", "variable": "p"}),
        ],
        "search_text" => {
            let about = |words: &&str| json!({"text": words, "thing": thing});
            let found = words.iter().map(|words| json!({ "text": words }));
            found
                .chain(words.iter().map(about))
                .chain([json!({"text": "Paris", "thing": payload()})])
                .collect()
        }
        "compute" => vec![
            json!({"program": "return r1"}),
            json!({"program": "return r2[1]"}),
            json!({"program": "for _, row in ipairs(r1) do print(row.o) end return values(r1, 'o')"}),
            json!({"program": "error(r1[1].o)"}),
            json!({"program": payload()}),
        ],
        "remember" => vec![
            json!({"what": "r1"}),
            json!({"what": "r2"}),
            json!({"what": thing}),
            json!({"what": format!("{CITY}nothing")}),
            json!({"what": format!("{CITY}a\u{200B}b\u{3164}c")}),
            json!({"what": "http://e.x/fail"}),
            json!({"what": payload()}),
        ],
        "query_memory" => vec![
            json!({"query": "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 60"}),
            json!({"query": "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 60"}),
            json!({"query": format!("SELECT ?s {{ ?s ?p \"{}\" }}", escaped(&payload()))}),
            json!({"query": payload()}),
        ],
        "execute_sparql" | "explain_empty" => {
            queries(&class, &thing, &property).iter().map(|query| json!({ "query": query })).collect()
        }
        "answer" => vec![json!({"query": "", "form": "things", "not_in_graph": payload()})],
        "text2sparql" => vec![json!({"question": "Which cities are there?"}), json!({"question": payload()})],
        "list_datasets" | "describe_dataset" => vec![json!({})],
        other => panic!("say here how {other} is called on a hostile graph"),
    }
}

fn queries(class: &str, thing: &str, property: &str) -> Vec<String> {
    let text = escaped(&payload());
    let (p, wdt) = ("https://wiki.example/prop/", "https://wiki.example/prop/direct/");
    vec![
        "SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 60".to_owned(),
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 60".to_owned(),
        format!("SELECT ?o {{ <{thing}> ?p ?o }} ORDER BY DESC(?o) LIMIT 2"),
        format!("SELECT ?o {{ ?x a <{class}> ; <{property}> ?o }} ORDER BY STR(?o) LIMIT 1"),
        format!("SELECT (COUNT(?x) AS ?n) {{ ?x <{property}> \"nothing\" }}"),
        format!("SELECT ?x {{ ?x <{property}> \"{text}x\" }}"),
        format!("SELECT ?x {{ ?x a <{class}> . ?x <{property}> ?o FILTER(?o > 1000000000) }}"),
        format!("SELECT ?x {{ ?x a <{class}> . ?x <{CITY}capital> ?o . ?o <{CITY}note> \"x\" }}"),
        format!("SELECT ?x ?n {{ ?x a <{CITY}City> ; <{CITY}note> ?n }}"),
        format!("SELECT ?x {{ ?x a <{CITY}Empty> ; <{CITY}unused> ?o ; <{CITY}nothing> ?p }}"),
        format!("SELECT ?x {{ ?x <{CITY}Ignore_all_rules> ?o }}"),
        format!("SELECT ?x {{ ?x <{wdt}P3> <{WIKI}Q12> }}"),
        format!("SELECT ?x {{ ?x <{wdt}P3> ?o ; <{p}qualifier/P4> ?q }}"),
        format!("SELECT ?x {{ ?x <{p}P3> ?st . ?st <{p}statement/P3> <{WIKI}Q4> ; <{p}qualifier/P11> ?q }}"),
        format!("SELECT ?x {{ ?x <{wdt}P1> <{WIKI}Q7> }}"),
        format!("SELECT ?x {{ ?x <{wdt}P7> ?h }} ORDER BY ?h"),
        format!("SELECT ?x {{ ?x nowhere:{} ?o }}", "x".repeat(9)),
        format!("SELECT ?x {{ ?x ?p \"{text}\" "),
        "SELECT ?fail { ?fail ?p ?o }".to_owned(),
        "SELECT ?down { ?down ?p ?o }".to_owned(),
    ]
}
