//! Asking the person at the client (`elicitation/create`) which of several properties is meant, if the client can.
//!
//! | Client | Way |
//! |---|---|
//! | from 2026-07-28 on | the result says what to ask; the client calls again with what was said |
//! | earlier, standard input and output | a request on the same connection |
//! | earlier, HTTP | the transport's: the request is an event of the response, what was said a request of its own |
//!
//! Whatever comes of it is data: only a label that was offered chooses anything.

use async_trait::async_trait;
use eruca_api::{Clarify, ClarifyOption};
use eruca_sparql::disarmed;
use rmcp::model::{
    ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, EnumSchema, InputRequest, InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext, RoleServer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// The field of the form, and the key of the request.
pub(super) const CHOICE: &str = "choice";

/// The way of a transport to the person at a client.
#[async_trait]
pub trait Person: Send + Sync {
    /// Sends a form, the parameters of `elicitation/create`, and waits for what was said; `None` when nothing comes in time.
    async fn ask(&self, form: Value, time: Duration) -> Option<Value>;
}

/// An extension of a request whose client can ask its person in the way of the transport.
#[derive(Clone)]
pub struct PersonAtClient(pub Arc<dyn Person>);

/// Whether a client can ask its person; `introduced` are the parameters of its `initialize`.
pub fn can_ask_person(introduced: &Value) -> bool {
    let told = introduced.get("capabilities").cloned().unwrap_or_default();
    serde_json::from_value(told).is_ok_and(|told: ClientCapabilities| asks(&told))
}

/// An empty capability is that for forms.
fn asks(client: &ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|known| known.form.is_some() || known.url.is_none())
}

/// The way to the person at a client.
pub(super) enum Way {
    /// The client calls again.
    Again,
    /// That of the transport.
    Transport(Arc<dyn Person>),
    /// A request on the same connection.
    Connection(Peer<RoleServer>),
}

impl Way {
    /// The way for a request; `None` if its client cannot ask.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let is_able = context.client_capabilities().is_some_and(|client| asks(&client));
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            return is_able.then_some(Self::Again);
        }
        let carried = context.extensions.get::<http::request::Parts>();
        match carried.and_then(|parts| parts.extensions.get::<PersonAtClient>()) {
            Some(PersonAtClient(person)) => Some(Self::Transport(person.clone())),
            None => is_able.then(|| Self::Connection(context.peer.clone())),
        }
    }
}

/// A form with one field: the labels of the options. `None` if there is no form for it.
pub(super) fn form(question: &str, clarify: &Clarify) -> Option<ElicitRequestParams> {
    let labels = clarify.options.iter().map(|option| disarmed(&option.label).into_owned()).collect();
    let fields =
        ElicitationSchema::builder().required_enum_schema(CHOICE, EnumSchema::builder(labels).build());
    let message = disarmed(&format!("{question}\n{}", clarify.text)).into_owned();
    let requested_schema = fields.build().ok()?;
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

/// The result that makes a client ask and call again; `state` comes back with that call.
pub(super) fn input_required(form: ElicitRequestParams, state: String) -> InputRequiredResult {
    let request = InputRequest::Elicitation(ElicitRequest::new(form));
    InputRequiredResult::new(Some(BTreeMap::from([(CHOICE.to_owned(), request)])), Some(state))
}

/// Asks over the connection of the client.
pub(super) async fn over(
    connection: &Peer<RoleServer>,
    form: ElicitRequestParams,
    time: Duration,
) -> Option<ElicitResult> {
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let sent = connection.send_request_with_option(request, PeerRequestOptions::with_timeout(time)).await;
    match sent.ok()?.await_response().await {
        Ok(ClientResult::ElicitResult(said)) => Some(said),
        _ => None,
    }
}

/// What was said, if it has the form of an answer.
pub(super) fn said(answer: Value) -> Option<ElicitResult> {
    serde_json::from_value(answer).ok()
}

/// The option that was chosen; `None` when the person declined or left, or said something else.
pub(super) fn chosen<'a>(clarify: &'a Clarify, said: &ElicitResult) -> Option<&'a ClarifyOption> {
    let label = said.content.as_ref()?.get(CHOICE)?.as_str()?;
    let accepted = said.action == ElicitationAction::Accept;
    clarify.options.iter().find(|option| accepted && disarmed(&option.label) == label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn clarify() -> Clarify {
        let option = |label: &str| ClarifyOption {
            iri: format!("urn:{label}"),
            label: label.to_owned(),
            reading: String::new(),
            query: String::new(),
            rows: 1,
        };
        let options = vec![option("made"), option("bou\u{200b}ght")];
        Clarify { text: "Which?".to_owned(), options, chosen: false }
    }

    #[test]
    fn the_form_offers_the_labels_and_takes_nothing_else() {
        let clarify = clarify();
        let form = serde_json::to_value(form("How old?", &clarify).unwrap()).unwrap();
        assert_eq!(form["message"], "How old?\nWhich?");
        let field = &form["requestedSchema"]["properties"][CHOICE];
        let labels = field["enum"].as_array().unwrap();
        assert_eq!((&field["type"], labels.len(), &labels[0]), (&json!("string"), 2, &json!("made")));
        assert!(!labels[1].as_str().unwrap().contains('\u{200b}'), "{labels:?}");
        let taken = |answer: Value| said(answer).and_then(|said| Some(chosen(&clarify, &said)?.iri.clone()));
        let accepted = |content: Value| taken(json!({"action": "accept", "content": content}));
        for (number, label) in labels.iter().enumerate() {
            assert_eq!(accepted(json!({CHOICE: label})), Some(clarify.options[number].iri.clone()));
        }
        for bad in [json!({CHOICE: "urn:made"}), json!({CHOICE: 1}), json!({}), json!([]), Value::Null] {
            assert_eq!(accepted(bad.clone()), None, "{bad}");
        }
        for action in ["decline", "cancel", "shrug"] {
            assert_eq!(taken(json!({"action": action, "content": {CHOICE: "made"}})), None, "{action}");
        }
        assert_eq!(taken(Value::Null), None);
    }

    #[test]
    fn who_can_ask_says_so() {
        let can = |told: Value| can_ask_person(&json!({"capabilities": told}));
        assert!(can(json!({"elicitation": {}})) && can(json!({"elicitation": {"form": {}, "url": {}}})));
        for other in [json!({}), json!({"elicitation": {"url": {}}}), json!({"elicitation": 1}), json!([])] {
            assert!(!can(other.clone()), "{other}");
        }
        assert!(!can_ask_person(&Value::Null));
    }
}
