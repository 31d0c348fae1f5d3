//! Questions whose parts stand side by side under the field names of several benchmarks: LC-QuAD, SPINACH, WikiWebQuestions, and lines
//! of JSON, also those of GRASP.

use super::{EXPECTED, Id, if_text, if_texts};
use crate::questions::EvalQuestion;
use crate::stored::StoredAnswer;
use serde::Deserialize;
use serde_json::Value;

/// A question in a list or line, with the field names of the benchmarks.
#[derive(Deserialize)]
pub(super) struct Flat {
    id: Option<Id>,
    #[serde(rename = "_id")]
    other_id: Option<Id>,
    uid: Option<Id>,
    question: Option<String>,
    /// LC-QuAD 1.0's final wording.
    corrected_question: Option<String>,
    /// LC-QuAD 2.0 has questions without an original wording.
    paraphrased_question: Option<String>,
    /// The question in WikiWebQuestions.
    #[serde(default, deserialize_with = "if_text")]
    utterance: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    lang: Option<String>,
    sparql: Option<String>,
    sparql_query: Option<String>,
    sparql_wikidata: Option<String>,
    sparql_dbpedia18: Option<String>,
    /// The query in the published outputs of SPINACH.
    #[serde(default, deserialize_with = "if_text")]
    gold_sparql: Option<String>,
    #[serde(default, deserialize_with = "if_text")]
    kg: Option<String>,
    /// The graph's file.
    #[serde(default, deserialize_with = "if_text")]
    data: Option<String>,
    #[serde(default, deserialize_with = "if_texts")]
    features: Vec<String>,
    // The keys under which the benchmarks store answers.
    #[serde(default)]
    results: Value,
    /// That of the published outputs of SPINACH.
    #[serde(default)]
    gold_answer_tuple: Value,
    #[serde(default)]
    answers: Value,
    #[serde(default)]
    answer: Value,
    /// What GRASP keeps of the original file.
    #[serde(default)]
    info: Value,
}

impl Flat {
    fn stored(&self) -> Option<StoredAnswer> {
        let info = |key: &str| self.info.get(key).unwrap_or(&Value::Null);
        let results = [&self.gold_answer_tuple, &self.results, info("results")];
        let answers = [&self.answers, &self.answer, info("answers")];
        let as_results = results.into_iter().find_map(StoredAnswer::read_result);
        as_results.or_else(|| answers.into_iter().find_map(StoredAnswer::read))
    }

    fn question(self, number: usize) -> Result<EvalQuestion, String> {
        let stored = self.stored();
        let texts = [self.corrected_question, self.question, self.paraphrased_question, self.utterance];
        let text = texts.into_iter().flatten().find(|text| !text.trim().is_empty());
        let text = text.ok_or(
            "no question; expected \"question\" (or LC-QuAD's \"corrected_question\", WikiWebQuestions' \"utterance\")",
        )?;
        let queries =
            [self.sparql, self.sparql_query, self.sparql_wikidata, self.sparql_dbpedia18, self.gold_sparql];
        Ok(EvalQuestion {
            id: self.id.or(self.other_id).or(self.uid).map_or_else(|| number.to_string(), Id::text),
            text,
            lang: self.lang,
            sparql: queries.into_iter().flatten().find(|query| !query.trim().is_empty()),
            graph: self.kg.or(self.data),
            features: self.features,
            stored,
        })
    }
}

/// The question of an object.
pub(super) fn flat(item: Value, number: usize) -> Result<Vec<EvalQuestion>, String> {
    let flat = Flat::deserialize(item).map_err(|error| format!("{error}; {EXPECTED}"))?;
    Ok(vec![flat.question(number)?])
}
