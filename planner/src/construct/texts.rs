//! Text within values: "whose name contains …", "starting with …".

use crate::chart::Construct;
use crate::compose::names::name_properties;
use crate::context::Context;
use crate::link::SAME_NAME_FIT;
use crate::meaning::{Condition, Like, Set, Step};
use crate::phrase::{Derived, Pair, Phrase};
use crate::question::Span;
use crate::score::Feature;
use eruca_language::{Cue, Role};
use std::rc::Rc;

pub(crate) struct Texts;

const CUES: [(Cue, Like); 3] =
    [(Cue::Contains, Like::Contains), (Cue::Begins, Like::Begins), (Cue::Ends, Like::Ends)];

impl Construct for Texts {
    fn leaves<'k>(&self, context: &Context<'k>, derived: &mut Vec<(Span, Derived<'k>)>) {
        for (cue, like) in CUES {
            for at in context.cues(cue).map(|at| with_letter(context, at)) {
                let Some((span, text)) = text_behind(context, at) else { continue };
                derived.push((at.join(span), Derived::new(Phrase::Text(like, Rc::from(text)))));
            }
        }
        derived.extend(
            unknown_name(context).map(|(span, text)| (span, Derived::new(Phrase::Text(Like::Is, text)))),
        );
        derived.extend(context.question.quotes.iter().filter_map(|quote| {
            let span = in_name(context, quote.span)?;
            Some((span, Derived::new(Phrase::Text(Like::Contains, Rc::from(quote.text.as_str())))))
        }));
    }

    fn combine<'k>(&self, context: &Context<'k>, pair: Pair<'_, 'k>, derived: &mut Vec<Derived<'k>>) {
        let Pair { left, connective, right } = pair;
        if connective.has(Cue::Or) {
            return;
        }
        match (&left.phrase, &right.phrase) {
            (Phrase::Relation(relation), Phrase::Text(like, text)) => {
                let Some((first, last)) = relation.path.first().zip(relation.path.last()) else { return };
                let condition = Condition::Like(relation.path.clone(), *like, text.clone());
                if context.schema.end(*last).is_values() {
                    derived.push(
                        Derived::set(Set::any(context.schema.start(*first), condition))
                            .with(Feature::Cued, 1.0),
                    );
                }
            }
            (Phrase::Set(set), Phrase::Text(like, text)) if !set.is_named() => {
                let label = context.schema.index.card.naming_properties.first().map(String::as_str);
                let named = name_properties(context, set);
                let label = label.filter(|_| named.is_empty());
                for property in named.into_iter().chain(label).take(2) {
                    let path = vec![Step { property, forward: true }];
                    let condition = Condition::Like(path, *like, text.clone());
                    derived.push(Derived::set(set.and(condition)).with(Feature::Cued, 1.0).by(Cue::Relative));
                }
            }
            _ => {}
        }
    }
}

/// "Is there a port called Nishtun?": a name not in the graph is searched for as written.
fn unknown_name(context: &Context<'_>) -> Option<(Span, Rc<str>)> {
    let question = &context.question;
    let span = question.names_behind_name_of().filter(|_| question.asks_yes_or_no())?;
    let known = context.links.mentions.iter().any(|mention| {
        mention.span == span
            && (mention.is_same_name() || mention.entities.iter().any(|hit| hit.score >= SAME_NAME_FIT))
    });
    let text = question.text_of(span).trim_matches(|c: char| "\"'“”„«»".contains(c));
    (!known).then(|| (span, Rc::from(text)))
}

/// "Beginning with" and an optional following phrase: "the letter".
fn with_letter(context: &Context<'_>, cue: Span) -> Span {
    let next =
        context.cues(Cue::Contains).find(|next| next.from >= cue.to && context.question.follows(cue, *next));
    next.map_or(cue, |next| cue.join(next))
}

/// The quoted text after a cue, or the next word.
fn text_behind(context: &Context<'_>, cue: Span) -> Option<(Span, String)> {
    let question = &context.question;
    if let Some(quote) = question.quotes.iter().find(|quote| question.follows(cue, quote.span)) {
        return Some((quote.span, quote.text.clone()));
    }
    let span = Span { from: cue.to, to: cue.to + 1 };
    let word = question.words.get(usize::from(cue.to))?;
    // A single letter may look like a function word.
    let letter = word.raw.chars().count() == 1 && word.raw.chars().all(char::is_uppercase);
    let telling = !question.is_function_word(cue.to) && (word.capital || word.raw.chars().count() == 1);
    (letter || telling).then(|| (span, word.raw.clone()))
}

/// "With "Paper" in the title": the name contains the quoted text.
fn in_name(context: &Context<'_>, quote: Span) -> Option<Span> {
    let inside = context.question.role_at(quote.to) == Some(Role::In);
    let names = context.cues(Cue::NameOf).filter(|name| context.question.follows(quote, *name));
    names.filter(|_| inside).min_by_key(|name| name.from).map(|name| quote.join(name))
}

#[cfg(test)]
mod tests;
