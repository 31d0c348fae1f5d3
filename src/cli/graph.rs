//! The graph of a command: a configured dataset, RDF files, or the graph from which the index in a folder was built.
//!
//! The index of unconfigured RDF files is kept in the user's cache folder and rebuilt when they change. The same holds for
//! standard input.

use super::files::{FormatArgs, STANDARD_INPUT, has_stdin, keep_stdin, name_of, with_copy};
use super::{CliError, folders, ids, progress, unknown_dataset};
use crate::config::{DatasetSettings, EndpointSettings, Settings, Source};
use crate::service::AUTO;
use crate::startup::{self, StartupError};
use clap::Args;
use eruca_indexer::{BuiltFrom, DatasetIndex, GivenFormat, SourceError, expand_patterns};
use std::io::Write;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Which graph is meant, besides what precedes the question.
#[derive(Debug, Args)]
pub struct GraphArgs {
    /// Dataset to ask, by id or alias, or `auto` for the one that knows most words of the question [default: the only one]
    #[arg(long, value_name = "ID")]
    pub dataset: Option<String>,
    /// Ask the graph of the index in this folder, whether it is configured or not
    #[arg(long, value_name = "DIR", conflicts_with = "dataset")]
    pub index: Option<PathBuf>,
    /// How RDF files are read.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Leave broken statements of RDF files out; what is missing is told with each answer
    #[arg(long)]
    pub skip_errors: bool,
}

/// The error for a format given with a source that has its own.
const FORMAT_OF_NOTHING: CliError =
    CliError::Arguments("--format is for RDF files and the folders of indexes; name one of them");

impl GraphArgs {
    /// The id of the dataset to use, which is added to the settings if necessary. `word` names a dataset or RDF files.
    ///
    /// # Errors
    /// When there is none, several match, or an index cannot be read or built.
    pub(super) async fn find(
        self,
        word: Option<String>,
        settings: &mut Settings,
    ) -> Result<String, CliError> {
        let Self { dataset, index, format: FormatArgs { format }, skip_errors } = self;
        settings.index.skip_errors |= skip_errors;
        match (dataset, index, word) {
            (None, Some(folder), None) => {
                let dataset = of_index(settings, &folder, format)?;
                Ok(add(settings, dataset))
            }
            (None, None, Some(word)) if settings.dataset(&word).is_none() => {
                let id = if word == STANDARD_INPUT { name_of(&[]) } else { word.clone() };
                let dataset = of_files(settings, id, vec![word.into()], format).await?;
                Ok(add(settings, dataset))
            }
            (Some(_), None, None) | (None, None, _) if format.is_some() => Err(FORMAT_OF_NOTHING),
            (Some(asked), None, None) if settings.datasets_named(&asked, AUTO).len() > 1 => Ok(asked),
            (Some(asked), None, None) | (None, None, Some(asked)) => configured(settings, &asked),
            (None, None, None) => only(settings),
            _ => Err(CliError::Arguments("name one graph: a dataset, RDF files, or the folder of an index")),
        }
    }
}

/// Reduces the settings to one dataset: the one that the words name (a configured dataset or RDF files), or the graph from
/// which the index in a folder was built. Without either, the settings stay as they are.
///
/// # Errors
/// When there is none, or an index cannot be read or built.
pub(super) async fn serve_only(
    words: Vec<String>,
    index: Option<PathBuf>,
    format: Option<GivenFormat>,
    settings: &mut Settings,
) -> Result<(), CliError> {
    let configured = match words.as_slice() {
        [word] => settings.dataset(word).cloned(),
        _ => None,
    };
    let dataset = match (words.is_empty(), index, configured) {
        (true, None, _) if format.is_none() => return Ok(()),
        (true, Some(folder), _) => of_index(settings, &folder, format)?,
        (false, None, Some(dataset)) if format.is_none() => dataset,
        (_, None, Some(_)) | (true, None, None) => return Err(FORMAT_OF_NOTHING),
        (false, None, None) => {
            let files: Vec<PathBuf> = words.into_iter().map(PathBuf::from).collect();
            of_files(settings, name_of(&files), files, format).await?
        }
        (false, Some(_), _) => {
            return Err(CliError::Arguments("name RDF files or the folder of an index, not both"));
        }
    };
    settings.datasets = vec![dataset];
    Ok(())
}

/// A dataset that is not configured.
pub(super) fn unconfigured(id: String, source: Source, index: Option<PathBuf>) -> DatasetSettings {
    DatasetSettings { name: id.clone(), id, source, index, ..DatasetSettings::default() }
}

/// The id of the configured dataset with this name, or of the only one.
pub(super) fn configured_or_only(settings: &Settings, asked: Option<&str>) -> Result<String, CliError> {
    asked.map_or_else(|| only(settings), |asked| configured(settings, asked))
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

/// Points out that the demo is served, so that its answers are not taken for those of another graph, and where its index is.
fn announce_demo(settings: &Settings) {
    let folder = settings.index.folder.display();
    // The message is optional: a closed stderr must not end the command.
    let _written = writeln!(
        std::io::stderr(),
        "no graph is configured or named: the demo graph is asked, and written into '{folder}'"
    );
}

/// Inserts a dataset before the configured ones, as one of them may have the same name.
fn add(settings: &mut Settings, dataset: DatasetSettings) -> String {
    let id = dataset.id.clone();
    settings.datasets.insert(0, dataset);
    id
}

/// Adds RDF files with an index of their own. Standard input is saved first.
async fn of_files(
    settings: &Settings,
    id: String,
    files: Vec<PathBuf>,
    format: Option<GivenFormat>,
) -> Result<DatasetSettings, CliError> {
    let files = match has_stdin(&files)? {
        true => {
            let folder = folders::cache().unwrap_or_else(|| settings.index.folder.clone());
            with_copy(files, &keep_stdin(&folder.join("piped"))?)
        }
        false => files,
    };
    expand_patterns(&files).map_err(|error| match error {
        SourceError::NoFile(asked) => CliError::NoGraph { asked, known: ids(settings) },
        other => StartupError::from(other).into(),
    })?;
    let index = index_folder(&files, format);
    let dataset = DatasetSettings { format, ..unconfigured(id, Source::Files(files), index) };
    if is_outdated(settings, &dataset) {
        startup::build_index(settings, &dataset, progress::to_stderr().as_ref()).await?;
    }
    Ok(dataset)
}

/// The folder for an index of files, named after the files and their format, so that different files with the same name do not
/// share it. Without a home folder, it is in the same place as those of datasets.
fn index_folder(files: &[PathBuf], format: Option<GivenFormat>) -> Option<PathBuf> {
    let mut name = Vec::new();
    for file in files {
        // A byte that no path contains.
        name.extend((!name.is_empty()).then_some(0));
        name.extend(std::path::absolute(file).ok()?.as_os_str().as_encoded_bytes());
    }
    name.extend(format.into_iter().flat_map(|format| [b"\0", format.name().as_bytes()].concat()));
    let name = Uuid::new_v5(&Uuid::NAMESPACE_URL, &name);
    Some(folders::cache()?.join("indexes").join(name.simple().to_string()))
}

/// Whether the index is of other files, or cannot be read by this version.
fn is_outdated(settings: &Settings, dataset: &DatasetSettings) -> bool {
    let folder = settings.index_folder(dataset);
    let Source::Files(files) = &dataset.source else { return false };
    DatasetIndex::exists(&folder)
        && startup::built_from(&folder).is_none_or(|built| built.differs_from_files(files).is_some())
}

/// Adds the graph from which an index was built, with the index itself.
fn of_index(
    settings: &mut Settings,
    folder: &Path,
    format: Option<GivenFormat>,
) -> Result<DatasetSettings, CliError> {
    let built = startup::manifest(folder).ok_or_else(|| CliError::NoIndex { folder: folder.to_owned() })?;
    // Statements left out of the index must be left out of the store as well.
    settings.index.skip_errors |= built.skipped > 0;
    let source = match built.source {
        BuiltFrom::Files(files) => Source::Files(files.into_iter().map(|file| file.path.into()).collect()),
        BuiltFrom::Endpoint { name, graphs } => {
            Source::Endpoint(EndpointSettings::from_arguments(&name, graphs)?)
        }
    };
    let kept = || built.files_format.as_deref().and_then(GivenFormat::named);
    let format = format.or_else(kept);
    let id = folder.display().to_string();
    Ok(DatasetSettings { format, ..unconfigured(id, source, Some(folder.to_owned())) })
}
