//! The classes and properties shown in a prompt: those found by the linker, and those that match the question as a whole, by
//! words and then by meaning.
//!
//! What vectors alone find comes last and takes no place of what words find. The planner does not get it: of the words that no
//! name explains, the nearest term is mostly another one than is meant (`docs/evidence/benchmarks.md`).

use eruca_dataset::Dataset;
use eruca_indexer::{ClassCard, LegRanks, PropertyCard, SchemaKind};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Evidence, Named, NamedTerm, may_be_name};

/// Minimum fit between a name and a span for a class or property of the graph to be shown.
const MIN_FIT: f32 = 0.65;
/// Maximum number of classes and properties shown.
const MAX_CLASSES: usize = 8;
const MAX_PROPERTIES: usize = 12;
/// Maximum number of those shown besides that vectors alone find.
const MAX_CLASSES_BY_MEANING: usize = 2;
const MAX_PROPERTIES_BY_MEANING: usize = 6;

/// A class or property that a span may stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedTerm {
    /// The IRI.
    pub iri: String,
    /// The words of the question; empty if only the question as a whole matched.
    pub text: String,
    /// How well the words match its name: 1 if all do, 0 without words.
    pub fit: f32,
}

impl GroundedTerm {
    fn of_whole(iri: String) -> Self {
        Self { iri, text: String::new(), fit: 0.0 }
    }
}

/// The vector of the question, made once for classes and properties; `None` if there are no vectors, or the model fails: matching
/// words alone is enough for many questions.
pub(super) async fn meaning(dataset: &Dataset, question: &ParsedQuestion) -> Option<Vec<f32>> {
    let texts = std::slice::from_ref(&question.text);
    match dataset.index.schema.embedded(texts).await {
        Ok(vectors) => vectors?.pop(),
        Err(error) => {
            tracing::warn!(%error, "the question has no vector; its words alone are used");
            None
        }
    }
}

/// The classes or properties named by words of the question, best first, then those that only the question as a whole matches.
pub(super) async fn told(
    dataset: &Dataset,
    question: &ParsedQuestion,
    named: &Named,
    (kind, meaning): (SchemaKind, Option<&[f32]>),
) -> Vec<GroundedTerm> {
    let (limit, more) = match kind {
        SchemaKind::Class => (MAX_CLASSES, MAX_CLASSES_BY_MEANING),
        SchemaKind::Property => (MAX_PROPERTIES, MAX_PROPERTIES_BY_MEANING),
    };
    let whole = by_whole(dataset, question, (kind, meaning), limit + more).await;
    let mut links = by_words(dataset, question, named, kind);
    // Ties are ordered by the search with the whole question, which gives the dense vectors the most context.
    let ranks = whole.both.as_ref().unwrap_or(&whole.words);
    let rank = |iri: &str| ranks.iter().take(limit).position(|hit| hit == iri).unwrap_or(limit);
    links.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| rank(&a.iri).cmp(&rank(&b.iri))));
    let tells = |iri: &String| !dataset.vocabulary().is_schema(iri);
    let said = whole.words.into_iter().take(limit).filter(tells).take(limit / 3);
    add_new(&mut links, said, limit / 3);
    links.truncate(limit);
    leave_out_unused(&mut links, |iri| is_unused(dataset, iri));
    // Fused with the words of the whole question, of which most mean something else, vectors would lose most of what they find.
    let near = whole.vectors.unwrap_or_default().into_iter().filter(tells);
    add_near(&mut links, near, more, |iri| is_unused(dataset, iri));
    links
}

/// Adds what vectors find behind what words find; of it, unused terms only where there are no others at all.
fn add_near(
    links: &mut Vec<GroundedTerm>,
    near: impl Iterator<Item = String>,
    more: usize,
    is_unused: impl Fn(&str) -> bool,
) {
    let by_words = links.len();
    add_new(links, near, more);
    let some_used = links.iter().any(|link| !is_unused(&link.iri));
    let mut added = links.split_off(by_words);
    added.retain(|link| !some_used || !is_unused(&link.iri));
    links.append(&mut added);
}

/// Adds those that are not there yet, up to a number of them.
fn add_new(links: &mut Vec<GroundedTerm>, iris: impl Iterator<Item = String>, more: usize) {
    let most = links.len() + more;
    for iri in iris {
        if links.len() < most && links.iter().all(|link| link.iri != iri) {
            links.push(GroundedTerm::of_whole(iri));
        }
    }
}

/// What words and vectors find for the question as a whole. The schema index may be on a server that is down.
async fn by_whole(
    dataset: &Dataset,
    question: &ParsedQuestion,
    (kind, meaning): (SchemaKind, Option<&[f32]>),
    limit: usize,
) -> LegRanks {
    let search = async |vector| dataset.index.schema.legs(kind, &question.text, vector, limit).await;
    let mut found = search(meaning).await;
    if found.is_err() && meaning.is_some() {
        found = search(None).await;
    }
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, "classes and properties could not be searched");
        LegRanks::default()
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
