//! Conditions: comparisons, counts, texts, negations.

use super::Builder;
use super::attach::{Need, Place};
use crate::planner::intent::{Attr, Bound, Column, Condition, Func, Op, Test};
use crate::planner::plan::{Expr, Filter, Having, Link, Node, Rhs};
use crate::planner::read::is_year;
use crate::planner::render::quoted;
use eruca_indexer::{Target, ValueKind};

/// How columns say yes and no.
const YES_NO: &[[&str; 2]] =
    &[["yes", "no"], ["true", "false"], ["y", "n"], ["t", "f"], ["ja", "nein"], ["si", "no"]];

impl Builder<'_> {
    pub(super) fn conditions(&mut self) {
        for condition in self.intent.conditions.clone() {
            let done = match &condition.test {
                Test::Compare { attr, op, bound } => self.compare(&condition, attr, *op, bound),
                Test::Is { item, hint } => self.is(&condition, *item, *hint),
                Test::Exists(item) => self.exists(&condition, *item),
                Test::Counted { of, op, number } => self.count_test(*of, *op, number),
                Test::Grouped { func, attr, op, number } => {
                    self.grouped(&condition, *func, attr, *op, number)
                }
                Test::Matches { attr, like, text } => {
                    self.matches(&condition, *attr, Rhs::Text(*like, text.clone()))
                }
            };
            if done.is_none() {
                self.lost += 1;
                self.readings.push(format!("no place was found for {}", self.said(&condition.test)));
            }
        }
    }

    fn compare(&mut self, condition: &Condition, attr: &Attr, op: Op, bound: &Bound) -> Option<()> {
        let need = match bound {
            Bound::Number(number) if op == Op::Equal && is_year(number) => Need::Any,
            _ => Need::Comparable,
        };
        let (place, turned) = self.place_attr(attr, condition.at, condition.scope, need)?;
        if let (Attr::Item(item), Bound::Number(number)) = (attr, bound)
            && self.can_be_class(*item)
            && (!self.is_comparable(&place) || self.is_key(&place))
        {
            return self.count_instead(condition, *item, op, number);
        }
        let Some(numeric) = self.numeric(place.clone()) else {
            return self.count_objects(&place, op, bound);
        };
        let place = numeric;
        let op = if turned { turn(op) } else { op };
        let scope = self.attr_scope(&place, condition.scope);
        let kind = place.kind?;
        let place = self.apart(place, condition, op, bound)?;
        let var = self.plan.attr(place.node, &place.property, kind, scope);
        let rhs = match bound {
            Bound::Number(number) if kind.is_time() && number.len() <= 4 => Rhs::Year(number.clone()),
            Bound::Number(number) if kind == ValueKind::Text => self.number_text(number),
            Bound::Number(number) => Rhs::Number(number.clone()),
            Bound::Overall(func) => {
                let class = self.plan.nodes[place.node].class.clone();
                Rhs::Overall(*func, class, place.property.clone())
            }
            Bound::Attr(other) => {
                let (other, _) = self.place_attr(other, condition.at, condition.scope, Need::Comparable)?;
                let kind = other.kind?;
                let scope = self.attr_scope(&other, condition.scope);
                Rhs::Attr(self.plan.attr(other.node, &other.property, kind, scope))
            }
        };
        let name = self.dataset.schema_name(&place.property);
        self.readings.push(format!("{name} {} {}", op.sign(), said(bound)));
        self.plan.filters.push(Filter { attr: var, op, rhs, scope, choice: condition.choice });
        Some(())
    }

    /// What a condition says, in the words of the question as far as they are kept.
    fn said(&self, test: &Test) -> String {
        let item = match test {
            Test::Is { item, .. } | Test::Exists(item) | Test::Counted { of: item, .. } => Some(*item),
            Test::Compare { attr: Attr::Item(item), .. } | Test::Grouped { attr: Attr::Item(item), .. } => {
                Some(*item)
            }
            Test::Matches { attr, .. } => *attr,
            _ => None,
        };
        item.map_or_else(|| "a comparison".to_owned(), |item| format!("'{}'", self.item(item).text))
    }

    /// "More than two official languages": the things that a property leads to are counted.
    fn count_objects(&mut self, place: &Place, op: Op, bound: &Bound) -> Option<()> {
        let Bound::Number(number) = bound else { return None };
        let class = self.plan.nodes[place.node].class.clone()?;
        let hop = self.graph.hops(&class).iter().find(|hop| hop.forward && hop.property == place.property)?;
        let target = hop.class.clone();
        let node = self.linked(place.node, &place.property, &target);
        let name = self.dataset.schema_name(&place.property);
        self.readings.push(format!("number of {name} {} {number}", op.sign()));
        self.plan.having.push(Having { expr: Expr::CountNode(node), op, number: number.clone() });
        Some(())
    }

    fn is_comparable(&self, place: &Place) -> bool {
        place.kind.is_some_and(|kind| kind.is_number() || kind.is_time())
    }

    /// "More than three models" where "model" is no number: the models are counted.
    fn count_instead(&mut self, condition: &Condition, item: usize, op: Op, number: &str) -> Option<()> {
        if !self.known.iter().any(|known| known.item == item) {
            let class = self.item(item).classes.first()?.iri.clone();
            self.class_node(item, condition.at, condition.scope, &class);
        }
        self.count_test(item, op, number)
    }

    /// The same property cannot have two values at once: the second is that of another thing.
    fn apart(&mut self, place: Place, condition: &Condition, op: Op, bound: &Bound) -> Option<Place> {
        let Bound::Number(number) = bound else { return Some(place) };
        let taken = self.plan.filters.iter().any(|filter| {
            let attr = &self.plan.attrs[filter.attr];
            let same = attr.node == place.node && attr.property == place.property;
            same && filter.choice == 0 && filter.scope == 0 && excludes(filter.op, &filter.rhs, op, number)
        });
        if !(taken && condition.choice == 0 && condition.scope == 0) {
            return Some(place);
        }
        let node = self.twin(place.node)?;
        Some(Place { node, ..place })
    }

    /// A number among texts is compared as a text.
    fn number_text(&self, number: &str) -> Rhs {
        Rhs::Literals(vec![quoted(number)])
    }

    /// A negated condition on what is asked about has its variable inside the negation.
    pub(super) fn attr_scope(&self, place: &Place, scope: usize) -> usize {
        self.plan.nodes[place.node].scope.max(scope)
    }

    /// A measure that is a thing of its own leads to its number.
    pub(super) fn numeric(&mut self, place: Place) -> Option<Place> {
        if place.kind.is_some() {
            return Some(place);
        }
        let class = self.plan.nodes[place.node].class.clone()?;
        let hop =
            self.graph.hops(&class).iter().find(|hop| hop.forward && hop.property == place.property)?.clone();
        let number = self.graph.attributes(&hop.class).iter().find(|a| a.kind.is_number())?.clone();
        let node = self.linked(place.node, &place.property, &hop.class);
        Some(Place { node, property: number.property, kind: Some(number.kind) })
    }

    fn exists(&mut self, condition: &Condition, item: usize) -> Option<()> {
        if self.known.iter().any(|known| known.item == item) {
            return Some(());
        }
        if self.item(item).verb && condition.scope > 0 {
            return self.done_by_main(condition, item);
        }
        let place = self.place(item, condition.at, condition.scope, Need::Any)?;
        match place.kind {
            // A property said in passing restricts only when it is denied.
            Some(kind) if self.yes_of(&place).is_some() => {
                let yes = self.yes_of(&place)?;
                let attr = self.plan.attr(place.node, &place.property, kind, condition.scope);
                let rhs = Rhs::Literals(vec![yes]);
                let (scope, choice) = (condition.scope, condition.choice);
                self.plan.filters.push(Filter { attr, op: Op::Equal, rhs, scope, choice });
            }
            Some(kind) if condition.scope > 0 => {
                self.plan.attr(place.node, &place.property, kind, condition.scope);
            }
            Some(_) => {}
            None if self.item(item).verb => {}
            None => {
                let class = self.plan.nodes[place.node].class.clone()?;
                let hop = self
                    .graph
                    .hops(&class)
                    .iter()
                    .find(|hop| hop.forward && hop.property == place.property)?;
                let target = hop.class.clone();
                self.relate(place.node, &place.property, &target, condition.scope);
            }
        }
        Some(())
    }

    /// "Who manages X?" asks for the manager.
    pub(super) fn agent(&mut self) {
        if self.intent.columns.first() != Some(&Column::Person) || self.main.is_some() {
            return;
        }
        let verb = self.intent.conditions.iter().find_map(|condition| match condition.test {
            Test::Exists(item) if self.item(item).verb && condition.scope == 0 => Some(item),
            _ => None,
        });
        let Some(hit) = verb.and_then(|item| self.item(item).properties.first()) else { return };
        let domains = self.dataset.index.card.property(&hit.iri).map(eruca_indexer::PropertyCard::domains);
        let Some((class, _)) =
            domains.and_then(|domains| domains.first().map(|(c, n)| ((*c).to_owned(), *n)))
        else {
            return;
        };
        let hop = self.graph.hops(&class).iter().find(|hop| hop.forward && hop.property == hit.iri);
        let Some(hop) = hop.cloned() else { return };
        let node = |class: String| Node { class: Some(class), typed: false, fixed: Vec::new(), scope: 0 };
        let from = self.plan.node(node(class));
        let to = self.plan.node(node(hop.class));
        self.plan.links.push(Link { from, property: hop.property, to, scope: 0 });
        self.main = Some(to);
        self.agent = Some(to);
    }

    /// "who does not manage anyone": nobody has what is asked about for a manager.
    fn done_by_main(&mut self, condition: &Condition, item: usize) -> Option<()> {
        let main = self.main?;
        let class = self.plan.nodes[main].class.clone()?;
        let hops = self.graph.hops(&class);
        let hits = &self.item(item).properties;
        let hop = hops
            .iter()
            .filter(|hop| hits.iter().any(|hit| hit.iri == hop.property))
            .min_by_key(|hop| hop.forward)?
            .clone();
        let scope = condition.scope;
        let other = self.plan.node(Node { class: Some(hop.class), typed: false, fixed: Vec::new(), scope });
        let (from, to) = if hop.forward { (main, other) } else { (other, main) };
        self.readings.push(format!("nobody has it for {}", self.dataset.schema_name(&hop.property)));
        self.plan.links.push(Link { from, property: hop.property, to, scope });
        Some(())
    }

    /// The literal that says yes in a column of yes and no.
    fn yes_of(&self, place: &Place) -> Option<String> {
        let card = self.dataset.index.card.property(&place.property)?;
        let edge = card.edges.iter().find(|edge| matches!(edge.target, Target::Literal(_)))?;
        let Target::Literal(datatype) = &edge.target else { return None };
        let said = |text: &String| YES_NO.iter().any(|pair| pair.contains(&text.to_lowercase().as_str()));
        let two = edge.samples.len() <= 2 && !edge.samples.is_empty() && edge.samples.iter().all(said);
        let sample = edge.samples.first().filter(|_| two)?;
        let pair = YES_NO.iter().find(|pair| pair.contains(&sample.to_lowercase().as_str()))?;
        // The spelling of the graph: "Yes", "YES" or "yes".
        let yes = edge.samples.iter().find(|text| text.to_lowercase() == pair[0]);
        let upper = sample.chars().next().is_some_and(char::is_uppercase);
        let all = sample.chars().count() > 1 && sample.chars().all(char::is_uppercase);
        let made = match (all, upper) {
            (true, _) => pair[0].to_uppercase(),
            (_, true) => pair[0][..1].to_uppercase() + &pair[0][1..],
            _ => pair[0].to_owned(),
        };
        let text = quoted(yes.unwrap_or(&made));
        Some(if datatype == eruca_indexer::vocabulary::XSD_STRING {
            text
        } else {
            format!("{text}^^<{datatype}>")
        })
    }

    fn count_test(&mut self, of: usize, op: Op, number: &str) -> Option<()> {
        let node = self.known.iter().find(|known| known.item == of).map(|known| known.node)?;
        let number: u64 = number.parse().ok()?;
        let least = if op == Op::Greater { number + 1 } else { number };
        if matches!(op, Op::Greater | Op::AtLeast) && least <= 1 {
            return Some(());
        }
        let by_value = self
            .intent
            .columns
            .iter()
            .any(|column| matches!(column, Column::Item(item) if !self.is_class(*item)));
        if self.main == Some(node) && !by_value {
            return None;
        }
        self.plan.having.push(Having { expr: Expr::CountNode(node), op, number: number.to_string() });
        self.readings.push(format!("{} of '{}' {} {number}", "number", self.item(of).text, op.sign()));
        Some(())
    }

    fn grouped(
        &mut self,
        condition: &Condition,
        func: Func,
        attr: &Attr,
        op: Op,
        number: &str,
    ) -> Option<()> {
        let (place, _) = self.place_attr(attr, condition.at, 0, Need::Number)?;
        let kind = place.kind?;
        let var = self.plan.attr(place.node, &place.property, kind, 0);
        self.plan.having.push(Having { expr: Expr::Function(func, var), op, number: number.to_owned() });
        Some(())
    }

    fn matches(&mut self, condition: &Condition, attr: Option<usize>, rhs: Rhs) -> Option<()> {
        let place = match attr {
            Some(item) => self.place(item, condition.at, condition.scope, Need::Any)?,
            None => {
                let node = self.main?;
                let class = self.plan.nodes[node].class.clone()?;
                let property = self.name_property(&class)?;
                Place { node, kind: Some(ValueKind::Text), property }
            }
        };
        let scope = self.attr_scope(&place, condition.scope);
        let var = self.plan.attr(place.node, &place.property, place.kind?, scope);
        let name = self.dataset.schema_name(&place.property);
        if let Rhs::Text(_, text) = &rhs {
            self.readings.push(format!("{name} holds the text '{text}'"));
        }
        self.plan.filters.push(Filter { attr: var, op: Op::Equal, rhs, scope, choice: condition.choice });
        Some(())
    }
}

/// Whether no number can meet both bounds.
fn excludes(first: Op, rhs: &Rhs, second: Op, number: &str) -> bool {
    let known = match rhs {
        Rhs::Number(known) | Rhs::Year(known) => known,
        _ => return matches!((rhs, second), (Rhs::Literals(_), Op::Equal)),
    };
    let (Ok(known), Ok(number)) = (known.parse::<f64>(), number.parse::<f64>()) else { return false };
    let upper = |op: Op| matches!(op, Op::Less | Op::AtMost);
    let lower = |op: Op| matches!(op, Op::Greater | Op::AtLeast);
    match (first, second) {
        (Op::Equal, Op::Equal) => true,
        (a, b) if upper(a) && lower(b) => number >= known,
        (a, b) if lower(a) && upper(b) => number <= known,
        _ => false,
    }
}

fn turn(op: Op) -> Op {
    match op {
        Op::Greater => Op::Less,
        Op::AtLeast => Op::AtMost,
        Op::Less => Op::Greater,
        Op::AtMost => Op::AtLeast,
        same => same,
    }
}

fn said(bound: &Bound) -> String {
    match bound {
        Bound::Number(number) => number.clone(),
        Bound::Overall(func) => format!("{} of all", func.name().to_lowercase()),
        Bound::Attr(_) => "another value of the same thing".to_owned(),
    }
}
