//! Vectors in a Qdrant server.

use super::{Near, TextVectors, TextVectorsError, VectorQuery, best};
use crate::schema_index::{Among, QdrantPassages};
use async_trait::async_trait;

#[async_trait]
impl TextVectors for QdrantPassages {
    async fn nearest(&self, query: VectorQuery) -> Result<Vec<Near>, TextVectorsError> {
        let VectorQuery { vector, chosen, only_chosen, limit } = &query;
        if vector.is_empty() || *limit == 0 || *only_chosen && chosen.numbers.is_empty() {
            return Ok(Vec::new());
        }
        let among = Some(Among { numbers: &chosen.numbers, things: &chosen.things });
        let mut found = match (only_chosen, chosen.numbers.is_empty()) {
            (true, _) => self.nearest(vector, among, *limit).await?,
            (false, true) => self.nearest(vector, None, *limit).await?,
            // Those that are preferred may be too far for the limit of all.
            (false, false) => {
                let all = self.nearest(vector, None, *limit);
                let (all, preferred) = tokio::try_join!(all, self.nearest(vector, among, *limit))?;
                all.into_iter().filter(|(number, _)| !chosen.has(*number)).chain(preferred).collect()
            }
        };
        found.retain(|(number, _)| !only_chosen || chosen.has(*number));
        let found = found.into_iter().map(|(number, score)| (number, score + chosen.bonus(number)));
        Ok(best(found.collect(), *limit))
    }

    async fn check(&self) -> Result<(), TextVectorsError> {
        Ok(Self::check(self).await?)
    }
}
