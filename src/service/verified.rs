//! Answers of verified questions: the question has the same words as one that a person has checked, so that its query is run, and
//! neither model nor planner asked. With another name in the place of a parameter, the query is asked about the only thing of the
//! same class with that name; nobody has checked that, so that such an answer is never sure. Where a query no longer runs, the
//! question is answered as any other.

use super::attempt::Attempt;
use super::pipeline::{Pipeline, QuestionContext};
use super::types::{Answered, ServiceError};
use crate::cpu_pool::CpuPool;
use crate::trace::{AnsweredBy, Insight, Recorder, StopReason};
use eruca_api::{ReplacedName, Verified};
use eruca_dataset::{Dataset, RunQuery};
use eruca_knowledge::questions::{Parameter, VerifiedQuestion, outcome};
use eruca_language::Language;
use eruca_sparql::{Answer, CheckedQuery, Prefixes, Term, one_line};
use std::sync::Arc;

/// The probability that a verified question is answered rightly, and that it is if its query suddenly finds nothing. Set by hand:
/// a person has looked.
const VERIFIED: f32 = 0.98;
const FOUND_NOTHING: f32 = 0.7;
/// The probability with another name.
const OTHER_NAME: f32 = 0.8;
/// Maximum length, in characters, of names of people in sentences.
const MAX_NAME: usize = 100;

/// A verified question that is asked, with the names that stand in the places of its parameters.
struct Asked {
    question: VerifiedQuestion,
    names: Vec<(Parameter, String)>,
}

/// A query about other things, with what was replaced in it.
type Filled = (CheckedQuery, Vec<ReplacedName>);

impl Pipeline {
    /// Whether the question is a verified one, whose answer is not taken from a cache: its entry may have changed since.
    pub(super) fn is_verified(&self, context: &QuestionContext) -> bool {
        self.verified(context).is_some()
    }

    /// The verified question with the same words, or else with other names.
    fn verified(&self, context: &QuestionContext) -> Option<Asked> {
        // A question that rests on earlier ones is another one, whatever its words.
        if self.dataset.is_several() || !context.among.is_all() || context.again.is_some() {
            return None;
        }
        let (questions, text) = (self.dataset.questions().now(), &context.question.text);
        if let Some(question) = questions.exact(text) {
            return Some(Asked { question: question.clone(), names: Vec::new() });
        }
        let found = questions.filled(text)?;
        let names = found.replaced.into_iter().map(|one| (one.parameter.clone(), one.name)).collect();
        Some(Asked { question: found.question.clone(), names })
    }

    /// The path of the question's page with these names, if it has one.
    fn page(&self, question: &VerifiedQuestion, replaced: &[ReplacedName]) -> Option<String> {
        let slug =
            |verified: &str| question.parameters.iter().find(|one| one.name == verified).map(Parameter::slug);
        let choices: Vec<_> =
            replaced.iter().filter_map(|one| Some((slug(&one.verified)?, one.name.clone()))).collect();
        Some(self.service.path_of(&self.dataset.id, question.name.as_deref()?, &choices))
    }

    /// The answer by the query of a verified question; `None` if the question is none, or its query does not run.
    pub(super) async fn by_verified(
        &self,
        context: &QuestionContext,
        recorder: &Recorder<'_>,
    ) -> Option<Result<Answered, ServiceError>> {
        let Asked { question, names } = self.verified(context)?;
        let dataset = Arc::new(self.dataset.asked(&context.parsed));
        let query = dataset.check(&question.query);
        let query = query.inspect_err(|error| recorder.note(unusable(&question, error))).ok()?;
        let filled = match names.is_empty() {
            true => Some((query, Vec::new())),
            false => filled(&self.service.cpu_pool, &dataset, query, names).await,
        };
        let Some((query, replaced)) = filled else {
            recorder.note(unusable(
                &question,
                &"the other name is not that of exactly one thing of the same class",
            ));
            return None;
        };
        let run = dataset.run(&query, context.time.left()).await;
        let answer = run.inspect_err(|error| recorder.note(unusable(&question, error))).ok()?;
        let insight = insight(&question, &answer, &context.question.text, !replaced.is_empty());
        let page = self.page(&question, &replaced);
        let verified = Verified { page, ..told(&question, replaced, &answer, context.parsed.language) };
        recorder.note(one_line(&verified.text, MAX_NAME * 3));
        let mut attempt = Attempt::new(self.service.degraded());
        (attempt.by, attempt.stop) = (AnsweredBy::Verified, StopReason::Verified);
        attempt.best = Some(RunQuery::new(query, Ok(answer)));
        (attempt.insight, attempt.verified) = (Some(insight), Some(verified));
        Some(self.service.conclude(&dataset, attempt, Vec::new(), recorder))
    }
}

/// The query about the things with these names; `None` if one of them is not found exactly once.
async fn filled(
    cpu_pool: &CpuPool,
    dataset: &Arc<Dataset>,
    query: CheckedQuery,
    names: Vec<(Parameter, String)>,
) -> Option<Filled> {
    let dataset = dataset.clone();
    cpu_pool.at_length(move |_| fill(&dataset, &query, names)).await
}

/// The query with other names in the places of parameters; `None` if one of them is not that of exactly one thing.
pub(super) fn fill(
    dataset: &Dataset,
    query: &CheckedQuery,
    names: Vec<(Parameter, String)>,
) -> Option<Filled> {
    let (mut pairs, mut replaced) = (Vec::new(), Vec::new());
    for (Parameter { name: verified, value, .. }, name) in names {
        let known = dataset.term(&value)?;
        let other = dataset.namesake(&known, &name)?;
        replaced.push(ReplacedName { verified, name, value: shown(&other) });
        pairs.push((known, other));
    }
    let text = query.with_terms(&pairs, &Prefixes::default())?;
    Some((dataset.check(&text).ok()?, replaced))
}

/// An IRI without brackets, or a literal as it is written.
fn shown(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        Term::Literal(_) | Term::BlankNode(_) => term.to_string(),
    }
}

fn insight(question: &VerifiedQuestion, answer: &Answer, asked: &str, is_filled: bool) -> Insight {
    let had_rows = question.outcome.as_ref().is_some_and(|known| known.rows > 0);
    let lost = answer.is_empty() && had_rows;
    let probability = match (is_filled, lost) {
        (false, false) => VERIFIED,
        (true, false) => OTHER_NAME,
        (_, true) => FOUND_NOTHING,
    };
    Insight { reading: one_line(asked, usize::MAX), ..Insight::of(probability) }
}

fn told(
    question: &VerifiedQuestion,
    replaced: Vec<ReplacedName>,
    answer: &Answer,
    language: &Language,
) -> Verified {
    let known = question.outcome.as_ref().filter(|_| replaced.is_empty());
    let changed = known.is_some_and(|known| known.differs_from(&outcome(answer)));
    // Data changes: another result is not wrong, but nobody has looked at it.
    let key = match (replaced.is_empty(), changed) {
        (true, false) => "verified",
        (true, true) => "verified_changed",
        (false, _) => "verified_other",
    };
    Verified { changed, ..said(question, replaced, key, language) }
}

/// What is told of an answer by the query of a question that is only near.
pub(super) fn near_told(
    question: &VerifiedQuestion,
    replaced: Vec<ReplacedName>,
    language: &Language,
) -> Verified {
    Verified { near: true, ..said(question, replaced, "verified_near", language) }
}

fn said(
    question: &VerifiedQuestion,
    replaced: Vec<ReplacedName>,
    key: &str,
    language: &Language,
) -> Verified {
    let (by, at) = (one_line(&question.by, MAX_NAME), one_line(&question.at, MAX_NAME));
    let language = if language.is_unknown() { eruca_language::fallback() } else { language };
    let asked = one_line(&question.question, MAX_NAME * 2);
    let text = language.say("say", key, &[("by", &by), ("at", &at), ("question", &asked)]).into_owned();
    let (question, comment) = (question.question.clone(), question.comment.clone());
    Verified { question, by, at, comment, replaced, near: false, changed: false, page: None, text }
}

fn unusable(question: &VerifiedQuestion, error: &dyn std::fmt::Display) -> String {
    format!(
        "the query of the verified question '{}' cannot be used: {error}",
        one_line(&question.question, MAX_NAME * 2)
    )
}
