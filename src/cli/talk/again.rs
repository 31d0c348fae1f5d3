//! Commands about the last answer: all its rows, a file with them, why a row is in it.

use super::shown;
use crate::service::{AnswerPage, Run, Service, ServiceError};
use eruca_api::Rows;
use eruca_sparql::{Answer, Export, ExportFormat, ExportOptions};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Why a command cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotDone {
    /// There is no answer yet.
    #[error("there is no answer yet; ask a question first")]
    NoAnswer,
    /// The last query was not run.
    #[error("the last query did not run to its end, so there are no rows; :query shows it")]
    NoRows,
    /// No row has this number.
    #[error("{0}")]
    NoSuchRow(String),
    /// The file already exists, or cannot be written.
    #[error("cannot write '{file}': {reason}")]
    File { file: String, reason: io::Error },
    /// No dataset has this id.
    #[error("there is no dataset '{asked}'; configured: {}", known.join(", "))]
    UnknownDataset { asked: String, known: Vec<String> },
    /// A dataset cannot be opened.
    #[error(transparent)]
    Startup(#[from] crate::startup::StartupError),
    /// The service refused.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// Words do not mean anything here.
    #[error("{0}")]
    Meaning(String),
    /// Nothing was chosen by its number.
    #[error(
        "nothing was chosen yet: type the number of what is meant where you are asked, or name words: :propose WORDS"
    )]
    NothingChosen,
    /// Ctrl-C.
    #[error("ended, as you asked")]
    Interrupted,
}

/// All rows of an answer.
pub(super) async fn rows(service: &Arc<Service>, run: &Run) -> Result<String, NotDone> {
    let kept = kept(run)?;
    if kept.is_whole() {
        return Ok(shown::rows(&kept));
    }
    let (answer, query) = (all(service, run).await?, run.query_of_rows().unwrap_or_default());
    let rows = service.shown((&run.dataset, query), &run.lang, answer, (0, usize::MAX)).await?;
    Ok(shown::rows(&rows.rows()))
}

/// Writes all rows of an answer into a new file.
pub(super) async fn csv(service: &Arc<Service>, run: &Run, path: &Path) -> Result<String, NotDone> {
    let answer = all(service, run).await?;
    let rows = shown::counted_rows(answer.row_count());
    let failed = |reason| NotDone::File { file: path.display().to_string(), reason };
    // An existing file may be anything, including the graph itself.
    let file = File::create_new(path).map_err(failed)?;
    write_csv(answer, file).map_err(failed)?;
    Ok(format!("{rows} in {}\n", path.display()))
}

fn write_csv(answer: Arc<Answer>, file: File) -> io::Result<()> {
    let mut file = io::BufWriter::new(file);
    for piece in Export::new(answer, ExportFormat::Csv, ExportOptions::default())? {
        file.write_all(&piece?)?;
    }
    file.flush()
}

/// Why a row is in an answer; rows are counted from 1.
pub(super) async fn why(service: &Arc<Service>, run: &Run, row: usize) -> Result<String, NotDone> {
    let kept = kept(run)?;
    let rows = run.rows.as_ref().map_or(0, |rows| rows.row_count);
    if row > rows.max(1) {
        let message = match rows {
            0 => "the last answer has no rows".to_owned(),
            1 => "the last answer has one row".to_owned(),
            rows => format!("the last answer has the rows 1 to {rows}"),
        };
        return Err(NotDone::NoSuchRow(message));
    }
    let answer = if kept.is_whole() { kept.to_answer().into() } else { all(service, run).await? };
    let query = run.query_of_rows().unwrap_or_default();
    let asked = service.why((&run.dataset, query), &run.lang, answer, row.saturating_sub(1)).await;
    let why = asked.map_err(|error| match error {
        ServiceError::NoSuchRow { .. } => NotDone::NoSuchRow("the last answer has no rows".to_owned()),
        other => other.into(),
    })?;
    Ok(shown::why(&why))
}

/// The rows stored with an answer.
fn kept(run: &Run) -> Result<Rows, NotDone> {
    run.rows.as_ref().map(AnswerPage::rows).ok_or(NotDone::NoRows)
}

/// The whole result; the query is run again if only a part is stored.
async fn all(service: &Arc<Service>, run: &Run) -> Result<Arc<Answer>, NotDone> {
    let kept = kept(run)?;
    match &run.query {
        Some(query) if !kept.is_whole() => Ok(service.run_again(&run.dataset, query).await?),
        _ => Ok(kept.to_answer().into()),
    }
}
