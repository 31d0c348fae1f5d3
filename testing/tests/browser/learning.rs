//! A word that is misread, from the thumb to the owner's decision.

use super::{Browser, WORLD, world};
use serde_json::json;

const MISREAD: &str = "How many realms are there?";

impl Browser {
    /// Says which word was misread, and what it means.
    async fn correct(&self, word: &str, typed: &str) {
        self.click(".feedback button").await;
        self.when("document.querySelector('.correct')?.innerText.includes('Which word was misread?')").await;
        self.press(word).await;
        self.seen(".correct.term input").await;
        self.when("document.activeElement?.matches('.correct.term input')").await;
        self.keys(typed).await;
        self.seen(".correct [role=option]").await;
    }

    async fn says(&self, text: &str) {
        self.when(&format!("document.body.innerText.includes({})", json!(text))).await;
    }
}

#[tokio::test]
async fn a_misread_word_is_corrected_accepted_and_understood() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    browser.correct("realms", "country").await;
    browser.is_well("a name is looked up").await;
    browser.keys("\u{e007}").await;
    browser.says("The owner of the graph will look at it").await;
    browser.is_well("proposed").await;
    browser.press("Ask again with this meaning").await;
    browser.answered().await;
    let count = browser.text(".say").await;
    assert!(count.chars().any(|c| c.is_ascii_digit()), "{count}");

    browser.open(&app, &format!("/learn?graph={WORLD}")).await;
    browser.says("“realms” means").await;
    browser.is_well("proposals").await;
    browser.press("What would change?").await;
    browser.says("1 of ").await;
    browser.is_well("what would change").await;
    browser.press("Accept").await;
    browser.says("Accepted, and written into learned.toml").await;

    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    assert_eq!(browser.text(".say").await, count);
    assert!(browser.text(".meta .chip").await.contains("sure"));
}

#[tokio::test]
async fn a_meaning_is_kept_for_oneself_until_it_is_forgotten() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    let before = browser.text(".say").await;
    browser.correct("realms", "country").await;
    browser.click(".correct [role=option]").await;
    browser.press("Always mean this, in this browser").await;
    browser.says("“realms” means").await;
    browser.answered().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    assert_ne!(browser.text(".say").await, before);
    browser.is_well("words of one's own").await;
    browser.press("Forget this").await;
    browser.when(&format!("document.querySelector('.say')?.innerText === {}", json!(before))).await;
}

#[tokio::test]
async fn an_edited_query_is_proposed_for_the_question() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.width(360).await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    browser.click(".feedback button").await;
    browser.is_well("which word").await;
    browser.press("Something else").await;
    browser.says("You can edit the query above").await;
    browser.unfold().await;
    browser.press("Edit").await;
    browser.press("Run").await;
    browser.press("Propose this query for the question").await;
    browser.says("The owner of the graph will look at it").await;
    browser.dark(true).await;
    browser.open(&app, &format!("/learn?graph={WORLD}")).await;
    browser.says(&format!("Verified question: {MISREAD}")).await;
    browser.is_well("a query, in the dark, on a phone").await;
    browser.press("Reject").await;
    browser.says("It will not be proposed again").await;
}
