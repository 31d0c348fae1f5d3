//! The form of the answer: stated by the model before it searches, held against its final query, fixed by it or
//! without it.

use eruca::llm::ScriptedTurn;
use eruca::trace::{StepKind, StopReason};
use eruca_testing::scripted::{Conversation, Setup, answers, tries};
use serde_json::{Value, json};

const OF_EUROPE: &str = "?c a geo:Country ; geo:continent demo:Europe";

/// The model's statement, with a search in the same turn.
fn states(form: Value) -> ScriptedTurn {
    ScriptedTurn::calls([("state_form", form), ("search_class", json!({"query": "country"}))])
}

fn rewrites(talk: &Conversation) -> Vec<&str> {
    let steps = talk.answered.trace.steps.iter();
    steps
        .filter_map(
            |step| if let StepKind::Rewrite { change } = &step.kind { Some(change.as_str()) } else { None },
        )
        .collect()
}

async fn talk(question: &str, form: Value, queries: &[&str]) -> Conversation {
    let turns = std::iter::once(states(form)).chain(queries.iter().map(|query| answers(query)));
    let talk = Setup::demo().ask(question, turns).await;
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert!(talk.is_over(), "{} turns are left", talk.model.remaining());
    talk
}

#[tokio::test]
async fn a_statement_costs_no_call_of_its_own_and_an_answer_of_that_form_ends_the_run() {
    let query = "SELECT DISTINCT ?c WHERE { demo:Japan geo:capital ?c }";
    let talk = talk("What is the capital of Japan?", json!({"form": "things", "limit": 1}), &[query]).await;
    assert_eq!(talk.rows(), ["Tokyo"]);
    assert_eq!(talk.answered.trace.model_calls, 2);
    assert_eq!(talk.observation(0), "Noted.");
    assert!(rewrites(&talk).is_empty(), "{:?}", rewrites(&talk));
}

#[tokio::test]
async fn a_select_for_yes_or_no_is_told_and_mended() {
    let select = "SELECT ?c WHERE { demo:Japan geo:capital ?c FILTER(?c = demo:Tokyo) }";
    let ask = "ASK { demo:Japan geo:capital demo:Tokyo }";
    let talk = talk("Tokyo, is it the capital of Japan?", json!({"form": "ask"}), &[select, ask]).await;
    assert_eq!(talk.rows(), ["true"]);
    insta::assert_snapshot!(talk.heard(2), @r"
    You stated yes/no, but the query is not an ASK: write ASK { ... }.
    If the query is right, correct the form instead. Then call `answer` again. Repeating the same call accepts the query unchanged.
    ");
}

#[tokio::test]
async fn what_the_model_does_not_mend_is_mended_on_the_algebra() {
    let select = "SELECT ?c WHERE { demo:Japan geo:capital ?c FILTER(?c = demo:Tokyo) }";
    let talk = talk("Tokyo, is it the capital of Japan?", json!({"form": "ask"}), &[select, select]).await;
    assert_eq!(talk.rows(), ["true"]);
    insta::assert_snapshot!(rewrites(&talk).join("\n"), @"turned it into ASK: the question asks for yes or no");
}

#[tokio::test]
async fn missing_columns_an_order_and_a_limit_are_told_in_one_turn() {
    let form = json!({
        "form": "table", "columns": ["country", "population"], "order": "population, highest first", "limit": 3
    });
    let plain = format!("SELECT DISTINCT ?c WHERE {{ {OF_EUROPE} }}");
    let whole = format!(
        "SELECT ?c ?p WHERE {{ {OF_EUROPE} ; geo:population ?p }} ORDER BY DESC(xsd:integer(?p)) LIMIT 3"
    );
    let talk = talk("The three countries of Europe with the most people", form, &[&plain, &whole]).await;
    assert_eq!(talk.rows().len(), 3);
    assert!(talk.rows()[0].contains(" | "), "{:?}", talk.rows());
    insta::assert_snapshot!(talk.heard(2), @r#"
    You stated 2 columns ("country", "population"), but the query returns 1 (?c): select the missing ones.
    You stated an order ("population, highest first"), but the query has no ORDER BY: add it.
    You stated a limit of 3, but the query returns 35 rows: add LIMIT 3, or keep only those that share the last place.
    If the query is right, correct the form instead. Then call `answer` again. Repeating the same call accepts the query unchanged.
    "#);
}

#[tokio::test]
async fn names_and_sort_keys_beside_things_go_without_a_word() {
    let query = format!(
        "SELECT ?c ?label ?p WHERE {{ {OF_EUROPE} ; rdfs:label ?label ; geo:population ?p FILTER(LANG(?label) = \"en\") }} \
         ORDER BY ?p"
    );
    let talk = talk("Which countries are in Europe?", json!({"form": "things"}), &[&query]).await;
    assert!(talk.rows().iter().all(|row| !row.contains('|')), "{:?}", talk.rows());
    assert!(talk.rows().contains(&"France".to_owned()));
    insta::assert_snapshot!(rewrites(&talk).join("\n"), @"kept the columns that the question asks for: ?c");
}

#[tokio::test]
async fn values_are_kept_where_values_were_stated() {
    let query = "SELECT ?c ?p WHERE { ?c geo:population ?p FILTER(?c = demo:Japan) }";
    let talk = talk("How populous is Japan?", json!({"form": "values"}), &[query]).await;
    assert_eq!(talk.rows().len(), 1);
    assert!(talk.rows()[0].parse::<f64>().is_ok(), "{:?}", talk.rows());
}

#[tokio::test]
async fn rows_instead_of_their_number_are_told() {
    let rows = format!("SELECT DISTINCT ?c WHERE {{ {OF_EUROPE} }}");
    let count = format!("SELECT (COUNT(DISTINCT ?c) AS ?n) WHERE {{ {OF_EUROPE} }}");
    let talk = talk("Europe: how many countries?", json!({"form": "count"}), &[&rows, &count]).await;
    assert_eq!(talk.rows(), ["35"]);
    assert!(
        talk.heard(2).starts_with("You stated a count, but the query returns 35 rows"),
        "{}",
        talk.heard(2)
    );
}

#[tokio::test]
async fn a_statement_that_cannot_be_read_is_told_and_binds_nothing() {
    let turns = [
        ScriptedTurn::call("state_form", json!({"form": "poem"})),
        answers("SELECT DISTINCT ?c WHERE { demo:Japan geo:capital ?c }"),
    ];
    let talk = Setup::demo().ask("What is the capital of Japan?", turns).await;
    assert_eq!(talk.rows(), ["Tokyo"]);
    assert_eq!(talk.observation(0), "\"poem\" is not a form; use one of ask, count, things, values, table");
}

#[tokio::test]
async fn without_the_check_there_is_no_statement_and_no_repair() {
    let select = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";
    let turns =
        [tries("ASK { ?s ?p ?o }"), ScriptedTurn::call("answer", json!({"query": select, "form": "ask"}))];
    let talk = Setup::new("[helps]\nanswer_form = false").ask("Is Tokyo the capital of Japan?", turns).await;
    assert_eq!(talk.rows(), ["Tokyo"]);
    let tools = &talk.model.requests()[0].tools;
    assert!(tools.iter().all(|tool| tool.name != "state_form"));
}
