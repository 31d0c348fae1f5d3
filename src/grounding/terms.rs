//! The classes and properties shown in a prompt: those found by the linker, and those whose meaning matches the question as
//! a whole.

use eruca_dataset::Dataset;
use eruca_indexer::{ClassCard, PropertyCard, SchemaHit, SchemaKind};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Evidence, Named, NamedTerm, may_be_name};

/// Minimum fit between a name and a span for a class or property of the graph to be shown.
const MIN_FIT: f32 = 0.65;
/// Maximum number of classes and properties shown.
const MAX_CLASSES: usize = 8;
const MAX_PROPERTIES: usize = 12;

/// A class or property that a span may stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedTerm {
    /// The IRI.
    pub iri: String,
    /// The words of the question; empty if only the question as a whole matched.
    pub text: String,
    /// How well the words match its name: 1 if all do.
    pub fit: f32,
}

/// The classes or properties named by words of the question, best first, then those that only the question as a whole matches.
pub(super) async fn told(
    dataset: &Dataset,
    question: &ParsedQuestion,
    named: &Named,
    kind: SchemaKind,
) -> Vec<GroundedTerm> {
    let limit = if kind == SchemaKind::Class { MAX_CLASSES } else { MAX_PROPERTIES };
    let whole = by_sense(dataset, question, kind, limit).await;
    let mut links = by_words(dataset, question, named, kind);
    // Ties are ordered by the search with the whole question, which gives the dense vectors the most context.
    let rank = |iri: &str| whole.iter().position(|hit| hit.iri == iri).unwrap_or(limit);
    links.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| rank(&a.iri).cmp(&rank(&b.iri))));
    for hit in whole.iter().filter(|hit| !dataset.vocabulary().is_schema(&hit.iri)).take(limit / 3) {
        if !links.iter().any(|link| link.iri == hit.iri) {
            links.push(GroundedTerm { iri: hit.iri.clone(), text: String::new(), fit: hit.fit });
        }
    }
    links.truncate(limit);
    leave_out_unused(&mut links, |iri| is_unused(dataset, iri));
    links
}

/// The schema index may be on a server that is down: matching words alone is enough for many questions.
async fn by_sense(
    dataset: &Dataset,
    question: &ParsedQuestion,
    kind: SchemaKind,
    limit: usize,
) -> Vec<SchemaHit> {
    let found = dataset.index.schema.search(kind, &question.text, limit).await;
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, "classes and properties could not be searched");
        Vec::new()
    })
}

/// The terms found by the linker, each once with the words that fit its name best.
fn by_words(
    dataset: &Dataset,
    question: &ParsedQuestion,
    named: &Named,
    kind: SchemaKind,
) -> Vec<GroundedTerm> {
    let card = &dataset.index.card;
    let is_known = |iri: &str| card.class(iri).is_some() || card.property(iri).is_some();
    // Every graph has types and labels; a question with the word "name" or "type" means something more specific.
    let fits = |term: &&NamedTerm| {
        let of_house = term.evidence == Evidence::Glossary;
        let fits =
            of_house || (term.fit >= MIN_FIT && may_be_name(question, term.span)) || !is_known(&term.iri);
        term.kind == kind && fits && !dataset.vocabulary().is_schema(&term.iri)
    };
    let mut found: Vec<GroundedTerm> = Vec::new();
    for term in named.terms.iter().filter(fits).filter(|term| !is_in_a_name(term, named)) {
        let link = GroundedTerm {
            iri: term.iri.clone(),
            text: question.text_of(term.span).to_owned(),
            fit: term.fit,
        };
        match found.iter_mut().find(|known| known.iri == link.iri) {
            Some(known) if known.fit < link.fit => *known = link,
            Some(_) => {}
            None => found.push(link),
        }
    }
    found
}

/// "Long" in "Harriet Long" does not ask for a length.
fn is_in_a_name(term: &NamedTerm, named: &Named) -> bool {
    let names = named.mentions.iter().filter(|mention| mention.is_same_name() && mention.span.len() > 1);
    names.into_iter().any(|mention| mention.span.contains(term.span))
}

/// Whether a class or property is declared but never used.
pub(super) fn is_unused(dataset: &Dataset, iri: &str) -> bool {
    let card = &dataset.index.card;
    card.class(iri).is_some_and(ClassCard::is_unused)
        || card.property(iri).is_some_and(PropertyCard::is_unused)
}

/// Drops unused terms, as they do not help a query, unless no used term fits their words as well: then they tell just that.
fn leave_out_unused(links: &mut Vec<GroundedTerm>, is_unused: impl Fn(&str) -> bool) {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let used = links.iter().filter(|link| !is_unused(&link.iri));
    let used: Vec<(String, f32)> =
        used.flat_map(|link| words(&link.text).into_iter().map(|word| (word, link.fit))).collect();
    let some_used = links.iter().any(|link| !is_unused(&link.iri));
    links.retain(|link| {
        let elsewhere = if link.text.is_empty() {
            some_used
        } else {
            let fits = |word: &String| used.iter().any(|(other, fit)| other == word && *fit >= link.fit);
            words(&link.text).iter().all(fits)
        };
        !elsewhere || !is_unused(&link.iri)
    });
}
