//! The contexts that JSON-LD files refer to by IRI. Nothing is fetched while a file is read: a context is taken from the
//! file's own folder, or the file is refused with advice.

use super::SourceError;
use oxrdfio::{JsonLdProfileSet, LoadedDocument, RdfFormat};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// The longest context that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Replaces a missing context: the parser needs one, and its output is not used then.
const NOTHING: &[u8] = br#"{"@context":{}}"#;

/// The contexts of one file.
#[derive(Debug, Clone)]
pub(super) struct Contexts {
    file: PathBuf,
    /// The first that is missing, and why.
    missing: Arc<Mutex<Option<(String, String)>>>,
}

impl Contexts {
    pub(super) fn of(file: &Path) -> Self {
        Self { file: file.to_owned(), missing: Arc::default() }
    }

    /// Gives the parser a context.
    pub(super) fn load(&self, address: &str) -> LoadedDocument {
        let content = self.content(address).unwrap_or_else(|reason| {
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.get_or_insert((address.to_owned(), reason));
            NOTHING.to_vec()
        });
        let format = RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() };
        LoadedDocument { url: address.to_owned(), content, format }
    }

    /// Fails when a context is missing: names without it mean nothing, and would be lost without a word.
    pub(super) fn check(&self) -> Result<(), SourceError> {
        match self.missing.lock().unwrap_or_else(PoisonError::into_inner).take() {
            None => Ok(()),
            Some((context, reason)) => Err(SourceError::Context { path: self.file.clone(), context, reason }),
        }
    }

    fn content(&self, address: &str) -> Result<Vec<u8>, String> {
        let local = Url::parse(address).ok().filter(|url| url.scheme() == "file");
        let path = local.and_then(|url| url.to_file_path().ok());
        let path = path.ok_or("contexts are not fetched from elsewhere")?;
        let unreadable = |error: std::io::Error| format!("it cannot be read: {error}");
        let found = path.canonicalize().map_err(unreadable)?;
        let own = std::path::absolute(&self.file).and_then(|file| file.canonicalize()).map_err(unreadable)?;
        if !own.parent().is_some_and(|folder| found.starts_with(folder)) {
            return Err("it is not in the file's folder".to_owned());
        }
        let mut content = Vec::new();
        File::open(found)
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut content))
            .map_err(unreadable)?;
        Ok(content)
    }
}
