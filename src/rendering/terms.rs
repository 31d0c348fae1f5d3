//! Terms, each on one line.

use crate::dataset::Dataset;
use eruca_indexer::vocabulary::{XSD, XSD_STRING};
use eruca_sparql::{Literal, Term, is_numeric_type, one_line};

/// Characters of a literal among other terms.
pub(crate) const MAX_TERM_CHARS: usize = 100;

/// A term as it is written in SPARQL, IRIs with their labels.
pub(crate) fn term_text(dataset: &Dataset, term: &Term) -> String {
    match term {
        Term::NamedNode(node) => {
            let label = dataset.label(node.as_str()).map_or_else(String::new, |label| format!(" ({label})"));
            format!("{}{label}", dataset.compact(node.as_str()))
        }
        Term::BlankNode(_) => "[blank node]".to_owned(),
        Term::Literal(literal) => {
            let text = one_line(literal.value(), MAX_TERM_CHARS);
            match literal.language() {
                Some(language) => format!("\"{text}\"@{language}"),
                None if literal.datatype().as_str() == XSD_STRING => {
                    format!("\"{text}\"")
                }
                None => text,
            }
        }
    }
}

/// An IRI, whole or cut as [`Dataset::compact`] does it.
pub(crate) fn iri_text(dataset: &Dataset, iri: &str) -> String {
    one_line(&dataset.compact(iri), usize::MAX)
}

/// A term as it is written in SPARQL, without a name; texts up to a number of characters.
pub(crate) fn cell_text(dataset: &Dataset, term: &Term, max_chars: usize) -> String {
    match term {
        Term::NamedNode(node) => iri_text(dataset, node.as_str()),
        Term::BlankNode(node) => one_line(&node.to_string(), max_chars),
        Term::Literal(literal) => literal_text(dataset, literal, max_chars),
    }
}

fn literal_text(dataset: &Dataset, literal: &Literal, max_chars: usize) -> String {
    let datatype = literal.datatype();
    let of_xsd = datatype.as_str().strip_prefix(XSD);
    let text = one_line(literal.value(), max_chars);
    if of_xsd == Some("boolean") || of_xsd.is_some_and(is_numeric_type) {
        return text;
    }
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    match literal.language() {
        Some(language) => format!("\"{text}\"@{language}"),
        None if of_xsd == Some("string") => format!("\"{text}\""),
        None => format!("\"{text}\"^^{}", dataset.compact(datatype.as_str())),
    }
}
