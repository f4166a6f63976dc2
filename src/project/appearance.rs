//! What clients show beside the name of a tool, and what an author may say of its effects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest address of a picture: enough for a small one that is in the address itself.
const MAX_SRC: usize = 16_384;

/// A picture that clients show: `Icon` of MCP, revision 2025-11-25.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Icon {
    /// Where it is: `https://…`, or the picture itself as `data:image/…`.
    #[schemars(length(max = MAX_SRC), regex(pattern = r"^(https://|data:image/)"))]
    pub src: String,
    /// Its media type, such as `image/png`, where the address does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^image/"))]
    pub mime_type: Option<String>,
    /// Its sizes: `48x48`, or `any` of one that can be scaled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"^(any|[1-9][0-9]*x[1-9][0-9]*)$")))]
    pub sizes: Vec<String>,
    /// What background it is made for. Default: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<IconTheme>,
}

/// A background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IconTheme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

/// What an author says of a tool's effects, where the plan cannot tell. What it can tell must not be denied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnnotationsConfig {
    /// It changes nothing. The plan tells: every query only reads.
    #[serde(default)]
    pub read_only: Option<bool>,
    /// It deletes or overwrites. The plan tells: no query does.
    #[serde(default)]
    pub destructive: Option<bool>,
    /// A second equal call has no further effect and gives the same. False where the data changes all the time.
    #[serde(default)]
    pub idempotent: Option<bool>,
    /// What it reads is not the project's alone, but comes from outside, such as pages of the web. Default: false.
    #[serde(default)]
    pub open_world: Option<bool>,
}
