//! Gradable adjectives and the words that form their degrees: "longest", "most expensive", "least expensive".

use super::{CueAt, GradeAt, ParsedQuestion, Span, quotes};
use eruca_language::{Cue, Degree, Grade};

/// Maximum distance between an adjective and "than" for a comparative.
const THAN_NEAR: u16 = 3;

/// The graded adjectives of a question, in order.
pub(super) fn find(question: &ParsedQuestion) -> Vec<GradeAt> {
    let found = (0..question.len()).filter(|at| !quotes::holds(question, *at));
    let mut found: Vec<GradeAt> = found.filter_map(|at| grade_at(question, at)).collect();
    // "How much is the cake?" means "how expensive".
    let priced = question.cues.iter().filter(|found| found.cue == Cue::Price && found.span.from == 0);
    let price = question.language.price();
    found.extend(priced.filter_map(|cue| Some(GradeAt { span: cue.span, grade: price?.clone() })));
    found.sort_by_key(|found| found.span);
    found
}

/// In languages that need no word for "than", a name or number in a certain case directly follows the comparative: "длиннее
/// Волги". Inserts a "than" cue without words between them.
pub(super) fn set_against_next(question: &mut ParsedQuestion) {
    if !question.language.compares_without_than() {
        return;
    }
    let numbers = question.numerals.iter().map(|found| found.span);
    let numbers: Vec<u16> =
        numbers.chain(question.periods.iter().map(|found| found.span)).map(|span| span.from).collect();
    let named = |at: u16| {
        let next = question.word(at).filter(|next| next.broken.is_none());
        let quoted = quotes::holds(question, usize::from(at));
        next.is_some_and(|next| next.capital || quoted || numbers.contains(&at))
    };
    let comparatives = question.grades.iter().filter(|found| found.grade.degree == Degree::Comparative);
    let ends = comparatives.map(|found| found.span.to).filter(|at| named(*at));
    let thans: Vec<CueAt> =
        ends.map(|at| CueAt { span: Span { from: at, to: at }, cue: Cue::Than }).collect();
    question.cues.extend(thans);
    question.cues.sort_by_key(|found| (found.span.from, std::cmp::Reverse(found.span.len())));
}

fn grade_at(question: &ParsedQuestion, at: usize) -> Option<GradeAt> {
    let (grade, here) = [2, 1].into_iter().find_map(|length| {
        let here = Span::new(at, at + length);
        let grade = question.language.grade(question.text_of(here)).filter(|_| here.len() == length)?;
        Some((grade, here))
    })?;
    let measures = !grade.nouns.is_empty() || !grade.reversed.is_empty();
    if !measures || is_name(question, at, grade) {
        return None;
    }
    let raised = (grade.degree == Degree::Positive).then(|| raised(question, grade, here)).flatten();
    Some(raised.unwrap_or_else(|| GradeAt { span: here, grade: settled(question, grade, here) }))
}

/// "New York"; and in languages with capitalized nouns, "Alter" is the noun "age".
fn is_name(question: &ParsedQuestion, at: usize, grade: &Grade) -> bool {
    let Some(word) = question.words.get(at) else { return false };
    let noun = question.language.has_noun_capitals() && word.raw.starts_with(char::is_uppercase);
    word.capital || (noun && at > 0 && grade.degree != Degree::Superlative)
}

/// The adjective with a preceding word that forms its degree.
fn raised(question: &ParsedQuestion, grade: &Grade, here: Span) -> Option<GradeAt> {
    let before = question.cues.iter().filter(|found| found.span.to == here.from && raises(found.cue));
    let longest = before.max_by_key(|found| found.span.len())?;
    let span = longest.span.join(here);
    if question.is_broken(span) {
        return None;
    }
    let said = |cue: Cue| question.cues.contains(&CueAt { span: longest.span, cue });
    let compared = said(Cue::More) || said(Cue::Fewer);
    let highest = said(Cue::Most) || said(Cue::Fewest);
    // Languages with one word for both degrees distinguish them by what follows.
    let degree = match (compared, highest) {
        (true, true) if compares(question, here) => Degree::Comparative,
        (_, true) => Degree::Superlative,
        // "la deuxième plus grande ville"
        _ if question.ordinals.iter().any(|ordinal| ordinal.span.to == span.from) => Degree::Superlative,
        _ => Degree::Comparative,
    };
    let grade = grade.in_degree(degree);
    let down = said(Cue::Fewer) || said(Cue::Fewest);
    Some(GradeAt { span, grade: if down { grade.turned() } else { grade } })
}

fn raises(cue: Cue) -> bool {
    matches!(cue, Cue::Most | Cue::Fewest | Cue::More | Cue::Fewer)
}

/// A form that is ambiguous between comparative and superlative, resolved in context.
fn settled(question: &ParsedQuestion, grade: &Grade, here: Span) -> Grade {
    let either = question.language.is_either_degree(question.text_of(here));
    match either && compares(question, here) {
        true => grade.in_degree(Degree::Comparative),
        false => grade.clone(),
    }
}

/// Whether "than" follows nearby, or two names to choose from: "¿Quién es más alto, Ana o Luis?"
fn compares(question: &ParsedQuestion, here: Span) -> bool {
    let near = here.to..here.to.saturating_add(THAN_NEAR);
    let chooses = |found: &CueAt| {
        found.span.from > here.to && question.word(found.span.to).is_some_and(|word| word.capital)
    };
    question.cues.iter().any(|found| match found.cue {
        Cue::Than => near.contains(&found.span.from) && sets_against(question, found.span),
        Cue::Or => chooses(found),
        _ => false,
    })
}

/// "La montagna più alta della regione": a "than" that also means "of" only compares with names, numbers and aggregates.
fn sets_against(question: &ParsedQuestion, than: Span) -> bool {
    let computed = |found: &CueAt| {
        let all = [Cue::Average, Cue::Maximum, Cue::Minimum, Cue::Sum, Cue::Other, Cue::All, Cue::Each];
        found.span.from >= than.to && all.contains(&found.cue)
    };
    question.role_at(than.from).is_none()
        || (than.to..question.len() as u16).any(|at| question.word(at).is_some_and(|word| word.capital))
        || question.numerals.iter().any(|numeral| numeral.span.from >= than.to)
        || question.cues.iter().any(computed)
}
