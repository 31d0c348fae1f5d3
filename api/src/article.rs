//! A longer answer: sections about the things of an answer, each line with what it rests on.

use crate::{Citation, PartOfText, ShownTerm};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An answer with sections and sources. It is made of the graph and of texts beside it, not by a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Article {
    /// The name of the thing that it is about, or the question as it was understood.
    pub title: String,
    /// Its language.
    pub lang: String,
    /// The answer in a few sentences. A sentence without a source says nothing of the graph.
    pub lead: Vec<ArticleLine>,
    /// The first things of the answer, at most three.
    pub things: Vec<ArticleThing>,
    /// Further things of the answer.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_things: usize,
    /// What belongs to no thing: the statements that support an answer without things, and what texts say.
    pub sections: Vec<ArticleSection>,
    /// What the lines rest on; they refer to them by their places, from 1. At most 60.
    pub sources: Vec<ArticleSource>,
}

/// What an article says of a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArticleThing {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub name: String,
    /// Where it lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Pictures of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ArticlePicture>,
    /// Pictures that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_pictures: usize,
    /// What is said of it, by kind; at most seven.
    pub sections: Vec<ArticleSection>,
    /// Properties in sections that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Whether the graph says more of it than was read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The address of a page on which the thing can be corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub improve: Option<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArticlePicture {
    /// What it shows.
    pub title: String,
    /// Its address.
    pub address: String,
    /// The source that names it, from 1.
    pub source: usize,
}

/// Lines under a heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArticleSection {
    /// What it tells: `identity`, `people`, `places`, `times`, `measures`, `links`, `identifiers`, `media`, `statements` or `texts`.
    #[schema(value_type = String)]
    pub kind: SectionKind,
    /// Its heading.
    pub heading: String,
    /// Its lines, at most eight.
    pub lines: Vec<ArticleLine>,
    /// Lines that were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
}

/// What a section tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// What the thing is.
    Identity,
    /// Persons and organizations.
    People,
    /// Places, and where the thing is.
    Places,
    /// Times.
    Times,
    /// Numbers.
    Measures,
    /// Other things.
    Links,
    /// Names in other databases.
    Identifiers,
    /// Pictures, sounds and films.
    Media,
    /// The statements that support the answer.
    Statements,
    /// What texts beside the graph say.
    Texts,
}

/// A sentence, or a property with its values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArticleLine {
    /// The text in parts.
    pub parts: Vec<PartOfText>,
    /// What it rests on: places in `sources`, from 1.
    pub sources: Vec<usize>,
    /// Further sources, which are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_sources: usize,
}

impl ArticleLine {
    /// The text.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// What a line rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ArticleSource {
    /// A statement of the graph.
    Triple {
        /// What it is about.
        subject: ShownTerm,
        /// The property.
        property: ShownTerm,
        /// The value.
        value: ShownTerm,
    },
    /// A passage of a text beside the graph.
    Passage {
        /// The passage, and where it stands.
        passage: Citation,
    },
    /// A query whose result the line tells, where no single statement shows it.
    Query {
        /// The query.
        query: String,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// How long an answer in words is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStyle {
    /// A few sentences.
    #[default]
    Short,
    /// Besides, an article: sections about the things of the answer, with sources.
    Article,
}

impl AnswerStyle {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Short, Self::Article];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Article => "article",
        }
    }

    /// The style with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name.trim())
    }
}
