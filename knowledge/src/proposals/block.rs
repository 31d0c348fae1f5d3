//! A proposal as an entry of the owner's files: what is shown, edited and, when it is accepted, written.

use super::{Proposal, Proposed, WordMeaning};
use crate::questions::{VerifiedQuestion, string};

impl Proposal {
    /// The entry in TOML. A verified question names who has accepted it, and when.
    pub fn block(&self, by: &str, at: &str) -> String {
        match &self.what {
            Proposed::Glossary { words, meaning } => {
                let lang = self.lang.as_ref().map(|tag| format!("lang = {}\n", string(tag)));
                let words = match words.is_empty() {
                    true => String::new(),
                    false => format!("words = [{}]\n{}", string(words), lang.unwrap_or_default()),
                };
                format!("[[glossary]]\n{words}{}", meaning.keys())
            }
            Proposed::Question { query } => VerifiedQuestion {
                question: self.question.clone(),
                lang: self.lang.clone(),
                query: query.clone(),
                by: by.to_owned(),
                at: at.to_owned(),
                ..VerifiedQuestion::default()
            }
            .to_toml(),
            Proposed::Note { text, about } => {
                format!("[[notes]]\ntext = {}\nabout = {}\n", string(text), string(&format!("<{about}>")))
            }
        }
    }

    /// Where it comes from, for a comment above the entry: one line.
    pub fn comment(&self, by: &str, at: &str) -> String {
        let from = self.by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
        let day = self.at.get(..10).unwrap_or(&self.at);
        let question = match self.question.is_empty() || matches!(self.what, Proposed::Question { .. }) {
            true => String::new(),
            false => format!(" for \"{}\"", self.question),
        };
        let text = format!("Proposed{from} on {day}{question}; accepted by {by} on {at}.");
        format!("# {}\n", eruca_sparql::one_line(&text, usize::MAX))
    }
}

impl WordMeaning {
    /// The keys of the glossary, in TOML.
    fn keys(&self) -> String {
        let iri = |iri: &str| string(&format!("<{iri}>"));
        match self {
            Self::Class { iri: class } => format!("class = {}\n", iri(class)),
            Self::Property { iri: property } => format!("property = {}\n", iri(property)),
            Self::Thing { iri: thing } => format!("thing = {}\n", iri(thing)),
            Self::Value { property, value } => {
                format!("value = {}\nproperty = {}\n", string(value), iri(property))
            }
            Self::Prefer { iri: property, over } => {
                let over: Vec<String> = over.iter().map(|other| iri(other)).collect();
                format!("prefer = {}\nover = [{}]\n", iri(property), over.join(", "))
            }
        }
    }
}
