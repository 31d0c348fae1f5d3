//! Events over HTTP: [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html), each
//! with its number, its kind, and JSON on one line.

use super::dto::TokenDto;
use super::error::ApiError;
use super::runs;
use crate::service::{Event, EventReader, RunId};
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use eruca_api as api;
use futures_util::Stream;
use serde::Serialize;
use std::convert::Infallible;
use std::time::Duration;

/// The media type that clients request.
const CONTENT_TYPE: &str = "text/event-stream";
/// Sent when nothing else happens, so that proxies do not close the connection.
pub(super) const KEEP_ALIVE: &str = ": keep-alive\n\n";
pub(super) const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(10);

/// Whether a client asks for events.
pub(super) fn wanted(request: &HttpRequest) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains(CONTENT_TYPE))
}

/// The number of the last event that a client has seen: from the header that a browser sends when reconnecting, or from
/// the parameter `after`.
///
/// # Errors
/// When it is not a number.
pub(super) fn last_seen(request: &HttpRequest) -> Result<u64, ApiError> {
    let header =
        request.headers().get("last-event-id").map(|value| value.to_str().unwrap_or_default().to_owned());
    let after = || {
        let mut pairs = url::form_urlencoded::parse(request.query_string().as_bytes());
        pairs.find(|(name, _)| name == "after").map(|(_, value)| value.into_owned())
    };
    let told = header.or_else(after).unwrap_or_default();
    match told.trim() {
        "" => Ok(0),
        number => {
            number.parse().map_err(|_| ApiError::wrong_parameter("after", "must be the number of an event"))
        }
    }
}

/// All events after the last one that the reader has seen.
pub(super) fn response(id: RunId, reader: EventReader) -> HttpResponse {
    streamed(id, stream(reader))
}

/// The last event of a run whose other events are not kept.
pub(super) fn only_the_end(id: RunId, number: u64, run: &api::Run) -> HttpResponse {
    let end = encoded(number, "done", run);
    streamed(id, futures_util::stream::iter([Ok::<_, Infallible>(Bytes::from(end))]))
}

/// The events of a run as a response that proxies do not buffer.
pub(super) fn streamed(
    id: RunId,
    events: impl Stream<Item = Result<Bytes, Infallible>> + 'static,
) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(CONTENT_TYPE)
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-cache")))
        .insert_header(("x-accel-buffering", "no"))
        .insert_header((runs::HEADER, id.to_string()))
        .streaming(events)
}

fn stream(reader: EventReader) -> impl Stream<Item = Result<Bytes, Infallible>> {
    futures_util::stream::unfold(reader, async |mut reader| {
        let piece = match tokio::time::timeout(KEEP_ALIVE_EVERY, reader.next()).await {
            Ok(Some((number, event))) => written(number, &event),
            Ok(None) => return None,
            Err(_) => KEEP_ALIVE.to_owned(),
        };
        Some((Ok(Bytes::from(piece)), reader))
    })
}

fn written(number: u64, event: &Event) -> String {
    match event {
        Event::Step(step) => encoded(number, "step", step),
        Event::Reading(reading) => encoded(number, "reading", reading),
        Event::Clarify(clarify) => encoded(number, "clarify", clarify),
        Event::Query(query) => encoded(number, "query", query),
        Event::Rows(rows) => encoded(number, "rows", &rows.rows()),
        Event::Token(text) => encoded(number, "token", &TokenDto { text: text.clone() }),
        Event::Answer(words) => encoded(number, "answer", words),
        Event::Failed(error) => encoded(number, "error", &error.body()),
        Event::Done(run) => encoded(number, "done", &api::Run::from((**run).clone())),
    }
}

/// JSON contains no line breaks except escaped ones in texts: an event's data is one line.
fn encoded(number: u64, kind: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).unwrap_or_else(|error| {
        tracing::error!(%error, kind, "an event cannot be written as JSON");
        "null".to_owned()
    });
    format!("id: {number}\nevent: {kind}\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Step, StepKind};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_event_is_three_lines_whatever_it_tells(note in "[\\x00-\\u{2029}]{0,40}") {
            let step = Step { at: Duration::ZERO, elapsed: Duration::ZERO, kind: StepKind::Controller { note: note.clone() } };
            let text = written(7, &Event::Step(step));
            let lines: Vec<&str> = text.split(['\n', '\r']).collect();
            prop_assert_eq!(lines.len(), 5, "{}", text);
            prop_assert_eq!(&lines[..2], ["id: 7", "event: step"]);
            let data: serde_json::Value = serde_json::from_str(lines[2].strip_prefix("data: ").unwrap()).unwrap();
            prop_assert_eq!(data["note"].as_str(), Some(note.as_str()));
        }
    }
}
