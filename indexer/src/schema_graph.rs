//! Which classes which properties join, as a graph in memory: neighbours, attributes, shortest paths.
//!
//! Made from the observed connections of the dataset card when an index is opened. What holds of a class is also
//! known of its superclasses, so that a path may start at either.

use crate::card::{DatasetCard, Edge, PropertyCard, Target};
use crate::vocabulary::{XSD_STRING, is_meta};
use eruca_sparql::is_numeric_type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Datatypes of points in time.
const TEMPORAL: &[&str] = &["date", "dateTime", "gYear", "gYearMonth", "time", "dateTimeStamp"];
/// Classes on the longest path.
const MAX_HOPS: usize = 4;

/// What the literals of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Numbers of a numeric datatype.
    Number,
    /// Numbers written as text.
    NumberText,
    /// Dates, times, years.
    Time,
    /// Dates written as text in the order year, month, day.
    TimeText,
    /// Anything else.
    Text,
}

impl ValueKind {
    /// Whether the values can be compared as numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::NumberText)
    }

    /// Whether the values are points in time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::TimeText)
    }
}

/// A property with literals, as the instances of a class have it.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The property's IRI.
    pub property: String,
    /// What the values are.
    pub kind: ValueKind,
    /// Triples.
    pub count: u64,
    /// Whether texts have language tags.
    pub tagged: bool,
}

/// A step from one class to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    /// The property's IRI.
    pub property: String,
    /// From subject to object.
    pub forward: bool,
    /// The class it leads to.
    pub class: String,
    /// Triples.
    pub count: u64,
}

/// Classes with what joins them.
#[derive(Debug, Clone, Default)]
pub struct SchemaGraph {
    hops: FxHashMap<String, Vec<Hop>>,
    attributes: FxHashMap<String, Vec<Attribute>>,
    ancestors: FxHashMap<String, Vec<String>>,
}

impl SchemaGraph {
    /// Reads the graph off a card.
    pub fn of(card: &DatasetCard) -> Self {
        let ancestors: FxHashMap<String, Vec<String>> =
            card.classes.iter().map(|class| (class.iri.clone(), with_ancestors(card, &class.iri))).collect();
        let mut graph = Self { ancestors, ..Self::default() };
        for property in card.properties.iter().filter(|property| !is_meta(&property.iri)) {
            graph.add(property);
        }
        for hops in graph.hops.values_mut() {
            hops.sort_by(|a, b| {
                b.count.cmp(&a.count).then_with(|| (&a.property, &a.class).cmp(&(&b.property, &b.class)))
            });
        }
        for attributes in graph.attributes.values_mut() {
            attributes.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.property.cmp(&b.property)));
        }
        graph
    }

    fn add(&mut self, property: &PropertyCard) {
        let tagged = property.languages.iter().any(|(tag, _)| !tag.is_empty());
        for edge in &property.edges {
            let Some(class) = edge.class.as_deref().filter(|class| !is_meta(class)) else { continue };
            for above in self.and_above(class) {
                match &edge.target {
                    Target::Class(target) if !is_meta(target) => {
                        for end in self.and_above(target) {
                            join(&mut self.hops, &above, &property.iri, true, &end, edge.count);
                            join(&mut self.hops, &end, &property.iri, false, &above, edge.count);
                        }
                    }
                    Target::Literal(datatype) => {
                        self.add_attribute(&above, property, edge, kind(datatype, &edge.samples), tagged);
                    }
                    Target::Class(_) | Target::Resource => {}
                }
            }
        }
    }

    fn add_attribute(
        &mut self,
        class: &str,
        property: &PropertyCard,
        edge: &Edge,
        kind: ValueKind,
        tagged: bool,
    ) {
        let list = self.attributes.entry(class.to_owned()).or_default();
        match list.iter_mut().find(|attribute| attribute.property == property.iri) {
            Some(known) => {
                if edge.count > known.count {
                    known.kind = kind;
                }
                known.count += edge.count;
            }
            None => list.push(Attribute { property: property.iri.clone(), kind, count: edge.count, tagged }),
        }
    }

    fn and_above(&self, class: &str) -> Vec<String> {
        self.ancestors.get(class).cloned().unwrap_or_else(|| vec![class.to_owned()])
    }

    /// Whether one class is the other or below it.
    pub fn is_a(&self, class: &str, above: &str) -> bool {
        class == above || self.ancestors.get(class).is_some_and(|all| all.iter().any(|a| a == above))
    }

    /// What joins a class to others, most used first.
    pub fn hops(&self, class: &str) -> &[Hop] {
        self.hops.get(class).map_or(&[], Vec::as_slice)
    }

    /// The properties with literals that a class has, most used first.
    pub fn attributes(&self, class: &str) -> &[Attribute] {
        self.attributes.get(class).map_or(&[], Vec::as_slice)
    }

    /// One property of a class.
    pub fn attribute(&self, class: &str, property: &str) -> Option<&Attribute> {
        self.attributes(class).iter().find(|attribute| attribute.property == property)
    }

    /// The cheapest way from one class to another, by a price for every step; empty when they are the same.
    pub fn path(&self, from: &str, to: &str, price: &dyn Fn(&str, &Hop) -> f32) -> Option<(f32, Vec<Hop>)> {
        let mut open: Vec<(f32, Vec<Hop>, String)> = vec![(0.0, Vec::new(), from.to_owned())];
        let mut closed: FxHashSet<String> = FxHashSet::default();
        while let Some(cheapest) = cheapest(&open) {
            let (cost, path, class) = open.swap_remove(cheapest);
            if class == to || (!path.is_empty() && self.is_a(&class, to)) {
                return Some((cost, path));
            }
            if path.len() >= MAX_HOPS || !closed.insert(class.clone()) {
                continue;
            }
            for hop in self.hops(&class).iter().filter(|hop| !closed.contains(&hop.class)) {
                let mut longer = path.clone();
                longer.push(hop.clone());
                open.push((cost + price(&class, hop).max(0.05), longer, hop.class.clone()));
            }
        }
        None
    }
}

fn cheapest(open: &[(f32, Vec<Hop>, String)]) -> Option<usize> {
    open.iter().enumerate().min_by(|a, b| a.1.0.total_cmp(&b.1.0)).map(|(at, _)| at)
}

fn join(
    hops: &mut FxHashMap<String, Vec<Hop>>,
    from: &str,
    property: &str,
    forward: bool,
    to: &str,
    count: u64,
) {
    let list = hops.entry(from.to_owned()).or_default();
    let same = |hop: &&mut Hop| hop.property == property && hop.forward == forward && hop.class == to;
    match list.iter_mut().find(same) {
        Some(known) => known.count += count,
        None => {
            list.push(Hop { property: property.to_owned(), forward, class: to.to_owned(), count });
        }
    }
}

fn with_ancestors(card: &DatasetCard, iri: &str) -> Vec<String> {
    let mut found = vec![iri.to_owned()];
    let mut next = 0;
    while let Some(current) = found.get(next).cloned() {
        next += 1;
        for above in card.class(&current).map_or(&[][..], |class| class.superclasses.as_slice()) {
            if !found.contains(above) && !is_meta(above) {
                found.push(above.clone());
            }
        }
    }
    found
}

fn kind(datatype: &str, samples: &[String]) -> ValueKind {
    let local = datatype.rsplit(['#', '/']).next().unwrap_or_default();
    let all = |test: fn(&str) -> bool| !samples.is_empty() && samples.iter().all(|sample| test(sample));
    if is_numeric_type(local) {
        ValueKind::Number
    } else if TEMPORAL.contains(&local) {
        ValueKind::Time
    } else if (datatype == XSD_STRING || !datatype.contains("XMLSchema")) && all(is_number) {
        ValueKind::NumberText
    } else if datatype == XSD_STRING && all(is_iso_date) {
        ValueKind::TimeText
    } else {
        ValueKind::Text
    }
}

/// A number as one writes it for reckoning: no leading zero, which codes and phone numbers have.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let leading_zero = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
    text.len() <= 12 && !leading_zero && text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_iso_date(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).is_some_and(|part| part.chars().all(|c| c.is_ascii_digit()))
    };
    text.len() >= 10 && digits(0..4) && text.get(4..5) == Some("-") && digits(5..7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(class: &str, target: Target, count: u64) -> Edge {
        Edge { class: Some(class.to_owned()), target, count, samples: Vec::new() }
    }

    fn property(iri: &str, edges: Vec<Edge>) -> PropertyCard {
        PropertyCard { iri: iri.to_owned(), usage: 1, edges, ..PropertyCard::default() }
    }

    fn to(class: &str) -> Target {
        Target::Class(class.to_owned())
    }

    #[test]
    fn the_cheapest_path_is_found_in_both_directions() {
        let card = DatasetCard {
            properties: vec![
                property("e:wrote", vec![edge("e:Poet", to("e:Poem"), 5)]),
                property("e:in", vec![edge("e:Poem", to("e:Book"), 5)]),
            ],
            ..DatasetCard::default()
        };
        let graph = SchemaGraph::of(&card);
        let (cost, path) = graph.path("e:Book", "e:Poet", &|_, _| 1.0).unwrap();
        let steps: Vec<_> = path.iter().map(|hop| (hop.property.as_str(), hop.forward)).collect();
        assert_eq!((cost, steps), (2.0, vec![("e:in", false), ("e:wrote", false)]));
        assert!(graph.path("e:Book", "e:Nothing", &|_, _| 1.0).is_none());
    }

    #[test]
    fn numbers_and_dates_written_as_text_are_noticed() {
        let text =
            |samples: &[&str]| kind(XSD_STRING, &samples.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        assert_eq!(text(&["12", "3.5"]), ValueKind::NumberText);
        assert_eq!(text(&["0123", "12"]), ValueKind::Text);
        assert_eq!(text(&["2014-02-01"]), ValueKind::TimeText);
    }
}
