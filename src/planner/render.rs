//! The one place where a plan becomes SPARQL.

use super::intent::{Func, Like, Op};
use super::plan::{AttrVar, Expr, Filter, Plan, Rhs};
use super::steps::has_dates;
use crate::dataset::Dataset;
use eruca_indexer::text::{fold, humanize};
use eruca_indexer::{PropertyValue, ValueKind};
use eruca_sparql::local_name;
use std::fmt::Write as _;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// SPARQL text of a plan.
pub(super) fn render(dataset: &Dataset, plan: &Plan) -> String {
    let renderer = Renderer { dataset, plan, names: names(plan) };
    renderer.query()
}

/// A text as a literal in SPARQL's spelling.
pub(super) fn quoted(text: &str) -> String {
    eruca_sparql::Literal::new_simple_literal(text).to_string()
}

/// A value of the index as a literal in SPARQL's spelling.
pub(super) fn literal(value: &PropertyValue) -> String {
    let text = quoted(&value.text);
    if !value.language.is_empty() {
        return format!("{text}@{}", value.language);
    }
    match value.datatype.as_str() {
        eruca_indexer::vocabulary::XSD_STRING => text,
        datatype => format!("{text}^^<{datatype}>"),
    }
}

struct Renderer<'a> {
    dataset: &'a Dataset,
    plan: &'a Plan,
    names: (Vec<String>, Vec<String>),
}

/// Readable variables: nodes by their class, attributes by their property.
fn names(plan: &Plan) -> (Vec<String>, Vec<String>) {
    let mut taken: Vec<String> = Vec::new();
    let mut free = |wanted: &str| {
        let plain: String =
            fold(wanted).chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(24).collect();
        let plain = plain.trim_matches('_').to_owned();
        let plain =
            if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("x{plain}") };
        let name = (1..)
            .map(|n| if n == 1 { plain.clone() } else { format!("{plain}{n}") })
            .find(|name| !taken.contains(name))
            .unwrap_or_default();
        taken.push(name.clone());
        name
    };
    let nodes = plan
        .nodes
        .iter()
        .map(|node| {
            free(node.class.as_deref().map_or("thing", |class| local_name(class.trim_end_matches('/'))))
        })
        .collect();
    let attrs = plan.attrs.iter().map(|attr| free(&humanize(local_name(&attr.property)))).collect();
    (nodes, attrs)
}

impl Renderer<'_> {
    fn query(&self) -> String {
        let plan = self.plan;
        let pattern = self.pattern();
        if plan.ask {
            return format!("ASK {{ {pattern} }}");
        }
        let columns: Vec<String> =
            plan.columns.iter().enumerate().map(|(at, c)| self.column(at, c)).collect();
        let grouped = plan.is_grouped();
        let distinct = if grouped && !plan.count_groups { "" } else { "DISTINCT " };
        let mut text = match plan.count_groups {
            true => format!("SELECT {} WHERE {{ {pattern} }}", self.keys()),
            false => format!("SELECT {distinct}{} WHERE {{ {pattern} }}", columns.join(" ")),
        };
        if grouped {
            text.push_str(&self.groups());
        }
        text.push_str(&self.orders());
        if let Some(limit) = plan.limit {
            let _ = write!(text, " LIMIT {limit}");
        }
        if plan.offset > 0 {
            let _ = write!(text, " OFFSET {}", plan.offset);
        }
        match plan.count_groups {
            true => format!("SELECT (COUNT(*) AS ?count) WHERE {{ {{ {text} }} }}"),
            false => text,
        }
    }

    fn keys(&self) -> String {
        let plain = self.plan.columns.iter().chain(&self.plan.keys).filter(|e| !e.is_aggregate());
        let mut keys: Vec<String> = plain.map(|expr| self.expr(expr)).collect();
        keys.dedup();
        keys.join(" ")
    }

    fn groups(&self) -> String {
        let mut text = String::new();
        let keys = self.keys();
        if !keys.is_empty() {
            let _ = write!(text, " GROUP BY {keys}");
        }
        for having in &self.plan.having {
            let _ =
                write!(text, " HAVING ({} {} {})", self.expr(&having.expr), having.op.sign(), having.number);
        }
        text
    }

    fn orders(&self) -> String {
        if self.plan.orders.is_empty() {
            return String::new();
        }
        let grouped = self.plan.is_grouped();
        let keys = self.plan.orders.iter().map(|(key, down)| {
            let expr = match key {
                // In a grouped query only keys and functions can be ordered by.
                Expr::Attr(attr) if grouped && !self.is_key(key) => {
                    self.function(if *down { Func::Maximum } else { Func::Minimum }, *attr)
                }
                Expr::Attr(attr) => self.value(*attr),
                other => self.expr(other),
            };
            format!("{}({expr})", if *down { "DESC" } else { "ASC" })
        });
        format!(" ORDER BY {}", keys.collect::<Vec<_>>().join(" "))
    }

    fn is_key(&self, expr: &Expr) -> bool {
        self.plan.columns.contains(expr) || self.plan.keys.contains(expr)
    }

    fn column(&self, at: usize, expr: &Expr) -> String {
        match expr {
            Expr::Attr(attr) if self.is_year(*attr) => format!("(YEAR({}) AS ?year{at})", self.expr(expr)),
            Expr::Node(_) | Expr::Attr(_) => self.expr(expr),
            Expr::CountNode(_) | Expr::CountAttr { .. } | Expr::CountRows => {
                format!("({} AS ?count{at})", self.expr(expr))
            }
            Expr::Function(func, attr) => {
                format!("({} AS ?{}_{})", self.expr(expr), func.name().to_lowercase(), self.names.1[*attr])
            }
            Expr::Minus(..) => format!("({} AS ?difference{at})", self.expr(expr)),
            Expr::Formula(..) => format!("({} AS ?value{at})", self.expr(expr)),
        }
    }

    /// Whether the year is wanted of a date that is a column by itself.
    fn is_year(&self, attr: usize) -> bool {
        let card =
            self.plan.attrs.get(attr).and_then(|attr| self.dataset.index.card.property(&attr.property));
        self.plan.years && !self.plan.is_grouped() && card.is_some_and(has_dates)
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Node(node) => self.node(*node),
            Expr::Attr(attr) => format!("?{}", self.names.1[*attr]),
            Expr::CountNode(node) => format!("COUNT(DISTINCT {})", self.node(*node)),
            Expr::CountAttr { attr, distinct } => {
                format!("COUNT({}?{})", if *distinct { "DISTINCT " } else { "" }, self.names.1[*attr])
            }
            Expr::CountRows => "COUNT(*)".to_owned(),
            Expr::Function(func, attr) => self.function(*func, *attr),
            Expr::Minus(a, b) => format!("{} - {}", self.value(*a), self.value(*b)),
            Expr::Formula(attrs, joiners) => self.formula(attrs, joiners),
        }
    }

    fn formula(&self, attrs: &[usize], joiners: &[char]) -> String {
        let mut parts = attrs.iter().map(|attr| self.value(*attr));
        let mut text = parts.next().unwrap_or_default();
        let divided = joiners.first() == Some(&'/');
        let rest: Vec<String> = parts.collect();
        match divided {
            true => {
                let _ = write!(text, " / ({})", rest.join(" * "));
            }
            false => rest.iter().for_each(|part| {
                let _ = write!(text, " * {part}");
            }),
        }
        text
    }

    fn function(&self, func: Func, attr: usize) -> String {
        format!("{}({})", func.name(), self.value(attr))
    }

    /// An attribute to reckon with: numbers written as text are cast.
    fn value(&self, attr: usize) -> String {
        let name = &self.names.1[attr];
        match self.plan.attrs[attr].kind {
            ValueKind::NumberText => format!("<{XSD}decimal>(?{name})"),
            _ => format!("?{name}"),
        }
    }

    fn node(&self, node: usize) -> String {
        match self.plan.nodes[node].fixed.as_slice() {
            [iri] => format!("<{iri}>"),
            _ => format!("?{}", self.names.0[node]),
        }
    }

    fn pattern(&self) -> String {
        let mut text = self.scope(0);
        let last = self.plan.nodes.iter().map(|node| node.scope);
        let last = last.chain(self.plan.filters.iter().map(|filter| filter.scope)).max().unwrap_or(0);
        for scope in 1..=last {
            let inside = self.scope(scope);
            if !inside.trim().is_empty() {
                let _ = write!(text, " FILTER NOT EXISTS {{ {} }}", inside.trim());
            }
        }
        for (a, b) in &self.plan.different {
            let _ = write!(text, " FILTER(STR({}) < STR({}))", self.node(*a), self.node(*b));
        }
        text.trim().to_owned()
    }

    /// Triples and filters of one scope.
    fn scope(&self, scope: usize) -> String {
        let mut text = String::new();
        for (number, node) in self.plan.nodes.iter().enumerate().filter(|(_, node)| node.scope == scope) {
            if node.fixed.len() > 1 {
                let iris: Vec<String> = node.fixed.iter().map(|iri| format!("<{iri}>")).collect();
                let _ = write!(text, " VALUES {} {{ {} }}", self.node(number), iris.join(" "));
            }
            if node.typed
                && let Some(class) = &node.class
            {
                let _ = write!(text, " {} {} <{class}> .", self.node(number), self.type_path(class));
            }
        }
        for link in self.plan.links.iter().filter(|link| link.scope == scope) {
            let _ = write!(text, " {} <{}> {} .", self.node(link.from), link.property, self.node(link.to));
        }
        for (number, attr) in self.plan.attrs.iter().enumerate().filter(|(_, attr)| attr.scope == scope) {
            text.push_str(&self.attr(number, attr));
        }
        text.push_str(&self.filters(scope));
        text
    }

    /// Instances of subclasses count, where there are any.
    fn type_path(&self, class: &str) -> String {
        let card = &self.dataset.index.card;
        let below = card.class(class).is_some_and(|card| card.instances_with_subclasses > card.instances);
        self.dataset.vocabulary().type_path(below)
    }

    fn attr(&self, number: usize, attr: &AttrVar) -> String {
        let triple = format!("{} <{}> ?{} .", self.node(attr.node), attr.property, self.names.1[number]);
        if attr.optional { format!(" OPTIONAL {{ {triple} }}") } else { format!(" {triple}") }
    }

    fn filters(&self, scope: usize) -> String {
        let mut text = String::new();
        let mut done: Vec<usize> = Vec::new();
        for filter in self.plan.filters.iter().filter(|filter| filter.scope == scope) {
            if filter.choice == 0 {
                let _ = write!(text, " {}", self.filter_clause(filter));
                continue;
            }
            if done.contains(&filter.choice) {
                continue;
            }
            done.push(filter.choice);
            let choices: Vec<String> = self
                .plan
                .filters
                .iter()
                .filter(|other| other.choice == filter.choice && other.scope == scope)
                .map(|other| self.test(other))
                .collect();
            let _ = write!(text, " FILTER({})", choices.join(" || "));
        }
        text
    }

    fn filter_clause(&self, filter: &Filter) -> String {
        if let Rhs::Overall(func, class, property) = &filter.rhs {
            return self.overall(filter, *func, class.as_deref(), property);
        }
        format!("FILTER({})", self.test(filter))
    }

    fn overall(&self, filter: &Filter, func: Func, class: Option<&str>, property: &str) -> String {
        let inner = match self.plan.attrs[filter.attr].kind {
            ValueKind::NumberText => format!("<{XSD}decimal>(?all_value)"),
            _ => "?all_value".to_owned(),
        };
        let typed = class.map_or_else(String::new, |c| format!("?all_thing {} <{c}> . ", self.type_path(c)));
        format!(
            "{{ SELECT ({}({inner}) AS ?overall) WHERE {{ {typed}?all_thing <{property}> ?all_value }} }} FILTER({} {} ?overall)",
            func.name(),
            self.value(filter.attr),
            filter.op.sign()
        )
    }

    fn test(&self, filter: &Filter) -> String {
        let name = format!("?{}", self.names.1[filter.attr]);
        let sign = filter.op.sign();
        match &filter.rhs {
            Rhs::Number(number) => format!("{} {sign} {number}", self.value(filter.attr)),
            Rhs::Year(year) => format!("<{XSD}integer>(SUBSTR(STR({name}), 1, 4)) {sign} {year}"),
            Rhs::Literals(literals) => match (literals.as_slice(), filter.op) {
                ([one], Op::Equal) => format!("{name} = {one}"),
                (many, _) => format!("{name} IN ({})", many.join(", ")),
            },
            Rhs::Attr(other) => format!("{} {sign} {}", self.value(filter.attr), self.value(*other)),
            Rhs::Text(like, text) => {
                let text = quoted(&text.to_lowercase());
                let (function, value) = match like {
                    Like::Contains => ("CONTAINS", text),
                    Like::Begins => ("STRSTARTS", text),
                    Like::Ends => ("STRENDS", text),
                };
                format!("{function}(LCASE(STR({name})), {value})")
            }
            Rhs::Overall(..) => "true".to_owned(),
        }
    }
}
