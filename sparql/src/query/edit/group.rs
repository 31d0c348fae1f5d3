//! Follow-up questions about the entities found by a query: the same question restricted to them ("which clocks …?", then "how
//! many of them …?"), or excluding some of them ("who made it?", then "what else did he make?"). Works on
//! the algebra, and returns the text of a new query, which must be checked.

use super::readable::{readable, renamed_variables};
use crate::check::CheckedQuery;
use crate::query::algebra::in_scope;
use crate::query::model::{Atom, AtomKind};
use crate::query::select::{Duplicates, Select};
use crate::terms::{Prefixes, RDF_TYPE};
use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};
use spargebra::term::TermPattern;
use spargebra::{Query, SparqlParser};

/// Suffix of variables from the earlier query, to avoid name clashes in the new one.
const EARLIER: &str = "_before";

/// The entities found by a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    variable: Variable,
    pattern: GraphPattern,
    /// The classes that the query requires of them.
    pub classes: Vec<String>,
}

/// Which entities of an earlier query are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupScope {
    /// Those in its result.
    Found,
    /// Those that the result was selected from, ignoring ORDER BY and LIMIT.
    Considered,
}

impl CheckedQuery {
    /// The entities in the first column of a SELECT, or those that it counts; `None` if there are neither. `type_property` links
    /// instances to classes, like `rdf:type`.
    pub fn group(&self, scope: GroupScope, type_property: &str) -> Option<Group> {
        let Query::Select { pattern, .. } = self.algebra() else { return None };
        let (variable, pattern) = found(pattern, scope)?;
        let all = classes(self, type_property).into_iter();
        let classes = all.filter(|(name, _)| name == variable.as_str()).map(|(_, class)| class);
        Some(Group { classes: classes.collect(), variable, pattern })
    }

    /// This query restricted to the entities of a group, through its first variable with one of the group's classes. `None` if
    /// there is no such variable, or it is not in scope.
    pub fn within(&self, group: &Group, type_property: &str, prefixes: &Prefixes) -> Option<String> {
        let mut typed = classes(self, type_property).into_iter();
        let (name, _) = typed.find(|(_, class)| group.classes.contains(class))?;
        let earlier = group.named(&name)?;
        let mut query = self.algebra().clone();
        let (Query::Select { pattern, .. } | Query::Ask { pattern, .. }) = &mut query else { return None };
        let body = body_of(pattern);
        if !in_scope(body).contains(&name) {
            return None;
        }
        let right = Box::new(std::mem::take(body));
        *body = GraphPattern::Join { left: Box::new(earlier), right };
        Some(readable(&query.to_string(), prefixes))
    }

    /// This query without some of the entities that it finds or counts. `None` if it finds none, or the variable is not in scope.
    pub fn without(&self, things: &[NamedNode], prefixes: &Prefixes) -> Option<String> {
        let mut query = self.algebra().clone();
        let Query::Select { pattern, .. } = &mut query else { return None };
        let (variable, _) = found(pattern, GroupScope::Found)?;
        let body = body_of(pattern);
        if things.is_empty() || !in_scope(body).contains(variable.as_str()) {
            return None;
        }
        let things = things.iter().map(|thing| Expression::NamedNode(thing.clone())).collect();
        let expr =
            Expression::Not(Box::new(Expression::In(Box::new(Expression::Variable(variable)), things)));
        let inner = Box::new(std::mem::take(body));
        *body = GraphPattern::Filter { expr, inner };
        Some(readable(&query.to_string(), prefixes))
    }
}

impl Group {
    /// The SELECT of the entities as variable `name`, with all other variables renamed.
    fn named(&self, name: &str) -> Option<GraphPattern> {
        let query = Query::Select { dataset: None, pattern: self.pattern.clone(), base_iri: None };
        let text = renamed_variables(&query.to_string(), |old| match old == self.variable.as_str() {
            true => name.to_owned(),
            false => format!("{old}{EARLIER}"),
        });
        match SparqlParser::new().parse_query(&text).ok()? {
            Query::Select { pattern, .. } => Some(pattern),
            Query::Construct { .. } | Query::Describe { .. } | Query::Ask { .. } => None,
        }
    }
}

/// Pairs of variable and required class, in query order; a class may also be reached through a path from a subclass.
fn classes(query: &CheckedQuery, type_property: &str) -> Vec<(String, String)> {
    let of_kind = |kind| query.model().atoms.iter().filter(move |atom| atom.kind == kind);
    let above = |between: &TermPattern| {
        let from_there = |atom: &&Atom| atom.subject.as_ref() == Some(between);
        of_kind(AtomKind::Path).filter(from_there).find_map(Atom::object_iri)
    };
    let typed = of_kind(AtomKind::Triple)
        .filter(|atom| atom.predicate().is_some_and(|iri| [RDF_TYPE, type_property].contains(&iri)));
    let of_variables = typed.filter_map(|atom| {
        let class = atom.object_iri().or_else(|| above(atom.object.as_ref()?))?;
        Some((atom.subject_variable()?.to_owned(), class.to_owned()))
    });
    of_variables.collect()
}

/// The variable of the entities, and a SELECT of only this variable.
fn found(pattern: &GraphPattern, scope: GroupScope) -> Option<(Variable, GraphPattern)> {
    let select = Select::of(pattern);
    let columns = select.columns?;
    let counted = counted(select.body);
    let variable = counted.map_or_else(|| columns.first(), |(variable, _)| Some(variable))?.clone();
    let only = std::slice::from_ref(&variable);
    let once = Select { duplicates: Duplicates::Distinct, columns: Some(only), ..Select::all(select.body) };
    let whole = match (counted, scope) {
        (Some((_, body)), _) => Select { body, ..once },
        (None, _) if !in_scope(select.body).contains(variable.as_str()) => return None,
        (None, GroupScope::Considered) => once,
        (None, GroupScope::Found) => Select { columns: Some(only), ..select },
    };
    Some((variable.clone(), whole.pattern()))
}

/// The variable that a query counts and the pattern it is counted over, if COUNT is its only result.
fn counted(pattern: &GraphPattern) -> Option<(&Variable, &GraphPattern)> {
    match pattern {
        GraphPattern::Extend { inner, .. } => counted(inner),
        GraphPattern::Group { inner, variables, aggregates } if variables.is_empty() => {
            match aggregates.as_slice() {
                [
                    (
                        _,
                        AggregateExpression::FunctionCall {
                            name: AggregateFunction::Count,
                            expr: Expression::Variable(counted),
                            ..
                        },
                    ),
                ] => Some((counted, inner)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The pattern below modifiers, aggregates and filters, where a join affects all of them.
fn body_of(pattern: &mut GraphPattern) -> &mut GraphPattern {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Extend { inner, .. }
        | GraphPattern::Group { inner, .. }
        | GraphPattern::Filter { inner, .. } => body_of(inner),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EmbeddedStore, Limits, QueryPolicy, Results, SparqlEndpoint, check};
    use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};
    use std::time::Duration;

    const TYPE: &str = RDF_TYPE;

    /// Mills with height, town, and whether they are open.
    fn mills() -> EmbeddedStore {
        let iri = |name: &str| NamedNode::new_unchecked(format!("http://mills.example/{name}"));
        let quad = |s: &str, p: NamedNode, o: Term| Quad::new(iri(s), p, o, GraphName::DefaultGraph);
        let mill = |(name, height, town, open): (&str, i32, &str, bool)| {
            [
                quad(name, NamedNode::new_unchecked(TYPE), iri("Mill").into()),
                quad(name, iri("height"), Literal::from(height).into()),
                quad(name, iri("town"), iri(town).into()),
                quad(name, iri("open"), Literal::from(open).into()),
            ]
        };
        let mills = [("a", 9, "t", false), ("b", 7, "t", true), ("c", 5, "u", true)];
        let store = EmbeddedStore::in_memory().unwrap();
        store.load_quads(mills.into_iter().flat_map(mill)).unwrap();
        store
    }

    fn checked(text: &str) -> CheckedQuery {
        let text = format!("PREFIX m: <http://mills.example/> {text}");
        check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap()
    }

    #[tokio::test]
    async fn all_but_some_are_found_and_counted() {
        let rows = |text: &'static str| async move {
            let but = ["a", "t"].map(|name| NamedNode::new_unchecked(format!("http://mills.example/{name}")));
            let text = checked(text).without(&but, &Prefixes::default())?;
            let query = check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap();
            let limits = Limits { timeout: Duration::from_secs(20), max_rows: 100, max_bytes: 100_000 };
            let Results::Solutions(found) = mills().query(&query, limits).await.unwrap().results else {
                return None;
            };
            Some(found.rows.iter().map(|row| row[0].as_ref().unwrap().to_string()).collect::<Vec<_>>())
        };
        let mills = ["<http://mills.example/b>", "<http://mills.example/c>"].map(str::to_owned).to_vec();
        assert_eq!(rows("SELECT DISTINCT ?m { ?m a m:Mill } ORDER BY ?m").await, Some(mills));
        let two = "\"2\"^^<http://www.w3.org/2001/XMLSchema#integer>".to_owned();
        assert_eq!(rows("SELECT (COUNT(?m) AS ?n) { ?m a m:Mill }").await, Some(vec![two]));
        assert_eq!(rows("SELECT (MAX(?h) AS ?n) { ?m m:height ?h }").await, None);
        assert_eq!(rows("ASK { ?m m:height ?h }").await, None);
    }

    async fn rows(before: &str, scope: GroupScope, next: &str) -> Option<Vec<String>> {
        let group = checked(before).group(scope, TYPE)?;
        let text = checked(next).within(&group, TYPE, &Prefixes::default())?;
        let query = check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap();
        let limits = Limits { timeout: Duration::from_secs(20), max_rows: 100, max_bytes: 100_000 };
        let answer = mills().query(&query, limits).await.unwrap();
        Some(match answer.results {
            Results::Solutions(found) => {
                found.rows.iter().map(|row| row[0].as_ref().unwrap().to_string()).collect()
            }
            Results::Boolean(holds) => vec![holds.to_string()],
            Results::Graph(_) => Vec::new(),
        })
    }

    #[tokio::test]
    async fn later_queries_are_asked_of_what_the_earlier_found() {
        let of_t = "SELECT DISTINCT ?mill { ?mill a m:Mill ; m:town m:t }";
        let count = "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x a m:Mill ; m:open true }";
        let one = Some(vec!["\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>".to_owned()]);
        assert_eq!(rows(of_t, GroupScope::Found, count).await, one, "other names of variables");
        let counted = "SELECT (COUNT(DISTINCT ?mill) AS ?n) { ?mill a m:Mill ; m:town m:t }";
        assert_eq!(rows(counted, GroupScope::Found, count).await, one, "what was counted");
        let highest = "SELECT ?mill { ?mill a m:Mill ; m:height ?h } ORDER BY DESC(?h) LIMIT 1";
        let lowest = "SELECT ?mill { ?mill a m:Mill ; m:height ?h } ORDER BY ?h LIMIT 1";
        let iri = |name: &str| Some(vec![format!("<http://mills.example/{name}>")]);
        assert_eq!(rows(highest, GroupScope::Found, lowest).await, iri("a"), "those in the rows");
        assert_eq!(rows(highest, GroupScope::Considered, lowest).await, iri("c"), "those chosen from");
        let ask = "ASK { ?m a m:Mill ; m:town m:u }";
        assert_eq!(rows(of_t, GroupScope::Found, ask).await, Some(vec!["false".to_owned()]));
    }

    #[tokio::test]
    async fn what_speaks_of_something_else_is_left_alone() {
        let of_t = "SELECT DISTINCT ?mill { ?mill a m:Mill ; m:town m:t }";
        for next in [
            "SELECT ?t { ?m m:town ?t }",
            "SELECT ?t { ?x m:town ?t { SELECT (COUNT(?m) AS ?n) { ?m a m:Mill } } }",
        ] {
            assert_eq!(rows(of_t, GroupScope::Found, next).await, None, "{next}");
        }
        assert!(checked("ASK { ?m a m:Mill }").group(GroupScope::Found, TYPE).is_none());
    }
}
