//! Why rows are answers: the planner's own queries on the demo graph, explained in the language of the question.

mod languages;

use eruca::service::{Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca_api::{Reason, ShownTerm, Why};
use eruca_dataset::Dataset;
use eruca_indexer::NoProgress;
use eruca_sparql::{Answer, CheckedQuery, Results, Term, local_name};
use eruca_testing::helpers::data;
use eruca_testing::scripted::Setup;
use eruca_verbalize::why::{WhyError, why};
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
        (query, Arc::unwrap_or_clone(answer))
    }

    /// What the planner makes of a question, and why the first row is an answer.
    async fn asked(&self, text: &str) -> (String, Why) {
        let question = Question { dataset: self.dataset.id.clone(), text: text.to_owned() };
        let answered = self.service.answer(&question, &Silent).await.unwrap();
        let (query, answer) = self.run(&answered.query).await;
        let dataset = self.dataset.asked(&self.dataset.read(text));
        (answered.query.clone(), why(&dataset, &query, &answer, 0, TIME).await.unwrap())
    }

    /// Every statement that is told stands in the graph.
    async fn check(&self, told: &str, why: &Why) {
        assert!(why.notes.is_empty(), "{told}: {why:?}");
        assert!(!why.parts.is_empty(), "{told}");
        for [s, p, o] in statements(&why.parts).into_iter().map(|terms| terms.map(ShownTerm::to_term)) {
            let (_, answer) = self.run(&format!("ASK {{ {s} {p} {o} }}")).await;
            assert_eq!(answer.results, Results::Boolean(true), "{told}: {s} {p} {o}");
        }
    }
}

fn statements(parts: &[Reason]) -> Vec<[&ShownTerm; 3]> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Reason::Triple { subject, predicate, object, .. } => found.push([subject, predicate, object]),
            Reason::Path { triples, .. } => found.extend(triples.iter().map(|triple| statement(triple))),
            Reason::Members { triples, example, .. } => {
                found.extend(triples.iter().flatten().map(|triple| statement(triple)));
                found.extend(statements(example));
            }
            _ => {}
        }
    }
    found
}

fn statement(triple: &[ShownTerm]) -> [&ShownTerm; 3] {
    let [subject, predicate, object] = triple else { panic!("{triple:?}") };
    [subject, predicate, object]
}

fn short(term: &ShownTerm) -> String {
    match &term.to_term() {
        Term::NamedNode(node) => local_name(node.as_str()).to_owned(),
        Term::Literal(literal) => format!("\"{}\"", literal.value()),
        _ => "_".to_owned(),
    }
}

fn line(part: &Reason) -> String {
    let said = |triple: [&ShownTerm; 3]| triple.map(short).join(" ");
    match part {
        Reason::Triple { subject, predicate, object, optional } => {
            format!("{}{}", said([subject, predicate, object]), if *optional { " (optional)" } else { "" })
        }
        Reason::Path { subject, path, object, triples } => format!(
            "{} … {} by {path}: {}",
            short(subject),
            short(object),
            triples.iter().map(|triple| said(statement(triple))).collect::<Vec<_>>().join(", ")
        ),
        Reason::Condition { words, holds } => format!("{words}{}", if *holds { "" } else { " (not so)" }),
        Reason::Absent { words, .. }
        | Reason::Rank { words, .. }
        | Reason::Either { words }
        | Reason::Named { words }
        | Reason::OptionalMissing { words } => words.clone(),
        Reason::Members { of, members, total, value, example, .. } => {
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

/// The parts in alphabetical order: that of a query may be another one, where two readings are equal.
async fn told(graph: &Graph, questions: &[&str]) -> String {
    let mut all = Vec::new();
    for question in questions {
        let (query, why) = graph.asked(question).await;
        graph.check(&format!("{question}\n{query}"), &why).await;
        let shown = shown(&why);
        let (mut parts, sentence): (Vec<&str>, Vec<&str>) =
            shown.lines().partition(|line| line.starts_with("  "));
        parts.sort_unstable();
        let lines: Vec<&str> = sentence.into_iter().chain(parts).collect();
        all.push(format!("{question}\n{}", lines.join("\n")));
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
    insta::assert_snapshot!(told(&graph, &questions).await, @r#"
    Which rivers flow through Germany?
    This row is an answer because of 2 statements of the graph.
      Rhine flowsThrough Germany
      Rhine type River

    Which three rivers are the longest?
    This row is an answer because of 2 statements of the graph.
      Nile lengthKm "6650"
      Nile type River
      number 1 by length = 6,650 km, largest first

    How many countries are in Europe?
    This row is an answer because of 35 members that are counted or reckoned with.
      number of different country = "35": Austria, Belgium, Bulgaria of Some(35) [Austria continent Europe; Austria type Country]

    Which countries have more than 100 million inhabitants?
    This row is an answer because of 2 statements of the graph and one condition that holds.
      Brazil population "203000000"
      Brazil type Country
      population (203,000,000) > 100,000,000

    Welche Länder haben mehr als 100 Millionen Einwohner?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen und einer Bedingung, die gilt.
      Brazil population "203000000"
      Brazil type Country
      Einwohnerzahl (203.000.000) > 100.000.000

    Wie viele Städte gibt es in Frankreich?
    Diese Zeile ist eine Antwort aufgrund von 3 Mitgliedern, die gezählt oder verrechnet werden.
      Anzahl (Stadt, ohne Doppelte) = "3": Lyon, Marseille, Paris of Some(3) [Lyon inCountry France; Lyon type City]

    Welcher Berg ist der höchste?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen.
      Mount_Everest heightM "8849"
      Mount_Everest type Mountain
      Nummer 1 nach Höhe = 8.849 m, das Größte zuerst

    ¿Cuál es la capital de España?
    Esta fila es una respuesta gracias a un enunciado del grafo.
      Spain capital Madrid

    Quelle est la population moyenne des pays d'Europe ?
    Cette ligne est une réponse grâce à 34 membres comptés ou pris dans le calcul.
      moyenne de population = "23715529.411764705882352941": Austria "9150000", Belgium "11700000", Bulgaria "6440000" of Some(34) [Austria type Country; Austria continent Europe; Austria population "9150000"]
    "#);
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
    insta::assert_snapshot!(told(&graph, &questions).await, @r#"
    Which rooms have no foreman?
    This row is an answer because of one statement of the graph and one thing that was looked for and not found.
      loft type Room
      looked for and not found: foreman: works in Quiet Loft

    Which tools are from German makers?
    This row is an answer because of 5 statements of the graph.
      HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool
      brunn homeNation Germany
      brunn type Maker
      t2 madeBy brunn
      t2 type HandTool

    Which hand tools weigh more than 1000 g?
    This row is an answer because of 2 statements of the graph and one condition that holds.
      t4 type HandTool
      t4 weight_g "4200"
      weight (4,200 g) > 1,000 g

    What is the second most expensive tool?
    This row is an answer because of 3 statements of the graph.
      Machine … Tool by sub class of any number of times: Machine subClassOf Tool
      number 2 by price = 79, largest first
      t6 price "79.00"
      t6 type Machine

    Which maker makes the heaviest hammer?
    This row is an answer because of 4 statements of the graph.
      delta type Maker
      number 1 by weight = 4,200 g, largest first
      t4 madeBy delta
      t4 ofKind hammers
      t4 weight_g "4200"

    Who was hired before 2000?
    This row is an answer because of one statement of the graph and one condition that holds.
      p4 hired "1999-07-15"
      part of date of hiring (1999) < 2000

    Are there rooms with no worker?
    The answer is yes because of one statement of the graph and one thing that was looked for and not found.
      loft type Room
      looked for and not found: worker: works in Quiet Loft; worker

    Which workers are without a foreman?
    This row is an answer because of 2 statements of the graph and one thing that was looked for and not found.
      Foreman … Worker by sub class of any number of times: Foreman subClassOf Worker
      looked for and not found: Ada Lund: has foreman
      p1 type Foreman

    What is the average price of the tools?
    This row is an answer because of 7 members that are counted or reckoned with.
      average of price = "71.628571428571428571": t1 "24.5", t2 "9.9", t3 "18" of Some(7) [t1 type HandTool; HandTool … Tool by sub class of any number of times: HandTool subClassOf Tool; t1 price "24.50"]

    Welche Hersteller sind in Frankreich?
    Diese Zeile ist eine Antwort aufgrund von 2 Aussagen des Graphen.
      arbor homeNation France
      arbor type Maker
    "#);
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
async fn what_cannot_be_shown_is_said() {
    let graph = Graph::workshop().await;
    let (query, answer) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Room> }").await;
    let rows = answer.row_count();
    let none = why(&graph.dataset, &query, &answer, rows, TIME).await;
    assert_eq!(none, Err(WhyError::NoSuchRow { row: rows, rows }));

    let hurried = why(&graph.dataset, &query, &answer, 0, Duration::ZERO).await.unwrap();
    assert!(hurried.parts.is_empty(), "{hurried:?}");
    insta::assert_snapshot!(hurried.notes.join("\n"), @r#"There was no time to look up everything."#);

    // The data has changed since: what the row says is no longer in the graph.
    let (_, other) = graph.run("SELECT ?x { ?x a <https://example.org/workshop/Kind> }").await;
    let gone = why(&graph.dataset, &query, &other, 0, TIME).await.unwrap();
    insta::assert_snapshot!(format!("{}\n{}", gone.text, gone.notes.join("\n")), @r#"
    Why this row is an answer could not be found out.
    The row is no longer there: the data has changed, or the endpoint answers otherwise now.
    "#);

    let (query, answer) = graph.run("CONSTRUCT { ?x a ?y } WHERE { ?x a ?y } LIMIT 2").await;
    let made = why(&graph.dataset, &query, &answer, 1, TIME).await.unwrap();
    insta::assert_snapshot!(made.notes.join("\n"), @r#"The query makes or describes statements; these are not explained one by one."#);

    let (query, answer) = graph.run("ASK { ?x a <https://example.org/workshop/Nothing> }").await;
    let no = why(&graph.dataset, &query, &answer, 0, TIME).await.unwrap();
    insta::assert_snapshot!(shown(&no), @r#"
    The answer is no: what was asked for is not in the graph.
      looked for and not found: Nothing
    "#);
}
