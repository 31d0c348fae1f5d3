//! Answers of verified questions: the question has the same words as one that a person has checked, so that its query is run, and
//! neither model nor planner asked. Where that query no longer runs, the question is answered as any other.

use super::attempt::Attempt;
use super::pipeline::{Pipeline, QuestionContext};
use super::types::{Answered, ServiceError};
use crate::trace::{AnsweredBy, Insight, Recorder, StopReason};
use eruca_api::Verified;
use eruca_dataset::RunQuery;
use eruca_knowledge::questions::{VerifiedQuestion, outcome};
use eruca_language::Language;
use eruca_sparql::{Answer, one_line};
use std::sync::Arc;

/// The probability that a verified question is answered rightly, and that it is if its query suddenly finds nothing. Set by hand:
/// a person has looked.
const VERIFIED: f32 = 0.98;
const FOUND_NOTHING: f32 = 0.7;
/// Maximum length, in characters, of names of people in sentences.
const MAX_NAME: usize = 100;

impl Pipeline {
    /// Whether the question is a verified one, whose answer is not taken from a cache: its entry may have changed since.
    pub(super) fn is_verified(&self, context: &QuestionContext) -> bool {
        self.verified(context).is_some()
    }

    /// The verified question with the same words.
    fn verified(&self, context: &QuestionContext) -> Option<VerifiedQuestion> {
        // A question that rests on earlier ones is another one, whatever its words.
        if self.dataset.is_several() || !context.among.is_all() || context.again.is_some() {
            return None;
        }
        self.dataset.questions().now().exact(&context.question.text).cloned()
    }

    /// The answer by the query of a verified question; `None` if the question is none, or its query does not run.
    pub(super) async fn by_verified(
        &self,
        context: &QuestionContext,
        recorder: &Recorder<'_>,
    ) -> Option<Result<Answered, ServiceError>> {
        let question = &self.verified(context)?;
        let dataset = Arc::new(self.dataset.asked(&context.parsed));
        let query = dataset.check(&question.query);
        let query = query.inspect_err(|error| recorder.note(unusable(question, error))).ok()?;
        let run = dataset.run(&query, context.time.left()).await;
        let answer = run.inspect_err(|error| recorder.note(unusable(question, error))).ok()?;
        let verified = told(question, &answer, context.parsed.language);
        recorder.note(format!("the question is verified; {}", one_line(&verified.text, MAX_NAME * 2)));
        let insight = insight(question, &answer, &context.question.text);
        let mut attempt = Attempt::new(self.service.degraded());
        (attempt.by, attempt.stop) = (AnsweredBy::Verified, StopReason::Verified);
        attempt.best = Some(RunQuery::new(query, Ok(answer)));
        (attempt.insight, attempt.verified) = (Some(insight), Some(verified));
        Some(self.service.conclude(&dataset, attempt, Vec::new(), recorder))
    }
}

fn insight(question: &VerifiedQuestion, answer: &Answer, asked: &str) -> Insight {
    let had_rows = question.outcome.as_ref().is_some_and(|known| known.rows > 0);
    let lost = answer.is_empty() && had_rows;
    let probability = if lost { FOUND_NOTHING } else { VERIFIED };
    Insight { reading: one_line(asked, usize::MAX), ..Insight::of(probability) }
}

fn told(question: &VerifiedQuestion, answer: &Answer, language: &Language) -> Verified {
    let (by, at) = (one_line(&question.by, MAX_NAME), one_line(&question.at, MAX_NAME));
    let language = if language.is_unknown() { eruca_language::fallback() } else { language };
    let text = language.say("say", "verified", &[("by", &by), ("at", &at)]).into_owned();
    let changed = question.outcome.as_ref().is_some_and(|known| known.differs_from(&outcome(answer)));
    let comment = question.comment.clone();
    Verified { question: question.question.clone(), by, at, comment, replaced: Vec::new(), changed, text }
}

fn unusable(question: &VerifiedQuestion, error: &dyn std::fmt::Display) -> String {
    format!(
        "the query of the verified question '{}' cannot be used: {error}",
        one_line(&question.question, MAX_NAME * 2)
    )
}
