//! The search of a [Wikibase](https://www.mediawiki.org/wiki/Wikibase/API) over HTTP, instead of an index of its
//! graph: items and properties by name, names and descriptions by id. In addition, if configured, a service that
//! finds them by meaning.
//!
//! ```text
//! text ─► api.php?action=wbsearchentities, language by language ─┐
//!      ─► the vector search service ─► wbgetentities ────────────┴─► reciprocal ranks ─► found
//! ```
//! `request` sends requests with limits, `wire` parses the responses. Nothing is cached here: that is up to the caller. Uses
//! `schema_index` and `lexical` for fusion, ranking and the fit of names, and the namespaces of `vocabulary`.
//!
//! Nothing of a response becomes part of a query or IRI except ids of the form `Q1`, `P1`, `L1` ([`is_id`]). A look-up
//! has a single deadline, and the size of a response is limited. Tests: `tests`, `wire`.

mod error;
mod request;
mod wire;

pub use error::WikibaseApiError;

use crate::extract::Label;
use crate::lexical::name_fit;
use crate::schema_index::{RankedList, fuse};
use crate::vocabulary::{Namespaces, StatementPart};
use eruca_language::language_of_script;
use eruca_language::text::searched_part;
use eruca_sparql::outgoing::Hosts;
use futures_util::future::join_all;
use request::Http;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Maximum number of ids per request, the API's limit for clients without special rights.
const MAX_IDS: usize = 50;
/// Maximum number of hits per response, the API's limit.
const MAX_HITS: usize = 50;
/// Maximum number of languages in which a text is searched, one after the other, until something is found.
const MAX_LANGUAGES: usize = 3;
/// Maximum length of a search text in characters: longer texts are not names, and the API refuses them.
const MAX_TEXT_CHARS: usize = 200;
/// The namespace of entities below the base of a Wikibase.
const ENTITY: &str = "entity/";
/// Languages after the requested ones: names that are the same in all languages, and the most frequent language.
const LAST_LANGUAGES: [&str; 2] = ["mul", "en"];

/// The location of a Wikibase's search, and its limits.
#[derive(Debug, Clone)]
pub struct WikibaseApiOptions {
    /// The URL of its `api.php`.
    pub api: String,
    /// The URL of a vector search service for the same items, without a trailing slash.
    pub vectors: Option<String>,
    /// Turns its ids into IRIs.
    pub namespaces: Namespaces,
    /// Timeout of one look-up, including all of its requests.
    pub timeout: Duration,
    /// Maximum number of concurrent requests.
    pub requests: usize,
}

/// The kind of entity to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WikibaseKind {
    /// Items, including classes.
    Item,
    /// Properties.
    Property,
    /// Words of a language.
    Lexeme,
}

impl WikibaseKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Item => "item",
            Self::Property => "property",
            Self::Lexeme => "lexeme",
        }
    }
}

/// The data of an item or property for display.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WikibaseEntity {
    /// Its id, like `Q42`.
    pub id: String,
    /// Its names, the label in the best language first.
    pub labels: Vec<Label>,
    /// What distinguishes it from others with the same name.
    pub description: Option<String>,
    /// For a property: the type of its values, like `wikibase-item` or `time`.
    pub datatype: Option<String>,
}

/// A hit with the fit of its best name: 1 if all words match, more for an identical name.
#[derive(Debug, Clone, PartialEq)]
pub struct WikibaseHit {
    /// The entity found.
    pub entity: WikibaseEntity,
    /// The fit.
    pub fit: f32,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WikibaseFound {
    /// Hits, best first.
    pub hits: Vec<WikibaseHit>,
    /// Sentences about what could not be searched, while the rest was.
    pub notes: Vec<String>,
}

/// The search of a Wikibase. Cheap to share between questions.
pub struct WikibaseApi {
    http: Http,
    options: WikibaseApiOptions,
}

impl WikibaseApi {
    /// Creates a client; nothing is sent yet.
    pub fn new(client: reqwest::Client, hosts: Hosts, options: WikibaseApiOptions) -> Self {
        Self { http: Http::new(client, hosts, options.timeout, options.requests), options }
    }

    /// The URL of its `api.php`.
    pub fn name(&self) -> &str {
        &self.options.api
    }

    /// The IRI of an item, property or lexeme as an entity.
    pub fn entity_iri(&self, id: &str) -> String {
        format!("{}{ENTITY}{id}", self.options.namespaces.base)
    }

    /// The predicate from an item to the best values of a property.
    pub fn direct_iri(&self, property: &str) -> String {
        format!("{}{property}", self.options.namespaces.namespace(StatementPart::Direct))
    }

    /// The id in the IRI of an entity, or of any predicate of a property.
    pub fn id(&self, iri: &str) -> Option<String> {
        let Namespaces { base } = &self.options.namespaces;
        let entity = iri.strip_prefix(base.as_str()).and_then(|rest| rest.strip_prefix(ENTITY));
        match entity {
            Some(id) => is_id(id).then(|| id.to_owned()),
            None => self.options.namespaces.part(iri).map(|(_, number)| format!("P{number}")),
        }
    }

    /// Items or properties named by a text, best first. Their names are in the most preferred language available.
    ///
    /// # Errors
    /// When neither names nor meaning could be searched.
    pub async fn search(
        &self,
        kind: WikibaseKind,
        text: &str,
        languages: &[String],
        limit: usize,
    ) -> Result<WikibaseFound, WikibaseApiError> {
        let text: String = searched_part(text).trim().chars().take(MAX_TEXT_CHARS).collect();
        if text.is_empty() || limit == 0 {
            return Ok(WikibaseFound::default());
        }
        let (words, meaning) = tokio::join!(
            self.by_name(kind, &text, languages, limit),
            self.by_meaning(kind, &text, languages, limit)
        );
        let (legs, notes) = match (words, meaning) {
            (Ok(words), Ok(meaning)) => (vec![words, meaning], Vec::new()),
            (Ok(leg), Err(error)) | (Err(error), Ok(leg)) if self.options.vectors.is_some() => {
                tracing::warn!(%error, "a part of a look-up failed");
                (vec![leg], vec![error.to_string()])
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        Ok(WikibaseFound { hits: fused(&text, legs, limit), notes })
    }

    /// Names, descriptions and datatypes by id, in as few requests as the API allows. Unknown ids are
    /// left out.
    ///
    /// # Errors
    /// When one of the requests fails.
    pub async fn entities(
        &self,
        ids: &[String],
        languages: &[String],
    ) -> Result<Vec<WikibaseEntity>, WikibaseApiError> {
        let ids: Vec<&str> = ids.iter().map(String::as_str).filter(|id| is_id(id)).collect();
        let languages = shown_in(languages);
        let batches = join_all(ids.chunks(MAX_IDS).map(|batch| self.batch(batch, &languages))).await;
        let mut found = Vec::with_capacity(ids.len());
        for batch in batches {
            found.extend(batch?);
        }
        Ok(found)
    }

    async fn batch(
        &self,
        ids: &[&str],
        languages: &[String],
    ) -> Result<Vec<WikibaseEntity>, WikibaseApiError> {
        let (ids, asked) = (ids.join("|"), languages.join("|"));
        let parameters = [
            ("action", "wbgetentities"),
            ("ids", &ids),
            ("props", "labels|aliases|descriptions|datatype"),
            ("languages", &asked),
            ("languagefallback", "1"),
        ];
        let body = self.http.api(&self.options.api, &parameters).await?;
        Ok(wire::entities(&body, languages))
    }

    /// Searches labels and aliases in one language after the other: most names are found in the first.
    async fn by_name(
        &self,
        kind: WikibaseKind,
        text: &str,
        languages: &[String],
        limit: usize,
    ) -> Result<Vec<WikibaseEntity>, WikibaseApiError> {
        let limit = limit.min(MAX_HITS).to_string();
        let shown_in = languages.first().map_or("en", String::as_str);
        for language in searched_in(text, languages) {
            let parameters = [
                ("action", "wbsearchentities"),
                ("search", text),
                ("language", &language),
                ("uselang", shown_in),
                ("type", kind.as_str()),
                ("limit", &limit),
            ];
            let found = wire::search(&self.http.api(&self.options.api, &parameters).await?);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Searches by meaning, if there is a service for it; it returns only ids.
    async fn by_meaning(
        &self,
        kind: WikibaseKind,
        text: &str,
        languages: &[String],
        limit: usize,
    ) -> Result<Vec<WikibaseEntity>, WikibaseApiError> {
        let (Some(base), WikibaseKind::Item | WikibaseKind::Property) = (&self.options.vectors, kind) else {
            return Ok(Vec::new());
        };
        let limit = limit.min(MAX_HITS).to_string();
        let searched = searched_in(text, languages);
        let language = searched.first().map_or("all", String::as_str);
        let url = format!("{base}/{}/query/", kind.as_str());
        let body = self.http.vectors(&url, &[("query", text), ("lang", language), ("K", &limit)]).await?;
        let ids = wire::nearest(&body);
        let known: FxHashMap<String, WikibaseEntity> = self
            .entities(&ids, languages)
            .await?
            .into_iter()
            .map(|entity| (entity.id.clone(), entity))
            .collect();
        Ok(ids.iter().filter_map(|id| known.get(id).cloned()).collect())
    }
}

/// Languages for names, best first.
fn shown_in(languages: &[String]) -> Vec<String> {
    unique(languages.iter().cloned().chain(LAST_LANGUAGES.map(str::to_owned)))
}

/// Languages in which a text is searched: that of its script first.
fn searched_in(text: &str, languages: &[String]) -> Vec<String> {
    let script = language_of_script(text).map(str::to_owned);
    let wanted = script.into_iter().chain(languages.iter().cloned()).chain(["en".to_owned()]);
    unique(wanted).into_iter().take(MAX_LANGUAGES).collect()
}

/// Merges several lists by reciprocal rank fusion; an entity's data are taken from the first list that has it.
fn fused(text: &str, legs: Vec<Vec<WikibaseEntity>>, limit: usize) -> Vec<WikibaseHit> {
    let lists: Vec<RankedList> =
        legs.iter().map(|leg| leg.iter().map(|entity| entity.id.clone()).collect()).collect();
    let mut known: FxHashMap<String, WikibaseEntity> = FxHashMap::default();
    for entity in legs.into_iter().flatten() {
        known.entry(entity.id.clone()).or_insert(entity);
    }
    let order = fuse(&lists).into_iter().take(limit);
    order
        .filter_map(|(id, _)| known.remove(&id))
        .map(|entity| WikibaseHit {
            fit: name_fit(text, entity.labels.iter().map(|label| label.text.as_str())),
            entity,
        })
        .collect()
}

/// Whether a text is the id of an item, property or lexeme. Nothing else is put into IRIs and requests.
fn is_id(text: &str) -> bool {
    let Some(digits) = text.strip_prefix(['Q', 'P', 'L']) else { return false };
    (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn unique(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
