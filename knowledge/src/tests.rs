use crate::{Knowledge, KnowledgeError, Meaning};
use eruca_sparql::Prefixes;
use std::fs::write;
use std::path::Path;
use tempfile::{TempDir, tempdir};

fn prefixes() -> Prefixes {
    let mut prefixes = Prefixes::default();
    prefixes.insert("shop", "http://shop.example/");
    prefixes
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    files.iter().for_each(|(name, text)| write(folder.path().join(name), text).unwrap());
    folder
}

fn read(folder: &Path) -> Result<Knowledge, KnowledgeError> {
    Knowledge::read(folder, &prefixes())
}

fn shop(name: &str) -> String {
    format!("http://shop.example/{name}")
}

#[test]
fn boards_name_their_questions() {
    let text = "[[boards]]\nname = 'house'\ntitle = 'The house'\nquestions = ['a', 'b-2']\n[[boards]]\nname = 'one'\nquestions = ['a']\n";
    let folder_ = folder(&[("boards.toml", text)]);
    let known = read(folder_.path()).unwrap();
    let told: Vec<_> =
        known.boards.iter().map(|board| (&*board.name, &*board.title, board.questions.len())).collect();
    assert_eq!(told, [("house", "The house", 2), ("one", "one", 1)]);
    let board =
        |name: &str, questions: &str| format!("[[boards]]\nname = '{name}'\nquestions = [{questions}]\n");
    let many = "'a',".repeat(13);
    let wrong =
        [board("House", "'a'"), board("b", ""), board("c", &many), board("d", "'a'"), board("d", "'a'")]
            .concat();
    let folder_ = folder(&[("boards.toml", &wrong)]);
    let told: Vec<String> =
        read(folder_.path()).unwrap_err().problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    boards.toml line 1: has the name 'House'; names have at most 64 small letters a to z, digits, '-' and '_'
    boards.toml line 4: must have between 1 and 12 'questions', by their names
    boards.toml line 7: must have between 1 and 12 'questions', by their names
    boards.toml line 13: there is another board 'd'; rename one of them
    ");
}

#[test]
fn files_are_merged_in_the_order_of_their_names() {
    let words = r#"
[[glossary]]
words = ["client", "account"]
class = "shop:Customer"

[[glossary]]
words = ["Kundschaft"]
lang = "de"
class = "<http://shop.example/Customer>"

[[glossary]]
words = ["headquarters"]
thing = "http://shop.example/depot1"

[[glossary]]
words = ["urgent"]
value = "1"
property = "shop:priority"
of = "shop:Order"
"#;
    let others = r#"
[[glossary]]
words = ["turnover"]
property = "shop:total"

[[glossary]]
words = ["biggest"]
measure = "shop:staff"
descending = true

[[glossary]]
prefer = "shop:made"
over = ["shop:found"]

[[glossary]]
words = ["active client"]
pattern = "?this shop:last ?day FILTER(?day > '2020-01-01')"

[[glossary]]
unit = "kg"
property = "shop:weight"

[[notes]]
text = "Totals are without tax."
about = "shop:total"

[[notes]]
text = "  Orders are kept\nfor ten years. "

[hidden]
terms = ["shop:salary"]
namespaces = ["http://private.example/", "shop:"]
"#;
    let folder =
        folder(&[("b.toml", others), ("a.toml", words), ("readme.md", "no knowledge = ["), ("c.toml", "")]);
    let known = read(folder.path()).unwrap();
    let class = Meaning::Class(shop("Customer"));
    assert_eq!((&known.glossary[0].meaning, &known.glossary[1].meaning), (&class, &class));
    assert_eq!(known.glossary[1].lang.as_deref(), Some("de"));
    assert_eq!(known.glossary[2].meaning, Meaning::Thing(shop("depot1")));
    assert_eq!(known.glossary[3].of, Some(shop("Order")));
    assert_eq!(known.glossary[4].meaning, Meaning::Property(shop("total")));
    assert_eq!(known.glossary[5].origin.to_string(), "b.toml line 6");
    assert_eq!(known.glossary.len(), 9);
    assert_eq!(known.notes_about(Some(&shop("total"))).collect::<Vec<_>>(), ["Totals are without tax."]);
    assert_eq!(known.notes_about(None).count(), 1);
    for iri in ["http://shop.example/salary", "http://private.example/a"] {
        assert!(known.hidden.hides(iri), "{iri}");
    }
    assert!(!known.hidden.hides("http://open.example/a"));
}

#[test]
fn every_mistake_is_told_at_once_with_its_place() {
    let folder = folder(&[
        (
            "a.toml",
            "[[glossary]]\nwords = [\"client\"]\nclas = \"shop:Customer\"\n\n[[glossary]]\nclass = \"shop:Customer\"\n\n\
             [[glossary]]\nwords = [\"a b c d e f g\"]\nclass = \"shop:Customer\"\n\n\
             [[glossary]]\nwords = [\"client\"]\nclass = \"store:Customer\"\n\n\
             [[glossary]]\nwords = [\"client\"]\nclass = \"shop:Customer\"\nthing = \"shop:a\"\n\n\
             [[glossary]]\nwords = [\"client\"]\n\n[[glossary]]\nwords = [\"urgent\"]\nvalue = \"1\"\n\n\
             [[glossary]]\nwords = [\"old\"]\npattern = \"?this shop:made ?\"\n",
        ),
        ("b.toml", "[[notes]]\ntext = \"\"\n\n[hidden]\nterm = [\"shop:a\"]\n"),
        ("c.toml", "[[glossary]]\nwords = [\"client\n"),
        ("d.toml", "[[glosary]]\nwords = []\n"),
    ]);
    let error = read(folder.path()).unwrap_err();
    let told: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    a.toml line 1: unknown field `clas`, expected one of `words`, `lang`, `class`, `property`, `thing`, `value`, `pattern`, `of`, `measure`, `descending`, `unit`, `prefer`, `over`
    a.toml line 5: has no 'words'; name the words that mean this
    a.toml line 8: 'a b c d e f g' must have 1 to 6 words and at most 100 characters
    a.toml line 12: 'class' is 'store:Customer', which is neither an IRI nor a prefixed name with a known prefix; write <IRI>, or add the prefix to the dataset's 'prefixes'
    a.toml line 16: has more than one meaning; it needs exactly one of class, property, thing, value (with property), pattern, measure, prefer (with over), unit (with property)
    a.toml line 21: says nothing of what is meant; it needs one of class, property, thing, value (with property), pattern, measure, prefer (with over), unit (with property)
    a.toml line 24: has no 'property'; name the one that it is about
    a.toml line 28: 'pattern' is no group of triple patterns: syntax error at line 2, column 1 near `}`: `}` cannot stand here
    b.toml line 1: 'text' must have 1 to 1000 characters
    b.toml line 4: unknown field `term`, expected `terms` or `namespaces`
    c.toml line 2: unclosed array, expected `]`
    d.toml line 1: unknown field `glosary`, expected one of `glossary`, `notes`, `hidden`, `boards`
    ");
}

#[test]
fn patterns_are_about_this_and_reach_no_further() {
    let wrong = [
        "?it shop:last ?day",
        "OPTIONAL { ?this shop:last ?day }",
        "?this shop:last ?day OPTIONAL { ?this shop:made ?value }",
        "?this shop:part+ ?value",
        "SERVICE <http://a.example/> { ?this shop:made ?value }",
        "?this store:made ?value",
    ];
    let entry = |text: &&str| format!("[[glossary]]\nwords = ['old']\npattern = '{text}'\n");
    let folder = folder(&[("a.toml", &wrong.iter().map(entry).collect::<String>())]);
    let error = read(folder.path()).unwrap_err();
    let told: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    a.toml line 1: 'pattern' does not have ?this in a triple pattern outside of OPTIONAL
    a.toml line 4: 'pattern' does not have ?this in a triple pattern outside of OPTIONAL
    a.toml line 7: 'pattern' does not have ?value in a triple pattern outside of OPTIONAL
    a.toml line 10: 'pattern' is no group of triple patterns: it has a path of any length; write only triple patterns with IRIs as properties, FILTER, OPTIONAL, and paths of a fixed length
    a.toml line 13: 'pattern' is no group of triple patterns: query refused: SERVICE <http://a.example/> is not allowed here; query the dataset directly
    a.toml line 16: 'pattern' is no group of triple patterns: unknown prefix `store:`; declare it with PREFIX or write the full IRI in <>
    ");
}

#[test]
fn what_is_too_much_is_refused() {
    let long = format!("# {}\n", "x".repeat(1 << 20));
    let notes = "[[notes]]\ntext = \"a\"\n".repeat(1_001);
    let folder = folder(&[("long.toml", &long), ("notes.toml", &notes)]);
    let error = read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("long.toml: is larger than 1048576 bytes"), "{error}");
    assert!(error.contains("has 1001 notes; at most 1000 are read"), "{error}");
}

#[test]
fn a_change_of_the_files_is_seen() {
    let folder = folder(&[("a.toml", "[[notes]]\ntext = \"one\"\n")]);
    let known = read(folder.path()).unwrap();
    assert_eq!(known.changed(), None);
    write(folder.path().join("a.toml"), "[[notes]]\ntext = \"two\"\n").unwrap();
    assert!(known.changed().is_some_and(|now| now != known.stamp()));
    let none = read(&folder.path().join("none")).unwrap();
    assert!(none.is_empty() && none.changed().is_none());
}
