//! What the service finds for the words of a question, as the benchmark of grounding sees it: the indexes are searched by the whole
//! question and by each run of its words, and the first prompt is written. Nothing is asked of a model that answers.

use super::BenchmarkAdapter;
use super::known::{known_term, role_of};
use super::spans::spans;
use crate::service::{FirstPrompt, Question, Service};
use async_trait::async_trait;
use eruca_dataset::Dataset;
use eruca_eval::grounding::{
    FoundList, GoldTerm, Grounder, IriRole, KnownTerm, Leg, Retrieved, Search, Searchable, TermKind, Way,
    shares_word,
};
use eruca_indexer::{EntityHit, LegRanks, SchemaKind, ValueHit};
use eruca_sparql::CheckedQuery;
use std::sync::Arc;

/// Maximum number of runs of words with which a term is looked for that is not among the first hits.
const MAX_FAR_SPANS: usize = 3;

#[async_trait]
impl Grounder for BenchmarkAdapter {
    fn searchable(&self, dataset: &str) -> Searchable {
        let Some(dataset) = self.0.dataset(dataset) else { return Searchable::default() };
        let model = dataset.index.schema.embedding_model().map(str::to_owned);
        // Names of things are texts as well; the index of values leaves labels to that of things.
        let values = !dataset.index.values.is_empty() || !dataset.index.entities.is_empty();
        Searchable { model, values }
    }

    fn parsed(&self, dataset: &str, query: &str) -> Result<CheckedQuery, String> {
        let dataset = self.0.dataset(dataset).ok_or_else(|| unknown(dataset))?;
        dataset.check(query).map_err(|error| error.to_string())
    }

    fn role(&self, dataset: &str, iri: &str) -> IriRole {
        match self.0.dataset(dataset) {
            Some(dataset) => role_of(&dataset, iri),
            None => IriRole { key: iri.to_owned(), ..IriRole::default() },
        }
    }

    async fn known(&self, dataset: &str, term: &GoldTerm) -> KnownTerm {
        match self.0.dataset(dataset) {
            Some(dataset) => known_term(&dataset, term).await,
            None => KnownTerm::default(),
        }
    }

    async fn retrieve(&self, dataset: &str, question: &str, limit: usize) -> Result<Retrieved, String> {
        let (service, dataset, text) = (Arc::clone(&self.0), dataset.to_owned(), question.to_owned());
        // Searches compute: on a task of their own, several questions are searched for at once.
        let work = tokio::spawn(async move { retrieved(&service, dataset, text, limit).await });
        work.await.unwrap_or_else(|error| Err(format!("the search broke off: {error}")))
    }

    async fn far_rank(
        &self,
        dataset: &str,
        question: &str,
        (term, names): (&GoldTerm, &[String]),
        limit: usize,
    ) -> Option<usize> {
        let dataset = self.0.dataset(dataset)?;
        let mut texts: Vec<String> = spans(&dataset.read(question));
        texts.retain(|text| shares_word(text, names));
        texts.truncate(MAX_FAR_SPANS);
        texts.push(question.to_owned());
        let mut lists = Vec::new();
        for (way, text) in texts.iter().map(|text| (Way::Spans, text)) {
            lists.extend(searched(&dataset, way, text, None, limit).await.ok()?);
        }
        if let Some(vectors) = dataset.index.schema.embedded(&[question.to_owned()]).await.ok()? {
            let vector = vectors.first().map(Vec::as_slice);
            lists.extend(schema_lists(&dataset, Way::Question, question, vector, limit).await.ok()?);
        }
        lists.iter().filter_map(|list| list.rank_of(term)).min()
    }
}

fn unknown(dataset: &str) -> String {
    format!("there is no dataset '{dataset}'")
}

async fn retrieved(
    service: &Arc<Service>,
    name: String,
    text: String,
    limit: usize,
) -> Result<Retrieved, String> {
    let dataset = service.dataset(&name).ok_or_else(|| unknown(&name))?;
    let question = Question { dataset: name, text };
    let prompt = service.first_prompt(&question).await.map_err(|error| error.to_string())?;
    let mut lists = grounded(&dataset, &prompt);
    let mut texts = vec![(Way::Question, question.text.clone())];
    texts.extend(spans(&dataset.read(&question.text)).into_iter().map(|span| (Way::Spans, span)));
    let plain: Vec<String> = texts.iter().map(|(_, text)| text.clone()).collect();
    let vectors = dataset.index.schema.embedded(&plain).await.map_err(|error| error.to_string())?;
    for (at, (way, text)) in texts.iter().enumerate() {
        let vector = vectors.as_ref().and_then(|vectors| vectors.get(at)).map(Vec::as_slice);
        lists.extend(searched(&dataset, *way, text, vector, limit).await?);
    }
    Ok(Retrieved { lists, told: prompt.told, card: prompt.card })
}

/// What the planner gets, as lists: the candidates of each name, and the classes and properties, those of the prompt first.
fn grounded(dataset: &Dataset, prompt: &FirstPrompt) -> Vec<FoundList> {
    let has_vectors = dataset.index.schema.embedding_model().is_some();
    let search = Search { way: Way::Grounding, leg: if has_vectors { Leg::Both } else { Leg::Words } };
    let mut lists = Vec::new();
    for mention in &prompt.named.mentions {
        lists.extend(thing_lists(&[search], &mention.entities, &mention.values));
    }
    let mut terms: Vec<_> = prompt.named.terms.iter().collect();
    terms.sort_by(|a, b| b.fit.total_cmp(&a.fit));
    for (kind, schema, first) in [
        (TermKind::Class, SchemaKind::Class, &prompt.classes),
        (TermKind::Property, SchemaKind::Property, &prompt.properties),
    ] {
        let mut iris = first.clone();
        for term in terms.iter().filter(|term| term.kind == schema) {
            if !iris.contains(&term.iri) {
                iris.push(term.iri.clone());
            }
        }
        lists.push(iri_list(search, kind, iris));
    }
    lists
}

/// The hits of all searches for a text.
async fn searched(
    dataset: &Dataset,
    way: Way,
    text: &str,
    vector: Option<&[f32]>,
    limit: usize,
) -> Result<Vec<FoundList>, String> {
    let index = &dataset.index;
    let entities = index.entities.search(text, None, limit).map_err(|error| error.to_string())?;
    let values = index.values.search(text, None, limit).map_err(|error| error.to_string())?;
    // Things and texts have no vectors: what both legs find of them is what words find.
    let legs: &[Leg] = if vector.is_some() { &[Leg::Words, Leg::Both] } else { &[Leg::Words] };
    let searches: Vec<Search> = legs.iter().map(|leg| Search { way, leg: *leg }).collect();
    let mut lists = thing_lists(&searches, &entities, &values);
    lists.extend(schema_lists(dataset, way, text, vector, limit).await?);
    Ok(lists)
}

async fn schema_lists(
    dataset: &Dataset,
    way: Way,
    text: &str,
    vector: Option<&[f32]>,
    limit: usize,
) -> Result<Vec<FoundList>, String> {
    let mut lists = Vec::new();
    for (kind, schema) in [(TermKind::Class, SchemaKind::Class), (TermKind::Property, SchemaKind::Property)] {
        let found = dataset.index.schema.legs(schema, text, vector, limit).await;
        let LegRanks { words, vectors, both } = found.map_err(|error| error.to_string())?;
        let legs = [(Leg::Words, Some(words)), (Leg::Vectors, vectors), (Leg::Both, both)];
        let legs = legs.into_iter().filter_map(|(leg, iris)| Some((leg, iris?)));
        lists.extend(legs.map(|(leg, iris)| iri_list(Search { way, leg }, kind, iris)));
    }
    Ok(lists)
}

fn iri_list(search: Search, kind: TermKind, iris: Vec<String>) -> FoundList {
    FoundList { search, kind, hits: iris.into_iter().map(|iri| vec![iri]).collect() }
}

/// Things, and texts: those of the values, and the names of the things, by which a query may name them.
fn thing_lists(searches: &[Search], entities: &[EntityHit], values: &[ValueHit]) -> Vec<FoundList> {
    let things: Vec<Vec<String>> = entities.iter().map(|hit| vec![hit.record.iri.clone()]).collect();
    let labels = |hit: &EntityHit| hit.record.labels.iter().map(|label| label.text.clone()).collect();
    let names: Vec<Vec<String>> = entities.iter().map(labels).collect();
    let mut texts: Vec<Vec<String>> = Vec::new();
    for hit in values {
        let keys = vec![hit.record.text.clone()];
        // Several properties may have the same text.
        if !texts.contains(&keys) {
            texts.push(keys);
        }
    }
    let lists = [(TermKind::Entity, things), (TermKind::Value, names), (TermKind::Value, texts)];
    let of = |search: &Search| {
        lists.clone().map(|(kind, hits)| FoundList { search: *search, kind, hits }).into_iter()
    };
    searches.iter().flat_map(of).filter(|list| !list.hits.is_empty()).collect()
}
