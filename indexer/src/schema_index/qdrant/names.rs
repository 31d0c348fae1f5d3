//! The names of the documents, in memory: for expanding misspelt words and for computing how well a point fits; they are
//! searched directly while the server does not answer.

use crate::lexical::{AskedName, Dictionary};
use crate::schema_index::{LegHit, SchemaDocument, SchemaKind};

/// The documents on the server.
pub(super) struct DocumentNames {
    dictionary: Dictionary,
    documents: Vec<SchemaDocument>,
}

impl DocumentNames {
    pub(super) fn of(documents: &[SchemaDocument]) -> Self {
        let names = documents.iter().map(|document| (document.kind.as_str(), document.names.as_slice()));
        Self { dictionary: Dictionary::of(names), documents: documents.to_vec() }
    }

    /// Number of documents.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Prepares a question about documents of a kind.
    pub(super) fn ask(&self, kind: SchemaKind, text: &str) -> AskedName {
        self.dictionary.ask(kind.as_str(), text)
    }

    /// Documents found by names alone; uses break ties.
    pub(super) fn search(&self, kind: SchemaKind, asked: &AskedName) -> Vec<(LegHit, u64)> {
        let numbers = self.dictionary.holding_any(asked).into_iter();
        let found = numbers.filter_map(|number| self.documents.get(number as usize));
        let hit = |document: &SchemaDocument| {
            let score = asked.fit(document.names.iter().map(String::as_str), "")?;
            Some((LegHit { iri: document.iri.clone(), score }, document.usage))
        };
        found.filter(|document| document.kind == kind).filter_map(hit).collect()
    }
}
