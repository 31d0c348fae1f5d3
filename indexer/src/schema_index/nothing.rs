//! The schema index of a dataset whose names are looked up elsewhere; it finds nothing.

use super::{LegHit, SchemaIndex, SchemaIndexError, SchemaKind};
use async_trait::async_trait;

/// An index without classes and properties.
pub(crate) struct NoSchemaIndex;

#[async_trait]
impl SchemaIndex for NoSchemaIndex {
    async fn lexical(&self, _: SchemaKind, _: &str, _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        Ok(Vec::new())
    }

    async fn dense(&self, _: SchemaKind, _: &[f32], _: usize) -> Result<Vec<LegHit>, SchemaIndexError> {
        Ok(Vec::new())
    }

    fn has_vectors(&self) -> bool {
        false
    }
}
