//! What is shown, grouped and ordered by.

use super::Builder;
use super::attach::{Need, Place};
use crate::planner::intent::{Attr, Column, Func, Key};
use crate::planner::plan::Expr;

impl Builder<'_> {
    pub(super) fn columns(&mut self) {
        let counts_only = !self.plan.having.is_empty()
            && matches!(self.intent.columns.as_slice(), [Column::Aggregate { func: Func::Count, .. }]);
        self.extreme_row();
        let functions = self.intent.columns.iter().any(|column| matches!(column, Column::Aggregate { .. }));
        for column in self.intent.columns.clone() {
            // "For each category, the heaviest item": the item is what the function is about.
            if let Column::Item(item) = column
                && functions
                && !self.intent.groups.is_empty()
                && self.is_class(item)
                && !self.intent.groups.iter().any(|group| self.node_of(*group) == self.node_of(item))
            {
                continue;
            }
            let shown = self.column(&column);
            if shown.is_empty() && !matches!(column, Column::Time | Column::Place | Column::Person) {
                self.lost += 1;
            }
            let counted = functions && self.intent.groups.is_empty() && !self.tabular;
            for expr in shown {
                // "How many suppliers deliver compatible products": the products only restrict.
                if counted && matches!(expr, Expr::Node(_)) && matches!(column, Column::Item(_)) {
                    continue;
                }
                if !self.plan.columns.contains(&expr) {
                    self.plan.columns.push(expr);
                }
            }
        }
        self.group_columns();
        self.drop_defaults();
        if self.plan.columns.is_empty() && !self.plan.ask {
            self.default_column();
        }
        if counts_only {
            self.count_groups();
        }
    }

    /// A name that stands for a thing goes when its attributes are asked for one by one.
    fn drop_defaults(&mut self) {
        for default in std::mem::take(&mut self.defaults) {
            let Expr::Attr(shown) = default else { continue };
            let node = self.plan.attrs[shown].node;
            let said = self.intent.columns.iter().any(|column| {
                match column {
                Column::Item(item) => self.node_of(*item).is_none() && self.plan.columns.iter().any(|expr| {
                    matches!(expr, Expr::Attr(attr) if *attr != shown && self.plan.attrs[*attr].node == node)
                }),
                _ => false,
            }
            });
            if said {
                self.plan.columns.retain(|expr| *expr != default);
            }
        }
    }

    /// "The maximum power and the make": the row with the largest value, not a function beside each make.
    fn extreme_row(&mut self) {
        let plain = self.intent.columns.iter().any(|column| matches!(column, Column::Item(_)));
        let functions: Vec<&Column> =
            self.intent.columns.iter().filter(|column| matches!(column, Column::Aggregate { .. })).collect();
        let ([Column::Aggregate { func, of: Some(attr), .. }], true, true) =
            (functions.as_slice(), plain, self.intent.groups.is_empty())
        else {
            return;
        };
        let down = match func {
            Func::Maximum => true,
            Func::Minimum => false,
            _ => return,
        };
        let Some((place, _)) = self.place_attr(attr, 0, 0, Need::Comparable) else { return };
        let Some(kind) = place.kind else { return };
        let attr = self.plan.attr(place.node, &place.property, kind, 0);
        self.plan.orders.push((Expr::Attr(attr), down));
        self.plan.limit.get_or_insert(1);
        self.extreme = Some(Expr::Attr(attr));
    }

    /// "How many countries have more than two …": the groups are counted.
    fn count_groups(&mut self) {
        if let (Some(main), true) = (self.main, self.intent.groups.is_empty()) {
            self.plan.columns.clear();
            self.plan.keys = vec![Expr::Node(main)];
            self.plan.count_groups = true;
        }
    }

    fn column(&mut self, column: &Column) -> Vec<Expr> {
        match column {
            Column::Item(item) => self.item_column(*item),
            Column::Aggregate { func: Func::Count, of, distinct } => {
                self.count_column(of.as_ref(), *distinct)
            }
            Column::Aggregate { func, of, .. } => self.aggregate_column(*func, of.as_ref()),
            Column::Time => self.main_time(),
            Column::Place => Vec::new(),
            Column::Person => Vec::new(),
            Column::Parts(parts) if self.plan.columns.is_empty() && !self.tabular && parts.len() > 1 => {
                let main = self.main.map(Expr::Node);
                main.into_iter().chain(parts.iter().flat_map(|nouns| self.part(nouns))).collect()
            }
            Column::Parts(parts) => parts.iter().flat_map(|nouns| self.part(nouns)).collect(),
            Column::Difference(item) => self.difference(*item).into_iter().collect(),
        }
    }

    /// The same attribute of two nodes that a relation joins, one taken from the other.
    fn difference(&mut self, item: usize) -> Option<Expr> {
        let first = self.place(item, self.unit_of(item)?, 0, Need::Any)?;
        let link = self.plan.links.iter().find(|link| link.from == first.node || link.to == first.node)?;
        let other = if link.from == first.node { link.to } else { link.from };
        let second = Place { node: other, ..first.clone() };
        let mut attrs = Vec::new();
        for place in [first, second] {
            let place = self.numeric(place)?;
            attrs.push(self.plan.attr(place.node, &place.property, place.kind?, 0));
        }
        Some(Expr::Minus(*attrs.first()?, *attrs.last()?))
    }

    fn item_column(&mut self, item: usize) -> Vec<Expr> {
        if let Some(known) = self.known.iter().find(|known| known.item == item) {
            let node = known.node;
            let shown = self.shown(node);
            if self.tabular {
                self.defaults.extend(shown.iter().cloned());
            }
            return shown;
        }
        let at = self.unit_of(item).unwrap_or(0);
        let Some(place) = self.place(item, at, 0, Need::Any) else { return Vec::new() };
        let place = match self.is_measure(item) {
            true => self.numeric(place.clone()).unwrap_or(place),
            false => place,
        };
        self.say_column(&place);
        let expr = self.place_expr(&place);
        self.defaults.retain(|default| *default != expr);
        vec![expr]
    }

    fn say_column(&mut self, place: &Place) {
        let class = self.plan.nodes[place.node].class.as_deref().map(|class| self.dataset.schema_name(class));
        let name = self.dataset.schema_name(&place.property);
        self.readings.push(match class {
            Some(class) => format!("{name} of {class} is asked for"),
            None => format!("{name} is asked for"),
        });
    }

    /// A literal as its value, a resource as a node.
    fn place_expr(&mut self, place: &Place) -> Expr {
        if self.main.is_none() {
            self.main = Some(place.node);
        }
        match place.kind {
            Some(kind) => Expr::Attr(self.plan.attr(place.node, &place.property, kind, 0)),
            None => {
                let class = self.plan.nodes[place.node].class.clone().unwrap_or_default();
                let hop =
                    self.graph.hops(&class).iter().find(|hop| hop.forward && hop.property == place.property);
                let target = hop.map(|hop| hop.class.clone()).unwrap_or_default();
                Expr::Node(self.linked(place.node, &place.property, &target))
            }
        }
    }

    /// A node as it is shown: by itself, or by its name where things have no names of their own.
    fn shown(&mut self, node: usize) -> Vec<Expr> {
        if !self.tabular {
            return vec![Expr::Node(node)];
        }
        let Some(class) = self.plan.nodes[node].class.clone() else { return vec![Expr::Node(node)] };
        let property = self.name_property(&class).or_else(|| self.key_property(&class));
        match property.and_then(|p| self.graph.attribute(&class, &p).map(|a| (p, a.kind))) {
            Some((property, kind)) => vec![Expr::Attr(self.plan.attr(node, &property, kind, 0))],
            None => vec![Expr::Node(node)],
        }
    }

    fn count_column(&mut self, of: Option<&Attr>, distinct: bool) -> Vec<Expr> {
        let Some(Attr::Item(item)) = of else {
            return vec![self.main.map_or(Expr::CountRows, Expr::CountNode)];
        };
        if let Some(known) = self.known.iter().find(|known| known.item == *item) {
            return vec![Expr::CountNode(known.node)];
        }
        let at = self.unit_of(*item).unwrap_or(0);
        let Some(place) = self.place(*item, at, 0, Need::Any) else { return Vec::new() };
        let expr = self.place_expr(&place);
        match expr {
            // "How many inhabitants" asks for the number that the graph holds.
            Expr::Attr(attr) if !distinct && self.plan.attrs[attr].kind.is_number() => vec![expr],
            Expr::Attr(attr) => vec![Expr::CountAttr { attr, distinct: true }],
            Expr::Node(node) => vec![Expr::CountNode(node)],
            other => vec![other],
        }
    }

    fn aggregate_column(&mut self, func: Func, of: Option<&Attr>) -> Vec<Expr> {
        let Some(of) = of else { return Vec::new() };
        if let Some(value) = &self.extreme {
            return vec![value.clone()];
        }
        let need = if matches!(func, Func::Sum | Func::Average) { Need::Number } else { Need::Comparable };
        let Some((place, _)) = self.place_attr(of, 0, 0, need) else { return Vec::new() };
        let Some(place) = self.numeric(place) else { return Vec::new() };
        let Some(kind) = place.kind else { return Vec::new() };
        if self.main.is_none() {
            self.main = Some(place.node);
        }
        let name = self.dataset.schema_name(&place.property);
        self.readings.push(format!("{} of {name}", func.name().to_lowercase()));
        vec![Expr::Function(func, self.plan.attr(place.node, &place.property, kind, 0))]
    }

    fn main_time(&mut self) -> Vec<Expr> {
        let place = match self.main {
            Some(main) => self.time_of(main),
            None => None,
        };
        let place = place.or_else(|| (0..self.plan.nodes.len()).find_map(|node| self.time_of(node)));
        place.map(|place| self.place_expr(&place)).into_iter().collect()
    }

    fn part(&mut self, nouns: &[&'static str]) -> Vec<Expr> {
        let attr = Attr::Grade { nouns: nouns.to_vec(), reversed: Vec::new(), of: None };
        let Some((place, _)) = self.place_attr(&attr, 0, 0, Need::Number) else { return Vec::new() };
        vec![self.place_expr(&place)]
    }

    /// Properties that make groups say what the rest is about.
    pub(super) fn group_places(&mut self) {
        for item in self.intent.groups.clone() {
            if self.node_of(item).is_some() {
                continue;
            }
            let at = self.unit_of(item).unwrap_or(0);
            if let Some(place) = self.place(item, at, 0, Need::Any)
                && self.main.is_none()
            {
                self.main = Some(place.node);
            }
        }
    }

    /// What rows are made for: shown beside the functions, unless it is already.
    fn group_columns(&mut self) {
        for item in self.intent.groups.clone() {
            if let Some(node) = self.known.iter().find(|known| known.item == item).map(|known| known.node) {
                self.group_node(node);
                continue;
            }
            let at = self.unit_of(item).unwrap_or(0);
            let Some(place) = self.place(item, at, 0, Need::Any) else {
                self.lost += 1;
                continue;
            };
            let expr = self.place_expr(&place);
            if !self.plan.columns.contains(&expr) {
                self.plan.columns.push(expr);
            }
        }
    }

    fn group_node(&mut self, node: usize) {
        let has_own = self.plan.columns.iter().any(|expr| match expr {
            Expr::Attr(attr) => self.plan.attrs[*attr].node == node,
            Expr::Node(other) => *other == node,
            _ => false,
        });
        if !has_own {
            let shown = self.shown(node);
            self.plan.columns.splice(0..0, shown);
        }
        if self.plan.is_grouped() {
            self.plan.keys.push(Expr::Node(node));
        }
    }

    fn default_column(&mut self) {
        let main = self.main.or_else(|| {
            let open = self.plan.nodes.iter().position(|node| node.scope == 0 && node.fixed.is_empty());
            open.or_else(|| self.around_things())
        });
        self.main = main;
        if let Some(main) = main {
            self.plan.columns = self.shown(main);
        }
    }

    pub(super) fn orders(&mut self) {
        for order in self.intent.orders.clone() {
            let Some((expr, turned)) = self.order_key(&order.key) else {
                self.lost += 1;
                continue;
            };
            self.plan.orders.push((expr, order.down != turned));
        }
        if self.plan.orders.is_empty() && self.plan.limit == Some(1) {
            self.plan.limit = None;
        }
        self.counted_order();
    }

    fn order_key(&mut self, key: &Key) -> Option<(Expr, bool)> {
        match key {
            Key::Attr(attr) => {
                let near = self.main.map_or(0, |_| 0);
                let (place, turned) = self.place_attr(attr, near, 0, Need::Comparable)?;
                let place = self.numeric(place)?;
                if self.main.is_none() {
                    self.main = Some(place.node);
                }
                let name = self.dataset.schema_name(&place.property);
                self.readings.push(format!("ordered by {name}"));
                Some((Expr::Attr(self.plan.attr(place.node, &place.property, place.kind?, 0)), turned))
            }
            Key::Formula(factors, joiners) => {
                let mut attrs = Vec::new();
                for nouns in factors {
                    let attr = Attr::Grade { nouns: nouns.clone(), reversed: Vec::new(), of: None };
                    let (place, _) = self.place_attr(&attr, 0, 0, Need::Number)?;
                    attrs.push(self.plan.attr(place.node, &place.property, place.kind?, 0));
                }
                Some((Expr::Formula(attrs, joiners.clone()), false))
            }
            Key::CountOf(Some(item)) => Some((self.counted_item(*item)?, false)),
            Key::CountOf(None) => Some((Expr::CountRows, false)),
            Key::Aggregate(func, attr) => {
                let (place, _) = self.place_attr(attr, 0, 0, Need::Number)?;
                Some((
                    Expr::Function(*func, self.plan.attr(place.node, &place.property, place.kind?, 0)),
                    false,
                ))
            }
            Key::Name => self.plan.columns.first().cloned().map(|first| (first, false)),
        }
    }

    fn counted_item(&mut self, item: usize) -> Option<Expr> {
        if let Some(known) = self.known.iter().find(|known| known.item == item) {
            return Some(Expr::CountNode(known.node));
        }
        let place = self.place(item, self.unit_of(item)?, 0, Need::Any)?;
        Some(match self.place_expr(&place) {
            // "The most points" is a value, not a number of values.
            Expr::Attr(attr) if self.plan.attrs[attr].kind.is_number() => Expr::Attr(attr),
            Expr::Attr(attr) => Expr::CountAttr { attr, distinct: true },
            Expr::Node(node) => Expr::CountNode(node),
            other => other,
        })
    }

    /// Ordered by a number of things: the groups are what is shown; in tables the number is shown as well.
    fn counted_order(&mut self) {
        let counted = self.plan.orders.iter().find(|(key, _)| key.is_aggregate()).map(|(key, _)| key.clone());
        let Some(key) = counted else { return };
        let shown: Vec<usize> = self
            .plan
            .columns
            .iter()
            .filter_map(|expr| match expr {
                Expr::Attr(attr) => Some(self.plan.attrs[*attr].node),
                Expr::Node(node) => Some(*node),
                _ => None,
            })
            .collect();
        if let Expr::CountNode(counted) = key
            && let Some(main) = self.main.filter(|main| *main != counted && shown.contains(main))
        {
            self.plan.keys.push(Expr::Node(main));
        }
        if self.tabular && !self.plan.columns.contains(&key) {
            self.plan.columns.push(key);
        }
    }
}
