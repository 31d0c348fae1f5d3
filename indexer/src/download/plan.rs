//! Plans the download: the properties with their counts, grouped into parts that are read one after the other.

use super::ask::{Asker, RequestOutcome, Row};
use super::queries;
use super::{DownloadOptions, StoppedReading};
use eruca_sparql::{QueryError, Term};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// No known server truncates results to fewer rows: shorter lists are assumed to be complete.
const SMALLEST_CAP: usize = 100;
/// Maximum number of properties read in one response.
const MAX_BATCH: usize = 100;
/// Maximum number of samples taken to find the properties of an endpoint that does not list them.
const MAX_SAMPLES: usize = 1_000;

/// A part of the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum GraphPart {
    /// Properties whose statements fit into one response, without blank nodes.
    Batch {
        /// Their IRIs.
        properties: Vec<String>,
        /// Number of statements of all of them.
        expected: u64,
    },
    /// A property, page by page, without blank nodes.
    Property {
        /// Its IRI.
        property: String,
        /// The number of its statements, if counted.
        expected: Option<u64>,
    },
    /// The instances of a class, page by page.
    Instances {
        /// Its IRI.
        class: String,
        /// Their number.
        expected: u64,
    },
    /// All statements with blank nodes, in one response.
    Blank {
        /// Their number.
        expected: u64,
    },
    /// The same, page by page, if labels of blank nodes are stable across responses.
    BlankPages {
        /// Their number.
        expected: u64,
    },
}

/// All parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DownloadPlan {
    pub(super) properties: u64,
    /// Number of statements, if all were counted.
    pub(super) expected: Option<u64>,
    pub(super) parts: Vec<GraphPart>,
    pub(super) notes: Vec<String>,
}

/// Counts by IRI; `None` if the endpoint does not count.
type Counts = BTreeMap<String, Option<u64>>;

pub(super) async fn plan(
    asker: &Asker<'_>,
    options: &DownloadOptions<'_>,
) -> Result<DownloadPlan, StoppedReading> {
    let mut notes = Vec::new();
    let totals = properties(asker, options, &mut notes).await.map_err(StoppedReading::Endpoint)?;
    let totals = totals.map_err(StoppedReading::Refused)?;
    if totals.is_empty() {
        return Err(StoppedReading::Empty(graphs(asker).await.map_err(StoppedReading::Endpoint)?));
    }
    let blank = listing(asker, |after| queries::counts(queries::BLANK, after))
        .await
        .map_err(StoppedReading::Endpoint)?;
    let mut parts = Vec::new();
    let named = match blank {
        Ok(blank) => {
            let of = |counts: &Counts| counts.values().copied().sum::<Option<u64>>().unwrap_or_default();
            parts.extend(
                blank_part(asker, options, of(&blank), &mut notes).await.map_err(StoppedReading::Endpoint)?,
            );
            without(&totals, &blank)
        }
        Err(reason) => {
            notes.push(format!("blank nodes are left out: the endpoint does not count them ({reason})"));
            totals.keys().map(|property| (property.clone(), None)).collect()
        }
    };
    let expected = totals.values().copied().sum::<Option<u64>>();
    parts.extend(packed(named, options.page_rows));
    Ok(DownloadPlan { properties: totals.len() as u64, expected, parts, notes })
}

/// All properties: counted if the endpoint counts, else listed, else found in samples; or why it refuses all of that.
async fn properties(
    asker: &Asker<'_>,
    options: &DownloadOptions<'_>,
    notes: &mut Vec<String>,
) -> Result<Result<Counts, String>, QueryError> {
    let reason = match listing(asker, |after| queries::counts("", after)).await? {
        Ok(counted) => return Ok(Ok(counted)),
        Err(reason) => reason,
    };
    tracing::info!(endpoint = asker.name(), reason, "properties are not counted");
    let reason = match listing(asker, queries::properties).await? {
        Ok(listed) => return Ok(Ok(listed)),
        Err(reason) => reason,
    };
    notes.push(format!(
        "the properties were found in samples, rare ones may be missing: the endpoint does not list them ({reason})"
    ));
    sampled_properties(asker, options.page_rows).await
}

/// Repeatedly fetches statements with other than the known properties until there are none; or why even the first is refused.
async fn sampled_properties(asker: &Asker<'_>, rows: usize) -> Result<Result<Counts, String>, QueryError> {
    let mut found = Counts::new();
    for _ in 0..MAX_SAMPLES {
        let known: Vec<String> = found.keys().cloned().collect();
        let rows = match asker.rows(&queries::other_properties(&known, rows)).await? {
            RequestOutcome::Rows(rows) => rows,
            RequestOutcome::Refused(reason) if found.is_empty() => return Ok(Err(reason)),
            RequestOutcome::Refused(_) => break,
        };
        found.extend(rows.iter().filter_map(|row| Some((iri(row)?, None))));
        if found.len() == known.len() {
            break;
        }
    }
    Ok(Ok(found))
}

/// All pages of a list of IRIs, optionally with counts; or why the endpoint refuses it.
pub(super) async fn listing(
    asker: &Asker<'_>,
    query: impl Fn(&str) -> String,
) -> Result<Result<Counts, String>, QueryError> {
    let mut found = Counts::new();
    let mut after = String::new();
    loop {
        let rows = match asker.rows(&query(&after)).await? {
            RequestOutcome::Rows(rows) => rows,
            RequestOutcome::Refused(reason) => return Ok(Err(reason)),
        };
        let before = found.len();
        found.extend(rows.iter().filter_map(|row| Some((iri(row)?, count(row)))));
        match rows.last().and_then(iri) {
            Some(last) if rows.len() >= SMALLEST_CAP && found.len() > before => after = last,
            _ => return Ok(Ok(found)),
        }
    }
}

fn iri(row: &Row) -> Option<String> {
    match row.first()?.as_ref()? {
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        _ => None,
    }
}

fn count(row: &Row) -> Option<u64> {
    match row.get(1)?.as_ref()? {
        Term::Literal(literal) => literal.value().parse().ok(),
        _ => None,
    }
}

async fn graphs(asker: &Asker<'_>) -> Result<Vec<String>, QueryError> {
    let RequestOutcome::Rows(rows) = asker.rows(&queries::graphs()).await? else { return Ok(Vec::new()) };
    Ok(rows.iter().filter_map(iri).collect())
}

/// How to read the statements with blank nodes, if possible.
async fn blank_part(
    asker: &Asker<'_>,
    options: &DownloadOptions<'_>,
    expected: u64,
    notes: &mut Vec<String>,
) -> Result<Option<GraphPart>, QueryError> {
    if expected == 0 {
        return Ok(None);
    }
    if expected <= options.page_rows as u64 {
        return Ok(Some(GraphPart::Blank { expected }));
    }
    if labels_stay(asker).await? {
        return Ok(Some(GraphPart::BlankPages { expected }));
    }
    notes.push(format!(
        "{expected} statements with blank nodes are left out: they do not fit into one response, and the \
         endpoint labels blank nodes anew in each"
    ));
    Ok(None)
}

/// Whether a blank node has the same label in two responses that would otherwise number it differently.
async fn labels_stay(asker: &Asker<'_>) -> Result<bool, QueryError> {
    let RequestOutcome::Rows(rows) = asker.rows(&queries::blank_objects()).await? else { return Ok(false) };
    let (Some([Some(_), Some(first)]), Some([Some(Term::NamedNode(subject)), Some(last)])) =
        (rows.first().map(Vec::as_slice), rows.last().map(Vec::as_slice))
    else {
        return Ok(false);
    };
    let Some(query) = queries::blank_objects_of(subject.as_str()) else { return Ok(false) };
    let RequestOutcome::Rows(again) = asker.rows(&query).await? else { return Ok(false) };
    let known = again.iter().any(|row| row.first() == Some(&Some(last.clone())));
    Ok(first != last && known)
}

/// The remaining counts if statements with blank nodes are read separately.
fn without(totals: &Counts, blank: &Counts) -> Counts {
    let left = |(property, total): (&String, &Option<u64>)| {
        let blank = blank.get(property).copied().flatten().unwrap_or_default();
        (property.clone(), total.map(|total| total.saturating_sub(blank)))
    };
    totals.iter().map(left).filter(|(_, left)| *left != Some(0)).collect()
}

/// Groups small properties; large ones are parts of their own. IRIs that cannot be written in a query are not grouped.
fn packed(counts: Counts, page_rows: usize) -> Vec<GraphPart> {
    let mut parts = Vec::new();
    let (mut batch, mut rows) = (Vec::new(), 0);
    for (property, expected) in counts {
        let small = expected.filter(|n| *n <= page_rows as u64 && queries::iri_ref(&property).is_some());
        let Some(n) = small else {
            parts.push(GraphPart::Property { property, expected });
            continue;
        };
        if rows + n > page_rows as u64 || batch.len() == MAX_BATCH {
            parts.push(GraphPart::Batch { properties: std::mem::take(&mut batch), expected: rows });
            rows = 0;
        }
        batch.push(property);
        rows += n;
    }
    if !batch.is_empty() {
        parts.push(GraphPart::Batch { properties: batch, expected: rows });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_properties_share_a_response_and_large_ones_have_their_own() {
        let counts = [("http://e.x/a", Some(60)), ("http://e.x/b", Some(300)), ("http://e.x/c", Some(40))];
        let more = [("http://e.x/d", Some(1)), ("http://e.x/e", None), ("http://e.x/no iri", Some(1))];
        let counts = counts.into_iter().chain(more).map(|(iri, n)| (iri.to_owned(), n)).collect();
        let batch = |names: &[&str], expected| GraphPart::Batch {
            properties: names.iter().map(|name| format!("http://e.x/{name}")).collect(),
            expected,
        };
        let alone =
            |name: &str, expected| GraphPart::Property { property: format!("http://e.x/{name}"), expected };
        let expected = [
            alone("b", Some(300)),
            batch(&["a", "c"], 100),
            alone("e", None),
            alone("no iri", Some(1)),
            batch(&["d"], 1),
        ];
        assert_eq!(packed(counts, 100), expected);
    }

    #[test]
    fn statements_with_blank_nodes_are_not_expected_twice() {
        let counts = |list: &[(&str, u64)]| -> Counts {
            list.iter().map(|(iri, n)| ((*iri).to_owned(), Some(*n))).collect()
        };
        let left = without(&counts(&[("a", 5), ("b", 3), ("c", 2)]), &counts(&[("a", 1), ("c", 2)]));
        assert_eq!(left, counts(&[("a", 4), ("b", 3)]));
    }
}
