//! Answers in all forms in which benchmarks store them.

use super::*;
use crate::rows::row_f1;
use serde_json::json;

/// Columns, then rows as they are written in SPARQL; `-` is unbound.
fn shown(value: &Value) -> String {
    match StoredAnswer::read_result(value) {
        None => "none".to_owned(),
        Some(StoredAnswer::Truth(truth)) => truth.to_string(),
        Some(StoredAnswer::Rows(rows)) => {
            let cell = |cell: &Option<Term>| cell.as_ref().map_or_else(|| "-".to_owned(), Term::to_string);
            let row = |row: &Vec<Option<Term>>| row.iter().map(cell).collect::<Vec<_>>().join(" ");
            let rows = rows.rows.iter().map(row);
            let head = StoredAnswer::read_result(value).unwrap().answer();
            let Results::Solutions(head) = head.results else { unreachable!() };
            [head.variables.join(" ")].into_iter().chain(rows).collect::<Vec<_>>().join(" | ")
        }
    }
}

#[test]
fn results_of_sparql() {
    let uri = |iri: &str| json!({"type": "uri", "value": iri});
    let table = json!({"head": {"link": [], "vars": ["x", "n", "l"]}, "results": {"bindings": [
        {"x": uri("http://e.x/a"), "n": {"type": "typed-literal", "value": "4", "datatype": "http://www.w3.org/2001/XMLSchema#integer"}},
        {"l": {"type": "literal", "value": "B", "xml:lang": "en"}, "x": uri("http://e.x/b")}
    ]}});
    let expected = "x n l | <http://e.x/a> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer> - | <http://e.x/b> - \"B\"@en";
    assert_eq!(shown(&table), expected);
    assert_eq!(shown(&json!([table])), expected, "QALD has a list of them");
    assert_eq!(shown(&json!(json!([table]).to_string())), expected, "and GRASP the list as a text");
    let other = json!({"head": {"vars": ["y"]}, "results": {"bindings": [{"y": uri("http://e.x/c")}]}});
    assert_eq!(
        shown(&json!([table, other])),
        "x n l y | <http://e.x/a> \"4\"^^<http://www.w3.org/2001/XMLSchema#integer> - - | <http://e.x/b> - \"B\"@en - | - - - <http://e.x/c>"
    );
    assert_eq!(shown(&json!([{"head": {}, "boolean": false}])), "false");
    assert_eq!(shown(&json!([{"head": {"vars": ["x"]}, "results": {}}])), "x");
}

#[test]
fn bindings_terms_values_and_names() {
    assert_eq!(
        shown(
            &json!([{"x": {"type": "uri", "value": "http://e.x/a"}}, {"x": {"type": "bnode", "value": "b1"}}])
        ),
        "x | <http://e.x/a> | _:b1"
    );
    assert_eq!(
        shown(
            &json!([{"type": "uri", "label": "A", "value": "http://e.x/a"}, {"type": "literal", "label": "B", "value": null}])
        ),
        "answer | <http://e.x/a> | \"B\"",
        "a label stands for a value that is missing"
    );
    assert_eq!(
        shown(&json!(["http://e.x/a", "A b", 4, 2.5])),
        "answer | <http://e.x/a> | \"A b\" | \"4\" | \"2.5\""
    );
    assert_eq!(
        (shown(&json!([true])), shown(&json!("A [b]"))),
        ("true".to_owned(), "answer | \"A [b]\"".to_owned())
    );
    assert_eq!(shown(&json!({"type": "uri", "value": "not an iri"})), "answer | \"not an iri\"");
}

#[test]
fn what_is_no_answer_is_none() {
    for value in [
        json!(null),
        json!([{}]),
        json!([{"x": 1}]),
        json!([[1]]),
        json!({}),
        json!([null]),
        json!({"results": [1]}),
    ] {
        assert_eq!(shown(&value), "none", "{value}");
    }
    assert_eq!(shown(&json!([])), "", "a result without rows");
    assert_eq!(StoredAnswer::read(&json!([])), None, "a list of answers without one");
    let wide: Map<String, Value> =
        (0..200).map(|n| (n.to_string(), json!({"type": "literal", "value": "x"}))).collect();
    assert_eq!(shown(&json!([wide])), "none", "columns are bounded");
}

#[test]
fn values_without_a_type_count_as_those_with_the_same_text() {
    let typed = |value: &str| json!({"type": "literal", "value": value, "datatype": "http://www.w3.org/2001/XMLSchema#integer"});
    let predicted = StoredAnswer::read(&json!([{"n": typed("4")}, {"n": typed("5")}])).unwrap().answer();
    let scored = |stored: &Value| {
        let gold = StoredAnswer::read(stored).unwrap();
        row_f1(&gold.beside(Some(&predicted)), Some(&predicted)).unwrap()
    };
    assert_eq!(scored(&json!([4, "5"])), 1.0);
    assert_eq!(scored(&json!(["4", "6"])), 0.5);
    let other = json!([{"n": {"type": "literal", "value": "4", "xml:lang": "en"}}]);
    assert_eq!(scored(&other), 0.0, "what has a type keeps it");
}
