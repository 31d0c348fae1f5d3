//! The form of answer that the words ask for: yes or no, a number, one of several.

use super::{CueAt, ParsedQuestion, Span, WordKind};
use eruca_language::{Cue, Degree, QUESTION_WORDS, Role, languages};

/// Maximum distance in words between two nouns of a list: "and the".
const ROW_WORDS: u16 = 3;

impl ParsedQuestion {
    /// Whether it asks what can be asked, or nothing at all: "hello", "help", "what can I ask?", in any language.
    pub fn asks_for_help(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(|word| word.folded.as_str()).collect();
        languages().any(|language| language.asks_for_help(&words))
    }

    /// The noun that is asked for: before "of …", after an owner, or the only one in "who is the …?".
    pub fn asked_noun(&self) -> Option<u16> {
        let words = 0..self.len() as u16;
        let noun = |at: &u16| self.word(*at).is_some_and(|word| word.kind == WordKind::Noun);
        let first = words.clone().find(|at| !self.is_function_word(*at) && !self.is_introduced(*at));
        let owned = || words.clone().find(|at| self.is_possessive(*at)).map(|at| at + 1);
        let found = first.filter(noun).filter(|at| {
            let next = at + 1;
            self.role_at(next) == Some(Role::Of) || (next == self.len() as u16 && self.says(&[Cue::WhatIs]))
        });
        found.or_else(|| owned().filter(noun)).filter(|at| !self.is_adjective(*at))
    }

    /// Whether a word belongs to the opening of a question: "tell me", "who is".
    fn is_introduced(&self, at: u16) -> bool {
        let begins = |found: &CueAt| found.cue.asks_for_things() && found.span.has(at);
        self.cues.iter().any(begins)
    }

    /// The words of a name directly after "called".
    pub(crate) fn names_behind_name_of(&self) -> Option<Span> {
        let written = |at: u16| self.word(at).is_some_and(|word| word.kind >= WordKind::Name);
        let from = self
            .cues
            .iter()
            .filter(|cue| cue.cue == Cue::NameOf)
            .map(|cue| cue.span.to)
            .find(|at| written(*at))?;
        let to = (from..self.len() as u16).take_while(|at| written(*at)).last()? + 1;
        Some(Span { from, to })
    }

    /// Whether "first" follows an adjective and ends the clause: "heaviest first" sorts all rows.
    pub(crate) fn is_first_of_rows(&self, grade: Span) -> bool {
        let mut places =
            self.ordinals.iter().filter(|ordinal| ordinal.place == 1).map(|ordinal| ordinal.span);
        let ends = |at: u16| self.word(at).is_none_or(|word| word.broken.is_some());
        places.any(|place| (place.from == grade.to || self.follows(grade, place)) && ends(place.to))
    }

    /// "Is …?", "Does …?": the first word is an auxiliary verb.
    pub fn asks_yes_or_no(&self) -> bool {
        let begins = |cue: &Cue| self.has_cue(0, *cue);
        let form = [Cue::Be, Cue::Do, Cue::Have, Cue::Exists].iter().any(begins);
        let statement = || !form && self.asks_behind_verb();
        !statement()
            && (form || self.begins_with_verb() || self.begins_with_quantifier() || self.begins_with_name())
            && !QUESTION_WORDS.iter().chain(&[Cue::Command]).any(begins)
    }

    /// "¿Todos los ríos tienen …?": some languages keep the word order of a statement.
    fn begins_with_quantifier(&self) -> bool {
        let begins = |found: &CueAt| {
            let many =
                matches!(found.cue, Cue::All | Cue::Not) || (found.cue == Cue::Most && found.span.len() > 1);
            many && found.span.from == 0
        };
        let asks = |found: &CueAt| found.cue.asks_for_things();
        let says = |found: &CueAt| matches!(found.cue, Cue::Be | Cue::Have) && found.span.from > 0;
        self.text.trim_end().ends_with('?')
            && self.cues.iter().any(begins)
            && self.cues.iter().any(says)
            && !self.cues.iter().any(asks)
    }

    /// "¿Vienna es más grande que Graz?": some languages put the subject before "is" or "has", without a question word.
    fn begins_with_name(&self) -> bool {
        // The first word is capitalized anyway; as a name, it is unknown to the language.
        let named = |at: u16| {
            let capital = |word: &super::Word| word.raw.starts_with(char::is_uppercase);
            at == 0 && self.word(0).is_some_and(|word| capital(word) && !self.language.knows(&word.norm))
        };
        let written = |at: u16| named(at) || self.word(at).is_some_and(|word| word.kind >= WordKind::Name);
        let words = 0..self.len() as u16;
        let from = words.clone().find(|at| written(*at) || !self.is_function_word(*at)).unwrap_or_default();
        let to = words.skip(from.into()).find(|at| !written(*at)).unwrap_or(from);
        // "Que" also means "than".
        let set_against = |span: Span| self.spans(Cue::Than).any(|than| than.overlaps(span));
        let asks = |found: &CueAt| found.cue.asks_for_things() && !set_against(found.span);
        self.text.trim_end().ends_with('?')
            && to > from
            && [Cue::Be, Cue::Have].iter().any(|cue| self.has_cue(to, *cue))
            && !self.cues.iter().any(asks)
    }

    /// Languages without auxiliary verbs begin with the main verb.
    fn begins_with_verb(&self) -> bool {
        let is_verb = |at: u16| self.word(at).is_some_and(|word| word.kind == WordKind::Verb);
        // "¿Se rodó …?": a pronoun may precede it.
        let pronoun = self.is_function_word(0)
            && self.role_at(0).is_none()
            && !self.cues.iter().any(|cue| cue.span.has(0));
        let verb = is_verb(0) || (pronoun && is_verb(1));
        verb && self.text.trim_end().ends_with('?')
    }

    /// "Quiet Corner has how many rooms?": what looks like a verb at the beginning is a name, and the question word follows the
    /// verb.
    fn asks_behind_verb(&self) -> bool {
        let verb = |at: u16| {
            self.has_cue(at, Cue::Be)
                || self.has_cue(at, Cue::Have)
                || self.word(at).is_some_and(|word| word.kind == WordKind::Verb)
        };
        let asks = |cue: Cue| {
            matches!(cue, Cue::HowMany | Cue::HowMuch | Cue::Which | Cue::Who | Cue::When | Cue::Where)
        };
        self.cues.iter().any(|found| asks(found.cue) && found.span.from > 1 && verb(found.span.from - 1))
    }

    /// Whether it asks for a count.
    pub fn asks_how_many(&self) -> bool {
        self.says(&[Cue::HowMany, Cue::Count])
    }

    /// Whether it asks for the text of a name.
    pub fn asks_for_names(&self) -> bool {
        self.says(&[Cue::NameOf])
    }

    /// Whether it asks for something per group, or for attributes in addition to the things.
    pub fn asks_for_rows(&self) -> bool {
        self.cues.iter().any(|found| match found.cue {
            // "By" and "in each" are not only used for groups.
            Cue::Each => self.role_at(found.span.from).is_none() || found.span.len() > 1,
            Cue::AsWell | Cue::Percentage => true,
            Cue::NameOf => self.is_one_of_several(found.span),
            _ => false,
        })
    }

    /// "Name, e-mail and phone": whether it is one of several nouns in a list.
    fn is_one_of_several(&self, span: Span) -> bool {
        let joins = |at: u16| {
            self.has_cue(at, Cue::And) || self.word(at).is_some_and(|word| word.broken == Some(','))
        };
        let noun = |at: u16| self.word(at).is_some_and(|word| word.kind == WordKind::Noun);
        let behind = joins(span.to) && (span.to..span.to.saturating_add(ROW_WORDS)).any(noun);
        let before = joins(span.from) || span.from.checked_sub(1).is_some_and(joins);
        behind || before && (span.from.saturating_sub(ROW_WORDS)..span.from).any(noun)
    }

    /// Whether it asks for only some of the matching things: a superlative, a number, one of several.
    pub fn asks_for_few(&self) -> bool {
        let best = self.grades.iter().any(|found| found.grade.degree == Degree::Superlative);
        let counted = !self.numerals.is_empty() || !self.ordinals.is_empty();
        let ranked = [Cue::FirstInRow, Cue::Most, Cue::Fewest, Cue::Maximum, Cue::Minimum];
        best || counted || self.says(&ranked) || self.chooses()
    }

    /// "Who is older, Ann or Bob?" asks for one of them.
    fn chooses(&self) -> bool {
        let Some(or) = self.spans(Cue::Or).max() else { return false };
        let graded = self.grades.iter().filter(|found| found.grade.degree == Degree::Comparative);
        let more = self.spans(Cue::More).chain(self.spans(Cue::Fewer));
        graded.map(|found| found.span).chain(more).any(|span| span.to <= or.from) && !self.says(&[Cue::Than])
    }

    fn says(&self, cues: &[Cue]) -> bool {
        self.cues.iter().any(|found| cues.contains(&found.cue))
    }

    fn spans(&self, cue: Cue) -> impl Iterator<Item = Span> + '_ {
        self.cues.iter().filter(move |found| found.cue == cue).map(|found| found.span)
    }
}
