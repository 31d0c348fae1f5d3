//! What is kept in memory to save work: bounded, for a time, counted. Failures are never kept.
//!
//! Knows the seam of the embedding models; what else is kept is up to who keeps it.

use async_trait::async_trait;
use eruca_indexer::embedding::{Embedder, EmbeddingError, Purpose};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often a cache was asked, and how often it could answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheFigures {
    /// What it keeps: `answers`, `results`, `embeddings`.
    pub name: &'static str,
    /// Look-ups that found something.
    pub hits: u64,
    /// Look-ups that found nothing.
    pub misses: u64,
}

/// Bytes that an entry may have on the average; a larger one counts as several.
const ENTRY_BYTES: usize = 64 << 10;

/// What can be kept.
pub trait Weight {
    /// About its size in memory, in bytes.
    fn bytes(&self) -> usize;
}

impl Weight for Vec<f32> {
    fn bytes(&self) -> usize {
        self.len() * size_of::<f32>()
    }
}

/// Values by text, the most used ones, for a time. Large ones count as several, so that memory is bounded whatever is kept.
pub struct Cache<V: Clone + Send + Sync + 'static> {
    name: &'static str,
    kept: moka::sync::Cache<String, V>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl<V: Weight + Clone + Send + Sync + 'static> Cache<V> {
    /// A cache of at most that many entries, each kept for that long; `None` for no entries.
    pub fn new(name: &'static str, entries: u64, time_to_live: Duration) -> Option<Arc<Self>> {
        let weight = |key: &String, value: &V| {
            let bytes = key.len().saturating_add(value.bytes());
            u32::try_from(1 + bytes / ENTRY_BYTES).unwrap_or(u32::MAX)
        };
        let cache = moka::sync::Cache::builder().max_capacity(entries).weigher(weight);
        let kept = || cache.time_to_live(time_to_live).build();
        (entries > 0).then(|| {
            Arc::new(Self { name, kept: kept(), hits: AtomicU64::new(0), misses: AtomicU64::new(0) })
        })
    }

    /// What is kept under a key.
    pub fn get(&self, key: &str) -> Option<V> {
        let found = self.kept.get(key);
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Keeps a value.
    pub fn put(&self, key: String, value: V) {
        self.kept.insert(key, value);
    }

    /// How useful it has been.
    pub fn figures(&self) -> CacheFigures {
        let [hits, misses] = [&self.hits, &self.misses].map(|counter| counter.load(Ordering::Relaxed));
        CacheFigures { name: self.name, hits, misses }
    }
}

/// Vectors of search texts.
pub type VectorCache = Cache<Vec<f32>>;

/// An embedding model that remembers the vectors of search texts. Descriptions are embedded once, while an index is
/// built, and not kept.
pub struct RememberingEmbedder {
    embedder: Arc<dyn Embedder>,
    vectors: Arc<VectorCache>,
}

impl RememberingEmbedder {
    /// The same model with a memory.
    pub fn new(embedder: Arc<dyn Embedder>, vectors: Arc<VectorCache>) -> Self {
        Self { embedder, vectors }
    }
}

#[async_trait]
impl Embedder for RememberingEmbedder {
    async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        if purpose != Purpose::Query {
            return self.embedder.embed(texts, purpose).await;
        }
        let mut vectors: Vec<Option<Vec<f32>>> = texts.iter().map(|text| self.vectors.get(text)).collect();
        let unknown = texts.iter().zip(&vectors).filter(|(_, vector)| vector.is_none());
        let unknown: Vec<String> = unknown.map(|(text, _)| text.clone()).collect();
        if !unknown.is_empty() {
            let fresh = self.embedder.embed(unknown.clone(), purpose).await?;
            let gaps = vectors.iter_mut().filter(|vector| vector.is_none());
            for ((gap, text), vector) in gaps.zip(unknown).zip(fresh) {
                self.vectors.put(text, vector.clone());
                *gap = Some(vector);
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }

    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn dimension(&self) -> usize {
        self.embedder.dimension()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Makes a vector of a text's length; notes what it was asked for.
    struct Lengths(Mutex<Vec<String>>);

    #[async_trait]
    impl Embedder for Lengths {
        async fn embed(&self, texts: Vec<String>, _: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
            let mut asked = self.0.lock().unwrap();
            asked.extend(texts.iter().cloned());
            if texts.iter().any(String::is_empty) {
                return Err(EmbeddingError::Model {
                    model: "lengths".to_owned(),
                    reason: "nothing".to_owned(),
                });
            }
            Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
        }

        fn model(&self) -> &str {
            "lengths"
        }

        fn dimension(&self) -> usize {
            1
        }
    }

    #[tokio::test]
    async fn a_text_is_embedded_once_and_a_failure_is_not_kept() {
        let model = Arc::new(Lengths(Mutex::default()));
        let vectors = Cache::new("embeddings", 10, Duration::from_secs(60)).unwrap();
        let embedder = RememberingEmbedder::new(model.clone(), vectors.clone());
        let embed = async |texts: &[&str]| {
            embedder.embed(texts.iter().map(|text| (*text).to_owned()).collect(), Purpose::Query).await
        };
        assert_eq!(embed(&["a", "bb"]).await.unwrap(), [[1.0], [2.0]]);
        assert_eq!(embed(&["bb", "ccc", "a"]).await.unwrap(), [[2.0], [3.0], [1.0]]);
        for _ in 0..2 {
            assert!(embed(&[""]).await.is_err());
        }
        assert_eq!(*model.0.lock().unwrap(), ["a", "bb", "ccc", "", ""]);
        assert_eq!((vectors.figures().hits, vectors.figures().misses), (2, 5));
    }

    #[test]
    fn a_cache_for_nothing_is_none() {
        assert!(Cache::<Vec<f32>>::new("answers", 0, Duration::from_secs(1)).is_none());
    }

    #[test]
    fn large_values_take_the_room_of_several() {
        let cache = Cache::new("answers", 10, Duration::from_secs(60)).unwrap();
        for number in 0..100 {
            cache.put(format!("{number}"), vec![0.0_f32; ENTRY_BYTES]);
        }
        cache.kept.run_pending_tasks();
        let kept = cache.kept.iter().count();
        assert!((1..=2).contains(&kept), "{kept}");
        cache.put("small".to_owned(), vec![0.0]);
        cache.put("too large".to_owned(), vec![0.0; 10 * ENTRY_BYTES]);
        cache.kept.run_pending_tasks();
        assert!(cache.get("too large").is_none());
    }
}
