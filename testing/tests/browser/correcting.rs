//! The query shown, corrected and run again; why a row is an answer; other readings; notes about an answer.

use super::Browser;
use super::{WORLD, world};
use eruca_testing::helpers::{QUESTION, TestApp, data};
use serde_json::{Value, json};

const CITIES_BY_SIZE: &str =
    "SELECT ?city ?n WHERE { ?city <https://example.org/cities/population> ?n } ORDER BY DESC(?n)";

/// Puts a query into the open editor and runs it.
pub(super) async fn run(browser: &Browser, query: &str) {
    run_by(browser, ["Edit", "Run"], query).await;
}

/// The same where the buttons are called otherwise.
pub(super) async fn run_by(browser: &Browser, [edit, start]: [&str; 2], query: &str) {
    write(browser, edit, query).await;
    browser.press(start).await;
}

/// Puts a query into the editor, which a button opens.
async fn write(browser: &Browser, edit: &str, query: &str) {
    browser.unfold().await;
    browser.press(edit).await;
    browser.when("document.querySelector('.codebox')?.shadowRoot?.querySelector('.cm-content')").await;
    browser.when("document.querySelector('.codebox').shadowRoot.activeElement").await;
    // Written at once: what is typed key by key would be completed with brackets.
    let text = serde_json::json!(query);
    browser
        .value(&format!(
            "(() => {{ const box = document.querySelector('.codebox').shadowRoot.querySelector('.cm-content'); \
             box.focus(); document.execCommand('selectAll'); document.execCommand('insertText', false, {text}); }})()"
        ))
        .await;
}

/// The suggestions in the editor, each with what is told about it.
const SUGGESTED: &str = "[...document.querySelector('.codebox').shadowRoot.querySelectorAll('.cm-tooltip-autocomplete li')]\
    .map((one) => `${one.querySelector('.cm-completionLabel').innerText}: ${one.querySelector('.cm-completionDetail').innerText}`)";

#[tokio::test]
async fn the_editor_suggests_what_the_query_allows() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    write(&browser, "Edit", "SELECT * { ?land a <https://example.org/cities/Country> . ?land ").await;
    browser.when(&format!("{SUGGESTED}.length > 0")).await;
    let mut suggested: Vec<String> = serde_json::from_value(browser.value(SUGGESTED).await).unwrap();
    suggested.sort();
    let expected =
        ["capital: property · 2 solutions", "label: property · 4 solutions", "type: property · 2 solutions"];
    assert_eq!(suggested, expected);
    browser.keys("cap").await;
    browser
        .when(&format!("{SUGGESTED}[0]?.startsWith('capital: property · 2') && {SUGGESTED}.length === 1"))
        .await;
    // The list takes no key for a moment, lest it takes one that was not meant for it.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    browser.keys("\u{e007}").await;
    browser
        .when("document.querySelector('.codebox').shadowRoot.querySelector('.cm-content').innerText.endsWith('?land :capital')")
        .await;
    // What no country has is suggested by its name, without a number.
    browser.keys(" ?c ; popul").await;
    browser.when(&format!("{SUGGESTED}.join() === 'population: property'")).await;
}

#[tokio::test]
async fn a_query_is_corrected_where_it_stands_and_run_again() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    browser.unfold().await;
    browser.press("In words").await;
    browser.seen(".words dd").await;
    run(&browser, "SELECT ?x WHERE { this is no query }").await;
    browser.seen(".editmessage .failure").await;
    assert!(browser.text(".editmessage .failure").await.contains("line"));
    browser.press("Cancel").await;
    run(&browser, CITIES_BY_SIZE).await;
    browser.seen(".back").await;
    browser.seen("table").await;
    assert_eq!(browser.count("tbody tr:not(.proof)").await, 4);
    assert!(browser.text("tbody tr").await.contains("Berlin"));
    browser.press("Back to the answer").await;
    browser.when("document.querySelector('.say')?.innerText.includes('Paris')").await;
}

#[tokio::test]
async fn each_row_tells_why_it_is_an_answer() {
    let Some(browser) = Browser::start().await else { return };
    let app = TestApp::start().await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    browser.click(".why").await;
    browser.when("document.querySelector('.proof .proofs')").await;
    let proof = browser.text(".proof").await;
    assert!(proof.contains("France") && proof.contains("Paris"), "{proof}");
}

#[tokio::test]
async fn other_readings_are_one_click_away() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    browser.ask("Which countries border Germany?").await;
    browser.unfold().await;
    let (said, asked) = (browser.text(".say").await, browser.text(".query").await);
    let run = browser.value("history.state.run").await;
    let kept: Value = app.get(&format!("/runs/{}", run.as_str().unwrap())).await.json().await.unwrap();
    let others = kept["alternatives"].as_array().unwrap();
    assert!(!others.is_empty(), "this question must have other readings, or another one must stand here");
    assert_eq!(browser.count(".alts button").await, others.len() as u64);
    // Folded away where the answer is sure.
    if browser.count("details.alts:not([open])").await == 1 {
        browser.click("details.alts summary").await;
    }
    browser.click(".alts li:first-child button").await;
    browser.seen(".back").await;
    assert!(browser.text(".say").await.contains(others[0]["reading"].as_str().unwrap()));
    let chips = browser.text(".chips").await;
    assert!(chips.contains("another reading"), "{chips}");
    assert!(chips.contains(&format!("{} row", others[0]["rows"])), "{chips}");
    assert_ne!(browser.text(".query").await, asked);
    browser.press("Back to the answer").await;
    browser.when("!document.querySelector('.back')").await;
    assert_eq!((browser.text(".say").await, browser.text(".query").await), (said, asked));
}

#[tokio::test]
async fn of_two_properties_the_reader_presses_one_and_it_stays_chosen() {
    let Some(browser) = Browser::start().await else { return };
    let file = Value::from(data("lamps.ttl"));
    let app = TestApp::with(&format!("[[datasets]]\nid = \"lamps\"\nfiles = [{file}]")).await;
    browser.dark(false).await;
    browser.width(360).await;
    browser.open(&app, "/?graph=lamps").await;
    browser.ask("How old is Arc?").await;
    browser.seen(".choice").await;
    let offered = "[...document.querySelectorAll('.choice button')].map((one) => `${one.innerText} \
                   ${one.getAttribute('aria-pressed')}`).join('; ')";
    assert_eq!(browser.value(offered).await, "date made true; date acquired false");
    browser.is_well("a choice").await;
    let first = browser.text(".say").await;
    browser.press("date acquired").await;
    browser
        .when(&format!(
            "document.querySelector('.say') && document.querySelector('.say').innerText !== {}",
            json!(first)
        ))
        .await;
    browser.answered().await;
    browser.unfold().await;
    assert!(browser.text(".query").await.contains("bought"), "{}", browser.text(".query").await);
    // The next question is read so at once, also after the page has been opened anew.
    browser.open(&app, "/?graph=lamps").await;
    browser.session().refresh().await.unwrap();
    browser.ask("How old is Bow?").await;
    browser.unfold().await;
    assert!(browser.text(".query").await.contains("bought"), "{}", browser.text(".query").await);
}

#[tokio::test]
async fn what_was_chosen_is_shown_changed_and_proposed_for_everyone_once() {
    let Some(browser) = Browser::start().await else { return };
    let file = Value::from(data("lamps.ttl"));
    let app = TestApp::with(&format!("[[datasets]]\nid = \"lamps\"\nfiles = [{file}]")).await;
    browser.dark(true).await;
    browser.width(360).await;
    browser.open(&app, "/?graph=lamps").await;
    browser.ask("How old is Arc?").await;
    browser.press("date acquired").await;
    let said = |name: &str| {
        format!("document.querySelector('.chosen')?.innerText.startsWith('You have chosen “{name}”.')")
    };
    browser.when(&said("date acquired")).await;
    browser.answered().await;
    assert_eq!(browser.count(".choice").await, 0, "the question is answered");
    assert!(browser.text(".meta .chip").await.contains("sure"));
    browser.is_well("what was chosen").await;
    browser.press("Choose another").await;
    browser.is_well("another one is chosen").await;
    browser.press("date made").await;
    browser.when(&said("date made")).await;
    browser.answered().await;
    browser.unfold().await;
    assert!(browser.text(".query").await.contains("made"), "{}", browser.text(".query").await);

    browser.press("Propose this for everyone").await;
    browser.when("document.querySelector('.chosen')?.innerText.includes('Thank you')").await;
    browser.ask("How old is Bow?").await;
    browser.when("document.querySelector('.chosen')?.innerText.includes('You have proposed it')").await;
    assert!(!browser.text(".chosen").await.contains("Propose this"), "it is not offered again");
    browser.open(&app, "/learn?graph=lamps").await;
    browser.when("document.querySelector('.proposal h2')").await;
    assert_eq!(
        browser.text(".proposal h2").await,
        "Of competing properties, date made is meant",
        "the owner decides"
    );
}

#[tokio::test]
async fn a_verified_answer_says_that_its_result_has_changed_since() {
    let Some(browser) = Browser::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("questions")).unwrap();
    let question = "[[questions]]\nquestion = \"Which pieces need the ladder?\"\nby = \"Ada\"\nat = 2026-01-31\nrows = 7\n\
        query = \"SELECT ?x { ?x <http://lamps.example/v/height> ?h FILTER(?h > 45) }\"\n";
    std::fs::write(folder.path().join("questions/a.toml"), question).unwrap();
    let (file, known) = (Value::from(data("lamps.ttl")), Value::from(folder.path().to_str().unwrap()));
    let app =
        TestApp::with(&format!("[[datasets]]\nid = \"lamps\"\nfiles = [{file}]\nknowledge = {known}")).await;
    browser.width(360).await;
    browser.open(&app, "/?graph=lamps").await;
    browser.ask("Which pieces need the ladder?").await;
    browser
        .when("document.querySelector('.chips')?.innerText.includes('result changed since 2026-01-31')")
        .await;
    let chips = browser.text(".chips").await;
    assert!(chips.contains("sure") && chips.contains("verified by Ada on 2026-01-31"), "{chips}");
    browser.is_well("a result that has changed").await;
}

#[tokio::test]
async fn a_name_that_is_only_written_alike_is_asked_again_as_the_graph_writes_it() {
    let Some(browser) = Browser::start().await else { return };
    let app = world().await;
    browser.dark(false).await;
    browser.width(360).await;
    browser.open(&app, &format!("/?graph={WORLD}")).await;
    let misspelt = [
        // One that was taken for another, one that was not found, and one that only the whole name tells.
        ("How long is the Danubee?", "Danube", "2,850"),
        ("What is the capital of the United Kindom?", "United Kingdom", "London"), // typos: ignore
        ("What is the population of Rio de Janero?", "Rio de Janeiro", "6,2"),     // typos: ignore
    ];
    for (question, name, answer) in misspelt {
        browser.ask(question).await;
        browser.seen(".meant button").await;
        browser.is_well(name).await;
        browser.press(&format!("Did you mean “{name}”?")).await;
        browser.when(&format!("document.querySelector('textarea').value.includes({})", json!(name))).await;
        browser.answered().await;
        assert!(browser.text(".say").await.contains(answer), "{}", browser.text(".say").await);
        assert_eq!(browser.count(".meant").await, 0, "{name}");
    }
    browser.ask("how long is the danube?").await;
    assert_eq!(browser.count(".meant").await, 0, "the very name");
}

#[tokio::test]
async fn what_people_think_of_an_answer_is_noted() {
    let Some(browser) = Browser::start().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("feedback.jsonl");
    let app = TestApp::with(&format!("[feedback]\nfile = {}", Value::from(file.to_str().unwrap()))).await;
    browser.open(&app, "/").await;
    browser.ask(QUESTION).await;
    browser.click(".feedback button:nth-child(2)").await;
    browser.press("Something else").await;
    browser.seen(".comment input").await;
    browser.keys("it is <b>old</b>\u{e007}").await;
    browser.when("document.querySelector('.feedback')?.innerText.includes('Thank you')").await;
    let noted = std::fs::read_to_string(&file).unwrap();
    let noted: Vec<Value> = noted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(noted.len(), 2, "the thumb counts when it is pressed");
    let noted = &noted[1];
    assert_eq!(noted["good"], false);
    assert_eq!(noted["comment"], "it is <b>old</b>");
}
