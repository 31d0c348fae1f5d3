//! Ages: which numbers are years, which dates bound a life, and which dates are compared as ages.

use crate::compose::measures::worked_out;
use crate::context::Context;
use crate::meaning::{Joint, Measure, Op, Operand, Path, Set};
use crate::phrase::Bound;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// The language packs' name of the measure between birth and death.
pub(crate) const LIFE: &str = "life-span";
/// Numbers that are probably calendar years if the property's name says that it is a time.
const YEARS: RangeInclusive<i32> = 1000..=2200;

/// Whether the numbers of a property are calendar years, judging by samples.
pub(crate) fn holds_years(context: &Context<'_>, property: &str) -> bool {
    let edges = context.schema.property(property).into_iter().flat_map(|card| &card.edges);
    let mut samples = edges.flat_map(|edge| &edge.samples).peekable();
    let is_year = |text: &String| text.parse().is_ok_and(|year: i32| YEARS.contains(&year));
    samples.peek().is_some() && samples.all(is_year)
}

/// The paths to the members' birth and death.
pub(crate) fn life_of<'k>(context: &Context<'k>, set: &Set<'k>) -> Option<(Path<'k>, Path<'k>)> {
    let formula = context.question.language.measure(LIFE)?;
    match worked_out(context, set, formula, 1.0)? {
        (Measure::Formula(terms), _) => match terms.as_slice() {
            [(_, death), (Joint::Minus, birth)] => Some((birth.clone(), death.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// How many years the members lived: they do not get older than that.
pub(crate) fn lifetime<'k>(context: &Context<'k>, set: &Set<'k>) -> Option<Measure<'k>> {
    life_of(context, set).map(|(birth, death)| Measure::Years(birth, death))
}

/// A date compared with a number of years becomes an age, which reverses the direction; everything else stays as it is.
pub(crate) fn in_years<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    measure: Measure<'k>,
    turned: bool,
    bound: &Bound<'k>,
) -> (Measure<'k>, Op) {
    let Measure::Value(path) = &measure else { return (measure, bound.op) };
    // A number of years against a number that is a year: "founded" 1850.
    let year =
        |path: &Path<'k>| turned && path.last().is_some_and(|last| holds_years(context, last.property));
    let small = |number: &str| number.parse().is_ok_and(|number: f64| number < f64::from(*YEARS.start()));
    let age = matches!(&bound.against, Operand::Number(number) | Operand::Range(number, _) if small(number));
    let is_time = context.schema.follow_path(path, &set.kind).is_some_and(|kind| kind.is_time());
    match (&bound.against, is_time || (age && year(path))) {
        (Operand::Number(_) | Operand::Range(..), true) => (Measure::Age(path.clone()), bound.op),
        _ if turned => (measure, bound.op.mirrored()),
        _ => (measure, bound.op),
    }
}
