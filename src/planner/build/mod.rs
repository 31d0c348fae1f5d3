//! From the intent to a plan: where in the graph what was asked for is found, and how it hangs together.

mod attach;
mod columns;
mod conditions;
mod connect;
mod things;

use super::intent::{Attr, Column, Intent, Key, Test};
use super::plan::{Expr, Link, Node, Plan};
use super::units::{Cut, Item};
use crate::dataset::Dataset;
use eruca_indexer::SchemaGraph;
use eruca_indexer::vocabulary::NAMING_PROPERTIES;

/// A plan with how it came about.
#[derive(Debug, Clone)]
pub(super) struct Built {
    pub plan: Plan,
    /// What was read, line by line.
    pub readings: Vec<String>,
    /// Items that found no place.
    pub lost: usize,
    /// Parts of the pattern that nothing joins: their product would answer nothing.
    pub loose: bool,
}

/// Which of several readings a plan takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Variant {
    /// For things: skip so many readings of the first one that has several.
    pub thing: usize,
    /// Classes are not stated: instances may lack a type.
    pub untyped: bool,
    /// Relations are read in the other direction: what has the thing, instead of what the thing has.
    pub turned: bool,
}

/// A class of the question with its node.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub item: usize,
    /// The unit it was read from.
    pub at: usize,
    pub node: usize,
}

pub(super) struct Builder<'a> {
    pub dataset: &'a Dataset,
    pub graph: &'a SchemaGraph,
    pub cut: &'a Cut,
    pub intent: &'a Intent,
    pub variant: Variant,
    pub plan: Plan,
    pub known: Vec<Known>,
    pub main: Option<usize>,
    /// Nodes that hang together with the main one.
    pub joined: Vec<usize>,
    /// Second instances of a class.
    pub twins: Vec<usize>,
    /// Who does what the question says, if it asks for that.
    pub agent: Option<usize>,
    /// Columns that stand for a thing without being asked for by name.
    pub defaults: Vec<Expr>,
    /// The value whose largest or smallest chooses the row.
    pub extreme: Option<Expr>,
    pub readings: Vec<String>,
    pub lost: usize,
    /// The graph has no names of its own: answers are values of columns.
    pub tabular: bool,
}

/// Builds a plan; `None` when nothing of the question was found in the graph.
pub(super) fn build(dataset: &Dataset, cut: &Cut, intent: &Intent, variant: Variant) -> Option<Built> {
    let card = &dataset.index.card;
    let tabular = !card.naming_properties.iter().any(|iri| NAMING_PROPERTIES.contains(&iri.as_str()));
    let mut builder = Builder {
        dataset,
        graph: &dataset.index.graph,
        cut,
        intent,
        variant,
        plan: Plan { ask: intent.ask, limit: intent.limit, offset: intent.offset, ..Plan::default() },
        known: Vec::new(),
        main: None,
        joined: Vec::new(),
        twins: Vec::new(),
        extreme: None,
        defaults: Vec::new(),
        agent: None,
        readings: Vec::new(),
        lost: 0,
        tabular,
    };
    if intent.mutual {
        builder.mutual();
    }
    if builder.plan.columns.is_empty() {
        builder.classes();
        builder.merge_named_classes();
        builder.group_places();
        builder.agent();
        builder.conditions();
        builder.columns();
        builder.orders();
    }
    builder.connect();
    builder.finish()
}

impl<'a> Builder<'a> {
    pub(super) fn item(&self, item: usize) -> &'a Item {
        &self.cut.items[item]
    }

    /// Whether an item is read as a class wherever it stands.
    pub(super) fn is_class(&self, number: usize) -> bool {
        let item = self.item(number);
        !item.is_thing()
            && !self.is_measure(number)
            && !item.classes.is_empty()
            && item.class_fit() + 0.02 >= item.property_fit()
    }

    /// Whether something takes the item for a property.
    fn is_taken_as_property(&self, item: usize) -> bool {
        let attr = |attr: &Attr| *attr == Attr::Item(item);
        let column = self.intent.columns.iter().any(|column| match column {
            Column::Aggregate { func, of: Some(of), .. } => {
                attr(of) && (*func != super::intent::Func::Count || !self.can_be_class(item))
            }
            _ => false,
        });
        let condition = self.intent.conditions.iter().any(|condition| match &condition.test {
            Test::Compare { attr: found, .. } | Test::Grouped { attr: found, .. } => attr(found),
            Test::Is { hint, .. } => *hint == Some(item),
            Test::Matches { attr, .. } => *attr == Some(item),
            _ => false,
        });
        column
            || condition
            || self.intent.orders.iter().any(|order| matches!(&order.key, Key::Attr(found) if attr(found)))
    }

    pub(super) fn can_be_class(&self, item: usize) -> bool {
        !self.item(item).is_thing() && self.item(item).class_fit() >= 0.6
    }

    /// A node for every class of the question; the same class is the same node.
    fn classes(&mut self) {
        for (item, at, scope) in self.intent.seen.clone() {
            let counted = self.intent.conditions.iter().any(|c| matches!(&c.test, Test::Counted { of, .. } if *of == item))
                || self.intent.orders.iter().any(|o| matches!(&o.key, Key::CountOf(Some(of)) if *of == item))
                || self.intent.columns.iter().any(|c| matches!(c, Column::Aggregate { func: super::intent::Func::Count, of: Some(Attr::Item(of)), distinct: false } if *of == item));
            let wanted = self.is_class(item) || (counted && self.can_be_class(item));
            if !wanted || (self.is_taken_as_property(item) && !counted) {
                continue;
            }
            let Some(hit) = self.item(item).classes.first() else { continue };
            if self.is_said_nearer(&hit.iri, hit.fit, at) {
                continue;
            }
            self.class_node(item, at, scope, &hit.iri.clone());
        }
        self.main = self.main_class();
    }

    /// "hardware items": a class beside a kind of it, or a loose synonym beside the word itself, is the same.
    fn is_said_nearer(&self, class: &str, fit: f32, at: usize) -> bool {
        self.intent.seen.iter().any(|(item, other, _)| {
            let beside = other.abs_diff(at) == 1
                && self.cut.units.get(at.max(*other)).is_some_and(|u| u.broken.is_none());
            let found = self.item(*item);
            let Some(hit) = found.classes.first().filter(|_| beside && self.is_class(*item)) else {
                return false;
            };
            hit.iri != class && ((self.graph.is_a(&hit.iri, class)) || (fit < 0.8 && hit.fit > 0.9))
        })
    }

    pub(super) fn class_node(&mut self, item: usize, at: usize, scope: usize, class: &str) {
        let same =
            |node: &Node| node.class.as_deref() == Some(class) && (node.scope == scope || node.scope == 0);
        // "pets … do not have a pet": the negated one is another, unless it is what the question is about.
        let found = self.plan.nodes.iter().position(|node| same(node) && (node.scope == scope || scope == 0));
        let node = match found {
            Some(node) => node,
            None if scope > 0 && self.main_is(class) => return,
            None => self.plan.node(Node {
                class: Some(class.to_owned()),
                typed: !self.variant.untyped,
                fixed: Vec::new(),
                scope,
            }),
        };
        self.known.push(Known { item, at, node });
        let name = self.dataset.schema_name(class);
        self.readings.push(format!("'{}' is the class {name}", self.item(item).text));
    }

    fn main_is(&self, class: &str) -> bool {
        self.known.first().is_some_and(|known| self.plan.nodes[known.node].class.as_deref() == Some(class))
    }

    /// A price is a thing in some graphs, and yet no thing that one asks for: it has a number and no name.
    pub(super) fn is_measure(&self, item: usize) -> bool {
        let item = self.item(item);
        let Some(class) = item.classes.first() else { return false };
        let naming = &self.dataset.index.card.naming_properties;
        let attributes = self.graph.attributes(&class.iri);
        let reached = item.properties.iter().any(|hit| {
            hit.fit + 0.05 >= class.fit
                && self.graph.hops(&class.iri).iter().any(|hop| !hop.forward && hop.property == hit.iri)
        });
        reached
            && attributes.iter().any(|attribute| attribute.kind.is_number())
            && !attributes.iter().any(|attribute| naming.contains(&attribute.property))
            && attributes.len() <= 4
    }

    pub(super) fn node_of(&self, item: usize) -> Option<usize> {
        self.known.iter().find(|known| known.item == item).map(|known| known.node)
    }

    /// What the answer is about: what is counted, asked for, or named first.
    fn main_class(&self) -> Option<usize> {
        let column = self.intent.columns.iter().find_map(|column| match column {
            Column::Item(item) | Column::Aggregate { of: Some(Attr::Item(item)), .. } => self.node_of(*item),
            _ => None,
        });
        let counted = |node: usize| {
            let items: Vec<usize> = self.known.iter().filter(|k| k.node == node).map(|k| k.item).collect();
            self.intent
                .conditions
                .iter()
                .any(|c| matches!(&c.test, Test::Counted { of, .. } if items.contains(of)))
                || self
                    .intent
                    .orders
                    .iter()
                    .any(|o| matches!(&o.key, Key::CountOf(Some(of)) if items.contains(of)))
        };
        let positive =
            || self.known.iter().map(|known| known.node).filter(|node| self.plan.nodes[*node].scope == 0);
        column.or_else(|| positive().find(|node| !counted(*node))).or_else(|| positive().next())
    }

    fn finish(mut self) -> Option<Built> {
        if self.plan.columns.is_empty() && !self.plan.ask && !self.plan.count_groups {
            return None;
        }
        if self.plan.nodes.is_empty() {
            return None;
        }
        let loose = (0..self.plan.nodes.len()).any(|node| !self.joined.contains(&node));
        if self.plan.ask {
            self.plan.columns.clear();
        }
        self.prune_types();
        self.prune_repeated();
        Some(Built { plan: self.plan, readings: self.readings, lost: self.lost, loose })
    }

    /// A relation to anything goes where the same relation to something stands beside it.
    fn prune_repeated(&mut self) {
        let plan = &self.plan;
        let exprs = || plan.columns.iter().chain(&plan.keys).chain(plan.orders.iter().map(|(key, _)| key));
        let is_free = |node: usize| {
            let found = &plan.nodes[node];
            let shown = exprs().chain(plan.having.iter().map(|having| &having.expr));
            found.fixed.is_empty()
                && !found.typed
                && plan.attrs.iter().all(|attr| attr.node != node)
                && plan.links.iter().filter(|link| link.from == node || link.to == node).count() == 1
                && !shown
                    .into_iter()
                    .any(|expr| matches!(expr, Expr::Node(n) | Expr::CountNode(n) if *n == node))
        };
        let repeated = |at: usize, link: &Link| {
            let others =
                || plan.links.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
            let same = |other: &Link| other.property == link.property && other.scope == link.scope;
            (is_free(link.to)
                && others().any(|other| same(other) && other.from == link.from && !is_free(other.to)))
                || (is_free(link.from)
                    && others().any(|other| same(other) && other.to == link.to && !is_free(other.from)))
        };
        let kept = plan.links.iter().enumerate().filter(|(at, link)| !repeated(*at, link));
        self.plan.links = kept.map(|(_, link)| link.clone()).collect();
    }

    /// A class need not be stated of an entity.
    fn prune_types(&mut self) {
        for node in &mut self.plan.nodes {
            if !node.fixed.is_empty() {
                node.typed = false;
            }
        }
    }
}
