//! Grounding with names looked up at a server: few concurrent look-ups, within a time that users do not notice.
//! What could not be looked up is reported.

use super::Grounding;
use super::spans::{SpanLookup, SpanRole, lookups};
use eruca_dataset::{Dataset, LookupError, quoted_name};
use eruca_indexer::{EntityHit, SchemaKind};
use eruca_language::text::normalize_word;
use eruca_planner::question::{ParsedQuestion, Span};
use eruca_planner::{Evidence, MAX_CANDIDATES, Mention, NamedTerm};
use eruca_sparql::quoted;
use futures_util::future::join_all;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Maximum number of look-ups per question.
const MAX_LOOKUPS: usize = 8;
/// Time for all of them.
const TIME: Duration = Duration::from_secs(3);
/// Maximum number of classes or properties kept per look-up.
const MAX_LINKS: usize = 3;
/// Maximum length in characters of the server's reason for a failed look-up.
const MAX_REASON: usize = 400;
/// Maximum number of related words tried for a word that was not found.
const MAX_OTHER_WORDS: usize = 2;
/// Assumed fit of the first hit for a property or class, and how much less each further hit gets: the server also matches
/// aliases that it does not return with a hit.
const FIRST_FIT: f32 = 0.9;
const NEXT_FIT: f32 = 0.2;

/// Hits of one look-up.
enum Hits {
    Entities(Vec<EntityHit>),
    Terms(Vec<NamedTerm>),
}

/// Adds what a server finds for the question's words to what was found in the index, if there is one. Returns the names
/// whose look-up succeeded.
pub(super) async fn look_up(
    dataset: &Dataset,
    question: &ParsedQuestion,
    grounding: &mut Grounding,
) -> Vec<Span> {
    if dataset.live().is_none() {
        return Vec::new();
    }
    let mut wanted = lookups(question);
    wanted.retain(|span| !is_known(grounding, span));
    let left_out = wanted.split_off(wanted.len().min(MAX_LOOKUPS));
    let until = Instant::now() + TIME;
    let mut failed: Vec<(String, String)> = Vec::new();
    let mut mentions: Vec<Mention> = Vec::new();
    let (mut asked, mut unmet) = (Vec::new(), Vec::new());
    for (span, found) in all_hits(dataset, &wanted, until).await {
        match found {
            Ok(Hits::Entities(entities)) => {
                asked.push(span.words);
                mentions.extend(Mention::elsewhere(&span.text, span.words, entities));
            }
            Ok(Hits::Terms(terms)) if terms.is_empty() => unmet.push(span),
            Ok(Hits::Terms(terms)) => grounding.named.terms.extend(terms),
            Err(reason) => failed.push((span.text.clone(), reason)),
        }
    }
    take_longest(grounding, mentions);
    if failed.is_empty() {
        let again = in_other_words(question, &unmet, MAX_LOOKUPS - wanted.len());
        for (_, found) in all_hits(dataset, &again, until).await {
            if let Ok(Hits::Terms(terms)) = found {
                grounding.named.terms.extend(terms);
            }
        }
    }
    // Types are not worth delaying the answer.
    let _in_time = timeout_at(until, add_types(dataset, grounding)).await;
    grounding.notes.extend(failure(&failed));
    if !left_out.is_empty() {
        let texts: Vec<String> = left_out.iter().map(|span| quoted_name(&span.text)).collect();
        grounding.notes.push(format!("Not looked up: {}.", texts.join(", ")));
    }
    asked
}

/// The outcome of concurrent look-ups.
async fn all_hits<'a>(
    dataset: &Dataset,
    wanted: &'a [SpanLookup],
    until: Instant,
) -> impl Iterator<Item = (&'a SpanLookup, Result<Hits, String>)> {
    let found = join_all(wanted.iter().map(|span| timeout_at(until, hits(dataset, span)))).await;
    let late = |_| Err(format!("no answer within {} s", TIME.as_secs()));
    let found =
        found.into_iter().map(move |found| found.map_or_else(late, |hits| hits.map_err(|e| e.to_string())));
    wanted.iter().zip(found)
}

/// "born" names no property, "birth" may: related words to try for a word that was not found.
fn in_other_words(question: &ParsedQuestion, unmet: &[&SpanLookup], most: usize) -> Vec<SpanLookup> {
    let language = question.language;
    let properties = unmet.iter().filter(|span| span.role == SpanRole::Property && span.words.len() == 1);
    let others = properties.flat_map(|span| {
        let word = normalize_word(&span.text);
        let related = language.related(&word).iter().map(|related| &related.noun);
        let words = related.chain(language.translations(&word)).chain(language.synonyms(&word));
        let found: Vec<String> = words.take(MAX_OTHER_WORDS).cloned().collect();
        found.into_iter().map(|text| SpanLookup { text, ..(*span).clone() })
    });
    others.take(most).collect()
}

/// Whether the index knows exactly this name, or has classes and properties of its own.
fn is_known(grounding: &Grounding, span: &SpanLookup) -> bool {
    let has = |kind: SchemaKind| grounding.named.terms.iter().any(|term| term.kind == kind);
    match span.role {
        SpanRole::Name => grounding
            .named
            .mentions
            .iter()
            .any(|known| known.is_same_name() && known.span.overlaps(span.words)),
        SpanRole::Property => has(SchemaKind::Property),
        SpanRole::Class => has(SchemaKind::Class),
    }
}

async fn hits(dataset: &Dataset, span: &SpanLookup) -> Result<Hits, LookupError> {
    let term = |kind: SchemaKind| {
        move |(rank, (iri, fit)): (usize, (String, f32))| {
            let fit = fit.max(FIRST_FIT - NEXT_FIT * rank as f32);
            let evidence = if fit >= 1.0 { Evidence::Exact } else { Evidence::Synonym };
            NamedTerm { kind, iri, span: span.words, fit, evidence, used: true }
        }
    };
    Ok(match span.role {
        SpanRole::Name => Hits::Entities(dataset.find_entities(&span.text, None, MAX_CANDIDATES).await?.hits),
        SpanRole::Property => {
            let found = dataset.find_properties(&span.text, MAX_LINKS).await?.hits.into_iter();
            Hits::Terms(
                found.map(|hit| (hit.iri, hit.fit)).enumerate().map(term(SchemaKind::Property)).collect(),
            )
        }
        SpanRole::Class => {
            let found = dataset.find_classes(&span.text, MAX_LINKS).await?.hits.into_iter();
            Hits::Terms(
                found.map(|hit| (hit.iri, hit.fit)).enumerate().map(term(SchemaKind::Class)).collect(),
            )
        }
    })
}

/// Among overlapping names, the longest wins; it also replaces what the index found for its words, except exact names.
fn take_longest(grounding: &mut Grounding, mut mentions: Vec<Mention>) {
    mentions.sort_by_key(|mention| std::cmp::Reverse(mention.span.len()));
    let mut kept: Vec<Mention> = Vec::new();
    for mention in mentions {
        if !kept.iter().any(|known| known.span.overlaps(mention.span)) {
            kept.push(mention);
        }
    }
    let overlaps = |known: &Mention| kept.iter().any(|name| known.span.overlaps(name.span));
    let all = &mut grounding.named.mentions;
    all.retain(|known| known.is_same_name() || !overlaps(known));
    all.append(&mut kept);
    all.sort_by_key(|mention| (mention.span.from, std::cmp::Reverse(mention.span.to)));
}

/// Adds the types of all entities found, with one query.
async fn add_types(dataset: &Dataset, grounding: &mut Grounding) {
    let all = grounding.named.mentions.iter().flat_map(|mention| mention.entities.iter().cloned());
    let mut all: Vec<EntityHit> = all.collect();
    dataset.add_types(&mut all).await;
    let hits = grounding.named.mentions.iter_mut().flat_map(|mention| mention.entities.iter_mut());
    hits.zip(all).for_each(|(hit, typed)| *hit = typed);
}

/// One sentence for all failures: they mostly have the same reason.
fn failure(failed: &[(String, String)]) -> Option<String> {
    let (_, reason) = failed.first()?;
    let texts: Vec<String> = failed.iter().map(|(text, _)| quoted_name(text)).collect();
    Some(format!("Could not be looked up: {} ({}).", texts.join(", "), quoted(reason, MAX_REASON)))
}
