//! Building an index: read, extract, write, publish. The order of steps is here; each step is elsewhere.

use crate::card::DatasetCard;
use crate::embedding::{Embedder, EmbeddingError, Purpose};
use crate::entity_index::EntityIndexWriter;
use crate::extract::{Graph, GraphBuilder, Roles, entities, schema, values};
use crate::folder::NewVersion;
use crate::lexical::LexicalError;
use crate::manifest::{EmbeddingStamp, FORMAT, Manifest, SchemaBackend};
use crate::progress::Progress;
use crate::schema_index::{
    LocalSchemaIndex, QdrantOptions, QdrantSchemaIndex, SchemaDocument, SchemaIndexError, documents,
};
use crate::source::{ReadSummary, SourceError, expand_patterns, read_quads};
use crate::value_index::ValueIndexWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub(crate) const ENTITIES: &str = "entities";
pub(crate) const VALUES: &str = "values";
pub(crate) const SCHEMA: &str = "schema";
pub(crate) const CARD: &str = "card.json";

/// Literals are kept up to this length; descriptions are cut shorter still.
const MAX_LITERAL_CHARS: usize = 400;
/// Progress is told after so many documents.
const PROGRESS_STEP: u64 = 1_000;
/// Texts embedded between two progress reports.
const EMBEDDING_STEP: usize = 128;

/// What to build and how.
pub struct BuildOptions<'a> {
    /// Paths and globs of RDF files.
    pub files: &'a [PathBuf],
    /// The index folder; created if missing.
    pub folder: &'a Path,
    /// Naming properties beside the built-in ones, best first.
    pub naming_properties: &'a [String],
    /// Leave broken statements out instead of stopping at the first.
    pub skip_errors: bool,
    /// Longer string values are not searchable.
    pub max_value_chars: usize,
    /// Makes the vectors of the schema index; `None` leaves the dense leg off.
    pub embedder: Option<&'a dyn Embedder>,
    /// Where the schema index goes.
    pub schema_target: SchemaTarget,
}

/// Where the schema index goes.
pub enum SchemaTarget {
    /// Into the index folder.
    Folder,
    /// Into a Qdrant server.
    Qdrant(QdrantOptions),
}

/// What a build came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSummary {
    /// The index folder.
    pub index: PathBuf,
    /// Triples read, duplicates included.
    pub triples: u64,
    /// Broken statements left out.
    pub skipped: u64,
    /// The first few reasons for leaving out.
    pub skipped_reasons: Vec<String>,
    /// Entities indexed.
    pub entities: u64,
    /// Values indexed.
    pub values: u64,
    /// Classes, declared or used.
    pub classes: u64,
    /// Properties, declared or used.
    pub properties: u64,
    /// Languages of string literals with their counts; the empty tag stands for none.
    pub languages: Vec<(String, u64)>,
    /// The legs of the schema search.
    pub schema_search: String,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Why a build failed. The index that was there before, if any, is untouched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The RDF cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The files hold no triple.
    #[error("the files hold no triple: {}", .0.join(", "))]
    Empty(Vec<String>),
    /// The folder cannot be written.
    #[error("the index folder '{folder}' cannot be written: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// An index cannot be written.
    #[error("the index in '{folder}' cannot be written: {source}")]
    Index {
        /// The folder.
        folder: PathBuf,
        /// The engine's words.
        source: LexicalError,
    },
    /// The schema index cannot be written.
    #[error(transparent)]
    Schema(#[from] SchemaIndexError),
    /// The texts cannot be embedded.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
}

/// Builds an index and makes it the current one.
///
/// # Errors
/// When the source cannot be read or the index cannot be written; nothing is changed then.
pub async fn build(options: &BuildOptions<'_>, progress: &dyn Progress) -> Result<BuildSummary, BuildError> {
    let started = Instant::now();
    // Before the folder is made: a mistyped name leaves nothing behind.
    let files = expand_patterns(options.files)?;
    let version = NewVersion::start(options.folder).map_err(|source| folder_error(options, source))?;
    let source = read(options, &files, progress)?;
    progress.begin("counting classes and properties", None);
    let roles = Roles::find(&source.graph, options.naming_properties);
    let card = schema(&source.graph, &roles, &source.prefixes);
    progress.end(&format!("{} classes, {} properties", card.classes.len(), card.properties.len()));
    let written = write_names(options, version.folder(), &source.graph, &roles, progress);
    let (entities, values) =
        written.map_err(|source| BuildError::Index { folder: options.folder.to_owned(), source })?;
    let embedding = write_schema(options, version.folder(), &card, progress).await?;
    let summary = BuildSummary {
        index: options.folder.to_owned(),
        triples: source.graph.quads_read(),
        skipped: source.skipped,
        skipped_reasons: source.reasons,
        entities,
        values,
        classes: card.classes.len() as u64,
        properties: card.properties.len() as u64,
        languages: card.languages.clone(),
        schema_search: embedding
            .as_ref()
            .map_or("bm25".to_owned(), |stamp| format!("bm25+dense ({})", stamp.model)),
        elapsed: started.elapsed(),
    };
    seal(options, &version, &card, &manifest(options, &summary, embedding))
        .map_err(|source| folder_error(options, source))?;
    version.publish().map_err(|source| folder_error(options, source))?;
    Ok(BuildSummary { elapsed: started.elapsed(), ..summary })
}

fn folder_error(options: &BuildOptions<'_>, source: std::io::Error) -> BuildError {
    BuildError::Folder { folder: options.folder.to_owned(), source }
}

/// What was read from all files.
struct Source {
    graph: Graph,
    skipped: u64,
    reasons: Vec<String>,
    prefixes: Vec<(String, String)>,
}

fn read(
    options: &BuildOptions<'_>,
    files: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Source, BuildError> {
    let mut builder = GraphBuilder::new(MAX_LITERAL_CHARS.max(options.max_value_chars));
    let (mut skipped, mut reasons, mut prefixes) = (0, Vec::new(), Vec::new());
    for file in files {
        let bytes = std::fs::metadata(file).ok().map(|data| data.len());
        progress.begin(&format!("reading {}", file.display()), bytes);
        let summary: ReadSummary =
            read_quads(file, options.skip_errors, progress, &mut |quad| builder.add(&quad))?;
        progress.end(&format!("{} triples", summary.quads));
        skipped += summary.skipped;
        reasons.extend(summary.reasons);
        prefixes.extend(summary.prefixes);
    }
    let graph = builder.finish();
    if graph.triples().is_empty() {
        return Err(BuildError::Empty(files.iter().map(|file| file.display().to_string()).collect()));
    }
    Ok(Source { graph, skipped, reasons, prefixes })
}

/// Writes entities and values; returns how many of each.
fn write_names(
    options: &BuildOptions<'_>,
    folder: &Path,
    graph: &Graph,
    roles: &Roles,
    progress: &dyn Progress,
) -> Result<(u64, u64), LexicalError> {
    progress.begin("writing entities", Some(graph.node_count() as u64));
    let mut writer = EntityIndexWriter::create(&folder.join(ENTITIES))?;
    let mut pending = 0;
    for record in entities(graph, roles) {
        writer.add(EntityIndexWriter::prepare(record)?)?;
        report(progress, &mut pending);
    }
    let entities = writer.finish()?;
    progress.end(&format!("{entities} entities"));
    let records = values(graph, roles, options.max_value_chars);
    progress.begin("writing values", Some(records.len() as u64));
    let mut writer = ValueIndexWriter::create(&folder.join(VALUES))?;
    for record in records {
        writer.add(record)?;
        report(progress, &mut pending);
    }
    let values = writer.finish()?;
    progress.end(&format!("{values} values"));
    Ok((entities, values))
}

fn report(progress: &dyn Progress, pending: &mut u64) {
    *pending += 1;
    if *pending == PROGRESS_STEP {
        progress.advance(std::mem::take(pending));
    }
}

async fn write_schema(
    options: &BuildOptions<'_>,
    folder: &Path,
    card: &DatasetCard,
    progress: &dyn Progress,
) -> Result<Option<EmbeddingStamp>, BuildError> {
    let documents = documents(card);
    progress.begin("writing classes and properties", Some(documents.len() as u64));
    let vectors = match options.embedder {
        Some(embedder) => Some(embed(embedder, &documents, progress).await?),
        None => None,
    };
    match &options.schema_target {
        SchemaTarget::Folder => {
            LocalSchemaIndex::write(&folder.join(SCHEMA), &documents, vectors.as_deref())?;
        }
        SchemaTarget::Qdrant(qdrant) => {
            QdrantSchemaIndex::write(qdrant, &documents, vectors.as_deref()).await?;
        }
    }
    progress.end(&format!("{} documents", documents.len()));
    let stamp = |embedder: &dyn Embedder| EmbeddingStamp {
        model: embedder.model().to_owned(),
        dimension: embedder.dimension(),
    };
    Ok(options.embedder.map(stamp))
}

async fn embed(
    embedder: &dyn Embedder,
    documents: &[SchemaDocument],
    progress: &dyn Progress,
) -> Result<Vec<Vec<f32>>, EmbeddingError> {
    let mut vectors = Vec::with_capacity(documents.len());
    for batch in documents.chunks(EMBEDDING_STEP) {
        let texts = batch.iter().map(SchemaDocument::embedding_text).collect();
        vectors.extend(embedder.embed(texts, Purpose::Document).await?);
        progress.advance(batch.len() as u64);
    }
    Ok(vectors)
}

fn manifest(
    options: &BuildOptions<'_>,
    summary: &BuildSummary,
    embedding: Option<EmbeddingStamp>,
) -> Manifest {
    Manifest {
        format: FORMAT.to_owned(),
        parts: Manifest::current_parts(),
        built_by: env!("CARGO_PKG_VERSION").to_owned(),
        built_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        source: options.files.iter().map(|file| file.display().to_string()).collect(),
        triples: summary.triples,
        skipped: summary.skipped,
        entities: summary.entities,
        values: summary.values,
        classes: summary.classes,
        properties: summary.properties,
        embedding,
        schema_backend: match &options.schema_target {
            SchemaTarget::Folder => SchemaBackend::Local,
            SchemaTarget::Qdrant(qdrant) => SchemaBackend::Qdrant { collection: qdrant.collection.clone() },
        },
    }
}

/// Writes the card and, last, the manifest.
fn seal(
    options: &BuildOptions<'_>,
    version: &NewVersion,
    card: &DatasetCard,
    manifest: &Manifest,
) -> std::io::Result<()> {
    let file = std::fs::File::create(version.folder().join(CARD))?;
    serde_json::to_writer(&file, card)?;
    file.sync_all()?;
    manifest.write(version.folder())?;
    tracing::debug!(index = %options.folder.display(), "index sealed");
    Ok(())
}
