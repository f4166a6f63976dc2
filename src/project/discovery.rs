//! `discovery` of `qtool.yaml`: how clients find their way among many tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a client sees a search instead of the list of all tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscoveryConfig {
    /// Above that many tools a caller sees `search_tools` and `call_tool` instead of them; 0 for always. Default: 40.
    #[serde(default = "usual")]
    pub above: usize,
    /// How many tools a search tells of at most. Default: 8.
    #[serde(default = "few")]
    #[schemars(range(min = 1, max = 50))]
    pub results: usize,
}

fn usual() -> usize {
    40
}

fn few() -> usize {
    8
}

impl Default for DiscoveryConfig {
    fn default() -> Self {
        DiscoveryConfig { above: usual(), results: few() }
    }
}

impl DiscoveryConfig {
    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == DiscoveryConfig::default()
    }
}
