//! Settings that are more than a word or a number.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::time::Duration;

/// A positive number of rows, or no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultLimit {
    /// At most that many.
    Rows(u64),
    /// As many as there are.
    None,
}

impl ResultLimit {
    /// The number, where there is one.
    pub fn rows(self) -> Option<u64> {
        match self {
            ResultLimit::Rows(rows) => Some(rows),
            ResultLimit::None => None,
        }
    }
}

impl Serialize for ResultLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ResultLimit::Rows(rows) => serializer.serialize_u64(*rows),
            ResultLimit::None => serializer.serialize_str("none"),
        }
    }
}

impl<'de> Deserialize<'de> for ResultLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        match (value.as_u64(), value.as_str()) {
            (Some(rows), _) if rows > 0 => Ok(ResultLimit::Rows(rows)),
            (_, Some("none")) => Ok(ResultLimit::None),
            _ => Err(serde::de::Error::custom("a number of at least 1, or `none`")),
        }
    }
}

impl JsonSchema for ResultLimit {
    fn schema_name() -> Cow<'static, str> {
        "ResultLimit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of rows of at least 1, or `none`.",
            "x-expected": "a number of at least 1, or `none`",
            "anyOf": [{"type": "integer", "minimum": 1}, {"const": "none"}]
        })
    }
}

/// A length of time, written as a whole number and a unit: `500ms`, `30s`, `5m`, `1h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Duration);

const TIMEOUT_PATTERN: &str = r"^[1-9][0-9]{0,8}(ms|s|m|h)$";

impl Timeout {
    fn parse(text: &str) -> Option<Timeout> {
        let cut = text.find(|c: char| !c.is_ascii_digit())?;
        let (amount, unit) = text.split_at_checked(cut)?;
        let amount: u64 = amount.parse().ok().filter(|amount| (1..1_000_000_000).contains(amount))?;
        let millis = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return None,
        };
        Some(Timeout(Duration::from_millis(amount * millis)))
    }
}

impl Serialize for Timeout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let millis = self.0.as_millis();
        let text = if millis.is_multiple_of(1_000) { format!("{}s", millis / 1_000) } else { format!("{millis}ms") };
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Timeout::parse(&text).ok_or_else(|| serde::de::Error::custom("a time such as `30s`"))
    }
}

impl JsonSchema for Timeout {
    fn schema_name() -> Cow<'static, str> {
        "Timeout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A length of time such as `500ms`, `30s`, `5m` or `1h`.",
            "x-expected": "a length of time such as `30s`",
            "type": "string",
            "pattern": TIMEOUT_PATTERN
        })
    }
}
/// How much of a tool is published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Definition {
    /// All that clients and people can use.
    #[default]
    Full,
    /// What a model needs to call it: no title, no annotations, and no bounds where they are those of 64-bit integers.
    Compact,
}
