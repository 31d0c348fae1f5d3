//! A name that many resources share, as a model sees it.
use eruca_testing::scripted::{Setup, answers, looks_up};

/// Eleven places named Lane in two countries, and some with longer names.
fn lanes() -> (tempfile::TempDir, Setup) {
    let mut graph = "@prefix : <http://lanes.org/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\
        :Place rdfs:label \"place\" . :country rdfs:label \"country\" .\n:A rdfs:label \"Avalon\" . :B rdfs:label \"Brobdingnag\" .\n"
        .to_owned();
    let names = std::iter::repeat_n("Lane", 11).chain(["Ellis Lane", "Lane Springs"]);
    for (number, name) in names.enumerate() {
        let country = if number == 4 { "B" } else { "A" };
        graph.push_str(&format!(":p{number} a :Place ; rdfs:label \"{name}\" ; :country :{country} .\n"));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lanes.ttl");
    std::fs::write(&file, graph).unwrap();
    let setup =
        Setup::new(&format!("[[datasets]]\nid = \"lanes\"\nfiles = [{:?}]\n", file.to_str().unwrap()));
    (folder, setup)
}

#[tokio::test]
async fn the_model_hears_how_many_share_the_name() {
    let (_folder, setup) = lanes();
    let query =
        "SELECT ?p WHERE { ?p rdfs:label \"Lane\" ; <http://lanes.org/country>/rdfs:label \"Brobdingnag\" }";
    let turns = [looks_up("Lane"), looks_up("Ellis Lane"), answers(query)];
    let talk = setup.ask("Which Lane lies in Brobdingnag?", turns).await;
    insta::assert_snapshot!(talk.observation(0), @r#"
    - :p0 "Lane" a :Place
    - :p1 "Lane" a :Place
    - :p2 "Lane" a :Place
    - :p11 "Ellis Lane" a :Place
    - :p12 "Lane Springs" a :Place
    - :p3 "Lane" a :Place
    - :p4 "Lane" a :Place
    - :p5 "Lane" a :Place
    - :p6 "Lane" a :Place
    - :p7 "Lane" a :Place
    11 resources have the name "Lane"; above are some of them and longer names. Tell them apart by `class` or by a query on what else is known of the one that is meant.
    "#);
    assert!(!talk.observation(1).contains("have the name"), "{}", talk.observation(1));
    assert_eq!(talk.rows(), ["p4"]);
}
