//! A conversation that the model cannot read to its end is begun anew from a shorter opening.

use super::{AgentFeatures, AgentRun, Budget, Message, NextMove, Progress, prompt};

/// Maximum number of times in a run. A model that has room for the opening and no more gets nowhere.
pub(super) const MAX_ANEW: u32 = 3;

impl AgentRun<'_> {
    /// Begins the conversation anew with this opening and what was found; false if that would not make it shorter or was
    /// done too often.
    pub fn begin_anew(&mut self, mut opening: Vec<Message>, budget: Budget, features: AgentFeatures) -> bool {
        let is_same = self.anew.is_some_and(|(_, calls)| calls == self.calls);
        let times = self.anew.map_or(0, |(times, _)| times) + 1;
        if is_same || times > MAX_ANEW {
            return false;
        }
        self.anew = Some((times, self.calls));
        if self.calls > 0
            && let Some(Message::User(text)) = opening.last_mut()
        {
            // A second message of the user would be refused by some chat templates.
            let best = self.best().map(|best| best.run.query.text().to_owned());
            text.push_str(&format!("\n\n{}", prompt::began_anew(best.as_deref())));
        }
        if opening == self.messages {
            return false;
        }
        (self.budget, self.features) = (budget, features);
        self.progress = Progress::new(opening.len());
        self.messages = opening;
        // Their observations are not there any more, and the end may have been announced in what was left out.
        self.made.clear();
        self.warned = false;
        self.state = NextMove::AskModel;
        true
    }
}
