//! What stands behind an answer on the page: the triples of its sentences, and quotes of texts beside the graph.

use super::Browser;
use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::scripted::{Setup, answers, served, served_by};
use std::sync::Arc;

#[tokio::test]
async fn a_sentence_shows_its_triples_when_it_is_opened() {
    let Some(browser) = Browser::start().await else { return };
    let turns =
        [answers("SELECT ?c { demo:Japan geo:capital ?c }"), ScriptedTurn::text("Tokyo, founded in 1603.")];
    let (_setup, url, handle) = served(Arc::new(ScriptedModel::new(turns))).await;
    browser.open_at(&url, "/").await;
    browser.seen(".ask textarea").await;
    browser.ask("What is the capital of Japan?").await;
    browser.seen(".claims summary").await;
    browser.value("document.querySelector('.claims').open = true").await;
    browser.seen(".claims .proofs li li").await;
    let shown = browser.text(".claims").await;
    assert!(shown.contains("Japan") && shown.contains("nothing in the graph supports it"), "{shown}");
    browser.is_well("the support of an answer").await;
    handle.stop(false).await;
}

#[tokio::test]
async fn a_quote_of_a_text_says_where_it_is_from() {
    let Some(browser) = Browser::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (graph, note) = (folder.path().join("graph.ttl"), folder.path().join("Old Mill.txt"));
    std::fs::write(&graph, "<http://e.x/m> <http://www.w3.org/2000/01/rdf-schema#label> \"Old Mill\" .")
        .unwrap();
    let filler = "Much has been written about its owners, who came and went over three centuries. ".repeat(9);
    std::fs::write(&note, format!("The mill burned down in 1840 because of lightning. {filler}")).unwrap();
    let toml = format!("[[datasets]]\nid = \"mills\"\nfiles = [{graph:?}]\ntexts = [{note:?}]\n");
    let (_setup, url, handle) = served_by(Setup::new(&toml), Arc::new(ScriptedModel::new([]))).await;
    browser.open_at(&url, "/").await;
    browser.seen(".ask textarea").await;
    browser.ask("Why did the Old Mill burn down?").await;
    browser.seen(".citations blockquote").await;
    let shown = browser.text(".citations").await;
    assert!(shown.contains("burned down in 1840") && shown.contains("Old Mill"), "{shown}");
    assert!(!browser.text(".say").await.contains("1840"), "the quote is shown once");
    browser.is_well("a quote of a text").await;
    handle.stop(false).await;
}
