//! What an entry would change: questions that it concerns are asked again without a model, with and without it.
//!
//! A question without words of a new entry of the glossary, or that is not near to the new verified question, is answered as before,
//! and need not be asked. A verified question is answered by its query whatever the glossary says; whether the planner would still find
//! what was verified shows what the entry does to questions like it.

use crate::service::caches::Caches;
use crate::service::queue::Queue;
use crate::service::readiness::LastLooks;
use crate::service::reload::Reloading;
use crate::service::served::Served;
use crate::service::{Ask, Question, RETRY_LOOKS, RETRY_QUESTIONS, Service, boards, browse};
use eruca_api::{Change, Trial, TrialAnswer, VerifiedChange};
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{
    Entry, Outcome, Questions, VerifiedQuestion, WatchedQuestions, outcome, question_key,
};
use eruca_knowledge::{GlossaryEntry, Learned};
use eruca_planner::Glossary;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many of the last questions are asked again.
pub const RECENT_QUESTIONS: usize = 200;
/// Verified questions that are asked again.
const MAX_VERIFIED: usize = 1_000;
/// Time for one question, and for all.
const QUESTION_TIME: Duration = Duration::from_secs(10);
const TRIAL_TIME: Duration = Duration::from_secs(90);

/// A question of a trial.
struct Tried {
    text: String,
    /// What its query gave when it was verified.
    verified: Option<Option<Outcome>>,
}

pub(super) async fn trial(
    service: &Service,
    dataset: &Arc<Dataset>,
    learned: &Learned,
    recent: Vec<String>,
) -> Trial {
    let all = questions(dataset, learned, recent);
    let mut trial = Trial { questions: all.len(), changes: Vec::new(), broken: 0, left: 0 };
    let Some((before, after, concerned)) = sides(dataset, learned, all) else { return trial };
    let (before, after) = (asker(service, before), asker(service, after));
    let until = Instant::now() + TRIAL_TIME;
    for tried in concerned {
        if Instant::now() >= until {
            trial.left += 1;
            continue;
        }
        let (then, now) =
            (answer(&before, dataset, &tried.text).await, answer(&after, dataset, &tried.text).await);
        trial.changes.extend(change(tried, then, now));
    }
    let broken = |change: &&Change| change.verified == Some(VerifiedChange::Broken);
    trial.broken = trial.changes.iter().filter(broken).count();
    trial
}

/// The last questions and the verified ones, each once.
fn questions(dataset: &Dataset, learned: &Learned, recent: Vec<String>) -> Vec<Tried> {
    let known = dataset.questions().now();
    let used = known.entries().iter().map(|entry| &entry.question).filter(|one| one.aside.is_none());
    let verified = used
        .take(MAX_VERIFIED)
        .map(|one| Tried { text: one.question.clone(), verified: Some(one.outcome.clone()) });
    let mut all: Vec<Tried> = verified.collect();
    let mut seen: Vec<String> = all.iter().map(|one| question_key(&one.text)).collect();
    let asked = recent.into_iter().take(RECENT_QUESTIONS);
    // The question itself shows what its own entry does.
    let own = match learned {
        Learned::Question(question) => Some(question.question.clone()),
        Learned::Glossary(_) | Learned::Note(_) => None,
    };
    for text in own.into_iter().chain(asked) {
        let key = question_key(&text);
        if !key.is_empty() && !seen.contains(&key) {
            seen.push(key);
            all.push(Tried { text, verified: None });
        }
    }
    all
}

/// The dataset without and with an entry, and the questions that it concerns; `None` if no answer without a model depends on it.
fn sides(dataset: &Dataset, learned: &Learned, all: Vec<Tried>) -> Option<(Dataset, Dataset, Vec<Tried>)> {
    match learned {
        Learned::Note(_) => None,
        Learned::Glossary(entry) => {
            let bare = dataset.clone().with_questions(WatchedQuestions::default());
            let own = Glossary::new([GlossaryEntry::clone(entry)]);
            let concerned = all.into_iter().filter(|one| own.concerns(&dataset.read(&one.text)));
            Some((bare.clone(), bare.with_entry(GlossaryEntry::clone(entry)), concerned.collect()))
        }
        Learned::Question(question) => {
            let with = with_question(dataset, question);
            let own = Questions::new(vec![placed(question)]);
            // A near question may take its query, too.
            let is_near = |text: &str| !own.near(text, dataset.read(text).language.tag()).is_empty();
            let is_own =
                |text: &str| own.exact(text).is_some() || own.filled(text).is_some() || is_near(text);
            let concerned = all.into_iter().filter(|one| is_own(&one.text));
            Some((dataset.clone(), with, concerned.collect()))
        }
    }
}

/// The dataset with a verified question, in place of one with the same words.
fn with_question(dataset: &Dataset, question: &VerifiedQuestion) -> Dataset {
    let key = question_key(&question.question);
    let known = dataset.questions().now();
    let others = known.entries().iter().filter(|entry| question_key(&entry.question.question) != key);
    let entries = std::iter::once(placed(question)).chain(others.cloned()).collect();
    dataset.clone().with_questions(WatchedQuestions::fixed(Questions::new(entries)))
}

fn placed(question: &VerifiedQuestion) -> Entry {
    Entry { question: question.clone(), file: PathBuf::new(), number: 0 }
}

/// A service over one dataset that asks no model, and remembers nothing.
fn asker(service: &Service, dataset: Dataset) -> Arc<Service> {
    let limits = service.limits;
    let (most, waiting) = (limits.max_concurrent_questions, limits.max_waiting_questions);
    let room = |retry| Arc::new(Queue::new(most, waiting, retry));
    Arc::new(Service {
        served: Served::new(vec![Arc::new(dataset)]),
        reloading: Reloading::default(),
        model: None,
        limits,
        queue: room(RETRY_QUESTIONS),
        looks: room(RETRY_LOOKS),
        caches: Caches::default(),
        seen: LastLooks::default(),
        cpu_pool: service.cpu_pool.clone(),
        examples: browse::Examples::default(),
        results: boards::Results::default(),
        degraded: Vec::new(),
        roles: Vec::new(),
    })
}

/// An answer with what its query gave.
type Given = (TrialAnswer, Option<Outcome>);

async fn answer(service: &Arc<Service>, dataset: &Dataset, text: &str) -> Given {
    let question = Question { dataset: dataset.id.clone(), text: text.to_owned() };
    let ask = Ask { deadline: Some(QUESTION_TIME), alternatives: false, ..Ask::alone(question) };
    let (told, answer) = service.tried(ask).await;
    (told, answer.as_deref().map(outcome))
}

/// What changes, if anything does.
fn change(tried: Tried, (before, had): Given, (after, has): Given) -> Option<Change> {
    let differs = match (&had, &has) {
        (Some(had), Some(has)) => had.differs_from(has),
        (None, None) => false,
        _ => true,
    };
    if !differs && before.confidence == after.confidence {
        return None;
    }
    let is_right = |known: &Option<Outcome>, given: &Option<Outcome>| {
        known.as_ref().zip(given.as_ref()).is_some_and(|(known, given)| !known.differs_from(given))
    };
    let verified = tried.verified.map(|known| match (is_right(&known, &had), is_right(&known, &has)) {
        (true, false) => VerifiedChange::Broken,
        (false, true) => VerifiedChange::Mended,
        (true, true) | (false, false) => VerifiedChange::Other,
    });
    Some(Change { question: tried.text, verified, before, after })
}
