//! The page behind a bad line: a proxy that holds bytes back, and one that cuts connections.

use super::Browser;
use eruca::llm::{ScriptedModel, ScriptedTurn};
use eruca_testing::helpers::json;
use eruca_testing::scripted::{answers, looks_up, served, tries};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const ASKED: &str = "What is the capital of France?";
const SAID: &str = "The capital of France is Paris.";
const QUERY: &str = "SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> <https://eruca.dev/demo/ontology#capital> ?capital }";

/// What the proxy does with the events of a response: so many bytes of them pass, then the line is cut; nothing when all
/// is held until it is whole.
type Manner = fn(usize) -> Option<usize>;

/// A request for events as the proxy saw it, and the events that have passed whole.
#[derive(Debug, Clone, Default, PartialEq)]
struct Passed {
    line: String,
    after: Option<u64>,
    events: Vec<u64>,
    cut: bool,
}

/// A proxy before the service, with what has passed it.
struct Proxy {
    url: String,
    passed: Arc<Mutex<Vec<Passed>>>,
}

impl Proxy {
    async fn start(service: &str, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (to, passed) = (service.replace("http://", ""), Arc::<Mutex<Vec<Passed>>>::default());
        let seen = passed.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let service = TcpStream::connect(&to).await.unwrap();
                tokio::spawn(hand_on(client, service, manner, seen.clone()));
            }
        });
        Self { url, passed }
    }

    fn passed(&self) -> Vec<Passed> {
        self.passed.lock().unwrap().clone()
    }
}

/// One request and its response; the connection is not used again.
async fn hand_on(
    mut client: TcpStream,
    mut service: TcpStream,
    manner: Manner,
    seen: Arc<Mutex<Vec<Passed>>>,
) {
    let Some(request) = request(&mut client).await else { return };
    let head = String::from_utf8_lossy(&request).into_owned();
    service.write_all(&closing(&request)).await.unwrap();
    let mut response = Vec::new();
    // To its end, also where it is cut: the service does not learn of that.
    service.read_to_end(&mut response).await.unwrap();
    let mut out = response;
    if head.to_ascii_lowercase().contains("accept: text/event-stream") {
        let number = seen.lock().unwrap().len();
        let whole = out.len();
        let body = out.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
        out.truncate(manner(number).map_or(whole, |bytes| whole.min(body + bytes)));
        seen.lock().unwrap().push(passed(&head, &out, out.len() < whole));
    }
    // In pieces that end anywhere.
    for piece in out.chunks(97) {
        drop(client.write_all(piece).await);
        drop(client.flush().await);
    }
    drop(client.shutdown().await);
}

fn passed(head: &str, out: &[u8], cut: bool) -> Passed {
    let after =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("last-event-id: ")?.parse().ok());
    let text = String::from_utf8_lossy(out);
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let events = whole.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect();
    Passed { line: head.lines().next().unwrap().to_owned(), after, events, cut }
}

/// A request with its body; nothing when the client has gone.
async fn request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let read = client.read(&mut buffer).await.ok().filter(|read| *read > 0)?;
        request.extend_from_slice(&buffer[..read]);
        let Some(end) = request.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&request[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if request.len() >= end + 4 + length.unwrap_or(0_usize) {
            return Some(request);
        }
    }
}

/// The request with the wish that the connection ends with its response.
fn closing(request: &[u8]) -> Vec<u8> {
    let end = request.windows(2).position(|end| end == b"\r\n").unwrap() + 2;
    let (line, rest) = request.split_at(end);
    let rest = String::from_utf8_lossy(rest).replacen("Connection: keep-alive\r\n", "", 1);
    [line, b"Connection: close\r\n", rest.as_bytes()].concat()
}

/// Notes steps that the page takes back: one that is lost, or not in its place, is drawn anew at the end.
const WATCH: &str = "(() => { window.takenBack = 0; new MutationObserver((all) => all.forEach((one) => { \
     if (one.target.matches?.('.steplist')) window.takenBack += one.removedNodes.length; \
     })).observe(document.body, { childList: true, subtree: true }); })()";

/// Asks behind such a line; what the page showed is what the service has kept. Returns what has passed.
async fn asked_behind(browser: &Browser, manner: Manner) -> Vec<Passed> {
    let tried =
        [looks_up("France"), looks_up("Paris"), tries(QUERY), answers(QUERY), ScriptedTurn::text(SAID)];
    let (_setup, url, handle) = served(Arc::new(ScriptedModel::new(tried))).await;
    let proxy = Proxy::start(&url, manner).await;
    browser.open_at(&proxy.url, "/").await;
    browser.seen(".ask textarea").await;
    browser.value(WATCH).await;
    browser.ask(ASKED).await;
    assert_eq!(browser.text(".say").await, SAID);
    let run = browser.value("history.state.run").await;
    let address = format!("{url}/runs/{}", run.as_str().unwrap());
    let kept: Value = json(reqwest::get(address).await.unwrap()).await;
    let steps = kept["trace"]["steps"].as_array().unwrap().len() as u64;
    assert!(steps > 4, "{steps}");
    assert_eq!(browser.count(".steplist > li").await, steps);
    assert_eq!(browser.value("window.takenBack").await, 0, "a step was lost or out of its place");
    handle.stop(false).await;
    proxy.passed()
}

#[tokio::test]
async fn a_proxy_that_holds_everything_back_loses_nothing() {
    let Some(browser) = Browser::start().await else { return };
    let passed = asked_behind(&browser, |_| None).await;
    assert_eq!(passed.len(), 1, "{passed:?}");
    let numbers: Vec<u64> = (1..=passed[0].events.len() as u64).collect();
    assert_eq!(passed[0].events, numbers);
}

#[tokio::test]
async fn a_stream_that_is_cut_again_and_again_goes_on_behind_the_last_event() {
    let Some(browser) = Browser::start().await else { return };
    // As many cuts as a line is given that brings nothing: what a browser throws away when a line breaks may be all that
    // came. That lines which bring something are taken up as often as need be is shown by the tests of `ui/src/net/ask.ts`.
    let passed = asked_behind(&browser, |number| (number < 6).then_some(900 + 700 * number)).await;
    assert!(passed.len() > 3 && passed[0].cut, "nothing was cut: {passed:?}");
    assert!(passed[0].line.starts_with("POST /ask "), "{passed:?}");
    let (mut whole, mut seen) = (0, 0);
    for (number, one) in passed.iter().enumerate() {
        assert_eq!(
            one.line.starts_with("POST /ask "),
            number == 0,
            "the question was asked again: {passed:?}"
        );
        // A browser throws away what it has not handed on when a line breaks: this is asked for again, and no more.
        let after = one.after.unwrap_or(0);
        assert!((seen..=whole).contains(&after), "{passed:?}");
        let following: Vec<u64> = (after + 1..=after + one.events.len() as u64).collect();
        assert_eq!(one.events, following);
        (whole, seen) = (whole.max(after + following.len() as u64), after);
    }
    assert!(passed.last().is_some_and(|end| !end.cut), "{passed:?}");
}
