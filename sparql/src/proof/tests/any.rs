//! Property tests on small random graphs, with queries for every construct: a proof shows only triples of the graph, and exactly
//! those that produce the row.

use super::*;
use oxrdf::{GraphName, Literal, NamedNode, NamedOrBlankNode};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;
use tokio::runtime::Runtime;

/// Maximum triples of a graph; there are few nodes, so that they are joined in many ways.
const STATEMENTS: usize = 22;
const THINGS: u8 = 6;
const PROPERTIES: u8 = 3;
const NUMBERS: u8 = 5;
/// Number of graphs tried per query.
const GRAPHS: u32 = 6;
/// Number of rows proved per answer.
const ROWS: usize = 4;

/// A triple: subject, property, and a node or a number.
type Drawn = (u8, u8, Result<u8, u8>);

/// Every construct that the planner generates, and the other constructs of SPARQL. Nodes are e:x0 …; the properties e:p0 …
/// link nodes, and e:n has numbers as objects.
const QUERIES: &[&str] = &[
    // Triples, joins, paths of fixed length, both directions.
    "SELECT ?x ?y { ?x e:p0 ?y }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y . ?y e:p1 ?z }",
    "SELECT DISTINCT ?x { ?x e:p0/^e:p1 ?z }",
    "SELECT DISTINCT ?x ?p { ?x ?p e:x1 }",
    "SELECT DISTINCT ?x { [] e:p0 ?x . ?x e:p1 [ e:p2 ?z ] }",
    // Paths of variable length, alternatives.
    "SELECT DISTINCT ?x ?y { ?x e:p0+ ?y }",
    "SELECT DISTINCT ?x { ?x e:p0/e:p1* e:x1 }",
    "SELECT DISTINCT ?x { ?x (e:p0|^e:p1) ?y }",
    "SELECT DISTINCT ?x { ?x (e:p0/e:p1|e:p2)+ ?y }",
    "SELECT DISTINCT ?x ?y { ?x e:p1? ?y . ?x e:p0 ?z }",
    "SELECT DISTINCT ?x ?y { ?x !(e:p0|e:n) ?y }",
    // FILTER.
    "SELECT ?x { ?x e:n ?v FILTER(?v > 1) }",
    "SELECT ?x { ?x e:n ?v FILTER(?v >= 1 && ?v < 4 || ?v IN (0, 7)) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER(?x != ?y && ?x NOT IN (e:x0)) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?y FILTER(CONTAINS(LCASE(STR(?y)), \"x1\")) }",
    "SELECT ?x { ?x e:n ?v . ?y e:n ?w FILTER(?v > ?w) }",
    // OPTIONAL.
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
    // UNION, VALUES, BIND.
    "SELECT DISTINCT ?x { { ?x e:p0 ?y } UNION { ?x e:p1 ?y } UNION { ?y e:p2 ?x } }",
    "SELECT ?x ?y { VALUES ?x { e:x0 e:x1 e:x2 } ?x e:p0 ?y }",
    "SELECT ?x (((?v + 1) * 2) AS ?w) { ?x e:n ?v BIND(?v - 1 AS ?u) FILTER(?u >= 0) }",
    "SELECT DISTINCT (ABS(?v - ?w) AS ?difference) { e:x0 e:n ?v . e:x1 e:n ?w }",
    // Aggregates, GROUP BY.
    "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x e:p0 ?y }",
    "SELECT (COUNT(*) AS ?n) { ?x e:p0 ?y }",
    "SELECT ?y (COUNT(DISTINCT ?x) AS ?n) { ?x e:p0 ?y } GROUP BY ?y",
    "SELECT ?y (COUNT(?x) AS ?n) { ?x e:p0 ?y } GROUP BY ?y HAVING(COUNT(?x) > 1)",
    "SELECT ?y (SUM(?v) AS ?sum) (AVG(?v) AS ?avg) { ?x e:p0 ?y ; e:n ?v } GROUP BY ?y",
    "SELECT (MAX(?v) AS ?max) (MIN(?v) AS ?min) { ?x e:n ?v }",
    "SELECT (SUM(?v * 2 + 1) AS ?sum) { ?x e:n ?v }",
    "SELECT ?y (SAMPLE(?x) AS ?one) (GROUP_CONCAT(DISTINCT ?x; SEPARATOR = \" \") AS ?all) { ?x e:p0 ?y } GROUP BY ?y",
    "SELECT ((100.0 * ?part / ?whole) AS ?share) { { SELECT (COUNT(DISTINCT ?x) AS ?part) { ?x e:p0 ?y ; e:p1 ?z } } { SELECT (COUNT(DISTINCT ?x) AS ?whole) { ?x e:p0 ?y } } FILTER(?whole > 0) }",
    // ORDER BY, LIMIT.
    "SELECT ?x ?v { ?x e:n ?v } ORDER BY DESC(?v) ?x LIMIT 2",
    "SELECT ?x { ?x e:p0 ?y } GROUP BY ?x ORDER BY DESC(COUNT(?y)) ?x LIMIT 1 OFFSET 1",
    "SELECT DISTINCT ?y { { SELECT ?x { ?x e:n ?v } ORDER BY DESC(?v) ?x LIMIT 2 } ?x e:p0 ?y }",
    // Comparison with an aggregate over all nodes, with another node, and with the maximum of a group.
    "SELECT DISTINCT ?x { ?x e:n ?v { SELECT (AVG(?w) AS ?all) { ?y e:n ?w } } FILTER(?v >= ?all) }",
    "SELECT DISTINCT ?x { ?x e:n ?v . e:x1 e:n ?w FILTER(?v > ?w) }",
    "SELECT DISTINCT ?x { ?x e:p0 ?g ; e:n ?v { SELECT ?g (MAX(?w) AS ?best) { ?y e:p0 ?g ; e:n ?w } GROUP BY ?g } FILTER(?v = ?best) }",
    "SELECT ?x { { SELECT ?x WHERE { ?x e:p0 ?y } GROUP BY ?x HAVING (COUNT(DISTINCT ?y) > 1) } }",
    "SELECT ?x { { SELECT ?x (COUNT(?y) AS ?n) { ?x e:p0 ?y } GROUP BY ?x } { SELECT (MAX(?m) AS ?most) { { SELECT ?o (COUNT(?z) AS ?m) { ?o e:p0 ?z } GROUP BY ?o } } } FILTER(?n = ?most) }",
    // ASK.
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

/// All triples shown in a proof.
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

/// The rows of an answer; for ASK, one row without columns.
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

/// Number of occurrences of a row, which may depend on a triple.
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
            // The row then has another proof.
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

/// The triples of a proof are sufficient: a graph of only these triples still yields the row, unless the query counts, limits or
/// compares with all others.
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
    // With a LIMIT another graph gives other rows; with ties, only one is shown.
    let whole = |query: &&str| !query.contains("LIMIT") && !query.contains("SAMPLE");
    each_query(QUERIES.iter().copied().filter(whole), is_enough);
}
