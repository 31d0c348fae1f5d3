//! Text for people, not yet in a language: things, classes and properties are IRIs, phrases are keys of the packs. Names and the
//! language are filled in when it is shown.

use eruca_language::{Language, NameShape};

/// The table of phrases in the packs.
const TABLE: &str = "readings";

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// The same in every language: a number, a sign, a word of the question.
    Given(String),
    Iri(String),
    /// A phrase key of the packs and the values of its placeholders.
    Phrase(&'static str, Vec<(&'static str, LocalizedText)>),
    /// A step from one thing to the next, whose wording depends on the property's name.
    Step(Walk, Box<[LocalizedText; 2]>),
}

/// How a step is traversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Walk {
    /// From the subject to the object, as the first step: "with country Austria".
    First,
    /// From the subject to the object, after another step: "that has country Austria".
    Next,
    /// From the object to the subject: "that is capital of Austria".
    Anaphor,
}

impl Walk {
    /// The phrase key for a step by a property with a name of this shape.
    fn key(self, shape: NameShape, is_open: bool) -> &'static str {
        match (shape, self) {
            (NameShape::Noun, Self::First) => "with",
            (NameShape::Noun, Self::Next) => "that_has",
            (NameShape::Noun, Self::Anaphor) if is_open => "is_of_any",
            (NameShape::Noun, Self::Anaphor) => "is_of",
            (NameShape::Verb, Self::Anaphor) => "verb_of",
            (NameShape::Verb, _) => "verb",
            (NameShape::State, Self::Anaphor) => "state_of",
            (NameShape::State, _) => "state",
        }
    }
}

/// A text with unresolved IRIs and phrase keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalizedText(Part);

impl LocalizedText {
    /// The text in a language, with IRIs replaced by names.
    pub fn text(&self, language: &Language, name: &dyn Fn(&str) -> String) -> String {
        match &self.0 {
            Part::Given(text) => text.clone(),
            Part::Iri(iri) => name(iri),
            Part::Phrase(key, places) => {
                let filled: Vec<(&str, String)> =
                    places.iter().map(|(place, told)| (*place, told.text(language, name))).collect();
                let filled: Vec<(&str, &str)> =
                    filled.iter().map(|(place, text)| (*place, text.as_str())).collect();
                // An empty placeholder at the end leaves no space.
                language.say(TABLE, key, &filled).trim_end().to_owned()
            }
            Part::Step(walk, step) => {
                let [property, rest] = &**step;
                let property = property.text(language, name);
                let (shape, property) = language.shape_of_name(&property);
                let rest = match shape {
                    NameShape::Verb | NameShape::State if rest.is_empty() => {
                        language.say(TABLE, "something", &[]).into_owned()
                    }
                    _ => rest.text(language, name),
                };
                let key = walk.key(shape, rest.is_empty());
                language.say(TABLE, key, &[("name", property), ("rest", &rest)]).trim_end().to_owned()
            }
        }
    }

    /// The one pair of IRIs in which two otherwise equal texts differ: the same question about another property.
    pub fn differs_in<'a>(&'a self, other: &'a Self) -> Option<(&'a str, &'a str)> {
        let mut pair = None;
        self.takes(other, &mut pair).then_some(pair).flatten()
    }

    fn takes<'a>(&'a self, other: &'a Self, pair: &mut Option<(&'a str, &'a str)>) -> bool {
        match (&self.0, &other.0) {
            (Part::Iri(one), Part::Iri(other)) if one != other => {
                *pair.get_or_insert((one, other)) == (one.as_str(), other.as_str())
            }
            (Part::Phrase(key, own), Part::Phrase(other_key, others)) => {
                key == other_key
                    && own.len() == others.len()
                    && own.iter().zip(others).all(|((place, one), (other_place, other))| {
                        place == other_place && one.takes(other, pair)
                    })
            }
            (Part::Step(walk, own), Part::Step(other_walk, others)) => {
                walk == other_walk && own.iter().zip(&**others).all(|(one, other)| one.takes(other, pair))
            }
            (one, other) => one == other,
        }
    }

    /// The keys of all its phrases, with their placeholders.
    #[cfg(test)]
    pub(super) fn phrases(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        match &self.0 {
            Part::Given(_) | Part::Iri(_) => Vec::new(),
            Part::Phrase(key, places) => {
                let own = (*key, places.iter().map(|(place, _)| *place).collect());
                std::iter::once(own).chain(places.iter().flat_map(|(_, told)| told.phrases())).collect()
            }
            Part::Step(walk, step) => {
                let key = walk.key(NameShape::Noun, step[1].is_empty());
                std::iter::once((key, vec!["name", "rest"])).chain(step[1].phrases()).collect()
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(&self.0, Part::Given(text) if text.is_empty())
    }

    /// Joins texts by a phrase with the placeholders `a` and `b`; empty for none.
    pub(super) fn join(all: impl IntoIterator<Item = Self>, key: &'static str) -> Self {
        all.into_iter().reduce(|a, b| say(key, [("a", a), ("b", b)])).unwrap_or_else(|| given(""))
    }
}

/// A phrase with its placeholders filled.
pub(super) fn say<const N: usize>(
    key: &'static str,
    places: [(&'static str, LocalizedText); N],
) -> LocalizedText {
    LocalizedText(Part::Phrase(key, places.into()))
}

/// A step by a property to its end.
pub(super) fn step(walk: Walk, property: &str, end: LocalizedText) -> LocalizedText {
    LocalizedText(Part::Step(walk, Box::new([name(property), end])))
}

/// A text that is the same in every language.
pub(super) fn given(text: impl ToString) -> LocalizedText {
    LocalizedText(Part::Given(text.to_string()))
}

/// A thing, class or property.
pub(super) fn name(iri: &str) -> LocalizedText {
    LocalizedText(Part::Iri(iri.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(by: &str, of: &str) -> LocalizedText {
        say("age", [("of", name(by)), ("by", name(of))])
    }

    #[test]
    fn one_other_property_is_told_from_other_questions() {
        let pair = |one: &LocalizedText, other: &LocalizedText| {
            one.differs_in(other).map(|(one, other)| (one.to_owned(), other.to_owned()))
        };
        let found = pair(&age("made", "vase"), &age("bought", "vase"));
        assert_eq!(found, Some(("made".to_owned(), "bought".to_owned())));
        assert_eq!(pair(&age("made", "vase"), &age("made", "vase")), None);
        assert_eq!(pair(&age("made", "vase"), &age("bought", "lamp")), None);
        assert_eq!(pair(&age("made", "vase"), &name("bought")), None);
    }
}
