//! Whether the terms of a gold query are found for the words of its question, before any model is asked.
//!
//! ```text
//! question with gold query ──► gold_terms ──► run ──► record ──► summary ──► tables · report
//!                              retrieved ──────┘ └─► ranks · lost              compare (two runs)
//! ```
//! The searched service is only known as a [`Grounder`]. Recall at k counts a gold term as found if it is among the first k hits of
//! a search; of several texts that were searched for, the best rank counts.

pub mod compare;
mod gold_terms;
mod lost;
mod ranks;
pub mod record;
pub mod run;
pub mod summary;
pub mod tables;

pub use gold_terms::{GoldTerm, IriRole};
pub use lost::{Lost, Reason, shares_word};

use async_trait::async_trait;
use eruca_sparql::CheckedQuery;
use serde::{Deserialize, Serialize};

/// What a gold term is in its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    /// A thing.
    Entity,
    /// A class.
    Class,
    /// A property.
    Property,
    /// A text of the graph.
    Value,
}

impl TermKind {
    /// All kinds in the order of tables.
    pub const ALL: [Self; 4] = [Self::Entity, Self::Class, Self::Property, Self::Value];

    /// The name in tables and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Class => "class",
            Self::Property => "property",
            Self::Value => "value",
        }
    }

    /// Whether the kind is searched by vectors where there are some.
    pub fn has_vectors(self) -> bool {
        matches!(self, Self::Class | Self::Property)
    }
}

/// What is looked up for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// What the planner gets and the first prompt is made from.
    Grounding,
    /// The whole question.
    Question,
    /// Each run of some of its words.
    Spans,
}

/// By what is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leg {
    /// Words.
    Words,
    /// Vectors of an embedding model.
    Vectors,
    /// Both, fused.
    Both,
}

/// A search: what is looked up, and by what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Search {
    /// What is looked up.
    pub way: Way,
    /// By what.
    pub leg: Leg,
}

impl Search {
    /// The searches of an index in the order of tables.
    pub fn of(has_vectors: bool) -> Vec<Self> {
        let legs: &[Leg] = if has_vectors { &[Leg::Words, Leg::Vectors, Leg::Both] } else { &[Leg::Words] };
        let grounding = Self { way: Way::Grounding, leg: if has_vectors { Leg::Both } else { Leg::Words } };
        let others = [Way::Question, Way::Spans];
        let others = others.iter().flat_map(|way| legs.iter().map(|leg| Self { way: *way, leg: *leg }));
        std::iter::once(grounding).chain(others).collect()
    }

    /// The name in tables and records: `spans, words`.
    pub fn name(self) -> String {
        let way = match self.way {
            Way::Grounding => "grounding",
            Way::Question => "question",
            Way::Spans => "spans",
        };
        let leg = match self.leg {
            Leg::Words => "words",
            Leg::Vectors => "vectors",
            Leg::Both => "both",
        };
        format!("{way}, {leg}")
    }

    /// Whether it can find terms of a kind: there are vectors of classes and properties alone.
    pub fn finds(self, kind: TermKind) -> bool {
        self.leg != Leg::Vectors || kind.has_vectors()
    }
}

/// The hits of a search for one text, best first, each with the keys under which it counts: its IRI, or its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundList {
    /// The search.
    pub search: Search,
    /// What was searched for.
    pub kind: TermKind,
    /// The hits.
    pub hits: Vec<Vec<String>>,
}

/// What is retrieved for a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retrieved {
    /// The hits of all searches.
    pub lists: Vec<FoundList>,
    /// What the first prompt tells of the words of the question.
    pub told: String,
    /// What it shows of the graph: the card, or the part of it that fits.
    pub card: String,
}

/// What a dataset knows of a gold term.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownTerm {
    /// Whether it occurs in the graph.
    pub in_graph: bool,
    /// Whether it is in the index.
    pub indexed: bool,
    /// Its names.
    pub names: Vec<String>,
    /// As it is written in prompts.
    pub written: String,
}

/// What can be searched in a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Searchable {
    /// The embedding model of its vectors, if there are any.
    pub model: Option<String>,
    /// Whether texts of the graph are indexed, as values or as names.
    pub values: bool,
}

/// Finds the terms of a graph by the words of a question.
#[async_trait]
pub trait Grounder: Send + Sync {
    /// What can be searched in a dataset.
    fn searchable(&self, dataset: &str) -> Searchable;

    /// A query as the dataset reads it, or why it cannot.
    fn parsed(&self, dataset: &str, query: &str) -> Result<CheckedQuery, String>;

    /// What an IRI is in the dataset.
    fn role(&self, dataset: &str, iri: &str) -> IriRole;

    /// What is known of a gold term.
    async fn known(&self, dataset: &str, term: &GoldTerm) -> KnownTerm;

    /// What is retrieved for a question, at most `limit` hits for each text; or why nothing can be.
    async fn retrieve(&self, dataset: &str, question: &str, limit: usize) -> Result<Retrieved, String>;

    /// The best rank of a term with these names among the first `limit` hits, looking further than `retrieve` does.
    async fn far_rank(
        &self,
        dataset: &str,
        question: &str,
        term: (&GoldTerm, &[String]),
        limit: usize,
    ) -> Option<usize>;
}
