use super::*;
use insta::assert_snapshot;
use oxrdf::vocab::xsd;
use oxrdf::{BlankNode, Literal, NamedNode};

fn iri(text: &str) -> Option<Term> {
    Some(NamedNode::new(text).unwrap().into())
}

fn text(value: &str) -> Option<Term> {
    Some(Literal::from(value).into())
}

fn answer(variables: &[&str], rows: Vec<Vec<Option<Term>>>) -> Answer {
    let variables = variables.iter().map(|&v| v.to_owned()).collect();
    Answer {
        results: Results::Solutions(Solutions { variables, rows }),
        incomplete: None,
        elapsed: Duration::ZERO,
    }
}

fn render(answer: &Answer) -> String {
    let prefixes = [("ex", "http://ex.org/")].into_iter().collect();
    let label = |iri: &str| (iri == "http://ex.org/a").then(|| "An \"A\"".to_owned());
    let style = TableStyle {
        first_rows: 2,
        last_rows: 1,
        max_columns: 3,
        cell_chars: 20,
        prefixes: &prefixes,
        label: &label,
    };
    render_table(answer, &style)
}

#[test]
fn kinds_of_terms_are_told_apart() {
    let typed = |v: &str, t| Some(Term::from(Literal::new_typed_literal(v, t)));
    let german = Some(Literal::new_language_tagged_literal("Größe", "de").unwrap().into());
    let rows = vec![
        vec![iri("http://ex.org/a"), text("12"), typed("12", xsd::INTEGER)],
        vec![iri("http://other.org/b"), german, typed("2018-08-29", xsd::DATE)],
        vec![Some(BlankNode::new("b0").unwrap().into()), None, typed("twelve", xsd::INTEGER)],
    ];
    assert_snapshot!(render(&answer(&["s", "p", "o"], rows)), @r#"
    ?s | ?p | ?o
    ex:a ("An \"A\"") | "12" | 12
    <http://other.org/b> | "Größe"@de | "2018-08-29"^^xsd:date
    _:b0 | - | "twelve"^^xsd:integer
    3 rows
    "#);
}

#[test]
fn long_answers_show_their_ends_and_the_total() {
    let rows = (0..10_000).map(|i| vec![text(&i.to_string())]).collect();
    let mut answer = answer(&["n"], rows);
    answer.incomplete = Some(Incomplete::RowLimit(10_000));
    assert_snapshot!(render(&answer), @r#"
    ?n
    "0"
    "1"
    ... (9,997 more rows)
    "9999"
    10,000 rows (cut at the row limit)
    "#);
}

#[test]
fn cells_are_one_short_line_without_control_characters() {
    let rows = vec![vec![text("a\n\n b|c\u{1b}[31m\u{202e}x"), text(&"é".repeat(30)), text("x"), text("y")]];
    assert_snapshot!(render(&answer(&["a", "b", "c", "d"], rows)), @r#"
    ?a | ?b | ?c | ... (1 more column)
    "a\n\n b\u007Cc\u001B[31m…" | "éééééééééééééééééééé…" | "x"
    1 row
    "#);
}

#[test]
fn other_forms() {
    let boolean = Answer { results: Results::Boolean(false), incomplete: None, elapsed: Duration::ZERO };
    assert_eq!(render(&boolean), "false");
    assert!(!boolean.is_empty());
    let p = NamedNode::new("http://ex.org/p").unwrap();
    let triple = Triple::new(NamedNode::new("http://ex.org/a").unwrap(), p, Literal::from("x"));
    let graph = Answer {
        results: Results::Graph(vec![triple]),
        incomplete: Some(Incomplete::Endpoint("S1TAT".into())),
        elapsed: Duration::ZERO,
    };
    assert_snapshot!(render(&graph), @r#"
    ex:a ("An \"A\"") ex:p "x" .
    1 triple (incomplete, the endpoint says: "S1TAT")
    "#);
}

#[test]
fn an_empty_answer_has_a_header_and_zero_rows() {
    let empty = answer(&["x"], vec![]);
    assert!(empty.is_empty());
    assert_eq!(render(&empty), "?x\n0 rows");
}

#[test]
fn a_row_of_numeric_zeros_and_gaps_is_a_zero_aggregate() {
    let number = |v: &str| vec![Some(Term::from(Literal::new_typed_literal(v, xsd::INTEGER)))];
    let row = |cells: [Vec<Option<Term>>; 2]| vec![cells.concat()];
    assert!(answer(&["avg", "n"], row([number("0"), number("0")])).is_zero_aggregate());
    assert!(answer(&["max", "n"], row([vec![None], number("0")])).is_zero_aggregate());
    assert!(!answer(&["max", "n"], row([number("3"), number("0")])).is_zero_aggregate());
    assert!(!answer(&["a", "b"], row([vec![None], vec![None]])).is_zero_aggregate());
    assert!(answer(&["n"], vec![number("0")]).is_zero_aggregate());
    assert!(!answer(&["n"], vec![number("1")]).is_zero_aggregate());
    assert!(!answer(&["n"], vec![number("0"), number("0")]).is_zero_aggregate());
    assert!(!answer(&["n"], vec![vec![text("0")]]).is_zero_aggregate());
    assert!(!answer(&["n"], vec![]).is_zero_aggregate());
}

#[test]
fn endless_iris_are_cut_and_say_so() {
    let rows = vec![vec![iri(&format!("http://ex.org/{}", "x".repeat(100_000)))]];
    let shown = render(&answer(&["s"], rows));
    assert!(shown.len() < 500 && shown.contains("too long to be shown"), "{shown}");
    let whole = format!("http://other.org/{}", "x".repeat(300));
    assert!(
        render(&answer(&["s"], vec![vec![iri(&whole)]])).contains(&format!("<{whole}>")),
        "it can be copied"
    );
}
