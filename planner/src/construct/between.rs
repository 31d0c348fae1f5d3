//! Intermediate nodes: an employment joins a person, a company and a role, and has no name of its own. A question about who it is
//! means the person; a question about two of the joined things means the node that joins exactly these.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Condition, Path, Set};
use crate::phrase::{Derived, Pair, Phrase};
use crate::score::Feature;
use eruca_language::Cue;
use std::rc::Rc;

pub(super) struct Between;

impl Construct for Between {
    /// "When did Ina start at Bolt": from the values of intermediate nodes, those of the nodes that also join the other thing.
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let (Phrase::Set(one), Phrase::Set(other)) = (&left.phrase, &right.phrase) else { return };
        if [Cue::Not, Cue::Or, Cue::And].into_iter().any(|cue| connective.has(cue)) || connective.comma {
            return;
        }
        let found = narrowed(context, one, other).or_else(|| narrowed(context, other, one));
        derived.extend(found.map(|set| {
            let narrowed = Derived::set(set).with(Feature::Cued, 1.0);
            narrowed.by_all([Cue::Do, Cue::Be, Cue::Have])
        }));
    }
}

/// Values of the intermediate nodes that also join a named thing.
fn narrowed<'k>(context: &Context<'k>, values: &Set<'k>, thing: &Rc<Set<'k>>) -> Option<Set<'k>> {
    let [Condition::Joined(path, nodes)] = values.conditions.as_slice() else { return None };
    let plain = values.is_open() && values.rank.is_none() && nodes.rank.is_none();
    if !plain || !thing.is_one_thing() || !thing.is_named() || !context.is_between(&nodes.kind) {
        return None;
    }
    let ways = context.ways(&nodes.kind, thing);
    let way: &Path<'k> = ways.iter().map(|way| &way.path).find(|path| path.len() == 1)?;
    let known = |condition: &Condition<'k>| matches!(condition, Condition::Joined(known, _) if known == way);
    if nodes.conditions.is_empty() || nodes.conditions.iter().any(known) {
        return None;
    }
    let nodes = nodes.and(Condition::Joined(way.clone(), thing.clone()));
    Some(Set { conditions: vec![Condition::Joined(path.clone(), Rc::new(nodes))], ..values.clone() })
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const TENURES: &str = r#"
:Person rdfs:label "person" . :Club rdfs:label "club" . :Tenure rdfs:label "tenure" . :office rdfs:label "office" . :club rdfs:label "club" .
:since rdfs:label "start" . :holder rdfs:label "holder" .
:n1 a :Tenure ; :holder :p1 ; :club :c1 ; :office "treasurer" ; :since 2001 .
:n2 a :Tenure ; :holder :p2 ; :club :c1 ; :office "chair" ; :since 2004 .
:n3 a :Tenure ; :holder :p1 ; :club :c2 ; :office "chair" ; :since 2008 .
:p1 a :Person ; rdfs:label "Ada Lind" . :p2 a :Person ; rdfs:label "Bo Reed" .
:c1 a :Club ; rdfs:label "Rowers" . :c2 a :Club ; rdfs:label "Anglers" ."#;

    #[test]
    fn who_is_no_node_between() {
        let graph = Graph::of(TENURES);
        assert_eq!(graph.ask("Who is the chair of Rowers?", "en"), ["p2"]);
        assert_eq!(graph.ask("Who is the treasurer of Rowers?", "en"), ["p1"]);
    }

    #[test]
    fn what_nodes_between_have_is_of_all_that_they_join() {
        let graph = Graph::of(TENURES);
        assert_eq!(graph.ask("When did Ada Lind start at Anglers?", "en"), ["2008"]);
        assert_eq!(graph.ask("When did Ada Lind start?", "en"), ["2001", "2008"]);
    }

    #[test]
    fn nodes_are_counted_where_they_are_named() {
        let graph = Graph::of(TENURES);
        assert_eq!(graph.ask("How many tenures does Ada Lind have?", "en"), ["2"]);
    }
}
