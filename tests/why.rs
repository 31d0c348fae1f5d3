//! Why rows are answers: the planner's own queries on the demo graph, explained in the language of the question.

use crate::helpers::data;
use crate::scripted::Setup;
use eruca::dataset::Dataset;
use eruca::service::{Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca::why::{Part, Why, WhyError, explained, why};
use eruca_indexer::NoProgress;
use eruca_indexer::language::{language, languages};
use eruca_sparql::{Answer, CheckedQuery, Results, Term, local_name};
use std::sync::Arc;
use std::time::Duration;

const TIME: Duration = Duration::from_secs(60);

struct Graph {
    service: Arc<Service>,
    dataset: Arc<Dataset>,
    _setup: Setup,
}

impl Graph {
    async fn demo() -> Self {
        Self::of(Setup::demo(), "demo").await
    }

    async fn workshop() -> Self {
        let file = serde_json::Value::from(data("workshop.ttl"));
        Self::of(Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]")), "graph").await
    }

    async fn of(setup: Setup, id: &str) -> Self {
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        let dataset = service.dataset(id).unwrap();
        Self { service, dataset, _setup: setup }
    }

    async fn run(&self, query: &str) -> (CheckedQuery, Answer) {
        let query = self.dataset.check(query).unwrap();
        let answer = self.dataset.run(&query, TIME).await.unwrap();
        (query, answer)
    }

    /// What the planner makes of a question, and why the first row is an answer.
    async fn asked(&self, text: &str) -> (String, Why) {
        let question = Question { dataset: self.dataset.id.clone(), text: text.to_owned() };
        let answered = self.service.answer(&question, &Silent).await.unwrap();
        let (query, answer) = self.run(&answered.query).await;
        let dataset = self.dataset.asked(&self.dataset.read(text));
        (answered.query, why(&dataset, &query, &answer, 0, TIME).await.unwrap())
    }

    /// Every statement that is told stands in the graph.
    async fn check(&self, told: &str, why: &Why) {
        assert!(why.notes.is_empty(), "{told}: {why:?}");
        assert!(!why.parts.is_empty(), "{told}");
        for [s, p, o] in statements(&why.parts) {
            let (_, answer) = self.run(&format!("ASK {{ {s} {p} {o} }}")).await;
            assert_eq!(answer.results, Results::Boolean(true), "{told}: {s} {p} {o}");
        }
    }
}

fn statements(parts: &[Part]) -> Vec<&[Term; 3]> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Triple { triple, .. } => found.push(triple),
            Part::Path { triples, .. } => found.extend(triples),
            Part::Members { triples, example, .. } => {
                found.extend(triples.iter().flatten());
                found.extend(statements(example));
            }
            _ => {}
        }
    }
    found
}

fn short(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => local_name(node.as_str()).to_owned(),
        Term::Literal(literal) => format!("\"{}\"", literal.value()),
        _ => "_".to_owned(),
    }
}

fn line(part: &Part) -> String {
    let statement = |triple: &[Term; 3]| triple.iter().map(short).collect::<Vec<_>>().join(" ");
    match part {
        Part::Triple { triple, optional } => {
            format!("{}{}", statement(triple), if *optional { " (optional)" } else { "" })
        }
        Part::Path { subject, path, object, triples } => format!(
            "{} … {} by {path}: {}",
            short(subject),
            short(object),
            triples.iter().map(statement).collect::<Vec<_>>().join(", ")
        ),
        Part::Condition { words, holds } => format!("{words}{}", if *holds { "" } else { " (not so)" }),
        Part::Absent { words, .. }
        | Part::Rank { words, .. }
        | Part::Either { words }
        | Part::Named { words }
        | Part::OptionalMissing { words } => words.clone(),
        Part::Members { of, members, total, value, example, .. } => {
            let first = members.iter().take(3).map(|row| row.iter().map(short).collect::<Vec<_>>().join(" "));
            let example: Vec<String> = example.iter().map(line).collect();
            format!(
                "{of} = {}: {} of {total:?} [{}]",
                value.as_ref().map_or_else(String::new, short),
                first.collect::<Vec<_>>().join(", "),
                example.join("; ")
            )
        }
    }
}

fn shown(why: &Why) -> String {
    let lines: Vec<String> = why.parts.iter().map(|part| format!("  {}", line(part))).collect();
    format!("{}\n{}", why.text, lines.join("\n"))
}

async fn told(graph: &Graph, questions: &[&str]) -> String {
    let mut all = Vec::new();
    for question in questions {
        let (query, why) = graph.asked(question).await;
        graph.check(&format!("{question}\n{query}"), &why).await;
        all.push(format!("{question}\n{}", shown(&why)));
    }
    all.join("\n\n")
}

#[tokio::test]
async fn answers_of_the_planner_are_explained_in_the_language_of_the_question() {
    let graph = Graph::demo().await;
    let questions = [
        "Which rivers flow through Germany?",
        "Which three rivers are the longest?",
        "How many countries are in Europe?",
        "Which countries have more than 100 million inhabitants?",
        "Welche Länder haben mehr als 100 Millionen Einwohner?",
        "Wie viele Städte gibt es in Frankreich?",
        "Welcher Berg ist der höchste?",
        "¿Cuál es la capital de España?",
        "Quelle est la population moyenne des pays d'Europe ?",
    ];
    insta::assert_snapshot!(told(&graph, &questions).await, @"");
}

#[tokio::test]
async fn every_kind_of_question_is_explained() {
    let graph = Graph::workshop().await;
    let questions = [
        "Which rooms have no foreman?",
        "Which tools are from German makers?",
        "Which hand tools weigh more than 1000 g?",
        "What is the second most expensive tool?",
        "Which maker makes the heaviest hammer?",
        "Who was hired before 2000?",
        "Are there rooms with no worker?",
        "Which workers are without a foreman?",
        "What is the average price of the tools?",
        "Welche Hersteller sind in Frankreich?",
    ];
    insta::assert_snapshot!(told(&graph, &questions).await, @"");
}

const QUERY: &str = "PREFIX w: <https://example.org/workshop/>
    SELECT ?maker (COUNT(DISTINCT ?tool) AS ?tools) (AVG(?mm) AS ?mean) WHERE {
      ?tool a/rdfs:subClassOf* w:Tool ; w:madeBy ?maker ; w:length_mm ?text .
      BIND(xsd:decimal(?text) AS ?mm)
      OPTIONAL { ?maker w:homeNation ?nation }
      { ?tool w:price ?price } UNION { ?tool w:fitsWith+ ?other }
      FILTER(?mm * 2 > 100 && ?nation != w:nowhere)
      FILTER NOT EXISTS { ?tool w:hired ?day FILTER(YEAR(?day) < 2000) }
    } GROUP BY ?maker HAVING(COUNT(?tool) >= 1) ORDER BY DESC(?tools) ?maker LIMIT 3";

#[tokio::test]
async fn a_query_is_explained_part_by_part_in_every_language() {
    let graph = Graph::workshop().await;
    let query = graph.dataset.check(QUERY).unwrap();
    let mut all = Vec::new();
    for language in languages() {
        let parts = explained(&graph.dataset, &query, language);
        let lines: Vec<String> = parts.iter().map(|part| part.words.clone()).collect();
        all.push(format!("{}\n{}", language.tag(), lines.join("\n")));
    }
    insta::assert_snapshot!(all.join("\n\n"), @"");
    let parts = explained(&graph.dataset, &query, language("en").unwrap());
    let texts: Vec<&str> = parts.iter().map(|part| part.sparql.as_str()).collect();
    insta::assert_snapshot!(texts.join("\n"), @"");
    let (query, answer) = graph.run(QUERY).await;
    let why = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    graph.check(QUERY, &why).await;
    insta::assert_snapshot!(shown(&why), @"");
}

#[tokio::test]
async fn what_cannot_be_shown_is_said() {
    let graph = Graph::workshop().await;
    let (query, answer) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Room> }").await;
    let rows = answer.row_count();
    let none = why(&graph.dataset, &query, &answer, rows, TIME).await;
    assert_eq!(none, Err(WhyError::NoSuchRow { row: rows, rows }));

    let hurried = why(&graph.dataset, &query, &answer, 0, Duration::ZERO).await.unwrap();
    assert!(hurried.parts.is_empty(), "{hurried:?}");
    insta::assert_snapshot!(hurried.notes.join("\n"), @"");

    // The data has changed since: what the row says is no longer in the graph.
    let (_, other) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Kind> }").await;
    let gone = why(&graph.dataset, &query, &other, 0, TIME).await.unwrap();
    insta::assert_snapshot!(format!("{}\n{}", gone.text, gone.notes.join("\n")), @"");

    let (query, answer) = graph.run("CONSTRUCT { ?x a ?y } WHERE { ?x a ?y } LIMIT 2").await;
    let made = why(&graph.dataset, &query, &answer, 1, TIME).await.unwrap();
    insta::assert_snapshot!(made.notes.join("\n"), @"");

    let (query, answer) = graph.run("ASK { ?x a <https://example.org/workshop/Nothing> }").await;
    let no = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    insta::assert_snapshot!(shown(&no), @"");
}
