//! What a client asks for, in both eras of the protocol.

mod prompts;
mod resources;

use super::admitted::Admitted;
use super::audit::{Outcome, Transport};
use super::confirm::{Confirmed, Reply};
use super::discovery::Discovered;
use super::front::{Answered, Arrived};
use super::logging::SetLevel;
use super::made_up::shortened;
use super::progress::with_progress;
use super::traced::{Traced, end, principal};
use super::visible::Found;
use super::{Server, completion, passed_on};
use crate::emit::mcp;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::engine::{Consent, Progress, Questions};
use http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CompleteRequestParams, CompleteResult,
    CompletionInfo, ContentBlock, CustomRequest, CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse,
    GetTaskParams, GetTaskResult, Implementation, ListPromptsResult, ListResourceTemplatesRequestMethod,
    ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, PromptReference, PromptsCapability, ProtocolVersion, ReadResourceRequestMethod,
    ReadResourceRequestParams, ReadResourceResponse, Reference, ResourcesCapability, ServerCapabilities, ServerConfig,
    SubscriptionFilter, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

/// Methods that the SDK knows: with parameters of the wrong shape they reach `on_custom_request`.
const KNOWN_METHODS: [&str; 14] = [
    "logging/setLevel",
    "tools/call",
    "tools/list",
    "initialize",
    "server/discover",
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "tasks/cancel",
    "tasks/get",
    "tasks/update",
];

/// Whether a request is of the newest revision.
fn is_newest(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Where the error of a call stands as an object.
const ERROR_KEY: &str = "qtool/error";
/// The key of `_meta` that tells which contract a server fulfils.
const CONTRACT_KEY: &str = "qtool/contract";

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let info = &self.shared().info;
        let mut implementation = Implementation::new(info.name.clone(), info.version.clone());
        implementation.description = info.description.clone();
        let icons = info.icons.iter().map(|icon| serde_json::from_value(mcp::icon(icon)).ok());
        implementation.icons = icons.collect::<Option<Vec<_>>>().filter(|icons| !icons.is_empty());
        let mut capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_tasks()
            .build();
        capabilities.logging = Some(Default::default());
        // Declared without any as well: they come with a reload, and many clients ask for them in any case.
        let mut prompts = PromptsCapability::default();
        prompts.list_changed = Some(true);
        capabilities.prompts = Some(prompts);
        let served = self.shared().served();
        // What is not there is not declared.
        capabilities.resources = served.has_resources().then(|| {
            let mut resources = ResourcesCapability::default();
            resources.list_changed = Some(true);
            resources
        });
        let mut config = ServerConfig::new(capabilities).with_server_info(implementation);
        config.meta.get_or_insert_default().insert(CONTRACT_KEY.to_owned(), Value::from(info.contract.clone()));
        match &info.description {
            Some(description) => config.with_instructions(description.clone()),
            None => config,
        }
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        is_first_page(request)?;
        let served = self.shared().served();
        let principal = principal(&context);
        let span = self.span("tools/list", None, &Traced::of(&context));
        served.engine.look_at_upstreams();
        let visible: Vec<_> = self.visible(&served, principal).collect();
        let tools = self.instead_of_all(&served, visible.len());
        let tools = tools.unwrap_or_else(|| visible.into_iter().map(|published| served.now(published)).collect());
        end(span, Outcome::Ok);
        // One page: several clients read only the first.
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        let served = self.shared().served();
        served.tools.iter().find(|published| published.tool.name == name).map(|published| served.now(published))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !is_claimed(&context) {
            return Err(ErrorData::internal_error("the call was cancelled", None));
        }
        let task = self.may_become_task(&request, &context);
        let answered = async {
            match task {
                Some(timeout) => self.answered_or_task(request, &context, (timeout, principal(&context))).await,
                None => self.answer(request, &context, &Progress::default()).await,
            }
        };
        tokio::select! {
            // First, so that what has arrived is begun, and recorded.
            biased;
            answered = answered => answered,
            // Nobody waits for the answer any more: dropping the call stops the query.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.tasks.task(&request.task_id, principal(&context)).map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.update(&request.task_id, principal(&context))
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel(&request.task_id, principal(&context))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // The newest revision has neither of them.
        let is_gone = matches!(request.method.as_str(), "initialize" | "logging/setLevel") && is_newest(&context);
        if KNOWN_METHODS.contains(&request.method.as_str()) && !is_gone {
            // It is recorded where it came in.
            return Err(ErrorData::invalid_params(
                format!("the parameters of {} have the wrong shape", request.method),
                None,
            ));
        }
        let method: String = request.method.chars().take(100).collect();
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None))
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        is_first_page(request)?;
        Ok(self.prompt_list(&context))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.filled_prompt(request, &context).await.map(Into::into)
    }

    // What is not declared is not answered: an empty list would say that it is.
    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.has_resources::<ListResourcesRequestMethod>()?;
        is_first_page(request)?;
        Ok(self.resource_list(&context))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.has_resources::<ListResourceTemplatesRequestMethod>()?;
        is_first_page(request)?;
        Ok(self.template_list(&context))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.has_resources::<ReadResourceRequestMethod>()?;
        if !is_claimed(&context) {
            return Err(ErrorData::internal_error("the call was cancelled", None));
        }
        self.resource_contents(request, &context).await.map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        // The protocol completes arguments of prompts and resources; a tool is referred to as a prompt of its name.
        let Reference::Prompt(PromptReference { name, .. }) = &request.r#ref else {
            return Err(ErrorData::invalid_params(
                "only the arguments of tools are completed: refer to one by `ref/prompt`",
                None,
            ));
        };
        let served = self.shared().served();
        let principal = principal(&context);
        if self.has_prompt_with(&served, (name, &request.argument.name), principal) {
            // They have no list of values.
            let none = CompletionInfo::with_all_values(Vec::new());
            return Ok(CompleteResult::new(none.map_err(|error| ErrorData::internal_error(error, None))?));
        }
        let is_visible = self.published(&served, name, principal).is_some();
        let Some(tool) = served.engine.tool(name).filter(|_| is_visible) else {
            return Err(ErrorData::invalid_params(format!("no prompt or tool is called {}", shortened(name)), None));
        };
        let Some(parameter) = tool.contract.published().find(|parameter| parameter.name == request.argument.name)
        else {
            let shown: String = request.argument.name.chars().take(100).collect();
            return Err(ErrorData::invalid_params(format!("unknown argument: {shown}"), None));
        };
        let all = completion::completions_of(parameter, &request.argument.value);
        let total = u32::try_from(all.len()).ok();
        let shown: Vec<String> = all.iter().take(CompletionInfo::MAX_VALUES).cloned().collect();
        let more = all.len() > shown.len();
        let found = CompletionInfo::with_pagination(shown, total, more);
        Ok(CompleteResult::new(found.map_err(|error| ErrorData::internal_error(error, None))?))
    }

    async fn set_level(&self, request: SetLevel, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        // The newest revision says the level with every request.
        if is_newest(&context) {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "logging/setLevel", None));
        }
        // Over HTTP each request stands alone, and nothing is kept.
        if self.transport == Transport::Stdio {
            self.shared().told.tell_from(&request);
        }
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // Clients of the older revisions are told of changes as long as they are connected.
        let mut changes = self.shared().generation.subscribe();
        let peer = context.peer;
        if self.transport != Transport::Stdio {
            return;
        }
        tokio::spawn(async move {
            let mut told = *changes.borrow_and_update();
            while changes.changed().await.is_ok() {
                let now = *changes.borrow_and_update();
                let [tools, prompts, resources] = now.since(told);
                told = now;
                let gone = (tools && peer.notify_tool_list_changed().await.is_err())
                    || (prompts && peer.notify_prompt_list_changed().await.is_err())
                    || (resources && peer.notify_resource_list_changed().await.is_err());
                if gone {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.shared().generation.subscribe();
        let mut told = *changes.borrow_and_update();
        loop {
            tokio::select! {
                changed = changes.changed() => {
                    let now = *changes.borrow_and_update();
                    let [tools, prompts, resources] = now.since(told);
                    told = now;
                    // What the client did not ask for, the SDK does not send.
                    let gone = changed.is_err()
                        || (tools && context.sink().notify_tool_list_changed().await.is_err())
                        || (prompts && context.sink().notify_prompt_list_changed().await.is_err())
                        || (resources && context.sink().notify_resource_list_changed().await.is_err());
                    if gone {
                        return Ok(());
                    }
                }
                () = context.cancelled() => return Ok(()),
            }
        }
    }
}

impl Server {
    /// How long a call may take that may become a task; `None` of one that may not: its client does not know them, or the call may
    /// ask for something.
    fn may_become_task(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<Duration> {
        context.client_capabilities().filter(|capabilities| capabilities.supports_tasks())?;
        let (served, principal) = (self.shared().served(), principal(context));
        let none = Arguments::new();
        let arguments = request.arguments.as_ref().unwrap_or(&none);
        let (meant, own) = self.meant(&request.name, arguments, principal);
        let tool = served.engine.tool(meant).filter(|_| !self.may_ask(&served, (meant, &own), principal))?;
        Some(tool.contract.timeout.0)
    }

    /// Answers a call of a tool.
    pub(super) async fn answer(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        progress: &Progress,
    ) -> Result<CallToolResponse, ErrorData> {
        let served = self.shared().served();
        let arguments = request.arguments.unwrap_or_default();
        let (name, principal, traced) = (request.name.as_ref(), principal(context), Traced::of(context));
        let (meant, own) = self.meant(name, &arguments, principal);
        if self.may_ask(&served, (meant, &own), principal) {
            let (consent, progress, questions) = (Consent::None, progress.clone(), Questions::default());
            let arrived = Arrived { name: meant, arguments: &own, principal, traced, consent, progress, questions };
            let reply = Reply { responses: request.input_responses, state: request.request_state };
            let is_named = matches!(own, Cow::Borrowed(_));
            return Ok(match self.asking(&served, arrived, reply, context).await {
                Ok(Confirmed::Asks(question)) => question.into(),
                Ok(Confirmed::Answered(answered)) => {
                    let is_structured = answered.is_structured && is_named;
                    self.told_of(meant, Ok(Answered { is_structured, ..answered }), context).await.into()
                }
                Err(error) => self.told_of(meant, Err(error), context).await.into(),
            });
        }
        let (consent, shared, questions) = (Consent::None, progress.clone(), Questions::default());
        let arrived = Arrived { name, arguments: &arguments, principal, traced, consent, progress: shared, questions };
        if matches!(self.find(&served, name, principal), Found::Nothing)
            && let Some(discovered) = with_progress(self.discover(&served, &arrived), context, progress).await
        {
            return Ok(match discovered {
                Discovered::Found(Ok(found)) => CallToolResult::success(vec![ContentBlock::text(found)]).into(),
                Discovered::Found(Err(error)) => failure(&error).into(),
                Discovered::Called(tool, outcome) => self.told_of(tool, outcome, context).await.into(),
            });
        }
        match with_progress(self.call(&served, arrived), context, progress).await {
            Err(error) if error.code == CallCode::UnknownTool => Err(unknown_tool(name)),
            outcome => Ok(self.told_of(name, outcome, context).await.into()),
        }
    }

    /// The answer to a call, of which the log tells as well.
    async fn told_of(
        &self,
        tool: &str,
        outcome: Result<Answered, CallError>,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResult {
        match outcome {
            Ok(Answered { result, text, is_structured }) => {
                self.shared().told.notes(tool, &result, context).await;
                success(&result, text, is_structured)
            }
            // The log has no names that clients make up.
            Err(error) if error.code == CallCode::UnknownTool => failure(&error),
            Err(error) => {
                self.shared().told.failure(tool, &error, context).await;
                failure(&error)
            }
        }
    }
}

/// Refuses every cursor of a list: there is one page, so none was given out.
///
/// Errors: there is a cursor.
fn is_first_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => {
            Err(ErrorData::invalid_params("this cursor is none of this server's: its lists have one page", None))
        }
    }
}

/// Whether what a client asked for is recorded from here on, and not yet elsewhere.
fn is_claimed(context: &RequestContext<RoleServer>) -> bool {
    let over_http = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Admitted>());
    over_http.or_else(|| context.extensions.get::<Admitted>()).is_none_or(Admitted::claim)
}

fn unknown_tool(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("unknown tool: {}", shortened(name)), None)
}

pub(super) fn success(result: &CallResult, text: String, is_structured: bool) -> CallToolResult {
    if let Some(passed) = &result.passed {
        return passed_on::result(passed);
    }
    let mut answer = CallToolResult::success(vec![ContentBlock::text(text)]);
    answer.structured_content = is_structured.then(|| result.object());
    answer
}

pub(super) fn failure(error: &CallError) -> CallToolResult {
    let mut answer = CallToolResult::error(vec![ContentBlock::text(error.line())]);
    // Not as structured content: several clients hold that against the tool's output schema, also of an error.
    let mut meta = MetaObject::new();
    // Text, numbers and lists only: always has a JSON form.
    meta.insert(ERROR_KEY.to_owned(), serde_json::to_value(error).unwrap_or_default());
    answer.meta = Some(meta);
    answer
}
