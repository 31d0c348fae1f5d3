//! Graphs that nobody has configured: a file, the folder of an index, the demo; and names looked up in them.

use crate::cli::{eruca, run, serve_with};
use crate::talk::piped;
use eruca_testing::helpers::{CITIES, QUESTION, data, folder, install_tls, repository};
use eruca_testing::programs::{output, output_of_file, stderr, stdout};
use std::path::Path;
use std::process::Output;

/// The program in a folder, with caches of its own.
fn cached(folder: &Path, arguments: &[&str]) -> Output {
    output(eruca(folder).args(arguments).env("XDG_CACHE_HOME", folder.join("cache")))
}

#[test]
fn a_file_is_asked_without_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.ttl");
    std::fs::copy(data("cities.ttl"), &file).unwrap();
    let ask = ["ask", "--show-results", "my.ttl", QUESTION];
    let first = cached(folder.path(), &ask);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert!(stdout(&first).contains("cities/Paris"), "{}", stdout(&first));
    assert!(!folder.path().join("data").exists(), "nothing is left beside the file");
    let indexes = || std::fs::read_dir(folder.path().join("cache/eruca/indexes")).unwrap().count();
    assert_eq!(indexes(), 1);
    let again = cached(folder.path(), &ask);
    assert!(!stderr(&again).contains("reading"), "the index is there already: {}", stderr(&again));

    let changed = std::fs::read_to_string(&file).unwrap().replace(":capital :Paris", ":capital :Toulouse");
    std::fs::write(&file, changed).unwrap();
    let changed = cached(folder.path(), &ask);
    assert!(stdout(&changed).contains("cities/Toulouse"), "{}", stdout(&changed));
    assert!(!stderr(&changed).contains("other data than is configured"), "{}", stderr(&changed));
    assert_eq!(indexes(), 1);

    std::fs::create_dir(folder.path().join("other")).unwrap();
    std::fs::copy(data("films.ttl"), folder.path().join("other/my.ttl")).unwrap();
    let other = cached(folder.path(), &["search", "other/my.ttl", "film"]);
    assert_eq!(other.status.code(), Some(0), "{}", stderr(&other));
    assert_eq!(indexes(), 2, "files of the same name have indexes of their own");
}

#[test]
fn a_folder_is_asked_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("graphs/more")).unwrap();
    std::fs::copy(data("cities.ttl"), folder.path().join("graphs/more/cities.ttl")).unwrap();
    std::fs::write(folder.path().join("graphs/package.json"), "{}").unwrap();
    let asked = cached(folder.path(), &["ask", "--show-results", "graphs", QUESTION]);
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
    assert!(stdout(&asked).contains("cities/Paris"), "{}", stdout(&asked));
    std::fs::copy(data("films.ttl"), folder.path().join("graphs/films.ttl")).unwrap();
    let found = cached(folder.path(), &["search", "graphs", "film"]);
    assert_eq!(found.status.code(), Some(0), "a file more is seen: {}", stderr(&found));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let empty = cached(folder.path(), &["ask", "empty", QUESTION]);
    assert_eq!(empty.status.code(), Some(1));
    assert!(stderr(&empty).contains("'empty' contains no file ending in .ttl"), "{}", stderr(&empty));
}

/// The program in a folder, with caches of its own and this on its standard input.
fn fed(folder: &Path, arguments: &[&str], content: &str) -> Output {
    let file = folder.join("fed");
    std::fs::write(&file, content).unwrap();
    let mut command = eruca(folder);
    command.args(arguments).env("XDG_CACHE_HOME", folder.join("cache"));
    output_of_file(&mut command, std::fs::File::open(file).unwrap())
}

#[test]
fn a_graph_may_come_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let graph = std::fs::read_to_string(data("cities.ttl")).unwrap();
    for arguments in [&["ask", "-", QUESTION][..], &["ask", "--format", "ttl", "-", QUESTION]] {
        let asked = fed(folder.path(), arguments, &graph);
        assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
        assert!(stdout(&asked).contains("capital"), "{}", stdout(&asked));
    }
    let both = fed(folder.path(), &["ask", "-", "-"], &graph);
    assert_eq!(both.status.code(), Some(2), "{}", stderr(&both));

    let index = ["index", "--dataset", "mine", "-"];
    let built = fed(folder.path(), &index, &graph);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let broken = fed(folder.path(), &index, "<a> <b> broken");
    assert_eq!(broken.status.code(), Some(1));
    let asked = cached(folder.path(), &["ask", "--show-results", "--index", "data/mine", QUESTION]);
    assert!(stdout(&asked).contains("cities/Paris"), "the graph before is kept: {}", stderr(&asked));
    assert!(!stderr(&asked).contains("other data"), "{}", stderr(&asked));
}

#[test]
fn a_format_is_given_where_nothing_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    // Turtle and N-Triples begin alike, and this could be the end of either.
    std::fs::write(folder.path().join("odd.txt"), "<a> <b> <c> , .").unwrap();
    let wrong = cached(folder.path(), &["index", "--format", "rdfxml", "odd.txt"]);
    assert_eq!(wrong.status.code(), Some(1));
    std::fs::copy(data("cities.ttl"), folder.path().join("odd.txt")).unwrap();
    let built = cached(folder.path(), &["index", "--format", "turtle", "odd.txt"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    assert!(stdout(&built).contains("format = \"turtle\"\n"), "{}", stdout(&built));
    assert!(!stdout(&built).contains("note "), "nothing is guessed: {}", stdout(&built));
    // What is longer than the part that is looked at tells nothing; the index keeps what was given.
    let cities = std::fs::read_to_string(data("cities.ttl")).unwrap();
    let text = format!("{}{cities}", "# a comment\n".repeat(100_000));
    std::fs::write(folder.path().join("long.txt"), text).unwrap();
    let untold = cached(folder.path(), &["index", "long.txt"]);
    assert_eq!(untold.status.code(), Some(1), "{}", stdout(&untold));
    assert_eq!(cached(folder.path(), &["index", "--format", "turtle", "long.txt"]).status.code(), Some(0));
    let asked = cached(folder.path(), &["ask", "--show-results", "--index", "data/long", QUESTION]);
    assert!(stdout(&asked).contains("cities/Paris"), "{}", stderr(&asked));
    for arguments in [
        &["ask", "--format", "turtle", QUESTION][..],
        &["index", "--format", "turtle"],
        &["index", "--format", "x", "odd.txt"],
    ] {
        let output = cached(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
}

#[tokio::test]
async fn files_and_indexes_are_served_without_configuration() {
    install_tls();
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(data("cities.ttl"), folder.path().join("my.ttl")).unwrap();
    std::fs::copy(data("films.ttl"), folder.path().join("films.ttl")).unwrap();
    let (_running, said) = serve_with(folder.path(), &["my.ttl", "films.ttl"]);
    assert!(said.contains("dataset: my,") && said.contains("page: http"), "{said}");
    let url = said.lines().next().unwrap().rsplit_once(' ').unwrap().1.to_owned();
    let response = reqwest::get(format!("{url}/datasets")).await.unwrap();
    let datasets: serde_json::Value = response.json().await.unwrap();
    assert_eq!(datasets["datasets"].as_array().unwrap().len(), 1, "{datasets}");
    let page = reqwest::Client::new().get(&url).header("Accept", "text/html").send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(!folder.path().join("data").exists(), "nothing is left beside the files");

    let built = cached(folder.path(), &["index", "my.ttl"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let (_running, said) = serve_with(folder.path(), &["--index", "data/my"]);
    assert!(said.contains("dataset: data/my,"), "{said}");
    let none = cached(folder.path(), &["serve", "--port", "0", "nowhere.ttl"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("no RDF file 'nowhere.ttl'"), "{}", stderr(&none));
}

#[test]
fn a_graph_may_be_named_wherever_questions_come_from() {
    let folder = tempfile::tempdir().unwrap();
    let file = data("cities.ttl");
    for (arguments, said) in [
        (&["ask", &file, "-"][..], QUESTION),
        (&["ask", "--stdin", &file], QUESTION),
        (&["ask", "-i", &file], QUESTION),
    ] {
        let output = piped(folder.path(), arguments, said);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).contains("Paris"), "{arguments:?}: {}", stdout(&output));
    }
}

#[test]
fn the_folder_of_an_index_is_enough() {
    let folder = folder();
    let built = run(folder.path(), &["index", "--dataset", "cities"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    let mut indexes = std::fs::read_dir(folder.path().join("index")).unwrap();
    let index = indexes.next().unwrap().unwrap().path();
    let elsewhere = tempfile::tempdir().unwrap();
    let output = cached(elsewhere.path(), &["ask", "--index", index.to_str().unwrap(), QUESTION]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("capital"), "{}", stdout(&output));
    let none = cached(elsewhere.path(), &["ask", "--index", ".", QUESTION]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("there is no index in '.'"), "{}", stderr(&none));
}

#[test]
fn what_is_neither_dataset_nor_file_is_told() {
    let folder = folder();
    let output = run(folder.path(), &["ask", "nowhere.ttl", QUESTION]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("no RDF file 'nowhere.ttl'") && said.contains(CITIES), "{said}");
    let two = run(folder.path(), &["ask", "--dataset", "cities", "cities", QUESTION]);
    assert_eq!(two.status.code(), Some(2), "{}", stderr(&two));
}

#[test]
fn names_are_found_with_their_kinds() {
    let folder = folder();
    let lines = |arguments: &[&str]| -> Vec<String> {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        stdout(&output).lines().map(str::to_owned).collect()
    };
    let paris = lines(&["search", "Paris"]);
    assert!(paris[0].starts_with("entity\tParis\thttps://example.org/cities/Paris"), "{paris:?}");
    let properties = lines(&["search", "--kind", "property", "capital"]);
    assert!(properties.iter().all(|line| line.starts_with("property\t")), "{properties:?}");
    assert!(properties[0].contains("https://example.org/cities/capital"), "{properties:?}");
    let nothing = run(folder.path(), &["search", "Xyzzyplugh"]);
    assert_eq!((nothing.status.code(), stdout(&nothing).as_str()), (Some(3), ""), "{}", stderr(&nothing));
}

#[test]
fn as_many_names_are_shown_as_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let world = repository().join("examples/world.ttl");
    let found = |limit: &str| {
        let output = cached(folder.path(), &["search", "--limit", limit, world.to_str().unwrap(), "Co"]);
        stdout(&output).lines().count()
    };
    assert!(found("50") > 1);
    assert_eq!(found("1"), 1);
    assert_eq!(cached(folder.path(), &["search", "--limit", "0", "Co"]).status.code(), Some(2));
}

#[test]
fn the_demo_is_announced_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(folder.path(), &["ask", QUESTION]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let said = stderr(&first);
    assert!(said.lines().next().unwrap().contains("the demo graph is asked, and written into"), "{said}");
    assert!(folder.path().join("data").is_dir());
    let again = run(folder.path(), &["ask", QUESTION]);
    assert!(!stderr(&again).contains("the demo graph is asked"), "once is enough: {}", stderr(&again));
}
