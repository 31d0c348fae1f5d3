//! KQA Pro: questions with choices. The answer is one of them, a name or a value.

use super::{Id, if_text};
use crate::questions::EvalQuestion;
use crate::stored::{StoredAnswer, plain};
use serde::Deserialize;
use serde_json::Value;

/// What stands for the answer of an ASK.
const TRUTHS: [(&str, bool); 2] = [("yes", true), ("no", false)];

#[derive(Deserialize)]
struct KqaPro {
    id: Option<Id>,
    question: String,
    #[serde(default, deserialize_with = "if_text")]
    sparql: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    answer: Option<String>,
}

pub(super) fn is_kqa_pro(item: &Value) -> bool {
    item.get("choices").is_some()
}

pub(super) fn kqa_pro(item: Value, number: usize) -> Result<Vec<EvalQuestion>, String> {
    let KqaPro { id, question, sparql, answer } =
        KqaPro::deserialize(item).map_err(|error| error.to_string())?;
    let id = id.map_or_else(|| number.to_string(), Id::text);
    let mut read = EvalQuestion {
        id,
        text: question,
        sparql: sparql.filter(|query| !query.trim().is_empty()),
        ..EvalQuestion::default()
    };
    let may_be_truth = matches!(read.form(), "ASK" | "none");
    read.stored = answer.map(|answer| match TRUTHS.iter().find(|(word, _)| *word == answer) {
        Some((_, truth)) if may_be_truth => StoredAnswer::Truth(*truth),
        _ => StoredAnswer::column([plain(&answer)]),
    });
    Ok(vec![read])
}
