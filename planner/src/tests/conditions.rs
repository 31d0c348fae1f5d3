//! Conditions: comparisons, superlatives, times, ages, differences, sameness, negation, quantities worked out.

use super::graph::Graph;
use crate::Confidence;

const HARBOURS: &str = r#"
:Ship rdfs:subClassOf :Vessel . :Barge rdfs:subClassOf :Vessel .
:Ship rdfs:label "ship"@en, "Schiff"@de . :Barge rdfs:label "barge"@en . :Vessel rdfs:label "vessel"@en .
:Captain rdfs:label "captain"@en, "Kapitän"@de . :Harbour rdfs:label "harbour"@en, "Hafen"@de .
:Regatta rdfs:label "regatta"@en . :Cargo rdfs:label "cargo type"@en .
:length rdfs:label "length"@en, "Länge"@de . :launched rdfs:label "launched"@en . :crew rdfs:label "crew size"@en .
:width rdfs:label "width"@en . :height rdfs:label "height"@en . :insured rdfs:label "insured"@en .
:captain rdfs:label "captain"@en . :homeHarbour rdfs:label "home harbour"@en, "Heimathafen"@de .
:birthDate rdfs:label "birth date"@en, "Geburtsdatum"@de . :deathDate rdfs:label "death date"@en .
:tonnage rdfs:label "tonnage"@en . :harbour rdfs:label "harbour"@en . :won rdfs:label "won"@en . :carries rdfs:label "carries"@en .
:start rdfs:label "start"@en . :end rdfs:label "end"@en .

:petrel a :Ship ; rdfs:label "Petrel"@en ; :length 90 ; :width 14 ; :height 20 ; :launched "1984-05-02"^^xsd:date ; :crew 30 ;
  :captain :ruth ; :homeHarbour :northport ; :tonnage 5000 ; :insured true ; :won :spring ; :carries :grain .
:tern a :Ship ; rdfs:label "Tern"@en ; :length 120 ; :width 18 ; :height 16 ; :launched "1999-07-12"^^xsd:date ; :crew 45 ;
  :captain :otto ; :homeHarbour :northport ; :tonnage 9000 ; :insured false ; :won :autumn, :winter ; :carries :timber .
:osprey a :Ship ; rdfs:label "Osprey"@en ; :length 120 ; :width 17 ; :height 25 ; :launched "1999-01-30"^^xsd:date ; :crew 28 ;
  :captain :ruth ; :homeHarbour :eastquay ; :tonnage 7000 ; :insured true ; :carries :grain .
:plover a :Ship ; rdfs:label "Plover"@en ; :length 60 ; :width 9 ; :height 11 ; :launched "2011-05-20"^^xsd:date ; :crew 12 ;
  :homeHarbour :eastquay ; :tonnage 1500 ; :insured true ; :carries :timber .
:heron a :Barge ; rdfs:label "Heron"@en ; :homeHarbour :eastquay .

:ruth a :Captain ; rdfs:label "Ruth Vance"@en ; :birthDate "1950-03-10"^^xsd:date ; :deathDate "2010-03-09"^^xsd:date .
:otto a :Captain ; rdfs:label "Otto Brandt"@en ; :birthDate "1962-08-01"^^xsd:date .
:ines a :Captain ; rdfs:label "Ines Moll"@en ; :birthDate "1950-11-20"^^xsd:date .

:northport a :Harbour ; rdfs:label "Northport"@en . :eastquay a :Harbour ; rdfs:label "Eastquay"@en .
:grain a :Cargo ; rdfs:label "Grain"@en . :timber a :Cargo ; rdfs:label "Timber"@en .

:spring a :Regatta ; rdfs:label "Spring Cup"@en ; :start "2001-05-03"^^xsd:date ; :end "2001-05-06"^^xsd:date ; :harbour :northport .
:autumn a :Regatta ; rdfs:label "Autumn Cup"@en ; :start "2003-10-01"^^xsd:date ; :end "2003-10-08"^^xsd:date ; :harbour :northport .
:winter a :Regatta ; rdfs:label "Winter Cup"@en ; :start "2003-12-10"^^xsd:date ; :end "2003-12-11"^^xsd:date ; :harbour :eastquay .
"#;

fn check(cases: &[(&str, &[&str])], language: &str) {
    let graph = Graph::of(HARBOURS);
    let failed: Vec<String> = cases
        .iter()
        .map(|(question, wanted)| (question, wanted, graph.ask(question, language)))
        .filter(|(_, wanted, got)| got != *wanted)
        .map(|(question, wanted, got)| format!("{question}\n  wanted {wanted:?}\n  got    {got:?}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn years_are_answered_when_years_are_asked_for() {
    check(
        &[
            ("In what year was Ruth Vance born?", &["1950"]),
            ("What year was the Petrel launched?", &["1984"]),
            ("When was the Petrel launched?", &["1984-05-02"]),
            ("On what date was Ruth Vance born?", &["1950-03-10"]),
        ],
        "en",
    );
    check(&[("In welchem Jahr wurde Ruth Vance geboren?", &["1950"])], "de");
}

#[test]
fn an_order_by_time_is_by_no_number() {
    check(
        &[
            ("Which is the oldest regatta?", &["spring"]),
            ("the second oldest regatta", &["autumn"]),
            ("Which regattas are older than the Autumn Cup?", &["spring"]),
            ("the second longest ship by tonnage", &["osprey"]),
        ],
        "en",
    );
}

#[test]
fn a_negated_comparison_is_the_opposite_one() {
    check(
        &[
            ("Which ships are not longer than 90?", &["petrel", "plover"]),
            ("ships with a crew size not greater than 28", &["osprey", "plover"]),
            ("ships with a length not under 120", &["osprey", "tern"]),
            ("Which ships are longer than 90?", &["osprey", "tern"]),
        ],
        "en",
    );
}

#[test]
fn things_are_compared_with_things() {
    check(
        &[
            ("Which ships are longer than the Petrel?", &["osprey", "tern"]),
            ("ships with more crew than the Osprey", &["petrel", "tern"]),
            ("ships with a larger tonnage than the Petrel", &["osprey", "tern"]),
            ("Which captains were born before Otto Brandt?", &["ines", "ruth"]),
            ("Which regattas took place before the Autumn Cup?", &["spring"]),
            ("Is the Tern longer than the Petrel?", &["true"]),
            ("Is the Plover longer than the Petrel?", &["false"]),
            ("Which ships are wider than they are high?", &["tern"]),
            ("Who is younger, Otto Brandt or Ruth Vance?", &["otto"]),
        ],
        "en",
    );
}

#[test]
fn numbers_and_units_bound_measures() {
    check(
        &[
            ("ships over 100 meters", &["osprey", "tern"]),
            ("Which ships are longer than 100 m?", &["osprey", "tern"]),
            ("ships that are at least 90 m long", &["osprey", "petrel", "tern"]),
            ("ships between 50 and 100 meters long", &["petrel", "plover"]),
            ("Which ships have more crew than average?", &["petrel", "tern"]),
            ("ships longer than the average", &["osprey", "tern"]),
            ("Are there more than 3 ships?", &["true"]),
            ("Are there more than 30 ships?", &["false"]),
        ],
        "en",
    );
}

#[test]
fn differences_and_quantities_are_worked_out() {
    check(
        &[
            ("How much longer is the Tern than the Petrel?", &["30"]),
            ("What is the difference in tonnage between the Tern and the Petrel?", &["4000"]),
            ("How much older is Ruth Vance than Otto Brandt?", &["12"]),
            ("How long is the Petrel?", &["90"]),
            ("Which regatta lasted the longest?", &["autumn"]),
        ],
        "en",
    );
}

#[test]
fn who_is_not_answered_by_a_number_for_sure() {
    let graph = Graph::of(HARBOURS);
    assert_eq!(graph.confidence("Who is the crew size of the Petrel?", "en"), Confidence::Guess);
    assert_eq!(graph.ask("Who is the captain of the Petrel?", "en"), ["ruth"]);
}

#[test]
fn rows_for_years_are_not_rows_for_days() {
    check(
        &[
            ("How many ships were launched each year?", &["1984 1", "1999 2", "2011 1"]),
            ("number of ships launched per year", &["1984 1", "1999 2", "2011 1"]),
            ("How many ships does each captain have?", &["otto 1", "ruth 2"]),
        ],
        "en",
    );
    check(&[("Wie viele Kapitäne wurden pro Jahr geboren?", &["1950 2", "1962 1"])], "de");
}

/// Fell runners, their races, and when they first won.
const RACES: &str = r#"
:Runner rdfs:label "runner"@en . :Race rdfs:label "race"@en . :winner rdfs:label "winner"@en . :firstWin rdfs:label "first win"@en .
:laps rdfs:label "laps"@en .
:a a :Runner ; rdfs:label "Abe" . :b a :Runner ; rdfs:label "Bea" .
:r1 a :Race ; :winner :a ; :firstWin "1990-01-01"^^xsd:date ; :laps 9 . :r2 a :Race ; :winner :a ; :firstWin "1991-01-01"^^xsd:date ; :laps 1 .
:r3 a :Race ; :winner :b ; :firstWin "2015-01-01"^^xsd:date ; :laps 2 .
"#;

#[test]
fn most_of_a_time_is_never_the_latest() {
    let graph = Graph::of(RACES);
    assert_ne!(graph.ask("Which runner has the most first wins?", "en"), ["b"]);
    assert_eq!(graph.ask("Which race has the most laps?", "en"), ["r1"]);
    assert_eq!(graph.ask("Which race has the latest first win?", "en"), ["r3"]);
}

#[test]
fn ages_are_counted_until_what_is_said() {
    check(
        &[
            ("How old was Ruth Vance when she died?", &["59"]),
            ("How old was Otto Brandt in 1982?", &["20"]),
            ("How old was Otto Brandt at the time of the Spring Cup?", &["38"]),
        ],
        "en",
    );
}

#[test]
fn what_is_the_same_is_found() {
    check(
        &[
            ("Which ships have the same home harbour as the Petrel?", &["tern"]),
            ("Which ships were launched in the same year as the Tern?", &["osprey"]),
            ("Which captains were born in the same year as Ruth Vance?", &["ines"]),
            ("ships with the same captain as the Petrel", &["osprey"]),
        ],
        "en",
    );
}

#[test]
fn superlatives_count_and_group() {
    check(
        &[
            ("What is the longest ship?", &["osprey", "tern"]),
            ("the two ships with the largest crew", &["petrel", "tern"]),
            ("Which ship won the most regattas?", &["tern"]),
            ("For each harbour, the ship with the largest tonnage", &["eastquay osprey", "northport tern"]),
            ("Which vessel was launched first?", &["petrel"]),
        ],
        "en",
    );
}

#[test]
fn flags_times_and_negation() {
    check(
        &[
            ("Which ships are insured?", &["osprey", "petrel", "plover"]),
            ("ships that are not insured", &["tern"]),
            ("Which ships have no captain?", &["plover"]),
            ("ships launched in May", &["petrel", "plover"]),
            ("ships launched in 1999", &["osprey", "tern"]),
            ("Which harbours start with N?", &["northport"]),
            ("ships launched in March", &[]),
        ],
        "en",
    );
}

/// Roads lead from village to village; villages, mills and wells are all places.
const VILLAGES: &str = r#"
:Village rdfs:label "village"@en ; rdfs:subClassOf :Place . :Mill rdfs:label "mill"@en ; rdfs:subClassOf :Place .
:Well rdfs:label "well"@en ; rdfs:subClassOf :Place . :Place rdfs:label "place"@en .
:leadsTo rdfs:label "leads to"@en . :standsIn rdfs:label "stands in"@en .
:alm a :Village ; rdfs:label "Alm" ; :leadsTo :bro, :cor . :bro a :Village ; rdfs:label "Bro" ; :leadsTo :alm, :dun .
:cor a :Village ; rdfs:label "Cor" ; :leadsTo :alm . :dun a :Village ; rdfs:label "Dun" ; :leadsTo :bro .
:m1 a :Mill ; rdfs:label "Old Wheel" ; :standsIn :alm . :m2 a :Mill ; rdfs:label "New Wheel" ; :standsIn :cor .
:w1 a :Well ; rdfs:label "Deep One" ; :standsIn :dun .
"#;

#[test]
fn classes_are_joined_by_what_leads_to_them_and_not_only_to_classes_above() {
    let graph = Graph::of(VILLAGES);
    assert_eq!(graph.ask("Which villages have no mill?", "en"), ["bro", "dun"]);
    assert_eq!(graph.ask("Which villages have a well?", "en"), ["dun"]);
    assert_eq!(graph.ask("Which villages lead to no village?", "en"), [""; 0]);
}

#[test]
fn names_and_plain_words_are_no_conditions() {
    check(
        &[
            ("Which harbour is the Petrel's home harbour?", &["northport"]),
            ("ships of Northport", &["petrel", "tern"]),
            ("Which ship carries timber and has Northport as its home harbour?", &["tern"]),
        ],
        "en",
    );
}

#[test]
fn other_languages_too() {
    check(
        &[
            ("Welche Schiffe sind länger als die Petrel?", &["osprey", "tern"]),
            ("Welche Kapitäne wurden vor Otto Brandt geboren?", &["ines", "ruth"]),
        ],
        "de",
    );
}
