//! Parameters that no agent sends: bound to the caller, fixed, or left to their defaults.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;

/// Where the value of a parameter comes from that no agent sends. As `from` it is written `claim.tenant_id`,
/// `header.x-region` or `env.REGION`; `fixed` and `hidden` are settings of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BoundFrom {
    /// A claim of the caller's token; further names lead into objects.
    Claim(String),
    /// A header of the HTTP request, in any letter case.
    Header(String),
    /// A variable of the server's environment.
    Env(String),
    /// The author: always this value.
    Fixed(Value),
    /// Its default, or nothing where it has none.
    Default,
    /// Whether the caller's token is good for all of these: a condition that policies ask for.
    Scopes(Vec<String>),
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
            BoundFrom::Fixed(value) => write!(f, "the fixed value {value}"),
            BoundFrom::Default => f.write_str("its default"),
            BoundFrom::Scopes(scopes) => write!(f, "the scopes {}", scopes.join(", ")),
        }
    }
}

impl BoundFrom {
    /// Whether the value is another one for another caller, or in another environment.
    pub fn is_of_caller(&self) -> bool {
        matches!(self, BoundFrom::Claim(_) | BoundFrom::Header(_) | BoundFrom::Env(_) | BoundFrom::Scopes(_))
    }
}

impl Serialize for BoundFrom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            BoundFrom::Fixed(value) => json!({"fixed": value}).serialize(serializer),
            BoundFrom::Default => json!({"hidden": true}).serialize(serializer),
            BoundFrom::Scopes(scopes) => json!({"scopes": scopes}).serialize(serializer),
            of_caller => serializer.collect_str(of_caller),
        }
    }
}

impl<'de> Deserialize<'de> for BoundFrom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = match Value::deserialize(deserializer)? {
            Value::String(text) => BoundFrom::parse(&text),
            // As a compiled tool has it; what is written in a file is a text by its schema.
            Value::Object(map) if map.len() == 1 => match map.into_iter().next() {
                Some((key, value)) if key == "fixed" => Some(BoundFrom::Fixed(value)),
                Some((key, Value::Bool(true))) if key == "hidden" => Some(BoundFrom::Default),
                Some((key, scopes)) if key == "scopes" => serde_json::from_value(scopes).ok().map(BoundFrom::Scopes),
                _ => None,
            },
            _ => None,
        };
        read.ok_or_else(|| serde::de::Error::custom("`claim.NAME`, `header.NAME` or `env.NAME`"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for from in [
            BoundFrom::Claim("org.id".to_owned()),
            BoundFrom::Header("x-region".to_owned()),
            BoundFrom::Env("REGION".to_owned()),
            BoundFrom::Fixed(json!("claim.x")),
            BoundFrom::Fixed(json!([1, 2])),
            BoundFrom::Fixed(json!({"hidden": true})),
            BoundFrom::Default,
        ] {
            let written = serde_json::to_string(&from).unwrap();
            assert_eq!(serde_json::from_str::<BoundFrom>(&written).unwrap(), from, "{written}");
        }
        for wrong in ["\"fixed\"", "{}", "{\"hidden\":false}", "{\"fixed\":1,\"hidden\":true}", "7", "\"cookie.a\""] {
            assert!(serde_json::from_str::<BoundFrom>(wrong).is_err(), "{wrong}");
        }
    }
}
