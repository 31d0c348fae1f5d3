use super::*;
use crate::results::Results;
use crate::{EmbeddedStore, Limits, SparqlEndpoint};
use oxrdf::{GraphName, Literal, NamedNode, Quad};
use proptest::prelude::*;
use std::time::Duration;

fn dataset() -> Prefixes {
    [("ex", "http://ex.org/"), ("schema", "https://schema.org/")].into_iter().collect()
}

fn checked(text: &str) -> CheckedQuery {
    check(text, &dataset(), &QueryPolicy::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn error(text: &str) -> QueryError {
    check(text, &dataset(), &QueryPolicy::default()).unwrap_err()
}

/// The rows of a query over `ex:a ex:n 5` and `ex:b ex:n 7`, as text.
async fn rows(text: &str) -> Vec<Vec<String>> {
    let store = EmbeddedStore::in_memory().unwrap();
    let node = |name| NamedNode::new(format!("http://ex.org/{name}")).unwrap();
    let quads = [("a", 5), ("b", 7)]
        .map(|(s, n)| Quad::new(node(s), node("n"), Literal::from(n), GraphName::DefaultGraph));
    store.load_quads(quads.into_iter()).unwrap();
    let limits = Limits { timeout: Duration::from_secs(20), max_rows: 100, max_bytes: 100_000 };
    match store.query(&checked(text), limits).await.unwrap().results {
        Results::Solutions(solutions) => {
            let cell = |c: Option<oxrdf::Term>| c.map_or("-".to_owned(), |t| t.to_string());
            solutions.rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
        }
        other => panic!("{other:?}"),
    }
}

const FIVE: &str = "\"5\"^^<http://www.w3.org/2001/XMLSchema#integer>";
const TWO: &str = "\"2\"^^<http://www.w3.org/2001/XMLSchema#integer>";

#[tokio::test]
async fn portable_spellings_give_the_meant_result() {
    let cases = [
        ("SELECT COUNT(?x) WHERE { ?x ex:n ?n }", TWO),
        ("SELECT (COUNT(?x)) WHERE { ?x ex:n ?n }", TWO),
        ("SELECT COUNT(DISTINCT ?x) AS ?count WHERE { ?x ex:n ?n }", TWO),
        ("SELECT (COUNT(?x)) AS ?many WHERE { ?x ex:n ?n }", TWO),
        ("SELECT (COUNT (*) AS ?c) { ?x ex:n ?n }", TWO),
        ("SELECT DISTINCT(?n) WHERE { ex:a ex:n ?n }", FIVE),
        ("SELECT (xsd:int(?s) AS ?i) { BIND(\"5\" AS ?s) }", FIVE),
        ("SELECT (<http://www.w3.org/2001/XMLSchema#long> (\"5\") AS ?i) {}", FIVE),
        ("SELECT (COALESCE (?none, ?n) AS ?c) { ex:a ex:n ?n }", FIVE),
        ("SELECT ?n WHERE { ?x ex:n ?n } ORDER BY ASC ?n LIMIT 1", FIVE),
        ("SELECT MIN(?n) WHERE { ?x ex:n ?n }", FIVE),
        ("SELECT ?n { ex:a ex:n ?n FILTER(True && !FALSE) }", FIVE),
        ("SELECT ?n { { SELECT MIN(?m) AS ?n { ?x ex:n ?m } } }", FIVE),
    ];
    for (text, expected) in cases {
        assert_eq!(rows(text).await, vec![vec![expected.to_owned()]], "{text}\n{}", checked(text).text());
    }
}

#[tokio::test]
async fn commas_between_projected_variables_are_dropped() {
    let one = format!("<http://ex.org/a> {FIVE}");
    let rows = rows("SELECT ?x, ?n WHERE { ?x ex:n ?n } ORDER BY ?n LIMIT 1").await;
    assert_eq!(rows[0].join(" "), one);
}

#[test]
fn names_given_to_expressions_are_unique() {
    let query = checked("SELECT ?count COUNT(?x) (MAX(?n)) (?n + 1) WHERE { ?x ex:n ?n } GROUP BY ?count ?n");
    assert_eq!(query.model().variables, ["count", "count2", "max", "value"]);
}

#[test]
fn missing_prefixes_are_declared_and_the_rest_is_untouched() {
    let text = "SELECT * WHERE {\n  ?s a ex:T ; schema:name 'a:b # c', \"c:d\"\n}";
    let query = checked(text);
    let expected = format!("PREFIX ex: <http://ex.org/>\nPREFIX schema: <https://schema.org/>\n{text}");
    assert_eq!(query.text(), expected);
    assert_eq!(checked(query.text()).text(), query.text());
}

#[test]
fn a_declared_prefix_is_left_alone() {
    let text = "PREFIX ex: <http://other.org/> SELECT * { ?s ex:p rdf:nil }";
    let query = checked(text);
    assert!(query.text().ends_with(text));
    assert_eq!(query.model().iris[0], "http://other.org/p");
}

#[test]
fn comments_go_and_the_layout_stays() {
    for (text, expected) in [
        ("# why\nASK {\n  # what\n  # and\n  ?s ?p 1 # one\n}  # end", "ASK {\n  ?s ?p 1\n}"),
        ("ASK#a\n{#b\r\n\t#c\r\n?s<http://e.x/#a>'#'#d\n}", "ASK\n{\r\n?s<http://e.x/#a>'#'\n}"),
        ("ASK {\n\n  # what\n\n  ?s ?p 1 }", "ASK {\n\n\n  ?s ?p 1 }"),
        ("ASK { ?s ?p '''\n# no comment\n''' }", "ASK { ?s ?p '''\n# no comment\n''' }"),
    ] {
        assert_eq!(checked(text).text(), expected, "{text}");
    }
}

#[test]
fn functions_beyond_sparql_are_refused() {
    let casts =
        "ASK { ?s ?p ?o FILTER(xsd:int(?o) > 1 && <http://www.w3.org/2001/XMLSchema#date>(?o) = ?o) }";
    checked(casts);
    for (text, name) in [
        ("SELECT (<java:org.example.Evil>(?o) AS ?x) { ?s ?p ?o }", "java:org.example.Evil"),
        ("SELECT * { ?s ?p ?o OPTIONAL { ?s ?p ?o FILTER(bif:exec(?o)) } }", "bif:exec"),
        ("SELECT * { ?s ?p ?o FILTER EXISTS { ?s ?q ?o BIND(ex:f() AS ?x) } }", "http://ex.org/f"),
        ("SELECT (SUM(ex:f(?o)) AS ?x) { ?s ?p ?o } ORDER BY ?x", "http://ex.org/f"),
        ("SELECT * { ?s ?p ?o } ORDER BY <sql:f>(?o)", "sql:f"),
        ("SELECT * { ?s <JAVA:org.example.Evil> ?o }", "JAVA:org.example.Evil"),
        ("SELECT * { ?s <http://e.x/p>/^<java:a.b> ?o }", "java:a.b"),
        (
            "CONSTRUCT { ?s ?p ?x } { ?s ?p ?o BIND(<http://www.w3.org/2001/XMLSchema#./x>(?o) AS ?x) }",
            "#./x",
        ),
        (DISTANCE, "geosparql/distance"),
    ] {
        let words = error(text).to_string();
        assert!(words.contains(name), "{text}: {words}");
        assert!(words.contains("allow_functions") && words.contains("SPARQL 1.1"), "{words}");
        let any = QueryPolicy { functions: vec!["*".into()], ..QueryPolicy::default() };
        assert!(check(text, &dataset(), &any).is_ok(), "{text}");
    }
}

const DISTANCE: &str =
    "ASK { ?s ?p ?o FILTER(<http://www.opengis.net/def/function/geosparql/distance>(?o, ?o) > 1) }";

#[test]
fn functions_of_the_engine_and_of_the_settings_are_allowed() {
    let own = QueryPolicy { functions: vec!["http://ex.org/".into()], ..QueryPolicy::default() };
    assert!(check("ASK { FILTER(ex:f(1)) }", &dataset(), &own).is_ok());
    assert!(check("ASK { FILTER(<java:f>(1)) }", &dataset(), &own).is_err());
    let refusal = |dialect: &str, text: &str| {
        let policy = QueryPolicy { dialect: Dialect::named(dialect).unwrap(), ..QueryPolicy::default() };
        check(text, &dataset(), &policy).err().map(|error| error.to_string())
    };
    let words = "ASK { ?s ?p ?o . ?o bif:contains \"'x'\" }";
    assert_eq!((refusal("virtuoso", words), refusal("qlever", DISTANCE)), (None, None));
    let refused = refusal("qlever", words).unwrap();
    assert!(refused.contains("bif:contains") && refused.contains("QLever"), "{refused}");
    for (dialect, text) in [
        ("virtuoso", "ASK { FILTER(bif:exec('x')) }"),
        ("fuseki", "ASK { FILTER(<http://jena.apache.org/ARQ/function#wait>(1)) }"),
        ("fuseki", "ASK { FILTER(<java:a.b>(1)) }"),
        ("plain", DISTANCE),
    ] {
        assert!(refusal(dialect, text).is_some(), "{dialect}: {text}");
    }
}

#[test]
fn an_unknown_prefix_is_named() {
    assert_eq!(error("SELECT * { ?s pv:x ?o }"), QueryError::UnknownPrefix { prefix: "pv".into() });
    assert_eq!(error("SELECT * { ?s :x ?o }"), QueryError::UnknownPrefix { prefix: String::new() });
}

#[test]
fn chat_and_web_leftovers_are_removed() {
    let plain = "SELECT ?s WHERE { ?s ?p 'a\u{a0}b;' }";
    for text in [
        format!("```sparql\n{plain}\n```"),
        format!("Here it is:\n\n```\n{plain}\n```\nIt asks for ..."),
        format!("```sparql {plain}```"),
        format!("\u{feff}{plain} ;\n"),
        format!("{} ; # end", plain.replacen(' ', "\u{a0}", 1)),
        plain.replacen("WHERE", "\u{200b}WHERE", 1),
    ] {
        assert_eq!(checked(&text).key(), checked(plain).key(), "{text}");
    }
}

#[test]
fn local_names_with_several_dots_are_kept_whole() {
    assert_eq!(checked("SELECT * { ?s ex:a.b.c ?o }").model().iris, ["http://ex.org/a.b.c"]);
    assert_eq!(
        checked("SELECT * { ?s ex:a%40b ex:c\\(d\\) . }").model().iris,
        ["http://ex.org/a%40b", "http://ex.org/c(d)"]
    );
}

#[test]
fn updates_are_refused_with_the_reason() {
    for text in
        ["INSERT DATA { <e:s> <e:p> 1 }", "PREFIX e: <e:> DELETE WHERE { ?s ?p ?o }", "drop all", "CLEAR ALL"]
    {
        let message = error(text).to_string();
        assert!(message.contains("only SELECT, ASK, CONSTRUCT and DESCRIBE"), "{message}");
    }
    // The words alone do not make it an update.
    assert_eq!(checked("SELECT ?insert { ?insert ?p 'DELETE' } # DROP").form(), QueryForm::Select);
}

#[test]
fn service_is_found_at_any_place_and_allowed_by_name() {
    let service = "SERVICE <http://other.org/sparql> { ?s ?p ?o }";
    for text in [
        format!("SELECT * {{ {service} }}"),
        format!("SELECT * {{ ?s ?p ?o FILTER EXISTS {{ {service} }} }}"),
        format!("SELECT * {{ {{ SELECT ?s {{ OPTIONAL {{ {service} }} }} }} }}"),
        "SELECT * { ?g ?p ?o SERVICE SILENT ?g { ?s ?p ?o } }".to_owned(),
    ] {
        assert_eq!(error(&text).kind(), "refused", "{text}");
        let any = QueryPolicy { service: vec!["*".into()], ..QueryPolicy::default() };
        assert!(check(&text, &dataset(), &any).is_ok(), "{text}");
    }
    let one = QueryPolicy { service: vec!["http://other.org/sparql".into()], ..QueryPolicy::default() };
    assert!(check(&format!("ASK {{ {service} }}"), &dataset(), &one).is_ok());
    assert!(check("ASK { SERVICE ?any { ?s ?p ?o } }", &dataset(), &one).is_err());
}

#[test]
fn from_is_allowed_by_the_beginning_of_the_iri() {
    let text = "SELECT * FROM <http://ex.org/g1> FROM NAMED <http://ex.org/g2> { ?s ?p ?o }";
    assert!(error(text).to_string().contains("FROM <http://ex.org/g1> is not allowed"));
    let some = QueryPolicy { from: vec!["http://ex.org/".into()], ..QueryPolicy::default() };
    assert!(check(text, &dataset(), &some).is_ok());
    assert!(check(&text.replace("ex.org/g2", "evil.org/g"), &dataset(), &some).is_err());
}

#[test]
fn too_long_and_too_deep_queries_are_refused() {
    let long = format!("SELECT * {{ ?s ?p '{}' }}", "x".repeat(20_000));
    assert!(error(&long).to_string().contains("at most 20000"));
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]")] {
        let deep = format!("SELECT * {{ FILTER({}1{}) }}", open.repeat(9_000), close.repeat(9_000));
        assert_eq!(error(&deep).kind(), "refused");
    }
    for link in ["1 || ", "1 + ", "!", "-"] {
        let chain = format!("SELECT * {{ FILTER({}1) }}", link.repeat(3_500));
        assert_eq!(error(&chain).kind(), "refused", "{link}");
    }
    let paths = format!("SELECT * {{ ?s {}ex:p ?o }}", "ex:p/".repeat(2_000));
    assert_eq!(error(&paths).kind(), "refused");
    let calls = format!("SELECT * {{ FILTER({}?s{}) }}", "REPLACE(".repeat(25), ",'a','b')".repeat(25));
    assert_eq!(error(&calls).kind(), "refused");
    // The parser reads the operand of `!` twice; 28 nested ones would take forever.
    for operand in ["!(", "!!!(", "!COALESCE(", "! <http://ex.org/f> (", "!ex:f(", "!REPLACE("] {
        let negations = format!("SELECT * {{ FILTER({}?s{}) }}", operand.repeat(28), ")".repeat(28));
        assert_eq!(error(&negations).kind(), "refused", "{operand}");
    }
    let exists = format!("SELECT * {{ {} {} }}", "FILTER(!EXISTS { ?s ?p ?o ".repeat(14), "})".repeat(14));
    assert_eq!(error(&exists).kind(), "refused");
    let wide = format!("SELECT * {{ FILTER({} {} 1)))))))))) }}", "!(".repeat(9), "1 + ".repeat(280));
    assert_eq!(error(&wide).kind(), "refused");
    let block = format!("SELECT * {{ {} }}", "?s ?p 1 . ".repeat(1_900));
    assert_eq!(error(&block).kind(), "refused");
    let unions = format!("SELECT * {{ {{}} {} }}", "UNION {} ".repeat(2_000));
    assert_eq!(error(&unions).kind(), "refused");
}

#[test]
fn the_largest_allowed_text_is_parsed_on_an_ordinary_stack() {
    let path = "ex:p/".repeat(100);
    let nested = format!("{}?s {path}ex:p ?o {}", "FILTER EXISTS { { ".repeat(14), "} }".repeat(14));
    checked(&format!("SELECT * {{ ?s ?p ?o {nested} }}"));
    let sum = "1 + ".repeat(100);
    checked(&format!("SELECT * {{ ?s ?p ?o FILTER({}{sum}1{}) }}", "(".repeat(28), ")".repeat(28)));
}

#[test]
fn nested_calls_within_the_limit_are_parsed() {
    let mut call = "STR(?s)".to_owned();
    for _ in 0..8 {
        call = format!("REPLACE({call}, 'a', 'b')");
    }
    checked(&format!("SELECT * {{ ?s ?p ?o FILTER({call} = 'x') }}"));
    checked(
        "SELECT * { ?s ?p ?o FILTER(!(?o = 1 || !(BOUND(?s) && !REGEX(STR(?o), '^a', 'i'))) && !EXISTS { ?o ?p ?s }) }",
    );
}

#[test]
fn syntax_errors_say_where_and_stay_short() {
    let cases = [
        ("SELECT ?s WHERE {\n  ?s ex:p ?o .\n  FILTR(?o > 5)\n}", 3, 3, Some("FILTR")),
        ("SELECT ?s WHERE { ?s ex:p }", 1, 27, Some("}")),
        ("SELECT ?s WHERE { ?s ex:p ?o ", 1, 30, None),
        ("SELEC ?s { ?s ?p ?o }", 1, 1, Some("SELEC")),
        ("SELECT ?s { ?s ?p 'a\nb' }", 1, 19, Some("'")),
        ("SELECT ?s { ?s ?p '''a\nb''' FILTER ?o < 5 }", 2, 13, Some("?o")),
        ("SELECT ?s { ?s ?p ?o } GROUP ?s", 1, 30, Some("?s")),
        ("SELECT ?s { ?s ?p ?o } LIMIT five", 1, 30, Some("five")),
        ("SELECT ?s { ?s ?p ?o FILTER(NOW(1) > COALESCE(?o, 1)) }", 1, 33, Some("1")),
        ("", 1, 1, None),
    ];
    for (text, expected_line, expected_column, expected_near) in cases {
        let QueryError::Syntax { line, column, near, message } = error(text) else { panic!("{text}") };
        let expected = (Some(expected_line), Some(expected_column), expected_near);
        assert_eq!((line, column, near.as_deref()), expected, "{text}: {message}");
        assert!(message.chars().count() <= 200, "{message}");
    }
}

#[test]
fn the_parsers_own_sentences_come_alone() {
    let QueryError::Syntax { message, .. } = error("SELECT ?x (COUNT(?y) AS ?n) { ?x ?p ?y }") else {
        panic!("no syntax error");
    };
    assert_eq!(message, "The SELECT contains a variable that is unbound");
}

#[test]
fn the_key_ignores_layout_prefixes_and_names_made_up_by_the_parser() {
    let a = checked("SELECT (COUNT(?x) AS ?n) { ?x ex:p/ex:q [ ex:r ?z ] } GROUP BY ?z");
    let b = checked(
        "PREFIX e: <http://ex.org/>\nselect (count(?x) as ?n) # why\nwhere { ?x <http://ex.org/p>/e:q [ e:r ?z ] . } group by ?z",
    );
    assert_eq!(a.key(), b.key());
    assert_ne!(a.key(), checked("SELECT (COUNT(?x) AS ?n) { ?x ex:p/ex:q [ ex:s ?z ] } GROUP BY ?z").key());
    assert_ne!(checked("ASK { ?a ?b ?c }").key(), checked("ASK { ?a ?b ?c . ?a ?b 1 }").key());
}

#[test]
fn a_checked_query_tells_its_parts() {
    let query =
        checked("SELECT DISTINCT ?b ?a { ?a ex:p ex:o ; ex:p ?b { SELECT ?a { ?a a ?t } LIMIT 3 } } LIMIT 5");
    assert_eq!(query.model().variables, ["b", "a"]);
    assert_eq!(query.model().limit, Some(5));
    assert_eq!(query.form(), QueryForm::Select);
    let rdf_type = oxrdf::vocab::rdf::TYPE.as_str();
    assert_eq!(query.model().iris, ["http://ex.org/p", "http://ex.org/o", rdf_type]);
    assert_eq!(checked("SELECT * { { SELECT ?a { ?a ?p ?o } LIMIT 3 } }").model().limit, None);
    assert_eq!(checked("SELECT * { ?b ?a 1 }").model().variables, ["a", "b"]);
    let describe = checked("DESCRIBE ex:a ?x { ?x ex:p 1 }");
    assert_eq!((describe.form(), describe.model().variables.len()), (QueryForm::Describe, 0));
    assert_eq!(describe.model().iris, ["http://ex.org/p", "http://ex.org/a"]);
    assert_eq!(checked("ASK { ?s ?p ?o }").form(), QueryForm::Ask);
    assert_eq!(checked("CONSTRUCT WHERE { ?s ?p ?o }").form(), QueryForm::Construct);
}

const PIECES: &[&str] = &[
    "SELECT ",
    "ASK ",
    "WHERE ",
    "{ ",
    "} ",
    "( ",
    ") ",
    "?x ",
    "?y ",
    "ex:p ",
    "<e:i> ",
    "COUNT",
    "COUNT ",
    "AS ",
    ". ",
    "; ",
    ", ",
    "'a' ",
    "\"b\"@en ",
    "FILTER ",
    "5 ",
    "= ",
    "* ",
    "DISTINCT",
    "ORDER BY ",
    "DESC ",
    "GROUP BY ",
    "xsd:int",
    "ex:a.b.c ",
    "UNION ",
    "OPTIONAL ",
    "#c\n",
    "\u{a0}",
    "```\n",
    "LIMIT 1 ",
    "a ",
    "/",
    "[ ",
    "] ",
];

proptest! {
    #[test]
    fn any_text_gives_an_outcome(text in ".{0,80}") {
        let _ = check(&text, &dataset(), &QueryPolicy::default());
    }

    #[test]
    fn checked_text_checks_again_to_the_same(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..24)) {
        let text = pieces.concat();
        for text in [text.clone(), format!("SELECT * {{ {text} }}"), format!("SELECT {text} {{ ?x ?y ex:o }}")] {
            if let Ok(query) = check(&text, &dataset(), &QueryPolicy::default()) {
                prop_assert!(SparqlParser::new().parse_query(query.text()).is_ok());
                let again = check(query.text(), &dataset(), &QueryPolicy::default());
                prop_assert_eq!(again.map(|q| q.key()), Ok(query.key()));
            }
        }
    }
}

#[test]
fn a_query_of_constants_alone_asks_nothing_of_the_graph() {
    let asks =
        |text: &str| check(text, &Prefixes::default(), &QueryPolicy::default()).unwrap().model().asks_graph;
    for nothing in [
        "SELECT * WHERE { }",
        "SELECT ?x { VALUES ?x { <http://e/a> } BIND(1 AS ?y) FILTER(?y = 1) }",
        "SELECT (2 + 2 AS ?n) WHERE { }",
        "ASK { }",
        "SELECT (COUNT(*) AS ?n) { { } UNION { BIND(1 AS ?x) } }",
    ] {
        assert!(!asks(nothing), "{nothing}");
    }
    for something in [
        "SELECT ?x { VALUES ?x { <http://e/a> } ?x ?p ?o }",
        "ASK { <http://e/a> <http://e/p>+ <http://e/b> }",
        "SELECT ?g { GRAPH ?g { } }",
        "ASK { FILTER NOT EXISTS { ?x <http://e/p> 1 } }",
        "DESCRIBE <http://e/a>",
    ] {
        assert!(asks(something), "{something}");
    }
}
