//! Models of a hub (Hugging Face, or a mirror of it) as folders that [`OnnxEmbedder`](super::OnnxEmbedder) loads.
//!
//! [`Hub::look`] asks what there is and under which licence; [`Hub::fetch`] brings it into a folder that gets its name
//! when all its files are there and have the checksums that the hub told. [`fetched`] reads what is there, without a
//! network. Redirects to where hubs keep large files are followed: requests carry neither keys nor anything of a graph, and
//! what comes is compared. Uses `outgoing` of `eruca-sparql`.

mod download;
mod error;
mod known;
mod listing;
mod lock;
mod sums;

pub use download::WantedFile;
pub use error::HubError;
pub use known::{KNOWN, KnownModel};
pub use lock::{LockedFile, ModelLock};

use super::Pooling;
use super::onnx::{MODEL_FILE, TOKENIZER_FILES};
use crate::progress::Progress;
use eruca_sparql::outgoing::{
    SendError, client_builder, read, reason, send, send_for_public_file, server_name,
};
use listing::{About, Entry, Files};
use reqwest::{Client, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use sums::Sums;
use url::Url;

/// Where models are unless another place is named.
pub const HUGGING_FACE: &str = "https://huggingface.co";
/// The commit, branch or tag unless another one is named.
pub const MAIN: &str = "main";
/// Longest wait for a description, for a connection and for the next bytes of a file; for a whole file.
const TIMEOUT: Duration = Duration::from_secs(30);
const FILE_TIMEOUT: Duration = Duration::from_secs(6 * 3_600);
/// Maximum lengths of a description, of the weights and of another file, in bytes.
const MAX_DESCRIPTION: usize = 4 << 20;
const MAX_WEIGHTS: u64 = 4 << 30;
const MAX_OTHER: u64 = 64 << 20;
/// Longest part of a model's name.
const MAX_NAME_BYTES: usize = 100;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// A short name, or OWNER/NAME.
    pub name: String,
    /// A commit, branch or tag.
    pub revision: Option<String>,
    /// The file with the weights, where it is not `onnx/model.onnx` or `model.onnx`.
    pub weights: Option<String>,
}

impl Wanted {
    fn known(&self) -> Option<&'static KnownModel> {
        KNOWN.iter().find(|known| known.name == self.name || known.repository == self.name)
    }

    /// Owner and name on the hub.
    ///
    /// # Errors
    /// When it is no name of a model.
    pub fn repository(&self) -> Result<&str, HubError> {
        if let Some(known) = self.known() {
            return Ok(known.repository);
        }
        let is_part = |part: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            !part.is_empty()
                && part.len() <= MAX_NAME_BYTES
                && !part.starts_with('.')
                && part.bytes().all(is_plain)
        };
        let parts = self.name.split_once('/');
        let fits = parts.is_some_and(|(owner, name)| is_part(owner) && is_part(name));
        if fits { Ok(&self.name) } else { Err(HubError::Name { name: self.name.clone() }) }
    }

    /// The name of its folder.
    ///
    /// # Errors
    /// When it is no name of a model.
    pub fn folder_name(&self) -> Result<&str, HubError> {
        let repository = self.repository()?;
        Ok(repository.rsplit_once('/').map_or(repository, |(_, name)| name))
    }
}

/// What the hub has, before it is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// All but the checksums of the files, which are not there yet.
    pub lock: ModelLock,
    /// The files, small ones first.
    pub files: Vec<WantedFile>,
}

impl Offer {
    /// The length of all files, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// A server with models.
pub struct Hub {
    client: Client,
    base: Url,
}

impl Hub {
    /// At this address. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address is none.
    pub fn new(address: &str) -> Result<Self, HubError> {
        let wrong = || HubError::Address { address: address.to_owned() };
        let mut base = Url::parse(address).map_err(|_| wrong())?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(wrong());
        }
        base.set_path(&format!("{}/", base.path().trim_end_matches('/')));
        let client = client_builder().connect_timeout(TIMEOUT).read_timeout(TIMEOUT).build();
        Ok(Self { client: client.map_err(|_| wrong())?, base })
    }

    /// What there is of a model, and under which licence.
    ///
    /// # Errors
    /// When the hub cannot be asked, or does not have what is needed of the model.
    pub async fn look(&self, wanted: &Wanted) -> Result<Offer, HubError> {
        let repository = wanted.repository()?;
        let asked = wanted.revision.as_deref().unwrap_or(MAIN);
        let about = self.url(&["api", "models", repository, "revision", asked])?;
        let about: About = self.json(about, repository).await?;
        if !about.has_commit() {
            let reason = "its commit is none".to_owned();
            return Err(HubError::Reply { server: server(&self.base), reason });
        }
        let mut tree = self.url(&["api", "models", repository, "tree", &about.sha])?;
        tree.set_query(Some("recursive=true"));
        let entries: Vec<Entry> = self.json(tree, repository).await?;
        let files = Files::new(repository, entries);
        let weights = files.weights(wanted.weights.as_deref())?;
        let mut offered = Vec::new();
        for name in TOKENIZER_FILES {
            offered.push(self.wanted(
                repository,
                &about.sha,
                name,
                files.beside(weights, name)?,
                MAX_OTHER,
            )?);
        }
        offered.push(self.wanted(repository, &about.sha, MODEL_FILE, weights, MAX_WEIGHTS)?);
        let lock = self.described(wanted, &about, &files, weights).await?;
        Ok(Offer { lock, files: offered })
    }

    /// What the configuration must say of the model: known, or from its own files.
    async fn described(
        &self,
        wanted: &Wanted,
        about: &About,
        files: &Files,
        weights: &Entry,
    ) -> Result<ModelLock, HubError> {
        let repository = wanted.repository()?;
        let (pooling, (query_prefix, document_prefix)) = match wanted.known() {
            Some(known) => (known.pooling, (known.query_prefix.to_owned(), known.document_prefix.to_owned())),
            None => {
                let config = self.config(repository, &about.sha, files, "1_Pooling/config.json").await?;
                let prompts = "config_sentence_transformers.json";
                let prompts = self.config(repository, &about.sha, files, prompts).await?;
                let pooling = listing::pooling(repository, &config)?.unwrap_or(Pooling::Mean);
                (pooling, listing::prefixes(&prompts))
            }
        };
        Ok(ModelLock {
            hub: self.base.as_str().trim_end_matches('/').to_owned(),
            repository: repository.to_owned(),
            revision: about.sha.clone(),
            licence: about.licence(),
            weights: weights.path.clone(),
            pooling: lock::word(pooling),
            query_prefix,
            document_prefix,
            files: BTreeMap::new(),
        })
    }

    /// A small file of settings; `null` where the model has none.
    async fn config(
        &self,
        repository: &str,
        commit: &str,
        files: &Files,
        path: &str,
    ) -> Result<Value, HubError> {
        let Some(entry) = files.get(path) else { return Ok(Value::Null) };
        let url = self.url(&[repository, "resolve", commit, path])?;
        let request = self.client.get(url.clone()).timeout(TIMEOUT);
        let body = body(&url, send_for_public_file(request).await, path).await?;
        let checksum = entry.checksum();
        if !Sums::of_bytes(&body).fit(&checksum) {
            return Err(HubError::Damaged { file: path.to_owned(), expected: checksum.to_string() });
        }
        parsed(&url, &body, path)
    }

    fn wanted(
        &self,
        repository: &str,
        commit: &str,
        name: &str,
        entry: &Entry,
        most: u64,
    ) -> Result<WantedFile, HubError> {
        if entry.size > most {
            return Err(HubError::TooLarge { file: entry.path.clone(), bytes: entry.size, most });
        }
        let url = self.url(&[repository, "resolve", commit, &entry.path])?;
        Ok(WantedFile { name: name.to_owned(), bytes: entry.size, url, checksum: entry.checksum() })
    }

    /// Brings the files into a folder `target` that is not there yet. Until all are there, they are in a folder beside
    /// it, from which a later call goes on.
    ///
    /// # Errors
    /// When a file cannot be fetched or written, or is not what the hub told.
    pub async fn fetch(
        &self,
        offer: &Offer,
        target: &Path,
        progress: &dyn Progress,
    ) -> Result<ModelLock, HubError> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let partial = target.with_file_name(format!(".{name}.part"));
        std::fs::create_dir_all(&partial)
            .map_err(|reason| HubError::File { path: partial.clone(), reason })?;
        let mut lock = offer.lock.clone();
        for file in &offer.files {
            progress.begin(&file.name, Some(file.bytes));
            let sums = download::bring(&self.client, file, &partial, progress).await?;
            progress.end(&format!("{} bytes, {}", sums.bytes, file.checksum));
            let locked = LockedFile { bytes: sums.bytes, sha256: sums.sha256 };
            lock.files.insert(file.name.clone(), locked);
        }
        lock.write(&partial)?;
        std::fs::rename(&partial, target)
            .map_err(|reason| HubError::File { path: target.to_owned(), reason })?;
        Ok(lock)
    }

    /// `parts` may have slashes of their own, and a branch any other byte.
    fn url(&self, parts: &[&str]) -> Result<Url, HubError> {
        let mut url = self.base.clone();
        let segments = parts.iter().flat_map(|part| match *part {
            // A branch is one segment: `refs/pr/4` is spelt with %2F.
            part if Some(&part) == parts.get(4) && parts.first() == Some(&"api") => vec![part],
            part => part.split('/').collect(),
        });
        url.path_segments_mut()
            .map_err(|()| HubError::Address { address: self.base.to_string() })?
            .pop_if_empty()
            .extend(segments);
        Ok(url)
    }

    /// A description by the hub itself.
    async fn json<T: DeserializeOwned>(&self, url: Url, what: &str) -> Result<T, HubError> {
        let body = body(&url, send(self.client.get(url.clone()).timeout(TIMEOUT)).await, what).await?;
        parsed(&url, &body, what)
    }
}

/// The bytes of a description.
async fn body(url: &Url, sent: Result<Response, SendError>, what: &str) -> Result<Vec<u8>, HubError> {
    let server = server(url);
    let unreachable = |reason: String| HubError::Unreachable { server: server.clone(), reason };
    let response = sent.map_err(SendError::reason).map_err(unreachable)?;
    let status = response.status();
    let (body, cut) = read(response, MAX_DESCRIPTION).await.map_err(reason).map_err(unreachable)?;
    if !status.is_success() {
        return Err(HubError::Refused { server, what: what.to_owned(), status: status.as_u16() });
    }
    if cut {
        let reason = format!("what it says of {what} is longer than {MAX_DESCRIPTION} bytes");
        return Err(HubError::Reply { server, reason });
    }
    Ok(body)
}

fn parsed<T: DeserializeOwned>(url: &Url, body: &[u8], what: &str) -> Result<T, HubError> {
    let failed = |error| HubError::Reply { server: server(url), reason: format!("{what}: {error}") };
    serde_json::from_slice(body).map_err(failed)
}

/// What a folder holds, if it is this model as it was fetched; `None` if there is nothing. Reads all its files.
///
/// # Errors
/// When it holds something else, or a file has changed.
pub fn fetched(wanted: &Wanted, target: &Path) -> Result<Option<ModelLock>, HubError> {
    if !target.exists() {
        return Ok(None);
    }
    let taken = |holds: String| HubError::Taken { folder: target.to_owned(), holds };
    let Some(lock) = ModelLock::read(target)? else {
        return Err(taken("no model that this command has fetched".to_owned()));
    };
    let is_wanted = |asked: &Option<String>, is: &str| asked.as_deref().is_none_or(|asked| asked == is);
    let is_main = wanted.revision.as_deref() == Some(MAIN);
    let same = lock.repository == wanted.repository()?
        && (is_main || is_wanted(&wanted.revision, &lock.revision))
        && is_wanted(&wanted.weights, &lock.weights);
    if !same {
        let ModelLock { repository, revision, weights, .. } = &lock;
        return Err(taken(format!("{weights} of {repository} at {revision}")));
    }
    lock.check(target)?;
    Ok(Some(lock))
}

fn server(url: &Url) -> String {
    server_name(url)
}
