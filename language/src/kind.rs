//! Kinds of answers: what question words ask for, and which nouns name things of a kind.

use super::files::{Files, key, normal, phrases};
use rustc_hash::FxHashMap;

/// What an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnswerKind {
    /// Somebody.
    Person,
    /// A company, a team, a party.
    Organization,
    /// Somewhere.
    Place,
    /// A date, a year.
    Time,
    /// A number.
    Number,
    /// Anything else that has a name.
    Thing,
    /// Why.
    Reason,
    /// In what way.
    Manner,
}

impl AnswerKind {
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "person" => Self::Person,
            "organization" => Self::Organization,
            "place" => Self::Place,
            "time" => Self::Time,
            "number" => Self::Number,
            "thing" => Self::Thing,
            "reason" => Self::Reason,
            "manner" => Self::Manner,
            _ => return None,
        })
    }
}

/// The kinds of a language's question words and nouns.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    asked: FxHashMap<String, Vec<AnswerKind>>,
    nouns: FxHashMap<String, AnswerKind>,
}

impl Kinds {
    /// Lines of `question words > kinds` and `kind : nouns`.
    pub(super) fn read(files: &mut Files) -> Self {
        let mut found = Self::default();
        files.each_line("questions", |line| match line.split_once('>') {
            Some((words, kinds)) => found.add_asked(words, kinds),
            None => found.add_nouns(line),
        });
        found
    }

    fn add_asked(&mut self, words: &str, kinds: &str) -> Option<()> {
        let kinds: Vec<AnswerKind> =
            kinds.split_whitespace().map(AnswerKind::parse).collect::<Option<_>>()?;
        self.asked.extend(phrases(words).map(|phrase| (key(phrase), kinds.clone())));
        Some(())
    }

    fn add_nouns(&mut self, line: &str) -> Option<()> {
        let (kind, nouns) = line.split_once(':')?;
        let kind = AnswerKind::parse(kind.trim())?;
        for noun in nouns.split_whitespace() {
            self.nouns.entry(normal(noun)).or_insert(kind);
        }
        Some(())
    }

    pub(super) fn asked(&self, phrase: &str) -> &[AnswerKind] {
        self.asked.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// All listed nouns.
    pub(super) fn nouns(&self) -> impl Iterator<Item = &String> {
        self.nouns.keys()
    }

    pub(super) fn of_noun(&self, norm: &str) -> Option<AnswerKind> {
        self.nouns.get(norm).copied()
    }
}
