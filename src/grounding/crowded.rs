//! Names that more things have than the linker looks at: of these, the things that stand where the classes and properties of
//! the question want them, found by searches inside of patterns.

use eruca_dataset::{Dataset, PatternSearch};
use eruca_indexer::{Entity, EntityHit, SchemaKind};
use eruca_language::text::name_key;
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{MAX_CANDIDATES, Mention, Named, NamedTerm, may_be_name};
use eruca_sparql::{NamedNode, Term};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::time::Duration;

/// Names searched for per question, and terms in whose patterns each is.
const MAX_NAMES: usize = 2;
const MAX_TERMS: usize = 4;
/// Minimum fit of a class or property.
const MIN_FIT: f32 = 0.65;
/// Things looked at per pattern.
const MAX_FOUND: usize = 12;
/// Time for each search; all of them run at once.
const TIME: Duration = Duration::from_millis(800);

/// Adds things of crowded names that the question's classes and properties allow. Without an index, nothing is searched: an
/// endpoint of others is not asked so much for one question.
pub(super) async fn search_within(dataset: &Dataset, question: &ParsedQuestion, named: &mut Named) {
    if !dataset.is_indexed() {
        return;
    }
    let Named { mentions, terms, .. } = named;
    for mention in mentions.iter_mut().filter(|mention| is_crowded(dataset, mention)).take(MAX_NAMES) {
        let patterns = patterns(dataset, question, mention, terms);
        let searched = join_all(patterns.iter().map(|pattern| found_in(dataset, pattern, &mention.text)));
        let things = ranked(searched.await);
        let mut added: Vec<Entity> = Vec::new();
        for iri in things {
            if added.len() < MAX_CANDIDATES {
                added.extend(called(dataset, &iri, &mention.text).await);
            }
        }
        put_first(mention, added);
    }
}

/// Puts further things of the same name before the others.
fn put_first(mention: &mut Mention, mut things: Vec<Entity>) {
    things.retain(|thing| mention.entities.iter().all(|known| known.record.iri != thing.iri));
    let score = mention.fit();
    mention.entities.splice(..0, things.into_iter().map(|record| EntityHit { record, score }));
}

/// Whether more things have exactly this name than are among its candidates.
fn is_crowded(dataset: &Dataset, mention: &Mention) -> bool {
    mention.is_same_name()
        && mention.entities.len() >= MAX_CANDIDATES
        && dataset.index.entities.namesakes(&mention.text, None).is_ok_and(|all| all > mention.entities.len())
}

/// A pattern for each class and property that other words name, best first.
fn patterns(
    dataset: &Dataset,
    question: &ParsedQuestion,
    mention: &Mention,
    terms: &[NamedTerm],
) -> Vec<String> {
    let fits = |term: &&NamedTerm| {
        let apart = !term.span.overlaps(mention.span) && may_be_name(question, term.span);
        apart && term.used && term.fit >= MIN_FIT && !dataset.vocabulary().is_schema(&term.iri)
    };
    let mut terms: Vec<&NamedTerm> = terms.iter().filter(fits).collect();
    terms.sort_by(|a, b| b.fit.total_cmp(&a.fit));
    let mut found: Vec<String> = Vec::new();
    for term in terms {
        let pattern = pattern(dataset, term);
        found.extend(pattern.filter(|pattern| !found.contains(pattern)));
    }
    found.truncate(MAX_TERMS);
    found
}

fn pattern(dataset: &Dataset, term: &NamedTerm) -> Option<String> {
    let node = NamedNode::new(&term.iri).ok()?;
    Some(match term.kind {
        SchemaKind::Class => format!("?named {} {node}", dataset.vocabulary().type_path(true)),
        SchemaKind::Property => format!("?named {node}|^{node} ?other"),
    })
}

/// The things with a name that a pattern allows; none if they cannot be found in time.
async fn found_in(dataset: &Dataset, pattern: &str, name: &str) -> Vec<String> {
    let search = PatternSearch {
        pattern,
        variable: "named",
        text: Some(name),
        unfinished: false,
        namespace: None,
        limit: MAX_FOUND,
    };
    let found = match dataset.search_in(search, TIME).await {
        Ok(found) => found.hits,
        Err(error) => {
            tracing::debug!(%error, "things of the same name could not be searched");
            Vec::new()
        }
    };
    let iris = found.into_iter().filter_map(|hit| match hit.term {
        Term::NamedNode(node) => Some(node.into_string()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    });
    iris.collect()
}

/// The things that most patterns allow first.
fn ranked(found: Vec<Vec<String>>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for iri in found.iter().flatten() {
        *counts.entry(iri).or_default() += 1;
    }
    let mut things: Vec<&str> = counts.keys().copied().collect();
    things.sort_unstable_by_key(|iri| (std::cmp::Reverse(counts.get(iri)), *iri));
    things.into_iter().map(str::to_owned).collect()
}

/// The thing, if it has this very name.
async fn called(dataset: &Dataset, iri: &str, name: &str) -> Option<Entity> {
    let thing = dataset.entity(iri).await.ok().flatten()?;
    let wanted = name_key(name);
    thing.labels.iter().any(|label| name_key(&label.text) == wanted).then_some(thing)
}
