//! One file of a hub into a folder: it goes on where an earlier attempt ended, and gets its name when its checksum is right.

use super::sums::{Checksum, Sums};
use super::{HubError, server};
use crate::progress::Progress;
use eruca_sparql::outgoing::{SendError, reason, send_for_public_file};
use reqwest::header::RANGE;
use reqwest::{Client, Response, StatusCode};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use url::Url;

/// A file that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedFile {
    /// Its name in the folder.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    pub(super) url: Url,
    pub(super) checksum: Checksum,
}

/// Brings a file into the folder, unless it is there already.
pub(super) async fn bring(
    client: &Client,
    file: &WantedFile,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Sums, HubError> {
    let (whole, part) = (folder.join(&file.name), folder.join(format!("{}.part", file.name)));
    if whole.exists() {
        let sums = sums(&whole).await?;
        if sums.fit(&file.checksum) {
            progress.advance(file.bytes);
            return Ok(sums);
        }
        remove(&whole)?;
    }
    let there = length(&part)?;
    // Longer than it may be: of another commit.
    let there = if there > file.bytes { 0 } else { there };
    if there < file.bytes || there == 0 {
        fetch(client, file, &part, there, progress).await?;
    }
    let sums = sums(&part).await?;
    if sums.bytes != file.bytes || !sums.fit(&file.checksum) {
        remove(&part)?;
        return Err(HubError::Damaged { file: file.name.clone(), expected: file.checksum.to_string() });
    }
    std::fs::rename(&part, &whole).map_err(|reason| HubError::File { path: whole, reason })?;
    Ok(sums)
}

/// Appends to what is there, where the server goes on from there; else it begins anew.
async fn fetch(
    client: &Client,
    file: &WantedFile,
    part: &Path,
    there: u64,
    progress: &dyn Progress,
) -> Result<(), HubError> {
    let mut request = client.get(file.url.clone()).timeout(super::FILE_TIMEOUT);
    if there > 0 {
        request = request.header(RANGE, format!("bytes={there}-"));
    }
    let unreachable = |reason: String| HubError::Unreachable { server: server(&file.url), reason };
    let response = send_for_public_file(request).await.map_err(SendError::reason).map_err(unreachable)?;
    let goes_on = response.status() == StatusCode::PARTIAL_CONTENT && there > 0;
    if !goes_on && response.status() != StatusCode::OK {
        let status = response.status().as_u16();
        return Err(HubError::Refused { server: server(&file.url), what: file.name.clone(), status });
    }
    let failed = |reason| HubError::File { path: part.to_owned(), reason };
    let open = OpenOptions::new().create(true).write(true).append(goes_on).truncate(!goes_on).open(part);
    let mut target = open.map_err(failed)?;
    let got = write(response, file, &mut target, if goes_on { there } else { 0 }, progress).await;
    let got = got.map_err(|error| match error {
        Ended::Wrote(reason) => failed(reason),
        Ended::Longer => {
            HubError::Damaged { file: file.name.clone(), expected: format!("{} bytes", file.bytes) }
        }
    })?;
    target.sync_all().map_err(failed)?;
    if got < file.bytes {
        return Err(HubError::Short { file: file.name.clone(), got, bytes: file.bytes });
    }
    Ok(())
}

enum Ended {
    Wrote(std::io::Error),
    Longer,
}

/// Writes what comes; how long the file is then. A broken connection is an early end, after which one can go on.
async fn write(
    mut response: Response,
    file: &WantedFile,
    target: &mut File,
    there: u64,
    progress: &dyn Progress,
) -> Result<u64, Ended> {
    let mut got = there;
    progress.advance(there);
    loop {
        let chunk = match response.chunk().await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(got),
            Err(error) => {
                tracing::debug!(reason = reason(error), "the connection ended early");
                return Ok(got);
            }
        };
        got += chunk.len() as u64;
        if got > file.bytes {
            return Err(Ended::Longer);
        }
        target.write_all(&chunk).map_err(Ended::Wrote)?;
        progress.advance(chunk.len() as u64);
    }
}

/// Read on a thread of its own, as the file may have hundreds of megabytes.
async fn sums(path: &Path) -> Result<Sums, HubError> {
    let path = path.to_owned();
    let failed = |path: PathBuf, reason| HubError::File { path, reason };
    let read = path.clone();
    let done = tokio::task::spawn_blocking(move || Sums::of(&read)).await;
    done.map_err(std::io::Error::other).and_then(|sums| sums).map_err(|reason| failed(path, reason))
}

fn length(path: &Path) -> Result<u64, HubError> {
    match std::fs::metadata(path) {
        Ok(data) => Ok(data.len()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(reason) => Err(HubError::File { path: path.to_owned(), reason }),
    }
}

fn remove(path: &Path) -> Result<(), HubError> {
    std::fs::remove_file(path).map_err(|reason| HubError::File { path: path.to_owned(), reason })
}
