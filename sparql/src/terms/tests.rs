use super::*;
use proptest::prelude::*;

fn example() -> Prefixes {
    [("ex", "http://ex.org/"), ("v", "http://ex.org/vocab#"), ("", "http://default.org/")]
        .into_iter()
        .collect()
}

#[test]
fn the_longest_namespace_wins() {
    assert_eq!(example().shorten("http://ex.org/vocab#Name").as_deref(), Some("v:Name"));
    assert_eq!(example().shorten("http://ex.org/Name").as_deref(), Some("ex:Name"));
    assert_eq!(example().shorten("http://default.org/Name").as_deref(), Some(":Name"));
    assert_eq!(
        Prefixes::well_known().shorten("http://purl.org/dc/terms/title").as_deref(),
        Some("dct:title")
    );
}

#[test]
fn names_that_need_escapes_stay_full_iris() {
    for local in ["a/b", "a(b)", "a'b", "", "a.", "-a", ".a", "a%4", "a%zz", "a.b.c", "a@b"] {
        let iri = format!("http://ex.org/{local}");
        assert_eq!(example().compact(&iri), format!("<{iri}>"), "{local}");
    }
}

#[test]
fn what_hides_in_an_iri_is_escaped_and_stands_in_no_prefixed_name() {
    for (local, shown) in
        [("a b", "a\\u0020b"), ("a\u{200B}b", "a\\u200Bb"), ("a\u{3164}b", "a\\u3164b"), ("a>b", "a\\u003Eb")]
    {
        assert_eq!(example().compact(&format!("http://ex.org/{local}")), format!("<http://ex.org/{shown}>"));
    }
    assert_eq!(example().compact("start_of_turn"), "<\\u0073tart_of_turn>");
}

#[test]
fn percent_triples_digits_and_colons_are_kept_byte_exact() {
    for local in ["a%40b", "%C3%A9", "12", "a:b", "_x", "a.b", "U990-5234138", "größe"] {
        let iri = format!("http://ex.org/{local}");
        assert_eq!(example().shorten(&iri), Some(format!("ex:{local}")));
    }
}

#[test]
fn expanding_resolves_escapes_and_refuses_unknown_prefixes() {
    assert_eq!(example().expand(r"ex:a\(b\)\'s").as_deref(), Some("http://ex.org/a(b)'s"));
    assert_eq!(example().expand("ex:a%40").as_deref(), Some("http://ex.org/a%40"));
    assert_eq!(example().expand("no:a"), None);
    assert_eq!(example().expand("no colon"), None);
}

#[test]
fn merging_lets_the_other_win() {
    let merged = Prefixes::well_known().merged(&[("schema", "https://schema.org/")].into_iter().collect());
    assert_eq!(merged.get("schema"), Some("https://schema.org/"));
    assert!(merged.get("rdf").is_some());
}

#[test]
fn prefixes_are_a_plain_map_in_json() {
    let json = serde_json::to_string(&example()).unwrap();
    assert_eq!(json, r#"{"":"http://default.org/","ex":"http://ex.org/","v":"http://ex.org/vocab#"}"#);
    assert_eq!(serde_json::from_str::<Prefixes>(&json).unwrap(), example());
}

#[test]
fn local_names() {
    assert_eq!(local_name("http://ex.org/vocab#hasName"), "hasName");
    assert_eq!(local_name("http://ex.org/a/b"), "b");
    assert_eq!(local_name("http://ex.org/a/b/"), "b");
    assert_eq!(local_name("urn:isbn:123"), "123");
    assert_eq!(local_name("plain"), "plain");
    assert_eq!(local_name(""), "");
}

proptest! {
    #[test]
    fn a_shortened_iri_expands_to_itself(local in "\\PC{0,12}") {
        let iri = format!("http://ex.org/{local}");
        if let Some(name) = example().shorten(&iri) {
            prop_assert_eq!(example().expand(&name), Some(iri));
        }
    }

    #[test]
    fn local_name_never_panics(iri in "\\PC{0,20}") {
        prop_assert!(iri.contains(local_name(&iri)));
    }
}

#[test]
fn what_is_shown_of_an_iri_is_never_endless() {
    let prefixes: Prefixes = [("ex", "http://ex.org/")].into_iter().collect();
    for (count, cut) in [(10, false), (390, false), (500, true), (100_000, true)] {
        for letter in ["x", "é", "東"] {
            let shown = prefixes.shown(&format!("http://ex.org/{}", letter.repeat(count)));
            assert_eq!(shown.contains(CUT_MARK), cut, "{count} {letter}");
            assert!(shown.chars().count() <= 400, "{count} {letter}");
        }
    }
    assert_eq!(prefixes.shown("http://ex.org/a"), "ex:a");
}
