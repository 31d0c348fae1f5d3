//! Units: converts a number of the question into the unit of the graph's numbers, and scores what speaks against the comparison.

use crate::context::Context;
use crate::meaning::{Operand, Path, Step};
use crate::phrase::Bound;
use crate::score::{Feature, Features};
use crate::units::{Scale, Unit};
use std::rc::Rc;

/// A bound on the numbers at the end of a path, converted to their unit.
pub(crate) fn in_their_unit<'k>(
    context: &Context<'k>,
    path: &[Step<'k>],
    bound: &Bound<'k>,
) -> (Operand<'k>, Features) {
    let scale = context.schema.scale(path);
    let same = (bound.against.clone(), Features::default());
    let Some(unit) = bound.unit.and_then(Unit::find) else { return same };
    if scale.dimension().is_some_and(|dimension| dimension != unit.dimension) {
        return (same.0, Features::default().and(Feature::Misfit, 1.0));
    }
    let factor = match &scale {
        Scale::Unsaid => return same,
        Scale::One(own) => unit.factor / own.factor,
        Scale::Beside { .. } | Scale::Written { .. } | Scale::Typed { .. } | Scale::Durations => unit.factor,
    };
    (times(&bound.against, factor), Features::default())
}

fn times<'k>(against: &Operand<'k>, factor: f64) -> Operand<'k> {
    let by = |number: &Rc<str>| match number.parse::<f64>() {
        Ok(value) if factor != 1.0 => Rc::from(plain(value * factor)),
        _ => number.clone(),
    };
    match against {
        Operand::Number(number) => Operand::Number(by(number)),
        Operand::Range(from, to) => Operand::Range(by(from), by(to)),
        other => other.clone(),
    }
}

/// A number without an exponent and without the trailing digits caused by the conversion factor.
fn plain(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A path extended to the number, where it leads to quantities that are nodes of their own.
pub(crate) fn to_number<'k>(context: &Context<'k>, path: &[Step<'k>]) -> Option<Path<'k>> {
    let quantity = context.schema.quantity(*path.last()?)?;
    let value = Step { property: quantity.value, forward: true };
    Some(path.iter().copied().chain([value]).collect())
}

#[cfg(test)]
mod tests;
