//! The index of an RDF graph: reading, extracting, writing and searching.
//!
//! ```text
//! files ──► source ──► extract (graph, roles, entities, values, schema) ──► writers ──► index folder
//!                                                                                         │
//!            dataset ◄── record_index (entity_index · value_index) · schema_index (· embedding) ◄────────┘
//! ```
//! `lexical` is the search engine of every index of names. Writer and reader of an index are in the same module. This
//! package knows words and tokens from `eruca-language`, SPARQL's terms and prefixes from `eruca-sparql`, and nothing about
//! agents, models or HTTP.

// A graph may contain anything, so unchecked indexing into texts and lists is forbidden.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod amount;
mod build;
mod card;
mod checksums;
mod dataset;
mod download;
pub mod embedding;
mod entity_index;
mod extract;
mod folder;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod health;
mod hidden;
mod hierarchy;
mod lexical;
mod manifest;
pub mod media;
mod missing_names;
mod origin;
mod own_files;
mod progress;
mod qdrant;
mod record_index;
mod schema_graph;
mod schema_index;
mod schema_names;
mod schema_words;
mod source;
pub mod texts;
mod value_index;
pub mod vocabulary;
mod wikibase_api;

pub use amount::amount;
pub use build::{
    BuildError, BuildOptions, BuildSummary, IndexTarget, Origin, ShareError, ShareSummary, build,
    build_share, merge_shares,
};
pub use card::{ClassCard, Collected, Collection, DatasetCard, Edge, PropertyCard, Target, display_label};
pub use checksums::FileSum;
pub use dataset::{DatasetIndex, OpenError, OpenOptions};
pub use download::{Download, DownloadError, DownloadOptions, download, forget_download};
pub use entity_index::{EntityHit, EntityIndex};
pub use eruca_documents::pdf_process;
pub use extract::{Entity, Label, PropertyValue, Share};
pub use health::Outdated;
pub use hidden::{Hides, LeftOut};
pub use lexical::{LexicalError, NAMES_PAUSE, edit_distance, is_like_a_part};
pub use manifest::{Manifest, ManifestError};
pub use origin::{BuiltFrom, SourceFile};
pub use own_files::replace_file;
pub use progress::{NoProgress, Progress};
pub use qdrant::{QdrantFailure, QdrantOptions};
pub use schema_graph::{Attribute, Hop, SchemaGraph, ValueKind};
pub use schema_index::{
    LegHit, LegRanks, SchemaHit, SchemaIndex, SchemaIndexError, SchemaKind, SchemaSearch, fuse,
};
pub use schema_names::{SchemaNames, SchemaTerm, name_words};
pub use schema_words::WordIndex;
pub use source::{GivenFormat, ReadOptions, ReadSummary, SourceError, expand_patterns, read_quads};
pub use value_index::{ValueHit, ValueIndex};
pub use wikibase_api::{
    WikibaseApi, WikibaseApiError, WikibaseApiOptions, WikibaseEntity, WikibaseFound, WikibaseHit,
    WikibaseKind,
};
