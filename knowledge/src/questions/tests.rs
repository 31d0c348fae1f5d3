//! Files, look-ups and edits of verified questions.

use super::*;
use eruca_sparql::{Answer, NamedNode, Results, Solutions, Term};
use std::time::Duration;

fn verified(question: &str, query: &str) -> VerifiedQuestion {
    VerifiedQuestion {
        question: question.to_owned(),
        query: query.to_owned(),
        by: "Ada".to_owned(),
        at: "2026-01-31".to_owned(),
        lang: Some("en".to_owned()),
        ..VerifiedQuestion::default()
    }
}

fn questions(all: impl IntoIterator<Item = VerifiedQuestion>) -> Questions {
    let entry = |(number, question)| Entry { question, file: "a.toml".into(), number };
    Questions::new(all.into_iter().enumerate().map(entry).collect())
}

fn with_parameters(question: &str, names: &[&str]) -> VerifiedQuestion {
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        value: format!("<http://e.x/{}>", name.replace(' ', "_")),
    };
    VerifiedQuestion { parameters: names.iter().map(parameter).collect(), ..verified(question, "ASK {}") }
}

#[test]
fn case_accents_spaces_and_punctuation_do_not_matter_and_signs_and_endings_do() {
    let known = questions([verified("Which cafés does Anna own?", "1"), verified("Who knows C++?", "2")]);
    let query = |text: &str| known.exact(text).map(|found| found.query.as_str());
    assert_eq!(query("  which CAFES, does anna own "), Some("1"));
    assert_eq!(query("Which café does Anna own?"), None);
    assert_eq!(query("who knows c++"), Some("2"));
    for other in ["who knows C#", "who knows C", "does Anna own which cafes", ""] {
        assert_eq!(query(other), None, "{other}");
    }
    assert_ne!(question_key("below -5 degrees"), question_key("below 5 degrees"));
    assert_eq!(question_key("from 1990-95"), question_key("from 1990 95"));
}

#[test]
fn what_is_set_aside_is_found_by_nothing() {
    let aside = Some("it fails".to_owned());
    let known = questions([VerifiedQuestion { aside, ..with_parameters("Who leads Sales?", &["Sales"]) }]);
    assert_eq!(known.exact("Who leads Sales?"), None);
    assert_eq!(known.filled("Who leads Research?"), None);
    assert!(known.near("Who leads Sales today?", "en").is_empty());
    assert_eq!(known.entries().len(), 1);
}

#[test]
fn a_name_takes_the_place_of_a_parameter() {
    let known = questions([
        with_parameters("Who leads Sales?", &["Sales"]),
        with_parameters("Which roads go from Old Town to Ford?", &["Old Town", "Ford"]),
    ]);
    let names = |text: &str| -> Vec<(String, String)> {
        let filled = known.filled(text).map(|filled| filled.replaced).unwrap_or_default();
        filled.into_iter().map(|one| (one.parameter.name.clone(), one.name)).collect()
    };
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(names("who leads Research & Design ?"), [pair("Sales", "Research & Design")]);
    assert_eq!(names("Which roads go from Old Town to New Port?"), [pair("Ford", "New Port")]);
    assert_eq!(names("Which roads go from Ay to Be?"), [pair("Old Town", "Ay"), pair("Ford", "Be")]);
    let others = [
        "Who leads Sales?",
        "Who leads?",
        "Who knows Research?",
        "Which roads go from A to B to C?",
        "Who leads one two three four five six seven eight nine?",
    ];
    for other in others {
        assert_eq!(names(other), [], "{other}");
    }
}

#[test]
fn two_patterns_with_different_queries_are_none() {
    let other = VerifiedQuestion {
        query: "ASK { ?s ?p 1 }".to_owned(),
        ..with_parameters("Who leads Ford?", &["Ford"])
    };
    let known = questions([with_parameters("Who leads Sales?", &["Sales"]), other]);
    assert_eq!(known.filled("Who leads Research?"), None);
}

#[test]
fn near_questions_share_words_of_the_same_language() {
    let german =
        VerifiedQuestion { lang: Some("de".to_owned()), ..verified("Wer leitet den Vertrieb?", "de") };
    let any = VerifiedQuestion { lang: None, ..verified("budget of sales", "any") };
    let known = questions([
        verified("What is the budget of the research department?", "research"),
        verified("Which bridges cross the river?", "bridges"),
        german,
        any,
    ]);
    let near = |text: &str, lang: &str| -> Vec<String> {
        known.near(text, lang).into_iter().map(|at| known.entries()[at].question.query.clone()).collect()
    };
    assert_eq!(near("What is the budget of the sales department?", "en"), ["any", "research"]);
    assert_eq!(near("Wer leitet den Einkauf?", "de"), ["de"]);
    assert_eq!(near("Wer leitet den Einkauf?", "en"), [""; 0]);
    assert_eq!(near("How tall is the tower?", "en"), [""; 0]);
}

#[test]
fn files_are_read_with_what_is_wrong_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("questions");
    let (none, problems) = read_questions(&at);
    assert!(none.is_empty() && problems.is_empty());
    std::fs::create_dir(&at).unwrap();
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    let good =
        "[[questions]]\nquestion = 'Who leads Sales?'\nquery = 'ASK {}'\nby = 'Ada'\nat = 2026-01-31\n";
    write("a.toml", &format!("# kept\n{good}"));
    write(
        "b.toml",
        &format!(
            "{good}\n[[questions]]\nquestion = 'How many?'\nquery = 'ASK {{}}'\nby = 'Ada'\nat = 'May'\n"
        ),
    );
    write("c.toml", "[[questions]]\nquestion = 1\n");
    write("d.toml", "[[questions]]\nwho = 'x'\n");
    let parameter = "parameters = [{ name = 'Ford', value = '<http://e.x/f>' }]\n";
    write("e.toml", &format!("{}{parameter}", good.replace("Sales", "Research")));
    write("notes.md", "nothing");
    let (found, problems) = read_questions(&at);
    assert_eq!(found.entries().len(), 2);
    let told: Vec<String> = problems
        .iter()
        .map(|problem| problem.to_string().replace(&format!("{}/", at.display()), ""))
        .map(|line| line.split_once("; an entry of").map_or(line.clone(), |(start, _)| start.to_owned()))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    b.toml line 7: 'at' must be the date of the check, like 2026-01-31
    b.toml: the question 'Who leads Sales?' is verified twice; the first one counts; remove the other
    c.toml line 2: invalid type: integer `1`, expected a string
    d.toml line 2: unknown field `who`, expected one of `id`, `question`, `lang`, `query`, `by`, `at`, `comment`, `parameters`, `rows`, `digest`, `aside`
    e.toml line 1: the parameter 'Ford' must stand in the question once; it stands there 0 times
    ");
}

#[test]
fn an_entry_is_written_as_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let rich = VerifiedQuestion {
        id: Some("q:1".to_owned()),
        comment: Some("two\nlines and \"quotes\" \\ \u{7}".to_owned()),
        outcome: Some(Outcome { rows: 3, digest: Some("00ff".to_owned()) }),
        query: "SELECT ?x WHERE {\n\t?x ?p \"a\" .\n}".to_owned(),
        ..with_parameters("Who leads \"Sales\"?", &["Sales"])
    };
    let odd = VerifiedQuestion { query: "SELECT * { ?s ?p '''a''' }".to_owned(), ..verified("Odd?", "") };
    let file = add(folder.path(), "a.toml", std::slice::from_ref(&rich)).unwrap();
    add(folder.path(), "a.toml", std::slice::from_ref(&odd)).unwrap();
    let (found, problems) = read_questions(folder.path());
    assert_eq!(problems, []);
    let entries: Vec<_> =
        found.entries().iter().map(|entry| (entry.number, entry.question.clone())).collect();
    assert_eq!(entries, [(0, rich), (1, odd)]);
    assert_eq!(found.entries()[0].file, file);
}

#[test]
fn a_change_keeps_what_people_wrote_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |question: &str| {
        format!(
            "[[questions]] # {question}\n# why\nquestion = '{question}'\nrows = 1\nquery = '''\nASK {{\n  # a\n}}\n'''\nby = 'Ada'\nat = 2026-01-31\n\n"
        )
    };
    let file = folder.path().join("a.toml");
    std::fs::write(&file, format!("# top\n{}{}{}", entry("one?"), entry("two?"), entry("three?"))).unwrap();
    let read = || read_questions(folder.path()).0;
    let outcome = Outcome { rows: 7, digest: Some("ab".to_owned()) };
    record(&read().entries()[1], Some(&outcome), Some("it \"changed\"")).unwrap();
    let second = read().entries()[1].question.clone();
    assert_eq!((second.outcome, second.aside.as_deref()), (Some(outcome.clone()), Some("it \"changed\"")));
    remove(&read().entries()[0]).unwrap();
    record(&read().entries()[0], Some(&outcome), None).unwrap();
    let two =
        entry("two?").replace("rows = 1\n", "").replace("# two?\n", "# two?\nrows = 7\ndigest = \"ab\"\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("# top\n{two}{}", entry("three?")));
    let old = read().entries()[1].clone();
    remove(&old).unwrap();
    assert!(matches!(remove(&old), Err(EditError::ByHand { .. })), "it is gone");
    std::fs::write(&file, "questions = [{ question = 'a?', query = 'ASK {}', by = 'b', at = 2026-01-31 }]")
        .unwrap();
    assert!(matches!(remove(&read().entries()[0]), Err(EditError::ByHand { .. })));
}

#[test]
fn files_that_change_are_read_again_and_wrong_ones_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let watched = WatchedQuestions::open(folder.path().join("questions"));
    assert_eq!(watched.refresh(), None);
    add(watched.folder(), "a.toml", &[verified("Who leads Sales?", "ASK {}")]).unwrap();
    let held = watched.now();
    assert_eq!(watched.refresh(), Some((1, Vec::new())));
    assert!(held.is_empty() && watched.now().exact("who leads sales").is_some());
    std::fs::write(watched.folder().join("b.toml"), "questions = 1").unwrap();
    let (count, problems) = watched.refresh().unwrap();
    assert_eq!((count, problems.len(), watched.problems().len()), (1, 1, 1));
    assert!(watched.now().exact("who leads sales").is_some());
    std::fs::remove_file(watched.folder().join("b.toml")).unwrap();
    std::fs::remove_file(watched.folder().join("a.toml")).unwrap();
    assert_eq!(watched.refresh(), Some((0, Vec::new())));
    assert!(watched.problems().is_empty());
}

#[test]
fn a_result_has_one_digest_in_any_order() {
    let row =
        |name: &str| vec![Some(Term::from(NamedNode::new_unchecked(format!("http://e.x/{name}")))), None];
    let answer = |names: &[&str]| Answer {
        results: Results::Solutions(Solutions {
            variables: ["a", "b"].map(str::to_owned).into(),
            rows: names.iter().map(|name| row(name)).collect(),
        }),
        incomplete: None,
        elapsed: Duration::ZERO,
    };
    let (one, turned) = (outcome(&answer(&["a", "b"])), outcome(&answer(&["b", "a"])));
    assert!(!one.differs_from(&turned) && one.digest.is_some());
    assert!(one.differs_from(&outcome(&answer(&["a", "c"]))));
    assert!(one.differs_from(&outcome(&answer(&["a"]))));
    let cut = Answer { incomplete: Some(eruca_sparql::Incomplete::RowLimit(2)), ..answer(&["c", "d"]) };
    assert!(!one.differs_from(&outcome(&cut)), "cut results are compared by their number of rows");
}

#[test]
fn examples_of_a_benchmark_are_left_out_by_id_query_and_words() {
    let id = Some("ck:7-en".to_owned());
    let barges = |kind: &str| {
        format!(
            "PREFIX e: <http://e.x/>\nSELECT ?owner (COUNT(?b) AS ?n) (SUM(?t) AS ?load) WHERE {{ ?b a e:Barge ; e:owner ?owner ; e:load ?l ; e:place e:Arn . BIND(xsd:{kind}(?l) AS ?t) }} GROUP BY ?owner HAVING (SUM(?t) > 600) ORDER BY DESC(SUM(?t)) LIMIT 10 OFFSET 0"
        )
    };
    let known = questions([
        VerifiedQuestion { id, ..verified("Which pumps are heavy?", "1") },
        verified("Which clerk does report to the head of the sales department?", "2"),
        verified("Where are the mills?", "SELECT ?m\nWHERE { ?m a <http://e.x/Mill> }"),
        verified("Which mills stand at the river Arn?", "4"),
        verified("Who has most barges, with their load?", &barges("int")),
    ]);
    let asked = |id, text, query| BenchmarkQuestion { id, text, lang: Some("en"), query };
    let (kept, left_out) = known.without_leaks(&[
        asked("ck:7-en", "Something else entirely", None),
        asked("a", "The clerk that reports to the head of a sales department?", None),
        asked("b", "List every mill.", Some("SELECT ?m WHERE { ?m a <http://e.x/Mill> }")),
        asked("c", "Which mills stand at the lake Sorn?", None),
        asked(
            "d",
            "List the owners by what they can carry.",
            Some(&barges("integer").replace("?owner", "?x")),
        ),
    ]);
    assert_eq!(left_out, 4);
    assert!(kept.exact("Which mills stand at the river Arn?").is_some());
}

#[test]
fn queries_in_files_have_their_question_above_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.rq");
    let read = |text: &str| {
        std::fs::write(&file, text).unwrap();
        read_query_file(&file)
            .map_err(|error| error.to_string().replace(&folder.path().display().to_string(), ""))
    };
    let pair = |question: &str, query: &str| Ok((question.to_owned(), query.to_owned()));
    assert_eq!(read("# Who leads Sales?\n\nASK {}\n"), pair("Who leads Sales?", "ASK {}"));
    assert_eq!(
        read("#defaultView:Map\n#title: Mills\nSELECT * {\n # in\n}"),
        pair("Mills", "SELECT * {\n # in\n}")
    );
    assert_eq!(
        read("#+ summary: \"Mills\"\n#+ tags: a\nPREFIX e: <e>\nASK {}"),
        pair("Mills", "PREFIX e: <e>\nASK {}")
    );
    insta::assert_snapshot!(read("ASK {}").unwrap_err(), @"'/a.rq' has no question; write it above the query, in a line that begins with #");
    insta::assert_snapshot!(read("# Who?\n").unwrap_err(), @"'/a.rq' must hold a query of 1 to 20000 bytes below its question");
}

#[test]
fn names_that_stand_in_a_question_once_are_its_parameters() {
    let names = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let found = |question: &str, pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let found = named_parameters(question, &names(pairs)).into_iter();
        found.map(|one| (one.name, one.value)).collect()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let roads = [("Old", "<o>"), ("Old Town", "<t>"), ("the Ford", "<f>"), ("Ford", "<f>"), ("Hill", "<h>")];
    assert_eq!(
        found("Which roads go from OLD town to Ford?", &roads),
        [pair("OLD town", "<t>"), pair("Ford", "<f>")]
    );
    assert_eq!(found("Which roads go from Ford to Ford?", &roads), []);
    assert_eq!(
        found("Old Town Ford?", &roads),
        [pair("Old Town", "<t>")],
        "names that touch cannot be told apart"
    );
    assert_eq!(found("Which roads cross the Old Town?", &[("", "<e>")]), []);
}
