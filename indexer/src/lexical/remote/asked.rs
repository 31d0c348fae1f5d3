//! What a search asks the server for: queries by words, in one call each round, with what was found kept for the next time.

use super::bridge::Bridge;
use super::keys;
use super::part::Part;
use super::points::{self, DOCUMENTS, FoundRecord, KEYS, RECORD, WORD};
use crate::lexical::Named;
use crate::qdrant::{QdrantFailure, Requests};
use moka::sync::Cache;
use qdrant_client::qdrant::{
    Condition, Filter, GetPointsBuilder, PayloadIncludeSelector, QueryBatchPointsBuilder, QueryPoints,
    QueryPointsBuilder, RetrievedPoint, ScoredPoint, VectorInput,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Memory for what was found, and for records that were asked for by their ids, in bytes: enough for the look-ups of hundreds of
/// questions. Each dataset has as much.
const FOUND_BYTES: u64 = 8 << 20;
const RECORD_BYTES: u64 = 4 << 20;
/// What an entry takes beside its content, about.
const ENTRY_BYTES: usize = 256;

/// A query by the words of documents. Values are compared by their bits, so that it can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct WordQuery {
    dimensions: Vec<(u32, u32)>,
    /// Numbers that documents must have.
    keys: Vec<i64>,
    limit: u64,
}

impl WordQuery {
    /// Documents with the highest sum of the weights of their words, among those that have all the keys.
    pub(super) fn new(weights: &BTreeMap<u32, f32>, keys: Vec<i64>, limit: usize) -> Self {
        let dimensions = weights.iter().map(|(word, weight)| (*word, weight.to_bits())).collect();
        Self { dimensions, keys, limit: limit as u64 }
    }

    /// Memory of its numbers, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.dimensions.as_slice()) + size_of_val(self.keys.as_slice())
    }

    fn points(&self, vector: &str, fields: &[&str]) -> QueryPoints {
        let (dimensions, values): (Vec<u32>, Vec<f32>) =
            self.dimensions.iter().map(|(word, bits)| (*word, f32::from_bits(*bits))).unzip();
        let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        let query = QueryPointsBuilder::new("")
            .query(VectorInput::new_sparse(dimensions, values))
            .using(vector)
            .limit(self.limit)
            .with_payload(PayloadIncludeSelector::new(fields));
        let conditions: Vec<Condition> = self.keys.iter().map(|key| Condition::matches(KEYS, *key)).collect();
        match conditions.is_empty() {
            true => query.build(),
            false => query.filter(Filter::must(conditions)).build(),
        }
    }
}

/// Memory of an entry with so many bytes of content, for a cache.
pub(super) fn weight(content: usize) -> u32 {
    u32::try_from(content + ENTRY_BYTES).unwrap_or(u32::MAX)
}

/// The documents of a query, best first.
type Found = Arc<Vec<Arc<FoundRecord>>>;

/// A server with names, and what it has said.
pub(super) struct NameServer {
    bridge: Bridge,
    requests: Arc<Requests>,
    found: Cache<(Part, WordQuery), Found>,
    records: Cache<(Part, String), Option<Arc<str>>>,
}

impl NameServer {
    pub(super) fn new(bridge: Bridge, requests: Requests) -> Self {
        let weigh = |key: &(Part, WordQuery), found: &Found| {
            weight(key.1.bytes() + found.iter().map(|found| found.bytes()).sum::<usize>())
        };
        let weigh_record = |key: &(Part, String), record: &Option<Arc<str>>| {
            weight(key.1.len() + record.as_ref().map_or(0, |record| record.len()))
        };
        Self {
            bridge,
            requests: Arc::new(requests),
            found: Cache::builder().max_capacity(FOUND_BYTES).weigher(weigh).build(),
            records: Cache::builder().max_capacity(RECORD_BYTES).weigher(weigh_record).build(),
        }
    }

    /// The documents of each query.
    pub(super) fn search<P: DeserializeOwned + Named>(
        &self,
        part: Part,
        queries: &[WordQuery],
    ) -> Result<Vec<Found>, QdrantFailure> {
        let key = |query: &WordQuery| (part, query.clone());
        let known: Vec<Option<Found>> = queries.iter().map(|query| self.found.get(&key(query))).collect();
        let missing: Vec<&WordQuery> =
            queries.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(query, _)| query).collect();
        let mut asked = self.ask(&missing, part.name(), &[RECORD])?.into_iter().map(|found| {
            let records = found.iter().filter_map(|point| points::record(&point.payload));
            Arc::new(records.filter_map(FoundRecord::read::<P>).map(Arc::new).collect::<Vec<_>>())
        });
        let mut all = Vec::with_capacity(queries.len());
        for (query, known) in queries.iter().zip(known) {
            let found = match known {
                Some(known) => known,
                None => {
                    let found = asked.next().unwrap_or_default();
                    self.found.insert(key(query), Arc::clone(&found));
                    found
                }
            };
            all.push(found);
        }
        Ok(all)
    }

    /// How many documents a query has, up to its limit.
    pub(super) fn count(&self, part: Part, query: &WordQuery) -> Result<usize, QdrantFailure> {
        Ok(self.ask(&[query], part.name(), &[])?.iter().map(Vec::len).sum())
    }

    /// The words of each query.
    pub(super) fn ask_words(
        &self,
        queries: &[&WordQuery],
        vector: &str,
    ) -> Result<Vec<Vec<ScoredPoint>>, QdrantFailure> {
        self.ask(queries, vector, &[WORD, DOCUMENTS])
    }

    /// The points of each query, with some fields of their payload.
    fn ask(
        &self,
        queries: &[&WordQuery],
        vector: &str,
        fields: &[&str],
    ) -> Result<Vec<Vec<ScoredPoint>>, QdrantFailure> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        let prepared: Vec<QueryPoints> = queries.iter().map(|query| query.points(vector, fields)).collect();
        let requests = Arc::clone(&self.requests);
        self.wait(async move {
            let answer = requests.ask(|collection| {
                let named = prepared.iter().cloned();
                let named = named.map(|query| QueryPoints { collection_name: collection.clone(), ..query });
                let batch = QueryBatchPointsBuilder::new(collection.clone(), named.collect::<Vec<_>>());
                requests.server.client.query_batch(batch)
            });
            Ok(answer.await?.result.into_iter().map(|batch| batch.result).collect())
        })
    }

    /// The points with these ids.
    pub(super) fn get(&self, vector: &str, ids: &[&str]) -> Result<Vec<RetrievedPoint>, QdrantFailure> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = ids.iter().map(|id| keys::id(vector, id).to_string().into()).collect();
        let requests = Arc::clone(&self.requests);
        self.wait(async move {
            let answer = requests.ask(|collection| {
                let points = GetPointsBuilder::new(collection, ids.clone()).with_payload(true);
                requests.server.client.get_points(points)
            });
            Ok(answer.await?.result)
        })
    }

    /// The record of a document, as JSON.
    pub(super) fn record(&self, part: Part, id: &str) -> Result<Option<Arc<str>>, QdrantFailure> {
        let key = (part, id.to_owned());
        if let Some(known) = self.records.get(&key) {
            return Ok(known);
        }
        let points = self.get(part.name(), &[id])?;
        let record = points.first().and_then(|point| points::record(&point.payload)).map(Arc::from);
        self.records.insert(key, record.clone());
        Ok(record)
    }

    /// Whether the server answers and has the collection.
    pub(super) async fn check(&self) -> Result<(), QdrantFailure> {
        self.requests.check().await
    }

    /// Waits for a call.
    fn wait<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, QdrantFailure>> + Send + 'static,
    ) -> Result<T, QdrantFailure> {
        let stopped = || self.requests.server.error("the call has ended without a result");
        self.bridge.begin(call).recv().unwrap_or_else(|_| Err(stopped()))
    }
}
