//! `search_property`: properties by meaning and words.

use super::arguments::{Words, schema};
use super::live::live_line;
use super::statements::facts_text;
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::dataset::{Dataset, Known, MAX_NAME_CHARS, SchemaFound};
use async_trait::async_trait;
use eruca_indexer::vocabulary::{PropertyFacts, XSD, XSD_STRING};
use eruca_indexer::{Edge, PropertyCard, Target};
use eruca_sparql::{is_numeric_type, one_line};

const PROPERTIES: usize = 10;
/// External identifiers that keep others out.
const MAX_IDS: usize = 3;
const MAX_COMMENT_CHARS: usize = 120;
/// Connections named in one line.
const MAX_EDGES: usize = 4;
/// From this fit on a property is called as the query says.
const NAMED_FIT: f32 = 0.7;
/// Properties shown that nothing has, although they are of no class.
const MAX_UNUSED: usize = 2;
/// Languages named of the values of one property.
const MAX_LANGUAGES: usize = 4;
/// Samples shown of a property.
const MAX_SAMPLES: usize = 2;

pub(super) struct SearchProperty;

#[async_trait]
impl Tool for SearchProperty {
    fn name(&self) -> &'static str {
        "search_property"
    }

    fn description(&self) -> &'static str {
        "Finds properties by meaning or words. Shows what they connect (class -> class or datatype), how often, \
         and sample values. `class` (optional) limits the search to properties of its instances."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[
            ("query", "what the property says, e.g. price, born in", true),
            ("class", "prefixed name or IRI of a class", false),
        ])
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match arguments.words("query") {
            Ok(Words { text, note }) => search(text, arguments, context).await.noting(note),
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

async fn search(text: &str, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
    let dataset = context.dataset;
    let class = match arguments.optional_iri("class") {
        Ok(class) => class.and_then(|class| dataset.resolve(class).ok()),
        Err(reason) => return Observation::bad_call(reason),
    };
    let has_statements = dataset.vocabulary().statements.is_some();
    let limit = if class.is_some() || has_statements { PROPERTIES * 5 } else { PROPERTIES };
    let mut found = match dataset.find_properties(text, limit).await {
        Ok(found) => found,
        Err(error) => return Observation::lookup_failed(&error),
    };
    found.hits.sort_by_key(is_unused);
    let of_class = |property: &PropertyCard| class.as_deref().is_none_or(|class| belongs_to(property, class));
    let fits = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        Known::Card(property) => of_class(property),
        Known::Live(_) => true,
    };
    let kept: Vec<_> = found.hits.iter().filter(fits).collect();
    let best = kept.iter().filter(|hit| !is_unused(hit)).map(|hit| hit.fit).fold(0.0, f32::max);
    // Nothing has it, so no class does: it is told where nothing else is called so.
    let mut kept = without_too_many_ids(kept);
    let told: Vec<&str> = kept.iter().map(|hit| hit.iri.as_str()).collect();
    let unused = found.hits.iter().filter(|hit| is_unused(hit) && hit.fit > best.max(NAMED_FIT));
    let unused: Vec<_> = unused.filter(|hit| !told.contains(&hit.iri.as_str())).take(MAX_UNUSED).collect();
    kept.extend(unused);
    let line = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        Known::Card(property) => property_line(dataset, property),
        Known::Live(property) => live_line(dataset, &hit.iri, property),
    };
    let lines: Vec<String> = kept.iter().map(line).collect();
    if class.is_some() && !dataset.is_indexed() {
        found.notes.push("which of them instances of `class` have is not known".to_owned());
    }
    if lines.is_empty() {
        let hint =
            "try other words, search_class (it lists the properties of a class), or get_entry of an instance";
        let text = format!("No property is like '{text}'; {hint}.");
        return Observation::new(ObservationKind::Empty, text).noting(found.note());
    }
    Observation::new(ObservationKind::Ok, lines.join("\n")).noting(found.note())
}

fn is_unused(hit: &SchemaFound<'_, PropertyCard>) -> bool {
    matches!(&hit.known, Known::Card(property) if property.is_unused())
}

/// As many as are shown, external identifiers behind all others and only those that were among the first.
fn without_too_many_ids<'h, 'a>(
    found: Vec<&'h SchemaFound<'a, PropertyCard>>,
) -> Vec<&'h SchemaFound<'a, PropertyCard>> {
    let is_id = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        Known::Card(property) => property.statements.as_ref().is_some_and(PropertyFacts::is_external_id),
        Known::Live(_) => false,
    };
    let ids: Vec<_> = found.iter().take(PROPERTIES).copied().filter(is_id).collect();
    let others: Vec<_> = found.into_iter().filter(|hit| !is_id(hit)).collect();
    let kept = ids.len().min(MAX_IDS).max(PROPERTIES.saturating_sub(others.len()));
    let mut shown: Vec<_> = others.into_iter().take(PROPERTIES - ids.len().min(kept)).collect();
    shown.extend(ids.into_iter().take(kept));
    shown
}

fn belongs_to(property: &PropertyCard, class: &str) -> bool {
    property.edges.iter().any(|edge| edge.class.as_deref() == Some(class))
}

/// One line about a property: IRI, label, connections, languages, samples, comment.
pub fn property_line(dataset: &Dataset, property: &PropertyCard) -> String {
    let mut line = format!("- {} \"{}\"", dataset.compact(&property.iri), dataset.schema_name(&property.iri));
    line.push_str(&dataset.synonyms(&property.iri, &property.labels));
    if property.is_unused() {
        line.push_str(" (declared, never used)");
    }
    let edges: Vec<String> =
        property.edges.iter().take(MAX_EDGES).map(|edge| edge_text(dataset, edge)).collect();
    if !edges.is_empty() {
        line.push_str(&format!(": {}", edges.join("; ")));
    }
    if property.edges.len() > MAX_EDGES {
        line.push_str(&format!("; {} more", property.edges.len() - MAX_EDGES));
    }
    let samples = samples(dataset, property, &property.edges.iter().collect::<Vec<_>>());
    if !samples.is_empty() {
        line.push_str(&format!(", e.g. {samples}"));
    }
    line.push_str(&languages_text(property));
    line.push_str(&facts_text(dataset, property));
    if let Some(comment) = &property.comment {
        line.push_str(&format!(". {}", one_line(comment, MAX_COMMENT_CHARS)));
    }
    line
}

/// The languages of values, where they have several: a text must be matched with its own.
fn languages_text(property: &PropertyCard) -> String {
    if property.languages.len() < 2 {
        return String::new();
    }
    let shown = property.languages.iter().take(MAX_LANGUAGES);
    let names: Vec<String> = shown
        .map(|(tag, count)| format!("{} ({count})", if tag.is_empty() { "no language" } else { tag }))
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
            Some(name) => name.to_owned(),
            None => dataset.compact(datatype),
        },
    }
}

/// Samples of connections as they are written in SPARQL: IRIs compact, strings quoted, numbers bare. Instances
/// of a class are left out: their IRIs say nothing.
pub(crate) fn samples(dataset: &Dataset, property: &PropertyCard, edges: &[&Edge]) -> String {
    // Of several languages it is not known which one a sample has.
    let language = match property.languages.as_slice() {
        [(tag, _)] if !tag.is_empty() => format!("@{tag}"),
        _ => String::new(),
    };
    let mut shown: Vec<String> = Vec::new();
    for edge in edges {
        let show = |sample: &String| match &edge.target {
            Target::Class(_) => None,
            Target::Resource => Some(dataset.named(sample)),
            Target::Literal(datatype) if is_numeric(datatype) => Some(one_line(sample, MAX_NAME_CHARS)),
            Target::Literal(_) => {
                Some(format!("\"{}\"{language}", one_line(sample, MAX_NAME_CHARS).replace('"', "\\\"")))
            }
        };
        shown.extend(edge.samples.iter().filter_map(show).take(MAX_SAMPLES));
    }
    shown.truncate(MAX_SAMPLES);
    shown.join(", ")
}

fn is_numeric(datatype: &str) -> bool {
    datatype.strip_prefix(XSD).is_some_and(is_numeric_type)
}
