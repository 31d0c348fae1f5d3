use super::*;
use crate::meaning::{Base, Condition, Func, Joint, Like, Op, Operand, Quantifier, Rank, Step};
use crate::schema::Kind;
use eruca_language::{fallback, language, languages};
use std::collections::BTreeSet;
use std::rc::Rc;

fn text(answer: &Answer<'_>) -> String {
    text_in("en", answer)
}

fn text_in(tag: &str, answer: &Answer<'_>) -> String {
    described(answer).text(language(tag).unwrap(), &|iri| iri.to_owned())
}

fn returns(answer: &Answer<'_>) -> String {
    returned(answer).text(language("en").unwrap(), &|iri| iri.to_owned())
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
fn longer_ways_are_walked_step_by_step() {
    let path = vec![Step { property: "river", forward: true }, Step { property: "mouth", forward: false }];
    let set = Set::of_class("city").and(Condition::Joined(path, austria()));
    assert_eq!(text(&Answer::list(Rc::new(set))), "city with river that is mouth of Austria");
}

#[test]
fn verbs_and_states_are_said_as_such() {
    let joined = |property, forward| {
        let set = Set::of_class("river").and(Condition::Joined(step(property, forward), austria()));
        text(&Answer::list(Rc::new(set)))
    };
    assert_eq!(joined("flows through", true), "river that flows through Austria");
    assert_eq!(joined("flows through", false), "river that Austria flows through");
    assert_eq!(joined("located in", true), "river that is located in Austria");
    assert_eq!(joined("is part of", false), "river that Austria is part of");
    assert_eq!(joined("has part", true), "river with part Austria");
    let open = Rc::new(Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None });
    let crosses = Set::of_class("road").and(Condition::Joined(step("passes over", true), open));
    assert_eq!(text(&Answer::list(Rc::new(crosses))), "road that passes over something");
}

#[test]
fn groups_and_aggregates_are_for_each() {
    let count = Column { path: step("country", false), what: ColumnFunction::Count, ..Column::this() };
    let of = Rc::new(Set::of_class("country"));
    let columns = vec![Column::this(), count];
    let answer = Answer::List { of: of.clone(), columns, order: Vec::new(), limit: Some(3) };
    assert_eq!(text(&answer), "number of country for each country, the first 3");
    let average =
        Column { then: step("age", true), what: ColumnFunction::Aggregate(Func::Average), ..Column::this() };
    let overall = Answer::Overall { of, columns: vec![average] };
    assert_eq!(text(&overall), "average age over all country");
    assert_eq!(returns(&overall), "one row; columns: average age");
}

#[test]
fn conditions_are_told_with_their_signs() {
    let above = Condition::Compare(
        Measure::Value(step("height", true)),
        Op::Greater,
        Operand::Number(Rc::from("3000")),
    );
    let set = Set::of_class("mountain").and(above.clone()).and(Condition::Not(Box::new(above)));
    assert_eq!(
        text(&Answer::Count(Rc::new(set))),
        "the number of mountain with height > 3000 but not with height > 3000"
    );
    let nothing = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
    assert_eq!(text(&Answer::Exists(Rc::new(nothing))), "whether there is something");
}

/// Mountains of Austria above a height, except the highest of all.
fn compared() -> Answer<'static> {
    let height = || Measure::Value(step("height", true));
    let above = Condition::Compare(height(), Op::Greater, Operand::Number(Rc::from("3000")));
    let greatest = Operand::Overall(Func::Maximum, Rc::new(Set::of_class("mountain")));
    let greatest = Condition::Compare(height(), Op::Equal, greatest);
    let of = Set::of_class("mountain").and(Condition::Joined(step("country", true), austria()));
    Answer::list(Rc::new(of.and(above).and(Condition::Not(Box::new(greatest)))))
}

/// The country with the third most mountains.
fn ranked() -> Answer<'static> {
    let by = Measure::Count(step("country", false), Rc::new(Set::of_class("mountain")));
    let rank = Rank { by, down: true, skip: 2, take: 1, per: Vec::new() };
    Answer::list(Rc::new(Set { rank: Some(rank), ..Set::of_class("country") }))
}

/// Things that have a mayor, and not just some text.
fn existing() -> Answer<'static> {
    let open = Rc::new(Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None });
    let mayor = Condition::Joined(step("mayor", false), open);
    Answer::Exists(Rc::new(Set::of_class("person").and(mayor)))
}

#[test]
fn german_readings_have_german_phrases_alone() {
    let told = "mountain mit country Austria mit height > 3000 aber nicht mit height = der Größtwert aller (mountain)";
    assert_eq!(text_in("de", &compared()), told);
    let told = "country, nach Anzahl (mountain) über country absteigend, 2 übersprungen, davon 1";
    assert_eq!(text_in("de", &ranked()), told);
    assert_eq!(text_in("de", &existing()), "ob es das gibt: person als mayor von etwas");
}

#[test]
fn spanish_readings_have_spanish_phrases_alone() {
    let told = "mountain con country Austria con height > 3000 pero no con height = el máximo del conjunto (mountain)";
    assert_eq!(text_in("es", &compared()), told);
    let told = "country, por cantidad (mountain) por country de mayor a menor, saltando 2, solo 1";
    assert_eq!(text_in("es", &ranked()), told);
    assert_eq!(text_in("es", &existing()), "si hay person que es mayor de algo");
}

#[test]
fn italian_dutch_and_portuguese_readings_have_their_phrases_alone() {
    for (tag, told, exists) in [
        (
            "it",
            "mountain con country Austria con height > 3000 ma non con height = il massimo dell'insieme (mountain)",
            "se c'è: person che è mayor di qualcosa",
        ),
        (
            "nl",
            "mountain met country Austria met height > 3000 maar niet met height = het maximum van alles (mountain)",
            "of dit er is: person als mayor van iets",
        ),
        (
            "pt",
            "mountain com country Austria com height > 3000 mas não com height = o máximo do conjunto (mountain)",
            "se há person que é mayor de algo",
        ),
    ] {
        assert_eq!(
            (text_in(tag, &compared()), text_in(tag, &existing())),
            (told.to_owned(), exists.to_owned())
        );
    }
}

#[test]
fn french_readings_have_french_phrases_alone() {
    let told = "mountain avec country Austria avec height > 3000 mais pas avec height = le maximum de l'ensemble (mountain)";
    assert_eq!(text_in("fr", &compared()), told);
    let told = "country, par ordre décroissant de nombre (mountain) par country, en sautant 2, seulement 1";
    assert_eq!(text_in("fr", &ranked()), told);
    assert_eq!(text_in("fr", &existing()), "si cela existe : person qui est mayor de quelque chose");
}

#[test]
fn what_is_in_no_known_language_is_told_in_the_fallbacks() {
    let told =
        described(&ranked()).text(crate::question::ParsedQuestion::read("1 2", &[]).language, &str::to_owned);
    assert_eq!(told, text(&ranked()));
    assert_eq!(told, "country, highest number of mountain by country first, without the first 2, 1 of them");
}

#[test]
fn every_phrase_is_in_every_pack_with_places_that_are_filled_and_none_is_left() {
    let answers = every_answer();
    let phrases = answers.iter().flat_map(|answer| [described(answer), returned(answer)]);
    let phrases: Vec<_> = phrases.flat_map(|told| told.phrases()).collect();
    for (key, places) in &phrases {
        for language in languages() {
            let Some(phrase) = language.phrase("readings", key) else {
                panic!("{} lacks {key}", language.tag())
            };
            let open: Vec<&str> = phrase.slots().filter(|slot| !places.contains(slot)).collect();
            assert!(open.is_empty(), "{}, {key}: {open:?}", language.tag());
        }
    }
    let said: BTreeSet<&str> = phrases.iter().map(|(key, _)| *key).collect();
    // Phrases with these prefixes describe the ledger and are used by whoever shows it.
    let ledger = |key: &str| ["right_", "asks_", "doubt_"].iter().any(|prefix| key.starts_with(prefix));
    // These only apply to names for which a pack knows more than nouns.
    let shaped = |key: &str| ["verb", "verb_of", "state", "state_of"].contains(&key);
    let listed = fallback().phrase_keys("readings").filter(|key| !ledger(key) && !shaped(key));
    let listed: BTreeSet<&str> = listed.collect();
    assert_eq!(listed, said);
}

/// Answers that together use every phrase.
fn every_answer() -> Vec<Answer<'static>> {
    let of = || Rc::new(Set::of_class("mountain"));
    let height = || Measure::Value(step("height", true));
    let mut answers: Vec<Answer<'static>> = vec![compared(), ranked(), existing()];
    let sets = every_condition().into_iter().map(|condition| Set::of_class("mountain").and(condition));
    answers.extend(sets.chain(every_set()).map(|set| Answer::Count(Rc::new(set))));
    answers.extend(every_measure().into_iter().map(|by| Answer::Measured(of(), by)));
    for quantifier in [Quantifier::All, Quantifier::NotAll, Quantifier::Most, Quantifier::None] {
        answers.push(Answer::Quantified(quantifier, of(), austria()));
    }
    for years in [true, false] {
        answers.push(Answer::Difference { from: (of(), height()), to: (austria(), height()), years });
    }
    for func in [Func::Average, Func::Sum, Func::Maximum, Func::Minimum] {
        answers.push(Answer::OfEach(func, of(), height()));
    }
    answers.extend([
        Answer::Share(of(), austria()),
        Answer::Numbered(of(), Op::AtLeast, Rc::from("5")),
        Answer::Sum(vec![of(), austria()], height()),
        Answer::Overall { of: of(), columns: vec![Column { what: ColumnFunction::Age, ..Column::this() }] },
    ]);
    answers.extend(every_table());
    answers
}

fn every_table() -> Vec<Answer<'static>> {
    let other = |what| Column { path: step("country", true), what, ..Column::this() };
    let year = Column { optional: true, ..other(ColumnFunction::Year) };
    let order =
        vec![(Measure::Value(step("height", true)), true), (Measure::Age(step("birth", true)), false)];
    let tables = [
        vec![Column::this(), other(ColumnFunction::Value), year],
        vec![other(ColumnFunction::Era(10)), other(ColumnFunction::Era(100)), other(ColumnFunction::Month)],
        vec![other(ColumnFunction::Value)],
        vec![other(ColumnFunction::Count)],
    ];
    let table = |columns| Answer::List {
        of: Rc::new(Set::of_class("mountain")),
        columns,
        order: order.clone(),
        limit: Some(3),
    };
    tables.into_iter().map(table).collect()
}

fn every_set() -> Vec<Set<'static>> {
    let rank = |down, skip| Rank {
        by: Measure::Value(step("height", true)),
        down,
        skip,
        take: 1,
        per: step("country", true),
    };
    let ranks = [rank(true, 0), rank(false, 0), rank(true, 1), rank(false, 1)];
    let ranked = ranks.map(|rank| Set { rank: Some(rank), ..Set::of_class("mountain") });
    let names = |all: &[&str]| all.iter().map(|one| Rc::from(*one)).collect();
    let things = Set { base: Base::Things(names(&["a", "b", "c", "d"])), ..Set::of_class("mountain") };
    let capital = Set::any(Kind::Unknown, Condition::Joined(step("capital", false), austria()));
    let nothing = Set { base: Base::Any, conditions: Vec::new(), ..things.clone() };
    ranked.into_iter().chain([things, capital, nothing]).collect()
}

fn every_condition() -> Vec<Condition<'static>> {
    let height = || Measure::Value(step("height", true));
    let long = [step("river", true), step("mouth", true), step("mouth", false)].concat();
    let mut all = vec![
        Condition::Joined(Vec::new(), austria()),
        Condition::Joined(long, austria()),
        Condition::Either(vec![
            Condition::Other(vec![Rc::from("a")]),
            Condition::Same(step("country", true), austria()),
        ]),
        Condition::Placed("stop", 2, austria()),
        Condition::Only(step("country", true), austria()),
        Condition::Every(step("country", true), austria()),
    ];
    let likes = [Like::Contains, Like::Begins, Like::Ends];
    all.extend(likes.map(|like| Condition::Like(step("name", true), like, Rc::from("a"))));
    let day = |from: &str, to: &str| Operand::Period { from: Rc::from(from), to: Rc::from(to) };
    let funcs = [Func::Average, Func::Sum, Func::Maximum, Func::Minimum];
    let against = funcs.map(|func| Operand::Overall(func, austria())).into_iter().chain([
        Operand::Range(Rc::from("1"), Rc::from("2")),
        Operand::Month(5),
        Operand::Thing(austria(), Box::new(height())),
        Operand::Own(Box::new(height())),
        day("2001-01-01", "2001-01-01"),
        day("2001-01-01", "2001-12-31"),
    ]);
    all.extend(against.map(|against| Condition::Compare(height(), Op::Equal, against)));
    let others = [Op::Less, Op::AtMost, Op::Greater, Op::AtLeast];
    all.extend(others.map(|op| Condition::Compare(height(), op, day("2001-01-01", "2001-12-31"))));
    all
}

fn every_measure() -> Vec<Measure<'static>> {
    let path = || step("height", true);
    vec![
        Measure::Value([path(), step("country", true)].concat()),
        Measure::Count(Vec::new(), austria()),
        Measure::Count(path(), austria()),
        Measure::Aggregate(Func::Average, path()),
        Measure::Years(path(), path()),
        Measure::Year(path()),
        Measure::Formula(vec![(Joint::Times, path()), (Joint::Over, path())]),
    ]
}
