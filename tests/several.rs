//! Questions to several graphs at once: calls name the graph that they ask, and the final query joins them by SERVICE.

use eruca::llm::{Message, ScriptedModel, ScriptedTurn};
use eruca::service::{AUTO, Answered, Question, Service, WrittenQuery};
use eruca::trace::{Silent, StepKind, StopReason};
use eruca_api::Confidence;
use eruca_testing::helpers::{ClosedPort, repository};
use eruca_testing::scripted::{Setup, rows};
use serde_json::json;
use std::sync::Arc;

const BOTH: &str = "ferries,towns";
const TOWNS: &str = "SERVICE <urn:dataset:towns>";

/// Two graphs that have a code in common, and the same prefix for different namespaces.
fn harbour(more: &str) -> Setup {
    let folder = repository().join("tests/data/several");
    let one = |name: &str| {
        let file = json!(folder.join(format!("{name}.ttl")));
        format!("[[datasets]]\nid = \"{name}\"\nfiles = [{file}]\n")
    };
    Setup::new(&format!("{}{}{more}", one("ferries"), one("towns")))
}

async fn ask(
    setup: &Setup,
    dataset: &str,
    text: &str,
    turns: impl IntoIterator<Item = ScriptedTurn>,
) -> (Answered, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(turns));
    let service = setup.open(model.clone()).await;
    let question = Question { dataset: dataset.to_owned(), text: text.to_owned() };
    let answered = service.answer(&question, &Silent).await.unwrap();
    (Arc::unwrap_or_clone(answered), model)
}

fn observations(answered: &Answered) -> Vec<String> {
    let tool = |kind: &StepKind| match kind {
        StepKind::Tool { observation, .. } => Some(observation.clone()),
        _ => None,
    };
    answered.trace.steps.iter().filter_map(|step| tool(&step.kind)).collect()
}

fn answers(query: &str) -> ScriptedTurn {
    ScriptedTurn::call("answer", json!({ "query": query }))
}

#[tokio::test]
async fn three_questions_that_need_two_graphs() {
    let town = |inner: &str| format!("{TOWNS} {{ ?t <http://towns.example/portCode> ?c {inner} }}");
    let ferry = "?f a <http://ferries.example/Ferry> ; <http://ferries.example/homePort> ?c";
    let large = town("; <http://towns.example/population> ?p FILTER(?p > 20000)");
    let of_country = town("; <http://towns.example/country> ?country");
    let cases = [
        (
            "Which ferries have their home port in a town with a population above 20000?",
            format!("SELECT DISTINCT ?f WHERE {{ {ferry} {large} }} ORDER BY ?f"),
            vec!["borealis", "corona", "delfin"],
        ),
        (
            "How many ferries does each country have?",
            format!(
                "SELECT ?country (COUNT(?f) AS ?n) WHERE {{ {ferry} . {of_country} }} GROUP BY ?country ORDER BY ?country"
            ),
            vec!["Norland | 3", "Suomala | 1"],
        ),
        (
            "Which towns are no home port of a ferry?",
            format!(
                "SELECT ?t WHERE {{ {} MINUS {{ SERVICE <urn:dataset:ferries> {{ {ferry} }} }} }}",
                town("")
            ),
            vec!["inlandia"],
        ),
    ];
    for (question, query, expected) in cases {
        let (answered, _) = ask(&harbour(""), BOTH, question, [answers(&query)]).await;
        assert_eq!(answered.trace.stop, StopReason::Answered, "{question}: {:?}", observations(&answered));
        assert_eq!(rows(&answered), expected, "{question}");
        assert_eq!(answered.dataset_id, BOTH);
        let insight = answered.trace.insight.unwrap();
        assert_ne!(insight.confidence, Confidence::Sure);
        assert!(insight.doubts.iter().any(|doubt| doubt.kind == "several"), "{:?}", insight.doubts);
    }
}

#[tokio::test]
async fn the_model_reads_of_each_graph_and_calls_name_theirs() {
    let turns = [
        ScriptedTurn::calls([
            ("search_entity", json!({"query": "Varholm", "dataset": "towns"})),
            ("search_entity", json!({"query": "Varholm", "dataset": "villages"})),
            (
                "execute_sparql",
                json!({"query": "SELECT ?n WHERE { ex:varholm ex:population ?n }", "dataset": "towns"}),
            ),
        ]),
        ScriptedTurn::call(
            "answer",
            json!({"query": "SELECT ?n WHERE { ex:varholm ex:population ?n }", "dataset": "towns"}),
        ),
    ];
    let (answered, model) = ask(&harbour(""), BOTH, "What is the population of Varholm?", turns).await;
    let seen = observations(&answered);
    assert!(
        seen[0].contains("http://towns.example/varholm") || seen[0].contains("ex:varholm"),
        "{}",
        seen[0]
    );
    assert!(seen[1].contains("there is no dataset \"villages\""), "{}", seen[1]);
    assert!(seen[2].contains("64000"), "{}", seen[2]);
    // A query that one graph answers is that graph's alone.
    assert_eq!((answered.dataset_id.as_str(), rows(&answered)), ("towns", vec!["64000".to_owned()]));
    let requests = model.requests();
    let opening: String = requests[0].messages.iter().map(text_of).collect();
    for told in [
        "there are 2. Find out",
        "Graph \"ferries\"",
        "Graph \"towns\", SERVICE <urn:dataset:towns>",
        "homePort",
        "portCode",
    ] {
        assert!(opening.contains(told), "{told}: {opening}");
    }
    // The graph that the question is about comes first; the other one's prefix means something else in its queries.
    assert!(opening.contains("ex: (here <http://ferries.example/>)"), "{opening}");
    let tool = requests[0].tools.iter().find(|tool| tool.name == "search_class").unwrap();
    assert_eq!(tool.parameters["properties"]["dataset"]["enum"], json!(["towns", "ferries"]));
}

fn text_of(message: &Message) -> String {
    match message {
        Message::System(text) | Message::User(text) => text.clone(),
        _ => String::new(),
    }
}

#[tokio::test]
async fn an_empty_join_tells_the_rows_of_its_parts() {
    let query = format!(
        "SELECT ?f WHERE {{ ?f <http://ferries.example/capacity> 900 ; <http://ferries.example/homePort> ?c \
         {TOWNS} {{ ?t <http://towns.example/portCode> ?c ; <http://towns.example/population> 1 }} }}"
    );
    let turns =
        [ScriptedTurn::call("execute_sparql", json!({ "query": query })), answers(&query), answers(&query)];
    let (answered, _) = ask(&harbour(""), BOTH, "Which ferries with capacity 900 are there?", turns).await;
    let seen = observations(&answered);
    assert!(
        seen[0].contains(
            "the part for \"ferries\" has 1 rows; the part for \"towns\" has 0 rows for the 1 solutions"
        ),
        "{}",
        seen[0]
    );
}

#[tokio::test]
async fn a_graph_that_is_down_is_left_out_and_said_to_be() {
    let port = ClosedPort::take();
    let file = json!(repository().join("tests/data/lamps.ttl"));
    let endpoint = format!("http://127.0.0.1:{}/sparql", port.number());
    let down = format!("[[datasets]]\nid = \"gone\"\nfiles = [{file}]\nendpoint = \"{endpoint}\"\n");
    let query = "SELECT ?f WHERE { ?f a <http://ferries.example/Ferry> }";
    let (answered, model) =
        ask(&harbour(&down), "ferries,gone", "Which ferries are there?", [answers(query)]).await;
    assert_eq!((answered.dataset_id.as_str(), rows(&answered).len()), ("ferries", 4));
    let told = answered.trace.degraded.concat();
    assert!(told.contains("dataset 'gone' is left out, as its endpoint does not answer"), "{told}");
    let opening: String = model.requests()[0].messages.iter().map(text_of).collect();
    assert!(opening.contains("The graph: \"ferries\"") && !opening.contains("several graphs"), "{opening}");
}

#[tokio::test]
async fn another_graph_is_added_where_both_know_more_of_the_question() {
    let query = "SELECT ?f WHERE { ?f a <http://ferries.example/Ferry> }";
    let note = |answered: &Answered| {
        let notes = answered.trace.steps.iter().filter_map(|step| match &step.kind {
            StepKind::Controller { note } if note.starts_with("the dataset") => Some(note.clone()),
            _ => None,
        });
        notes.collect::<String>()
    };
    let question = "Which ferry has its home port code and capacity in Varholm?";
    let (answered, _) = ask(&harbour(""), AUTO, question, [answers(query)]).await;
    let told = note(&answered);
    assert!(told.starts_with("the datasets are towns and ferries"), "{told}");
    assert!(told.contains("ferries is asked too, as it knows") && told.contains("ferry"), "{told}");
    let (answered, _) =
        ask(&harbour(""), AUTO, "Which ferry has the largest capacity?", [answers(query)]).await;
    assert!(note(&answered).starts_with("the dataset is ferries"), "{}", note(&answered));
}

#[tokio::test]
async fn a_list_is_a_dataset_for_queries_too() {
    let setup = harbour("");
    let service: Arc<Service> = setup.open(Arc::new(ScriptedModel::new([]))).await;
    let query = format!(
        "SELECT ?name WHERE {{ ?f <http://ferries.example/homePort> ?c ; <http://www.w3.org/2000/01/rdf-schema#label> ?name \
         {TOWNS} {{ ?t <http://towns.example/portCode> ?c ; <http://towns.example/country> 'Suomala' }} }}"
    );
    let written =
        |dataset: &str| WrittenQuery { dataset: dataset.to_owned(), query: query.clone(), lang: None };
    let run = service.query(written(BOTH)).await.unwrap();
    assert_eq!(run.rows.unwrap().row_count, 1);
    // One dataset alone calls no other.
    assert!(service.query(written("ferries")).await.is_err());
    assert!(service.query(written("ferries,villages")).await.is_err());
}
