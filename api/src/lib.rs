//! What the interfaces of Eruca send: plain data, which the service returns and HTTP, MCP, the command line and benchmarks
//! show. It is described to clients (`ToSchema`) where it is defined, and there is no second form of it.
//!
//! | Module | What is in it |
//! |---|---|
//! | [`run`] | a question with its outcome |
//! | [`words`] | answers and queries in words, and how a question was read |
//! | [`rows`], [`results`] | what a query gave, with and without names |
//! | [`article`] | an answer with sections and sources |
//! | [`claims`] | what supports each sentence of an answer |
//! | [`computed`] | what a program made of the results of queries |
//! | [`citation`] | what texts beside the graph say |
//! | [`clarify`] | the question back to the reader, where several properties may be meant |
//! | [`why`] | why a row is an answer |
//! | [`trace`] | how a query came about, and how far it is to be believed |
//! | [`browse`], [`link`] | what a graph is made of; what texts name in it |
//! | [`boards`] | pages of verified questions |
//! | [`learn`] | corrections, proposals, and what accepting one would change |
//! | [`test_set`] | questions made from a graph, what a person said of their answers, and the score |
//! | [`dataset`], [`error`] | datasets and their states; errors |
//!
//! Names of types are those of the OpenAPI description, unless `schema(as = …)` says another. What is `serde(skip)` is for
//! the program itself. Terms are made from those of `eruca-sparql`; names of probabilities are those of `eruca-planner`.

pub mod article;
pub mod boards;
pub mod browse;
pub mod citation;
pub mod claims;
pub mod clarify;
pub mod computed;
pub mod dataset;
pub mod error;
pub mod learn;
pub mod link;
pub mod millis;
pub mod results;
pub mod rows;
pub mod run;
pub mod test_set;
pub mod trace;
pub mod verified;
pub mod why;
pub mod words;

pub use article::{
    AnswerStyle, Article, ArticleLine, ArticlePicture, ArticleSection, ArticleSource, ArticleThing,
    SectionKind,
};
pub use boards::{
    BoardCandidate, BoardCandidates, BoardChoice, BoardLink, BoardPage, BoardParameter, BoardQuestion,
    BoardResult, Boards,
};
pub use browse::{
    Card, Class, ClassProperty, Completion, Completions, Entry, Fact, Hit, HitKind, Hits, LanguageShare,
    NamedIri, Places, Property, Recording, Schema, SchemaEdge, SchemaNode,
};
pub use citation::Citation;
pub use claims::{Claim, ClaimSupport, Claims};
pub use clarify::{Clarify, ClarifyOption};
pub use computed::{Computed, ComputedInput, ComputedValue};
pub use dataset::{DatasetSummary, Datasets, PartHealth, PartState, Readiness, Reload};
pub use error::ErrorBody;
pub use learn::{
    Change, Correction, Decided, Decision, Meant, MeantKind, Proposal, ProposalKind, Proposals, Trial,
    TrialAnswer, VerifiedChange,
};
pub use link::{Link, LinkText, Linked, LinkedTexts, LiteralKind, LiteralValue, NameMatch};
pub use results::{Results, Term, TermKind, incomplete};
pub use rows::{Column, ColumnKind, Rows, ShownTerm, Table, href};
pub use run::{Run, RunState};
pub use test_set::{
    AgainReason, AskedAgain, Compared, Comparison, JudgedNow, JudgedTest, Judgement, TestProposal, TestScore,
    TestSet, TestShare,
};
pub use trace::{
    Alternative, AnsweredBy, Because, Belief, Choice, Chosen, Confidence, Doubtful, Insight, Step, StepKind,
    StopReason, ToolCall, Trace, Usage,
};
pub use verified::{ReplacedName, Verified};
pub use why::{Reason, Why};
pub use words::{
    Dropped, Empty, PartOfText, Query, QueryPart, ReadWord, Reading, Similar, WordedBy, Words, WordsKind,
};

use serde::Serializer;

/// A number to three digits, which say all that a probability or a score can.
fn thousandth(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Writes a number so.
fn thousandths<N: Copy + Into<f64>, S: Serializer>(number: &N, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(thousandth((*number).into()))
}
