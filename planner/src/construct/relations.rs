//! A relation applied to a set: "the capital of Estonia", "born in Paris", "the Rhine's length"; and chains of relations.

use crate::chart::Construct;
use crate::compose::relations::{has_namesake, is_value_of};
use crate::context::Context;
use crate::meaning::{Condition, Path, Set, Step, returns, turned};
use crate::phrase::{Connective, Derived, Pair, Phrase, Relation};
use crate::schema::{CostedPath, Kind};
use crate::score::Feature;
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(crate) struct Relations;

impl Construct for Relations {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if connective.has(Cue::Not) || connective.has(Cue::Or) || connective.has(Cue::And) || connective.comma
        {
            return;
        }
        match (&left.phrase, &right.phrase) {
            (Phrase::Relation(relation), Phrase::Set(set)) => {
                applied(context, relation, set, &Site { connective, relation_first: true }, derived);
            }
            (Phrase::Set(set), Phrase::Relation(relation)) => {
                applied(context, relation, set, &Site { connective, relation_first: false }, derived);
            }
            (Phrase::Relation(one), Phrase::Relation(other)) => {
                chained(context, one, connective, other, derived);
            }
            _ => {}
        }
    }
}

/// How a relation and a set are arranged in the question.
struct Site<'a> {
    connective: &'a Connective,
    relation_first: bool,
}

impl Site<'_> {
    fn says_of(&self) -> bool {
        self.connective.possessive || self.connective.role == Some(Role::Of)
    }
}

fn applied<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    set: &Rc<Set<'k>>,
    site: &Site<'_>,
    derived: &mut Vec<Derived<'k>>,
) {
    let path = &relation.path;
    if is_value_of(path, set) {
        // "Directed by Ada Lind": the value already implies the relation.
        derived.push(Derived::new(Phrase::Set(set.clone())).with(Feature::Relation, 1.0));
        return;
    }
    // What the members have (forward).
    if let Some(kind) = may_lead(context, path, set) {
        let found = Set::any(kind, Condition::Joined(turned(path), set.clone()));
        derived.push(priced(Derived::set(found), relation, set, site, true));
    }
    // What has the members (backward).
    if let Some(kind) = may_lead(context, &turned(path), set).filter(|_| may_be_shared(set)) {
        let found = Set::any(kind, Condition::Joined(path.clone(), set.clone()));
        derived.push(priced(Derived::set(found), relation, set, site, false));
    }
    through(context, relation, set, site, derived);
}

/// The kind that a path leads to from a set. A yes/no question may be about a thing that has no such path: the answer is no.
fn may_lead<'k>(context: &Context<'k>, path: &[Step<'k>], set: &Set<'k>) -> Option<Kind<'k>> {
    context.leads(path, set).or_else(|| {
        let asked = context.question.asks_yes_or_no() && set.is_one_thing() && set.kind != Kind::Unknown;
        context.schema.follow_path(path, &set.kind).filter(|_| asked)
    })
}

/// Unnamed values are not a valid link: a price and a year may be equal by chance.
fn may_be_shared(set: &Set<'_>) -> bool {
    !set.kind.is_values() || set.is_named()
}

/// The relation belongs to something that a path of the schema joins to the members.
fn through<'k>(
    context: &Context<'k>,
    relation: &Relation<'k>,
    set: &Rc<Set<'k>>,
    site: &Site<'_>,
    derived: &mut Vec<Derived<'k>>,
) {
    let Some((first, last)) = relation.path.first().zip(relation.path.last()) else { return };
    let owner = context.schema.start(*first);
    let unclassed =
        owner == Kind::Unknown && first.forward && context.schema.starts_unclassed(first.property);
    let ways = match unclassed {
        true => to_unclassed(context, set),
        false if owner == Kind::Unknown || context.schema.compatible(&owner, &set.kind) => return,
        false => context.ways(&owner, set),
    };
    for way in ways.iter().filter(|way| !returns(&turned(&way.path), &relation.path)).take(2) {
        let owners = Set::any(owner.clone(), Condition::Joined(way.path.clone(), set.clone()));
        let found =
            Set::any(context.schema.end(*last), Condition::Joined(turned(&relation.path), Rc::new(owners)));
        let other = f32::from(u8::from(context.is_name_of_other(&set.kind, &relation.path)));
        let bridged =
            Derived::set(found).with(Feature::RelationBridge, 1.0).with(Feature::BridgeCost, way.cost);
        let bridged = bridged
            .with(Feature::NameOfOther, other)
            .with(Feature::NamesakeHas, f32::from(u8::from(has_namesake(context, set, *first))));
        derived.push(priced(bridged, relation, set, site, true));
    }
}

/// Paths from unclassed nodes to the members that own them: a postal code belongs to an address that belongs to a hotel.
fn to_unclassed<'k>(context: &Context<'k>, set: &Set<'k>) -> Vec<CostedPath<'k>> {
    let had =
        |way: &CostedPath<'k>| way.path.first().is_some_and(|step| context.has(set, *step) != Some(false));
    let ways = context.ways_to_unclassed(&set.kind).into_iter().filter(had);
    ways.map(|way| CostedPath { path: turned(&way.path), ..way }).collect()
}

fn priced<'k>(
    derived: Derived<'k>,
    relation: &Relation<'k>,
    set: &Set<'k>,
    site: &Site<'_>,
    forward: bool,
) -> Derived<'k> {
    let derived = derived.with(Feature::Relation, 1.0);
    let derived = direction(relation, site, forward)
        .into_iter()
        .fold(derived, |derived, feature| derived.with(feature, 1.0));
    let derived = if set.is_bare_class() { derived.with(Feature::RelationOfClass, 1.0) } else { derived };
    // "Capitals with a million inhabitants": the capitals have them, not something unmentioned whose capitals they are.
    let apart = !relation.verb && !site.says_of();
    let on = |holds: bool| f32::from(u8::from(apart && holds));
    clause(derived.with(Feature::Unsaid, on(set.is_open()) + on(set.is_unsaid())), site.connective)
}

/// Verbs and pronouns of the clause are used by the phrase.
fn clause<'k>(derived: Derived<'k>, connective: &Connective) -> Derived<'k> {
    derived.by_all(connective.those_of([Cue::Relative, Cue::Have, Cue::Be, Cue::Do]))
}

/// The feature for word order and prepositions that contradict the direction of the relation.
fn direction(relation: &Relation<'_>, site: &Site<'_>, forward: bool) -> Option<Feature> {
    let by = matches!(
        site.connective.role,
        Some(Role::By | Role::From | Role::In | Role::To | Role::With | Role::For)
    );
    let of = site.says_of();
    match (site.relation_first, relation.verb, of, by, forward) {
        (true, false, true, _, true) => Some(Feature::NounOfSetForward),
        (true, false, false, _, true) => Some(Feature::NounSetForward),
        (true, true, _, true, false) => Some(Feature::VerbBySetBackward),
        (false, false, _, _, true) => Some(Feature::SetNounForward),
        _ => None,
    }
}

/// "The population of the capital": one relation applied to the end of another.
fn chained<'k>(
    context: &Context<'k>,
    one: &Relation<'k>,
    connective: &Connective,
    other: &Relation<'k>,
    derived: &mut Vec<Derived<'k>>,
) {
    let of = matches!(connective.role, Some(Role::Of | Role::In | Role::From)) && !connective.has(Cue::Each);
    let (outer, inner) = if of { (one, other) } else { (other, one) };
    let Some(first) = inner.path.first() else { return };
    let path: Path<'k> = inner.path.iter().chain(&outer.path).copied().collect();
    if path.len() <= 3 && context.schema.follow_path(&path, &context.schema.start(*first)).is_some() {
        let relation = Relation { path, ..outer.clone() };
        derived.push(
            Derived::new(Phrase::Relation(relation)).with(Feature::ChainInOrder, f32::from(u8::from(!of))),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::{Graph, HARBOURS, LAND};

    const MERCURIES: &str = r#"
:Town rdfs:label "town" . :Person rdfs:label "person" . :Moon rdfs:label "moon" . :height rdfs:label "height" . :home rdfs:label "home" .
:mayor rdfs:label "mayor" . :size rdfs:label "size" .
:t a :Town ; rdfs:label "Juno" ; :mayor :q ; :size 4 . :m a :Moon ; rdfs:label "Juno" ; :size 9 . :p a :Person ; rdfs:label "Juno" ; :height 170 .
:q a :Person ; rdfs:label "Ida Moor" ; :height 180 ; :home :t . :u a :Town ; rdfs:label "Vesta" ; :mayor :q ."#;

    #[test]
    fn of_several_of_one_name_the_one_that_has_it_is_meant() {
        assert_eq!(Graph::of(MERCURIES).ask("What is the height of Juno?", "en"), ["170"]);
    }

    #[test]
    fn what_nothing_of_that_name_has_is_of_what_belongs_to_it() {
        assert_eq!(Graph::of(MERCURIES).ask("What is the height of the mayor of Vesta?", "en"), ["180"]);
    }

    #[test]
    fn names_and_plain_words_are_no_conditions() {
        let graph = Graph::of(HARBOURS);
        graph.answers(
            "en",
            &[
                ("Which harbour is the Petrel's home harbour?", &["northport"]),
                ("ships of Northport", &["petrel", "tern"]),
                ("Which ship carries timber and has Northport as its home harbour?", &["tern"]),
            ],
        );
    }

    #[test]
    fn capitals_with_many_inhabitants_have_them_themselves() {
        let graph = Graph::of(LAND);
        graph.answers(
            "en",
            &[
                ("Which capitals have more than 1000 inhabitants?", &["ctown"]),
                ("What are the inhabitants of the capital of Aland?", &["300"]),
                ("What is the capital of Cland?", &["ctown"]),
            ],
        );
    }
}
