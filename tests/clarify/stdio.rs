//! The same over standard input and output.

use super::{BOUGHT, EITHER, MADE};
use crate::cli::eruca;
use eruca_testing::programs::{Running, within};
use serde_json::{Value, json as object};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc;

/// A client that can ask its person, or cannot.
struct Client {
    program: Running,
    input: Option<ChildStdin>,
    lines: tokio::sync::mpsc::UnboundedReceiver<Value>,
    _folder: tempfile::TempDir,
}

impl Client {
    async fn hello(capabilities: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("eruca.toml"), super::lamps()).unwrap();
        let mut command = eruca(folder.path());
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut program = Running(command.spawn().unwrap());
        let (input, output) = (program.0.stdin.take(), program.0.stdout.take().unwrap());
        let (to, lines) = tokio::sync::mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let read = BufReader::new(output).lines().map_while(Result::ok);
            let messages = read.map(|line| serde_json::from_str(&line).unwrap());
            messages.map_while(|message| to.send(message).ok()).for_each(drop);
        });
        let mut client = Self { program, input, lines, _folder: folder };
        client.send(&object!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"},
        }}));
        assert!(client.next().await["result"].is_object());
        client.send(&object!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    async fn next(&mut self) -> Value {
        within("a message", self.lines.recv()).await.unwrap()
    }

    fn ask(&mut self, more: Value) {
        let mut arguments = object!({"question": EITHER});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let params = object!({"name": "text2sparql", "arguments": arguments});
        self.send(&object!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
    }

    async fn asked(&mut self) -> Value {
        let asked = self.next().await;
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        asked["id"].clone()
    }

    /// The property of the answer, and whether it says how to choose.
    async fn answer(&mut self) -> (&'static str, bool) {
        let mut message = self.next().await;
        while message["method"] == "notifications/cancelled" {
            message = self.next().await;
        }
        let facts = &message["result"]["structuredContent"];
        let query = facts["query"].as_str().unwrap_or_else(|| panic!("{message}"));
        (if query.contains(BOUGHT) { BOUGHT } else { MADE }, facts.get("clarify").is_some())
    }
}

#[tokio::test]
async fn a_person_is_asked_over_the_same_connection() {
    let mut client = Client::hello(object!({"elicitation": {}})).await;
    for (said, wanted) in [
        (object!({"action": "accept", "content": {"choice": "date acquired"}}), (BOUGHT, false)),
        (object!({"action": "decline"}), (MADE, true)),
        (object!({"action": "cancel"}), (MADE, true)),
        (object!({"action": "accept", "content": {"choice": 2}}), (MADE, true)),
    ] {
        client.ask(object!({}));
        let id = client.asked().await;
        client.send(&object!({"jsonrpc": "2.0", "id": id, "result": said}));
        assert_eq!(client.answer().await, wanted, "{said}");
    }
    client.ask(object!({"deadline_seconds": 4}));
    client.asked().await;
    assert_eq!(client.answer().await, (MADE, true), "nobody said anything");
}

#[tokio::test]
async fn a_client_that_leaves_ends_the_program_while_its_person_is_asked() {
    let mut client = Client::hello(object!({"elicitation": {}})).await;
    client.ask(object!({}));
    client.asked().await;
    drop(client.input.take());
    let (to, ended) = mpsc::channel();
    let mut program = client.program;
    std::thread::spawn(move || to.send(program.0.wait().unwrap().success()));
    assert!(ended.recv_timeout(std::time::Duration::from_secs(30)).unwrap());
}

#[tokio::test]
async fn a_client_that_cannot_ask_gets_the_first_answer() {
    let mut client = Client::hello(object!({})).await;
    client.ask(object!({}));
    assert_eq!(client.answer().await, (MADE, true));
}
