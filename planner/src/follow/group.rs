//! Questions about the results of the last one: "how many of them …?", "which of them …?", "sort them by …", "only the biggest",
//! "show them on a map". The class of the results replaces the pronoun, and the query is restricted to them.

use super::text::{Words, asked, bare};
use super::{Followed, Pair, PastGroup, RestsOn, tongue};
use crate::question::{GradeAt, Span, WordKind};
use eruca_language::{Anaphor, Cue, Degree, Role};
use eruca_sparql::GroupScope;

/// A question about the things of the last answer; none if it is not, or their class is unknown.
pub(super) fn of_group(pair: Pair<'_>, words: &Words<'_>) -> Option<Followed> {
    let group = pair.past.group?;
    counted(pair, words, group)
        .or_else(|| chosen(pair, words, group))
        .or_else(|| narrowed(pair, words, group))
        .or_else(|| sorted(pair, words, group))
        .or_else(|| best(pair, words, group))
        .or_else(|| pronoun(pair, words, group))
}

/// "How many of them are open?"
fn counted(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    let length = words.back(0, Anaphor::CountOf)?;
    let rest = words.text(length, words.end(length));
    let scope = GroupScope::Found;
    composed(pair, "group_count", (words.text(0, length), rest), group, scope)
}

/// "Which of them is the oldest?", "Which of them are made of oak?", "Which has the most seats?"
fn chosen(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    let to = before_of_them(words, words.end(0));
    let from =
        words.back(0, Anaphor::OfThem).or_else(|| bare_which(words, to)).or_else(|| which_verb(words, to))?;
    if from >= to || words.asks(from, to) {
        return None;
    }
    let word = words.text(0, from);
    let behind = from + usize::from(words.has_cue(from, Cue::Be));
    let graded = graded(words, (behind, to)).filter(|_| behind > from);
    match graded.and_then(|graded| best_of(words, graded, (behind, to))) {
        Some(best) => composed(pair, "group_best", (word, &best), group, GroupScope::Found),
        None => composed(pair, "group_which", (word, words.text(from, to)), group, GroupScope::Found),
    }
}

/// The end of the words, excluding a final "of them".
fn before_of_them(words: &Words<'_>, to: usize) -> usize {
    let of = to.checked_sub(2).filter(|of| *of > 1 && words.has_role(*of, Role::Of));
    of.filter(|of| words.back(of + 1, Anaphor::Them) == Some(1)).unwrap_or(to)
}

/// "Which is the largest?" names no class.
fn bare_which(words: &Words<'_>, to: usize) -> Option<usize> {
    let which = words.has_cue(0, Cue::Which) && words.is_small_verb(1);
    let says = |at: usize| words.kind(at) >= Some(WordKind::Noun);
    let graded = graded(words, (2.min(to), to))?.span;
    let noun = (2..to).any(|at| says(at) && !u16::try_from(at).is_ok_and(|at| graded.has(at)));
    (which && !noun).then_some(1)
}

/// "Which has the most seats?", "Which are heated?": a verb directly after "which", and no noun after "are".
fn which_verb(words: &Words<'_>, to: usize) -> Option<usize> {
    let noun = (2..to).any(|at| words.kind(at) >= Some(WordKind::Noun));
    let verb = words.has_cue(1, Cue::Have) || words.has_cue(1, Cue::Be) && !noun && words.len() > 2;
    (words.has_cue(0, Cue::Which) && words.is_small_verb(1) && verb).then_some(1)
}

/// The first superlative in a part of a question, or the first comparative without "than": "the bigger one".
fn graded<'q>(words: &Words<'q>, (from, to): (usize, usize)) -> Option<&'q GradeAt> {
    let part = Span::new(from, to);
    let of = |degree: Degree| {
        let mut found = words.question.grades.iter().filter(move |found| found.grade.degree == degree);
        found.find(|found| part.contains(found.span))
    };
    let compared = || words.question.cues.iter().any(|found| found.cue == Cue::Than);
    of(Degree::Superlative).or_else(|| of(Degree::Comparative).filter(|_| !compared()))
}

/// The words that choose one of a group, with a comparative replaced by a superlative: of two, the bigger is the biggest.
fn best_of(words: &Words<'_>, found: &GradeAt, (from, to): (usize, usize)) -> Option<String> {
    if found.grade.degree == Degree::Superlative {
        return Some(words.text(from, to).to_owned());
    }
    let [word] = words.question.words_of(found.span) else { return None };
    let best = words.question.language.superlative(&word.folded, &found.grade)?;
    let (at, after) = (usize::from(found.span.from), usize::from(found.span.to));
    Some([words.text(from, at), &best, words.text(after, to)].join(" ").trim().to_owned())
}

/// "Only the biggest", "Only those from Arlen".
fn narrowed(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    let from = words.back(0, Anaphor::Only)?;
    let to = words.end(from);
    if from >= to || words.asks(from, to) {
        return None;
    }
    // "only the biggest": the article may have been included in the phrase.
    let word = words.text(0, from);
    match graded(words, (from, to)).and_then(|graded| best_of(words, graded, (from, to))) {
        Some(best) => composed(pair, "group_best", (word, &best), group, GroupScope::Considered),
        None => composed(pair, "group_only", (word, words.text(from, to)), group, GroupScope::Found),
    }
}

/// "Sort them by date".
fn sorted(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    let from = words.back(0, Anaphor::Sort)?;
    let to = words.end(from);
    (from < to && !words.asks(from, to)).then(|| {
        composed(pair, "group_sorted", (words.text(0, from), words.text(from, to)), group, GroupScope::Found)
    })?
}

/// "And the smallest?", "the longest one": among those that the last one was chosen from.
fn best(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    let from = words.back(0, Anaphor::Lead).unwrap_or(0);
    let to = words.end(from);
    let is_last = |at: &usize| words.back(*at, Anaphor::Ones).is_some_and(|length| at + length == to);
    let to = (from + 1..to).find(is_last).unwrap_or(to);
    let graded = graded(words, (from, to))?;
    let best = best_of(words, graded, (from, to))?;
    let says = |at: usize| words.kind(at) >= Some(WordKind::Noun);
    let more = (from..to).any(|at| says(at) && !u16::try_from(at).is_ok_and(|at| graded.span.has(at)));
    (!more && !words.asks(from, to))
        .then(|| composed(pair, "group_best", (words.text(0, from), &best), group, GroupScope::Considered))?
}

/// "Show them on a map", "Who made them?"
fn pronoun(pair: Pair<'_>, words: &Words<'_>, group: &PastGroup) -> Option<Followed> {
    // A single thing is referred to by its name instead.
    if pair.past.whole && pair.past.things.len() == 1 {
        return None;
    }
    let (at, length) = (0..words.len()).find_map(|at| {
        let length = words.back(at, Anaphor::Them).filter(|_| super::refer::is_free(words, at))?;
        // "Those mills" is a determiner with its noun.
        let pointed = words.kind(at + length) == Some(WordKind::Noun) && length == 1;
        (!pointed).then_some((at, length))
    })?;
    let template = tongue(pair).follow_phrase("group_them")?;
    let text = template.fill(&[("class", &group.one), ("classes", &group.many)]);
    let to = super::view(words).map_or(words.len(), |(from, _)| from).max(at + length);
    let text = format!("{} {text} {}", words.text(0, at), words.text(at + length, to));
    Some(followed(pair, words.text(at, at + length), asked(&text, pair.question), group, GroupScope::Found))
}

fn composed(
    pair: Pair<'_>,
    key: &str,
    (word, rest): (&str, &str),
    group: &PastGroup,
    scope: GroupScope,
) -> Option<Followed> {
    let template = pair.question.language.follow_phrase(key).or_else(|| tongue(pair).follow_phrase(key))?;
    let text = template.fill(&[("class", &group.one), ("classes", &group.many), ("rest", rest)]);
    Some(followed(pair, word, asked(&text, pair.question), group, scope))
}

fn followed(pair: Pair<'_>, word: &str, text: String, group: &PastGroup, scope: GroupScope) -> Followed {
    let last = bare(pair.past.question);
    let count = group.count.map(|count| count.to_string());
    let key = if count.is_some() { "taken_group" } else { "taken_things" };
    let many = if group.count == Some(1) { &group.one } else { &group.many };
    let values =
        [("word", word), ("n", count.as_deref().unwrap_or_default()), ("classes", many), ("last", last)];
    Followed {
        text,
        taken_over: vec![super::told(pair, key, &values)],
        within: Some(scope),
        rests_on: RestsOn::Answer,
    }
}
