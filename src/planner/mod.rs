//! Answers without a chat model: a question is read word by word and becomes a query over the graph's own schema.
//!
//! ```text
//! question ─► question (words) ─► units (names, things, cues) ─► read (intent) ─► build (plan) ─► render (SPARQL)
//!                                                                                                      │
//! grounding ─► drafts (single steps) ────────────────────────► candidates, best first ─► run until one holds
//! ```
//! It also answers when the model fails, and gives the agent drafts to begin with. Knows the dataset, the
//! grounding, the form of the answer and the trace; no model.

mod build;
mod candidates;
mod drafts;
mod facts;
mod intent;
mod names;
mod plan;
mod question;
mod read;
mod render;
mod steps;
mod units;

use crate::dataset::{Dataset, RunQuery};
use crate::grounding::Grounding;
use candidates::candidates;
use drafts::{Draft, fallback};
use eruca_sparql::{Answer, QueryError, Results, Term, one_line, shown_iri};
use std::time::{Duration, Instant};

/// Drafts that are run at most.
const MAX_RUNS: usize = 10;
/// Time for all drafts together, and for one of them.
const PLAN_TIME: Duration = Duration::from_secs(8);
const DRAFT_TIME: Duration = Duration::from_secs(2);
/// With less time than this left, the best draft is returned without being run.
const MIN_TIME: Duration = Duration::from_millis(50);

/// Drafts that are run at most for the agent, and the time for them.
const MAX_DRAFT_RUNS: usize = 5;
const DRAFTS_TIME: Duration = Duration::from_secs(3);
/// A single step with a lower score is a guess.
const MIN_STEP_SCORE: f32 = 1.9;

/// Characters of a line on what was read: names and IRIs in it come from the graph.
const MAX_READING_CHARS: usize = 1_200;

/// What the planner came to.
#[derive(Debug)]
pub struct PlannerOutcome {
    /// The query, with its result; `None` only when the endpoint's dialect refuses every draft.
    pub best: Option<RunQuery>,
    /// What was read in the question and tried, line by line.
    pub readings: Vec<String>,
}

/// Plans a query for a question. Always comes back by the deadline.
pub async fn plan(
    dataset: &Dataset,
    question: &str,
    grounding: &Grounding,
    deadline: Instant,
) -> PlannerOutcome {
    let mut search = Search {
        dataset,
        deadline: deadline.min(Instant::now() + PLAN_TIME),
        readings: grounding.mentions.iter().map(mention_reading).collect(),
        best: None,
        trusted: false,
        grounding,
    };
    for draft in candidates(dataset, question, grounding).iter().take(MAX_RUNS) {
        if search.trusted && !draft.whole {
            break;
        }
        if search.holds(draft).await {
            return PlannerOutcome { best: search.best, readings: search.readings };
        }
    }
    search.conclude(&fallback(dataset, question)).await
}

/// Runs drafts until one gives something.
struct Search<'a> {
    dataset: &'a Dataset,
    deadline: Instant,
    readings: Vec<String>,
    best: Option<RunQuery>,
    grounding: &'a Grounding,
    /// The best draft uses all that the question names: an empty result is its answer.
    trusted: bool,
}

impl Search<'_> {
    /// Whether a draft gives something. The first one that runs is kept in any case.
    async fn holds(&mut self, draft: &Draft) -> bool {
        let Some((run, filled)) = try_draft(self.dataset, draft, self.deadline).await else { return false };
        let outcome = run
            .result
            .as_ref()
            .map_or_else(ToString::to_string, |answer| format!("{} rows", answer.row_count()));
        self.readings.push(one_line(&format!("{}: {outcome}", draft.reading), MAX_READING_CHARS));
        let runs = run.result.is_ok();
        // "The capital of Estonia" is not Estonia.
        let filled = filled && !repeats_question(&run, self.grounding);
        let known = self.best.as_ref().is_some_and(|best| best.result.is_ok());
        if filled || !known && (runs || self.best.is_none()) {
            self.trusted = draft.trusted && runs;
            self.best = Some(run);
        }
        filled
    }

    /// Nothing gave a row.
    async fn conclude(mut self, last: &Draft) -> PlannerOutcome {
        if self.trusted {
            self.readings.push(
                "No reading gave a row; the query uses all that the question names, so this may be the answer."
                    .to_owned(),
            );
            return PlannerOutcome { best: self.best, readings: self.readings };
        }
        if !self.holds(last).await {
            self.readings.push(
                "No draft gave a row; the most plausible one is returned and deserves no trust.".to_owned(),
            );
        }
        PlannerOutcome { best: self.best, readings: self.readings }
    }
}

/// A draft that ran and gave something.
#[derive(Debug, Clone)]
pub struct PlannedDraft {
    /// The query, with its result.
    pub run: RunQuery,
    /// What was read in the question.
    pub reading: String,
    /// How much it deserves to be believed.
    pub trust: Trust,
}

/// How much a draft deserves to be believed, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// It takes a step from something that the question names, and may leave out the rest.
    Some,
    /// It follows the whole question, but something of it found no place.
    Most,
    /// It uses all that was found in the question.
    All,
}

/// Drafts for the agent to begin with, best first: at most `wanted`, each of which ran and gave something.
pub async fn executed_drafts(
    dataset: &Dataset,
    question: &str,
    grounding: &Grounding,
    wanted: usize,
    deadline: Instant,
) -> Vec<PlannedDraft> {
    // The model needs most of the time.
    let share = deadline.saturating_duration_since(Instant::now()) / 4;
    let deadline = Instant::now() + share.min(DRAFTS_TIME);
    let mut found: Vec<PlannedDraft> = Vec::new();
    for draft in candidates(dataset, question, grounding).iter().take(MAX_DRAFT_RUNS) {
        let Some(trust) = trust(draft) else { continue };
        if found.len() >= wanted || (trust == Trust::Some && !found.is_empty()) {
            break;
        }
        if let Some((run, true)) = try_draft(dataset, draft, deadline).await
            && !found.iter().any(|known| same_result(&known.run, &run))
            && !repeats_question(&run, grounding)
        {
            found.push(PlannedDraft { run, reading: draft.reading.clone(), trust });
        }
    }
    found
}

fn trust(draft: &Draft) -> Option<Trust> {
    match (draft.whole, draft.trusted) {
        (true, true) => Some(Trust::All),
        (true, false) => Some(Trust::Most),
        (false, _) => (draft.score >= MIN_STEP_SCORE).then_some(Trust::Some),
    }
}

/// A second draft is worth a look only if it says something else, whatever its variables are called.
fn same_result(a: &RunQuery, b: &RunQuery) -> bool {
    match (&a.result, &b.result) {
        (Ok(a), Ok(b)) => match (&a.results, &b.results) {
            (Results::Solutions(a), Results::Solutions(b)) => a.rows == b.rows,
            (a, b) => a == b,
        },
        _ => false,
    }
}

/// Whether the answer is nothing but a thing that the question names and the query was made with.
fn repeats_question(run: &RunQuery, grounding: &Grounding) -> bool {
    let Ok(Answer { results, .. }) = &run.result else { return false };
    let Results::Solutions(solutions) = results else { return false };
    let [row] = solutions.rows.as_slice() else { return false };
    let [Some(Term::NamedNode(only))] = row.as_slice() else { return false };
    let named = grounding.mentions.iter().filter(|mention| mention.is_same_name());
    named.flat_map(|mention| &mention.entities).any(|hit| hit.entity.iri == only.as_str())
        && run.query.iris().iter().any(|iri| iri == only.as_str())
}

fn mention_reading(mention: &crate::grounding::Mention) -> String {
    let entities = mention.entities.iter().map(|hit| hit.entity.iri.as_str());
    let values = mention.values.iter().map(|hit| hit.value.text.as_str());
    let found: Vec<&str> = entities.chain(values).take(3).collect();
    let found: Vec<String> = found.into_iter().map(shown_iri).collect();
    one_line(&format!("'{}' may be {}", mention.text, found.join(", ")), MAX_READING_CHARS)
}

/// Runs a draft; says whether it gave something. `None` when it is no valid query here.
async fn try_draft(dataset: &Dataset, draft: &Draft, deadline: Instant) -> Option<(RunQuery, bool)> {
    let query = dataset.check(&draft.query).ok()?;
    let left = deadline.saturating_duration_since(Instant::now()).min(DRAFT_TIME);
    let result = if left < MIN_TIME {
        Err(QueryError::Timeout { after: left })
    } else {
        dataset.run(&query, left).await
    };
    let filled = result.as_ref().is_ok_and(|answer| !answer.is_empty() && !answer.is_zero_aggregate());
    Some((RunQuery { query, result }, filled))
}
