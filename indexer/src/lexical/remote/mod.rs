//! Names of entities and values in a Qdrant server, for graphs that are more than one machine should hold: written by a build,
//! searched by the rules of an index in a folder. Uses `qdrant` and the rest of `lexical`.
//!
//! One collection has both parts, each with two sparse vectors: `points` says what of. The words of the names are points of their
//! own, with their number of documents: the server's dictionary, in which misspelt words and completions are found. What is
//! stored is defined in `keys` and `points`; `upload` and `writer` write it (`word_files` has the words of a share of a
//! graph), `asked` and `words` ask for it, `search` and
//! `complete` have the order of a search. While the server fails, a search fails.

mod asked;
mod bridge;
mod complete;
mod keys;
mod part;
mod points;
mod pool;
mod search;
#[cfg(test)]
mod tests;
mod upload;
mod weights;
mod word_files;
mod words;
mod writer;

pub use part::Part;
pub(crate) use upload::NamesUpload;
pub(crate) use word_files::WordFiles;
pub(crate) use writer::RemoteNamesWriter;

use super::LexicalError;
use super::words::Words;
use crate::qdrant::{Pause, QdrantFailure, QdrantOptions, QdrantServer, Requests, is_missing};
use asked::NameServer;
use bridge::Bridge;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use words::WordServer;

/// How long a server that has failed all the time gets no calls: as long as it gets none, questions that need names fail.
pub const NAMES_PAUSE: Duration = Duration::from_secs(1);

/// A server with the names of a build, open for searching. Cheap to clone.
#[derive(Clone)]
pub(crate) struct OpenNames(Arc<NameServer>);

impl OpenNames {
    /// Opens the names in a collection, or if that is gone, in the one that the alias points to.
    ///
    /// # Errors
    /// When the server does not answer or has neither.
    pub(crate) async fn open(options: &QdrantOptions, collection: &str) -> Result<Self, QdrantFailure> {
        let (server, alias) = (QdrantServer::connect(options)?, options.names_alias());
        let mut known = server.collection(collection).await;
        if known.as_ref().is_err_and(is_missing) {
            known = server.collection(&alias).await;
            if known.is_ok() {
                tracing::warn!(
                    collection,
                    alias,
                    "the names' own collection is gone; those of another build are used"
                );
            }
        }
        match known {
            Ok(_) => Self::new(server, options, collection.to_owned()),
            Err(error) if is_missing(&error) => {
                Err(server.error(&format!("it has no collection '{collection}'; run `eruca index`")))
            }
            Err(error) => Err(server.failed(&error)),
        }
    }

    fn new(server: QdrantServer, options: &QdrantOptions, collection: String) -> Result<Self, QdrantFailure> {
        let bridge =
            Bridge::start().map_err(|error| server.error(&format!("no thread for its calls: {error}")))?;
        let requests = Requests {
            server,
            collection,
            alias: Some(options.names_alias()),
            tries: options.patient(),
            pause: Pause::of(NAMES_PAUSE),
            meanwhile: "names cannot be searched",
        };
        Ok(Self(Arc::new(NameServer::new(bridge, requests))))
    }

    /// The names of a part, which has so many documents.
    pub(crate) fn part(&self, part: Part, documents: u64) -> RemoteNames {
        RemoteNames { server: Arc::clone(&self.0), words: WordServer::new(part), part, documents }
    }

    /// Whether the server answers and has the collection.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) async fn check(&self) -> Result<(), QdrantFailure> {
        self.0.check().await
    }
}

/// The names of entities or of values in a server.
pub(crate) struct RemoteNames {
    server: Arc<NameServer>,
    words: WordServer,
    part: Part,
    documents: u64,
}

impl RemoteNames {
    /// Number of documents.
    pub(crate) fn len(&self) -> u64 {
        self.documents
    }

    /// Whether a name contains exactly this normalized word; none does while the server fails.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let fetched = self.words.fetch(&self.server, std::iter::once(word));
        fetched.is_ok_and(|words| words.documents(word) > 0)
    }

    /// The record of the document with this id.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) fn get<P: DeserializeOwned>(&self, id: &str) -> Result<Option<P>, LexicalError> {
        let record = self.server.record(self.part, id)?;
        Ok(record.map(|record| serde_json::from_str(&record)).transpose()?)
    }
}
