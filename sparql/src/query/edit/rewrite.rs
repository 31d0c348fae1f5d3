//! Edits of a query's algebra: other columns, DISTINCT, no LIMIT, ASK, COUNT. Each returns the text of a new
//! query, which must be checked and, where possible, validated by comparing its results with the original's.

use super::readable::readable;
use crate::check::CheckedQuery;
use crate::query::algebra::pattern_of_mut;
use crate::query::select::{Duplicates, Select};
use crate::terms::Prefixes;
use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};

/// An edit of a SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// Projects these variables, in this order; they need not be projected already.
    Columns(Vec<String>),
    /// Adds DISTINCT.
    Distinct,
    /// Removes the outermost LIMIT; OFFSET is kept.
    NoLimit,
    /// Turns the query into an ASK.
    Ask,
    /// Counts the distinct values of a variable.
    Count(String),
}

impl CheckedQuery {
    /// The edited query, using `prefixes` for its IRIs; `None` if it is not a SELECT or would not change.
    pub fn rewritten(&self, rewrite: &Rewrite, prefixes: &Prefixes) -> Option<String> {
        let Query::Select { dataset, pattern, base_iri } = self.algebra() else { return None };
        let select = Select::of(pattern);
        let pattern = match rewrite {
            Rewrite::Columns(columns) => project(select, columns)?,
            Rewrite::Distinct if select.duplicates == Duplicates::Kept => {
                Select { duplicates: Duplicates::Distinct, ..select }.pattern()
            }
            Rewrite::Distinct => return None,
            Rewrite::NoLimit => {
                let (start, _) = select.slice.filter(|(_, length)| length.is_some())?;
                Select { slice: (start > 0).then_some((start, None)), ..select }.pattern()
            }
            Rewrite::Count(variable) => count(select.body, variable),
            Rewrite::Ask => {
                let (dataset, base_iri) = (dataset.clone(), base_iri.clone());
                let ask = Query::Ask { dataset, pattern: select.body.clone(), base_iri };
                return Some(readable(&ask.to_string(), prefixes));
            }
        };
        Some(self.with_pattern(pattern, prefixes))
    }

    /// The text of the query with its pattern replaced.
    pub(super) fn with_pattern(&self, pattern: GraphPattern, prefixes: &Prefixes) -> String {
        let mut query = self.algebra().clone();
        *pattern_of_mut(&mut query) = pattern;
        readable(&query.to_string(), prefixes)
    }
}

fn project(select: Select<'_>, columns: &[String]) -> Option<GraphPattern> {
    let wanted: Vec<Variable> = columns.iter().map(|name| Variable::new_unchecked(name.as_str())).collect();
    (select.columns? != wanted).then(|| Select { columns: Some(&wanted), ..select }.pattern())
}

fn count(body: &GraphPattern, variable: &str) -> GraphPattern {
    let (counted, result) = (Variable::new_unchecked(variable), Variable::new_unchecked("count"));
    let aggregate = AggregateExpression::FunctionCall {
        name: AggregateFunction::Count,
        expr: Expression::Variable(counted),
        distinct: true,
    };
    let group = GraphPattern::Group {
        inner: Box::new(body.clone()),
        variables: Vec::new(),
        aggregates: vec![(result.clone(), aggregate)],
    };
    GraphPattern::Project { inner: Box::new(group), variables: vec![result] }
}

#[cfg(test)]
mod tests {
    use super::Rewrite;
    use crate::{EmbeddedStore, Limits, Prefixes, QueryPolicy, Results, SparqlEndpoint, check};
    use oxrdf::{GraphName, Literal, NamedNode, Quad};
    use std::time::Duration;

    fn prefixes() -> Prefixes {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        prefixes
    }

    async fn run(text: &str) -> Results {
        let iri = |name: &str| NamedNode::new_unchecked(format!("http://e/{name}"));
        let quad =
            |s: &str, p: &str, o: i32| Quad::new(iri(s), iri(p), Literal::from(o), GraphName::DefaultGraph);
        let quads = [quad("a", "w", 3), quad("b", "w", 5), quad("c", "w", 5), quad("c", "w", 1)];
        let store = EmbeddedStore::in_memory().unwrap();
        store.load_quads(quads.into_iter()).unwrap();
        let limits = Limits { timeout: Duration::from_secs(20), max_rows: 100, max_bytes: 100_000 };
        let query = check(text, &Prefixes::default(), &QueryPolicy::default()).unwrap();
        store.query(&query, limits).await.unwrap().results
    }

    async fn rewritten(text: &str, rewrite: Rewrite) -> Vec<String> {
        let query = check(text, &prefixes(), &QueryPolicy::default()).unwrap();
        let text = query.rewritten(&rewrite, &prefixes()).unwrap();
        match run(&text).await {
            Results::Boolean(answer) => vec![answer.to_string()],
            Results::Solutions(solutions) => solutions
                .rows
                .iter()
                .map(|row| row.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join(" "))
                .collect(),
            Results::Graph(_) => panic!("no graph was asked for"),
        }
    }

    #[tokio::test]
    async fn columns_go_and_the_order_stays() {
        let text =
            "SELECT ?x ?w (?w * 2 AS ?double) { ?x e:w ?w FILTER(?w > 2) } ORDER BY DESC(?double) ?x LIMIT 2";
        let rows = rewritten(text, Rewrite::Columns(vec!["x".to_owned()])).await;
        assert_eq!(rows, ["<http://e/b>", "<http://e/c>"]);
    }

    #[tokio::test]
    async fn aggregates_survive_the_printing() {
        let text = "SELECT ?x (SUM(?w) AS ?sum) (COUNT(*) AS ?n) { ?x e:w ?w } GROUP BY ?x HAVING(SUM(?w) > 4) ORDER BY ?x";
        let rows = rewritten(text, Rewrite::Columns(vec!["sum".to_owned()])).await;
        let integer = |n: i32| format!("\"{n}\"^^<http://www.w3.org/2001/XMLSchema#integer>");
        assert_eq!(rows, [integer(5), integer(6)]);
    }

    #[tokio::test]
    async fn limits_distinct_ask_and_count() {
        assert_eq!(rewritten("SELECT ?w { ?x e:w ?w } ORDER BY ?w LIMIT 1", Rewrite::NoLimit).await.len(), 4);
        assert_eq!(rewritten("SELECT ?w { ?x e:w ?w }", Rewrite::Distinct).await.len(), 3);
        assert_eq!(rewritten("SELECT ?x { ?x e:w 3 } LIMIT 1", Rewrite::Ask).await, ["true"]);
        let counted = rewritten("SELECT ?x ?w { ?x e:w ?w }", Rewrite::Count("x".to_owned())).await;
        assert_eq!(counted, ["\"3\"^^<http://www.w3.org/2001/XMLSchema#integer>"]);
    }

    #[test]
    fn printed_algebra_is_readable() {
        let query =
            check("SELECT ?x ?y { ?x e:p/e:q ?y ; e:r e:A }", &prefixes(), &QueryPolicy::default()).unwrap();
        let text = query.rewritten(&Rewrite::Columns(vec!["x".to_owned()]), &prefixes()).unwrap();
        let expected = "PREFIX e: <http://e/>\nSELECT ?x WHERE { ?x e:p _:b0 . _:b0 e:q ?y . ?x e:r e:A . }";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_would_not_change_is_left_alone() {
        let query = |text: &str| check(text, &prefixes(), &QueryPolicy::default()).unwrap();
        let same = Rewrite::Columns(vec!["x".to_owned()]);
        assert_eq!(query("SELECT ?x { ?x e:w ?w }").rewritten(&same, &prefixes()), None);
        assert_eq!(
            query("SELECT DISTINCT ?x { ?x e:w ?w }").rewritten(&Rewrite::Distinct, &prefixes()),
            None
        );
        assert_eq!(query("ASK { ?x e:w ?w }").rewritten(&Rewrite::NoLimit, &prefixes()), None);
    }
}
