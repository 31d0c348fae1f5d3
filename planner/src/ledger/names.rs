//! Words that name something in the query: classes, properties, things, and values.

use super::parts::{Node, Statement};
use super::{Audit, Grounds, Part};
use crate::link::{Evidence, Mention, SAME_NAME_FIT, SchemaLink, is_signed_otherwise};
use crate::meaning::Step;
use crate::question::{Span, Word};
use eruca_indexer::SchemaKind;
use eruca_indexer::{Entity, EntityHit, SchemaTerm};
use eruca_language::text::{fold, words};
use eruca_language::{AnswerKind, Cue, fallback};

/// Minimum fit for words to be the whole name, apart from fillers.
pub(super) const WHOLE_FIT: f32 = 0.8;
/// Minimum fit for a name matched by related or inflected words.
const FAIR_FIT: f32 = 0.6;
/// Maximum distance of the letters after "starts with": "with the letter B".
const MAX_LETTERS_BEHIND: u16 = 3;
/// Tolerance between equal fits.
const EVEN: f32 = 0.05;

impl<'k> Audit<'_, 'k> {
    /// Enters the parts that words name.
    pub(super) fn names(&mut self) {
        let context = self.context;
        let used: Vec<&SchemaLink<'k>> =
            context.links.schema.iter().filter(|link| self.uses(link.kind, link.iri)).collect();
        for link in used {
            let right = self.right_of(link);
            self.enter(link.span, Part::Term(link.iri.to_owned()), right);
        }
        for mention in &context.links.mentions {
            self.mention(mention);
        }
        if let Some(span) = context.question.names_behind_name_of() {
            let (text, constants) = (self.said(span), self.parts.constants());
            self.texts(span, &text, &constants);
        }
    }

    /// Whether the query has a class or property.
    pub(super) fn uses(&self, kind: SchemaKind, iri: &str) -> bool {
        match kind {
            SchemaKind::Class => {
                self.parts.classes.iter().any(|(_, class, _)| class == iri)
                    || self.parts.things().contains(&iri)
            }
            SchemaKind::Property => self.parts.statements.iter().any(|statement| statement.property == iri),
        }
    }

    fn right_of(&self, link: &SchemaLink<'k>) -> Grounds {
        let rival = |other: &&SchemaLink<'k>| {
            other.span == link.span && other.kind == link.kind && other.fit > link.fit + EVEN
        };
        let rivals = self.context.links.schema.iter().filter(rival);
        let unused =
            |other: &SchemaLink<'k>| !self.uses(other.kind, other.iri) && self.may_stand_for(other.iri, link);
        let outdone = rivals.into_iter().any(unused);
        let fair = link.fit >= FAIR_FIT;
        match link.evidence {
            Evidence::Glossary => Grounds::Glossary,
            _ if self.is_preferred(link) => Grounds::Glossary,
            _ if outdone => Grounds::Outdone,
            Evidence::Exact if link.fit >= WHOLE_FIT => Grounds::Exact,
            Evidence::Stem if fair => Grounds::Lemma,
            Evidence::Translation if fair => Grounds::Translation,
            // "The same parents" does not ask for the father alone.
            Evidence::Synonym if self.is_one_of_several(link) => Grounds::Related,
            Evidence::Synonym if fair => Grounds::Synonym,
            // "Born" asks for a birth; but "mother" is narrower than "parent".
            Evidence::Related if !self.is_thing(link.span) => Grounds::Synonym,
            // "How many seasons": the property "number of seasons".
            Evidence::Exact | Evidence::Stem if self.is_number(link) => Grounds::Exact,
            Evidence::Related => Grounds::Related,
            Evidence::Typo => Grounds::Typo,
            Evidence::Exact | Evidence::Stem if self.is_but_unit(link) => Grounds::Exact,
            Evidence::Exact | Evidence::Stem if self.is_only_head(link) => Grounds::Type,
            Evidence::Part if link.span.len() > 1 && fair => Grounds::Lemma,
            _ => Grounds::NamePart,
        }
    }

    /// Whether a word fits another property of the same things equally well, and the query does not use that one.
    fn is_one_of_several(&self, link: &SchemaLink<'k>) -> bool {
        let same = |other: &&SchemaLink<'k>| {
            other.span == link.span
                && other.kind == SchemaKind::Property
                && other.evidence == link.evidence
                && other.iri != link.iri
                && (other.fit - link.fit).abs() <= EVEN
        };
        let others = self.context.links.schema.iter().filter(same);
        link.kind == SchemaKind::Property
            && others
                .into_iter()
                .any(|other| !self.uses(other.kind, other.iri) && self.may_stand_for(other.iri, link))
    }

    /// Whether a word is a noun for persons, places or other things.
    fn is_thing(&self, span: Span) -> bool {
        let question = self.question();
        let kind = |word: &Word| question.language.kind_of_noun(&word.norm);
        let thing = |kind| !matches!(kind, AnswerKind::Number | AnswerKind::Time);
        question.words_of(span).iter().filter_map(kind).any(thing)
    }

    /// Whether another property could replace one: the same things have it.
    fn may_stand_for(&self, other: &'k str, link: &SchemaLink<'k>) -> bool {
        let mut statements = self.parts.statements.iter().filter(|statement| statement.property == link.iri);
        let step = Step { property: other, forward: true };
        link.kind == SchemaKind::Class
            || statements.any(|statement| {
                self.context.schema.follow(step, &self.kind_of(&statement.subject)).is_some()
            })
    }

    /// Whether a class or property is the only one whose name ends with the word: "parties" are political parties if there are no
    /// others.
    fn is_only_head(&self, link: &SchemaLink<'k>) -> bool {
        let question = self.question();
        let [word] = question.words_of(link.span) else { return false };
        let names = &self.context.schema.index.names;
        let is_head = |term: &&SchemaTerm| {
            term.kind == link.kind
                && term
                    .names
                    .iter()
                    .filter_map(|name| names.words.get(*name.last()?))
                    .any(|last| *last == word.norm)
        };
        let mut heads = names.terms.iter().filter(is_head).map(|term| term.iri.as_str());
        heads.next() == Some(link.iri) && heads.next().is_none()
    }

    /// Whether a name lacks nothing but a unit or a filler: "runtime minutes".
    fn is_but_unit(&self, link: &SchemaLink<'k>) -> bool {
        let question = self.question();
        let languages = [question.language, fallback()];
        let spans =
            self.context.links.schema.iter().filter(|other| other.iri == link.iri).map(|other| other.span);
        let words: Vec<&Word> = spans.flat_map(|span| question.words_of(span)).collect();
        let said = |word: &String| {
            words.iter().any(|own| {
                own.norm == *word || own.folded == *word || own.stem == question.language.stem(word)
            })
        };
        let of_class = self.class_words(link.iri);
        let little = |word: &String| {
            languages.iter().any(|language| {
                language.unit(word).is_some() || language.is_filler(word) || language.is_function_word(word)
            })
        };
        self.context
            .names_of(link.iri)
            .iter()
            .any(|name| name.iter().all(|word| said(word) || little(word) || of_class.contains(word)))
    }

    /// The words of the class that most owners of a property belong to: a pet's "age" may be called "pet age".
    fn class_words(&self, property: &str) -> Vec<String> {
        let names = &self.context.schema.index.names;
        let term = names.terms.iter().find(|term| term.iri == property && term.kind == SchemaKind::Property);
        let words = term.into_iter().flat_map(|term| &term.class_words);
        words.filter_map(|number| names.words.get(*number).cloned()).collect()
    }

    /// Whether the question asks for a number that a property of things states.
    fn is_number(&self, link: &SchemaLink<'k>) -> bool {
        let counts =
            self.question().cues.iter().any(|cue| cue.cue == Cue::HowMany && cue.span.to == link.span.from);
        let step = Step { property: link.iri, forward: true };
        // "Have children", where their number is stored.
        let had = self
            .question()
            .cues
            .iter()
            .any(|cue| matches!(cue.cue, Cue::Have | Cue::Not) && cue.span.to == link.span.from);
        let number = link.kind == SchemaKind::Property && self.context.schema.end(step).is_number();
        number && (counts || (had && self.counts_by_name(link.iri)))
    }

    /// Whether a property's name means a number of something: "children count".
    fn counts_by_name(&self, property: &str) -> bool {
        let languages = [self.question().language, fallback()];
        let number =
            |word: &String| languages.iter().any(|one| one.kind_of_noun(word) == Some(AnswerKind::Number));
        self.context.names_of(property).iter().flatten().any(number)
    }

    /// Enters classes missing from the query that its nodes belong to anyway: "the film Mercury".
    pub(super) fn types(&mut self) {
        let context = self.context;
        let classes = context
            .links
            .schema
            .iter()
            .filter(|link| link.kind == SchemaKind::Class && link.fit >= WHOLE_FIT);
        let unused: Vec<&SchemaLink<'k>> = classes.filter(|link| !self.uses(link.kind, link.iri)).collect();
        for link in unused {
            if self.nodes().iter().any(|node| self.is_of(node, link.iri)) {
                self.enter(link.span, Part::Term(link.iri.to_owned()), Grounds::Type);
            }
        }
    }

    /// The subjects and objects of all statements.
    fn nodes(&self) -> Vec<Node> {
        let ends = |statement: &Statement| [statement.subject.clone(), statement.object.clone()];
        self.parts.statements.iter().flat_map(ends).collect()
    }

    /// Whether every thing that a node can be is of a class, as far as the graph tells.
    pub(super) fn is_of(&self, node: &Node, class: &str) -> bool {
        let graph = &self.context.schema.index.graph;
        let kind = self.kind_of(node);
        !kind.classes().is_empty() && kind.classes().iter().all(|own| *own == class || graph.is_a(own, class))
    }

    fn mention(&mut self, mention: &Mention) {
        let things = self.parts.things();
        let whole = mention.entities.iter().filter(|hit| holds_all(&mention.text, &hit.record)).count();
        let only = whole == 1 && mention.span.len() > 1;
        let named = mention.entities.iter().filter(|hit| things.contains(&hit.record.iri.as_str()));
        let best = named.map(|hit| {
            let right = named_right(&mention.text, names_of(&hit.record), hit.score);
            let right = match right {
                _ if self.is_of_glossary(mention.span, &hit.record.iri) => Grounds::Glossary,
                _ if names_of(&hit.record).all(|name| self.is_other_sign(mention, name)) => Grounds::NamePart,
                Grounds::NamePart | Grounds::Typo if holds_all(&mention.text, &hit.record) => match only {
                    true => Grounds::Lemma,
                    false => Grounds::NamePart,
                },
                other => other,
            };
            (right, hit.record.iri.clone())
        });
        let best: Vec<(Grounds, String)> = best.collect();
        for (right, iri) in best {
            let outdone = right != Grounds::Glossary && self.is_outdone(mention, &iri, right);
            let right = if outdone { Grounds::Outdone } else { right };
            self.enter(mention.span, Part::Thing(iri), right);
        }
        self.rest_of_name(mention, &things);
        let constants = self.parts.constants();
        let values = mention.values.iter().filter(|hit| constants.contains(&hit.record.text));
        let values: Vec<(Grounds, String)> = values
            .map(|hit| {
                let text = hit.record.text.as_str();
                let right = match self.is_other_sign(mention, text) {
                    _ if self.is_of_glossary(mention.span, text) => Grounds::Glossary,
                    true => Grounds::NamePart,
                    false => named_right(&mention.text, std::iter::once(text), hit.score),
                };
                (right, text.to_owned())
            })
            .collect();
        for (right, text) in values {
            self.enter(mention.span, Part::Value(text), right);
        }
        self.texts(mention.span, &mention.text, &constants);
    }

    /// Words next to a partial name that complete it belong to the name, whatever else they may mean: "Never Let Me Go".
    fn rest_of_name(&mut self, mention: &Mention, things: &[&str]) {
        let question = &self.context.question;
        for hit in mention.entities.iter().filter(|hit| things.contains(&hit.record.iri.as_str())) {
            let of_name: Vec<String> = names_of(&hit.record).flat_map(words).map(|word| word.text).collect();
            let is_of = |at: u16| {
                question
                    .word(at)
                    .is_some_and(|word| of_name.contains(&word.norm) || of_name.contains(&word.folded))
            };
            let mut whole = mention.span;
            while whole.from > 0 && is_of(whole.from - 1) {
                whole.from -= 1;
            }
            while is_of(whole.to) {
                whole.to += 1;
            }
            if whole != mention.span && letters_of(&hit.record, question.text_of(whole)) {
                self.enter(whole, Part::Thing(hit.record.iri.clone()), Grounds::Exact);
            }
        }
    }

    /// Enters a literal of the query that appears verbatim in the question.
    fn texts(&mut self, span: Span, text: &str, constants: &[String]) {
        if let Some(value) = constants.iter().find(|value| fold(value) == fold(text)) {
            self.enter(span, Part::Value(value.clone()), Grounds::Exact);
        }
    }

    /// "Starts with J": the text to search for.
    pub(super) fn letters(&mut self, cue: Span) {
        let constants = self.parts.constants();
        for at in cue.to..(cue.to + MAX_LETTERS_BEHIND).min(self.question().len() as u16) {
            let span = Span { from: at, to: at + 1 };
            let text = self.said(span);
            self.texts(span, &text, &constants);
        }
    }

    fn is_other_sign(&self, mention: &Mention, name: &str) -> bool {
        is_signed_otherwise(self.question(), mention.span, name)
    }

    /// Whether another thing has exactly the written name, and this one only a similar one.
    fn is_outdone(&self, mention: &Mention, iri: &str, right: Grounds) -> bool {
        let written = |hit: &&EntityHit| hit.record.labels.iter().any(|label| label.text == mention.text);
        let own = mention.entities.iter().find(|hit| hit.record.iri == iri);
        let exact = own.is_some_and(|hit| written(&hit));
        let other = mention.entities.iter().filter(written).any(|hit| hit.record.iri != iri);
        (!exact && other) || (right.is_weak() && mention.entities.len() > 1)
    }

    /// Whether a function word is written as part of an unrecognized name: "Not Yet".
    pub(super) fn is_part_of_name(&self, at: u16) -> bool {
        let question = self.question();
        let Some(word) = question.word(at) else { return false };
        let beside =
            self.has_capital(at + 1) || at.checked_sub(1).is_some_and(|before| self.has_capital(before));
        let tells = question.words.iter().any(|word| word.raw.starts_with(char::is_lowercase));
        tells && self.has_capital(at) && beside && question.language.is_function_word(&word.folded)
    }

    /// Whether two adjacent words are written as one name, but each was linked to a class or property of its own: "Green Mill" is
    /// not a mill.
    pub(super) fn is_torn(&self, at: u16) -> bool {
        let question = self.question();
        let pair = Span { from: at, to: at + 2 };
        let titled = |at: u16| {
            let small = |word: &Word| word.raw.contains(char::is_lowercase);
            self.has_capital(at) && question.word(at).is_some_and(small)
        };
        let schematic = |at: u16| {
            let mut of = self.entries.iter().filter(|entry| entry.span.has(at)).peekable();
            of.peek().is_some() && of.all(|entry| matches!(entry.part, Part::Term(_)))
        };
        let whole = self.entries.iter().any(|entry| entry.span.contains(pair));
        let tells = question.words.iter().skip(1).any(|word| word.raw.starts_with(char::is_lowercase));
        !question.language.has_noun_capitals()
            && tells
            && !whole
            && [at, at + 1].into_iter().all(|at| titled(at) && schematic(at))
    }

    /// Whether a word inside a sentence is capitalized.
    fn has_capital(&self, at: u16) -> bool {
        let question = self.question();
        let word = question.word(at).filter(|_| !question.begins_sentence(at));
        word.is_some_and(|word| word.raw.starts_with(char::is_uppercase))
    }
}

/// The grounds on which a text names something with the given names and fit.
fn named_right<'n>(text: &str, mut names: impl Iterator<Item = &'n str> + Clone, fit: f32) -> Grounds {
    let same = |name: &str| letters(name) == letters(text);
    if names.clone().any(|name| name == text) || names.any(same) {
        return Grounds::Exact;
    }
    match fit {
        fit if fit >= SAME_NAME_FIT => Grounds::Lemma,
        fit if fit >= 1.0 => Grounds::NamePart,
        _ => Grounds::Typo,
    }
}

/// The names of a thing, including the readable end of its IRI.
fn names_of(thing: &Entity) -> impl Iterator<Item = &str> + Clone {
    thing.labels.iter().map(|label| label.text.as_str()).chain([thing.local_name.as_str()])
}

/// Whether a name of a thing contains all words of a text.
fn holds_all(text: &str, thing: &Entity) -> bool {
    let asked: Vec<String> = words(text).into_iter().map(|word| word.text).collect();
    names_of(thing).map(words).any(|name| asked.iter().all(|word| name.iter().any(|own| own.text == *word)))
}

/// Whether a text is a name of a thing, ignoring punctuation.
fn letters_of(thing: &Entity, text: &str) -> bool {
    names_of(thing).any(|name| letters(name) == letters(text))
}

/// The letters and digits of a text, without case and accents.
fn letters(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}
