//! What a server says, in the form in which it is locked.

use crate::project::{LockedArgument, LockedPrompt, LockedResource, LockedTemplate, LockedTool};
use crate::upstreams::{Definition, PromptDefinition, ResourceDefinition, TemplateDefinition};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// What there is of a server, by what it is called there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Item {
    /// A tool, by name.
    Tool(String),
    /// A prompt, by name.
    Prompt(String),
    /// A resource, by URI.
    Resource(String),
    /// Resources, by the template of their URIs.
    Template(String),
}

/// What a URI is read by.
#[derive(Debug, Clone, Copy)]
pub enum ReadBy<'a> {
    /// The resource itself.
    Resource(&'a LockedResource),
    /// The template that it fits.
    Template(&'a LockedTemplate),
}

impl ReadBy<'_> {
    /// What must be there, and the digest that it must have.
    pub(in crate::engine) fn locked(self) -> (Item, String) {
        match self {
            ReadBy::Resource(locked) => (Item::Resource(locked.uri.clone()), locked.digest()),
            ReadBy::Template(locked) => (Item::Template(locked.uri_template.clone()), locked.digest()),
        }
    }
}

/// What a server says of a tool.
pub(super) fn locked_tool(tool: Definition) -> LockedTool {
    let claims = [
        ("readOnlyHint", tool.annotations.read_only),
        ("destructiveHint", tool.annotations.destructive),
        ("idempotentHint", tool.annotations.idempotent),
        ("openWorldHint", tool.annotations.open_world),
    ];
    let claimed = claims.into_iter().filter_map(|(hint, claim)| Some((hint.to_owned(), json!(claim?))));
    LockedTool {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema,
        output_schema: tool.output_schema,
        annotations: claimed.collect::<Map<String, Value>>(),
    }
}

/// What a server says of a prompt. An argument without a name, or with that of another, is none.
pub(super) fn locked_prompt(prompt: PromptDefinition) -> LockedPrompt {
    let mut names = HashSet::new();
    let arguments = prompt.arguments.iter().filter_map(|argument| {
        let text = |key: &str| argument.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").filter(|name| !name.is_empty() && names.insert(name.clone()))?;
        let required = argument.get("required") == Some(&Value::Bool(true));
        Some(LockedArgument { name, title: text("title"), description: text("description"), required })
    });
    LockedPrompt {
        arguments: arguments.collect(),
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
    }
}

/// What a server says of a resource.
pub(super) fn locked_resource(resource: ResourceDefinition) -> LockedResource {
    let ResourceDefinition { uri, name, title, description, mime } = resource;
    LockedResource { uri, name, title, description, mime_type: mime }
}

/// What a server says of the resources of a template.
pub(super) fn locked_template(template: TemplateDefinition) -> LockedTemplate {
    let TemplateDefinition { uri_template, name, title, description, mime } = template;
    LockedTemplate { uri_template, name, title, description, mime_type: mime }
}
