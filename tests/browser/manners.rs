//! Colours, narrow screens, the keyboard alone, languages, and what axe-core says of each.

use super::Browser;
use super::correcting::run_by;
use super::{WORLD, world};
use crate::helpers::{QUESTION, TestApp};

const TAB: &str = "\u{e004}";
const ESCAPE: &str = "\u{e00c}";

async fn background(browser: &Browser) -> String {
    browser.value("getComputedStyle(document.body).backgroundColor").await.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_page_is_dark_where_the_system_is_and_where_the_reader_wants_it() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.dark(false).await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    let light = background(&browser).await;
    browser.is_well("light").await;
    browser.dark(true).await;
    let dark = background(&browser).await;
    assert_ne!(light, dark);
    browser.is_well("dark").await;
    browser.dark(false).await;
    browser.click(".theme").await; // as the system → light
    browser.click(".theme").await; // → dark
    assert_eq!(background(&browser).await, dark);
    browser.session().refresh().await.unwrap();
    browser.seen(".say").await;
    assert_eq!(background(&browser).await, dark, "the choice is kept");
}

#[tokio::test]
async fn everything_fits_a_phone() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.dark(false).await;
    browser.width(360).await;
    browser.open(&app, "/").await;
    browser.seen(".welcome p").await;
    browser.is_well("empty").await;
    browser.ask(QUESTION).await;
    browser.is_well("answered").await;
    browser.press("Table").await;
    browser.click(".why").await;
    browser.is_well("why").await;
    browser.click("header button[aria-label=History]").await;
    browser.seen(".pasts li").await;
    browser.is_well("history").await;
}

#[tokio::test]
async fn the_keyboard_alone_is_enough() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    // The box has the focus at first.
    browser.when("document.activeElement?.matches('.ask textarea')").await;
    browser.keys(format!("{QUESTION}\u{e007}")).await;
    browser.answered().await;
    // Tab by Tab to the first why, and open it.
    let mut reached = false;
    for _ in 0..40 {
        browser.keys(TAB).await;
        if browser.value("document.activeElement.matches('.why')").await == true {
            reached = true;
            break;
        }
    }
    assert!(reached, "no why can be reached with Tab");
    let ring = browser.value("getComputedStyle(document.activeElement).outlineStyle").await;
    assert_eq!(ring, "solid", "the focus can be seen");
    browser.keys("\u{e007}").await;
    browser.seen(".proof").await;
    // The slash leads back to the box; Escape closes what is open.
    browser.keys("/").await;
    browser.when("document.activeElement?.matches('.ask textarea')").await;
    assert_eq!(browser.value("document.activeElement.value").await, QUESTION);
    browser.keys(format!("{}{TAB}", "\u{e000}")).await;
    browser.value("document.querySelector('header button').focus()").await;
    browser.keys("\u{e007}").await;
    browser.seen("dialog").await;
    browser.keys(ESCAPE).await;
    browser
        .when("!document.querySelector('dialog') && document.activeElement?.matches('header button')")
        .await;
}

/// Chooses German above.
async fn in_german(browser: &Browser) {
    browser
        .value(
            "(() => { const select = document.querySelector('select.language'); select.value = 'de'; \
             select.dispatchEvent(new Event('change')); })()",
        )
        .await;
    // The page is made anew when the run that it shows has come again.
    browser.when("document.querySelector('main .ask .main')?.textContent === 'Fragen'").await;
    browser.when("document.documentElement.lang === 'de'").await;
}

#[tokio::test]
async fn the_page_speaks_german_too() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.seen("header select.language").await;
    in_german(&browser).await;
    browser.ask("Was ist die Hauptstadt von Frankreich?").await;
    assert!(browser.text(".say").await.contains("Paris"));
    assert!(browser.text("main").await.contains("Abfrage"));
    browser.is_well("German").await;
}

#[tokio::test]
async fn the_language_that_the_reader_chose_is_that_of_answers_queries_and_reasons() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    // Nothing was chosen yet: the question says it.
    browser.ask("Was ist die Hauptstadt von Österreich?").await;
    assert_eq!(browser.value("document.querySelector('.say').lang").await, "de");
    browser.ask("What is the capital of Austria?").await;
    assert!(browser.text(".say").await.contains("Vienna"));
    let english = browser.value("history.state.run").await;

    in_german(&browser).await;
    browser.ask("What is the capital of Austria?").await;
    assert_eq!(browser.value("document.querySelector('.say').lang").await, "de");
    assert!(browser.text(".say").await.contains("Wien"));
    browser.click(".why").await;
    browser.when("document.querySelector('.proof .proofs')").await;
    assert!(browser.text(".proof").await.contains("Österreich"));
    let query = "SELECT ?of ?city WHERE { VALUES ?city { <https://eruca.dev/demo/resource/Vienna> } \
                 ?of <https://eruca.dev/demo/ontology#capital> ?city }";
    run_by(&browser, ["Bearbeiten", "Ausführen"], query).await;
    browser.seen(".back").await;
    assert!(browser.text(".results").await.contains("Österreich"));

    // An answer in English that somebody has shared stays so; its reasons are told anew.
    browser.open(&app, &format!("/runs/{}", english.as_str().unwrap())).await;
    assert!(browser.text(".say").await.contains("Vienna"));
    browser.click(".why").await;
    browser.when("document.querySelector('.proof .proofs')").await;
    assert!(browser.text(".proof").await.contains("Österreich"));
}
