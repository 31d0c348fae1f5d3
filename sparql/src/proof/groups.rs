//! Explains aggregates by the members that they are computed from. Uses the rest of this module.

use super::ask::{Unknown, alike, narrowed, number, solutions, statements};
use super::explain::Explainer;
use super::{Members, Note, Part};
use crate::query::Known;
use crate::query::algebra::{aggregated, in_scope, is_extreme, variables};
use crate::query::edit::restrict::only;
use crate::query::explain::deciding::{owners, source_of};
use crate::query::explain::formula::{FormulaMaker, aggregate_name};
use oxrdf::{Term, Variable};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};

/// Maximum members shown.
const MAX_SHOWN: usize = 50;
/// Maximum solutions of a group that are read; in larger groups the endpoint counts the members.
const MAX_READ: usize = 500;
/// Maximum terms shown per solution of COUNT(*).
const MAX_WIDTH: usize = 3;

impl Explainer<'_> {
    pub(super) async fn group(
        &mut self,
        inner: &GraphPattern,
        keys: &[Variable],
        aggregates: &[(Variable, AggregateExpression)],
        known: &Known,
    ) -> Vec<Part> {
        let keys_known = only(known, keys);
        let extended = with_values(inner, aggregates);
        let query = solutions(&extended, &keys_known, MAX_READ + 1);
        let Ok(mut rows) = self.asking.rows(&query).await else { return Vec::new() };
        self.keep_nameless(&keys_known, &mut rows);
        let all_read = rows.len() <= MAX_READ;
        rows.truncate(MAX_READ);
        // Endpoints return rows in no fixed order. Sorted in reverse, rows with more bound values come first.
        rows.sort_by_cached_key(|row| std::cmp::Reverse(format!("{row:?}")));
        if aggregates.is_empty() {
            // Without aggregates only the keys matter: one solution is enough.
            return match rows.first() {
                Some(row) => self.explain(inner, row, false).await,
                None => Vec::new(),
            };
        }
        let mut parts = Vec::new();
        for (at, (name, aggregate)) in aggregates.iter().enumerate() {
            let group = SolutionGroup { inner: &extended, known: &keys_known, rows: &rows, all_read };
            let value = known.get(name.as_str()).cloned().flatten();
            let members = self.members(&group, (at, aggregate), value, keys).await;
            parts.push(Part::Members(members));
        }
        if rows.is_empty() {
            parts.push(self.absent(inner, &keys_known));
        }
        parts
    }

    /// A query cannot refer to a specific blank node, so solutions with other blank nodes are removed here.
    fn keep_nameless(&mut self, keys: &Known, rows: &mut Vec<Known>) {
        let nameless: Vec<(&String, &Option<Term>)> =
            keys.iter().filter(|(_, value)| matches!(value, Some(Term::BlankNode(_)))).collect();
        let is_of_group = |row: &Known| nameless.iter().all(|(name, value)| row.get(*name) == Some(*value));
        if rows.iter().any(is_of_group) {
            rows.retain(is_of_group);
        } else if !nameless.is_empty() {
            self.asking.note(Note::Nameless);
        }
    }

    async fn members(
        &mut self,
        group: &SolutionGroup<'_>,
        (at, aggregate): (usize, &AggregateExpression),
        value: Option<Term>,
        keys: &[Variable],
    ) -> Members {
        let column = column(at, aggregate);
        let (function, distinct) = aggregate_name(aggregate);
        let columns = shown_columns(group.inner, aggregate, column.as_deref(), keys);
        let mut counted = group.members(column.as_deref(), distinct, &columns);
        counted.sort_by_cached_key(|row| {
            columns.iter().map(|name| format!("{:?}", row.get(name))).collect::<Vec<_>>()
        });
        let total = match group.all_read {
            true => Some(counted.len()),
            false => self.counted(group, column.as_deref(), distinct).await.ok().flatten(),
        };
        if is_extreme(aggregate) {
            self.put_first(group, column.as_deref(), value.as_ref(), &mut counted).await;
        }
        counted.truncate(MAX_SHOWN);
        let example = match counted.first() {
            Some(first) => self.explain(group.plain(), first, false).await,
            None => Vec::new(),
        };
        let shown = |row: &Known| columns.iter().filter_map(|name| row.get(name)?.clone()).collect();
        Members {
            aggregate: FormulaMaker { aggregates: &self.aggregates, known: &Known::new(), found: None }
                .aggregate(aggregate, value.clone()),
            function,
            members: counted.iter().map(shown).collect(),
            triples: counted.iter().map(|row| statements(group.inner, row)).collect(),
            total,
            value,
            example,
        }
    }

    async fn counted(
        &mut self,
        group: &SolutionGroup<'_>,
        column: Option<&str>,
        distinct: bool,
    ) -> Result<Option<usize>, Unknown> {
        let of = column.map_or_else(|| "*".to_owned(), |column| format!("?{column}"));
        let once = if distinct { "DISTINCT " } else { "" };
        let body = narrowed(group.inner, group.known);
        let query = format!("SELECT (COUNT({once}{of}) AS ?_n) WHERE {{ {body} }}");
        Ok(number(&self.asking.rows(&query).await?, "_n"))
    }

    /// Puts the member with the extreme value first.
    async fn put_first(
        &mut self,
        group: &SolutionGroup<'_>,
        column: Option<&str>,
        value: Option<&Term>,
        members: &mut Vec<Known>,
    ) {
        let (Some(column), Some(value)) = (column, value) else { return };
        let has = |row: &Known| matches!(row.get(column), Some(Some(term)) if alike(term, value));
        if let Some(at) = members.iter().position(has) {
            let first = members.remove(at);
            return members.insert(0, first);
        }
        let mut wanted = group.known.clone();
        wanted.insert(column.to_owned(), Some(value.clone()));
        if let Ok(Some(first)) = self.asking.solve(group.inner, &wanted).await {
            members.insert(0, first);
        }
    }
}

/// The solutions of one group.
struct SolutionGroup<'g> {
    inner: &'g GraphPattern,
    known: &'g Known,
    rows: &'g [Known],
    all_read: bool,
}

impl SolutionGroup<'_> {
    /// The pattern without the helper variables for aggregated expressions.
    fn plain(&self) -> &GraphPattern {
        let mut pattern = self.inner;
        while let GraphPattern::Extend { inner, variable, .. } = pattern {
            if !variable.as_str().starts_with(VALUE) {
                break;
            }
            pattern = inner;
        }
        pattern
    }

    /// The solutions that contribute, each value once if the aggregate is DISTINCT.
    fn members(&self, column: Option<&str>, distinct: bool, shown: &[String]) -> Vec<Known> {
        let mut seen: Vec<String> = Vec::new();
        let is_new = |row: &&Known| {
            let names: Vec<&str> = match column {
                Some(column) => vec![column],
                None => shown.iter().map(String::as_str).collect(),
            };
            let text = names.iter().map(|name| format!("{:?} ", row.get(*name))).collect();
            let new = !seen.contains(&text);
            if new {
                seen.push(text);
            }
            new
        };
        let has_value = |row: &&Known| column.is_none_or(|column| matches!(row.get(column), Some(Some(_))));
        let counted = self.rows.iter().filter(has_value);
        if distinct { counted.filter(is_new).cloned().collect() } else { counted.cloned().collect() }
    }
}

/// Prefix of helper variables for aggregated expressions that are not variables.
const VALUE: &str = "_value";

/// The variable that an aggregate is computed from; `None` for COUNT(*).
fn column(at: usize, aggregate: &AggregateExpression) -> Option<String> {
    match aggregate {
        AggregateExpression::CountSolutions { .. } => None,
        AggregateExpression::FunctionCall { expr: Expression::Variable(variable), .. } => {
            Some(variable.as_str().to_owned())
        }
        AggregateExpression::FunctionCall { .. } => Some(format!("{VALUE}{at}")),
    }
}

/// The pattern with a helper variable for each aggregated expression.
fn with_values(inner: &GraphPattern, aggregates: &[(Variable, AggregateExpression)]) -> GraphPattern {
    let mut pattern = inner.clone();
    for (at, (_, aggregate)) in aggregates.iter().enumerate() {
        if let (AggregateExpression::FunctionCall { expr, .. }, Some(name)) =
            (aggregate, column(at, aggregate))
            && !matches!(expr, Expression::Variable(_))
        {
            let variable = Variable::new_unchecked(name);
            pattern = GraphPattern::Extend { inner: Box::new(pattern), variable, expression: expr.clone() };
        }
    }
    pattern
}

/// The columns shown of a member: the value, and the entity that has it.
fn shown_columns(
    inner: &GraphPattern,
    aggregate: &AggregateExpression,
    column: Option<&str>,
    keys: &[Variable],
) -> Vec<String> {
    let is_key = |name: &str| keys.iter().any(|key| key.as_str() == name);
    let Some(column) = column else {
        let names = in_scope(inner).into_iter().filter(|name| !is_key(name) && !name.starts_with('_'));
        return names.take(MAX_WIDTH).collect();
    };
    let counts =
        matches!(aggregate, AggregateExpression::FunctionCall { name: AggregateFunction::Count, .. });
    let source = aggregated(aggregate).filter(|_| !counts).and_then(|of| variables(of).into_iter().next());
    let owner = source
        .and_then(|name| owners(inner, source_of(inner, name)).next())
        .map(|(owner, _)| owner.to_owned())
        .filter(|name| !is_key(name));
    owner.into_iter().chain([column.to_owned()]).collect()
}
