//! What the graph's classes and properties allow: the kinds that a step leads to, paths between kinds, attributes. Reads the
//! dataset card and the schema graph of the index.

mod patterns;

pub(crate) use patterns::HousePattern;

use crate::meaning::{Iri, Path, Step};
use crate::units::{Quantity, Scale};
use crate::ways::{price, shortest};
use eruca_indexer::{Collection, DatasetIndex, Edge, Hop, PropertyCard, Target, ValueKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Maximum number of paths kept between two kinds.
const MAX_WAYS: usize = 4;
/// Maximum number of classes considered per kind.
const MAX_CLASSES: usize = 12;

/// What is known about the members of a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind<'k> {
    /// Unknown: things without a class, or a graph without classes.
    Unknown,
    /// Things of one of these classes, most likely first.
    Classes(Rc<[Iri<'k>]>),
    /// Literals.
    Values(ValueKind),
}

impl<'k> Kind<'k> {
    pub fn class(class: Iri<'k>) -> Self {
        Self::Classes(Rc::from([class]))
    }

    pub fn classes(&self) -> &[Iri<'k>] {
        match self {
            Self::Classes(classes) => classes,
            _ => &[],
        }
    }

    pub fn is_values(&self) -> bool {
        matches!(self, Self::Values(_))
    }

    /// Whether its members can be compared by size or time.
    pub fn is_measurable(&self) -> bool {
        matches!(self, Self::Values(kind) if kind.is_number() || kind.is_time())
    }

    pub fn is_time(&self) -> bool {
        matches!(self, Self::Values(kind) if kind.is_time())
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Self::Values(kind) if kind.is_number())
    }
}

type Followed<'k> = FxHashMap<(Step<'k>, Kind<'k>), Option<Kind<'k>>>;
type Ways<'k> = FxHashMap<(Kind<'k>, Kind<'k>), Rc<[CostedPath<'k>]>>;
type Attributes<'k> = FxHashMap<Kind<'k>, Rc<[(Iri<'k>, ValueKind)]>>;

/// A path between two kinds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CostedPath<'k> {
    pub path: Path<'k>,
    /// Smaller for more frequently used paths.
    pub cost: f32,
}

/// The schema of one graph, with caches for the current question.
pub(crate) struct Schema<'k> {
    pub index: &'k DatasetIndex,
    followed: RefCell<Followed<'k>>,
    ways: RefCell<Ways<'k>>,
    attributes: RefCell<Attributes<'k>>,
    starts: RefCell<FxHashMap<Step<'k>, Kind<'k>>>,
    pub(crate) quantities: RefCell<FxHashMap<Step<'k>, Option<Quantity<'k>>>>,
    patterns: Vec<HousePattern<'k>>,
    pub(crate) scales: RefCell<FxHashMap<(Option<Step<'k>>, Iri<'k>), Scale<'k>>>,
}

impl<'k> Schema<'k> {
    pub fn new(index: &'k DatasetIndex) -> Self {
        Self {
            index,
            followed: RefCell::default(),
            ways: RefCell::default(),
            attributes: RefCell::default(),
            starts: RefCell::default(),
            quantities: RefCell::default(),
            patterns: Vec::new(),
            scales: RefCell::default(),
        }
    }

    pub fn property(&self, iri: &str) -> Option<&'k PropertyCard> {
        self.index.card.property(iri)
    }

    /// The forward step of a property that the graph has.
    pub fn forward(&self, property: &str) -> Option<Step<'k>> {
        let own = self.pattern(property).map(|known| known.pattern.name());
        let property = own.or_else(|| self.property(property).map(|card| card.iri.as_str()))?;
        Some(Step { property, forward: true })
    }

    /// Whether a property leads to lists or containers, which are represented by their members.
    pub fn collects(&self, property: &str) -> Option<Collection> {
        self.property(property)?.collected.as_ref().map(|collected| collected.as_a)
    }

    /// The class in the card's spelling.
    pub fn class(&self, iri: &str) -> Option<Iri<'k>> {
        self.index.card.class(iri).map(|card| card.iri.as_str())
    }

    /// The kind of things with these types: only the most specific ones, since every thing is also of a general one.
    pub fn kind_of_types(&self, types: &[String]) -> Kind<'k> {
        let known: Vec<Iri<'k>> = types.iter().filter_map(|class| self.class(class)).collect();
        let is_above = |class: &str, other: &str| {
            class != other && self.index.graph.is_a(other, class) && !self.index.graph.is_a(class, other)
        };
        let narrow = |class: &Iri<'k>| !known.iter().any(|other| is_above(class, other));
        let classes: Vec<Iri<'k>> = known.iter().copied().filter(narrow).collect();
        if classes.is_empty() { Kind::Unknown } else { Kind::Classes(classes.into()) }
    }

    /// Whether one class equals, contains or is contained in the other.
    pub fn related(&self, a: &str, b: &str) -> bool {
        a == b || self.index.graph.is_a(a, b) || self.index.graph.is_a(b, a)
    }

    /// Whether two sets can have a member in common, as far as is known.
    pub fn compatible(&self, a: &Kind<'k>, b: &Kind<'k>) -> bool {
        match (a, b) {
            (Kind::Unknown, Kind::Values(_)) | (Kind::Values(_), Kind::Unknown) => false,
            (Kind::Unknown, _) | (_, Kind::Unknown) => true,
            (Kind::Values(a), Kind::Values(b)) => a == b,
            (Kind::Classes(a), Kind::Classes(b)) => a.iter().any(|a| b.iter().any(|b| self.related(a, b))),
            _ => false,
        }
    }

    /// The kind of the intersection.
    pub fn meet(&self, a: &Kind<'k>, b: &Kind<'k>) -> Option<Kind<'k>> {
        match (a, b) {
            (Kind::Unknown, Kind::Values(_)) | (Kind::Values(_), Kind::Unknown) => None,
            (Kind::Unknown, other) | (other, Kind::Unknown) => Some(other.clone()),
            (Kind::Values(one), Kind::Values(other)) => (one == other).then(|| a.clone()),
            (Kind::Classes(a), Kind::Classes(b)) => {
                let below = |class: &&Iri<'k>, all: &[Iri<'k>]| {
                    all.iter().any(|other| self.index.graph.is_a(class, other))
                };
                let mut both: Vec<Iri<'k>> = a.iter().filter(|class| below(class, b)).copied().collect();
                both.extend(b.iter().filter(|class| below(class, a) && !a.contains(class)));
                (!both.is_empty()).then(|| Kind::Classes(both.into()))
            }
            _ => None,
        }
    }

    /// The kind that a step leads to from things of a kind; `None` if it was never seen to start there.
    pub fn follow(&self, step: Step<'k>, from: &Kind<'k>) -> Option<Kind<'k>> {
        let key = (step, from.clone());
        if let Some(known) = self.followed.borrow().get(&key) {
            return known.clone();
        }
        if let Some(pattern) = self.pattern(step.property) {
            let (near, far) = pattern.ends(step.forward);
            return self.compatible(near, from).then(|| far.clone());
        }
        let found = match self.property(step.property) {
            Some(card) => self.followed_anew(card, step.forward, from),
            // A property known only by name may lead from any thing to anything.
            None => (!from.is_values()).then_some(Kind::Unknown),
        };
        self.followed.borrow_mut().insert(key, found.clone());
        found
    }

    /// The kind that a whole path leads to.
    pub fn follow_path(&self, path: &[Step<'k>], from: &Kind<'k>) -> Option<Kind<'k>> {
        path.iter().try_fold(from.clone(), |kind, step| self.follow(*step, &kind))
    }

    fn followed_anew(&self, card: &'k PropertyCard, forward: bool, from: &Kind<'k>) -> Option<Kind<'k>> {
        let mut classes: Vec<(Iri<'k>, u64)> = Vec::new();
        let mut values: Option<(ValueKind, u64)> = None;
        let mut untyped = 0;
        let mut starts = false;
        for edge in card.reached().iter().filter(|edge| self.starts_at(edge, forward, from)) {
            starts = true;
            match far_end(edge, forward) {
                End::Class(class) => add(&mut classes, class, edge.count),
                End::Untyped => untyped += edge.count,
                End::Literal(kind) => {
                    let most = values.is_none_or(|(_, most)| most < edge.count);
                    values = if most { Some((kind, edge.count)) } else { values };
                }
            }
        }
        if !starts && (!card.more_edges || from.is_values()) {
            return None;
        }
        let things = classes.iter().map(|(_, count)| count).max().copied().unwrap_or(0).max(untyped);
        if let Some((kind, count)) = values
            && count > things
        {
            return Some(Kind::Values(kind));
        }
        Some(likeliest(classes))
    }

    fn starts_at(&self, edge: &Edge, forward: bool, from: &Kind<'k>) -> bool {
        let near = if forward { edge.class.as_deref() } else { edge_class(&edge.target) };
        match (from, near) {
            (Kind::Unknown, _) => forward || !matches!(edge.target, Target::Literal(_)),
            (Kind::Classes(classes), Some(near)) => classes.iter().any(|class| self.related(class, near)),
            (Kind::Values(kind), _) => {
                !forward
                    && matches!(&edge.target, Target::Literal(datatype) if same_family(ValueKind::of(datatype, &edge.samples), *kind))
            }
            (Kind::Classes(_), None) => false,
        }
    }

    /// The kind at the start of a step: a property's subjects, or its objects when reversed.
    pub fn start(&self, step: Step<'k>) -> Kind<'k> {
        if let Some(known) = self.starts.borrow().get(&step) {
            return known.clone();
        }
        let found = self.start_anew(step);
        self.starts.borrow_mut().insert(step, found.clone());
        found
    }

    fn start_anew(&self, step: Step<'k>) -> Kind<'k> {
        if let Some(pattern) = self.pattern(step.property) {
            return pattern.ends(step.forward).0.clone();
        }
        let Some(card) = self.property(step.property) else { return Kind::Unknown };
        if !step.forward || card.more_edges {
            return self
                .follow(step.turned(), &Kind::Unknown)
                .filter(|kind| !kind.is_values())
                .unwrap_or(Kind::Unknown);
        }
        let mut classes: Vec<(Iri<'k>, u64)> = Vec::new();
        for edge in card.reached() {
            edge.class.iter().for_each(|class| add(&mut classes, class, edge.count));
        }
        likeliest(classes)
    }

    /// Whether a property only occurs on unclassed nodes.
    pub fn starts_unclassed(&self, property: &str) -> bool {
        self.property(property).is_some_and(|card| {
            !card.more_edges && !card.edges.is_empty() && card.edges.iter().all(|edge| edge.class.is_none())
        })
    }

    /// Steps from things of a kind to unclassed blank nodes, which are only identified by their properties. IRIs would be among
    /// the samples.
    pub fn to_unclassed(&self, kind: &Kind<'k>) -> Vec<Step<'k>> {
        let blank = |edge: &Edge| edge.target == Target::Resource && edge.samples.is_empty();
        let leads = |card: &&PropertyCard| {
            let edges = || card.edges.iter().filter(|edge| self.starts_at(edge, true, kind));
            card.collected.is_none() && edges().any(blank)
        };
        let all = self.index.card.properties.iter().filter(|_| !kind.classes().is_empty());
        all.filter(leads).take(MAX_WAYS).map(|card| Step { property: &card.iri, forward: true }).collect()
    }

    /// The kind at the end of a step.
    pub fn end(&self, step: Step<'k>) -> Kind<'k> {
        self.follow(step, &Kind::Unknown).unwrap_or(Kind::Unknown)
    }

    /// The best paths from one kind to another, of at most three steps; none between instances of the same kind.
    pub fn ways(&self, from: &Kind<'k>, to: &Kind<'k>) -> Rc<[CostedPath<'k>]> {
        let key = (from.clone(), to.clone());
        if let Some(known) = self.ways.borrow().get(&key) {
            return known.clone();
        }
        let found: Rc<[CostedPath<'k>]> = self.ways_anew(from, to).into();
        self.ways.borrow_mut().insert(key, found.clone());
        found
    }

    fn ways_anew(&self, from: &Kind<'k>, to: &Kind<'k>) -> Vec<CostedPath<'k>> {
        let mut found: Vec<CostedPath<'k>> = Vec::new();
        let pairs =
            from.classes().iter().take(3).flat_map(|a| to.classes().iter().take(3).map(move |b| (*a, *b)));
        let mut seen = false;
        for (a, b) in pairs {
            seen |= self.direct(a, b, &mut found);
        }
        if !seen {
            let pairs = from
                .classes()
                .iter()
                .take(2)
                .flat_map(|a| to.classes().iter().take(2).map(move |b| (*a, *b)));
            for (a, b) in pairs.filter(|(a, b)| !self.related(a, b)) {
                found.extend(self.longer(a, b));
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        found.dedup_by(|a, b| a.path == b.path);
        found.truncate(MAX_WAYS);
        found
    }

    /// Paths of one step. Steps seen for the class itself come first; steps seen for a superclass may only apply to its other
    /// members (a country borders countries, which are places, as rivers are), so they count only where nothing else is known.
    /// Returns whether any was seen.
    fn direct(&self, from: Iri<'k>, to: Iri<'k>, found: &mut Vec<CostedPath<'k>>) -> bool {
        let hops = self.index.graph.hops(from);
        let most = hops.first().map_or(1, |hop| hop.count);
        let seen = hops.iter().any(|hop| self.index.graph.is_a(&hop.class, to));
        let reaches = |hop: &&Hop| match seen {
            true => self.index.graph.is_a(&hop.class, to),
            false => self.index.graph.is_a(to, &hop.class),
        };
        // The most used come first: the rest would be truncated.
        let mut known = 0;
        for hop in hops.iter().filter(reaches) {
            let path = vec![Step { property: hop.property.as_str(), forward: hop.forward }];
            if !found.iter().any(|way| way.path == path) {
                found.push(CostedPath { path, cost: price(hop.count, most) });
                known += 1;
                if known == MAX_WAYS {
                    break;
                }
            }
        }
        seen
    }

    /// The best path of two or three steps.
    fn longer(&self, from: Iri<'k>, to: Iri<'k>) -> Option<CostedPath<'k>> {
        let (cost, hops) = shortest(&self.index.graph, from, to)?;
        let path: Option<Path<'k>> = hops.iter().map(|hop| self.step(hop)).collect();
        Some(CostedPath { path: path?, cost })
    }

    fn step(&self, hop: &Hop) -> Option<Step<'k>> {
        Some(Step { property: self.property(&hop.property)?.iri.as_str(), forward: hop.forward })
    }

    /// Literal-valued properties of things of a kind, most used first.
    pub fn attributes(&self, kind: &Kind<'k>) -> Rc<[(Iri<'k>, ValueKind)]> {
        if let Some(known) = self.attributes.borrow().get(kind) {
            return known.clone();
        }
        let classes = kind.classes().iter().take(4);
        let all = classes.flat_map(|class| self.index.graph.attributes(class));
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let own = all.filter(|attribute| seen.insert(&attribute.property));
        let found: Rc<[_]> = own.map(|attribute| (attribute.property.as_str(), attribute.kind)).collect();
        self.attributes.borrow_mut().insert(kind.clone(), found.clone());
        found
    }
}

fn add<'k>(classes: &mut Vec<(Iri<'k>, u64)>, class: Iri<'k>, count: u64) {
    match classes.iter_mut().find(|(known, _)| *known == class) {
        Some((_, sum)) => *sum += count,
        None => classes.push((class, count)),
    }
}

/// The kind of the most frequent classes.
fn likeliest<'k>(mut classes: Vec<(Iri<'k>, u64)>) -> Kind<'k> {
    classes.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let classes: Vec<Iri<'k>> = classes.into_iter().map(|(class, _)| class).take(MAX_CLASSES).collect();
    if classes.is_empty() { Kind::Unknown } else { Kind::Classes(classes.into()) }
}

enum End<'k> {
    Class(Iri<'k>),
    Untyped,
    Literal(ValueKind),
}

fn far_end(edge: &Edge, forward: bool) -> End<'_> {
    match (forward, &edge.target, &edge.class) {
        (true, Target::Class(class), _) | (false, _, Some(class)) => End::Class(class),
        (true, Target::Literal(datatype), _) => End::Literal(ValueKind::of(datatype, &edge.samples)),
        (true, Target::Resource, _) | (false, _, None) => End::Untyped,
    }
}

fn edge_class(target: &Target) -> Option<&str> {
    match target {
        Target::Class(class) => Some(class),
        Target::Resource | Target::Literal(_) => None,
    }
}

/// All numeric kinds count as equal, and so do all kinds of times.
fn same_family(a: ValueKind, b: ValueKind) -> bool {
    a == b || (a.is_number() && b.is_number()) || (a.is_time() && b.is_time())
}
