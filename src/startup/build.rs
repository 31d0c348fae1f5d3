//! Builds indexes from settings: from files, or from an endpoint whose content is downloaded first.

use super::endpoints::{self, Outgoing};
use super::{StartupError, names_server, schema_server, seen};
use crate::config::{DatasetSettings, EmbeddingProvider, EndpointSettings, Settings, Source, TextSettings};
use eruca_indexer::embedding::Embedder;
use eruca_indexer::texts::{DocumentReader, PdfReader, TextSources, TextsStamp};
use eruca_indexer::{
    BuildError, BuildOptions, BuildSummary, BuiltFrom, DownloadOptions, IndexTarget, LeftOut, Manifest,
    Origin, Progress, QdrantOptions, Share, ShareSummary, build, build_share, download, merge_shares,
    replace_file,
};
use eruca_sparql::{Prefixes, SparqlEndpoint};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The `eruca` command that reads a PDF file.
pub const PDF_COMMAND: &str = "read-pdf";
/// The demo graph, written into the index folder at first use.
const DEMO_GRAPH: &str = include_str!("../../examples/world.ttl");
const DEMO_FILE: &str = "demo-world.ttl";
/// First pause before a failed request to an endpoint is repeated.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// A build of one dataset.
pub(super) struct Build<'a> {
    pub(super) settings: &'a Settings,
    pub(super) dataset: &'a DatasetSettings,
    pub(super) outgoing: &'a Outgoing,
    pub(super) embedder: Option<&'a dyn Embedder>,
    pub(super) progress: &'a dyn Progress,
}

/// What a build takes besides its files and settings.
struct Beside {
    folder: PathBuf,
    texts: TextSources,
    /// The endpoint that has the names which the files lack.
    names_from: Option<Arc<dyn SparqlEndpoint>>,
}

/// See [`BuildOptions::hidden`].
type Hidden<'a> = dyn Fn(&Prefixes) -> Vec<LeftOut> + Sync + 'a;

impl Build<'_> {
    /// Builds from the dataset's files.
    pub(super) async fn of_files(&self) -> Result<BuildSummary, StartupError> {
        self.build(&files(self.settings, self.dataset)?, None).await
    }

    /// Builds one share of the index of the dataset's files.
    pub(super) async fn of_share(&self, share: Share) -> Result<ShareSummary, StartupError> {
        let (files, beside) = (files(self.settings, self.dataset)?, self.beside()?);
        let hidden = |prefixes: &Prefixes| seen::hidden(self.settings, self.dataset, prefixes);
        let options = self.options(&files, &beside, &hidden);
        build_share(&options, share, self.progress).await.map_err(|source| self.failed(source))
    }

    /// Puts the shares of an index together.
    pub(super) async fn merged(&self) -> Result<BuildSummary, StartupError> {
        let beside = self.beside()?;
        let hidden = |prefixes: &Prefixes| seen::hidden(self.settings, self.dataset, prefixes);
        let options = self.options(&[], &beside, &hidden);
        merge_shares(&options, self.progress).await.map_err(|source| self.failed(source))
    }

    /// Builds from an endpoint; the download is kept until the index is built.
    pub(super) async fn of_endpoint(
        &self,
        endpoint: &EndpointSettings,
    ) -> Result<BuildSummary, StartupError> {
        let folder = self.settings.index_folder(self.dataset);
        let index = &self.settings.index;
        let options = DownloadOptions {
            folder: &folder,
            graphs: &endpoint.default_graphs,
            page_rows: index.endpoint_page_rows,
            requests: index.endpoint_requests,
            timeout: index.endpoint_timeout,
            patience: index.endpoint_patience,
            sample_rows: index.endpoint_sample_rows,
            first_pause: FIRST_PAUSE,
        };
        let remote = endpoints::remote(self.outgoing, self.dataset, endpoint)?;
        let downloaded = download(remote.as_ref(), &options, self.progress).await.map_err(|source| {
            StartupError::Download { dataset: self.dataset.id.clone(), source: Box::new(source) }
        })?;
        let origin = Origin {
            endpoint: remote.name().to_owned(),
            graphs: endpoint.default_graphs.clone(),
            notes: downloaded.notes.clone(),
        };
        let summary = self.build(&downloaded.files, Some(origin)).await?;
        downloaded.remove();
        Ok(summary)
    }

    async fn build(&self, files: &[PathBuf], origin: Option<Origin>) -> Result<BuildSummary, StartupError> {
        let beside = self.beside()?;
        let hidden = |prefixes: &Prefixes| seen::hidden(self.settings, self.dataset, prefixes);
        let options = self.options(files, &beside, &hidden);
        // What comes from an endpoint was read from these graphs, and has no names of graphs any more.
        let graphs = if origin.is_some() { &[] } else { options.graphs };
        let options = BuildOptions { origin, graphs, ..options };
        build(&options, self.progress).await.map_err(|source| self.failed(source))
    }

    fn beside(&self) -> Result<Beside, StartupError> {
        let names_from = match &self.dataset.source {
            Source::FilesAndEndpoint { endpoint, .. } => {
                Some(endpoints::remote(self.outgoing, self.dataset, endpoint)?)
            }
            _ => None,
        };
        let folder = self.settings.index_folder(self.dataset);
        Ok(Beside { folder, texts: text_sources(self.settings, self.dataset), names_from })
    }

    fn options<'b>(
        &'b self,
        files: &'b [PathBuf],
        beside: &'b Beside,
        hidden: &'b Hidden<'b>,
    ) -> BuildOptions<'b> {
        let index = &self.settings.index;
        BuildOptions {
            files,
            origin: None,
            prefixes: &self.dataset.prefixes,
            folder: &beside.folder,
            vocabulary: self.dataset.vocabulary.clone(),
            languages: &self.dataset.languages,
            names_from: beside.names_from.as_deref(),
            naming_properties: &index.naming_properties,
            skip_errors: index.skip_errors,
            format: self.dataset.format,
            graphs: &self.dataset.graphs,
            max_value_chars: index.max_value_chars,
            embedder: self.embedder,
            texts: Some(&beside.texts),
            schema_target: target(schema_server(self.settings, self.dataset)),
            names_target: target(names_server(self.settings, self.dataset)),
            with_graph: matches!(self.dataset.source, Source::Files(_) | Source::Demo),
            without: None,
            hidden,
        }
    }

    fn failed(&self, source: BuildError) -> StartupError {
        StartupError::Build { dataset: self.dataset.id.clone(), source }
    }
}

fn target(server: Option<QdrantOptions>) -> IndexTarget {
    server.map_or(IndexTarget::Folder, IndexTarget::Qdrant)
}

/// The RDF files of a dataset.
pub(super) fn files(settings: &Settings, dataset: &DatasetSettings) -> Result<Vec<PathBuf>, StartupError> {
    match &dataset.source {
        Source::Files(files) | Source::FilesAndEndpoint { files, .. } => Ok(files.clone()),
        Source::Demo => Ok(vec![demo_file(&settings.index.folder)?]),
        Source::Endpoint(_) => {
            let folder = settings.index_folder(dataset);
            Err(StartupError::NoIndex { dataset: dataset.id.clone(), folder })
        }
    }
}

/// Writes the built-in demo graph to a file, unless that has the same content already.
fn demo_file(folder: &Path) -> Result<PathBuf, StartupError> {
    let path = folder.join(DEMO_FILE);
    let failed = |source| StartupError::Demo { path: path.clone(), source };
    if std::fs::read_to_string(&path).is_ok_and(|text| text == DEMO_GRAPH) {
        return Ok(path);
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    replace_file(&path, DEMO_GRAPH.as_bytes()).map_err(failed)?;
    Ok(path)
}

/// The texts of a dataset. PDF files are read by the program itself, started again.
pub(super) fn text_sources(settings: &Settings, dataset: &DatasetSettings) -> TextSources {
    let TextSettings { files, mapping, literals_from, vectors } = dataset.texts.clone();
    let pdf = PdfReader { program: settings.store_program.clone(), arguments: vec![PDF_COMMAND.into()] };
    TextSources { files, mapping, literals_from, reader: DocumentReader { pdf }, vectors }
}

/// Whether an index has other graphs than those that belong to a dataset.
pub(super) fn has_other_graphs(dataset: &DatasetSettings, manifest: &Manifest) -> bool {
    match &manifest.source {
        BuiltFrom::Endpoint { graphs, .. } => !dataset.graphs.is_empty() && *graphs != dataset.graphs,
        _ => manifest.graphs != dataset.graphs,
    }
}

/// How the configured source and texts differ from what an index was built from. `endpoint` is the name of the opened
/// endpoint.
pub(super) fn built_from_other(
    settings: &Settings,
    dataset: &DatasetSettings,
    endpoint: &str,
    manifest: &Manifest,
) -> Option<String> {
    let texts = || other_texts(settings, dataset, manifest);
    other_source(settings, dataset, endpoint, &manifest.source).or_else(texts)
}

/// How the configured texts and their vectors differ from those of an index.
pub(super) fn other_texts(
    settings: &Settings,
    dataset: &DatasetSettings,
    manifest: &Manifest,
) -> Option<String> {
    let embeds = settings.embedding.provider != EmbeddingProvider::None;
    TextsStamp::differs(manifest.texts.as_ref(), &text_sources(settings, dataset), embeds)
}

fn other_source(
    settings: &Settings,
    dataset: &DatasetSettings,
    endpoint: &str,
    built_from: &BuiltFrom,
) -> Option<String> {
    let by_endpoint = |of: &EndpointSettings| built_from.differs_from_endpoint(endpoint, &of.default_graphs);
    match (&dataset.source, built_from) {
        (Source::Endpoint(of), _)
        | (Source::FilesAndEndpoint { endpoint: of, .. }, BuiltFrom::Endpoint { .. }) => by_endpoint(of),
        (Source::Files(_) | Source::Demo | Source::FilesAndEndpoint { .. }, _) => {
            built_from.differs_from_files(&files(settings, dataset).ok()?)
        }
    }
}
