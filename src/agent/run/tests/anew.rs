//! A conversation that the model cannot read to its end.

use super::*;
use crate::agent::run::anew::MAX_ANEW;

const LIMITS: Budget =
    Budget { max_model_calls: 9, max_tokens: 10_000, card_tokens: 10, observation_chars: 10 };

fn opening(text: &str) -> Vec<Message> {
    vec![Message::System("short".to_owned()), Message::User(text.to_owned())]
}

fn begin_anew(run: &mut AgentRun<'_>) -> bool {
    messages(run);
    run.begin_anew(opening("Question"), LIMITS, AgentFeatures::default())
}

#[test]
fn an_opening_that_is_too_long_is_shortened_once() {
    let mut run = run();
    assert!(begin_anew(&mut run));
    assert_eq!(messages(&mut run), opening("Question"));
    assert!(!begin_anew(&mut run));
}

#[test]
fn one_that_would_not_be_shorter_is_not_begun() {
    let mut run = AgentRun::new(opening("Question"), LIMITS, AgentFeatures::default(), &Rules);
    assert!(!begin_anew(&mut run));
}

#[test]
fn earlier_turns_are_left_out_and_what_they_found_is_kept() {
    let mut run = run();
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    assert!(begin_anew(&mut run));
    let told = messages(&mut run);
    let Some(Message::User(text)) = told.last() else { panic!("{told:?}") };
    assert_eq!(told.len(), 2);
    assert!(text.starts_with("Question\n\n(") && text.contains(SOME), "{text}");
    assert_eq!(best(&run).as_deref(), Some(SOME));
    // Its observation is not there any more, so that the call is made again and not called a repetition.
    run.replied(&query(EXECUTE_SPARQL, SOME));
    assert!(matches!(calls(&mut run)[0].plan, CallPlan::Run(..)));
}

#[test]
fn it_is_done_a_few_times_at_most_and_not_twice_without_a_turn() {
    let mut run = run_with(LIMITS);
    let mut times = 0;
    for _ in 0..MAX_ANEW + 2 {
        times += u32::from(begin_anew(&mut run));
        assert!(!begin_anew(&mut run));
        turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 1));
    }
    assert_eq!(times, MAX_ANEW);
}
