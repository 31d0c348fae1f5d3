//! Quantifiers: all, most and none of a set; only members of a set, and every one of them. SPARQL has no "for all", so the query
//! requires that there is no exception.

use super::constant;
use super::pattern::Pattern;
use crate::meaning::{Base, Path, Quantifier, Set};
use crate::schema::Kind;
use std::rc::Rc;

/// An ASK query for whether a quantified share of a set is in a part of it.
pub(super) fn asked<'k>(
    pattern: &mut Pattern<'_, 'k>,
    quantifier: Quantifier,
    whole: &Set<'k>,
    part: &Set<'k>,
) -> String {
    let exception = |pattern: &mut Pattern<'_, 'k>| pattern.inside(|pattern| pattern.outside(whole, part)).1;
    match quantifier {
        Quantifier::NotAll => format!("ASK {{ {} }}", exception(pattern)),
        Quantifier::All => {
            // "All" is not true of an empty set.
            let (member, there) = pattern.inside(|pattern| pattern.members(whole));
            let exception = exception(pattern);
            format!(
                "ASK {{ {{ SELECT {member} WHERE {{ {there} }} LIMIT 1 }} FILTER NOT EXISTS {{ {exception} }} }}"
            )
        }
        Quantifier::None => {
            let ((), members) = pattern.inside(|pattern| {
                pattern.members(part);
            });
            format!("ASK {{ FILTER NOT EXISTS {{ {members} }} }}")
        }
        Quantifier::Most => {
            let mut count = |set: &Set<'k>, name: &str| {
                let (member, members) = pattern.inside(|pattern| pattern.members(set));
                format!("{{ SELECT (COUNT(DISTINCT {member}) AS ?{name}) WHERE {{ {members} }} }}")
            };
            let (part, whole) = (count(part, "part"), count(whole, "whole"));
            format!("ASK {{ {part} {whole} FILTER(2 * ?part > ?whole) }}")
        }
    }
}

impl<'k> Pattern<'_, 'k> {
    /// Writes that something is a member of a set but not of a part of it.
    fn outside(&mut self, whole: &Set<'k>, part: &Set<'k>) {
        let member = self.members(whole);
        let more = part.conditions.iter().filter(|condition| !whole.conditions.contains(condition));
        let said =
            Set { base: Base::Any, kind: part.kind.clone(), conditions: more.cloned().collect(), rank: None };
        let ((), text) = self.inside(|pattern| pattern.meets(&member, &said));
        self.push(format!("FILTER NOT EXISTS {{ {text} }}"));
    }

    /// Writes that a path leads to members of a set, and to nothing else.
    pub(super) fn only(&mut self, term: &str, path: &Path<'k>, set: &Rc<Set<'k>>) {
        self.joined(term, path, set);
        let ((), text) = self.inside(|pattern| {
            let end = pattern.walk(term, path, None, false);
            match constant(set) {
                Some(one) => pattern.push(format!("FILTER({end} != {one})")),
                None => {
                    let ((), member) = pattern.inside(|pattern| pattern.meets(&end, set));
                    pattern.push(format!("FILTER NOT EXISTS {{ {member} }}"));
                }
            }
        });
        self.push(format!("FILTER NOT EXISTS {{ {text} }}"));
    }

    /// Writes that a path leads to every member of a set (relational division).
    pub(super) fn every(&mut self, term: &str, path: &Path<'k>, set: &Rc<Set<'k>>) {
        let anything = Set { base: Base::Any, kind: Kind::Unknown, conditions: Vec::new(), rank: None };
        self.joined(term, path, &Rc::new(anything));
        let ((), text) = self.inside(|pattern| {
            let member = pattern.members(set);
            let ((), reached) = pattern.inside(|pattern| {
                pattern.walk(term, path, Some(member.clone()), false);
            });
            pattern.push(format!("FILTER NOT EXISTS {{ {reached} }}"));
        });
        self.push(format!("FILTER NOT EXISTS {{ {text} }}"));
    }
}
