//! An answer with open points is refused once, then accepted.

use super::*;

const SMALL: &str = "SELECT ?x { ?x a <http://e.x/Small> ; <http://e.x/p> <http://e.x/o> }";

/// The last text sent to the model.
fn heard(run: &mut AgentRun<'_>) -> String {
    let Some(Message::Tool { content, .. }) = messages(run).pop() else { panic!("no observation") };
    content
}

#[test]
fn what_is_open_is_refused_once_and_taken_when_it_is_stated_again() {
    for (text, observation, told) in
        [(SOME, gave_tied(SOME, 1), "Tie: 3 rows"), (SMALL, gave(SMALL, 1), "The class is small.")]
    {
        let mut run = run();
        turn(&mut run, &query(ANSWER, text), observation);
        let content = heard(&mut run);
        assert!(content.starts_with(told) && content.contains("Reading: \"all\""), "{content}");
        assert!(content.contains("same query again"), "{content}");
        run.replied(&query(ANSWER, text));
        let planned = calls(&mut run);
        let CallPlan::Known(observation) = &planned[0].plan else { panic!("{planned:?}") };
        run.observed(vec![observation.as_ref().clone()]);
        assert_eq!(done(&mut run), StopReason::Answered);
    }
}

#[test]
fn what_is_open_is_refused_of_a_query_that_was_tried_before_and_then_of_no_other() {
    let mut run = run();
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave_tied(SOME, 1));
    messages(&mut run);
    run.replied(&query(ANSWER, SOME));
    let planned = calls(&mut run);
    let CallPlan::Known(observation) = &planned[0].plan else { panic!("{planned:?}") };
    assert!(observation.text.contains("Reading:"), "{}", observation.text);
    run.observed(vec![observation.as_ref().clone()]);
    assert!(heard(&mut run).starts_with("Tie"));
    run.replied(&query(ANSWER, SMALL));
    calls(&mut run);
    run.observed(vec![gave(SMALL, 1)]);
    assert_eq!(done(&mut run), StopReason::Answered);
    assert!(run.signs().agrees && !run.signs().changed, "it gave the same rows: {:?}", run.signs());
}

#[test]
fn nothing_is_refused_with_the_last_call_or_without_the_help() {
    let mut last = run_with(Budget { max_model_calls: 2, ..BUDGET });
    turn(&mut last, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 1));
    turn(&mut last, &query(ANSWER, SOME), gave_tied(SOME, 1));
    assert_eq!(done(&mut last), StopReason::Answered);
    let features = AgentFeatures { preflight: false, ..AgentFeatures::default() };
    let mut without = AgentRun::new(Vec::new(), BUDGET, features, &Rules);
    turn(&mut without, &query(ANSWER, SMALL), gave(SMALL, 1));
    assert_eq!(done(&mut without), StopReason::Answered);
    let mut plain = run();
    turn(&mut plain, &query(ANSWER, SOME), gave(SOME, 1));
    assert_eq!(done(&mut plain), StopReason::Answered, "nothing is open");
}

#[test]
fn a_run_says_of_its_answer_what_it_has_seen() {
    let mut stated = run();
    turn(&mut stated, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 2));
    let answer = serde_json::json!({"query": SOME, "unsure": "which of two keepers is meant"}).to_string();
    turn(&mut stated, &says("", &[(ANSWER, &answer)]), gave(SOME, 1));
    let signs = stated.signs();
    assert!(signs.stated && !signs.agrees && !signs.changed && signs.open.is_empty(), "{signs:?}");
    assert_eq!(signs.unsure.as_deref(), Some("which of two keepers is meant"));
    let mut tried = run();
    turn(&mut tried, &query(EXECUTE_SPARQL, OTHER), gave(OTHER, 2));
    turn(&mut tried, &query(EXECUTE_SPARQL, SOME), gave_tied(SOME, 2));
    let signs = tried.signs();
    assert!(!signs.stated && signs.agrees && signs.unsure.is_none(), "{signs:?}");
    assert_eq!(signs.open, ["tie"]);
    let sure = serde_json::json!({"query": SOME, "unsure": "none"}).to_string();
    let mut sure_run = run();
    turn(&mut sure_run, &says("", &[(ANSWER, &sure)]), gave(SOME, 1));
    assert_eq!(sure_run.signs().unsure, None);
}
