//! The graph that a command is about: a configured dataset, RDF files, or what the index in a folder was built from.
//!
//! The index of RDF files that nobody has configured is kept among the user's caches, and built anew when they change.

use super::{CliError, folders, ids, progress, unknown_dataset};
use crate::config::{DatasetSettings, EndpointSettings, SearchSettings, Settings, Source};
use crate::startup;
use clap::Args;
use eruca_indexer::vocabulary::Given;
use eruca_indexer::{BuiltFrom, DatasetIndex, expand_patterns};
use std::io::Write;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Which graph is meant, beside what stands before the question.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// Dataset to ask, by id or alias [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Ask the graph of the index in this folder, whether it is configured or not
    #[arg(long, value_name = "DIR", conflicts_with = "dataset")]
    pub index: Option<PathBuf>,
}

impl GraphArgs {
    /// The id of the dataset that is meant, which stands in the settings from then on. `word` names a dataset or RDF files.
    ///
    /// # Errors
    /// When there is none, several are named, or an index cannot be read or built.
    pub(super) async fn find(
        self,
        word: Option<String>,
        settings: &mut Settings,
    ) -> Result<String, CliError> {
        match (self.dataset, self.index, word) {
            (Some(asked), None, None) => configured(settings, &asked),
            (None, Some(folder), None) => Ok(add(settings, of_index(&folder)?)),
            (None, None, Some(word)) => of_word(settings, word).await,
            (None, None, None) => only(settings),
            _ => Err(CliError::Arguments("name one graph: a dataset, RDF files, or the folder of an index")),
        }
    }
}

/// A dataset that the configuration does not know.
pub(super) fn unconfigured(id: String, source: Source, index: Option<PathBuf>) -> DatasetSettings {
    DatasetSettings {
        name: id.clone(),
        id,
        aliases: Vec::new(),
        source,
        prefixes: Vec::new(),
        index,
        languages: Vec::new(),
        vocabulary: Given::default(),
        search: SearchSettings::Index,
        editor: None,
    }
}

fn configured(settings: &Settings, asked: &str) -> Result<String, CliError> {
    let found = settings.dataset(asked).map(|dataset| dataset.id.clone());
    found.ok_or_else(|| unknown_dataset(settings, asked))
}

fn only(settings: &Settings) -> Result<String, CliError> {
    match settings.datasets.as_slice() {
        [only] => {
            if matches!(only.source, Source::Demo) && !DatasetIndex::exists(&settings.index_folder(only)) {
                announce_demo(settings);
            }
            Ok(only.id.clone())
        }
        _ => Err(CliError::WhichDataset { known: ids(settings) }),
    }
}

/// Nobody should take the demo's answers for those of a graph of their own, or wonder where a folder comes from.
fn announce_demo(settings: &Settings) {
    let folder = settings.index.folder.display();
    // A message is a courtesy: a closed stderr must not end the work.
    let _written = writeln!(
        std::io::stderr(),
        "no graph is configured or named: the demo graph is asked, and written into '{folder}'"
    );
}

fn add(settings: &mut Settings, dataset: DatasetSettings) -> String {
    let id = dataset.id.clone();
    settings.datasets.push(dataset);
    id
}

/// A configured dataset, or else RDF files, with an index that is theirs.
async fn of_word(settings: &mut Settings, word: String) -> Result<String, CliError> {
    if let Some(dataset) = settings.dataset(&word) {
        return Ok(dataset.id.clone());
    }
    let files = vec![PathBuf::from(&word)];
    if expand_patterns(&files).is_err() {
        return Err(CliError::NoGraph { asked: word, known: ids(settings) });
    }
    let index = index_folder(&files);
    let dataset = unconfigured(word, Source::Files(files), index);
    if is_outdated(settings, &dataset) {
        startup::build_index(settings, &dataset, progress::to_stderr().as_ref()).await?;
    }
    Ok(add(settings, dataset))
}

/// Where the index of files is kept: named after the files, so that two of one name have two. Without a home it stands
/// where those of datasets do.
fn index_folder(files: &[PathBuf]) -> Option<PathBuf> {
    let path = std::path::absolute(files.first()?).ok()?;
    let name = Uuid::new_v5(&Uuid::NAMESPACE_URL, path.as_os_str().as_encoded_bytes());
    Some(folders::cache()?.join("indexes").join(name.simple().to_string()))
}

/// Whether there is an index of other files, or one that this version cannot read.
fn is_outdated(settings: &Settings, dataset: &DatasetSettings) -> bool {
    let folder = settings.index_folder(dataset);
    let Source::Files(files) = &dataset.source else { return false };
    DatasetIndex::exists(&folder)
        && startup::built_from(&folder).is_none_or(|built| built.differs_from_files(files).is_some())
}

/// What an index was built from, with the index itself.
fn of_index(folder: &Path) -> Result<DatasetSettings, CliError> {
    let built = startup::built_from(folder).ok_or_else(|| CliError::NoIndex { folder: folder.to_owned() })?;
    let source = match built {
        BuiltFrom::Files(files) => Source::Files(files.into_iter().map(|file| file.path.into()).collect()),
        BuiltFrom::Endpoint { name, graphs } => {
            Source::Endpoint(EndpointSettings::from_arguments(&name, graphs)?)
        }
    };
    Ok(unconfigured(folder.display().to_string(), source, Some(folder.to_owned())))
}
