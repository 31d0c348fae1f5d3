//! temporary
use super::*;
/// t
#[derive(Debug, Clone)] pub struct QdrantOptions { /// c
pub collection: String }
/// t
pub struct QdrantSchemaIndex;
impl QdrantSchemaIndex {
/// t
/// # Errors
/// t
pub async fn write(_o: &QdrantOptions, _d: &[SchemaDocument], _v: Option<&[Vec<f32>]>) -> Result<(), SchemaIndexError> { Ok(()) }
/// t
/// # Errors
/// t
pub async fn open(_o: &QdrantOptions) -> Result<Self, SchemaIndexError> { Ok(Self) }
}
#[async_trait] impl SchemaIndex for QdrantSchemaIndex {
async fn lexical(&self, _k: SchemaKind, _t: &str, _l: usize) -> Result<Vec<LegHit>, SchemaIndexError> { Ok(vec![]) }
async fn dense(&self, _k: SchemaKind, _t: &[f32], _l: usize) -> Result<Vec<LegHit>, SchemaIndexError> { Ok(vec![]) }
fn has_vectors(&self) -> bool { false }
}
