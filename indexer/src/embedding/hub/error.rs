//! Why a model cannot be fetched from a hub, in words for the person who asked for it.

use std::path::PathBuf;

/// Why there is no model in the folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// The hub's address is none.
    #[error("'{address}' is no address of a hub; give one that begins with https://, with --hub")]
    Address {
        /// What was given.
        address: String,
    },
    /// The name is not that of a model.
    #[error(
        "'{name}' is no model: give a name that `eruca models list` shows, or OWNER/NAME as the hub has it"
    )]
    Name {
        /// What was given.
        name: String,
    },
    /// No response.
    #[error(
        "{server} cannot be asked for the model: {reason}. Where there is no network, copy the model's folder from a machine \
         that has it: one with `eruca models fetch`; --hub names a mirror"
    )]
    Unreachable {
        /// The server.
        server: String,
        /// The reason.
        reason: String,
    },
    /// A response that is an error.
    #[error("{server} does not give {what}: HTTP {status}; {}", advice(*status))]
    Refused {
        /// The server.
        server: String,
        /// What was asked for.
        what: String,
        /// The status of its response.
        status: u16,
    },
    /// A response that is not understood.
    #[error("{server} does not describe the model as a hub does: {reason}; --hub names another one")]
    Reply {
        /// The server.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The model lacks a file.
    #[error("{repository} has no {file}, which provider \"onnx\" needs; weights it has: {}", shown(weights))]
    Missing {
        /// The model.
        repository: String,
        /// The file.
        file: String,
        /// Files that end in `.onnx`.
        weights: Vec<String>,
    },
    /// The weights are in several files.
    #[error(
        "{repository} keeps the numbers of {file} in a second file, which Eruca does not read; name other weights with \
         --weights: {}",
        shown(weights)
    )]
    SeveralFiles {
        /// The model.
        repository: String,
        /// Its weights.
        file: String,
        /// Files that end in `.onnx`.
        weights: Vec<String>,
    },
    /// A way of pooling that is not offered.
    #[error(
        "{repository} makes one vector of many by '{pooling}'; Eruca knows mean and cls: choose another model"
    )]
    Pooling {
        /// The model.
        repository: String,
        /// Its way.
        pooling: String,
    },
    /// More bytes than are taken.
    #[error(
        "{file} has {bytes} bytes; at most {most} are fetched: choose a smaller model, or other weights with --weights"
    )]
    TooLarge {
        /// The file.
        file: String,
        /// Its length.
        bytes: u64,
        /// The limit.
        most: u64,
    },
    /// Other bytes than the hub told of.
    #[error(
        "{file} came with other bytes than the hub tells ({expected}); it is not kept: fetch the model again"
    )]
    Damaged {
        /// The file.
        file: String,
        /// The checksum or length that it should have.
        expected: String,
    },
    /// The connection ended too early.
    #[error("{file} ended after {got} of {bytes} bytes; the same command goes on from there")]
    Short {
        /// The file.
        file: String,
        /// How many came.
        got: u64,
        /// Its length.
        bytes: u64,
    },
    /// The folder is something else.
    #[error(
        "'{}' is there and holds {holds}; it stays as it is: name another folder with --folder, or remove it",
        folder.display()
    )]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        holds: String,
    },
    /// A file is not as it was fetched.
    #[error(
        "'{}' is not as it was fetched; remove its folder and fetch the model again", file.display()
    )]
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// A file or folder cannot be read or written.
    #[error("'{}' cannot be read or written: {reason}; --folder names another place", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
}

fn shown(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// What to do about a status.
fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 | 404 => {
            "there is no such model for everybody: `eruca models list` shows names that are known"
        }
        _ => "try again later, or name a mirror with --hub",
    }
}
