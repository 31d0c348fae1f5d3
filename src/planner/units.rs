//! The question cut into units: names of classes and properties, things and values, cues, adjectives, numbers.
//!
//! Overlapping readings compete; the cut that explains most words best wins.

use super::names::{NameHit, says_nothing};
use super::question::Asked;
use crate::dataset::Dataset;
use crate::grounding::Grounding;
use eruca_indexer::lexicon::{Cue, Gradable, MAX_CUE_WORDS, cue, gradable};
use eruca_indexer::text::words;
use eruca_indexer::{EntityHit, SchemaKind, ValueHit};

/// Values looked up for one text.
const MAX_VALUES: usize = 12;
/// What a cue is worth against a word that names something perfectly.
const CUE_WORTH: f32 = 0.6;
/// A name found for a single word below this fit is an accident.
const MIN_THING_FIT: f32 = 0.75;

/// Something that a span may name.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    /// Numbers of the first word and of the one behind the last.
    pub words: (usize, usize),
    /// As written.
    pub text: String,
    /// Whether it stands in quotation marks.
    pub quoted: bool,
    /// Classes it may name, best first.
    pub classes: Vec<NameHit>,
    /// Properties it may name, best first.
    pub properties: Vec<NameHit>,
    /// Entities it may name, best first.
    pub entities: Vec<EntityHit>,
    /// Values it may be, best first.
    pub values: Vec<ValueHit>,
    /// It is what someone does: "manages" for the property "manager".
    pub verb: bool,
}

impl Item {
    pub(super) fn class_fit(&self) -> f32 {
        self.classes.first().map_or(0.0, |hit| hit.fit)
    }

    pub(super) fn property_fit(&self) -> f32 {
        self.properties.first().map_or(0.0, |hit| hit.fit)
    }

    pub(super) fn is_thing(&self) -> bool {
        self.quoted || !(self.entities.is_empty() && self.values.is_empty())
    }

    pub(super) fn is_schema(&self) -> bool {
        !(self.classes.is_empty() && self.properties.is_empty())
    }
}

/// What a unit is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// A named item, by its number.
    Item(usize),
    /// A phrase of the question's form.
    Cue(Cue),
    /// An adjective that compares.
    Grade(&'static Gradable),
    /// A number as digits.
    Number(String),
    /// A place in a row.
    Ordinal(u32),
    /// Any other word.
    Word,
}

/// A piece of the question.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub kind: Kind,
    pub words: (usize, usize),
    /// The punctuation before it.
    pub broken: Option<char>,
}

/// The question cut into units.
#[derive(Debug, Default)]
pub(super) struct Cut {
    pub items: Vec<Item>,
    pub units: Vec<Unit>,
}

/// A reading of a span that competes with others for its words.
enum Claim {
    Item(Item),
    Cue(Cue),
}

/// Cuts a question.
pub(super) fn cut(dataset: &Dataset, asked: &Asked, hits: &[NameHit], grounding: &Grounding) -> Cut {
    let mut claims: Vec<((usize, usize), f32, Claim)> = Vec::new();
    schema_claims(dataset, asked, hits, &mut claims);
    thing_claims(dataset, asked, grounding, &mut claims);
    cue_claims(asked, &mut claims);
    let chosen = best_cover(asked.len(), claims);
    assemble(asked, chosen)
}

/// One claim for each span with all classes and properties that it may name.
fn schema_claims(
    dataset: &Dataset,
    asked: &Asked,
    hits: &[NameHit],
    claims: &mut Vec<((usize, usize), f32, Claim)>,
) {
    let mut items: Vec<Item> = Vec::new();
    for hit in hits.iter().cloned() {
        let at = items.iter().position(|item| item.words == hit.words).unwrap_or_else(|| {
            let text = asked.text(hit.words.0, hit.words.1).to_owned();
            items.push(Item { words: hit.words, text, ..Item::default() });
            items.len() - 1
        });
        match hit.kind {
            SchemaKind::Class => items[at].classes.push(hit),
            SchemaKind::Property => items[at].properties.push(hit),
        }
    }
    for mut item in items {
        let order = |a: &NameHit, b: &NameHit| b.fit.total_cmp(&a.fit).then_with(|| a.iri.cmp(&b.iri));
        item.classes.sort_by(order);
        item.properties.sort_by(order);
        if is_verb(dataset, asked, &item) {
            item.verb = true;
            item.classes.clear();
            if item.properties.is_empty() {
                continue;
            }
        }
        let fit = item.class_fit().max(item.property_fit());
        let fit = if is_cue_only(asked, item.words) { 0.5 * fit } else { fit };
        claims.push((item.words, worth(asked, item.words, fit), Claim::Item(item)));
    }
}

/// "manages" is said of a manager, and is no noun itself.
fn is_verb(dataset: &Dataset, asked: &Asked, item: &Item) -> bool {
    let word = asked.words[item.words.0].folded.as_str();
    let single = item.words.1 - item.words.0 == 1;
    let best = item.property_fit().max(item.class_fit());
    if single && word.len() > 5 && best < 0.9 && (word.ends_with("ed") || word.ends_with("ing")) {
        return true;
    }
    let fit = item.property_fit();
    if item.words.1 - item.words.0 > 1 || !(0.55..0.9).contains(&fit) || item.class_fit() > fit + 0.06 {
        return false;
    }
    let agent = |word: &str| word.len() > 4 && (word.ends_with("er") || word.ends_with("or"));
    let Some(hit) = item.properties.first() else { return false };
    let name = eruca_indexer::text::humanize(eruca_sparql::local_name(&hit.iri));
    let named = words(&name).last().is_some_and(|word| agent(&word.text));
    let resource =
        dataset.index.card.property(&hit.iri).is_some_and(eruca_indexer::PropertyCard::has_resources);
    named && resource && !agent(&asked.words[item.words.0].norm)
}

fn worth(asked: &Asked, span: (usize, usize), fit: f32) -> f32 {
    let content = (span.0..span.1).filter(|at| !says_nothing(&asked.words[*at].norm)).count().max(1) as f32;
    content * fit + 0.15 * (content - 1.0)
}

/// A single word that mostly has another part to play: "average", "most", "each".
fn is_cue_only(asked: &Asked, span: (usize, usize)) -> bool {
    let word = &asked.words[span.0];
    let asking = asked.breaks[span.0].is_none() && span.0 > 0;
    span.1 - span.0 == 1
        && (gradable(&word.folded).is_some()
            || cue(&[word.folded.as_str()]).is_some_and(|(cue, _)| cue != Cue::Asking || !asking))
}

fn thing_claims(
    dataset: &Dataset,
    asked: &Asked,
    grounding: &Grounding,
    claims: &mut Vec<((usize, usize), f32, Claim)>,
) {
    for quote in &asked.quotes {
        let item = Item {
            quoted: true,
            entities: dataset.index.entities.search_strict(&quote.text, 4).unwrap_or_default(),
            values: values(dataset, &quote.text),
            text: quote.text.clone(),
            words: quote.words,
            ..Item::default()
        };
        claims.push((quote.words, 2.0 * (quote.words.1 - quote.words.0) as f32 + 1.0, Claim::Item(item)));
    }
    let mut from = 0;
    for mention in &grounding.mentions {
        let Some(span) = span_of(asked, &mention.text, &mut from) else { continue };
        let fit = mention.fit();
        let single = span.1 - span.0 == 1;
        let first = &asked.words[span.0];
        let lower = (span.0..span.1).all(|at| !asked.words[at].raw.chars().any(char::is_uppercase));
        let small_number = first.number.is_some()
            && first.raw.len() <= 4
            && (single || (lower && mention.entities.first().is_none_or(|hit| hit.score < 1.2)));
        if fit < MIN_THING_FIT || small_number {
            continue;
        }
        let mut item = Item {
            words: span,
            text: mention.text.clone(),
            entities: mention.entities.clone(),
            values: values(dataset, &mention.text),
            ..Item::default()
        };
        for hit in &mention.values {
            if !item.values.iter().any(|known| known.value == hit.value) {
                item.values.push(hit.clone());
            }
        }
        let capital = asked.words[span.0].raw.chars().any(|c| c.is_uppercase() || c.is_numeric());
        // "Boat houses" are rather a kind that is both than the one thing with this name.
        let parts = grounding.mentions.iter().filter(|other| {
            other.words.0 >= mention.words.0
                && other.words.1 <= mention.words.1
                && other.words != mention.words
        });
        let covered = parts.filter(|part| part.is_same_name()).count() == span.1 - span.0;
        let plural = asked.words[span.1 - 1].norm != asked.words[span.1 - 1].folded;
        let fit = if !single && covered && plural { 0.8 * fit.min(1.25) } else { fit };
        let fit = fit.min(1.25) * if capital || !single { 0.95 } else { 0.8 };
        claims.push((span, worth(asked, span, fit), Claim::Item(item)));
    }
}

/// All values that are this very text.
fn values(dataset: &Dataset, text: &str) -> Vec<ValueHit> {
    let mut hits = dataset.index.values.search_strict(text, MAX_VALUES).unwrap_or_default();
    hits.retain(|hit| hit.score >= 1.0);
    hits
}

/// The words of a mention. Mentions come in the order of the question.
fn span_of(asked: &Asked, text: &str, from: &mut usize) -> Option<(usize, usize)> {
    let wanted: Vec<String> = words(text).into_iter().map(|token| token.text).collect();
    let count = wanted.len();
    let matches = |start: &usize| {
        (0..count).all(|at| asked.words.get(start + at).is_some_and(|word| word.norm == wanted[at]))
    };
    let start = (*from..asked.len()).find(matches).or_else(|| (0..asked.len()).find(matches))?;
    *from = start;
    (count > 0).then_some((start, start + count))
}

fn cue_claims(asked: &Asked, claims: &mut Vec<((usize, usize), f32, Claim)>) {
    for start in 0..asked.len() {
        let end = (start + MAX_CUE_WORDS).min(asked.len());
        let folded: Vec<&str> = asked.words[start..end].iter().map(|word| word.folded.as_str()).collect();
        for count in 1..=folded.len() {
            if let Some((found, length)) = cue(&folded[..count])
                && length == count
            {
                claims.push((
                    (start, start + count),
                    CUE_WORTH + 0.25 * (count - 1) as f32,
                    Claim::Cue(found),
                ));
            }
        }
    }
}

/// The claims that do not overlap and are worth most together.
fn best_cover(length: usize, claims: Vec<((usize, usize), f32, Claim)>) -> Vec<((usize, usize), Claim)> {
    let mut best: Vec<(f32, Option<usize>)> = vec![(0.0, None); length + 1];
    for end in 1..=length {
        best[end] = (best[end - 1].0, None);
        for (number, ((start, stop), worth, _)) in claims.iter().enumerate() {
            if *stop == end && best[*start].0 + worth > best[end].0 {
                best[end] = (best[*start].0 + worth, Some(number));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut at = length;
    while at > 0 {
        match best[at].1 {
            Some(number) => {
                chosen.push(number);
                at = claims[number].0.0;
            }
            None => at -= 1,
        }
    }
    let mut kept: Vec<((usize, usize), Claim)> = claims
        .into_iter()
        .enumerate()
        .filter(|(number, _)| chosen.contains(number))
        .map(|(_, (span, _, claim))| (span, claim))
        .collect();
    kept.sort_by_key(|(span, _)| span.0);
    kept
}

fn assemble(asked: &Asked, chosen: Vec<((usize, usize), Claim)>) -> Cut {
    let mut cut = Cut::default();
    let mut at = 0;
    for (span, claim) in chosen {
        plain_words(asked, at, span.0, &mut cut.units);
        let kind = match claim {
            Claim::Item(item) => {
                cut.items.push(item);
                Kind::Item(cut.items.len() - 1)
            }
            Claim::Cue(cue) => Kind::Cue(cue),
        };
        cut.units.push(Unit { kind, words: span, broken: asked.breaks[span.0] });
        at = span.1;
    }
    plain_words(asked, at, asked.len(), &mut cut.units);
    cut
}

fn plain_words(asked: &Asked, from: usize, to: usize, units: &mut Vec<Unit>) {
    for at in from..to {
        let word = &asked.words[at];
        let kind = match (&word.number, word.ordinal, gradable(&word.folded)) {
            (Some(number), ..) => Kind::Number(number.clone()),
            (_, Some(place), _) => Kind::Ordinal(place),
            (.., Some(grade)) => Kind::Grade(grade),
            _ => Kind::Word,
        };
        units.push(Unit { kind, words: (at, at + 1), broken: asked.breaks[at] });
    }
}
