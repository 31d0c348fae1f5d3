use super::*;
use proptest::prelude::*;

/// The pattern for the cursor `¦` of a query, with the namespace `http://e/` left out.
fn pattern(query: &str) -> Option<String> {
    found(query).map(|found| found.pattern.replace("http://e/", ""))
}

fn found(query: &str) -> Option<UnfinishedTerm> {
    let (before, after) = query.split_once('¦').unwrap();
    let known = [("e", "http://e/")].into_iter().collect();
    unfinished_term(&format!("{before}{after}"), before.chars().count(), &known)
}

/// The same for what is written inside of `SELECT * WHERE { … }`.
fn inside(content: &str) -> String {
    pattern(&format!("SELECT * WHERE {{ {content} }}")).unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn every_place_of_a_triple_pattern_is_found() {
    for (content, expected) in [
        ("?film ¦", "?film ?search_place ?search_1 ."),
        ("?film e:di¦", "?film ?search_place ?search_1 ."),
        ("?film ¦ ?d .", "?film ?search_place ?d ."),
        ("?film a Fi¦", "?film a ?search_place ."),
        ("?film e:director Lyn¦", "?film <director> ?search_place ."),
        ("¦ e:director ?d", "?search_place <director> ?d ."),
        ("e:film ¦", "<film> ?search_place ?search_1 ."),
        ("?x e:in e:a , ¦", "?x <in> ?search_place . ?x <in> <a> ."),
        (
            "?x e:in \"Ulm\"@de , 4.5 ; e:near¦ [] .",
            "?x ?search_place ?search_1 . ?x <in> \"Ulm\"@de . ?x <in> 4.5 .",
        ),
        ("?x e:in [ e:near ¦ ]", "?search_1 <near> ?search_place . ?x <in> ?search_1 ."),
        ("?x e:in¦ner ?y", "?x ?search_place ?y ."),
    ] {
        assert_eq!(inside(content), expected, "{content}");
    }
}

#[test]
fn only_what_variables_join_to_the_place_is_kept() {
    assert_eq!(
        inside("?film a e:Film . ?film e:director ?d . ?d e:born ?y . ?x e:born 1900 . ?d ¦"),
        "?d ?search_place ?search_1 . ?film <director> ?d . ?film a <Film> . ?d <born> ?y ."
    );
    assert_eq!(inside("e:a e:in _:b . ?x e:in e:a . _:b ¦"), "_:b ?search_place ?search_1 . <a> <in> _:b .");
    assert_eq!(
        inside("?search_1 a e:Film . ?search_1 ¦"),
        "?search_1 ?search__place ?search__1 . ?search_1 a <Film> ."
    );
}

#[test]
fn what_is_unfinished_around_the_cursor_is_no_hindrance() {
    for (content, expected) in [
        // No full stop, before and after.
        ("?f a e:Film\n ?f ¦\n ?d a e:Person .", "?f ?search_place ?search_1 . ?f a <Film> ."),
        ("?f e:director Ly¦\n ?f a e:Film .", "?f <director> ?search_place . ?f a <Film> ."),
        (
            "?f a e:Film ;\n ¦\n e:director ?d .",
            "?f ?search_place ?search_1 . ?f a <Film> . ?f <director> ?d .",
        ),
        // A triple pattern that cannot be read, one that has no object, an unknown prefix.
        ("?f wrong ?d . ?f a e:Film ; ¦", "?f ?search_place ?search_1 . ?f a <Film> ."),
        ("?f a e:Film ; e:director ; e:year ¦", "?f <year> ?search_place . ?f a <Film> ."),
        ("?f x:p ?d . ?f a e:Film . ?f ¦", "?f ?search_place ?search_1 . ?f a <Film> ."),
        ("?f <relative> ?d . ?f a e:Film . ?f ¦", "?f ?search_place ?search_1 . ?f a <Film> ."),
        ("?f e:p ?d . ?f e:q / / e:r ?g . ?f ¦", "?f ?search_place ?search_1 . ?f <p> ?d ."),
    ] {
        assert_eq!(inside(content), expected, "{content}");
    }
    // Nothing is closed.
    let open = "PREFIX f: <http://f/>\nSELECT ?x {\n  ?x a f:Film .\n  OPTIONAL { ?x e:in ?y . ?y ¦";
    let expected = "?y ?search_place ?search_1 . ?x <in> ?y . ?x a <http://f/Film> .";
    assert_eq!(pattern(open).as_deref(), Some(expected));
}

#[test]
fn filters_and_other_groups_are_left_out_and_those_around_are_not() {
    for (content, expected) in [
        (
            "?f a e:Film FILTER(?f != e:a) FILTER regex(?n, \"a. b\") FILTER NOT EXISTS { ?f e:p ?q } ?f ¦",
            "?f ?search_place ?search_1 . ?f a <Film> .",
        ),
        (
            "OPTIONAL { ?f e:year ?y } { ?f a e:A } UNION { ?f a e:B } MINUS { ?f a e:C } ?f ¦",
            "?f ?search_place ?search_1 .",
        ),
        (
            "VALUES ?f { e:a e:b } VALUES (?f ?g) { (e:a e:b) } BIND(1 + 2 AS ?n) ?f e:n ?n ; ¦",
            "?f ?search_place ?search_1 . ?f <n> ?n .",
        ),
        ("GRAPH ?g { ?f e:p ?o } SERVICE SILENT e:s { ?f e:q ?o } ?f ¦", "?f ?search_place ?search_1 ."),
        ("{ SELECT ?f { ?f e:p ?o } } ?f ¦", "?f ?search_place ?search_1 ."),
        ("?f a e:Film . OPTIONAL { ?f ¦ }", "?f ?search_place ?search_1 . ?f a <Film> ."),
        ("?f a e:Film . { ?f e:p ?o } UNION { ?f ¦ }", "?f ?search_place ?search_1 . ?f a <Film> ."),
        (
            "?f a e:Film . FILTER NOT EXISTS { ?f e:director ¦ }",
            "?f <director> ?search_place . ?f a <Film> .",
        ),
        ("?f a e:Film . { SELECT ?g WHERE { ?f ¦ } }", "?f ?search_place ?search_1 ."),
        (
            "?f a e:Film . # ?f e:p ?o .\n ?f e:title \"?f e:q ?o . { # \" ; ¦",
            "?f ?search_place ?search_1 . ?f a <Film> . ?f <title> \"?f e:q ?o . { # \" .",
        ),
    ] {
        assert_eq!(inside(content), expected, "{content}");
    }
}

#[test]
fn a_step_of_a_path_is_a_predicate_between_the_others() {
    for (content, expected) in [
        ("?f e:director/e:na¦", "?search_2 ?search_place ?search_1 . ?f <director> ?search_2 ."),
        (
            "?f e:a*/^¦/(e:b|e:c)+ ?n",
            "?search_2 ?search_place ?search_1 . ?f <a>* ?search_1 . ?search_2 (<b>|<c>)+ ?n .",
        ),
        ("?f e:p|¦ ?n", "?f ?search_place ?n ."),
        ("?f (e:a/¦)* ?n", "nothing"),
        ("?f e:a|e:b ?n . ?n ¦", "?n ?search_place ?search_1 . ?f <a>|<b> ?n ."),
    ] {
        assert_eq!(inside(content), expected, "{content}");
    }
}

#[test]
fn where_no_term_is_written_nothing_is_found() {
    for query in [
        "¦",
        "SELECT ¦",
        "SELECT ?x WHERE { ¦",
        "SELECT ?x WHERE { ?x a e:Film . ¦ }",
        "SELECT ?x WHERE { ?x a e:Film . FIL¦ }",
        "SELECT ?x WHERE { ?x a e:Film FIL¦ }",
        "SELECT ?x WHERE { ?x a ?cl¦ }",
        "SELECT ?x WHERE { ?x e:n 12¦ }",
        "SELECT ?x WHERE { ?x e:n \"a¦\" }",
        "SELECT ?x WHERE { ?x e:n \"\"\"a \"b\"\n c¦",
        "SELECT ?x WHERE { ?x e:n \"a\"@d¦ }",
        "SELECT ?x WHERE { ?x e:n \"a\"^^e:d¦ }",
        "SELECT ?x WHERE { ?x <http://e/¦ }",
        "SELECT ?x WHERE { ?x <¦ }",
        "SELECT ?x WHERE { ?x _:b¦ }",
        "SELECT ?x WHERE { # ?x a e:¦\n }",
        "SELECT ?x WHERE { ?x e:n ?n FILTER(?n = e:a¦ ) }",
        "SELECT ?x WHERE { ?x e:n ?n FILTER ¦ }",
        "SELECT ?x WHERE { VALUES ?x { e:a¦ } }",
        "SELECT ?x WHERE { VALUES (?x ?y) { (e:a e:¦) } }",
        "SELECT ?x WHERE { GRAPH e:g { ?x ¦ } }",
        "SELECT ?x WHERE { SERVICE e:s { OPTIONAL { ?x ¦ } } }",
        "SELECT ?x WHERE { ?x ?p \"a\" } ORDER BY ¦",
        "CONSTRUCT { ?x ¦ } WHERE { ?x a e:Film }",
        "INSERT DATA { e:a ¦ }",
    ] {
        assert_eq!(pattern(query), None, "{query}");
    }
    assert_eq!(unfinished_term("ASK { ?x ?p }", 99, &Prefixes::default()), None);
    let deep = format!("ASK {{ ?x {} ", "(".repeat(5_000));
    assert_eq!(unfinished_term(&deep, deep.len(), &Prefixes::default()), None);
}

#[test]
fn what_is_written_is_told_apart_from_its_prefix() {
    let written = |query: &str| {
        let found = found(&format!("PREFIX f: <http://f/> ASK {{ {query} }}")).unwrap();
        (found.name, found.namespace)
    };
    assert_eq!(written("?x birthPl¦"), ("birthPl".to_owned(), None));
    assert_eq!(written("?x f:birth¦Place"), ("birth".to_owned(), Some("http://f/".to_owned())));
    assert_eq!(written("?x e:¦"), (String::new(), Some("http://e/".to_owned())));
    assert_eq!(written("?x unknown:käse¦"), ("käse".to_owned(), None));
    assert_eq!(written("?x a ¦"), (String::new(), None));
}

/// Pieces of queries, put together in any order.
const QUERY_LIKE: &str = r#"(ASK \{ )?([?$]x|e:p|<e:i>|a|[{}()\[\].;,/|^*+!]|"|'''|"s"@en|#|\n| |FILTER|OPTIONAL|VALUES|GRAPH|SERVICE|SELECT|UNION|EXISTS|_:b|4|é|\\u00e9|<){0,40}"#;

proptest! {
    #[test]
    fn any_text_is_read_or_left(text in ".{0,80}", at in 0_usize..90) {
        let _ = unfinished_term(&text, at, &Prefixes::well_known());
    }

    #[test]
    fn so_is_one_like_a_query(text in QUERY_LIKE, at in 0_usize..90) {
        let known = [("e", "http://e/")].into_iter().collect();
        if let Some(found) = unfinished_term(&text, at, &known) {
            let UnfinishedTerm { pattern, variable, .. } = found;
            let query = format!("SELECT ?{variable} WHERE {{ {pattern} }}");
            prop_assert!(SparqlParser::new().parse_query(&query).is_ok(), "{}", query);
            let place = format!("?{variable}");
            prop_assert!(pattern.contains(&place));
        }
    }
}
