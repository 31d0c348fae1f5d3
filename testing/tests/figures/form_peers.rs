//! Queries that other systems published for CK25, brought to the form of the answer: what pruning is worth.

use eruca::config::Settings;
use eruca::form::{AnswerForm, fit};
use eruca_dataset::{Dataset, RunQuery};
use eruca_indexer::NoProgress;
use eruca_planner::question::ParsedQuestion;
use eruca_sparql::{Answer, Results, Term};
use eruca_testing::shared::shared;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Gains that were reached when the rules were written, with room for changes of the engine.
const MIN_GAIN: f64 = 0.06;

#[tokio::test]
async fn pruning_published_queries_gains_and_loses_on_at_most_one_question() {
    let Some(folder) = shared("ck25") else { return };
    let dataset = open(&folder).await;
    let gold: Value = read(&folder.join("peers/true_result_set.json"));
    for peer in ["GRASP-gpt-41", "GRASP-gpt-41-mini", "INFAI"] {
        let answers: Value = read(&folder.join(format!("peers/{peer}.answers.json")));
        let mut rows = Vec::new();
        for answer in answers.as_array().unwrap() {
            rows.extend(score_both(&dataset, answer, &gold).await);
        }
        let mean = |scores: &dyn Fn(&(String, f64, f64)) -> f64| rows.iter().map(scores).sum::<f64>() / 25.0;
        let (before, after) = (mean(&|row| row.1), mean(&|row| row.2));
        let lost: Vec<_> = rows.iter().filter(|row| row.2 < row.1 - 1e-9).collect();
        eprintln!("{peer}: {before:.3} -> {after:.3}, lost on {lost:?}");
        for row in &rows {
            eprintln!("  {} {:.2} -> {:.2}", row.0, row.1, row.2);
        }
        assert!(after - before >= MIN_GAIN, "{peer} gains {:.3}", after - before);
        assert!(lost.len() <= 1, "{peer} loses on {lost:?}");
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

async fn open(folder: &Path) -> Arc<Dataset> {
    let place = tempfile::tempdir().unwrap();
    let config = place.path().join("eruca.toml");
    let pattern = folder.join("*.ttl");
    let text = format!(
        "[index]\nfolder = \"data\"\n[[datasets]]\nid = \"ck25\"\nfiles = [{:?}]\n",
        pattern.display().to_string()
    );
    std::fs::write(&config, text).unwrap();
    let settings = Settings::load_from(Some(&config), place.path(), &[]).unwrap();
    eruca::startup::open_datasets(&settings, &NoProgress).await.unwrap().remove(0)
}

/// The official set_F before and after; nothing for queries that the engine refuses.
async fn score_both(dataset: &Dataset, answer: &Value, gold: &Value) -> Option<(String, f64, f64)> {
    let name = answer.get("qname").or(answer.get("id"))?.as_str()?;
    let gold: BTreeSet<String> = gold
        .get(name)?
        .as_object()?
        .iter()
        .map(|(key, value)| format!("{key}{}", if key == "true" { value.to_string() } else { String::new() }))
        .collect();
    let query = dataset.check(answer.get("query")?.as_str()?).ok()?;
    let result = dataset.run(&query, Duration::from_secs(20)).await;
    let before = result.as_ref().map_or(0.0, |answer| set_f(&gold, answer));
    let form = AnswerForm::read(&ParsedQuestion::read(answer.get("question")?.as_str()?, &[]));
    let fitted =
        fit(&form, RunQuery::new(query, result), dataset, Instant::now() + Duration::from_secs(30)).await;
    let after = fitted.run.result.as_ref().map_or(0.0, |answer| set_f(&gold, answer));
    Some((name.to_owned(), before, after))
}

/// All cells of all columns as one set, as the official client has it.
fn set_f(gold: &BTreeSet<String>, answer: &Answer) -> f64 {
    let found: BTreeSet<String> = match &answer.results {
        Results::Boolean(found) => [format!("true{}", u8::from(*found))].into(),
        Results::Solutions(solutions) => solutions.rows.iter().flatten().flatten().map(cell).collect(),
        Results::Graph(_) => BTreeSet::new(),
    };
    let common = gold.intersection(&found).count() as f64;
    if common == 0.0 { 0.0 } else { 2.0 * common / (gold.len() + found.len()) as f64 }
}

fn cell(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        Term::BlankNode(node) => node.as_str().to_owned(),
        Term::Literal(literal) => literal.value().to_owned(),
    }
}
