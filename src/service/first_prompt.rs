//! What the planner and the first prompt get for a question, without asking either: for benchmarks of the grounding.

use super::{Question, QuestionTime, Service, ServiceError};
use crate::agent::shown_of_graph;
use crate::grounding::Grounding;
use eruca_planner::Named;
use std::sync::Arc;

/// What is known of a question before it is answered.
#[derive(Debug, Clone, Default)]
pub struct FirstPrompt {
    /// What the planner gets: candidates for the words.
    pub named: Named,
    /// The classes that the prompt names, best first.
    pub classes: Vec<String>,
    /// The properties that it names, best first.
    pub properties: Vec<String>,
    /// What it tells of the words of the question.
    pub told: String,
    /// What it shows of the graph.
    pub card: String,
}

impl Service {
    /// What a question to a dataset begins with.
    ///
    /// # Errors
    /// If there is no such dataset, the question is empty or too long, or its words cannot be looked up in time.
    pub async fn first_prompt(&self, question: &Question) -> Result<FirstPrompt, ServiceError> {
        self.within_bounds(question)?;
        let dataset = self.find(&question.dataset)?;
        let parsed = Arc::new(dataset.read(&question.text));
        let dataset = Arc::new(dataset.asked(&parsed));
        let time = QuestionTime::from_now(self.limits.deadline);
        let late = || ServiceError::Internal("looking up the words of the question took too long".to_owned());
        let grounding = self.ground(&dataset, &parsed, time).await?.ok_or_else(late)?;
        let shown =
            shown_of_graph(&dataset, &grounding, self.limits.features, self.limits.budget.card_tokens);
        let Grounding { named, classes, properties, .. } = grounding;
        let iris =
            |terms: Vec<crate::grounding::GroundedTerm>| terms.into_iter().map(|term| term.iri).collect();
        Ok(FirstPrompt {
            named,
            classes: iris(classes),
            properties: iris(properties),
            told: shown.words,
            card: shown.card,
        })
    }
}
