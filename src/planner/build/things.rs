//! Entities and values of the question.

use super::Builder;
use super::attach::Need;
use crate::planner::intent::{Column, Condition, Op, Test};
use crate::planner::plan::{Filter, Link, Node, Rhs};
use crate::planner::render::{literal, quoted};
use eruca_indexer::{Entity, PropertyValue, ValueKind};

/// A reading of a thing.
#[derive(Debug, Clone)]
enum Reading {
    Entity(Entity),
    Value(PropertyValue),
}

impl Builder<'_> {
    /// A thing or value restricts.
    pub(super) fn is(&mut self, condition: &Condition, item: usize, hint: Option<usize>) -> Option<()> {
        let mut readings = self.thing_readings(condition, item, hint);
        if self.variant.thing > 0 && readings.len() > self.variant.thing {
            readings.rotate_left(self.variant.thing);
        }
        match readings.into_iter().next() {
            Some(Reading::Entity(entity)) => {
                self.entity(condition, item, &entity)?;
                if let Some(hint) = hint {
                    self.relation(condition, item, hint);
                }
                Some(())
            }
            Some(Reading::Value(value)) => self.value(condition, item, &value),
            None => self.unknown_text(condition, item, hint),
        }
    }

    /// "compatible products for X", "experts in X": the relation leads from or to the thing.
    fn relation(&mut self, condition: &Condition, item: usize, hint: usize) {
        let Some(node) = self.known.iter().rev().find(|known| known.item == item).map(|known| known.node)
        else {
            return;
        };
        if self.known.iter().any(|known| known.item == hint) {
            return;
        }
        let Some(class) = self.plan.nodes[node].class.clone() else { return };
        let found = self.item(hint).properties.iter().filter(|hit| hit.fit >= 0.45).find_map(|hit| {
            let hops = self.graph.hops(&class);
            let forward = !self.variant.turned;
            let hop = hops.iter().find(|hop| hop.property == hit.iri && hop.forward == forward);
            hop.or_else(|| hops.iter().find(|hop| hop.property == hit.iri)).cloned()
        });
        let Some(hop) = found else { return };
        let scope = condition.scope;
        let other = (0..self.plan.nodes.len()).find(|other| {
            let found = &self.plan.nodes[*other];
            *other != node
                && found.scope == scope
                && found.fixed.is_empty()
                && found
                    .class
                    .as_deref()
                    .is_some_and(|c| self.graph.is_a(c, &hop.class) || self.graph.is_a(&hop.class, c))
        });
        let other = other.unwrap_or_else(|| {
            let class = Some(hop.class.clone());
            self.plan.node(Node { class, typed: false, fixed: Vec::new(), scope })
        });
        let (from, to) = if hop.forward { (node, other) } else { (other, node) };
        self.readings.push(format!("related by {}", self.dataset.schema_name(&hop.property)));
        self.plan.links.push(Link { from, property: hop.property, to, scope });
        self.known.push(super::Known { item: hint, at: condition.at, node: other });
    }

    /// All readings, best first.
    fn thing_readings(&self, condition: &Condition, item: usize, hint: Option<usize>) -> Vec<Reading> {
        let found = self.item(item);
        let hinted: Vec<&str> = hint
            .map(|hint| self.item(hint).properties.iter().map(|hit| hit.iri.as_str()).collect())
            .unwrap_or_default();
        let mut scored: Vec<(f32, Reading)> = Vec::new();
        for hit in &found.values {
            let mut score = hit.score.min(1.25) + if self.tabular { 0.2 } else { -0.15 };
            if hinted.contains(&hit.value.property.as_str()) {
                score += 1.0;
            }
            if let Some(class) = &hit.value.class {
                score += self.class_worth(class, &hit.value.property, condition);
            }
            scored.push((score + 0.01 * (hit.value.count as f32).ln_1p(), Reading::Value(hit.value.clone())));
        }
        for hit in &found.entities {
            let mut score = hit.score.min(1.25) + if self.tabular { -0.4 } else { 0.0 };
            // A longer name that only holds the word.
            score -= if hit.score < 1.0 { 0.3 } else { 0.0 };
            let best = hit.entity.types.iter().map(|class| self.class_worth(class, "", condition));
            score += best.fold(f32::MIN, f32::max).max(-0.3);
            if self.is_named_by_hint(&hinted, &hit.entity) {
                score += 0.5;
            }
            // What much refers to is rather a kind than a single thing.
            score += (0.07 * (hit.entity.in_degree as f32).ln_1p()).min(0.4);
            scored.push((score, Reading::Entity(hit.entity.clone())));
        }
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.into_iter().map(|(_, reading)| reading).collect()
    }

    fn is_named_by_hint(&self, hinted: &[&str], entity: &Entity) -> bool {
        hinted.iter().any(|property| {
            self.dataset.index.card.property(property).is_some_and(|card| {
                card.edges.iter().any(|edge| {
                    matches!(&edge.target, eruca_indexer::Target::Class(class) if entity.types.contains(class))
                })
            })
        })
    }

    /// What a class adds to a reading: it is in the question, or near to what is.
    fn class_worth(&self, class: &str, property: &str, condition: &Condition) -> f32 {
        let known = self.known.iter().find(|known| {
            let node = &self.plan.nodes[known.node];
            let fits = node.class.as_deref().is_some_and(|c| {
                c == class
                    || self.graph.is_a(class, c)
                        && (property.is_empty() || self.graph.attribute(c, property).is_some())
            });
            fits && (node.scope == condition.scope || node.scope == 0)
        });
        if let Some(known) = known {
            let near = if known.at < condition.at && condition.at - known.at <= 2 { 0.15 } else { 0.0 };
            return 0.35 + near + if self.main == Some(known.node) { 0.05 } else { 0.0 };
        }
        let Some(start) = self.main.and_then(|node| self.plan.nodes[node].class.clone()) else { return 0.0 };
        match self.graph.path(&start, class, &|_, _| 1.0) {
            Some((cost, _)) => 0.2 - 0.12 * cost,
            None => -0.5,
        }
    }

    fn entity(&mut self, condition: &Condition, item: usize, entity: &Entity) -> Option<()> {
        let label = entity.label(&self.dataset.languages);
        self.readings.push(format!("'{}' is {label}", self.item(item).text));
        if let Some(node) = self.alternative_of(condition, &entity.types) {
            self.plan.nodes[node].fixed.push(entity.iri.clone());
            return Some(());
        }
        let class = self.best_type(&entity.types);
        let fixed = vec![entity.iri.clone()];
        // "the Data department": the class beside the name says what kind of thing it is.
        if let Some(node) = self.named_class(condition, &entity.types) {
            self.plan.nodes[node].fixed = fixed;
            self.known.push(super::Known { item, at: condition.at, node });
            return Some(());
        }
        let node = self.plan.node(Node { class, typed: false, fixed, scope: condition.scope });
        let known = self.kind_of(item, node).unwrap_or(node);
        self.known.push(super::Known { item, at: condition.at, node: known });
        Some(())
    }

    /// "Which saw": what is asked for is not the kind, but a thing that has it.
    fn kind_of(&mut self, item: usize, node: usize) -> Option<usize> {
        let asked =
            self.intent.columns.contains(&Column::Item(item)) && self.main.is_none_or(|main| main != node);
        let class = self.plan.nodes[node].class.clone().filter(|_| asked)?;
        let hop =
            self.graph.hops(&class).iter().filter(|hop| !hop.forward).max_by_key(|hop| hop.count)?.clone();
        let scope = self.plan.nodes[node].scope;
        let one = self.plan.node(Node { class: Some(hop.class), typed: false, fixed: Vec::new(), scope });
        self.plan.links.push(Link { from: one, property: hop.property, to: node, scope });
        self.main = Some(one);
        Some(one)
    }

    /// The type with which most is known to be joined.
    fn best_type(&self, types: &[String]) -> Option<String> {
        let known = types.iter().find(|class| {
            self.main
                .and_then(|main| self.plan.nodes[main].class.as_deref())
                .is_some_and(|main| self.graph.hops(main).iter().any(|hop| hop.class == **class))
        });
        let joined = types.iter().max_by_key(|class| {
            let count: u64 = self.graph.hops(class).iter().map(|hop| hop.count).sum();
            count
        });
        known.or(joined).cloned()
    }

    /// The node of the alternative before: "a French or German supplier".
    fn alternative_of(&self, condition: &Condition, types: &[String]) -> Option<usize> {
        if condition.choice == 0 {
            return None;
        }
        let before = self.intent.conditions.iter().find(|other| {
            other.choice == condition.choice
                && other.at < condition.at
                && matches!(other.test, Test::Is { .. })
        })?;
        let Test::Is { item, .. } = before.test else { return None };
        let node = self.known.iter().find(|known| known.item == item)?.node;
        let found = &self.plan.nodes[node];
        let same = found.class.as_ref().is_some_and(|class| types.contains(class));
        (same && !found.fixed.is_empty()).then_some(node)
    }

    /// The class that stands right before or behind a name and is not asked for.
    fn named_class(&self, condition: &Condition, types: &[String]) -> Option<usize> {
        self.known
            .iter()
            .find(|known| {
                let node = &self.plan.nodes[known.node];
                let fits = node.fixed.is_empty()
                    && node
                        .class
                        .as_deref()
                        .is_some_and(|class| types.iter().any(|t| self.graph.is_a(t, class)));
                let beside = known.at + 1 == condition.at || condition.at + 1 == known.at;
                fits && beside && self.main != Some(known.node) && node.scope == condition.scope
            })
            .map(|known| known.node)
    }

    /// Before anything is attached: a class beside the name of one of its instances is no class of its own, so the
    /// question is about something else.
    pub(super) fn merge_named_classes(&mut self) {
        let beside: Vec<usize> = self
            .intent
            .conditions
            .iter()
            .filter_map(|condition| {
                let Test::Is { item, .. } = condition.test else { return None };
                let entity = &self.item(item).entities.first().filter(|_| !self.tabular)?.entity;
                let known = self.known.iter().find(|known| {
                    let class = self.plan.nodes[known.node].class.as_deref();
                    (known.at + 1 == condition.at || condition.at + 1 == known.at)
                        && class.is_some_and(|c| entity.types.iter().any(|t| self.graph.is_a(t, c)))
                })?;
                Some(known.node)
            })
            .collect();
        if self.main.is_some_and(|main| beside.contains(&main)) {
            let other = self.known.iter().map(|known| known.node).find(|node| !beside.contains(node));
            let asked = self
                .intent
                .columns
                .iter()
                .any(|c| matches!(c, Column::Item(item) if self.node_of(*item) == self.main));
            if !asked {
                self.main = other;
            }
        }
    }

    fn value(&mut self, condition: &Condition, item: usize, value: &PropertyValue) -> Option<()> {
        let scope = condition.scope;
        let node = self.value_node(condition, value);
        let kind = ValueKind::Text;
        let name = self.dataset.schema_name(&value.property);
        self.readings.push(format!("'{}' is a value of {name}", self.item(item).text));
        let literals = self.same_values(item, value);
        let scope = scope.max(self.plan.nodes[node].scope);
        let taken = self.plan.filters.iter().any(|filter| {
            let attr = &self.plan.attrs[filter.attr];
            attr.node == node
                && attr.property == value.property
                && filter.scope == scope
                && filter.choice == 0
                && matches!(filter.rhs, Rhs::Literals(_))
        });
        // Two values of the same property: two things, unless they are alternatives.
        let node = if taken && condition.choice == 0 && scope == 0 { self.twin(node)? } else { node };
        if !self.known.iter().any(|known| known.node == node) {
            self.known.push(super::Known { item, at: condition.at, node });
        }
        let attr = self.plan.attr(node, &value.property, kind, scope);
        let rhs = Rhs::Literals(literals);
        self.plan.filters.push(Filter { attr, op: Op::Equal, rhs, scope, choice: condition.choice });
        Some(())
    }

    fn value_node(&mut self, condition: &Condition, value: &PropertyValue) -> usize {
        let class = value.class.clone();
        let scope = condition.scope;
        let fits = |node: &Node| {
            node.fixed.is_empty()
                && node.class.as_deref().is_some_and(|c| self.graph.attribute(c, &value.property).is_some())
        };
        let mut nodes: Vec<usize> = (0..self.plan.nodes.len())
            .filter(|n| fits(&self.plan.nodes[*n]))
            .filter(|n| {
                let said = self.main == Some(*n) || self.known.iter().any(|known| known.node == *n);
                self.plan.nodes[*n].scope == scope || (self.plan.nodes[*n].scope == 0 && said)
            })
            .collect();
        let distance = |node: usize| {
            self.known
                .iter()
                .filter(|k| k.node == node)
                .map(|k| k.at.abs_diff(condition.at))
                .min()
                .unwrap_or(20)
        };
        nodes.sort_by_key(|node| (self.plan.nodes[*node].scope != scope, distance(*node)));
        nodes
            .first()
            .copied()
            .unwrap_or_else(|| self.plan.node(Node { class, typed: self.tabular, fixed: Vec::new(), scope }))
    }

    /// All spellings of the same value that the graph holds.
    fn same_values(&self, item: usize, value: &PropertyValue) -> Vec<String> {
        let key = |text: &str| eruca_indexer::text::name_key(text);
        let mut literals: Vec<String> = vec![literal(value)];
        for hit in &self.item(item).values {
            let same = hit.value.property == value.property && key(&hit.value.text) == key(&value.text);
            if same && !literals.contains(&literal(&hit.value)) {
                literals.push(literal(&hit.value));
            }
        }
        literals
    }

    /// A text in quotation marks, or beside the name of a property, that the index does not hold.
    fn unknown_text(&mut self, condition: &Condition, item: usize, hint: Option<usize>) -> Option<()> {
        let place = self.place(hint?, condition.at, condition.scope, Need::Any)?;
        let scope = self.attr_scope(&place, condition.scope);
        let attr = self.plan.attr(place.node, &place.property, place.kind?, scope);
        let rhs = Rhs::Literals(vec![quoted(&self.item(item).text)]);
        self.plan.filters.push(Filter { attr, op: Op::Equal, rhs, scope, choice: condition.choice });
        Some(())
    }
}
