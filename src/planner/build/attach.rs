//! Which property of which node a word means.

use super::Builder;
use crate::planner::intent::Attr;
use crate::planner::plan::Node;
use eruca_indexer::ValueKind;
use eruca_indexer::text::{humanize, words};
use eruca_sparql::local_name;

/// A property of a class that nothing else in the question names costs this much for each step to it.
const STEP_COST: f32 = 0.22;
/// What it is worth when a node is there already.
const NODE_WORTH: f32 = 0.3;
/// A property that is found by an adjective has to fit at least this well.
const MIN_NOUN_FIT: f32 = 0.3;

/// Where a property is found.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) struct Place {
    pub node: usize,
    pub property: String,
    /// What its literals are; `None` when its objects are resources.
    pub kind: Option<ValueKind>,
}

/// What an attribute has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::planner) enum Need {
    Any,
    Number,
    Comparable,
}

impl Builder<'_> {
    /// The best place for an item read as a property.
    pub(super) fn place(&mut self, item: usize, at: usize, scope: usize, need: Need) -> Option<Place> {
        let hits: Vec<(String, f32)> =
            self.item(item).properties.iter().map(|hit| (hit.iri.clone(), hit.fit)).collect();
        let hits = if need == Need::Any && self.is_name_word(item) { self.with_names(hits) } else { hits };
        self.best_place(&hits, at, scope, need)
    }

    fn is_name_word(&self, item: usize) -> bool {
        let said = words(&self.item(item).text);
        matches!(said.as_slice(), [word] if ["name", "title", "nombre", "titel"].contains(&word.text.as_str()))
    }

    /// What names a class counts as its name, however it is called.
    fn with_names(&self, mut hits: Vec<(String, f32)>) -> Vec<(String, f32)> {
        for node in &self.plan.nodes {
            let Some(property) = node.class.as_deref().and_then(|class| self.name_property(class)) else {
                continue;
            };
            match hits.iter_mut().find(|(known, _)| *known == property) {
                Some((_, fit)) => *fit = fit.max(0.97),
                None => hits.insert(0, (property, 0.97)),
            }
        }
        hits
    }

    fn best_place(&mut self, hits: &[(String, f32)], at: usize, scope: usize, need: Need) -> Option<Place> {
        let mut best: Option<(f32, String, String, Option<usize>)> = None;
        for (property, fit) in hits.iter().take(24) {
            for (class, kind) in self.domains(property) {
                let worth = fit + self.need_worth(kind, need);
                let (score, node) = self.near(&class, property, at, scope);
                let score = score + worth;
                if best.as_ref().is_none_or(|(known, ..)| score > *known + 1e-4) {
                    best = Some((score, property.clone(), class, node));
                }
            }
        }
        let (score, property, class, node) = best?;
        if score < 0.2 {
            return None;
        }
        let node = node.unwrap_or_else(|| {
            self.plan.node(Node { class: Some(class.clone()), typed: self.tabular, fixed: Vec::new(), scope })
        });
        let class = self.plan.nodes[node].class.clone().unwrap_or(class);
        let kind = self.graph.attribute(&class, &property).map(|attribute| attribute.kind);
        Some(Place { node, property, kind })
    }

    /// A column that only repeats a link, or identifies: nothing to reckon with.
    pub(super) fn is_key(&self, place: &Place) -> bool {
        let local = local_name(&place.property).to_lowercase();
        let Some(class) = self.plan.nodes.get(place.node).and_then(|node| node.class.as_deref()) else {
            return false;
        };
        local.ends_with("id")
            || self.graph.hops(class).iter().any(|hop| {
                hop.forward && local_name(&hop.property).to_lowercase().trim_start_matches("ref-") == local
            })
    }

    fn need_worth(&self, kind: Option<ValueKind>, need: Need) -> f32 {
        match (need, kind) {
            (Need::Any, _) => 0.0,
            (Need::Number, Some(kind)) if kind.is_number() => 0.1,
            (Need::Comparable, Some(kind)) if kind.is_number() || kind.is_time() => 0.1,
            (Need::Number | Need::Comparable, None) => -0.5,
            _ => -0.25,
        }
    }

    /// Classes whose instances have a property, the most used first.
    fn domains(&self, property: &str) -> Vec<(String, Option<ValueKind>)> {
        let Some(card) = self.dataset.index.card.property(property) else { return Vec::new() };
        let mut found: Vec<(String, Option<ValueKind>)> = Vec::new();
        for (class, _) in card.domains().into_iter().take(12) {
            if self.graph.attributes(class).is_empty() && self.graph.hops(class).is_empty() {
                continue;
            }
            let kind = self.graph.attribute(class, property).map(|attribute| attribute.kind);
            found.push((class.to_owned(), kind));
        }
        found
    }

    /// How near a class is to what the question is about at this unit, and its node if there is one.
    fn near(&self, class: &str, property: &str, at: usize, scope: usize) -> (f32, Option<usize>) {
        let mut best: (f32, Option<usize>) = (f32::MIN, None);
        for (number, node) in self.plan.nodes.iter().enumerate() {
            let Some(known) = node.class.as_deref() else { continue };
            let same = known == class
                || ((self.graph.is_a(class, known) || self.graph.is_a(known, class))
                    && self.has_property(known, property));
            if !same || (node.scope != scope && node.scope != 0) {
                continue;
            }
            let again = self.is_new_sentence(at);
            let main = if self.main == Some(number) { if again { 0.25 } else { 0.05 } } else { 0.0 };
            let grouped = self.intent.groups.iter().any(|group| self.node_of(*group) == Some(number));
            let main = main + if grouped { 0.2 } else { 0.0 };
            let score = NODE_WORTH + self.closeness(number, at) + main;
            if score > best.0 {
                best = (score, Some(number));
            }
        }
        if best.1.is_some() {
            return best;
        }
        let start = self
            .main
            .or_else(|| self.plan.nodes.iter().position(|node| node.scope == 0 && node.class.is_some()));
        let Some(start) = start.and_then(|node| self.plan.nodes[node].class.clone()) else {
            return (0.0, None);
        };
        match self.graph.path(&start, class, &|_, _| 1.0) {
            Some((cost, _)) => (-STEP_COST * cost, None),
            None => (-1.5, None),
        }
    }

    pub(super) fn has_property(&self, class: &str, property: &str) -> bool {
        self.graph.attribute(class, property).is_some()
            || self.graph.hops(class).iter().any(|hop| hop.forward && hop.property == property)
    }

    /// "…? List the name and the id.": a new sentence asks about the same things.
    fn is_new_sentence(&self, at: usize) -> bool {
        self.cut
            .units
            .iter()
            .take(at + 1)
            .skip(1)
            .any(|unit| unit.broken.is_some_and(|mark| ".?!;".contains(mark)))
    }

    /// How near in the question a node's class stands to a unit: "the age of pets", "pet age".
    fn closeness(&self, node: usize, at: usize) -> f32 {
        self.known
            .iter()
            .filter(|known| known.node == node)
            .map(|known| {
                if known.at > at {
                    let between = known.at - at;
                    if between <= 7 && self.only_words(at + 1, known.at) { 0.3 } else { 0.1 / between as f32 }
                } else {
                    let between = at - known.at;
                    if between == 1 { 0.32 } else { 0.2 / between as f32 + 0.05 }
                }
            })
            .fold(0.0, f32::max)
    }

    /// Whether only function words stand between two units: "of the".
    pub(super) fn only_words(&self, from: usize, to: usize) -> bool {
        use crate::planner::units::Kind;
        use eruca_indexer::lexicon::Cue;
        (from..to).all(|at| {
            self.cut.units.get(at).is_some_and(|unit| {
                let listed = unit.broken.is_none() || unit.broken == Some(',');
                let attribute = match unit.kind {
                    Kind::Item(item) => !self.is_class(item) && !self.item(item).is_thing(),
                    _ => false,
                };
                listed
                    && (attribute
                        || matches!(
                            unit.kind,
                            Kind::Word
                                | Kind::Cue(
                                    Cue::Each
                                        | Cue::Distinct
                                        | Cue::Average
                                        | Cue::And
                                        | Cue::Maximum
                                        | Cue::Minimum
                                )
                        ))
            })
        })
    }

    /// The place of an attribute, however it was said.
    pub(super) fn place_attr(
        &mut self,
        attr: &Attr,
        at: usize,
        scope: usize,
        need: Need,
    ) -> Option<(Place, bool)> {
        match attr {
            Attr::Item(item) => {
                let at = self.unit_of(*item).unwrap_or(at);
                Some((self.place(*item, at, scope, need)?, false))
            }
            Attr::Grade { nouns, reversed, of } => self.graded(nouns, reversed, *of, at, scope),
            Attr::Time { near } => Some((self.time(*near, scope)?, false)),
            Attr::Unknown { near } => Some((self.only_number(*near, scope)?, false)),
        }
    }

    pub(super) fn unit_of(&self, item: usize) -> Option<usize> {
        self.intent.seen.iter().find(|(seen, ..)| *seen == item).map(|(_, at, _)| *at)
    }

    /// The attribute that an adjective measures; says whether it runs the other way round.
    fn graded(
        &mut self,
        nouns: &[&'static str],
        reversed: &[&'static str],
        of: Option<usize>,
        at: usize,
        scope: usize,
    ) -> Option<(Place, bool)> {
        let at = of.and_then(|item| self.unit_of(item)).unwrap_or(at);
        let hits: Vec<(String, f32)> = self.by_nouns(nouns);
        let other: Vec<(String, f32)> = self.by_nouns(reversed);
        let start = self.plan.nodes.len();
        let first =
            self.best_place(&hits, at, scope, Need::Comparable).filter(|place| self.measurable(place));
        if let Some(place) = first.filter(|place| place.node < start || other.is_empty()) {
            return Some((place, false));
        }
        self.plan.nodes.truncate(start);
        let second =
            self.best_place(&other, at, scope, Need::Comparable).filter(|place| self.measurable(place));
        if let Some(place) = second.filter(|place| place.node < start) {
            return Some((place, true));
        }
        self.plan.nodes.truncate(start);
        let place = self.best_place(&hits, at, scope, Need::Comparable)?;
        match self.through(place.clone()) {
            Some(place) => Some((place, false)),
            None if place.kind.is_some() && place.node < start => Some((place, false)),
            None => None,
        }
    }

    fn measurable(&self, place: &Place) -> bool {
        place.kind.is_some_and(|kind| kind.is_number() || kind.is_time())
    }

    /// A measure may be a thing of its own: a price with an amount.
    fn through(&mut self, place: Place) -> Option<Place> {
        if self.measurable(&place) {
            return Some(place);
        }
        let class = self.plan.nodes[place.node].class.clone()?;
        let hop = self.graph.hops(&class).iter().find(|hop| hop.forward && hop.property == place.property)?;
        let target = hop.class.clone();
        let numbers = self.graph.attributes(&target).iter().find(|attribute| attribute.kind.is_number())?;
        let (property, kind) = (numbers.property.clone(), numbers.kind);
        let node = self.linked(place.node, &place.property, &target);
        Some(Place { node, property, kind: Some(kind) })
    }

    /// The node that a property leads to.
    pub(super) fn linked(&mut self, from: usize, property: &str, class: &str) -> usize {
        let known = self.plan.links.iter().find(|link| link.from == from && link.property == property);
        if let Some(link) = known {
            return link.to;
        }
        let scope = self.plan.nodes[from].scope;
        let waiting = self.plan.nodes.iter().position(|node| {
            node.class.as_deref() == Some(class) && node.scope == scope && node.fixed.is_empty()
        });
        let waiting = waiting.filter(|node| {
            *node != from && !self.plan.links.iter().any(|link| link.to == *node || link.from == *node)
        });
        let to = waiting.unwrap_or_else(|| {
            self.plan.node(Node { class: Some(class.to_owned()), typed: false, fixed: Vec::new(), scope })
        });
        self.plan.links.push(crate::planner::plan::Link { from, property: property.to_owned(), to, scope });
        to
    }

    /// Properties that hold one of some nouns in their names, the first nouns first.
    pub(super) fn by_nouns(&self, nouns: &[&'static str]) -> Vec<(String, f32)> {
        let names = &self.dataset.index.names;
        let mut found = Vec::new();
        for term in names.terms.iter().filter(|term| term.kind == eruca_indexer::SchemaKind::Property) {
            let mut fit = 0.0_f32;
            for (rank, noun) in nouns.iter().enumerate() {
                for name in &term.names {
                    if name.iter().any(|word| names.words[*word] == *noun) {
                        let extra = name.iter().filter(|w| !term.class_words.contains(w)).count().max(1);
                        fit = fit.max(1.0 - 0.05 * rank as f32 - 0.04 * (extra - 1) as f32);
                    }
                }
            }
            if fit >= MIN_NOUN_FIT {
                found.push((term.iri.clone(), fit));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        found
    }

    /// The date or year of what stands nearest.
    pub(super) fn time(&mut self, near: usize, scope: usize) -> Option<Place> {
        let mut order: Vec<usize> = (0..self.plan.nodes.len())
            .filter(|n| self.plan.nodes[*n].scope == scope || self.plan.nodes[*n].scope == 0)
            .collect();
        order.sort_by(|a, b| self.closeness(*b, near).total_cmp(&self.closeness(*a, near)));
        for node in order {
            if let Some(place) = self.time_of(node) {
                return Some(place);
            }
        }
        // A class next to those in question may hold it.
        let hits = self.by_nouns(&["year", "date", "time", "jahr", "datum", "fecha", "ano"]);
        self.best_place(&hits, near, scope, Need::Comparable)
    }

    pub(super) fn time_of(&self, node: usize) -> Option<Place> {
        let class = self.plan.nodes[node].class.as_deref()?;
        let is_time = |name: &str| {
            words(&humanize(local_name(name))).iter().any(|word| {
                [
                    "year",
                    "date",
                    "jahr",
                    "datum",
                    "fecha",
                    "ano",
                    "founded",
                    "born",
                    "established",
                    "independence",
                ]
                .contains(&word.text.as_str())
            })
        };
        let attributes = self.graph.attributes(class);
        let named = attributes.iter().find(|a| is_time(&a.property) && a.kind != ValueKind::Text);
        let found = named
            .or_else(|| attributes.iter().find(|a| a.kind.is_time()))
            .or_else(|| attributes.iter().find(|a| is_time(&a.property)))?;
        Some(Place { node, property: found.property.clone(), kind: Some(found.kind) })
    }

    /// The only attribute of the nearest node that holds numbers and is no key.
    fn only_number(&mut self, near: usize, scope: usize) -> Option<Place> {
        let mut order: Vec<usize> = (0..self.plan.nodes.len())
            .filter(|n| self.plan.nodes[*n].scope == scope || self.plan.nodes[*n].scope == 0)
            .collect();
        order.sort_by(|a, b| self.closeness(*b, near).total_cmp(&self.closeness(*a, near)));
        order.into_iter().find_map(|node| {
            let class = self.plan.nodes[node].class.as_deref()?;
            let numbers: Vec<_> = self
                .graph
                .attributes(class)
                .iter()
                .filter(|a| a.kind.is_number() && !local_name(&a.property).to_lowercase().ends_with("id"))
                .collect();
            let [only] = numbers[..] else { return None };
            Some(Place { node, property: only.property.clone(), kind: Some(only.kind) })
        })
    }
}
