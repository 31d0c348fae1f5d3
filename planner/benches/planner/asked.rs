//! Asks every question of some sets, with every candidate that ran and what it scored.

use super::graphs::{Graph, QuestionLine, SetFile, read_questions};
use super::scores::{Flat, flat, set_f};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{
    AllowedTime, Auditor, Confidence, Features, Ledger, SIGN_COUNT, Weights, evidence, fetch_facts, judge,
    link, readings, signs,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Time for one question.
const TIME: Duration = Duration::from_secs(20);

/// A candidate that ran.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub query: String,
    pub features: Features,
    pub score: f32,
    pub f: f64,
    pub ledger: Ledger,
}

/// A question with what came of it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub set: String,
    pub group: String,
    pub line: QuestionLine,
    pub candidates: Vec<Candidate>,
    pub probability: f32,
    /// The signs of confidence.
    pub signs: [f32; SIGN_COUNT],
    pub ledger: Ledger,
    pub unused: Vec<String>,
    pub not_found: Vec<String>,
    /// Readings that were found, run or not.
    pub found: usize,
    pub seconds: f64,
    /// Seconds until the readings were found, before any of them ran.
    pub planning: f64,
}

impl Asked {
    pub fn f(&self) -> f64 {
        self.candidates.first().map_or(0.0, |candidate| candidate.f)
    }

    pub fn best_f(&self) -> f64 {
        self.candidates.iter().map(|candidate| candidate.f).fold(0.0, f64::max)
    }

    pub fn is_answerable(&self) -> bool {
        self.line.sparql.is_some()
    }

    /// Whether the answer is exactly right.
    pub fn is_right(&self) -> bool {
        self.is_answerable() && self.f() > 0.999
    }

    pub fn confidence(&self) -> Confidence {
        Confidence::of(self.probability)
    }
}

/// Asks all questions of some sets on two threads, graph by graph.
pub fn ask_all(sets: &[SetFile], weights: &Weights, limit: Option<usize>) -> anyhow::Result<Vec<Asked>> {
    let runtime = Runtime::new()?;
    let mut by_graph: BTreeMap<(String, Vec<PathBuf>), Vec<&SetFile>> = BTreeMap::new();
    for set in sets {
        by_graph.entry((set.group.clone(), set.data.clone())).or_default().push(set);
    }
    let mut all = Vec::new();
    for ((group, files), sets) in by_graph {
        let graph = Graph::open(&runtime, &group, &files)?;
        let mut lines: Vec<(String, QuestionLine)> = Vec::new();
        for set in sets {
            let questions = read_questions(&set.questions)?;
            lines.extend(
                questions.into_iter().take(limit.unwrap_or(usize::MAX)).map(|line| (set.set.clone(), line)),
            );
        }
        all.extend(ask_lines(&runtime, &graph, &graph, &group, lines, weights));
    }
    Ok(all)
}

/// Asks some questions to a graph; the reference queries run on `reference`.
pub fn ask_lines(
    runtime: &Runtime,
    graph: &Graph,
    reference: &Graph,
    group: &str,
    lines: Vec<(String, QuestionLine)>,
    weights: &Weights,
) -> Vec<Asked> {
    let (queue, done) =
        (Mutex::new(lines.into_iter().enumerate().collect::<Vec<_>>()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.pop());
                    let Some((number, (set, line))) = next else { break };
                    let asked = runtime.block_on(ask([graph, reference], group, set, line, weights));
                    if let Ok(mut done) = done.lock() {
                        done.push((number, asked));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, asked)| asked).collect()
}

async fn ask(
    [graph, reference]: [&Graph; 2],
    group: &str,
    set: String,
    line: QuestionLine,
    weights: &Weights,
) -> Asked {
    let gold = match &line.sparql {
        Some(query) => reference.gold(query).await.map(|answer| flat(&answer)).ok(),
        None => None,
    };
    let start = Instant::now();
    let question = ParsedQuestion::read(&line.question, std::slice::from_ref(&line.lang));
    let mut named = link(&graph.index, &question, None).unwrap_or_default();
    fetch_facts(graph, &mut named.mentions, TIME).await;
    let found = readings(&graph.index, &question, &named, weights, AllowedTime::until(start + TIME / 2));
    let planning = start.elapsed().as_secs_f64();
    let judgement = judge(graph, &found, weights, start + TIME).await;
    let judgement = judgement.audited(&Auditor::new(&graph.index, &question, &named), weights, &[]);
    let seconds = start.elapsed().as_secs_f64();
    let f = |answer| gold.as_ref().map_or(0.0, |gold: &Flat| set_f(gold, &flat(answer)));
    let ledger = judgement.best().and_then(|best| best.ledger.clone()).unwrap_or_default();
    let unused = judgement.best().map(|best| best.reading.unused.clone()).unwrap_or_default();
    let not_found = found.first().map(|first| first.not_found.clone()).unwrap_or_default();
    let candidates = judgement.ran.iter().map(|judged| Candidate {
        query: judged.query.text().to_owned(),
        features: judged.features.clone(),
        score: judged.score,
        f: f(&judged.answer),
        ledger: judged.ledger.clone().unwrap_or_default(),
    });
    let signs = evidence(&question, &judgement.ran).map_or([0.0; SIGN_COUNT], |known| signs(&known));
    Asked {
        signs,
        set,
        group: group.to_owned(),
        candidates: candidates.collect(),
        probability: judgement.probability,
        ledger,
        unused,
        not_found,
        found: found.len(),
        seconds,
        planning,
        line,
    }
}
