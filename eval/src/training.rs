//! Good runs as training data: conversations in the chat format that fine-tuning tools read, one per line.
//!
//! Only runs of which the right answer is known and that were good enough; never questions that are held out for measuring.
//! A note beside the file says what is in it and which licences apply, since the lines themselves have no place for it.

use super::error::EvalError;
use super::journal::WholeRecords;
use super::questions::EvalQuestion;
use super::record::Record;
use eruca_language::text::name_key;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Which runs become training data.
pub struct Choice<'a> {
    /// The least official F of a run.
    pub least: f64,
    /// Questions that measure, and must not be learned.
    pub held_out: &'a [EvalQuestion],
    /// The file of the questions, as it is to be named.
    pub source: &'a str,
}

/// What was written, and what was not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// Conversations written.
    pub conversations: usize,
    /// Runs below the least score.
    pub below: usize,
    /// Runs whose right answer is not known.
    pub unknown: usize,
    /// Runs of questions that are held out: the same id, query or words.
    pub held_out: usize,
    /// Runs without a conversation: no model answered, or it was not kept.
    pub without: usize,
    /// The note beside the file.
    pub note: PathBuf,
}

/// Writes the conversations of good runs, which are in the folder of their records, and a note beside them.
///
/// # Errors
/// When a file cannot be written.
pub fn write_training(
    path: &Path,
    records: &[Record],
    folder: &Path,
    choice: &Choice<'_>,
) -> Result<Written, EvalError> {
    let held_out = HeldOut::of(choice.held_out);
    let mut whole = WholeRecords::open(folder)?;
    let mut written = Written { note: note_path(path), ..Written::default() };
    let failed = |reason| EvalError::write(path, reason);
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let (mut models, mut datasets) = (BTreeSet::new(), BTreeMap::new());
    for record in records {
        let conversation = whole.of(&record.id)?.and_then(|whole| whole.conversation);
        let Some(conversation) = conversation else {
            written.without += 1;
            continue;
        };
        if record.is_right().is_none() {
            written.unknown += 1;
        } else if record.scores.official.set_f < choice.least {
            written.below += 1;
        } else if held_out.has(record) {
            written.held_out += 1;
        } else {
            written.conversations += 1;
            models.extend(record.run.as_ref().and_then(|run| run.model.clone()));
            *datasets.entry(record.dataset.clone()).or_insert(0_usize) += 1;
            writeln!(file, "{}", line(record, &conversation)).map_err(failed)?;
        }
    }
    file.flush().map_err(failed)?;
    let note = note(&written, &models, &datasets, choice);
    std::fs::write(&written.note, note).map_err(|reason| EvalError::write(&written.note, reason))?;
    Ok(written)
}

/// `training.jsonl` has its note in `training.jsonl.md`.
fn note_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".md");
    PathBuf::from(name)
}

fn line(record: &Record, conversation: &Value) -> Value {
    let part = |key: &str| conversation.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut messages = part("messages");
    // What follows the model's last reply teaches nothing.
    while messages.last().is_some_and(|message| message.get("role") != Some(&json!("assistant"))) {
        messages.pop();
    }
    let run = record.run.as_ref();
    json!({
        "messages": messages,
        "tools": part("tools"),
        "metadata": {
            "id": record.id,
            "dataset": record.dataset,
            "lang": record.lang,
            "set_F": record.scores.official.set_f,
            "row_f1": record.scores.row_f1,
            "model": run.and_then(|run| run.model.clone()),
            "model_calls": run.map(|run| run.model_calls),
        },
    })
}

fn note(
    written: &Written,
    models: &BTreeSet<String>,
    datasets: &BTreeMap<String, usize>,
    choice: &Choice<'_>,
) -> String {
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let datasets: Vec<String> = datasets.iter().map(|(id, count)| format!("{id} ({count})")).collect();
    let Written { conversations, below, unknown, held_out, without, note: _ } = written;
    format!(
        "# Training data\n\n\
         {conversations} conversations with a set_F of at least {least}, in the chat format of OpenAI (`messages`, `tools`), with \
         `metadata` of each.\n\n\
         - Questions: {source}\n\
         - Graphs: {datasets}\n\
         - Models: {models}\n\
         - Left out: {below} below the score, {unknown} without a known answer, {held_out} held out, {without} without a conversation\n\n\
         Before you train or publish: the questions and the graphs have licences of their own, which bind what is made from \
         them. The terms of a model's provider may forbid training other models on its output. The conversations contain \
         what the graph says; what is private there is private here. Models that were trained on these questions must not \
         be measured by them: name the files that measure with --held-out.\n",
        least = choice.least,
        source = choice.source,
        datasets = datasets.join(", "),
        models = models.join(", "),
    )
}

/// Questions that must not be learned.
struct HeldOut<'a> {
    ids: HashSet<&'a str>,
    queries: HashSet<String>,
    texts: HashSet<String>,
}

impl<'a> HeldOut<'a> {
    fn of(questions: &'a [EvalQuestion]) -> Self {
        Self {
            ids: questions.iter().map(|question| question.id.as_str()).collect(),
            queries: questions.iter().filter_map(|question| question.sparql.as_deref()).map(spaced).collect(),
            texts: questions.iter().map(|question| name_key(&question.text)).collect(),
        }
    }

    fn has(&self, record: &Record) -> bool {
        let query = record.gold.sparql.as_deref().map(spaced);
        self.ids.contains(record.id.as_str())
            || self.texts.contains(&name_key(&record.question))
            || query.is_some_and(|query| self.queries.contains(&query))
    }
}

/// A query with single spaces.
fn spaced(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::journal::Journal;
    use super::super::record::tests::record;
    use super::*;

    fn asked(id: &str, set_f: f64) -> Record {
        let said = |role: &str, content: &str| json!({"role": role, "content": content});
        let messages = json!([said("user", "q"), said("assistant", id), said("tool", "The answer.")]);
        Record {
            conversation: Some(json!({"messages": messages, "tools": [{"type": "function"}]})),
            ..record(id, set_f)
        }
    }

    #[test]
    fn only_good_runs_are_written_and_nothing_that_measures() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("training.jsonl");
        let mut unknown = asked("unknown", 1.0);
        unknown.gold.error = Some("no such query".to_owned());
        let mut same_query = asked("same query", 1.0);
        same_query.gold.sparql = Some("SELECT ?x\n  { ?x ?p ?o }".to_owned());
        let records = [
            asked("good", 1.0),
            asked("half", 0.5),
            asked("measures", 1.0),
            unknown,
            same_query,
            record("planner", 1.0),
        ];
        let held = |id: &str, text: &str, sparql: Option<&str>| EvalQuestion {
            id: id.to_owned(),
            text: text.to_owned(),
            sparql: sparql.map(str::to_owned),
            ..EvalQuestion::default()
        };
        let held_out =
            [held("x", "Question  MEASURES", None), held("y", "other", Some("SELECT ?x { ?x ?p ?o }"))];
        let choice = Choice { least: 1.0, held_out: &held_out, source: "q.jsonl" };
        let (journal, _) = Journal::open(folder.path()).unwrap();
        records.iter().for_each(|record| journal.append(record).unwrap());
        let slim: Vec<Record> = records.iter().cloned().map(Record::slim).collect();
        let written = write_training(&path, &slim, folder.path(), &choice).unwrap();
        let Written { conversations, below, unknown, held_out, without, note } = written;
        assert_eq!((conversations, below, unknown, held_out, without), (1, 1, 1, 2, 1));
        let text = std::fs::read_to_string(&path).unwrap();
        let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&line["metadata"]["id"], &line["messages"][1]["content"]),
            (&json!("good"), &json!("good"))
        );
        assert_eq!((text.lines().count(), line["tools"].as_array().unwrap().len()), (1, 1));
        assert_eq!(line["messages"].as_array().unwrap().len(), 2, "the model has the last word");
        let note = std::fs::read_to_string(note).unwrap();
        assert!(note.contains("2 held out") && note.contains("licences of their own"), "{note}");
    }
}
