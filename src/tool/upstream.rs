//! A tool of another MCP server: which one it is, and how a call is passed on.

use crate::project::{BoundFrom, UpstreamAuth};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool of another MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpstreamCall {
    /// The server: a name of `upstreams`.
    pub upstream: String,
    /// The name of the tool there.
    pub remote: String,
    /// The digest of what the server said of it when that was locked. A server that says something else is not called.
    pub digest: String,
    /// The program that is the server, as it is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Where the server answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The folder that the program runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The variables that it gets, as they are written.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// The headers of each request, as they are written.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, String>,
    /// How qtool shows who it is, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<UpstreamAuth>,
    /// Whether its questions to a person are passed on to whoever calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elicitation: bool,
    /// Whether it may ask the model of whoever calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sampling: bool,
    /// The arguments that are sent otherwise than they come in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<UpstreamArgument>,
    /// What nobody sees of the answers: JSON Pointers, where `*` stands for any key or place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<String>,
    /// What the server says that it does, where another text is published in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// An argument that is sent otherwise than it comes in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpstreamArgument {
    /// Its name there.
    pub name: String,
    /// Its name here, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<String>,
    /// What is sent where the agent sends nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Where the value comes from, of one that no agent sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BoundFrom>,
    /// Whether the server takes no text for it: that of a header or a variable is read as JSON.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_no_text: bool,
}
