//! The graph of a SPARQL endpoint, page by page, into a file that the index is then built from.
//!
//! ```text
//! plan (properties, counts, blank nodes) ──► scan (pages of one part) ──► spool (file, journal)
//!                  └──────── ask (one request: waits, or says that it was refused) ──┘
//! ```
//! Knows SPARQL endpoints and progress; nothing of indexes. What cannot be read in full is read in part, and
//! [`Download::notes`] names every such part.
//!
//! A part is never taken for the whole. A page counts when its line is in the journal; a property is complete when as
//! many statements have come as were counted, or a page is empty; results without an order are read in one response or
//! marked as a sample. What is missing also stands in the `notes` of the manifest. Tests: `tests`,
//! `testing/tests/endpoints/endpoint_index.rs`.

mod ask;
mod plan;
mod queries;
mod scan;
mod spool;

use crate::progress::Progress;
use ask::Asker;
use eruca_sparql::{QueryError, SparqlEndpoint};
use futures_util::stream::{FuturesUnordered, StreamExt};
use plan::GraphPart;
use scan::PartScanner;
use spool::{Position, Spool};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Shortcomings that are described one by one; further ones are counted.
const MAX_NOTES: usize = 20;

/// How an endpoint is read.
pub struct DownloadOptions<'a> {
    /// The index folder; the download is in its folder `download` until the index is built.
    pub folder: &'a Path,
    /// What distinguishes this graph from others at the same endpoint: its default graphs.
    pub graphs: &'a [String],
    /// Rows per request. Some engines sort at most 10,000.
    pub page_rows: usize,
    /// Requests at the same time.
    pub requests: usize,
    /// Time for one request.
    pub timeout: Duration,
    /// How long an endpoint that is down or limits requests is waited for before the download ends.
    pub patience: Duration,
    /// Statements taken of a property that cannot be read in full.
    pub sample_rows: u64,
    /// First pause before a failed request is made again; doubles each time.
    pub first_pause: Duration,
}

/// Forgets what an interrupted download has left in an index folder.
///
/// # Errors
/// When it cannot be removed, or a download is running.
pub fn forget_download(folder: &Path) -> Result<(), DownloadError> {
    spool::forget(folder)
}

/// A finished download.
#[derive(Debug)]
pub struct Download {
    /// The files to build the index from.
    pub files: Vec<PathBuf>,
    /// Statements in them.
    pub statements: u64,
    /// Statements that an earlier, interrupted run had downloaded.
    pub resumed: u64,
    /// What could not be had in full, for people; empty when everything is there.
    pub notes: Vec<String>,
    spool: Spool,
}

impl Download {
    /// Removes the files; for when the index is built.
    pub fn remove(self) {
        self.spool.remove();
    }
}

/// Why a graph could not be downloaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DownloadError {
    /// The endpoint cannot be used, or not any more.
    #[error(
        "{endpoint} cannot be read: {source}; {statements} statements are kept; the same command continues from there"
    )]
    Endpoint {
        /// The endpoint's name.
        endpoint: String,
        /// Statements downloaded by now.
        statements: u64,
        /// What it said.
        source: QueryError,
    },
    /// It answers no query that tells what it holds.
    #[error(
        "{endpoint} tells nothing of what it holds, neither counted nor listed nor by samples: {reason}; is this the URL of a SPARQL \
         endpoint, and does it answer SELECT queries?"
    )]
    Refused {
        /// The endpoint's name.
        endpoint: String,
        /// What it said to the last query.
        reason: String,
    },
    /// The endpoint's default graph is empty.
    #[error("{endpoint} has no triple in its default graph{}", in_graphs(.graphs))]
    Empty {
        /// The endpoint's name.
        endpoint: String,
        /// Some of the named graphs that it has.
        graphs: Vec<String>,
    },
    /// The downloaded statements cannot be written or read.
    #[error("the download in '{folder}' cannot be written: {source}")]
    Spool {
        /// The folder.
        folder: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
}

fn in_graphs(graphs: &[String]) -> String {
    match graphs {
        [] => "; check its URL, and name its graphs in default_graphs".to_owned(),
        some => format!("; name the graphs to take in default_graphs, there are: {}", some.join(", ")),
    }
}

/// Downloads the default graph of an endpoint, or what is missing of it after an interrupted run.
///
/// # Errors
/// When the endpoint stays down longer than it is waited for, is empty, or the disk refuses.
pub async fn download(
    endpoint: &dyn SparqlEndpoint,
    options: &DownloadOptions<'_>,
    progress: &dyn Progress,
) -> Result<Download, DownloadError> {
    let asker = Asker::new(endpoint, options);
    let mut spool = Spool::open(endpoint.name(), options)?;
    if !spool.is_planned() {
        progress.begin(&format!("reading what {} contains", endpoint.name()), None);
        let plan = plan::plan(&asker, options).await.map_err(|error| error.with(&asker, 0))?;
        progress.end(&format!("{} properties", plan.properties));
        spool.start(&plan)?;
    }
    let resumed = spool.statements();
    progress.begin(&format!("reading {}", endpoint.name()), spool.expected());
    progress.advance(resumed);
    let read = read(&asker, options, &mut spool, progress).await;
    read.map_err(|error| error.with(&asker, spool.statements()))?;
    spool.finish()?;
    progress.end(&summary(&spool, resumed));
    Ok(Download {
        files: vec![spool.file()],
        statements: spool.statements(),
        resumed,
        notes: bounded(spool.notes()),
        spool,
    })
}

fn summary(spool: &Spool, resumed: u64) -> String {
    let earlier = match resumed {
        0 => String::new(),
        some => format!(", {some} of them in an earlier run"),
    };
    format!("{} statements{earlier}", spool.statements())
}

fn bounded(notes: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = notes.iter().take(MAX_NOTES).cloned().collect();
    if notes.len() > MAX_NOTES {
        kept.push(format!("and {} more", notes.len() - MAX_NOTES));
    }
    kept
}

/// Why the reading stopped, before it is known what was read.
enum StoppedReading {
    Endpoint(QueryError),
    Empty(Vec<String>),
    Refused(String),
    Spool(DownloadError),
}

impl From<DownloadError> for StoppedReading {
    fn from(error: DownloadError) -> Self {
        Self::Spool(error)
    }
}

impl StoppedReading {
    fn with(self, asker: &Asker<'_>, statements: u64) -> DownloadError {
        let endpoint = asker.name().to_owned();
        match self {
            Self::Endpoint(source) => DownloadError::Endpoint { endpoint, statements, source },
            Self::Empty(graphs) => DownloadError::Empty { endpoint, graphs },
            Self::Refused(reason) => DownloadError::Refused { endpoint, reason },
            Self::Spool(error) => error,
        }
    }
}

/// Reads every part that is not finished, as many at a time as requests are allowed.
async fn read(
    asker: &Asker<'_>,
    options: &DownloadOptions<'_>,
    spool: &mut Spool,
    progress: &dyn Progress,
) -> Result<(), StoppedReading> {
    let mut waiting: VecDeque<(usize, GraphPart, Position)> = spool.unfinished().into();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < options.requests.max(1)
            && let Some((number, part, position)) = waiting.pop_front()
        {
            running.push(PartScanner::new(asker, options, number, part, position).next());
        }
        let Some((scanner, step)) = running.next().await else { return Ok(()) };
        let step = step.map_err(StoppedReading::Endpoint)?;
        progress.advance(step.rows.len() as u64);
        let more = spool.add(scanner.number(), &step)?;
        waiting.extend(more);
        if !step.done {
            running.push(scanner.next());
        }
    }
}

#[cfg(test)]
mod tests;
