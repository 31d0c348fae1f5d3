//! OpenAI's own Python package against the service.

use super::{python, run_script};
use eruca_testing::helpers::{CITIES, QUESTION, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn the_official_package_is_served() {
    let Some(python) = python() else { return };
    let app = TestApp::with(
        "[server]\nmax_waiting_questions = 100\n[cache]\nanswers = 0\n[server.api_keys]\nshop = \"k\"\n",
    )
    .await;
    let base = format!("{}/v1", app.url);
    let run = move || run_script(&python, "openai_client.py", &[&base, "k", CITIES, QUESTION, "Paris"]);
    tokio::task::spawn_blocking(run).await.unwrap();
}
