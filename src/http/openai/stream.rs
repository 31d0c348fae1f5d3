//! Streamed answers: turns events of a question into chunks as expected by OpenAI's clients.

use super::address::RunAddress;
use super::answer;
use super::error::OpenAiError;
use super::response::{ChatPiece, ChatSaidDto, Chunk, Stamp, UsageDto};
use super::steps::reasoning;
use crate::http::events::{KEEP_ALIVE, KEEP_ALIVE_EVERY, streamed};
use crate::service::{Event, EventReader, Run, RunHandle};
use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use eruca_api as api;
use eruca_api::AnswerStyle;
use futures_util::Stream;
use serde::Serialize;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Time in which a failure is still sent as a status, which tells clients whether to try again; later ones go into the stream.
const FIRST_LOOK: Duration = Duration::from_secs(1);
const DONE: &str = "data: [DONE]\n\n";

/// How an answer is streamed.
pub(super) struct StreamShape {
    /// Fields shared by all its chunks.
    pub(super) stamp: Stamp,
    /// Where the run is found.
    pub(super) address: RunAddress,
    /// Whether the last chunk contains token counts.
    pub(super) with_usage: bool,
    /// An article is sent when it is complete, and begins with the sentence.
    pub(super) style: AnswerStyle,
}

/// The events of a question as chunks.
///
/// # Errors
/// When the question fails immediately.
pub(super) async fn response(
    handle: &Arc<RunHandle>,
    mut reader: EventReader,
    telling: StreamShape,
) -> Result<HttpResponse, OpenAiError> {
    let mut chunks = Chunks { telling, has_text: false, has_failed: false };
    let mut early = chunks.begin();
    let looking = first_look(&mut reader, &mut chunks, &mut early);
    // What has arrived by then is sent; a timeout loses nothing.
    if let Ok(looked) = tokio::time::timeout(FIRST_LOOK, looking).await {
        looked?;
    }
    let state = StreamState { early: Some(early), reader, chunks };
    Ok(streamed(handle.id(), pieces(state)))
}

/// A text that is complete already, as chunks.
pub(super) fn at_once(telling: StreamShape, said: ChatSaidDto) -> HttpResponse {
    let chunks = Chunks { telling, has_text: false, has_failed: false };
    let mut text = chunks.begin();
    text += &chunks.piece(ChatPiece::of(said));
    text += &chunks.end(UsageDto::default());
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .body(text)
}

/// Resolves when the work has started or failed.
async fn first_look(
    reader: &mut EventReader,
    chunks: &mut Chunks,
    early: &mut String,
) -> Result<(), OpenAiError> {
    while let Some((_, event)) = reader.next().await {
        if let Event::Failed(error) = &*event {
            return Err(error.clone().into());
        }
        early.push_str(&chunks.of(&event));
        if matches!(&*event, Event::Step(_)) {
            break;
        }
    }
    Ok(())
}

struct StreamState {
    early: Option<String>,
    reader: EventReader,
    chunks: Chunks,
}

fn pieces(state: StreamState) -> impl Stream<Item = Result<Bytes, Infallible>> {
    futures_util::stream::unfold(state, async |mut state| {
        let text = match state.early.take() {
            Some(early) => early,
            None => next(&mut state).await?,
        };
        Some((Ok(Bytes::from(text)), state))
    })
}

/// The next text to send; `None` at the end.
async fn next(state: &mut StreamState) -> Option<String> {
    loop {
        match tokio::time::timeout(KEEP_ALIVE_EVERY, state.reader.next()).await {
            Ok(Some((_, event))) => {
                let text = state.chunks.of(&event);
                if !text.is_empty() {
                    return Some(text);
                }
            }
            Ok(None) => return None,
            Err(_) => return Some(KEEP_ALIVE.to_owned()),
        }
    }
}

/// Turns events into chunks.
struct Chunks {
    telling: StreamShape,
    has_text: bool,
    has_failed: bool,
}

impl Chunks {
    fn begin(&self) -> String {
        self.piece(ChatPiece::begin())
    }

    /// The chunk for an event; most events have none.
    fn of(&mut self, event: &Event) -> String {
        match event {
            Event::Step(step) => self.some(reasoning(step), ChatPiece::reasoning),
            Event::Answer(_) if self.telling.style == AnswerStyle::Article => String::new(),
            Event::Answer(words) => {
                let sentence = answer::sentence(words);
                self.has_text |= !sentence.is_empty();
                self.some(sentence, ChatPiece::content)
            }
            Event::Failed(error) => {
                self.has_failed = true;
                data(&OpenAiError::from(error.clone()).body())
            }
            Event::Done(_) if self.has_failed => DONE.to_owned(),
            Event::Done(run) => self.done(run),
            Event::Reading(_) | Event::Clarify(_) | Event::Query(_) | Event::Rows(_) | Event::Token(_) => {
                String::new()
            }
        }
    }

    fn done(&self, run: &Run) -> String {
        let run = api::Run::from(run.clone());
        let address = &self.telling.address;
        let rest =
            if self.has_text { answer::rest(&run, address) } else { answer::whole_text(&run, address) };
        let parted = self.has_text && !rest.is_empty();
        let rest = if parted { format!("\n\n{rest}") } else { rest };
        self.some(rest, ChatPiece::content) + &self.end(usage(&run))
    }

    fn some(&self, text: String, piece: impl Fn(String) -> ChatPiece) -> String {
        if text.is_empty() { text } else { self.piece(piece(text)) }
    }

    fn piece(&self, piece: ChatPiece) -> String {
        let usage = self.telling.with_usage.then_some(None);
        data(&self.telling.stamp.chunk(Some(piece), usage))
    }

    fn end(&self, usage: UsageDto) -> String {
        let mut text = self.piece(ChatPiece::end());
        if self.telling.with_usage {
            text += &data::<Chunk>(&self.telling.stamp.chunk(None, Some(Some(usage))));
        }
        text + DONE
    }
}

/// Token counts of the chat model, if one was used.
pub(super) fn usage(run: &api::Run) -> UsageDto {
    run.trace.as_ref().map(|trace| trace.usage.into()).unwrap_or_default()
}

/// JSON contains no line breaks except escaped ones in texts, so it is one line.
fn data<T: Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_else(|error| {
        tracing::error!(%error, "a chunk cannot be written as JSON");
        "null".to_owned()
    });
    let mut text = String::with_capacity(json.len() + 8);
    // Writing to a String cannot fail.
    let _written = write!(text, "data: {json}\n\n");
    text
}
