//! Links answer texts to the entities of the graph they name, so that verbal answers can be compared with a graph.
//!
//! A text is matched by its wording only: entities with this name or a similarly spelled one, best first, and whether
//! it is a number, a date or a boolean. A text without matches gets no links. Uses the look-up of datasets and the
//! question parser; no model is called, and no endpoint except the search of a Wikibase.

mod kinds;
mod literal;
mod names;

use super::browse::BrowseError;
use super::index::confirm_index;
use super::{Service, ServiceError, fault};
use crate::cpu_pool::Breath;
use eruca_api::{Link, LinkText, Linked, NamedIri};
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::Entity;
use eruca_language::text::words;
use eruca_sparql::one_line;
use futures_util::FutureExt;
pub(super) use names::AskedText;
use names::TextFit;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of texts per request.
pub const MAX_TEXTS: usize = 100;
/// Maximum length of a text, in characters.
pub const MAX_TEXT_CHARS: usize = 200;
/// Maximum number of links per text.
pub const MAX_LINKS: usize = 20;
/// Default number of links per text.
pub const DEFAULT_LINKS: usize = 5;
/// Minimum number of entities compared with a text.
const POOL: usize = 40;
/// Maximum number of classes shown for an entity.
const MAX_CLASSES: usize = 5;
/// Time limit for all texts of a request.
const LINK_TIME: Duration = Duration::from_secs(20);

/// Texts to be linked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linking {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The texts.
    pub texts: Vec<LinkText>,
    /// The language of the reader.
    pub lang: Option<String>,
    /// Maximum number of links per text.
    pub limit: usize,
}

impl Service {
    /// Links texts to entities; results are in the order of the texts.
    ///
    /// # Errors
    /// If there is no such dataset or class, there are too many texts, a text is too long, the service is overloaded,
    /// or the look-up fails.
    pub async fn link(self: &Arc<Self>, linking: Linking) -> Result<Vec<Linked>, BrowseError> {
        let Linking { dataset, texts, lang, limit } = linking;
        check(&texts, limit)?;
        let dataset = self.looked_at(&dataset, lang.as_deref())?;
        let _place = self.queue.enter(LINK_TIME / 2).await?;
        let asked = dataset.clone();
        let work = self.cpu_pool.aside(async move { all(&asked, texts, limit).await });
        let linked = AssertUnwindSafe(tokio::time::timeout(LINK_TIME, work)).catch_unwind().await;
        confirm_index(&dataset).await?;
        match linked {
            Ok(linked) => linked.unwrap_or_else(|_| Err(late().into())),
            Err(panic) => Err(fault(panic.as_ref(), Vec::new()).into()),
        }
    }
}

fn late() -> ServiceError {
    let reason = format!("the texts were not looked up within {} s; send fewer", LINK_TIME.as_secs());
    ServiceError::QueryFailed { reason }
}

fn check(texts: &[LinkText], limit: usize) -> Result<(), ServiceError> {
    let wrong = |field, message| Err(ServiceError::Invalid { field, message });
    if texts.is_empty() || texts.len() > MAX_TEXTS {
        return wrong("texts", format!("there must be 1 to {MAX_TEXTS} texts"));
    }
    let lengths = texts.iter().flat_map(|text| [Some(&text.text), text.class.as_ref()]).flatten();
    if lengths.into_iter().any(|text| text.chars().count() > MAX_TEXT_CHARS) {
        return wrong("texts", format!("a text or class is longer than {MAX_TEXT_CHARS} characters"));
    }
    if !(1..=MAX_LINKS).contains(&limit) {
        return wrong("limit", format!("must be 1 to {MAX_LINKS}"));
    }
    Ok(())
}

async fn all(dataset: &Dataset, texts: Vec<LinkText>, limit: usize) -> Result<Vec<Linked>, BrowseError> {
    let (mut all, mut breath) = (Vec::with_capacity(texts.len()), Breath::default());
    for LinkText { text, class } in texts {
        breath.take().await;
        let classes = class.map(|class| kinds::named(dataset, &class)).transpose()?;
        let links = links(dataset, &text, classes.as_deref(), limit).await?;
        all.push(Linked { literal: literal::read(dataset, &text), links, text });
    }
    Ok(all)
}

/// The entities that a text names: by its IRI, by the whole text, or else by the part before a remark.
async fn links(
    dataset: &Dataset,
    text: &str,
    classes: Option<&[String]>,
    limit: usize,
) -> Result<Vec<Link>, BrowseError> {
    if let Some(entity) = by_iri(dataset, text).await? {
        let fits = classes.is_none_or(|classes| entity.types.iter().any(|class| classes.contains(class)));
        let fit = TextFit::of_iri(&entity);
        return Ok(fits.then(|| link(dataset, &entity, fit)).into_iter().collect());
    }
    let whole = called(dataset, text, classes, limit, 1.0).await?;
    match names::without_remark(text).filter(|_| whole.is_empty()) {
        Some(name) => called(dataset, name, classes, limit, names::REMARK_WEIGHT).await,
        None => Ok(whole),
    }
}

async fn by_iri(dataset: &Dataset, text: &str) -> Result<Option<Entity>, BrowseError> {
    if text.contains(char::is_whitespace) || !text.contains(':') {
        return Ok(None);
    }
    match dataset.resolve(text) {
        Ok(iri) => Ok(dataset.entity(&iri).await?),
        Err(_) => Ok(None),
    }
}

/// The entities of these classes with this name.
async fn called(
    dataset: &Dataset,
    text: &str,
    classes: Option<&[String]>,
    limit: usize,
    weight: f64,
) -> Result<Vec<Link>, BrowseError> {
    if words(text).is_empty() {
        return Ok(Vec::new());
    }
    let asked = AskedText::new(text);
    let found = kinds::search(dataset, text, classes, POOL.max(limit)).await?;
    let mut fitting: Vec<(TextFit, &Entity)> = found
        .iter()
        .filter_map(|hit| Some((asked.fit(&hit.record)?.weighted(weight), &hit.record)))
        .collect();
    // A stable sort: entities with the same name stay in order of prominence.
    fitting.sort_by(|(one, _), (other, _)| other.score.total_cmp(&one.score));
    Ok(fitting.into_iter().take(limit).map(|(fit, entity)| link(dataset, entity, fit)).collect())
}

fn link(dataset: &Dataset, entity: &Entity, fit: TextFit) -> Link {
    let classes = entity.types.iter().take(MAX_CLASSES);
    Link {
        iri: entity.iri.clone(),
        label: one_line(entity.label(&dataset.languages), MAX_NAME_CHARS),
        score: fit.score,
        by: fit.by,
        matched: one_line(&fit.name, MAX_NAME_CHARS),
        classes: classes
            .map(|class| NamedIri { iri: class.clone(), label: dataset.schema_name(class) })
            .collect(),
    }
}
