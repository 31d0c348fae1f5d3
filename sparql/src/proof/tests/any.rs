//! Small graphs of any shape, and queries of every construct: what a proof tells is in the graph, and is what makes the row.

use super::*;
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;
use tokio::runtime::Runtime;

/// Statements of one graph, at most; few things, so that they are joined in many ways.
const STATEMENTS: usize = 22;
const THINGS: u8 = 6;
const PROPERTIES: u8 = 3;
const NUMBERS: u8 = 5;
/// Graphs that each query is asked of.
const GRAPHS: u32 = 6;
/// Rows of one answer that are proved.
const ROWS: usize = 4;

/// A statement: subject, property, and a thing or number.
type Drawn = (u8, u8, Result<u8, u8>);

/// Every construct that the planner writes, and the others of SPARQL. Things are e:x0 …, properties e:p0 … between things,
/// and e:n to numbers.
const QUERIES: &[&str] = &[
    // Triples, joins, paths of a known length, both directions.
    "SELECT ?x ?y { ?x e:p0 ?y }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y . ?y e:p1 ?z }",
    "SELECT DISTINCT ?x { ?x e:p0/^e:p1 ?z }",
    "SELECT DISTINCT ?x ?p { ?x ?p e:x1 }",
    "SELECT DISTINCT ?x { [] e:p0 ?x . ?x e:p1 [ e:p2 ?z ] }",
    // Paths of unknown length and alternatives.
    "SELECT DISTINCT ?x ?y { ?x e:p0+ ?y }",
    "SELECT DISTINCT ?x { ?x e:p0/e:p1* e:x1 }",
    "SELECT DISTINCT ?x { ?x (e:p0|^e:p1) ?y }",
    "SELECT DISTINCT ?x { ?x (e:p0/e:p1|e:p2)+ ?y }",
    "SELECT DISTINCT ?x ?y { ?x e:p1? ?y . ?x e:p0 ?z }",
    "SELECT DISTINCT ?x ?y { ?x !(e:p0|e:n) ?y }",
    // Conditions.
    "SELECT ?x { ?x e:n ?v FILTER(?v > 1) }",
    "SELECT ?x { ?x e:n ?v FILTER(?v >= 1 && ?v < 4 || ?v IN (0, 7)) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER(?x != ?y && ?x NOT IN (e:x0)) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER(CONTAINS(LCASE(STR(?y)), \"x1\")) }",
    "SELECT ?x { ?x e:n ?v . ?y e:n ?w FILTER(?v > ?w) }",
    // Optional parts.
    "SELECT ?x ?v { ?x e:p0 ?y OPTIONAL { ?x e:n ?v } }",
    "SELECT ?x { ?x e:p0 ?y OPTIONAL { ?y e:p1 ?x } }",
    "SELECT ?x ?v { ?x e:p0 ?y OPTIONAL { ?y e:n ?v FILTER(?v > 2) } OPTIONAL { ?x e:p2 ?z } }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y OPTIONAL { ?x e:p1 ?z } FILTER(!BOUND(?z)) }",
    // Negation.
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER NOT EXISTS { ?x e:p1 ?z } }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y MINUS { ?x e:p1 e:x1 } }",
    "SELECT DISTINCT ?x { ?x e:n ?v FILTER NOT EXISTS { ?o e:n ?w FILTER(?w > ?v) } }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER EXISTS { ?y e:p1 ?z } }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER(EXISTS { ?y e:p1 ?z } || NOT EXISTS { ?x e:p2 ?z }) }",
    // Alternatives, values, names.
    "SELECT DISTINCT ?x { { ?x e:p0 ?y } UNION { ?x e:p1 ?y } UNION { ?y e:p2 ?x } }",
    "SELECT ?x ?y { VALUES ?x { e:x0 e:x1 e:x2 } ?x e:p0 ?y }",
    "SELECT ?x (((?v + 1) * 2) AS ?w) { ?x e:n ?v BIND(?v - 1 AS ?u) FILTER(?u >= 0) }",
    "SELECT DISTINCT (ABS(?v - ?w) AS ?difference) { e:x0 e:n ?v . e:x1 e:n ?w }",
    // Aggregates, groups.
    "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x e:p0 ?y }",
    "SELECT (COUNT(*) AS ?n) { ?x e:p0 ?y }",
    "SELECT ?y (COUNT(DISTINCT ?x) AS ?n) { ?x e:p0 ?y } GROUP BY ?y",
    "SELECT ?y (COUNT(?x) AS ?n) { ?x e:p0 ?y } GROUP BY ?y HAVING(COUNT(?x) > 1)",
    "SELECT ?y (SUM(?v) AS ?sum) (AVG(?v) AS ?avg) { ?x e:p0 ?y ; e:n ?v } GROUP BY ?y",
    "SELECT (MAX(?v) AS ?max) (MIN(?v) AS ?min) { ?x e:n ?v }",
    "SELECT (SUM(?v * 2 + 1) AS ?sum) { ?x e:n ?v }",
    "SELECT ?y (SAMPLE(?x) AS ?one) (GROUP_CONCAT(DISTINCT ?x; SEPARATOR = \" \") AS ?all) { ?x e:p0 ?y } GROUP BY ?y",
    "SELECT ((100.0 * ?part / ?whole) AS ?share) { { SELECT (COUNT(DISTINCT ?x) AS ?part) { ?x e:p0 ?y ; e:p1 ?z } } { SELECT (COUNT(DISTINCT ?x) AS ?whole) { ?x e:p0 ?y } } FILTER(?whole > 0) }",
    // Order and rank.
    "SELECT ?x ?v { ?x e:n ?v } ORDER BY DESC(?v) ?x LIMIT 2",
    "SELECT ?x { ?x e:p0 ?y } GROUP BY ?x ORDER BY DESC(COUNT(?y)) ?x LIMIT 1 OFFSET 1",
    "SELECT DISTINCT ?y { { SELECT ?x { ?x e:n ?v } ORDER BY DESC(?v) ?x LIMIT 2 } ?x e:p0 ?y }",
    // Comparisons with all of them, with another thing, and with the greatest of a group.
    "SELECT DISTINCT ?x { ?x e:n ?v { SELECT (AVG(?w) AS ?all) { ?y e:n ?w } } FILTER(?v >= ?all) }",
    "SELECT DISTINCT ?x { ?x e:n ?v . e:x1 e:n ?w FILTER(?v > ?w) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?g ; e:n ?v { SELECT ?g (MAX(?w) AS ?best) { ?y e:p0 ?g ; e:n ?w } GROUP BY ?g } FILTER(?v = ?best) }",
    "SELECT ?x { { SELECT ?x WHERE { ?x e:p0 ?y } GROUP BY ?x HAVING (COUNT(DISTINCT ?y) > 1) } }",
    "SELECT ?x { { SELECT ?x (COUNT(?y) AS ?n) { ?x e:p0 ?y } GROUP BY ?x } { SELECT (MAX(?m) AS ?most) { { SELECT ?o (COUNT(?z) AS ?m) { ?o e:p0 ?z } GROUP BY ?o } } } FILTER(?n = ?most) }",
    // Yes and no.
    "ASK { ?x e:p0 ?y . ?y e:p1 ?z }",
    "ASK { { SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x e:p0 ?y } } FILTER(?n > 2) }",
];

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let thing = (0..THINGS, 0..PROPERTIES, (0..THINGS).prop_map(Ok));
    let number = (0..THINGS, Just(PROPERTIES), (0..NUMBERS).prop_map(Err));
    prop::collection::vec(prop_oneof![3 => thing, 1 => number], 1..STATEMENTS)
}

fn node(name: &str, number: u8) -> NamedNode {
    NamedNode::new_unchecked(format!("http://e/{name}{number}"))
}

fn statement((subject, property, object): &Drawn) -> Statement {
    let subject = node("x", *subject).into();
    match object {
        Ok(thing) => [subject, node("p", *property).into(), node("x", *thing).into()],
        Err(number) => {
            let property = NamedNode::new_unchecked("http://e/n");
            [subject, property.into(), Literal::from(i32::from(*number)).into()]
        }
    }
}

type Statements = BTreeSet<[String; 3]>;

fn keyed(statement: &Statement) -> [String; 3] {
    statement.each_ref().map(ToString::to_string)
}

fn graph(statements: &[Statement]) -> Graph {
    let quad = |[s, p, o]: &Statement| {
        let (Term::NamedNode(s), Term::NamedNode(p)) = (s, p) else { panic!("{s} {p}") };
        Quad::new(NamedOrBlankNode::from(s.clone()), p.clone(), o.clone(), GraphName::DefaultGraph)
    };
    Graph::of(statements.iter().map(quad).collect::<Vec<_>>().into_iter())
}

/// All statements that a proof shows.
fn told(parts: &[Part]) -> Vec<Statement> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Triple { triple, .. } => found.push(triple.clone()),
            Part::Path { triples, .. } => found.extend(triples.iter().cloned()),
            Part::Members(members) => {
                found.extend(members.triples.iter().flatten().cloned());
                found.extend(told(&members.example));
            }
            _ => {}
        }
    }
    found
}

fn has_conditions_that_fail(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Condition { holds: false, .. }))
}

/// The rows of an answer; of an ASK one without columns.
fn rows(answer: Answer) -> Vec<Known> {
    match answer.results {
        Results::Solutions(solutions) => {
            let named =
                |row: &Vec<Option<Term>>| solutions.variables.iter().cloned().zip(row.clone()).collect();
            solutions.rows.iter().map(named).collect()
        }
        Results::Boolean(true) => vec![Known::new()],
        _ => Vec::new(),
    }
}

/// How often a row comes: a statement may make it once more.
fn times(all: &[Known], row: &Known) -> usize {
    all.iter().filter(|other| *other == row).count()
}

async fn holds_of(query: &str, statements: &[Statement]) -> Result<(), TestCaseError> {
    let query = checked(query);
    let whole = graph(statements);
    let before = rows(whole.run(&query).await);
    let there: Statements = statements.iter().map(keyed).collect();
    let unproved = [Note::Gone, Note::Changed, Note::NoWay, Note::TooMuch];
    for (place, row) in before.iter().enumerate().take(ROWS) {
        let proof = whole.proof(&query, place).await;
        prop_assert!(proof.notes.iter().all(|note| !unproved.contains(note)), "{proof:?}\n{row:?}");
        prop_assert!(!has_conditions_that_fail(&proof.parts), "{proof:?}");
        let told: Statements = told(&proof.parts).iter().map(keyed).collect();
        prop_assert!(told.is_subset(&there), "{:?} is not in the graph", told.difference(&there));
        prop_assert!(!proof.parts.is_empty());
        for one in &told {
            let left: Vec<Statement> = statements.iter().filter(|s| keyed(s) != *one).cloned().collect();
            let rest = graph(&left);
            let after = rows(rest.run(&query).await);
            if times(&after, row) < times(&before, row) {
                continue;
            }
            // Something else makes the row then, and the proof of it is another one.
            let again = after.iter().position(|other| other == row).unwrap_or_default();
            let other = rest.proof(&query, again).await;
            prop_assert_ne!(&other.parts, &proof.parts, "without {:?}", one);
            let there: Statements = left.iter().map(keyed).collect();
            let told: Statements = self::told(&other.parts).iter().map(keyed).collect();
            prop_assert!(told.is_subset(&there) && !told.contains(one));
        }
    }
    Ok(())
}

/// Only the statements that are told make the row: a graph of nothing else still gives it, where nothing is counted, cut or
/// compared with all the others.
async fn is_enough(query: &str, statements: &[Statement]) -> Result<(), TestCaseError> {
    let query = checked(query);
    let whole = graph(statements);
    let before = rows(whole.run(&query).await);
    for (place, row) in before.iter().enumerate().take(ROWS) {
        let proof = whole.proof(&query, place).await;
        let told = told(&proof.parts);
        let after = rows(graph(&told).run(&query).await);
        prop_assert!(after.contains(row), "{row:?} does not follow from {told:?}\n{proof:?}");
    }
    Ok(())
}

fn each_query(
    queries: impl Iterator<Item = &'static str>,
    check: impl AsyncFn(&str, &[Statement]) -> Result<(), TestCaseError>,
) {
    let runtime = Runtime::new().unwrap();
    for query in queries {
        let mut runner =
            TestRunner::new(Config { cases: GRAPHS, failure_persistence: None, ..Config::default() });
        let outcome = runner.run(&drawn(), |drawn| {
            let mut statements: Vec<Statement> = drawn.iter().map(statement).collect();
            statements.sort_by_key(keyed);
            statements.dedup();
            runtime.block_on(check(query, &statements))
        });
        outcome.unwrap_or_else(|error| panic!("{query}\n{error}"));
    }
}

#[test]
fn what_is_told_is_in_the_graph_and_without_it_the_row_is_gone_or_told_otherwise() {
    each_query(QUERIES.iter().copied(), holds_of);
}

#[test]
fn what_is_told_is_enough_to_make_the_row() {
    // Cuts leave other rows of another graph; of ties the first one is told.
    let whole = |query: &&str| !query.contains("LIMIT") && !query.contains("SAMPLE");
    each_query(QUERIES.iter().copied().filter(whole), is_enough);
}
