//! Progress notifications. Some clients give up on calls that are silent for a minute or less.

use crate::trace::{Step, StepKind};
use eruca_sparql::{disarmed, one_line, quoted};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use std::time::{Duration, Instant};

/// Maximum time between notifications.
pub(super) const MAX_SILENCE: Duration = Duration::from_secs(8);
/// Maximum length of a message, in characters.
const MAX_CHARS: usize = 200;

/// Reports progress to a client that asked for it.
pub(super) struct ProgressReport {
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    told: u32,
    since: Instant,
}

impl ProgressReport {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        let to = token.map(|token| (context.peer.clone(), token));
        Self { to, told: 0, since: Instant::now() }
    }

    /// Reports a step.
    pub(super) async fn step(&mut self, step: &Step) {
        self.say(said(&step.kind)).await;
    }

    /// Reports that the work continues.
    pub(super) async fn alive(&mut self) {
        self.say(format!("working for {} s", self.since.elapsed().as_secs())).await;
    }

    async fn say(&mut self, message: String) {
        let Some((peer, token)) = &self.to else { return };
        self.told += 1;
        let progress = ProgressNotificationParam::new(token.clone(), f64::from(self.told));
        // A disconnected client is detected when the answer is sent.
        let _gone =
            peer.notify_progress(progress.with_message(disarmed(&one_line(&message, MAX_CHARS)))).await;
    }
}

fn said(kind: &StepKind) -> String {
    match kind {
        StepKind::Grounding { .. } => "looked up the words of the question".to_owned(),
        StepKind::Model { calls, thought, .. } => match (calls.as_slice(), thought) {
            ([], Some(thought)) => format!("the model: {thought}"),
            ([], None) => "the model was asked".to_owned(),
            (calls, _) => {
                let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
                format!("the model calls {}", names.join(", "))
            }
        },
        StepKind::Tool { name, arguments, outcome, .. } => format!("{name} {arguments}: {outcome}"),
        StepKind::Planner { readings } => match readings.first() {
            Some(reading) => format!("planned: {}", quoted(reading, MAX_CHARS)),
            None => "planned".to_owned(),
        },
        StepKind::Rewrite { change } => format!("edited the query: {change}"),
        StepKind::Controller { note } => note.clone(),
    }
}
