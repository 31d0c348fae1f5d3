//! The contexts that JSON-LD files refer to by IRI. Nothing is fetched while a file is read: a context is taken from the
//! file's own folder, or the file is refused with advice.

use super::measure::{Measure, Named, measure};
use crate::source::SourceError;
use oxrdfio::{JsonLdProfileSet, LoadedDocument, RdfFormat};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

/// Maximum size of a context in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Maximum length of a chain of contexts that refer to each other, the same as in the parser.
const MAX_IN_A_ROW: usize = 8;
/// Replaces a missing context: the parser needs one, but its output is then discarded.
const NOTHING: &[u8] = br#"{"@context":{}}"#;

/// The contexts of one file.
#[derive(Debug, Clone)]
pub(in crate::source) struct Contexts {
    file: PathBuf,
    /// The URL of the file itself, against which references are resolved.
    base: Option<Url>,
    /// The first missing context, and why it is missing.
    missing: Arc<Mutex<Option<(String, String)>>>,
    /// The contexts measured so far.
    measured: Arc<Mutex<HashMap<String, Result<Measure, String>>>>,
}

impl Contexts {
    pub(in crate::source) fn of(file: &Path, base: Option<&str>) -> Self {
        let base = base.and_then(|base| Url::parse(base).ok());
        Self { file: file.to_owned(), base, missing: Arc::default(), measured: Arc::default() }
    }

    /// Measures a context embedded in the file, given as its text.
    ///
    /// # Errors
    /// The limit that it exceeds, or why it is not a context.
    pub(super) fn measure(&self, text: &[u8]) -> Result<Measure, String> {
        let context =
            serde_json::from_slice(text).map_err(|error| format!("a context is no JSON: {error}"))?;
        measure(&context, &mut Within { contexts: self, base: self.base.clone(), open: Vec::new() })
    }

    /// Provides a context to the parser.
    pub(in crate::source) fn load(&self, address: &str) -> LoadedDocument {
        let within = Within { contexts: self, base: None, open: Vec::new() };
        let content = within.of(address).and_then(|_| self.content(address)).unwrap_or_else(|reason| {
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.get_or_insert((address.to_owned(), reason));
            NOTHING.to_vec()
        });
        let format = RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() };
        LoadedDocument { url: address.to_owned(), content, format }
    }

    /// Fails if a context is missing: names that depend on it would be lost silently.
    pub(in crate::source) fn check(&self) -> Result<(), SourceError> {
        match self.missing.lock().unwrap_or_else(PoisonError::into_inner).take() {
            None => Ok(()),
            Some((context, reason)) => Err(SourceError::Context { path: self.file.clone(), context, reason }),
        }
    }

    /// The value of `@context` in the document with this URL, if there is one.
    fn context(&self, address: &str) -> Option<Value> {
        let mut document: Value = serde_json::from_slice(&self.content(address).ok()?).ok()?;
        document.get_mut("@context").map(Value::take)
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

/// A context being measured, nested in others.
struct Within<'a> {
    contexts: &'a Contexts,
    /// Its own URL.
    base: Option<Url>,
    /// The URLs of the contexts that it is nested in.
    open: Vec<String>,
}

impl Within<'_> {
    fn address(&self, reference: &str) -> Option<String> {
        match &self.base {
            Some(base) => base.join(reference).ok(),
            None => Url::parse(reference).ok(),
        }
        .map(String::from)
    }

    /// The measure of the context with this URL.
    fn of(&self, address: &str) -> Result<Measure, String> {
        if self.open.iter().any(|open| open == address) {
            return Err(format!("the context '{address}' names itself, or one that does so names it"));
        }
        if self.open.len() >= MAX_IN_A_ROW {
            return Err(format!(
                "more than {MAX_IN_A_ROW} contexts name each other in a row, the last '{address}'"
            ));
        }
        let known = || self.contexts.measured.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(address) {
            return known.clone();
        }
        let open = self.open.iter().cloned().chain([address.to_owned()]).collect();
        let mut within = Within { contexts: self.contexts, base: Url::parse(address).ok(), open };
        let found = match self.contexts.context(address) {
            Some(context) => {
                measure(&context, &mut within).map(|found| Measure { steps: found.steps + 1, ..found })
            }
            None => Ok(Measure::default()),
        };
        known().insert(address.to_owned(), found.clone());
        found
    }
}

impl Named for Within<'_> {
    fn measured(&mut self, reference: &str) -> Result<Measure, String> {
        // A missing context is reported when the parser requests it.
        self.address(reference).map_or(Ok(Measure::default()), |address| self.of(&address))
    }

    fn terms(&mut self, reference: &str) -> Map<String, Value> {
        match self.address(reference).and_then(|address| self.contexts.context(&address)) {
            Some(Value::Object(terms)) => terms,
            _ => Map::new(),
        }
    }
}
