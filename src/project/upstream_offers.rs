//! What another MCP server offers beside its tools, as it is locked: prompts and resources.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a server said of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedPrompt {
    /// The name that it is asked for by there.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What can be filled in, in the order of the server.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<LockedArgument>,
}

/// What a server said of an argument of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedArgument {
    /// Its name.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt is refused without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

/// What a server said of a resource.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedResource {
    /// The address that it is read by.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// What a server said of many resources at once: those whose addresses fit a template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockedTemplate {
    /// The template of their addresses (RFC 6570).
    pub uri_template: String,
    /// Their name.
    pub name: String,
    /// Their name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What they hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Their media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

impl LockedPrompt {
    /// A digest of all that is said of it.
    pub fn digest(&self) -> String {
        digest_of(self)
    }
}

impl LockedResource {
    /// A digest of all that is said of it.
    pub fn digest(&self) -> String {
        digest_of(self)
    }
}

impl LockedTemplate {
    /// A digest of all that is said of it.
    pub fn digest(&self) -> String {
        digest_of(self)
    }
}

/// A digest of plain data, whatever the order of keys.
pub(super) fn digest_of(said: &impl Serialize) -> String {
    // Plain data, which always has a JSON text.
    let mut value = serde_json::to_value(said).unwrap_or_default();
    value.sort_all_objects();
    hex::encode(Sha256::digest(value.to_string().as_bytes()))
}
