//! Pages of verified questions: choices by the keyboard, several on one page, what is refreshed, frames.

use super::Browser;
use eruca::llm::ScriptedModel;
use eruca_testing::scripted::{Setup, served_by};
use reqwest::Client;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";

const OFFICE: &str = r#"
@prefix o: <http://office.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
o:sales a o:Department ; rdfs:label "Sales" ; o:member o:ada . o:twin1 a o:Department ; rdfs:label "Twin" ; o:member o:cy .
o:research a o:Department ; rdfs:label "Research" ; o:member o:bo , o:cy , o:di . o:twin2 a o:Department ; rdfs:label "Twin" .
o:ada a o:Person ; rdfs:label "Ada Moss" ; o:age 41 . o:bo a o:Person ; rdfs:label "Bo Reed" ; o:age 30 .
o:cy a o:Person ; rdfs:label "Cy Lund" ; o:age 52 . o:di a o:Person ; rdfs:label "Di Falk" ; o:age 27 .
"#;

const QUESTIONS: &str = r#"
[[questions]]
name = "members"
question = "Who works in Sales?"
lang = "en"
query = '''
PREFIX o: <http://office.example/>
SELECT ?person ?age ?twice ?half ?more WHERE {
  o:sales o:member ?person . ?person o:age ?age BIND(?age * 2 AS ?twice) BIND(?age / 2 AS ?half) BIND(?age + 1 AS ?more)
} ORDER BY ?age
'''
by = "Ada"
at = 2026-01-31
refresh = "30s"
parameters = [{ name = "Sales", value = "<http://office.example/sales>", as = "department" }]

[[questions]]
name = "count"
question = "How many people work in Sales?"
query = "SELECT (COUNT(*) AS ?people) WHERE { <http://office.example/sales> <http://office.example/member> ?person }"
by = "Bo"
at = 2026-02-01
parameters = [{ name = "Sales", value = "<http://office.example/sales>", as = "department" }]

[[questions]]
name = "ages"
question = "How old is everybody?"
query = "SELECT ?person ?age WHERE { ?person <http://office.example/age> ?age } ORDER BY ?age"
by = "Bo"
at = 2026-02-01
view = "bars"
"#;

/// A running service over the office, with the folder of what its owner knows.
struct Office {
    url: String,
    knowledge: PathBuf,
    server: actix_web::dev::ServerHandle,
    _setup: Setup,
    _file: tempfile::TempDir,
}

impl Office {
    async fn start(server: &str) -> Self {
        let files = tempfile::tempdir().unwrap();
        let file = files.path().join("office.ttl");
        std::fs::write(&file, OFFICE).unwrap();
        let setup = Setup::new(&format!("[[datasets]]\nid = \"office\"\nfiles = [{file:?}]\n{server}"));
        let knowledge = setup.settings.datasets[0].knowledge.clone().unwrap().folder;
        std::fs::create_dir_all(knowledge.join("questions")).unwrap();
        std::fs::write(knowledge.join("questions/a.toml"), QUESTIONS).unwrap();
        let board =
            "[[boards]]\nname = 'house'\ntitle = 'The house'\nquestions = ['count', 'members', 'ages']\n";
        std::fs::write(knowledge.join("boards.toml"), board).unwrap();
        let (setup, url, server) = served_by(setup, Arc::new(ScriptedModel::new([]))).await;
        Self { url, knowledge, server, _setup: setup, _file: files }
    }

    /// From now on this thing is not seen.
    async fn hide(&self, thing: &str) {
        let hidden = format!("[hidden]\nterms = ['http://office.example/{thing}']\n");
        std::fs::write(self.knowledge.join("hidden.toml"), hidden).unwrap();
        Client::new().post(format!("{}/datasets/office/reload", self.url)).send().await.unwrap();
    }

    async fn stop(self) {
        self.server.stop(false).await;
    }
}

/// Waits until all cards of the page have a result or an error.
async fn ready(browser: &Browser) {
    browser
        .when("document.querySelector('.boardcard') && !document.querySelector('.boardcard[aria-busy=true]')")
        .await;
}

async fn titled(browser: &Browser, title: &str) {
    browser.when(&format!("document.querySelector('.boardtitle')?.innerText === {}", json!(title))).await;
}

#[tokio::test]
async fn a_name_is_chosen_and_stands_in_the_address() {
    let Some(browser) = Browser::start().await else { return };
    let office = Office::start("").await;
    browser.dark(false).await;
    browser.open_at(&office.url, "/q/members").await;
    titled(&browser, "Who works in Sales?").await;
    assert!(browser.text(".boardmeta").await.contains("verified by Ada on 2026-01-31"));
    browser.is_well("a page").await;
    browser.click(".choosing input").await;
    browser.seen(".suggestions li").await;
    browser.keys("re").await;
    browser.when("document.querySelectorAll('.suggestions li').length === 1").await;
    browser.is_well("candidates").await;
    browser.keys(format!("{DOWN}{ENTER}")).await;
    titled(&browser, "Who works in Research?").await;
    ready(&browser).await;
    assert_eq!(browser.value("location.search").await, "?department=Research");
    assert_eq!(browser.count("tbody tr").await, 3);
    assert!(browser.text(".boardmeta").await.contains("another name"));
    browser.session().back().await.unwrap();
    titled(&browser, "Who works in Sales?").await;
    browser.when("document.querySelector('.choosing input').value === 'Sales'").await;

    browser.open_at(&office.url, "/q/members?department=Twin").await;
    browser.seen(".candidates button").await;
    browser.dark(true).await;
    browser.is_well("two of a name").await;
    browser.click(".candidates li:first-child button").await;
    titled(&browser, "Who works in Twin?").await;
    assert!(browser.value("location.search").await.as_str().unwrap().contains("twin1"));
    browser.width(360).await;
    browser.open_at(&office.url, "/q/members?department=Research").await;
    ready(&browser).await;
    browser.is_well("a phone").await;
    let inside =
        "document.querySelector('.scroller').scrollWidth > document.querySelector('.scroller').clientWidth";
    assert_eq!(browser.value(inside).await, true, "a wide table scrolls inside");
    office.stop().await;
}

#[tokio::test]
async fn questions_of_a_board_share_their_choices_and_are_found_from_the_start() {
    let Some(browser) = Browser::start().await else { return };
    let office = Office::start("").await;
    browser.dark(false).await;
    browser.open_at(&office.url, "/").await;
    browser.click(".boards a[href='/q/house']").await;
    titled(&browser, "The house").await;
    ready(&browser).await;
    assert_eq!((browser.count(".boardcard").await, browser.count(".choosing").await), (3, 1));
    assert_eq!((browser.text(".figure").await, browser.count(".bars li").await), ("1".to_owned(), 4));
    browser.is_well("a board").await;
    browser.click(".choosing input").await;
    browser.keys(format!("Research{ENTER}")).await;
    browser.when("document.querySelector('.figure').innerText === '3'").await;
    browser
        .when(
            "[...document.querySelectorAll('h2')].some((one) => one.innerText === 'Who works in Research?')",
        )
        .await;

    browser.open_at(&office.url, "/").await;
    browser.ask("Who works in Research?").await;
    browser.click(".chips a").await;
    titled(&browser, "Who works in Research?").await;
    office.stop().await;
}

#[tokio::test]
async fn a_page_is_refreshed_while_it_is_looked_at_and_stays_as_it_is() {
    let Some(browser) = Browser::start().await else { return };
    let office = Office::start("").await;
    let moved = "const now = Date.now.bind(Date); window.ahead = 0; Date.now = () => now() + window.ahead;
        window.away = false; Object.defineProperty(document, 'hidden', { get: () => window.away });";
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": moved })).await;
    browser.open_at(&office.url, "/q/members?department=Research").await;
    ready(&browser).await;
    browser.click("th:nth-child(1) .sort").await;
    browser.click("th:nth-child(1) .sort").await;
    let first = "document.querySelector('tbody td').innerText";
    assert_eq!(browser.value(first).await, "Di Falk");
    let asked =
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('members.json')).length";
    assert_eq!(browser.value(asked).await, 1);
    office.hide("di").await;
    let later = async |away: bool| {
        let look = format!(
            "(window.away = {away}, window.ahead += 31000, document.dispatchEvent(new Event('visibilitychange')))"
        );
        browser.value(&look).await
    };
    later(true).await;
    assert_eq!(browser.value(asked).await, 1, "nobody looks");
    later(false).await;
    browser.when("document.querySelectorAll('tbody tr').length === 2").await;
    assert_eq!(browser.value(first).await, "Cy Lund", "as the reader has sorted it");
    office.stop().await;
}

#[tokio::test]
async fn a_page_in_a_frame_shows_its_question_alone() {
    let Some(browser) = Browser::start().await else { return };
    let intranet = MockServer::start().await;
    let keys = "api_keys = { lobby = \"k-1\" }\nboard_keys = { lobby = \"members\" }";
    let office =
        Office::start(&format!("[server]\nembed_origins = [\"{}\"]\n{keys}\n", intranet.uri())).await;
    let page = format!(
        "<!doctype html><html lang='en'><title>House</title><h1>House</h1><iframe title='Members' width='900' height='500' \
         src='{}/q/members?embed&department=Research&key=k-1'></iframe>",
        office.url
    );
    Mock::given(any())
        .respond_with(ResponseTemplate::new(200).set_body_raw(page, "text/html"))
        .mount(&intranet)
        .await;
    browser.dark(false).await;
    browser.open_at(&intranet.uri(), "/").await;
    browser.session().enter_frame(0).await.unwrap();
    titled(&browser, "Who works in Research?").await;
    ready(&browser).await;
    assert_eq!((browser.count("tbody tr").await, browser.count("header, .skip, .boardtools").await), (3, 0));
    assert_eq!(browser.count("button.thing").await, 0, "the key opens no cards");
    assert_eq!(browser.count(".failure").await, 0);
    browser.click(".choosing input").await;
    browser.seen(".suggestions li").await;
    browser.session().enter_default_frame().await.unwrap();
    browser.open_at(&office.url, "/q/members?embed&key=k-1").await;
    ready(&browser).await;
    browser.is_well("embedded").await;
    browser.open_at(&office.url, "/q/members").await;
    browser.seen(".keyform").await;
    office.stop().await;
}
