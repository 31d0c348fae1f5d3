//! Layouts of dumps, and input that is invalid, endless or arbitrary.

use super::super::frames::{FrameError, Frames};
use super::super::recognise::{Layout, recognise};
use super::{item, read, statement, value_snak};
use crate::progress::NoProgress;
use crate::source::ReadOptions;
use oxrdf::NamedNode;
use proptest::prelude::*;

fn small(id: &str) -> String {
    format!(r#"{{"type":"item","id":"{id}","labels":{{"en":{{"language":"en","value":"[{{\"{id}\\"}}}}}}"#)
}

#[test]
fn every_layout_gives_the_same_entities() {
    let entities: Vec<String> = ["Q1", "Q2", "Q3"].map(small).to_vec();
    let spread: Vec<String> = entities.iter().map(|entity| entity.replace(',', ",\n  ")).collect();
    let keyed = |list: &[String]| {
        let pairs: Vec<String> =
            list.iter().enumerate().map(|(at, entity)| format!("\"Q{}\": {entity}", at + 1)).collect();
        format!(
            "{{\"entities\": {{{}}}, \"success\": 1, \"other\": {{\"x\": {{\"y\": {{}}}}}}}}",
            pairs.join(", ")
        )
    };
    let layouts = [
        ("dump", format!("[\n{}\n]\n", entities.join(",\n")), Layout::Lines),
        ("commas before", format!("[\n{}\n]", entities.join("\n,")), Layout::Lines),
        ("lines", entities.join("\n"), Layout::Lines),
        ("brackets on lines", format!("[{}]", entities.join(",\n")), Layout::Lines),
        ("one line", format!("[{}]", entities.join(",")), Layout::Objects { within: 1 }),
        ("spread", format!("[\n{}\n]", spread.join(",\n")), Layout::Objects { within: 1 }),
        ("spread lines", spread.join("\n\n"), Layout::Objects { within: 0 }),
        ("keyed", keyed(&entities), Layout::Keyed),
        ("keyed spread", keyed(&spread), Layout::Keyed),
    ];
    let expected = read("a.json", &entities.join("\n"), false).unwrap().0;
    assert_eq!(expected.len(), 15);
    for (name, text, layout) in layouts {
        assert_eq!(recognise(text.as_bytes()), Some(layout), "{name}");
        let (quads, summary) = read("a.json", &text, false).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(quads, expected, "{name}");
        assert!(summary.notes.is_empty() && summary.prefixes.iter().any(|(prefix, _)| prefix == "wdt"));
    }
    let (quads, summary) = read("a.ttl", &entities.join("\n"), false).unwrap();
    assert_eq!(quads, expected);
    assert!(summary.notes[0].contains("is read as Wikibase entity JSON, not Turtle"), "{:?}", summary.notes);
}

#[test]
fn other_json_is_no_wikibase() {
    for text in [
        "",
        "{",
        "[",
        "{}",
        "[{}]",
        r#"{"type":"item"}"#,
        r#"{"type":"Feature","id":"Q1"}"#,
        r#"{"@context":{"type":"@type","id":"@id"},"type":"item","id":"Q1"}"#,
        r#"{"id":"Q1","type":"item","@graph":[]}"#,
        r#"{"entities":"many"}"#,
        r#"{"entities":{"person":{}}}"#,
        r#"{"x":{"type":"item","id":"Q1"}}"#,
        r#"["type","item","id"]"#,
    ] {
        assert_eq!(recognise(text.as_bytes()), None, "{text}");
    }
    for text in [r#"{"entities":{"Q1":{"#, r#"{"entities":[]}"#, r#"{ "entities" : { "Q1" : "#] {
        assert_eq!(recognise(text.as_bytes()), Some(Layout::Keyed), "{text}");
    }
}

#[test]
fn a_broken_entity_is_named_with_its_line_or_skipped() {
    let cases = [
        (r#"{"type":"item","id":"Q2","labels":"#, "a.json:3:"),
        (r#"{"type":"item","id":"Q2","labels":5}"#, "a.json:3:"),
        (r#"{"type":"item","id":"../Q2"}"#, "'../Q2' is not the id of an entity"),
        (r#"{"id":"Q2"}"#, "Q2 has no type"),
        (
            r#"{"type":"item","id":"Q2","claims":{"P1":[{"mainsnak":{"snaktype":"value","property":"P1"}}]}}"#,
            "P1",
        ),
    ];
    for (broken, words) in cases {
        let text = format!("[\n{},\n{broken},\n{}\n]", small("Q1"), small("Q3"));
        let said = read("a.json", &text, false).unwrap_err().to_string();
        assert!(said.contains("a.json:3") && said.contains(words), "{said}");
        let (quads, summary) = read("a.json", &text, true).unwrap();
        assert_eq!((quads.len(), summary.skipped), (10, 1), "{broken}");
        assert!(summary.reasons[0].contains("a.json:3"), "{:?}", summary.reasons);
    }
    let cut = format!("[\n{},\n", small("Q1"));
    let said = read("a.json", &cut, false).unwrap_err().to_string();
    assert!(said.contains("is it whole?"), "{said}");
}

#[test]
fn values_of_unknown_kinds_are_told() {
    let snak = value_snak("P1", "string", "bad", "{}");
    let (quads, summary) =
        read("a.json", &item(&[("P1", &[statement("Q1$A", "normal", &snak, "")])]), false).unwrap();
    assert!(!quads.is_empty());
    assert!(
        summary.left_out[0].ends_with("values of the kind 'bad' are not read (1)"),
        "{:?}",
        summary.left_out
    );
    let (_, summary) =
        read("a.json", &format!("{}\n{}", small("Q1"), r#"{"type":"mediainfo","id":"M1"}"#), false).unwrap();
    assert!(summary.left_out[0].ends_with("entities of the type 'mediainfo' are not read (1)"));
}

#[test]
fn an_endless_entity_is_refused_and_the_next_one_read() {
    let long = format!(r#"{{"type":"item","id":"Q2","x":"{}"}}"#, "x".repeat(2_000));
    let entities = [small("Q1"), long, small("Q3")];
    for (text, layout) in [
        (format!("[\n{}\n]", entities.join(",\n")), Layout::Lines),
        (format!("[{}]", entities.join(",")), Layout::Objects { within: 1 }),
    ] {
        let mut frames = Frames::new(text.as_bytes(), layout).with_max_bytes(1_000);
        assert!(frames.next().unwrap().is_ok());
        let Some(Err(FrameError::Broken { reason, .. })) = frames.next() else { panic!("too long") };
        assert!(reason.contains("more than 1000 bytes"), "{reason}");
        assert!(frames.next().unwrap().unwrap().text.ends_with(b"}"));
        assert!(frames.next().is_none());
    }
}

#[test]
fn a_place_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    std::fs::write(&path, small("Q1")).unwrap();
    let reading = ReadOptions { skip_errors: false, wikibase_base: Some("my wiki"), format: None };
    let said = reading.quads(&path, &NoProgress, &mut |_| {}).unwrap_err().to_string();
    assert!(said.contains("'my wiki' is not the address of a Wikibase"), "{said}");
    let mut quads = Vec::new();
    ReadOptions::default().quads(&path, &NoProgress, &mut |quad| quads.push(quad)).unwrap();
    assert!(quads[0].subject.to_string().starts_with("<http://www.wikidata.org/entity/"));
}

/// Arbitrary JSON, including keys and texts of entities.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "type",
        "item",
        "property",
        "lexeme",
        "id",
        "Q1",
        "P1",
        "claims",
        "mainsnak",
        "snaktype",
        "value",
        "somevalue",
        "datavalue",
        "time",
        "quantity",
        "amount",
        "+5",
        "unit",
        "1",
        "labels",
        "language",
        "en",
        "property",
        "rank",
        "+99999999999999999999-99-99T00:00:00Z",
        "globecoordinate",
        "",
        "é\u{202e}",
        "forms",
        "entities",
        "missing",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        words.clone().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((words.clone(), inner), 0..8).prop_map(|pairs| {
                pairs
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }),
        ]
    })
}

/// An item with a valid shape except for one value.
fn odd_item() -> impl Strategy<Value = String> {
    let kinds =
        ["string", "time", "quantity", "globecoordinate", "monolingualtext", "wikibase-entityid", "x"];
    (prop::sample::select(kinds.to_vec()), any_json()).prop_map(|(kind, value)| {
        let snak = value_snak("P1", "url", kind, &value.to_string());
        item(&[("P1", &[statement("Q1$A", "normal", &snak, "")])])
    })
}

proptest! {
    #[test]
    fn no_json_panics(values in prop::collection::vec(any_json(), 1..4), odd in odd_item(), cut in 0_usize..3_000) {
        let mut text = format!("{}\n{odd}\n", small("Q1"));
        for value in values {
            text.push_str(&format!("{value}\n"));
        }
        let text: String = text.chars().take(cut.max(200)).collect();
        let (quads, summary) = read("a.json", &text, true).unwrap();
        prop_assert!(quads.len() >= 5 && summary.skipped <= 5);
        for quad in &quads {
            prop_assert!(NamedNode::new(quad.predicate.as_str()).is_ok());
        }
    }

    #[test]
    fn no_bytes_in_any_layout_panic(bytes in prop::collection::vec(prop::sample::select(b"{}[]\",:\\\n aQ1\xff".to_vec()), 0..200)) {
        let _layout = recognise(&bytes);
        for layout in [Layout::Lines, Layout::Objects { within: 0 }, Layout::Objects { within: 2 }, Layout::Keyed] {
            let mut frames = Frames::new(&bytes[..], layout);
            let mut count = 0;
            while frames.next().is_some() {
                count += 1;
                prop_assert!(count <= bytes.len() + 1);
            }
        }
    }
}
