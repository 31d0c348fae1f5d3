//! How the nodes of a plan hang together: the cheapest paths through the schema.

use super::Builder;
use crate::planner::intent::Column;
use crate::planner::plan::{Expr, Filter, Link, Node, Rhs};
use eruca_indexer::{Hop, ValueKind};

/// What a step costs whose property the question names.
const NAMED_PROPERTY: f32 = 0.45;
/// What naming the class that a step leads to takes off.
const NAMED_CLASS: f32 = 0.15;

impl Builder<'_> {
    /// Joins every node to the main one.
    pub(super) fn connect(&mut self) {
        let Some(main) = self.main.or_else(|| self.open_node()).or_else(|| self.around_things()) else {
            return;
        };
        self.main = Some(main);
        self.join_links(main);
        for scope in 0..=self.plan.nodes.iter().map(|node| node.scope).max().unwrap_or(0) {
            while let Some(node) = self.next_loose(scope) {
                if !self.attach_node(node) {
                    self.joined.push(usize::MAX - node);
                }
            }
        }
    }

    /// "A is compatible with B and B with A": a relation that holds in both directions.
    pub(super) fn mutual(&mut self) {
        let found = self.cut.items.iter().flat_map(|item| &item.properties).find_map(|hit| {
            let card = self.dataset.index.card.property(&hit.iri)?;
            let (class, _) = *card.domains().first()?;
            let hop = self.graph.hops(class).iter().find(|hop| {
                hop.forward
                    && hop.property == hit.iri
                    && (self.graph.is_a(&hop.class, class) || self.graph.is_a(class, &hop.class))
            })?;
            Some((class.to_owned(), hop.property.clone()))
        });
        let Some((class, property)) = found else { return };
        let nodes = [0, 1].map(|_| {
            self.plan.node(Node { class: Some(class.clone()), typed: false, fixed: Vec::new(), scope: 0 })
        });
        for (from, to) in [(nodes[0], nodes[1]), (nodes[1], nodes[0])] {
            self.plan.links.push(Link { from, property: property.clone(), to, scope: 0 });
        }
        self.readings.push(format!("{} in both directions", self.dataset.schema_name(&property)));
        self.plan.different.push((nodes[0], nodes[1]));
        self.main = Some(nodes[0]);
        self.plan.columns = nodes.map(Expr::Node).to_vec();
    }

    fn open_node(&self) -> Option<usize> {
        self.plan.nodes.iter().position(|node| node.scope == 0 && node.fixed.is_empty())
    }

    /// Only things are named: what is asked for is what most is joined to them.
    pub(super) fn around_things(&mut self) -> Option<usize> {
        let thing = self.plan.nodes.iter().find(|node| !node.fixed.is_empty() && node.scope == 0)?;
        let class = thing.class.clone()?;
        let hop = self.graph.hops(&class).iter().filter(|hop| hop.class != class).min_by(|a, b| {
            self.price(&class, a).total_cmp(&self.price(&class, b)).then(b.count.cmp(&a.count))
        })?;
        let class = Some(hop.class.clone());
        Some(self.plan.node(Node { class, typed: false, fixed: Vec::new(), scope: 0 }))
    }

    /// Nodes that links join already.
    fn join_links(&mut self, from: usize) {
        if !self.joined.contains(&from) {
            self.joined.push(from);
        }
        loop {
            let next = self.plan.links.iter().find_map(|link| {
                let (a, b) = (self.joined.contains(&link.from), self.joined.contains(&link.to));
                if a && !b {
                    Some(link.to)
                } else if b && !a {
                    Some(link.from)
                } else {
                    None
                }
            });
            match next {
                Some(node) => self.joined.push(node),
                None => return,
            }
        }
    }

    fn next_loose(&self, scope: usize) -> Option<usize> {
        let loose = (0..self.plan.nodes.len()).filter(|node| {
            self.plan.nodes[*node].scope == scope
                && !self.joined.contains(node)
                && !self.joined.contains(&(usize::MAX - node))
        });
        // The nearest first: others may be reached through it.
        loose
            .filter_map(|node| Some((self.nearest(node)?.0, node)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, node)| node)
    }

    /// The cheapest way from a joined node to this one.
    fn nearest(&self, node: usize) -> Option<(f32, usize, Vec<Hop>)> {
        let target = self.plan.nodes[node].class.as_deref()?;
        let scope = self.plan.nodes[node].scope;
        let mut best: Option<(f32, usize, Vec<Hop>)> = None;
        for start in self.joined.iter().copied().filter(|start| *start < self.plan.nodes.len()) {
            let from = &self.plan.nodes[start];
            if from.scope != 0 && from.scope != scope {
                continue;
            }
            let Some(class) = from.class.as_deref() else { continue };
            let said = self.main == Some(start) || self.known.iter().any(|known| known.node == start);
            let apart = self.twins.contains(&node) && self.main != Some(start);
            if apart || (scope > 0 && from.scope == 0 && !said) {
                continue;
            }
            let found = match class == target {
                true => self.around(class),
                false => self.graph.path(class, target, &|at, hop| self.price(at, hop)),
            };
            let Some((cost, path)) = found else { continue };
            let main = if self.main == Some(start) { -0.02 } else { 0.0 };
            let main = if self.agent == Some(start) { 0.3 } else { main };
            // What a relation was said of is reached through that relation.
            let main = if self.plan.nodes[node].fixed.is_empty() { main } else { main + 0.05 };
            if best.as_ref().is_none_or(|(known, ..)| cost + main < *known) {
                best = Some((cost + main, start, path));
            }
        }
        best
    }

    /// From a class to another instance of it: by a property of its own, or through a neighbour.
    fn around(&self, class: &str) -> Option<(f32, Vec<Hop>)> {
        let hops = self.graph.hops(class);
        let direct = hops
            .iter()
            .filter(|hop| hop.class == class)
            .map(|hop| (self.price(class, hop), vec![hop.clone()]));
        let through = hops.iter().filter(|hop| hop.class != class).filter_map(|hop| {
            let back = self
                .graph
                .hops(&hop.class)
                .iter()
                .find(|b| b.class == class && b.property == hop.property && b.forward != hop.forward)?;
            Some((2.0 * self.price(class, hop), vec![hop.clone(), back.clone()]))
        });
        direct.chain(through).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What a step costs: less when the question names it, more when few instances take it.
    pub(super) fn price(&self, from: &str, hop: &Hop) -> f32 {
        let named = self
            .cut
            .items
            .iter()
            .any(|item| item.properties.iter().any(|hit| hit.iri == hop.property && hit.fit >= 0.6));
        let class = self
            .known
            .iter()
            .any(|known| self.plan.nodes[known.node].class.as_deref() == Some(hop.class.as_str()));
        let card = &self.dataset.index.card;
        let instances = card.class(from).map_or(1, |card| card.instances_with_subclasses.max(1));
        let rare = 1.0 - (hop.count as f32 / instances as f32).min(1.0);
        (if named { NAMED_PROPERTY } else { 1.0 }) - if class { NAMED_CLASS } else { 0.0 } + 0.1 * rare
    }

    fn attach_node(&mut self, node: usize) -> bool {
        let Some((_, start, path)) = self.nearest(node) else { return false };
        let scope = self.plan.nodes[node].scope;
        let mut at = start;
        let last = path.len().saturating_sub(1);
        for (step, hop) in path.into_iter().enumerate() {
            let next = if step == last { node } else { self.step_node(&hop, scope) };
            let (from, to) = if hop.forward { (at, next) } else { (next, at) };
            let said = self.dataset.schema_name(&hop.property);
            self.readings.push(format!("joined by {said}"));
            self.plan.links.push(Link { from, property: hop.property, to, scope });
            at = next;
        }
        self.join_links(start);
        true
    }

    /// The node that a step leads to: one that waits to be joined, or a new one.
    fn step_node(&mut self, hop: &Hop, scope: usize) -> usize {
        let waiting = (0..self.plan.nodes.len()).find(|node| {
            let found = &self.plan.nodes[*node];
            found.scope == scope
                && found.class.as_deref() == Some(hop.class.as_str())
                && !self.joined.contains(node)
        });
        waiting.unwrap_or_else(|| {
            let class = Some(hop.class.clone());
            self.plan.node(Node { class, typed: false, fixed: Vec::new(), scope })
        })
    }

    /// A property of a node leads to a class: to its node, or to one that is made.
    pub(super) fn relate(&mut self, node: usize, property: &str, class: &str, scope: usize) {
        let waiting = (0..self.plan.nodes.len()).find(|other| {
            let found = &self.plan.nodes[*other];
            *other != node
                && found.scope == scope
                && found
                    .class
                    .as_deref()
                    .is_some_and(|c| c == class || self.graph.is_a(c, class) || self.graph.is_a(class, c))
                && !self.plan.links.iter().any(|link| link.from == node && link.to == *other)
        });
        let to = waiting.unwrap_or_else(|| {
            self.plan.node(Node { class: Some(class.to_owned()), typed: false, fixed: Vec::new(), scope })
        });
        self.plan.links.push(Link { from: node, property: property.to_owned(), to, scope });
    }

    /// Another instance of a node's class for a second value. If what is asked for is the node itself, the two agree
    /// in what is asked.
    pub(super) fn twin(&mut self, node: usize) -> Option<usize> {
        let found = self.plan.nodes[node].clone();
        let twin = self.plan.node(found);
        self.twins.push(twin);
        if self.main != Some(node) {
            return Some(twin);
        }
        let asked: Vec<usize> = self
            .intent
            .columns
            .iter()
            .filter_map(|column| match column {
                Column::Item(item) if !self.is_class(*item) => Some(*item),
                _ => None,
            })
            .collect();
        for item in asked {
            let place = self.place(item, self.unit_of(item)?, 0, super::attach::Need::Any)?;
            let kind = place.kind?;
            let first = self.plan.attr(node, &place.property, kind, 0);
            let second = self.plan.attr(twin, &place.property, kind, 0);
            let rhs = Rhs::Attr(first);
            let op = crate::planner::intent::Op::Equal;
            self.plan.filters.push(Filter { attr: second, op, rhs, scope: 0, choice: 0 });
        }
        self.joined.push(twin);
        Some(twin)
    }

    /// The property whose values name the instances of a class.
    pub(super) fn name_property(&self, class: &str) -> Option<String> {
        let class_words = words_of(class);
        let own = self.graph.attributes(class).iter().filter(|a| a.kind == ValueKind::Text);
        let named = own.clone().filter_map(|a| Some((name_rank(&class_words, &a.property)?, &a.property)));
        let named = named.min_by_key(|(rank, _)| *rank).map(|(_, property)| property.clone());
        // A column called like its table names it.
        named.or_else(|| {
            own.clone().find(|a| words_of(&a.property) == class_words).map(|a| a.property.clone())
        })
    }

    /// The key that tells the instances of a class apart, where there are no names.
    pub(super) fn key_property(&self, class: &str) -> Option<String> {
        let attributes = self.graph.attributes(class);
        let is_key = |iri: &str| {
            let local = words_of(iri);
            local.last().is_some_and(|word| word == "id" || word == "code" || word.ends_with("id"))
        };
        attributes.iter().find(|a| is_key(&a.property)).or(attributes.first()).map(|a| a.property.clone())
    }
}

/// "name" before "<class> name" before "song name"; `None` for what is no name.
fn name_rank(class: &[String], property: &str) -> Option<usize> {
    let words = words_of(property);
    let last = words.last()?;
    let tail = ["name", "title", "label"].into_iter().find(|tail| last.ends_with(tail))?;
    let head = last.strip_suffix(tail).filter(|head| !head.is_empty());
    let before = words[..words.len() - 1].iter().map(String::as_str).chain(head);
    let (mut strange, mut all) = (0, 0);
    for word in before {
        all += 1;
        let known =
            class.iter().any(|c| c == word || (word.len() >= 3 && c.starts_with(word))) || word == "full";
        strange += usize::from(!known);
    }
    Some(100 * strange + 10 * all + usize::from(tail != "name"))
}

fn words_of(iri: &str) -> Vec<String> {
    let local = eruca_sparql::local_name(iri.trim_end_matches('/'));
    eruca_indexer::text::words(&eruca_indexer::text::humanize(local)).into_iter().map(|t| t.text).collect()
}
