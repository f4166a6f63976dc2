//! `allowed_values` of a parameter: a list, or a query that gives them.

use super::Timeout;
use crate::source::FileId;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// The values that are accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AllowedValues {
    /// These.
    List(Vec<Value>),
    /// Those that a query gives.
    Query(AllowedQueryConfig),
}

/// The query that gives the allowed values of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedQueryConfig {
    /// A query over the project's tables, of one column.
    pub query: String,
    /// When a server reads the values again. Default: never, they are those of the snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
}

/// When values are read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// When the server starts.
    Startup,
    /// When the server starts, and when they are older than that.
    Every(Timeout),
}

/// A query that gives allowed values, before it is read.
#[derive(Debug, Clone)]
pub struct UnreadValues {
    /// The query file and the parameter.
    pub key: (FileId, String),
    /// The name of the query file's tool.
    pub name: String,
    /// The SQL.
    pub query: String,
    /// The tables it selects from, sorted.
    pub tables: Vec<String>,
}

impl AllowedValues {
    /// The values, where they are listed.
    pub fn listed(&self) -> Option<&[Value]> {
        match self {
            AllowedValues::List(values) => Some(values),
            AllowedValues::Query(_) => None,
        }
    }
}

impl Serialize for Refresh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Refresh::Startup => serializer.serialize_str("startup"),
            Refresh::Every(age) => age.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Refresh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "startup" {
            return Ok(Refresh::Startup);
        }
        let age = Timeout::deserialize(serde::de::value::StringDeserializer::<D::Error>::new(text))?;
        Ok(Refresh::Every(age))
    }
}

impl JsonSchema for AllowedValues {
    fn schema_name() -> Cow<'static, str> {
        "AllowedValues".into()
    }

    /// One schema, not one of two: what is wrong with a mapping is told of the mapping.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let age = generator.subschema_for::<Timeout>().to_value();
        json_schema!({
            "description": "A list of values, or the query over the project's tables that gives them.",
            "type": ["array", "object"],
            "minItems": 1,
            "properties": {
                "query": {
                    "description": "A query over the project's tables, of one column.",
                    "type": "string",
                    "minLength": 1
                },
                "refresh": {
                    "description": "When a server reads the values again: when it starts, and where an age is given, when they are older. Default: never.",
                    "x-expected": "`startup` or a length of time such as `1h`",
                    "anyOf": [{"const": "startup"}, age]
                }
            },
            "required": ["query"],
            "additionalProperties": false
        })
    }
}
