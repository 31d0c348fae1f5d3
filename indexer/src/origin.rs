//! The source of an index, and whether it still is the configured one. Files are recognised by their content,
//! wherever they are. Uses `checksums` and `source`.

use crate::checksums::fingerprint;
use crate::source::expand_patterns;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Maximum number of files listed by name; further ones are counted.
const MAX_NAMED: usize = 3;

/// The source of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltFrom {
    /// RDF files.
    Files(Vec<SourceFile>),
    /// The graph of an endpoint.
    Endpoint {
        /// Its name: the URL without credentials.
        name: String,
        /// Its default graphs, as requested.
        graphs: Vec<String>,
    },
}

/// A file as it was when the index was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its absolute path.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// Time of its last change, in nanoseconds since 1970.
    pub modified: u64,
    /// A checksum of its content; for a long file, of samples.
    pub fingerprint: u32,
}

impl SourceFile {
    /// Describes a file as it is now.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let (bytes, modified) = length_and_time(path)?;
        Ok(Self { path: absolute(path), bytes, modified, fingerprint: fingerprint(path)? })
    }

    /// Whether this is the same file, unchanged according to its metadata.
    fn is_untouched(&self, path: &Path) -> bool {
        let now = length_and_time(path).ok();
        self.path == absolute(path) && now == Some((self.bytes, self.modified))
    }
}

impl BuiltFrom {
    /// How the files differ from those that the index was built from; `None` if they do not, or cannot be checked.
    pub fn differs_from_files(&self, patterns: &[PathBuf]) -> Option<String> {
        let Self::Files(built) = self else { return Some(self.as_endpoint()) };
        let files = expand_patterns(patterns).ok()?;
        let mut unmatched: Vec<&SourceFile> = built.iter().collect();
        let mut other = Vec::new();
        for file in files {
            match known(&unmatched, &file).ok()? {
                Some(at) => drop(unmatched.remove(at)),
                None => other.push(file),
            }
        }
        let differences = [changed(&other, &unmatched), added(&other, &unmatched), gone(&other, &unmatched)];
        let differences: Vec<String> = differences.into_iter().flatten().collect();
        (!differences.is_empty()).then(|| differences.join("; "))
    }

    /// Whether these are exactly the files that the index was built from, with the same lengths and times.
    pub fn is_untouched(&self, patterns: &[PathBuf]) -> bool {
        let (Self::Files(built), Ok(files)) = (self, expand_patterns(patterns)) else { return false };
        let is_known = |path: &PathBuf| built.iter().any(|file| file.is_untouched(path));
        files.len() == built.len() && files.iter().all(is_known)
    }

    /// How the endpoint differs from the one that the index was built from. An index built from files may well belong to
    /// an endpoint, if they are a dump of its graph.
    pub fn differs_from_endpoint(&self, asked: &str, asked_graphs: &[String]) -> Option<String> {
        match self {
            Self::Files(_) => None,
            Self::Endpoint { name, graphs } if name == asked && same(graphs, asked_graphs) => None,
            Self::Endpoint { .. } => Some(self.as_endpoint()),
        }
    }

    fn as_endpoint(&self) -> String {
        match self {
            Self::Endpoint { name, graphs } if !graphs.is_empty() => {
                format!("it was built from the endpoint {name} with the default graphs {}", graphs.join(", "))
            }
            Self::Endpoint { name, .. } => format!("it was built from the endpoint {name}"),
            Self::Files(_) => "it was built from files".to_owned(),
        }
    }
}

/// Which of the files that an index was built from this one is.
fn known(built: &[&SourceFile], path: &Path) -> io::Result<Option<usize>> {
    if let Some(at) = built.iter().position(|file| file.is_untouched(path)) {
        return Ok(Some(at));
    }
    let (bytes, _) = length_and_time(path)?;
    if !built.iter().any(|file| file.bytes == bytes) {
        return Ok(None);
    }
    let content = (bytes, fingerprint(path)?);
    Ok(built.iter().position(|file| (file.bytes, file.fingerprint) == content))
}

fn changed(other: &[PathBuf], unmatched: &[&SourceFile]) -> Option<String> {
    let names = other.iter().filter(|path| unmatched.iter().any(|file| file.path == absolute(path)));
    list(names.map(|path| path.display().to_string()), "has changed", "have changed")
}

fn added(other: &[PathBuf], unmatched: &[&SourceFile]) -> Option<String> {
    let names = other.iter().filter(|path| unmatched.iter().all(|file| file.path != absolute(path)));
    list(names.map(|path| path.display().to_string()), "is not in it", "are not in it")
}

fn gone(other: &[PathBuf], unmatched: &[&SourceFile]) -> Option<String> {
    let names = unmatched.iter().filter(|file| other.iter().all(|path| file.path != absolute(path)));
    list(names.map(|file| file.path.clone()), "is in it and not configured", "are in it and not configured")
}

fn list(names: impl Iterator<Item = String>, one: &str, several: &str) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    let shown = names.iter().take(MAX_NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!("{shown} {one}")),
        count if count <= MAX_NAMED => Some(format!("{shown} {several}")),
        count => Some(format!("{shown} and {} more {several}", count - MAX_NAMED)),
    }
}

/// The same graphs in any order.
fn same(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().all(|graph| b.contains(graph))
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

fn length_and_time(path: &Path) -> io::Result<(u64, u64)> {
    let data = std::fs::metadata(path)?;
    let since = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((data.len(), u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    fn built_from(files: &[&Path]) -> BuiltFrom {
        BuiltFrom::Files(files.iter().map(|file| SourceFile::of(file).unwrap()).collect())
    }

    #[test]
    fn files_are_known_by_their_content_wherever_they_lie() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("a.nt"), "aaaa").unwrap();
        std::fs::write(file("b.nt"), "bbbb").unwrap();
        let built = built_from(&[&file("a.nt"), &file("b.nt")]);
        assert_eq!(built.differs_from_files(&[file("*.nt")]), None);
        std::fs::rename(file("a.nt"), file("c.nt")).unwrap();
        let later = SystemTime::now() + Duration::from_secs(60);
        std::fs::File::options().append(true).open(file("b.nt")).unwrap().set_modified(later).unwrap();
        assert_eq!(built.differs_from_files(&[file("c.nt"), file("b.nt")]), None, "moved and touched");
        std::fs::write(file("b.nt"), "BBBB").unwrap();
        let said = built.differs_from_files(&[file("*.nt")]).unwrap();
        assert!(said.contains("b.nt' has changed") && !said.contains("c.nt"), "{said}");
        let said = built.differs_from_files(&[file("c.nt")]).unwrap();
        assert!(said.contains("b.nt' is in it and not configured"), "{said}");
        std::fs::write(file("d.nt"), "d").unwrap();
        let said = built_from(&[&file("b.nt")]).differs_from_files(&[file("*.nt")]).unwrap();
        assert!(said.contains("c.nt', '") && said.contains("d.nt' are not in it"), "{said}");
    }

    #[test]
    fn endpoints_are_known_by_name_and_graphs() {
        let graphs = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let built = BuiltFrom::Endpoint { name: "http://e/sparql".to_owned(), graphs: graphs(&["b", "a"]) };
        assert_eq!(built.differs_from_endpoint("http://e/sparql", &graphs(&["a", "b"])), None);
        for (name, other) in [("http://f/sparql", &["a", "b"][..]), ("http://e/sparql", &["a"])] {
            let said = built.differs_from_endpoint(name, &graphs(other)).unwrap();
            assert!(said.contains("http://e/sparql"), "{said}");
        }
        assert!(built.differs_from_files(&[]).is_some());
        assert_eq!(BuiltFrom::Files(Vec::new()).differs_from_endpoint("http://e", &[]), None, "a dump");
    }
}
