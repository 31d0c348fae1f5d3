//! Colours, narrow screens, the keyboard alone, languages, and what axe-core says of each.

use super::Browser;
use super::correcting::run_by;
use super::{WORLD, world};
use eruca_testing::helpers::{QUESTION, TestApp};
use serde_json::json;

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

/// Chooses a language above, in which the button that asks is called so.
async fn speak(browser: &Browser, tag: &str, ask: &str) {
    browser.seen("header select.language").await;
    browser
        .value(&format!(
            "(() => {{ const select = document.querySelector('select.language'); select.value = '{tag}'; \
             select.dispatchEvent(new Event('change')); }})()"
        ))
        .await;
    // The page is made anew when the run that it shows has come again.
    browser.when(&format!("document.querySelector('main .ask .main')?.textContent === '{ask}'")).await;
    browser.when(&format!("document.documentElement.lang === '{tag}'")).await;
}

async fn in_german(browser: &Browser) {
    speak(browser, "de", "Fragen").await;
}

/// Languages with the button that asks, a question of each, and what the query is called.
const LANGUAGES: [(&str, &str, &str, &str); 6] = [
    ("de", "Fragen", "Was ist die Hauptstadt von Frankreich?", "Abfrage"),
    ("fr", "Demander", "Quelle est la capitale de la France ?", "requête"),
    ("es", "Preguntar", "¿Cuál es la capital de Francia?", "consulta"),
    ("it", "Chiedi", "Qual è la capitale della Francia?", "query"),
    ("nl", "Vragen", "Wat is de hoofdstad van Frankrijk?", "Query"),
    ("pt", "Perguntar", "Qual é a capital da França?", "consulta"),
];

#[tokio::test]
async fn the_page_speaks_the_languages_of_the_packs() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.dark(false).await;
    browser.width(360).await;
    browser.open(&app, "/").await;
    for (tag, ask, question, query) in LANGUAGES {
        speak(&browser, tag, ask).await;
        browser.ask(question).await;
        assert!(browser.text(".say").await.contains("Paris"), "{tag}: {}", browser.text(".say").await);
        assert!(browser.text("main").await.contains(query), "{tag}: {}", browser.text("main").await);
        browser.is_well(tag).await;
    }
    // The choice is kept, and nothing is said in English before.
    browser.session().refresh().await.unwrap();
    browser.seen("main .ask .main").await;
    assert_eq!(browser.text("main .ask .main").await, "Perguntar");
}

#[tokio::test]
async fn the_page_speaks_french_from_the_first_word_where_the_browser_asks_for_it() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    let locale = json!({ "userAgent": "test", "acceptLanguage": "fr-CA,en" });
    browser.command("Emulation.setUserAgentOverride", locale).await;
    // Every text that the button that asks ever had.
    let source = "addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        const text = document.querySelector('main .ask .main')?.textContent;
        if (text) (window.asks ??= new Set()).add(text);
    }).observe(document, { subtree: true, childList: true, characterData: true }));";
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
    browser.open(&app, "/").await;
    browser.seen("main .ask .main").await;
    assert_eq!(browser.value("[...window.asks].join()").await, "Demander");
    assert_eq!(browser.value("document.documentElement.lang").await, "fr");
    let loaded = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)) \
                  .filter((name) => name.startsWith('words-')).join()";
    assert_eq!(browser.value(loaded).await, "words-fr.js");
}

#[tokio::test]
async fn the_page_speaks_english_where_the_words_of_a_language_do_not_come() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.command("Network.enable", json!({})).await;
    browser.command("Network.setBlockedURLs", json!({ "urls": ["*words-es.js"] })).await;
    browser.open(&app, "/").await;
    browser.seen("header select.language").await;
    browser.value("localStorage.setItem('eruca.language', 'es')").await;
    browser.session().refresh().await.unwrap();
    browser.ask(QUESTION).await;
    assert_eq!(browser.text("main .ask .main").await, "Ask");
    assert_eq!(browser.value("document.querySelector('select.language').value").await, "en");
    // The language stays the one that was chosen, for answers, and for the page when its words come again.
    assert_eq!(browser.value("document.querySelector('.say').lang").await, "es");
    browser.command("Network.setBlockedURLs", json!({ "urls": [] })).await;
    browser.session().refresh().await.unwrap();
    browser.when("document.querySelector('main .ask .main')?.textContent === 'Preguntar'").await;
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
