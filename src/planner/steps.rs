//! Drafts around entities: what a word of the question says about one, step by step.
//!
//! For graphs whose classes say little: the properties of the entity's neighbourhood are matched by their names.

use super::drafts::{Draft, enters, leaves, select, select_years};
use super::names::NameHit;
use super::question::Asked;
use crate::dataset::Dataset;
use crate::form::{AnswerForm, FormKind};
use crate::grounding::{Grounding, Mention};
use eruca_indexer::text::{humanize, words};
use eruca_indexer::{Entity, PropertyCard, SchemaKind, Target};
use eruca_sparql::local_name;

/// Properties tried around one entity.
const MAX_PROPERTIES: usize = 8;
/// What a question word adds to a property that answers it.
const ASKED_KIND: f32 = 0.35;
/// What a second step of a chain is worth.
const CHAIN_WORTH: f32 = 0.25;

/// What a question word asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Time,
    Place,
    Manner,
    Anything,
}

/// All drafts that start at an entity of the question.
pub(super) fn steps(
    dataset: &Dataset,
    (asked, hits, form): (&Asked, &[NameHit], &AnswerForm),
    grounding: &Grounding,
) -> Vec<Draft> {
    let mut found = Vec::new();
    let named: Vec<(&Mention, &Entity, f32)> = grounding
        .mentions
        .iter()
        .filter_map(|mention| mention.entities.first().map(|hit| (mention, &hit.entity, hit.score)))
        .collect();
    for (mention, entity, fit) in &named {
        let around = Around { dataset, asked, hits, counts: form.counts, mention, entity, fit: *fit };
        around.single(&mut found);
        around.chains(&mut found);
    }
    for (at, (first, one, fit)) in named.iter().enumerate() {
        for (second, other, _) in
            named.iter().skip(at + 1).filter(|(second, ..)| second.words.0 >= first.words.1)
        {
            let around =
                Around { dataset, asked, hits, counts: form.counts, mention: first, entity: one, fit: *fit };
            if form.kind == FormKind::Ask {
                found.push(around.ask(second, other));
            } else {
                around.shared(second, other, &mut found);
            }
        }
    }
    found
}

/// An entity with what the question says around it.
struct Around<'a> {
    dataset: &'a Dataset,
    asked: &'a Asked,
    hits: &'a [NameHit],
    counts: bool,
    mention: &'a Mention,
    entity: &'a Entity,
    fit: f32,
}

impl Around<'_> {
    /// Properties that words outside the names of things may mean, with the span and how well they fit.
    fn properties(&self, others: &[&Mention]) -> Vec<(&PropertyCard, (usize, usize), f32)> {
        let wanted = self.wanted();
        let mut found: Vec<(&PropertyCard, (usize, usize), f32)> = self
            .hits
            .iter()
            .filter(|hit| hit.kind == SchemaKind::Property && !self.is_inside(hit.words, self.mention))
            .filter(|hit| others.iter().all(|other| !self.is_inside(hit.words, other)))
            .filter_map(|hit| {
                let card = self.dataset.index.card.property(&hit.iri)?;
                Some((card, hit.words, hit.fit + self.answers(card, wanted)))
            })
            .collect();
        found.sort_by(|a, b| b.2.total_cmp(&a.2).then(b.0.usage.cmp(&a.0.usage)));
        found
    }

    fn is_inside(&self, span: (usize, usize), mention: &Mention) -> bool {
        let first = words(&mention.text).first().map(|word| word.text.clone()).unwrap_or_default();
        let count = words(&mention.text).len();
        let start = self.asked.words.iter().position(|word| word.norm == first).unwrap_or(mention.words.0);
        span.0 < start + count && span.1 > start
    }

    fn wanted(&self) -> Wanted {
        let first = self.asked.words.iter().take(3).map(|word| word.folded.as_str());
        first
            .map(|word| match word {
                "when" | "wann" | "cuando" | "quand" => Wanted::Time,
                "where" | "wo" | "donde" | "woher" => Wanted::Place,
                "how" | "wie" | "como" if !self.counts => Wanted::Manner,
                _ => Wanted::Anything,
            })
            .find(|wanted| *wanted != Wanted::Anything)
            .unwrap_or(Wanted::Anything)
    }

    fn label(&self) -> &str {
        self.entity.label(&self.dataset.languages)
    }

    /// One step out of the entity, or into it.
    fn single(&self, found: &mut Vec<Draft>) {
        let mut properties = self.properties(&[]);
        properties.extend(self.unsaid());
        let iri = &self.entity.iri;
        for (card, _, fit) in properties.into_iter().take(MAX_PROPERTIES) {
            let name = self.dataset.schema_name(&card.iri);
            if leaves(card, self.entity) {
                let counts = self.counts && !card.has_literals();
                let pattern = format!("<{iri}> <{}> ?x", card.iri);
                let reading = format!("the {name} of {}", self.label());
                found.push(match self.asked.wants_year && has_dates(card) {
                    true => {
                        self.draft_of(select_years(&pattern), format!("the year of {reading}"), fit + 0.2)
                    }
                    false => self.draft(&pattern, counts, reading, fit + 0.1),
                });
            }
            if enters(card, self.entity) {
                let pattern = format!("?x <{}> <{iri}>", card.iri);
                let reading = format!("what has {name} {}", self.label());
                found.push(self.draft(&pattern, self.counts, reading, fit));
            }
        }
    }

    /// What a property adds for holding what a question word asks for.
    fn answers(&self, card: &PropertyCard, wanted: Wanted) -> f32 {
        let mut name = words(&humanize(local_name(&card.iri)));
        name.extend(words(&self.dataset.schema_name(&card.iri)));
        let named = |stems: &[&str]| name.iter().any(|word| stems.contains(&word.text.as_str()));
        let fits = match wanted {
            Wanted::Time => holds_time(card) || named(&["date", "year", "time"]),
            Wanted::Place => {
                named(&["place", "location", "city", "country", "address", "headquarter", "venue"])
            }
            Wanted::Manner => named(&["cause", "manner", "method", "type"]),
            Wanted::Anything => false,
        };
        if fits { ASKED_KIND } else { 0.0 }
    }

    /// "When was X?" names no property: any that holds what is asked for.
    fn unsaid(&self) -> Vec<(&PropertyCard, (usize, usize), f32)> {
        let wanted = self.wanted();
        if !matches!(wanted, Wanted::Time | Wanted::Place) {
            return Vec::new();
        }
        let cards = self.dataset.index.card.properties.iter();
        let fitting = cards.filter(|card| leaves(card, self.entity) && self.answers(card, wanted) > 0.0);
        fitting
            .map(|card| {
                let plain = words(&self.dataset.schema_name(&card.iri)).len() == 1;
                (card, (0, 0), if plain { 0.4 } else { 0.2 })
            })
            .take(MAX_PROPERTIES)
            .collect()
    }

    /// Two steps: "the daughter of X is married to".
    fn chains(&self, found: &mut Vec<Draft>) {
        let properties = self.properties(&[]);
        let iri = &self.entity.iri;
        for (first, span, fit) in properties.iter().take(MAX_PROPERTIES) {
            if !leaves(first, self.entity) || !first.has_resources() {
                continue;
            }
            for (second, other, next_fit) in properties.iter().take(2 * MAX_PROPERTIES) {
                let apart = other.1 <= span.0 || span.1 <= other.0;
                if !apart || !follows(first, second) {
                    continue;
                }
                let pattern = format!("<{iri}> <{}> ?y . ?y <{}> ?x", first.iri, second.iri);
                let names = [first, second].map(|card| self.dataset.schema_name(&card.iri));
                let reading = format!("the {} of the {} of {}", names[1], names[0], self.label());
                // The word next to the name belongs to the first step.
                let near = if self.distance(*span) <= self.distance(*other) { 0.1 } else { 0.0 };
                let score = fit.min(*next_fit) + CHAIN_WORTH + near;
                found.push(self.draft(&pattern, self.counts, reading, score));
            }
        }
    }

    fn distance(&self, span: (usize, usize)) -> usize {
        let (start, end) = self.mention.words;
        if span.1 <= start { start - span.1 } else { span.0.saturating_sub(end) }
    }

    /// Whether two things are joined, by what the question says if it says something.
    fn ask(&self, second: &Mention, other: &Entity) -> Draft {
        let said: Vec<String> = self
            .properties(&[second])
            .into_iter()
            .filter(|(card, _, fit)| *fit >= 0.6 && card.has_resources())
            .take(MAX_PROPERTIES)
            .flat_map(|(card, ..)| [format!("<{}>", card.iri), format!("^<{}>", card.iri)])
            .collect();
        let (one, two) = (&self.entity.iri, &other.iri);
        let query = match said.is_empty() {
            true => format!("ASK {{ {{ <{one}> ?p <{two}> }} UNION {{ <{two}> ?p <{one}> }} }}"),
            false => format!("ASK {{ <{one}> ({}) <{two}> }}", said.join("|")),
        };
        let reading =
            format!("whether {} and {} are joined", self.label(), other.label(&self.dataset.languages));
        Draft { query, reading, score: self.fit + 2.0, whole: false, trusted: false }
    }

    /// What two things have in common.
    fn shared(&self, second: &Mention, other: &Entity, found: &mut Vec<Draft>) {
        let (one, two) = (&self.entity.iri, &other.iri);
        let mut properties = self.properties(&[second]);
        properties.extend(self.unsaid());
        for (card, _, fit) in properties.into_iter().take(MAX_PROPERTIES) {
            if !leaves(card, self.entity) || !leaves(card, other) {
                continue;
            }
            let pattern = format!("<{one}> <{0}> ?x . <{two}> <{0}> ?x", card.iri);
            let name = self.dataset.schema_name(&card.iri);
            let reading = format!(
                "the {name} that {} and {} share",
                self.label(),
                other.label(&self.dataset.languages)
            );
            found.push(self.draft(&pattern, self.counts, reading, fit + 0.3));
        }
    }

    fn draft(&self, pattern: &str, counts: bool, reading: String, score: f32) -> Draft {
        self.draft_of(select(pattern, counts), reading, score)
    }

    fn draft_of(&self, query: String, reading: String, score: f32) -> Draft {
        Draft { query, reading, score: self.fit + score, whole: false, trusted: false }
    }
}

/// Whether the values of a property are mostly dates, of which the year can be taken.
pub(super) fn has_dates(card: &PropertyCard) -> bool {
    let first = card.datatypes().first().map(|(datatype, _)| *datatype);
    first.is_some_and(|datatype| ["#date", "#dateTime"].iter().any(|local| datatype.ends_with(local)))
}

/// Whether the values of a property are mostly dates or times.
fn holds_time(card: &PropertyCard) -> bool {
    card.datatypes().first().is_some_and(|(datatype, _)| {
        ["date", "dateTime", "gYear"].iter().any(|local| datatype.ends_with(local))
    })
}

/// Whether the objects of one property were seen with the other, or may have been where not all is kept.
fn follows(first: &PropertyCard, second: &PropertyCard) -> bool {
    (first.more_edges && second.more_edges)
        || first.edges.iter().any(|edge| match &edge.target {
            Target::Class(class) => second.edges.iter().any(|next| next.class.as_deref() == Some(class)),
            Target::Resource => second.edges.iter().any(|next| next.class.is_none()),
            Target::Literal(_) => false,
        })
}
