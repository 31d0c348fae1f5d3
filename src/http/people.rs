//! People at clients of the Model Context Protocol who are asked during a call, for clients that introduced themselves once
//! (versions before 2026-07-28). Requests are independent of each other here, so the name of a session says whether its client can
//! ask, the question is an event of the response to the call, and what was said comes with a request of its own.
//!
//! Nobody waits longer than the call allows, nor when the service stops.

use super::events::{KEEP_ALIVE, KEEP_ALIVE_EVERY};
use super::stop::stop_signal;
use crate::mcp::{Person, PersonAtClient};
use actix_web::web::Bytes;
use async_trait::async_trait;
use futures_util::StreamExt;
use http_body_util::BodyDataStream;
use http_body_util::combinators::BoxBody;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// The end of the names of sessions whose clients can ask.
const CAN_ASK: &str = "-asks";
/// Maximum number of people who are asked at once; calls are limited, too.
const MAX_ASKED: usize = 10_000;

/// A response of the protocol.
pub(super) type McpResponse = http::Response<BoxBody<Bytes, Infallible>>;
/// The session and the id of a question.
type Name = (String, String);

/// A new name for a session.
pub(super) fn new_session(can_ask: bool) -> String {
    format!("{}{}", Uuid::new_v4().simple(), if can_ask { CAN_ASK } else { "" })
}

/// The people who are asked now.
#[derive(Default)]
pub(super) struct People {
    asked: Mutex<HashMap<Name, oneshot::Sender<Value>>>,
}

/// Questions of a call that are to be sent to its client.
pub(super) type Questions = mpsc::Receiver<Bytes>;

impl People {
    /// The person at the client of a session, and what that person is asked; `None` if the client cannot ask.
    pub(super) fn at(self: &Arc<Self>, session: &str) -> Option<(PersonAtClient, Questions)> {
        if !session.ends_with(CAN_ASK) {
            return None;
        }
        let (to, questions) = mpsc::channel(1);
        let person = OfSession { people: self.clone(), session: session.to_owned(), to };
        Some((PersonAtClient(Arc::new(person)), questions))
    }

    /// Passes on what was said; whether somebody waits for it.
    pub(super) fn said(&self, session: &str, id: &str, answer: Value) -> bool {
        let waiting = self.asked().remove(&(session.to_owned(), id.to_owned()));
        waiting.is_some_and(|waiting| waiting.send(answer).is_ok())
    }

    /// Waits under a name that nobody can guess; `None` if too many are asked.
    fn wait(self: &Arc<Self>, session: &str) -> Option<(Waiting, oneshot::Receiver<Value>)> {
        let (to, answer) = oneshot::channel();
        let name = (session.to_owned(), Uuid::new_v4().to_string());
        let mut asked = self.asked();
        if asked.len() >= MAX_ASKED {
            return None;
        }
        asked.insert(name.clone(), to);
        Some((Waiting { people: self.clone(), name }, answer))
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<Name, oneshot::Sender<Value>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that waits for its answer; forgotten on drop.
struct Waiting {
    people: Arc<People>,
    name: Name,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.people.asked().remove(&self.name);
    }
}

struct OfSession {
    people: Arc<People>,
    session: String,
    to: mpsc::Sender<Bytes>,
}

#[async_trait]
impl Person for OfSession {
    async fn ask(&self, form: Value, time: Duration) -> Option<Value> {
        let (waiting, answer) = self.people.wait(&self.session)?;
        let (_, id) = &waiting.name;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": form});
        self.to.send(event(request.to_string().as_bytes())).await.ok()?;
        tokio::select! {
            answer = answer => return answer.ok(),
            () = tokio::time::sleep(time) => {}
            () = stop_signal() => {}
        }
        // So that the client takes its form away.
        let over =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        let _unread = self.to.try_send(event(over.to_string().as_bytes()));
        None
    }
}

/// A message as an event; JSON is one line.
fn event(message: &[u8]) -> Bytes {
    [b"data: ", message, b"\n\n"].concat().into()
}

/// What a call that asks its person sends to its client.
pub(super) struct CallEvents {
    source: Source,
    questions: Option<Questions>,
}

enum Source {
    /// There is no response yet.
    Handling(Pin<Box<dyn Future<Output = McpResponse>>>),
    /// The body of the response.
    Body { body: BodyDataStream<BoxBody<Bytes, Infallible>>, is_events: bool },
}

impl CallEvents {
    /// Of a call that has no response yet.
    pub(super) fn begun(
        handling: Pin<Box<dyn Future<Output = McpResponse>>>,
        questions: Option<Questions>,
    ) -> Self {
        Self { source: Source::Handling(handling), questions }
    }

    /// Of a call whose response comes as events.
    pub(super) fn of(body: BoxBody<Bytes, Infallible>, questions: Option<Questions>) -> Self {
        Self { source: Source::Body { body: BodyDataStream::new(body), is_events: true }, questions }
    }

    /// The next events; `None` after the response. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        let is_silent = matches!(self.source, Source::Handling(_));
        tokio::select! {
            biased;
            question = next_question(&mut self.questions) => Some(question),
            part = self.source.next() => part,
            () = tokio::time::sleep(KEEP_ALIVE_EVERY), if is_silent => Some(KEEP_ALIVE.into()),
        }
    }
}

impl Source {
    async fn next(&mut self) -> Option<Bytes> {
        if let Self::Handling(handling) = self {
            let response = handling.await;
            let is_events = is_events(&response);
            *self = Self::Body { body: BodyDataStream::new(response.into_body()), is_events };
        }
        let Self::Body { body, is_events } = self else { return None };
        let Ok(part) = body.next().await?;
        // A response that is no stream comes in one piece.
        Some(if *is_events { part } else { event(&part) })
    }
}

/// Whether a response comes as events.
pub(super) fn is_events(response: &McpResponse) -> bool {
    response.headers().get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream")
}

/// The next question; never, if none can come.
pub(super) async fn next_question(questions: &mut Option<Questions>) -> Bytes {
    if let Some(asked) = questions
        && let Some(question) = asked.recv().await
    {
        return question;
    }
    *questions = None;
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_said_reaches_the_call_that_asked_and_no_other() {
        let people = Arc::new(People::default());
        assert!(people.at(&new_session(false)).is_none());
        let session = new_session(true);
        let (PersonAtClient(person), mut questions) = people.at(&session).unwrap();
        let asking = tokio::spawn(async move { person.ask(json!({"a": 1}), Duration::from_secs(60)).await });
        let sent = String::from_utf8(questions.recv().await.unwrap().to_vec()).unwrap();
        let sent: Value = serde_json::from_str(sent.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!((&sent["method"], &sent["params"]["a"]), (&json!("elicitation/create"), &json!(1)));
        let id = sent["id"].as_str().unwrap();
        assert!(!people.said(&new_session(true), id, json!(1)) && !people.said(&session, "0", json!(1)));
        assert!(people.said(&session, id, json!("x")));
        assert_eq!(asking.await.unwrap(), Some(json!("x")));
        assert!(!people.said(&session, id, json!("x")), "once");
    }

    #[tokio::test]
    async fn who_says_nothing_is_forgotten() {
        let people = Arc::new(People::default());
        let (PersonAtClient(person), _questions) = people.at(&new_session(true)).unwrap();
        assert_eq!(person.ask(Value::Null, Duration::from_millis(1)).await, None);
        assert!(people.asked().is_empty());
        drop(_questions);
        assert_eq!(person.ask(Value::Null, Duration::from_secs(60)).await, None, "nobody reads");
        assert!(people.asked().is_empty());
    }
}
