//! `POST /mcp`: the Model Context Protocol. Once the caller is known, requests and responses are passed through,
//! converted between the two versions of the crate `http`.

use crate::config::KeyScope;
use crate::http::App;
use crate::http::body;
use crate::http::error::{ApiError, BodyErrors, HostErrors, KeyErrors};
use crate::http::mcp::{CallGuard, McpEndpoint, SESSION};
use crate::http::post::MAX_BYTES;
use crate::http::request_id::id_of;
use crate::http::roles::user_of;
use crate::mcp::Caller;
use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data, Payload};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use futures_util::StreamExt;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyDataStream, BodyExt, Full};
use serde::Deserialize;
use serde_json::Value;
use std::convert::Infallible;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Maximum length of a session id in characters; ours are shorter.
const MAX_SESSION: usize = 64;

/// A message of the Model Context Protocol, of the versions of 2025 or of 2026-07-28: chat programs and editors list and call
/// tools, read resources and get prompts. Requests stand for themselves; word of progress comes as events. Closing the
/// connection or `notifications/cancelled` ends a call.
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
        (status = 202, description = "A notification was taken."),
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
    if let (Some(session), Some(id)) = (session, message.ends()) {
        face.calls.end(session, &id);
    }
    let call = session.zip(message.id()).map(|(session, id)| face.calls.begin(session, &id));
    let (guard, ended) = call.unzip();
    let mut ended = Box::pin(heard(ended));
    let response = tokio::select! {
        response = face.http.handle(outgoing(&request, caller, body)?) => response,
        // No client waits for this response.
        () = &mut ended => return Ok(HttpResponse::NoContent().finish()),
    };
    let mut response = incoming(response, guard, ended).await;
    if message.method == "initialize" {
        let header = actix_web::http::header::HeaderName::from_static(SESSION);
        if let Ok(name) = Uuid::new_v4().simple().to_string().try_into() {
            response.headers_mut().insert(header, name);
        }
    }
    Ok(response)
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
}

impl CallMessage {
    fn read(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The id of the call that the message starts.
    fn id(&self) -> Option<String> {
        (!self.id.is_null()).then(|| self.id.to_string())
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
    body: Vec<u8>,
) -> Result<http::Request<Full<Bytes>>, ApiError> {
    let mut builder = http::Request::builder().method(http::Method::POST).uri(request.uri().to_string());
    for (name, value) in request.headers() {
        builder = builder.header(name.as_str(), value.as_bytes());
    }
    builder.extension(caller).body(Full::new(body.into())).map_err(|_| ApiError::BadHost("cannot be read"))
}

/// Converts a response, streaming its body. Closing the connection cancels the call.
async fn incoming(
    response: http::Response<BoxBody<Bytes, Infallible>>,
    guard: Option<CallGuard>,
    ended: impl Future<Output = ()> + 'static,
) -> HttpResponse {
    let (parts, body) = response.into_parts();
    let status = StatusCode::from_u16(parts.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut builder = HttpResponse::build(status);
    for (name, value) in &parts.headers {
        builder.append_header((name.as_str(), value.as_bytes()));
    }
    let events =
        parts.headers.get(http::header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !events {
        let Ok(whole) = body.collect().await;
        return builder.body(whole.to_bytes());
    }
    let guarded = BodyDataStream::new(body).map(move |part| {
        let _until_the_end = &guard;
        part
    });
    builder.streaming(guarded.take_until(ended))
}
