//! Presents the answer: rows with labels, the reason if there are none, and a sentence, by a model if there is one.

use super::article::Told;
use super::ask::{Ask, Wanted};
use super::model_words::told_by_model;
use super::pipeline::{Pipeline, QuestionContext};
use super::richer::richer;
use super::run::AnswerPage;
use super::run_handle::Event;
use super::types::Answered;
use super::{emptiness, shown};
use crate::llm::ChatModel;
use crate::trace::{StopReason, Trace};
use eruca_api::{AnswerStyle, Citation, Words};
use eruca_dataset::Dataset;
use eruca_language::language;
use eruca_planner::follow::Again;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{Answer, CheckedQuery, Results};
use eruca_verbalize::why::why;
use eruca_verbalize::words::{AnswerContext, Orientation, claims, plain, sentence, with_citations};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for a model to verbalize the answer; after that, the plain sentence is used.
const WORDS_TIME: Duration = Duration::from_secs(20);
/// Time limit for explaining a row.
const WHY_TIME: Duration = Duration::from_secs(5);
/// Time limit for looking up what supports the sentences of an answer.
pub(super) const CLAIMS_TIME: Duration = Duration::from_secs(5);

/// An answer to be verbalized.
struct Verbalization<'a> {
    pipeline: &'a Pipeline,
    context: &'a QuestionContext,
    dataset: &'a Arc<Dataset>,
    /// The question, set to the language of the answer.
    question: ParsedQuestion,
    /// The query that produces the rows, and its result.
    query: &'a CheckedQuery,
    answer: &'a Arc<Answer>,
    rows: &'a AnswerPage,
    /// Number of columns that the final query does not have.
    added: usize,
    /// Why there are no rows.
    empty: Option<&'a str>,
}

impl Pipeline {
    /// Emits the rows of the final query, or why there are none, and the verbalized answer.
    pub(super) async fn verbalize(
        &self,
        context: &QuestionContext,
        dataset: &Arc<Dataset>,
        (query, answer): (CheckedQuery, Arc<Answer>),
        answered: &mut Answered,
    ) {
        let time = context.time;
        let more = richer(dataset, &query, &answer, time.left()).await;
        if let Some((more, _)) = &more {
            self.handle.amend(|run| run.rows_query = Some(more.text().to_owned()));
        }
        let columns = columns(&answer);
        let is_empty = answer.is_empty() && answered.trace.not_in_graph.is_none();
        let mut empty = None;
        let (from, found) = more.as_ref().map_or((&query, &answer), |(query, answer)| (query, answer));
        let rows = shown::rows(dataset, from, found).await;
        self.handle.push(Event::Rows(rows.clone()));
        if is_empty {
            let why = emptiness::explain(dataset, &query, self.service.limits.features, time.left()).await;
            empty = Some(why.reason.clone());
            self.handle.amend(|run| run.empty = Some(why));
        }
        if self.ask.wanted < Wanted::Words {
            return;
        }
        let verbalization = Verbalization {
            pipeline: self,
            context,
            dataset,
            question: in_language(&context.parsed, &context.reading.lang),
            query: from,
            answer: found,
            rows: &rows,
            added: rows.columns.len().saturating_sub(columns),
            empty: empty.as_deref(),
        };
        verbalization.tell(answered).await;
    }
}

impl Verbalization<'_> {
    /// Emits the verbalized answer, and then looks up what supports its sentences, if that is wanted.
    async fn tell(&self, answered: &mut Answered) {
        let Self { pipeline, context, dataset, question, .. } = self;
        if matches!(context.again, Some((_, Again::Why)))
            && let Some(why) = self.reasons().await
        {
            let words = with_citations(plain(why, question), &answered.trace.citations, question);
            return pipeline.handle.push(Event::Answer(words));
        }
        let trace = answered.trace.clone();
        let orientation = pipeline.service.orientation(dataset, question, &answered.trace).await;
        // What else can be asked is of no use to somebody whom a text answers.
        let orientation = orientation.filter(|_| answered.trace.citations.is_empty());
        let said = self.said(&trace, orientation.as_ref());
        let words = self.words(&said, answered).await;
        let cited = with_citations(words.clone(), &answered.trace.citations, question);
        pipeline.handle.push(Event::Answer(cited));
        self.support(&said, &words, &answered.trace.citations).await;
    }

    /// Looks up what supports the sentences, and makes the article, if these are wanted.
    async fn support(&self, said: &AnswerContext<'_>, words: &Words, citations: &[Citation]) {
        let Ask { wanted, style, .. } = self.pipeline.ask;
        if wanted < Wanted::Claims && style == AnswerStyle::Short {
            return;
        }
        // Texts beside the graph are quoted, and support themselves.
        let sentences = claims(said, words, self.context.time.left().min(CLAIMS_TIME)).await;
        if wanted >= Wanted::Claims {
            let found = sentences.iter().map(|sentence| sentence.claim.clone()).collect();
            self.pipeline.handle.amend(|run| run.claims = found);
        }
        if style == AnswerStyle::Article {
            let (answer, deadline) = (self.answer, self.context.time.deadline);
            let article = Told { said, answer, words, sentences, citations, deadline }.article().await;
            self.pipeline.handle.amend(|run| run.article = article);
        }
    }

    fn said<'s>(&'s self, trace: &'s Trace, orientation: Option<&'s Orientation>) -> AnswerContext<'s> {
        AnswerContext {
            dataset: self.dataset,
            question: &self.question,
            query: self.query,
            answer: self.answer,
            insight: trace.insight.as_ref(),
            absence: trace.not_in_graph.as_deref(),
            computed: trace.computed.as_ref(),
            labels: &self.rows.labels,
            empty: self.empty,
            orientation,
            unit: match self.context.again.as_ref().map(|(_, how)| how) {
                Some(Again::Unit(unit)) => Some(*unit),
                Some(Again::Why | Again::View) | None => None,
            },
            added: self.added,
            columns: self.rows.columns.as_slice(),
        }
    }

    /// The verbalized answer: by a model, if there is one and it succeeds, otherwise the plain sentence.
    async fn words(&self, said: &AnswerContext<'_>, answered: &mut Answered) -> Words {
        // No model is called if it has just failed permanently, or if everything has already been said.
        let done = answered.trace.stop == StopReason::ModelFailed
            || said.absence.is_some()
            || said.orientation.is_some();
        match self.pipeline.service.model.as_ref().filter(|_| !done) {
            Some(model) => self.told_by(model.as_ref(), said, answered).await,
            None => sentence(said),
        }
    }

    /// A model's text, or the plain sentence if it fails.
    async fn told_by(
        &self,
        model: &dyn ChatModel,
        said: &AnswerContext<'_>,
        answered: &mut Answered,
    ) -> Words {
        let (pipeline, trace) = (self.pipeline, &mut answered.trace);
        let until = self.context.time.deadline.min(Instant::now() + WORDS_TIME);
        let mut tokens = |piece: &str| pipeline.handle.push(Event::Token(piece.to_owned()));
        match told_by_model(said, model, &mut tokens, until).await {
            Ok((words, usage)) => {
                trace.model_calls += 1;
                trace.usage += usage;
                trace.cost = pipeline.service.limits.prices.map(|prices| prices.cost(&trace.usage));
                pipeline.handle.amend(|run| run.trace = Some(trace.clone()));
                words
            }
            Err(error) => {
                tracing::debug!(%error, "the model could not phrase the answer; fixed phrases are used");
                sentence(said)
            }
        }
    }

    /// Why the first row is in the answer.
    async fn reasons(&self) -> Option<String> {
        let left = self.context.time.left().min(WHY_TIME);
        why(self.dataset, self.query, self.answer, 0, left).await.ok().map(|why| why.text)
    }
}

/// Number of columns before any are added; `usize::MAX` if columns cannot be added.
fn columns(answer: &Answer) -> usize {
    match &answer.results {
        Results::Solutions(found) => found.variables.len(),
        Results::Boolean(_) | Results::Graph(_) => usize::MAX,
    }
}

/// The question with a different answer language, if that language is known.
pub(super) fn in_language(parsed: &ParsedQuestion, lang: &str) -> ParsedQuestion {
    let language = language(lang).unwrap_or(parsed.language);
    ParsedQuestion { language, ..parsed.clone() }
}
