//! Autocompletion: entities, classes and properties whose names complete the text, then similarly spelled ones.

use super::BrowseError;
use crate::service::index::confirm_index;
use crate::service::{Service, ServiceError};
use eruca_api::{Hit, HitKind, Hits};
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::{Entity, PropertyValue, SchemaKind};
use eruca_language::text::{fold, words};
use eruca_sparql::one_line;
use std::sync::Arc;

/// Maximum number of hits per request.
const MAX_LIMIT: usize = 50;
/// Maximum length of the search text, in characters.
const MAX_TEXT_CHARS: usize = 200;
/// Maximum number of classes shown for an entity.
const MAX_CLASSES: usize = 3;
const MAX_DESCRIPTION_CHARS: usize = 200;
/// Nobody picks a longer value from a list; it is sent as it is, since it is the value.
const MAX_VALUE_CHARS: usize = 200;
/// Values fetched per requested one, since each of its languages counts.
const VALUE_POOL: usize = 4;
/// In a mixed search, one part in this many is reserved for classes and one for properties.
const SCHEMA_SHARE: usize = 4;

/// A search request.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The text typed so far.
    pub text: String,
    /// The kind of hits; `None` for all.
    pub kind: Option<HitKind>,
    /// Maximum number of hits.
    pub limit: usize,
    /// The language of the reader.
    pub lang: Option<String>,
}

impl Service {
    /// Completions of a partially typed name, best first.
    ///
    /// # Errors
    /// If there is no such dataset, browsing is overloaded, or the look-up fails.
    pub async fn search(self: &Arc<Self>, lookup: Lookup) -> Result<Hits, BrowseError> {
        let Lookup { dataset, text, kind, limit, lang } = lookup;
        if text.chars().count() > MAX_TEXT_CHARS {
            let message = format!("q is longer than {MAX_TEXT_CHARS} characters");
            return Err(ServiceError::Invalid { field: "q", message }.into());
        }
        let dataset = self.looked_at(&dataset, lang.as_deref())?;
        let (asked, limit) = (dataset.clone(), limit.clamp(1, MAX_LIMIT));
        let found = self.look(async move { found(&asked, text.trim(), kind, limit).await }).await?;
        confirm_index(&dataset).await?;
        Ok(Hits { hits: found? })
    }
}

async fn found(
    dataset: &Dataset,
    text: &str,
    kind: Option<HitKind>,
    limit: usize,
) -> Result<Vec<Hit>, BrowseError> {
    if words(text).is_empty() {
        return Ok(Vec::new());
    }
    match kind {
        Some(HitKind::Entity) => entities(dataset, text, limit).await,
        Some(HitKind::Class) => classes(dataset, text, limit).await,
        Some(HitKind::Property) => properties(dataset, text, limit).await,
        Some(HitKind::Value) => values(dataset, text, limit),
        None => {
            let share = limit.div_ceil(SCHEMA_SHARE);
            let mut hits = schema_terms(dataset, SchemaKind::Class, text, share);
            hits.extend(schema_terms(dataset, SchemaKind::Property, text, share));
            let left = limit.saturating_sub(hits.len());
            hits.extend(entities(dataset, text, left).await?);
            // Exact names come first, whatever their kind.
            let start = fold(text);
            hits.sort_by_key(|hit| std::cmp::Reverse(beginning(hit, &start)));
            // Even a short list has hits of each kind.
            hits.truncate(limit);
            Ok(hits)
        }
    }
}

/// 2 if a name equals the text, 1 if one starts with it, otherwise 0.
fn beginning(hit: &Hit, start: &str) -> u8 {
    let names = std::iter::once(&hit.label).chain(&hit.matched).map(|name| fold(name));
    names.map(|name| u8::from(name.starts_with(start)) + u8::from(name == start)).max().unwrap_or(0)
}

async fn entities(dataset: &Dataset, text: &str, limit: usize) -> Result<Vec<Hit>, BrowseError> {
    let found = dataset.complete_entities(text, limit).await?;
    let start = fold(text);
    Ok(found.into_iter().map(|entity| entity_hit(dataset, entity, &start)).collect())
}

fn entity_hit(dataset: &Dataset, entity: Entity, start: &str) -> Hit {
    let label = one_line(entity.label(&dataset.languages), MAX_NAME_CHARS);
    let meets = |name: &str| fold(name).starts_with(start);
    let other = entity.labels.iter().map(|label| label.text.as_str()).find(|name| meets(name));
    let matched = other.filter(|_| !meets(&label)).map(|name| one_line(name, MAX_NAME_CHARS));
    let classes = entity.types.iter().take(MAX_CLASSES).map(|class| dataset.schema_name(class));
    Hit {
        label,
        kind: HitKind::Entity,
        description: entity.description.as_deref().map(|text| one_line(text, MAX_DESCRIPTION_CHARS)),
        matched,
        classes: classes.collect(),
        iri: entity.iri,
        property: None,
    }
}

/// Values that complete the text, those that begin with it first. In several languages a text is one value of a property.
fn values(dataset: &Dataset, text: &str, limit: usize) -> Result<Vec<Hit>, BrowseError> {
    let found = dataset.index.values.complete(text, limit.saturating_mul(VALUE_POOL));
    let found = found.map_err(|error| ServiceError::Internal(error.to_string()))?;
    let mut hits: Vec<Hit> = Vec::new();
    for value in found {
        let known = |hit: &Hit| hit.iri == value.property && hit.label == value.text;
        let is_short =
            value.text.chars().count() <= MAX_VALUE_CHARS && !value.text.contains(char::is_control);
        if is_short && !hits.iter().any(known) {
            hits.push(value_hit(dataset, value));
        }
    }
    hits.truncate(limit);
    Ok(hits)
}

fn value_hit(dataset: &Dataset, PropertyValue { property, text, .. }: PropertyValue) -> Hit {
    Hit {
        property: Some(dataset.schema_name(&property)),
        iri: property,
        label: text,
        kind: HitKind::Value,
        description: None,
        matched: None,
        classes: Vec::new(),
    }
}

async fn classes(dataset: &Dataset, text: &str, limit: usize) -> Result<Vec<Hit>, BrowseError> {
    let mut hits = schema_terms(dataset, SchemaKind::Class, text, limit);
    if hits.is_empty() {
        let found = dataset.find_classes(text, limit).await?;
        hits = found.hits.into_iter().map(|hit| schema_hit(dataset, HitKind::Class, &hit.iri, "")).collect();
    }
    Ok(hits)
}

async fn properties(dataset: &Dataset, text: &str, limit: usize) -> Result<Vec<Hit>, BrowseError> {
    let mut hits = schema_terms(dataset, SchemaKind::Property, text, limit);
    if hits.is_empty() {
        let found = dataset.find_properties(text, limit).await?;
        hits =
            found.hits.into_iter().map(|hit| schema_hit(dataset, HitKind::Property, &hit.iri, "")).collect();
    }
    Ok(hits)
}

/// Classes or properties with a name that completes the text.
fn schema_terms(dataset: &Dataset, kind: SchemaKind, text: &str, limit: usize) -> Vec<Hit> {
    let start = fold(text.trim());
    let hit_kind = match kind {
        SchemaKind::Class => HitKind::Class,
        SchemaKind::Property => HitKind::Property,
    };
    let terms = dataset.complete_schema(kind, text, limit);
    terms.into_iter().map(|term| schema_hit(dataset, hit_kind, &term.iri, &start)).collect()
}

fn schema_hit(dataset: &Dataset, kind: HitKind, iri: &str, start: &str) -> Hit {
    let card = &dataset.index.card;
    let (labels, comment) = match kind {
        HitKind::Class => card.class(iri).map(|class| (&class.labels, &class.comment)).unzip(),
        _ => card.property(iri).map(|property| (&property.labels, &property.comment)).unzip(),
    };
    let label = dataset.schema_name(iri);
    let meets = |name: &str| !start.is_empty() && fold(name).starts_with(start);
    let other = labels.into_iter().flatten().map(|label| label.text.as_str()).find(|name| meets(name));
    Hit {
        iri: iri.to_owned(),
        matched: other.filter(|_| !meets(&label)).map(|name| one_line(name, MAX_NAME_CHARS)),
        description: comment.and_then(Option::as_deref).map(|text| one_line(text, MAX_DESCRIPTION_CHARS)),
        label,
        kind,
        classes: Vec::new(),
        property: None,
    }
}
