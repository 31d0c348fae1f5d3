//! Questions that take long: they stop when told to, and are not started if they have too many words.

use super::graph::Graph;
use crate::question::ParsedQuestion;
use crate::{AllowedTime, Named, Pace, Reading, Weights, link, mentions, readings};
use std::cell::Cell;
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);
const HILLS: &str = "@prefix h: <http://hills.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    h:Hill rdfs:label \"hill\" . h:county rdfs:label \"county\" . h:height rdfs:label \"height\" .
    h:a a h:Hill ; rdfs:label \"Long Rise\" ; h:height 300 ; h:county h:k . h:k a h:County ; rdfs:label \"Kent\" .
    h:b a h:Hill ; rdfs:label \"Round Top\" ; h:height 200 ; h:county h:k .";

/// Allows a fixed number of steps.
struct Steps {
    left: Cell<u64>,
    asked: Cell<u64>,
}

impl Steps {
    fn of(left: u64) -> Self {
        Self { left: Cell::new(left), asked: Cell::new(0) }
    }
}

impl Pace for Steps {
    fn goes_on(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

fn read(text: &str) -> ParsedQuestion {
    ParsedQuestion::read(text, &["en".to_owned()])
}

fn found(graph: &Graph, question: &ParsedQuestion, time: AllowedTime<'_>) -> Vec<Reading> {
    let named = Named::from(mentions(&graph.index, question).unwrap());
    readings(&graph.index, question, &named, &Weights::default(), time)
}

#[test]
fn reading_ends_soon_when_nobody_waits_for_it() {
    let graph = Graph::of(HILLS);
    let question = read(&"which hill which height ".repeat(12));
    let steps = Steps::of(40);
    let began = Instant::now();
    let _some = found(&graph, &question, AllowedTime::new(began + HOUR, &steps));
    // Whatever loop it is in, it is left at once.
    assert!(steps.asked.get() < 60, "{}", steps.asked.get());
}

#[test]
fn what_is_found_in_the_time_is_returned() {
    let graph = Graph::of(HILLS);
    let question = read("which hill has a height of 300");
    let whole = found(&graph, &question, AllowedTime::until(Instant::now() + HOUR));
    assert!(!whole.is_empty());
    let none = found(&graph, &question, AllowedTime::until(Instant::now()));
    assert!(none.is_empty());
    let named = |steps: u64| {
        let steps = Steps::of(steps);
        let until = Instant::now() + HOUR;
        link(&graph.index, &read("Long Rise and Round Top"), Some(AllowedTime::new(until, &steps))).unwrap()
    };
    assert!(named(0).mentions.is_empty());
    assert_eq!(named(u64::MAX).mentions.len(), 2);
}

#[test]
fn a_question_of_more_words_than_a_question_has_is_not_read() {
    let graph = Graph::of(HILLS);
    let until = || AllowedTime::until(Instant::now() + HOUR);
    let steps = Steps::of(u64::MAX);
    for long in ["height ".repeat(41), "the which of ".repeat(40), "x".repeat(2_000)] {
        let question = read(&long);
        assert!(crate::is_too_long(&question), "{long}");
        assert!(found(&graph, &question, AllowedTime::new(Instant::now() + HOUR, &steps)).is_empty());
    }
    assert_eq!(steps.asked.get(), 0, "nothing was begun");
    let quoted = format!("which hill is called \"{}\"", "very long ".repeat(30));
    assert!(!crate::is_too_long(&read(&quoted)), "a quotation is one name");
    assert!(!found(&graph, &read("hills of Kent with their height"), until()).is_empty());
}
