//! Phrase templates: how a language expresses results, and what a query does.
//!
//! In a table of phrases, `{name}` is a placeholder. A key is looked up together with its table. If a pack lacks a key, the
//! fallback's phrase is used, so that a new pack can start without any.

use super::pack::Sentences;
use super::{Language, fallback};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::borrow::Cow;

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A placeholder, by name.
    Slot(String),
}

/// A phrase with placeholders.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Template {
    pieces: Vec<Piece>,
}

impl Template {
    /// `None` if a brace is not closed, or a placeholder has no name.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}')?;
            let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            if !named || before.contains('}') {
                return None;
            }
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Slot(name.to_owned()));
            rest = behind;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        (!pieces.is_empty() && !rest.contains('}')).then_some(Self { pieces })
    }

    /// Its pieces in order, for output other than a string.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The names of its placeholders.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Slot(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The phrase with its placeholders filled; those without a value are left empty.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let value =
            |name: &str| values.iter().find(|(slot, _)| *slot == name).map_or("", |(_, value)| *value);
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Slot(name) => value(name).to_owned(),
        };
        self.pieces.iter().map(text).collect()
    }
}

impl TryFrom<String> for Template {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("there is no phrase, a brace is open, or a place has no name")
    }
}

/// A table of phrases, by key.
pub(super) type Phrases = FxHashMap<String, Template>;

impl Sentences {
    /// The tables of phrases: `examples` for questions about a graph, `explain` for what a query does and why a row is an answer,
    /// `readings` for how a question was read, `say` for answers.
    pub(super) fn tables(&self) -> [(&'static str, &Phrases); 4] {
        [
            ("examples", &self.examples),
            ("explain", &self.explain),
            ("readings", &self.readings),
            ("say", &self.say),
        ]
    }

    fn table(&self, table: &str) -> Option<&Phrases> {
        self.tables().into_iter().find(|(name, _)| *name == table).map(|(_, phrases)| phrases)
    }
}

impl Language {
    /// The phrase for a key in a table ("explain", "readings", "say"), or the fallback's if the pack has none.
    pub fn phrase<'a>(&'a self, table: &str, key: &str) -> Option<&'a Template> {
        let of = |language: &'a Self| language.sentences().table(table)?.get(key);
        of(self).or_else(|| of(fallback()))
    }

    /// The keys of a table of phrases, for tests that all of them are used.
    pub fn phrase_keys(&self, table: &str) -> impl Iterator<Item = &str> {
        self.sentences().table(table).into_iter().flatten().map(|(key, _)| key.as_str())
    }

    /// The phrase for a key with its placeholders filled. A key missing from all packs is shown as it is; callers test that there
    /// is none.
    pub fn say<'k>(&self, table: &str, key: &'k str, values: &[(&str, &str)]) -> Cow<'k, str> {
        self.phrase(table, key).map_or(Cow::Borrowed(key), |template| Cow::Owned(template.fill(values)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_open_braces_are_refused() {
        let template = Template::parse("{a} is more than {b}.").unwrap();
        assert_eq!(template.fill(&[("b", "{a}"), ("a", "5")]), "5 is more than {a}.");
        assert_eq!(template.slots().collect::<Vec<_>>(), ["a", "b"]);
        for text in ["", "{", "}", "a {b", "a b}", "{}", "{a b}", "{a}}", "{{a}"] {
            assert_eq!(Template::parse(text), None, "{text}");
        }
    }
}
