//! Splits a SELECT into its solution modifiers, its columns and the pattern they apply to, and builds one from these parts.
//! Uses spargebra.

use super::algebra::sort_key;
use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};

/// How duplicate rows are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    Kept,
    Distinct,
    Reduced,
}

/// The parts of a SELECT from the outside in; some or all of the modifiers may be missing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Select<'a> {
    /// OFFSET and LIMIT.
    pub(crate) slice: Option<(usize, Option<usize>)>,
    pub(crate) duplicates: Duplicates,
    pub(crate) columns: Option<&'a [Variable]>,
    pub(crate) order: &'a [OrderExpression],
    /// The pattern, including grouping and BIND.
    pub(crate) body: &'a GraphPattern,
}

impl<'a> Select<'a> {
    /// Splits a pattern, without looking into subqueries.
    pub(crate) fn of(pattern: &'a GraphPattern) -> Self {
        use GraphPattern as P;
        let mut select = Self::all(pattern);
        loop {
            let outside = select.columns.is_none();
            select.body = match select.body {
                P::Slice { inner, start, length } if outside && select.slice.is_none() => {
                    select.slice = Some((*start, *length));
                    inner
                }
                P::Distinct { inner } if outside => {
                    select.duplicates = Duplicates::Distinct;
                    inner
                }
                P::Reduced { inner } if outside => {
                    select.duplicates = Duplicates::Reduced;
                    inner
                }
                P::Project { inner, variables } if outside => {
                    select.columns = Some(variables);
                    inner
                }
                P::OrderBy { inner, expression } if select.order.is_empty() => {
                    select.order = expression;
                    inner
                }
                _ => return select,
            };
        }
    }

    /// All solutions of a pattern, without modifiers.
    pub(crate) fn all(body: &'a GraphPattern) -> Self {
        Self { slice: None, duplicates: Duplicates::Kept, columns: None, order: &[], body }
    }

    /// Builds the pattern from the parts.
    pub(crate) fn pattern(self) -> GraphPattern {
        let mut pattern = self.body.clone();
        if !self.order.is_empty() {
            pattern = GraphPattern::OrderBy { inner: Box::new(pattern), expression: self.order.to_vec() };
        }
        if let Some(columns) = self.columns {
            pattern = GraphPattern::Project { inner: Box::new(pattern), variables: columns.to_vec() };
        }
        match self.duplicates {
            Duplicates::Kept => {}
            Duplicates::Distinct => pattern = GraphPattern::Distinct { inner: Box::new(pattern) },
            Duplicates::Reduced => pattern = GraphPattern::Reduced { inner: Box::new(pattern) },
        }
        if let Some((start, length)) = self.slice {
            pattern = GraphPattern::Slice { inner: Box::new(pattern), start, length };
        }
        pattern
    }
}

/// Prefix of the columns for sort keys that are not variables.
const KEY: &str = "orderKey";

/// A SELECT whose columns include its sort keys.
pub(crate) struct WithKeys {
    /// The body, with a variable for each key.
    pub(crate) body: GraphPattern,
    /// The original columns, followed by the keys that are not among them.
    pub(crate) columns: Vec<Variable>,
    /// The key variables, in order.
    pub(crate) keys: Vec<Variable>,
}

impl WithKeys {
    pub(crate) fn of(select: &Select<'_>) -> Self {
        let (mut body, mut keys) = (select.body.clone(), Vec::new());
        for (at, key) in select.order.iter().enumerate() {
            let key = sort_key(key).0;
            if let Expression::Variable(variable) = key {
                keys.push(variable.clone());
                continue;
            }
            let variable = Variable::new_unchecked(format!("{KEY}{at}"));
            let expression = key.clone();
            body = GraphPattern::Extend { inner: Box::new(body), variable: variable.clone(), expression };
            keys.push(variable);
        }
        let mut columns = select.columns.unwrap_or_default().to_vec();
        columns.extend(keys.iter().filter(|key| !columns.contains(key)).cloned().collect::<Vec<_>>());
        Self { body, columns, keys }
    }
}
