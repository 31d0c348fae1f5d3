//! Proves a whole row: solution modifiers, rank, subqueries, and ASK results.

use super::ask::{BoundedAsking, alike};
use super::explain::{Explainer, Later};
use super::{Note, Part, Proof, ProofSource, RowRank};
use crate::check::{CheckedQuery, QueryForm};
use crate::query::algebra::{in_scope, pattern_of, sort_key};
use crate::query::edit::open::opened;
use crate::query::edit::restrict::only;
use crate::query::explain::outline::aggregates;
use crate::query::scope::certain;
use crate::query::select::{Duplicates, Select, WithKeys};
use crate::query::write::SparqlWriter;
use crate::query::{Formula, Known};
use oxrdf::Variable;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};

/// Maximum rows of a subquery searched for the position of one.
const MAX_RANKED: usize = 200;

/// The result to prove.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// A row of a SELECT.
    Row {
        /// The values of its columns.
        values: Known,
        /// Its position among the rows, from 0.
        place: usize,
    },
    /// The result of an ASK.
    Truth(bool),
}

/// Explains why a row is a result of a query. Whatever cannot be determined is noted.
pub async fn prove(query: &CheckedQuery, wanted: &Wanted, endpoint: &dyn ProofSource) -> Proof {
    let pattern = opened(pattern_of(query.algebra()));
    let mut explainer = Explainer {
        asking: BoundedAsking::new(endpoint, query.algebra().dataset()),
        aggregates: aggregates(&pattern),
    };
    let parts = match (query.form(), wanted) {
        (QueryForm::Select, Wanted::Row { values, place }) => {
            explainer.block(&pattern, values, Some(*place), false).await
        }
        (QueryForm::Ask, Wanted::Truth(true)) => explainer.block(&pattern, &Known::new(), None, false).await,
        (QueryForm::Ask, Wanted::Truth(false)) => explainer.refused(&pattern).await,
        _ => {
            explainer.asking.note(Note::NotRows);
            Vec::new()
        }
    };
    Proof { parts, notes: explainer.asking.notes }
}

impl<'a> Explainer<'a> {
    /// Proves a subquery.
    pub(super) fn subquery<'s>(
        &'s mut self,
        pattern: &'s GraphPattern,
        known: &'s Known,
        optional: bool,
    ) -> Later<'s, Vec<Part>>
    where
        'a: 's,
    {
        Box::pin(self.block(pattern, known, None, optional))
    }

    /// Proves a row of a SELECT: finds its remaining variables, then explains its body with all of them.
    async fn block(
        &mut self,
        pattern: &GraphPattern,
        known: &Known,
        place: Option<usize>,
        optional: bool,
    ) -> Vec<Part> {
        let block = Select::of(pattern);
        let known = block.columns.map_or_else(|| known.clone(), |columns| only(known, columns));
        let Some(found) = self.found(&block, &known, place.is_some()).await else { return Vec::new() };
        let mut parts = self.explain(block.body, &found, optional).await;
        if block.slice.is_some() || (place.is_some() && !block.order.is_empty()) {
            let place = match place {
                Some(row) => Some(row + block.slice.map_or(0, |(start, _)| start) + 1),
                None => self.place(pattern, &block, &found).await,
            };
            let rank = self.rank(&block, &found, place).await;
            parts.push(Part::Rank(rank));
        }
        parts
    }

    /// The bindings of all variables of a row. If an aggregate has changed, searches again without computed values.
    async fn found(&mut self, block: &Select<'_>, known: &Known, is_row: bool) -> Option<Known> {
        let mut asked = known.clone();
        asked.retain(|name, _| !self.is_any_of_many(block.body, name));
        match self.asking.solve(block.body, &asked).await {
            Err(_) => return None,
            Ok(Some(found)) => return Some(found),
            Ok(None) => {}
        }
        let keys = certain(block.body);
        let fewer: Known = asked
            .iter()
            .filter(|(name, _)| keys.contains(*name))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let computed =
            in_scope(block.body).iter().any(|name| !keys.contains(name) && asked.contains_key(name));
        if computed
            && is_row
            && !self.aggregates.is_empty()
            && let Some(found) = self.asking.solve(block.body, &fewer).await.ok()?
        {
            self.asking.note(Note::Changed);
            return Some(found);
        }
        self.asking.note(Note::Gone);
        None
    }

    /// Whether a column is nondeterministic: SAMPLE or GROUP_CONCAT.
    fn is_any_of_many(&self, body: &GraphPattern, name: &str) -> bool {
        let mut pattern = body;
        while let GraphPattern::Extend { inner, variable, expression } = pattern {
            if let (true, Expression::Variable(of)) = (variable.as_str() == name, expression) {
                return matches!(
                    self.aggregates.get(of.as_str()),
                    Some(AggregateExpression::FunctionCall {
                        name: AggregateFunction::Sample | AggregateFunction::GroupConcat { .. },
                        ..
                    })
                );
            }
            pattern = inner;
        }
        false
    }

    async fn rank(&mut self, block: &Select<'_>, found: &Known, place: Option<usize>) -> RowRank {
        let mut keys = Vec::new();
        for key in block.order {
            let (expression, down) = sort_key(key);
            keys.push((self.formula(expression, found).await, down));
        }
        let (offset, limit) = block.slice.unwrap_or((0, None));
        let tied = limit.is_some() && !block.order.is_empty() && self.tied(block, offset, limit, &keys).await;
        RowRank { keys, place, limit, offset, tied }
    }

    /// Whether the first row cut off has the same sort key values as this one.
    async fn tied(
        &mut self,
        block: &Select<'_>,
        offset: usize,
        limit: Option<usize>,
        keys: &[(Formula, bool)],
    ) -> bool {
        let next = offset.saturating_add(limit.unwrap_or_default());
        let WithKeys { body, columns, keys: names } = WithKeys::of(block);
        let cut = Select {
            slice: Some((next, Some(1))),
            duplicates: Duplicates::Distinct,
            columns: Some(&columns),
            body: &body,
            order: block.order,
        };
        let query = SparqlWriter::default().select(&cut.pattern());
        let Some(row) = self.asking.rows(&query).await.ok().and_then(|mut rows| rows.pop()) else {
            return false;
        };
        let same = |(name, (formula, _)): (&Variable, &(Formula, bool))| {
            let value = row.get(name.as_str()).and_then(Option::as_ref);
            matches!((value, formula.value()), (Some(a), Some(b)) if alike(a, b))
        };
        names.iter().zip(keys).all(same)
    }

    /// The position of a row in a subquery.
    async fn place(&mut self, pattern: &GraphPattern, block: &Select<'_>, found: &Known) -> Option<usize> {
        let (start, length) = block.slice?;
        if block.order.is_empty() || length.is_none_or(|length| length > MAX_RANKED) {
            return None;
        }
        let rows = self.asking.rows(&SparqlWriter::default().select(pattern)).await.ok()?;
        let is_it = |row: &Known| {
            row.iter().all(|(name, value)| match (value, found.get(name).and_then(Option::as_ref)) {
                (Some(a), Some(b)) => alike(a, b),
                (None, None) => true,
                _ => false,
            })
        };
        rows.iter().position(is_it).map(|at| at + start + 1)
    }

    /// Why an ASK is false: the only solution of its pattern and the false filter conditions, or the pattern without a match.
    async fn refused(&mut self, pattern: &GraphPattern) -> Vec<Part> {
        let pattern = Select::of(pattern).body;
        let (body, conditions) = without_conditions(pattern);
        if !conditions.is_empty()
            && let Some(found) = self.only_solution(body).await
        {
            let mut parts = self.explain(body, &found, false).await;
            for condition in conditions {
                let formula = self.formula(condition, &found).await;
                let holds = crate::query::explain::formula::truth(formula.value()).unwrap_or(false);
                parts.push(Part::Condition { formula, holds });
            }
            return parts;
        }
        vec![self.absent(pattern, &Known::new())]
    }

    async fn only_solution(&mut self, body: &GraphPattern) -> Option<Known> {
        let query = super::ask::solutions(body, &Known::new(), 2);
        let mut rows = self.asking.rows(&query).await.ok()?;
        let found = rows.pop()?;
        rows.is_empty().then(|| super::ask::complete(&found, &in_scope(body)))
    }
}

/// The pattern inside the outer filters, and their conditions; filters with EXISTS are not removed.
fn without_conditions(pattern: &GraphPattern) -> (&GraphPattern, Vec<&Expression>) {
    match pattern {
        GraphPattern::Filter { expr, inner } if !crate::query::explain::formula::looks_into_graph(expr) => {
            let (body, mut all) = without_conditions(inner);
            all.push(expr);
            (body, all)
        }
        other => (other, Vec::new()),
    }
}
