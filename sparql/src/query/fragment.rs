//! A fragment of a pattern that becomes a part of other queries: triple patterns, filters and optional parts with paths of a fixed
//! length, and nothing that reaches beyond them. Its variables get other names wherever it is written. Uses `algebra`, `write`,
//! and `check` for the text.

use super::algebra::{Node, names, pattern_of, pattern_of_mut, walk, walk_from};
use super::edit::renamed_variables;
use super::write::SparqlWriter;
use crate::check::{CheckedQuery, QueryPolicy, check};
use crate::error::QueryError;
use crate::terms::{Prefixes, RDF_TYPE};
use oxrdf::{NamedNode, Variable};
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// The names of the variables for the inner nodes of paths.
const STEP: &str = "step";
/// What a fragment may have, in messages.
const MAY_HAVE: &str =
    "write only triple patterns with IRIs as properties, FILTER, OPTIONAL, and paths of a fixed length";

/// Why a text is no fragment.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FragmentError {
    /// It is no pattern of SPARQL.
    #[error("{0}")]
    Query(#[from] QueryError),
    /// It has something that reaches beyond it.
    #[error("it has {0}; {MAY_HAVE}")]
    Reaches(&'static str),
}

/// A fragment of a pattern.
#[derive(Debug, Clone)]
pub struct Fragment {
    text: String,
    query: CheckedQuery,
}

impl PartialEq for Fragment {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Fragment {}

/// A statement of a variable in a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FragmentEdge {
    /// The property.
    pub property: String,
    /// Whether the variable is its subject.
    pub is_subject: bool,
    /// The other end, if it is an IRI.
    pub other: Option<String>,
}

/// What an IRI of a fragment is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FragmentTerm {
    /// What `rdf:type` leads to.
    Class,
    /// A property.
    Property,
    /// Anything else.
    Thing,
}

impl Fragment {
    /// Reads the content of a group graph pattern, without its braces.
    ///
    /// # Errors
    /// When it is no SPARQL, is too long, or has more than a fragment may.
    pub fn read(text: &str, prefixes: &Prefixes, most_bytes: usize) -> Result<Self, FragmentError> {
        let policy = QueryPolicy { max_length: most_bytes, ..QueryPolicy::default() };
        let read = check(&selected(text), prefixes, &policy)?;
        let mut algebra = read.algebra().clone();
        let Query::Select { dataset: None, .. } = &algebra else {
            return Err(FragmentError::Reaches("FROM"));
        };
        let known: BTreeSet<String> = names(variables(&algebra).iter());
        let GraphPattern::Project { inner, .. } = pattern_of_mut(&mut algebra) else {
            return Err(FragmentError::Reaches("an end before its last line"));
        };
        bounded(inner)?;
        name_blank_nodes(inner, &known);
        let text = SparqlWriter::default().pattern(inner).trim().to_owned();
        if text.contains(MARK) {
            return Err(FragmentError::Reaches("a character that is no text"));
        }
        let query = check(&selected(&text), &Prefixes::default(), &QueryPolicy::default())?;
        Ok(Self { text, query })
    }

    /// The fragment with full IRIs.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All that it matches, as a query.
    #[must_use]
    pub fn query(&self) -> &CheckedQuery {
        &self.query
    }

    /// The fragment with other terms in the places of its variables, by their names.
    #[must_use]
    pub fn written(&self, mut term: impl FnMut(&str) -> String) -> String {
        // A `?` behind a path is no variable; those of a text have names.
        let named = renamed_variables(&self.text, |name| match name {
            "" => String::new(),
            name => format!("{MARK}{name}{MARK}"),
        });
        let mut parts = named.split(MARK);
        let mut text = parts.next().unwrap_or_default().to_owned();
        while let (Some(name), Some(after)) = (parts.next(), parts.next()) {
            // The question mark of the variable goes with its name.
            text.pop();
            text.push_str(&term(name));
            text.push_str(after);
        }
        text
    }

    /// Whether every match has a value for a variable: it stands in a pattern outside of OPTIONAL.
    #[must_use]
    pub fn binds(&self, variable: &str) -> bool {
        triples(pattern_of(self.query.algebra()), true).iter().any(|(from, _, to)| {
            [from, to]
                .into_iter()
                .any(|end| matches!(end, TermPattern::Variable(own) if own.as_str() == variable))
        })
    }

    /// Whether it has a variable.
    #[must_use]
    pub fn has(&self, variable: &str) -> bool {
        variables(self.query.algebra()).iter().any(|own| own.as_str() == variable)
    }

    /// The statements with a variable as subject or object; of a path its first or last properties.
    #[must_use]
    pub fn edges(&self, variable: &str) -> Vec<FragmentEdge> {
        let is_it = |end: &TermPattern| matches!(end, TermPattern::Variable(own) if own.as_str() == variable);
        let mut found = Vec::new();
        for (from, path, to) in triples(pattern_of(self.query.algebra()), false) {
            for (own, other, at_start) in [(&from, &to, true), (&to, &from, false)] {
                if is_it(own) {
                    let other = iri_of(other);
                    let edge = |(property, forward): (&NamedNode, bool)| FragmentEdge {
                        property: property.as_str().to_owned(),
                        is_subject: forward == at_start,
                        other: other.clone(),
                    };
                    found.extend(ends(&path, at_start).into_iter().map(edge));
                }
            }
        }
        found
    }

    /// The IRIs in patterns and filters, but for `rdf:type`.
    #[must_use]
    pub fn terms(&self) -> BTreeSet<(FragmentTerm, String)> {
        let mut found = BTreeSet::new();
        for (from, path, to) in triples(pattern_of(self.query.algebra()), false) {
            let is_type =
                matches!(&path, PropertyPathExpression::NamedNode(node) if node.as_str() == RDF_TYPE);
            let object = if is_type { FragmentTerm::Class } else { FragmentTerm::Thing };
            found.extend(iri_of(&from).map(|iri| (FragmentTerm::Thing, iri)));
            found.extend(iri_of(&to).map(|iri| (object, iri)));
            found.extend(properties(&path).into_iter().map(|iri| (FragmentTerm::Property, iri)));
        }
        for (node, _) in walk(self.query.algebra()) {
            if let Node::Expression(Expression::NamedNode(node)) = node {
                found.insert((FragmentTerm::Thing, node.as_str().to_owned()));
            }
        }
        found.retain(|(_, iri)| iri != RDF_TYPE);
        found
    }
}

/// Marks the names of variables while they are replaced; no query has it.
const MARK: char = '\u{0}';

fn selected(pattern: &str) -> String {
    // A comment may end the pattern.
    format!("SELECT * WHERE {{ {pattern}\n}}")
}

fn variables(query: &Query) -> Vec<Variable> {
    let found = walk(query).filter_map(|(node, _)| match node {
        Node::Variable(variable) => Some(variable.clone()),
        _ => None,
    });
    found.collect()
}

/// Refuses what a fragment must not have.
fn bounded(pattern: &GraphPattern) -> Result<(), FragmentError> {
    use GraphPattern as P;
    for (node, _) in walk_from(Node::Pattern(pattern)) {
        let reaches = match node {
            Node::Pattern(P::Bgp { patterns }) if patterns.iter().any(is_of_any_property) => {
                "a property that is not named"
            }
            Node::Pattern(
                P::Bgp { .. } | P::Path { .. } | P::Join { .. } | P::LeftJoin { .. } | P::Filter { .. },
            ) => continue,
            Node::Pattern(P::Service { .. }) | Node::Service(_) => "SERVICE",
            Node::Pattern(P::Graph { .. }) => "GRAPH",
            Node::Pattern(P::Union { .. }) => "UNION",
            Node::Pattern(P::Minus { .. }) => "MINUS",
            Node::Pattern(P::Values { .. }) => "VALUES",
            Node::Pattern(P::Extend { .. }) => "BIND",
            Node::Pattern(_) => "a query within it",
            Node::Expression(Expression::Exists(_)) => "EXISTS",
            Node::Path(PropertyPathExpression::ZeroOrMore(_) | PropertyPathExpression::OneOrMore(_)) => {
                "a path of any length"
            }
            Node::Path(PropertyPathExpression::NegatedPropertySet(_)) => "a property that is not named",
            _ => continue,
        };
        return Err(FragmentError::Reaches(reaches));
    }
    Ok(())
}

fn is_of_any_property(triple: &TriplePattern) -> bool {
    matches!(triple.predicate, NamedNodePattern::Variable(_))
}

/// Puts variables in the places of blank nodes, which cannot be written twice in a query.
fn name_blank_nodes(pattern: &mut GraphPattern, known: &BTreeSet<String>) {
    let mut named: Vec<(String, Variable)> = Vec::new();
    let mut name = |term: &mut TermPattern| {
        let TermPattern::BlankNode(node) = term else { return };
        let label = node.as_str().to_owned();
        let own = named.iter().find(|(known, _)| *known == label).map(|(_, variable)| variable.clone());
        let variable = own.unwrap_or_else(|| {
            let taken =
                |name: &String| known.contains(name) || named.iter().any(|(_, own)| own.as_str() == name);
            let free = (1..).map(|number| format!("{STEP}{number}")).find(|name| !taken(name));
            let variable = Variable::new_unchecked(free.unwrap_or_else(|| STEP.to_owned()));
            named.push((label, variable.clone()));
            variable
        });
        *term = TermPattern::Variable(variable);
    };
    each_end(pattern, &mut name);
}

fn each_end(pattern: &mut GraphPattern, change: &mut impl FnMut(&mut TermPattern)) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            patterns.iter_mut().for_each(|triple| {
                change(&mut triple.subject);
                change(&mut triple.object);
            });
        }
        GraphPattern::Path { subject, object, .. } => {
            change(subject);
            change(object);
        }
        GraphPattern::Join { left, right } | GraphPattern::LeftJoin { left, right, .. } => {
            each_end(left, change);
            each_end(right, change);
        }
        GraphPattern::Filter { inner, .. } => each_end(inner, change),
        _ => {}
    }
}

type Edge = (TermPattern, PropertyPathExpression, TermPattern);

/// The triples and paths of a pattern; only those outside of OPTIONAL if they must be there.
fn triples(pattern: &GraphPattern, required: bool) -> Vec<Edge> {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => patterns.iter().filter_map(edge_of).collect(),
        P::Path { subject, path, object } => vec![(subject.clone(), path.clone(), object.clone())],
        P::LeftJoin { left, .. } if required => triples(left, required),
        P::Join { left, right } | P::LeftJoin { left, right, .. } => {
            [triples(left, required), triples(right, required)].concat()
        }
        P::Filter { inner, .. } | P::Project { inner, .. } => triples(inner, required),
        _ => Vec::new(),
    }
}

fn edge_of(triple: &TriplePattern) -> Option<Edge> {
    let NamedNodePattern::NamedNode(property) = &triple.predicate else { return None };
    let path = PropertyPathExpression::NamedNode(property.clone());
    Some((triple.subject.clone(), path, triple.object.clone()))
}

/// The first or last properties of a path, and whether they are followed forward.
fn ends(path: &PropertyPathExpression, first: bool) -> Vec<(&NamedNode, bool)> {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(node) => vec![(node, true)],
        P::Reverse(inner) => {
            ends(inner, !first).into_iter().map(|(node, forward)| (node, !forward)).collect()
        }
        P::Sequence(one, other) => ends(if first { one } else { other }, first),
        P::Alternative(one, other) => [ends(one, first), ends(other, first)].concat(),
        P::ZeroOrOne(inner) | P::ZeroOrMore(inner) | P::OneOrMore(inner) => ends(inner, first),
        P::NegatedPropertySet(_) => Vec::new(),
    }
}

fn properties(path: &PropertyPathExpression) -> Vec<String> {
    let found = walk_from(Node::Path(path)).filter_map(|(node, _)| match node {
        Node::Iri(iri) => Some(iri.as_str().to_owned()),
        Node::Path(PropertyPathExpression::NamedNode(iri)) => Some(iri.as_str().to_owned()),
        _ => None,
    });
    found.collect()
}

fn iri_of(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::NamedNode(node) => Some(node.as_str().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Fragment, FragmentTerm};
    use crate::terms::Prefixes;

    fn read(text: &str) -> Result<Fragment, String> {
        let prefixes: Prefixes = [("e", "http://e/")].into_iter().collect();
        Fragment::read(text, &prefixes, 2_000).map_err(|error| error.to_string())
    }

    #[test]
    fn variables_are_renamed_and_nothing_else() {
        let text = "?this e:a/^e:b ?x . ?x e:c? ?value OPTIONAL { ?x e:d ?y } FILTER(?value > 3 && ?y != \"?this\") # end";
        let fragment = read(text).unwrap();
        let written = fragment.written(|name| match name {
            "this" => "<http://e/it>".to_owned(),
            name => format!("?{name}_2"),
        });
        insta::assert_snapshot!(written, @r#"<http://e/it> <http://e/a> ?step1_2 . ?x_2 <http://e/b> ?step1_2 . ?x_2 (<http://e/c>)? ?value_2 . OPTIONAL { ?x_2 <http://e/d> ?y_2 .  } FILTER(((?value_2 > 3) && (?y_2 != "?this")))"#);
    }

    #[test]
    fn what_it_is_about_is_known() {
        let fragment =
            read("?this a e:C ; e:a/^e:b ?value OPTIONAL { ?late e:c ?this } FILTER(?value != e:t)").unwrap();
        assert!(
            fragment.binds("this")
                && fragment.binds("value")
                && !fragment.binds("late")
                && fragment.has("late")
        );
        let told: Vec<String> = fragment
            .edges("this")
            .iter()
            .map(|edge| format!("{} {}", edge.property, edge.is_subject))
            .collect();
        let kind = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type true";
        assert_eq!(told, [kind, "http://e/a true", "http://e/c false"]);
        assert_eq!(
            fragment.edges("value").first().map(|edge| (&*edge.property, edge.is_subject)),
            Some(("http://e/b", true))
        );
        let terms: Vec<(FragmentTerm, String)> = fragment.terms().into_iter().collect();
        let of = |kind: FragmentTerm, name: &str| (kind, format!("http://e/{name}"));
        let (class, property, thing) = (FragmentTerm::Class, FragmentTerm::Property, FragmentTerm::Thing);
        assert_eq!(
            terms,
            [of(class, "C"), of(property, "a"), of(property, "b"), of(property, "c"), of(thing, "t")]
        );
    }

    #[test]
    fn what_reaches_further_is_refused() {
        let wrong = [
            "?this e:a+ ?x",
            "?this e:a* ?x",
            "?this !e:a ?x",
            "?this ?p ?x",
            "{ ?this e:a ?x } UNION { ?this e:b ?x }",
            "?this e:a ?x MINUS { ?this e:b ?x }",
            "?this e:a ?x FILTER NOT EXISTS { ?this e:b ?x }",
            "SERVICE <http://e/> { ?this e:a ?x }",
            "GRAPH <http://e/> { ?this e:a ?x }",
            "{ SELECT ?this { ?this e:a ?x } LIMIT 3 }",
            "?this e:a ?x BIND(1 AS ?y)",
            "?this e:a ?x VALUES ?x { 1 }",
            "?this e:a ?x } LIMIT 3 #",
            "?this e:a ?x } ORDER BY ?x VALUES ?x { 1",
            "?this e:a ?",
            "?this f:a ?x",
        ];
        let told: Vec<String> = wrong
            .iter()
            .map(|text| read(text).map_or_else(|error| error, |_| format!("read: {text}")))
            .collect();
        assert!(!told.iter().any(|told| told.starts_with("read")), "{told:?}");
        insta::assert_snapshot!(told.first().map_or("", |told| told), @"it has a path of any length; write only triple patterns with IRIs as properties, FILTER, OPTIONAL, and paths of a fixed length");
    }
}
