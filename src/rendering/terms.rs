//! Terms, each on one line.

use eruca_dataset::Dataset;
use eruca_sparql::{Term, literal_text, one_line};

/// Characters of a literal among other terms.
pub(crate) const MAX_TERM_CHARS: usize = 100;

/// A term as it is written in SPARQL, IRIs with their labels.
pub(crate) fn term_text(dataset: &Dataset, term: &Term) -> String {
    match term {
        Term::NamedNode(node) => {
            let label =
                dataset.quoted_label(node.as_str()).map_or_else(String::new, |label| format!(" ({label})"));
            format!("{}{label}", dataset.compact(node.as_str()))
        }
        Term::BlankNode(_) => "[blank node]".to_owned(),
        Term::Literal(literal) => literal_text(literal, dataset.prefixes(), MAX_TERM_CHARS),
    }
}

/// An IRI, whole or cut as [`Dataset::compact`] does it.
pub(crate) fn iri_text(dataset: &Dataset, iri: &str) -> String {
    dataset.compact(iri)
}

/// A term as it is written in SPARQL, without a name; texts up to a number of characters.
pub(crate) fn cell_text(dataset: &Dataset, term: &Term, max_chars: usize) -> String {
    match term {
        Term::NamedNode(node) => iri_text(dataset, node.as_str()),
        Term::BlankNode(node) => one_line(&node.to_string(), max_chars),
        Term::Literal(literal) => literal_text(literal, dataset.prefixes(), max_chars),
    }
}
