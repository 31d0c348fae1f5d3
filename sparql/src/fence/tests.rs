//! What is escaped, and what is left unchanged.

use super::*;
use proptest::prelude::*;

/// Markers of well-known chat model families.
const MARKERS: &[&str] = &[
    "<|endoftext|>",
    "<|im_start|>",
    "<|eot_id|>",
    "<|channel|>",
    "<｜User｜>",
    "<｜tool▁calls▁begin｜>",
    "</s>",
    "<s>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[TOOL_CALLS]",
    "[gMASK]",
    "<seed:bos>",
    "<0x0A>",
    "<think>",
    "<tool_call>",
    "<extra_id_0>",
    "]~b]",
    "[e~[",
    ">>ANSWER<<",
    "<|START_OF_TURN_TOKEN|>",
    "<bos>",
];

/// Characters that are always invisible.
const HIDDEN: &[char] = &[
    '\u{AD}',
    '\u{34F}',
    '\u{61C}',
    '\u{115F}',
    '\u{1160}',
    '\u{180E}',
    '\u{200B}',
    '\u{200E}',
    '\u{202E}',
    '\u{2060}',
    '\u{206F}',
    '\u{2800}',
    '\u{3164}',
    '\u{FEFF}',
    '\u{FFA0}',
    '\u{FFF9}',
    '\u{FFFB}',
    '\u{E0001}',
    '\u{E0041}',
    '\u{E007F}',
    '\u{E01EF}',
    '\u{7}',
    '\u{1B}',
    '\u{85}',
    '\u{2028}',
    '\u{E000}',
    '\u{FFFF}',
];

/// Texts that must stay unchanged.
const SEEN: &[&str] = &[
    "Köln 猫",
    "❤️‍🔥",
    "👩🏽‍🚀",
    "🏳️‍🌈",
    "1️⃣",
    "☺︎",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "می‌خواهم",
    "ক্‍ষ",
    "ന്‍",
    "الْعَرَبِيَّة",
    "葛\u{E0100}",
    "ᠮᠣᠩᠭᠣᠯ",
    "x < 3 && y <= 4",
    "a<5",
    "[1] [USA and more]",
    "f(x) -> y",
    "5 > 3",
    "http://e.x/a_(b)",
];

#[test]
fn what_stands_in_quotes_is_a_string_of_sparql() {
    assert_eq!(quoted("a \"b\" \\ c\nd\te", 99), r#""a \"b\" \\ c\nd\te""#);
    assert_eq!(
        quoted("</s> [INST] x\u{200B}y\u{E0041}", 99),
        r#""\u003C/s> \u005BINST] x\u200By\U000E0041""#
    );
    assert_eq!(quoted("C:\\users", 99), r#""C:\\\u0075sers""#, "whoever resolves code points first");
    assert_eq!(quoted("abcdef", 3), "\"abc…\"");
    assert_eq!(quoted("ab\"cdef", 3), "\"ab…\"", "no escape is cut in its middle");
    assert_eq!(quoted("abc", 3), "\"abc\"");
    for text in SEEN {
        assert_eq!(quoted(text, 99), format!("\"{text}\""));
        assert_eq!(one_line(text, 99), *text);
        assert_eq!(disarmed(text), *text);
    }
}

#[test]
fn no_marker_and_no_hidden_character_is_left() {
    for marker in MARKERS {
        for text in [quoted(&format!("a {marker} b"), 99), disarmed(&format!("a {marker} b")).into_owned()] {
            assert!(!text.contains(marker), "{text}");
        }
        assert_eq!(one_line(marker, 99), *marker, "people see it");
    }
    for hidden in HIDDEN {
        let text = format!("A{hidden}B");
        assert!(!quoted(&text, 99).contains(*hidden) && !disarmed(&text).contains(*hidden), "{hidden:?}");
    }
    // Visible in one context, hidden in another.
    for text in [
        "A\u{200D}B",
        "A\u{FE0F}",
        "😀\u{FE0F}\u{FE0F}",
        "😀\u{E0100}",
        "葛\u{E0100}\u{E0101}",
        "می\u{200C}\u{200C}",
        "🏴\u{E0067}x",
    ] {
        assert!(disarmed(text).contains("\\u") || disarmed(text).contains("\\U"), "{text:?}");
    }
}

#[test]
fn a_query_in_a_message_keeps_its_meaning() {
    let query =
        "SELECT ?x { ?x <http://e.x/p>/<urn:isbn:1> \"a\" ; <mailto:a@b> 3 FILTER(?x<?y && ?x<3) }\n# end";
    assert_eq!(disarmed(query), query);
    assert_eq!(disarmed("{ ?s ?p \"</s>\" }"), "{ ?s ?p \"\\u003C/s>\" }");
}

#[test]
fn an_iri_is_whole_and_no_marker() {
    for iri in ["http://e.x/a(b)%20", "urn:isbn:1", "mailto:a@b.example", "http://e.x/می‌خواهم"] {
        assert_eq!(bracketed(iri), iri);
    }
    assert_eq!(bracketed("start_of_turn"), "\\u0073tart_of_turn");
    assert_eq!(bracketed("seed:bos"), "\\u0073eed:bos");
    assert_eq!(bracketed("|im_start|"), "\\u007Cim_start\\u007C");
    assert_eq!(bracketed("http://e.x/a\u{200B}b\n>"), "http://e.x/a\\u200Bb\\u000A\\u003E");
}

proptest! {
    #[test]
    fn a_string_comes_out_of_its_quotes_as_it_went_in(text in "[\\x00-\\x7f]{0,20}\\PC{0,10}[<>|/a-z\\[\\]A-Z]{0,8}") {
        let shown = quoted(&text, usize::MAX);
        prop_assert!(!shown.contains('\n'));
        let query = spargebra::SparqlParser::new().parse_query(&format!("SELECT ({shown} AS ?x) {{}}")).unwrap().to_string();
        let expected = oxrdf::Literal::from(text.as_str()).to_string();
        prop_assert!(query.contains(&expected), "{} is not in {}", expected, query);
    }

    #[test]
    fn what_is_quoted_is_disarmed(text in "\\PC{0,40}", marker in prop::sample::select(MARKERS), hidden in prop::sample::select(HIDDEN)) {
        let shown = quoted(&format!("{text}{marker}{hidden}{text}"), 200);
        prop_assert_eq!(disarmed(&shown), shown.as_str());
        let message = format!("{text}{hidden}{marker}\n{text}");
        let once = disarmed(&message).into_owned();
        prop_assert_eq!(disarmed(&once), once.as_str());
        prop_assert!(!once.contains(marker));
    }

    #[test]
    fn an_escape_is_read_back(text in "\\PC{0,20}[\\x00-\\x7f]{0,9}") {
        let iri = format!("http://e.x/{text}");
        let shown = bracketed(&iri).into_owned();
        prop_assert_eq!(unescaped(&shown), iri.as_str());
    }
}
