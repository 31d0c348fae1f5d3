//! TLS for those without a proxy: a certificate and its key from two files, read again when they change.

use crate::config::{ServerSettings, TlsFiles};
use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{Error, ServerConfig};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How long files are taken to be what they were.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Why TLS cannot be spoken.
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
    /// Both files can be read, and do not belong together or are of a kind that is not known.
    #[error(
        "server.tls_certificate, server.tls_key: '{}' and '{}' cannot be used together: {reason}",
        certificate.display(), key.display()
    )]
    Pair {
        /// The file of the certificate.
        certificate: PathBuf,
        /// The file of the key.
        key: PathBuf,
        /// The words of the TLS library.
        reason: String,
    },
    /// The TLS library refuses its own defaults.
    #[error("TLS cannot be set up: {0}")]
    Library(String),
}

/// The certificate and the key, ready to be used.
pub struct Tls(Arc<Certificate>);

impl Tls {
    /// Reads the files that the settings name, if they name some.
    ///
    /// # Errors
    /// When a file is missing or not what it should be, or the two do not belong together.
    pub fn open(settings: &ServerSettings) -> Result<Option<Self>, TlsError> {
        let Some(files) = &settings.tls else { return Ok(None) };
        // Before reading: a change while reading is then seen as one.
        let state = state(files);
        let kept = KeptCertificate { key: read(files)?, state, looked: Instant::now() };
        Ok(Some(Self(Arc::new(Certificate { files: files.clone(), kept: Mutex::new(kept) }))))
    }

    pub(super) fn config(self) -> Result<ServerConfig, TlsError> {
        let versions = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions();
        let builder = versions.map_err(|error| TlsError::Library(error.to_string()))?;
        Ok(builder.with_no_client_auth().with_cert_resolver(self.0))
    }
}

/// What shows that a file has changed.
type State = [Option<(SystemTime, u64)>; 2];

#[derive(Debug)]
struct Certificate {
    files: TlsFiles,
    kept: Mutex<KeptCertificate>,
}

#[derive(Debug)]
struct KeptCertificate {
    key: Arc<CertifiedKey>,
    state: State,
    looked: Instant,
}

impl Certificate {
    /// The certificate as the files hold it `now`. Files that cannot be used leave the one that was.
    fn at(&self, now: Instant) -> Arc<CertifiedKey> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(kept.looked) < LOOK_EVERY {
            return Arc::clone(&kept.key);
        }
        kept.looked = now;
        let state = state(&self.files);
        if state != kept.state {
            match read(&self.files) {
                Ok(key) => {
                    (kept.key, kept.state) = (key, state);
                    tracing::info!(
                        "the certificate files have changed; the new certificate is used from now on"
                    );
                }
                // Perhaps one of the two is still to come.
                Err(error) => {
                    tracing::warn!(%error, "the changed certificate files cannot be used; the previous certificate stays in use");
                }
            }
        }
        Arc::clone(&kept.key)
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.at(Instant::now()))
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
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain =
        chain.and_then(|chain| if chain.is_empty() { Err(PemError::NoItemsFound) } else { Ok(chain) });
    let chain = chain.map_err(|error| unusable("server.tls_certificate", certificate, error))?;
    let private =
        PrivateKeyDer::from_pem_file(key).map_err(|error| unusable("server.tls_key", key, error))?;
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

/// What is wrong with a file, without quoting it: it may be a key.
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
        let kept =
            KeptCertificate { key: read(&files).unwrap(), state: state(&files), looked: Instant::now() };
        let certificate = Certificate { files, kept: Mutex::new(kept) };
        let used = |looks: u32| certificate.at(Instant::now() + LOOK_EVERY * 2 * looks).cert[0].to_vec();
        std::fs::write(folder.path().join("cert.pem"), "half of a certificate").unwrap();
        assert_eq!(used(1), first.der().to_vec());
        let second = write(folder.path(), ("cert.pem", "key.pem"));
        assert_eq!(used(0), first.der().to_vec(), "not looked at so soon");
        assert_eq!(used(2), second.der().to_vec());
    }
}
