//! TLS for services without a proxy: a certificate and its key from two files, reloaded when they change. They are read on
//! a thread of their own, so that no handshake waits for a file.

use crate::config::{ServerSettings, TlsFiles};
use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{Error, ServerConfig};
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime};

/// Interval between checks for changed files.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// Maximum file size; certificate chains have a few kilobytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Why TLS cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read, or contains something else.
    #[error("{setting}: the file '{}' {problem}", file.display())]
    File {
        /// The setting that names it.
        setting: &'static str,
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Both files can be read, but they do not match or are of an unknown kind.
    #[error(
        "server.tls_certificate, server.tls_key: '{}' and '{}' cannot be used together: {reason}",
        certificate.display(), key.display()
    )]
    Pair {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
        /// The message of the TLS library.
        reason: String,
    },
    /// The TLS library rejects its own defaults.
    #[error("TLS cannot be set up: {0}")]
    Library(String),
}

/// The certificate and the key, ready for use.
pub struct Tls(Arc<Certificate>);

impl Tls {
    /// Reads the configured files, if there are any.
    ///
    /// # Errors
    /// When a file is missing or invalid, or the two do not match.
    pub fn open(settings: &ServerSettings) -> Result<Option<Self>, TlsError> {
        let Some(files) = settings.tls() else { return Ok(None) };
        let (unused, in_use) = channel();
        // Taken before reading, so that a change during reading is noticed.
        let mut state = state(&files);
        let certificate = Arc::new(Certificate { key: RwLock::new(read(&files)?), files, _in_use: unused });
        let watched = Arc::downgrade(&certificate);
        let watch = move || watch(&watched, &in_use, &mut state);
        let thread = std::thread::Builder::new().name("certificate".to_owned()).spawn(watch);
        thread.map_err(|error| TlsError::Library(format!("the system gives no thread: {error}")))?;
        Ok(Some(Self(certificate)))
    }

    pub(super) fn config(self) -> Result<ServerConfig, TlsError> {
        let versions = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions();
        let builder = versions.map_err(|error| TlsError::Library(error.to_string()))?;
        Ok(builder.with_no_client_auth().with_cert_resolver(self.0))
    }
}

/// Metadata that show whether a file has changed.
type State = [Option<(SystemTime, u64)>; 2];

#[derive(Debug)]
struct Certificate {
    files: TlsFiles,
    key: RwLock<Arc<CertifiedKey>>,
    /// Dropped together with the certificate, which ends the thread that watches the files.
    _in_use: Sender<()>,
}

impl Certificate {
    fn key(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.key.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reloads the certificate if the files have changed since `known`. If they are invalid, the previous one stays in use.
    fn look(&self, known: &mut State) {
        let state = state(&self.files);
        if state == *known {
            return;
        }
        match read(&self.files) {
            Ok(key) => {
                *self.key.write().unwrap_or_else(PoisonError::into_inner) = key;
                *known = state;
                tracing::info!("the certificate files have changed; the new certificate is used from now on");
            }
            // One of the two files may not have been replaced yet.
            Err(error) => {
                tracing::warn!(%error, "the changed certificate files cannot be used; the previous certificate stays in use");
            }
        }
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.key())
    }
}

/// Checks the files regularly, as long as their certificate is in use.
fn watch(certificate: &Weak<Certificate>, in_use: &Receiver<()>, known: &mut State) {
    while in_use.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        match certificate.upgrade() {
            Some(certificate) => certificate.look(known),
            None => return,
        }
    }
}

fn state(files: &TlsFiles) -> State {
    [&files.certificate, &files.key].map(|file| {
        let of = |found: Metadata| found.modified().ok().map(|time| (time, found.len()));
        std::fs::metadata(file).ok().and_then(of)
    })
}

fn read(files: &TlsFiles) -> Result<Arc<CertifiedKey>, TlsError> {
    let TlsFiles { certificate, key } = files;
    let chain = contents(certificate)
        .and_then(|text| CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>());
    let chain =
        chain.and_then(|chain| if chain.is_empty() { Err(PemError::NoItemsFound) } else { Ok(chain) });
    let chain = chain.map_err(|error| unusable("server.tls_certificate", certificate, error))?;
    let private = contents(key)
        .and_then(|text| PrivateKeyDer::from_pem_slice(&text))
        .map_err(|error| unusable("server.tls_key", key, error))?;
    let pair = CertifiedKey::from_der(chain, private, &ring::default_provider());
    pair.map(Arc::new).map_err(|error| TlsError::Pair {
        certificate: certificate.clone(),
        key: key.clone(),
        reason: match error {
            Error::InconsistentKeys(_) => "the key is not that of the certificate".to_owned(),
            other => other.to_string(),
        },
    })
}

/// The content of a regular file. Reading anything else could block or never end.
fn contents(file: &Path) -> Result<Vec<u8>, PemError> {
    let odd = |what: &str| PemError::Io(std::io::Error::other(what));
    if !std::fs::metadata(file).map_err(PemError::Io)?.is_file() {
        return Err(odd("it is not a regular file"));
    }
    let mut contents = Vec::new();
    let opened = File::open(file).map_err(PemError::Io)?;
    opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut contents).map_err(PemError::Io)?;
    if contents.len() as u64 > MAX_FILE_BYTES {
        return Err(odd("it is longer than 1 MiB"));
    }
    Ok(contents)
}

/// What is wrong with a file, without quoting it, as it may be a key.
fn unusable(setting: &'static str, file: &Path, error: PemError) -> TlsError {
    let what = if setting == "server.tls_key" { "private key" } else { "certificate" };
    let problem = match error {
        PemError::Io(error) => format!("cannot be read: {error}"),
        PemError::NoItemsFound => {
            format!("contains no {what} in PEM form (a part that begins with -----BEGIN)")
        }
        _ => format!("is not in PEM form, or is cut off; write the {what} again"),
    };
    TlsError::File { setting, file: file.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn write(folder: &Path, names: (&str, &str)) -> rcgen::Certificate {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        std::fs::write(folder.join(names.0), made.cert.pem()).unwrap();
        std::fs::write(folder.join(names.1), made.signing_key.serialize_pem()).unwrap();
        made.cert
    }

    fn files(folder: &TempDir) -> TlsFiles {
        TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") }
    }

    #[test]
    fn files_that_cannot_be_used_are_told_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let said = || read(&files(&folder)).unwrap_err().to_string();
        let missing = said();
        assert!(missing.starts_with("server.tls_certificate: the file '"), "{missing}");
        assert!(missing.contains("cert.pem' cannot be read: No such file"), "{missing}");
        write(folder.path(), ("cert.pem", "key.pem"));
        assert!(read(&files(&folder)).is_ok());
        write(folder.path(), ("other.pem", "key.pem"));
        let pair = said();
        assert!(
            pair.contains("key.pem") && pair.contains("the key is not that of the certificate"),
            "{pair}"
        );
        std::fs::copy(folder.path().join("cert.pem"), folder.path().join("key.pem")).unwrap();
        assert!(said().contains("key.pem' contains no private key in PEM form"), "{}", said());
        std::fs::write(folder.path().join("key.pem"), "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n").unwrap();
        assert!(said().contains("key.pem' is not in PEM form"), "{}", said());
        assert!(!said().contains("c2VjcmV0"), "{}", said());
        std::fs::write(folder.path().join("cert.pem"), "nothing").unwrap();
        assert!(said().contains("cert.pem' contains no certificate in PEM form"), "{}", said());
    }

    #[test]
    fn a_changed_certificate_is_used_and_a_broken_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let first = write(folder.path(), ("cert.pem", "key.pem"));
        let files = files(&folder);
        let mut known = state(&files);
        let certificate = certificate(&files);
        let mut used = || {
            certificate.look(&mut known);
            certificate.key().cert[0].to_vec()
        };
        std::fs::write(folder.path().join("cert.pem"), "half of a certificate").unwrap();
        assert_eq!(used(), first.der().to_vec());
        let second = write(folder.path(), ("cert.pem", "key.pem"));
        assert_eq!(used(), second.der().to_vec());
    }

    fn certificate(files: &TlsFiles) -> Certificate {
        Certificate { files: files.clone(), key: RwLock::new(read(files).unwrap()), _in_use: channel().0 }
    }

    /// Opening a pipe blocks until somebody writes to it.
    #[cfg(unix)]
    #[test]
    fn a_certificate_that_becomes_a_pipe_or_has_no_end_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let first = write(folder.path(), ("cert.pem", "key.pem"));
        let files = files(&folder);
        let (mut known, certificate) = (state(&files), Arc::new(certificate(&files)));
        let file = folder.path().join("cert.pem");
        std::fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        let (looked, seen) = channel();
        let looking = certificate.clone();
        std::thread::spawn(move || {
            looking.look(&mut known);
            looked.send(known).unwrap();
        });
        let mut known = seen.recv_timeout(Duration::from_secs(60)).expect("the pipe is not read");
        assert_eq!(certificate.key().cert[0].to_vec(), first.der().to_vec());
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let said = read(&files).unwrap_err().to_string();
        assert!(said.contains("cert.pem' cannot be read: it is not a regular file"), "{said}");
        std::fs::remove_file(&file).unwrap();
        let second = write(folder.path(), ("cert.pem", "key.pem"));
        certificate.look(&mut known);
        assert_eq!(certificate.key().cert[0].to_vec(), second.der().to_vec());
    }
}
