//! The ledger of evidence: which part of a query each word of the question justifies and on what grounds, and which words and
//! query parts remain unaccounted for. Reads the question, the query and the graph but not how the query was made, so it also
//! works for queries written by a model or a person.
//!
//! ```text
//! question · links ─┐                    ┌─ names       the name of a class, property, thing or value
//!                   ├─► Audit ─► entries ├─ quantities  numbers, comparisons, superlatives and what they measure
//!                                        ├─ times       months, start dates, and sums of years
//! query ─► parts ───┘       └──► doubts  ├─ forms       negation, quantifiers, aggregates
//!                                        ├─ asked       the query returns what is asked for
//!                                        ├─ computed    several numbers, and stored numbers
//!                                        ├─ again       words that refer to something named earlier
//!                                        ├─ lists       members of lists, and their positions
//!                                        ├─ house       words of the house, by the glossary of the owner
//!                                        ├─ positions   the direction of relations, also under negation
//!                                        └─ unsaid      parts of the query that no word justifies
//! ```
//!
//! Among the parts, a pattern of the glossary counts as one (`patterns`). The planner calls no answer sure without a full ledger.
//! Tests: `tests`.

mod again;
mod asked;
mod computed;
mod forms;
mod house;
mod lists;
mod names;
mod parts;
mod patterns;
mod positions;
mod quantities;
mod rows;
mod states;
#[cfg(test)]
mod tests;
mod times;
mod units;
mod unsaid;

use crate::context::Context;
use crate::link::{Links, Named};
use crate::phrase::says_only_form;
use crate::question::{ParsedQuestion, Span};
use crate::schema::Schema;
use eruca_indexer::DatasetIndex;
use eruca_language::{AnswerKind, Cue};
use eruca_sparql::{Answer, CheckedQuery};
use parts::Parts;

/// The part of a query that a word justifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A class or property.
    Term(String),
    /// A thing.
    Thing(String),
    /// A literal.
    Value(String),
    /// A comparison.
    Comparison,
    /// An order, and the first or last of it.
    Order,
    /// A number of things.
    Count,
    /// A computed number: a sum, an average, a share.
    Computed,
    /// An exclusion.
    Negation,
    /// Alternatives.
    Alternatives,
    /// One row per group.
    Group,
    /// The form of the answer.
    Form,
}

impl Part {
    /// The key of the part in traces.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Term(_) => "term",
            Self::Thing(_) => "thing",
            Self::Value(_) => "value",
            Self::Comparison => "comparison",
            Self::Order => "order",
            Self::Count => "count",
            Self::Computed => "computed",
            Self::Negation => "negation",
            Self::Alternatives => "alternatives",
            Self::Group => "group",
            Self::Form => "form",
        }
    }
}

/// The grounds on which a word justifies a part, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grounds {
    /// The owner of the graph says so.
    Glossary,
    /// The same name.
    Exact,
    /// The same name in another inflection.
    Lemma,
    /// A synonym listed in the packs.
    Synonym,
    /// A translation listed in the packs.
    Translation,
    /// The query's statements imply the class.
    Type,
    /// The property measures the quantity that the word asks for.
    Dimension,
    /// The word asks for this query form.
    Form,
    /// The words are only part of the name.
    NamePart,
    /// One of several related words listed in the packs.
    Related,
    /// Similar spelling.
    Typo,
    /// Something else in the graph matches the words better.
    Outdone,
}

impl Grounds {
    /// Whether it is not sufficient by itself.
    pub fn is_weak(self) -> bool {
        self >= Self::NamePart
    }

    /// The key of the grounds in the packs and in traces.
    pub fn key(self) -> &'static str {
        match self {
            Self::Glossary => "glossary",
            Self::Exact => "exact",
            Self::Lemma => "lemma",
            Self::Synonym => "synonym",
            Self::Translation => "translation",
            Self::Type => "type",
            Self::Dimension => "dimension",
            Self::Form => "form",
            Self::NamePart => "name-part",
            Self::Related => "related",
            Self::Typo => "typo",
            Self::Outdone => "outdone",
        }
    }
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The span of the words.
    pub span: Span,
    /// The words.
    pub words: String,
    /// What they justify.
    pub part: Part,
    /// On what grounds.
    pub right: Grounds,
}

/// A reason why a ledger is not full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// Content words that justify nothing.
    Unused(Span, String),
    /// Words with weak grounds.
    Weak(Span, String),
    /// A comparison, superlative or quantifier missing from the query.
    Form(Span, String),
    /// A measure that may not be the quantity that the words ask for.
    Dimension(Span, String),
    /// A property used in the opposite direction.
    Turned(String),
    /// A class, property or thing that no word asks for.
    Unsaid(String),
    /// What the question asks for is not returned.
    NotReturned(Span, String),
    /// A class that excludes others of the same name, or a relation that excludes others of the same kind.
    Narrow(String),
    /// The answer has unnamed nodes, or rows without a value.
    Nameless,
    /// The answer has no rows.
    Empty,
    /// Another query is justified as well and has a different result.
    Rival,
}

impl Doubt {
    /// Whether the answer most likely answers another question.
    pub fn is_grave(&self) -> bool {
        matches!(
            self,
            Self::Form(..) | Self::Dimension(..) | Self::Turned(_) | Self::NotReturned(..) | Self::Nameless
        )
    }

    /// The key of the doubt in the packs and in traces.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Unused(..) => "unused",
            Self::Weak(..) => "weak",
            Self::Form(..) => "form",
            Self::Dimension(..) => "dimension",
            Self::Turned(_) => "turned",
            Self::Unsaid(_) => "unsaid",
            Self::NotReturned(..) => "not-returned",
            Self::Narrow(_) => "narrow",
            Self::Nameless => "nameless",
            Self::Empty => "empty",
            Self::Rival => "rival",
        }
    }

    /// Whether it is about an IRI.
    pub fn is_about_iri(&self) -> bool {
        matches!(self, Self::Turned(_) | Self::Unsaid(_) | Self::Narrow(_))
    }

    /// The words or the IRI it is about; empty if it is about the answer.
    pub fn about(&self) -> &str {
        match self {
            Self::Unused(_, words)
            | Self::Weak(_, words)
            | Self::Form(_, words)
            | Self::Dimension(_, words)
            | Self::NotReturned(_, words) => words,
            Self::Turned(iri) | Self::Unsaid(iri) | Self::Narrow(iri) => iri,
            Self::Nameless | Self::Empty | Self::Rival => "",
        }
    }
}

/// Maximum probability of an answer without a full ledger: it is never called sure, however often such answers are right.
const MAX_IN_DOUBT: f32 = 0.84;
/// Maximum probability of an answer that most likely answers another question: it is a guess.
const MAX_IN_GRAVE_DOUBT: f32 = 0.49;

/// The evidence for a query, word by word, and its gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The words and what they justify, in question order.
    pub entries: Vec<Entry>,
    /// What remains unaccounted for.
    pub doubts: Vec<Doubt>,
}

impl Ledger {
    /// Whether every word and every part is accounted for.
    pub fn is_full(&self) -> bool {
        self.doubts.is_empty()
    }

    /// The maximum probability of an answer with this ledger.
    pub fn most(&self) -> f32 {
        match self.is_full() {
            true => 1.0,
            false if self.is_grave() => MAX_IN_GRAVE_DOUBT,
            false => MAX_IN_DOUBT,
        }
    }

    /// Whether all things were matched by similar spelling only.
    pub fn is_misspelt(&self) -> bool {
        let mut things = self.entries.iter().filter(|entry| matches!(entry.part, Part::Thing(_))).peekable();
        things.peek().is_some() && things.all(|entry| entry.right == Grounds::Typo)
    }

    /// Whether words justify only names: no word asks for what the query states about them.
    pub fn proves_names_alone(&self) -> bool {
        let name = |entry: &Entry| matches!(entry.part, Part::Thing(_) | Part::Value(_) | Part::Form);
        !self.entries.is_empty() && self.entries.iter().all(name)
    }

    /// Whether the query has a class, property or thing that no word asks for.
    pub fn has_unsaid(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unsaid(_)))
    }

    /// Content words that match no part of the query.
    pub fn unused(&self) -> Vec<String> {
        let words = self.doubts.iter().filter_map(|doubt| match doubt {
            Doubt::Unused(_, words) => Some(words.clone()),
            _ => None,
        });
        words.collect()
    }

    /// The number of words that match something else in the graph better.
    pub fn outdone(&self) -> usize {
        self.entries.iter().filter(|entry| entry.right == Grounds::Outdone).count()
    }

    /// Whether the query returned no rows.
    pub fn is_empty_handed(&self) -> bool {
        self.doubts.contains(&Doubt::Empty)
    }

    /// The best grounds on which words justify a class or property.
    pub(crate) fn grounds_of(&self, iri: &str) -> Option<Grounds> {
        let own = self.entries.iter().filter(|entry| matches!(&entry.part, Part::Term(term) if term == iri));
        own.map(|entry| entry.right).min()
    }

    /// Whether some doubt says that the answer answers another question.
    pub fn is_grave(&self) -> bool {
        self.doubts.iter().any(Doubt::is_grave)
    }
}

/// Audits queries for one question about one graph.
pub struct Auditor<'k>(Context<'k>);

/// Smallest difference between two fits that counts.
const EVEN: f32 = 1e-3;

impl<'k> Auditor<'k> {
    /// Reads the candidates linked to the words of a question.
    pub fn new(index: &'k DatasetIndex, question: &ParsedQuestion, named: &'k Named) -> Self {
        let schema = Schema::new(index).knowing(&named.glossary);
        let question = named.read(question);
        let links = Links::find(&schema, &question, named);
        Self(Context::new(schema, question, links))
    }

    /// The question.
    pub(crate) fn question(&self) -> &ParsedQuestion {
        &self.0.question
    }

    /// Whether words of the question name two things equally well.
    pub(crate) fn are_namesakes(&self, one: &str, other: &str) -> bool {
        self.0.links.mentions.iter().any(|mention| {
            let fit = |thing: &str| {
                mention.entities.iter().find(|hit| hit.record.iri == thing).map(|hit| hit.score)
            };
            matches!((fit(one), fit(other)), (Some(one), Some(other)) if (one - other).abs() < EVEN)
        })
    }

    /// The ledger of a query, with its answer if it has run.
    pub fn ledger(&self, query: &CheckedQuery, answer: Option<&Answer>) -> Ledger {
        let mut parts = Parts::of(query, &self.0.schema.index.manifest.vocabulary);
        patterns::fold(&self.0.schema, &mut parts);
        let mut audit = Audit { context: &self.0, parts: &parts, entries: Vec::new(), doubts: Vec::new() };
        audit.names();
        audit.types();
        audit.quantities();
        audit.times();
        audit.states();
        audit.places();
        audit.forms();
        audit.computed();
        audit.again();
        audit.words();
        audit.positions();
        audit.unsaid();
        audit.narrow_relations();
        if let Some(answer) = answer {
            audit.rows(answer);
        }
        audit.finish()
    }
}

/// A ledger under construction.
struct Audit<'a, 'k> {
    context: &'a Context<'k>,
    parts: &'a Parts,
    entries: Vec<Entry>,
    doubts: Vec<Doubt>,
}

impl<'k> Audit<'_, 'k> {
    fn question(&self) -> &ParsedQuestion {
        &self.context.question
    }

    fn enter(&mut self, span: Span, part: Part, right: Grounds) {
        let words = self.question().text_of(span).to_owned();
        self.entries.push(Entry { span, words, part, right });
    }

    fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    fn said(&self, span: Span) -> String {
        self.question().text_of(span).to_owned()
    }

    /// The best grounds on which a word justifies a part of the query.
    fn right_at(&self, at: u16) -> Option<Grounds> {
        self.entries.iter().filter(|entry| entry.span.has(at)).map(|entry| entry.right).min()
    }

    /// Doubts words without grounds or with weak ones.
    fn words(&mut self) {
        for at in 0..self.question().len() as u16 {
            let span = Span { from: at, to: at + 1 };
            match self.right_at(at) {
                Some(right) if right.is_weak() && self.says_something(at) => {
                    self.doubt(Doubt::Weak(span, self.said(span)));
                }
                Some(_) if self.is_torn(at) => self.doubt(Doubt::Weak(span, self.said(span))),
                None | Some(Grounds::Form) if self.is_part_of_name(at) => {
                    self.doubt(Doubt::Unused(span, self.said(span)));
                }
                None if self.says_something(at) => self.doubt(Doubt::Unused(span, self.said(span))),
                _ => {}
            }
        }
    }

    /// Whether a word must be accounted for: function words, auxiliary verbs and cue words need not be.
    fn says_something(&self, at: u16) -> bool {
        let question = self.question();
        let Some(word) = question.word(at) else { return false };
        let language = question.language;
        let light =
            language.is_light_verb(&word.folded) || language.is_light_verb(&language.base(&word.folded));
        let helps = question
            .cues
            .iter()
            .any(|cue| cue.span.has(at) && matches!(cue.cue, Cue::Be | Cue::Do | Cue::Have));
        self.is_deed(at) || !(light || helps || question.is_function_word(at) || says_only_form(question, at))
    }

    /// Whether the question asks who acts on a thing, so that the verb must match a role: "who owns the mill" does not ask for
    /// its tenant.
    fn is_deed(&self, at: u16) -> bool {
        let question = self.question();
        let Some(word) = question.word(at) else { return false };
        let asked = question.cues.iter().any(|cue| cue.cue == Cue::Who && cue.span.to == at);
        let nouns = question.language.related(&question.language.base(&word.folded));
        let doer = |kind| matches!(kind, Some(AnswerKind::Person | AnswerKind::Organization));
        asked && question.role_at(at + 1).is_none() && nouns.first().is_some_and(|noun| doer(noun.kind))
    }

    fn finish(mut self) -> Ledger {
        self.entries.sort_by_key(|entry| (entry.span, entry.right));
        self.entries.dedup_by(|a, b| a.span == b.span && a.part == b.part);
        Ledger { entries: self.entries, doubts: self.doubts }
    }
}
