//! The planner on small graphs of their own: what each construct gives, not how its query is written.

use eruca::service::{Answered, Question, Service};
use eruca::startup;
use eruca::trace::{AnsweredBy, Silent, StepKind};
use eruca_api::Confidence;
use eruca_indexer::NoProgress;
use eruca_testing::helpers::data;
use eruca_testing::scripted::{Setup, rows};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// A graph that is asked without a model.
struct Graph {
    service: Arc<Service>,
    _setup: Setup,
}

impl Graph {
    async fn of(file: &str) -> Self {
        let file = Value::from(data(file));
        let setup = Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]"));
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        Self { service, _setup: setup }
    }

    async fn answer(&self, question: &str) -> Answered {
        let asked = Question { dataset: "graph".to_owned(), text: question.to_owned() };
        let answered = Arc::unwrap_or_clone(self.service.answer(&asked, &Silent).await.unwrap());
        assert_eq!(answered.trace.answered_by, AnsweredBy::Planner);
        answered
    }

    /// Every question with its rows in the order of the alphabet. All that are not as expected are told.
    async fn expect(&self, cases: &[(&str, &[&str])]) {
        let mut faults = Vec::new();
        for (question, expected) in cases {
            let answered = self.answer(question).await;
            let mut found = rows(&answered);
            found.sort();
            if found != *expected {
                faults.push(format!(
                    "{question}\n  expected {expected:?}\n  found    {found:?}\n  {}",
                    answered.query
                ));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// The rows in their order.
    async fn ordered(&self, question: &str, expected: &[&str]) {
        let answered = self.answer(question).await;
        assert_eq!(rows(&answered), expected, "{question}\n{}", answered.query);
    }
}

fn readings(answered: &Answered) -> String {
    let steps = answered.trace.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Planner { readings } => Some(readings.join("\n")),
        _ => None,
    });
    steps.collect()
}

#[tokio::test]
async fn things_are_reached_over_several_steps() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[
            ("In which room does Ben Orm work?", &["hall"]),
            ("Who is the foreman of Cleo Fry?", &["p1"]),
            ("Who is Eve Moss's foreman?", &["p4"]),
            ("Which makers make hammers?", &["brunn", "delta"]),
            ("Which rooms have saw experts?", &["hall", "shed"]),
            ("From which nations are the makers of drills?", &["Germany", "Spain"]),
            ("Which tools are compatible with the Bar Clamp?", &["t1", "t3", "t6"]),
        ])
        .await;
}

#[tokio::test]
async fn adjectives_and_names_of_countries_lead_to_them() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[
            ("Which tools are from German makers?", &["t2", "t3", "t4", "t6"]),
            ("How many makers are in Germany?", &["2"]),
            ("Welche Hersteller sind in Frankreich?", &["arbor"]),
        ])
        .await;
}

#[tokio::test]
async fn instances_of_subclasses_and_numbers_written_as_text_count() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[
            ("How many tools are there?", &["7"]),
            ("How many machines do we have?", &["2"]),
            ("What is the heaviest tool?", &["t5"]),
            ("What is the cheapest hammer?", &["t3"]),
            ("Which machines are cheaper than 100?", &["t6"]),
            ("Which hand tools weigh more than 1000 g?", &["t4", "t7"]),
            ("Was ist das schwerste Werkzeug?", &["t5"]),
        ])
        .await;
}

#[tokio::test]
async fn superlatives_ranks_and_comparisons_choose() {
    let graph = Graph::of("workshop.ttl").await;
    graph.ordered("What are the 3 longest tools?", &["t7", "t5", "t4"]).await;
    graph.ordered("What is the second most expensive tool?", &["t6"]).await;
    graph
        .expect(&[
            ("Which maker makes the heaviest hammer?", &["delta"]),
            ("Which tools are longer than 800 mm and have a width under 100 mm?", &["t7"]),
            ("Who was hired before 2000?", &["p4"]),
        ])
        .await;
}

#[tokio::test]
async fn what_is_denied_is_left_out() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[
            ("Are there rooms with no worker?", &["true"]),
            ("Which rooms have no foreman?", &["loft"]),
            ("Which workers are without a foreman?", &["p1", "p4"]),
        ])
        .await;
}

#[tokio::test]
async fn a_question_without_a_word_is_in_no_name() {
    let graph = Graph::of("library.ttl").await;
    for question in ["?!", "\u{fffd}\u{fffd}\0", "\u{7f}", "\u{1f355}"] {
        let answered = graph.answer(question).await;
        assert!(rows(&answered).is_empty(), "{question:?}\n{}", answered.query);
    }
}

#[tokio::test]
async fn groups_have_a_row_each() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[(
            "How many tools are there per maker?",
            &["arbor | 2", "brunn | 2", "cobre | 1", "delta | 2"],
        )])
        .await;
}

#[tokio::test]
async fn tables_without_labels_are_answered_by_their_columns() {
    let graph = Graph::of("library.ttl").await;
    graph
        .expect(&[
            ("How many books are there?", &["5"]),
            (
                "What are the names and countries of all authors?",
                &["Jon Abel | Chile", "Mira Holt | Norway", "Tess Rowe | Norway", "Uma Pike | Kenya"],
            ),
            ("What is the first name of the members from Oslo?", &["Bo", "Cy"]),
            ("What are the titles of books with more than 300 pages?", &["Cold Water", "Salt Road"]),
            ("Show the titles of the books published in 2014.", &["Salt Road", "Small Hours"]),
            ("What is the average, minimum and maximum age of all members?", &["37.25 | 19 | 51"]),
            ("How many different cities do members live in?", &["3"]),
            ("Which titles contain the word 'Road'?", &["Salt Road"]),
        ])
        .await;
}

#[tokio::test]
async fn tables_are_joined_along_their_keys() {
    let graph = Graph::of("library.ttl").await;
    graph
        .expect(&[
            ("What are the titles of the books by Mira Holt?", &["Cold Water", "North"]),
            ("Which members borrowed 'Salt Road'? Give the first name.", &["Ann", "Cy"]),
            (
                "Show the name of each author and the number of books.",
                &["Jon Abel | 1", "Mira Holt | 2", "Tess Rowe | 2"],
            ),
            ("What are the names of authors with at least 2 books?", &["Mira Holt", "Tess Rowe"]),
            ("What are the names of the authors who do not have any books?", &["Uma Pike"]),
            ("How many authors have more than 1 book?", &["2"]),
        ])
        .await;
}

#[tokio::test]
async fn orders_averages_and_bounds_hold() {
    let graph = Graph::of("library.ttl").await;
    graph.ordered("List the first names of members ordered by age.", &["Cy", "Ann", "Di", "Bo"]).await;
    graph
        .expect(&[
            ("What are the first names of members older than the average age?", &["Bo", "Di"]),
            (
                "What are the titles of books with a page count between 100 and 250?",
                &["North", "The Glass Bee"],
            ),
            ("What is the title of the book with the highest page count?", &["Salt Road"]),
            (
                "For each genre, what is the number of books and the maximum page count?",
                &["novel | 3 | 480", "poems | 2 | 150"],
            ),
        ])
        .await;
}

#[tokio::test]
async fn what_was_read_is_told_and_an_empty_answer_may_be_right() {
    let graph = Graph::of("library.ttl").await;
    let answered = graph.answer("How many members from Molde are older than 50?").await;
    assert_eq!(rows(&answered), ["0"]);
    let told = readings(&answered);
    assert!(told.contains("the number of"), "{told}");
    let none = graph.answer("Which members from Molde are older than 50?").await;
    assert!(rows(&none).is_empty() && readings(&none).contains("may be the answer"), "{}", readings(&none));
    let nothing = graph.answer("Qwrtz zxcvb?").await;
    assert!(readings(&nothing).contains("low confidence"), "{}", readings(&nothing));
}

#[tokio::test]
async fn a_name_that_the_graph_does_not_know_is_told() {
    let graph = Graph::of("library.ttl").await;
    let answered = graph.answer("Which members are from Atlantis?").await;
    let insight = answered.trace.insight.unwrap();
    assert_eq!(insight.not_found, ["Atlantis"]);
    assert_eq!(insight.confidence, Confidence::Guess, "{}", insight.probability);
    for question in ["Which members are from Molde?", "Who is from there? Members, please"] {
        let insight = graph.answer(question).await.trace.insight.unwrap();
        assert!(insight.not_found.is_empty(), "{:?}", insight.not_found);
    }
}

const DEADLINE: Duration = Duration::from_secs(20);

/// Any text, and soups of the words from which the planner makes queries.
fn questions() -> impl Strategy<Value = String> {
    let words = [
        "how many",
        "for each",
        "the most",
        "older than",
        "not",
        "or",
        "and",
        "both",
        "between",
        "2014",
        "15x15",
        "average",
        "maximum",
        "sorted by",
        "descending",
        "whose",
        "who",
        "when",
        "top 3",
        "second",
        "contains",
        "'",
        "\"",
        ",",
        "?",
        "(",
        "members",
        "books",
        "title",
        "age",
        "first name",
        "Oslo",
        "Salt Road",
        "loans",
        "per",
        "without",
        "at least",
        "less than",
        "density",
        "dimensions",
        "difference",
        "cycles",
        "the",
        "of",
        "is",
    ];
    let soup = proptest::collection::vec(proptest::sample::select(words.to_vec()), 1..24);
    let anything = proptest::collection::vec(any::<char>(), 0..=10_000);
    prop_oneof![
        4 => soup.prop_map(|words| words.join(" ")),
        1 => anything.prop_map(|chars| chars.into_iter().collect()),
        1 => "\\PC{0,300}",
    ]
}

#[test]
fn any_text_gives_a_valid_query_within_the_deadline() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let file = Value::from(data("library.ttl"));
    let setup = Setup::new(&format!(
        "[agent]\ndeadline_seconds = {}\n[server]\nmax_question_chars = 10000\n[[datasets]]\nid = \"graph\"\nfiles = [{file}]",
        DEADLINE.as_secs()
    ));
    let service = runtime.block_on(startup::open_service(&setup.settings, &NoProgress)).unwrap();
    let mut runner = TestRunner::new(Config { cases: 160, failure_persistence: None, ..Config::default() });
    let tried = runner.run(&questions(), |text| {
        let asked = Question { dataset: "graph".to_owned(), text: text.clone() };
        if text.trim().is_empty() {
            return Ok(());
        }
        let answered = runtime.block_on(service.answer(&asked, &Silent)).unwrap();
        let checked = eruca_sparql::check(
            &answered.query,
            &eruca_sparql::Prefixes::default(),
            &eruca_sparql::QueryPolicy::default(),
        );
        prop_assert!(checked.is_ok(), "{}", answered.query);
        prop_assert!(answered.trace.elapsed < DEADLINE, "{:?}", answered.trace.elapsed);
        prop_assert!(answered.results.is_some() || readings(&answered).contains("low confidence"));
        Ok(())
    });
    tried.unwrap();
}

#[tokio::test]
async fn groups_orders_and_conditions_of_tables() {
    let graph = Graph::of("workshop.ttl").await;
    graph
        .expect(&[(
            "For each kind of tool, what is the average length?",
            &["clamps | 1200", "drills | 605", "hammers | 570", "saws | 485"],
        )])
        .await;
    let graph = Graph::of("library.ttl").await;
    graph
        .expect(&[
            ("Find the last names of members that are active.", &["Reed", "Vale", "Wren"]),
            ("What are the first names of members who have no loan?", &["Di"]),
            // What is asked for, and not the number by which it is found.
            ("What is the title of the book with the most loans?", &["Salt Road"]),
        ])
        .await;
    let names = &["Mira Holt", "Tess Rowe"];
    graph.expect(&[("Which authors were born before 1960 or after 1975? Give their names.", names)]).await;
    let titles = &["Salt Road", "Cold Water", "The Glass Bee", "North", "Small Hours"];
    graph.ordered("Sort the titles of books by page count in descending order.", titles).await;
}
