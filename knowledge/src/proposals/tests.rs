use super::*;
use crate::{Knowledge, Learned, Meaning};
use eruca_sparql::Prefixes;

fn source(question: &str) -> Source {
    let at = "2026-01-31T10:00:00Z".to_owned();
    Source {
        dataset: "shop".to_owned(),
        question: question.to_owned(),
        lang: Some("en".to_owned()),
        at,
        ..Source::default()
    }
}

fn word(words: &str, class: &str) -> Proposed {
    let iri = format!("http://shop.example/{class}");
    Proposed::Glossary { words: words.to_owned(), meaning: WordMeaning::Class { iri } }
}

fn proposal(words: &str) -> Proposal {
    Proposal::new(source("How many clients are there?"), word(words, "Customer")).unwrap()
}

fn decision() -> Decision {
    Decision { by: "Ada".to_owned(), at: "2026-02-01".to_owned() }
}

#[test]
fn the_same_is_proposed_once_and_not_again_when_it_was_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let store = ProposalStore::new(folder.path().join("proposals"));
    assert_eq!(store.all("shop").unwrap(), []);
    assert_eq!(store.add(&proposal("client")).unwrap(), ProposalState::Open);
    assert_eq!(store.add(&proposal("CLIENT")).unwrap(), ProposalState::Open);
    let id = proposal("client").id;
    store.decide(("shop", &id), ProposalState::Rejected, decision()).unwrap();
    assert_eq!(store.add(&proposal("client")).unwrap(), ProposalState::Rejected);
    let all = store.all("shop").unwrap();
    assert_eq!((all.len(), all[0].decided.as_ref()), (1, Some(&decision())));
    assert!(matches!(store.get("shop", "x"), Err(StoreError::Unknown { .. })));
}

#[test]
fn several_processes_may_write_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = ProposalStore::new(folder.path().to_owned());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for number in 0..10 {
                    store.add(&proposal(&format!("word {writer} {number}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(store.all("shop").unwrap().len(), 40);
}

#[test]
fn the_file_is_bounded_and_the_oldest_decided_are_forgotten_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = ProposalStore::new(folder.path().to_owned());
    let query = |number: usize| {
        let query = format!("SELECT ?{number} {{ {} }}", "?s ?p ?o . ".repeat(1_600));
        Proposal::new(source(&format!("Question {number}?")), Proposed::Question { query }).unwrap()
    };
    let mut kept = 0;
    while let Ok(ProposalState::Open) = store.add(&query(kept)) {
        kept += 1;
        assert!(kept < MAX_OPEN);
    }
    assert!(matches!(store.add(&query(kept)), Err(StoreError::Full { .. })));
    store.decide(("shop", &query(0).id), ProposalState::Accepted, decision()).unwrap();
    store.add(&query(kept)).unwrap();
    assert!(matches!(store.get("shop", &query(0).id), Err(StoreError::Unknown { .. })));
}

#[test]
fn what_is_too_long_or_no_iri_is_refused_and_control_characters_are_gone() {
    let wrong = |what: Proposed| Proposal::new(source("Who?"), what).unwrap_err();
    assert!(wrong(word("one two three four five six seven", "K")).contains("1 to 6 words"));
    assert!(wrong(word("client", "a b")).contains("is no IRI"));
    assert!(wrong(Proposed::Question { query: "x".repeat(20_001) }).contains("20000 bytes"));
    assert!(wrong(Proposed::Question { query: "ASK {}\u{1b}".to_owned() }).contains("control"));
    let hostile = Proposal::new(source("Who\n\u{1b}[31m?"), word("cli\nent", "K")).unwrap();
    assert!(!serde_json::to_string(&hostile).unwrap().contains("\\n"), "{hostile:?}");
    assert!(!hostile.question.contains('\u{1b}'), "{hostile:?}");
}

#[test]
fn what_is_accepted_is_added_to_what_people_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let (known, questions) = (folder.path(), folder.path().join("questions"));
    let written =
        "# Words of ours.\n[[glossary]]\nwords = [\"depot\"]\nclass = \"<http://shop.example/Depot>\"\n";
    std::fs::write(known.join(GLOSSARY_FILE), written).unwrap();
    let prefixes = Prefixes::default();
    let accept = |one: &Proposal| {
        let block = one.block("Ada", "2026-02-01");
        let learned = Learned::read(&block, &prefixes).unwrap();
        learn(known, &questions, &learned, (&one.comment("Ada", "2026-02-01"), &block)).unwrap()
    };
    accept(&proposal("client \"x\""));
    let value =
        WordMeaning::Value { property: "http://shop.example/rank".to_owned(), value: "R9".to_owned() };
    let urgent = Proposed::Glossary { words: "urgent".to_owned(), meaning: value };
    accept(&Proposal::new(source("Which are urgent?"), urgent).unwrap());
    let about = "http://shop.example/total".to_owned();
    accept(&Proposal::new(source(""), Proposed::Note { text: "Without tax.".to_owned(), about }).unwrap());
    let query = "SELECT ?o {\n ?o a <http://shop.example/Depot> }".to_owned();
    let file = accept(&Proposal::new(source("Which depots?"), Proposed::Question { query }).unwrap());
    assert_eq!(file, questions.join("learned.toml"));

    let text = std::fs::read_to_string(known.join(GLOSSARY_FILE)).unwrap();
    assert!(text.starts_with(written), "{text}");
    assert!(text.contains(
        "# Proposed on 2026-01-31 for \"How many clients are there?\"; accepted by Ada on 2026-02-01."
    ));
    let knowledge = Knowledge::read(known, &prefixes).unwrap();
    let meanings: Vec<&Meaning> = knowledge.glossary.iter().map(|entry| &entry.meaning).collect();
    assert_eq!(meanings.len(), 3);
    assert!(matches!(meanings[2], Meaning::Value { text, .. } if text == "R9"));
    assert_eq!(knowledge.notes_about(Some("http://shop.example/total")).count(), 1);
    let (read, problems) = crate::questions::read_questions(&questions);
    assert_eq!(problems, []);
    assert_eq!(read.exact("which depots").unwrap().by, "Ada");
}

#[test]
fn a_file_with_an_error_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(GLOSSARY_FILE);
    std::fs::write(&file, "[[glossary]\n").unwrap();
    let block = proposal("client").block("Ada", "2026-02-01");
    let learned = Learned::read(&block, &Prefixes::default()).unwrap();
    let refused = learn(folder.path(), folder.path(), &learned, ("", &block)).unwrap_err();
    assert!(refused.to_string().contains("has an error"), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "[[glossary]\n");
}

#[test]
fn an_edited_entry_must_be_one_entry() {
    let read = |text: &str| Learned::read(text, &Prefixes::default());
    assert!(read("").unwrap_err().contains("exactly one"));
    assert!(read("[[glossary]]\nwords = [\"x\"]\n").unwrap_err().contains("says nothing"));
    assert!(read("[hidden]\nterms = []\n").unwrap_err().contains("exactly one"));
    assert!(read("[[notes]]\ntext = \"a\"\n[[notes]]\ntext = \"b\"\n").unwrap_err().contains("exactly one"));
}
