//! `eruca eval --new` and `eruca check --questions`: the owner of a graph judges answers to questions made from it, and asks them again.
//!
//! ```text
//! Service::test_set ─► session (ask, show, y/n/e/c/s/q) ─► Service::judge ─► told (score, what to do next)
//!                                                       again (asked anew, compared) ─► told, exit code
//! ```

mod again;
mod correct;
mod session;
mod told;

pub use again::check;
pub use session::judge;

use super::CliError;
use super::graph::configured_or_only;
use super::progress;
use crate::config::{CacheSettings, Settings};
use crate::service::Service;
use crate::service::test_set::TestSetFailure;
use crate::startup;
use eruca_dataset::Dataset;
use std::sync::Arc;

/// Longest question and reason in a line, in characters.
const LINE_CHARS: usize = 200;

/// Why a command on test sets failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TestSetCommandError {
    /// The test set cannot be used.
    #[error(transparent)]
    TestSet(#[from] TestSetFailure),
    /// There is nothing to ask again.
    #[error("dataset '{dataset}' has no questions that were judged; `eruca eval --new` proposes some")]
    Nothing {
        /// The id of the dataset.
        dataset: String,
    },
    /// Too few answers are right.
    #[error(
        "{right} of {of} answers are right, which is less than {wanted}; the lines above say which are not"
    )]
    TooFew {
        /// Right answers.
        right: usize,
        /// All answers.
        of: usize,
        /// The share that is wanted.
        wanted: f64,
    },
}

/// A dataset whose answers are judged, with its service. Nothing comes from a cache.
async fn opened(
    dataset: Option<&str>,
    mut settings: Settings,
) -> Result<(Arc<Service>, Arc<Dataset>), CliError> {
    let id = configured_or_only(&settings, dataset)?;
    settings.cache = CacheSettings { answers: 0, results: 0, ..settings.cache };
    let service = startup::open_dataset_service(&settings, &id, progress::to_stderr().as_ref()).await?;
    let dataset = service.dataset(&id).ok_or_else(|| super::unknown_dataset(&settings, &id))?;
    Ok((service, dataset))
}
