//! Names that a graph's files lack: where IRIs are numbers, an entity without a label cannot be found. Names are
//! fetched from the dataset's endpoint, if there is one; otherwise, such entities are counted. Uses `extract` and an endpoint.

use crate::extract::{GraphBuilder, Unnamed};
use crate::vocabulary::RDFS_LABEL;
use eruca_sparql::{Limits, Prefixes, QueryPolicy, Results, SparqlEndpoint, Term, check, one_line};
use oxrdf::{GraphName, NamedNode, NamedOrBlankNode, Quad};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The properties fetched for each entity.
const NAMING: &[&str] =
    &[RDFS_LABEL, "http://www.w3.org/2004/02/skos/core#altLabel", "http://schema.org/description"];
/// Maximum number of entities per request, and in total: an endpoint should not be read like a dump.
const THINGS_AT_ONCE: usize = 200;
const MAX_THINGS: usize = 20_000;
/// Timeout of one request, and of all.
const REQUEST_TIME: Duration = Duration::from_secs(30);
const ALL_TIME: Duration = Duration::from_secs(600);
const MAX_BYTES: usize = 32 << 20;
/// Number of examples in a note.
const EXAMPLES: usize = 3;
const MAX_REASON_CHARS: usize = 200;

/// Fetches the names that the graph lacks from the endpoint, in these languages, English and `mul`; returns a note on what is
/// still missing.
///
/// # Errors
/// When the folder of the build cannot be written.
pub(crate) async fn complete(
    builder: &mut GraphBuilder,
    endpoint: Option<&dyn SparqlEndpoint>,
    languages: &[String],
    sees: impl Fn(&Quad) -> bool,
) -> std::io::Result<Vec<String>> {
    let missing = builder.unnamed()?;
    let Some(endpoint) = endpoint.filter(|_| missing.count() > 0) else {
        return Ok(note(&missing, None).into_iter().collect());
    };
    let until = Instant::now() + ALL_TIME;
    let mut failed = None;
    let things: Vec<&String> = missing.properties.iter().chain(&missing.items).take(MAX_THINGS).collect();
    for part in things.chunks(THINGS_AT_ONCE) {
        if Instant::now() >= until {
            failed = Some(format!("not all were requested within {} s", ALL_TIME.as_secs()));
            break;
        }
        match names_of(part, endpoint, languages).await {
            Ok(names) => {
                names.iter().filter(|quad| sees(quad)).try_for_each(|quad| builder.add(quad))?;
            }
            Err(reason) => {
                failed = Some(reason);
                break;
            }
        }
    }
    Ok(note(&builder.unnamed()?, failed.as_deref()).into_iter().collect())
}

async fn names_of(
    things: &[&String],
    endpoint: &dyn SparqlEndpoint,
    languages: &[String],
) -> Result<Vec<Quad>, String> {
    let policy = QueryPolicy { max_length: usize::MAX, ..QueryPolicy::default() };
    let limits = Limits { timeout: REQUEST_TIME, max_rows: usize::MAX, max_bytes: MAX_BYTES };
    let said = |error: eruca_sparql::QueryError| one_line(&error.to_string(), MAX_REASON_CHARS);
    let query = check(&query(things, languages), &Prefixes::default(), &policy).map_err(said)?;
    let answer = endpoint.query(&query, limits).await.map_err(said)?;
    let Results::Solutions(solutions) = answer.results else { return Ok(Vec::new()) };
    Ok(solutions.rows.into_iter().filter_map(quad).collect())
}

fn query(things: &[&String], languages: &[String]) -> String {
    let iris = |iris: &mut dyn Iterator<Item = &str>| {
        iris.fold(String::new(), |mut text, iri| {
            let _ = write!(text, "<{iri}> ");
            text
        })
    };
    let wanted = languages.iter().map(String::as_str).chain(["mul", "en"]);
    let wanted: Vec<String> = wanted.map(|tag| format!("\"{tag}\"")).collect();
    format!(
        "SELECT ?thing ?property ?name WHERE {{ VALUES ?thing {{ {}}} VALUES ?property {{ {}}} ?thing ?property ?name \
         FILTER(LANG(?name) IN ({})) }}",
        iris(&mut things.iter().map(|iri| iri.as_str())),
        iris(&mut NAMING.iter().copied()),
        wanted.join(", ")
    )
}

fn quad(row: Vec<Option<Term>>) -> Option<Quad> {
    let mut cells = row.into_iter();
    let (Some(Term::NamedNode(thing)), Some(Term::NamedNode(property)), Some(name @ Term::Literal(_))) =
        (cells.next()?, cells.next()?, cells.next()?)
    else {
        return None;
    };
    let property = NamedNode::new(property.into_string()).ok()?;
    Some(Quad::new(NamedOrBlankNode::NamedNode(thing), property, name, GraphName::DefaultGraph))
}

/// A note on what cannot be found by name, and what would help.
fn note(missing: &Unnamed, failed: Option<&str>) -> Option<String> {
    let few = |iris: &[String]| {
        let names = iris.iter().take(EXAMPLES).map(|iri| eruca_sparql::local_name(iri));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    for (count, kind, iris) in [
        (missing.properties.len(), "properties", &missing.properties),
        (missing.item_count, "other things", &missing.items),
    ] {
        if count > 0 {
            parts.push(format!("{count} {kind} ({} …)", few(iris)));
        }
    }
    let asked =
        failed.map_or_else(String::new, |reason| format!("; the endpoint did not return them: {reason}"));
    (!parts.is_empty()).then(|| {
        format!(
            "without a label in these files, so that no word finds them: {}; add a file with their labels (rdfs:label), or \
             an endpoint that has them{asked}",
            parts.join(" and ")
        )
    })
}

#[cfg(test)]
mod tests;
