//! Superlatives: the first or last members by a measure, several of them, or one further down ("the second largest").

use super::measures::measures;
use super::{Construct, Context};
use crate::chart::{By, Gap, Item, Made, Phrase, Top};
use crate::meaning::{Rank, Set};
use crate::question::{GradeAt, Span};
use crate::schema::Kind;
use crate::score::Feature;
use eruca_indexer::language::{Cue, Degree};
use std::rc::Rc;

pub(super) struct Superlatives;

/// Cues that make a superlative of what follows, with whether the greatest is meant.
const CUES: [(Cue, bool); 6] = [
    (Cue::Most, true),
    (Cue::Fewest, false),
    (Cue::Maximum, true),
    (Cue::Minimum, false),
    (Cue::Commonest, true),
    (Cue::Rarest, false),
];

impl Construct for Superlatives {
    fn leaves<'k>(&self, context: &Context<'k>, made: &mut Vec<(Span, Made<'k>)>) {
        for grade in context.question.grades.iter().filter(|grade| is_superlative(context, grade)) {
            let by = By::Grade(super::bounds::graded(grade));
            made.push((grade.span, top(by, grade.grade.up)));
        }
        for (cue, _) in CUES {
            made.extend(context.cues(cue).map(|span| (span, Made::new(Phrase::Cue(cue)))));
        }
        for ordinal in context.question.ordinals.iter().filter(|ordinal| !context.is_in_name(ordinal.span)) {
            made.push((ordinal.span, Made::new(Phrase::Ordinal(ordinal.place))));
        }
        for row in context.cues(Cue::FirstInRow) {
            made.push((row, Made::new(Phrase::Cue(Cue::FirstInRow))));
        }
        for cue in [Cue::Commonest, Cue::Rarest] {
            made.extend(context.cues(cue).map(|span| (span, top(By::Uses, cue == Cue::Commonest))));
        }
    }

    fn combine<'k>(
        &self,
        context: &Context<'k>,
        left: &Item<'k>,
        gap: &Gap,
        right: &Item<'k>,
        made: &mut Vec<Made<'k>>,
    ) {
        match (&left.phrase, &right.phrase) {
            (Phrase::Ordinal(place), Phrase::Top(top)) => {
                made.push(changed(top, |top| top.skip = place.saturating_sub(1)));
            }
            (Phrase::Number(number), Phrase::Top(top)) | (Phrase::Top(top), Phrase::Number(number)) => {
                made.extend(count_of(number).map(|count| changed(top, |top| top.take = count)));
            }
            (Phrase::Cue(Cue::FirstInRow), Phrase::Number(_)) => made.push(Made::new(right.phrase.clone())),
            (Phrase::Cue(cue), other) => made.extend(by_cue(*cue, other)),
            (Phrase::Top(top), Phrase::Relation(relation)) => {
                let named = |top: &mut Top<'k>| top.by = By::Relation(relation.path.clone());
                made.push(changed(top, named).with(Feature::GradeOfRelation, 1.0));
            }
            (Phrase::Top(top), Phrase::Set(set)) => ranked(context, set, top, gap, (Feature::TopThenSet, made)),
            (Phrase::Set(set), Phrase::Top(top)) => ranked(context, set, top, gap, (Feature::SetThenTop, made)),
            _ => {}
        }
    }
}

fn is_superlative(context: &Context<'_>, grade: &GradeAt) -> bool {
    grade.grade.degree == Degree::Superlative && !context.is_in_name(grade.span)
}

fn top<'k>(by: By<'k>, down: bool) -> Made<'k> {
    Made::new(Phrase::Top(Rc::new(Top { by, down, skip: 0, take: 1 })))
}

fn changed<'k>(of: &Top<'k>, change: impl FnOnce(&mut Top<'k>)) -> Made<'k> {
    let mut other = of.clone();
    change(&mut other);
    Made::new(Phrase::Top(Rc::new(other)))
}

fn count_of(number: &crate::chart::Number) -> Option<u32> {
    number.0.text.parse().ok().filter(|count| (1..=1000).contains(count))
}

/// "Most students", "the maximum capacity".
fn by_cue<'k>(cue: Cue, of: &Phrase<'k>) -> Option<Made<'k>> {
    let (_, down) = CUES.into_iter().find(|(known, _)| *known == cue)?;
    let counts = matches!(cue, Cue::Most | Cue::Fewest);
    match of {
        Phrase::Relation(relation) => Some(top(By::Relation(relation.path.clone()), down)),
        Phrase::Set(set) if counts && !set.is_named() => Some(top(By::CountOf(set.clone()), down)),
        Phrase::Columns(columns) => match &**columns {
            [wanted] if wanted.what == crate::meaning::What::Count => {
                Some(top(By::CountOf(wanted.of.clone()?), down))
            }
            _ => None,
        },
        _ => None,
    }
}

fn ranked<'k>(
    context: &Context<'k>,
    set: &Rc<Set<'k>>,
    top: &Top<'k>,
    gap: &Gap,
    (order, made): (Feature, &mut Vec<Made<'k>>),
) {
    if set.rank.is_some() || set.is_named() || gap.has(Cue::Not) || gap.has(Cue::Or) || gap.has(Cue::Than) {
        return;
    }
    for (measure, turned, features) in measures(context, set, &top.by) {
        let rank = Rank { by: measure, down: top.down != turned, skip: top.skip, take: top.take };
        let ranked = Set { rank: Some(rank), ..(**set).clone() };
        let mut found = Made::set(ranked).with(order, 1.0).with(Feature::Ranked, 1.0);
        found.features.add_all(&features);
        made.push(found.by(Cue::Relative).by(Cue::Have).by(Cue::Be));
    }
    itself(set, top, order, made);
}

/// "The highest salary": the greatest of the values themselves.
fn itself<'k>(set: &Rc<Set<'k>>, top: &Top<'k>, order: Feature, made: &mut Vec<Made<'k>>) {
    if matches!(set.kind, Kind::Values(_)) && set.kind.is_measurable() {
        let by = crate::meaning::Measure::Value(Vec::new());
        let rank = Rank { by, down: top.down, skip: top.skip, take: top.take };
        let ranked = Set { rank: Some(rank), ..(**set).clone() };
        made.push(Made::set(ranked).with(order, 1.0).with(Feature::Ranked, 1.0));
    }
}
