//! Selects the questions of a file, and the dataset for each.

use super::error::EvalError;
use super::questions::{EvalQuestion, QuestionFile};
use std::collections::BTreeSet;

/// The user's selection.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// The dataset to ask, by id or alias.
    pub dataset: Option<String>,
    /// Only questions in this language.
    pub lang: Option<String>,
    /// Only questions with these ids.
    pub ids: Vec<String>,
    /// Only this many questions, from the start.
    pub limit: Option<usize>,
}

/// A question and the id of the dataset to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The question.
    pub question: EvalQuestion,
    /// The dataset's id.
    pub dataset: String,
}

/// The available datasets.
pub struct Datasets<'a> {
    /// All ids.
    pub ids: Vec<String>,
    /// Resolves an id or alias to a dataset id.
    pub find: &'a dyn Fn(&str) -> Option<String>,
}

/// The tasks that a selection leaves, in file order.
///
/// A question goes to the selected dataset. If the file names a graph for each question and one of them is the selected dataset,
/// questions about other graphs are skipped. Without a selected dataset the question's graph decides, then the file's dataset,
/// then the only available one.
///
/// # Errors
/// When an id is not in the file, a dataset is unknown, or nothing is left.
pub fn select(file: QuestionFile, choice: &Choice, datasets: &Datasets<'_>) -> Result<Vec<Task>, EvalError> {
    let QuestionFile { format: _, dataset, questions } = file;
    check_ids(&questions, &choice.ids)?;
    let chosen = choice.dataset.as_deref().map(|name| known(name, datasets)).transpose()?;
    let wanted = questions.into_iter().filter(|question| {
        (choice.ids.is_empty() || choice.ids.contains(&question.id))
            && choice.lang.as_ref().is_none_or(|lang| question.lang.as_ref().is_none_or(|own| own == lang))
    });
    let mut tasks = Vec::new();
    for question in wanted {
        let dataset = match &chosen {
            Some(chosen) => chosen.clone(),
            None => own_dataset(&question, dataset.as_deref(), datasets)?,
        };
        tasks.push(Task { question, dataset });
    }
    if let Some(chosen) = &chosen {
        leave_out_other_graphs(&mut tasks, chosen, datasets);
    }
    tasks.truncate(choice.limit.unwrap_or(usize::MAX));
    if tasks.is_empty() {
        let lang = choice.lang.as_deref().map(|lang| format!(" in language '{lang}'")).unwrap_or_default();
        return Err(EvalError::Selection(format!("no question is left to ask{lang}")));
    }
    Ok(tasks)
}

fn check_ids(questions: &[EvalQuestion], ids: &[String]) -> Result<(), EvalError> {
    let known: BTreeSet<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    let Some(unknown) = ids.iter().find(|id| !known.contains(id.as_str())) else { return Ok(()) };
    let examples: Vec<&str> = questions.iter().take(3).map(|question| question.id.as_str()).collect();
    Err(EvalError::Selection(format!(
        "no question has the id '{unknown}'; ids look like {}",
        examples.join(", ")
    )))
}

fn known(name: &str, datasets: &Datasets<'_>) -> Result<String, EvalError> {
    (datasets.find)(name).ok_or_else(|| {
        let known = datasets.ids.join(", ");
        EvalError::Selection(format!("there is no dataset '{name}'; configured: {known}"))
    })
}

fn own_dataset(
    question: &EvalQuestion,
    of_file: Option<&str>,
    datasets: &Datasets<'_>,
) -> Result<String, EvalError> {
    if let Some(graph) = &question.graph {
        return known(graph, datasets);
    }
    let named = of_file.and_then(|name| (datasets.find)(name));
    match (named, datasets.ids.as_slice()) {
        (Some(id), _) => Ok(id),
        (None, [only]) => Ok(only.clone()),
        (None, ids) => Err(EvalError::Selection(format!(
            "several datasets are configured; name one with --dataset: {}",
            ids.join(", ")
        ))),
    }
}

fn leave_out_other_graphs(tasks: &mut Vec<Task>, chosen: &str, datasets: &Datasets<'_>) {
    let own = |task: &Task| {
        let graph = task.question.graph.as_deref();
        graph.map(|graph| (datasets.find)(graph).is_some_and(|id| id == chosen))
    };
    if tasks.iter().any(|task| own(task) == Some(true)) {
        tasks.retain(|task| own(task) != Some(false));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(questions: &[(&str, &str, Option<&str>)]) -> QuestionFile {
        let question = |(id, lang, graph): &(&str, &str, Option<&str>)| EvalQuestion {
            id: (*id).to_owned(),
            lang: Some((*lang).to_owned()),
            graph: graph.map(str::to_owned),
            ..EvalQuestion::default()
        };
        let questions = questions.iter().map(question).collect();
        QuestionFile { format: "JSONL", dataset: Some("the-file-s".to_owned()), questions }
    }

    fn selected(file: QuestionFile, choice: &Choice, ids: &[&str]) -> Result<String, String> {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let find = |name: &str| ids.iter().find(|id| *id == name || format!("{id}.ttl") == name).cloned();
        let tasks = select(file, choice, &Datasets { ids: ids.clone(), find: &find });
        let shown = |tasks: Vec<Task>| {
            let tasks = tasks.iter().map(|task| format!("{}>{}", task.question.id, task.dataset));
            tasks.collect::<Vec<_>>().join(" ")
        };
        tasks.map(shown).map_err(|error| error.to_string())
    }

    fn dataset(id: &str) -> Choice {
        Choice { dataset: Some(id.to_owned()), ..Choice::default() }
    }

    #[test]
    fn the_dataset_is_the_chosen_one_or_the_question_s_or_the_file_s_or_the_only_one() {
        let plain = || file(&[("1", "en", None), ("2", "en", None)]);
        let graphs = || file(&[("1", "en", Some("a.ttl")), ("2", "en", Some("b")), ("3", "en", None)]);
        let none = Choice::default();
        assert_eq!(selected(plain(), &none, &["only"]).unwrap(), "1>only 2>only");
        assert_eq!(selected(plain(), &none, &["a", "the-file-s"]).unwrap(), "1>the-file-s 2>the-file-s");
        assert!(selected(plain(), &none, &["a", "b"]).unwrap_err().contains("--dataset: a, b"));
        assert_eq!(selected(plain(), &dataset("b"), &["a", "b"]).unwrap(), "1>b 2>b");
        assert_eq!(selected(graphs(), &dataset("b"), &["a", "b"]).unwrap(), "2>b 3>b");
        assert_eq!(selected(graphs(), &dataset("c"), &["a", "b", "c"]).unwrap(), "1>c 2>c 3>c");
        assert!(selected(graphs(), &none, &["a"]).unwrap_err().contains("no dataset 'b'; configured: a"));
        assert!(selected(plain(), &dataset("x"), &["a"]).unwrap_err().contains("no dataset 'x'"));
    }

    #[test]
    fn language_ids_and_limit_narrow_the_choice() {
        let three = || file(&[("1", "en", None), ("2", "de", None), ("3", "en", None)]);
        let choice = |lang: Option<&str>, ids: &[&str], limit| Choice {
            dataset: None,
            lang: lang.map(str::to_owned),
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            limit,
        };
        assert_eq!(selected(three(), &choice(Some("en"), &[], None), &["a"]).unwrap(), "1>a 3>a");
        assert_eq!(selected(three(), &choice(None, &["3", "2"], None), &["a"]).unwrap(), "2>a 3>a");
        assert_eq!(selected(three(), &choice(None, &[], Some(1)), &["a"]).unwrap(), "1>a");
        let unknown = selected(three(), &choice(None, &["9"], None), &["a"]).unwrap_err();
        assert!(unknown.contains("'9'; ids look like 1, 2, 3"), "{unknown}");
        let nothing = selected(three(), &choice(Some("fr"), &[], None), &["a"]).unwrap_err();
        assert!(nothing.contains("language 'fr'"), "{nothing}");
    }
}
