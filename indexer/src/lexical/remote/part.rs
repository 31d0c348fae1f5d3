//! The parts of an index whose names can be on a server.

/// Entities or values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Things of the graph.
    Entities,
    /// Short literals.
    Values,
}

impl Part {
    /// The vector of its documents.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Entities => "entities",
            Self::Values => "values",
        }
    }

    /// The vector of the words in the names of its documents.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Entities => "entity-words",
            Self::Values => "value-words",
        }
    }
}
