//! Linking spans of the question to the indexes.

use super::live::look_up;
use super::written::{addresses, not_names};
use crate::dataset::Dataset;
use crate::work::Breath;
use eruca_indexer::text::fold;
use eruca_indexer::vocabulary::Vocabulary;
use eruca_indexer::{ClassCard, Entity, EntityHit, PropertyCard, SchemaHit, SchemaIndexError, SchemaKind};
use eruca_planner::question::{Question, Span};
use eruca_planner::{LinkError, Mention, Named, NamedTerm, mentions};
use std::collections::HashSet;

/// Words of the longest span that may be a class or property.
const MAX_SCHEMA_WORDS: u16 = 3;
/// Candidates kept for one span.
pub(super) const MAX_CANDIDATES: usize = 4;
/// A single word must fit this well to be taken for a name.
pub(super) const MIN_WORD_FIT: f32 = 0.7;
/// A name whose words are all in the span, but which has further words, is taken from this fit on.
pub(super) const MIN_SPAN_FIT: f32 = 0.8;
/// A class or property whose name meets a span this well is named.
const MIN_SCHEMA_FIT: f32 = 0.7;
/// A name with more words is a description.
const MAX_NAME_WORDS: usize = 6;
/// What a name is worth that the question has in another language.
const TRANSLATED_FIT: f32 = 0.85;
/// Classes and properties named at most.
const MAX_CLASSES: usize = 8;
const MAX_PROPERTIES: usize = 12;

/// A class or property that a span may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundedTerm {
    /// The IRI.
    pub iri: String,
    /// The words of the question, empty when only the whole question led to it.
    pub text: String,
    /// How well the words meet its name: 1 and more when all do.
    pub fit: f32,
}

/// What the words of a question may mean.
#[derive(Debug, Clone, Default)]
pub struct Grounding {
    /// Spans that may name entities or values, in the order of the question, whatever else they may mean; with what was
    /// found elsewhere than in the index.
    pub named: Named,
    /// Classes, best first.
    pub classes: Vec<GroundedTerm>,
    /// Properties, best first.
    pub properties: Vec<GroundedTerm>,
    /// What could not be looked up, in sentences.
    pub notes: Vec<String>,
    /// Words that are no names, whatever the graph calls its things.
    not_names: Vec<u16>,
    /// Things whose addresses stand in the question.
    pub(super) addressed: Vec<Entity>,
}

/// Why nothing could be looked up.
#[derive(Debug, thiserror::Error)]
#[error("the index cannot be searched: {0}")]
pub struct GroundingError(String);

impl From<LinkError> for GroundingError {
    fn from(error: LinkError) -> Self {
        Self(error.0.to_string())
    }
}

/// Links a question.
///
/// # Errors
/// When an index cannot be read.
pub async fn ground(dataset: &Dataset, question: &Question) -> Result<Grounding, GroundingError> {
    ground_named(dataset, question, mentions(&dataset.index, question)?).await
}

/// The same, where things and values have been looked up.
///
/// # Errors
/// When an index cannot be read.
pub async fn ground_named(
    dataset: &Dataset,
    question: &Question,
    mentions: Vec<Mention>,
) -> Result<Grounding, GroundingError> {
    let named = Named::from(mentions);
    let classes = if_there(schema_links(dataset, question, SchemaKind::Class, MAX_CLASSES).await);
    let properties = if_there(schema_links(dataset, question, SchemaKind::Property, MAX_PROPERTIES).await);
    let mut grounding = Grounding {
        named,
        classes,
        properties,
        notes: Vec::new(),
        not_names: not_names(question),
        addressed: addressed(dataset, question)?,
    };
    look_up(dataset, question, &mut grounding).await;
    let mentions = &grounding.named.mentions;
    grounding.classes.retain(|link| !is_in_a_name(link, mentions));
    grounding.properties.retain(|link| !is_in_a_name(link, mentions));
    let card = &dataset.index.card;
    leave_out_unused(&mut grounding.classes, |iri| card.class(iri).is_some_and(ClassCard::is_unused));
    leave_out_unused(&mut grounding.properties, |iri| {
        card.property(iri).is_some_and(PropertyCard::is_unused)
    });
    Ok(grounding)
}

/// The things of the index whose addresses stand in the question.
fn addressed(dataset: &Dataset, question: &Question) -> Result<Vec<Entity>, GroundingError> {
    let mut found = Vec::new();
    for address in addresses(question) {
        let thing = dataset.index.entities.get(&address.iri);
        found.extend(thing.map_err(|error| GroundingError(error.to_string()))?);
    }
    Ok(found)
}

impl Grounding {
    /// Spans that name things or values rather than classes and properties.
    pub fn names(&self) -> impl Iterator<Item = &Mention> {
        let links = || self.classes.iter().chain(&self.properties);
        let mentions = self.named.mentions.iter();
        mentions.filter(move |mention| {
            !is_schema_word(mention, links()) && !is_only_described(mention) && !self.is_no_name(mention)
        })
    }

    /// Whether a mention has no word that may be a name.
    fn is_no_name(&self, mention: &Mention) -> bool {
        (mention.span.from..mention.span.to).all(|at| self.not_names.contains(&at))
    }

    /// Notes a class or property that was found elsewhere than in the index.
    pub(super) fn add_term(&mut self, kind: SchemaKind, span: Span, link: &GroundedTerm) {
        self.named.terms.push(NamedTerm { kind, iri: link.iri.clone(), span, fit: link.fit });
    }
}

/// The schema index may be on a server that is down just now: names alone still answer many questions.
fn if_there(links: Result<Vec<GroundedTerm>, SchemaIndexError>) -> Vec<GroundedTerm> {
    links.unwrap_or_else(|error| {
        tracing::warn!(%error, "classes and properties could not be searched");
        Vec::new()
    })
}

/// A name neither begins nor ends with a word that says nothing, has no word twice, and more than one word that says
/// something if it has several.
fn may_be_name(question: &Question, span: Span) -> bool {
    let says = |at: &u16| !question.says_nothing(*at);
    let mut content: Vec<&str> =
        (span.from..span.to).filter(says).filter_map(|at| Some(question.word(at)?.norm.as_str())).collect();
    let count = content.len();
    content.sort_unstable();
    content.dedup();
    let text = question.text_of(span);
    // "50" in "under 50 mm" names nothing; "1984" may.
    let small_number = text.len() < 4 && text.chars().all(|c| c.is_ascii_digit());
    let says_enough = if span.len() == 1 { !small_number } else { count > 1 };
    says_enough && content.len() == count && says(&span.from) && says(&span.to.saturating_sub(1))
}

/// "Long" in "Harriet Long" asks for no length.
fn is_in_a_name(link: &GroundedTerm, mentions: &[Mention]) -> bool {
    let named = |mention: &&Mention| mention.is_same_name() && mention.span.len() > 1;
    !link.text.is_empty() && mentions.iter().filter(named).any(|mention| mention.text.contains(&link.text))
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

/// Whether a word is no more than one among many in whatever it led to.
fn is_only_described(mention: &Mention) -> bool {
    let things = mention.entities.iter().map(|hit| is_described(mention, hit));
    let values = mention.values.iter().map(|hit| is_in_a_text(mention, &hit.value.text));
    things.chain(values).all(|described| described)
}

/// Whether a thing has the words only in the midst of a description: "average" says nothing of a thing that is described
/// with it. What is written like a name may be one in a long title.
pub(super) fn is_described(mention: &Mention, hit: &EntityHit) -> bool {
    let is_name = mention.text.starts_with(char::is_uppercase);
    !is_name && best_label(hit, &mention.text).is_some_and(|label| is_in_a_text(mention, label))
}

/// Whether the words are the smaller part of a text that is too long for a name.
pub(super) fn is_in_a_text(mention: &Mention, text: &str) -> bool {
    let words = text.split_whitespace().count();
    words > MAX_NAME_WORDS && words > 2 * mention.span.len()
}

/// The shortest name of a thing that holds the words.
fn best_label<'h>(hit: &'h EntityHit, text: &str) -> Option<&'h str> {
    let wanted = fold(text);
    let labels = hit.entity.labels.iter().map(|label| label.text.as_str());
    labels.filter(|label| fold(label).contains(&wanted)).min_by_key(|label| label.len())
}

/// "rivers" is the class of rivers rather than a river whose name holds the word.
fn is_schema_word<'a>(mention: &Mention, mut links: impl Iterator<Item = &'a GroundedTerm>) -> bool {
    !mention.is_same_name() && links.any(|link| link.text == mention.text && link.fit > mention.fit())
}

/// Classes or properties that single words, pairs, or the whole question lead to.
async fn schema_links(
    dataset: &Dataset,
    question: &Question,
    kind: SchemaKind,
    limit: usize,
) -> Result<Vec<GroundedTerm>, SchemaIndexError> {
    let mut links: Vec<GroundedTerm> = Vec::new();
    // Words that stand there again lead to the same.
    let (mut asked, mut breath) = (HashSet::new(), Breath::default());
    let words = question.all().to;
    for length in (1..=MAX_SCHEMA_WORDS).rev() {
        for span in (0..(words + 1).saturating_sub(length)).map(|from| Span { from, to: from + length }) {
            let text = question.text_of(span);
            if may_be_name(question, span) && asked.insert(text) {
                breath.take().await;
                let hits = dataset.index.schema.search_words(kind, text, limit).await?;
                hits.iter().for_each(|hit| note(dataset.vocabulary(), &mut links, hit, text));
            }
        }
    }
    translated_links(dataset, question, kind, limit, &mut links).await?;
    // The order among equals is that of the whole question, where the dense leg has most to go by.
    let whole = dataset.index.schema.search(kind, &question.text, limit).await?;
    let rank = |iri: &str| whole.iter().position(|hit| hit.iri == iri).unwrap_or(limit);
    links.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| rank(&a.iri).cmp(&rank(&b.iri))));
    for hit in whole.iter().filter(|hit| !dataset.vocabulary().is_schema(&hit.iri)).take(limit / 3) {
        if !links.iter().any(|link| link.iri == hit.iri) {
            links.push(GroundedTerm { iri: hit.iri.clone(), text: String::new(), fit: hit.fit });
        }
    }
    links.truncate(limit);
    Ok(links)
}

/// What words that have led to nothing are called in the language that most schemas are written in.
async fn translated_links(
    dataset: &Dataset,
    question: &Question,
    kind: SchemaKind,
    limit: usize,
    links: &mut Vec<GroundedTerm>,
) -> Result<(), SchemaIndexError> {
    let (mut asked, mut breath) = (HashSet::new(), Breath::default());
    for span in (0..question.all().to).map(|from| Span { from, to: from + 1 }) {
        let text = question.text_of(span);
        if !asked.insert(text) {
            continue;
        }
        breath.take().await;
        let met = links.iter().any(|link| link.text.split_whitespace().any(|word| word == text));
        if met || !may_be_name(question, span) {
            continue;
        }
        for other in dataset.translated(text) {
            for mut hit in dataset.index.schema.search_words(kind, &other, limit).await? {
                // A little less sure than a name that stands in the question.
                hit.fit *= TRANSLATED_FIT;
                note(dataset.vocabulary(), links, &hit, text);
            }
        }
    }
    Ok(())
}

fn note(vocabulary: &Vocabulary, links: &mut Vec<GroundedTerm>, hit: &SchemaHit, text: &str) {
    let fit = hit.fit;
    // Every graph has types and labels; a question that says "name" or "type" means more than those.
    if fit < MIN_SCHEMA_FIT || vocabulary.is_schema(&hit.iri) {
        return;
    }
    match links.iter_mut().find(|link| link.iri == hit.iri) {
        Some(known) if known.fit < fit => {
            known.fit = fit;
            text.clone_into(&mut known.text);
        }
        Some(_) => {}
        None => links.push(GroundedTerm { iri: hit.iri.clone(), text: text.to_owned(), fit }),
    }
}
