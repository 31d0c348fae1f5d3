//! Follow-ups to questions about bakeries: how they are rewritten, and which are left unchanged.

use super::{Past, PastThing, stand_alone};
use crate::link::mentions;
use crate::question::ParsedQuestion;
use crate::tests::graph::indexed;
use eruca_indexer::DatasetIndex;
use tempfile::TempDir;

const BAKERIES: &str = r#"
@prefix : <http://bakery.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Town rdfs:label "town"@en, "Stadt"@de ; rdfs:subClassOf :Place .
:Village rdfs:label "village"@en, "Dorf"@de ; rdfs:subClassOf :Place .
:Person rdfs:label "person"@en .
:Bakery rdfs:label "bakery"@en, "Bäckerei"@de .
:arlen a :Town ; rdfs:label "Arlen" .
:brook a :Town ; rdfs:label "Brook" .
:corve a :Village ; rdfs:label "Corve" .
:mill a :Bakery ; rdfs:label "Old Mill" ; :town :arlen ; :owner :ada .
:oven a :Bakery ; rdfs:label "Sunny Oven" ; :town :brook ; :owner :ben .
:ada a :Person ; rdfs:label "Ada Finch" .
:ben a :Person ; rdfs:label "Ben Rowan" .
"#;

struct Town {
    index: DatasetIndex,
    _folder: TempDir,
}

impl Town {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        Self { index: indexed(BAKERIES, folder.path()).await, _folder: folder }
    }

    /// The rewritten question after another one with these answers.
    fn followed(&self, lang: &str, last: &str, things: &[&str], next: &str) -> Option<(String, Vec<String>)> {
        let languages = [lang.to_owned()];
        let (last, next) = (ParsedQuestion::read(last, &languages), ParsedQuestion::read(next, &languages));
        let thing = |local: &&str| {
            let iri = format!("http://bakery.example/{local}");
            let entity = self.index.entities.get(&iri).unwrap().unwrap();
            PastThing { iri, name: entity.labels[0].text.clone() }
        };
        let things: Vec<PastThing> = things.iter().map(thing).collect();
        let past = Past {
            question: &last,
            mentions: &mentions(&self.index, &last).unwrap(),
            things: &things,
            whole: true,
            group: None,
        };
        let followed = stand_alone(&self.index, &past, &next, &mentions(&self.index, &next).unwrap())?;
        Some((followed.text, followed.taken_over))
    }

    fn expect(&self, lang: &str, cases: &[(&str, &[&str], &str, Option<&str>)]) {
        let mut faults = Vec::new();
        for (last, things, next, expected) in cases {
            let found = self.followed(lang, last, things, next).map(|(text, _)| text);
            if found.as_deref() != *expected {
                faults.push(format!("{last} / {next}\n  expected {expected:?}\n  found    {found:?}"));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[tokio::test]
async fn names_of_the_same_kind_replace_each_other() {
    let town = Town::new().await;
    town.expect(
        "en",
        &[
            (
                "Which bakeries are in Arlen?",
                &["mill"],
                "And in Brook?",
                Some("Which bakeries are in Brook?"),
            ),
            (
                "Which bakeries are in Arlen?",
                &["mill"],
                "What about Corve?",
                Some("Which bakeries are in Corve?"),
            ),
            ("Which bakeries are in Brook?", &["mill"], "Arlen?", Some("Which bakeries are in Arlen?")),
            (
                "Which bakeries are in Arlen?",
                &["mill"],
                "and in Nowhere?",
                Some("Which bakeries are in Nowhere?"),
            ),
            (
                "How many breads does Ada Finch sell in Arlen?",
                &[],
                "And Ben Rowan?",
                Some("How many breads does Ben Rowan sell in Arlen?"),
            ),
            ("Which bakeries opened in 1999?", &[], "And in 2005?", Some("Which bakeries opened in 2005?")),
            (
                "What is the oldest bakery in Arlen?",
                &["mill"],
                "And the newest?",
                Some("What is the newest bakery in Arlen?"),
            ),
        ],
    );
    let of = |lang, last, next| town.followed(lang, last, &["mill"], next).map(|(text, _)| text);
    assert_eq!(
        of("de", "Welche Bäckereien liegen in Arlen?", "Und in Brook?").as_deref(),
        Some("Welche Bäckereien liegen in Brook?")
    );
    assert_eq!(
        of("es", "¿Qué panaderías hay en Arlen?", "¿Y en Brook?").as_deref(),
        Some("¿Qué panaderías hay en Brook?")
    );
    assert_eq!(
        of("fr", "Quelles boulangeries y a-t-il à Arlen ?", "Et à Brook ?").as_deref(),
        Some("Quelles boulangeries y a-t-il à Brook ?")
    );
}

#[tokio::test]
async fn pronouns_stand_for_the_last_answer_or_the_thing_that_was_asked_about() {
    let town = Town::new().await;
    town.expect(
        "en",
        &[
            ("Who owns Old Mill?", &["ada"], "When was she born?", Some("When was Ada Finch born?")),
            ("Who owns Old Mill?", &["ada"], "When was it opened?", Some("When was Old Mill opened?")),
            ("Which bakery is the oldest?", &["mill"], "Who owns it?", Some("Who owns Old Mill?")),
            (
                "Which bakery is the oldest?",
                &["mill"],
                "What is its address?",
                Some("What is Old Mill's address?"),
            ),
            ("When was Old Mill opened?", &[], "Who owns it?", Some("Who owns Old Mill?")),
            ("Which town is the largest?", &["arlen"], "Which bakeries are there?", None),
            (
                "Which town is the largest?",
                &["arlen"],
                "How many people live there?",
                Some("How many people live in Arlen?"),
            ),
            (
                "Which town is the largest?",
                &["arlen"],
                "Which bakeries does that town have?",
                Some("Which bakeries does Arlen have?"),
            ),
            (
                "Which town is the largest?",
                &["arlen"],
                "Which rivers does it touch?",
                Some("Which rivers does Arlen touch?"),
            ),
        ],
    );
    let of = |lang, last, next| town.followed(lang, last, &["ada"], next).map(|(text, _)| text);
    assert_eq!(of("de", "Wem gehört Old Mill?", "Wo wohnt sie?").as_deref(), Some("Wo wohnt Ada Finch?"));
    assert_eq!(
        of("de", "Wem gehört Old Mill?", "Was ist ihre Adresse?").as_deref(),
        Some("Was ist die Adresse von Ada Finch?")
    );
    assert_eq!(of("de", "Wo liegt Old Mill?", "Wie alt ist es?"), Some("Wie alt ist Ada Finch?".to_owned()));
    assert_eq!(of("de", "Wem gehört Old Mill?", "Wie viele Bäckereien gibt es?"), None);
    assert_eq!(
        of("fr", "Qui dirige Old Mill ?", "Quelle est son adresse ?").as_deref(),
        Some("Quelle est l'adresse de Ada Finch ?")
    );
    assert_eq!(
        of("es", "¿Quién dirige Old Mill?", "¿Cuándo nació?").as_deref(),
        Some("¿Cuándo nació Ada Finch?")
    );
    assert_eq!(
        of("es", "¿Quién dirige Old Mill?", "¿Cuál es su dirección?").as_deref(),
        Some("¿Cuál es la dirección de Ada Finch?")
    );
    assert_eq!(
        of("fr", "Qui dirige Old Mill ?", "Où est-elle née ?").as_deref(),
        Some("Où Ada Finch est-elle née ?")
    );
}

#[tokio::test]
async fn the_last_answers_are_narrowed_ordered_and_counted() {
    let town = Town::new().await;
    let both: &[&str] = &["mill", "oven"];
    town.expect(
        "en",
        &[
            (
                "Which bakeries sell rye bread?",
                both,
                "Which of them are in Brook?",
                Some("Which bakeries sell rye bread and are in Brook?"),
            ),
            (
                "Which bakeries sell rye bread?",
                both,
                "Only those that opened after 2000",
                Some("Which bakeries sell rye bread that opened after 2000?"),
            ),
            (
                "Which bakeries sell rye bread?",
                both,
                "Only after 2000",
                Some("Which bakeries sell rye bread after 2000?"),
            ),
            (
                "Which bakeries sell rye bread?",
                both,
                "Sort them by price",
                Some("Which bakeries sell rye bread, sorted by price?"),
            ),
            (
                "Which bakeries sell rye bread?",
                both,
                "How many are there?",
                Some("How many bakeries sell rye bread?"),
            ),
            ("List all bakeries in Arlen.", both, "How many?", Some("How many bakeries in Arlen?")),
            (
                "Which bakeries sell rye bread?",
                both,
                "And with more than 5 ovens?",
                Some("Which bakeries sell rye bread with more than 5 ovens?"),
            ),
        ],
    );
    let of = |lang, last, next| town.followed(lang, last, both, next).map(|(text, _)| text);
    assert_eq!(
        of("de", "Welche Bäckereien verkaufen Brot?", "Welche davon liegen in Brook?").as_deref(),
        Some("Welche Bäckereien verkaufen Brot und liegen in Brook?")
    );
    assert_eq!(
        of("de", "Welche Bäckereien verkaufen Brot?", "Wie viele sind es?").as_deref(),
        Some("Wie viele Bäckereien verkaufen Brot?")
    );
    assert_eq!(
        of("de", "Welche Bäckereien verkaufen Brot?", "Sortiere sie nach Preis").as_deref(),
        Some("Welche Bäckereien verkaufen Brot, sortiert nach Preis?")
    );
    assert_eq!(
        of("es", "¿Qué panaderías venden pan?", "Ordénalas por precio").as_deref(),
        Some("¿Qué panaderías venden pan, por orden de precio?")
    );
    assert_eq!(
        of("fr", "Quelles boulangeries vendent du pain ?", "Combien y en a-t-il ?").as_deref(),
        Some("Combien de boulangeries vendent du pain ?")
    );
    assert_eq!(
        of("es", "¿Qué panaderías venden pan?", "¿Cuántas son?").as_deref(),
        Some("¿Cuántas panaderías venden pan?")
    );
    assert_eq!(
        of("fr", "Quelles entreprises vendent du pain ?", "Combien y en a-t-il ?").as_deref(),
        Some("Combien d'entreprises vendent du pain ?")
    );
}

#[tokio::test]
async fn the_best_of_the_last_answers_is_asked_for_in_every_language() {
    let town = Town::new().await;
    for (lang, last, next, expected) in [
        (
            "en",
            "Which bakeries sell bread?",
            "And the oldest?",
            "Which bakeries sell bread, only the oldest?",
        ),
        (
            "en",
            "Which bakeries sell bread?",
            "Which of them is the oldest?",
            "Which bakeries sell bread, only the oldest?",
        ),
        (
            "de",
            "Welche Bäckereien verkaufen Brot?",
            "Und die älteste?",
            "Welche Bäckereien verkaufen Brot, nur die älteste?",
        ),
        (
            "de",
            "Welche Bäckereien verkaufen Brot?",
            "Welche davon ist die älteste?",
            "Welche Bäckereien verkaufen Brot, nur die älteste?",
        ),
        (
            "es",
            "¿Qué panaderías venden pan?",
            "¿Y la más antigua?",
            "¿Qué panaderías venden pan, solo la más antigua?",
        ),
        (
            "es",
            "¿Qué panaderías venden pan?",
            "¿Cuál de ellas es la más antigua?",
            "¿Qué panaderías venden pan, solo la más antigua?",
        ),
        (
            "fr",
            "Quelles boulangeries vendent du pain ?",
            "Et la plus ancienne ?",
            "Quelles boulangeries vendent du pain, seulement la plus ancienne ?",
        ),
        (
            "fr",
            "Quelles boulangeries vendent du pain ?",
            "Laquelle d'entre elles est la plus ancienne ?",
            "Quelles boulangeries vendent du pain, seulement la plus ancienne ?",
        ),
    ] {
        let found = town.followed(lang, last, &["mill", "oven"], next).map(|(text, _)| text);
        assert_eq!(found.as_deref(), Some(expected), "{next}");
    }
    // One thing was asked for by name: there is nothing to choose from.
    assert_eq!(town.followed("de", "Wem gehört Old Mill?", &["ada"], "Und die älteste?"), None);
}

#[tokio::test]
async fn questions_that_stand_by_themselves_are_left_alone() {
    let town = Town::new().await;
    for (lang, next) in [
        ("en", "Who owns Sunny Oven?"),
        ("en", "And who owns Sunny Oven?"),
        ("en", "Which bakeries are there in Brook?"),
        ("en", "Are there bakeries in Brook?"),
        ("en", "How many bakeries are there?"),
        ("en", "Which bakery has its own mill?"),
        ("en", "Who owns Sunny Oven and where was she born?"),
        ("en", "Which towns have more bakeries than their neighbours?"),
        ("en", "Is there a bakery that towns share?"),
        ("en", "Which bakeries are sorted by price?"),
        ("de", "Wie viele Bäckereien gibt es?"),
        ("de", "Können Sie mir alle Bäckereien zeigen?"),
        ("de", "Welche Bäckerei hat ihre eigene Mühle?"),
        ("es", "¿Cuántas panaderías hay en Brook?"),
        ("fr", "Combien de boulangeries y a-t-il ?"),
        ("fr", "Y a-t-il des boulangeries à Brook ?"),
    ] {
        let found = town.followed(lang, "Which bakeries are in Arlen?", &["mill"], next);
        assert_eq!(found, None, "{next}");
    }
}

#[tokio::test]
async fn what_cannot_be_told_is_left_alone() {
    let town = Town::new().await;
    // Two possible antecedents, or none.
    assert_eq!(town.followed("en", "Which bakeries sell bread?", &["mill", "oven"], "Who owns it?"), None);
    assert_eq!(town.followed("en", "How many bakeries are there?", &[], "Who owns it?"), None);
    // A person has no opening hours.
    assert_eq!(town.followed("en", "Who bakes best?", &["ada"], "When was it opened?"), None);
}

#[tokio::test]
async fn what_was_taken_over_is_told_in_the_language_of_the_question() {
    let town = Town::new().await;
    let told = |lang, last, next| town.followed(lang, last, &["mill"], next).unwrap().1;
    assert_eq!(
        told("en", "Which bakeries are in Arlen?", "And in Brook?"),
        ["“Brook” in the place of “Arlen”"]
    );
    assert_eq!(told("de", "Welche Bäckereien liegen in Arlen?", "Und in Brook?"), ["„Brook“ statt „Arlen“"]);
    assert_eq!(told("en", "Which bakery is the oldest?", "Who owns it?"), ["“it” stands for Old Mill"]);
    assert_eq!(
        told("en", "Which bakeries sell bread?", "Only after 2000"),
        ["from “Which bakeries sell bread”"]
    );
}

#[tokio::test]
async fn a_pronoun_in_the_form_of_an_owner_points_right_behind_a_noun() {
    let town = Town::new().await;
    town.expect(
        "ru",
        &[
            ("Где находится Old Mill?", &["arlen"], "Кто мэр этого города?", Some("Кто мэр Arlen?")),
            ("Кто владелец Old Mill?", &["ada"], "А Sunny Oven?", Some("Кто владелец Sunny Oven?")),
            ("Кто владелец Old Mill?", &["ada"], "Где она родилась?", Some("Где Ada Finch родилась?")),
            ("Где находится Old Mill?", &["arlen"], "Назовите все города", None),
        ],
    );
}

#[test]
fn pronouns_that_stand_for_nothing_are_found() {
    let of = |text: &str, lang: &str| super::dangling(&ParsedQuestion::read(text, &[lang.to_owned()]));
    assert_eq!(of("is it real gold?", "en").as_deref(), Some("it"));
    assert_eq!(of("How many of them are open?", "en").as_deref(), Some("them"));
    assert_eq!(of("Wann wurde er geboren?", "de").as_deref(), Some("er"));
    for text in [
        "Who owns Sunny Oven and where was she born?",
        "How many bakeries are there?",
        "Which of those mills are open?",
    ] {
        assert_eq!(of(text, "en"), None, "{text}");
    }
}
