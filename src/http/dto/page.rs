//! The configuration of the web page.

use serde::Serialize;
use utoipa::ToSchema;

/// What the page needs to know about this service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PageConfig)]
pub struct PageConfigDto {
    /// Always "Eruca".
    pub name: &'static str,
    /// The version of Eruca.
    pub version: &'static str,
    /// What the page may do.
    pub pages: PageAbilitiesDto,
    /// The datasets; absent where a key is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datasets: Option<Vec<DatasetNameDto>>,
}

/// What the page may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PageAbilities)]
pub struct PageAbilitiesDto {
    /// Whether queries that a person wrote are run.
    pub queries: bool,
    /// Whether reports on answers are taken.
    pub feedback: bool,
    /// Whether corrections become proposals.
    pub proposals: bool,
    /// Whether a key is required.
    pub key: bool,
    /// Where maps come from; absent where the page draws them itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<TilesDto>,
    /// Whether there are pages of verified questions (/q).
    pub boards: bool,
    /// Whether pictures of things are loaded.
    pub pictures: bool,
}

/// Tiles of a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Tiles)]
pub struct TilesDto {
    /// Their address, with `{z}`, `{x}` and `{y}`.
    pub url: String,
    /// Who is to be named: text, not markup.
    pub attribution: String,
}

/// A dataset by its names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DatasetName)]
pub struct DatasetNameDto {
    /// The id by which questions address it.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Further ids.
    pub aliases: Vec<String>,
}
