//! A computed answer on the page: its sentence, its rows with names that open cards, its program with what it read.

use super::Browser;
use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::scripted::{served, tries};
use serde_json::json;
use std::sync::Arc;

const QUERY: &str =
    "SELECT ?c ?n WHERE { ?c a geo:Country ; geo:continent demo:Oceania ; geo:population ?n }";
const PROGRAM: &str = "local all = sum(r1, 'n')
local rows = {}
for _, row in ipairs(r1) do rows[#rows + 1] = {country = row.c, share = percent(row.n, all)} end
return sort_by(rows, 'share', true)";

#[tokio::test]
async fn a_computed_answer_shows_its_rows_and_its_program() {
    let Some(browser) = Browser::start().await else { return };
    let turns = [
        tries(QUERY),
        ScriptedTurn::call("compute", json!({ "program": PROGRAM })),
        ScriptedTurn::call("answer", json!({"query": QUERY, "form": "table", "computed": "c1"})),
        ScriptedTurn::text(""),
    ];
    let (_setup, url, handle) = served(Arc::new(ScriptedModel::new(turns))).await;
    browser.open_at(&url, "/").await;
    browser.seen(".ask textarea").await;
    browser.ask("What share of the people of Oceania does each country have?").await;
    browser.seen(".computed table").await;
    assert!(browser.text(".say").await.contains("Computed from the results of queries"));
    assert_eq!(browser.text(".computed tbody tr:first-child .thing").await, "Australia");
    assert_ne!(browser.text(".chips .chip").await, "sure");
    browser
        .value("document.querySelectorAll('.computed details').forEach((one) => { one.open = true })")
        .await;
    let shown = browser.text(".computed").await;
    assert!(shown.contains("sum(r1, 'n')") && shown.contains("geo:population"), "{shown}");
    browser.is_well("a computed answer").await;
    handle.stop(false).await;
}
