//! The ledger of evidence: which part of a query each word of the question licenses, and by what right; which words and which
//! parts nothing accounts for. Reads the question, the query and the graph, and knows nothing of how the query came about, so
//! that it serves for a query of a model or a person as well.
//!
//! ```text
//! question · links ─┐                    ┌─ names       a class, property, thing or value is called so
//!                   ├─► Audit ─► entries ├─ quantities  numbers, comparisons, superlatives and their dimension
//!                                        ├─ times       months, since when, and years that are added up
//! query ─► parts ───┘       └──► doubts  ├─ forms       negation, quantifiers, aggregates
//!                                        ├─ asked       what is asked for is returned
//!                                        ├─ computed    several numbers, and those that are stated
//!                                        ├─ again       what stands for what was named before
//!                                        ├─ lists       members of lists, and their places
//!                                        ├─ positions   who has what, under negation too
//!                                        └─ unsaid      parts of the query that no word licenses
//! ```
//!
//! The planner calls no answer sure without a full ledger. Tests: `tests`.

mod again;
mod asked;
mod computed;
mod forms;
mod lists;
mod names;
mod parts;
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
use crate::question::{Question, Span};
use crate::schema::Schema;
use eruca_indexer::DatasetIndex;
use eruca_language::{AnswerKind, Cue};
use eruca_sparql::{Answer, CheckedQuery};
use parts::Parts;

/// The part of a query that a word licenses.
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
    /// A sum, an average, a share, something worked out.
    Computed,
    /// What must not be there.
    Negation,
    /// Alternatives.
    Alternatives,
    /// A row for each of something.
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

/// By what right a word licenses a part: the strong ones first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Right {
    /// It is called so.
    Exact,
    /// It is called so in another form of the word.
    Lemma,
    /// The packs list the word as another word for it.
    Synonym,
    /// The packs list the word as a translation of it.
    Translation,
    /// What the query says of something makes it one of these.
    Type,
    /// The property measures what the word asks for.
    Dimension,
    /// The word asks for this form of a query.
    Form,
    /// The words are a part of the name alone.
    NamePart,
    /// The packs list the word as leading to it, as one of several.
    Related,
    /// Almost the same letters.
    Typo,
    /// Something else in the graph is called so rather than this.
    Outdone,
}

impl Right {
    /// Whether it is no proof by itself.
    pub fn is_weak(self) -> bool {
        self >= Self::NamePart
    }

    /// The key of the right in the packs and in traces.
    pub fn key(self) -> &'static str {
        match self {
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

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where the words stand.
    pub span: Span,
    /// The words.
    pub words: String,
    /// What they license.
    pub part: Part,
    /// By what right.
    pub right: Right,
}

/// What keeps a ledger from being full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// Words that say something and license nothing.
    Unused(Span, String),
    /// Words whose right is weak.
    Weak(Span, String),
    /// A comparison, superlative or quantifier that the query has no form for.
    Form(Span, String),
    /// A measure that is not known to be of the dimension that the words ask for.
    Dimension(Span, String),
    /// A property that stands the other way round than the words say.
    Turned(String),
    /// A class, property or thing that no word asks for.
    Unsaid(String),
    /// What the question asks for is not what is returned.
    NotReturned(Span, String),
    /// A class that leaves out others which are called the same, or a relation that leaves out others of the same kind.
    Narrow(String),
    /// The answer has nodes without a name, or rows without a value.
    Nameless,
    /// There is no row.
    Empty,
    /// Another query is licensed as well, and gives another result.
    Rival,
}

impl Doubt {
    /// Whether the answer is most likely one to another question.
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

    /// The words or the IRI that it is about; nothing where it is about the answer.
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

/// The probability of an answer without a full ledger, at most: it is not sure, however often such answers are right.
const MAX_IN_DOUBT: f32 = 0.84;
/// The probability of an answer that is most likely one to another question, at most: it is a guess.
const MAX_IN_GRAVE_DOUBT: f32 = 0.49;

/// What speaks for a query, word by word, and what does not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The words with what they license, in the order of the question.
    pub entries: Vec<Entry>,
    /// What is not accounted for.
    pub doubts: Vec<Doubt>,
}

impl Ledger {
    /// Whether every word and every part is accounted for.
    pub fn is_full(&self) -> bool {
        self.doubts.is_empty()
    }

    /// The probability of an answer with this ledger, at most.
    pub fn most(&self) -> f32 {
        match self.is_full() {
            true => 1.0,
            false if self.is_grave() => MAX_IN_GRAVE_DOUBT,
            false => MAX_IN_DOUBT,
        }
    }

    /// Whether what the words name is only written nearly like them, all of it.
    pub fn is_misspelt(&self) -> bool {
        let mut things = self.entries.iter().filter(|entry| matches!(entry.part, Part::Thing(_))).peekable();
        things.peek().is_some() && things.all(|entry| entry.right == Right::Typo)
    }

    /// Whether all that words license are names: what the query says of them is asked for by no word.
    pub fn proves_names_alone(&self) -> bool {
        let name = |entry: &Entry| matches!(entry.part, Part::Thing(_) | Part::Value(_) | Part::Form);
        !self.entries.is_empty() && self.entries.iter().all(name)
    }

    /// Whether the query has a class, property or thing that no word asks for.
    pub fn has_unsaid(&self) -> bool {
        self.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unsaid(_)))
    }

    /// Words that say something and stand for no part of the query.
    pub fn unused(&self) -> Vec<String> {
        let words = self.doubts.iter().filter_map(|doubt| match doubt {
            Doubt::Unused(_, words) => Some(words.clone()),
            _ => None,
        });
        words.collect()
    }

    /// Words that something else in the graph is called rather than what they were taken for.
    pub fn outdone(&self) -> usize {
        self.entries.iter().filter(|entry| entry.right == Right::Outdone).count()
    }

    /// Whether the query gave no row.
    pub fn is_empty_handed(&self) -> bool {
        self.doubts.contains(&Doubt::Empty)
    }

    /// Whether something says that the answer is one to another question.
    pub fn is_grave(&self) -> bool {
        self.doubts.iter().any(Doubt::is_grave)
    }
}

/// One question to one graph, whose queries are looked at.
pub struct Auditor<'k>(Context<'k>);

impl<'k> Auditor<'k> {
    /// Reads what the words of a question may name.
    pub fn new(index: &'k DatasetIndex, question: &Question, named: &'k Named) -> Self {
        let schema = Schema::new(index);
        let question = named.read(question);
        let links = Links::find(&schema, &question, named);
        Self(Context::new(schema, question, links))
    }

    /// The question.
    pub(crate) fn question(&self) -> &Question {
        &self.0.question
    }

    /// The ledger of a query, with what it gave if it has run.
    pub fn ledger(&self, query: &CheckedQuery, answer: Option<&Answer>) -> Ledger {
        let parts = Parts::of(query, &self.0.schema.index.manifest.vocabulary);
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

/// A ledger in the making.
struct Audit<'a, 'k> {
    context: &'a Context<'k>,
    parts: &'a Parts,
    entries: Vec<Entry>,
    doubts: Vec<Doubt>,
}

impl<'k> Audit<'_, 'k> {
    fn question(&self) -> &Question {
        &self.context.question
    }

    fn enter(&mut self, span: Span, part: Part, right: Right) {
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

    /// The best right by which a word has a part in the query.
    fn right_at(&self, at: u16) -> Option<Right> {
        self.entries.iter().filter(|entry| entry.span.has(at)).map(|entry| entry.right).min()
    }

    /// Words without a right, and with a weak one.
    fn words(&mut self) {
        for at in 0..self.question().len() as u16 {
            let span = Span { from: at, to: at + 1 };
            match self.right_at(at) {
                Some(right) if right.is_weak() && self.says_something(at) => {
                    self.doubt(Doubt::Weak(span, self.said(span)));
                }
                Some(_) if self.is_torn(at) => self.doubt(Doubt::Weak(span, self.said(span))),
                None | Some(Right::Form) if self.is_part_of_name(at) => {
                    self.doubt(Doubt::Unused(span, self.said(span)));
                }
                None if self.says_something(at) => self.doubt(Doubt::Unused(span, self.said(span))),
                _ => {}
            }
        }
    }

    /// Whether a word has to be accounted for: function words, helping verbs and the words of the form do not.
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
        self.is_deed(at) || !(light || helps || question.says_nothing(at) || says_only_form(question, at))
    }

    /// Whether it is asked who does something to a thing, so that the verb says what they are to it: "who owns the mill" is nobody's
    /// tenant.
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
