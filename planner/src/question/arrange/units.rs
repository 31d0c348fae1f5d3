//! A text as clauses of units: words, and whole quotations.

use super::super::quotes::Quoted;
use eruca_language::text::fold;
use eruca_language::{Cue, Language};

/// Clause punctuation, in the full-width form of scripts without spaces and in the plain form.
const WIDE: &[(char, char)] = &[
    ('，', ','),
    ('。', '.'),
    ('？', '?'),
    ('！', '!'),
    ('；', ';'),
    ('：', ':'),
    ('、', ','),
    ('（', '('),
    ('）', ')'),
    ('　', ' '),
    ('．', '.'),
    ('％', '%'),
];

/// A word, or a quotation with its words.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// As written.
    pub text: String,
    /// Folded.
    pub folded: String,
    /// The text before it that stays in place: punctuation, spaces.
    pub before: String,
    /// Byte ranges of its words in the text.
    pub words: Vec<(usize, usize)>,
    /// Whether it is quoted.
    pub quoted: bool,
    /// Whether it becomes a possessive ending.
    pub owns: bool,
}

impl Unit {
    /// A word that is not in the text.
    pub fn word(text: &str) -> Self {
        Self { text: text.to_owned(), folded: fold(text), words: vec![(0, text.len())], ..Self::default() }
    }

    /// Whether the word has one of the given cues.
    pub fn says(&self, language: &Language, cues: &[Cue]) -> bool {
        !self.quoted && language.cues_at(&[self.folded.as_str()]).iter().any(|(cue, _)| cues.contains(cue))
    }

    /// Whether it joins a noun to the modifier before it.
    pub fn joins(&self, language: &Language) -> bool {
        !self.quoted && language.joins_before_noun(&self.folded)
    }
}

/// Inserts a word at the beginning; the punctuation before the first word stays in place.
pub(super) fn begin_with(clause: &mut Vec<Unit>, first: Unit) {
    let before = clause.first_mut().map(|unit| std::mem::take(&mut unit.before)).unwrap_or_default();
    clause.insert(0, Unit { before, ..first });
}

/// The clauses of a text.
pub(super) fn read(text: &str, language: &Language, quoted: &[Quoted]) -> Vec<Vec<Unit>> {
    let mut units = units(text, language, quoted);
    let mut clauses: Vec<Vec<Unit>> = Vec::new();
    let end = units.pop();
    for unit in units {
        let breaks = unit.before.contains([',', '.', '?', '!', ';', ':', '(', ')']);
        match clauses.last_mut().filter(|_| !breaks) {
            Some(clause) => clause.push(unit),
            None => clauses.push(vec![unit]),
        }
    }
    clauses.extend(end.map(|end| vec![end]));
    clauses
}

/// All units, and an empty one with the text after the last.
fn units(text: &str, language: &Language, quoted: &[Quoted]) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    let mut last = 0;
    let mut words = language.cut(text).into_iter().peekable();
    while let Some(first) = words.next() {
        let within = quoted.iter().find(|quoted| quoted.from <= first.0 && first.1 <= quoted.to);
        let (mut to, mut spans) = (first.1, vec![first]);
        while let Some(next) = within.and_then(|quoted| words.next_if(|next| next.1 <= quoted.to)) {
            spans.push(next);
            to = next.1;
        }
        let (from, to) = match within {
            Some(quoted) => with_marks(text, quoted),
            None => (first.0, to),
        };
        found.push(Unit {
            text: part(text, from, to).to_owned(),
            folded: fold(part(text, from, to)),
            before: narrow(part(text, last, from)),
            words: spans.into_iter().map(|(start, end)| (start - from, end - from)).collect(),
            quoted: within.is_some(),
            owns: false,
        });
        last = to;
    }
    found.push(Unit { before: narrow(part(text, last, text.len())), ..Unit::default() });
    found
}

/// The byte range of a quotation including its quotation marks.
fn with_marks(text: &str, quoted: &Quoted) -> (usize, usize) {
    let before = part(text, 0, quoted.from).chars().next_back().map_or(0, char::len_utf8);
    let behind = part(text, quoted.to, text.len()).chars().next().map_or(0, char::len_utf8);
    (quoted.from - before, quoted.to + behind)
}

/// Replaces full-width punctuation by plain punctuation.
fn narrow(text: &str) -> String {
    let plain = |c: char| WIDE.iter().find(|(wide, _)| *wide == c).map_or(c, |(_, plain)| *plain);
    text.chars().map(plain).collect()
}

fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}
