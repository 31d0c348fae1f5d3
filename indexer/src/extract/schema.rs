//! Counts classes with their instances, and properties with their names and use.

use super::counted::{CountedProperty, CountedSchema, most_edges};
use super::entities::{description, labels};
use super::graph::{Graph, NodeId, Object};
use super::prefixes::NamespaceCounts;
use super::roles::Roles;
use super::usage::{PropertyUse, UsageCounts};
use crate::card::{ClassCard, PropertyCard};
use crate::hierarchy::and_above;
use crate::vocabulary::{PropertyFacts, RDFS_DOMAIN, RDFS_RANGE, is_meta};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many times as many connections a share of a graph keeps as the card of the whole.
const KEPT_BY_SHARES: usize = 4;
/// Maximum number of superclasses, nearest first, for which an instance is counted. Real hierarchies stay far below.
const MAX_SUPERCLASSES: usize = 1_000;
/// Maximum number of cached superclasses during counting; beyond that, they are computed each time.
const MAX_KEPT_SUPERCLASSES: usize = 4_000_000;
/// Number of cards after which memory is released: a property has up to thousands of names and samples, which may be
/// anywhere in the files, and each loads the pages around it.
const RELEASE_STEP: usize = 1;

/// Counts the use of every class and property; in a share of a graph, by its own subjects.
pub fn count(graph: &Graph, roles: &Roles) -> CountedSchema {
    let (classes, note) = classes(graph, roles);
    let usage = UsageCounts::count(graph, roles);
    let mut naming: Vec<_> = roles.naming.iter().collect();
    naming.sort_by_key(|(_, rank)| **rank);
    let mut counted = CountedSchema {
        triples: usage.triples,
        languages: usage.languages(graph),
        naming_properties: naming.into_iter().map(|(id, _)| graph.node(*id).to_owned()).collect(),
        named_graphs: graph.named_graphs().to_vec(),
        classes,
        properties: properties(graph, roles, usage),
        uncounted: note.into_iter().collect(),
        ..CountedSchema::default()
    };
    let properties = counted.properties.iter().map(|property| property.card.iri.as_str());
    let schema = counted.classes.iter().map(|class| class.iri.as_str()).chain(properties);
    counted.namespaces = NamespaceCounts::of(graph, schema);
    counted
}

fn classes(graph: &Graph, roles: &Roles) -> (Vec<ClassCard>, Option<String>) {
    let InstanceCounts { direct, inherited, cut } = instance_counts(graph, roles);
    let cards: Vec<ClassCard> = graph
        .releasing(RELEASE_STEP, roles.classes.iter())
        .map(|class| {
            let about = &graph.about(*class);
            let superclasses = roles.superclasses.get(class).map_or(&[][..], Vec::as_slice);
            ClassCard {
                iri: graph.node(*class).to_owned(),
                labels: labels(graph, roles, about).0,
                comment: description(graph, roles, about),
                instances: direct.get(class).copied().unwrap_or(0),
                instances_with_subclasses: inherited.get(class).copied().unwrap_or(0),
                superclasses: superclasses
                    .iter()
                    .map(|s| graph.node(*s).to_owned())
                    .filter(|s| !is_meta(s))
                    .collect(),
            }
        })
        .collect();
    let note = (cut > 0).then(|| {
        format!(
            "classes with more than {MAX_SUPERCLASSES} classes above them: {cut}; their instances are counted for the \
             nearest ones only"
        )
    });
    (cards, note)
}

type Counts = FxHashMap<NodeId, u64>;

struct InstanceCounts {
    /// Resources typed directly with the class.
    direct: Counts,
    /// Resources typed with it or a subclass, each counted once.
    inherited: Counts,
    /// Number of classes with more superclasses than are counted.
    cut: usize,
}

/// Instances per class. Resources with the same types are counted together, so that their superclasses are visited only once.
fn instance_counts(graph: &Graph, roles: &Roles) -> InstanceCounts {
    let mut alike: FxHashMap<&[NodeId], u64> = FxHashMap::default();
    for (_, types) in roles.types.all().filter(|(node, _)| graph.is_own(*node)) {
        *alike.entry(types).or_default() += 1;
    }
    let (mut direct, mut inherited) = (Counts::default(), Counts::default());
    let mut hierarchy = Hierarchy { roles, known: FxHashMap::default(), kept: 0, cut: FxHashSet::default() };
    for (types, resources) in alike {
        let mut all: FxHashSet<NodeId> = FxHashSet::default();
        for class in types {
            *direct.entry(*class).or_default() += resources;
            hierarchy.add_above(*class, &mut all);
        }
        for class in all {
            *inherited.entry(class).or_default() += resources;
        }
    }
    InstanceCounts { direct, inherited, cut: hierarchy.cut.len() }
}

/// The superclasses of each class, computed on first use.
struct Hierarchy<'a> {
    roles: &'a Roles,
    known: FxHashMap<NodeId, Vec<NodeId>>,
    kept: usize,
    cut: FxHashSet<NodeId>,
}

impl Hierarchy<'_> {
    /// Adds a class and its superclasses.
    fn add_above(&mut self, class: NodeId, all: &mut FxHashSet<NodeId>) {
        if let Some(known) = self.known.get(&class) {
            all.extend(known.iter().copied());
            return;
        }
        let superclasses = |class: NodeId| self.roles.superclasses.get(&class).map_or(&[][..], Vec::as_slice);
        let above = and_above(class, MAX_SUPERCLASSES, superclasses);
        all.extend(above.classes.iter().copied());
        if above.cut {
            self.cut.insert(class);
        }
        if self.kept + above.classes.len() <= MAX_KEPT_SUPERCLASSES {
            self.kept += above.classes.len();
            self.known.insert(class, above.classes);
        }
    }
}

fn properties(graph: &Graph, roles: &Roles, usage: UsageCounts) -> Vec<CountedProperty> {
    let mut uses = usage.properties;
    // A connection that is rare in one share may be frequent in others.
    let kept = most_edges(uses.len()) * if graph.is_divided() { KEPT_BY_SHARES } else { 1 };
    let facts: FxHashMap<&str, &PropertyFacts> =
        graph.property_facts().iter().map(|facts| (facts.direct.as_str(), facts)).collect();
    let known = roles.properties.iter().copied().filter(|id| graph.is_iri(*id));
    let mut counted: Vec<CountedProperty> = graph
        .releasing(RELEASE_STEP, known)
        .map(|id| {
            let used = uses.remove(&id).unwrap_or_default();
            let meta = is_meta(graph.node(id));
            let card = PropertyCard {
                statements: facts.get(graph.node(id)).copied().cloned(),
                ..property_card(graph, roles, id, &used, kept)
            };
            CountedProperty {
                card,
                // Properties that only describe the schema (rdfs:domain, …) are not about the data.
                is_of_data: used.usage > 0 || !(meta || only_annotates(graph, roles, id)),
                symmetry: used.symmetry,
                collections: used.collections(graph, kept),
            }
        })
        .collect();
    let without_values = facts.values().filter(|facts| {
        let used = graph.find(&facts.direct).is_some_and(|id| roles.properties.contains(&id));
        !used && facts.statements + facts.qualifies > 0
    });
    counted.extend(without_values.map(|facts| CountedProperty::unused(unused_card(graph, roles, facts))));
    counted
}

/// Used as a predicate, but only on classes, properties and ontologies.
fn only_annotates(graph: &Graph, roles: &Roles, property: NodeId) -> bool {
    let declared = graph.about(property).iter().any(|triple| roles.naming.contains_key(&triple.predicate));
    !declared
}

/// The card of a property that occurs only in statements, mostly as a qualifier.
fn unused_card(graph: &Graph, roles: &Roles, facts: &PropertyFacts) -> PropertyCard {
    let about = entity_of(graph, &facts.direct).map(|entity| graph.about(entity)).unwrap_or_default();
    PropertyCard {
        iri: facts.direct.clone(),
        labels: labels(graph, roles, &about).0,
        comment: description(graph, roles, &about),
        statements: Some(facts.clone()),
        ..PropertyCard::default()
    }
}

/// The node that carries the names of a predicate, if that is another node.
fn entity_of(graph: &Graph, predicate: &str) -> Option<NodeId> {
    let names = graph.vocabulary().statements.as_ref()?;
    let (_, number) = names.part(predicate)?;
    graph.find(&names.property_entity(number))
}

fn property_card(
    graph: &Graph,
    roles: &Roles,
    id: NodeId,
    used: &PropertyUse,
    most_edges: usize,
) -> PropertyCard {
    let about = &graph.about(entity_of(graph, graph.node(id)).unwrap_or(id));
    let declared = |predicate: &str| {
        let predicate = graph.find(predicate);
        let objects =
            about.iter().filter(|t| Some(t.predicate) == predicate).filter_map(|t| match t.object {
                Object::Node(node) => graph.is_iri(node).then(|| graph.node(node).to_owned()),
                Object::Literal(_) => None,
            });
        objects.collect::<Vec<_>>()
    };
    PropertyCard {
        iri: graph.node(id).to_owned(),
        labels: labels(graph, roles, about).0,
        comment: description(graph, roles, about),
        declared_domain: declared(RDFS_DOMAIN),
        declared_range: declared(RDFS_RANGE),
        usage: used.usage,
        subjects: used.subjects,
        more_edges: used.connections.len() > most_edges,
        edges: used.connections.edges(graph, most_edges),
        languages: used.languages(graph),
        // What the counts of all shares decide.
        ..PropertyCard::default()
    }
}
