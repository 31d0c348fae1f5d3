//! Autocompletion: entities, classes and properties whose names complete the text, then similarly spelled ones.

use super::BrowseError;
use crate::service::index::confirm_index;
use crate::service::{Service, ServiceError};
use eruca_api::{Hit, HitKind, Hits};
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::{Entity, SchemaKind, SchemaTerm};
use eruca_language::text::{fold, humanize, words};
use eruca_sparql::{local_name, one_line};
use std::sync::Arc;

/// Maximum number of hits per request.
const MAX_LIMIT: usize = 50;
/// Maximum length of the search text, in characters.
const MAX_TEXT_CHARS: usize = 200;
/// Maximum number of classes shown for an entity.
const MAX_CLASSES: usize = 3;
const MAX_DESCRIPTION_CHARS: usize = 200;
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
    let mut found = dataset.index.entities.complete(text, limit).map_err(eruca_dataset::LookupError::from)?;
    if found.len() < limit {
        // For misspelled names, and those that only the Wikibase search knows.
        let alike = dataset.find_entities(text, None, limit).await?;
        let new: Vec<Entity> = alike.hits.into_iter().map(|hit| hit.record).collect();
        let new = new.into_iter().filter(|new| !found.iter().any(|known| known.iri == new.iri));
        let new: Vec<Entity> = new.collect();
        found.extend(new);
        found.truncate(limit);
    }
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

/// Classes or properties with a name that completes the text: names starting with it first, then the most used.
fn schema_terms(dataset: &Dataset, kind: SchemaKind, text: &str, limit: usize) -> Vec<Hit> {
    let start = fold(text.trim());
    let mut found: Vec<(bool, u64, &SchemaTerm)> = Vec::new();
    for term in going_on(dataset, text).into_iter().filter(|term| term.kind == kind) {
        let begins = names(dataset, term).any(|name| fold(&name).starts_with(&start));
        found.push((begins, uses(dataset, term), term));
    }
    found.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| a.2.iri.cmp(&b.2.iri)));
    let kind = match kind {
        SchemaKind::Class => HitKind::Class,
        SchemaKind::Property => HitKind::Property,
    };
    found.into_iter().take(limit).map(|(_, _, term)| schema_hit(dataset, kind, &term.iri, &start)).collect()
}

/// Terms whose names contain all words of the text, the last one as a prefix.
fn going_on<'a>(dataset: &'a Dataset, text: &str) -> Vec<&'a SchemaTerm> {
    let known = &dataset.index.names;
    let asked = words(text);
    let Some((last, before)) = asked.split_last() else { return Vec::new() };
    let typed = fold(text.get(last.span.0..last.span.1).unwrap_or_default());
    let holders = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fitting = known.words.iter().zip(&known.holders).filter(|(word, _)| fits(word));
        let mut terms: Vec<usize> = fitting.flat_map(|(_, terms)| terms.iter().copied()).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    };
    let mut terms = holders(&|word| word.starts_with(&typed) || word == last.text);
    for word in before {
        let with = holders(&|known| known == word.text);
        terms.retain(|term| with.binary_search(term).is_ok());
    }
    terms.into_iter().filter_map(|term| known.terms.get(term)).filter(|term| term.used).collect()
}

/// The labels of a class or property in all languages, and its local name.
fn names(dataset: &Dataset, term: &SchemaTerm) -> impl Iterator<Item = String> {
    let card = &dataset.index.card;
    let labels = match term.kind {
        SchemaKind::Class => card.class(&term.iri).map(|class| &class.labels),
        SchemaKind::Property => card.property(&term.iri).map(|property| &property.labels),
    };
    let local = humanize(local_name(&term.iri));
    labels.into_iter().flatten().map(|label| label.text.clone()).chain([local])
}

fn uses(dataset: &Dataset, term: &SchemaTerm) -> u64 {
    let card = &dataset.index.card;
    match term.kind {
        SchemaKind::Class => card.class(&term.iri).map_or(0, |class| class.instances_with_subclasses),
        SchemaKind::Property => card.property(&term.iri).map_or(0, |property| property.usage),
    }
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
    }
}
