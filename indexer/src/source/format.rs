//! The supported formats and their file names.

use super::compression::Compression;
use super::wikibase_json::Layout;
use oxrdfio::{JsonLdProfileSet, RdfFormat};

/// Extensions of files read in a folder. `.json` and `.xml` are not included, since most such files are not RDF.
const ENDINGS: [&str; 8] = ["ttl", "nt", "nq", "trig", "rdf", "owl", "jsonld", "n3"];

/// A format specified by the user, whatever names and content of the files suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenFormat {
    name: &'static str,
    format: RdfFormat,
}

impl GivenFormat {
    /// Every format that can be specified.
    pub const ALL: [Self; 7] = [
        Self { name: "turtle", format: RdfFormat::Turtle },
        Self { name: "ntriples", format: RdfFormat::NTriples },
        Self { name: "nquads", format: RdfFormat::NQuads },
        Self { name: "trig", format: RdfFormat::TriG },
        Self { name: "rdfxml", format: RdfFormat::RdfXml },
        Self { name: "jsonld", format: RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() } },
        Self { name: "n3", format: RdfFormat::N3 },
    ];

    /// The format with this name or file extension.
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |given: &&Self| given.name == name || given.ending() == name;
        Self::ALL.iter().find(is_it).copied()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The usual file extension, without the dot.
    pub fn ending(self) -> &'static str {
        self.format.file_extension()
    }
}

impl From<GivenFormat> for Format {
    fn from(given: GivenFormat) -> Self {
        Self::Rdf(given.format)
    }
}

/// Whether the name of a file in a folder suggests RDF.
pub(super) fn is_rdf_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let (_, stem) = Compression::of_name(&name);
    stem.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// A format of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// An RDF syntax.
    Rdf(RdfFormat),
    /// Entities of a Wikibase as JSON: a dump, or a file from Special:EntityData.
    WikibaseJson(Layout),
}

impl Format {
    /// The format according to a file name without the extension of its compression.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        let format = match extension {
            "owl" => Some(RdfFormat::RdfXml),
            other => RdfFormat::from_extension(other),
        };
        format.map(Self::Rdf)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rdf(format) => format.name(),
            Self::WikibaseJson(_) => "Wikibase entity JSON",
        }
    }

    /// Whether the format is written as JSON, in which case the file name cannot distinguish it from others.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::WikibaseJson(_) | Self::Rdf(RdfFormat::JsonLd { .. }))
    }
}
