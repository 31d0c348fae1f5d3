//! Reports on answers: one line of JSON each, appended to a file of bounded size that only this account may read.
//!
//! No client can fill it: reports are about kept runs, a few on each, and each client has a share of the file.

use super::dto::ValidationError;
use super::error::ApiError;
use super::failing::Failing;
use super::routes::ask::is_bounded;
use crate::config::FeedbackSettings;
use crate::lines::JsonLines;
use crate::service::RunId;
use eruca_api::Correction;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

/// Maximum length of a comment and of a query in characters.
const MAX_COMMENT_CHARS: usize = 2_000;
const MAX_QUERY_CHARS: usize = 20_000;

/// Maximum number of reports on one run.
const MOST_EACH: usize = 3;
/// Number of recent reports whose runs are remembered.
const REMEMBERED: usize = 10_000;
/// One client may fill one in this many parts of the file per day.
const SHARES: u64 = 20;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Unit in which shares are counted, in bytes.
const UNIT: usize = 1 << 10;
/// Minimum share in units: one long report fits.
const SMALLEST: u32 = 64;

/// A report on an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Feedback)]
pub(super) struct ReportDto {
    /// The run that is reported on.
    run: String,
    /// Whether the answer is right.
    good: bool,
    /// The reader's comment, at most 2,000 characters.
    #[serde(default)]
    comment: Option<String>,
    /// The query that would have been right; one that cannot be run is refused. Of a wrong answer it becomes a proposal for a verified question.
    #[serde(default)]
    query: Option<String>,
    /// What words of the question mean that were misread. It becomes a proposal for the glossary.
    #[serde(default)]
    correction: Option<Correction>,
}

/// What a report proposes.
pub(super) enum Proposing<'a> {
    /// What words mean.
    Words(&'a Correction),
    /// The right query.
    Query(&'a str),
}

/// A line of the report file.
#[derive(Serialize)]
struct FeedbackLine<'a> {
    time: String,
    run: &'a str,
    good: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<&'a Correction>,
}

/// The report file.
pub(super) struct Feedback {
    file: Mutex<File>,
    max_bytes: u64,
    /// The remaining share of each client, in units.
    shares: DefaultKeyedRateLimiter<String>,
    /// The runs of the most recent reports.
    reported: Mutex<VecDeque<RunId>>,
    failing: Failing,
}

impl Feedback {
    /// Opens the file, or creates it, if one is configured.
    ///
    /// # Errors
    /// When it cannot be written, or is not a regular file of this account.
    pub(super) fn open(settings: &FeedbackSettings) -> io::Result<Option<Arc<Self>>> {
        let FeedbackSettings { file: Some(file), max_bytes, .. } = settings else { return Ok(None) };
        let opened = open(file).map_err(|error| {
            let text = format!("the file of reports '{}': {error}; check [feedback] file", file.display());
            io::Error::new(error.kind(), text)
        })?;
        Ok(Some(Arc::new(Self {
            file: Mutex::new(opened),
            max_bytes: *max_bytes,
            shares: RateLimiter::keyed(share(*max_bytes)),
            reported: Mutex::default(),
            failing: Failing::default(),
        })))
    }

    /// Why the last report could not be written, if writing failed.
    pub(super) fn failing(&self) -> Option<String> {
        self.failing.reason()
    }

    /// Appends a client's report, on a thread that may block on the disk.
    ///
    /// # Errors
    /// When the report is not well-formed, there are too many on the run, the client has used up its share, or the file is
    /// full or cannot be written.
    pub(super) async fn write(self: &Arc<Self>, report: &ReportDto, client: String) -> Result<(), ApiError> {
        let (run, line) = (report.check()?, line(report)?);
        if self.reported().iter().filter(|reported| **reported == run).count() >= MOST_EACH {
            return Err(ApiError::ReportedOften);
        }
        self.take_share(&client, line.len())?;
        self.remember(run);
        let feedback = self.clone();
        let written =
            tokio::task::spawn_blocking(move || feedback.failing.record(feedback.append(&line))).await;
        match written {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(ApiError::FeedbackFull),
            Ok(Err(error)) => {
                tracing::error!(%error, "a report on an answer cannot be written");
                Err(ApiError::FeedbackFull)
            }
            Err(error) => Err(crate::service::ServiceError::Internal(error.to_string()).into()),
        }
    }

    fn take_share(&self, client: &String, bytes: usize) -> Result<(), ApiError> {
        let units =
            u32::try_from(bytes.div_ceil(UNIT)).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX);
        self.shares.retain_recent();
        match self.shares.check_key_n(client, units) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(early)) => Err(ApiError::TooManyReports {
                retry_after: early.wait_time_from(DefaultClock::default().now()),
            }),
            Err(_more_than_a_share) => Err(ApiError::TooManyReports { retry_after: DAY }),
        }
    }

    fn remember(&self, run: RunId) {
        let mut reported = self.reported();
        reported.push_back(run);
        if reported.len() > REMEMBERED {
            reported.pop_front();
        }
    }

    fn reported(&self) -> std::sync::MutexGuard<'_, VecDeque<RunId>> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a line; returns whether there was room for it.
    fn append(&self, line: &[u8]) -> io::Result<bool> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.metadata()?.len().saturating_add(line.len() as u64) > self.max_bytes {
            return Ok(false);
        }
        file.write_all(line)?;
        Ok(true)
    }
}

/// How much a client may write at once, and per day.
fn share(max_bytes: u64) -> Quota {
    let units = u32::try_from(max_bytes / SHARES / UNIT as u64).unwrap_or(u32::MAX).max(SMALLEST);
    let units = NonZeroU32::new(units).unwrap_or(NonZeroU32::MIN);
    Quota::with_period(DAY / units.get()).unwrap_or(Quota::per_minute(units)).allow_burst(units)
}

/// Opens the file for appending; a new one is readable for this account only.
fn open(path: &Path) -> io::Result<File> {
    match std::fs::symlink_metadata(path) {
        Ok(data) if !data.is_file() => return Err(io::Error::other("no regular file is there")),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    // An existing file may have been readable for other accounts.
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

impl ReportDto {
    /// The id of the run, as received.
    pub(super) fn run(&self) -> &str {
        &self.run
    }

    /// The query, if there is one.
    pub(super) fn query(&self) -> Option<&str> {
        self.query.as_deref().filter(|query| !query.trim().is_empty())
    }

    /// What is proposed: what words mean, or the query of a question that was answered wrongly.
    pub(super) fn proposes(&self) -> Option<Proposing<'_>> {
        let query = self.query().filter(|_| !self.good);
        self.correction.as_ref().map(Proposing::Words).or(query.map(Proposing::Query))
    }

    /// The id of the run that the report is about.
    ///
    /// # Errors
    /// Everything that is wrong with the report.
    pub(super) fn check(&self) -> Result<RunId, ApiError> {
        let Self { run, good: _, comment, query, correction } = self;
        let (id, mut errors) = (RunId::parse(run), Vec::new());
        if id.is_none() {
            errors.push(ValidationError::of_body(&["run"], "is not the name of a run", "value_error"));
        }
        for (field, text, max) in [("comment", comment, MAX_COMMENT_CHARS), ("query", query, MAX_QUERY_CHARS)]
        {
            if text.as_ref().is_some_and(|text| text.chars().count() > max) {
                let message = format!("String should have at most {max} characters");
                errors.push(ValidationError::of_body(&[field], &message, "string_too_long"));
            }
        }
        if correction.as_ref().is_some_and(|one| !is_bounded(one)) {
            errors.push(ValidationError::of_body(&["correction"], "is too long", "string_too_long"));
        }
        id.filter(|_| errors.is_empty()).ok_or(ApiError::Parameters(errors))
    }
}

/// The line of a report, without unescaped line breaks.
fn line(report: &ReportDto) -> Result<Vec<u8>, ApiError> {
    let ReportDto { run, good, comment, query, correction } = report;
    let time = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
    let comment = comment.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let line = FeedbackLine {
        time,
        run,
        good: *good,
        comment,
        query: query.as_deref(),
        correction: correction.as_ref(),
    };
    written(&line).map_err(|error| crate::service::ServiceError::Internal(error.to_string()).into())
}

fn written(line: &FeedbackLine<'_>) -> io::Result<Vec<u8>> {
    let mut json = serde_json::to_vec(line)?;
    json.push(b'\n');
    let mut bytes = Vec::with_capacity(json.len());
    JsonLines(&mut bytes).write_all(&json)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(comment: &str) -> ReportDto {
        ReportDto {
            run: "0".repeat(32),
            good: true,
            comment: Some(comment.to_owned()),
            query: None,
            correction: None,
        }
    }

    fn opened(max_bytes: u64) -> (tempfile::TempDir, Arc<Feedback>) {
        let folder = tempfile::tempdir().unwrap();
        let file = Some(folder.path().join("feedback.jsonl"));
        (
            folder,
            Feedback::open(&FeedbackSettings { file, max_bytes, proposals: false, proposals_folder: None })
                .unwrap()
                .unwrap(),
        )
    }

    fn client() -> String {
        "192.0.2.1".to_owned()
    }

    fn on_another_run(number: usize) -> ReportDto {
        ReportDto { run: format!("{number:032x}"), ..report(&"x".repeat(MAX_COMMENT_CHARS)) }
    }

    #[tokio::test]
    async fn a_run_is_reported_on_a_few_times() {
        let (_folder, feedback) = opened(100_000);
        for _ in 0..MOST_EACH {
            feedback.write(&report("good"), client()).await.unwrap();
        }
        let more = feedback.write(&report("good"), "192.0.2.2".to_owned()).await;
        assert!(matches!(more, Err(ApiError::ReportedOften)));
        feedback.write(&on_another_run(1), client()).await.unwrap();
    }

    #[tokio::test]
    async fn a_client_fills_its_share_and_others_can_still_report() {
        let (folder, feedback) = opened(1 << 20);
        let mut taken = 0;
        let refused = loop {
            match feedback.write(&on_another_run(taken), client()).await {
                Ok(()) => taken += 1,
                Err(refused) => break refused,
            }
            assert!(taken < 500);
        };
        assert!(matches!(refused, ApiError::TooManyReports { retry_after } if retry_after <= DAY));
        let size = std::fs::metadata(folder.path().join("feedback.jsonl")).unwrap().len();
        assert!(size < (1 << 20) / 10, "{size}");
        feedback.write(&on_another_run(taken), "192.0.2.2".to_owned()).await.unwrap();
    }

    #[tokio::test]
    async fn each_report_is_one_line_whatever_it_says() {
        let (folder, feedback) = opened(10_000);
        let hostile = "a\nb\u{2028}c\u{202e}d\u{1b}[31m\"}{";
        feedback.write(&report(hostile), client()).await.unwrap();
        feedback.write(&report("  "), client()).await.unwrap();
        let text = std::fs::read_to_string(folder.path().join("feedback.jsonl")).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(lines[0]["comment"], hostile);
        assert!(lines[1].get("comment").is_none());
        assert!(!text.contains(['\u{2028}', '\u{202e}', '\u{1b}']), "{text:?}");
    }

    #[tokio::test]
    async fn the_file_grows_to_its_limit_and_is_not_cut() {
        let (folder, feedback) = opened(200);
        feedback.write(&report("good"), client()).await.unwrap();
        let long = feedback.write(&report(&"x".repeat(150)), client()).await;
        assert!(matches!(long, Err(ApiError::FeedbackFull)));
        assert_eq!(std::fs::read_to_string(folder.path().join("feedback.jsonl")).unwrap().lines().count(), 1);
    }

    #[tokio::test]
    async fn what_is_wrong_is_told() {
        let (_folder, feedback) = opened(100_000);
        let wrong = ReportDto { run: "../x".to_owned(), ..report(&"x".repeat(2_001)) };
        let Err(ApiError::Parameters(errors)) = feedback.write(&wrong, client()).await else {
            panic!("it was taken")
        };
        let fields: Vec<_> = errors.iter().map(|error| error.loc.join(".")).collect();
        assert_eq!(fields, ["body.run", "body.comment"]);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_the_file_and_no_link_is_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("f"), folder.path().join("l"));
        std::fs::write(&file, "").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
        open(&file).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        symlink(&file, &link).unwrap();
        assert!(open(&link).is_err());
    }
}
