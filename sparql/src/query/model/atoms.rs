//! The atoms of a query: its triple patterns and property paths, and the parts that must match together, so that an empty
//! result can be traced to the part that removes the last solution. Uses spargebra.

use super::filter::Filter;
use crate::query::algebra::{Node, constant, each_once, variable_of, walk_from};
use oxrdf::Term;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// The kind of an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomKind {
    /// A triple pattern.
    Triple,
    /// A property path other than a sequence; a sequence becomes several triple patterns.
    Path,
    /// A group that matches as a unit: UNION, VALUES, GRAPH, SERVICE.
    Group,
}

/// Where an atom occurs, ordered by decreasing certainty that it holds for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Holds for every row.
    Certain,
    /// In an OPTIONAL: holds if the variables that only it binds are bound.
    Optional,
    /// In a branch of UNION, or in EXISTS or SERVICE.
    Possible,
    /// In MINUS or NOT EXISTS.
    Negated,
}

/// A part of the WHERE clause that can be matched on its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    /// Its kind.
    pub kind: AtomKind,
    /// Where it occurs.
    pub place: Place,
    /// The part in SPARQL with full IRIs: a triple pattern, a path, or a group in braces.
    pub text: String,
    /// Its variables, without question mark; for a group, the variables in scope.
    pub variables: Vec<String>,
    /// The subject of a triple pattern or path.
    pub subject: Option<TermPattern>,
    /// The IRI of the predicate, or of all steps of a path. Empty for a variable predicate, and for a group.
    pub predicates: Vec<String>,
    /// The object of a triple pattern or path.
    pub object: Option<TermPattern>,
}

impl Atom {
    /// The triple patterns or the path of a pattern, without nested patterns.
    pub(super) fn of(pattern: &GraphPattern, place: Place) -> Vec<Self> {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                patterns.iter().map(|one| Self::of_triple(one, place)).collect()
            }
            GraphPattern::Path { subject, path, object } => vec![Self {
                kind: AtomKind::Path,
                place,
                text: format!("{subject} {path} {object}"),
                variables: named([variable_of(subject), variable_of(object)]),
                subject: Some(subject.clone()),
                predicates: steps(path),
                object: Some(object.clone()),
            }],
            _ => Vec::new(),
        }
    }

    fn of_triple(triple: &TriplePattern, place: Place) -> Self {
        let TriplePattern { subject, predicate, object } = triple;
        let (iri, variable) = match predicate {
            NamedNodePattern::NamedNode(node) => (Some(node.as_str().to_owned()), None),
            NamedNodePattern::Variable(variable) => (None, Some(variable.as_str())),
        };
        Self {
            kind: AtomKind::Triple,
            place,
            text: triple.to_string(),
            variables: named([variable_of(subject), variable, variable_of(object)]),
            subject: Some(subject.clone()),
            predicates: iri.into_iter().collect(),
            object: Some(object.clone()),
        }
    }

    fn of_group(group: &GraphPattern) -> Self {
        let mut variables = Vec::new();
        group.on_in_scope_variable(|variable| variables.push(Some(variable.as_str())));
        Self {
            kind: AtomKind::Group,
            place: Place::Certain,
            text: format!("{{ {group} }}"),
            variables: named(variables),
            subject: None,
            predicates: Vec::new(),
            object: None,
        }
    }

    /// The predicate of a triple pattern, if it is a constant.
    #[must_use]
    pub fn predicate(&self) -> Option<&str> {
        self.predicates.first().filter(|_| self.kind == AtomKind::Triple).map(String::as_str)
    }

    /// The name of the subject, if it is a variable.
    #[must_use]
    pub fn subject_variable(&self) -> Option<&str> {
        variable_of(self.subject.as_ref()?)
    }

    /// The name of the object, if it is a variable.
    #[must_use]
    pub fn object_variable(&self) -> Option<&str> {
        variable_of(self.object.as_ref()?)
    }

    /// The subject, if it is an IRI.
    #[must_use]
    pub fn subject_iri(&self) -> Option<&str> {
        iri_of(self.subject.as_ref()?)
    }

    /// The object, if it is an IRI.
    #[must_use]
    pub fn object_iri(&self) -> Option<&str> {
        iri_of(self.object.as_ref()?)
    }

    /// The object, if it is an IRI or a literal.
    #[must_use]
    pub fn object_constant(&self) -> Option<Term> {
        constant(self.object.as_ref()?)
    }

    /// The object, if it is a string.
    #[must_use]
    pub fn object_text(&self) -> Option<&str> {
        match self.object.as_ref()? {
            TermPattern::Literal(literal) => super::texts::of_literal(literal),
            _ => None,
        }
    }

    /// Whether the two atoms share a variable or a blank node.
    #[must_use]
    pub fn joins(&self, other: &Self) -> bool {
        !self.nodes().is_disjoint(&other.nodes())
    }

    /// Its variables and blank nodes.
    pub(crate) fn nodes(&self) -> BTreeSet<String> {
        let blank = [&self.subject, &self.object].into_iter().flatten().filter_map(|end| match end {
            TermPattern::BlankNode(node) => Some(node.to_string()),
            _ => None,
        });
        self.variables.iter().cloned().chain(blank).collect()
    }
}

/// The parts that must all match for the query to have a solution. OPTIONAL parts are left out; a UNION or other group is one part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conjunction {
    /// The parts, in query order.
    pub atoms: Vec<Atom>,
    /// The filters on rows and on groups (HAVING).
    pub filters: Vec<Filter>,
}

impl Conjunction {
    /// The conjunction of a pattern.
    pub(crate) fn of(pattern: &GraphPattern) -> Self {
        let mut found = Self::default();
        found.collect(pattern);
        found
    }

    /// The filters on rows, without HAVING, whose aggregates have no value when only the parts are matched.
    pub fn row_filters(&self) -> impl Iterator<Item = &Filter> {
        self.filters.iter().filter(|filter| !filter.is_having)
    }

    fn collect(&mut self, pattern: &GraphPattern) {
        use GraphPattern as P;
        match pattern {
            P::Bgp { .. } | P::Path { .. } => self.atoms.extend(Atom::of(pattern, Place::Certain)),
            P::Join { left, right } => {
                self.collect(left);
                self.collect(right);
            }
            P::LeftJoin { left, .. } | P::Minus { left, .. } => self.collect(left),
            P::Filter { expr, inner } => {
                self.collect(inner);
                self.filters.push(Filter::new(expr, is_grouped(inner)));
            }
            P::Extend { inner, .. }
            | P::OrderBy { inner, .. }
            | P::Project { inner, .. }
            | P::Distinct { inner }
            | P::Reduced { inner }
            | P::Slice { inner, .. }
            | P::Group { inner, .. } => self.collect(inner),
            group => self.atoms.push(Atom::of_group(group)),
        }
    }
}

/// Whether a filter on this pattern is a HAVING.
fn is_grouped(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Group { .. } => true,
        GraphPattern::Filter { inner, .. } | GraphPattern::Extend { inner, .. } => is_grouped(inner),
        _ => false,
    }
}

fn named<'a>(variables: impl IntoIterator<Item = Option<&'a str>>) -> Vec<String> {
    each_once(variables.into_iter().flatten()).into_iter().map(str::to_owned).collect()
}

fn iri_of(term: &TermPattern) -> Option<&str> {
    match term {
        TermPattern::NamedNode(node) => Some(node.as_str()),
        _ => None,
    }
}

/// The properties that a path follows; not those that it excludes.
fn steps(path: &PropertyPathExpression) -> Vec<String> {
    let along = walk_from(Node::Path(path)).filter_map(|(node, _)| match node {
        Node::Path(PropertyPathExpression::NamedNode(property)) => Some(property.as_str().to_owned()),
        _ => None,
    });
    along.collect()
}

#[cfg(test)]
mod tests {
    use super::{AtomKind, Place};
    use crate::{Prefixes, QueryPolicy, check};

    #[test]
    fn the_core_leaves_out_what_may_be_missing() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT (COUNT(?x) AS ?n) { ?x a e:C ; e:p/e:q \"v\" . OPTIONAL { ?x e:o ?y } \
                    { ?x e:r e:A } UNION { ?x e:r e:B } FILTER(?x != e:Z) }";
        let core = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let core = &core.model().conjunction;
        let texts: Vec<&str> = core.atoms.iter().map(|atom| atom.text.as_str()).collect();
        assert!(texts.iter().any(|text| text.ends_with("<http://e/C>")), "{texts:?}");
        assert!(
            texts.iter().any(|text| text.contains("<http://e/q>") && text.contains("\"v\"")),
            "{texts:?}"
        );
        assert!(texts.iter().any(|text| text.contains("UNION")), "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains("<http://e/o>")), "{texts:?}");
        assert_eq!(core.filters.len(), 1);
    }

    #[test]
    fn a_condition_on_groups_is_not_a_filter_on_rows() {
        let prefixes = Prefixes::default();
        let text = "SELECT ?x { ?x a <http://e/C> ; <http://e/p> ?y FILTER(?y > 1) } \
                    GROUP BY ?x HAVING (COUNT(?y) > 1) (SUM(?y) > 3)";
        let core = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let core = &core.model().conjunction;
        let of_rows: Vec<&str> = core.row_filters().map(|filter| filter.text.as_str()).collect();
        assert!(matches!(of_rows.as_slice(), [only] if only.contains("?y")), "{:?}", core.filters);
        assert!(core.filters.len() > 1, "{:?}", core.filters);
    }

    #[test]
    fn patterns_are_found_everywhere() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT ?x { ?x e:a e:B . ?x e:p/e:q ?v . ?x e:r* ?w OPTIONAL { ?x ?any 1 } FILTER NOT EXISTS { ?x e:z ?v } }";
        let query = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let patterns = &query.model().atoms;
        let of =
            |iri: &str| patterns.iter().find(|pattern| pattern.predicates == [format!("http://e/{iri}")]);
        assert_eq!(of("a").and_then(|pattern| pattern.object_iri()), Some("http://e/B"));
        assert_eq!(of("p").map(|first| &first.object), of("q").map(|second| &second.subject));
        assert!(of("r").unwrap().kind == AtomKind::Path && of("z").unwrap().kind == AtomKind::Triple);
        assert!(patterns.iter().any(|pattern| pattern.predicates.is_empty()));
    }

    #[test]
    fn what_holds_for_every_row_is_told_from_the_rest() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT ?x (COUNT(?v) AS ?n) { ?x e:p ?v . { ?x e:a 1 } UNION { ?x e:b 2 } OPTIONAL { ?x e:o ?w } \
                    MINUS { ?x e:m 1 } FILTER NOT EXISTS { ?x e:z 1 } { SELECT ?x { ?x e:s ?y } } } GROUP BY ?x";
        let query = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let names = |place: Place| -> Vec<String> {
            let there = query.model().atoms.iter().filter(|atom| atom.place == place);
            let mut names: Vec<String> =
                there.flat_map(|atom| &atom.predicates).map(|iri| iri.replace("http://e/", "")).collect();
            names.sort();
            names
        };
        assert_eq!(names(Place::Certain), ["p", "s"]);
        assert_eq!(names(Place::Optional), ["o"]);
        assert_eq!(names(Place::Possible), ["a", "b"]);
        assert_eq!(names(Place::Negated), ["m", "z"]);
    }
}
