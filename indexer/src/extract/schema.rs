//! Builds the dataset card: classes with their instances, properties with their names and use.

use super::entities::{description, labels};
use super::graph::{Graph, NodeId, Object};
use super::prefixes::prefixes;
use super::roles::Roles;
use super::usage::{PropertyUse, UsageCounts};
use crate::card::{ClassCard, DatasetCard, PropertyCard};
use crate::hierarchy::and_above;
use crate::vocabulary::{PropertyFacts, RDFS_DOMAIN, RDFS_RANGE, is_meta};
use eruca_sparql::Prefixes;
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of connections always kept per property, and maximum for all properties together.
const MAX_EDGES: usize = 40;
const MAX_ALL_EDGES: usize = 200_000;
/// Maximum number of superclasses, nearest first, for which an instance is counted. Real hierarchies stay far below.
const MAX_SUPERCLASSES: usize = 1_000;
/// Maximum number of cached superclasses during counting; beyond that, they are computed each time.
const MAX_KEPT_SUPERCLASSES: usize = 4_000_000;
/// Number of cards after which memory is released: a property has up to thousands of names and samples, which may be
/// anywhere in the files, and each loads the pages around it.
const RELEASE_STEP: usize = 1;

/// Counts the use of every class and property and builds the dataset card; also reports what could not be counted.
pub fn schema(
    graph: &Graph,
    roles: &Roles,
    declared_prefixes: &[(String, String)],
) -> (DatasetCard, Vec<String>) {
    let (classes, note) = classes(graph, roles);
    let usage = UsageCounts::count(graph, roles);
    let mut naming: Vec<_> = roles.naming.iter().collect();
    naming.sort_by_key(|(_, rank)| **rank);
    let mut card = DatasetCard {
        prefixes: Prefixes::default(),
        // Triples of reified nodes were counted during reading; they are not in the graph.
        triples: if graph.vocabulary().statements.is_some() {
            graph.quads_read()
        } else {
            graph.triple_count() as u64
        },
        languages: usage.languages(graph),
        naming_properties: naming.into_iter().map(|(id, _)| graph.node(*id).to_owned()).collect(),
        named_graphs: graph.named_graphs().to_vec(),
        classes,
        properties: properties(graph, roles, usage),
        ..DatasetCard::default()
    };
    card.prefixes = prefixes(graph, &card, declared_prefixes);
    (card, note.into_iter().collect())
}

fn classes(graph: &Graph, roles: &Roles) -> (Vec<ClassCard>, Option<String>) {
    let InstanceCounts { direct, inherited, cut } = instance_counts(roles);
    let mut cards: Vec<ClassCard> = graph
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
    cards.sort_by(|a, b| {
        b.instances_with_subclasses.cmp(&a.instances_with_subclasses).then_with(|| a.iri.cmp(&b.iri))
    });
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
fn instance_counts(roles: &Roles) -> InstanceCounts {
    let mut alike: FxHashMap<&[NodeId], u64> = FxHashMap::default();
    for types in roles.types.all() {
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

fn properties(graph: &Graph, roles: &Roles, usage: UsageCounts) -> Vec<PropertyCard> {
    let mut uses = usage.properties;
    let most_edges = MAX_EDGES.max(MAX_ALL_EDGES / uses.len().max(1));
    let facts: FxHashMap<&str, &PropertyFacts> =
        graph.property_facts().iter().map(|facts| (facts.direct.as_str(), facts)).collect();
    let known = roles.properties.iter().copied().filter(|id| graph.is_iri(*id));
    let mut cards: Vec<PropertyCard> = graph
        .releasing(RELEASE_STEP, known)
        .filter_map(|id| {
            let used = uses.remove(&id).unwrap_or_default();
            let meta = is_meta(graph.node(id));
            // Properties that only describe the schema (rdfs:domain, …) are not about the data.
            (used.usage > 0 || !(meta || only_annotates(graph, roles, id))).then(|| {
                let facts = facts.get(graph.node(id)).copied();
                PropertyCard {
                    statements: facts.cloned(),
                    ..property_card(graph, roles, id, &used, most_edges)
                }
            })
        })
        .collect();
    let without_values = facts.values().filter(|facts| {
        let used = graph.find(&facts.direct).is_some_and(|id| roles.properties.contains(&id));
        !used && facts.statements + facts.qualifies > 0
    });
    cards.extend(without_values.map(|facts| unused_card(graph, roles, facts)));
    cards.sort_by(|a, b| b.usage.cmp(&a.usage).then_with(|| a.iri.cmp(&b.iri)));
    cards
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
        symmetric: used.symmetry.is_shown(),
        more_edges: used.connections.len() > most_edges,
        edges: used.connections.edges(graph, most_edges),
        collected: used.collected(graph, most_edges),
        languages: used.languages(graph),
        statements: None,
    }
}
