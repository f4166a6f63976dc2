//! `resources` of `qtool.yaml`: what clients may read of the tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What clients may read of the tables that tools read, as MCP resources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResourcesConfig {
    /// Whether the project and its tables are resources. Default: true.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// How many rows of a table its resource shows to everybody who may call a tool that reads it; none where such a
    /// tool has a parameter with `from`. Default: 0.
    #[serde(default)]
    #[schemars(range(max = 20))]
    pub sample_rows: u8,
}

impl ResourcesConfig {
    /// Whether it says nothing but the defaults.
    pub fn is_default(&self) -> bool {
        *self == ResourcesConfig::default()
    }
}

impl Default for ResourcesConfig {
    fn default() -> Self {
        ResourcesConfig { enabled: enabled(), sample_rows: 0 }
    }
}

fn enabled() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn tables_are_resources_without_rows_unless_the_project_says_otherwise() {
        let read = |value: Value| serde_json::from_value::<ResourcesConfig>(value).unwrap();
        assert!(read(json!({})).is_default());
        assert_eq!(read(json!({"sample_rows": 5})), ResourcesConfig { enabled: true, sample_rows: 5 });
        assert!(!read(json!({"enabled": false})).is_default());
    }

    #[test]
    fn a_sample_is_small() {
        let schema = schemars::schema_for!(ResourcesConfig).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({"sample_rows": 20})));
        assert!(!validator.is_valid(&json!({"sample_rows": 21})));
        assert!(!validator.is_valid(&json!({"sample_rows": -1})));
    }
}
