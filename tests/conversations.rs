//! Whatever a model does, a question ends with a valid query: on the demo graph, with models that behave oddly.

use async_trait::async_trait;
use eruca::llm::{ChatModel, ChatRequest, Completion, Message, ModelError, ScriptedModel, ScriptedTurn};
use eruca::service::Question;
use eruca::trace::{AnsweredBy, Silent, StepKind, StopReason};
use eruca_testing::scripted::{Conversation, Setup, answers, looks_up, rows, tries};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

const QUESTION: &str = "What is the capital of Japan?";
const CAPITAL: &str = "SELECT ?c WHERE { demo:Japan geo:capital ?c }";

/// A turn in which the model says nothing at all.
fn is_function_word() -> ScriptedTurn {
    ScriptedTurn::Reply { text: None, calls: Vec::new(), cut: false }
}

fn unreachable() -> ModelError {
    ModelError::Unreachable { url: "http://model".to_owned(), attempts: 1, reason: "refused".to_owned() }
}

/// The model has answered, rightly, and its whole script was needed.
fn assert_tokyo(talk: &Conversation) {
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Agent);
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert_eq!(talk.rows(), ["Tokyo"]);
    assert!(talk.is_over(), "{} turns are left", talk.model.remaining());
}

/// The model was of no use: the planner has answered, and the trace says that something is wrong.
fn assert_planned(talk: &Conversation) {
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Planner, StopReason::ModelFailed));
    assert_eq!(talk.rows(), ["Tokyo"]);
    let about_model = |note: &&String| note.contains("model") && !note.contains("embedding");
    assert!(trace.degraded.iter().any(|note| about_model(&note)), "{:?}", trace.degraded);
}

#[tokio::test]
async fn arguments_that_are_no_json_are_told() {
    let turns = [
        ScriptedTurn::raw_call("search_entity", "{\"query\": \"Jap"),
        ScriptedTurn::raw_call("search_entity", "[\"Japan\"]"),
        ScriptedTurn::raw_call("search_entity", ""),
        ScriptedTurn::raw_call("answer", format!("```json\n{{\"sparql\": \"{CAPITAL}\"}}\n```")),
    ];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes(), ["bad_call", "bad_call", "bad_call", "ok"]);
    insta::assert_snapshot!(talk.observation(0), @"the arguments are not a JSON object (EOF while parsing a string at line 1 column 14); call search_entity again");
    insta::assert_snapshot!(talk.observation(1), @"the arguments are not a JSON object (not an object); call search_entity again");
    insta::assert_snapshot!(talk.observation(2), @"the argument 'query' is missing; give it as a text");
}

#[tokio::test]
async fn an_unknown_tool_is_told_with_the_known_ones() {
    let turns = [ScriptedTurn::call("google", json!({"q": "Japan"})), answers(CAPITAL)];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes(), ["bad_call", "ok"]);
    insta::assert_snapshot!(talk.heard(1), @r#"There is no tool "google"; the tools are state_form, search_entity, search_class, search_property, get_entry, get_property_examples, search_in, execute_sparql, compute, remember, query_memory, answer."#);
}

#[tokio::test]
async fn an_answer_among_other_calls_ends_the_run() {
    let turn =
        looks_up("Japan").and_call("answer", json!({"query": CAPITAL})).and_call("nonsense", json!({}));
    let talk = Setup::demo().ask(QUESTION, [turn]).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes(), ["ok", "ok", "bad_call"]);
}

#[tokio::test]
async fn every_call_of_a_turn_gets_its_own_observation() {
    let turns = [looks_up("Japan").and_call("search_entity", json!({"query": "Peru"})), answers(CAPITAL)];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    let messages = &talk.model.requests()[1].messages;
    let calls: Vec<&str> = messages
        .iter()
        .filter_map(|message| match message {
            Message::Assistant { calls, .. } => Some(calls.iter().map(|call| call.id.as_str())),
            _ => None,
        })
        .flatten()
        .collect();
    let answered: Vec<(&str, &str)> = messages
        .iter()
        .filter_map(|message| match message {
            Message::Tool { call_id, content } => Some((call_id.as_str(), content.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(calls, answered.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    assert!(answered[0].1.contains("demo:Japan") && answered[1].1.contains("demo:Peru"), "{answered:?}");
}

#[tokio::test]
async fn a_query_in_a_fence_is_taken_as_the_answer() {
    let text = format!("The capital is asked for.\n```sparql\n{CAPITAL}\n```\nThis should do.");
    let talk = Setup::demo().ask(QUESTION, [ScriptedTurn::text(text)]).await;
    assert_eq!(talk.answered.trace.stop, StopReason::AnsweredAsText);
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Agent);
    assert_eq!(talk.rows(), ["Tokyo"]);
}

#[tokio::test]
async fn calls_written_as_text_are_made() {
    let call = json!({"name": "search_entity", "arguments": {"query": "Japan"}});
    let turns = [ScriptedTurn::text(format!("<tool_call>{call}</tool_call>")), answers(CAPITAL)];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert!(talk.heard(1).contains("search_entity: - demo:Japan"), "{}", talk.heard(1));
}

#[tokio::test]
async fn prose_is_answered_with_what_to_do_instead() {
    let turns = [ScriptedTurn::text("I think it is Tokyo."), is_function_word(), answers(CAPITAL)];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    insta::assert_snapshot!(talk.heard(1), @"Your message was not a tool call. Call one of the tools (state_form, search_entity, search_class, search_property, get_entry, get_property_examples, search_in, execute_sparql, compute, remember, query_memory, answer). When you have the final query, call `answer` with it.");
    assert_eq!(talk.heard(2), talk.heard(1), "an empty message is answered like prose");
}

#[tokio::test]
async fn a_model_that_only_talks_is_given_up() {
    let turns = ["Tokyo.", "Tokyo, as I said.", "Really, it is Tokyo.", "Tokyo!"].map(ScriptedTurn::text);
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_planned(&talk);
    assert_eq!(talk.answered.trace.model_calls, 3);
}

#[tokio::test]
async fn a_model_that_says_nothing_is_given_up() {
    let talk =
        Setup::demo().ask(QUESTION, [is_function_word(), is_function_word(), is_function_word()]).await;
    assert_planned(&talk);
}

#[tokio::test]
async fn a_model_that_fails_at_once_leaves_the_question_to_the_planner() {
    let talk = Setup::demo().ask(QUESTION, [ScriptedTurn::fail(unreachable())]).await;
    assert_planned(&talk);
    let notes = &talk.answered.trace.degraded;
    assert!(notes.iter().any(|note| note.contains("http://model")), "{notes:?}");
    assert!(talk.answered.trace.steps.iter().any(|step| matches!(step.kind, StepKind::Planner { .. })));
}

#[tokio::test]
async fn a_model_that_fails_later_leaves_what_it_had_found() {
    let turns = [tries(CAPITAL), ScriptedTurn::fail(unreachable())];
    let talk = Setup::demo().ask("Tell me more about the past of Japan.", turns).await;
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Agent, StopReason::ModelFailed));
    assert_eq!(talk.rows(), ["Tokyo"]);
    assert!(trace.degraded.iter().any(|note| note.contains("http://model")), "{:?}", trace.degraded);
}

#[tokio::test]
async fn a_model_that_never_stops_is_stopped_and_warned_before() {
    let query = |country: &str| format!("SELECT DISTINCT ?c WHERE {{ demo:{country} geo:capital ?c }}");
    let countries = ["Peru", "France", "Japan", "Chile", "Germany"];
    let turns = countries.map(|country| tries(&query(country)));
    let talk = Setup::new("[agent]\nmax_model_calls = 3").ask(QUESTION, turns).await;
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Agent, StopReason::Budget));
    assert_eq!(trace.model_calls, 3);
    assert_eq!(talk.rows(), ["Tokyo"], "the latest of equal candidates");
    insta::assert_snapshot!(talk.heard(2), @"This is your last turn: call `answer` now with the best query you have.");
}

#[tokio::test]
async fn tokens_are_a_limit_too() {
    let turns: Vec<ScriptedTurn> = (1..20).map(|_| tries(CAPITAL)).collect();
    let talk = Setup::new("[agent]\ntoken_budget = 9000").ask(QUESTION, turns).await;
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Agent, StopReason::Budget));
    assert!((1..19).contains(&trace.model_calls), "{}", trace.model_calls);
    assert_eq!(talk.rows(), ["Tokyo"]);
}

/// Says what it is told to say, and then nothing any more.
struct Hanging(ScriptedModel);

#[async_trait]
impl ChatModel for Hanging {
    async fn complete(&self, request: &ChatRequest) -> Result<Completion, ModelError> {
        match self.0.remaining() {
            0 => std::future::pending().await,
            _ => self.0.complete(request).await,
        }
    }

    fn name(&self) -> &str {
        "hanging"
    }
}

#[tokio::test]
async fn a_model_that_hangs_is_left_before_the_deadline() {
    let setup = Setup::new("[agent]\ndeadline_seconds = 2");
    let service = setup.open(Arc::new(Hanging(ScriptedModel::new([])))).await;
    let question = Question { dataset: "demo".to_owned(), text: QUESTION.to_owned() };
    let started = Instant::now();
    let answered = service.answer(&question, &Silent).await.unwrap();
    // The model hangs for ever; the rest is room for a machine that is busy.
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(
        (answered.trace.answered_by, answered.trace.stop),
        (AnsweredBy::Planner, StopReason::Deadline)
    );
    assert_eq!(rows(&answered), ["Tokyo"]);
}

#[tokio::test]
async fn at_the_deadline_the_best_query_so_far_is_returned() {
    let setup = Setup::new("[agent]\ndeadline_seconds = 2");
    let model = Hanging(ScriptedModel::new([tries(CAPITAL)]));
    let answered = setup.ask_model("Tell me more about the past of Japan.", Arc::new(model)).await;
    assert_eq!((answered.trace.answered_by, answered.trace.stop), (AnsweredBy::Agent, StopReason::Deadline));
    assert_eq!(rows(&answered), ["Tokyo"]);
}

/// The model says that the graph does not contain the answer, with this query.
fn lacks(query: &str) -> ScriptedTurn {
    let reason = "no height of a capital is known";
    ScriptedTurn::call("answer", json!({"query": query, "form": "values", "not_in_graph": reason}))
}

#[tokio::test]
async fn what_the_graph_lacks_is_said_with_the_query_that_shows_it() {
    let query = "SELECT ?h WHERE { demo:Tokyo geo:height ?h }";
    for (given, returned) in
        [(query, query), ("", "SELECT ?answer WHERE { ?answer ?property ?value } LIMIT 0")]
    {
        let talk = Setup::demo().ask("How high is Tokyo's tower?", [lacks(given)]).await;
        let trace = &talk.answered.trace;
        assert_eq!(trace.stop, StopReason::NotInGraph);
        assert!(talk.answered.query.contains(returned), "{}", talk.answered.query);
        assert!(talk.answered.results.as_deref().is_some_and(eruca_sparql::Answer::is_empty));
        assert_eq!(trace.not_in_graph.as_deref(), Some("no height of a capital is known"));
        assert!(trace.insight.is_none(), "nothing was read by the planner");
        assert_eq!(talk.observation(0), "Not in the graph: \"no height of a capital is known\"\n0 rows.");
    }
}

#[tokio::test]
async fn the_zero_of_an_aggregate_is_no_value_of_what_the_graph_lacks() {
    for aggregate in ["AVG(?h)", "COUNT(?h)"] {
        let query = format!("SELECT ({aggregate} AS ?v) WHERE {{ demo:Tokyo geo:height ?h }}");
        let talk = Setup::demo().ask("How high is Tokyo's tower?", [lacks(&query)]).await;
        assert_eq!(talk.answered.trace.stop, StopReason::NotInGraph);
        let results = talk.answered.results.as_ref().unwrap();
        assert!(results.is_empty(), "{aggregate}: {results:?}");
    }
}

#[tokio::test]
async fn an_answer_that_gives_nothing_is_doubted_once_and_can_be_fixed() {
    let wrong = "SELECT ?c WHERE { demo:Tokyo geo:capital ?c }";
    let talk = Setup::demo().ask(QUESTION, [answers(wrong), answers(CAPITAL)]).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes(), ["empty", "ok"]);
    insta::assert_snapshot!(talk.heard(1), @r#"
    0 rows.
    No triple matches `demo:Tokyo geo:capital ?c`. demo:Tokyo has rdf:type, rdfs:label, geo:elevationM, geo:inCountry, geo:population, skos:altLabel.
    Reading: "Tokyo: capital ?c; shown: capital"

    The final query finds nothing. If the graph does not contain what is asked, call `answer` with `not_in_graph`; if "none" or 0 is the correct answer, call it with the same query again; otherwise fix the query.
    "#);
}

#[tokio::test]
async fn an_answer_that_gives_nothing_is_accepted_when_it_is_confirmed() {
    let none = "SELECT ?v WHERE { ?v a geo:Volcano ; geo:inCountry demo:Denmark }";
    let again = "select ?v\nwhere { ?v a geo:Volcano ; geo:inCountry demo:Denmark . }";
    let talk = Setup::demo().ask("Which volcanoes are in Denmark?", [answers(none), answers(again)]).await;
    let trace = &talk.answered.trace;
    assert_eq!((trace.answered_by, trace.stop), (AnsweredBy::Agent, StopReason::Answered));
    assert!(talk.rows().is_empty() && talk.is_over());
    assert!(talk.answered.query.contains("Volcano"), "{}", talk.answered.query);
}

#[tokio::test]
async fn a_confirmed_empty_answer_wins_over_queries_that_looked_around() {
    let turns = [
        tries("SELECT ?v WHERE { ?v a geo:Volcano } LIMIT 3"),
        answers("SELECT ?v WHERE { ?v a geo:Volcano ; geo:inCountry demo:Denmark }"),
        answers("SELECT ?v WHERE { ?v a geo:Volcano ; geo:inCountry demo:Denmark }"),
    ];
    let talk = Setup::demo().ask("Which volcanoes are in Denmark?", turns).await;
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert!(talk.answered.query.contains("Denmark"), "{}", talk.answered.query);
    assert!(talk.rows().is_empty());
}

#[tokio::test]
async fn a_confirmed_count_of_zero_is_an_answer() {
    let none = "SELECT (COUNT(?v) AS ?n) WHERE { ?v a geo:Volcano ; geo:inCountry demo:Denmark }";
    let turns = [tries("SELECT ?v WHERE { ?v a geo:Volcano } LIMIT 3"), answers(none), answers(none)];
    let talk = Setup::demo().ask("How many volcanoes are in Denmark?", turns).await;
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert_eq!(talk.rows(), ["0"]);
}

#[tokio::test]
async fn the_same_answer_twice_in_one_turn_confirms_nothing() {
    let none = json!({"query": "SELECT ?c WHERE { demo:Tokyo geo:capital ?c }"});
    let turn = ScriptedTurn::calls([("answer", none.clone()), ("answer", none)]);
    let talk = Setup::demo().ask(QUESTION, [turn, answers(CAPITAL)]).await;
    assert_tokyo(&talk);
}

#[tokio::test]
async fn an_update_is_refused_and_can_be_fixed() {
    for update in [
        "DELETE WHERE { ?s ?p ?o }",
        "INSERT DATA { demo:a demo:b demo:c }",
        "DROP ALL",
        "LOAD <http://example.org/x>",
    ] {
        let talk = Setup::demo().ask(QUESTION, [answers(update), answers(CAPITAL)]).await;
        assert_tokyo(&talk);
        assert_eq!(talk.outcomes()[1], "ok");
        assert_eq!(talk.outcomes()[0], "refused", "{update}: {}", talk.observation(0));
    }
}

#[tokio::test]
async fn what_a_query_may_not_do_is_told() {
    let turns = [
        tries("DELETE WHERE { ?s ?p ?o }"),
        tries("SELECT * WHERE { SERVICE <http://example.org/sparql> { ?s ?p ?o } }"),
        tries("SELECT ?c WHERE { demo:Japan unheard:of ?c }"),
        tries("SELECT ?c WHERE { demo:Japan geo:capital ?c"),
        answers(CAPITAL),
    ];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes(), ["refused", "refused", "unknown_prefix", "syntax_error", "ok"]);
    insta::assert_snapshot!(talk.observation(0), @"query refused: DELETE is an update; only SELECT, ASK, CONSTRUCT and DESCRIBE are allowed.");
    insta::assert_snapshot!(talk.observation(1), @"query refused: SERVICE <http://example.org/sparql> is not allowed here; query the dataset directly.");
    insta::assert_snapshot!(talk.observation(3), @"syntax error at line 1, column 44: the query ends while a `{` is open.");
    assert!(talk.observation(2).contains("Known prefixes: ") && talk.observation(2).contains("geo: <"));
}

#[tokio::test]
async fn an_answer_that_cannot_be_run_is_never_returned() {
    let broken = "SELECT ?c WHERE { demo:Japan geo:capital ?c";
    let talk = Setup::demo().ask(QUESTION, [answers(broken), answers(broken), answers(broken)]).await;
    assert_eq!(talk.answered.trace.answered_by, AnsweredBy::Planner);
    assert_eq!(talk.rows(), ["Tokyo"]);
    assert!(!talk.answered.trace.degraded.iter().all(|note| note.contains("embedding")), "degraded");
}

#[tokio::test]
async fn a_corrupted_iri_is_answered_with_the_right_one() {
    let right = "https://eruca.dev/demo/resource/Bras%C3%ADlia";
    let query = |iri: &str| format!("SELECT ?p WHERE {{ <{iri}> geo:population ?p }}");
    let wrong = "https://eruca.dev/demo/resource/Brasília";
    let turns = [
        tries(&query(wrong)),
        ScriptedTurn::call("get_entry", json!({"iri": wrong})),
        tries(&query("https://eruca.dev/demo/resource/brasilia")),
        answers(&query(right)),
    ];
    let talk = Setup::demo().ask("How many people live in Brasília?", turns).await;
    assert_eq!(talk.answered.trace.stop, StopReason::Answered);
    assert_eq!(talk.rows().len(), 1);
    assert_eq!(talk.outcomes(), ["empty", "empty", "empty", "ok"]);
    for number in 0..3 {
        let said = talk.observation(number);
        assert!(said.contains("Bras%C3%ADlia") || said.contains("Bras\\%C3\\%ADlia"), "{number}: {said}");
    }
    insta::assert_snapshot!(talk.observation(0), @"
    0 rows.
    The graph does not know demo:Brasília (nearest known: demo:Bras%C3%ADlia). IRIs must be copied exactly.
    No triple matches `demo:Brasília geo:population ?p`. demo:Brasília is not the subject of any triple.
    ");
}

#[tokio::test]
async fn unknown_names_are_answered_with_the_nearest_known_ones() {
    let turns = [
        tries("SELECT ?c WHERE { demo:Japan geo:capitalCityOf ?c }"),
        tries("SELECT ?c WHERE { ?c a geo:Capital }"),
        answers(CAPITAL),
    ];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert!(talk.observation(0).contains("geo:capital"), "{}", talk.observation(0));
    assert!(talk.observation(1).contains("geo:CapitalCity"), "{}", talk.observation(1));
}

#[tokio::test]
async fn a_long_observation_is_cut_and_says_so() {
    let everything = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }";
    let setup = Setup::new("[agent]\nobservation_chars = 300\n[sparql]\nmax_rows = 50");
    let talk = setup.ask(QUESTION, [tries(everything), answers(CAPITAL)]).await;
    assert_tokyo(&talk);
    assert_eq!(talk.outcomes()[0], "truncated");
    assert!(talk.observation(0).contains("more characters cut"), "{}", talk.observation(0));
    assert!(talk.observation(0).chars().count() < 400);
}

#[tokio::test]
async fn a_query_that_looks_around_is_not_returned_when_there_is_a_better_one() {
    let turns =
        [tries(CAPITAL), tries("SELECT ?p ?o WHERE { demo:Japan ?p ?o }"), ScriptedTurn::fail(unreachable())];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_eq!(talk.rows(), ["Tokyo"]);
}

#[tokio::test]
async fn iris_that_differ_in_case_are_different_calls() {
    let entry = |iri: &str| ScriptedTurn::call("get_entry", json!({"iri": iri}));
    let turns = [entry("demo:japan"), entry("demo:Japan"), answers(CAPITAL)];
    let talk = Setup::demo().ask(QUESTION, turns).await;
    assert_tokyo(&talk);
    assert!(talk.observation(0).contains("nearest known: demo:Japan"), "{}", talk.observation(0));
    assert_eq!(talk.outcomes(), ["empty", "ok", "ok"], "{}", talk.observation(1));
}

#[tokio::test]
async fn a_question_for_a_thing_is_no_question_for_a_yes_in_any_language() {
    let setup = Setup::demo();
    for question in [
        "Was ist die Hauptstadt von Japan?",
        "Was war die Hauptstadt von Japan?",
        "¿Cuál es la capital de Japón?",
    ] {
        assert_eq!(setup.ask(question, [answers(CAPITAL)]).await.rows(), ["Tokyo"], "{question}");
    }
    let yes = "SELECT ?c WHERE { demo:Japan geo:capital ?c FILTER(?c = demo:Tokyo) }";
    for question in [
        "Is Tokyo the capital of Japan?",
        "War Tokio die Hauptstadt von Japan?",
        "Was Tokyo the capital of Japan?",
    ] {
        assert_eq!(setup.ask(question, [answers(yes)]).await.rows(), ["true"], "{question}");
    }
}
