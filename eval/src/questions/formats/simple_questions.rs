//! SimpleQuestions over Wikidata: lines of a subject, a property, an object and the question, with tabs between them. A property that
//! begins with R is the inverse of that with P. The query asks for the object, and the object is the stored answer.

use crate::error::EvalError;
use crate::questions::{EvalQuestion, QuestionFile};
use crate::stored::StoredAnswer;
use eruca_sparql::{NamedNode, Prefixes};
use std::path::Path;

/// The parts of a line.
struct Fact<'a> {
    subject: &'a str,
    property: &'a str,
    object: &'a str,
    question: &'a str,
}

pub(super) fn is_simple_questions(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).and_then(fact).is_some()
}

fn fact(line: &str) -> Option<Fact<'_>> {
    let mut parts = line.splitn(4, '\t').map(str::trim);
    let (subject, property, object) = (parts.next()?, parts.next()?, parts.next()?);
    let question = parts.next().filter(|question| !question.is_empty())?;
    let is_whole =
        is_number(subject, &['Q']) && is_number(property, &['P', 'R']) && is_number(object, &['Q']);
    is_whole.then_some(Fact { subject, property, object, question })
}

/// Whether a name is one of these letters with a number.
pub(super) fn is_number(name: &str, letters: &[char]) -> bool {
    let digits = name.strip_prefix(letters).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Ids are the numbers of the lines.
pub(super) fn simple_questions(path: &Path, text: &str) -> Result<QuestionFile, EvalError> {
    let prefixes = Prefixes::well_known();
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || {
            let message = "expected a subject, a property, an object and a question with tabs between them, like Q1 P2 Q3 Who?";
            EvalError::format(path, Some(number), message)
        };
        let fact = fact(line).ok_or_else(wrong)?;
        let object = prefixes.expand(&format!("wd:{}", fact.object)).map(NamedNode::new);
        questions.push(EvalQuestion {
            id: number.to_string(),
            text: fact.question.to_owned(),
            sparql: Some(query(&fact)),
            stored: object.and_then(Result::ok).map(|object| StoredAnswer::column([object.into()])),
            ..EvalQuestion::default()
        });
    }
    Ok(QuestionFile { format: "SimpleQuestions-Wikidata TSV", dataset: None, questions })
}

fn query(Fact { subject, property, .. }: &Fact<'_>) -> String {
    match property.strip_prefix('R') {
        Some(number) => format!("SELECT DISTINCT ?answer WHERE {{ ?answer wdt:P{number} wd:{subject} }}"),
        None => format!("SELECT DISTINCT ?answer WHERE {{ wd:{subject} wdt:{property} ?answer }}"),
    }
}
