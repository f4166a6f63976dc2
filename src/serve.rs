//! Tools over MCP: the only module that names the MCP SDK. It plans nothing; every call goes to the engine.

mod completion;

use crate::emit;
use crate::engine::Engine;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::tool::Tool;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, CompletionInfo,
    ContentBlock, CustomRequest, CustomResult, ErrorCode, Implementation, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, PromptReference, Reference, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use std::sync::Arc;

/// What clients are told of the server itself.
#[derive(Debug, Clone)]
pub struct ServerInfo {
    /// The project's name.
    pub name: String,
    /// The project's version.
    pub version: String,
    /// The project's description.
    pub description: Option<String>,
}

/// The MCP server: an engine and what it publishes.
#[derive(Clone)]
pub struct Server {
    engine: Arc<Engine>,
    published: Arc<[Published]>,
    info: ServerInfo,
}

/// A tool as it is published.
struct Published {
    tool: rmcp::model::Tool,
    /// Whether its allowed values are read again, and what is published with them.
    changes: bool,
}

impl Server {
    /// Publishes the tools, in their order, over the engine that runs them.
    ///
    /// Errors: a tool whose JSON the SDK does not take, which no compiled tool has.
    pub fn new(engine: Engine, tools: &[Tool], info: ServerInfo) -> Result<Server, serde_json::Error> {
        let publish = |tool: &Tool| {
            let changes = tool.parameters.iter().filter_map(|parameter| parameter.allowed_query.as_ref());
            let changes = changes.into_iter().any(|query| query.refresh.is_some());
            Ok(Published { tool: serde_json::from_value(emit::mcp::tool(tool))?, changes })
        };
        let published = tools.iter().map(publish).collect::<Result<_, serde_json::Error>>()?;
        Ok(Server { engine: Arc::new(engine), published, info })
    }

    /// A tool as it is now.
    fn now(&self, published: &Published) -> rmcp::model::Tool {
        let tool = self.engine.tool(&published.tool.name).filter(|_| published.changes);
        let read = tool.and_then(|tool| serde_json::from_value(emit::mcp::tool(&tool)).ok());
        read.unwrap_or_else(|| published.tool.clone())
    }

    /// Serves standard input and output until the client closes them.
    ///
    /// Errors: the connection broke before it was set up.
    pub async fn serve_stdio(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let running = self.serve(rmcp::transport::stdio_pipes()).await?;
        running.waiting().await?;
        Ok(())
    }
}

/// Methods that the SDK knows: with parameters of the wrong shape they reach `on_custom_request`.
const KNOWN_METHODS: [&str; 4] = ["tools/call", "tools/list", "initialize", "server/discover"];

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut implementation = Implementation::new(self.info.name.clone(), self.info.version.clone());
        implementation.description = self.info.description.clone();
        let config = ServerConfig::new(ServerCapabilities::builder().enable_completions().enable_tools().build())
            .with_server_info(implementation);
        match &self.info.description {
            Some(description) => config.with_instructions(description.clone()),
            None => config,
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // One page: several clients read only the first.
        Ok(ListToolsResult::with_all_items(self.published.iter().map(|published| self.now(published)).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.published.iter().find(|published| published.tool.name == name).map(|published| self.now(published))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.engine.tool(&request.name).is_none() {
            return Err(unknown_tool(&request.name));
        }
        let arguments = request.arguments.unwrap_or_default();
        tokio::select! {
            outcome = self.engine.call(&request.name, &arguments) => Ok(match outcome {
                Ok(result) => success(&result),
                Err(error) => failure(&request.name, &error),
            }
            .into()),
            // Nobody waits for the answer any more: dropping the call stops the query.
            () = context.ct.cancelled() => Err(ErrorData::new(ErrorCode::INTERNAL_ERROR, "the call was cancelled", None)),
        }
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            return Err(ErrorData::invalid_params(
                format!("the parameters of {} have the wrong shape", request.method),
                None,
            ));
        }
        let method: String = request.method.chars().take(100).collect();
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }

    // What is not declared is not answered: an empty list would say that it is.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        // The protocol completes arguments of prompts and resources; a tool is referred to as a prompt of its name.
        let Reference::Prompt(PromptReference { name, .. }) = &request.r#ref else {
            return Err(ErrorData::invalid_params(
                "only the arguments of tools are completed: refer to one by `ref/prompt`",
                None,
            ));
        };
        let Some(tool) = self.engine.tool(name) else { return Err(unknown_tool(name)) };
        let Some(parameter) = tool.published().find(|parameter| parameter.name == request.argument.name) else {
            let shown: String = request.argument.name.chars().take(100).collect();
            return Err(ErrorData::invalid_params(format!("unknown argument: {shown}"), None));
        };
        let all = completion::of(parameter, &request.argument.value);
        let total = u32::try_from(all.len()).ok();
        let shown: Vec<String> = all.iter().take(CompletionInfo::MAX_VALUES).cloned().collect();
        let more = all.len() > shown.len();
        let found = CompletionInfo::with_pagination(shown, total, more);
        Ok(CompleteResult::new(found.map_err(|error| ErrorData::internal_error(error, None))?))
    }
}

fn unknown_tool(name: &str) -> ErrorData {
    let shown: String = name.chars().take(100).collect();
    ErrorData::invalid_params(format!("unknown tool: {shown}"), None)
}

fn success(result: &CallResult) -> CallToolResult {
    let mut answer = CallToolResult::success(vec![ContentBlock::text(result.text())]);
    answer.structured_content = Some(result.object());
    answer
}

fn failure(tool: &str, error: &CallError) -> CallToolResult {
    if let Some(detail) = &error.detail {
        tracing::error!(tool, code = error.code, detail, "call failed");
    }
    let mut answer = CallToolResult::error(vec![ContentBlock::text(error.line())]);
    // Text, numbers and lists only: always has a JSON form.
    answer.structured_content = serde_json::to_value(error).ok();
    answer
}
