//! `package` and `budget` of `qtool.yaml`: what a built server says of itself, and how much of a model's attention its
//! tools may take.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What packages of the server say of it, and where they are published.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackageConfig {
    /// Who publishes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub author: Option<String>,
    /// Its name in an MCP registry: `io.github.acme/flights`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"))]
    pub registry_name: Option<String>,
    /// Where its MCPB bundle can be downloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^https://"))]
    pub bundle_url: Option<String>,
    /// Its container image, with a tag: `ghcr.io/acme/flights:1.2.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub image: Option<String>,
    /// Where it is served over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^https?://"))]
    pub url: Option<String>,
}

impl PackageConfig {
    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == PackageConfig::default()
    }
}

/// The most tokens that a model is to read; `qtool stats` and `qtool build` fail above them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BudgetConfig {
    /// Tokens of all definitions together, as `tools/list` has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub definitions: Option<u64>,
    /// Tokens of the definition of one tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub definition: Option<u64>,
    /// Tokens of the largest result that a tool can have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub result: Option<u64>,
}

impl BudgetConfig {
    /// Whether nothing is bounded.
    pub fn is_default(&self) -> bool {
        *self == BudgetConfig::default()
    }
}
