//! The cheapest path of two or three steps between two classes, searched from both ends. Reads the schema graph of the index.

use eruca_indexer::{Hop, SchemaGraph};
use rustc_hash::FxHashMap;

/// Maximum number of neighbouring classes expanded.
const MAX_BESIDE: usize = 300;
/// Minimum cost of a step.
const MIN_PRICE: f32 = 1.0;

/// The cost of a step: higher if it is used less than the most used one of its class.
pub(crate) fn price(count: u64, most: u64) -> f32 {
    let (count, most) = (count.max(1) as f32, most.max(1) as f32);
    MIN_PRICE + ((most / count).ln() / 8.0).clamp(0.0, 1.0)
}

/// The most used step to each neighbour of a class, with its cost.
type Beside<'g> = FxHashMap<&'g str, (&'g Hop, f32)>;

fn beside<'g>(graph: &'g SchemaGraph, class: &str) -> Beside<'g> {
    let hops = graph.hops(class);
    let most = most(hops);
    let mut found = Beside::default();
    for hop in hops {
        found.entry(&hop.class).or_insert_with(|| (hop, price(hop.count, most)));
    }
    found
}

/// Hops come most used first.
fn most(hops: &[Hop]) -> u64 {
    hops.first().map_or(1, |hop| hop.count)
}

/// A path with its cost.
type Found<'g> = Option<(f32, Vec<&'g Hop>)>;

/// The cheapest path of two or three steps from one class to another.
pub(crate) fn shortest<'g>(graph: &'g SchemaGraph, from: &str, to: &str) -> Found<'g> {
    let before = arriving(graph, to);
    let mut next: Vec<(&'g Hop, f32)> = beside(graph, from).into_values().collect();
    next.retain(|(hop, _)| hop.class != from && hop.class != to);
    next.sort_by(|(a, x), (b, y)| x.total_cmp(y).then_with(|| a.class.cmp(&b.class)));
    let mut best: Found<'g> = None;
    for (hop, cost) in &next {
        if let Some((last, more)) = before.get(hop.class.as_str()) {
            keep(&mut best, cost + more, || vec![*hop, *last]);
        }
    }
    for (hop, cost) in next.into_iter().take(MAX_BESIDE) {
        let open = |least: f32| best.as_ref().is_none_or(|(known, _)| least < *known);
        if !open(cost + 2.0 * MIN_PRICE) {
            break;
        }
        by_three(graph, (hop, cost), [from, to], &before, &mut best);
    }
    best
}

/// The steps to a class from each of its neighbours, with their costs there.
fn arriving<'g>(graph: &'g SchemaGraph, to: &str) -> Beside<'g> {
    let mut found = Beside::default();
    for class in beside(graph, to).into_keys() {
        let hops = graph.hops(class);
        if let Some(hop) = hops.iter().find(|hop| hop.class == to) {
            found.insert(class, (hop, price(hop.count, most(hops))));
        }
    }
    found
}

fn by_three<'g>(
    graph: &'g SchemaGraph,
    (first, cost): (&'g Hop, f32),
    ends: [&str; 2],
    before: &Beside<'g>,
    best: &mut Found<'g>,
) {
    let hops = graph.hops(&first.class);
    let most = most(hops);
    for second in hops {
        let so_far = cost + price(second.count, most);
        if best.as_ref().is_some_and(|(known, _)| so_far + MIN_PRICE >= *known) {
            break;
        }
        if ends.contains(&second.class.as_str()) || second.class == first.class {
            continue;
        }
        if let Some((third, more)) = before.get(second.class.as_str()) {
            keep(best, so_far + more, || vec![first, second, *third]);
        }
    }
}

fn keep<'g>(best: &mut Found<'g>, cost: f32, way: impl FnOnce() -> Vec<&'g Hop>) {
    if best.as_ref().is_none_or(|(known, _)| cost < *known) {
        *best = Some((cost, way()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_indexer::vocabulary::Vocabulary;
    use eruca_indexer::{DatasetCard, Edge, PropertyCard, Target};

    fn property(iri: &str, from: &str, to: &str, count: u64) -> PropertyCard {
        let target = Target::Class(to.to_owned());
        let edge = Edge { class: Some(from.to_owned()), target, count, samples: Vec::new() };
        PropertyCard { iri: iri.to_owned(), usage: count, edges: vec![edge], ..PropertyCard::default() }
    }

    fn way(properties: Vec<PropertyCard>, from: &str, to: &str) -> Option<String> {
        let mut card = DatasetCard::default();
        card.properties = properties;
        let graph = SchemaGraph::of(&card, &Vocabulary::default());
        let (_, hops) = shortest(&graph, from, to)?;
        let side = |hop: &Hop| if hop.forward { "" } else { "^" };
        Some(hops.iter().map(|hop| format!("{}{}", side(hop), hop.property)).collect::<Vec<_>>().join("/"))
    }

    #[test]
    fn ways_are_found_in_both_directions_by_three_steps_at_most() {
        let chain = || {
            vec![
                property("writes", "Poet", "Poem", 5),
                property("in", "Poem", "Book", 5),
                property("by", "Book", "Press", 5),
                property("seat", "Press", "Town", 5),
            ]
        };
        assert_eq!(way(chain(), "Poet", "Book").as_deref(), Some("writes/in"));
        assert_eq!(way(chain(), "Press", "Poet").as_deref(), Some("^by/^in/^writes"));
        assert_eq!(way(chain(), "Poet", "Town"), None);
    }

    #[test]
    fn a_longer_way_of_common_steps_is_cheaper_than_a_shorter_one_of_rare_steps() {
        let all = vec![
            property("a", "Ship", "Crew", 50_000),
            property("b", "Crew", "Sailor", 50_000),
            property("c", "Sailor", "Port", 50_000),
            property("seen", "Ship", "Bird", 1),
            property("nests", "Bird", "Port", 1),
            property("eats", "Bird", "Fish", 50_000),
        ];
        assert_eq!(way(all, "Ship", "Port").as_deref(), Some("a/b/c"));
    }
}
