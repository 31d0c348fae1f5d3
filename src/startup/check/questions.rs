//! Checks verified questions: their files, and whether their queries can be read with the prefixes of the graph. Nothing is run.

use super::{Checked, degraded, ok};
use crate::startup::opener::{questions_folder, rules};
use eruca_api::PartState;
use eruca_indexer::DatasetIndex;
use eruca_knowledge::questions::{Entry, Questions, read_questions};
use eruca_sparql::{Prefixes, check, one_line};

/// Problems of one dataset that are told.
const MAX_TOLD: usize = 20;
/// Longest question in a message, in characters.
const MAX_CHARS: usize = 120;

/// The state of a dataset's verified questions; nothing if it has none.
pub(super) fn states(checked: &Checked<'_>, index: Option<&DatasetIndex>) -> Vec<PartState> {
    let Some(folder) = questions_folder(checked.dataset) else { return Vec::new() };
    let (questions, problems) = read_questions(&folder);
    if questions.is_empty() && problems.is_empty() {
        return Vec::new();
    }
    let part = checked.part("verified questions");
    let mut parts = vec![ok(&*part, counts(&questions))];
    let unread = index.map(|index| unreadable(checked, &questions, index)).unwrap_or_default();
    let told = problems.iter().map(ToString::to_string).chain(unread).take(MAX_TOLD);
    parts.extend(told.map(|problem| degraded(&*part, problem)));
    parts
}

fn counts(questions: &Questions) -> String {
    let aside = questions.entries().iter().filter(|entry| entry.question.aside.is_some()).count();
    let test = "eruca examples test runs them";
    match aside {
        0 => format!("{}; {test}", questions.entries().len()),
        aside => format!("{}, of which {aside} are set aside; {test}", questions.entries().len()),
    }
}

/// The questions whose query cannot be read.
fn unreadable(checked: &Checked<'_>, questions: &Questions, index: &DatasetIndex) -> Vec<String> {
    let mut prefixes = Prefixes::well_known().merged(&index.card.prefixes);
    for (name, iri) in &checked.dataset.prefixes {
        prefixes.insert(name, iri);
    }
    let policy = rules(checked.settings).policy;
    let used = questions.entries().iter().filter(|entry| entry.question.aside.is_none());
    let told = used.filter_map(|Entry { question, file, .. }| {
        let error = check(&question.query, &prefixes, &policy).err()?;
        let question = one_line(&question.question, MAX_CHARS);
        Some(format!("{}: the query of '{question}' cannot be used: {error}", file.display()))
    });
    told.take(MAX_TOLD).collect()
}
