//! Checks whether the open index of a dataset is intact and still the one that a restart would open.

use super::ServiceError;
use eruca_dataset::Dataset;
use eruca_indexer::Outdated;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// How long a question waits for the file check; results that arrive later benefit the next question.
const LOOK_TIME: Duration = Duration::from_secs(2);

/// Checks the files on a blocking thread.
///
/// # Errors
/// If they are damaged, because results from them cannot be trusted.
pub(super) async fn check_index(dataset: &Arc<Dataset>) -> Result<(), ServiceError> {
    check_own_index(dataset).await?;
    for member in dataset.other_members() {
        check_own_index(member).await?;
    }
    Ok(())
}

async fn check_own_index(dataset: &Arc<Dataset>) -> Result<(), ServiceError> {
    let looked_at = Arc::clone(dataset);
    let look = tokio::task::spawn_blocking(move || looked_at.index.examine());
    let _in_time = tokio::time::timeout(LOOK_TIME, look).await;
    match dataset.index.damage() {
        Some(reason) => Err(ServiceError::IndexDamaged {
            dataset: dataset.id.clone(),
            reason: reason.to_owned(),
            command: dataset.index.build_command.clone(),
        }),
        None => Ok(()),
    }
}

/// Checks again after a question, but only if a search has failed or damage was found meanwhile.
pub(super) async fn confirm_index(dataset: &Arc<Dataset>) -> Result<(), ServiceError> {
    let is_doubtful = |dataset: &Dataset| dataset.index.is_alarmed() || dataset.index.damage().is_some();
    if is_doubtful(dataset) || dataset.other_members().any(|member| is_doubtful(member)) {
        check_index(dataset).await?;
    }
    Ok(())
}

/// The message about an index that was replaced or removed since it was opened. `failure` is the reason why it could
/// not be reloaded.
pub(super) fn outdated(dataset: &Dataset, failure: Option<String>) -> Option<String> {
    let Dataset { id, index, .. } = dataset;
    let Some(outdated) = index.outdated() else {
        let reason = failure?;
        return Some(format!(
            "dataset '{id}' was changed, and cannot be opened, so that the former one answers: {reason}"
        ));
    };
    Some(match outdated {
        Outdated::Newer { built_at, .. } => {
            let at = built_at.and_then(time_of).map(|time| format!(" at {time}")).unwrap_or_default();
            let newer = format!("a newer index of dataset '{id}' was built{at}");
            match failure {
                Some(reason) => {
                    format!("{newer}, and cannot be opened, so that the old one answers: {reason}")
                }
                None => format!("{newer}; it is used once it is opened"),
            }
        }
        Outdated::Gone => format!(
            "the index folder of dataset '{id}' is gone or incomplete; answers still come from the opened copy, \
             a restart needs a new one: {}",
            index.build_command
        ),
    })
}

/// Formats seconds since the Unix epoch according to RFC 3339.
pub(super) fn time_of(seconds: u64) -> Option<String> {
    let time = OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()?;
    time.format(&Rfc3339).ok()
}
