//! Runs a benchmark: asks every question that has not been asked yet, scores and records the answers.

use super::error::EvalError;
use super::journal::Journal;
use super::known::{Gold, GoldSource, gold};
use super::metrics::names::{Labels, things_of};
use super::metrics::side::{Compared, SideScores};
use super::metrics::{result_set, score};
use super::record::{Record, Scores, Side};
use super::select::Task;
use super::system::{MAX_LABELLED, Said, System, SystemAnswer, Unanswered};
use super::texts::{self, TextAnswers, aligned};
use eruca_language::{Language, fallback, language};
use eruca_sparql::{Answer, Limits, QueryError, Results};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// Limits for gold and predicted queries: the timeout is the official client's, the rest only bounds memory.
pub(super) const LIMITS: Limits =
    Limits { timeout: Duration::from_secs(180), max_rows: 1_000_000, max_bytes: 512 * 1024 * 1024 };

/// Observes the progress of a run.
pub trait Watcher: Sync {
    /// Called once: `asked` of `total` questions were already answered in an earlier run.
    fn begin(&self, asked: usize, total: usize);
    /// Called after every question.
    fn finished(&self, record: &Record);
}

/// A benchmark run.
pub struct Benchmark<'a> {
    /// Answers the questions; must be able to handle `jobs` of them at once.
    pub system: &'a dyn System,
    /// The questions.
    pub tasks: &'a [Task],
    /// Where gold answers come from.
    pub gold: GoldSource<'a>,
    /// Textual answers of another system; the system itself is not asked then.
    pub texts: Option<&'a TextAnswers>,
    /// Whether labels of things count for the things in scores beside the strict ones.
    pub names: bool,
    /// Number of questions asked concurrently.
    pub jobs: usize,
    /// The folder of the records.
    pub out: &'a Path,
}

impl Benchmark<'_> {
    /// Asks the questions that are not in the folder yet; returns the records of all tasks in order, without their traces, which
    /// are in the folder.
    ///
    /// # Errors
    /// When a stored gold set is missing or the records cannot be read or written. A question without an answer is recorded, and
    /// asked again in the next run.
    pub async fn run(&self, watcher: &dyn Watcher) -> Result<Vec<Record>, EvalError> {
        for task in self.tasks {
            if let GoldSource::Sets(gold) = self.gold {
                gold.of(&task.question.id)?;
            }
        }
        let (journal, earlier) = Journal::open(self.out)?;
        let mut records: HashMap<String, Record> =
            earlier.into_iter().map(|record| (record.id.clone(), record)).collect();
        let pending: Vec<&Task> = self
            .tasks
            .iter()
            .filter(|task| {
                !records.get(&task.question.id).is_some_and(|record| self.is_finished(record, task))
            })
            .collect();
        watcher.begin(self.tasks.len() - pending.len(), self.tasks.len());
        let mut answers =
            futures_util::stream::iter(pending).map(|task| self.ask(task)).buffer_unordered(self.jobs);
        while let Some(record) = answers.next().await {
            journal.append(&record)?;
            watcher.finished(&record);
            records.insert(record.id.clone(), record.slim());
        }
        Ok(self.tasks.iter().filter_map(|task| records.remove(&task.question.id)).collect())
    }

    async fn ask(&self, task: &Task) -> Record {
        if let Some(texts) = self.texts {
            return self.score_texts(task, texts).await;
        }
        let gold = gold(self.system, self.gold, task).await;
        let answered = self.system.answer(&task.dataset, &task.question.text).await;
        let predicted = match &answered {
            Ok(SystemAnswer { said: Said::Query(query), .. }) => {
                let run = self.query(&task.dataset, query).await;
                run.map(|run| run.map_err(|error| error.to_string()))
            }
            Ok(SystemAnswer { said: Said::Texts(texts), .. }) => Some(self.aligned(task, texts, &gold).await),
            Err(_) => None,
        };
        let given = predicted.as_ref().and_then(|run| run.as_ref().ok());
        let texts = match &answered {
            Ok(SystemAnswer { said: Said::Texts(texts), .. }) => Some(texts.as_slice()),
            Ok(_) | Err(_) => None,
        };
        let side = self.side_scores(task, &gold, given, texts).await;
        self.record(task, gold, side, answered, predicted)
    }

    /// What texts stand for in the graph.
    async fn aligned(&self, task: &Task, texts: &[String], gold: &Gold<'_>) -> Result<Answer, String> {
        let is_truth =
            gold.answer.as_ref().is_some_and(|answer| matches!(answer.results, Results::Boolean(_)));
        let known = texts::KnownGold { set: &gold.set, is_truth };
        aligned(self.system, &task.dataset, texts, &known).await
    }

    /// Whether the record belongs to exactly this question and contains an answer.
    fn is_finished(&self, record: &Record, task: &Task) -> bool {
        let is_of_run = match self.texts {
            Some(texts) => record.answers.as_ref() == texts.of(&task.question.id),
            None => record.run.is_some(),
        };
        record.error.is_none()
            && record.dataset == task.dataset
            && record.question == task.question.text
            && record.gold.sparql == task.question.sparql
            && record.provenance.from == self.gold.name()
            && is_of_run
    }

    /// Scores another system's textual answers.
    async fn score_texts(&self, task: &Task, texts: &TextAnswers) -> Record {
        let gold = gold(self.system, self.gold, task).await;
        let answers = texts.of(&task.question.id);
        let predicted = match answers {
            Some(answers) => self.aligned(task, answers, &gold).await,
            None => Err(texts.missing()),
        };
        // Texts have neither columns nor datatypes, so rows cannot be compared.
        let given = predicted.as_ref().ok();
        let side = self.side_scores(task, &gold, given, Some(answers.map_or(&[][..], Vec::as_slice))).await;
        let scores = Scores { row_f1: None, ..self.scores(task, &gold, given, side) };
        let (results, error) = match predicted {
            Ok(answer) => (Some(self.system.shown(&answer)), None),
            Err(error) => (None, Some(error)),
        };
        Record {
            predicted: Side { sparql: None, results, error: None },
            error,
            answers: answers.cloned(),
            ..unanswered(task, gold, scores)
        }
    }

    async fn query(&self, dataset: &str, query: &str) -> Option<Result<Answer, QueryError>> {
        self.system.query(dataset, query, LIMITS).await
    }

    fn record(
        &self,
        task: &Task,
        gold: Gold<'_>,
        side: SideScores,
        answered: Result<SystemAnswer, Unanswered>,
        predicted: Option<Result<Answer, String>>,
    ) -> Record {
        let mut scores = self.scores(task, &gold, predicted.as_ref().and_then(|run| run.as_ref().ok()), side);
        let (results, failed) = match predicted {
            Some(Ok(answer)) => (Some(self.system.shown(&answer)), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        let (sparql, answers) = match answered.as_ref().map(|answered| &answered.said) {
            Ok(Said::Query(query)) => (Some(query.clone()), None),
            Ok(Said::Texts(texts)) => (None, Some(texts.clone())),
            Err(_) => (None, None),
        };
        if answers.is_some() {
            // Texts have neither columns nor datatypes, so rows cannot be compared.
            scores.row_f1 = None;
        }
        let without = Record { answers, ..unanswered(task, gold, scores) };
        match answered {
            Ok(SystemAnswer { said: _, figures, trace, conversation }) => Record {
                predicted: Side { sparql, results, error: failed },
                run: Some(figures),
                trace: Some(trace),
                conversation,
                ..without
            },
            Err(Unanswered { reason, trace }) => Record { error: Some(reason), trace, ..without },
        }
    }

    fn scores(&self, task: &Task, gold: &Gold<'_>, predicted: Option<&Answer>, side: SideScores) -> Scores {
        let set = predicted.map(result_set).unwrap_or_default();
        Scores {
            official: score(&gold.set, &set, self.order_matters(task)),
            unwinnable: gold.set.values().all(|relevance| *relevance <= 0),
            row_f1: gold.row_f1(predicted),
            side,
        }
    }

    fn order_matters(&self, task: &Task) -> bool {
        let stored = matches!(self.gold, GoldSource::Sets(sets) if sets.requires_order(&task.question.id));
        stored || task.question.order_matters()
    }

    /// The scores of other papers; `texts` is an answer in words. Without gold rows there are none.
    async fn side_scores(
        &self,
        task: &Task,
        gold: &Gold<'_>,
        predicted: Option<&Answer>,
        texts: Option<&[String]>,
    ) -> SideScores {
        let Some(gold) = &gold.answer else { return SideScores::default() };
        let labels = match self.names {
            true => Some(self.labels(&task.dataset, &things_of(gold, predicted)).await),
            false => None,
        };
        let compared = Compared {
            gold,
            predicted,
            order_matters: self.order_matters(task),
            // Texts have neither columns nor datatypes.
            has_rows: texts.is_none(),
            texts,
            language: language_of(task),
            labels: labels.as_ref(),
        };
        compared.scores()
    }

    async fn labels(&self, dataset: &str, things: &[&str]) -> Labels {
        let mut labels = Vec::new();
        for some in things.chunks(MAX_LABELLED) {
            labels.extend(self.system.labels(dataset, some).await);
        }
        labels.into_iter().collect()
    }
}

/// The language of a question, for the words of its answers.
fn language_of(task: &Task) -> &'static Language {
    task.question.lang.as_deref().and_then(language).unwrap_or_else(fallback)
}

/// A record of a question without an outcome.
fn unanswered(task: &Task, gold: Gold<'_>, scores: Scores) -> Record {
    let question = &task.question;
    Record {
        id: question.id.clone(),
        dataset: task.dataset.clone(),
        question: question.text.clone(),
        lang: question.lang.clone(),
        features: question.features.clone(),
        form: question.form().to_owned(),
        gold: gold.side,
        provenance: gold.provenance,
        predicted: Side::default(),
        scores,
        run: None,
        error: None,
        answers: None,
        trace: None,
        conversation: None,
    }
}
