//! How classes and properties are used: counts, observed connections, samples, prefixes.

use super::entities::{description, labels};
use super::graph::{Graph, NodeId, Object, Triple};
use super::roles::Roles;
use crate::card::{ClassCard, DatasetCard, Edge, PropertyCard, Target};
use crate::hierarchy::and_above;
use crate::vocabulary::{PropertyFacts, RDFS_DOMAIN, RDFS_RANGE, is_meta};
use eruca_sparql::{Prefixes, local_name};
use rustc_hash::{FxHashMap, FxHashSet};

/// Samples kept of a connection.
const MAX_SAMPLES: usize = 3;
/// Samples longer than this are prose.
const MAX_SAMPLE_CHARS: usize = 60;
/// IRIs longer than this are no samples.
const MAX_SAMPLE_IRI_CHARS: usize = 400;
/// Prefixes of one dataset: every IRI that is shown is compared with all of them.
const MAX_PREFIXES: usize = 300;
/// Connections kept of a property in any case, and of all properties together.
const MAX_EDGES: usize = 40;
const MAX_ALL_EDGES: usize = 200_000;
/// Superclasses whose instances a resource is counted as, the nearest ones. Real hierarchies stay far below.
const MAX_SUPERCLASSES: usize = 1_000;
/// Numbers of superclasses kept while counting; those of further classes are found anew each time.
const MAX_KEPT_SUPERCLASSES: usize = 4_000_000;
/// A namespace gets a prefix of its own when it holds at least this share of the nodes.
const MIN_NAMESPACE_SHARE: usize = 100;

/// Counts the use of every class and property and draws up the dataset card; also says what could not be counted.
pub fn schema(
    graph: &Graph,
    roles: &Roles,
    declared_prefixes: &[(String, String)],
) -> (DatasetCard, Vec<String>) {
    let (classes, note) = classes(graph, roles);
    let mut naming: Vec<_> = roles.naming.iter().collect();
    naming.sort_by_key(|(_, rank)| **rank);
    let mut card = DatasetCard {
        prefixes: Prefixes::default(),
        // Triples of carriers are counted as they were read: they are no longer there.
        triples: if graph.vocabulary().statements.is_some() {
            graph.quads_read()
        } else {
            graph.triple_count() as u64
        },
        languages: languages(graph),
        naming_properties: naming.into_iter().map(|(id, _)| graph.node(*id).to_owned()).collect(),
        named_graphs: graph.named_graphs().to_vec(),
        classes,
        properties: properties(graph, roles),
        ..DatasetCard::default()
    };
    card.prefixes = prefixes(graph, &card, declared_prefixes);
    (card, note.into_iter().collect())
}

fn languages(graph: &Graph) -> Vec<(String, u64)> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for triple in graph.triples() {
        if let Object::Literal(id) = triple.object
            && let Some(literal) = graph.literal(id)
            && is_text(graph, literal.datatype)
        {
            *counts.entry(literal.language).or_default() += 1;
        }
    }
    by_count(counts)
}

fn is_text(graph: &Graph, datatype: NodeId) -> bool {
    let iri = graph.node(datatype);
    iri == crate::vocabulary::XSD_STRING || iri == crate::vocabulary::RDF_LANG_STRING
}

fn by_count(counts: FxHashMap<&str, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}

fn classes(graph: &Graph, roles: &Roles) -> (Vec<ClassCard>, Option<String>) {
    let InstanceCounts { direct, inherited, cut } = instance_counts(roles);
    let mut cards: Vec<ClassCard> = roles
        .classes
        .iter()
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
    /// Typed with the class directly.
    direct: Counts,
    /// Typed with it or a subclass, each resource once.
    inherited: Counts,
    /// Classes with more superclasses than are counted.
    cut: usize,
}

/// Instances per class. Resources with the same types are counted together, so that a long way up is gone once.
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

/// The classes above each class, found when they are first asked for.
struct Hierarchy<'a> {
    roles: &'a Roles,
    known: FxHashMap<NodeId, Vec<NodeId>>,
    kept: usize,
    cut: FxHashSet<NodeId>,
}

impl Hierarchy<'_> {
    /// Adds a class and the classes above it.
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

#[derive(Default)]
struct PropertyUse {
    usage: u64,
    subjects: u64,
    last_subject: Option<NodeId>,
    edges: FxHashMap<(Option<NodeId>, UsedTarget), UsedEdge>,
    languages: FxHashMap<String, u64>,
}

#[derive(Default)]
struct UsedEdge {
    count: u64,
    samples: Vec<Object>,
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum UsedTarget {
    Class(NodeId),
    Resource,
    Literal(NodeId),
}

impl PropertyUse {
    fn add(&mut self, graph: &Graph, roles: &Roles, triple: &Triple) {
        self.usage += 1;
        // Triples are sorted by subject, so a new subject is seen once.
        if self.last_subject != Some(triple.subject) {
            self.last_subject = Some(triple.subject);
            self.subjects += 1;
        }
        self.add_edges(graph, roles, triple);
        if let Object::Literal(id) = triple.object
            && let Some(literal) = graph.literal(id)
            && is_text(graph, literal.datatype)
        {
            match self.languages.get_mut(literal.language) {
                Some(count) => *count += 1,
                None => _ = self.languages.insert(literal.language.to_owned(), 1),
            }
        }
    }

    fn add_edges(&mut self, graph: &Graph, roles: &Roles, triple: &Triple) {
        let targets: Vec<UsedTarget> = match triple.object {
            Object::Literal(id) => {
                graph.literal(id).map(|l| UsedTarget::Literal(l.datatype)).into_iter().collect()
            }
            Object::Node(node) if roles.types_of(node).is_empty() => vec![UsedTarget::Resource],
            Object::Node(node) => {
                roles.types_of(node).iter().map(|class| UsedTarget::Class(*class)).collect()
            }
        };
        let types = roles.types_of(triple.subject);
        let untyped = types.is_empty().then_some(None);
        for class in types.iter().copied().map(Some).chain(untyped) {
            for target in &targets {
                let edge = self.edges.entry((class, *target)).or_default();
                edge.count += 1;
                if edge.samples.len() < MAX_SAMPLES && !edge.samples.contains(&triple.object) {
                    edge.samples.push(triple.object);
                }
            }
        }
    }
}

/// An object as a sample; prose says little and costs much.
fn sample(graph: &Graph, object: Object) -> Option<String> {
    match object {
        Object::Literal(id) => graph
            .literal(id)
            .map(|l| l.text.to_string())
            .filter(|text| text.chars().count() <= MAX_SAMPLE_CHARS),
        Object::Node(node) => {
            let iri = graph.node(node);
            (graph.is_iri(node) && iri.len() <= MAX_SAMPLE_IRI_CHARS).then(|| iri.to_owned())
        }
    }
}

fn properties(graph: &Graph, roles: &Roles) -> Vec<PropertyCard> {
    let mut uses: FxHashMap<NodeId, PropertyUse> = FxHashMap::default();
    for triple in graph.triples() {
        if !roles.is_schema(triple.subject) {
            uses.entry(triple.predicate).or_default().add(graph, roles, &triple);
        }
    }
    let most_edges = MAX_EDGES.max(MAX_ALL_EDGES / uses.len().max(1));
    let facts: FxHashMap<&str, &PropertyFacts> =
        graph.property_facts().iter().map(|facts| (facts.direct.as_str(), facts)).collect();
    let known = roles.properties.iter().copied().filter(|id| graph.is_iri(*id));
    let mut cards: Vec<PropertyCard> = known
        .filter_map(|id| {
            let used = uses.remove(&id).unwrap_or_default();
            let meta = is_meta(graph.node(id));
            // Properties that only describe the schema (rdfs:domain, …) say nothing about the data.
            (used.usage > 0 || !(meta || only_annotates(graph, roles, id))).then(|| {
                let facts = facts.get(graph.node(id)).copied();
                PropertyCard {
                    statements: facts.cloned(),
                    ..property_card(graph, roles, id, used, most_edges)
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

/// Used as a predicate, but on classes, properties and ontologies only.
fn only_annotates(graph: &Graph, roles: &Roles, property: NodeId) -> bool {
    let declared = graph.about(property).iter().any(|triple| roles.naming.contains_key(&triple.predicate));
    !declared
}

/// The card of a property that occurs in statements alone, mostly as a qualifier.
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

/// The node that bears the names of a predicate, where it is another one.
fn entity_of(graph: &Graph, predicate: &str) -> Option<NodeId> {
    let names = graph.vocabulary().statements.as_ref()?;
    let (_, number) = names.part(predicate)?;
    graph.find(&names.property_entity(number))
}

fn property_card(
    graph: &Graph,
    roles: &Roles,
    id: NodeId,
    used: PropertyUse,
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
        more_edges: used.edges.len() > most_edges,
        edges: edges(graph, used.edges, most_edges),
        languages: by_count(used.languages.iter().map(|(tag, count)| (tag.as_str(), *count)).collect()),
        statements: None,
    }
}

fn edges(graph: &Graph, used: FxHashMap<(Option<NodeId>, UsedTarget), UsedEdge>, most: usize) -> Vec<Edge> {
    let name = |id: NodeId| graph.node(id).to_owned();
    let mut edges: Vec<Edge> = used
        .into_iter()
        .map(|((class, target), edge)| Edge {
            // Instances of a class are no samples: their IRIs say nothing, and there are many.
            samples: match target {
                UsedTarget::Class(_) => Vec::new(),
                UsedTarget::Resource | UsedTarget::Literal(_) => {
                    edge.samples.into_iter().filter_map(|object| sample(graph, object)).collect()
                }
            },
            class: class.map(name),
            target: match target {
                UsedTarget::Class(class) => Target::Class(name(class)),
                UsedTarget::Resource => Target::Resource,
                UsedTarget::Literal(datatype) => Target::Literal(name(datatype)),
            },
            count: edge.count,
        })
        .collect();
    edges.sort_by(|a, b| {
        b.count.cmp(&a.count).then_with(|| (&a.class, &a.target).cmp(&(&b.class, &b.target)))
    });
    edges.truncate(most);
    edges
}

/// Prefixes declared in the files, well-known ones that occur, and made-up ones for what is left.
fn prefixes(graph: &Graph, card: &DatasetCard, declared: &[(String, String)]) -> Prefixes {
    let namespaces = namespaces(graph, card);
    let (mut prefixes, well_known) = (Prefixes::default(), Prefixes::well_known());
    let expected = graph.vocabulary().prefixes();
    // Some writers number their prefixes (ns1, ns2, …): the usual names say more.
    let numbered = |name: &str, iri: &str| {
        let number =
            name.strip_prefix("ns").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        number
            && (expected.iter().any(|(_, known)| known == iri)
                || well_known.iter().any(|(_, known)| known == iri))
    };
    for (name, iri) in declared.iter().filter(|(name, iri)| !numbered(name, iri)).take(MAX_PREFIXES) {
        if prefixes.get(name).is_none() {
            prefixes.insert(name, iri);
        }
    }
    for (name, iri) in &expected {
        if prefixes.get(name).is_none() && !prefixes.iter().any(|(_, known)| known == iri) {
            prefixes.insert(name, iri);
        }
    }
    for (name, iri) in well_known.iter() {
        let wanted = ["rdf", "rdfs", "xsd", "owl"].contains(&name)
            || namespaces.iter().any(|namespace| namespace == iri);
        // One prefix a namespace: the files' own spelling is the one that its users know.
        if wanted && prefixes.get(name).is_none() && !prefixes.iter().any(|(_, known)| known == iri) {
            prefixes.insert(name, iri);
        }
    }
    let room = MAX_PREFIXES.saturating_sub(prefixes.iter().count());
    for namespace in namespaces.into_iter().take(room) {
        let known = prefixes.iter().any(|(_, iri)| iri == namespace);
        if !known && let Some(name) = free_prefix(&prefixes, &well_known, &namespace) {
            prefixes.insert(&name, &namespace);
        }
    }
    prefixes
}

/// Namespaces of all classes and properties, and those that hold many of the resources.
fn namespaces(graph: &Graph, card: &DatasetCard) -> Vec<String> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for index in 0..graph.node_count() {
        let id = NodeId(index as u32);
        if graph.is_iri(id) {
            *counts.entry(namespace_of(graph.node(id))).or_default() += 1;
        }
    }
    let enough = (graph.node_count() / MIN_NAMESPACE_SHARE).max(10) as u64;
    let schema: FxHashSet<&str> = card
        .classes
        .iter()
        .map(|class| class.iri.as_str())
        .chain(card.properties.iter().map(|property| property.iri.as_str()))
        .map(namespace_of)
        .collect();
    let kept =
        by_count(counts).into_iter().filter(|(ns, count)| *count >= enough || schema.contains(ns.as_str()));
    // Before the host of an IRI without a path stands no namespace.
    let is_one = |namespace: &String| namespace.contains(':') && !namespace.ends_with("://");
    kept.map(|(namespace, _)| namespace).filter(is_one).collect()
}

/// What stands before the local name; the whole of an IRI that ends with a separator.
fn namespace_of(iri: &str) -> &str {
    iri.strip_suffix(local_name(iri)).unwrap_or(iri)
}

/// A prefix made from the last word of the namespace: `http://ex.org/shop/item#` → `item`.
fn free_prefix(taken: &Prefixes, reserved: &Prefixes, namespace: &str) -> Option<String> {
    let word: String = namespace
        .trim_end_matches(['#', '/', ':'])
        .rsplit(['/', '#', ':', '.'])
        .map(|part| part.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase())
        .find(|part| part.chars().next().is_some_and(|c| c.is_ascii_alphabetic()) && !says_nothing(part))
        .unwrap_or_else(|| "ns".to_owned());
    let word: String = word.chars().take(16).collect();
    (1..100)
        .map(|n| if n == 1 { word.clone() } else { format!("{word}{n}") })
        .find(|name| taken.get(name).is_none() && reserved.get(name).is_none())
}

/// Parts of addresses that name nothing: schemes and endings of files.
fn says_nothing(part: &str) -> bool {
    ["http", "https", "www", "owl", "rdf", "ttl", "nt", "xml", "html", "json", "jsonld"].contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_made_of_words_that_name_something() {
        let none = Prefixes::default();
        for (namespace, prefix) in [
            ("http://ex.org/shop/item#", "item"),
            ("http://ex.org/ontologies/event.owl#", "event"),
            ("http://ex.org/a.rdf/", "a"),
            ("https://www/", "ns"),
            ("http://пример.рф/", "ns"),
        ] {
            assert_eq!(free_prefix(&none, &none, namespace).as_deref(), Some(prefix), "{namespace}");
        }
    }

    #[test]
    fn namespaces_end_where_local_names_begin() {
        for (iri, namespace) in [
            ("http://ex.org/shop#item", "http://ex.org/shop#"),
            ("http://ex.org/shop/", "http://ex.org/shop/"),
            ("http://пример.рф/", "http://пример.рф/"),
            ("http://пример.рф/вещь", "http://пример.рф/"),
            ("urn:x:1", "urn:x:"),
            ("plain", ""),
            ("", ""),
        ] {
            assert_eq!(namespace_of(iri), namespace, "{iri}");
        }
    }
}
