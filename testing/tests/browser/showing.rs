//! The views: each shape of rows in the form that suits it, and nothing of the graph taken for more than text.

use super::Browser;
use super::correcting::run;
use eruca_testing::helpers::{TestApp, data};
use serde_json::Value;

const HARBOURS: &str = "harbours";

async fn harbours() -> TestApp {
    let file = Value::from(data("harbours.ttl")).to_string();
    TestApp::with(&format!("[[datasets]]\nid = \"{HARBOURS}\"\nname = \"Harbours\"\nfiles = [{file}]")).await
}

/// The page of the harbours with the rows of a query.
async fn shown(browser: &Browser, app: &TestApp, pattern: &str) {
    browser.open(app, &format!("/?graph={HARBOURS}")).await;
    browser.ask("How deep is Sandvik?").await;
    run(browser, &format!("PREFIX : <https://example.org/harbours/>\nSELECT * WHERE {{ {pattern} }}")).await;
    browser.seen(".back").await;
}

#[tokio::test]
async fn numbers_dates_places_and_links_are_drawn() {
    let Some(browser) = Browser::start().await else { return };
    let app = harbours().await;
    browser.dark(false).await;
    shown(&browser, &app, "?harbour :depth ?depth ; :opened ?opened").await;
    assert_eq!(browser.count("tbody tr:not(.proof)").await, 4);
    browser.press("Bars").await;
    assert_eq!(browser.count(".bars li").await, 4);
    browser.press("Time").await;
    assert_eq!(browser.count(".time .dot").await, 4);
    browser.press("Map").await;
    browser.seen(".map .land").await;
    assert_eq!(browser.count(".map .spot").await, 4);
    browser.is_well("map").await;

    shown(&browser, &app, "?from :ferryTo ?to").await;
    browser.press("Links").await;
    assert_eq!(browser.count(".links .edge").await, 5);
    browser.is_well("links").await;
}

#[tokio::test]
async fn rows_are_sorted_and_things_open_their_card() {
    let Some(browser) = Browser::start().await else { return };
    let app = harbours().await;
    shown(&browser, &app, "?harbour :depth ?depth").await;
    browser.click("th.n .sort").await;
    browser.seen("th.n[aria-sort=descending]").await;
    assert!(browser.text("tbody tr").await.contains("Eastmouth"));
    browser.click("tbody .thing").await;
    browser.seen("dialog .entry").await;
    assert!(browser.text("dialog .entry").await.contains("Oldport"));
    browser.keys("\u{e00c}").await;
    browser.when("!document.querySelector('dialog')").await;
}

#[tokio::test]
async fn what_the_graph_says_is_text_and_nothing_else() {
    let Some(browser) = Browser::start().await else { return };
    let app = harbours().await;
    shown(&browser, &app, "?wreck a :Wreck").await;
    browser.press("Table").await;
    assert_eq!(browser.count("tbody tr:not(.proof)").await, 5);
    assert!(browser.text("tbody").await.contains("<img src=x onerror"));
    assert_eq!(browser.count("main img, main script, [onerror]").await, 0);
    let addresses = "[...document.querySelectorAll('[href], [src]')].map((one) => one.href ?? one.src)\
                     .filter((one) => one && !/^https?:/.test(one)).length";
    assert_eq!(browser.value(addresses).await, 0);
    let names = browser.session().find_all(thirtyfour::By::Css("tbody .thing")).await.unwrap();
    for name in names {
        name.click().await.unwrap();
        browser.seen("dialog .entry, dialog .failure").await;
        browser.keys("\u{e00c}").await;
        browser.when("!document.querySelector('dialog')").await;
    }
    assert_eq!(browser.value("document.title.includes('harmed')").await, false);
    // Marks that turn the direction of text end where their name ends.
    assert_eq!(
        browser
            .value("[...document.querySelectorAll('tbody .thing')].every((one) => one.querySelector('bdi'))")
            .await,
        true
    );
    browser.is_well("hostile names").await;
}

#[tokio::test]
async fn a_graph_has_a_page_of_its_own() {
    let Some(browser) = Browser::start().await else { return };
    let app = harbours().await;
    browser.dark(true).await;
    browser.open(&app, &format!("/?graph={HARBOURS}")).await;
    browser.click("header button[aria-label='The graph']").await;
    browser.seen(".kinds").await;
    let page = browser.text(".graphpage").await;
    assert!(page.contains("harbour") && page.contains("depth"), "{page}");
    browser.seen(".links .dot").await;
    browser.is_well("the page of the graph").await;
    browser.width(360).await;
    browser.is_well("the page of the graph on a phone").await;
}
