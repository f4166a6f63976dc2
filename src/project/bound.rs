//! Parameters that are bound to the caller instead of being sent.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// Where the value of a bound parameter comes from, written `claim.tenant_id`, `header.x-region` or `env.REGION`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoundFrom {
    /// A claim of the caller's token; further names lead into objects.
    Claim(String),
    /// A header of the HTTP request, in any letter case.
    Header(String),
    /// A variable of the server's environment.
    Env(String),
}

const PATTERN: &str = r"^(claim|header|env)\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$";

impl BoundFrom {
    fn parse(text: &str) -> Option<BoundFrom> {
        let (kind, name) = text.split_once('.')?;
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(legal) || name.split('.').any(str::is_empty) {
            return None;
        }
        let name = name.to_owned();
        match kind {
            "claim" => Some(BoundFrom::Claim(name)),
            "header" => Some(BoundFrom::Header(name)),
            "env" => Some(BoundFrom::Env(name)),
            _ => None,
        }
    }
}

impl fmt::Display for BoundFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundFrom::Claim(name) => write!(f, "claim.{name}"),
            BoundFrom::Header(name) => write!(f, "header.{name}"),
            BoundFrom::Env(name) => write!(f, "env.{name}"),
        }
    }
}

impl Serialize for BoundFrom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoundFrom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        BoundFrom::parse(&text).ok_or_else(|| serde::de::Error::custom("`claim.NAME`, `header.NAME` or `env.NAME`"))
    }
}

impl JsonSchema for BoundFrom {
    fn schema_name() -> Cow<'static, str> {
        "BoundFrom".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where the value comes from: `claim.NAME`, `header.NAME` or `env.NAME`.",
            "x-expected": "`claim.NAME`, `header.NAME` or `env.NAME`",
            "x-keep": "say where the value comes from, such as `claim.tenant_id`: without `from` it is the agent's to choose",
            "x-words": ["claim", "header", "env"],
            "type": "string",
            "pattern": PATTERN
        })
    }
}
