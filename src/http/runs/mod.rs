//! Kept runs: in memory, limited in number and bytes, and in files if configured.
//!
//! Anyone who knows a run's id may see it, so ids cannot be guessed, and an id is validated before it becomes part of
//! a path.

mod disk;
mod seal;

pub(super) use seal::Seals;

use super::failing::Failing;
use crate::config::RunsSettings;
use crate::service::{RunHandle, RunId};
use disk::Disk;
use eruca_api::{Run, RunState};
use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The header with the run's id.
pub(super) const HEADER: &str = "eruca-run";

/// What is kept of a finished run.
#[derive(Clone)]
pub(super) struct KeptRun {
    /// The run.
    pub(super) run: Arc<Run>,
    /// How many events it had.
    pub(super) events: u64,
    /// The events; `None` for a run from a file, or of a query without a question.
    pub(super) log: Option<Arc<RunHandle>>,
    /// What a model remembered on its way, as Turtle.
    pub(super) graph: Option<Arc<str>>,
    /// By whom it can be read.
    pub(super) seal: String,
}

/// The last questions about a dataset in a folder of runs, the newest first.
pub(super) fn recent_in(folder: &Path, dataset: &str, most: usize) -> Vec<String> {
    disk::recent_in(folder, dataset, most)
}

impl KeptRun {
    /// A finished run without events.
    pub(super) fn silent(run: Run, seals: &Seals) -> Self {
        Self { seal: seals.of(&run.dataset), run: run.into(), events: 0, log: None, graph: None }
    }

    fn of(handle: &Arc<RunHandle>, seals: &Seals) -> Self {
        let run = handle.run();
        let graph = run.graph.clone();
        let run = Run::from(run);
        let seal = seals.of(&run.dataset);
        Self { run: run.into(), events: handle.length(), log: Some(handle.clone()), graph, seal }
    }

    /// Whether the service was too busy to start it.
    fn is_refused(&self) -> bool {
        self.run.error.as_ref().is_some_and(|error| error.code == "overloaded")
    }
}

/// A requested run.
pub(super) enum FoundRun {
    /// It is still running.
    Live(Arc<RunHandle>, Arc<Seals>),
    /// It has finished.
    Over(KeptRun),
}

impl FoundRun {
    /// Its current state.
    pub(super) fn run(&self) -> Arc<Run> {
        match self {
            Self::Live(handle, _) => Arc::new(handle.run().into()),
            Self::Over(kept) => kept.run.clone(),
        }
    }

    /// What a model remembered on its way, as Turtle.
    pub(super) fn graph(&self) -> Option<Arc<str>> {
        match self {
            Self::Live(handle, _) => handle.run().graph,
            Self::Over(kept) => kept.graph.clone(),
        }
    }

    /// By whom it can be read, if it is about this dataset.
    pub(super) fn seal(&self, dataset: &str) -> String {
        match self {
            Self::Live(_, seals) => seals.of(dataset),
            Self::Over(kept) => kept.seal.clone(),
        }
    }
}

/// The runs of a service.
pub(super) struct Runs {
    memory: Mutex<Memory>,
    disk: Option<Disk>,
    failing: Failing,
}

/// The runs in memory, in the order in which they are evicted: the one finished longest ago first.
struct Memory {
    max_runs: usize,
    max_bytes: usize,
    live: HashMap<RunId, (Arc<RunHandle>, Arc<Seals>)>,
    runs: HashMap<RunId, (KeptRun, usize)>,
    order: VecDeque<RunId>,
    bytes: usize,
}

impl Runs {
    /// No runs except those in the folder.
    ///
    /// # Errors
    /// When the folder cannot be created or used.
    pub(super) fn open(settings: &RunsSettings) -> io::Result<Arc<Self>> {
        let RunsSettings { max_runs, max_bytes, folder, max_files, max_age } = settings;
        let disk = folder.as_deref().map(|folder| Disk::open(folder, *max_files, *max_age)).transpose()?;
        let (max_runs, max_bytes) = (*max_runs, *max_bytes);
        let memory = Memory {
            max_runs,
            max_bytes,
            live: HashMap::new(),
            runs: HashMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        };
        Ok(Arc::new(Self { memory: Mutex::new(memory), disk, failing: Failing::default() }))
    }

    /// Registers a question being answered, for those who see what its client saw before it was asked.
    pub(super) fn begin(&self, handle: &Arc<RunHandle>, seals: Arc<Seals>) {
        self.memory().live.insert(handle.id(), (handle.clone(), seals));
    }

    /// Keeps a finished question.
    pub(super) async fn finish(self: &Arc<Self>, handle: &Arc<RunHandle>) {
        let id = handle.id();
        let seals = self.memory().live.get(&id).map(|(_, seals)| seals.clone()).unwrap_or_default();
        self.keep(id, KeptRun::of(handle, &seals)).await;
        self.memory().live.remove(&id);
    }

    /// Keeps a finished run. If the folder cannot be written, the log reports it, and the answer is returned anyway.
    /// Refused runs are not written to files: there are many of them while the service is busy.
    pub(super) async fn keep(self: &Arc<Self>, id: RunId, kept: KeptRun) {
        // Its size as JSON approximates that in memory, and is that of the file.
        let Ok(file) = disk::written(&kept) else { return };
        // With events, it is in memory three times: in the events, in the last event, and in the form that is sent.
        let times = if kept.log.is_some() { 3 } else { 1 };
        let stored = self.disk.is_some() && !kept.is_refused();
        self.memory().keep(id, kept, file.len().saturating_mul(times));
        if stored {
            let runs = self.clone();
            let written = tokio::task::spawn_blocking(move || {
                runs.disk.as_ref().map(|disk| runs.failing.record(disk.keep(id, &file)))
            });
            if let Ok(Some(Err(error))) = written.await {
                tracing::error!(%error, "a run could not be stored: check [runs] folder");
            }
        }
    }

    /// Why the last run could not be stored, if storing failed.
    pub(super) fn failing(&self) -> Option<String> {
        self.failing.reason()
    }

    /// A finished run.
    pub(super) async fn get(self: &Arc<Self>, id: RunId) -> Option<KeptRun> {
        let known = self.memory().runs.get(&id).map(|(kept, _)| kept.clone());
        if known.is_some() || self.disk.is_none() {
            return known;
        }
        let runs = self.clone();
        tokio::task::spawn_blocking(move || runs.disk.as_ref()?.get(id)).await.ok().flatten()
    }

    /// A run, finished or not.
    pub(super) async fn find(self: &Arc<Self>, id: RunId) -> Option<FoundRun> {
        let live = self.memory().live.get(&id).cloned();
        match live {
            Some((handle, seals)) if handle.is_over() => Some(FoundRun::Over(KeptRun::of(&handle, &seals))),
            Some((handle, seals)) => Some(FoundRun::Live(handle, seals)),
            None => self.get(id).await.map(FoundRun::Over),
        }
    }

    /// The last questions about a dataset that have an answer, the newest first, each complete by itself.
    pub(super) async fn recent(self: &Arc<Self>, dataset: &str, most: usize) -> Vec<String> {
        let mut found = self.memory().recent(dataset, most);
        if self.disk.is_some() && found.len() < most {
            let (runs, dataset) = (self.clone(), dataset.to_owned());
            let read = tokio::task::spawn_blocking(move || {
                runs.disk.as_ref().map(|disk| disk.recent(&dataset, most)).unwrap_or_default()
            });
            found.extend(read.await.unwrap_or_default());
        }
        let mut seen = HashSet::new();
        found.retain(|question| seen.insert(question.clone()));
        found.truncate(most);
        found
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The question of a run about a dataset, if it has one and was answered.
fn question_of(run: &Run, dataset: &str) -> Option<String> {
    let is_about = run.dataset == dataset && run.state == RunState::Done && !run.question.is_empty();
    is_about.then(|| run.asked.clone())
}

impl Memory {
    fn recent(&self, dataset: &str, most: usize) -> Vec<String> {
        let runs = self.order.iter().rev().filter_map(|id| self.runs.get(id));
        runs.filter_map(|(kept, _)| question_of(&kept.run, dataset)).take(most).collect()
    }

    fn keep(&mut self, id: RunId, kept: KeptRun, bytes: usize) {
        debug_assert!(kept.run.state != RunState::Running);
        self.forget(id);
        self.bytes += bytes;
        // Refused runs are evicted before any answer.
        if kept.is_refused() {
            self.order.push_front(id);
        } else {
            self.order.push_back(id);
        }
        self.runs.insert(id, (kept, bytes));
        while self.runs.len() > self.max_runs || self.bytes > self.max_bytes {
            let Some(oldest) = self.order.pop_front() else { break };
            self.remove(oldest);
        }
    }

    fn forget(&mut self, id: RunId) {
        if self.runs.contains_key(&id) {
            self.order.retain(|other| *other != id);
            self.remove(id);
        }
    }

    fn remove(&mut self, id: RunId) {
        if let Some((_, bytes)) = self.runs.remove(&id) {
            self.bytes = self.bytes.saturating_sub(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::{Run, RunState, ServiceError};
    use std::path::Path;
    use std::time::Duration;

    fn settings(max_runs: usize, max_bytes: usize, folder: Option<&Path>) -> RunsSettings {
        let max_age = Duration::from_secs(3600);
        RunsSettings { max_runs, max_bytes, folder: folder.map(Path::to_owned), max_files: 3, max_age }
    }

    /// Number of run files in a folder, which also contains its marker.
    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count() - 1
    }

    fn over(question: &str) -> (RunId, KeptRun) {
        let mut run = Run::begin("demo".to_owned(), question.to_owned(), "en".to_owned());
        run.state = RunState::Done;
        (run.id, KeptRun { events: 7, ..KeptRun::silent(run.into(), &Seals::default()) })
    }

    #[tokio::test]
    async fn refused_questions_take_no_place_from_answers() {
        let folder = tempfile::tempdir().unwrap();
        let runs = Runs::open(&settings(2, 1_000_000, Some(folder.path()))).unwrap();
        let (answered, kept) = over("Who?");
        runs.keep(answered, kept).await;
        let mut run = Run::begin("demo".to_owned(), "Where?".to_owned(), "en".to_owned());
        let retry_after = Duration::from_secs(5);
        run.state = RunState::Failed(ServiceError::Overloaded { limit: 1, waiting: 0, retry_after });
        let (refused, full) = (run.id, KeptRun::silent(run.into(), &Seals::default()));
        runs.keep(refused, full.clone()).await;
        assert!(runs.get(refused).await.is_some(), "there is room");
        runs.keep(over("When?").0, full).await;
        assert!(runs.memory().runs.contains_key(&answered));
        assert_eq!(files(folder.path()), 1);
    }

    #[tokio::test]
    async fn the_oldest_are_forgotten_first_by_number_and_by_bytes() {
        let few = Runs::open(&settings(2, 1_000_000, None)).unwrap();
        let runs: Vec<_> = (0..3).map(|number| over(&number.to_string())).collect();
        for (id, kept) in &runs {
            few.keep(*id, kept.clone()).await;
            few.keep(*id, kept.clone()).await;
        }
        assert!(few.get(runs[0].0).await.is_none());
        assert_eq!(few.get(runs[2].0).await.unwrap().run, runs[2].1.run);
        assert!(few.get(runs[1].0).await.is_some());

        let small = Runs::open(&settings(100, 10_000, None)).unwrap();
        let (id, kept) = over(&"x".repeat(3_000));
        small.keep(id, kept).await;
        let (other, kept) = over(&"y".repeat(3_000));
        small.keep(other, kept).await;
        assert!(small.get(id).await.is_none() && small.get(other).await.is_some());
        let (huge, kept) = over(&"z".repeat(60_000));
        small.keep(huge, kept).await;
        assert!(small.get(huge).await.is_none(), "one alone is bounded too");
        assert_eq!(small.memory().bytes, 0);
    }

    #[tokio::test]
    async fn files_outlast_the_process_and_are_bounded_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("runs");
        let runs: Vec<_> = (0..5).map(|number| over(&number.to_string())).collect();
        let first = Runs::open(&settings(1, 1_000_000, Some(&place))).unwrap();
        for (id, kept) in runs.iter().take(3) {
            first.keep(*id, kept.clone()).await;
        }
        assert!(first.get(runs[0].0).await.is_some(), "no longer in memory");
        drop(first);
        let second = Runs::open(&settings(1, 1_000_000, Some(&place))).unwrap();
        let read = second.get(runs[2].0).await.unwrap();
        assert_eq!((&read.run, read.events), (&runs[2].1.run, 7));
        for (id, kept) in runs.iter().skip(3) {
            second.keep(*id, kept.clone()).await;
        }
        assert_eq!(files(&place), 3);
    }

    #[tokio::test]
    async fn whether_runs_are_stored_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let runs = Runs::open(&settings(2, 1_000_000, Some(folder.path()))).unwrap();
        let (id, kept) = over("Who?");
        let in_the_way = folder.path().join(format!("{id}.json"));
        std::fs::create_dir(&in_the_way).unwrap();
        runs.keep(id, kept.clone()).await;
        assert!(runs.failing().is_some());
        std::fs::remove_dir(&in_the_way).unwrap();
        runs.keep(id, kept).await;
        assert_eq!(runs.failing(), None);
    }
}
