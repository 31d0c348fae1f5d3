//! A run that does not get on: the model is asked to assess, then the turns that brought nothing are cut.

use super::*;

const LONG: Budget =
    Budget { max_model_calls: 30, max_tokens: 100_000, card_tokens: 100, observation_chars: 100 };

/// A call that finds nothing.
fn fails(run: &mut AgentRun<'_>, number: usize) {
    let completion = says("", &[("search_entity", &format!("{{\"query\": \"name {number}\"}}"))]);
    turn(run, &completion, Observation::new(ObservationKind::Empty, "Nothing is named so."));
}

fn texts(run: &mut AgentRun<'_>) -> Vec<String> {
    messages(run).iter().map(|message| format!("{message:?}")).collect()
}

#[test]
fn a_stubborn_model_is_asked_to_assess_and_then_its_dead_branch_is_cut() {
    let mut run = run_with(LONG);
    turn(&mut run, &query(EXECUTE_SPARQL, SOME), gave(SOME, 2));
    let known = messages(&mut run).len();
    (0..4).for_each(|number| fails(&mut run, number));
    assert!(texts(&mut run).last().unwrap().contains("review"));
    assert!(!run.is_sampled_anew() && run.take_notes().is_empty());
    (4..7).for_each(|number| fails(&mut run, number));
    assert_eq!(run.take_notes(), ["7 calls that brought nothing were cut from the conversation"]);
    assert!(run.is_sampled_anew());
    let after = texts(&mut run);
    // What was found before stays, and the calls are named once.
    assert_eq!(after.len(), known + 1);
    assert!(
        after.last().unwrap().contains("name 6") && after.last().unwrap().contains(": empty"),
        "{after:?}"
    );
    // The next completion is sampled as usual again, and what was cut is still known to have been made.
    run.replied(&says("", &[("search_entity", "{\"query\": \"name 3\"}")]));
    assert!(!run.is_sampled_anew());
    assert_eq!(super::known(&calls(&mut run)[0]).0, "repeated");
}

#[test]
fn branches_are_cut_twice_at_most_and_never_where_something_is_found() {
    let mut run = run_with(LONG);
    (0..20).for_each(|number| fails(&mut run, number));
    assert_eq!(run.take_notes().len(), 2);
    let mut run = run_with(LONG);
    for number in 0..20 {
        fails(&mut run, number);
        if number % 3 == 2 {
            let found = Observation::new(ObservationKind::Ok, "found");
            turn(&mut run, &says("", &[("search_class", &format!("{{\"query\": \"{number}\"}}"))]), found);
        }
    }
    assert!(run.take_notes().is_empty());
}

#[test]
fn without_reviews_nothing_is_cut() {
    let features = AgentFeatures { review: false, ..AgentFeatures::default() };
    let mut run = AgentRun::new(vec![Message::User("Question".to_owned())], LONG, features, &Rules);
    (0..12).for_each(|number| fails(&mut run, number));
    assert!(run.take_notes().is_empty() && messages(&mut run).len() == 1 + 2 * 12);
}

#[test]
fn half_of_a_budget_is_announced_once() {
    let budget = Budget { max_model_calls: 12, ..LONG };
    let mut run = run_with(budget);
    for number in 0..8 {
        let found = Observation::new(ObservationKind::Ok, "found");
        turn(&mut run, &says("", &[("search_class", &format!("{{\"query\": \"{number}\"}}"))]), found);
    }
    let told = texts(&mut run).iter().filter(|text| text.contains("(6 of 12)")).count();
    assert_eq!(told, 1);
}
