//! Looks up what words mean: in the index, at a Wikibase, or in both. The only interface for it; tools, grounding and planner
//! do not see where a name comes from.

use super::live::LiveNames;
use super::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::texts::{TextHit, TextIndex, TextQuery};
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_indexer::{
    ClassCard, Entity, EntityHit, LexicalError, PropertyCard, PropertyValue, SchemaHit, SchemaIndexError,
    SchemaKind, WikibaseApiError, WikibaseEntity, WikibaseHit, WikibaseKind,
};
use eruca_language::language;
use eruca_language::text::{humanize, normalize_word};
use eruca_sparql::{Answer, Literal, NamedNode, Results, Term, local_name, one_line, quoted};
use std::sync::Arc;
use std::time::Duration;

/// Time for a small query for details of what was found.
const DETAILS_TIME: Duration = Duration::from_secs(4);
/// Number of hits fetched when only those of one class are kept.
const MAX_OF_CLASS: usize = 40;
/// Maximum number of words of a text that is translated, and of translations of it.
const MAX_TRANSLATED: usize = 4;
const MAX_TRANSLATIONS: usize = 3;
/// Minimum fit at which something counts as having the name.
const NAMED_FIT: f32 = 0.7;
/// Maximum number of types shown per entity.
const MAX_TYPES: usize = 3;
/// Rows at the beginning and end of a result whose names are fetched: no table shows more.
const NAMED_ROWS: (usize, usize) = (20, 5);
/// Maximum length in characters of a server's message about a failure.
const MAX_WORDS: usize = 400;

/// Search results, with sentences about what could not be looked up.
#[derive(Debug, Clone, Default)]
pub struct LookedUp<T> {
    /// Best first.
    pub hits: Vec<T>,
    /// What is missing.
    pub notes: Vec<String>,
}

impl<T> LookedUp<T> {
    fn of(hits: Vec<T>) -> Self {
        Self { hits, notes: Vec::new() }
    }

    /// The notes as one text for a model.
    pub fn note(&self) -> Option<String> {
        (!self.notes.is_empty()).then(|| format!("({})", self.notes.join("; ")))
    }
}

/// A class or property that was found, with what is known about it.
#[derive(Debug, Clone)]
pub struct SchemaFound<'a, C> {
    /// Its IRI; for a property, that of its predicate.
    pub iri: String,
    /// How well the text matches its best name.
    pub fit: f32,
    /// What is known about it.
    pub known: KnownTerm<'a, C>,
}

/// What is known about a class or property.
#[derive(Debug, Clone)]
pub enum KnownTerm<'a, C> {
    /// The card with its counts.
    Card(&'a C),
    /// The entity from a Wikibase.
    Live(Box<WikibaseEntity>),
}

/// Why nothing could be looked up.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The entity index failed.
    #[error(transparent)]
    Entities(#[from] LexicalError),
    /// The index of texts failed.
    #[error(transparent)]
    Texts(LexicalError),
    /// The schema index failed.
    #[error(transparent)]
    Schema(#[from] SchemaIndexError),
    /// The search of the Wikibase failed.
    #[error(transparent)]
    Live(#[from] WikibaseApiError),
}

impl Dataset {
    /// The same with names looked up at a Wikibase; `indexed` if there is an index as well.
    #[must_use]
    pub fn with_lookup(self, live: LiveNames, indexed: bool) -> Self {
        Self { live: Some(Arc::new(live)), indexed, ..self }
    }

    /// Whether there is an index. Without one, only what is looked up is known about the graph.
    pub fn is_indexed(&self) -> bool {
        self.indexed
    }

    /// The Wikibase look-up, if names are looked up.
    pub fn live(&self) -> Option<&LiveNames> {
        self.live.as_deref()
    }

    /// Whether the graph is known to have its own property for types; otherwise, nothing that is looked up can be recognised as
    /// a class.
    fn has_own_types(&self) -> bool {
        self.vocabulary().type_property != RDF_TYPE
    }

    /// Entities named by a text, best first; only instances of `class` if given.
    ///
    /// # Errors
    /// When nothing can be looked up.
    pub async fn find_entities(
        &self,
        text: &str,
        class: Option<&str>,
        limit: usize,
    ) -> Result<LookedUp<EntityHit>, LookupError> {
        let mut local = self.index.entities.search(text, class, limit)?;
        let mut of_owner = self.things_of_owner(text, false)?;
        of_owner.retain(|thing| class.is_none_or(|class| thing.types.iter().any(|own| own == class)));
        local.retain(|hit| of_owner.iter().all(|thing| thing.iri != hit.record.iri));
        local.splice(0..0, of_owner.into_iter().map(|record| EntityHit { record, score: 1.0 }));
        local.truncate(limit);
        let Some(live) = &self.live else { return Ok(LookedUp::of(local)) };
        let fetched = if class.is_some() { MAX_OF_CLASS } else { limit };
        let (hits, mut notes) = match live.search(WikibaseKind::Item, text, &self.languages, fetched).await {
            Ok(found) => (found.hits, quoted_words(&found.notes)),
            Err(error) if !local.is_empty() => (Vec::new(), vec![quoted(&error.to_string(), MAX_WORDS)]),
            Err(error) => return Err(error.into()),
        };
        let mut hits: Vec<EntityHit> = hits.into_iter().map(|hit| entity_hit(live, hit)).collect();
        if let Some(class) = class.filter(|_| !hits.is_empty()) {
            match self.instances(&hits, class).await {
                Some(instances) => hits.retain(|hit| instances.contains(&hit.record.iri)),
                None => notes.push("whether they are of the class could not be found out".to_owned()),
            }
        }
        let mut hits = joined(local, hits, |hit| &hit.record.iri);
        hits.retain(|hit| !self.hides(&hit.record.iri));
        hits.truncate(limit);
        Ok(LookedUp { hits, notes })
    }

    /// Adds types, with their names, to entities that were found at a Wikibase.
    pub async fn add_types(&self, hits: &mut [EntityHit]) {
        let Some(live) = &self.live else { return };
        let iris = hits.iter().filter(|hit| hit.record.types.is_empty()).map(|hit| &hit.record.iri);
        let values = values(live, iris.map(String::as_str));
        if values.is_empty() || !self.has_own_types() {
            return;
        }
        let path = self.vocabulary().type_path(false);
        let query =
            format!("SELECT ?thing ?type WHERE {{ VALUES ?thing {{ {values} }} ?thing {path} ?type }}");
        let Some(answer) = self.details(&query).await else { return };
        let pairs: Vec<(&str, &str)> = pairs(&answer);
        for hit in hits {
            let types = pairs.iter().filter(|(thing, _)| *thing == hit.record.iri).map(|(_, class)| *class);
            let types: Vec<&str> = types.take(MAX_TYPES).collect();
            hit.record.types.extend(types.into_iter().map(str::to_owned));
        }
        live.fetch(pairs.iter().map(|(_, class)| *class), &self.languages).await;
    }

    /// The entity that has a value, if there is exactly one.
    pub async fn owner_of(&self, value: &PropertyValue, time: Duration) -> Option<String> {
        let literal = literal(value)?;
        let query = format!("SELECT DISTINCT ?thing {{ ?thing <{}> {literal} }} LIMIT 2", value.property);
        let answer = self.run(&self.check(&query).ok()?, time).await.ok()?;
        let Results::Solutions(found) = &answer.results else { return None };
        match found.rows.as_slice() {
            [row] => match row.first()? {
                Some(Term::NamedNode(node)) => Some(node.as_str().to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether there are texts beside the graph.
    pub fn has_texts(&self) -> bool {
        self.index.texts.is_some()
    }

    /// Whether passages of texts are found by meaning as well.
    pub fn finds_texts_by_meaning(&self) -> bool {
        self.index.texts.as_ref().is_some_and(TextIndex::has_vectors)
    }

    /// Passages of the texts beside the graph, best first; none if there are no texts.
    ///
    /// # Errors
    /// When their index cannot be read.
    pub async fn find_texts(&self, query: &TextQuery<'_>) -> Result<Vec<TextHit>, LookupError> {
        match &self.index.texts {
            Some(texts) => {
                let mut hits = texts.search(query).await.map_err(LookupError::Texts)?;
                hits.retain(|hit| !self.hides_passage(&hit.passage));
                Ok(hits)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Translations of a text from the question's language into the language that most schemas are written in; empty if none of
    /// its words can be translated.
    pub fn translated(&self, text: &str) -> Vec<String> {
        let Some(language) = self.languages.first().and_then(|tag| language(tag)) else { return Vec::new() };
        let words: Vec<&str> = text.split_whitespace().take(MAX_TRANSLATED).collect();
        let others: Vec<&[String]> =
            words.iter().map(|word| language.translations(&normalize_word(word))).collect();
        let most = others.iter().map(|others| others.len()).max().unwrap_or_default().min(MAX_TRANSLATIONS);
        let nth = |at: usize| {
            let word = |(word, others): (&&str, &&[String])| {
                others.get(at).or(others.first()).cloned().unwrap_or_else(|| (*word).to_owned())
            };
            words.iter().zip(&others).map(word).collect::<Vec<_>>().join(" ")
        };
        (0..most).map(nth).collect()
    }

    /// Classes or properties by name; if none has the name, by translations of the text.
    async fn search_schema(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<SchemaHit>, SchemaIndexError> {
        let mut hits = self.index.schema.search(kind, text, limit).await?;
        let of_owner = self.called_by_owner(kind, text, false);
        hits.retain(|hit| !of_owner.contains(&hit.iri.as_str()));
        let hit = |iri: &str| SchemaHit { iri: iri.to_owned(), fit: 1.0, score: 1.0 };
        hits.splice(0..0, of_owner.into_iter().map(hit));
        hits.truncate(limit);
        if hits.iter().any(|hit| hit.fit >= NAMED_FIT) {
            return Ok(hits);
        }
        for other in self.translated(text) {
            let mut found = self.index.schema.search(kind, &other, limit).await?;
            found.retain(|hit| hit.fit >= NAMED_FIT);
            hits.retain(|hit| found.iter().all(|other| other.iri != hit.iri));
            hits.splice(..0, found);
        }
        hits.truncate(limit);
        Ok(hits)
    }

    /// Properties named by a text, best first.
    ///
    /// # Errors
    /// When nothing can be looked up.
    pub async fn find_properties(
        &self,
        text: &str,
        limit: usize,
    ) -> Result<LookedUp<SchemaFound<'_, PropertyCard>>, LookupError> {
        let hits = self.search_schema(SchemaKind::Property, text, limit).await?;
        let known = hits.into_iter().filter_map(|hit| {
            let known = KnownTerm::Card(self.index.card.property(&hit.iri)?);
            Some(SchemaFound { iri: hit.iri, fit: hit.fit, known })
        });
        self.with_live(WikibaseKind::Property, text, limit, known.collect()).await
    }

    /// Classes named by a text, best first. Without an index, these are the items found that have instances or
    /// superclasses.
    ///
    /// # Errors
    /// When nothing can be looked up.
    pub async fn find_classes(
        &self,
        text: &str,
        limit: usize,
    ) -> Result<LookedUp<SchemaFound<'_, ClassCard>>, LookupError> {
        let hits = self.search_schema(SchemaKind::Class, text, limit).await?;
        let known = hits.into_iter().filter_map(|hit| {
            let known = KnownTerm::Card(self.index.card.class(&hit.iri)?);
            Some(SchemaFound { iri: hit.iri, fit: hit.fit, known })
        });
        let mut found = self.with_live(WikibaseKind::Item, text, limit, known.collect()).await?;
        self.keep_classes(&mut found).await;
        Ok(found)
    }

    async fn with_live<'a, C>(
        &'a self,
        kind: WikibaseKind,
        text: &str,
        limit: usize,
        local: Vec<SchemaFound<'a, C>>,
    ) -> Result<LookedUp<SchemaFound<'a, C>>, LookupError> {
        let Some(live) = &self.live else { return Ok(LookedUp::of(local)) };
        match live.search(kind, text, &self.languages, limit).await {
            Ok(found) => {
                let hits = found.hits.into_iter().map(|hit| SchemaFound {
                    iri: live.iri(kind, &hit.entity.id),
                    fit: hit.fit,
                    known: KnownTerm::Live(Box::new(hit.entity)),
                });
                let mut hits = joined(local, hits.collect(), |hit| &hit.iri);
                hits.retain(|hit| !self.hides(&hit.iri));
                hits.truncate(limit);
                Ok(LookedUp { hits, notes: quoted_words(&found.notes) })
            }
            Err(error) if !local.is_empty() => {
                Ok(LookedUp { hits: local, notes: vec![quoted(&error.to_string(), MAX_WORDS)] })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Drops found items that are not classes; keeps all if that cannot be determined.
    async fn keep_classes(&self, found: &mut LookedUp<SchemaFound<'_, ClassCard>>) {
        let Some(live) = &self.live else { return };
        let is_live = |hit: &SchemaFound<'_, ClassCard>| matches!(hit.known, KnownTerm::Live(_));
        let asked = found.hits.iter().filter(|hit| is_live(hit)).map(|hit| hit.iri.as_str());
        let values = values(live, asked);
        if values.is_empty() || !self.has_own_types() {
            return;
        }
        let (wider, path) = (&self.vocabulary().subclass_property, self.vocabulary().type_path(false));
        let query = format!(
            "SELECT DISTINCT ?class WHERE {{ VALUES ?class {{ {values} }} \
             FILTER EXISTS {{ {{ ?class <{wider}> ?above }} UNION {{ ?thing {path} ?class }} }} }}"
        );
        match self.details(&query).await {
            Some(answer) => {
                let classes = column(&answer);
                found.hits.retain(|hit| !is_live(hit) || classes.contains(&hit.iri.as_str()));
            }
            None => found.notes.push("which of them are classes could not be found out".to_owned()),
        }
    }

    /// Those of the hits that are instances of a class; `None` if that cannot be determined.
    async fn instances(&self, hits: &[EntityHit], class: &str) -> Option<Vec<String>> {
        let live = self.live.as_ref().filter(|_| self.has_own_types())?;
        let values = values(live, hits.iter().map(|hit| hit.record.iri.as_str()));
        let path = self.vocabulary().type_path(true);
        let query = format!(
            "SELECT DISTINCT ?thing WHERE {{ VALUES ?thing {{ {values} }} ?thing {path} <{class}> }}"
        );
        let answer = self.details(&query).await?;
        Some(column(&answer).into_iter().map(str::to_owned).collect())
    }

    async fn details(&self, query: &str) -> Option<Arc<Answer>> {
        let query = self.check(query).ok()?;
        let answer = self.run(&query, DETAILS_TIME).await;
        answer.inspect_err(|error| tracing::warn!(%error, "details of search results could not be read")).ok()
    }

    /// The entity with an IRI, as far as it is known.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub async fn entity(&self, iri: &str) -> Result<Option<Entity>, LookupError> {
        if let Some(entity) = self.index.entities.get(iri)? {
            return Ok(Some(entity));
        }
        let may_be_live = |live: &&Arc<LiveNames>| live.names(iri) && !self.hides(iri);
        let Some(live) = self.live.as_ref().filter(may_be_live) else { return Ok(None) };
        live.fetch(std::iter::once(iri), &self.languages).await;
        Ok(live.entity(iri, &self.languages).map(|entity| as_entity(iri.to_owned(), entity)))
    }

    /// A class or property as returned by a Wikibase.
    pub fn live_entity(&self, iri: &str) -> Option<WikibaseEntity> {
        self.live.as_ref()?.entity(iri, &self.languages)
    }

    /// Fetches names of IRIs from the Wikibase, if one is configured, so that [`Dataset::label`] has them.
    pub async fn fetch_names(&self, iris: impl Iterator<Item = &str> + Send) {
        if let Some(live) = &self.live {
            let unknown: Vec<&str> = iris.filter(|iri| self.indexed_label(iri).is_none()).collect();
            live.fetch(unknown.into_iter(), &self.languages).await;
        }
    }

    /// All names of things, in all languages: those that the index has, and of others those that the Wikibase has.
    pub async fn labels_of(&self, iris: &[&str]) -> Vec<(String, Vec<String>)> {
        self.fetch_names(iris.iter().copied()).await;
        for member in self.other_members() {
            member.fetch_names(iris.iter().copied()).await;
        }
        iris.iter().map(|iri| ((*iri).to_owned(), self.known_labels(iri))).collect()
    }

    fn known_labels(&self, iri: &str) -> Vec<String> {
        let card = &self.index.card;
        let schema = card.class(iri).map(|class| &class.labels);
        let schema =
            schema.or_else(|| card.property(iri).map(|property| &property.labels)).into_iter().flatten();
        let entity = self.index.entities.get(iri).ok().flatten();
        let entity = entity.iter().flat_map(|entity| &entity.labels);
        let mut names: Vec<String> = schema.chain(entity).map(|label| label.text.clone()).collect();
        names.extend(self.live.as_ref().and_then(|live| live.label(iri, &self.languages)));
        names.extend(self.other_members().flat_map(|member| member.known_labels(iri)));
        names
    }

    /// Fetches the names needed to show a result.
    pub async fn fetch_names_of(&self, answer: &Answer) {
        let Results::Solutions(solutions) = &answer.results else { return };
        let (first, last) = NAMED_ROWS;
        let count = solutions.rows.len();
        let shown = solutions.rows.iter().enumerate().filter(|(at, _)| *at < first || at + last >= count);
        let terms = shown.flat_map(|(_, row)| row.iter().flatten());
        let iris: Vec<&str> = terms.filter_map(iri).collect();
        self.fetch_names(iris.iter().copied()).await;
        for member in self.other_members() {
            member.fetch_names(iris.iter().copied()).await;
        }
    }
}

/// A server's messages about failures.
fn quoted_words(notes: &[String]) -> Vec<String> {
    notes.iter().map(|note| quoted(note, MAX_WORDS)).collect()
}

/// A value as a term; `None` if its datatype or language is none.
pub(super) fn literal(value: &PropertyValue) -> Option<Literal> {
    match value.language.as_str() {
        "" => Some(Literal::new_typed_literal(&value.text, NamedNode::new(&value.datatype).ok()?)),
        language => Literal::new_language_tagged_literal(&value.text, language).ok(),
    }
}

fn iri(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    }
}

fn rows(answer: &Answer) -> &[Vec<Option<Term>>] {
    match &answer.results {
        Results::Solutions(solutions) => &solutions.rows,
        Results::Boolean(_) | Results::Graph(_) => &[],
    }
}

/// The IRIs of the first column.
fn column(answer: &Answer) -> Vec<&str> {
    rows(answer).iter().filter_map(|row| iri(row.first()?.as_ref()?)).collect()
}

/// The IRIs of the first two columns.
fn pairs<'a>(answer: &'a Answer) -> Vec<(&'a str, &'a str)> {
    let pair = |row: &'a Vec<Option<Term>>| Some((iri(row.first()?.as_ref()?)?, iri(row.get(1)?.as_ref()?)?));
    rows(answer).iter().filter_map(pair).collect()
}

/// IRIs for a VALUES clause: only those of the Wikibase, which are built from validated ids.
fn values<'a>(live: &LiveNames, iris: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for iri in iris.filter(|iri| live.names(iri)) {
        text.push_str(&format!("<{iri}> "));
    }
    text
}

/// Merges two lists by reciprocal rank fusion; ties go to the first list.
fn joined<T>(first: Vec<T>, second: Vec<T>, iri: impl Fn(&T) -> &String) -> Vec<T> {
    let worth = |rank: usize| 1.0 / (61.0 + rank as f32);
    let mut all: Vec<(f32, T)> =
        first.into_iter().enumerate().map(|(rank, hit)| (worth(rank), hit)).collect();
    for (rank, hit) in second.into_iter().enumerate() {
        match all.iter_mut().find(|(_, known)| iri(known) == iri(&hit)) {
            Some((score, _)) => *score += worth(rank),
            None => all.push((worth(rank), hit)),
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, hit)| hit).collect()
}

fn entity_hit(live: &LiveNames, hit: WikibaseHit) -> EntityHit {
    let iri = live.iri(WikibaseKind::Item, &hit.entity.id);
    EntityHit { record: as_entity(iri, hit.entity), score: hit.fit }
}

fn as_entity(iri: String, entity: WikibaseEntity) -> Entity {
    let WikibaseEntity { id: _, labels, description, datatype: _ } = entity;
    let local_name = one_line(&humanize(local_name(&iri)), MAX_NAME_CHARS);
    Entity { iri, labels, local_name, description, types: Vec::new(), pages: 0, out_degree: 0, in_degree: 0 }
}
