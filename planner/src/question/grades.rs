//! Adjectives that compare, and the words that raise them: "longest", "most expensive", "least expensive".

use super::{CueAt, GradeAt, Question, Span, quotes};
use eruca_indexer::language::{Cue, Degree, Grade};

/// Words behind an adjective among which "than" makes it a comparative.
const THAN_NEAR: usize = 3;

/// The graded adjectives of a question, in order.
pub(super) fn find(question: &Question) -> Vec<GradeAt> {
    let found = (0..question.len()).filter(|at| !quotes::holds(question, *at));
    found.filter_map(|at| grade_at(question, at)).collect()
}

fn grade_at(question: &Question, at: usize) -> Option<GradeAt> {
    let word = question.words.get(at)?;
    let grade = question.language.grade(&word.raw)?;
    // Where nouns have capitals, "Alter" is the age.
    let capital = word.raw.starts_with(char::is_uppercase) && at > 0 && question.language.has_noun_capitals();
    if capital && grade.degree != Degree::Superlative {
        return None;
    }
    let here = Span::new(at, at + 1);
    let raised = (grade.degree == Degree::Positive).then(|| raised(question, grade, here)).flatten();
    Some(raised.unwrap_or_else(|| GradeAt { span: here, grade: grade.clone() }))
}

/// The adjective with the word before it that raises it.
fn raised(question: &Question, grade: &Grade, here: Span) -> Option<GradeAt> {
    let before = question.cues.iter().filter(|found| found.span.to == here.from && raises(found.cue));
    let longest = before.max_by_key(|found| found.span.len())?;
    let span = longest.span.join(here);
    if question.is_broken(span) {
        return None;
    }
    let said = |cue: Cue| question.cues.contains(&CueAt { span: longest.span, cue });
    let compared = said(Cue::More) || said(Cue::Fewer);
    let highest = said(Cue::Most) || said(Cue::Fewest);
    // Languages with one word for both tell them apart by what follows.
    let degree = match (compared, highest) {
        (true, true) if than_follows(question, here) => Degree::Comparative,
        (_, true) => Degree::Superlative,
        _ => Degree::Comparative,
    };
    let grade = grade.in_degree(degree);
    let down = said(Cue::Fewer) || said(Cue::Fewest);
    Some(GradeAt { span, grade: if down { grade.turned() } else { grade } })
}

fn raises(cue: Cue) -> bool {
    matches!(cue, Cue::Most | Cue::Fewest | Cue::More | Cue::Fewer)
}

fn than_follows(question: &Question, here: Span) -> bool {
    let near = usize::from(here.to)..usize::from(here.to) + THAN_NEAR;
    question.cues.iter().any(|found| found.cue == Cue::Than && near.contains(&usize::from(found.span.from)))
}
