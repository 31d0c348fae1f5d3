//! `POST /mcp`: the Model Context Protocol. Once the caller is known, requests and responses are passed through,
//! converted between the two versions of the crate `http`.

use crate::config::KeyScope;
use crate::http::App;
use crate::http::body;
use crate::http::error::{ApiError, BodyErrors, HostErrors, KeyErrors};
use crate::http::mcp::{CallGuard, McpEndpoint, SESSION};
use crate::http::people::{self, CallEvents, McpResponse, Questions};
use crate::http::post::MAX_BYTES;
use crate::http::request_id::id_of;
use crate::http::roles::user_of;
use crate::mcp::{Caller, PersonAtClient, can_ask_person};
use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use futures_util::{Stream, StreamExt};
use http_body_util::{BodyExt, Full};
use serde::Deserialize;
use serde_json::Value;
use std::convert::Infallible;
use std::pin::Pin;
use tokio::sync::oneshot;

/// Maximum length of a session id in characters; ours are shorter.
const MAX_SESSION: usize = 64;

/// A message of the Model Context Protocol, of the versions of 2025 or of 2026-07-28: chat programs and editors list and call
/// tools, read resources and get prompts. Requests stand for themselves; word of progress comes as events, and so does a question to
/// the person at the client (`elicitation/create`), whose answer is a message of its own. Closing the connection or
/// `notifications/cancelled` ends a call.
#[utoipa::path(
    post,
    path = "/mcp",
    tag = "questions",
    request_body(content = Object, description = "A JSON-RPC message.", content_type = "application/json"),
    responses(
        (
            status = 200,
            description = "The JSON-RPC response, or events of which it is the last.",
            content((Object = "application/json"), (String = "text/event-stream"))
        ),
        (status = 202, description = "A notification or what a person said was taken."),
        HostErrors,
        KeyErrors,
        BodyErrors,
    )
)]
pub(in crate::http) async fn mcp(
    request: HttpRequest,
    payload: Payload,
    app: Data<App>,
    face: Data<McpEndpoint>,
) -> Result<HttpResponse, ApiError> {
    let key = app.gate.check_key(&request, KeyScope::Questions)?.map(str::to_owned);
    if request.content_type() != "application/json" {
        return Err(ApiError::NotJson);
    }
    let (user, address) = (user_of(&request), Some(app.gate.client(&request)));
    let caller = Caller { id: id_of(&request), key, user, address };
    let body = body::whole(&request, &mut payload.into_inner(), MAX_BYTES).await?;
    let message = CallMessage::read(&body);
    let session = session(&request);
    if let (Some(session), Some((id, answer))) = (session, message.said())
        && face.people.said(session, id, answer)
    {
        return Ok(HttpResponse::Accepted().finish());
    }
    if let (Some(session), Some(id)) = (session, message.ends()) {
        face.calls.end(session, &id);
    }
    let call = session.zip(message.id()).map(|(session, id)| face.calls.begin(session, &id));
    let (guard, ended) = call.unzip();
    let (person, questions) = session.and_then(|session| face.people.at(session)).unzip();
    let (http, outgoing) = (face.http.clone(), outgoing(&request, caller, person, body)?);
    let handling = Box::pin(async move { http.handle(outgoing).await });
    let mut response = responded(handling, guard, Box::pin(heard(ended)), questions).await;
    if message.method == "initialize" {
        let header = actix_web::http::header::HeaderName::from_static(SESSION);
        if let Ok(name) = people::new_session(can_ask_person(&message.params)).try_into() {
            response.headers_mut().insert(header, name);
        }
    }
    Ok(response)
}

/// The response to a message. As soon as its person is asked, it comes as events.
async fn responded(
    mut handling: Pin<Box<dyn Future<Output = McpResponse>>>,
    guard: Option<CallGuard>,
    mut ended: Pin<Box<dyn Future<Output = ()>>>,
    mut questions: Option<Questions>,
) -> HttpResponse {
    tokio::select! {
        response = &mut handling => incoming(response, guard, ended, questions).await,
        question = people::next_question(&mut questions) => {
            let mut builder = HttpResponse::Ok();
            builder.content_type("text/event-stream").insert_header((CACHE_CONTROL, "no-cache"));
            builder.insert_header(("x-accel-buffering", "no"));
            let first = futures_util::stream::iter([Ok::<_, Infallible>(question)]);
            let rest = streamed(CallEvents::begun(handling, questions), guard, ended);
            builder.streaming(first.chain(rest))
        }
        // No client waits for this response.
        () = &mut ended => HttpResponse::NoContent().finish(),
    }
}

/// The part of a message that identifies the call it starts or cancels.
#[derive(Default, Deserialize)]
struct CallMessage {
    #[serde(default)]
    method: String,
    #[serde(default)]
    id: Value,
    #[serde(default)]
    params: Value,
    /// Of a message that answers one of ours.
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

impl CallMessage {
    fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The id of the call that the message starts.
    fn id(&self) -> Option<String> {
        (!self.id.is_null()).then(|| self.id.to_string())
    }

    /// The id of the question that the message answers, with what was said; nothing usable in place of an error.
    fn said(&self) -> Option<(&str, Value)> {
        let answers = self.method.is_empty() && (self.result.is_some() || self.error.is_some());
        let id = self.id.as_str().filter(|_| answers)?;
        Some((id, self.result.clone().unwrap_or_default()))
    }

    /// The id of the call that the message cancels.
    fn ends(&self) -> Option<String> {
        let ended = self.params.get("requestId").filter(|_| self.method == "notifications/cancelled");
        ended.map(ToString::to_string)
    }
}

fn session(request: &HttpRequest) -> Option<&str> {
    let name = request.headers().get(SESSION)?.to_str().ok()?;
    (1..=MAX_SESSION).contains(&name.len()).then_some(name)
}

/// Resolves when a call is cancelled; never for a message that cannot be cancelled.
async fn heard(ended: Option<oneshot::Receiver<()>>) {
    let heard = match ended {
        Some(ended) => ended.await.is_ok(),
        None => false,
    };
    if !heard {
        std::future::pending::<()>().await;
    }
}

fn outgoing(
    request: &HttpRequest,
    caller: Caller,
    person: Option<PersonAtClient>,
    body: Vec<u8>,
) -> Result<http::Request<Full<Bytes>>, ApiError> {
    let mut builder = http::Request::builder().method(http::Method::POST).uri(request.uri().to_string());
    for (name, value) in request.headers() {
        builder = builder.header(name.as_str(), value.as_bytes());
    }
    if let Some(person) = person {
        builder = builder.extension(person);
    }
    builder.extension(caller).body(Full::new(body.into())).map_err(|_| ApiError::BadHost("cannot be read"))
}

/// Converts a response, streaming its body. Closing the connection cancels the call.
async fn incoming(
    response: McpResponse,
    guard: Option<CallGuard>,
    ended: Pin<Box<dyn Future<Output = ()>>>,
    questions: Option<Questions>,
) -> HttpResponse {
    let is_events = people::is_events(&response);
    let (parts, body) = response.into_parts();
    let status = StatusCode::from_u16(parts.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut builder = HttpResponse::build(status);
    for (name, value) in &parts.headers {
        builder.append_header((name.as_str(), value.as_bytes()));
    }
    if is_events {
        return builder.streaming(streamed(CallEvents::of(body, questions), guard, ended));
    }
    let Ok(whole) = body.collect().await;
    builder.body(whole.to_bytes())
}

/// The events of a call until its end.
fn streamed(
    events: CallEvents,
    guard: Option<CallGuard>,
    ended: Pin<Box<dyn Future<Output = ()>>>,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let guarded = futures_util::stream::unfold((events, guard), async |(mut events, guard)| {
        let part = events.next().await?;
        Some((Ok(part), (events, guard)))
    });
    guarded.take_until(ended)
}
