//! Which graphs a question is about, where the asker names several or leaves it open: the one that has names for most of its
//! words, and with a model those that name what it does not know. Looks names up in the indexes; runs no query and asks no
//! model.

use super::ask::Ask;
use super::parse::parse_for;
use super::solve::{ENDPOINT_CHECK_TIME, ask_endpoint};
use super::types::ServiceError;
use super::{QuestionTime, Service};
use eruca_dataset::{Dataset, ID_SEPARATOR};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{AllowedTime, coverage, word_coverage};
use eruca_sparql::{QueryError, one_line};
use std::sync::Arc;
use std::time::Instant;

/// The name by which all datasets are meant.
pub const AUTO: &str = "auto";
/// Datasets named in the note about a choice.
const MAX_TOLD: usize = 5;
/// Part of the time for a question that a choice may take.
const SHARE: u32 = 4;
/// Datasets added to the chosen one where the asker leaves it open.
const MAX_ADDED: usize = 2;
/// Share of the question for which a dataset that is added must have names beyond those of the chosen one.
const MIN_GAIN: f32 = 0.2;
/// How much better it must name a word for the word to be given as a reason.
const BETTER: f32 = 0.5;
/// Maximum length of an endpoint's message in a note.
const MAX_REASON: usize = 200;

/// The datasets that a question may be about; never empty.
pub(super) enum Targets {
    /// A single one.
    One(Arc<Dataset>),
    /// All that the asker names.
    Named(Vec<Arc<Dataset>>),
    /// Any of these.
    Open(Vec<Arc<Dataset>>),
}

/// A dataset with how much of a question it has names for.
struct Scored {
    dataset: Arc<Dataset>,
    /// From 0 to 1.
    score: f32,
    /// The same for each word.
    words: Vec<f32>,
    parsed: Option<ParsedQuestion>,
}

/// A dataset that is asked beside the best one.
struct Added<'a> {
    scored: &'a Scored,
    /// The words of the question for which it has better names.
    reasons: Vec<String>,
}

/// What a question is asked of.
pub(super) struct Chosen {
    /// The dataset, or several as one.
    pub(super) dataset: Arc<Dataset>,
    /// The choice with the best scores and its reasons, for the trace, where there was one.
    pub(super) note: Option<String>,
    /// Datasets that cannot be asked, in sentences.
    pub(super) left_out: Vec<String>,
}

impl Targets {
    /// The first of them.
    pub(super) fn first(&self) -> Option<&Arc<Dataset>> {
        match self {
            Self::One(only) => Some(only),
            Self::Named(all) | Self::Open(all) => all.first(),
        }
    }
}

impl Service {
    /// Whether a name leaves the dataset open: `auto`, where none is called so.
    pub fn is_open_choice(&self, name: &str) -> bool {
        name == AUTO && matches!(self.find_one(name), Err(ServiceError::UnknownDataset { .. }))
    }

    /// The datasets that a question may be about: the named ones, or all that are open.
    ///
    /// # Errors
    /// If a named one is unknown or not open, or if none is open.
    pub(super) fn targets(&self, name: &str) -> Result<Targets, ServiceError> {
        match self.find_one(name) {
            Err(ServiceError::UnknownDataset { asked, known }) if asked == AUTO => {
                let open: Vec<_> = known.iter().filter_map(|id| self.dataset(id)).collect();
                match open.as_slice() {
                    [] => Err(ServiceError::UnknownDataset { asked, known }),
                    [only] => Ok(Targets::One(only.clone())),
                    _ => Ok(Targets::Open(open)),
                }
            }
            Err(ServiceError::UnknownDataset { .. }) if name.contains(ID_SEPARATOR) => {
                let all = self.find_each(name)?;
                Ok(if let [only] = all.as_slice() { Targets::One(only.clone()) } else { Targets::Named(all) })
            }
            found => found.map(Targets::One),
        }
    }

    /// What a question is asked of. Several datasets are asked together only with a model; the planner asks the one that knows
    /// most of the question. `None` if there is no dataset.
    pub(super) async fn chosen(&self, targets: Targets, ask: &Ask, time: QuestionTime) -> Option<Chosen> {
        let (all, is_open) = match targets {
            Targets::One(only) => {
                return Some(Chosen { dataset: only, note: None, left_out: Vec::new() });
            }
            Targets::Named(all) => (all, false),
            Targets::Open(all) => (all, true),
        };
        let scored = self.routed(&all, ask, time).await;
        let (best, rest) = scored.split_first()?;
        let added: Vec<Added<'_>> = match (self.model.is_some(), is_open) {
            (false, _) => Vec::new(),
            (true, false) => rest.iter().map(|scored| Added { scored, reasons: Vec::new() }).collect(),
            (true, true) => rest.iter().filter_map(|other| added(best, other)).take(MAX_ADDED).collect(),
        };
        let note = Some(told(&scored, &added));
        let together: Vec<Arc<Dataset>> = std::iter::once(best)
            .chain(added.iter().map(|added| added.scored))
            .map(|scored| scored.dataset.clone())
            .collect();
        let (open, left_out) = answering(together, time).await;
        let home = open.first().unwrap_or(&best.dataset);
        let dataset = Dataset::together(home, open.get(1..).unwrap_or_default());
        Some(Chosen { dataset, note, left_out })
    }

    /// The datasets in the order of how much of a question they have names for. Those that could not be searched in time come
    /// last.
    async fn routed(&self, datasets: &[Arc<Dataset>], ask: &Ask, time: QuestionTime) -> Vec<Scored> {
        let until = Instant::now() + time.allowed / SHARE;
        let mut scored = Vec::with_capacity(datasets.len());
        for dataset in datasets {
            let (owned, ask) = (dataset.clone(), ask.clone());
            let work = self.cpu_pool.at_length(move |turns| {
                let parsed = parse_for(&owned, &ask, &with_context(&ask));
                let named = owned.link(&parsed, Some(AllowedTime::new(until, turns)));
                let words =
                    named.map(|named| word_coverage(&owned.index, &parsed, &named)).unwrap_or_default();
                let score = coverage(&parsed, &words);
                Scored { dataset: owned, score, words, parsed: Some(parsed) }
            });
            let left = until.saturating_duration_since(Instant::now());
            let late = || Scored { dataset: dataset.clone(), score: 0.0, words: Vec::new(), parsed: None };
            scored.push(tokio::time::timeout(left, work).await.unwrap_or_else(|_| late()));
        }
        // The first of equals is the one that is configured first.
        scored.sort_by(|one, other| other.score.total_cmp(&one.score));
        scored
    }
}

/// A dataset as one to be asked too, if both together have names for clearly more of the question than the best one alone.
fn added<'a>(best: &Scored, other: &'a Scored) -> Option<Added<'a>> {
    let parsed = other.parsed.as_ref()?;
    let together: Vec<f32> = best.words.iter().zip(&other.words).map(|(one, two)| one.max(*two)).collect();
    let gain = coverage(parsed, &together) - best.score;
    let pairs = parsed.words.iter().zip(best.words.iter().zip(&other.words));
    let better = pairs.filter(|(_, (one, two))| **two - **one >= BETTER);
    let reasons: Vec<String> = better.map(|(word, _)| word.raw.clone()).collect();
    (gain >= MIN_GAIN && !reasons.is_empty()).then_some(Added { scored: other, reasons })
}

/// The datasets whose endpoints answer, and a sentence for each of the others.
async fn answering(datasets: Vec<Arc<Dataset>>, time: QuestionTime) -> (Vec<Arc<Dataset>>, Vec<String>) {
    let (mut open, mut left_out) = (Vec::new(), Vec::new());
    if datasets.len() < 2 {
        return (datasets, left_out);
    }
    let patience = ENDPOINT_CHECK_TIME.min(time.allowed / 8);
    for dataset in datasets {
        match ask_endpoint(&dataset, patience).await {
            Err(QueryError::Unavailable { message }) => left_out.push(format!(
                "dataset '{}' is left out, as its endpoint does not answer: {}",
                dataset.id,
                one_line(&message, MAX_REASON)
            )),
            // Any other error means that the server responds.
            Ok(_) | Err(_) => open.push(dataset),
        }
    }
    (open, left_out)
}

/// A follow-up is about what the last question was about.
fn with_context(ask: &Ask) -> String {
    match ask.history.last() {
        Some(last) => format!("{} {}", last.question, ask.question.text),
        None => ask.question.text.clone(),
    }
}

/// The choice with the best scores, for the trace.
fn told(scored: &[Scored], added: &[Added<'_>]) -> String {
    let one = |Scored { dataset, score, .. }: &Scored| format!("{} {score:.2}", dataset.id);
    let shown: Vec<String> = scored.iter().take(MAX_TOLD).map(one).collect();
    let more = scored.len().saturating_sub(MAX_TOLD);
    let more = if more > 0 { format!(" and {more} others") } else { String::new() };
    let chosen = scored.first().into_iter().chain(added.iter().map(|added| added.scored));
    let chosen: Vec<&str> = chosen.map(|chosen| chosen.dataset.id.as_str()).collect();
    let are = if chosen.len() == 1 { "dataset is" } else { "datasets are" };
    let chosen = chosen.join(" and ");
    let reasons = added.iter().filter(|added| !added.reasons.is_empty()).map(|Added { scored, reasons }| {
        format!("; {} is asked too, as it knows {}", scored.dataset.id, reasons.join(", "))
    });
    format!(
        "the {are} {chosen}; share of the question that each has names for: {}{more}{}",
        shown.join(", "),
        reasons.collect::<String>()
    )
}
