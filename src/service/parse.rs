//! Turns the input into a standalone question: parsed, in its language, with what it takes over from earlier
//! questions.

use super::ask::Ask;
use super::evidence::said;
use super::follow::{Among, StandAlone, earlier, left_open, stand_alone};
use super::pipeline::{Pipeline, QuestionContext};
use super::run_handle::Event;
use super::types::{Question, ServiceError};
use crate::trace::{Insight, Observer, Step, StepKind};
use eruca_api::{Confidence, Reading};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_planner::follow::dangling;
use eruca_planner::question::ParsedQuestion;
use std::sync::Arc;
use std::time::Duration;

/// Upper bound on the probability if a pronoun cannot be resolved.
const DANGLING: f32 = 0.3;

impl Pipeline {
    /// The question with everything its answer depends on. A question that takes over something from earlier ones is
    /// rewritten and parsed again.
    pub(super) fn context(&self) -> Result<QuestionContext, ServiceError> {
        let Self { service, dataset, ask, handle, left_out } = self;
        let has_model = service.model.is_some();
        let parsed = parse_for(dataset, ask, &ask.question.text);
        let found = stand_alone(dataset, &ask.history, &parsed)?;
        let follows = match &found {
            Some(found) => found.follows.clone(),
            None if has_model => left_open(&ask.history, &parsed),
            None => Vec::new(),
        };
        handle.amend(|run| run.follows = follows);
        // A model sees the earlier queries and resolves "them" itself.
        let found = found.filter(|found| found.among.is_all() || !has_model);
        let (text, taken_over, among, again, at_most) = match found {
            Some(StandAlone { text, taken_over, follows: _, among, again, at_most }) => {
                (Some(text), taken_over, among, again, at_most)
            }
            None => (None, Vec::new(), Among::default(), None, None),
        };
        let parsed = match &text {
            Some(text) => parse_for(dataset, ask, text),
            None => parsed,
        };
        let parsed = Arc::new(parsed);
        let reading = self.begin_reading(&parsed, text, taken_over);
        let question = Question { text: reading.asked.clone(), ..ask.question.clone() };
        service.within_bounds(&question)?;
        // Only a model uses the earlier questions.
        let earlier = if has_model { earlier(&ask.history) } else { Vec::new() };
        let (time, prefers) = (service.time_of(ask), ask.prefers.clone());
        let left_out = left_out.clone();
        Ok(QuestionContext {
            question,
            parsed,
            reading,
            earlier,
            among,
            again,
            at_most,
            prefers,
            has_meanings: !ask.meanings.is_empty(),
            time,
            left_out,
        })
    }

    /// Emits the question as understood so far.
    fn begin_reading(
        &self,
        parsed: &ParsedQuestion,
        text: Option<String>,
        taken_over: Vec<String>,
    ) -> Reading {
        let asked = text.unwrap_or_else(|| self.ask.question.text.clone());
        let lang = answer_language(&self.dataset, &self.ask, parsed);
        let reading = Reading { lang, asked, taken_over, ..Reading::default() };
        self.handle.push(Event::Reading(reading.clone()));
        if !reading.taken_over.is_empty() {
            let note = format!("understood as '{}': {}", reading.asked, reading.taken_over.join("; "));
            let kind = StepKind::Controller { note };
            self.handle.step(&Step { at: Duration::ZERO, elapsed: Duration::ZERO, kind });
        }
        reading
    }
}

impl QuestionContext {
    /// Lowers the confidence of an answer if a reference in the question is unresolved, or if it relies on an earlier
    /// answer.
    pub(super) fn lower_confidence(&self, insight: &mut Insight) {
        let known = |word: &String| insight.unused.contains(word);
        // The unresolved pronoun has a referent that the query ignores, so it counts as unused.
        if let Some(pronoun) = dangling(&self.parsed).filter(|word| !known(word)) {
            insight.unused.push(pronoun);
            insight.lower(DANGLING);
        }
        // An answer about the entities of an earlier answer can only be right if that one was.
        let Some(at_most) = self.at_most.filter(|at_most| *at_most < insight.probability) else { return };
        insight.lower(at_most);
        if insight.confidence != Confidence::Sure {
            insight.doubts.push(said("earlier", String::new(), self.parsed.language));
        }
    }
}

/// Parses a question. If its language cannot be detected, the reader's language is used, or in a conversation that of
/// the previous question.
pub(super) fn parse_for(dataset: &Dataset, ask: &Ask, text: &str) -> ParsedQuestion {
    let last = || ask.history.last().map(|last| dataset.read(&last.question).language);
    let spoken = || last().filter(|language| !language.is_unknown()).map(Language::tag);
    match ask.reader.as_deref().or_else(spoken) {
        Some(reader) => dataset.for_language(reader).read(text),
        None => dataset.read(text),
    }
}

/// The language in which the user is answered.
pub(super) fn answer_language(dataset: &Dataset, ask: &Ask, parsed: &ParsedQuestion) -> String {
    let own = || Some(parsed.language).filter(|language| !language.is_unknown());
    let preferred = || dataset.languages.first().cloned().unwrap_or_else(|| "en".to_owned());
    let spoken = || own().map_or_else(preferred, |language| language.tag().to_owned());
    ask.lang.clone().unwrap_or_else(spoken)
}
