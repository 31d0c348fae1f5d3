//! Runs the best few readings; their results count for or against them as well.

use crate::confidence::{Confidence, Evidenced, confidence};
use crate::ledger::{Auditor, Doubt, Ledger};
use crate::opened::opened;
use crate::preferences::Preferences;
use crate::question::{ParsedQuestion, WordKind};
use crate::reading::Reading;
use crate::runner::Runner;
use crate::score::{Feature, Features, Weights};
use eruca_sparql::{Answer, CheckedQuery, Results, Term};
use std::time::{Duration, Instant};

/// Maximum number of readings to run.
const MAX_RUNS: usize = 12;
/// Time limit per reading before and after one has given an answer.
const RUN_TIME: Duration = Duration::from_secs(2);
const NEXT_TIME: Duration = Duration::from_millis(300);
/// Time limit for all of them.
const ALL_TIME: Duration = Duration::from_millis(2_500);
/// Nothing more is run with less time than this left.
const MIN_TIME: Duration = Duration::from_millis(50);
/// Maximum number of rows for comparing answers regardless of row order.
const MAX_COMPARED: usize = 1_000;
/// Maximum number of other answers reported.
const MAX_ALTERNATIVES: usize = 3;
/// The most that a result can raise a score: readings further behind are not run once one gave an answer.
const MAX_LIFT: f32 = 4.0;

/// Score penalty for a ledger saying that another question is answered.
const GRAVE: f32 = 1.5;
/// Score penalty for a ledger with a query part that no word asks for.
const UNSAID: f32 = 0.7;
/// Maximum distance to the best reading at which another one with a full ledger puts it in doubt, as the logarithm of the
/// likelihood ratio.
const RIVAL: f32 = 1.0;

/// A reading that was run.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The reading.
    pub reading: Reading,
    /// The query that was run.
    pub query: CheckedQuery,
    /// Its answer.
    pub answer: Answer,
    /// Whether several share the top place of a superlative.
    pub tied: bool,
    /// The score including the result's features.
    pub score: f32,
    /// The features including those of the result.
    pub features: Features,
    /// The evidence for it, word by word, once audited.
    pub ledger: Option<Ledger>,
}

/// The outcome for a question.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The readings that ran, best first.
    pub ran: Vec<Judged>,
    /// The probability that the first one is exactly right: 0 until audited.
    pub probability: f32,
}

impl Judgement {
    /// The confidence level of the probability.
    pub fn confidence(&self) -> Confidence {
        Confidence::of(self.probability)
    }

    /// Adds ledgers, which record the words a reading does not use: readings that likely answer another question are demoted. The
    /// best one is sure only with a full ledger, and if no other with a full one has another result. Where readings differ in one
    /// property alone, the one whose property (by IRI) the user prefers comes first, or else that which the owner of the graph
    /// prefers.
    #[must_use]
    pub fn audited(mut self, auditor: &Auditor<'_>, weights: &Weights, prefers: &[String]) -> Self {
        for judged in &mut self.ran {
            // Restrictions from an earlier question are not part of this one.
            let asked = judged.reading.unrestricted.as_ref().unwrap_or(&judged.query);
            let ledger = auditor.ledger(asked, Some(&judged.answer));
            judged.score -= if ledger.is_grave() { GRAVE } else { 0.0 };
            judged.score -= if ledger.has_unsaid() { UNSAID } else { 0.0 };
            judged.reading.unused = ledger.unused();
            judged.ledger = Some(ledger);
        }
        self.ran.sort_by(|a, b| b.score.total_cmp(&a.score));
        let preferences = Preferences::of(auditor, prefers);
        self.prefer(&preferences);
        let rival = self.has_rival(&preferences);
        if let Some(ledger) = self.ran.first_mut().and_then(|best| best.ledger.as_mut()) {
            ledger.doubts.extend(rival.then_some(Doubt::Rival));
        }
        self.probability = evidence(auditor.question(), &self.ran)
            .map_or(0.0, |known| confidence(&known, weights))
            .min(1.0 / (1 + self.namesakes(auditor)) as f32);
        self
    }

    /// The number of other results that the best query has with other things of the same name: nothing says which is meant.
    fn namesakes(&self, auditor: &Auditor<'_>) -> usize {
        let Some((best, others)) = self.ran.split_first() else { return 0 };
        let mut found: Vec<&Answer> = vec![&best.answer];
        for other in
            others.iter().filter(|other| differs_in_namesakes(&best.reading, &other.reading, auditor))
        {
            if !found.iter().any(|known| same_result(known, &other.answer)) {
                found.push(&other.answer);
            }
        }
        found.len() - 1
    }

    /// Moves the reading with a property that is preferred to the front.
    fn prefer(&mut self, preferences: &Preferences<'_>) {
        let Some(best) = self.ran.first() else { return };
        let wanted = |other: &Judged| preferences.decide(other, best);
        if let Some(at) = self.ran.iter().position(wanted) {
            let score = best.score;
            let mut chosen = self.ran.remove(at);
            chosen.score = score;
            self.ran.insert(0, chosen);
        }
    }

    /// Whether another reading, nearly as likely, has a full ledger and another result, and nobody has decided.
    fn has_rival(&self, preferences: &Preferences<'_>) -> bool {
        let Some((best, others)) = self.ran.split_first() else { return false };
        others.iter().any(|other| {
            best.score - other.score < RIVAL
                && other.ledger.as_ref().is_some_and(Ledger::is_full)
                && !preferences.decide(best, other)
                && !same_result(&other.answer, &best.answer)
        })
    }

    /// The best reading.
    pub fn best(&self) -> Option<&Judged> {
        self.ran.first()
    }

    /// Up to three others whose results differ from each other and from the best.
    pub fn alternatives(&self) -> Vec<&Judged> {
        let mut kept: Vec<&Judged> = Vec::new();
        for judged in &self.ran {
            if !kept.iter().any(|known| same_result(&known.answer, &judged.answer)) {
                kept.push(judged);
            }
        }
        kept.into_iter().skip(1).take(MAX_ALTERNATIVES).collect()
    }
}

/// Whether two readings are the same but for things that have the same name.
fn differs_in_namesakes(one: &Reading, other: &Reading, auditor: &Auditor<'_>) -> bool {
    let shape = |reading: &Reading| {
        let things = reading.things.iter();
        things.fold(reading.query.clone(), |query, thing| query.replace(&format!("<{thing}>"), "?"))
    };
    let namesakes = |(a, b): (&String, &String)| a == b || auditor.are_namesakes(a, b);
    one.things != other.things
        && one.things.len() == other.things.len()
        && one.things.iter().zip(&other.things).all(namesakes)
        && shape(one) == shape(other)
}

/// Runs the best readings and re-ranks them.
pub async fn judge(
    runner: &dyn Runner,
    readings: &[Reading],
    weights: &Weights,
    deadline: Instant,
) -> Judgement {
    let mut ran: Vec<Judged> = Vec::new();
    let mut best = f32::MIN;
    let deadline = deadline.min(Instant::now() + ALL_TIME);
    for reading in readings.iter().take(MAX_RUNS) {
        let left = deadline.saturating_duration_since(Instant::now()).min(if ran.is_empty() {
            RUN_TIME
        } else {
            NEXT_TIME
        });
        if left < MIN_TIME || reading.score + MAX_LIFT < best {
            break;
        }
        if let Some(judged) = run(runner, reading, weights, left).await {
            best = best.max(judged.score);
            ran.push(judged);
        }
    }
    ran.sort_by(|a, b| b.score.total_cmp(&a.score));
    Judgement { ran, probability: 0.0 }
}

async fn run(runner: &dyn Runner, reading: &Reading, weights: &Weights, left: Duration) -> Option<Judged> {
    let (query, answer, tied) = with_ties(runner, reading, left).await?;
    let text = reading.with_ties.as_ref().filter(|_| tied).unwrap_or(&reading.query);
    let (query, answer) = opened(runner, &reading.telling, text, (query, answer), left).await;
    let own = result_features(reading, &answer);
    let mut features = reading.features.clone();
    features.add_all(&own);
    let score = reading.score + weights.score(&own);
    Some(Judged { reading: reading.clone(), query, answer, tied, score, features, ledger: None })
}

/// Runs a superlative with ties kept; if there are none, the plain query gives the same.
async fn with_ties(
    runner: &dyn Runner,
    reading: &Reading,
    left: Duration,
) -> Option<(CheckedQuery, Answer, bool)> {
    if let Some(query) = &reading.with_ties
        && let Ok((query, answer)) = runner.run(query, left).await
        && answer.row_count() > 1
    {
        return Some((query, answer, true));
    }
    let (query, answer) = runner.run(&reading.query, left).await.ok()?;
    Some((query, answer, false))
}

/// The features of a reading's result.
pub fn result_features(reading: &Reading, answer: &Answer) -> Features {
    let mut features = Features::default();
    let on = |holds: bool| f32::from(u8::from(holds));
    features.add(Feature::EmptyAnswer, on(answer.gives_nothing()));
    features.add(Feature::RepeatsQuestion, on(repeats(reading, answer)));
    features
}

/// Whether the answer is only a thing that the question names: "the capital of Estonia" is not Estonia.
fn repeats(reading: &Reading, answer: &Answer) -> bool {
    let Results::Solutions(solutions) = &answer.results else { return false };
    let [row] = solutions.rows.as_slice() else { return false };
    let [Some(Term::NamedNode(only))] = row.as_slice() else { return false };
    reading.things.iter().any(|thing| thing == only.as_str())
}

/// Whether two answers have the same content, regardless of column names and order.
pub fn same_result(a: &Answer, b: &Answer) -> bool {
    match (&a.results, &b.results) {
        (Results::Solutions(a), Results::Solutions(b)) => a.rows == b.rows || same_rows(&a.rows, &b.rows),
        (a, b) => a == b,
    }
}

fn same_rows(a: &[Vec<Option<Term>>], b: &[Vec<Option<Term>>]) -> bool {
    let sorted = |rows: &[Vec<Option<Term>>]| {
        let mut texts: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
        texts.sort_unstable();
        texts
    };
    a.len() == b.len() && a.len() <= MAX_COMPARED && sorted(a) == sorted(b)
}

/// The inputs for the confidence; none until the readings were audited.
pub fn evidence<'a>(question: &ParsedQuestion, ran: &'a [Judged]) -> Option<Evidenced<'a>> {
    let best = ran.first()?;
    let ledger = best.ledger.as_ref()?;
    let likelihood = |judged: &Judged| (judged.score - best.score).exp();
    let all: f32 = ran.iter().map(likelihood).sum();
    let same: f32 = ran.iter().filter(|other| same_result(&other.answer, &best.answer)).map(likelihood).sum();
    Some(Evidenced {
        features: &best.features,
        agreement: same / all,
        words: question.words.iter().filter(|word| word.kind > WordKind::Function).count(),
        score: best.score,
        ledger,
    })
}
