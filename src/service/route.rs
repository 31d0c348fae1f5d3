//! Which graph a question is about, where the asker leaves it open: the one that has names for most of its words. Looks
//! names up in the indexes; runs no query and asks no model.

use super::ask::Ask;
use super::parse::parse_for;
use super::types::ServiceError;
use super::{QuestionTime, Service};
use eruca_dataset::Dataset;
use eruca_planner::{AllowedTime, coverage, link};
use std::sync::Arc;
use std::time::Instant;

/// The name by which all datasets are meant.
pub const AUTO: &str = "auto";
/// Datasets named in the note about a choice.
const MAX_TOLD: usize = 5;
/// Part of the time for a question that a choice may take.
const SHARE: u32 = 4;

/// A dataset with how much of a question it has names for.
pub(super) struct Scored {
    pub(super) dataset: Arc<Dataset>,
    /// From 0 to 1.
    pub(super) score: f32,
}

impl Service {
    /// Whether a name leaves the dataset open: `auto`, where none is called so.
    pub fn is_open_choice(&self, name: &str) -> bool {
        name == AUTO && matches!(self.find(name), Err(ServiceError::UnknownDataset { .. }))
    }

    /// The datasets that a question may be about: the named one, or all that are open.
    ///
    /// # Errors
    /// If the named one is unknown or not open, or if none is open.
    pub(super) fn targets(&self, name: &str) -> Result<Vec<Arc<Dataset>>, ServiceError> {
        match self.find(name) {
            Err(ServiceError::UnknownDataset { asked, known }) if asked == AUTO => {
                let open: Vec<_> = known.iter().filter_map(|id| self.dataset(id)).collect();
                if open.is_empty() { Err(ServiceError::UnknownDataset { asked, known }) } else { Ok(open) }
            }
            found => found.map(|dataset| vec![dataset]),
        }
    }

    /// The dataset that has names for most of a question, with all in the order of their scores. Datasets that could not
    /// be searched in time come last.
    pub(super) async fn routed(
        &self,
        datasets: &[Arc<Dataset>],
        ask: &Ask,
        time: QuestionTime,
    ) -> Vec<Scored> {
        let until = Instant::now() + time.allowed / SHARE;
        let mut scored = Vec::with_capacity(datasets.len());
        for dataset in datasets {
            let (owned, ask) = (dataset.clone(), ask.clone());
            let work = self.cpu_pool.at_length(move |turns| {
                let parsed = parse_for(&owned, &ask, &with_context(&ask));
                let named = link(&owned.index, &parsed, Some(AllowedTime::new(until, turns)));
                named.map(|named| coverage(&owned.index, &parsed, &named)).unwrap_or_default()
            });
            let left = until.saturating_duration_since(Instant::now());
            let score = tokio::time::timeout(left, work).await.unwrap_or_default();
            scored.push(Scored { dataset: dataset.clone(), score });
        }
        // The first of equals is the one that is configured first.
        scored.sort_by(|one, other| other.score.total_cmp(&one.score));
        scored
    }
}

/// A follow-up is about what the last question was about.
fn with_context(ask: &Ask) -> String {
    match ask.history.last() {
        Some(last) => format!("{} {}", last.question, ask.question.text),
        None => ask.question.text.clone(),
    }
}

/// The choice with the best scores, for the trace.
pub(super) fn told(scored: &[Scored]) -> String {
    let one = |Scored { dataset, score }: &Scored| format!("{} {score:.2}", dataset.id);
    let shown: Vec<String> = scored.iter().take(MAX_TOLD).map(one).collect();
    let more = scored.len().saturating_sub(MAX_TOLD);
    let more = if more > 0 { format!(" and {more} others") } else { String::new() };
    let chosen = scored.first().map_or("", |best| best.dataset.id.as_str());
    format!(
        "the dataset is {chosen}; share of the question that each has names for: {}{more}",
        shown.join(", ")
    )
}
