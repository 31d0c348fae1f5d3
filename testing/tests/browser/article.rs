//! An answer as an article: asked for below the box, read and followed to its sources without a mouse.

use super::{Browser, WORLD, world};

/// Puts the focus on an element, as the Tab key does.
async fn focus(browser: &Browser, css: &str) {
    browser.seen(css).await;
    browser.value(&format!("document.querySelector('{css}').focus()")).await;
}

#[tokio::test]
async fn an_article_leads_from_its_lines_to_their_sources_and_back() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    focus(&browser, ".asarticle input").await;
    browser.keys(" ").await;
    browser.ask("What is the capital of France?").await;
    browser.seen(".article").await;
    assert_eq!(browser.text(".article h2").await, "Paris");
    assert!(browser.count(".article section li").await > 2);
    assert!(!browser.value("document.querySelector('.article details').open").await.as_bool().unwrap());
    for dark in [false, true] {
        browser.dark(dark).await;
        browser.is_well("an article").await;
    }
    focus(&browser, ".article section .cite").await;
    browser.keys("\u{e007}").await;
    browser.seen(".article .sources").await;
    browser.when("document.activeElement.matches('.sources li')").await;
    assert!(browser.text(".sources li:focus").await.contains("Paris"));
    browser.is_well("the sources of an article").await;
    browser.press("Back to the line").await;
    browser.when("document.activeElement.matches('.article section .cite')").await;
    browser.width(360).await;
    browser.is_well("an article on a phone").await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.seen(".asarticle input").await;
    assert_eq!(browser.value("document.querySelector('.asarticle input').checked").await, true);
    browser.value("document.querySelector('.asarticle input').click()").await;
    browser.ask("What is the capital of Italy?").await;
    assert_eq!(browser.count(".article").await, 0);
}
