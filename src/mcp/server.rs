//! The server: dispatches requests, for every version of the protocol.

use super::arguments::CallArguments;
use super::host::{Caller, Host};
use super::output::failed;
use super::text2sparql::{CalledAgain, QuestionCall};
use super::{calls, catalog, prompts, resources};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams, GetPromptResponse,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use std::sync::Arc;
use std::time::Instant;

/// The server for one connection or request. It is stateless.
pub struct Server {
    host: Arc<dyn Host>,
    /// The caller if the transport does not provide one.
    at_home: Option<Caller>,
}

impl Server {
    /// A server reached over a network: each request must carry its caller.
    pub fn for_callers(host: Arc<dyn Host>) -> Self {
        Self { host, at_home: None }
    }

    /// A server for the local user.
    pub fn at_home(host: Arc<dyn Host>) -> Self {
        Self { host, at_home: Some(Caller::default()) }
    }

    /// The caller of a request. `None` if unknown: such requests are rejected, so that they do not bypass the limits.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Option<Caller> {
        let carried = context.extensions.get::<http::request::Parts>();
        let known = carried.and_then(|parts| parts.extensions.get::<Caller>().cloned());
        known.or_else(|| self.at_home.clone().map(|caller| Caller { id: context.id.to_string(), ..caller }))
    }

    /// Calls a tool. The call is cancelled if the client disconnects.
    async fn call(
        &self,
        name: &str,
        given: CallArguments,
        again: CalledAgain,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let Some(caller) = self.caller(context) else {
            return failed("it is not known who calls").into();
        };
        // Calls that do not access a graph are not rate-limited.
        if name == catalog::LIST_DATASETS {
            return calls::list_datasets(self.host.service()).into();
        }
        if let Err(message) = self.host.admit(&caller) {
            return failed(message).into();
        }
        if name == catalog::TEXT2SPARQL {
            return QuestionCall { host: &self.host, caller, context }.answer(&given, again).await;
        }
        tokio::select! {
            result = self.look(name, given) => result.into(),
            () = context.ct.cancelled() => failed("cancelled").into(),
        }
    }

    async fn look(&self, name: &str, given: CallArguments) -> CallToolResult {
        let service = self.host.service();
        match name {
            catalog::DESCRIBE_DATASET => calls::describe_dataset(service, &given).await,
            _ if catalog::runs_query(name) => calls::query(service, name, &given).await,
            _ => calls::explore(service, name, given).await,
        }
    }

    /// The tools that are offered.
    fn tools(&self) -> Vec<Tool> {
        catalog::tools(self.host.takes_queries(), self.host.service().has_texts())
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let this = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
            .with_title("Eruca")
            .with_description(env!("CARGO_PKG_DESCRIPTION"));
        ServerConfig::new(capabilities).with_server_info(this).with_instructions(prompts::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (name, given) = (request.name, CallArguments::new(request.arguments));
        let known: Vec<_> = self.tools().into_iter().map(|tool| tool.name).collect();
        if !known.contains(&name) {
            let message = format!("there is no tool of this name; known tools: {}", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        }
        let started = Instant::now();
        let again = CalledAgain { said: request.input_responses, state: request.request_state };
        let response = self.call(&name, given, again, &context).await;
        let failed = matches!(&response, CallToolResponse::Complete(result) if result.is_error == Some(true));
        let millis = started.elapsed().as_millis() as u64;
        tracing::info!(tool = %name, failed, millis, "a tool was called");
        Ok(response)
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list(self.host.service())))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.host, &request.uri).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&self.host, &request.name, &CallArguments::new(request.arguments)).await.map(Into::into)
    }
}
