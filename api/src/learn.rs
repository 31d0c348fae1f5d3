//! Corrections of readers, the proposals that become of them, and what accepting one would change.

use crate::Confidence;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Words of a question with what they mean in the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"words": "chief town", "meaning": {"iri": "https://eruca.dev/demo/ontology#capital"}}))]
pub struct Correction {
    /// The words: up to six. None, as an empty text, where a property is preferred.
    pub words: String,
    /// What they mean.
    pub meaning: Meant,
}

/// A term of the graph: a class, a property or a thing by its IRI, or a value with its property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Meaning)]
pub struct Meant {
    /// What it is; found out for an IRI where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<MeantKind>,
    /// The IRI; of a value, that of its property may stand here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// The IRI of a value's property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The text of a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The IRIs of properties that are not meant, where `iri` is preferred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
}

/// What words mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeantKind {
    /// A class.
    Class,
    /// A property.
    Property,
    /// A thing.
    Thing,
    /// A value of a property.
    Value,
    /// Of competing properties the one that is meant; it needs no words.
    Prefer,
}

/// The proposals for what the owner of a graph knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Proposals {
    /// The id of the dataset.
    pub dataset: String,
    /// Those that are open, the oldest first.
    pub proposals: Vec<Proposal>,
}

/// Something that the owner of a graph may accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Proposal {
    /// Names what is proposed.
    pub id: String,
    /// What it would become.
    pub kind: ProposalKind,
    /// The question that was misread; empty if there was none.
    pub question: String,
    /// The language of the words or of the question, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The words of an entry of the glossary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What they mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Meant>,
    /// The name of what is meant, or of what a note is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the property whose value is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The query of a verified question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The text of a note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The run that was corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// When (RFC 3339).
    pub at: String,
    /// Who: the name of a key or of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The entry as it would be written, in TOML; it can be edited.
    pub entry: String,
}

/// What a proposal would become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// An entry of the glossary.
    Glossary,
    /// A verified question.
    Question,
    /// A note.
    Note,
}

/// What accepting a proposal would change: questions asked again without a model, before and after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Trial {
    /// Questions that were looked at: the last ones, and the verified ones.
    pub questions: usize,
    /// Those whose answers change.
    pub changes: Vec<Change>,
    /// Verified questions among them that were answered rightly and would no longer be.
    pub broken: usize,
    /// Questions for which there was no time.
    pub left: usize,
}

/// A question whose answer changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// The question.
    pub question: String,
    /// What becomes of a verified question; absent for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerifiedChange>,
    /// The answer now.
    pub before: TrialAnswer,
    /// The answer with the proposal.
    pub after: TrialAnswer,
}

/// What becomes of a verified question when it is answered without its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerifiedChange {
    /// The answer was what was verified, and would no longer be.
    Broken,
    /// The answer was not what was verified, and would be.
    Mended,
    /// It is not what was verified, before and after.
    Other,
}

/// An answer of a trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TrialAnswer {
    /// The answer in words, or why there is none.
    pub text: String,
    /// How many rows it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// How reliable it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// What the owner decides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"accept": true}))]
pub struct Decision {
    /// Whether it is accepted; a rejected one is not proposed again.
    pub accept: bool,
    /// Another entry in its place, in TOML.
    #[serde(default)]
    pub entry: Option<String>,
    /// Whether it is accepted although verified questions break.
    #[serde(default)]
    pub force: bool,
    /// Who decides, if no key tells.
    #[serde(default)]
    pub by: Option<String>,
}

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Decided {
    /// The proposal.
    pub id: String,
    /// Whether it was accepted.
    pub accepted: bool,
    /// The name of the file that it is written into, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}
