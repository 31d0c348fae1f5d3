//! A SELECT taken apart: its solution modifiers, its columns, and the pattern they apply to; and put together again with others.
//! Uses spargebra.

use super::algebra::sort_key;
use oxrdf::Variable;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};

/// What is done with rows that occur more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    Kept,
    Distinct,
    Reduced,
}

/// The parts of a SELECT from the outside in, or of a pattern without some or all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Select<'a> {
    /// OFFSET and LIMIT.
    pub(crate) slice: Option<(usize, Option<usize>)>,
    pub(crate) duplicates: Duplicates,
    pub(crate) columns: Option<&'a [Variable]>,
    pub(crate) order: &'a [OrderExpression],
    /// What is matched, grouped and computed.
    pub(crate) body: &'a GraphPattern,
}

impl<'a> Select<'a> {
    /// The parts of a pattern. Those of a SELECT within it are not among them.
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

    /// All solutions of a pattern as they are.
    pub(crate) fn all(body: &'a GraphPattern) -> Self {
        Self { slice: None, duplicates: Duplicates::Kept, columns: None, order: &[], body }
    }

    /// The pattern that the parts make.
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

/// Begins the names of the columns for keys that are no variables.
const KEY: &str = "orderKey";

/// A SELECT whose columns include the keys that it is ordered by.
pub(crate) struct WithKeys {
    /// The body, with a variable for each key.
    pub(crate) body: GraphPattern,
    /// Its own columns, and behind them the keys that are none of these.
    pub(crate) columns: Vec<Variable>,
    /// The variables of the keys, in their order.
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
