use super::*;
use crate::fuzzing::readings::resolved;
use crate::{Prefixes, QueryPolicy, check};

fn sent(text: &str) -> Result<String, QueryError> {
    check(text, &Prefixes::well_known(), &QueryPolicy::default()).map(|query| query.text().to_owned())
}

#[test]
fn an_escape_is_the_character_where_it_stands() {
    for (text, expected) in [
        (r#"ASK { ?s ?p "caf\u00e9 \U0001F600" }"#, "ASK { ?s ?p \"café 😀\" }"),
        (r#"ASK { ?s ?p "a\u000ab\u000D\u0022\u0027\u005C" }"#, r#"ASK { ?s ?p "a\nb\r\"\'\\" }"#),
        (r"ASK { ?s ?p '''\u0027\u0027\u0027''' }", r"ASK { ?s ?p '''\'\'\'''' }"),
        (r"ASK { ?s <http://e.x/\u00e9> ?o }", "ASK { ?s <http://e.x/é> ?o }"),
        (r"ASK\u0020{ ?s ?p ?na\u00efve \u007d", "ASK { ?s ?p ?naïve }"),
        (r#"ASK { ?s ?p "\\\u0041" }"#, r#"ASK { ?s ?p "\\A" }"#),
        // Not escapes: a file path, and a regular expression.
        (r#"ASK { ?s ?p "C:\\Users\\\\update" }"#, r#"ASK { ?s ?p "C:\\Users\\\\update" }"#),
        (r#"ASK { ?s ?p ?o FILTER(REGEX(?o, "\\d+\\.\\U")) }"#, ""),
    ] {
        match sent(text) {
            Ok(sent) => assert_eq!(sent, expected),
            Err(error) => assert!(expected.is_empty(), "{text}: {error}"),
        }
    }
}

#[test]
fn what_a_comment_hides_from_some_engines_goes_with_it() {
    for text in [
        r"ASK { ?s ?p ?o #\u000a SERVICE SILENT <http://e.x/s> { ?a ?b ?c }",
        r"ASK { ?s ?p ?o # \U0000000D SERVICE SILENT <http://e.x/s> { ?a ?b ?c }",
        r"ASK { ?s ?p ?o \u0023 SERVICE SILENT <http://e.x/s> { ?a ?b ?c }",
    ] {
        assert_eq!(sent(&format!("{text}\n}}")).unwrap(), "ASK { ?s ?p ?o\n}", "{text}");
    }
}

#[test]
fn what_stays_ambiguous_is_refused_with_the_place() {
    for (text, shown) in [
        (r#"ASK { ?s ?p "\\u0041" }"#, r"`\u0041`"),
        (r#"ASK { ?s ?p "\\u0022 } SERVICE <http://e.x/s> { ?s ?p \"" }"#, r"`\u0022`"),
        (r#"ASK { ?s ?p "\u005cu0022" }"#, r"`\u0022`"),
        (r#"ASK { ?s ?p "\\u+022" }"#, r"`\u+022`"),
        (r#"ASK { ?s ?p "\\u 22" }"#, r"`\u 22"),
        (r"ASK { ?s <http://e.x/\u+041> ?o }", r"`\u+041`"),
    ] {
        let error = sent(text).unwrap_err();
        assert_eq!(error.kind(), "refused", "{text}: {error}");
        assert!(
            error.to_string().contains(shown) && error.to_string().contains("write the character"),
            "{error}"
        );
    }
    // Half of a surrogate pair is not a character, and an IRI cannot contain its own end.
    for text in [r#"ASK { ?s ?p "\uD83D\uDE00" }"#, r"ASK { ?s <http://e.x/\u003e> ?o }"] {
        assert_eq!(sent(text).unwrap_err().kind(), "syntax_error", "{text}");
    }
}

#[test]
fn the_text_of_other_queries_is_not_copied() {
    assert!(matches!(resolve("ASK { ?s ?p '\\n' } # \\"), Cow::Borrowed(_)));
}

#[test]
fn the_readings_differ_where_they_should() {
    assert_eq!(resolved(r"\\u0041\u0042", false, false), r"\AB");
    assert_eq!(resolved(r"\\u0041\u0042", true, false), r"\\u0041B");
    assert_eq!(resolved(r"\u+041\u004", false, true), r"A\u004");
    assert_eq!(resolved(r"\u+041", false, false), r"\u+041");
}
