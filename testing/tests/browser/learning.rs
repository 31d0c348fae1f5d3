//! A word that is misread, from the thumb to the owner's decision.

use super::{Browser, WORLD, world};
use eruca_testing::helpers::{TestApp, json};
use serde_json::{Value, json as made};

/// Orders with codes.
const ORDERS: &str = r#"
@prefix s: <http://shop.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
s:Order rdfs:label "order" . s:rank rdfs:label "rank" .
s:o1 a s:Order ; rdfs:label "Order 1" ; s:rank "R9" . s:o2 a s:Order ; rdfs:label "Order 2" ; s:rank "R1" ."#;

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
        self.when(&format!("document.body.innerText.includes({})", made!(text))).await;
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
    browser.says("“realms” means country (kind)").await;
    browser.is_well("what was picked").await;
    browser.press("Propose this").await;
    browser.says("The owner of the graph will look at it").await;
    browser.is_well("proposed").await;
    browser.press("Ask again with this meaning").await;
    browser.answered().await;
    let count = browser.text(".say").await;
    assert!(count.chars().any(|c| c.is_ascii_digit()), "{count}");

    browser.open(&app, &format!("/learn?graph={WORLD}")).await;
    browser.says("“realms” means country (kind)").await;
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
    browser.press("Propose this").await;
    browser.press("Always mean this, in this browser").await;
    browser.says("“realms” means").await;
    browser.answered().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask(MISREAD).await;
    assert_ne!(browser.text(".say").await, before);
    browser.is_well("words of one's own").await;
    browser.press("Forget this").await;
    browser.when(&format!("document.querySelector('.say')?.innerText === {}", made!(before))).await;
}

#[tokio::test]
async fn what_was_picked_can_be_picked_anew_and_nothing_is_blamed_before_it_is_typed() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.width(360).await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask("How many zzyzx are there?").await;
    browser.click(".feedback button").await;
    browser.press("zzyzx").await;
    browser.seen(".correct.term .note").await;
    assert_eq!(
        browser.text(".correct.term .note").await,
        "Type a kind, a property, a thing or a value of this graph."
    );
    browser.is_well("nothing is typed").await;
    browser.keys("qqqq").await;
    browser.says("The graph has no such name.").await;
    browser.keys("\u{e003}".repeat(4)).await;
    browser.keys("river").await;
    browser.seen(".correct [role=option]").await;
    let kinds = "[...document.querySelectorAll('.correct [role=option]')].map((one) => one.innerText.replace(/\\s*\\n\\s*/, ': ')).join('; ')";
    let offered = browser.value(kinds).await.as_str().unwrap().to_owned();
    assert!(
        offered.contains("river: kind") && offered.contains(": property") && offered.contains(": thing · "),
        "{offered}"
    );
    browser.keys("\u{e007}").await;
    browser.press("Choose another").await;
    browser.seen(".correct.term input").await;
    let sent = json(app.get(&format!("/datasets/{WORLD}/proposals")).await).await;
    assert_eq!(sent["proposals"], made!([]), "nothing was sent");
}

#[tokio::test]
async fn a_word_can_mean_a_value_of_a_property() {
    let Some(browser) = Browser::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.ttl");
    std::fs::write(&file, ORDERS).unwrap();
    let file = Value::from(file.to_str().unwrap());
    let app = TestApp::with(&format!("[[datasets]]\nid = \"shop\"\nfiles = [{file}]")).await;
    browser.open(&app, "/?graph=shop").await;
    browser.ask("Which orders are hasty?").await;
    browser.correct("hasty", "r9").await;
    assert_eq!(browser.text(".correct [role=option] .soft").await, "value of rank");
    browser.keys("\u{e007}").await;
    browser.says("“hasty” means R9 (value of rank)").await;
    browser.press("Propose this").await;
    browser.press("Ask again with this meaning").await;
    browser.when("document.querySelector('.say')?.innerText.includes('Order 1')").await;
    browser.open(&app, "/learn?graph=shop").await;
    browser.says("“hasty” means R9 (value of rank)").await;
    browser.is_well("a value").await;
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
