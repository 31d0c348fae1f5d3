//! Asking: completion, live steps, stopping, going on, looking back, sharing.

use super::{Browser, world};
use eruca_testing::helpers::{CITIES, QUESTION, SilentModel, TestApp};
use tokio::io::AsyncReadExt;

#[tokio::test]
async fn a_question_is_answered_in_words_and_rows_and_the_address_tells_it() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.seen(".example, .welcome p").await;
    browser.ask(QUESTION).await;
    assert!(browser.text(".say").await.contains("Paris"));
    browser.unfold().await;
    assert!(browser.text(".query").await.contains("SELECT"));
    let address = browser.value("location.href").await;
    assert!(address.as_str().unwrap().contains("#q=What%20is%20the%20capital%20of%20France%3F"), "{address}");

    // Back leads to the empty page, forward to the same run.
    browser.session().back().await.unwrap();
    browser.when("!document.querySelector('.say') && document.querySelector('textarea').value === ''").await;
    browser.session().forward().await.unwrap();
    browser.when("document.querySelector('.say')?.innerText.includes('Paris')").await;
}

#[tokio::test]
async fn who_says_hello_is_told_what_can_be_asked_and_asks_it_with_a_click() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask("hello").await;
    browser.when("document.querySelector('.say')?.innerText.startsWith('This graph knows')").await;
    browser.click(".say button.asks").await;
    browser.when("document.querySelector('.say') && !document.querySelector('.say').innerText.startsWith('This graph')").await;
    assert_eq!(
        browser.value("document.querySelector('details.queryfold').open").await,
        false,
        "the query is folded"
    );
    browser.press("Show the query").await;
    browser.when("document.querySelector('.query').checkVisibility()").await;
    browser.ask("hello").await;
    browser.when("document.querySelector('details.queryfold')?.open").await;
}

#[tokio::test]
async fn names_are_completed_while_they_are_typed() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.seen("textarea").await;
    browser.keys("capital of Ger").await;
    browser.seen(".suggestions [role=option]").await;
    assert!(browser.text(".suggestions").await.contains("Germany"));
    browser.keys("\u{e004}").await; // Tab
    browser.when("document.querySelector('textarea').value === 'capital of Germany '").await;
    browser.when("!document.querySelector('.suggestions').checkVisibility()").await;
}

#[tokio::test]
async fn steps_come_while_a_model_is_waited_for_and_stop_ends_the_work() {
    let Some(browser) = Browser::start().await else { return };
    let model = SilentModel::start().await;
    let app = TestApp::with_room_for_one(&model).await;
    browser.open(&app, "/").await;
    browser.seen("textarea").await;
    browser.keys(format!("{QUESTION}\u{e007}")).await;
    let mut connection = model.asked().await;
    browser.seen(".halt").await;
    browser.when("document.querySelectorAll('.steplist li').length > 0").await;
    browser.press("Stop").await;
    browser.when("document.querySelector('.failure')?.innerText.includes('Stopped')").await;
    // Nobody waits for the model any more.
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(super::PATIENCE, connection.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "the model is still being asked");
    // The question is not lost.
    assert_eq!(browser.value("document.querySelector('textarea').value").await, QUESTION);
}

#[tokio::test]
async fn a_follow_up_knows_what_was_asked_before() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    browser.click(".next textarea").await;
    browser.keys("And of Germany?\u{e007}").await;
    browser.when("document.querySelector('.earlier')?.innerText.includes('France')").await;
    browser.answered().await;
    assert!(browser.text(".say").await.contains("Berlin"));
    let run = browser.value("history.state.run").await;
    // The earlier answer is one click away.
    browser.click(".earlier button").await;
    browser.when("document.querySelector('.say')?.innerText.includes('Paris')").await;

    // Who is sent the link reads what was asked before, and asks both again.
    let other = Browser::start().await.unwrap();
    other.dark(false).await;
    other.width(360).await;
    other.open(&app, &format!("/runs/{}", run.as_str().unwrap())).await;
    other.seen(".sharedmark .before").await;
    let shared = other.text(".sharedmark").await;
    let (before, after) = (shared.find(QUESTION).unwrap(), shared.find("And of Germany?").unwrap());
    assert!(before < after, "{shared}");
    other.is_well("a shared follow-up").await;
    other.press("Ask this again").await;
    other.when("document.querySelector('.earlier')?.innerText.includes('France')").await;
    other.answered().await;
    assert!(other.text(".say").await.contains("Berlin"));
}

#[tokio::test]
async fn questions_are_kept_in_this_browser_and_a_link_shows_the_answer_in_another() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    browser.ask("What is the population of Berlin?").await;
    browser.click("header button[aria-label=History]").await;
    browser.seen(".pasts li").await;
    assert_eq!(browser.count(".pasts .open").await, 2);
    browser.keys("paris").await;
    browser.when("document.querySelectorAll('.pasts .open').length === 1").await;
    browser.click(".pasts .open").await;
    browser.when("document.querySelector('.say')?.innerText.includes('Paris')").await;

    let run = browser.value("history.state.run").await;
    let other = Browser::start().await.unwrap();
    other.open(&app, &format!("/runs/{}", run.as_str().unwrap())).await;
    other.seen(".sharedmark").await;
    assert!(other.text(".say").await.contains("Paris"));
    assert_eq!(other.count(".feedback, .next:not([hidden])").await, 0);
    other.press("Ask this again").await;
    other.when("location.search.includes('graph=') && location.hash.startsWith('#q=')").await;
    other.answered().await;
    assert!(other.text(".say").await.contains("Paris"));
    assert_eq!(other.value("new URLSearchParams(location.search).get('graph')").await, CITIES);
}

#[tokio::test]
async fn errors_are_told_in_words_and_the_question_stays() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::with_endpoint_down().await;
    browser.open(&app, "/?graph=down").await;
    browser.ask(QUESTION).await;
    assert!(browser.text(".failure").await.contains("does not answer"), "{}", browser.text(".failure").await);
    assert_eq!(browser.value("document.querySelector('textarea').value").await, QUESTION);
    browser.press("Retry").await;
    browser.answered().await;
    browser.seen(".failure").await;
    browser.open(&app, "/runs/00000000000000000000000000000000").await;
    assert!(browser.text(".failure").await.contains("no longer stored"));
}

#[tokio::test]
async fn the_address_names_the_graph_by_any_of_its_names() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    let chosen = "document.querySelector('header select')?.value";
    for address in ["/?graph=earth", "/?dataset=earth", "/?dataset=world"] {
        browser.open(&app, address).await;
        browser.when(&format!("{chosen} === 'world'")).await;
    }
    browser.open(&app, "/?dataset=earth#q=What%20is%20the%20capital%20of%20Peru%3F").await;
    browser.when("document.querySelector('.say')?.innerText.includes('Lima')").await;
    // The name that the reader came with is kept.
    browser.ask("What is the capital of Chile?").await;
    assert_eq!(browser.value("location.search").await, "?graph=earth");
    let run = browser.value("history.state.run").await;
    browser.open(&app, &format!("/runs/{}", run.as_str().unwrap())).await;
    browser.seen(".sharedmark").await;
    browser.when(&format!("{chosen} === 'world'")).await;

    browser.open(&app, "/?graph=nosuch#q=Who%3F").await;
    assert!(browser.text(".failure").await.contains("not served here"));
    assert!(browser.text(".failure").await.contains("nosuch"));
    browser.press("Ask a question").await;
    browser.seen(".ask textarea").await;
    assert_eq!(browser.value(chosen).await, CITIES);
}

#[tokio::test]
async fn the_choice_of_the_graph_can_be_left_to_the_service() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, "/?graph=auto").await;
    browser.when("document.querySelector('select.graphs').value === 'auto'").await;
    browser.when("document.querySelector('main').innerText.includes('chosen by the words')").await;
    assert_eq!(browser.count("header button[aria-label='The graph']").await, 0);
    browser.is_well("no graph chosen").await;
    browser.ask("What is the capital of Japan?").await;
    assert!(browser.text(".say").await.contains("Tokyo"));
    // Things are looked at in the graph that has answered.
    browser.seen(".cardbox[aria-busy=false]").await;
    assert_eq!(browser.count(".failure").await, 0);
    assert_eq!(browser.value("document.querySelector('select.graphs').value").await, "auto");
}
