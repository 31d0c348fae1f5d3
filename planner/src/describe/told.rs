//! A text for people in which things, classes and properties still stand as IRIs: whoever shows it knows their names.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Words(String),
    Iri(String),
}

/// A text in which IRIs wait for their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told(Vec<Part>);

impl Told {
    /// The text with names.
    pub fn text(&self, name: &dyn Fn(&str) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Words(words) => words.clone(),
            Part::Iri(iri) => name(iri),
        });
        parts.collect()
    }

    pub(super) fn say(mut self, words: &str) -> Self {
        self.0.push(Part::Words(words.to_owned()));
        self
    }

    pub(super) fn name(mut self, iri: &str) -> Self {
        self.0.push(Part::Iri(iri.to_owned()));
        self
    }

    pub(super) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Several with a text between them.
    pub(super) fn join(all: impl IntoIterator<Item = Self>, between: &str) -> Self {
        let add = |text: Self, next: Self| match text.is_empty() {
            true => next,
            false => text.say(between).then(next),
        };
        all.into_iter().fold(Self::default(), add)
    }
}

/// A text that begins with some words.
pub(super) fn say(words: &str) -> Told {
    Told::default().say(words)
}
