//! Roles: a request of somebody who has one is served by a state of its own, whose service has the datasets of the role alone. Handlers
//! take the state from the request and know nothing of roles, so none can forget them. Tests: `tests/rights.rs`.

use super::App;
use super::mcp::McpEndpoint;
use actix_web::body::MessageBody;
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpRequest};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The states of roles, by their ids.
pub(super) struct RoleApps(BTreeMap<String, RoleApp>);

#[derive(Clone)]
struct RoleApp {
    app: Data<App>,
    mcp: Option<Data<McpEndpoint>>,
}

/// Who a proxy says that its client is.
#[derive(Clone)]
struct User(String);

impl RoleApps {
    /// The states for the roles of a service, beside that of everybody.
    pub(super) fn of(app: &Data<App>, with_mcp: bool) -> Self {
        let roles = app.service.roles().iter().map(|(id, service)| {
            let app = Data::new(app.for_role(id, service.clone()));
            let mcp = with_mcp.then(|| Data::new(McpEndpoint::new(app.clone().into_inner())));
            (id.clone(), RoleApp { app, mcp })
        });
        Self(roles.collect())
    }
}

/// Gives a request the state of its role. Without a key, or with a role that does not count, the gate refuses it wherever a key is
/// needed.
pub(super) async fn with_role(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let everybody = request.app_data::<Data<App>>().cloned();
    if let Some(app) = everybody {
        let user = app.gate.user(request.request());
        let role = app.gate.role(request.request()).ok().flatten();
        let span = tracing::Span::current();
        span.record("role", role).record("user", user.as_deref());
        let apps = request.app_data::<Data<RoleApps>>();
        let own = role.and_then(|role| apps?.0.get(role).cloned());
        if let Some(user) = user {
            request.extensions_mut().insert(User(user));
        }
        if let Some(RoleApp { app, mcp }) = own {
            let mut data = Extensions::new();
            data.insert(app);
            mcp.into_iter().for_each(|mcp| _ = data.insert(mcp));
            request.add_data_container(Rc::new(data));
        }
    }
    next.call(request).await
}

/// Who a proxy says that the client of a request is.
pub(super) fn user_of(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<User>().map(|User(name)| name.clone())
}
