//! Datasets, whether they can be asked, and what became of a wish to open one anew.

use crate::millis;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// The datasets that can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Datasets {
    /// Every dataset, in the order of the configuration.
    pub datasets: Vec<DatasetSummary>,
}

/// A dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Dataset)]
pub struct DatasetSummary {
    /// The id by which questions address it.
    pub id: String,
    /// Further ids.
    pub aliases: Vec<String>,
    /// The name for people.
    pub name: String,
    /// Where queries run: the endpoint's URL or "embedded store".
    pub endpoint: String,
    /// The endpoint's engine as it was recognised, by its name in the setting `dialect`; "plain" while it is not known.
    pub dialect: String,
    /// Triples seen when the index was built.
    pub triples: u64,
    /// Indexed entities.
    pub entities: u64,
    /// Classes, declared or used.
    pub classes: u64,
    /// Properties, declared or used.
    pub properties: u64,
    /// Languages of the labels, most frequent first.
    pub languages: Vec<String>,
    /// How classes and properties are searched.
    pub schema_search: String,
    /// How the texts beside the graph are searched, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_search: Option<String>,
}

/// The state of one part of the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Part)]
pub struct PartState {
    /// The part.
    pub part: String,
    /// Its state.
    pub state: PartHealth,
    /// Why, in words for people.
    pub detail: String,
}

/// The state of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = State)]
pub enum PartHealth {
    /// Works as configured.
    Ok,
    /// Off or replaced by something weaker; questions are answered all the same.
    Degraded,
    /// Questions that need it fail.
    Down,
}

/// Whether questions can be answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// False when at least one part is down.
    pub ready: bool,
    /// Every part with its state; absent without a key for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<PartState>>,
}

/// What became of a wish to open a dataset anew.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReloadDto)]
pub struct Reload {
    /// The dataset's id.
    pub dataset: String,
    /// Whether another index was opened; `false` when the current one was open already.
    pub reloaded: bool,
    /// Triples of the index that answers now.
    pub triples: u64,
    /// Time that the opening took, milliseconds.
    #[serde(rename = "elapsed_ms", with = "millis")]
    #[schema(value_type = f64)]
    pub elapsed: Duration,
}
