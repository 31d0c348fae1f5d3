//! The page in a real browser: Chromium, driven through chromedriver, where both are installed.
#![cfg(test)]

mod article;
mod asking;
mod boards;
mod computed;
mod correcting;
mod judging;
mod learning;
mod lines;
mod manners;
mod showing;
mod supported;

use eruca_testing::helpers::{TestApp, install_tls, repository};
use eruca_testing::programs::{is_installed, skipped};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use thirtyfour::ChromeCapabilities;
use thirtyfour::prelude::*;

/// How long the page may take for anything, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The id of the demo graph in [`world`].
const WORLD: &str = "world";

/// The demo graph beside the cities.
async fn world() -> TestApp {
    let file = Value::from(repository().join("examples/world.ttl").to_str().unwrap());
    TestApp::with(&format!("[[datasets]]\nid = \"{WORLD}\"\naliases = [\"earth\"]\nfiles = [{file}]")).await
}

/// Chromedriver with one session of the browser.
struct Browser {
    driver: Child,
    port: u16,
    session: Option<WebDriver>,
}

impl Browser {
    /// `None`, loudly, where Chromium or its driver is not installed.
    async fn start() -> Option<Self> {
        install_tls();
        if !is_installed("chromium", "--version") || !is_installed("chromedriver", "--version") {
            skipped("chromium and chromedriver are not installed");
            return None;
        }
        let mut command = Command::new("chromedriver");
        let mut driver =
            command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let port = port_of(&mut driver);
        let mut browser = Self { driver, port, session: None };
        let session = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities()).await.unwrap();
        session.set_script_timeout(PATIENCE).await.unwrap();
        browser.session = Some(session);
        Some(browser)
    }

    fn session(&self) -> &WebDriver {
        self.session.as_ref().unwrap()
    }

    /// Opens an address of the service.
    async fn open(&self, app: &TestApp, path: &str) {
        self.open_at(&app.url, path).await;
    }

    /// The same, where it is reached by another address.
    async fn open_at(&self, url: &str, path: &str) {
        self.session().goto(format!("{url}{path}")).await.unwrap();
    }

    /// The value of an expression of the page.
    async fn value(&self, expression: &str) -> Value {
        let script = format!("return {expression}");
        self.session().execute(script, Vec::new()).await.unwrap().json().clone()
    }

    async fn text(&self, css: &str) -> String {
        self.when(&format!("document.querySelector({})", json!(css))).await;
        let value = self.value(&format!("document.querySelector({}).innerText", json!(css))).await;
        value.as_str().unwrap().to_owned()
    }

    async fn count(&self, css: &str) -> u64 {
        self.value(&format!("document.querySelectorAll({}).length", json!(css))).await.as_u64().unwrap()
    }

    /// Waits until an expression of the page is true.
    async fn when(&self, condition: &str) {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             const look = () => {{ try {{ return Boolean({condition}); }} catch {{ return false; }} }};
             const wait = () => look() ? done(true) : setTimeout(wait, 10);
             wait();"
        );
        if let Err(error) = self.session().execute_async(script, Vec::new()).await {
            let page = self.value("document.body.innerText").await;
            panic!("{condition}: {error}\nthe page says:\n{}", page.as_str().unwrap_or_default());
        }
    }

    /// Waits until an element can be seen.
    async fn seen(&self, css: &str) {
        self.when(&format!("document.querySelector({})?.checkVisibility()", json!(css))).await;
    }

    /// Clicks an element, as a person does, as soon as it can be seen.
    async fn click(&self, css: &str) {
        self.seen(css).await;
        self.session().find(By::Css(css)).await.unwrap().click().await.unwrap();
    }

    /// Shows the query, which is folded for those who have not opened it once.
    async fn unfold(&self) {
        self.seen("details.queryfold").await;
        self.value("document.querySelectorAll('details.queryfold').forEach((one) => { one.open = true; })")
            .await;
    }

    /// Clicks the button or tab with this text.
    async fn press(&self, text: &str) {
        let mark = format!(
            "[...document.querySelectorAll('button, summary')].filter((one) => one.checkVisibility() \
             && one.innerText.trim() === {}).forEach((one) => one.dataset.wanted = 'yes')",
            json!(text)
        );
        self.when(&format!("(({mark}), document.querySelector('[data-wanted]'))")).await;
        self.session().find(By::Css("[data-wanted]")).await.unwrap().click().await.unwrap();
        self.value("document.querySelectorAll('[data-wanted]').forEach((one) => delete one.dataset.wanted)")
            .await;
    }

    /// Types where the focus is.
    async fn keys(&self, keys: impl AsRef<str>) {
        self.session().active_element().await.unwrap().send_keys(keys.as_ref()).await.unwrap();
    }

    /// Asks in the box and waits for the end.
    async fn ask(&self, question: &str) {
        self.seen(".ask textarea").await;
        let input = self.session().find(By::Css(".ask textarea")).await.unwrap();
        input.clear().await.unwrap();
        input.send_keys(question).await.unwrap();
        input.send_keys("" + Key::Enter).await.unwrap();
        self.answered().await;
    }

    async fn answered(&self) {
        self.when("document.querySelector('.outcome')?.getAttribute('aria-busy') === 'false'").await;
    }

    /// A command of Chromium's own protocol.
    async fn command(&self, name: &str, parameters: Value) {
        self.session().cdp().send_raw(name, parameters).await.unwrap();
    }

    /// A screen of this width.
    async fn width(&self, width: u32) {
        let screen = json!({ "width": width, "height": 740, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", screen).await;
    }

    /// Whether the reader's system is dark.
    async fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value },
                              { "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// What axe-core finds, as text; nothing when all is well.
    async fn axe(&self) -> String {
        let axe = std::fs::read_to_string(repository().join("testing/tests/browser/axe/axe.min.js")).unwrap();
        let script = format!(
            "{axe};
             const done = arguments[arguments.length - 1];
             const only = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
             window.axe.run(document, {{ runOnly: only }}).then(({{ violations }}) => done(violations
                 .flatMap(({{ id, nodes }}) => nodes.map((node) => id + ': ' + node.html)).join('\\n')));"
        );
        let found = self.session().execute_async(script, Vec::new()).await.unwrap();
        found.json().as_str().unwrap().to_owned()
    }

    /// Fails if something does not fit into the screen's width or axe-core finds something.
    async fn is_well(&self, state: &str) {
        let found = self.axe().await;
        assert_eq!(found, "", "{state}");
        let beyond = self.value("document.documentElement.scrollWidth - window.innerWidth").await;
        assert!(beyond.as_i64().unwrap() <= 0, "{state}: wider than the screen by {beyond}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            let id = session.session_id().to_string();
            let _left = session.leak();
            // Chromium ends with its session; the end of its driver alone would leave it behind.
            let _ended = end_session(self.port, &id);
        }
        let _ended = self.driver.kill();
        let _waited = self.driver.wait();
    }
}

fn end_session(port: u16, id: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "DELETE /session/{id} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")?;
    stream.read_to_string(&mut String::new()).map(drop)
}

/// The port that the driver has chosen, as it says.
fn port_of(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let said = |line: &String| line.contains("started successfully on port");
    let line = lines.map(Result::unwrap).find(said).expect("chromedriver says its port");
    line.rsplit(' ').next().unwrap().trim_end_matches('.').parse().unwrap()
}

fn capabilities() -> ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    // Without its sandbox, since tests of images run as root; the pages are our own.
    let arguments =
        ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"];
    for argument in arguments.into_iter().chain(["--window-size=1000,900"]) {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities
}
