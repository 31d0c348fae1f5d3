//! The data of benchmarks, which lie beside the repository and are no part of it.

use crate::helpers::repository;
use crate::programs::shows;
use std::path::PathBuf;
use std::sync::Once;

/// Where they are, seen from the repository.
const DATA: &str = "../shared/data";

/// A folder of them. The first time that one is not there, says that tests which need it pass without having tried anything.
pub fn shared(folder: &str) -> Option<PathBuf> {
    static SAID: Once = Once::new();
    let path = repository().join(DATA).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    SAID.call_once(|| {
        shows(&format!(
            "SKIPPED what needs the data of benchmarks: {} is not there (CONTRIBUTING.md, \"Tests\", says what it holds)",
            path.display()
        ));
    });
    None
}
