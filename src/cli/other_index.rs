//! Whether building an index would replace that of another graph. Names that are not given explicitly are derived from files
//! and hosts, and two graphs may get the same one.

use super::CliError;
use crate::config::{DatasetSettings, Settings, Source};
use crate::startup;
use eruca_indexer::{BuiltFrom, expand_patterns};
use std::path::{Path, PathBuf};

/// Maximum number of files listed by name.
const MAX_NAMED: usize = 3;

/// Fails when a dataset without an explicit name would overwrite the index of another graph.
///
/// # Errors
/// Names that graph and says what to do.
pub(super) fn refuse_to_replace(settings: &Settings, dataset: &DatasetSettings) -> Result<(), CliError> {
    let folder = settings.index_folder(dataset);
    let Some(holds) = other_graph(&folder, dataset) else { return Ok(()) };
    Err(CliError::OtherIndex { folder, holds, dataset: dataset.id.clone() })
}

/// What the index in the folder was built from, if that is not the dataset's graph. Changed or additional files still count
/// as the same graph.
pub(super) fn other_graph(folder: &Path, dataset: &DatasetSettings) -> Option<String> {
    let built = startup::built_from(folder)?;
    let is_other = match (&dataset.source, &built) {
        (Source::Endpoint(endpoint), BuiltFrom::Endpoint { .. }) => {
            built.differs_from_endpoint(&name_of(&endpoint.url), &endpoint.default_graphs).is_some()
        }
        (Source::Files(files), BuiltFrom::Files(known)) => {
            let known: Vec<&str> = known.iter().map(|file| file.path.as_str()).collect();
            !shares_a_file(&known, files) && built.differs_from_files(files).is_some()
        }
        (Source::Files(_), BuiltFrom::Endpoint { .. }) | (Source::Endpoint(_), BuiltFrom::Files(_)) => true,
        (Source::Demo | Source::FilesAndEndpoint { .. }, _) => false,
    };
    is_other.then(|| named(&built))
}

/// The name of an endpoint as stored in an index: its URL without parts that may be secret.
fn name_of(address: &str) -> String {
    url::Url::parse(address).map_or_else(
        |_| address.to_owned(),
        |mut url| {
            url.set_query(None);
            url.set_fragment(None);
            url.into()
        },
    )
}

fn shares_a_file(known: &[&str], patterns: &[PathBuf]) -> bool {
    // Files that cannot be read are reported by the build, which then replaces no index.
    let Ok(files) = expand_patterns(patterns) else { return true };
    let absolute = |file: &PathBuf| std::path::absolute(file).ok();
    files.iter().filter_map(absolute).any(|file| known.iter().any(|known| Path::new(known) == file))
}

fn named(built: &BuiltFrom) -> String {
    match built {
        BuiltFrom::Endpoint { name, .. } => name.clone(),
        BuiltFrom::Files(files) => {
            let shown: Vec<&str> = files.iter().take(MAX_NAMED).map(|file| file.path.as_str()).collect();
            match files.len().saturating_sub(MAX_NAMED) {
                0 => shown.join(", "),
                more => format!("{} and {more} more", shown.join(", ")),
            }
        }
    }
}
