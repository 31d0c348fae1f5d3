//! Edits of a query on its algebra: other columns, DISTINCT, no LIMIT, ASK, COUNT. Each gives the text of a new
//! query, which must be checked and, where that can be done, compared with the old one by its results.

use crate::check::CheckedQuery;
use crate::terms::Prefixes;
use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};

/// An edit of a SELECT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewrite {
    /// Projects these variables, in this order; they need not have been projected before.
    Columns(Vec<String>),
    /// Makes the rows distinct.
    Distinct,
    /// Removes the outermost LIMIT; an OFFSET stays.
    NoLimit,
    /// Asks whether there is a row.
    Ask,
    /// Counts the distinct values of a variable.
    Count(String),
}

impl CheckedQuery {
    /// The query after the edit, with `prefixes` for its IRIs; `None` when it is no SELECT or would not change.
    pub fn rewritten(&self, rewrite: &Rewrite, prefixes: &Prefixes) -> Option<String> {
        let Query::Select { dataset, pattern, base_iri } = self.algebra() else { return None };
        let (dataset, base_iri) = (dataset.clone(), base_iri.clone());
        let query = match rewrite {
            Rewrite::Ask => Query::Ask { dataset, pattern: body(pattern).clone(), base_iri },
            other => Query::Select { dataset, pattern: edited(pattern, other)?, base_iri },
        };
        Some(readable(&query.to_string(), prefixes))
    }
}

/// What is below the solution modifiers and the projection.
fn body(pattern: &GraphPattern) -> &GraphPattern {
    match pattern {
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::OrderBy { inner, .. } => body(inner),
        other => other,
    }
}

fn edited(pattern: &GraphPattern, rewrite: &Rewrite) -> Option<GraphPattern> {
    match rewrite {
        Rewrite::Columns(columns) => project(pattern, columns),
        Rewrite::Distinct => distinct(pattern),
        Rewrite::NoLimit => match pattern {
            GraphPattern::Slice { inner, start: 0, length: Some(_) } => Some((**inner).clone()),
            GraphPattern::Slice { inner, start, length: Some(_) } => {
                Some(GraphPattern::Slice { inner: inner.clone(), start: *start, length: None })
            }
            _ => None,
        },
        Rewrite::Count(variable) => Some(count(pattern, variable)),
        Rewrite::Ask => None,
    }
}

fn project(pattern: &GraphPattern, columns: &[String]) -> Option<GraphPattern> {
    Some(match pattern {
        GraphPattern::Slice { inner, start, length } => {
            GraphPattern::Slice { inner: Box::new(project(inner, columns)?), start: *start, length: *length }
        }
        GraphPattern::Distinct { inner } => {
            GraphPattern::Distinct { inner: Box::new(project(inner, columns)?) }
        }
        GraphPattern::Reduced { inner } => {
            GraphPattern::Reduced { inner: Box::new(project(inner, columns)?) }
        }
        GraphPattern::Project { inner, variables } => {
            let wanted =
                columns.iter().map(|name| Variable::new_unchecked(name.as_str())).collect::<Vec<_>>();
            if wanted == *variables {
                return None;
            }
            GraphPattern::Project { inner: inner.clone(), variables: wanted }
        }
        _ => return None,
    })
}

fn distinct(pattern: &GraphPattern) -> Option<GraphPattern> {
    Some(match pattern {
        GraphPattern::Slice { inner, start, length } => {
            GraphPattern::Slice { inner: Box::new(distinct(inner)?), start: *start, length: *length }
        }
        project @ GraphPattern::Project { .. } => GraphPattern::Distinct { inner: Box::new(project.clone()) },
        _ => return None,
    })
}

fn count(pattern: &GraphPattern, variable: &str) -> GraphPattern {
    let (counted, result) = (Variable::new_unchecked(variable), Variable::new_unchecked("count"));
    let aggregate = AggregateExpression::FunctionCall {
        name: AggregateFunction::Count,
        expr: Expression::Variable(counted),
        distinct: true,
    };
    let group = GraphPattern::Group {
        inner: Box::new(body(pattern).clone()),
        variables: Vec::new(),
        aggregates: vec![(result.clone(), aggregate)],
    };
    GraphPattern::Project { inner: Box::new(group), variables: vec![result] }
}

/// Prefixed names for the IRIs of printed algebra, declared in front.
pub(crate) fn readable(text: &str, prefixes: &Prefixes) -> String {
    let (mut body, mut used, mut rest) = (String::with_capacity(text.len()), Prefixes::default(), text);
    let mut names = ShortNames { text, blank_nodes: Vec::new(), variables: Vec::new() };
    while let Some(start) = rest.find(['<', '"']) {
        let (before, from) = rest.split_at_checked(start).unwrap_or((rest, ""));
        body.push_str(&names.piece(before));
        let end = if from.starts_with('<') { iri_end(from) } else { string_end(from) };
        let (token, after) = from.split_at_checked(end).unwrap_or((from, ""));
        match prefixed(token, prefixes, &mut used) {
            Some(name) => body.push_str(&name),
            None => body.push_str(token),
        }
        rest = after;
    }
    body.push_str(&names.piece(rest));
    let head: String = used.iter().map(|(name, iri)| format!("PREFIX {name}: <{iri}>\n")).collect();
    head + &body
}

/// Printed algebra with other names for its variables.
pub(crate) fn renamed_variables(text: &str, mut name: impl FnMut(&str) -> String) -> String {
    let (mut renamed_text, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(['<', '"']) {
        let (before, from) = rest.split_at_checked(start).unwrap_or((rest, ""));
        renamed_text.push_str(&renamed(before, "?", |old| Some(name(old))));
        let end = if from.starts_with('<') { iri_end(from) } else { string_end(from) };
        let (token, after) = from.split_at_checked(end).unwrap_or((from, ""));
        renamed_text.push_str(token);
        rest = after;
    }
    renamed_text + &renamed(rest, "?", |old| Some(name(old)))
}

/// Short names for what the parser has named at random: blank nodes, and what aggregates give.
struct ShortNames<'a> {
    /// The whole query, whose own names are taken.
    text: &'a str,
    blank_nodes: Vec<String>,
    variables: Vec<(String, String)>,
}

impl ShortNames<'_> {
    /// A piece of printed algebra without strings and IRIs, with a space behind each `.` and short names.
    fn piece(&mut self, piece: &str) -> String {
        let piece = piece.replace(" .", " . ").replace("  ", " ");
        let piece = renamed(&piece, "_:", |name| Some(self.blank_node(name)));
        renamed(&piece, "?", |name| is_random(name).then(|| self.variable(name)))
    }

    fn blank_node(&mut self, name: &str) -> String {
        let known = self.blank_nodes.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.blank_nodes.push(name.to_owned());
            self.blank_nodes.len() - 1
        });
        format!("b{number}")
    }

    fn variable(&mut self, name: &str) -> String {
        if let Some((_, short)) = self.variables.iter().find(|(known, _)| known == name) {
            return short.clone();
        }
        let is_taken = |short: &String| {
            self.text.contains(&format!("?{short}")) || self.variables.iter().any(|(_, taken)| taken == short)
        };
        let short = (1..).map(|number| format!("value{number}")).find(|short| !is_taken(short));
        let short = short.unwrap_or_else(|| name.to_owned());
        self.variables.push((name.to_owned(), short.clone()));
        short
    }
}

/// The piece with other names behind a mark; `None` keeps a name.
fn renamed(piece: &str, mark: &str, mut short: impl FnMut(&str) -> Option<String>) -> String {
    let mut parts = piece.split(mark);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at_checked(end).unwrap_or((part, ""));
        text.push_str(mark);
        text.push_str(&short(name).unwrap_or_else(|| name.to_owned()));
        text.push_str(rest);
    }
    text
}

/// Whether spargebra has made a name up: 128 bits in hexadecimal digits.
fn is_random(name: &str) -> bool {
    (24..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn prefixed(token: &str, prefixes: &Prefixes, used: &mut Prefixes) -> Option<String> {
    let iri = token.strip_prefix('<')?.strip_suffix('>')?;
    let short = prefixes.shorten(iri)?;
    let (name, _) = short.split_once(':')?;
    used.insert(name, prefixes.get(name)?);
    Some(short)
}

/// The end of an IRI; a `<` that opens none is an operator.
fn iri_end(text: &str) -> usize {
    match text.find(['>', ' ']) {
        Some(at) if text.as_bytes().get(at) == Some(&b'>') => at + 1,
        _ => 1,
    }
}

/// The end of a string in double quotes, as the algebra prints all of them.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
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
