//! The verified questions of a dataset that is served: read again when a file has changed. Files with errors change nothing: what was
//! read before is kept, and the errors are told.

use super::folder::{Stamp, stamp};
use super::{BenchmarkQuestion, Entry, Problem, Questions, VerifiedQuestion, read_questions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// What is seen of a verified question; nothing, if it must not be seen.
type Seen = dyn Fn(VerifiedQuestion) -> Option<VerifiedQuestion> + Send + Sync;

/// The questions of a folder.
#[derive(Default)]
pub struct WatchedQuestions {
    folder: PathBuf,
    seen: Option<Box<Seen>>,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    questions: Arc<Questions>,
    problems: Vec<Problem>,
    stamp: Stamp,
}

impl WatchedQuestions {
    /// Reads a folder.
    #[must_use]
    pub fn open(folder: PathBuf) -> Self {
        Self::read(folder, None)
    }

    /// Reads a folder, with what may be seen of each question.
    #[must_use]
    pub fn open_seen(
        folder: PathBuf,
        seen: impl Fn(VerifiedQuestion) -> Option<VerifiedQuestion> + Send + Sync + 'static,
    ) -> Self {
        Self::read(folder, Some(Box::new(seen)))
    }

    fn read(folder: PathBuf, seen: Option<Box<Seen>>) -> Self {
        let stamp = stamp(&folder);
        let (questions, problems) = read_questions(&folder);
        let questions = Arc::new(seen_of(questions, seen.as_deref()));
        Self { folder, seen, state: RwLock::new(State { questions, problems, stamp }) }
    }

    /// These questions, for a trial: no file is looked at.
    #[must_use]
    pub fn fixed(questions: Questions) -> Self {
        let state = State { questions: Arc::new(questions), ..State::default() };
        Self { state: RwLock::new(state), ..Self::default() }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The questions as they are now; they do not change while they are held.
    #[must_use]
    pub fn now(&self) -> Arc<Questions> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).questions.clone()
    }

    /// What is wrong with the files.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).problems.clone()
    }

    /// Reads the files again if they have changed; gives how many questions there are then, and what is wrong.
    pub fn refresh(&self) -> Option<(usize, Vec<Problem>)> {
        let now = stamp(&self.folder);
        if self.state.read().unwrap_or_else(PoisonError::into_inner).stamp == now {
            return None;
        }
        let (questions, problems) = read_questions(&self.folder);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        (state.stamp, state.problems) = (now, problems.clone());
        if problems.is_empty() {
            state.questions = Arc::new(seen_of(questions, self.seen.as_deref()));
        }
        Some((state.questions.entries().len(), problems))
    }

    /// Leaves out what a benchmark asks; gives how many are used, and how many are left out.
    pub fn leave_out(&self, asked: &[BenchmarkQuestion<'_>]) -> (usize, usize) {
        let (kept, left_out) = self.now().without_leaks(asked);
        let used = kept.entries().iter().filter(|entry| entry.question.aside.is_none()).count();
        self.state.write().unwrap_or_else(PoisonError::into_inner).questions = Arc::new(kept);
        (used, left_out)
    }
}

fn seen_of(questions: Questions, seen: Option<&Seen>) -> Questions {
    let Some(seen) = seen else { return questions };
    let entries = questions.entries().iter().cloned();
    Questions::new(
        entries.filter_map(|entry| Some(Entry { question: seen(entry.question)?, ..entry })).collect(),
    )
}
