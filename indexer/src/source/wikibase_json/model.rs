//! The JSON of entities, as far as it is used.

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

#[derive(Debug, Deserialize)]
pub(super) struct JsonEntity {
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) id: String,
    /// Present if there is no such entity; responses of the service contain it.
    pub(super) missing: Option<IgnoredAny>,
    /// Only for properties.
    pub(super) datatype: Option<String>,
    #[serde(default)]
    pub(super) labels: Map<Term>,
    #[serde(default)]
    pub(super) descriptions: Map<Term>,
    #[serde(default)]
    pub(super) aliases: Map<Vec<Term>>,
    #[serde(default)]
    pub(super) claims: Map<Vec<JsonStatement>>,
    #[serde(default)]
    pub(super) sitelinks: Map<Sitelink>,
    /// Only for lexemes, like all that follow.
    #[serde(default)]
    pub(super) lemmas: Map<Term>,
    #[serde(rename = "lexicalCategory")]
    pub(super) lexical_category: Option<String>,
    pub(super) language: Option<String>,
    #[serde(default)]
    pub(super) forms: Vec<LexemeForm>,
    #[serde(default)]
    pub(super) senses: Vec<Sense>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Term {
    pub(super) language: String,
    pub(super) value: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sitelink {
    pub(super) site: String,
    pub(super) title: String,
    /// Not in dumps.
    pub(super) url: Option<String>,
    #[serde(default)]
    pub(super) badges: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LexemeForm {
    pub(super) id: String,
    #[serde(default)]
    pub(super) representations: Map<Term>,
    #[serde(rename = "grammaticalFeatures", default)]
    pub(super) grammatical_features: Vec<String>,
    #[serde(default)]
    pub(super) claims: Map<Vec<JsonStatement>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sense {
    pub(super) id: String,
    #[serde(default)]
    pub(super) glosses: Map<Term>,
    #[serde(default)]
    pub(super) claims: Map<Vec<JsonStatement>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JsonStatement {
    pub(super) mainsnak: Snak,
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) rank: JsonRank,
    #[serde(default)]
    pub(super) qualifiers: Map<Vec<Snak>>,
    #[serde(default)]
    pub(super) references: Vec<Reference>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JsonRank {
    Deprecated,
    #[default]
    Normal,
    Preferred,
}

#[derive(Debug, Deserialize)]
pub(super) struct Reference {
    pub(super) hash: Option<String>,
    #[serde(default)]
    pub(super) snaks: Map<Vec<Snak>>,
}

/// A property with a value, an unknown value, or no value.
#[derive(Debug, Deserialize)]
pub(super) struct Snak {
    pub(super) snaktype: SnakKind,
    pub(super) property: String,
    pub(super) datatype: Option<String>,
    pub(super) datavalue: Option<DataValue>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SnakKind {
    Value,
    SomeValue,
    NoValue,
}

#[derive(Debug, Deserialize)]
pub(super) struct DataValue {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) value: serde_json::Value,
}

/// An object with its keys in order. An empty one may be written as an empty list, as PHP does.
#[derive(Debug)]
pub(super) struct Map<T>(pub(super) Vec<(String, T)>);

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Map<T> {
    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MapVisitor(PhantomData))
    }
}

struct MapVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MapVisitor<T> {
    type Value = Map<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or an empty list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<T>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Map(pairs))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Map<T>, A::Error> {
        match list.next_element::<IgnoredAny>()? {
            None => Ok(Map::default()),
            Some(_) => Err(serde::de::Error::custom("a list with items where an object is expected")),
        }
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Map<T>, E> {
        Ok(Map::default())
    }
}
