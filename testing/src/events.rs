//! Reads server-sent events as a browser does; shared by tests.

use crate::programs::within;
use reqwest::Response;
use serde_json::Value;

/// An event as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its number in the run.
    pub id: u64,
    /// What it tells of.
    pub kind: String,
    /// What it tells.
    pub data: Value,
}

/// A stream of events.
pub struct Events {
    response: Response,
    buffer: Vec<u8>,
}

impl Events {
    /// Of a response, which has to be one.
    pub fn of(response: Response) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, buffer: Vec::new() }
    }

    /// The next event; nothing at the end, or when the connection breaks.
    pub async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\n\n") {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                if let Some(told) = told(&String::from_utf8(block).unwrap()) {
                    return Some(told);
                }
                continue;
            }
            let chunk = within("the next event", self.response.chunk()).await.ok().flatten()?;
            self.buffer.extend_from_slice(&chunk);
        }
    }

    /// All that comes until the end.
    pub async fn rest(&mut self) -> Vec<Told> {
        let mut all = Vec::new();
        while let Some(told) = self.next().await {
            all.push(told);
        }
        all
    }
}

/// An event; nothing of a comment.
fn told(block: &str) -> Option<Told> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
    let data = field("data: ")?;
    assert_eq!(block.lines().filter(|line| line.starts_with("data:")).count(), 1, "{block}");
    Some(Told {
        id: field("id: ")?.parse().unwrap(),
        kind: field("event: ")?.to_owned(),
        data: serde_json::from_str(data).unwrap(),
    })
}

/// That events have the numbers from `first` on, without a gap, and end as they should.
pub fn assert_whole(events: &[Told], first: u64) {
    let numbers: Vec<u64> = events.iter().map(|told| told.id).collect();
    let expected: Vec<u64> = (first..first + events.len() as u64).collect();
    assert_eq!(numbers, expected);
    assert_eq!(events.last().unwrap().kind, "done");
    assert_eq!(events.iter().filter(|told| told.kind == "done").count(), 1);
}
