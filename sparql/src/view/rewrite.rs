//! Rewrites the patterns of a query: constants that are hidden are refused, variables and blank nodes get guards.

use super::guards::{Guards, all, and};
use super::hidden::HiddenTerms;
use super::paths::Closure;
use super::refuse;
use crate::query::algebra::{expressions_mut, in_scope, parts_mut, patterns_mut};
use crate::query::select::Select;
use crate::{CheckedQuery, QueryError};
use oxrdf::{NamedNode, Variable};
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeMap;

const NAMED: &str = "it names something that cannot be used here; leave it out";

/// A rewritten pattern with the guards that are still to be put around it.
pub(super) struct Part {
    pub(super) pattern: GraphPattern,
    pub(super) guards: Guards,
}

impl Part {
    fn unguarded(pattern: GraphPattern) -> Self {
        Self { pattern, guards: Guards::default() }
    }

    pub(super) fn join(self, other: Self) -> Self {
        let (left, right) = (Box::new(self.pattern), Box::new(other.pattern));
        Self { pattern: GraphPattern::Join { left, right }, guards: self.guards.and(other.guards) }
    }

    /// The same with the pattern changed to one in whose solutions the guards can be tested as well.
    fn within(self, change: impl FnOnce(Box<GraphPattern>) -> GraphPattern) -> Self {
        Self { pattern: change(Box::new(self.pattern)), guards: self.guards }
    }
}

type Rewritten<T> = Result<T, QueryError>;

/// The rewriting of one query.
pub(super) struct Rewriting<'a> {
    pub(super) hidden: &'a HiddenTerms,
    /// What no name in the query begins with.
    prefix: String,
    made: usize,
    /// The variables in the place of blank nodes.
    blank: BTreeMap<String, Variable>,
    /// The graph in whose pattern the rewriting is.
    pub(super) graph: Option<NamedNodePattern>,
    pub(super) in_service: bool,
    /// Paths of any length in the query.
    pub(super) closures: Vec<Closure>,
}

impl<'a> Rewriting<'a> {
    pub(super) fn new(hidden: &'a HiddenTerms, query: &CheckedQuery) -> Self {
        let (text, mut prefix) = (query.algebra().to_string(), "seen".to_owned());
        while text.contains(&prefix) {
            prefix.push('n');
        }
        Self {
            hidden,
            prefix,
            made: 0,
            blank: BTreeMap::new(),
            graph: None,
            in_service: false,
            closures: Vec::new(),
        }
    }

    /// A whole group.
    pub(super) fn whole(&mut self, pattern: &GraphPattern) -> Rewritten<GraphPattern> {
        if self.hidden.is_empty() { Ok(pattern.clone()) } else { self.group(pattern.clone()) }
    }

    /// Template and pattern of a CONSTRUCT that returns the visible triples about what a DESCRIBE describes.
    pub(super) fn described(
        &mut self,
        pattern: &GraphPattern,
    ) -> Rewritten<(Vec<TriplePattern>, GraphPattern)> {
        let columns = Select::of(pattern).columns.unwrap_or_default().to_vec();
        let [subject, predicate, object] = [self.fresh(), self.fresh(), self.fresh()];
        let triple = |subject: Variable| TriplePattern {
            subject: subject.into(),
            predicate: predicate.clone().into(),
            object: object.clone().into(),
        };
        let about = |column: Variable| {
            let about = GraphPattern::Bgp { patterns: vec![triple(column.clone())] };
            let joined = GraphPattern::Join { left: Box::new(pattern.clone()), right: Box::new(about) };
            let (variable, expression) = (subject.clone(), Expression::Variable(column));
            GraphPattern::Extend { inner: Box::new(joined), variable, expression }
        };
        let any = columns.into_iter().map(about).reduce(union).unwrap_or_default();
        Ok((vec![triple(subject.clone())], self.whole(&any)?))
    }

    pub(super) fn refuse_template(&self, template: &[TriplePattern]) -> Rewritten<()> {
        template.iter().try_for_each(|triple| {
            self.refuse_term(&triple.subject)?;
            self.refuse_name(&triple.predicate)?;
            self.refuse_term(&triple.object)
        })
    }

    pub(super) fn fresh(&mut self) -> Variable {
        self.made += 1;
        Variable::new_unchecked(format!("{}{}", self.prefix, self.made))
    }

    /// A pattern with its guards around it.
    pub(super) fn group(&mut self, pattern: GraphPattern) -> Rewritten<GraphPattern> {
        let part = self.part(pattern)?;
        Ok(self.closed(part))
    }

    pub(super) fn closed(&mut self, Part { pattern, guards }: Part) -> GraphPattern {
        match self.condition(&guards) {
            Some(expr) => GraphPattern::Filter { expr, inner: Box::new(pattern) },
            None => pattern,
        }
    }

    fn condition(&mut self, guards: &Guards) -> Option<Expression> {
        let loose = guards.unanchored().into_iter().map(|end| self.stands_somewhere(&end));
        let loose: Vec<Expression> = loose.collect();
        all(guards.conditions(self.hidden).into_iter().chain(loose))
    }

    /// That a term is subject or object of a visible triple.
    fn stands_somewhere(&mut self, term: &TermPattern) -> Expression {
        let as_object = self.triple_with(|other| [other.into(), term.clone()]);
        let found = match term {
            TermPattern::Literal(_) => as_object,
            _ => union(self.triple_with(|other| [term.clone(), other.into()]), as_object),
        };
        Expression::Exists(Box::new(found))
    }

    /// A visible triple with these ends, one of which is a new variable.
    fn triple_with(&mut self, ends: impl FnOnce(Variable) -> [TermPattern; 2]) -> GraphPattern {
        let [predicate, other] = [self.fresh(), self.fresh()];
        let guards = Guards {
            nodes: [other.clone()].into(),
            predicates: [predicate.clone()].into(),
            ..Guards::default()
        };
        let [subject, object] = ends(other);
        let triple = TriplePattern { subject, predicate: predicate.into(), object };
        self.closed(Part { pattern: GraphPattern::Bgp { patterns: vec![triple] }, guards })
    }

    fn part(&mut self, pattern: GraphPattern) -> Rewritten<Part> {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => self.triples(patterns),
            P::Path { subject, path, object } => {
                let (subject, object) = (self.end(subject)?, self.end(object)?);
                self.path(subject, path, object)
            }
            P::Join { left, right } => Ok(self.part(*left)?.join(self.part(*right)?)),
            P::LeftJoin { left, right, expression } => self.optional(*left, *right, expression),
            P::Filter { mut expr, inner } => {
                let part = self.part(*inner)?;
                self.expression(&mut expr)?;
                Ok(part.within(|inner| P::Filter { expr, inner }))
            }
            P::Extend { inner, variable, mut expression } => {
                let part = self.part(*inner)?;
                self.expression(&mut expression)?;
                Ok(part.within(|inner| P::Extend { inner, variable, expression }))
            }
            P::Minus { left, right } => {
                let (part, right) = (self.part(*left)?, Box::new(self.group(*right)?));
                Ok(part.within(|left| P::Minus { left, right }))
            }
            P::Graph { name, inner } => self.graph(name, *inner),
            P::Service { name, inner, silent } => self.service(name, *inner, silent),
            other => self.apart(other).map(Part::unguarded),
        }
    }

    /// A pattern whose parts are groups of their own.
    fn apart(&mut self, mut pattern: GraphPattern) -> Rewritten<GraphPattern> {
        if let GraphPattern::Values { bindings, .. } = &pattern {
            bindings.iter().flatten().flatten().try_for_each(|term| self.refuse_ground(term))?;
        }
        keep_out_of_counts(&mut pattern);
        if let GraphPattern::Project { variables, .. } = &mut pattern
            && variables.is_empty()
        {
            // `SELECT *` without any variable must not return those in the place of blank nodes.
            variables.push(self.fresh());
        }
        for inner in patterns_mut(&mut pattern) {
            *inner = self.group(std::mem::take(inner))?;
        }
        for expression in parts_mut(&mut pattern).1 {
            self.expression(expression)?;
        }
        Ok(pattern)
    }

    fn triples(&mut self, patterns: Vec<TriplePattern>) -> Rewritten<Part> {
        let mut guards = Guards::default();
        let mut seen = Vec::with_capacity(patterns.len());
        for TriplePattern { subject, predicate, object } in patterns {
            let (subject, object) = (self.end(subject)?, self.end(object)?);
            self.refuse_name(&predicate)?;
            if let NamedNodePattern::Variable(variable) = &predicate {
                guards.predicates.insert(variable.clone());
            }
            for end in [&subject, &object] {
                guards.nodes.extend(variable_of(end));
                guards.anchored.extend(variable_of(end));
            }
            seen.push(TriplePattern { subject, predicate, object });
        }
        Ok(Part { pattern: GraphPattern::Bgp { patterns: seen }, guards })
    }

    fn optional(
        &mut self,
        left: GraphPattern,
        right: GraphPattern,
        expression: Option<Expression>,
    ) -> Rewritten<Part> {
        let (part, right) = (self.part(left)?, self.part(right)?);
        let expression = match expression {
            Some(mut own) => {
                self.expression(&mut own)?;
                Some(own)
            }
            None => None,
        };
        let expression = match (expression, self.condition(&right.guards)) {
            (Some(own), Some(guard)) => Some(and(own, guard)),
            (own, guard) => own.or(guard),
        };
        let right = Box::new(right.pattern);
        Ok(part.within(|left| GraphPattern::LeftJoin { left, right, expression }))
    }

    fn graph(&mut self, name: NamedNodePattern, inner: GraphPattern) -> Rewritten<Part> {
        self.refuse_name(&name)?;
        let outside = self.graph.replace(name.clone());
        let inner = self.group(inner);
        self.graph = outside;
        let mut guards = Guards::default();
        if let NamedNodePattern::Variable(variable) = &name {
            guards.graphs.insert(variable.clone());
        }
        Ok(Part { pattern: GraphPattern::Graph { name, inner: Box::new(inner?) }, guards })
    }

    fn service(&mut self, name: NamedNodePattern, inner: GraphPattern, silent: bool) -> Rewritten<Part> {
        let outside = std::mem::replace(&mut self.in_service, true);
        let inner = self.group(inner);
        self.in_service = outside;
        Ok(Part::unguarded(GraphPattern::Service { name, inner: Box::new(inner?), silent }))
    }

    fn expression(&mut self, expression: &mut Expression) -> Rewritten<()> {
        match expression {
            Expression::Exists(pattern) => {
                **pattern = self.group(std::mem::take(pattern))?;
                Ok(())
            }
            Expression::NamedNode(node) => self.refuse_iri(node),
            Expression::Literal(literal) => self.refuse_text(literal.value()),
            other => expressions_mut(other).into_iter().try_for_each(|part| self.expression(part)),
        }
    }

    /// Subject or object of a pattern: a blank node becomes a variable, so that it can have a guard.
    fn end(&mut self, term: TermPattern) -> Rewritten<TermPattern> {
        self.refuse_term(&term)?;
        let TermPattern::BlankNode(node) = term else { return Ok(term) };
        if let Some(variable) = self.blank.get(node.as_str()) {
            return Ok(variable.clone().into());
        }
        let variable = self.fresh();
        self.blank.insert(node.as_str().to_owned(), variable.clone());
        Ok(variable.into())
    }

    fn refuse_term(&self, term: &TermPattern) -> Rewritten<()> {
        match term {
            TermPattern::NamedNode(node) => self.refuse_iri(node),
            TermPattern::Literal(literal) => self.refuse_text(literal.value()),
            TermPattern::BlankNode(_) | TermPattern::Variable(_) => Ok(()),
        }
    }

    fn refuse_ground(&self, term: &GroundTerm) -> Rewritten<()> {
        match term {
            GroundTerm::NamedNode(node) => self.refuse_iri(node),
            GroundTerm::Literal(literal) => self.refuse_text(literal.value()),
        }
    }

    fn refuse_name(&self, name: &NamedNodePattern) -> Rewritten<()> {
        match name {
            NamedNodePattern::NamedNode(node) => self.refuse_iri(node),
            NamedNodePattern::Variable(_) => Ok(()),
        }
    }

    pub(super) fn refuse_iri(&self, node: &NamedNode) -> Rewritten<()> {
        self.refuse_text(node.as_str())
    }

    fn refuse_text(&self, text: &str) -> Rewritten<()> {
        if self.hidden.hides(text) { refuse(NAMED) } else { Ok(()) }
    }
}

/// `COUNT(DISTINCT *)` counts all variables: those in the place of blank nodes must not be among them.
fn keep_out_of_counts(pattern: &mut GraphPattern) {
    let GraphPattern::Group { inner, aggregates, .. } = pattern else { return };
    let counts =
        |one: &AggregateExpression| matches!(one, AggregateExpression::CountSolutions { distinct: true });
    if aggregates.iter().any(|(_, aggregate)| counts(aggregate)) {
        let variables = in_scope(inner).into_iter().map(Variable::new_unchecked).collect();
        **inner = GraphPattern::Project { inner: std::mem::take(inner), variables };
    }
}

pub(super) fn variable_of(term: &TermPattern) -> Option<Variable> {
    match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        _ => None,
    }
}

pub(super) fn union(left: GraphPattern, right: GraphPattern) -> GraphPattern {
    GraphPattern::Union { left: Box::new(left), right: Box::new(right) }
}
