//! Properties: what they connect, and samples of their values.

use super::facts::facts_text;
use super::owner_notes;
use eruca_dataset::{Dataset, MAX_NAME_CHARS, quoted_name, shown_tag};
use eruca_indexer::vocabulary::{XSD, XSD_STRING};
use eruca_indexer::{Edge, PropertyCard, Target};
use eruca_sparql::{Literal, NamedNode, is_language_tag, is_numeric_type, literal_text, quoted};

const MAX_COMMENT_CHARS: usize = 120;
/// Connections named in one line; the latter where classes are ordinary entities, as each thing is of several there.
const MAX_EDGES: usize = 4;
const MAX_EDGES_OF_THINGS: usize = 2;
/// Languages named of the values of one property.
const MAX_LANGUAGES: usize = 4;
/// Samples shown of a property.
const MAX_SAMPLES: usize = 2;

/// One line about a property: IRI, label, connections, languages, samples, comment.
pub(crate) fn property_line(dataset: &Dataset, property: &PropertyCard) -> String {
    let mut line =
        format!("- {} {}", dataset.compact(&property.iri), quoted_name(&dataset.schema_name(&property.iri)));
    line.push_str(&dataset.synonyms(&property.iri, &property.labels));
    if property.is_unused() {
        line.push_str(" (declared, never used)");
    }
    let most = if dataset.vocabulary().classes_are_things { MAX_EDGES_OF_THINGS } else { MAX_EDGES };
    let edges: Vec<String> = property.edges.iter().take(most).map(|edge| edge_text(dataset, edge)).collect();
    if !edges.is_empty() {
        line.push_str(&format!(": {}", edges.join("; ")));
    }
    if property.edges.len() > most {
        line.push_str(&format!("; {} more", property.edges.len() - most));
    }
    if property.symmetric {
        line.push_str("; symmetric (each link has its reverse)");
    }
    let samples = samples(dataset, property, &property.edges.iter().collect::<Vec<_>>());
    if !samples.is_empty() {
        line.push_str(&format!(", e.g. {samples}"));
    }
    line.push_str(&languages_text(property));
    line.push_str(&facts_text(dataset, property));
    if let Some(comment) = &property.comment {
        line.push_str(&format!(". {}", quoted(comment, MAX_COMMENT_CHARS)));
    }
    line.push_str(&owner_notes(dataset, &property.iri));
    line
}

/// The languages of values, where they have several: a text must be matched with its own.
fn languages_text(property: &PropertyCard) -> String {
    if property.languages.len() < 2 {
        return String::new();
    }
    let shown = property.languages.iter().take(MAX_LANGUAGES);
    let names: Vec<String> = shown
        .map(|(tag, count)| {
            format!("{} ({count})", if tag.is_empty() { "no language".to_owned() } else { shown_tag(tag) })
        })
        .collect();
    let more = property.languages.len() - names.len();
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    format!(", in {}{more}", names.join(", "))
}

fn edge_text(dataset: &Dataset, edge: &Edge) -> String {
    let class = edge.class.as_ref().map_or_else(|| "(untyped)".to_owned(), |class| dataset.named(class));
    format!("{class} -> {} ({})", target_text(dataset, &edge.target), edge.count)
}

/// What a property leads to, in the words used in prompts.
pub(crate) fn target_text(dataset: &Dataset, target: &Target) -> String {
    match target {
        Target::Class(class) => dataset.named(class),
        Target::Resource => "resource".to_owned(),
        Target::Literal(datatype) if datatype == XSD_STRING => "string".to_owned(),
        Target::Literal(datatype) => match datatype.strip_prefix(XSD) {
            Some(name) if is_word(name) => name.to_owned(),
            _ => dataset.compact(datatype),
        },
    }
}

/// Samples of connections as they are written in SPARQL: IRIs compact, strings quoted, numbers bare. Instances
/// of a class are left out: their IRIs say nothing.
pub(crate) fn samples(dataset: &Dataset, property: &PropertyCard, edges: &[&Edge]) -> String {
    // Of several languages it is not known which one a sample has.
    let language = match property.languages.as_slice() {
        [(tag, _)] if is_language_tag(tag) => format!("@{tag}"),
        _ => String::new(),
    };
    let mut shown: Vec<String> = Vec::new();
    for edge in edges {
        let show = |sample: &String| match &edge.target {
            Target::Class(_) => None,
            Target::Resource => Some(dataset.named(sample)),
            Target::Literal(datatype) if is_numeric(datatype) => Some(number_text(dataset, sample, datatype)),
            Target::Literal(_) => Some(format!("{}{language}", quoted_name(sample))),
        };
        shown.extend(edge.samples.iter().filter_map(show).take(MAX_SAMPLES));
    }
    shown.truncate(MAX_SAMPLES);
    shown.join(", ")
}

fn number_text(dataset: &Dataset, sample: &str, datatype: &str) -> String {
    let literal = Literal::new_typed_literal(sample, NamedNode::new_unchecked(datatype));
    literal_text(&literal, dataset.prefixes(), MAX_NAME_CHARS)
}

/// The name of a datatype of XML Schema, or what a file has in its place.
fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_numeric(datatype: &str) -> bool {
    datatype.strip_prefix(XSD).is_some_and(is_numeric_type)
}
