//! The formats that are read, and their file names.

use super::compression::Compression;
use super::wikibase_json::Layout;
use oxrdfio::{JsonLdProfileSet, RdfFormat};

/// Endings of the files of a folder that are read. `.json` and `.xml` are not among them: most such files are no RDF.
const ENDINGS: [&str; 8] = ["ttl", "nt", "nq", "trig", "rdf", "owl", "jsonld", "n3"];

/// The format that somebody says files have, whatever their names and their content say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenFormat {
    name: &'static str,
    format: RdfFormat,
}

impl GivenFormat {
    /// Every format that can be given.
    pub const ALL: [Self; 7] = [
        Self { name: "turtle", format: RdfFormat::Turtle },
        Self { name: "ntriples", format: RdfFormat::NTriples },
        Self { name: "nquads", format: RdfFormat::NQuads },
        Self { name: "trig", format: RdfFormat::TriG },
        Self { name: "rdfxml", format: RdfFormat::RdfXml },
        Self { name: "jsonld", format: RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() } },
        Self { name: "n3", format: RdfFormat::N3 },
    ];

    /// The format of this name, or of the ending of files that have it.
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |given: &&Self| given.name == name || given.ending() == name;
        Self::ALL.iter().find(is_it).copied()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The usual ending of files that have it, without the dot.
    pub fn ending(self) -> &'static str {
        self.format.file_extension()
    }
}

impl From<GivenFormat> for Format {
    fn from(given: GivenFormat) -> Self {
        Self::Rdf(given.format)
    }
}

/// Whether the name of a file in a folder says that it holds RDF.
pub(super) fn is_rdf_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let (_, stem) = Compression::of_name(&name);
    stem.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// A format of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// A syntax of RDF.
    Rdf(RdfFormat),
    /// Entities of a Wikibase as JSON: a dump, or a file of Special:EntityData.
    WikibaseJson(Layout),
}

impl Format {
    /// What a file name without the ending of its compression says.
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

    /// Whether both are written as JSON: no name tells them apart.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::WikibaseJson(_) | Self::Rdf(RdfFormat::JsonLd { .. }))
    }
}
