//! The owner of a graph judges answers to questions made from it.

use super::{Browser, WORLD};
use eruca_testing::helpers::{TestApp, json, repository};
use serde_json::{Value, json as made};

impl Browser {
    async fn tells(&self, text: &str) {
        self.when(&format!("document.body.innerText.includes({})", made!(text))).await;
    }

    /// Waits until the question with this number has an answer that can be judged.
    async fn question(&self, number: usize) {
        self.tells(&format!("Question {number} of 30")).await;
        self.when("document.querySelector('.decide .main')?.disabled === false").await;
    }
}

#[tokio::test]
async fn answers_are_judged_corrected_scored_and_asked_again() {
    let Some(browser) = Browser::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |file: &std::path::Path| Value::from(file.to_str().unwrap());
    let (file, known) = (path(&repository().join("examples/world.ttl")), path(&folder.path().join("known")));
    std::fs::create_dir(folder.path().join("known")).unwrap();
    let settings = format!("[[datasets]]\nid = \"{WORLD}\"\nfiles = [{file}]\nknowledge = {known}\n");
    let app = TestApp::with(&settings).await;
    browser.width(360).await;
    browser.open(&app, &format!("/test?graph={WORLD}")).await;
    browser.question(1).await;
    browser.is_well("a question to judge").await;
    browser.press("Right").await;
    browser.tells("1 of 1 answers are right").await;
    browser.question(2).await;
    browser.keys("n").await;
    browser.tells("1 of 2 answers are right").await;
    browser.question(3).await;
    browser.keys("s").await;
    browser.question(4).await;
    browser.is_well("a score below").await;

    // What was judged does not come again; what was skipped does.
    browser.open(&app, &format!("/test?graph={WORLD}")).await;
    browser.question(3).await;
    browser.tells("By kind of question").await;
    browser.press("Ask all again").await;
    browser.tells("Now 1 of 2 are right.").await;
    browser.tells("the same wrong answer as before").await;
    browser.is_well("asked again").await;
    let found = json(app.get(&format!("/datasets/{WORLD}/tests?lang=en")).await).await;
    let judged: Vec<&Value> = found["tests"].as_array().unwrap().iter().map(|one| &one["right"]).collect();
    assert_eq!(judged, [&made!(true), &made!(false)]);
}
