//! The whole question: answers from a phrase, scored by the question's form, its question word and the unused words.

use crate::compose::columns;
use crate::context::Context;
use crate::context::tables::{self, told};
use crate::link::{Mention, SchemaLink};
use crate::meaning::{Answer, Base, Column, ColumnFunction, Condition, Measure, Set, Step};
use crate::phrase::{Item, Phrase};
use crate::schema::Kind;
use crate::score::{Feature, Features};
use eruca_indexer::{Hop, SchemaKind};
use eruca_language::{AnswerKind, Cue};
use std::rc::Rc;

/// Minimum fit for the whole name of a class.
const CLASS_FIT: f32 = 0.75;
/// Maximum number of persons tried in place of an intermediate node.
const MAX_ENDS: usize = 2;

/// The possible answers of a phrase that spans the question.
pub(crate) fn finish<'k>(context: &Context<'k>, item: &Item<'k>) -> Vec<(Answer<'k>, Features)> {
    let asks = context.question.asks_yes_or_no();
    match &item.phrase {
        Phrase::Set(set) => of_members(context, set, asks),
        Phrase::Answer(answer) => {
            let form = match &**answer {
                Answer::Quantified(..) => Feature::AskedFits,
                _ if asks => Feature::AskedOther,
                _ => Feature::Wordless,
            };
            let named = matches!(&**answer, Answer::Count(set) if set.is_one_thing());
            let features = worded(context, answer).and(form, 1.0).and(Feature::AnswerIsNamed, on(named));
            vec![(told(context, answer), features)]
        }
        Phrase::Columns(columns) => of_columns(context, columns),
        // "Are there more than 3 …?"
        Phrase::Counted(set, op, number) if asks => {
            let features = Features::default().and(Feature::AskedFits, 1.0).and(Feature::Cued, 1.0);
            vec![(Answer::Numbered(set.clone(), *op, number.clone()), features)]
        }
        Phrase::Own(name, sets) if asks => {
            crate::quantify::answered(context, name, sets).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The members, or the persons joined by them if they are intermediate nodes.
fn of_members<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, asks: bool) -> Vec<(Answer<'k>, Features)> {
    let persons = if asks { Vec::new() } else { persons(context, set) };
    let mut found = of_set(context, set, asks);
    found.extend(persons.iter().flat_map(|person| of_set(context, person, asks)));
    found
}

/// For a "who" question answered by intermediate nodes: the persons that they join, under the same conditions.
fn persons<'k>(context: &Context<'k>, set: &Rc<Set<'k>>) -> Vec<Rc<Set<'k>>> {
    if !context.has_cue(Cue::Who) || set.rank.is_some() || !context.is_between(&set.kind) {
        return Vec::new();
    }
    let Some(class) = set.kind.classes().first() else { return Vec::new() };
    let said = |hop: &Hop| {
        set.conditions.iter().any(|condition| match condition {
            Condition::Joined(path, _) => {
                path.first().is_some_and(|step| step.property == hop.property && step.forward == hop.forward)
            }
            _ => false,
        })
    };
    let hops = context.schema.index.graph.hops(class).iter().filter(|hop| !said(hop));
    let person = |hop: &&Hop| {
        let class = context.schema.class(&hop.class);
        class.and_then(|class| context.is_kind(&Kind::class(class), AnswerKind::Person)) == Some(true)
    };
    let end = |hop: &Hop| {
        let property = context.schema.property(&hop.property)?.iri.as_str();
        let kind = Kind::class(context.schema.class(&hop.class)?);
        let step = Step { property, forward: !hop.forward };
        Some(Rc::new(Set::any(kind, Condition::Joined(vec![step], set.clone()))))
    };
    hops.filter(person).filter_map(end).take(MAX_ENDS).collect()
}

fn of_set<'k>(context: &Context<'k>, set: &Rc<Set<'k>>, asks: bool) -> Vec<(Answer<'k>, Features)> {
    let list = Answer::list(set.clone());
    let mut features = worded(context, &list);
    features.add(
        Feature::AnswerIsNamed,
        on(is_only_named(set) || set.is_one_thing() || is_one_value(set) || bears_name(context, set)),
    );
    features.add(Feature::Unanchored, on(!set.is_anchored()));
    let listed = (told(context, &list), features.and(Feature::AskedOther, on(asks)));
    if !asks {
        return vec![listed];
    }
    let exists = Answer::Exists(set.clone());
    let own = Features::default()
        .and(Feature::AskedFits, 1.0)
        .and(Feature::Cued, on(set.is_one_thing() && !set.is_named()))
        .and(Feature::AnswerIsNamed, on(is_only_named(set)))
        .and(Feature::Unanchored, on(!set.is_anchored()));
    vec![(exists, own), listed]
}

/// Whether the answer is just what the question names; the greatest of several named things is a real answer.
fn is_only_named(set: &Set<'_>) -> bool {
    set.is_named() && set.rank.is_none()
}

/// Whether the only possible member is a text or number that the question names.
fn is_one_value(set: &Set<'_>) -> bool {
    matches!(&set.base, Base::Values(values) if values.len() == 1)
}

/// Whether the only condition on the members is their name, which the question already contains.
fn bears_name<'k>(context: &Context<'k>, set: &Set<'k>) -> bool {
    let [Condition::Joined(path, value)] = set.conditions.as_slice() else { return false };
    let [step] = path.as_slice() else { return false };
    set.is_open() && matches!(value.base, Base::Values(_)) && context.naming(step.property).is_some()
}

fn on(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Columns without a set belong to everything that has them.
fn of_columns<'k>(
    context: &Context<'k>,
    columns: &[crate::phrase::Wanted<'k>],
) -> Vec<(Answer<'k>, Features)> {
    let Some(owner) = columns.first().map(|wanted| columns::owner(context, wanted)) else {
        return Vec::new();
    };
    let Some(class) = owner.classes().first() else { return Vec::new() };
    let set = Rc::new(Set::of_class(class));
    let Some(derived) = columns::asked(context, &set, columns, Some(Feature::ColumnsThenSet)) else {
        return Vec::new();
    };
    let Phrase::Answer(answer) = &derived.phrase else { return Vec::new() };
    let mut features = derived.features;
    features.add_all(&worded(context, answer));
    vec![(told(context, answer), features.and(Feature::Unanchored, 1.0))]
}

/// Features of how the question word fits the answer.
fn worded<'k>(context: &Context<'k>, answer: &Answer<'k>) -> Features {
    let mut features = Features::default();
    let kind = kind_of(context, answer);
    let asked = |cue: Cue| context.has_cue(cue);
    let number = kind.as_ref().is_none_or(Kind::is_number) || has_column(context, answer, Kind::is_number);
    if asked(Cue::Who) {
        let agent = |kind: &Kind<'k>| match context.is_kind(kind, AnswerKind::Organization) {
            Some(true) if context.does_something(kind) => Some(true),
            _ => context.is_kind(kind, AnswerKind::Person),
        };
        let person = kind.as_ref().and_then(agent);
        let other = kind.as_ref().is_none_or(Kind::is_values) || person == Some(false);
        features.add(
            if other { Feature::AskedOther } else { Feature::AskedFits },
            if person != Some(true) && !other { 0.3 } else { 1.0 },
        );
    }
    if asked(Cue::When) {
        let timed = |kind: &Kind<'k>| kind.is_time() || kind.is_number();
        let time = kind.as_ref().is_some_and(timed) || is_year(answer) || has_column(context, answer, timed);
        features.add(if time { Feature::AskedFits } else { Feature::AskedOther }, 1.0);
    }
    if asked(Cue::Where) {
        let place = kind.as_ref().and_then(|kind| context.is_kind(kind, AnswerKind::Place));
        // A text may name a place; a number or a time cannot.
        let nowhere = kind.as_ref().is_none_or(Kind::is_measurable);
        features.add(
            if place == Some(true) { Feature::AskedFits } else { Feature::AskedOther },
            1.0 + on(nowhere),
        );
    }
    if asked(Cue::HowMany) || asked(Cue::HowMuch) {
        features.add(if number || counts(answer) { Feature::AskedFits } else { Feature::AskedOther }, 1.0);
    }
    let other_class = is_other_class(context, answer);
    features.add(Feature::AskedOther, on(other_class));
    // "Which film was shown first?" is not answered by a year.
    let members = matches!(answer, Answer::List { columns, .. } if columns.is_empty());
    let values = members && kind.as_ref().is_some_and(Kind::is_values);
    features.add(Feature::AskedOther, on(other_class && values));
    let measured = kind.as_ref().is_some_and(Kind::is_measurable) || is_called_time(context, answer);
    features.add(Feature::AskedOther, on(measured && asks_for_manner(context)));
    features.add(Feature::AskedOther, on(measured && context.cues(Cue::Who).any(|span| span.from == 0)));
    features.add(Feature::AnswerIsValue, on(kind.as_ref().is_some_and(Kind::is_values)));
    features
}

/// Whether one of several columns is of a kind: a double question asks for several kinds.
fn has_column<'k>(context: &Context<'k>, answer: &Answer<'k>, is: impl Fn(&Kind<'k>) -> bool) -> bool {
    let Answer::List { of, columns, .. } = answer else { return false };
    columns.iter().skip(1).any(|column| tables::end(context, of, column).is_some_and(|kind| is(&kind)))
}

/// Whether the answer to "which city" is not a city.
fn is_other_class<'k>(context: &Context<'k>, answer: &Answer<'k>) -> bool {
    let Answer::List { of, columns, .. } = answer else { return false };
    let names = |at: u16, kind: SchemaKind| {
        context.links.schema.iter().filter(move |link| link.kind == kind && link.span.from == at)
    };
    let asked = context.cues(Cue::Which).find(|which| names(which.to, SchemaKind::Class).next().is_some());
    let kind = match columns.as_slice() {
        [] => Some(of.kind.clone()),
        [column] if column.what == ColumnFunction::Value => tables::end(context, of, column),
        _ => None,
    };
    let Some(kind) = kind else { return false };
    let Some(which) = asked else { return kind.is_values() && asks_for_concept(context) };
    let classes: Vec<_> = names(which.to, SchemaKind::Class).filter(|link| link.fit >= CLASS_FIT).collect();
    // The same word may also name an attribute.
    let property = names(which.to, SchemaKind::Property).any(|link| link.fit >= CLASS_FIT);
    let is_one = |link: &&SchemaLink<'k>| context.schema.compatible(&Kind::class(link.iri), &kind);
    // "Which city's population".
    let owner = classes.iter().any(|link| context.question.is_possessive(link.span.to));
    !classes.is_empty() && !owner && !property && !classes.iter().any(is_one)
}

/// Whether "which general" names a class by a concept, where things are classified by concepts.
fn asks_for_concept(context: &Context<'_>) -> bool {
    context.cues(Cue::Which).any(|which| {
        let mut links = context.links.schema.iter();
        let named = |mention: &Mention| mention.is_same_name() && !mention.entities.is_empty();
        let mut mentions = context.links.mentions.iter().filter(|mention| mention.span.from == which.to);
        mentions.any(named) && !links.any(|link| link.span.from == which.to)
    })
}

/// Whether the answer is an attribute named as a date or a time, whatever its datatype.
fn is_called_time(context: &Context<'_>, answer: &Answer<'_>) -> bool {
    let Answer::List { of, columns, .. } = answer else { return false };
    let [Condition::Joined(path, _)] = of.conditions.as_slice() else { return false };
    let named = path.first().is_some_and(|step| !step.forward && context.names_time(step.property));
    named && columns.is_empty() && of.kind.is_values()
}

/// "How did he die?": the question begins with "how" alone, not followed by an adjective or verb that changes its meaning.
fn asks_for_manner(context: &Context<'_>) -> bool {
    let question = &context.question;
    let first = question.cues.iter().filter(|cue| cue.span.from == 0).map(|cue| cue.span);
    let Some(longest) = first.max_by_key(|span| span.len()) else { return false };
    let graded = question.grades.iter().any(|grade| grade.span.from <= longest.to);
    question.has_cue(0, Cue::How) && longest.len() == 1 && !graded
}

fn is_year(answer: &Answer<'_>) -> bool {
    matches!(answer, Answer::Measured(_, Measure::Year(_)))
}

fn counts(answer: &Answer<'_>) -> bool {
    match answer {
        Answer::List { columns, .. } => columns.iter().any(Column::is_aggregate),
        _ => true,
    }
}

/// The kind of the answer; none for computed numbers.
fn kind_of<'k>(context: &Context<'k>, answer: &Answer<'k>) -> Option<Kind<'k>> {
    let Answer::List { of, columns, .. } = answer else { return None };
    let Some(column) = columns.first() else { return Some(of.kind.clone()) };
    if column.what != ColumnFunction::Value {
        return None;
    }
    tables::end(context, of, column)
}

/// The cost of the words outside a phrase.
pub(crate) fn left_over(context: &Context<'_>, item: &Item<'_>) -> Features {
    let mut features = Features::default();
    let outside = (0..context.question.len() as u16).filter(|at| !item.span.has(*at));
    for at in outside {
        context.skips.get(usize::from(at)).into_iter().for_each(|cost| features.add_all(cost));
    }
    features
}

#[cfg(test)]
mod tests;
