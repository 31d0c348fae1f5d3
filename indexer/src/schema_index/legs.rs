//! What each leg of the search finds for a text: to measure the legs, and for lists in which vectors take no place of words.

use super::{LEG_LIMIT, LegHit, RankedList, SchemaIndexError, SchemaKind, SchemaSearch, fuse, ranked};
use crate::embedding::Purpose;
use eruca_language::text::searched_part;

/// The classes or properties found for a text, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LegRanks {
    /// By words.
    pub words: Vec<String>,
    /// By vectors; `None` where there are none.
    pub vectors: Option<Vec<String>>,
    /// By both, as [`SchemaSearch::search`] returns them; `None` where there are no vectors.
    pub both: Option<Vec<String>>,
}

impl SchemaSearch {
    /// The embedding model in use, if vectors are searched.
    pub fn embedding_model(&self) -> Option<&str> {
        self.embedder.as_ref().map(|embedder| embedder.model())
    }

    /// The vectors of search texts, in order; `None` if vectors are not searched.
    ///
    /// # Errors
    /// When the embedding model fails.
    pub async fn embedded(&self, texts: &[String]) -> Result<Option<Vec<Vec<f32>>>, SchemaIndexError> {
        let Some(embedder) = &self.embedder else { return Ok(None) };
        let texts = texts.iter().map(|text| searched_part(text).to_owned()).collect();
        Ok(Some(embedder.embed(texts, Purpose::Query).await?))
    }

    /// What each leg finds for a text whose vector is given, `limit` hits each. Unlike a search, it fails if one of them does.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub async fn legs(
        &self,
        kind: SchemaKind,
        text: &str,
        vector: Option<&[f32]>,
        limit: usize,
    ) -> Result<LegRanks, SchemaIndexError> {
        let fetched = limit.max(LEG_LIMIT);
        let lexical = self.index.lexical(kind, searched_part(text), fetched).await?;
        let dense = match vector {
            Some(vector) => Some(self.index.dense(kind, vector, fetched).await?),
            None => None,
        };
        // The number of hits that a search fuses decides what it finds.
        let fused = dense.as_ref().map(|dense| {
            let lists = [&lexical, dense].map(|hits| ranked(hits.iter().take(LEG_LIMIT).cloned().collect()));
            self.seen(fuse(&lists).into_iter().map(|(iri, _)| iri), limit)
        });
        let seen = |hits: Vec<LegHit>| self.seen(ranked(hits).into_iter(), limit);
        Ok(LegRanks { words: seen(lexical), vectors: dense.map(seen), both: fused })
    }

    fn seen(&self, iris: impl Iterator<Item = String>, limit: usize) -> RankedList {
        let is_seen = |iri: &String| self.hides.as_ref().is_none_or(|hides| !hides(iri));
        iris.filter(is_seen).take(limit).collect()
    }
}
