//! `audit`: where the record of every call goes, and what it says of the arguments.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The record of calls: one line of JSON for each, written when it is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditConfig {
    /// `stderr`, or the path of a file relative to the project. The file is appended to, and made where it is missing.
    pub to: AuditTarget,
    /// What is written of the arguments. Default: digest.
    #[serde(default)]
    pub arguments: AuditArguments,
    /// The environment variable with the secret that digests are keyed with. Without one, anybody who reads the record
    /// can tell arguments by trying likely ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub key_env: Option<String>,
}

/// Where the record goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditTarget {
    /// To standard error, between the lines of the log.
    Stderr,
    /// To a file, by its path relative to the project.
    File(String),
}

/// What is written of the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditArguments {
    /// A hash: shows that two calls were the same, and nothing else.
    #[default]
    Digest,
    /// The arguments themselves, as they were sent.
    Values,
    /// Nothing.
    None,
}

impl Serialize for AuditTarget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            AuditTarget::Stderr => "stderr",
            AuditTarget::File(path) => path,
        })
    }
}

impl<'de> Deserialize<'de> for AuditTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.as_str() {
            "" => Err(serde::de::Error::custom("`stderr` or the path of a file")),
            "stderr" => Ok(AuditTarget::Stderr),
            _ => Ok(AuditTarget::File(text)),
        }
    }
}

impl JsonSchema for AuditTarget {
    fn schema_name() -> Cow<'static, str> {
        "AuditTarget".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "`stderr`, or the path of a file relative to the project.",
            "x-expected": "`stderr` or the path of a file",
            "type": "string",
            "minLength": 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(value: Value) -> Option<AuditConfig> {
        serde_json::from_value(value).ok()
    }

    #[test]
    fn arguments_are_digested_where_nothing_is_said() {
        let config = read(json!({"to": "logs/audit.jsonl"})).unwrap();
        assert_eq!(config.to, AuditTarget::File("logs/audit.jsonl".to_owned()));
        assert_eq!(config.arguments, AuditArguments::Digest);
        assert_eq!(config.key_env, None);
    }

    #[test]
    fn what_is_read_is_written_again() {
        for value in [
            json!({"to": "stderr", "arguments": "none"}),
            json!({"to": "a.jsonl", "arguments": "values"}),
            json!({"to": "a.jsonl", "arguments": "digest", "key_env": "AUDIT_KEY"}),
        ] {
            assert_eq!(serde_json::to_value(read(value.clone()).unwrap()).unwrap(), value);
        }
    }

    #[test]
    fn unknown_keys_and_empty_paths_are_refused() {
        assert_eq!(read(json!({"to": "stderr", "level": "full"})), None);
        assert_eq!(read(json!({"to": ""})), None);
        assert_eq!(read(json!({"to": "stderr", "arguments": "some"})), None);
        assert_eq!(read(json!({})), None);
    }
}
