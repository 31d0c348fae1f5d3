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
    /// Tools that the model does not get, a bit for each in the order of the tools; for measuring what each is worth.
    #[serde(skip)]
    pub left_out_tools: u32,
    /// Keep the conversation with the model, for training data; it is large.
    #[serde(skip)]
    pub keeps_conversation: bool,
}

/// A switch with its name in the settings.
type Switch = (&'static str, fn(&mut AgentFeatures) -> &mut bool);

/// All switches.
const SWITCHES: &[Switch] = &[
    ("grounding", |features| &mut features.grounding),
    ("dataset_card", |features| &mut features.dataset_card),
    ("explain_empty", |features| &mut features.explain_empty),
    ("preflight", |features| &mut features.preflight),
    ("repeat_rule", |features| &mut features.repeat_rule),
    ("review", |features| &mut features.review),
    ("best_candidate", |features| &mut features.best_candidate),
    ("answer_form", |features| &mut features.answer_form),
    ("drafts", |features| &mut features.drafts),
    ("search_in", |features| &mut features.search_in),
    ("compute", |features| &mut features.compute),
    ("memory", |features| &mut features.memory),
    ("texts", |features| &mut features.texts),
];

impl AgentFeatures {
    /// The names of all switches, as in the settings.
    pub fn switches() -> impl Iterator<Item = &'static str> {
        SWITCHES.iter().map(|(name, _)| *name)
    }

    /// The same with a switch off; `None` if none has this name.
    pub fn without(mut self, switch: &str) -> Option<Self> {
        let (_, of) = SWITCHES.iter().find(|(name, _)| *name == switch)?;
        *of(&mut self) = false;
        Some(self)
    }

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
            left_out_tools: 0,
            keeps_conversation: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_of_the_settings_can_be_named() {
        let settings = include_str!("../config/default.toml");
        let (_, helps) = settings.split_once("[helps]").unwrap();
        let (helps, _) = helps.split_once("\n[").unwrap();
        let named = helps.lines().filter_map(|line| line.strip_suffix(" = true"));
        assert_eq!(named.collect::<Vec<_>>(), AgentFeatures::switches().collect::<Vec<_>>());
        for name in AgentFeatures::switches() {
            let off = helps.replace(&format!("\n{name} = true"), &format!("\n{name} = false"));
            let off: AgentFeatures = toml::from_str(&off).unwrap();
            assert_eq!(AgentFeatures::default().without(name), Some(off), "{name}");
            assert_ne!(off, AgentFeatures::default(), "{name}");
        }
        assert_eq!(AgentFeatures::default().without("no such switch"), None);
    }
}
