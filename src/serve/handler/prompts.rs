//! Prompts: those of the project, and those of other servers.

use crate::engine::code::CallCode;
use crate::prompts::Prompt;
use crate::serve::audit::Outcome;
use crate::serve::made_up::shortened;
use crate::serve::state::Served;
use crate::serve::traced::{Traced, end, ended, principal};
use crate::serve::{Principal, Server, prompts};
use rmcp::model::{GetPromptRequestParams, GetPromptResult, ListPromptsResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use std::collections::HashSet;

impl Server {
    /// The prompts that a caller may see, on one page.
    pub(super) fn prompt_list(&self, context: &RequestContext<RoleServer>) -> ListPromptsResult {
        let served = self.shared().served();
        let principal = principal(context);
        served.engine.look_at_upstreams();
        let callable = self.callable(&served, principal);
        let shown = served.prompts.iter().filter(|prompt| is_shown(prompt, &callable, principal));
        end(self.span("prompts/list", None, &Traced::of(context)), Outcome::Ok);
        let all = shown.map(prompts::published).chain(served.offers.prompts(principal, &served.engine));
        ListPromptsResult::with_all_items(all.collect())
    }

    /// A prompt, filled in.
    ///
    /// Errors: `-32602` where the caller sees none of that name, or for arguments that it does not take.
    pub(super) async fn filled_prompt(
        &self,
        request: GetPromptRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<GetPromptResult, ErrorData> {
        let served = self.shared().served();
        let principal = principal(context);
        let callable = self.callable(&served, principal);
        let is_asked_for = |prompt: &&Prompt| prompt.name == request.name && is_shown(prompt, &callable, principal);
        let found = served.prompts.iter().find(is_asked_for);
        let Some(prompt) = found else {
            if let Some(offered) = served.offers.prompt(&request.name, principal) {
                let asked = self.forward_prompt(&served, offered, request.arguments.unwrap_or_default(), context);
                // On the heap: what serves is deep enough without it.
                return Box::pin(asked).await;
            }
            end(self.span("prompts/get", None, &Traced::of(context)), Outcome::Error(CallCode::UnknownPrompt));
            return Err(ErrorData::invalid_params(format!("unknown prompt: {}", shortened(&request.name)), None));
        };
        let span = self.span("prompts/get", Some(&prompt.name), &Traced::of(context));
        let filled = prompts::filled(prompt, &request.arguments.unwrap_or_default());
        end(span, ended(&filled, CallCode::InvalidArgument));
        filled
    }

    /// Whether there is a prompt with such an argument. One that the caller is not shown is none.
    pub(super) fn has_prompt_with(
        &self,
        served: &Served,
        (name, argument): (&str, &str),
        principal: Option<&Principal>,
    ) -> bool {
        let is_of_project = served.prompts.iter().filter(|prompt| prompt.name == *name).any(|prompt| {
            let callable = self.callable(served, principal);
            is_shown(prompt, &callable, principal) && prompt.arguments.iter().any(|known| known.name == argument)
        });
        is_of_project || served.offers.has_argument(name, argument, principal)
    }
}

/// Whether a caller gets a prompt: who can call all tools that it is for, and is one of those whom it is for.
fn is_shown(prompt: &Prompt, callable: &HashSet<String>, principal: Option<&Principal>) -> bool {
    let name = principal.map(|principal| principal.name.as_str());
    prompt.tools.iter().all(|tool| callable.contains(tool)) && prompt.is_for(name)
}
