//! Terms in SPARQL syntax, so that people and models can copy them into a query.

use super::TableStyle;
use crate::datatypes::{XSD, is_numeric_type};
use crate::fence::{one_line, quoted};
use crate::terms::{Prefixes, is_shown_name};
use oxrdf::vocab::xsd;
use oxrdf::{Literal, NamedNodeRef, Term};

/// Maximum characters of a number written without quotes.
const MAX_NUMBER: usize = 100;
/// Maximum characters of a language tag ([RFC 5646, 4.4.1](https://www.rfc-editor.org/rfc/rfc5646#section-4.4.1)).
const MAX_TAG: usize = 35;

/// The text of a table cell.
pub(super) fn term_text(term: Option<&Term>, style: &TableStyle<'_>) -> String {
    match term {
        None => "-".to_owned(),
        Some(Term::NamedNode(node)) => {
            // IRIs are shown in full, because people and models copy them; only very long ones are shortened, with a mark.
            let name = style.prefixes.shown(node.as_str());
            match (style.label)(node.as_str()) {
                Some(label) => format!("{name} ({})", cell(quoted(&label, style.cell_chars))),
                None => name,
            }
        }
        // The remote parser and the stores create labels of letters and digits.
        Some(Term::BlankNode(node)) => one_line(&node.to_string(), style.cell_chars),
        Some(Term::Literal(literal)) => cell(literal_text(literal, style.prefixes, style.cell_chars)),
    }
}

/// The header of a column. The name comes from the endpoint and may be anything.
pub(super) fn column_text(name: &str, max_chars: usize) -> String {
    let shown: String = name.chars().take(max_chars).collect();
    match is_shown_name(&shown) {
        true if shown.len() < name.len() => format!("?{shown}…"),
        true => format!("?{shown}"),
        false => format!("?{}", cell(quoted(name, max_chars))),
    }
}

/// A literal in SPARQL syntax, its text truncated to `max_chars` characters. Only what SPARQL reads as the same number or
/// boolean is written without quotes.
#[must_use]
pub fn literal_text(literal: &Literal, prefixes: &Prefixes, max_chars: usize) -> String {
    let datatype = literal.datatype();
    if is_bare(literal.value(), datatype) {
        return literal.value().to_owned();
    }
    let text = quoted(literal.value(), max_chars);
    if let Some(language) = literal.language() {
        return if is_language_tag(language) { format!("{text}@{language}") } else { text };
    }
    match datatype {
        xsd::STRING => text,
        _ => match datatype
            .as_str()
            .strip_prefix(XSD)
            .filter(|local| local.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        {
            Some(local) => format!("{text}^^xsd:{local}"),
            None => format!("{text}^^{}", prefixes.shown(datatype.as_str())),
        },
    }
}

fn is_bare(text: &str, datatype: NamedNodeRef<'_>) -> bool {
    match datatype {
        xsd::BOOLEAN => matches!(text, "true" | "false"),
        _ => is_numeric(datatype) && text.len() <= MAX_NUMBER && text.parse::<f64>().is_ok(),
    }
}

/// Whether a text has the form of a language tag. Endpoints may send anything in its place.
#[must_use]
pub fn is_language_tag(text: &str) -> bool {
    (1..=MAX_TAG).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Escapes pipes, which would end the cell.
fn cell(text: String) -> String {
    if text.contains('|') { text.replace('|', "\\u007C") } else { text }
}

/// Whether a datatype is one of the numeric types of XML Schema.
pub(super) fn is_numeric(datatype: NamedNodeRef<'_>) -> bool {
    datatype.as_str().strip_prefix(XSD).is_some_and(is_numeric_type)
}
