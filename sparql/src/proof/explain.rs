//! Explains one solution of a pattern part by part, with a separate form for each construct.

use super::ask::{BoundedAsking, Unknown, evaluation, given};
use super::{Note, Part, Statement};
use crate::query::algebra::{branches, in_scope, not_exists, variables};
use crate::query::edit::restrict::ground;
use crate::query::explain::formula::{
    Aggregates, FormulaMaker, key, looks_into_graph, path, truth, worked_out,
};
use crate::query::explain::outline::Outliner;
use crate::query::scope::always;
use crate::query::write::SparqlWriter;
use crate::query::{Clause, Formula, Known};
use oxrdf::{NamedNode, Term, Variable};
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

/// Maximum values of a VALUES that are listed.
const MAX_LISTED: usize = 20;

/// The future of a recursive async step.
pub(super) type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Explains patterns using the bindings of one solution.
pub(super) struct Explainer<'a> {
    pub(super) asking: BoundedAsking<'a>,
    pub(super) aggregates: Aggregates,
}

impl<'a> Explainer<'a> {
    /// The parts of a pattern; `known` has all its variables.
    pub(super) fn explain<'s>(
        &'s mut self,
        pattern: &'s GraphPattern,
        known: &'s Known,
        optional: bool,
    ) -> Later<'s, Vec<Part>>
    where
        'a: 's,
    {
        Box::pin(async move {
            let mut out = Vec::new();
            self.add(pattern, known, optional, &mut out).await;
            out
        })
    }

    /// Walks the leftmost spine of the pattern iteratively: long queries are deep there, and recursion would use up the stack.
    async fn add(&mut self, pattern: &GraphPattern, known: &Known, optional: bool, out: &mut Vec<Part>) {
        let mut around = Vec::new();
        let mut innermost = pattern;
        while let Some(first) = first_part(innermost) {
            around.push(innermost);
            innermost = first;
        }
        self.innermost(innermost, known, optional, out).await;
        for pattern in around.into_iter().rev() {
            self.behind(pattern, known, optional, out).await;
        }
    }

    async fn innermost(
        &mut self,
        pattern: &GraphPattern,
        known: &Known,
        optional: bool,
        out: &mut Vec<Part>,
    ) {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => {
                let found = patterns.iter().filter_map(|triple| statement(triple, known));
                out.extend(found.map(|triple| Part::Triple { triple, optional }));
            }
            P::Path { subject, path: way, object } => {
                let ends = (value(subject, known), value(object, known));
                if let (Some(subject), Some(object)) = ends {
                    out.push(self.way(subject, way, object).await);
                }
            }
            P::Union { .. } => out.extend(self.either(pattern, known, optional).await),
            P::Values { variables, bindings } => out.extend(listed(variables, bindings, known)),
            P::Group { inner, variables, aggregates } => {
                out.extend(self.group(inner, variables, aggregates, known).await);
            }
            P::Service { .. } => self.asking.note(Note::Elsewhere),
            subquery => out.extend(self.subquery(subquery, known, optional).await),
        }
    }

    /// Adds the parts of a pattern other than those of its first operand.
    async fn behind(&mut self, pattern: &GraphPattern, known: &Known, optional: bool, out: &mut Vec<Part>) {
        use GraphPattern as P;
        match pattern {
            P::Join { right, .. } | P::Lateral { right, .. } => {
                out.extend(self.explain(right, known, optional).await);
            }
            P::Filter { expr, .. } => out.extend(self.condition(expr, known).await),
            P::LeftJoin { left, right, expression } => {
                self.optional(left, (right, expression.as_ref()), known, out).await;
            }
            P::Minus { right, .. } => out.push(self.absent(right, known)),
            P::Extend { variable, expression, .. } => {
                out.extend(self.named(variable.as_str(), expression, known).await);
            }
            _ => {}
        }
    }

    /// Whether the OPTIONAL matched follows from its variables, or needs a query.
    async fn optional(
        &mut self,
        left: &GraphPattern,
        (right, condition): (&GraphPattern, Option<&Expression>),
        known: &Known,
        out: &mut Vec<Part>,
    ) {
        let own = &in_scope(right) - &in_scope(left);
        let is_bound = |name: &String| known.get(name).is_some_and(Option::is_some);
        let there = if own.iter().any(is_bound) {
            true
        } else if own.intersection(&always(right)).next().is_some() {
            false
        } else {
            let filtered = match condition {
                Some(expr) => GraphPattern::Filter { expr: expr.clone(), inner: Box::new(right.clone()) },
                None => right.clone(),
            };
            let Ok(found) = self.asking.solve(&correlated(&filtered, known), known).await else { return };
            found.is_some()
        };
        if there {
            out.extend(self.explain(right, known, true).await);
            if let Some(condition) = condition {
                out.extend(self.condition(condition, known).await);
            }
        } else {
            let (clauses, pattern) = self.outlined(right, known);
            out.push(Part::OptionalMissing { clauses, pattern });
        }
    }

    pub(super) fn absent(&self, pattern: &GraphPattern, known: &Known) -> Part {
        let (clauses, pattern) = self.outlined(pattern, known);
        Part::Absent { clauses, pattern }
    }

    /// The clauses and the text of a pattern with bound variables replaced by their values.
    fn outlined(&self, pattern: &GraphPattern, known: &Known) -> (Vec<Clause>, String) {
        let mut names = in_scope(pattern);
        names.extend(outer_names(pattern));
        let mut known = known.clone();
        known.retain(|name, value| names.contains(name) && value.is_some());
        let outliner = Outliner { aggregates: &self.aggregates, known: &known };
        (outliner.clauses(pattern, false), SparqlWriter::with(&known).pattern(pattern))
    }

    async fn either(&mut self, pattern: &GraphPattern, known: &Known, optional: bool) -> Vec<Part> {
        let all = branches(pattern);
        let is_bound = |name: &String| known.get(name).is_some_and(Option::is_some);
        let possible: Vec<usize> = (0..all.len())
            .filter(|at| all.get(*at).is_some_and(|branch| always(branch).iter().all(is_bound)))
            .collect();
        for at in &possible {
            let Some(branch) = all.get(*at) else { continue };
            let found = match possible.len() {
                1 => Some(known.clone()),
                _ => self.asking.solve(branch, known).await.ok().flatten(),
            };
            if found.is_some() {
                let (clauses, _) = self.outlined(branch, known);
                let mut parts = vec![Part::Either { branch: at + 1, of: all.len(), clauses }];
                parts.extend(self.explain(branch, known, optional).await);
                return parts;
            }
        }
        Vec::new()
    }

    /// A BIND is explained by its expression; an alias of an aggregate is explained by its members elsewhere.
    async fn named(&mut self, name: &str, expression: &Expression, known: &Known) -> Option<Part> {
        if matches!(expression, Expression::Variable(of) if self.aggregates.contains_key(of.as_str())) {
            return None;
        }
        let value = known.get(name).cloned().flatten();
        let mut found = self.worked_out(expression, known, value.is_some()).await;
        found.extend(value.clone().map(|value| (key(expression), value)));
        let formula =
            FormulaMaker { aggregates: &self.aggregates, known, found: Some(&found) }.formula(expression);
        Some(Part::Named { name: name.to_owned(), formula, value })
    }

    /// An expression with the values of its subexpressions, computed by the endpoint.
    pub(super) async fn formula(&mut self, expression: &Expression, known: &Known) -> Formula {
        let found = self.worked_out(expression, known, false).await;
        FormulaMaker { aggregates: &self.aggregates, known, found: Some(&found) }.formula(expression)
    }

    /// The values of the subexpressions, by their text; the whole expression is skipped if its value is known.
    async fn worked_out(
        &mut self,
        expression: &Expression,
        known: &Known,
        is_known: bool,
    ) -> BTreeMap<String, Term> {
        let nameless = |name: &str| matches!(known.get(name), Some(Some(Term::BlankNode(_))));
        let mut texts: Vec<String> = worked_out(expression)
            .into_iter()
            .filter(|part| !(is_known && std::ptr::eq(*part, expression)))
            .filter(|part| !variables(part).iter().any(|name| nameless(name)))
            .map(key)
            .collect();
        texts.sort();
        texts.dedup();
        if texts.is_empty() {
            return BTreeMap::new();
        }
        let mut given: Vec<(&str, &Term)> = variables(expression)
            .into_iter()
            .filter_map(|name| Some((name, known.get(name)?.as_ref().filter(|term| ground(term).is_some())?)))
            .collect();
        given.sort_by_key(|(name, _)| *name);
        let rows = self.asking.rows(&evaluation(&texts, &given)).await.unwrap_or_default();
        let Some(row) = rows.into_iter().next() else { return BTreeMap::new() };
        let value = |at: usize| row.get(&format!("_v{at}")).cloned().flatten();
        texts.into_iter().enumerate().filter_map(|(at, text)| Some((text, value(at)?))).collect()
    }

    /// The parts of a condition that is true for the solution.
    pub(super) fn condition<'s>(
        &'s mut self,
        expression: &'s Expression,
        known: &'s Known,
    ) -> Later<'s, Vec<Part>>
    where
        'a: 's,
    {
        Box::pin(async move {
            match (expression, not_exists(expression)) {
                (Expression::And(a, b), _) => {
                    let mut parts = self.condition(a, known).await;
                    parts.extend(self.condition(b, known).await);
                    parts
                }
                (Expression::Exists(pattern), _) => self.there(pattern, known).await,
                (_, Some(pattern)) => vec![self.absent(pattern, known)],
                (Expression::Or(a, b), _) if looks_into_graph(expression) => self.one_of(a, b, known).await,
                _ => self.plain(expression, known).await,
            }
        })
    }

    async fn plain(&mut self, expression: &Expression, known: &Known) -> Vec<Part> {
        let formula = self.formula(expression, known).await;
        let holds = truth(formula.value()).unwrap_or(true);
        vec![Part::Condition { formula, holds }]
    }

    /// The match of an EXISTS.
    async fn there(&mut self, pattern: &GraphPattern, known: &Known) -> Vec<Part> {
        match self.asking.solve(&correlated(pattern, known), known).await {
            Ok(Some(found)) => {
                let mut all = known.clone();
                all.extend(found);
                self.explain(pattern, &all, false).await
            }
            _ => Vec::new(),
        }
    }

    /// The first true operand of an OR that queries the graph.
    async fn one_of(&mut self, a: &Expression, b: &Expression, known: &Known) -> Vec<Part> {
        for (at, one) in [a, b].into_iter().enumerate() {
            if self.holds(one, known).await.unwrap_or(at == 1) {
                return self.condition(one, known).await;
            }
        }
        Vec::new()
    }

    /// Whether a condition is true for the known values.
    async fn holds(&mut self, expression: &Expression, known: &Known) -> Result<bool, Unknown> {
        let terms = known.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?)));
        let known: Vec<(&str, &Term)> = terms.filter(|(_, term)| ground(term).is_some()).collect();
        let filter = SparqlWriter::default().filter(expression);
        self.asking.holds(&format!("ASK {{ {} {filter} }}", given(&known))).await
    }

    async fn way(&mut self, subject: Term, way: &PropertyPathExpression, object: Term) -> Part {
        let triples = self.unfold(&subject, way, &object).await;
        if triples.is_none() {
            self.asking.note(Note::NoWay);
        }
        let found = triples.is_some();
        Part::Path { subject, path: path(way), object, triples: triples.unwrap_or_default(), found }
    }
}

/// Variables used by the filters on a pattern but not bound in it.
fn outer_names(pattern: &GraphPattern) -> Vec<String> {
    let GraphPattern::Filter { expr, inner } = pattern else { return Vec::new() };
    let own = in_scope(inner);
    let outer = variables(expr).into_iter().filter(|name| !own.contains(*name)).map(str::to_owned);
    outer.chain(outer_names(inner)).collect()
}

/// A pattern whose filters use outer variables, with their known values joined where the filters can see them.
fn correlated(pattern: &GraphPattern, known: &Known) -> GraphPattern {
    let mut given: Vec<(Variable, Option<GroundTerm>)> = outer_names(pattern)
        .into_iter()
        .filter_map(|name| {
            let term = ground(known.get(&name)?.as_ref()?)?;
            Some((Variable::new_unchecked(name), Some(term)))
        })
        .collect();
    given.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
    given.dedup_by(|a, b| a.0 == b.0);
    if given.is_empty() {
        return pattern.clone();
    }
    let (variables, row) = given.into_iter().unzip();
    beside_conditions(pattern, &GraphPattern::Values { variables, bindings: vec![row] })
}

fn beside_conditions(pattern: &GraphPattern, values: &GraphPattern) -> GraphPattern {
    match pattern {
        GraphPattern::Filter { expr, inner } => {
            GraphPattern::Filter { expr: expr.clone(), inner: Box::new(beside_conditions(inner, values)) }
        }
        other => GraphPattern::Join { left: Box::new(values.clone()), right: Box::new(other.clone()) },
    }
}

/// The operand of a pattern that is evaluated first, if it has further operands.
fn first_part(pattern: &GraphPattern) -> Option<&GraphPattern> {
    use GraphPattern as P;
    match pattern {
        P::Join { left, .. } | P::Lateral { left, .. } | P::LeftJoin { left, .. } | P::Minus { left, .. } => {
            Some(left)
        }
        P::Filter { inner, .. } | P::Extend { inner, .. } | P::Graph { inner, .. } => Some(inner),
        _ => None,
    }
}

/// The values that a VALUES contributes to the solution.
fn listed(variables: &[Variable], bindings: &[Vec<Option<GroundTerm>>], known: &Known) -> Vec<Part> {
    let part = |(at, variable): (usize, &Variable)| {
        let value = known.get(variable.as_str())?.clone()?;
        let cells = bindings.iter().filter_map(|row| row.get(at)?.as_ref());
        let all = cells.take(MAX_LISTED).map(|cell| Formula::Term(cell.clone().into())).collect();
        Some(Part::Named {
            name: variable.as_str().to_owned(),
            formula: Formula::call("values", all),
            value: Some(value),
        })
    };
    variables.iter().enumerate().filter_map(part).collect()
}

/// A triple pattern with its variables replaced by their values; `None` if one is unbound.
pub(super) fn statement(triple: &TriplePattern, known: &Known) -> Option<Statement> {
    let predicate = match &triple.predicate {
        NamedNodePattern::NamedNode(node) => Term::from(NamedNode::clone(node)),
        NamedNodePattern::Variable(variable) => known.get(variable.as_str())?.clone()?,
    };
    Some([value(&triple.subject, known)?, predicate, value(&triple.object, known)?])
}

fn value(term: &TermPattern, known: &Known) -> Option<Term> {
    match term {
        TermPattern::Variable(variable) => known.get(variable.as_str())?.clone(),
        other => Term::try_from(other.clone()).ok(),
    }
}
