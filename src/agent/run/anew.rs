//! A conversation that the model cannot read to its end is begun anew from a shorter opening.

use super::{AgentFeatures, AgentRun, Budget, Message, NextMove, Progress, prompt};

impl AgentRun<'_> {
    /// Begins the conversation anew with this opening and what was found; false if that would not make it shorter. As a turn
    /// has to be made between two times, the budget of calls ends this too.
    pub fn begin_anew(&mut self, mut opening: Vec<Message>, budget: Budget, features: AgentFeatures) -> bool {
        if self.anew_at == Some(self.calls) {
            return false;
        }
        self.anew_at = Some(self.calls);
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
