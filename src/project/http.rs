//! `http` of `qtool.yaml`: who may talk to the server over HTTP.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `http` of `qtool.yaml`: the names and origins beside this machine's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    /// The names that the server is reached by, with a port or without: `tools.example.com`. This machine's own names
    /// are always allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_hosts: Vec<String>,
    /// The origins of pages that may call it: `https://app.example.com`. Pages of this machine are always allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_origins: Vec<String>,
}
