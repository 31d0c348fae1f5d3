//! The verified questions of a dataset that is served: read again when a file has changed. Files with errors change nothing: what was
//! read before is kept, and the errors are told.

use super::folder::{Stamp, stamp};
use super::{BenchmarkQuestion, Problem, Questions, read_questions};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The questions of a folder.
#[derive(Debug, Default)]
pub struct WatchedQuestions {
    folder: PathBuf,
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
        let stamp = stamp(&folder);
        let (questions, problems) = read_questions(&folder);
        let state = State { questions: Arc::new(questions), problems, stamp };
        Self { folder, state: RwLock::new(state) }
    }

    /// These questions, for a trial: no file is looked at.
    #[must_use]
    pub fn fixed(questions: Questions) -> Self {
        let state = State { questions: Arc::new(questions), ..State::default() };
        Self { folder: PathBuf::new(), state: RwLock::new(state) }
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
            state.questions = Arc::new(questions);
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
