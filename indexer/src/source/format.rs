//! The formats that are read, and what a file's name says of them.

use super::wikibase_json::Layout;
use oxrdfio::RdfFormat;

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
