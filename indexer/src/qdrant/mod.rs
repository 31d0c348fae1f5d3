//! A Qdrant server: the connection, new collections that take the place of those before them, and searches that end in
//! their time. What is stored in a collection is defined by the parts that use it (`schema_index`, `lexical`).

mod collection;
mod ledger;
mod pause;
mod requests;
mod server;
#[cfg(test)]
pub(crate) mod stand_in;
mod tries;

pub use collection::NewCollection;
pub(crate) use pause::Pause;
pub(crate) use requests::Requests;
pub(crate) use server::{QdrantServer, is_missing, may_pass};
use tries::Tries;

use secrecy::SecretString;
use std::time::Duration;

/// Time in which no requests are sent to a server that has failed.
pub(crate) const PAUSE: Duration = Duration::from_secs(5);

/// Why a Qdrant server did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the Qdrant server at {url} failed: {reason}")]
pub struct QdrantFailure {
    /// The server's address.
    pub url: String,
    /// Its message, shortened and without the API key.
    pub reason: String,
}

/// The location of the collection.
#[derive(Debug, Clone)]
pub struct QdrantOptions {
    /// Address of the server's gRPC port.
    pub url: String,
    /// Key or token, if the server requires one.
    pub api_key: Option<SecretString>,
    /// The alias of the index. The collection behind it gets a new name with every build.
    pub collection: String,
    /// Timeout for connecting, and for a call.
    pub timeout: Duration,
    /// Timeout of a search: a search by names alone is better than a late answer.
    pub search_timeout: Duration,
    /// Number of shards of a new collection; `None` leaves it to the server.
    pub shard_number: Option<u32>,
    /// Number of copies of each shard; `None` leaves it to the server.
    pub replication_factor: Option<u32>,
}

/// For how many times the timeout of a search a call is made again: until a proxy has noticed that a node of a cluster is gone.
const TIMES: u32 = 3;

impl QdrantOptions {
    /// Calls that are made once.
    pub(crate) fn hasty(&self) -> Tries {
        Tries { timeout: self.search_timeout, patience: Duration::ZERO }
    }

    /// Calls that are made again for a while.
    pub(crate) fn patient(&self) -> Tries {
        Tries { timeout: self.search_timeout, patience: self.search_timeout * TIMES }
    }

    /// The alias of the vectors of passages. No dataset's own alias has this sign.
    pub(crate) fn texts_alias(&self) -> String {
        format!("{}~texts", self.collection)
    }

    /// The same for the index of those from whom something is hidden.
    pub(crate) fn of_seen(&self, seal: &str) -> Self {
        Self { collection: format!("{}~{seal}", self.collection), ..self.clone() }
    }

    /// The alias of the names of entities and values.
    pub(crate) fn names_alias(&self) -> String {
        format!("{}~names", self.collection)
    }

    pub(crate) fn aliases(&self) -> [String; 3] {
        [self.collection.clone(), self.texts_alias(), self.names_alias()]
    }
}
