//! No graph breaks the program: graphs with every kind of IRI, literal and shape are indexed, asked and explored.

use eruca::agent_features::AgentFeatures;
use eruca::config::Settings;
use eruca::service::{Question, Service};
use eruca::startup;
use eruca::tools::{Arguments, TOOLS, ToolContext, Workspace};
use eruca::trace::Silent;
use eruca_dataset::Dataset;
use eruca_indexer::NoProgress;
use eruca_testing::helpers::install_tls;
use eruca_verbalize::why::{explained, why};
use oxigraph::io::{RdfFormat, RdfParser};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// Graphs of one run. Each is built anew, which takes its time.
const GRAPHS: u32 = 12;
const QUESTIONS: usize = 3;
/// IRIs of a graph on which the tools are tried.
const EXPLORED: usize = 4;
/// Rows of an answer that are explained.
const EXPLAINED: usize = 3;

/// IRIs of which no two are odd in the same way. Some are none: those statements are left out.
const IRIS: &[&str] = &[
    "http://ex.org/plain",
    "http://ex.org/a#b",
    "http://ex.org/",
    "http://ex.org/x#",
    "http://ex.org/x:",
    "http://ex.org",
    "http://пример.рф/",
    "http://пример.рф/вещь",
    "http://例え.テスト/東京#都",
    "http://xn--e1afmkfd.xn--p1ai/a",
    "http://ex.org/%C3%A9t%C3%A9",
    "http://ex.org/%",
    "http://ex.org/%zz%4",
    "http://ex.org/%FF%FE",
    "http://ex.org/a%20b%2Fc",
    "urn:x",
    "urn:isbn:0451450523",
    "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
    "mailto:a@b.example",
    "tel:+49",
    "x:",
    "x:y",
    "data:,a",
    "file:///tmp/a b",
    "http://ex.org/\u{202e}drow\u{200b}",
    "http://ex.org/e\u{301}\u{301}\u{301}",
    "http://ex.org/\u{1f469}\u{200d}\u{1f4bb}/\u{1f3f4}",
    "http://ex.org/(a)'b'!$&*+,;=",
    "http://ex.org/a?b=c&d=é#ä/ö",
    "http://[::1]:8080/x",
    "http://user:pw@ex.org:1/",
    "http://ex.org/camelCaseNameOFThings2",
    "http://ex.org/snake_case__name_",
    "http://ex.org/123",
    "http://ex.org/-",
    "http://ex.org/.",
    "HTTP://EX.ORG/A/../B",
    "http://www.wikidata.org/entity/Q1",
    "http://www.wikidata.org/prop/direct/P31",
    "http://www.wikidata.org/entity/P31",
];

/// Predicates that say what a graph is made of.
const SCHEMA: &[&str] = &[
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#first",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://www.w3.org/2000/01/rdf-schema#subClassOf",
    "http://www.w3.org/2000/01/rdf-schema#subPropertyOf",
    "http://www.w3.org/2000/01/rdf-schema#domain",
    "http://www.w3.org/2000/01/rdf-schema#range",
    "http://www.w3.org/2002/07/owl#sameAs",
    "http://www.w3.org/2002/07/owl#inverseOf",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/description",
    "http://wikiba.se/ontology#directClaim",
    "http://wikiba.se/ontology#propertyType",
    "http://wikiba.se/ontology#rank",
    "http://www.wikidata.org/prop/direct/P31",
    "http://www.wikidata.org/prop/direct/P279",
];

/// Things that only types are.
const CLASSES: &[&str] = &[
    "http://www.w3.org/2000/01/rdf-schema#Class",
    "http://www.w3.org/2002/07/owl#Class",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property",
    "http://www.w3.org/2002/07/owl#ObjectProperty",
    "http://www.w3.org/2002/07/owl#Restriction",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil",
    "http://wikiba.se/ontology#Property",
    "http://wikiba.se/ontology#Statement",
    "http://wikiba.se/ontology#Item",
];

const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{0}",
    "\u{1}\u{7f}\u{9f}",
    "a\nb\tc\r",
    "\"quoted\" \\ back",
    "harbour",
    "red harbour of the north",
    "Ünïcödé ßtraße",
    "東京都の港",
    "ميناء\u{202e}rtl",
    "\u{200b}\u{feff}\u{2060}",
    "e\u{301}\u{301}",
    "\u{1f469}\u{200d}\u{1f4bb}",
    "?s ?p ?o } SELECT",
    "http://ex.org/plain",
    "%20%zz",
    "O'Brien's",
    "-1",
    "1e400",
    "NaN",
    "99999999999999999999999999999999999999999",
    "12026-01-01T00:00:00Z",
    "-0044-03-15",
    "0000-00-00",
    "true",
    "P1Y2M",
    "<b>bold</b>",
    "POINT(1 2",
];

/// What stands behind the quotes of a literal.
const ENDINGS: &[&str] = &[
    "",
    "@en",
    "@de-CH-1996",
    "@x-private",
    "@EN-gb",
    "^^<http://www.w3.org/2001/XMLSchema#integer>",
    "^^<http://www.w3.org/2001/XMLSchema#decimal>",
    "^^<http://www.w3.org/2001/XMLSchema#double>",
    "^^<http://www.w3.org/2001/XMLSchema#float>",
    "^^<http://www.w3.org/2001/XMLSchema#boolean>",
    "^^<http://www.w3.org/2001/XMLSchema#date>",
    "^^<http://www.w3.org/2001/XMLSchema#dateTime>",
    "^^<http://www.w3.org/2001/XMLSchema#gYear>",
    "^^<http://www.w3.org/2001/XMLSchema#duration>",
    "^^<http://www.w3.org/2001/XMLSchema#base64Binary>",
    "^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>",
    "^^<http://www.opengis.net/ont/geosparql#wktLiteral>",
    "^^<urn:own>",
];

fn iri() -> impl Strategy<Value = String> {
    let known = prop::sample::select(IRIS).prop_map(str::to_owned);
    let long =
        (1_000_usize..10_000).prop_map(|length| format!("http://ex.org/{}", "długi/".repeat(length / 6)));
    let any = "[a-z]{1,3}:(//)?\\PC{0,20}".prop_map(|text| text.replace([' ', '<', '>', '"', '\\'], "-"));
    prop_oneof![20 => known, 1 => long, 3 => any]
}

fn literal() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        20 => prop::sample::select(TEXTS).prop_map(str::to_owned),
        1 => (1_000_usize..20_000).prop_map(|length| "sehr lang ".repeat(length / 10)),
        3 => "\\PC{0,30}",
        2 => any::<f64>().prop_map(|number| number.to_string()),
    ];
    (text, prop::sample::select(ENDINGS)).prop_map(|(text, ending)| format!("\"{}\"{ending}", escaped(&text)))
}

fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A node: an IRI in brackets, or one of few blank nodes.
fn node() -> impl Strategy<Value = String> {
    let blank = (0..4).prop_map(|number| format!("_:b{number}"));
    let class = prop::sample::select(CLASSES).prop_map(|iri| format!("<{iri}>"));
    prop_oneof![8 => iri().prop_map(|iri| format!("<{iri}>")), 1 => blank, 2 => class]
}

fn statement() -> impl Strategy<Value = String> {
    let schema = prop::sample::select(SCHEMA).prop_map(str::to_owned);
    let predicate = prop_oneof![3 => schema, 2 => iri()];
    let object = prop_oneof![3 => node(), 2 => literal()];
    (node(), predicate, object)
        .prop_map(|(subject, predicate, object)| format!("{subject} <{predicate}> {object} .\n"))
}

/// Statements, some of them in circles: of a thing with itself, and there and back.
fn graph() -> impl Strategy<Value = String> {
    let circle = (node(), node(), prop::sample::select(SCHEMA)).prop_map(|(one, other, predicate)| {
        format!("{one} <{predicate}> {other} .\n{other} <{predicate}> {one} .\n{one} <{predicate}> {one} .\n")
    });
    let sound = "<http://ex.org/s> <http://ex.org/p> \"sound\" .\n".to_owned();
    let part = prop_oneof![8 => statement(), 1 => circle];
    prop_oneof![
        12 => prop::collection::vec(part, 20..120),
        1 => statement().prop_map(|statement| vec![statement]),
    ]
    .prop_map(move |parts| sound.clone() + parts.concat().as_str())
}

/// Texts to ask: words of names and literals in the shapes of questions.
fn questions(graph: &str) -> Vec<String> {
    let mut words = graph
        .split(['"', '/', '#', '<', '>', ':', '\n'])
        .filter(|part| !part.trim().is_empty() && part.len() < 200)
        .filter(|part| !["http", "www.w3.org"].contains(part));
    let mut next = || words.by_ref().nth(7).unwrap_or("harbour").to_owned();
    let shapes = [
        format!("Which {} has {}?", next(), next()),
        format!("How many {} are there for each {}?", next(), next()),
        format!("{} {}", next(), next()),
    ];
    shapes.into_iter().take(QUESTIONS).collect()
}

/// IRIs of a graph, from all parts of it.
fn iris(graph: &str) -> Vec<&str> {
    let all: Vec<&str> = graph.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0)).collect();
    all.iter().copied().step_by((all.len() / EXPLORED).max(1)).take(EXPLORED).collect()
}

async fn explore(dataset: &Dataset, iri: &str, words: &str) {
    let (mut workspace, features) = (Workspace::of(words), AgentFeatures::default());
    let timeout = Duration::from_secs(10);
    let query = format!("SELECT * WHERE {{ <{iri}> ?p ?o . ?o ?q \"nothing of this\" }}");
    for tool in TOOLS {
        let subjects: &[serde_json::Value] = match tool.name() {
            "execute_sparql" => &[
                json!({ "query": query }),
                json!({ "query": format!("SELECT * WHERE {{ <{iri}> ?p ?o }} LIMIT 5") }),
                json!({ "query": format!("CONSTRUCT WHERE {{ ?s <{iri}> ?o }}") }),
            ],
            "remember" => &[json!({ "what": iri }), json!({ "what": "r1" }), json!({ "what": "r2" })],
            "query_memory" => &[
                json!({ "query": "SELECT * { ?s ?p ?o }" }),
                json!({ "query": format!("CONSTRUCT {{ ?o <{iri}> ?s }} WHERE {{ ?s ?p ?o }}") }),
            ],
            "answer" => &[json!({ "query": query, "form": "list" })],
            "state_form" => &[json!({ "form": words })],
            "get_entry" => &[json!({ "iri": iri })],
            "get_property_examples" => &[json!({ "property": iri })],
            "search_in" => &[
                json!({ "pattern": format!("<{iri}> ?p ?o"), "variable": "p" }),
                json!({ "pattern": "?s ?p ?o", "variable": "o", "text": words }),
            ],
            "search_text" => &[json!({ "text": words }), json!({ "text": words, "thing": iri })],
            _ => &[json!({ "query": words }), json!({ "query": iri, "class": iri })],
        };
        for arguments in subjects {
            let arguments = Arguments::parse(&arguments.to_string()).unwrap();
            let context = ToolContext { dataset, timeout, features, max_chars: 6_000, workspace: &workspace };
            let seen = tool.call(&arguments, &context).await;
            assert!(!seen.text.is_empty(), "{} {arguments:?}", tool.name());
            if let Some(brought) = &seen.brought {
                workspace.take(brought);
            }
            if let Some(run) = &seen.run {
                workspace.keep(run);
            }
        }
    }
    let turtle = workspace.memory().turtle(dataset.prefixes(), usize::MAX).text;
    let reader = RdfParser::from_format(RdfFormat::Turtle).for_reader(turtle.as_bytes());
    assert!(reader.into_iter().all(|quad| quad.is_ok()), "{turtle}");
}

/// Whatever the rows hold, they are explained; time that is too short is no fault.
async fn explain(dataset: &Dataset, query: &str) {
    let query = dataset.check(query).unwrap();
    assert!(!explained(dataset, &query, eruca_language::fallback()).is_empty());
    let Ok(answer) = dataset.run(&query, Duration::from_secs(10)).await else { return };
    for row in 0..answer.row_count().min(EXPLAINED) {
        let why = why(dataset, &query, &answer, row, Duration::from_secs(10)).await.unwrap();
        assert!(!why.text.is_empty() && (!why.parts.is_empty() || !why.notes.is_empty()), "{}", query.text());
    }
}

async fn try_out(text: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("graph.nt"), text).unwrap();
    let file = folder.path().join("eruca.toml");
    let toml = "[index]\nfolder = \"index\"\nskip_errors = true\n[agent]\ndeadline_seconds = 20\n\
                [[datasets]]\nid = \"graph\"\nfiles = [\"graph.nt\"]\n";
    std::fs::write(&file, toml).unwrap();
    let settings = Settings::load_from(Some(&file), folder.path(), &[]).unwrap();
    let service: Arc<Service> =
        startup::open_service(&settings, &NoProgress).await.map_err(|error| error.to_string())?;
    let dataset = service.dataset("graph").unwrap();
    let asked = questions(text);
    for question in &asked {
        let question = Question { dataset: "graph".to_owned(), text: question.clone() };
        let answered =
            service.answer(&question, &Silent).await.map_err(|error| format!("{question:?}: {error}"))?;
        let prefixes = eruca_sparql::Prefixes::default();
        eruca_sparql::check(&answered.query, &prefixes, &eruca_sparql::QueryPolicy::default())
            .map_err(|error| format!("{question:?}: {}: {error}", answered.query))?;
        explain(&dataset, &answered.query).await;
    }
    for (iri, words) in iris(text).into_iter().zip(asked.iter().cycle()) {
        explore(&dataset, iri, words).await;
    }
    Ok(())
}

#[test]
fn every_graph_is_indexed_asked_and_explored() {
    install_tls();
    let runtime = Runtime::new().unwrap();
    let cases =
        std::env::var("ERUCA_TEST_GRAPHS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(GRAPHS);
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 60,
        ..Config::default()
    });
    let tried = runner.run(&graph(), |text| runtime.block_on(try_out(&text)).map_err(TestCaseError::fail));
    tried.unwrap();
}
