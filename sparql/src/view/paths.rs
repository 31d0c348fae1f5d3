//! Property paths. What stands in the middle of a path has no variable: a sequence becomes triples with a variable between them. A path of
//! any length cannot be written so. It is kept, but runs only where nothing hidden stands in its middle, which the graph is asked
//! first.

use super::form;
use super::guards::Guards;
use super::hidden::HiddenTerms;
use super::refuse;
use super::rewrite::{Part, Rewriting, union, variable_of};
use crate::QueryError;
use oxrdf::{NamedNode, Variable};
use spargebra::Query;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

type Path = PropertyPathExpression;

/// What is repeated in a path of any length, and the graph in which.
pub(super) struct Closure {
    repeated: Path,
    graph: Option<NamedNodePattern>,
}

impl Rewriting<'_> {
    pub(super) fn path(
        &mut self,
        subject: TermPattern,
        path: Path,
        object: TermPattern,
    ) -> Result<Part, QueryError> {
        match path {
            Path::NamedNode(node) => self.step(subject, node, object),
            Path::Reverse(path) => self.path(object, *path, subject),
            Path::Sequence(first, second) => {
                let middle: TermPattern = self.fresh().into();
                let first = self.path(subject, *first, middle.clone())?;
                Ok(first.join(self.path(middle, *second, object)?))
            }
            Path::Alternative(first, second) if !(is_plain(&first) && is_plain(&second)) => {
                let first = self.path(subject.clone(), *first, object.clone())?;
                let second = self.path(subject, *second, object)?;
                let pattern = union(self.closed(first), self.closed(second));
                Ok(Part { pattern, guards: Guards::default() })
            }
            path => self.kept(subject, path, object),
        }
    }

    fn step(
        &self,
        subject: TermPattern,
        predicate: NamedNode,
        object: TermPattern,
    ) -> Result<Part, QueryError> {
        self.refuse_iri(&predicate)?;
        let guards = ends(&subject, &object, false);
        let triple = TriplePattern { subject, predicate: predicate.into(), object };
        Ok(Part { pattern: GraphPattern::Bgp { patterns: vec![triple] }, guards })
    }

    /// A path that stays one.
    fn kept(
        &mut self,
        subject: TermPattern,
        mut path: Path,
        object: TermPattern,
    ) -> Result<Part, QueryError> {
        self.narrow(&mut path)?;
        self.note_closure(&path)?;
        let guards = ends(&subject, &object, has_zero_length(&path));
        Ok(Part { pattern: GraphPattern::Path { subject, path, object }, guards })
    }

    /// Refuses hidden steps, and adds hidden terms to negated sets.
    fn narrow(&self, path: &mut Path) -> Result<(), QueryError> {
        match path {
            Path::NamedNode(node) => self.refuse_iri(node),
            Path::Reverse(inner)
            | Path::ZeroOrMore(inner)
            | Path::OneOrMore(inner)
            | Path::ZeroOrOne(inner) => self.narrow(inner),
            Path::Sequence(first, second) | Path::Alternative(first, second) => {
                self.narrow(first)?;
                self.narrow(second)
            }
            Path::NegatedPropertySet(nodes) => {
                nodes.iter().try_for_each(|node| self.refuse_iri(node))?;
                if !self.hidden.namespaces.is_empty() {
                    return refuse(
                        "a path of all properties but some (`!`) cannot be used here; name the properties",
                    );
                }
                nodes.extend(self.hidden.terms.iter().map(|iri| NamedNode::new_unchecked(iri.as_str())));
                Ok(())
            }
        }
    }

    fn note_closure(&mut self, path: &Path) -> Result<(), QueryError> {
        let repeated = match path {
            Path::ZeroOrOne(inner) if is_plain(inner) => return Ok(()),
            Path::ZeroOrMore(inner) | Path::OneOrMore(inner) | Path::ZeroOrOne(inner) => inner,
            _ => return Ok(()),
        };
        if self.in_service {
            return refuse("a path of any length (`*`, `+`) cannot stand in SERVICE here");
        }
        self.closures.push(Closure { repeated: repeated.as_ref().clone(), graph: self.graph.clone() });
        Ok(())
    }
}

impl Closure {
    /// An ASK for something hidden in the middle of the path.
    pub(super) fn check(&self, query: &Query, hidden: &HiddenTerms) -> String {
        let [middle, before, after, graph] = ["m", "b", "a", "g"].map(Variable::new_unchecked);
        let path = |subject: &Variable, path: Path, object: &Variable| GraphPattern::Path {
            subject: subject.clone().into(),
            path,
            object: object.clone().into(),
        };
        let met = if is_plain(&self.repeated) {
            let into = path(&before, self.repeated.clone(), &middle);
            join(into, path(&middle, self.repeated.clone(), &after))
        } else {
            let mut steps = steps(&self.repeated).into_iter();
            let any = steps
                .next()
                .map(|first| steps.fold(first, |any, step| Path::Alternative(Box::new(any), Box::new(step))));
            any.map_or_else(GraphPattern::default, |any| path(&middle, any, &after))
        };
        let found = hidden_in(met, &middle, hidden);
        form::ask(
            query,
            &match &self.graph {
                Some(NamedNodePattern::Variable(_)) => in_graph(graph.into(), found),
                Some(name) => in_graph(name.clone(), found),
                None => found,
            },
        )
    }
}

/// The solutions of a pattern in which a variable is something hidden.
fn hidden_in(pattern: GraphPattern, variable: &Variable, hidden: &HiddenTerms) -> GraphPattern {
    let terms = (!hidden.terms.is_empty()).then(|| {
        let term = |iri: &String| vec![Some(GroundTerm::NamedNode(NamedNode::new_unchecked(iri.as_str())))];
        let bindings = hidden.terms.iter().map(term).collect();
        join(GraphPattern::Values { variables: vec![variable.clone()], bindings }, pattern.clone())
    });
    let within = hidden.is_within(variable);
    let within = within.map(|expr| GraphPattern::Filter { expr, inner: Box::new(pattern) });
    terms.into_iter().chain(within).reduce(union).unwrap_or_default()
}

fn join(left: GraphPattern, right: GraphPattern) -> GraphPattern {
    GraphPattern::Join { left: Box::new(left), right: Box::new(right) }
}

fn in_graph(name: NamedNodePattern, inner: GraphPattern) -> GraphPattern {
    GraphPattern::Graph { name, inner: Box::new(inner) }
}

fn ends(subject: &TermPattern, object: &TermPattern, may_be_same: bool) -> Guards {
    let variables: Vec<Variable> = [subject, object].into_iter().filter_map(variable_of).collect();
    let mut guards = Guards { nodes: variables.iter().cloned().collect(), ..Guards::default() };
    match may_be_same {
        false => guards.anchored.extend(variables),
        true => guards.loose.push([subject.clone(), object.clone()]),
    }
    guards
}

/// Whether a path is one step, of several kinds at most: nothing stands in its middle.
fn is_plain(path: &Path) -> bool {
    match path {
        Path::NamedNode(_) | Path::NegatedPropertySet(_) => true,
        Path::Reverse(inner) => is_plain(inner),
        Path::Alternative(first, second) => is_plain(first) && is_plain(second),
        Path::Sequence(..) | Path::ZeroOrMore(_) | Path::OneOrMore(_) | Path::ZeroOrOne(_) => false,
    }
}

/// Whether a path leads from a term to itself without any triple.
fn has_zero_length(path: &Path) -> bool {
    match path {
        Path::NamedNode(_) | Path::NegatedPropertySet(_) => false,
        Path::Reverse(inner) | Path::OneOrMore(inner) => has_zero_length(inner),
        Path::Sequence(first, second) => has_zero_length(first) && has_zero_length(second),
        Path::Alternative(first, second) => has_zero_length(first) || has_zero_length(second),
        Path::ZeroOrMore(_) | Path::ZeroOrOne(_) => true,
    }
}

/// The single steps of a path, forwards and backwards.
fn steps(path: &Path) -> Vec<Path> {
    match path {
        Path::NamedNode(_) | Path::NegatedPropertySet(_) => {
            vec![path.clone(), Path::Reverse(Box::new(path.clone()))]
        }
        Path::Reverse(inner) | Path::ZeroOrMore(inner) | Path::OneOrMore(inner) | Path::ZeroOrOne(inner) => {
            steps(inner)
        }
        Path::Sequence(first, second) | Path::Alternative(first, second) => {
            steps(first).into_iter().chain(steps(second)).collect()
        }
    }
}
