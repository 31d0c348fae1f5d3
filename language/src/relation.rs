//! The grammatical shape of property names, for building sentences: "flows through" needs another sentence than "located in" or
//! "country". Without these tables in a pack, every name is treated as a noun.

use super::Language;
use super::phrases::WordSet;
use super::role::Role;
use crate::text::fold;
use serde::Deserialize;

/// The grammatical shape of a property's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameShape {
    /// A noun: "country", "birth place".
    Noun,
    /// A verb with its preposition: "flows through".
    Verb,
    /// A complement of "be": "located in", "part of".
    State,
}

/// `[relations]` of `words.toml`: how the first word of a name determines the shape of the name.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Relations {
    /// First words that are forms of "be": "is" in "is part of".
    copulas: WordSet,
    /// First words that are forms of "have": "has" in "has part".
    owns: WordSet,
    /// Endings of a finite verb before a preposition: "flows through".
    verbs: String,
    /// Endings of a participle before a preposition: "located in".
    participles: String,
}

impl Relations {
    /// Whether the pack has any of them, and with them the phrases.
    pub(super) fn are_listed(&self) -> bool {
        !self.verbs.is_empty() || !self.participles.is_empty()
    }
}

impl Language {
    /// The shape of a property's name, and the part of it needed in a sentence: for "is part of" the state "part of".
    pub fn shape_of_name<'n>(&self, name: &'n str) -> (NameShape, &'n str) {
        let name = name.trim();
        let relations = &self.words.relations;
        let Some((first, rest)) = name.split_once(' ').filter(|_| relations.are_listed()) else {
            return (NameShape::Noun, name);
        };
        let (first, rest) = (fold(first), rest.trim_start());
        if relations.owns.contains(&first) {
            return (NameShape::Noun, rest);
        }
        let Some(role) = rest.rsplit(' ').next().and_then(|last| self.role(&fold(last))) else {
            return (NameShape::Noun, name);
        };
        if relations.copulas.contains(&first) {
            return (NameShape::State, rest);
        }
        let ends_like = |endings: &str| endings.split_whitespace().any(|ending| first.ends_with(ending));
        let (of, verb) = (role == Role::Of, ends_like(&relations.verbs));
        let shape = match () {
            () if ends_like(&relations.participles) => NameShape::State,
            // "members of" looks like "consists of": it stays a noun.
            () if verb && !of => NameShape::Verb,
            () if of && !verb => NameShape::State,
            () => NameShape::Noun,
        };
        (shape, name)
    }
}

#[cfg(test)]
mod tests {
    use super::NameShape::{Noun, State, Verb};
    use crate::language;

    #[test]
    fn names_tell_by_their_words_what_they_are() {
        for (name, shape, needed) in [
            ("country", Noun, "country"),
            ("birth place", Noun, "birth place"),
            ("flows through", Verb, "flows through"),
            ("Crosses over", Verb, "Crosses over"),
            ("located in", State, "located in"),
            ("born in", State, "born in"),
            ("part of", State, "part of"),
            ("is part of", State, "part of"),
            ("has part", Noun, "part"),
            ("borders", Noun, "borders"),
            ("access to", Noun, "access to"),
            ("place in", Noun, "place in"),
            ("members of", Noun, "members of"),
            ("through", Noun, "through"),
            ("", Noun, ""),
        ] {
            assert_eq!(language("en").unwrap().shape_of_name(name), (shape, needed), "{name}");
        }
        assert_eq!(language("de").unwrap().shape_of_name("part of"), (Noun, "part of"));
    }
}
