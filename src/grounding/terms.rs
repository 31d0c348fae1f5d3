//! The classes and properties that a prompt shows: those that the linker has found, and those that the whole question leads to by
//! its sense.

use crate::dataset::Dataset;
use eruca_indexer::{ClassCard, PropertyCard, SchemaHit, SchemaKind};
use eruca_planner::question::Question;
use eruca_planner::{Named, NamedTerm, may_be_name};

/// A class or property of the graph whose name meets a span this well is shown.
const MIN_FIT: f32 = 0.65;
/// Classes and properties shown at most.
const MAX_CLASSES: usize = 8;
const MAX_PROPERTIES: usize = 12;

/// A class or property that a span may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedTerm {
    /// The IRI.
    pub iri: String,
    /// The words of the question, empty when only the whole question led to it.
    pub text: String,
    /// How well the words meet its name: 1 when all do.
    pub fit: f32,
}

/// The classes or properties that the words of a question name, best first, then what only the whole question leads to.
pub(super) async fn told(
    dataset: &Dataset,
    question: &Question,
    named: &Named,
    kind: SchemaKind,
) -> Vec<GroundedTerm> {
    let limit = if kind == SchemaKind::Class { MAX_CLASSES } else { MAX_PROPERTIES };
    let whole = by_sense(dataset, question, kind, limit).await;
    let mut links = by_words(dataset, question, named, kind);
    // The order among equals is that of the whole question, where the dense leg has most to go by.
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

/// The schema index may be on a server that is down just now: words alone still answer many questions.
async fn by_sense(dataset: &Dataset, question: &Question, kind: SchemaKind, limit: usize) -> Vec<SchemaHit> {
    let found = dataset.index.schema.search(kind, &question.text, limit).await;
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, "classes and properties could not be searched");
        Vec::new()
    })
}

/// What the linker has found, each once with the words that meet its name best.
fn by_words(dataset: &Dataset, question: &Question, named: &Named, kind: SchemaKind) -> Vec<GroundedTerm> {
    let card = &dataset.index.card;
    let is_known = |iri: &str| card.class(iri).is_some() || card.property(iri).is_some();
    // Every graph has types and labels; a question that says "name" or "type" means more than those.
    let fits = |term: &&NamedTerm| {
        let fits = (term.fit >= MIN_FIT && may_be_name(question, term.span)) || !is_known(&term.iri);
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

/// "Long" in "Harriet Long" asks for no length.
fn is_in_a_name(term: &NamedTerm, named: &Named) -> bool {
    let names = named.mentions.iter().filter(|mention| mention.is_same_name() && mention.span.len() > 1);
    names.into_iter().any(|mention| mention.span.contains(term.span))
}

/// Whether a class or property is declared and nothing has it.
pub(super) fn is_unused(dataset: &Dataset, iri: &str) -> bool {
    let card = &dataset.index.card;
    card.class(iri).is_some_and(ClassCard::is_unused)
        || card.property(iri).is_some_and(PropertyCard::is_unused)
}

/// What nothing has helps no query, unless its words lead to nothing else that fits as well: then it tells that.
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
