//! Indexes of what somebody sees from whom something is hidden: each is built from the same source without it, into a folder of the
//! version. They are published with the version, and removed with it.
//!
//! So nothing that is counted, sampled or searched comes from what is hidden, and the stored graph does not have it.

use super::{BuildError, BuildOptions, IndexTarget, build, nothing};
use crate::hidden::LeftOut;
use crate::progress::Progress;
use eruca_sparql::Prefixes;
use std::path::{Path, PathBuf};

const SEEN: &str = "seen";

/// The index folder of those from whom this is hidden, in the folder of a version.
pub(crate) fn folder(version: &Path, seal: &str) -> PathBuf {
    version.join(SEEN).join(seal)
}

impl IndexTarget {
    fn of_seen(&self, seal: &str) -> Self {
        match self {
            Self::Folder => Self::Folder,
            Self::Qdrant(options) => Self::Qdrant(options.of_seen(seal)),
        }
    }
}

/// Builds each index; returns from whom something is hidden, with the triples of the index without it.
pub(super) async fn build_each(
    options: &BuildOptions<'_>,
    version: &Path,
    prefixes: &Prefixes,
    progress: &dyn Progress,
) -> Result<Vec<(String, u64)>, BuildError> {
    let mut built = Vec::new();
    for without in (options.hidden)(&Prefixes::well_known().merged(prefixes)) {
        let from = without.from.clone();
        progress.begin("building once more, without what is hidden", None);
        progress.end(&format!("for {from}"));
        built.push((from, Box::pin(build_one(options, version, without, progress)).await?));
    }
    Ok(built)
}

async fn build_one(
    options: &BuildOptions<'_>,
    version: &Path,
    without: LeftOut,
    progress: &dyn Progress,
) -> Result<u64, BuildError> {
    let folder = folder(version, &without.seal);
    let seen = BuildOptions {
        folder: &folder,
        origin: options.origin.clone(),
        vocabulary: options.vocabulary.clone(),
        schema_target: options.schema_target.of_seen(&without.seal),
        names_target: options.names_target.of_seen(&without.seal),
        without: Some(without),
        hidden: &nothing,
        ..*options
    };
    Ok(build(&seen, progress).await?.triples)
}
