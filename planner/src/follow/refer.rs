//! "Who wrote it?": pronouns that refer to the last answer, or to the thing named in the last question.

use super::replace::named;
use super::text::{Words, asked, bare, edited, fitted};
use super::{Followed, Pair, RestsOn, told, tongue};
use crate::question::{Span, WordKind};
use eruca_language::{Anaphor, AnswerKind, Cue, Template, languages};

/// A possible antecedent of a pronoun.
struct Target {
    name: String,
    types: Vec<String>,
    rests_on: RestsOn,
}

/// What a pronoun implies about its antecedent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Person,
    Thing,
    Place,
    Any,
}

/// The question with a pronoun replaced by a name; none without a pronoun or an antecedent.
pub(super) fn resolved(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    (0..words.len())
        .find_map(|at| owner(pair, words, at).or_else(|| pronoun(pair, words, at)))
        .or_else(|| without_subject(pair, words))
        .or_else(|| question_word(pair, words))
}

/// "And where?": a bare question word about the topic of the last question.
fn question_word(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    let from = words.back(0, Anaphor::Lead).unwrap_or(0);
    let to = words.end(from);
    let asks = |at: usize| [Cue::When, Cue::Where, Cue::Who].iter().any(|cue| words.has_cue(at, *cue));
    if from >= to || !(from..to).all(asks) {
        return None;
    }
    let template = tongue(pair).follow_phrase("asked")?;
    let target = target(pair, Kind::Any)?;
    let text = template.fill(&[("question", words.text(from, to)), ("x", &target.name)]);
    Some(about(pair, &target, &text))
}

/// A question about the topic of the last one, which it does not name.
fn about(pair: Pair<'_>, target: &Target, text: &str) -> Followed {
    Followed {
        text: asked(text, pair.question),
        taken_over: vec![told(pair, "taken_subject", &[("x", &target.name)])],
        within: None,
        rests_on: target.rests_on,
    }
}

/// A pronoun without an antecedent in the question, as written.
pub(super) fn dangling(words: &Words<'_>) -> Option<String> {
    let backs = [Anaphor::One, Anaphor::Thing, Anaphor::Person, Anaphor::Them];
    let pronoun = (0..words.len()).find_map(|at| {
        let (back, length) = backs.iter().find_map(|back| Some((*back, words.back(at, *back)?)))?;
        // "Those mills" is a determiner with its noun.
        let pointed = back == Anaphor::Them && words.kind(at + length) == Some(WordKind::Noun) && length == 1;
        (!pointed && is_free(words, at)).then(|| words.text(at, at + length).to_owned())
    });
    let owner = |at: usize| possessive(words, at).map(|(length, _)| words.text(at, at + length).to_owned());
    pronoun.or_else(|| (0..words.len()).find_map(owner))
}

/// "Its manager": a possessive, with its length in words and the kind of its owner. It may refer to a noun of its own clause, so
/// there must be none before it.
fn possessive(words: &Words<'_>, at: usize) -> Option<(usize, Kind)> {
    let ways = [
        (Anaphor::Owner, Kind::Any),
        (Anaphor::ThingOwner, Kind::Thing),
        (Anaphor::PersonOwner, Kind::Person),
    ];
    let (length, kind) = ways.into_iter().find_map(|(back, kind)| Some((words.back(at, back)?, kind)))?;
    let noun_before = (0..at).any(|before| words.kind(before) >= Some(WordKind::Noun));
    let owns = words.kind(at + length) == Some(WordKind::Noun);
    (owns && !noun_before && !words.is_in_phrase(at)).then_some((length, kind))
}

fn pronoun(pair: Pair<'_>, words: &Words<'_>, at: usize) -> Option<Followed> {
    // "They" may be a single person.
    let ways = [
        (Anaphor::One, Kind::Any),
        (Anaphor::Thing, Kind::Thing),
        (Anaphor::Person, Kind::Person),
        (Anaphor::Them, Kind::Any),
    ];
    for (back, kind) in ways {
        if let Some(length) = words.back(at, back).filter(|_| is_free(words, at)) {
            return match words.verb_before(at) {
                Some(verb) => before_verb(pair, words, (at, at + length), verb, kind),
                None => put(pair, words, (at, at + length), kind, None),
            };
        }
    }
    if let Some(length) = words.back(at, Anaphor::Last).filter(|length| at + length == words.len()) {
        return is_free(words, at).then(|| put(pair, words, (at, at + length), Kind::Any, None))?;
    }
    if let Some(length) = words.back(at, Anaphor::Moved).filter(|_| is_free(words, at)) {
        return moved(pair, words, (at, at + length));
    }
    if let Some(length) = words.back(at, Anaphor::There).filter(|length| at + length == words.len()) {
        let template = words.question.language.follow_phrase("there");
        return is_free(words, at).then(|| put(pair, words, (at, at + length), Kind::Place, template))?;
    }
    this(pair, words, at)
}

/// "That country": a demonstrative, if a noun follows and nothing that it could modify precedes; in some languages one form means
/// "of that country".
fn this(pair: Pair<'_>, words: &Words<'_>, at: usize) -> Option<Followed> {
    let of = words.back(at, Anaphor::OfThis);
    let length = of.or_else(|| words.back(at, Anaphor::This))?;
    let noun = words.kind(at + length) == Some(WordKind::Noun);
    let behind_noun = at.checked_sub(1).is_some_and(|before| words.kind(before) >= Some(WordKind::Noun));
    (noun && (of.is_some() || !behind_noun) && is_free(words, at))
        .then(|| put(pair, words, (at, at + length + 1), Kind::Any, None))?
}

/// Whether a pronoun has no antecedent earlier in its clause, nor in a name or clause before it: "Which countries does it …"
/// refers to the last question, "Who leads the house and where is it?" does not.
pub(super) fn is_free(words: &Words<'_>, at: usize) -> bool {
    // The German polite form is capitalized and does not refer back.
    let polite =
        at > 0 && words.question.words.get(at).is_some_and(|word| word.raw.starts_with(char::is_uppercase));
    let named = (0..at).any(|before| words.kind(before) >= Some(WordKind::Name));
    let parts = |before: usize| {
        words.question.words.get(before).is_some_and(|word| before > 0 && word.broken.is_some())
            || before > 0 && [Cue::And, Cue::Or].iter().any(|cue| words.has_cue(before, *cue))
    };
    let noun_before_clause =
        (0..at).any(|noun| words.kind(noun) == Some(WordKind::Noun) && (noun + 1..=at).any(parts));
    !polite && !named && !noun_before_clause && !words.is_in_phrase(at)
}

/// "Its capital": the noun with its owner.
fn owner(pair: Pair<'_>, words: &Words<'_>, at: usize) -> Option<Followed> {
    let (length, kind) = possessive(words, at)?;
    let nouns =
        (at + length..words.len()).take_while(|next| words.kind(*next) == Some(WordKind::Noun)).count();
    let template = words.question.language.follow_phrase("owned")?;
    let noun = words.text(at + length, at + length + nouns);
    let first = words.question.words.get(at + length).map_or("", |word| word.folded.as_str());
    let owner = words.question.words.get(at).map_or("", |word| word.folded.as_str());
    let noun = fitted(words.question.language, owner, first, noun);
    let target = target(pair, kind)?;
    let text = template.fill(&[("x", &target.name), ("noun", &noun)]);
    let span = Span::new(at, at + length + nouns);
    Some(followed(
        pair,
        words.text(at, at + length),
        &target,
        edited(pair.question, &with_else(words, (span, text))),
    ))
}

/// An edit, plus one that removes "else": that others are wanted is not part of the new question.
fn with_else(words: &Words<'_>, change: (Span, String)) -> Vec<(Span, String)> {
    let other = |at: usize| Some(Span::new(at, at + words.back(at, Anaphor::Else)?));
    let apart = |span: &Span| !span.overlaps(change.0);
    let elses: Vec<Span> = (0..words.len()).filter_map(other).filter(apart).collect();
    std::iter::once(change.clone()).chain(elses.into_iter().map(|span| (span, String::new()))).collect()
}

fn put(
    pair: Pair<'_>,
    words: &Words<'_>,
    (from, to): (usize, usize),
    kind: Kind,
    template: Option<&Template>,
) -> Option<Followed> {
    let target = target(pair, kind)?;
    let text = template.map_or_else(|| target.name.clone(), |template| template.fill(&[("x", &target.name)]));
    Some(followed(
        pair,
        words.text(from, to),
        &target,
        edited(pair.question, &with_else(words, (Span::new(from, to), text))),
    ))
}

/// "Où est-elle née ?": the pronoun stays with its verb, and the name is inserted before both.
fn before_verb(
    pair: Pair<'_>,
    words: &Words<'_>,
    (from, to): (usize, usize),
    verb: usize,
    kind: Kind,
) -> Option<Followed> {
    let target = target(pair, kind)?;
    let text = format!("{} {}", target.name, words.text(verb, verb + 1));
    let text = edited(pair.question, &with_else(words, (Span::new(verb, verb + 1), text)));
    Some(followed(pair, words.text(from, to), &target, text))
}

/// The pronoun before the verb is removed, and the name inserted after it.
fn moved(pair: Pair<'_>, words: &Words<'_>, (from, to): (usize, usize)) -> Option<Followed> {
    let target = target(pair, Kind::Any)?;
    let before = words.text(0, from);
    let behind = words.text(to, words.len());
    let text = asked(&format!("{before} {behind} {}", target.name), pair.question);
    Some(followed(pair, words.text(from, to), &target, text))
}

/// Pro-drop languages: a question word and a verb without a subject.
fn without_subject(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    let template = words.question.language.follow_phrase("bare")?;
    let says = |at: usize| words.kind(at) >= Some(WordKind::Noun);
    let asks = words.asks(0, 1) && words.len() > 1 && words.len() <= 4;
    if !asks || (0..words.len()).any(says) || !pair.mentions.is_empty() {
        return None;
    }
    let target = target(pair, Kind::Any)?;
    let question = bare(pair.question);
    Some(about(pair, &target, &template.fill(&[("question", question), ("x", &target.name)])))
}

fn followed(pair: Pair<'_>, word: &str, target: &Target, text: String) -> Followed {
    Followed {
        text,
        taken_over: vec![told(pair, "taken_thing", &[("word", word), ("x", &target.name)])],
        within: None,
        rests_on: target.rests_on,
    }
}

/// The antecedent of a pronoun: the only thing of the last answer, or else the only thing that the last question names. A thing
/// known to be of a kind that does not match the pronoun is excluded.
fn target(pair: Pair<'_>, kind: Kind) -> Option<Target> {
    let other = |target: &Target| {
        let known = (kind, is_person(pair, target));
        matches!(known, (Kind::Person, Some(false)) | (Kind::Thing | Kind::Place, Some(true)))
    };
    let fits = |target: &Target| !other(target);
    // After "Who built it?" or "where is it?", "it" still means the thing, not the builder or the place.
    let aside = |cue: Cue| matches!(cue, Cue::Who | Cue::Where | Cue::When);
    if kind == Kind::Thing && pair.past.question.cues.iter().any(|found| aside(found.cue)) {
        return asked_for(pair).filter(fits).or_else(|| answer(pair).filter(fits));
    }
    answer(pair).filter(fits).or_else(|| asked_for(pair).filter(fits))
}

fn answer(pair: Pair<'_>) -> Option<Target> {
    match (pair.past.things, pair.past.whole) {
        ([thing], true) => {
            let entity = pair.index.entities.get(&thing.iri).ok().flatten();
            let types = entity.map(|entity| entity.types).unwrap_or_default();
            Some(Target { name: thing.name.clone(), types, rests_on: RestsOn::Answer })
        }
        _ => None,
    }
}

fn asked_for(pair: Pair<'_>) -> Option<Target> {
    let question = pair.past.question;
    let names = named(question, pair.past.mentions);
    let [one] = names.as_slice() else { return None };
    let types = one.entities.first().map(|hit| hit.record.types.clone()).unwrap_or_default();
    Some(Target { name: question.text_of(one.span).to_owned(), types, rests_on: RestsOn::Name })
}

/// Whether it is a person, according to the names of its classes.
fn is_person(pair: Pair<'_>, target: &Target) -> Option<bool> {
    let card = &pair.index.card;
    let names = target.types.iter().flat_map(|class| {
        let labels =
            card.class(class).into_iter().flat_map(|card| card.labels.iter().map(|label| label.text.clone()));
        labels.chain([card.schema_label(class)]).collect::<Vec<_>>()
    });
    let kinds: Vec<AnswerKind> = names
        .flat_map(|name| {
            let norm = eruca_language::text::normalize_word(&name);
            languages().filter_map(move |language| language.kind_of_noun(&norm)).collect::<Vec<_>>()
        })
        .collect();
    // Makers and owners may be companies as well as people.
    let open = kinds.iter().all(|kind| *kind == AnswerKind::Organization);
    if open { None } else { Some(kinds.contains(&AnswerKind::Person)) }
}
