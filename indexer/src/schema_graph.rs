//! The classes connected by properties, as a graph in memory: hops and attributes.
//!
//! Computed from the observed connections in the dataset card when an index is opened. The connections of a class are
//! also those of its superclasses, so that a path may start at either.

use crate::amount::amount;
use crate::card::{DatasetCard, PropertyCard, Target};
use crate::hierarchy::and_above;
use crate::vocabulary::{Vocabulary, XSD_STRING, is_meta};
use eruca_sparql::is_numeric_type;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Datatypes of points in time.
const TEMPORAL: &[&str] = &["date", "dateTime", "gYear", "gYearMonth", "time", "dateTimeStamp"];
/// Datatypes of durations.
const DURATIONS: &[&str] = &["duration", "dayTimeDuration"];
/// Maximum number of superclasses, nearest first, that inherit the connections of a class.
const MAX_SUPERCLASSES: usize = 64;
/// A superclass with more than this share of all entities inherits nothing, in graphs above a minimum size.
const WIDE_SHARE: f64 = 0.75;
const MIN_THINGS: u64 = 10_000;
/// Maximum number of inherited connections of all superclasses together.
const MAX_INHERITED: usize = 1_000_000;

/// The kind of an attribute's literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Numbers of a numeric datatype.
    Number,
    /// Numbers written as text.
    NumberText,
    /// Dates, times, years.
    Time,
    /// Dates written as text in the order year, month, day.
    TimeText,
    /// Numbers with units, written as text.
    Quantity,
    /// Anything else.
    Text,
}

impl ValueKind {
    /// The kind of literals with a datatype; for strings, judged by samples.
    pub fn of(datatype: &str, samples: &[String]) -> Self {
        kind(datatype, samples)
    }

    /// Whether the values can be compared as numbers.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::NumberText | Self::Quantity)
    }

    /// Whether the values are points in time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Time | Self::TimeText)
    }
}

/// A property with literals, as used by the instances of a class.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// The property's IRI.
    pub property: String,
    /// The kind of the values.
    pub kind: ValueKind,
    /// Number of triples.
    pub count: u64,
    /// Whether texts have language tags.
    pub tagged: bool,
}

/// A step from one class to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Hop {
    /// The property's IRI.
    pub property: String,
    /// Whether it goes from subject to object.
    pub forward: bool,
    /// The class it leads to.
    pub class: String,
    /// Number of triples.
    pub count: u64,
}

/// Classes with the properties that connect them.
#[derive(Debug, Clone, Default)]
pub struct SchemaGraph {
    hops: FxHashMap<String, Vec<Hop>>,
    attributes: FxHashMap<String, Vec<Attribute>>,
    ancestors: Ancestors,
    /// Number of connections that are only inherited, counted during construction.
    inherited: usize,
}

impl SchemaGraph {
    /// Computes the graph from a card. Type properties are not connections.
    pub fn of(card: &DatasetCard, vocabulary: &Vocabulary) -> Self {
        let mut graph = Self { ancestors: Ancestors::of(card), ..Self::default() };
        for property in card.properties.iter().filter(|property| !vocabulary.is_schema(&property.iri)) {
            graph.add(property);
        }
        for hops in graph.hops.values_mut() {
            hops.shrink_to_fit();
            hops.sort_by(|a, b| {
                b.count.cmp(&a.count).then_with(|| (&a.property, &a.class).cmp(&(&b.property, &b.class)))
            });
        }
        for attributes in graph.attributes.values_mut() {
            attributes.shrink_to_fit();
            attributes.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.property.cmp(&b.property)));
        }
        graph
    }

    fn add(&mut self, property: &PropertyCard) {
        let tagged = property.languages.iter().any(|(tag, _)| !tag.is_empty());
        // The most used properties come first; beyond the limit, superclasses do not inherit connections.
        let most = if self.inherited < MAX_INHERITED { MAX_SUPERCLASSES } else { 0 };
        let (mut joins, mut literals) = (OrderedCounts::default(), OrderedCounts::default());
        for edge in property.reached() {
            let Some(class) = edge.class.as_deref().filter(|class| !is_meta(class)) else { continue };
            for above in self.ancestors.and_above(class, most) {
                match &edge.target {
                    Target::Class(target) if !is_meta(target) => {
                        for end in self.ancestors.and_above(target, most) {
                            joins.add((above, true, end), edge.count, ());
                            joins.add((end, false, above), edge.count, ());
                        }
                    }
                    Target::Literal(datatype) => {
                        literals.add(above, edge.count, kind(datatype, &edge.samples));
                    }
                    Target::Class(_) | Target::Resource => {}
                }
            }
        }
        self.inherited += (joins.found.len() + literals.found.len()).saturating_sub(2 * property.edges.len());
        for ((from, forward, to), count, ()) in joins.found {
            let hop = Hop { property: property.iri.clone(), forward, class: to.to_owned(), count };
            self.hops.entry(from.to_owned()).or_default().push(hop);
        }
        for (class, count, kind) in literals.found {
            let attribute = Attribute { property: property.iri.clone(), kind, count, tagged };
            self.attributes.entry(class.to_owned()).or_default().push(attribute);
        }
    }

    /// A note on what the graph leaves out, for people.
    pub fn note(&self) -> Option<String> {
        let cut = self.ancestors.cut;
        if cut == 0 && self.inherited < MAX_INHERITED {
            return None;
        }
        Some(format!(
            "the hierarchy of classes is deep or wide (classes with more than {MAX_SUPERCLASSES} above them: {cut}); answers \
             without a chat model know of the nearest superclasses only"
        ))
    }

    /// Whether a class is the same as `above` or a subclass of it.
    pub fn is_a(&self, class: &str, above: &str) -> bool {
        class == above || self.ancestors.is_above(above, class)
    }

    /// The connections of a class to others, most used first.
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
}

/// Counts by key, in order of first occurrence; of values with the same key, the first one is kept.
struct OrderedCounts<K, V> {
    found: Vec<(K, u64, V)>,
    at: FxHashMap<K, usize>,
}

impl<K, V> Default for OrderedCounts<K, V> {
    fn default() -> Self {
        Self { found: Vec::new(), at: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V> OrderedCounts<K, V> {
    fn add(&mut self, key: K, count: u64, value: V) {
        let at = *self.at.entry(key).or_insert(self.found.len());
        match self.found.get_mut(at) {
            Some((_, sum, _)) => *sum += count,
            None => self.found.push((key, count, value)),
        }
    }
}

/// The nearest superclasses of each class that has any.
#[derive(Debug, Clone, Default)]
struct Ancestors {
    iris: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
    /// For each numbered class, itself and its superclasses.
    above: Vec<Vec<u32>>,
    /// Number of classes with more superclasses than are kept.
    cut: usize,
}

impl Ancestors {
    fn of(card: &DatasetCard) -> Self {
        let mut found = Self::default();
        let mut direct: Vec<Vec<u32>> = Vec::new();
        let things: u64 = card.classes.iter().map(|class| class.instances).sum();
        // Connections of nearly all entities (at a root class) do not characterize a class.
        let too_wide = |class: &str| {
            things > MIN_THINGS
                && card
                    .class(class)
                    .is_some_and(|class| class.instances_with_subclasses as f64 > WIDE_SHARE * things as f64)
        };
        for class in card.classes.iter().filter(|class| !class.superclasses.is_empty()) {
            let number = found.number(&class.iri);
            let above = class.superclasses.iter().filter(|above| !is_meta(above) && !too_wide(above));
            let above: Vec<u32> = above.map(|above| found.number(above)).collect();
            direct.resize(found.iris.len(), Vec::new());
            if let Some(list) = direct.get_mut(number as usize) {
                *list = above;
            }
        }
        let superclasses = |class: u32| direct.get(class as usize).map_or(&[][..], Vec::as_slice);
        for class in 0..found.iris.len() {
            let above = and_above(class as u32, MAX_SUPERCLASSES, superclasses);
            found.cut += usize::from(above.cut);
            found.above.push(above.classes);
        }
        found
    }

    fn number(&mut self, iri: &str) -> u32 {
        if let Some(number) = self.numbers.get(iri) {
            return *number;
        }
        let (number, iri) = (self.iris.len() as u32, Arc::<str>::from(iri));
        self.iris.push(iri.clone());
        self.numbers.insert(iri, number);
        number
    }

    fn above(&self, class: &str) -> &[u32] {
        let number = self.numbers.get(class);
        number.and_then(|number| self.above.get(*number as usize)).map_or(&[], Vec::as_slice)
    }

    /// A class and its known superclasses, up to a limit.
    fn and_above<'a>(&'a self, class: &'a str, most: usize) -> impl Iterator<Item = &'a str> {
        let above = self.above(class).iter().skip(1).take(most);
        let above = above.filter_map(|number| self.iris.get(*number as usize)).map(|iri| &**iri);
        std::iter::once(class).chain(above)
    }

    fn is_above(&self, above: &str, class: &str) -> bool {
        self.numbers.get(above).is_some_and(|number| self.above(class).contains(number))
    }
}

fn kind(datatype: &str, samples: &[String]) -> ValueKind {
    let local = datatype.rsplit(['#', '/']).next().unwrap_or_default();
    let all = |test: fn(&str) -> bool| !samples.is_empty() && samples.iter().all(|sample| test(sample));
    if is_numeric_type(local) {
        ValueKind::Number
    } else if TEMPORAL.contains(&local) {
        ValueKind::Time
    } else if DURATIONS.contains(&local) && datatype.contains("XMLSchema") {
        ValueKind::Quantity
    } else if (datatype == XSD_STRING || !datatype.contains("XMLSchema")) && all(is_number) {
        ValueKind::NumberText
    } else if (datatype == XSD_STRING || !datatype.contains("XMLSchema"))
        && all(|text| amount(text).is_some())
    {
        ValueKind::Quantity
    } else if datatype == XSD_STRING
        && all(is_iso_date_or_part)
        && samples.iter().any(|text| text.contains('-'))
    {
        ValueKind::TimeText
    } else {
        ValueKind::Text
    }
}

/// Whether a text is a number as used in arithmetic: without leading zeros, which codes and phone numbers may have.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    let leading_zero = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
    text.len() <= 12 && !leading_zero && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Dates of mixed precision: "1999-12-31", "1999-12", "1999".
fn is_iso_date_or_part(text: &str) -> bool {
    let part = |length: usize, rest: &str| text.len() == length && is_iso_date(&format!("{text}{rest}"));
    is_iso_date(text) || part(7, "-01") || part(4, "-01-01")
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
    use crate::card::{ClassCard, Edge};

    fn edge(class: &str, target: Target, count: u64) -> Edge {
        Edge { class: Some(class.to_owned()), target, count, samples: Vec::new() }
    }

    fn property(iri: &str, edges: Vec<Edge>) -> PropertyCard {
        PropertyCard { iri: iri.to_owned(), usage: 1, edges, ..PropertyCard::default() }
    }

    fn to(class: &str) -> Target {
        Target::Class(class.to_owned())
    }

    fn class(iri: &str, superclasses: Vec<String>) -> ClassCard {
        ClassCard { iri: iri.to_owned(), superclasses, ..ClassCard::default() }
    }

    #[test]
    fn what_holds_of_a_class_is_known_of_those_above_it() {
        let card = DatasetCard {
            classes: vec![
                class("e:Sonnet", vec!["e:Poem".to_owned()]),
                class("e:Poem", vec!["e:Sonnet".to_owned()]),
            ],
            properties: vec![
                property("e:in", vec![edge("e:Sonnet", to("e:Book"), 5), edge("e:Poem", to("e:Book"), 2)]),
                property("e:lines", vec![edge("e:Sonnet", Target::Literal(XSD_STRING.to_owned()), 3)]),
            ],
            ..DatasetCard::default()
        };
        let graph = SchemaGraph::of(&card, &Vocabulary::default());
        let hops = |class: &str| graph.hops(class).iter().map(|hop| hop.count).collect::<Vec<_>>();
        assert_eq!((hops("e:Poem"), hops("e:Sonnet"), hops("e:Book")), (vec![7], vec![7], vec![7, 7]));
        assert_eq!(graph.attribute("e:Poem", "e:lines").map(|lines| lines.count), Some(3));
        assert!(graph.is_a("e:Sonnet", "e:Poem") && !graph.is_a("e:Book", "e:Poem"));
        assert_eq!(graph.note(), None);
    }

    #[test]
    fn deep_and_wide_hierarchies_are_known_in_part() {
        let name = |number: usize| format!("e:C{number}");
        let deep = (0..5_000).map(|number| class(&name(number), vec![name(number + 1)])).collect();
        let wide = vec![class(&name(0), (1..5_000).map(name).collect())];
        for classes in [deep, wide] {
            let edges = (0..40).map(|at| edge(&name(at), to(&name(at + 1)), 1)).collect();
            let card = DatasetCard {
                classes,
                properties: vec![property("e:next", edges)],
                ..DatasetCard::default()
            };
            let graph = SchemaGraph::of(&card, &Vocabulary::default());
            assert!(graph.is_a(&name(0), &name(MAX_SUPERCLASSES)));
            assert!(!graph.is_a(&name(0), &name(MAX_SUPERCLASSES + 1)));
            assert!(graph.note().is_some_and(|note| note.contains("superclasses")));
        }
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
