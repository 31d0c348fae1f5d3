use super::*;

fn question(id: &str, text: &str, judged: Judged) -> TestQuestion {
    TestQuestion {
        id: id.to_owned(),
        question: text.to_owned(),
        lang: Some("en".to_owned()),
        sparql: Some("ASK {}".to_owned()),
        features: vec!["count".to_owned()],
        judged,
        by: "Ada".to_owned(),
        date: "2026-01-31".to_owned(),
        confidence: None,
        wrong: None,
    }
}

#[test]
fn a_question_is_judged_anew_and_all_other_lines_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("not/yet");
    assert_eq!(read(&folder).unwrap(), (Vec::new(), Vec::new()));
    put(&folder, &question("a", "How many?", Judged::Wrong)).unwrap();
    let file = folder.join(TESTS_FILE);
    let text = std::fs::read_to_string(&file).unwrap()
        + "not JSON\n{\"id\": \"x\", \"question\": \"?\", \"judged\": \"right\"}\n";
    std::fs::write(&file, text).unwrap();
    put(&folder, &question("b", "Which?", Judged::Right)).unwrap();
    put(&folder, &question("a", "How many?", Judged::Right)).unwrap();
    let (found, problems) = read(&folder).unwrap();
    let shown: Vec<_> = found.iter().map(|one| (one.id.as_str(), one.judged)).collect();
    assert_eq!(shown, [("a", Judged::Right), ("b", Judged::Right)]);
    let places: Vec<_> = problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["tests.jsonl line 2", "tests.jsonl line 3"]);
    let lines = std::fs::read_to_string(&file).unwrap();
    assert!(lines.contains("\nnot JSON\n"), "{lines}");
}

#[test]
fn what_is_out_of_bounds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let right = question("a", "How many?", Judged::Right);
    for wrong in [
        TestQuestion { sparql: None, ..right.clone() },
        TestQuestion { question: " ?".to_owned(), ..right.clone() },
        TestQuestion { id: String::new(), ..right.clone() },
        TestQuestion { wrong: Some("x".repeat(30_000)), ..right.clone() },
        TestQuestion { by: "x".repeat(201), ..right.clone() },
    ] {
        assert!(matches!(put(folder.path(), &wrong), Err(TestSetError::Wrong { .. })), "{wrong:?}");
    }
    assert!(!folder.path().join(TESTS_FILE).exists());
}

#[test]
fn the_same_words_have_the_same_id() {
    assert_eq!(TestQuestion::own_id("How many  rivers?"), TestQuestion::own_id("how many rivers"));
    assert_ne!(TestQuestion::own_id("How many rivers?"), TestQuestion::own_id("How many seas?"));
    assert_ne!(id_of(&["a", "bc"]), id_of(&["ab", "c"]));
}
