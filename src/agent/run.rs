//! One run of the ReAct loop as a state machine without I/O (Yao et al., "ReAct", ICLR 2023).
//!
//! [`AgentRun::next_step`] returns what to do; the driver does it and reports the outcome. All decisions are made here:
//! which calls are repeats, when a stated answer is accepted, when the run ends.
//!
//! Once per run, the model is shown how its answer differs from the form that it stated. Once per run, an answer with open
//! points is refused: a LIMIT that cuts off ties, entities left out because they lack a value that is shown, a class that
//! the question does not ask for or whose name other classes share. The same answer given again is accepted. Tests:
//! `run/tests.rs`, `tests/answer_form.rs`, `tests/confidence.rs`.

use super::action::{Action, ReadReply, read};
use super::budget::Budget;
use super::candidates::{Candidate, Candidates, RunSigns, Standing, is_faked};
use super::key::CallKey;
use super::planned_call::{
    CallPlan, MAX_ARGUMENTS, MAX_NAME, PlannedCall, RunRules, answer_call, kept, repeated, statement,
};
use super::progress::{Progress, may_pass};
use super::prompt;
use super::text_calls::MAX_CALLS;
use crate::agent_features::AgentFeatures;
use crate::form::StatedForm;
use crate::llm::{Completion, Message, ToolCall, Usage};
use crate::tools::{AnswerRemarks, Arguments, Observation, ObservationKind, OpenPoint, find_kept, names};
use crate::trace::{StopReason, cut};
use eruca_dataset::RunQuery;
use eruca_sparql::{Results, quoted};

mod anew;

/// Unusable completions in a row after which the run is given up.
const MAX_MISSES: u32 = 3;

/// Bytes of a model's free text kept in the conversation.
const MAX_TEXT: usize = 20_000;

/// The driver's next task.
#[derive(Debug)]
pub enum NextStep {
    /// Ask the model to continue from these messages.
    CallModel(Vec<Message>),
    /// Execute these calls, in any order.
    CallTools(Vec<PlannedCall>),
    /// The run is over; the reason goes into the trace.
    Done(StopReason),
}

enum NextMove {
    AskModel,
    AwaitModel,
    CallTools(Vec<PlannedCall>),
    AwaitTools(Vec<PlannedCall>),
    Done(StopReason),
}

/// The state of one run.
pub struct AgentRun<'a> {
    messages: Vec<Message>,
    budget: Budget,
    features: AgentFeatures,
    rules: &'a dyn RunRules,
    state: NextMove,
    /// Calls made, by their key.
    made: Vec<CallKey>,
    candidates: Candidates,
    /// Keys of stated answers that returned nothing; stating one again confirms it.
    doubted: Vec<CallKey>,
    misses: u32,
    /// The model writes its calls as text, so observations are sent as user messages.
    as_text: bool,
    warned: bool,
    /// The form of the answer as stated by the model.
    form: StatedForm,
    /// The model has been told how its answer differs from that form.
    form_told: bool,
    /// The model has been told the open points of its answer.
    open_told: bool,
    /// What the model says of its answer.
    remarks: AnswerRemarks,
    progress: Progress,
    /// Decisions for the trace.
    notes: Vec<String>,
    /// The model has been told that half of its turns are used.
    urged: bool,
    /// What the graph lacks, if the model ended the run by saying so.
    absence: Option<String>,
    /// The last reply contained more calls than are executed.
    more_calls: bool,
    /// How often the conversation was begun anew, and the number of completions before the last time.
    anew: Option<(u32, u32)>,
    calls: u32,
    usage: Usage,
}

impl<'a> AgentRun<'a> {
    /// A run that starts from the opening messages.
    pub fn new(
        opening: Vec<Message>,
        budget: Budget,
        features: AgentFeatures,
        rules: &'a dyn RunRules,
    ) -> Self {
        let progress = Progress::new(opening.len());
        Self {
            messages: opening,
            budget,
            features,
            rules,
            state: NextMove::AskModel,
            made: Vec::new(),
            candidates: Candidates::default(),
            doubted: Vec::new(),
            misses: 0,
            as_text: false,
            warned: false,
            form: StatedForm::default(),
            form_told: false,
            open_told: false,
            remarks: AnswerRemarks::default(),
            progress,
            notes: Vec::new(),
            urged: false,
            absence: None,
            more_calls: false,
            anew: None,
            calls: 0,
            usage: Usage::default(),
        }
    }

    /// The same run with the entities that the question names unambiguously; queries that use them are preferred.
    #[must_use]
    pub fn with_anchors(self, anchors: Vec<Vec<String>>) -> Self {
        Self { candidates: Candidates::new(anchors), ..self }
    }

    /// The same run with queries that have already run and are shown to the model; stating one does not run it again.
    #[must_use]
    pub fn with_drafts(mut self, drafts: Vec<RunQuery>) -> Self {
        for run in drafts {
            self.made.push(CallKey::Query(run.key()));
            self.candidates.add(run, Standing::Shown, Vec::new());
        }
        self
    }

    /// The next thing to do. Must be followed by the method that reports its outcome.
    pub fn next_step(&mut self) -> NextStep {
        match std::mem::replace(&mut self.state, NextMove::AwaitModel) {
            NextMove::AskModel | NextMove::AwaitModel if self.budget.is_spent(self.calls, &self.usage) => {
                self.finish(StopReason::Budget)
            }
            NextMove::AskModel | NextMove::AwaitModel => {
                self.warn_of_end();
                NextStep::CallModel(self.messages.clone())
            }
            NextMove::CallTools(calls) | NextMove::AwaitTools(calls) => {
                self.state = NextMove::AwaitTools(calls.clone());
                NextStep::CallTools(calls)
            }
            NextMove::Done(reason) => self.finish(reason),
        }
    }

    /// Reports the model's reply.
    pub fn replied(&mut self, completion: &Completion) {
        self.calls += 1;
        self.usage += completion.usage;
        self.progress.replied();
        let ReadReply { action, more } = read(completion);
        self.more_calls = more;
        self.as_text = !matches!(action, Action::Calls(_));
        let calls = match &action {
            Action::Calls(calls) => calls.iter().map(kept).collect(),
            Action::TextCalls(_) | Action::TextAnswer(_) | Action::Nothing => Vec::new(),
        };
        let text = completion.text.as_ref().map(|text| cut(text, MAX_TEXT));
        self.messages.push(Message::Assistant { text, calls });
        match action {
            Action::Calls(calls) | Action::TextCalls(calls) => self.plan(calls),
            Action::TextAnswer(query) => self.plan(vec![answer_call(&query)]),
            Action::Nothing => self.missed(),
        }
    }

    /// Reports that the model has failed for good.
    pub fn model_failed(&mut self) {
        self.state = NextMove::Done(StopReason::ModelFailed);
    }

    /// Reports that the time is up.
    pub fn out_of_time(&mut self) {
        self.state = NextMove::Done(StopReason::Deadline);
    }

    /// Reports the outcome of the calls: one observation per call, in order.
    pub fn observed(&mut self, observations: Vec<Observation>) {
        let NextMove::AwaitTools(calls) = std::mem::replace(&mut self.state, NextMove::AskModel) else {
            return;
        };
        let mut as_text = Vec::new();
        for (planned, observation) in calls.into_iter().zip(observations) {
            let text = self.note(&planned, observation);
            if self.as_text {
                as_text.push(format!("{}: {text}", planned.call.name));
            } else {
                self.messages.push(Message::Tool { call_id: planned.call.id, content: text });
            }
        }
        if !as_text.is_empty() {
            self.messages.push(Message::User(as_text.join("\n\n")));
        }
        if self.more_calls {
            self.messages.push(Message::User(prompt::more_calls(MAX_CALLS)));
        }
        if self.features.review {
            self.notes.extend(self.progress.end_turn(&mut self.messages));
        }
    }

    /// The best candidate so far.
    pub(super) fn best(&self) -> Option<&Candidate> {
        let fits = |candidate: &Candidate| {
            !self.features.answer_form || self.rules.differences(&self.form, &candidate.run).is_empty()
        };
        if self.features.best_candidate { self.candidates.best(&fits) } else { self.candidates.last() }
    }

    /// The form of the answer, as far as the model stated it.
    pub fn stated_form(&self) -> &StatedForm {
        &self.form
    }

    /// What the graph lacks, if the model ended the run by saying that it does not contain the answer.
    pub fn absence(&self) -> Option<&str> {
        self.absence.as_deref()
    }

    /// The name of the computation that is the answer.
    pub fn computed(&self) -> Option<&str> {
        self.remarks.computed.as_deref()
    }

    /// The names of the passages that the model cites.
    pub fn cited(&self) -> &[String] {
        &self.remarks.cited
    }

    /// Reliability signs of the best candidate.
    pub(super) fn signs(&self) -> RunSigns {
        let best = self.best();
        let signs = best.map(|best| self.candidates.signs(best)).unwrap_or_default();
        RunSigns { unsure: self.remarks.unsure.clone(), ..signs }
    }

    /// Whether the next completion is to be sampled more freely.
    pub fn is_sampled_anew(&self) -> bool {
        self.progress.is_sampled_anew()
    }

    /// The conversation so far.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Decisions for the trace since the last call.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Number of completions requested from the model, and tokens used.
    pub fn spent(&self) -> (u32, Usage) {
        (self.calls, self.usage)
    }

    fn finish(&mut self, reason: StopReason) -> NextStep {
        self.state = NextMove::Done(reason);
        NextStep::Done(reason)
    }

    fn warn_of_end(&mut self) {
        if self.calls > 0 && !self.warned && self.budget.is_last(self.calls, &self.usage) {
            self.warned = true;
            self.messages.push(Message::User(prompt::last_call().to_owned()));
        } else if self.features.review && !self.urged && self.budget.is_half_spent(self.calls) {
            self.urged = true;
            let (used, all) = (self.calls, self.budget.max_model_calls);
            self.messages.push(Message::User(prompt::half_spent(used, all)));
        }
    }

    /// Counts a reply that cannot be used; true if it was one too many, which ends the run.
    fn is_given_up(&mut self) -> bool {
        self.misses += 1;
        let is_given_up = self.misses >= MAX_MISSES;
        if is_given_up {
            self.state = NextMove::Done(StopReason::ModelFailed);
        }
        is_given_up
    }

    fn missed(&mut self) {
        if self.is_given_up() {
            return;
        }
        self.messages.push(Message::User(prompt::not_a_call(&names(self.features))));
        self.state = NextMove::AskModel;
    }

    fn plan(&mut self, calls: Vec<ToolCall>) {
        // A model that has other tools in mind gets as many hints as one that calls none.
        if calls.iter().any(|call| find_kept(&call.name, self.features).is_some()) {
            self.misses = 0;
        } else if self.is_given_up() {
            return;
        }
        let mut planned: Vec<PlannedCall> = Vec::with_capacity(calls.len());
        for call in calls {
            let mut next = self.plan_call(call);
            // An answer stated twice in one turn counts once: only a later turn can confirm it.
            if next.key.is_some() && planned.iter().any(|earlier| earlier.key == next.key) {
                next.plan = repeated();
            }
            planned.push(next);
        }
        self.state = NextMove::CallTools(planned);
    }

    fn plan_call(&mut self, call: ToolCall) -> PlannedCall {
        let known = |call, observation| PlannedCall {
            call,
            plan: CallPlan::Known(Box::new(observation)),
            key: None,
            remarks: AnswerRemarks::default(),
        };
        if call.name.len() > MAX_NAME || call.arguments.len() > MAX_ARGUMENTS {
            let text = format!(
                "This call is too long: its arguments may have {MAX_ARGUMENTS} bytes. Make a shorter one."
            );
            return known(kept(&call), Observation::bad_call(text));
        }
        let Some(tool) = find_kept(&call.name, self.features) else {
            let text = format!(
                "There is no tool {}; the tools are {}.",
                quoted(&call.name, MAX_NAME),
                names(self.features)
            );
            return known(call, Observation::bad_call(text));
        };
        let arguments = match Arguments::parse(&call.arguments) {
            Ok(arguments) => arguments,
            Err(reason) => {
                return known(call, Observation::bad_call(format!("{reason}; call {} again", tool.name())));
            }
        };
        if tool.states_form() {
            self.form.update(statement(&arguments));
        }
        let key = CallKey::of(tool, &arguments, self.rules);
        let remarks = if tool.ends_run() { AnswerRemarks::of(&arguments) } else { AnswerRemarks::default() };
        let rests_on_query = AnswerRemarks { unsure: None, ..remarks.clone() } == AnswerRemarks::default();
        let plan = match &key {
            CallKey::Answer(query) => self.run_before(query).filter(|_| rests_on_query),
            CallKey::Query(_) | CallKey::Other(..) => {
                (self.features.repeat_rule && self.made.contains(&key)).then(repeated)
            }
        };
        let plan = plan.unwrap_or_else(|| {
            self.made.push(key.clone());
            CallPlan::Run(tool, arguments)
        });
        PlannedCall { call, plan, key: Some(key), remarks }
    }

    /// The query with this key as an answer, if it has already run and returned something.
    fn run_before(&self, key: &str) -> Option<CallPlan> {
        let mut filled = self.candidates.filled();
        let known = filled.find(|candidate| candidate.run.key() == key)?;
        let observation = Observation::new(ObservationKind::Ok, "This is the answer.");
        let observation = observation.noting(self.rules.reading(&known.run));
        let (run, open) = (Some(known.run.clone()), known.open.clone());
        Some(CallPlan::Known(Box::new(Observation { run, open, ..observation })))
    }

    /// Updates the state with an observation; returns the text for the model.
    fn note(&mut self, planned: &PlannedCall, observation: Observation) -> String {
        let stated = planned.ends_run() && observation.kind != ObservationKind::Repeated;
        let confirmed = stated && planned.key.as_ref().is_some_and(|key| self.doubted.contains(key));
        let Observation { kind, text, run, open, brought: _ } = observation;
        self.progress.observed(&planned.call, kind);
        let absence = planned.remarks.absence.as_ref().filter(|_| stated);
        let asks_nothing = run.as_ref().is_some_and(|run| !run.query.model().asks_graph);
        let doubt = match absence {
            _ if !stated => None,
            // However often it is stated: it would return the same for any graph.
            _ if asks_nothing => Some(prompt::no_condition().to_owned()),
            _ if confirmed => None,
            None => self.doubt(kind, &text, run.as_ref(), &open, planned.remarks.computed.is_some()),
            Some(_) => doubt_absence(kind, &text, run.as_ref()),
        };
        if let Some(run) = run.filter(|_| !asks_nothing) {
            let standing = match (stated, absence, confirmed) {
                (false, ..) => Standing::Tried,
                (true, Some(_), _) if doubt.is_some() => Standing::Tried,
                (true, Some(_), _) => Standing::Absence,
                (true, None, false) => Standing::Stated,
                (true, None, true) => Standing::Confirmed,
            };
            self.candidates.add(run, standing, open);
        }
        if stated {
            self.remarks = planned.remarks.clone();
        }
        if planned.varies() || may_pass(kind) {
            self.made.retain(|key| planned.key.as_ref() != Some(key));
        }
        if let Some(doubt) = doubt {
            self.doubted.extend(planned.key.clone());
            return doubt;
        }
        if stated {
            self.absence = absence.cloned();
            self.state = NextMove::Done(self.end_reason(kind));
        }
        text
    }

    /// The text sent to the model instead of accepting an answer that it states for the first time.
    fn doubt(
        &mut self,
        kind: ObservationKind,
        text: &str,
        run: Option<&RunQuery>,
        open: &[OpenPoint],
        is_computed: bool,
    ) -> Option<String> {
        match kind {
            ObservationKind::Ok | ObservationKind::Truncated => {
                if run.is_some_and(is_faked) {
                    return Some(prompt::faked_answer().to_owned());
                }
                // The form is that of the computed answer, not of the rows that it rests on.
                let other_form = if is_computed { None } else { self.other_form(run?) };
                other_form.or_else(|| self.left_open(run?, open))
            }
            ObservationKind::Empty => Some(prompt::empty_answer(text)),
            _ => Some(prompt::failed_answer(text)),
        }
    }

    /// How the answer differs from the stated form; reported once per run.
    fn other_form(&mut self, run: &RunQuery) -> Option<String> {
        if self.form_told || !self.features.answer_form {
            return None;
        }
        let differences = self.rules.differences(&self.form, run);
        self.form_told = !differences.is_empty();
        self.form_told.then(|| prompt::other_form(&differences))
    }

    /// The open points of the answer; reported once per run, and not when no further call is possible.
    fn left_open(&mut self, run: &RunQuery, known: &[OpenPoint]) -> Option<String> {
        if self.open_told || self.warned || !self.features.preflight {
            return None;
        }
        let mut open = known.to_vec();
        open.extend(self.rules.narrows(run));
        self.open_told = !open.is_empty();
        let reading = || self.rules.reading(run).unwrap_or_default();
        open.truncate(if self.features.is_for_small_model() { 1 } else { usize::MAX });
        self.open_told.then(|| prompt::open_answer(&open, &reading()))
    }

    fn end_reason(&self, kind: ObservationKind) -> StopReason {
        match kind {
            ObservationKind::Ok | ObservationKind::Truncated | ObservationKind::Empty
                if self.absence.is_some() =>
            {
                StopReason::NotInGraph
            }
            ObservationKind::Ok | ObservationKind::Truncated if self.as_text => StopReason::AnsweredAsText,
            ObservationKind::Ok | ObservationKind::Truncated | ObservationKind::Empty => StopReason::Answered,
            _ => StopReason::ModelFailed,
        }
    }
}

/// The text sent to the model instead of accepting its statement that the graph does not contain the answer.
fn doubt_absence(kind: ObservationKind, text: &str, run: Option<&RunQuery>) -> Option<String> {
    let is_no = |run: &RunQuery| matches!(&run.result, Ok(answer) if matches!(answer.results, Results::Boolean(false)));
    match kind {
        ObservationKind::Empty => None,
        ObservationKind::Ok | ObservationKind::Truncated if run.is_some_and(is_no) => None,
        ObservationKind::Ok | ObservationKind::Truncated => Some(prompt::not_absent().to_owned()),
        _ => Some(prompt::failed_answer(text)),
    }
}

#[cfg(test)]
mod tests;
