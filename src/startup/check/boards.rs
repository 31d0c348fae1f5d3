//! Checks boards against the verified questions of their dataset: whether every name on them is that of a question.

use super::{Checked, degraded, ok};
use crate::startup::knowledge;
use crate::startup::opener::questions_folder;
use eruca_api::PartState;
use eruca_dataset::prefixes_of;
use eruca_indexer::DatasetIndex;
use eruca_knowledge::Board;
use eruca_knowledge::questions::{Questions, read_questions};
use eruca_sparql::Prefixes;

/// The state of a dataset's boards; nothing if it has none, or if its knowledge cannot be read, which is told elsewhere.
pub(super) fn states(checked: &Checked<'_>, index: Option<&DatasetIndex>) -> Vec<PartState> {
    let prefixes = index.map_or_else(Prefixes::well_known, prefixes_of);
    let boards = knowledge::read(checked.dataset, &prefixes).map(|known| known.boards).unwrap_or_default();
    let Some(folder) = questions_folder(checked.dataset).filter(|_| !boards.is_empty()) else {
        return Vec::new();
    };
    let (questions, _) = read_questions(&folder);
    let part = checked.part("boards");
    let mut parts = vec![ok(&*part, boards.len().to_string())];
    parts.extend(
        boards.iter().flat_map(|board| wrong(board, &questions)).map(|wrong| degraded(&*part, wrong)),
    );
    parts
}

fn wrong(board: &Board, questions: &Questions) -> Vec<String> {
    let Board { name, origin, .. } = board;
    let mut wrong = Vec::new();
    if questions.named(name).is_some() {
        wrong.push(format!(
            "{origin}: a verified question has the name '{name}' too, and is shown on no page of its own; rename one of them"
        ));
    }
    let unknown = board.questions.iter().filter(|question| questions.named(question).is_none());
    wrong.extend(unknown.map(|question| {
        format!(
            "{origin}: the board '{name}' has the question '{question}', but none has that name, or it is set aside; eruca examples list shows the names"
        )
    }));
    wrong
}
