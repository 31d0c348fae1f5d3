//! Asks the model without the agent, for benchmarks that show what the agent adds.

use super::{Question, QuestionTime, Service, ServiceError};
use crate::agent::{Baseline, BaselineReply, prompt_without_tools, read_without_tools};
use crate::grounding::Grounding;
use crate::llm::{ChatRequest, Message, ModelError, Usage, conversation};
use crate::tools::short_entry;
use eruca_dataset::Dataset;
use eruca_indexer::texts::TextQuery;
use eruca_sparql::quoted;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Things whose entries are passages, texts that are, and their length in characters.
const THINGS: usize = 5;
const TEXTS: usize = 5;
const PASSAGE_CHARS: usize = 2_000;
/// Candidates of each name that are looked at.
const CANDIDATES: usize = 2;
/// Time for reading an entry.
const ENTRY_TIME: Duration = Duration::from_secs(5);

/// What the model answered, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct BaselineAnswer {
    /// The answer.
    pub reply: BaselineReply,
    /// What the model wrote.
    pub text: String,
    /// The model's name.
    pub model: String,
    /// Tokens spent.
    pub usage: Usage,
    /// What the tokens cost, if the prices are configured.
    pub cost: Option<f64>,
    /// The conversation in the format of OpenAI's API.
    pub conversation: Value,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// Why there is no answer of a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// There is nothing to ask.
    #[error("a baseline needs a chat model; set [llm] in the configuration")]
    NoModel,
    /// The model does not answer.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The dataset cannot be asked.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl Service {
    /// Asks the model once, without tools.
    ///
    /// # Errors
    /// If there is no such dataset, the service is overloaded, or there is no chat model or no reply of it.
    pub async fn baseline(
        self: &Arc<Self>,
        baseline: Baseline,
        question: &Question,
    ) -> Result<BaselineAnswer, BaselineError> {
        let (started, allowed) = (Instant::now(), self.limits.deadline);
        let dataset = self.find(&question.dataset)?;
        let model = self.model.clone().ok_or(BaselineError::NoModel)?;
        let _place = self.queue.enter(allowed).await?;
        let passages = match baseline {
            Baseline::Passages => self.passages(&dataset, &question.text).await?,
            Baseline::Model | Baseline::Card => Vec::new(),
        };
        let graph = (&*dataset, self.limits.budget.card_tokens);
        let messages = prompt_without_tools(baseline, &question.text, graph, &passages);
        let time = allowed.saturating_sub(started.elapsed());
        let mut request = ChatRequest::new(messages, Vec::new(), time);
        let reply = tokio::time::timeout(time, model.complete(&request)).await;
        let completion = reply.unwrap_or(Err(ModelError::Timeout(time)))?;
        let text = completion.text.clone().unwrap_or_default();
        request.messages.push(Message::Assistant { text: completion.text.clone(), calls: Vec::new() });
        Ok(BaselineAnswer {
            reply: read_without_tools(baseline, &completion),
            text,
            model: model.name().to_owned(),
            usage: completion.usage,
            cost: self.limits.prices.map(|prices| prices.cost(&completion.usage)),
            conversation: conversation(&request.messages, &request.tools),
            elapsed: started.elapsed(),
        })
    }

    /// What a search finds for a question: entries of the things that it names, and texts beside the graph.
    async fn passages(&self, dataset: &Arc<Dataset>, question: &str) -> Result<Vec<String>, ServiceError> {
        let parsed = Arc::new(dataset.read(question));
        let time = QuestionTime::from_now(self.limits.deadline / 2);
        let grounding = self.ground(dataset, &parsed, time).await?.unwrap_or_default();
        let mut passages = Vec::new();
        for iri in things(dataset, &grounding, question).await {
            passages.extend(short_entry(dataset, &iri, question, ENTRY_TIME, PASSAGE_CHARS).await);
        }
        let query = TextQuery { text: question, about: &[], name: None, only_about: false, limit: TEXTS };
        let texts = dataset.find_texts(&query).await.unwrap_or_default();
        passages.extend(texts.iter().map(|hit| quoted(&hit.passage.text, PASSAGE_CHARS)));
        Ok(passages)
    }
}

/// The things that a question names; those whose names fit the whole question, if it names none.
async fn things(dataset: &Dataset, grounding: &Grounding, question: &str) -> Vec<String> {
    let named = grounding.names().flat_map(|mention| mention.entities.iter().take(CANDIDATES));
    let mut iris: Vec<String> = named.map(|hit| hit.record.iri.clone()).collect();
    if iris.is_empty() {
        let found = dataset.find_entities(question, None, THINGS).await;
        iris = found
            .map(|found| found.hits.iter().map(|hit| hit.record.iri.clone()).collect())
            .unwrap_or_default();
    }
    let mut seen = HashSet::new();
    iris.retain(|iri| seen.insert(iri.clone()));
    iris.truncate(THINGS);
    iris
}
