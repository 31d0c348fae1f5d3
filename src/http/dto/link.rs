//! What is sent to /link, and what comes back.

use super::NamedIriDto;
use crate::service::link::{
    DEFAULT_LINKS, Link, LinkText, Linked, Linking, LiteralKind, LiteralValue, NameMatch,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Texts whose things are searched: `texts` alone, or `items` with their classes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Linking, example = json!({"dataset": "demo", "texts": ["Paris", "1990-03-02"]}))]
pub struct LinkingDto {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// Texts, each with up to 200 characters; with `items` at most 100.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Texts with what they name.
    #[serde(default)]
    pub items: Vec<LinkTextDto>,
    /// The language of labels.
    #[serde(default)]
    pub lang: Option<String>,
    /// Links wanted of each text: 1 to 20.
    #[serde(default = "usual")]
    #[schema(default = 5)]
    pub limit: usize,
}

fn usual() -> usize {
    DEFAULT_LINKS
}

/// A text, and what it names an instance of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LinkText)]
pub struct LinkTextDto {
    /// The text.
    pub text: String,
    /// A class: its IRI, its prefixed name or its name. Instances of its subclasses count as well.
    #[serde(default)]
    pub class: Option<String>,
}

/// What the texts name, in their order: those of `texts` first, then those of `items`.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = LinkedTexts)]
pub struct LinkedTextsDto {
    /// Each text with what was found.
    pub texts: Vec<LinkedDto>,
}

/// What was found for a text.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Linked)]
pub struct LinkedDto {
    /// The text.
    pub text: String,
    /// Things with that name, best first; empty when there is none. Namesakes have one score, and the best known comes first.
    pub links: Vec<LinkDto>,
    /// The value that the text writes, if it is a number, a time or a truth value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub literal: Option<LiteralDto>,
}

/// A thing that a text may name.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Link)]
pub struct LinkDto {
    /// Its IRI.
    pub iri: String,
    /// Its name in the reader's language.
    pub label: String,
    /// How near its nearest name is: 1 for its name itself, 0.95 for another of its names, less for a name that is spelt alike.
    pub score: f64,
    /// `exact`, `alias` or `fuzzy`.
    #[serde(rename = "match")]
    pub by: &'static str,
    /// The name that matched.
    pub matched: String,
    /// Its classes.
    pub classes: Vec<NamedIriDto>,
}

/// A value that a text writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LiteralValue)]
pub struct LiteralDto {
    /// `number`, `date`, `month`, `year` or `boolean`.
    pub kind: &'static str,
    /// As a literal of the datatype is written.
    pub value: String,
    /// The datatype's IRI.
    pub datatype: String,
}

impl From<LinkingDto> for Linking {
    fn from(asked: LinkingDto) -> Self {
        let LinkingDto { dataset, texts, items, lang, limit } = asked;
        let plain = texts.into_iter().map(|text| LinkText { text, class: None });
        let known = items.into_iter().map(|LinkTextDto { text, class }| LinkText { text, class });
        Self { dataset, texts: plain.chain(known).collect(), lang, limit }
    }
}

impl From<Linked> for LinkedDto {
    fn from(linked: Linked) -> Self {
        let Linked { text, links, literal } = linked;
        Self { text, links: links.into_iter().map(Into::into).collect(), literal: literal.map(Into::into) }
    }
}

impl From<Link> for LinkDto {
    fn from(link: Link) -> Self {
        let Link { iri, label, score, by, matched, classes } = link;
        let by = match by {
            NameMatch::Exact => "exact",
            NameMatch::Alias => "alias",
            NameMatch::Fuzzy => "fuzzy",
        };
        let classes = classes.into_iter().map(|(iri, label)| NamedIriDto { iri, label });
        // Three digits say all that a score can.
        let score = (score * 1000.0).round() / 1000.0;
        Self { iri, label, score, by, matched, classes: classes.collect() }
    }
}

impl From<LiteralValue> for LiteralDto {
    fn from(literal: LiteralValue) -> Self {
        let LiteralValue { kind, value, datatype } = literal;
        let kind = match kind {
            LiteralKind::Number => "number",
            LiteralKind::Date => "date",
            LiteralKind::Month => "month",
            LiteralKind::Year => "year",
            LiteralKind::Boolean => "boolean",
        };
        Self { kind, value, datatype }
    }
}
