//! What an upstream server says that it offers.

use serde_json::{Map, Value};

/// All that a server says of itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definitions {
    /// The number of the connection that it said this over: a call can be bound to it.
    pub connection: u64,
    /// The revision of the protocol that is spoken with it.
    pub revision: String,
    /// The name of the server, where it tells one.
    pub server: Option<String>,
    /// The version of the server, where it tells one.
    pub version: Option<String>,
    /// How it wants to be used.
    pub instructions: Option<String>,
    /// Its tools, in its order.
    pub tools: Vec<Definition>,
    /// Its prompts, where they are asked for.
    pub prompts: Vec<PromptDefinition>,
    /// Its resources, where they are asked for.
    pub resources: Vec<ResourceDefinition>,
    /// Its templates of resources, where those are asked for.
    pub templates: Vec<TemplateDefinition>,
    /// How many items were left out, since they have no name or that of another.
    pub left_out: usize,
    /// What is listed more than once, and not alike: it is left out as a whole.
    pub ambiguous: Ambiguous,
}

/// The names of what a server says different things of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ambiguous {
    /// Names of tools.
    pub tools: Vec<String>,
    /// Names of prompts.
    pub prompts: Vec<String>,
    /// URIs of resources, and templates of URIs.
    pub resources: Vec<String>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name that it is called by.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The JSON Schema of its structured answers.
    pub output_schema: Option<Value>,
    /// What the server claims of its effects.
    pub annotations: Annotations,
    /// What else the server says of it.
    pub meta: Option<Map<String, Value>>,
}

/// What a server claims of a tool. Nobody has checked it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Calling it twice is like calling it once.
    pub idempotent: Option<bool>,
    /// It deals with a world that the server does not own.
    pub open_world: Option<bool>,
}

/// One prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptDefinition {
    /// The name that it is asked for by.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Its arguments, as the server lists them.
    pub arguments: Vec<Value>,
}

/// One resource.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceDefinition {
    /// The address that it is read by.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Its media type.
    pub mime: Option<String>,
}

/// Many resources at once: those whose addresses fit a template.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateDefinition {
    /// The template of their addresses (RFC 6570).
    pub uri_template: String,
    /// Their name.
    pub name: String,
    /// Their name for people.
    pub title: Option<String>,
    /// What they hold.
    pub description: Option<String>,
    /// Their media type.
    pub mime: Option<String>,
}
