//! The first minutes of somebody who owns a graph: what stands in an answer for people, follow-ups about what was found, and what is
//! said where there is nothing to find.

use eruca::service::{Ask, PastQuestion, Question, Run, Service};
use eruca::startup;
use eruca::trace::StopReason;
use eruca_indexer::NoProgress;
use eruca_testing::helpers::data;
use eruca_testing::scripted::Setup;
use serde_json::Value;
use std::sync::Arc;

struct Talk {
    service: Arc<Service>,
    past: Vec<PastQuestion>,
    prefers: Vec<String>,
    _setup: Setup,
}

impl Talk {
    async fn open() -> Self {
        let file = Value::from(data("lamps.ttl"));
        let setup = Setup::new(&format!("[[datasets]]\nid = \"graph\"\nfiles = [{file}]"));
        let service = startup::open_service(&setup.settings, &NoProgress).await.unwrap();
        Self { service, past: Vec::new(), prefers: Vec::new(), _setup: setup }
    }

    async fn ask(&mut self, text: &str) -> Run {
        let question = Question { dataset: "graph".to_owned(), text: text.to_owned() };
        let history = self.past.clone();
        let prefers = self.prefers.clone();
        let ask = Ask { history, prefers, reader: Some("en".to_owned()), ..Ask::alone(question) };
        let handle = self.service.ask(ask).unwrap();
        let _reader = handle.read(0);
        let _outcome = handle.finished().await;
        let run = handle.run();
        let answer = run.rows.as_ref().map(|rows| Arc::new(rows.page.clone()));
        let (question, follows, query) = (run.asked.clone(), run.follows.clone(), run.query.clone());
        let probability = run.trace.as_ref().and_then(|trace| Some(trace.insight.as_ref()?.probability));
        self.past.push(PastQuestion { question, follows, query, answer, whole: true, probability });
        run
    }

    async fn said(&mut self, text: &str) -> String {
        let words = self.ask(text).await.answer;
        words.map(|words| words.text.replace('\u{a0}', " ")).unwrap_or_default()
    }

    /// Fails with all questions of a conversation whose answer does not hold these words.
    async fn chain(&mut self, chain: &[(&str, &str)]) {
        self.past.clear();
        for (question, wanted) in chain {
            let said = self.said(question).await;
            assert!(said.contains(wanted), "{question}\n  wanted {wanted}\n  found  {said}");
        }
    }
}

#[tokio::test]
async fn follow_ups_are_asked_of_what_was_found() {
    let mut talk = Talk::open().await;
    talk.chain(&[
        ("Which lamps are in the Red Room?", "Arc"),
        ("How many of them are on display?", "2 lamps"),
        ("And shelves?", "(shelf): 1"),
    ])
    .await;
    talk.chain(&[
        ("Which lamps are in the Red Room?", "Arc"),
        ("Which one is the tallest?", "Bow (height: 50 cm)"),
        ("And the smallest?", "Arc (height: 30 cm)"),
        ("the tallest one", "Bow (height: 50 cm)"),
    ])
    .await;
    talk.chain(&[
        ("Which lamps are in the Red Room?", "Arc"),
        ("the smallest", "Arc (height: 30 cm)"),
        ("Who is its maker?", "Ada Moss"),
        ("How tall is it?", "30 cm"),
    ])
    .await;
    talk.chain(&[
        ("Which lamps are in the Red Room?", "Cob"),
        ("Sort them by height", "Arc (30 cm), Cob (40 cm) and Bow (50 cm)"),
    ])
    .await;
    talk.chain(&[("Who made Arc?", "Ada Moss"), ("When was she born?", "1901")]).await;
    talk.chain(&[("bow", "lamp"), ("Who made it?", "Ada Moss"), ("When were they born?", "1901")]).await;
    talk.chain(&[
        ("Welche Lampen stehen im Roten Zimmer?", "Bow"),
        ("Wie viele davon sind ausgestellt?", "2 Lampen"),
    ])
    .await;
}

#[tokio::test]
async fn the_last_answer_is_told_again_in_another_way() {
    let mut talk = Talk::open().await;
    talk.chain(&[
        ("What is the tallest lamp?", "50 cm"),
        ("in inches?", "19.7"),
        ("Why?", "statements"),
        ("Show it on a map", "Bow"),
    ])
    .await;
    let again = talk.ask("in metres?").await;
    assert_eq!(again.trace.unwrap().stop, StopReason::AskedAgain);
}

#[tokio::test]
async fn what_decides_stands_in_the_rows_and_the_query_stays() {
    let mut talk = Talk::open().await;
    let run = talk.ask("What is the tallest lamp?").await;
    assert_eq!(run.rows.as_ref().unwrap().columns.len(), 2);
    let (query, of_rows) = (run.query.unwrap(), run.rows_query.unwrap());
    assert!(!query.contains("?lamp ?height") && of_rows.contains("?lamp ?height"), "{query}\n{of_rows}");
    let said = talk.said("Which lamps are taller than 35 cm?").await;
    assert!(said.contains("Bow (50 cm)") && said.contains("Cob (40 cm)"), "{said}");
    let named = talk.ask("Which lamps are in the Red Room?").await;
    assert_eq!(named.rows_query, None, "nothing decides but what was said");
}

#[tokio::test]
async fn who_asks_nothing_is_told_what_can_be_asked() {
    let mut talk = Talk::open().await;
    for text in ["hello", "What can I ask?", "Hallo, was kann ich fragen?", "bonjour", "ayuda"] {
        let run = talk.ask(text).await;
        assert_eq!(run.trace.unwrap().stop, StopReason::AskedForHelp, "{text}");
        let words = run.answer.unwrap();
        assert!(words.parts.iter().filter(|part| part.asks).count() >= 2, "{}", words.text);
    }
    let said = talk.said("Who is the president of Arlen?").await;
    assert!(said.starts_with("This graph knows nothing about “president”."), "{said}");
    let said = talk.said("asdf").await;
    assert!(said.contains("You can ask, for example: “"), "{said}");
}

#[tokio::test]
async fn a_pronoun_that_stands_for_nothing_is_never_dropped() {
    let mut talk = Talk::open().await;
    let run = talk.ask("Is it in the Red Room?").await;
    let insight = run.trace.unwrap().insight.unwrap();
    assert!(insight.unused.contains(&"it".to_owned()) && insight.probability <= 0.3, "{insight:?}");
}

#[tokio::test]
async fn of_two_properties_the_reader_chooses_one_and_it_stays_chosen() {
    let mut talk = Talk::open().await;
    let offered = |run: &Run| {
        let insight = run.trace.as_ref().unwrap().insight.clone().unwrap();
        (insight.probability, insight.alternatives.into_iter().find_map(|other| other.choice))
    };
    let run = talk.ask("How old is Arc?").await;
    let (probability, choice) = offered(&run);
    let choice = choice.expect("made or acquired");
    assert!(probability < 0.85, "{probability}");
    assert_eq!((choice.taken.name.as_str(), choice.instead.name.as_str()), ("date made", "date acquired"));
    talk.prefers = vec![choice.instead.iri.clone()];
    let run = talk.ask("How old is Arc?").await;
    assert!(run.query.as_ref().unwrap().contains(&choice.instead.iri), "{:?}", run.query);
    let said = talk.said("How old is Bow?").await;
    let years = time::OffsetDateTime::now_utc().year() - 1999;
    assert!([years, years - 1].iter().any(|age| said.contains(&age.to_string())), "{said}");
    let said = talk.said("What is the height of Bow?").await;
    assert!(said.contains("50 cm"), "other questions stay as they are: {said}");
}

#[tokio::test]
async fn times_are_rows_in_their_order_and_the_newest_comes_first() {
    let mut talk = Talk::open().await;
    talk.chain(&[
        ("What was acquired last?", "Cob"),
        ("How many lamps were acquired per month?", "May – 3; June – 1"),
        ("lamps per room", "Red Room – 3; Blue Room – 1"),
        ("recently acquired lamps", "Cob (4 June 2011), Arc"),
    ])
    .await;
}

#[tokio::test]
async fn what_rests_on_an_uncertain_answer_is_no_surer() {
    let mut talk = Talk::open().await;
    let probability = |run: &Run| run.trace.as_ref().unwrap().insight.as_ref().unwrap().probability;
    talk.ask("Which lamps are in the Red Room?").await;
    talk.past.last_mut().unwrap().probability = Some(0.4);
    let run = talk.ask("Which one is the tallest?").await;
    assert!(probability(&run) <= 0.4, "{}", probability(&run));
    let doubts = &run.trace.as_ref().unwrap().insight.as_ref().unwrap().doubts;
    assert!(doubts.iter().any(|doubt| doubt.kind == "earlier"), "{doubts:?}");
    // Another lamp is named by the question itself.
    talk.past.last_mut().unwrap().probability = Some(0.4);
    assert!(probability(&talk.ask("How tall is Arc?").await) > 0.8);
}

#[tokio::test]
async fn what_was_not_understood_is_not_spoken_of() {
    let mut talk = Talk::open().await;
    talk.chain(&[
        ("Which lamps are in the Red Room?", "Arc"),
        ("qwrtz zzgl", "knows nothing"),
        ("Which of them is the tallest?", "Bow (height: 50 cm)"),
    ])
    .await;
    talk.chain(&[
        ("Who made Arc?", "Ada Moss"),
        ("Is she zzglish?", "knows nothing"),
        ("When was she born?", "1901"),
    ])
    .await;
}

#[tokio::test]
async fn of_a_group_one_is_chosen_in_whatever_words() {
    let mut talk = Talk::open().await;
    for (last, found) in [
        ("just the tallest", "Bow"),
        ("the taller one?", "Bow"),
        ("which is the tallest of them?", "Bow"),
        ("which of the two is taller?", "Bow"),
        ("which are on display?", "Arc"),
    ] {
        talk.chain(&[("Which lamps are in the Red Room?", "Cob"), (last, found)]).await;
    }
    talk.chain(&[("Welche Lampen stehen im Roten Zimmer?", "Cob"), ("welche ist höher?", "Bow")]).await;
    let said = talk.said("Which is the tallest shelf?").await;
    assert!(!said.contains("Bow"), "a kind of its own is asked for: {said}");
}

#[tokio::test]
async fn others_are_not_what_was_named_before() {
    let mut talk = Talk::open().await;
    talk.chain(&[("Who made Arc?", "Ada Moss"), ("What else did she make?", "Bow")]).await;
    talk.chain(&[
        ("Which room is Arc in?", "Red Room"),
        ("Which other lamps are in the Red Room?", "Bow and Cob (2 in all)"),
    ])
    .await;
    talk.past.clear();
    let said = talk.said("Which other lamps are in the Red Room?").await;
    assert!(said.contains("Arc"), "nothing was named before: {said}");
}

#[tokio::test]
async fn numbers_stand_beside_the_things_that_have_them() {
    let mut talk = Talk::open().await;
    talk.chain(&[
        ("How tall are the lamps?", "Bow (50 cm)"),
        ("heights of the lamps in the Red Room", "Arc (30 cm)"),
        ("Which lamps are in the Red Room?", "Arc"),
        ("How tall are they?", "Arc (30 cm)"),
    ])
    .await;
}

#[tokio::test]
async fn things_are_sorted_into_what_stands_behind_by() {
    let mut talk = Talk::open().await;
    talk.chain(&[("lamps by room", "Red Room – 3; Blue Room – 1"), ("lamps by height", "Bow (50 cm)")]).await;
}

#[tokio::test]
async fn that_a_thing_is_there_answers_nothing_else() {
    let mut talk = Talk::open().await;
    let run = talk.ask("Is Bow burning?").await;
    assert!(run.trace.unwrap().insight.unwrap().probability < 0.1);
    let said = run.answer.unwrap().text;
    assert!(said.starts_with("This graph knows nothing about “burning”. Of Bow it knows"), "{said}");
}
