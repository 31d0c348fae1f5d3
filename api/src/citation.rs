//! What texts beside the graph say of a question.

use crate::NamedIri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A passage of a text that says something of a question. It is no part of the graph, and no query has shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Citation {
    /// Its name.
    pub name: String,
    /// The sentences that fit the question.
    pub quote: String,
    /// The passage that they are from.
    pub passage: String,
    /// The document's title; absent for a literal of the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The name of the document's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The page, from 1, where the document has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The heading above the passage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The thing of which a literal is the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<NamedIri>,
    /// The property of which a literal is the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<NamedIri>,
    /// The things that the passage names.
    pub things: Vec<NamedIri>,
}

impl Citation {
    /// Where it stands: the title and page of a document, or the thing and property of a literal.
    pub fn place(&self) -> String {
        let source = match (&self.title, &self.subject, &self.property) {
            (Some(title), ..) => title.clone(),
            (None, Some(subject), Some(property)) => format!("{}, {}", subject.label, property.label),
            _ => self.name.clone(),
        };
        self.page.map(|page| format!("{source}, p. {page}")).unwrap_or(source)
    }
}
