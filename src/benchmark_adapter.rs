//! The service as benchmarks see it: the seam of `eruca-eval`, filled. Of `http` this uses the form in which
//! evaluation platforms exchange results, and nothing else.

mod grounder;
mod known;
mod spans;

use crate::http::dto::SparqlJsonDto;
use crate::service::link::{Linking, MAX_TEXT_CHARS, MAX_TEXTS};
use crate::service::{self, Baseline, BaselineAnswer, BaselineReply, Question, Service, ServiceError};
use crate::trace::{Silent, StepKind, Trace};
use async_trait::async_trait;
use eruca_api::{LinkText, Linked, LiteralKind, LiteralValue, Results};
use eruca_eval::record::RunFigures;
use eruca_eval::{LinkedText, MemberKind, Said, System, SystemAnswer, Unanswered, WrittenValue};
use eruca_sparql::{Answer, Limits, QueryError};
use serde_json::{Value, json};
use std::sync::Arc;

/// The service under a benchmark; it must have room for as many questions as are asked at once.
pub struct BenchmarkAdapter(pub Arc<Service>);

#[async_trait]
impl System for BenchmarkAdapter {
    async fn answer(&self, dataset: &str, question: &str) -> Result<SystemAnswer, Unanswered> {
        let question = Question { dataset: dataset.to_owned(), text: question.to_owned() };
        let answered = self.0.answer(&question, &Silent).await.map_err(unanswered)?;
        let service::Answered { query, trace, conversation, .. } = Arc::unwrap_or_clone(answered);
        let (figures, trace) = figures_and_trace(trace);
        Ok(SystemAnswer { said: Said::Query(query), figures, trace, conversation })
    }

    async fn query(&self, dataset: &str, query: &str, limits: Limits) -> Option<Result<Answer, QueryError>> {
        let dataset = self.0.dataset(dataset)?;
        Some(match dataset.check(query) {
            Ok(checked) => dataset.endpoint.query(&checked, limits).await,
            Err(error) => Err(error),
        })
    }

    async fn link(&self, dataset: &str, texts: &[String]) -> Result<Vec<LinkedText>, String> {
        let mut linked = Vec::with_capacity(texts.len());
        for some in texts.chunks(MAX_TEXTS) {
            // A text longer than any name is looked up as far as names go.
            let texts = some.iter().map(|text| text.chars().take(MAX_TEXT_CHARS).collect());
            let texts = texts.map(|text| LinkText { text, class: None }).collect();
            let linking = Linking { dataset: dataset.to_owned(), texts, lang: None, limit: 1 };
            linked.extend(self.0.link(linking).await.map_err(|error| error.to_string())?);
        }
        Ok(linked.into_iter().map(linked_text).collect())
    }

    async fn labels(&self, dataset: &str, iris: &[&str]) -> Vec<(String, Vec<String>)> {
        match self.0.dataset(dataset) {
            Some(dataset) => dataset.labels_of(iris).await,
            None => Vec::new(),
        }
    }

    fn shown(&self, answer: &Answer) -> Value {
        json!(Results::from(answer))
    }

    fn exported(&self, answer: &Answer) -> Value {
        json!(SparqlJsonDto::from(answer))
    }
}

/// The same service, asked without the agent.
pub struct BaselineAdapter {
    /// The service, which has a chat model.
    pub adapter: BenchmarkAdapter,
    /// The way of asking.
    pub baseline: Baseline,
}

#[async_trait]
impl System for BaselineAdapter {
    async fn answer(&self, dataset: &str, question: &str) -> Result<SystemAnswer, Unanswered> {
        let question = Question { dataset: dataset.to_owned(), text: question.to_owned() };
        let answered = self.adapter.0.baseline(self.baseline, &question).await;
        let answered = answered.map_err(|error| Unanswered { reason: error.to_string(), trace: None })?;
        Ok(baseline_answer(self.baseline, answered))
    }

    async fn query(&self, dataset: &str, query: &str, limits: Limits) -> Option<Result<Answer, QueryError>> {
        self.adapter.query(dataset, query, limits).await
    }

    async fn link(&self, dataset: &str, texts: &[String]) -> Result<Vec<LinkedText>, String> {
        self.adapter.link(dataset, texts).await
    }

    async fn labels(&self, dataset: &str, iris: &[&str]) -> Vec<(String, Vec<String>)> {
        self.adapter.labels(dataset, iris).await
    }

    fn shown(&self, answer: &Answer) -> Value {
        self.adapter.shown(answer)
    }

    fn exported(&self, answer: &Answer) -> Value {
        self.adapter.exported(answer)
    }
}

fn baseline_answer(baseline: Baseline, answered: BaselineAnswer) -> SystemAnswer {
    let BaselineAnswer { reply, text, model, usage, cost, conversation, elapsed } = answered;
    let answered_by = match baseline {
        Baseline::Model => "model_alone",
        Baseline::Card => "card",
        Baseline::Passages => "passages",
    };
    let figures = RunFigures {
        answered_by: answered_by.to_owned(),
        stop_reason: "answered".to_owned(),
        model: Some(model),
        model_calls: 1,
        steps: 1,
        prompt_tokens: usage.prompt_tokens,
        cached_tokens: usage.cached_tokens,
        completion_tokens: usage.completion_tokens,
        tokens_estimated: usage.estimated,
        cost,
        seconds: elapsed.as_secs_f64(),
        ..RunFigures::default()
    };
    let said = match reply {
        BaselineReply::Query(query) => Said::Query(query),
        BaselineReply::Texts(texts) => Said::Texts(texts),
    };
    let trace = json!({"steps": [{"kind": "model", "thought": text}]});
    SystemAnswer { said, figures, trace, conversation: Some(conversation) }
}

/// The error, with what was done for the question before a fault of Eruca ended the work on it.
fn unanswered(error: ServiceError) -> Unanswered {
    let reason = error.to_string();
    let trace = match error {
        ServiceError::Panicked { reason: _, steps } => Some(json!({ "steps": steps })),
        _ => None,
    };
    Unanswered { reason, trace }
}

fn linked_text(linked: Linked) -> LinkedText {
    let Linked { text, links, literal } = linked;
    let value =
        literal.map(|LiteralValue { kind, value, .. }| WrittenValue { kind: value_kind(kind), value });
    LinkedText { text, iri: links.into_iter().next().map(|link| link.iri), value }
}

fn value_kind(kind: LiteralKind) -> MemberKind {
    match kind {
        LiteralKind::Number => MemberKind::Number,
        LiteralKind::Year => MemberKind::Year,
        LiteralKind::Month => MemberKind::Month,
        LiteralKind::Date => MemberKind::Date,
        LiteralKind::Boolean => MemberKind::Boolean,
    }
}

fn figures_and_trace(trace: Trace) -> (RunFigures, Value) {
    let decisions =
        trace.steps.iter().filter(|step| matches!(step.kind, StepKind::Controller { .. })).count();
    let rewrites = trace.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Rewrite { change } => Some(change.clone()),
        _ => None,
    });
    let rewrites = rewrites.collect();
    let seconds = trace.elapsed.as_secs_f64();
    let insight = trace.insight.as_ref();
    let signs = insight.into_iter().flat_map(|insight| &insight.signs);
    let signs = signs.map(|(name, value)| ((*name).to_owned(), f64::from(*value))).collect();
    let confidence = insight.map(|insight| insight.confidence.name().to_owned());
    let probability = insight.map(|insight| f64::from(insight.probability));
    let figures = RunFigures {
        answered_by: name(json!(trace.answered_by)),
        stop_reason: name(json!(trace.stop)),
        model: trace.model.clone(),
        confidence,
        probability,
        signs,
        model_calls: trace.model_calls,
        steps: trace.steps.len(),
        rewrites,
        decisions,
        prompt_tokens: trace.usage.prompt_tokens,
        cached_tokens: trace.usage.cached_tokens,
        completion_tokens: trace.usage.completion_tokens,
        tokens_estimated: trace.usage.estimated,
        cost: trace.cost,
        seconds,
    };
    (figures, json!(trace))
}

/// The name that a value without fields has on the wire.
fn name(value: Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
