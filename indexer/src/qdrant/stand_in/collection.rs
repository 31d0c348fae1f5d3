//! One collection of the stand-in: its vector settings, its points, and the exhaustive search.

use qdrant_client::qdrant::condition::ConditionOneOf;
use qdrant_client::qdrant::r#match::MatchValue;
use qdrant_client::qdrant::point_id::PointIdOptions;
use qdrant_client::qdrant::vectors::VectorsOptions;
use qdrant_client::qdrant::vectors_config::Config;
use qdrant_client::qdrant::with_payload_selector::SelectorOptions;
use qdrant_client::qdrant::{
    CollectionConfig, CollectionInfo, CollectionParams, CollectionStatus, Condition, CreateCollection,
    Distance, Filter, Modifier, PointId, PointStruct, QueryPoints, RetrievedPoint, ScoredPoint,
    SparseVectorConfig, Value, VectorInput, VectorsConfig, query, vector, vector_input,
};
use std::collections::{BTreeMap, HashMap};
use tonic::Status;

/// A collection with named vectors.
pub(crate) struct Collection {
    pub(crate) dense: Option<VectorsConfig>,
    pub(crate) sparse: Option<SparseVectorConfig>,
    pub(crate) shard_number: Option<u32>,
    pub(crate) replication_factor: Option<u32>,
    /// Indexed payload fields.
    pub(crate) indexed: Vec<String>,
    pub(crate) points: BTreeMap<String, Point>,
}

/// A stored point.
pub(crate) struct Point {
    pub(crate) payload: HashMap<String, Value>,
    dense: HashMap<String, Vec<f32>>,
    sparse: HashMap<String, BTreeMap<u32, f32>>,
}

impl Collection {
    pub(crate) fn new(request: CreateCollection) -> Self {
        Self {
            dense: request.vectors_config,
            sparse: request.sparse_vectors_config,
            shard_number: request.shard_number,
            replication_factor: request.replication_factor,
            indexed: Vec::new(),
            points: BTreeMap::new(),
        }
    }

    pub(crate) fn info(&self) -> CollectionInfo {
        let params = CollectionParams {
            shard_number: self.shard_number.unwrap_or(1),
            vectors_config: self.dense.clone(),
            sparse_vectors_config: self.sparse.clone(),
            ..CollectionParams::default()
        };
        CollectionInfo {
            status: CollectionStatus::Green.into(),
            points_count: Some(self.points.len() as u64),
            config: Some(CollectionConfig { params: Some(params), ..CollectionConfig::default() }),
            ..CollectionInfo::default()
        }
    }

    pub(crate) fn upsert(&mut self, point: PointStruct) -> Result<(), Status> {
        let id = point.id.as_ref().map(key).unwrap_or_default();
        if id.is_empty() {
            return Err(wrong("Unable to parse UUID"));
        }
        let Some(VectorsOptions::Vectors(named)) = point.vectors.and_then(|vectors| vectors.vectors_options)
        else {
            return Err(wrong("Not existing vector name error: "));
        };
        let mut stored = Point { payload: point.payload, dense: HashMap::new(), sparse: HashMap::new() };
        for (name, vector) in named.vectors {
            match vector.vector {
                Some(vector::Vector::Dense(dense)) => {
                    self.check_dimension(&name, dense.data.len())?;
                    stored.dense.insert(name, unit(&dense.data));
                }
                Some(vector::Vector::Sparse(sparse)) => {
                    self.modifier(&name)?;
                    stored.sparse.insert(name, sparse_vector(&sparse.indices, &sparse.values)?);
                }
                _ => return Err(Status::unimplemented("stand-in: this form of a vector")),
            }
        }
        self.points.insert(id, stored);
        Ok(())
    }

    /// Those of these points that there are, with their payload.
    pub(crate) fn get(&self, ids: &[PointId]) -> Vec<RetrievedPoint> {
        let found = ids.iter().filter_map(|id| Some((id, self.points.get(&key(id))?)));
        let point = |(id, point): (&PointId, &Point)| RetrievedPoint {
            id: Some(id.clone()),
            payload: point.payload.clone(),
            ..RetrievedPoint::default()
        };
        found.map(point).collect()
    }

    pub(crate) fn query(&self, request: QueryPoints) -> Result<Vec<ScoredPoint>, Status> {
        let using = request.using.unwrap_or_default();
        let Some(query::Variant::Nearest(nearest)) = request.query.and_then(|query| query.variant) else {
            return Err(Status::unimplemented("stand-in: queries other than nearest"));
        };
        let exact = request.params.is_some_and(|params| params.exact());
        let scores = self.scores(&using, nearest)?;
        let mut found = Vec::new();
        for (point, score) in self.points.iter().zip(scores) {
            if let Some(score) = score
                && matches(request.filter.as_ref(), point.0, &point.1.payload)?
            {
                let payload = selected(
                    &point.1.payload,
                    request.with_payload.as_ref().and_then(|p| p.selector_options.as_ref()),
                );
                found.push(ScoredPoint {
                    id: Some(id_of(point.0)),
                    payload,
                    score,
                    ..ScoredPoint::default()
                });
            }
        }
        // Ties are ordered by id, which is unrelated to the IRIs, as on the real server.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        if !exact && self.is_dense(&using) {
            // The server's vector index may miss any of the nearest.
            found.drain(..found.len().min(1));
        }
        found.truncate(request.limit.unwrap_or(10) as usize);
        Ok(found)
    }

    fn is_dense(&self, using: &str) -> bool {
        self.points.values().any(|point| point.dense.contains_key(using))
    }

    /// Each point's score; `None` for points without the vector or without a common term.
    fn scores(&self, using: &str, nearest: VectorInput) -> Result<Vec<Option<f32>>, Status> {
        match nearest.variant {
            Some(vector_input::Variant::Dense(asked)) => {
                self.check_dimension(using, asked.data.len())?;
                let asked = unit(&asked.data);
                let cosine = |stored: &Vec<f32>| stored.iter().zip(&asked).map(|(a, b)| a * b).sum();
                Ok(self.points.values().map(|point| point.dense.get(using).map(cosine)).collect())
            }
            Some(vector_input::Variant::Sparse(asked)) => {
                let mut asked = sparse_vector(&asked.indices, &asked.values)?;
                if self.modifier(using)? == Modifier::Idf {
                    self.apply_idf(using, &mut asked);
                }
                Ok(self.points.values().map(|point| overlap(&asked, point.sparse.get(using)?)).collect())
            }
            _ => Err(Status::unimplemented("stand-in: this form of a query vector")),
        }
    }

    /// The server's formula: ln((N - df + 0.5) / (df + 0.5) + 1).
    fn apply_idf(&self, using: &str, asked: &mut BTreeMap<u32, f32>) {
        let stored: Vec<_> = self.points.values().filter_map(|point| point.sparse.get(using)).collect();
        for (term, weight) in asked {
            let holding = stored.iter().filter(|vector| vector.contains_key(term)).count() as f32;
            *weight *= ((stored.len() as f32 - holding + 0.5) / (holding + 0.5) + 1.0).ln();
        }
    }

    fn check_dimension(&self, name: &str, found: usize) -> Result<(), Status> {
        let Some(Config::ParamsMap(named)) = self.dense.as_ref().and_then(|dense| dense.config.as_ref())
        else {
            return Err(unknown_vector(name));
        };
        let params = named.map.get(name).ok_or_else(|| unknown_vector(name))?;
        if params.distance() != Distance::Cosine {
            return Err(Status::unimplemented("stand-in: distances other than cosine"));
        }
        if params.size != found as u64 {
            return Err(wrong(&format!(
                "Wrong input: Vector dimension error: expected dim: {}, got {found} for vector '{name}'",
                params.size
            )));
        }
        Ok(())
    }

    fn modifier(&self, name: &str) -> Result<Modifier, Status> {
        let params = self.sparse.as_ref().and_then(|sparse| sparse.map.get(name));
        Ok(params.ok_or_else(|| unknown_vector(name))?.modifier())
    }
}

fn wrong(reason: &str) -> Status {
    Status::invalid_argument(format!("Wrong input: {reason}"))
}

fn unknown_vector(name: &str) -> Status {
    wrong(&format!("Not existing vector name error: {name}"))
}

fn unit(vector: &[f32]) -> Vec<f32> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter().map(|value| if length > 0.0 { value / length } else { *value }).collect()
}

fn sparse_vector(indices: &[u32], values: &[f32]) -> Result<BTreeMap<u32, f32>, Status> {
    let vector: BTreeMap<u32, f32> = indices.iter().copied().zip(values.iter().copied()).collect();
    if indices.len() != values.len() || vector.len() != indices.len() {
        return Err(Status::invalid_argument(
            "Validation error in body: indices: must be unique, as many as values",
        ));
    }
    Ok(vector)
}

fn overlap(asked: &BTreeMap<u32, f32>, stored: &BTreeMap<u32, f32>) -> Option<f32> {
    let products: Vec<f32> =
        asked.iter().filter_map(|(term, weight)| Some(weight * stored.get(term)?)).collect();
    (!products.is_empty()).then(|| products.iter().sum())
}

/// An id as a key: a UUID, or the digits of a number.
fn key(id: &PointId) -> String {
    match &id.point_id_options {
        Some(PointIdOptions::Uuid(id)) => id.clone(),
        Some(PointIdOptions::Num(number)) => number.to_string(),
        None => String::new(),
    }
}

fn id_of(key: &str) -> PointId {
    key.parse::<u64>().map_or_else(|_| key.into(), PointId::from)
}

fn matches(filter: Option<&Filter>, id: &str, payload: &HashMap<String, Value>) -> Result<bool, Status> {
    let Some(filter) = filter else { return Ok(true) };
    if !filter.should.is_empty() || !filter.must_not.is_empty() || filter.min_should.is_some() {
        return Err(Status::unimplemented("stand-in: filters other than must"));
    }
    let results: Result<Vec<bool>, Status> =
        filter.must.iter().map(|condition| meets(condition, id, payload)).collect();
    Ok(results?.into_iter().all(|met| met))
}

fn meets(condition: &Condition, id: &str, payload: &HashMap<String, Value>) -> Result<bool, Status> {
    let has = |key: &String, wanted: &[String]| {
        let known = payload.get(key);
        let several = known.and_then(Value::as_list).unwrap_or_default().iter();
        let mut values = known.into_iter().chain(several).filter_map(Value::as_str);
        values.any(|value| wanted.contains(value))
    };
    let has_number = |key: &String, wanted: i64| {
        let known = payload.get(key);
        let several = known.and_then(Value::as_list).unwrap_or_default().iter();
        known.into_iter().chain(several).filter_map(Value::as_integer).any(|number| number == wanted)
    };
    match &condition.condition_one_of {
        Some(ConditionOneOf::HasId(ids)) => Ok(ids.has_id.iter().any(|wanted| key(wanted) == id)),
        Some(ConditionOneOf::Field(field)) => {
            match field.r#match.as_ref().and_then(|m| m.match_value.as_ref()) {
                Some(MatchValue::Keyword(wanted)) => Ok(has(&field.key, std::slice::from_ref(wanted))),
                Some(MatchValue::Integer(wanted)) => Ok(has_number(&field.key, *wanted)),
                Some(MatchValue::Keywords(wanted)) => Ok(has(&field.key, &wanted.strings)),
                _ => Err(Status::unimplemented("stand-in: matches other than of keywords")),
            }
        }
        _ => Err(Status::unimplemented("stand-in: conditions other than ids and keywords")),
    }
}

fn selected(payload: &HashMap<String, Value>, selector: Option<&SelectorOptions>) -> HashMap<String, Value> {
    let wanted = |field: &String| match selector {
        Some(SelectorOptions::Enable(all)) => *all,
        Some(SelectorOptions::Include(some)) => some.fields.contains(field),
        Some(SelectorOptions::Exclude(some)) => !some.fields.contains(field),
        None => false,
    };
    payload
        .iter()
        .filter(|(field, _)| wanted(field))
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect()
}
