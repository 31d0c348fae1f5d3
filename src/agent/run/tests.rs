//! The state machine alone: its next step after each reported outcome.

mod anew;
mod open;
mod stuck;

use super::*;
use crate::agent_features::AgentFeatures;
use crate::llm::Usage;
use crate::tools::ANSWER;
use eruca_sparql::{Answer, Prefixes, QueryError, QueryPolicy, Results, Solutions, Term, check};
use std::time::Duration;

const SOME: &str = "SELECT ?x { ?x <http://e.x/p> <http://e.x/o> }";
const OTHER: &str = "SELECT ?y { ?y <http://e.x/q> <http://e.x/o> }";

const STATE_FORM: &str = "state_form";
const EXECUTE_SPARQL: &str = "execute_sparql";

const BUDGET: Budget =
    Budget { max_model_calls: 5, max_tokens: 10_000, card_tokens: 100, observation_chars: 100 };

/// Every stated limit counts as a difference if the query has no LIMIT.
struct Rules;

impl RunRules for Rules {
    fn key(&self, text: &str) -> Option<String> {
        check(text, &Prefixes::default(), &QueryPolicy::default()).ok().map(|query| query.key())
    }

    fn differences(&self, stated: &StatedForm, run: &RunQuery) -> Vec<String> {
        let differs = stated.limit.filter(|_| run.query.model().limit.is_none());
        differs.map(|limit| format!("You stated {limit}.")).into_iter().collect()
    }

    /// The class `Small` counts as too narrow.
    fn narrows(&self, run: &RunQuery) -> Vec<OpenPoint> {
        let narrow = run.query.text().contains("http://e.x/Small");
        let point = || OpenPoint { kind: "narrow", text: "The class is small.".to_owned() };
        narrow.then(point).into_iter().collect()
    }

    fn reading(&self, _: &RunQuery) -> Option<String> {
        Some("Reading: \"all\"".to_owned())
    }
}

fn run_with(budget: Budget) -> AgentRun<'static> {
    AgentRun::new(vec![Message::User("Question".to_owned())], budget, AgentFeatures::default(), &Rules)
}

fn run() -> AgentRun<'static> {
    run_with(BUDGET)
}

/// A completion with these calls, using 10 tokens.
fn says(text: &str, calls: &[(&str, &str)]) -> Completion {
    let call = |(number, (name, arguments)): (usize, &(&str, &str))| ToolCall {
        id: format!("c{number}"),
        name: (*name).to_owned(),
        arguments: (*arguments).to_owned(),
    };
    Completion {
        text: Some(text.to_owned()).filter(|text| !text.is_empty()),
        calls: calls.iter().enumerate().map(call).collect(),
        usage: Usage { prompt_tokens: 8, completion_tokens: 2, ..Usage::default() },
        cut: false,
        attempts: 1,
    }
}

fn query(name: &str, text: &str) -> Completion {
    says("", &[(name, &serde_json::json!({ "query": text }).to_string())])
}

/// An observation of a query that ran and returned that many rows.
fn gave(text: &str, rows: usize) -> Observation {
    let query = check(text, &Prefixes::default(), &QueryPolicy::default()).unwrap();
    let row = vec![Some(Term::from(eruca_sparql::Literal::from(1)))];
    let solutions = Solutions { variables: vec!["x".to_owned()], rows: vec![row; rows] };
    let answer = Answer { results: Results::Solutions(solutions), incomplete: None, elapsed: Duration::ZERO };
    let kind = if rows == 0 { ObservationKind::Empty } else { ObservationKind::Ok };
    let run = Some(RunQuery::new(query, Ok(answer.into())));
    Observation { run, ..Observation::new(kind, format!("{rows} rows")) }
}

/// The same with a LIMIT that cuts off ties.
fn gave_tied(text: &str, rows: usize) -> Observation {
    let tie = OpenPoint { kind: "tie", text: "Tie: 3 rows share the last place.".to_owned() };
    Observation { open: vec![tie], ..gave(text, rows) }
}

#[track_caller]
fn messages(run: &mut AgentRun<'_>) -> Vec<Message> {
    match run.next_step() {
        NextStep::CallModel(messages) => messages,
        other => panic!("no model call but {other:?}"),
    }
}

#[track_caller]
fn calls(run: &mut AgentRun<'_>) -> Vec<PlannedCall> {
    match run.next_step() {
        NextStep::CallTools(calls) => calls,
        other => panic!("no tool calls but {other:?}"),
    }
}

#[track_caller]
fn done(run: &mut AgentRun<'_>) -> StopReason {
    match run.next_step() {
        NextStep::Done(reason) => reason,
        other => panic!("not done but {other:?}"),
    }
}

/// The kind and text of an observation that is known without running a tool.
#[track_caller]
fn known(call: &PlannedCall) -> (&'static str, &str) {
    match &call.plan {
        CallPlan::Known(observation) => (observation.kind.as_str(), &observation.text),
        CallPlan::Run(..) => panic!("it would be run: {call:?}"),
    }
}

fn best(run: &AgentRun<'_>) -> Option<String> {
    run.best().map(|candidate| candidate.run.query.text().to_owned())
}

/// The model makes one call, and the tool returns one observation.
fn turn(run: &mut AgentRun<'_>, completion: &Completion, observation: Observation) {
    messages(run);
    run.replied(completion);
    calls(run);
    run.observed(vec![observation]);
}

#[test]
fn a_call_is_made_and_its_observation_goes_back_under_its_id() {
    let mut run = run();
    assert_eq!(messages(&mut run).len(), 1);
    run.replied(&says("First I look.", &[("search_entity", "{\"query\": \"x\"}"), ("google", "{}")]));
    let planned = calls(&mut run);
    assert!(matches!(planned[0].plan, CallPlan::Run(..)));
    assert_eq!(known(&planned[1]).0, "bad_call");
    run.observed(vec![Observation::new(ObservationKind::Ok, "found"), Observation::bad_call("no such tool")]);
    let messages = messages(&mut run);
    let tool =
        |id: &str, content: &str| Message::Tool { call_id: id.to_owned(), content: content.to_owned() };
    assert_eq!(messages[2..], [tool("c0", "found"), tool("c1", "no such tool")]);
    assert_eq!(run.spent().0, 1);
    assert_eq!((run.spent().1.prompt_tokens, run.spent().1.completion_tokens), (8, 2));
}

#[test]
fn an_answer_that_gives_something_ends_the_run() {
    let mut run = run();
    turn(&mut run, &query(ANSWER, SOME), gave(SOME, 1));
    assert_eq!(done(&mut run), StopReason::Answered);
    assert_eq!(done(&mut run), StopReason::Answered, "and it stays ended");
    assert_eq!(best(&run).as_deref(), Some(SOME));
}

/// Records the addresses of the results that are compared with the form.
#[derive(Default)]
struct Compared(std::sync::Mutex<Vec<usize>>);

fn place(run: &RunQuery) -> usize {
    match run.result.as_ref().map(|answer| &answer.results) {
        Ok(Results::Solutions(solutions)) => solutions.rows.as_ptr() as usize,
        _ => 0,
    }
}

impl RunRules for Compared {
    fn key(&self, text: &str) -> Option<String> {
        Rules.key(text)
    }

    fn differences(&self, _: &StatedForm, run: &RunQuery) -> Vec<String> {
        self.0.lock().unwrap().push(place(run));
        Vec::new()
    }

    fn narrows(&self, _: &RunQuery) -> Vec<OpenPoint> {
        Vec::new()
    }

    fn reading(&self, _: &RunQuery) -> Option<String> {
        None
    }
}

#[test]
fn rows_are_compared_with_the_form_where_they_lie() {
    let rules = Compared::default();
    let mut run = AgentRun::new(Vec::new(), BUDGET, AgentFeatures::default(), &rules);
    let observations = [gave(SOME, 50), gave(OTHER, 50)];
    let kept = observations.each_ref().map(|observation| place(observation.run.as_ref().unwrap()));
    for (text, observation) in [SOME, OTHER].into_iter().zip(observations) {
        turn(&mut run, &query(EXECUTE_SPARQL, text), observation);
    }
    rules.0.lock().unwrap().clear();
    assert!(run.best().is_some());
    assert_eq!(*rules.0.lock().unwrap(), kept, "no copy is made of them");
}

#[test]
fn an_answer_that_was_run_before_is_not_run_again() {
    let mut run = run();
    let first = gave(SOME, 1);
    let lie = place(first.run.as_ref().unwrap());
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), first);
    messages(&mut run);
    run.replied(&query(ANSWER, "select ?x\n{ ?x <http://e.x/p> <http://e.x/o> . }"));
    let planned = calls(&mut run);
    let CallPlan::Known(observation) = &planned[0].plan else { panic!("{planned:?}") };
    assert_eq!(place(observation.run.as_ref().unwrap()), lie, "its rows are not copied");
    run.observed(vec![observation.as_ref().clone()]);
    assert_eq!(done(&mut run), StopReason::Answered);
    assert_eq!(best(&run).as_deref(), Some(SOME));
}

#[test]
fn a_stated_query_is_better_than_an_explored_one() {
    let mut run = run();
    turn(&mut run, &query(ANSWER, SOME), gave(SOME, 0));
    turn(&mut run, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 3));
    assert_eq!(best(&run).as_deref(), Some(OTHER), "something is better than nothing");
    run.out_of_time();
    assert_eq!(done(&mut run), StopReason::Deadline);
}

#[test]
fn an_empty_answer_must_be_confirmed() {
    let mut run = run();
    turn(&mut run, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 3));
    turn(&mut run, &query(ANSWER, SOME), gave(SOME, 0));
    let Some(Message::Tool { content, .. }) = messages(&mut run).pop() else { panic!("no observation") };
    assert!(content.starts_with("0 rows") && content.contains("same query again"), "{content}");
    run.replied(&query(ANSWER, SOME));
    calls(&mut run);
    run.observed(vec![gave(SOME, 0)]);
    assert_eq!(done(&mut run), StopReason::Answered);
    assert_eq!(best(&run).as_deref(), Some(SOME), "what was confirmed is returned");
}

#[test]
fn a_repeated_call_is_known_but_one_that_could_not_be_answered_is_not() {
    let mut run = run();
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    messages(&mut run);
    run.replied(&query(EXECUTE_SPARQL, SOME));
    let planned = calls(&mut run);
    assert_eq!(known(&planned[0]).0, "repeated");
    run.observed(vec![Observation::new(ObservationKind::Repeated, "again")]);

    let down = QueryError::Unavailable { message: "503".to_owned() };
    turn(
        &mut run,
        &query(EXECUTE_SPARQL, OTHER),
        Observation::new(ObservationKind::QueryFailed(down.kind()), "503"),
    );
    messages(&mut run);
    run.replied(&query(EXECUTE_SPARQL, OTHER));
    assert!(matches!(calls(&mut run)[0].plan, CallPlan::Run(..)), "it may work now");
}

#[test]
fn misses_in_a_row_end_the_run_and_a_call_between_forgives_them() {
    let mut run = run_with(Budget { max_model_calls: 20, ..BUDGET });
    for _ in 0..2 {
        messages(&mut run);
        run.replied(&says("Hm.", &[]));
    }
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    for _ in 0..3 {
        messages(&mut run);
        run.replied(&says("", &[]));
    }
    assert_eq!(done(&mut run), StopReason::ModelFailed);
    assert_eq!(best(&run).as_deref(), Some(SOME));
}

#[test]
fn calls_written_as_text_are_answered_as_text() {
    let mut run = run();
    messages(&mut run);
    run.replied(&says("{\"name\": \"search_class\", \"arguments\": {\"query\": \"x\"}}", &[]));
    calls(&mut run);
    run.observed(vec![Observation::new(ObservationKind::Ok, "found")]);
    let messages = messages(&mut run);
    assert_eq!(messages.last(), Some(&Message::User("search_class: found".to_owned())));
    assert!(matches!(&messages[1], Message::Assistant { calls, .. } if calls.is_empty()));
}

#[test]
fn a_query_written_as_text_is_an_answer() {
    let mut run = run();
    turn(&mut run, &says(&format!("```sparql\n{SOME}\n```"), &[]), gave(SOME, 1));
    assert_eq!(done(&mut run), StopReason::AnsweredAsText);
    assert_eq!(best(&run).as_deref(), Some(SOME));
}

#[test]
fn the_last_call_is_announced_and_no_further_one_is_made() {
    let mut run = run_with(Budget { max_model_calls: 2, ..BUDGET });
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    let last = messages(&mut run).pop();
    assert_eq!(last, Some(Message::User(prompt::last_call().to_owned())));
    run.replied(&query(EXECUTE_SPARQL, OTHER));
    calls(&mut run);
    run.observed(vec![gave(OTHER, 1)]);
    assert_eq!(done(&mut run), StopReason::Budget);
    assert_eq!(best(&run).as_deref(), Some(OTHER));
}

#[test]
fn spent_tokens_end_the_run() {
    let mut run = run_with(Budget { max_tokens: 10, ..BUDGET });
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    assert_eq!(done(&mut run), StopReason::Budget);
}

#[test]
fn a_failed_model_ends_the_run_with_what_there_is() {
    let mut run = run();
    messages(&mut run);
    run.model_failed();
    assert_eq!(done(&mut run), StopReason::ModelFailed);
    assert_eq!(best(&run), None);
}

#[test]
fn an_answer_of_another_form_than_stated_is_told_once_and_can_be_fixed() {
    const LIMITED: &str = "SELECT ?x { ?x <http://e.x/p> <http://e.x/o> } LIMIT 2";
    let mut run = run();
    let statement = says("", &[(STATE_FORM, r#"{"form": "things", "limit": "2"}"#)]);
    turn(&mut run, &statement, Observation::new(ObservationKind::Ok, "Noted."));
    turn(&mut run, &query(ANSWER, SOME), gave(SOME, 3));
    let Some(Message::Tool { content, .. }) = messages(&mut run).pop() else { panic!("no observation") };
    assert!(content.starts_with("You stated 2.\nIf the query is right, correct the form"), "{content}");
    assert_eq!(best(&run).as_deref(), Some(SOME));
    run.replied(&query(ANSWER, LIMITED));
    calls(&mut run);
    run.observed(vec![gave(LIMITED, 2)]);
    assert_eq!(done(&mut run), StopReason::Answered);
    assert_eq!(best(&run).as_deref(), Some(LIMITED));
    assert_eq!(run.stated_form().limit, Some(2), "the answer says nothing of it: it stays as stated");
}

#[test]
fn an_answer_of_another_form_stays_when_it_is_stated_again_or_the_check_is_off() {
    let mut told = run();
    let answer = says("", &[(ANSWER, &serde_json::json!({"query": SOME, "limit": 2}).to_string())]);
    turn(&mut told, &answer, gave(SOME, 3));
    turn(&mut told, &answer, gave(SOME, 3));
    assert_eq!(done(&mut told), StopReason::Answered);
    let features = AgentFeatures { answer_form: false, ..AgentFeatures::default() };
    let mut untold = AgentRun::new(Vec::new(), BUDGET, features, &Rules);
    turn(&mut untold, &answer, gave(SOME, 3));
    assert_eq!(done(&mut untold), StopReason::Answered);
}

#[test]
fn of_equal_queries_the_one_of_the_stated_form_is_returned() {
    const LIMITED: &str = "SELECT ?x { ?x <http://e.x/p> <http://e.x/o> } LIMIT 2";
    let mut run = run();
    let statement = says("", &[(STATE_FORM, r#"{"form": "things", "limit": 2}"#)]);
    turn(&mut run, &statement, Observation::new(ObservationKind::Ok, "Noted."));
    turn(&mut run, &query(EXECUTE_SPARQL, LIMITED), gave(LIMITED, 2));
    turn(&mut run, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 3));
    assert_eq!(best(&run).as_deref(), Some(LIMITED), "though the other one came later");
}

#[test]
fn of_a_thousand_calls_a_few_are_made_and_the_model_is_told() {
    let arguments = serde_json::json!({ "query": "x" }).to_string();
    let many = vec![("search_entity", arguments.as_str()); 1_000];
    let mut run = run();
    messages(&mut run);
    run.replied(&says("", &many));
    let planned = calls(&mut run);
    assert_eq!(planned.len(), MAX_CALLS);
    run.observed(planned.iter().map(|_| Observation::new(ObservationKind::Ok, "seen")).collect());
    let messages = messages(&mut run);
    let asked: usize = messages
        .iter()
        .map(|message| match message {
            Message::Assistant { calls, .. } => calls.len(),
            _ => 0,
        })
        .sum();
    let answered = messages.iter().filter(|message| matches!(message, Message::Tool { .. })).count();
    assert_eq!((asked, answered), (MAX_CALLS, MAX_CALLS));
    assert!(matches!(messages.last(), Some(Message::User(text)) if text.contains("first 16 tool calls")));
}

#[test]
fn what_is_too_long_is_neither_done_nor_kept() {
    let long = "x".repeat(1_000_000);
    let mut run = run();
    messages(&mut run);
    run.replied(&says(&long, &[("search_entity", &long), (&long, "{}")]));
    let planned = calls(&mut run);
    let known =
        |call: &PlannedCall| matches!(&call.plan, CallPlan::Known(seen) if seen.text.contains("too long"));
    assert!(planned.iter().all(known), "{planned:?}");
    run.observed(planned.iter().map(|_| Observation::bad_call("too long")).collect());
    let bytes: usize = messages(&mut run)
        .iter()
        .map(|message| match message {
            Message::System(text) | Message::User(text) => text.len(),
            Message::Assistant { text, calls } => {
                text.as_ref().map_or(0, String::len)
                    + calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>()
            }
            Message::Tool { content, .. } => content.len(),
        })
        .sum();
    assert!(bytes < 25_000, "{bytes}");
}

fn absent(text: Option<&str>) -> Completion {
    let mut arguments = serde_json::json!({ "not_in_graph": "No mill has a date of building." });
    if let Some(text) = text {
        arguments["query"] = text.into();
    }
    says("", &[(ANSWER, &arguments.to_string())])
}

#[test]
fn what_the_graph_does_not_hold_is_said_once_and_its_query_is_returned() {
    let mut run = run();
    turn(&mut run, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 3));
    turn(&mut run, &absent(Some(SOME)), gave(SOME, 0));
    assert_eq!(format!("{:?}", done(&mut run)), "NotInGraph");
    assert_eq!(best(&run).as_deref(), Some(SOME), "though another one gave something");
}

#[test]
fn a_query_that_finds_something_does_not_show_that_there_is_nothing() {
    let mut run = run();
    turn(&mut run, &absent(Some(SOME)), gave(SOME, 3));
    let Some(Message::Tool { content, .. }) = messages(&mut run).pop() else { panic!("no observation") };
    assert!(content.contains("has results") && content.contains("`not_in_graph`"), "{content}");
    run.replied(&query(ANSWER, SOME));
    calls(&mut run);
    run.observed(vec![gave(SOME, 3)]);
    assert_eq!(done(&mut run), StopReason::Answered);
}

#[test]
fn a_query_that_asks_nothing_of_the_graph_is_never_an_answer() {
    const NOTHING: &str = "SELECT ?x { VALUES ?x { 1 } }";
    let mut run = run_with(Budget { max_model_calls: 3, ..BUDGET });
    for _ in 0..2 {
        turn(&mut run, &query(ANSWER, NOTHING), gave(NOTHING, 1));
        let told = |message: &Message| matches!(message, Message::Tool { content, .. } if content.contains("does not depend on the graph"));
        assert!(run.messages.last().is_some_and(told), "{:?}", run.messages.last());
    }
    turn(&mut run, &query(EXECUTE_SPARQL, NOTHING), gave(NOTHING, 1));
    assert_eq!(done(&mut run), StopReason::Budget);
    assert_eq!(best(&run), None);
}

#[test]
fn constants_are_an_answer_only_where_the_graph_chooses_among_them() {
    const CHOICE: &str =
        "SELECT ?x { VALUES ?x { <http://e/a> <http://e/b> } ?x <http://e/born> ?y } ORDER BY ?y LIMIT 1";
    let mut run = run();
    turn(&mut run, &query(ANSWER, CHOICE), gave(CHOICE, 2));
    let faked = |message: &Message| matches!(message, Message::Tool { content, .. } if content.contains("its own answer"));
    assert!(run.messages.last().is_some_and(faked), "all of them: {:?}", run.messages.last());
    let mut run = self::run();
    turn(&mut run, &query(ANSWER, CHOICE), gave(CHOICE, 1));
    assert!(!run.messages.iter().any(faked));
}
