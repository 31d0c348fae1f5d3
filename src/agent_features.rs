//! Feature switches of the agent (`[helps]` in the settings): what it does for the model besides running tools.

use serde::Deserialize;

/// The kind of model that the agent works with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelProfile {
    /// A model that follows long instructions and plans its own steps.
    #[default]
    Full,
    /// A small model: fewer tools, a short prompt, one instruction at a time, strict schemas.
    Small,
}

/// Feature switches of the agent. All are on; each can be switched off to measure what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct AgentFeatures {
    /// Look up the question's words before the first model call.
    pub grounding: bool,
    /// Describe the dataset in the first prompt.
    pub dataset_card: bool,
    /// Say why a result is empty.
    pub explain_empty: bool,
    /// Say what looks wrong in a query by the dataset card.
    pub preflight: bool,
    /// Answer a repeated call without making it again.
    pub repeat_rule: bool,
    /// Ask for a review after calls that brought nothing.
    pub review: bool,
    /// Return the best query that has run instead of the last one.
    pub best_candidate: bool,
    /// Let the model state the form of the answer, and bring the final query to it.
    pub answer_form: bool,
    /// Show the model queries of the planner to begin with.
    pub drafts: bool,
    /// Let the model search for what can stand at a place of a pattern.
    pub search_in: bool,
    /// Let the model run small programs over the rows of its queries.
    pub compute: bool,
    /// Let the model keep triples in a working graph and query them.
    pub memory: bool,
    /// Let the model search the texts beside the graph, where there are any.
    pub texts: bool,
    /// The kind of model (`[agent] profile`).
    #[serde(skip)]
    pub profile: ModelProfile,
}

impl AgentFeatures {
    /// Whether the model is a small one.
    pub fn is_for_small_model(self) -> bool {
        self.profile == ModelProfile::Small
    }

    /// Whether later calls can use the results of queries by their names.
    pub fn keeps_results(self) -> bool {
        (self.compute || self.memory) && !self.is_for_small_model()
    }
}

impl Default for AgentFeatures {
    fn default() -> Self {
        Self {
            grounding: true,
            dataset_card: true,
            explain_empty: true,
            preflight: true,
            repeat_rule: true,
            review: true,
            best_candidate: true,
            answer_form: true,
            drafts: true,
            search_in: true,
            compute: true,
            memory: true,
            texts: true,
            profile: ModelProfile::Full,
        }
    }
}
