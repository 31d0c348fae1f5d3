//! Orders: what the rows are sorted by, and in which direction.

use crate::chart::Construct;
use crate::compose::bounds;
use crate::compose::measures::measures;
use crate::compose::names::name_properties;
use crate::context::Context;
use crate::meaning::{Answer, Column, ColumnFunction, Measure, Path, Set, Step};
use crate::phrase::{By, Derived, Order, Pair, Phrase, Wanted};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::{Cue, Degree, Role};
use std::rc::Rc;

pub(super) struct Orders;

const CUES: [Cue; 4] = [Cue::OrderBy, Cue::Ascending, Cue::Descending, Cue::Alphabetical];

impl Construct for Orders {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for cue in CUES {
            derived.extend(context.cues(cue).map(|span| (span, Derived::new(Phrase::Cue(cue)))));
        }
        derived.extend(context.cues(Cue::Alphabetical).map(|span| (span, order_by(By::Name, false))));
        let sorted = context.cues(Cue::Sorting).filter(|span| context.question.begins_sentence(span.from));
        derived.extend(
            sorted
                .filter_map(|span| Some((by_word(context, span)?, Derived::new(Phrase::Cue(Cue::OrderBy))))),
        );
        for cue in [Cue::Ascending, Cue::Descending] {
            derived.extend(context.cues(cue).filter_map(|span| Some((span, first(context, span)?))));
        }
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        match (&left.phrase, &right.phrase) {
            (Phrase::Cue(cue), other) if CUES.contains(cue) => derived.extend(by(*cue, other)),
            (Phrase::Order(order), Phrase::Cue(cue)) => derived.extend(turned(order, *cue)),
            // "Tallest first".
            (Phrase::Grade(grade), Phrase::Ordinal(1) | Phrase::Cue(Cue::FirstInRow))
                if connective.cues.is_empty()
                    && connective.span.len() <= 1
                    && grade.0.degree == Degree::Superlative =>
            {
                derived.push(order_by(By::Grade(grade.clone()), grade.0.up));
            }
            // "By weight, heaviest first".
            (Phrase::Relation(relation), Phrase::Order(order)) if connective.cues.is_empty() => {
                derived.extend(by_relation(context, left.span, &relation.path, order));
            }
            // "By age, youngest first": the adjective gives the measure.
            (Phrase::Columns(columns), Phrase::Order(order))
                if connective.cues.is_empty() && is_age(columns) && matches!(order.by, By::Grade(_)) =>
            {
                derived.push(Derived::new(right.phrase.clone()));
            }
            (Phrase::Order(order), Phrase::Set(_) | Phrase::Answer(_)) => {
                ordered(context, &right.phrase, order, derived);
            }
            (Phrase::Set(_) | Phrase::Answer(_), Phrase::Order(order)) => {
                ordered(context, &left.phrase, order, derived);
            }
            // "The mills by height": they are sorted by what follows the preposition.
            (Phrase::Set(set), Phrase::Relation(relation))
                if connective.cues.is_empty()
                    && connective.role == Some(Role::By)
                    && sorts(context, set, &relation.path) =>
            {
                let timed = context.tells_time(&relation.path);
                let order = Order { by: By::Relation(relation.path.clone()), down: !timed };
                ordered(context, &left.phrase, &order, derived);
            }
            _ => {}
        }
    }
}

/// Whether a relation gives things numbers or times to sort by.
fn sorts<'k>(context: &Context<'k>, set: &Set<'k>, path: &Path<'k>) -> bool {
    let measured = || {
        context.tells_number_or_time(path)
            && path.last().is_some_and(|last| !context.is_identifier(last.property))
    };
    !set.kind.is_values() && !set.is_named() && set.rank.is_none() && measured()
}

fn is_age(columns: &[Wanted<'_>]) -> bool {
    matches!(columns, [Wanted { what: ColumnFunction::Age, .. }])
}

/// What a relation after a preposition measures, in the direction of the adjective: who is older was born earlier.
fn by_relation<'k>(
    context: &Context<'k>,
    span: Span,
    path: &Path<'k>,
    order: &Order<'k>,
) -> Option<Derived<'k>> {
    let By::Grade(grade) = &order.by else { return None };
    let question = &context.question;
    let is_by = |at: u16| matches!(question.role_at(at), Some(Role::By | Role::To));
    let last = path.last().filter(|_| (span.from.saturating_sub(2)..span.from).any(is_by))?;
    let turned = context.tells_time(&[*last]) && !grade.0.reversed.is_empty();
    Some(order_by(By::Relation(path.clone()), order.down != turned))
}

/// "Sort the books by …": the preposition in the same sentence.
fn by_word(context: &Context<'_>, sort: Span) -> Option<Span> {
    let question = &context.question;
    let behind = (sort.to..question.len() as u16).take_while(|at| !question.begins_sentence(*at));
    let mut words = behind.filter(|at| matches!(question.role_at(*at), Some(Role::By | Role::To)));
    words.next().map(|at| Span { from: at, to: at + 1 })
}

/// "Newest first": a cue for a direction that includes the measure.
fn first<'k>(context: &Context<'k>, cue: Span) -> Option<Derived<'k>> {
    let grade = context.question.grades.iter().find(|grade| cue.contains(grade.span))?;
    (grade.grade.degree == Degree::Superlative)
        .then(|| order_by(By::Grade(bounds::graded(grade)), grade.grade.up))
}

fn order_by<'k>(by: By<'k>, down: bool) -> Derived<'k> {
    Derived::new(Phrase::Order(Rc::new(Order { by, down })))
}

/// "Ordered by age", "in descending order of age", "from the oldest to the youngest".
fn by<'k>(cue: Cue, of: &Phrase<'k>) -> Option<Derived<'k>> {
    let down = cue == Cue::Descending;
    match of {
        Phrase::Relation(relation) => Some(order_by(By::Relation(relation.path.clone()), down)),
        Phrase::Grade(grade) => {
            let falls = if grade.0.degree == Degree::Superlative { grade.0.up } else { down };
            Some(order_by(By::Grade(grade.clone()), falls))
        }
        Phrase::Order(known) if cue != Cue::OrderBy => Some(order_by(known.by.clone(), down)),
        Phrase::Order(known) => Some(Derived::new(Phrase::Order(known.clone()))),
        Phrase::Columns(columns) => match &**columns {
            [wanted] if wanted.what == ColumnFunction::Count => {
                Some(order_by(By::CountOf(wanted.of.clone()?), down))
            }
            _ => None,
        },
        _ => None,
    }
}

fn turned<'k>(known: &Order<'k>, cue: Cue) -> Option<Derived<'k>> {
    match cue {
        Cue::Descending => Some(order_by(known.by.clone(), true)),
        Cue::Ascending => Some(order_by(known.by.clone(), false)),
        _ => None,
    }
}

fn ordered<'k>(context: &Context<'k>, of: &Phrase<'k>, order: &Order<'k>, derived: &mut Vec<Derived<'k>>) {
    let answer = match of {
        Phrase::Set(set) => Answer::list(set.clone()),
        Phrase::Answer(answer) => (**answer).clone(),
        _ => return,
    };
    let Answer::List { of, columns, order: known, limit } = answer else { return };
    if !known.is_empty() {
        return;
    }
    let found = match &order.by {
        By::Name => vec![(named(context, &of), false, crate::score::Features::default())],
        by => measures(context, &of, by),
    };
    for (measure, reversed, features) in found.into_iter().take(1) {
        let keys = vec![(aggregate(&columns, measure), order.down != reversed)];
        let answer = Answer::List { of: of.clone(), columns: columns.clone(), order: keys, limit };
        let mut derived_answer = Derived::answer(answer).with(Feature::Cued, 1.0);
        // Rows may be sorted by texts as well as by numbers.
        let by_text = features.of(Feature::MeasuredByText);
        derived_answer.features.add_all(&features.and(Feature::MeasuredByText, -by_text));
        derived.push(derived_answer);
    }
}

/// The names of things; values stand for themselves.
fn named<'k>(context: &Context<'k>, of: &Set<'k>) -> Measure<'k> {
    let name = name_properties(context, of).first().map(|property| Step { property, forward: true });
    Measure::Value(name.into_iter().collect())
}

/// A measure, expressed as the aggregate column that already has it.
fn aggregate<'k>(columns: &[Column<'k>], measure: Measure<'k>) -> Measure<'k> {
    let counted = columns.iter().find(|column| column.what == ColumnFunction::Count);
    match (measure, counted) {
        (Measure::Count(_, set), Some(column)) if column.of.as_ref() == Some(&set) => {
            Measure::Count(column.path.clone(), set)
        }
        (other, _) => other,
    }
}

#[cfg(test)]
mod tests;
