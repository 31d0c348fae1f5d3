//! Asks the members for the parts of a query and puts VALUES with their solutions in the place of the parts.
//!
//! A part is asked for the solutions that fit what is known already (a bound join): of a join, the left operand first, unless it
//! has too many solutions; of OPTIONAL and MINUS always the left one. Nothing is known inside of LIMIT and of groups, where a
//! restriction would change the result.

use super::known::{KnownValues, query_of, rows_of, values};
use super::{FederationPart, Members, asks_graph, calls_service, member, memory, refuse};
use crate::query::algebra::{Node, in_scope, parts_mut};
use crate::results::Results;
use crate::{Limits, QueryError};
use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{GroundTerm, NamedNodePattern};
use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::Instant;

/// Solutions to which a part is restricted; with more, all its solutions are read.
const MAX_KNOWN: usize = 2_000;
/// Rows of one part.
const MAX_PART_ROWS: usize = 100_000;
/// Bytes of all parts.
const MAX_BYTES: usize = 64 << 20;
/// Queries to members.
const MAX_QUERIES: usize = 100;

type Rows = Vec<Vec<Option<GroundTerm>>>;
type Gathered<'f> = Pin<Box<dyn Future<Output = Result<(), QueryError>> + Send + 'f>>;

/// The parts of one query.
pub(super) struct Gathering<'a> {
    members: &'a Members,
    limits: Limits,
    until: Instant,
    queries: usize,
    bytes: usize,
    pub(super) parts: Vec<FederationPart>,
    /// What was cut, if anything was, so that the result may lack rows.
    pub(super) cut: Option<String>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(members: &'a Members, limits: Limits) -> Self {
        let until = Instant::now() + limits.timeout;
        Self { members, limits, until, queries: 0, bytes: 0, parts: Vec::new(), cut: None }
    }

    /// Puts VALUES in the place of all parts of a query's pattern.
    pub(super) async fn gather(&mut self, pattern: &mut GraphPattern) -> Result<(), QueryError> {
        self.pattern(pattern, &KnownValues::default()).await
    }

    fn pattern<'f>(&'f mut self, pattern: &'f mut GraphPattern, known: &'f KnownValues) -> Gathered<'f> {
        use GraphPattern as P;
        Box::pin(async move {
            if !calls_service(pattern) {
                return if asks_graph(Node::Pattern(pattern)) {
                    self.replace(pattern, None, false, known).await
                } else {
                    Ok(())
                };
            }
            parts_mut(pattern).1.into_iter().try_for_each(|expression| alone(expression))?;
            match pattern {
                P::Service { name: NamedNodePattern::NamedNode(name), silent, inner } => {
                    let (service, silent) = (name.as_str().to_owned(), *silent);
                    self.replace(inner, Some(service), silent, known).await?;
                    *pattern = std::mem::take(inner.as_mut());
                    Ok(())
                }
                P::Join { left, right } => self.join(left, right, known).await,
                P::LeftJoin { left, right, .. } | P::Minus { left, right } => {
                    self.left_first(left, right, known).await
                }
                P::Union { left, right } => {
                    self.pattern(left, known).await?;
                    self.pattern(right, known).await
                }
                P::Filter { inner, .. }
                | P::Extend { inner, .. }
                | P::OrderBy { inner, .. }
                | P::Distinct { inner }
                | P::Reduced { inner } => self.pattern(inner, known).await,
                P::Project { inner, variables } => {
                    let visible = variables.iter().map(|variable| variable.as_str().to_owned()).collect();
                    self.pattern(inner, &known.within(&visible)).await
                }
                P::Slice { inner, .. } | P::Group { inner, .. } => self.gather(inner).await,
                P::Service { .. } => refuse("SERVICE takes the IRI of a dataset, no variable".to_owned()),
                P::Graph { .. } => refuse("SERVICE cannot stand inside GRAPH; put GRAPH into it".to_owned()),
                P::Lateral { .. } | P::Bgp { .. } | P::Path { .. } | P::Values { .. } => {
                    refuse("SERVICE cannot stand here".to_owned())
                }
            }
        })
    }

    /// The operands of a join: the right one restricted by the left one, or the other way round if the left one alone has too
    /// many solutions.
    async fn join(
        &mut self,
        left: &mut GraphPattern,
        right: &mut GraphPattern,
        known: &KnownValues,
    ) -> Result<(), QueryError> {
        let (whole, cut_before) = (left.clone(), self.cut.clone());
        self.pattern(left, known).await?;
        if self.cut == cut_before {
            return self.restricted(right, left, known).await;
        }
        let too_many = self.cut.take();
        self.cut.clone_from(&cut_before);
        self.pattern(right, known).await?;
        if self.cut != cut_before {
            self.cut = too_many;
            return Ok(());
        }
        *left = whole;
        self.restricted(left, right, known).await
    }

    async fn left_first(
        &mut self,
        left: &mut GraphPattern,
        right: &mut GraphPattern,
        known: &KnownValues,
    ) -> Result<(), QueryError> {
        self.pattern(left, known).await?;
        self.restricted(right, left, known).await
    }

    /// Gathers a pattern, restricted to what another one, which is gathered already, has for its variables.
    async fn restricted(
        &mut self,
        pattern: &mut GraphPattern,
        by: &GraphPattern,
        known: &KnownValues,
    ) -> Result<(), QueryError> {
        let scope = in_scope(pattern);
        let shared: Vec<Variable> = in_scope(by).intersection(&scope).map(Variable::new_unchecked).collect();
        let own = if shared.is_empty() { None } else { self.values_of(by, shared).await? };
        self.pattern(pattern, own.as_ref().unwrap_or(known)).await
    }

    /// The values of variables in a pattern that is gathered already; `None` if there are too many.
    async fn values_of(
        &self,
        pattern: &GraphPattern,
        variables: Vec<Variable>,
    ) -> Result<Option<KnownValues>, QueryError> {
        let inner = GraphPattern::Project { inner: Box::new(pattern.clone()), variables };
        let distinct = GraphPattern::Distinct { inner: Box::new(inner) };
        let query = Query::Select { dataset: None, pattern: distinct, base_iri: None };
        let limits = Limits { max_rows: MAX_KNOWN + 1, ..self.left() };
        let answer = memory().evaluate(query, limits).await?;
        let few = answer.incomplete.is_none() && answer.row_count() <= MAX_KNOWN;
        Ok(if few { KnownValues::of(&answer) } else { None })
    }

    /// Puts the solutions of a part in its place.
    async fn replace(
        &mut self,
        part: &mut GraphPattern,
        service: Option<String>,
        silent: bool,
        known: &KnownValues,
    ) -> Result<(), QueryError> {
        let scope = in_scope(part);
        let found = self.fetched(part, service.as_deref(), &scope, known).await;
        *part = match found {
            Ok(rows) => values(&scope, rows),
            // One solution without values (SPARQL 1.1 Federated Query, 2.3).
            Err(_) if silent => GraphPattern::Values { variables: Vec::new(), bindings: vec![Vec::new()] },
            Err(error) => return Err(error),
        };
        Ok(())
    }

    async fn fetched(
        &mut self,
        part: &GraphPattern,
        service: Option<&str>,
        scope: &BTreeSet<String>,
        known: &KnownValues,
    ) -> Result<Rows, QueryError> {
        let (iri, member) = member(self.members, service)?;
        let known = known.within(scope);
        let restricted_to = (!known.variables.is_empty()).then_some(known.rows.len());
        let mut rows = Rows::new();
        for batch in known.batches() {
            self.queries += 1;
            if self.queries > MAX_QUERIES {
                let message = format!("more than {MAX_QUERIES} queries to the datasets are needed");
                return Err(QueryError::TooLarge { message });
            }
            let text = query_of(part, scope, batch);
            let answer = member.part(&text, self.left()).await.map_err(|error| of_part(iri, error))?;
            self.bytes += answer.kept_bytes();
            if !matches!(answer.results, Results::Solutions(_)) {
                let message = "the result is no table".to_owned();
                return Err(of_part(iri, QueryError::Rejected { message }));
            }
            rows.extend(rows_of(&answer, scope, self.queries));
            if answer.incomplete.is_some() {
                self.cut = Some(format!("of SERVICE <{iri}> only the first {} rows were read", rows.len()));
            }
        }
        self.parts.push(FederationPart { service: iri.clone(), rows: rows.len(), restricted_to });
        Ok(rows)
    }

    /// What one more query may take.
    fn left(&self) -> Limits {
        Limits {
            timeout: self.until.saturating_duration_since(Instant::now()),
            max_rows: MAX_PART_ROWS.max(self.limits.max_rows),
            max_bytes: MAX_BYTES.saturating_sub(self.bytes),
        }
    }
}

/// An expression over the solutions of several members cannot ask a graph itself.
fn alone(expression: &Expression) -> Result<(), QueryError> {
    if asks_graph(Node::Expression(expression)) {
        let reason = "EXISTS cannot stand beside SERVICE; put it into the SERVICE, or use MINUS or OPTIONAL";
        return refuse(reason.to_owned());
    }
    Ok(())
}

/// An error of a member, which names it.
fn of_part(service: &str, error: QueryError) -> QueryError {
    match error {
        // Places in a text that nobody has written help nobody.
        QueryError::Syntax { message, .. } => {
            QueryError::Rejected { message: format!("in SERVICE <{service}>: {message}") }
        }
        QueryError::Refused { reason } => {
            QueryError::Refused { reason: format!("in SERVICE <{service}>: {reason}") }
        }
        other => other.with_words(|words| format!("in SERVICE <{service}>: {words}")),
    }
}
