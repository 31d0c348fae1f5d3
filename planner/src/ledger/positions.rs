//! The direction of relations: the owner that the question names must be on the side of the property where the words put it, also
//! under negation. Checked only where both sides may be of the same kind, since elsewhere the kinds determine the direction.

use super::parts::{Mode, Node, Statement};
use super::{Audit, Doubt, Entry, Part};
use crate::question::{CueAt, Span};
use crate::schema::Kind;
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Cue, Role, fallback};

/// Maximum number of words between a relation and its owner.
const MAX_BETWEEN: u16 = 4;

/// What stands at one end of a relation.
#[derive(Debug, Clone)]
enum End {
    Thing(String),
    Class(String),
    /// Anything that has a text as its name.
    Called(String),
    /// What the question asks for.
    Asked,
}

impl Audit<'_, '_> {
    /// Doubts properties used in the opposite direction.
    pub(super) fn positions(&mut self) {
        let parts = self.parts;
        for statement in parts.statements.iter().filter(|statement| statement.mode != Mode::Optional) {
            if !self.may_be_turned(&statement.property) {
                continue;
            }
            if self.is_turned(statement) {
                self.doubt(Doubt::Turned(statement.property.clone()));
            } else if let Some(span) = self.is_either(&statement.property) {
                self.doubt(Doubt::Weak(span, self.said(span)));
            }
        }
    }

    /// Whether both ends of a property may be of the same kind.
    fn may_be_turned(&self, property: &str) -> bool {
        let schema = &self.context.schema;
        let Some(step) = schema.forward(property) else { return false };
        let (start, end) = (schema.start(step), schema.end(step));
        !end.is_values()
            && (start == Kind::Unknown || end == Kind::Unknown || schema.compatible(&start, &end))
    }

    fn is_turned(&self, statement: &Statement) -> bool {
        let Some(span) = &self.said_at(&statement.property) else { return false };
        let done = self.is_done(*span);
        let owner = if done { self.doer(*span) } else { self.owner(*span) };
        let bearer = if done || owner.is_some() { None } else { self.bearer(*span) };
        let borne = bearer.is_some();
        let Some(owner) = owner.or(bearer) else { return false };
        // Who manages is the manager.
        let turns = [
            self.is_called_backward(&statement.property, done),
            done && self.context.names_agent(&statement.property),
            borne || matches!(owner, End::Asked if self.is_nobodys(*span)),
        ];
        let backward = turns.into_iter().filter(|turn| *turn).count() % 2 == 1;
        let (has, is) = match backward {
            true => (&statement.object, &statement.subject),
            false => (&statement.subject, &statement.object),
        };
        self.is_at(&owner, is) && !self.is_at(&owner, has)
    }

    /// Whether a property's name may be a verb or a plural noun, and the question uses it as a singular noun: "mentors" leads to
    /// mentors, or away from them.
    fn is_either(&self, property: &str) -> Option<Span> {
        let span = self.said_at(property).filter(|span| !self.is_done(*span))?;
        let asked = self.question().words_of(span).last()?;
        self.context.schema.property(property)?;
        let languages = [self.question().language, fallback()];
        let agent = |word: &str| {
            languages
                .iter()
                .any(|language| language.kind_of_noun(&normalize_word(word)) == Some(AnswerKind::Person))
        };
        let either = |word: String| {
            word != normalize_word(&word)
                && word != asked.folded
                && normalize_word(&word) == asked.norm
                && agent(&word)
        };
        self.context.last_words(property).all(either).then_some(span)
    }

    /// The span of a property if it is named once; parts of a longer name count as inside it.
    fn said_at(&self, property: &str) -> Option<Span> {
        let spans = || self.entries.iter().filter(|entry| names(entry, property)).map(|entry| entry.span);
        let longest = spans().max_by_key(|span| span.len())?;
        spans().all(|span| longest.contains(span)).then_some(longest)
    }

    /// Whether a property is expressed by a verb in the question: "knows".
    fn is_done(&self, span: Span) -> bool {
        self.context.has_verb(span)
    }

    /// "Child of" leads away from the child, and "trained by" away from the trainee.
    fn is_called_backward(&self, property: &str, done: bool) -> bool {
        match done {
            true => self.context.names_passively(property),
            false => self.context.names_owner_behind(property),
        }
    }

    /// "Who is nobody's child?" asks for the ones who are nobody's.
    fn is_nobodys(&self, span: Span) -> bool {
        let question = self.question();
        let possessive =
            (span.from.saturating_sub(MAX_BETWEEN)..span.from).rev().find(|at| question.is_possessive(*at));
        let negated = |at: u16| question.cues.iter().any(|cue| cue.cue == Cue::Not && cue.span.to == at);
        possessive.is_some_and(negated)
    }

    /// The owner: "the manager of Jo", "Jo's manager", "Jo has a manager".
    fn owner(&self, span: Span) -> Option<End> {
        let question = self.question();
        let is_of = |at: u16| question.role_at(at) == Some(Role::Of) && !question.is_possessive(at);
        // The preposition may be part of the name: "supplier of".
        let within = span.len() > 1 && is_of(span.to - 1);
        if within || is_of(span.to) {
            return self.end_behind(span.to);
        }
        let possessive =
            (span.from.saturating_sub(MAX_BETWEEN)..span.from).rev().find(|at| question.is_possessive(*at));
        if let Some(at) = possessive {
            return if self.is_nobodys(span) { Some(End::Asked) } else { self.end_before(at) };
        }
        let has = question
            .cues
            .iter()
            .filter(|cue| matches!(cue.cue, Cue::Have | Cue::Without) && cue.span.to <= span.from);
        let near = has
            .filter(|cue| (cue.span.to..span.from).all(|at| self.says_little(at)))
            .max_by_key(|cue| cue.span.to)?;
        self.end_before(near.span.from)
    }

    /// The bearer of a role without a given owner: "employees that are no managers".
    fn bearer(&self, span: Span) -> Option<End> {
        let question = self.question();
        let is = question.cues.iter().filter(|cue| cue.cue == Cue::Be && cue.span.to <= span.from);
        let near = is
            .filter(|cue| (cue.span.to..span.from).all(|at| self.says_little(at)))
            .max_by_key(|cue| cue.span.to)?;
        let compared = question.cues.iter().any(|cue| cue.cue == Cue::Than && cue.span.from >= span.to);
        if compared { None } else { self.end_before(near.span.from) }
    }

    /// The agent: what stands before the verb, or between an auxiliary verb and it.
    fn doer(&self, span: Span) -> Option<End> {
        let question = self.question();
        let by = |at: u16| question.role_at(at) == Some(Role::By);
        if by(span.to) || (span.len() > 1 && by(span.to - 1)) {
            return self.end_behind(span.to);
        }
        let passive = question
            .cues
            .iter()
            .any(|cue| cue.cue == Cue::Be && cue.span.to <= span.from && cue.span.to + 1 >= span.from);
        if passive {
            return None;
        }
        // "Who" directly before the verb is the agent in every language. Nouns before the verb are only reliably the agent in
        // languages with a fixed word order, such as the fallback.
        let asks = |cue: &&CueAt| {
            cue.cue == Cue::Who
                && !self.is_whom(cue.span)
                && cue.span.to <= span.from
                && (cue.span.to..span.from).all(|at| self.says_little(at))
        };
        if question.cues.iter().filter(asks).any(|cue| !self.is_helped(cue.span.to, span.from)) {
            return Some(End::Asked);
        }
        // "Wen kennt Ada?": the question asks for the patient, and the agent follows the verb, as it does where a question begins
        // with the verb.
        let whom = question.cues.iter().any(|cue| cue.cue == Cue::Whom && cue.span.to == span.from);
        if whom || (span.from == 0 && question.asks_yes_or_no()) {
            return self.end_behind(span.to);
        }
        if question.language.tag() != fallback().tag() {
            return None;
        }
        let near = |entry: &Entry| entry.span.to <= span.from && entry.span.to + MAX_BETWEEN > span.from;
        self.nearest(near, true).or_else(|| self.asked_before(span.from))
    }

    /// Whether a question word asks for the patient ("whom").
    fn is_whom(&self, who: Span) -> bool {
        self.question().cues.iter().any(|cue| cue.cue == Cue::Whom && who.contains(cue.span))
    }

    /// Whether an auxiliary verb stands in a range of words: "who does Ada know".
    fn is_helped(&self, from: u16, to: u16) -> bool {
        self.question()
            .cues
            .iter()
            .any(|cue| cue.cue == Cue::Do && cue.span.from >= from && cue.span.to <= to)
    }

    fn says_little(&self, at: u16) -> bool {
        let question = self.question();
        question.is_function_word(at) || question.numerals.iter().any(|numeral| numeral.span.has(at))
    }

    fn end_behind(&self, at: u16) -> Option<End> {
        self.nearest(|entry| entry.span.from >= at && entry.span.from <= at + MAX_BETWEEN, false)
    }

    fn end_before(&self, at: u16) -> Option<End> {
        let near = self.nearest(|entry| entry.span.to <= at && entry.span.to + MAX_BETWEEN > at, true);
        near.or_else(|| self.asked_before(at))
    }

    fn asked_before(&self, at: u16) -> Option<End> {
        let asks = |cue: &CueAt| cue.cue == Cue::Who && cue.span.to <= at;
        self.question().cues.iter().any(asks).then_some(End::Asked)
    }

    /// The nearest thing or class.
    fn nearest(&self, fits: impl Fn(&Entry) -> bool, before: bool) -> Option<End> {
        let ends = self.entries.iter().filter(|entry| fits(entry)).filter_map(|entry| match &entry.part {
            Part::Thing(iri) => Some((entry.span, End::Thing(iri.clone()))),
            Part::Value(text) => Some((entry.span, End::Called(text.clone()))),
            Part::Term(iri) if self.context.schema.class(iri).is_some() => {
                Some((entry.span, End::Class(iri.clone())))
            }
            _ => None,
        });
        let key = |span: &Span| if before { -i32::from(span.to) } else { i32::from(span.from) };
        ends.min_by_key(|(span, _)| key(span)).map(|(_, end)| end)
    }

    fn is_at(&self, end: &End, node: &Node) -> bool {
        let parts = self.parts;
        match (end, node) {
            (End::Thing(iri), Node::Iri(own)) => iri == own,
            (End::Thing(iri), Node::Variable(name)) => parts
                .values_of(name)
                .any(|term| matches!(term, eruca_sparql::Term::NamedNode(own) if own.as_str() == iri)),
            (End::Called(text), node) => parts.statements.iter().any(|statement| {
                statement.subject == *node
                    && matches!(&statement.object, Node::Literal(own) if own == text)
                    && self.is_naming(&statement.property)
            }),
            (End::Class(class), node) => {
                parts.classes.iter().any(|(typed, own, _)| typed == node && own == class)
            }
            (End::Asked, Node::Variable(name)) => {
                parts.columns.iter().any(|column| parts.behind(column).contains(name))
            }
            _ => false,
        }
    }
}

fn names(entry: &Entry, property: &str) -> bool {
    matches!(&entry.part, Part::Term(iri) if iri == property)
}
