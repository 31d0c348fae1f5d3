//! Answers that a program computes from the rows of queries: the model writes it, the sandbox runs it, and the answer
//! carries the program with its inputs.

use eruca::llm::ScriptedTurn;
use eruca::trace::StopReason;
use eruca_api::{ComputedValue, Confidence};
use eruca_testing::scripted::{Conversation, Setup, tries};
use serde_json::json;

const GERMANY: &str = "SELECT ?n WHERE { demo:Germany geo:population ?n }";
const EUROPE: &str =
    "SELECT ?c ?n WHERE { ?c a geo:Country ; geo:continent demo:Europe ; geo:population ?n }";

fn computes(program: &str) -> ScriptedTurn {
    ScriptedTurn::call("compute", json!({ "program": program }))
}

fn answers_with(query: &str, computed: &str) -> ScriptedTurn {
    ScriptedTurn::call("answer", json!({"query": query, "form": "values", "computed": computed}))
}

async fn talk(question: &str, turns: impl IntoIterator<Item = ScriptedTurn>) -> Conversation {
    let talk = Setup::demo().ask(question, turns).await;
    assert!(talk.is_over(), "{} turns are left", talk.model.remaining());
    talk
}

#[tokio::test]
async fn a_share_across_two_queries_is_computed_and_told_with_its_program() {
    let program = "return percent(r1[1].n, sum(r2, 'n'))";
    let turns = [
        ScriptedTurn::calls([
            ("execute_sparql", json!({"query": GERMANY})),
            ("execute_sparql", json!({"query": EUROPE})),
        ]),
        computes(program),
        answers_with(EUROPE, "c1"),
    ];
    let talk = talk("What percentage of the people of Europe live in Germany?", turns).await;
    assert!(talk.observation(0).ends_with("(kept as r1)"), "{}", talk.observation(0));
    assert!(talk.observation(1).ends_with("(kept as r2)"), "{}", talk.observation(1));
    let trace = &talk.answered.trace;
    let computed = trace.computed.as_ref().unwrap();
    assert_eq!(trace.stop, StopReason::Answered);
    assert_eq!(computed.program, program);
    let inputs: Vec<_> = computed.inputs.iter().map(|input| (input.name.as_str(), input.rows)).collect();
    assert_eq!(inputs, [("r1", 1), ("r2", talk.rows().len())]);
    let Some(ComputedValue::Number(share)) = computed.value() else { panic!("{computed:?}") };
    let people = |row: &String| row.rsplit(' ').next().unwrap().parse::<f64>().unwrap();
    let rows = talk.rows();
    let germany = rows.iter().find(|row| row.starts_with("Germany")).map(people).unwrap();
    let expected = 100.0 * germany / rows.iter().map(people).sum::<f64>();
    assert!((share - expected).abs() < 0.06, "{share} {expected}");
    let insight = trace.insight.as_ref().unwrap();
    assert_ne!(insight.confidence, Confidence::Sure);
    assert!(insight.doubts.iter().any(|doubt| doubt.kind == "computed"));
}

#[tokio::test]
async fn rows_are_joined_across_queries_and_things_keep_their_names() {
    let areas = "SELECT ?land ?km WHERE { ?land geo:continent demo:Europe ; geo:areaKm2 ?km }";
    let program = "local both = join(r1, r2, 'c', 'land')
        for _, row in ipairs(both) do row.density = round(row.n / row.km, 1) end
        local first = sort_by(both, 'density', true)[1]
        return {{country = first.c, density = first.density}}";
    let turns = [tries(EUROPE), tries(areas), computes(program), answers_with(EUROPE, "c1")];
    let talk = talk("Which country of Europe is the most densely populated?", turns).await;
    assert!(talk.observation(2).starts_with("country | density\ndemo:"), "{}", talk.observation(2));
    let computed = talk.answered.trace.computed.as_ref().unwrap();
    assert_eq!((computed.columns.join(" "), computed.rows.len()), ("country density".to_owned(), 1));
}

#[tokio::test]
async fn what_goes_wrong_is_told_and_the_run_goes_on() {
    let turns = [
        computes("return r1[1].n"),
        tries(GERMANY),
        computes("return r1[1].n +"),
        computes("while true do end"),
        answers_with(GERMANY, "c1"),
        ScriptedTurn::call("answer", json!({"query": GERMANY, "form": "values"})),
    ];
    let talk = Setup::new("[helps]\ndrafts = false\n").ask("How many people live in Germany?", turns).await;
    assert!(talk.is_over(), "{} turns are left", talk.model.remaining());
    assert!(talk.observation(0).contains("run a query first"), "{}", talk.observation(0));
    assert!(talk.observation(2).contains("cannot be read"), "{}", talk.observation(2));
    assert!(talk.observation(3).contains("was ended after"), "{}", talk.observation(3));
    assert!(talk.observation(4).contains("there is none"), "{}", talk.observation(4));
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert!(talk.answered.trace.computed.is_none());
}

#[tokio::test]
async fn a_draft_is_a_result_too() {
    let turns =
        [computes("return r1[1]"), ScriptedTurn::call("answer", json!({"query": GERMANY, "form": "values"}))];
    let talk = talk("How many people live in Germany?", turns).await;
    assert_eq!(talk.outcomes(), ["ok", "ok"], "{:?}", talk.tools());
    assert!(
        talk.model.requests()[0]
            .messages
            .iter()
            .any(|message| format!("{message:?}").contains("(kept as r1)"))
    );
}

#[tokio::test]
async fn without_the_feature_there_is_no_program_and_nothing_is_kept() {
    let setup = Setup::new("[helps]\ncompute = false\nmemory = false\n");
    let answer = ScriptedTurn::call("answer", json!({"query": GERMANY, "form": "values"}));
    let talk = setup.ask("How many people live in Germany?", [tries(GERMANY), answer]).await;
    assert!(!talk.observation(0).contains("kept as"));
    let offered = &talk.model.requests()[0].tools;
    assert!(offered.iter().all(|tool| tool.name != "compute"));
}
