//! Texts made of parts, some of which refer to entities.

use eruca_api::PartOfText;
use eruca_language::{Piece, Template};

/// A text made of parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Phrase(Vec<PartOfText>);

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self(if text.is_empty() { Vec::new() } else { vec![PartOfText { text, ..PartOfText::default() }] })
    }
}

impl Phrase {
    /// The name of an entity.
    pub fn name(text: String, iri: &str) -> Self {
        Self(vec![PartOfText::of_thing(text, iri.to_owned())])
    }

    /// A suggested follow-up question.
    pub fn question(text: String) -> Self {
        Self(vec![PartOfText { text, asks: true, ..PartOfText::default() }])
    }

    /// A template with its placeholders filled; those without a value stay empty.
    pub fn filled(template: &Template, values: &[(&str, Self)]) -> Self {
        let value =
            |slot: &str| values.iter().find(|(name, _)| *name == slot).map(|(_, value)| value.clone());
        template.pieces().iter().fold(Self::default(), |phrase, piece| match piece {
            Piece::Text(text) => phrase.then(Self::from(text.as_str())),
            Piece::Slot(slot) => phrase.then(value(slot).unwrap_or_default()),
        })
    }

    /// Appends `other`.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        for part in other.0 {
            match self.0.last_mut() {
                Some(last) if last.is_plain() && part.is_plain() => last.text.push_str(&part.text),
                _ => self.0.push(part),
            }
        }
        self
    }

    /// Joins two sentences with a space.
    #[must_use]
    pub fn and_then(self, next: Self) -> Self {
        match (self.is_empty(), next.is_empty()) {
            (true, _) => next,
            (_, true) => self,
            _ => self.then(Self::from(" ")).then(next),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn text(&self) -> String {
        self.0.iter().map(|part| part.text.as_str()).collect()
    }

    /// Capitalizes the first letter, unless the text starts with the name of an entity; names are never changed.
    #[must_use]
    pub fn capitalized(mut self) -> Self {
        if let Some(first) = self.0.first_mut().filter(|first| first.is_plain()) {
            first.text = capitalized(&first.text);
        }
        self
    }

    pub fn into_parts(self) -> (String, Vec<PartOfText>) {
        (self.text(), self.0)
    }
}

/// Capitalizes the first letter.
fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_without_a_thing_are_joined_and_names_keep_their_letters() {
        let phrase =
            Phrase::from("the ").then(Phrase::from("brand of ")).then(Phrase::name("iron".into(), "e:i"));
        let (text, parts) = phrase.capitalized().into_parts();
        assert_eq!(text, "The brand of iron");
        assert_eq!(parts.len(), 2);
        assert_eq!(Phrase::name("iron".into(), "e:i").capitalized().text(), "iron");
    }
}
