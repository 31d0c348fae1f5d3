//! Locations of entities: which properties give coordinates, and how their values are parsed.

use super::wkt;
use crate::card::DatasetCard;
use crate::vocabulary::wikibase_values as values;
use eruca_sparql::{Literal, Term, local_name};
use std::collections::BTreeMap;

/// What a property says about the location of its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoordinateRole {
    /// The latitude.
    Latitude,
    /// The longitude.
    Longitude,
    /// Both in one value.
    Point,
}

/// Properties of common vocabularies whose values are complete points.
const POINT_PROPERTIES: &[&str] = &[
    "http://www.w3.org/2003/01/geo/wgs84_pos#lat_long",
    "http://www.w3.org/2003/01/geo/wgs84_pos#geometry",
    "http://www.georss.org/georss/point",
    "http://www.opengis.net/ont/geosparql#asWKT",
    values::PLACE,
    "https://www.openstreetmap.org/meta/loc",
];

/// Properties for latitude and longitude, by lower-case local name: those of the
/// [WGS84 vocabulary](https://www.w3.org/2003/01/geo/) and schema.org, which custom vocabularies often copy.
const LATITUDES: &[&str] = &["lat", "latitude"];
const LONGITUDES: &[&str] = &["long", "lon", "lng", "longitude"];

/// Properties from an entity to the node with its coordinates.
pub const GEOMETRY_PROPERTIES: &[&str] = &[
    "http://www.opengis.net/ont/geosparql#hasGeometry",
    "http://www.opengis.net/ont/geosparql#hasDefaultGeometry",
    "http://www.opengis.net/ont/geosparql#defaultGeometry",
    "http://www.opengis.net/ont/geosparql#hasCentroid",
    "http://schema.org/geo",
    "https://schema.org/geo",
    "http://www.w3.org/2003/01/geo/wgs84_pos#location",
    "http://www.w3.org/ns/locn#geometry",
    "http://www.w3.org/2006/vcard/ns#hasGeo",
];

/// Datatypes whose values are well-known text.
const WKT_TYPES: &[&str] = &[
    "http://www.opengis.net/ont/geosparql#wktLiteral",
    "http://www.openlinksw.com/schemas/virtrdf#Geometry",
];

/// What a property says about the location of its subject, judged by its IRI alone.
pub fn coordinate_role(iri: &str) -> Option<CoordinateRole> {
    if POINT_PROPERTIES.contains(&iri) {
        return Some(CoordinateRole::Point);
    }
    let name = local_name(iri).to_ascii_lowercase();
    if LATITUDES.contains(&name.as_str()) {
        return Some(CoordinateRole::Latitude);
    }
    LONGITUDES.contains(&name.as_str()).then_some(CoordinateRole::Longitude)
}

/// Latitude and longitude in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
}

impl Place {
    /// A place on Earth; `None` if out of range.
    pub fn new(latitude: f64, longitude: f64) -> Option<Self> {
        let fits = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        fits.then_some(Self { latitude, longitude })
    }

    /// The place given by a single value: well-known text by its datatype, otherwise the value of a point property.
    pub fn read(value: &Literal, role: Option<CoordinateRole>) -> Option<Self> {
        let is_wkt = WKT_TYPES.contains(&value.datatype().as_str());
        if !is_wkt && role != Some(CoordinateRole::Point) {
            return None;
        }
        let text = value.value();
        let read = wkt::middle(text).or_else(|| if is_wkt { None } else { pair(text) });
        read.and_then(|(latitude, longitude)| Self::new(latitude, longitude))
    }
}

/// Latitude and longitude separated by a comma or space.
fn pair(text: &str) -> Option<(f64, f64)> {
    let mut parts = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty());
    let pair = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(pair)
}

/// The places of entities, collected value by value. The first one of an entity counts.
#[derive(Debug, Default)]
pub struct Places {
    known: BTreeMap<String, Place>,
    halves: BTreeMap<(String, String), (Option<f64>, Option<f64>)>,
}

impl Places {
    /// Adds a value about an entity. `node` is its subject: the entity itself, or the node of its geometry.
    pub fn take(&mut self, thing: &str, node: &str, property: &str, value: &Term) {
        let Term::Literal(literal) = value else { return };
        let role = coordinate_role(property);
        if let Some(place) = Place::read(literal, role) {
            self.known.entry(thing.to_owned()).or_insert(place);
            return;
        }
        let Ok(degrees) = literal.value().trim().parse::<f64>() else { return };
        let half = self.halves.entry((thing.to_owned(), node.to_owned())).or_default();
        match role {
            Some(CoordinateRole::Latitude) => half.0 = half.0.or(Some(degrees)),
            Some(CoordinateRole::Longitude) => half.1 = half.1.or(Some(degrees)),
            Some(CoordinateRole::Point) | None => {}
        }
    }

    /// Every entity with a place.
    pub fn into_places(mut self) -> BTreeMap<String, Place> {
        for ((thing, _), half) in self.halves {
            if let (Some(latitude), Some(longitude)) = half
                && let Some(place) = Place::new(latitude, longitude)
            {
                self.known.entry(thing).or_insert(place);
            }
        }
        self.known
    }
}

impl DatasetCard {
    /// The properties of this graph with locations, recognised by IRI or by the datatype of their values. If
    /// nothing has been counted, those of the common vocabularies.
    pub fn coordinate_properties(&self) -> Vec<&str> {
        if self.properties.is_empty() {
            return POINT_PROPERTIES.to_vec();
        }
        let used = self.properties.iter().filter(|property| property.usage > 0 && property.has_literals());
        let tells = used.filter(|property| {
            let is_wkt = |(datatype, _): &(&str, u64)| WKT_TYPES.contains(datatype);
            coordinate_role(&property.iri).is_some() || property.datatypes().iter().any(is_wkt)
        });
        tells.map(|property| property.iri.as_str()).collect()
    }

    /// The properties of this graph from entities to the nodes of their geometries.
    pub fn geometry_properties(&self) -> Vec<&'static str> {
        GEOMETRY_PROPERTIES.iter().copied().filter(|iri| self.property(iri).is_some()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Edge, PropertyCard, Target};
    use eruca_sparql::NamedNode;
    use proptest::prelude::*;

    const WGS84: &str = "http://www.w3.org/2003/01/geo/wgs84_pos#";
    const WKT: &str = "http://www.opengis.net/ont/geosparql#wktLiteral";

    fn typed(text: &str, datatype: &str) -> Term {
        Literal::new_typed_literal(text, NamedNode::new_unchecked(datatype)).into()
    }

    fn text(text: &str) -> Term {
        Literal::new_simple_literal(text).into()
    }

    fn places(said: &[(&str, &str, &str, Term)]) -> Vec<(String, f64, f64)> {
        let mut places = Places::default();
        said.iter().for_each(|(thing, node, property, value)| places.take(thing, node, property, value));
        let found = places.into_places().into_iter();
        found.map(|(thing, place)| (thing, place.latitude, place.longitude)).collect()
    }

    #[test]
    fn pairs_of_latitude_and_longitude() {
        let (lat, long) = (format!("{WGS84}lat"), format!("{WGS84}long"));
        let own = "http://example.org/Latitude";
        let found = places(&[
            ("a", "a", &lat, text("48.86")),
            ("a", "a", &long, text("2.35")),
            ("b", "b", own, typed("1", "http://www.w3.org/2001/XMLSchema#integer")),
            ("c", "n", "http://schema.org/latitude", text("5")),
            ("c", "n", "http://schema.org/longitude", text("6")),
            ("d", "x", &lat, text("5")),
            ("d", "y", &long, text("6")),
        ]);
        let expected = [("a".to_owned(), 48.86, 2.35), ("c".to_owned(), 5.0, 6.0)];
        assert_eq!(found, expected, "b has half a place, d has halves of two nodes");
    }

    #[test]
    fn whole_points_by_datatype_or_property() {
        let point = typed("Point(2.35 48.86)", WKT);
        let georss = "http://www.georss.org/georss/point";
        let found = places(&[
            ("a", "a", "http://example.org/anything", point),
            ("b", "b", georss, text("48.86 2.35")),
            ("c", "c", &format!("{WGS84}lat_long"), text("48.86,2.35")),
            ("d", "d", "http://example.org/note", text("48.86 2.35")),
            ("e", "e", georss, text("948.86 2.35")),
            ("f", "f", georss, typed("<http://www.wikidata.org/entity/Q405> Point(1 2)", WKT)),
        ]);
        let expected = ["a", "b", "c"].map(|thing| (thing.to_owned(), 48.86, 2.35));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_graph_has_the_properties_that_it_uses() {
        let property = |iri: &str, datatype: &str| PropertyCard {
            iri: iri.to_owned(),
            usage: 3,
            edges: vec![Edge {
                class: None,
                target: Target::Literal(datatype.to_owned()),
                count: 3,
                samples: Vec::new(),
            }],
            ..PropertyCard::default()
        };
        let properties = vec![
            property("http://e.x/where", WKT),
            property("http://e.x/lat", "d"),
            property("http://e.x/name", "d"),
        ];
        let card = DatasetCard { properties, ..DatasetCard::default() };
        assert_eq!(card.coordinate_properties(), ["http://e.x/where", "http://e.x/lat"]);
        assert!(
            DatasetCard::default()
                .coordinate_properties()
                .contains(&"http://www.wikidata.org/prop/direct/P625")
        );
    }

    proptest! {
        #[test]
        fn whatever_stands_in_a_literal_is_a_place_on_the_earth_or_none(value in "\\PC{0,40}", wkt in any::<bool>()) {
            let value = if wkt { typed(&value, WKT) } else { text(&value) };
            for (_, latitude, longitude) in places(&[("a", "a", "http://www.georss.org/georss/point", value)]) {
                prop_assert!((-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude));
            }
        }
    }
}
