//! Words that stand for others: verbs and adjectives for nouns, nouns for near ones, words of a language for English ones.

use super::files::{Files, normal};
use super::kind::AnswerKind;
use rustc_hash::FxHashMap;

/// A noun that a verb or an adjective leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The noun, normalized.
    pub noun: String,
    /// What it is asked for as, where that matters: "born" leads to a birth date when a time is asked for.
    pub kind: Option<AnswerKind>,
}

impl Related {
    /// `noun` or `noun/kind`.
    fn parse(text: &str) -> Option<Self> {
        let (noun, kind) = match text.split_once('/') {
            Some((noun, kind)) => (noun, Some(AnswerKind::parse(kind)?)),
            None => (text, None),
        };
        Some(Self { noun: normal(noun), kind })
    }
}

pub(super) type RelatedWords = FxHashMap<String, Vec<Related>>;
pub(super) type WordTable = FxHashMap<String, Vec<String>>;

/// Lines of `words : nouns`.
pub(super) fn related(files: &mut Files) -> RelatedWords {
    let mut found = RelatedWords::default();
    files.each_pair("related", |words, nouns| {
        let nouns: Vec<Related> = nouns.split_whitespace().map(Related::parse).collect::<Option<_>>()?;
        for word in words.split_whitespace().map(normal) {
            let new = nouns.iter().filter(|related| related.noun != word);
            add_all(found.entry(word.clone()).or_default(), new.cloned());
        }
        Some(())
    });
    found
}

/// Lines of nouns that stand near each other, each for each.
pub(super) fn synonyms(files: &mut Files) -> WordTable {
    let mut found = WordTable::default();
    files.each_line("synonyms", |line| {
        let group: Vec<String> = line.split_whitespace().map(normal).collect();
        for word in &group {
            let others = group.iter().filter(|other| *other != word);
            add_all(found.entry(word.clone()).or_default(), others.cloned());
        }
        (group.len() > 1).then_some(())
    });
    found
}

/// Lines of `words : English words`.
pub(super) fn translations(files: &mut Files) -> WordTable {
    let mut found = WordTable::default();
    files.each_pair("translations", |words, english| {
        for word in words.split_whitespace() {
            add_all(found.entry(normal(word)).or_default(), english.split_whitespace().map(normal));
        }
        Some(())
    });
    found
}

fn add_all<T: PartialEq>(known: &mut Vec<T>, new: impl Iterator<Item = T>) {
    for item in new {
        if !known.contains(&item) {
            known.push(item);
        }
    }
}
