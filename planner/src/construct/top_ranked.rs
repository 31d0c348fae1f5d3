//! The top of each group: "the oldest player of each team", "the two cheapest items per category".

use crate::chart::Construct;
use crate::compose::measures::ways_from;
use crate::context::Context;
use crate::meaning::{Answer, Column, Path, Rank, Set};
use crate::phrase::{Derived, Pair, Phrase, Wanted};
use crate::score::Feature;
use std::rc::Rc;

pub(super) struct TopRanked;

impl Construct for TopRanked {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, right, .. } = pair;
        let ((Phrase::Key(key), Phrase::Set(set)) | (Phrase::Set(set), Phrase::Key(key))) =
            (&left.phrase, &right.phrase)
        else {
            return;
        };
        let Some(rank) = set.rank.as_ref().filter(|rank| rank.per.is_empty()) else { return };
        if let Some((path, cost)) = group(context, key, set) {
            derived.push(winner(set, rank, path).with(Feature::BridgeCost, cost));
        }
    }
}

/// The path from members to what they are grouped by.
fn group<'k>(context: &Context<'k>, key: &Wanted<'k>, set: &Set<'k>) -> Option<(Path<'k>, f32)> {
    if !key.then.is_empty() {
        return context.schema.follow_path(&key.then, &set.kind).map(|_| (key.then.clone(), 0.0));
    }
    let of = key.of.as_ref()?;
    ways_from(context, set, &of.kind).into_iter().next()
}

fn winner<'k>(set: &Set<'k>, rank: &Rank<'k>, path: Path<'k>) -> Derived<'k> {
    let rank = Rank { per: path.clone(), ..rank.clone() };
    let group = Column { path, ..Column::this() };
    let of = Rc::new(Set { rank: Some(rank), ..set.clone() });
    let answer = Answer::List { of, columns: vec![group, Column::this()], order: Vec::new(), limit: None };
    Derived::answer(answer).with(Feature::Cued, 1.0).with(Feature::Cued, 1.0)
}

#[cfg(test)]
mod tests;
