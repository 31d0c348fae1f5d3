use super::*;
use crate::meaning::{Against, Base, Condition, Func, Op, Rank, Step};
use crate::schema::Kind;
use std::rc::Rc;

fn text(answer: &Answer<'_>) -> String {
    described(answer).text(&|iri| iri.to_owned())
}

fn returns(answer: &Answer<'_>) -> String {
    returned(answer).text(&|iri| iri.to_owned())
}

fn step(property: &'static str, forward: bool) -> Vec<Step<'static>> {
    vec![Step { property, forward }]
}

fn austria() -> Rc<Set<'static>> {
    Rc::new(Set::thing(Rc::from("Austria"), Kind::Unknown))
}

#[test]
fn superlatives_say_what_comes_first() {
    let rank =
        Rank { by: Measure::Value(step("height", true)), down: true, skip: 0, take: 1, per: Vec::new() };
    let mountains = Set::of_class("mountain").and(Condition::Joined(step("country", true), austria()));
    let answer = Answer::list(Rc::new(Set { rank: Some(rank), ..mountains }));
    assert_eq!(text(&answer), "mountain with country Austria, highest height first, 1 of them");
    assert_eq!(returns(&answer), "one row per mountain; one column");
}

#[test]
fn facts_are_of_things() {
    let answer =
        Answer::list(Rc::new(Set::any(Kind::Unknown, Condition::Joined(step("capital", false), austria()))));
    assert_eq!(text(&answer), "the capital of Austria");
    assert_eq!(returns(&answer), "one row per capital; one column");
}

#[test]
fn groups_and_aggregates_are_for_each() {
    let count = Column { path: step("country", false), what: What::Count, ..Column::this() };
    let of = Rc::new(Set::of_class("country"));
    let columns = vec![Column::this(), count];
    let answer = Answer::List { of: of.clone(), columns, order: Vec::new(), limit: Some(3) };
    assert_eq!(text(&answer), "number of country for each country, the first 3");
    let average = Column { then: step("age", true), what: What::Aggregate(Func::Average), ..Column::this() };
    let overall = Answer::Overall { of, columns: vec![average] };
    assert_eq!(text(&overall), "average age over all country");
    assert_eq!(returns(&overall), "one row; columns: average age");
}

#[test]
fn conditions_are_told_with_their_signs() {
    let above = Condition::Compare(
        Measure::Value(step("height", true)),
        Op::Greater,
        Against::Number(Rc::from("3000")),
    );
    let set = Set::of_class("mountain").and(above.clone()).and(Condition::Not(Box::new(above)));
    assert_eq!(
        text(&Answer::Count(Rc::new(set))),
        "the number of mountain with height > 3000 but not with height > 3000"
    );
    let nothing = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    assert_eq!(text(&Answer::Exists(Rc::new(nothing))), "whether there is something");
}
