//! A position in a list: "the first author", "the third chapter of …". Where the graph keeps the order of a list, the position
//! refers to that order and not to a time.

use crate::chart::Construct;
use crate::context::Context;
use crate::meaning::{Condition, Set};
use crate::phrase::{Derived, Pair, Phrase};
use crate::score::Feature;

/// Maximum position.
const MAX_PLACE: u32 = 100;

pub(super) struct Places;

impl Construct for Places {
    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        let (Phrase::Ordinal(place), Phrase::Set(set)) = (&left.phrase, &right.phrase) else { return };
        if connective.is_empty() && set.rank.is_none() {
            derived.extend(placed(context, *place, set));
        }
    }
}

/// The members at the given position of the one list that they belong to.
fn placed<'k>(context: &Context<'k>, place: u32, set: &Set<'k>) -> Option<Derived<'k>> {
    let mut listed = 0;
    let mut change = |condition: &Condition<'k>| match condition {
        Condition::Joined(path, of) => match path.as_slice() {
            [step] if !step.forward && context.schema.collects(step.property).is_some() => {
                listed += 1;
                Condition::Placed(step.property, place, of.clone())
            }
            _ => condition.clone(),
        },
        _ => condition.clone(),
    };
    let conditions: Vec<Condition<'k>> = set.conditions.iter().map(&mut change).collect();
    let found = Set { conditions, ..set.clone() };
    (listed == 1 && (1..=MAX_PLACE).contains(&place)).then(|| Derived::set(found).with(Feature::Cued, 1.0))
}

#[cfg(test)]
mod tests {
    use crate::tests::graph::Graph;

    const BOOKS: &str = r#"
:Poem rdfs:label "poem" . :Poet rdfs:label "poet" . :Part rdfs:label "verse" . :poets rdfs:label "poets" .
:parts rdfs:label "verses" . :reads rdfs:label "readers" .
:p1 a :Poem ; rdfs:label "The Heron" ; :poets ( :b :a ) ; :parts ( :v1 :v2 :v3 ) ; :reads :a , :b .
:p2 a :Poem ; rdfs:label "The Otter" ; :poets ( :a ) .
:a a :Poet ; rdfs:label "Ada Lind" . :b a :Poet ; rdfs:label "Bo Reed" .
:v1 a :Part ; rdfs:label "Dawn" . :v2 a :Part ; rdfs:label "Noon" . :v3 a :Part ; rdfs:label "Dusk" ."#;

    #[test]
    fn a_place_is_one_in_the_list() {
        let graph = Graph::of(BOOKS);
        assert_eq!(graph.ask("Who is the first poet of The Heron?", "en"), ["b"]);
        assert_eq!(graph.ask("What is the third verse of The Heron?", "en"), ["v3"]);
    }

    #[test]
    fn without_a_place_all_of_them_are_meant() {
        let graph = Graph::of(BOOKS);
        assert_eq!(graph.ask("Who are the poets of The Heron?", "en"), ["a", "b"]);
        assert_eq!(graph.ask("How many verses does The Heron have?", "en"), ["3"]);
        assert_eq!(graph.ask("Which poems have the poet Ada Lind?", "en"), ["p1", "p2"]);
    }

    #[test]
    fn members_of_a_list_come_in_its_order() {
        let graph = Graph::of(BOOKS);
        assert_eq!(graph.rows("What are the verses of The Heron?", "en"), ["v1", "v2", "v3"]);
        assert_eq!(graph.rows("Who are the poets of The Heron?", "en"), ["b", "a"]);
    }
}
