//! The connection to a Qdrant server, with short error messages: the client's own contain dumps of
//! gRPC metadata and Rust structures, and may repeat the API key.

use super::tries::{Failed, Tries};
use super::{QdrantFailure, QdrantOptions};
use qdrant_client::qdrant::GetCollectionInfoResponse;
use qdrant_client::{Qdrant, QdrantError};
use secrecy::{ExposeSecret, SecretString};
use std::error::Error;
use std::time::Duration;
use tonic::{Code, Status};

const MAX_REASON_CHARS: usize = 200;

/// A client, and what is needed to describe its errors.
pub(crate) struct QdrantServer {
    pub(crate) client: Qdrant,
    url: String,
    api_key: Option<SecretString>,
    timeout: Duration,
    tries: Tries,
}

impl QdrantServer {
    /// Prepares the client; a connection is made with the first call.
    pub(crate) fn connect(options: &QdrantOptions) -> Result<Self, QdrantFailure> {
        let refuse = |reason: &str| QdrantFailure { url: options.url.clone(), reason: reason.to_owned() };
        if !["http://", "https://"].iter().any(|scheme| options.url.starts_with(scheme)) {
            return Err(refuse("the address must begin with http:// or https://"));
        }
        let client = Qdrant::from_url(&options.url)
            .api_key(options.api_key.as_ref().map(|key| key.expose_secret().to_owned()))
            .timeout(options.timeout)
            .connect_timeout(options.timeout)
            // The check prints to standard output and blocks the thread.
            .skip_compatibility_check()
            .build()
            .map_err(|_| refuse("the address is not a valid URL"))?;
        Ok(Self {
            client,
            url: options.url.clone(),
            api_key: options.api_key.clone(),
            timeout: options.timeout,
            tries: options.patient(),
        })
    }

    /// What the server has of a collection, which is looked for until the server has had time to start.
    pub(crate) async fn collection(&self, name: &str) -> Result<GetCollectionInfoResponse, QdrantError> {
        match self.tries.make(|| self.client.collection_info(name)).await {
            Ok(known) => Ok(known),
            Err(Failed::Error(error)) => Err(error),
            // Once more, with the longer timeout of the client.
            Err(Failed::Late) => self.client.collection_info(name).await,
        }
    }

    /// The error of a failed call.
    pub(crate) fn failed(&self, error: &QdrantError) -> QdrantFailure {
        match status(error) {
            Some(status) => self.error(&self.reason(status)),
            None => self.error(&error.to_string()),
        }
    }

    /// The error of a call that was abandoned after `waited`.
    pub(crate) fn late(&self, waited: Duration) -> QdrantFailure {
        self.error(&no_answer(waited))
    }

    /// An error with this reason, shortened and without the API key.
    pub(crate) fn error(&self, reason: &str) -> QdrantFailure {
        let key = self.api_key.as_ref().map(ExposeSecret::expose_secret).filter(|key| !key.is_empty());
        let safe = key.map_or_else(|| reason.to_owned(), |key| reason.replace(key, "***"));
        let line = safe.lines().next().unwrap_or_default();
        QdrantFailure { url: self.url.clone(), reason: line.chars().take(MAX_REASON_CHARS).collect() }
    }

    fn reason(&self, status: &Status) -> String {
        let message = status.message();
        if message.contains("Timeout expired") || status.code() == Code::DeadlineExceeded {
            return no_answer(self.timeout);
        }
        if message.starts_with("Failed to connect") {
            let cause = ["message: \"", "error: \""].iter().find_map(|mark| quoted(message, mark));
            return self.unreachable(cause.unwrap_or("no connection"));
        }
        if let Some(cause) = innermost(status) {
            return self.unreachable(&cause);
        }
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => {
                format!("access denied; check the API key ({message})")
            }
            Code::Unimplemented => format!("it does not know this call; is it an old version? ({message})"),
            _ if message.is_empty() => status.code().to_string(),
            _ => message.to_owned(),
        }
    }

    fn unreachable(&self, cause: &str) -> String {
        let rest_port = self.url.trim_end_matches('/').ends_with(":6333");
        let hint = if rest_port { "; gRPC is needed, its port is usually 6334" } else { "" };
        format!("it cannot be reached: {cause}{hint}")
    }
}

fn no_answer(waited: Duration) -> String {
    format!("no answer within {} s", waited.as_secs_f32())
}

/// Whether the collection does not exist on the server.
pub(crate) fn is_missing(error: &QdrantError) -> bool {
    status(error).is_some_and(|status| status.code() == Code::NotFound)
}

/// Whether the same call may succeed a moment later, at the same node or at another.
pub(crate) fn may_pass(error: &QdrantError) -> bool {
    let lasting = [
        Code::NotFound,
        Code::InvalidArgument,
        Code::Unauthenticated,
        Code::PermissionDenied,
        Code::Unimplemented,
        Code::AlreadyExists,
    ];
    status(error).is_none_or(|status| !lasting.contains(&status.code()))
}

fn status(error: &QdrantError) -> Option<&Status> {
    match error {
        QdrantError::ResponseError { status } | QdrantError::ResourceExhaustedError { status, .. } => {
            Some(status)
        }
        _ => None,
    }
}

/// The quoted text after `mark`: the system's own message inside a dump of Rust structures.
fn quoted<'a>(message: &'a str, mark: &str) -> Option<&'a str> {
    message.split_once(mark)?.1.split('"').next()
}

/// The cause of a transport error; `None` if the status came from the server.
fn innermost(status: &Status) -> Option<String> {
    let mut cause = status.source()?;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Some(cause.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> QdrantServer {
        let options = QdrantOptions {
            url: url.to_owned(),
            api_key: Some("s3cret".into()),
            collection: "eruca-test".to_owned(),
            timeout: Duration::from_secs(5),
            search_timeout: Duration::from_secs(5),
            shard_number: None,
            replication_factor: None,
        };
        QdrantServer::connect(&options).unwrap()
    }

    fn told(url: &str, status: Status) -> String {
        server(url).failed(&QdrantError::from(status)).to_string()
    }

    #[test]
    fn dumps_of_the_client_become_short_reasons() {
        let dump = "Failed to connect to http://q:6333/: tonic::transport::Error(Transport, ConnectError(\
            ConnectError(\"tcp connect error\", 127.0.0.1:6333, Os { code: 111, kind: ConnectionRefused, \
            message: \"Connection refused\" })))";
        assert_eq!(
            told("http://q:6333", Status::internal(dump)),
            "the Qdrant server at http://q:6333 failed: it cannot be reached: Connection refused; gRPC is \
             needed, its port is usually 6334"
        );
        assert_eq!(
            told("http://q:6334", Status::cancelled("Timeout expired")),
            "the Qdrant server at http://q:6334 failed: no answer within 5 s"
        );
    }

    #[test]
    fn the_api_key_is_never_repeated() {
        let error = told("http://q:6334", Status::invalid_argument("Malformed API key or token: s3cret"));
        assert!(error.ends_with("failed: Malformed API key or token: ***"), "{error}");
    }

    #[test]
    fn long_and_many_lined_messages_are_cut() {
        let error = server("http://q:6334").error(&format!("{}\nsecond line", "x".repeat(500)));
        assert_eq!(error.to_string().matches('x').count(), MAX_REASON_CHARS);
        assert!(!error.to_string().contains("second"));
    }

    #[test]
    fn addresses_without_a_scheme_are_refused() {
        let mut options = QdrantOptions {
            url: "localhost:6334".to_owned(),
            api_key: None,
            collection: "eruca-test".to_owned(),
            timeout: Duration::from_secs(1),
            search_timeout: Duration::from_secs(1),
            shard_number: None,
            replication_factor: None,
        };
        let error = QdrantServer::connect(&options).err().unwrap().to_string();
        assert!(error.contains("must begin with http://"), "{error}");
        options.url = "http://not a host".to_owned();
        let error = QdrantServer::connect(&options).err().unwrap().to_string();
        assert!(error.contains("not a valid URL"), "{error}");
    }
}
