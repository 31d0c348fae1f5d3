//! Answers in words: forty questions in four languages on the demo graph with their sentences, and chains of follow-ups with
//! what came of each.

use eruca::service::{Question, Service};
use eruca::startup;
use eruca::trace::Silent;
use eruca_api::{Column, Confidence, Words};
use eruca_dataset::Dataset;
use eruca_indexer::NoProgress;
use eruca_planner::follow::{Past, PastThing, is_part, stand_alone};
use eruca_planner::{Mention, mentions};
use eruca_sparql::{Answer, Results, Term};
use eruca_testing::helpers::data;
use eruca_testing::scripted::Setup;
use eruca_verbalize::words::{AnswerContext, columns, sentence};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

const QUESTIONS: &[&str] = &[
    "What is the capital of France?",
    "What is the population of Germany?",
    "Which rivers flow through Germany?",
    "How many countries are in Europe?",
    "How long is the Rhine?",
    "Who was born in Madrid?",
    "When was Edmund Hillary born?",
    "What is the highest mountain?",
    "Which country has the largest population?",
    "Is Berlin the capital of Germany?",
    "Is Lyon the capital of France?",
    "How many countries are there for each continent?",
    "List all volcanoes.",
    "What are the official languages of Switzerland?",
    "Which cities in Italy have more than 1 million inhabitants?",
    "What is the capital of Atlantis?",
    "Which vegetarian cities are in Spain?",
    "What is the average height of all mountains?",
    "Show the countries of Africa with their population",
    "Was ist die Hauptstadt von Frankreich?",
    "Wie viele Länder liegen in Europa?",
    "Welche Flüsse fließen durch Deutschland?",
    "Wie hoch ist der Mont Blanc?",
    "Welches Land hat die größte Fläche?",
    "Wann wurde Edmund Hillary geboren?",
    "Ist der Rhein länger als die Elbe?",
    "Wie viele Einwohner hat Japan?",
    "Welche Städte liegen an der Donau?",
    "Was ist die Hauptstadt von Atlantis?",
    "¿Cuál es la capital de España?",
    "¿Cuántos países hay en África?",
    "¿Qué ríos pasan por Francia?",
    "¿Cuál es la montaña más alta?",
    "¿Cuándo nació Edmund Hillary?",
    "¿Qué países tienen más de 100 millones de habitantes?",
    "Quelle est la capitale de l'Italie ?",
    "Combien de pays y a-t-il en Asie ?",
    "Quels pays ont plus de 100 millions d'habitants ?",
    "Quelle est la plus haute montagne ?",
    "Quelle est la population du Japon ?",
];

/// Questions with a name that the graph does not hold: by itself, like one that it holds, and beside one.
const UNKNOWN: &[&str] = &[
    "Who is the mayor of Atlantis?",
    "Wer ist der Bürgermeister von Atlantis?",
    "¿Quién es el alcalde de Atlantis?",
    "Qui est le maire d'Atlantis ?",
    "Which is the largest city of Narnia?",
    "Which rivers flow through Germany and Narnia?",
    "Welche Flüsse fließen durch Deutschland und Narnia?",
    "Is Berlin the capital of Narnia?",
    "When was Frodo Baggins born?",
    "How high is the Matterhorn in Narnia?",
];

/// Chains of questions to the demo graph: what each one becomes behind those before it.
const CHAINS: &[&[&str]] = &[
    &["Which rivers flow through Germany?", "And in France?", "Which of them are longer than 1000 km?"],
    &["What is the capital of Japan?", "How many people live there?", "And in Paris?"],
    &["What is the highest mountain?", "How high is it?", "In which country is it?"],
    &["Which country has the largest population?", "What is its capital?", "And the smallest?"],
    &["Which cities are in Italy?", "How many are there?"],
    &["Which cities are in Spain?", "Only those with more than 2 million inhabitants"],
    &["How long is the Rhine?", "And the Danube?", "Which countries does it flow through?"],
    &["When was Edmund Hillary born?", "When did he die?"],
    &["What is the population of Germany?", "What about Atlantis?"],
    &["Which countries are in Africa?", "Sort them by population", "What is the capital of Kenya?"],
    &["Which rivers flow through Germany?", "And the longest?"],
    &[
        "Which rivers flow through Germany?",
        "Which of them is the longest?",
        "Which countries does it flow through?",
    ],
    &["Welche Flüsse fließen durch Deutschland?", "Und der längste?", "Durch welche Länder fließt er?"],
    &["Welche Flüsse fließen durch Deutschland?", "Welcher davon ist der längste?"],
    &["¿Qué ríos pasan por Francia?", "¿Y el más largo?"],
    &["¿Qué países hay en África?", "¿Cuál de ellos es el más grande?", "¿Cuál es su capital?"],
    &["Quels pays sont en Afrique ?", "Et le plus grand ?", "Quelle est sa population ?"],
    &["Quels pays ont plus de 100 millions d'habitants ?", "Lequel est le plus grand ?"],
    &["Was ist die Hauptstadt von Frankreich?", "Und von Italien?", "Wie viele Einwohner hat sie?"],
    &["Welche Flüsse fließen durch Deutschland?", "Welche davon fließen durch Frankreich?"],
    &["Wie hoch ist der Mont Blanc?", "Und das Matterhorn?", "In welchem Land liegt es?"],
    &["Welche Länder liegen in Europa?", "Wie viele sind es?"],
    &["¿Cuál es la capital de España?", "¿Y de Portugal?", "¿Cuál es su población?"],
    &["¿Qué ríos pasan por Francia?", "¿Y por Alemania?", "¿Cuántos son?"],
    &["¿Cuándo nació Edmund Hillary?", "¿Cuándo murió?"],
    &["Quelle est la capitale de l'Italie ?", "Et de l'Espagne ?", "Quelle est sa population ?"],
    &["Quels fleuves traversent la France ?", "Combien y en a-t-il ?"],
];
/// The same on a shop.
const SHOP_CHAINS: &[&[&str]] = &[
    &["Which cities are in Germany?", "And in France?", "How many are there?"],
    &["What is the population of Hamburg?", "And of Munich?", "In which country is it?"],
    &["Which city has the largest population?", "And the smallest?", "In which country is it?"],
];

async fn demo() -> (Setup, Arc<Service>) {
    let setup = Setup::demo();
    let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
    (setup, service)
}

/// What came of a question.
struct Asked {
    question: eruca_planner::question::ParsedQuestion,
    mentions: Vec<Mention>,
    things: Vec<PastThing>,
    whole: bool,
    words: Words,
    columns: String,
    confidence: &'static str,
}

/// How a kind is sent.
fn name(kind: impl serde::Serialize) -> String {
    serde_json::to_value(kind).unwrap().as_str().unwrap().to_owned()
}

async fn ask(service: &Arc<Service>, text: &str) -> Asked {
    let dataset = service.datasets().first().unwrap().id.clone();
    let asked = Question { dataset: dataset.clone(), text: text.to_owned() };
    let answered = service.answer(&asked, &Silent).await.unwrap();
    let dataset = service.dataset(&dataset).unwrap();
    let question = dataset.read(text);
    let dataset = dataset.asked(&question);
    let (query, answer) = (dataset.check(&answered.query).unwrap(), answered.results.clone().unwrap());
    let columns = columns(&dataset, &query, &answer);
    let words = sentence(&AnswerContext {
        dataset: &dataset,
        question: &question,
        query: &query,
        answer: &answer,
        absence: None,
        computed: answered.trace.computed.as_ref(),
        insight: answered.trace.insight.as_ref(),
        labels: &BTreeMap::new(),
        empty: None,
        orientation: None,
        added: 0,
        unit: None,
        columns: &columns,
    });
    assert_eq!(words.text, words.parts.iter().map(|part| part.text.as_str()).collect::<String>());
    let told = |one: &Column| {
        let unit = one.unit.as_ref().map_or(String::new(), |unit| format!(" in {unit}"));
        format!("{} ({}{unit})", one.title, name(one.kind))
    };
    Asked {
        mentions: mentions(&dataset.index, &question).unwrap(),
        things: things(&dataset, &answer),
        whole: answer.incomplete.is_none(),
        columns: columns.iter().map(told).collect::<Vec<_>>().join(", "),
        confidence: answered
            .trace
            .insight
            .as_ref()
            .map_or("", |insight| Confidence::name(insight.confidence)),
        question,
        words,
    }
}

/// The things in the first column.
fn things(dataset: &Dataset, answer: &Answer) -> Vec<PastThing> {
    let Results::Solutions(solutions) = &answer.results else { return Vec::new() };
    let first = solutions.rows.iter().filter_map(|row| match row.first() {
        Some(Some(Term::NamedNode(node))) => Some(node.as_str().to_owned()),
        _ => None,
    });
    first.map(|iri| PastThing { name: dataset.schema_name(&iri), iri }).collect()
}

/// The sentence for a question, with the columns of its answer.
async fn told(service: &Arc<Service>, text: &str) -> String {
    let Asked { words, columns, confidence, .. } = ask(service, text).await;
    format!("{text}\n    {}\n    {}; {confidence}; {columns}\n", words.text, name(words.kind))
}

/// What becomes of the questions of a chain.
async fn chain(service: &Arc<Service>, questions: &[&str]) -> String {
    let mut told = String::new();
    let mut before: Vec<Asked> = Vec::new();
    for text in questions {
        let dataset = service.datasets().first().unwrap().id.clone();
        let dataset = service.dataset(&dataset).unwrap();
        let question = dataset.read(text);
        // As the service looks back.
        let back = if is_part(&question) { 3 } else { 1 };
        let followed = before.iter().rev().take(back).find_map(|last| {
            let past = Past {
                question: &last.question,
                mentions: &last.mentions,
                things: &last.things,
                whole: last.whole,
                group: None,
            };
            stand_alone(&dataset.index, &past, &question, &mentions(&dataset.index, &question).unwrap())
        });
        writeln!(told, "{text}").unwrap();
        let asked = followed.as_ref().map_or(*text, |followed| &followed.text);
        if let Some(followed) = &followed {
            writeln!(told, "  = {} [{}]", followed.text, followed.taken_over.join("; ")).unwrap();
        }
        let answered = ask(service, asked).await;
        writeln!(told, "    {}", answered.words.text).unwrap();
        before.push(answered);
    }
    told
}

#[tokio::test]
async fn forty_questions_are_answered_in_their_language() {
    let (_setup, service) = demo().await;
    let mut table = String::new();
    for question in QUESTIONS {
        writeln!(table, "{}", told(&service, question).await).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn names_that_the_graph_does_not_hold_are_said_first() {
    let (_setup, service) = demo().await;
    let mut table = String::new();
    for question in UNKNOWN {
        writeln!(table, "{}", told(&service, question).await).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn chains_of_questions_are_followed() {
    let (_setup, service) = demo().await;
    let mut table = String::new();
    for questions in CHAINS {
        writeln!(table, "{}", chain(&service, questions).await).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn chains_of_questions_to_a_shop_are_followed() {
    let file = serde_json::Value::from(data("questions/shop.ttl"));
    let setup = Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]"));
    let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
    let mut table = String::new();
    for questions in SHOP_CHAINS {
        writeln!(table, "{}", chain(&service, questions).await).unwrap();
    }
    insta::assert_snapshot!(table);
}
