//! `params` of a header: what is said of one parameter.

use super::{AllowedValues, BoundFrom, TextFormat};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

/// The types of JSON but null.
const ANY: [&str; 5] = ["boolean", "number", "string", "array", "object"];
const OF_TYPE: &str = "a value of the parameter's type";

/// What the header says of one parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParamConfig {
    /// What the argument means, with its unit.
    #[serde(default)]
    pub description: Option<String>,
    /// A SQL type name, where inference finds none or another one.
    #[serde(rename = "type", default)]
    pub ty: Option<String>,
    /// The value where the agent sends none; makes the parameter optional. null for none. SQL that is evaluated at every call is written
    /// `{ sql: current_date - 7 }`.
    #[serde(default, deserialize_with = "written")]
    #[schemars(extend("if" = is_sql(), "then" = has_sql()))]
    pub default: Option<Value>,
    /// Where the value comes from, instead of from the agent, who neither sees nor sends it: `claim.NAME`, `header.NAME`
    /// or `env.NAME`. A call without it is refused.
    #[serde(default)]
    pub from: Option<BoundFrom>,
    /// Its value in every call: no agent sees it or sends it.
    #[serde(default, deserialize_with = "written", skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = ANY, "x-expected" = OF_TYPE))]
    #[schemars(extend("x-keep" = "say the value: without `fixed` it is the agent's to choose"))]
    pub fixed: Option<Value>,
    /// Whether no agent sees it or sends it: it is its default, or its optional clauses are left out. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-keep" = "say whether it is hidden: without `hidden` it is the agent's to choose"))]
    pub hidden: Option<bool>,
    /// The only values that are accepted; of a list parameter, the only items. A list, or `{ query: SELECT … }`.
    #[serde(default)]
    pub allowed_values: Option<AllowedValues>,
    /// SQL by the names that an agent chooses it by, put in the place of the placeholder: `{newest: date DESC}`.
    #[serde(default)]
    #[schemars(extend("minProperties" = 1, "additionalProperties" = sql("placed_at DESC")))]
    pub choices: Option<IndexMap<String, String>>,
    /// The smallest value.
    #[serde(default)]
    #[schemars(extend("type" = ANY, "x-expected" = OF_TYPE))]
    pub minimum: Option<Value>,
    /// The largest value.
    #[serde(default)]
    #[schemars(extend("type" = ANY, "x-expected" = OF_TYPE))]
    pub maximum: Option<Value>,
    /// The value must be larger.
    #[serde(default)]
    #[schemars(extend("type" = ANY, "x-expected" = OF_TYPE))]
    pub exclusive_minimum: Option<Value>,
    /// The value must be smaller.
    #[serde(default)]
    #[schemars(extend("type" = ANY, "x-expected" = OF_TYPE))]
    pub exclusive_maximum: Option<Value>,
    /// Accepts only multiples of it.
    #[serde(default)]
    pub multiple_of: Option<serde_json::Number>,
    /// What a text must be.
    #[serde(default)]
    pub format: Option<TextFormat>,
    /// Whether a call without it is refused. Default: unless it has a default, a `?`, or is used in optional clauses only.
    #[serde(default)]
    pub required: Option<bool>,
    /// Fewest characters.
    #[serde(default)]
    pub min_length: Option<u64>,
    /// Most characters.
    #[serde(default)]
    pub max_length: Option<u64>,
    /// A regular expression that a part of the text must match.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub pattern: Option<String>,
    /// Fewest items of a list.
    #[serde(default)]
    pub min_items: Option<u64>,
    /// Most items of a list.
    #[serde(default)]
    pub max_items: Option<u64>,
    /// Values that show what is meant.
    #[serde(default)]
    pub examples: Option<Vec<Value>>,
}

/// The schema of SQL, with an example of it.
fn sql(example: &str) -> Value {
    json!({"type": "string", "x-expected": format!("SQL, such as `{example}`")})
}

/// The schema of a default that is written as SQL.
fn is_sql() -> Value {
    json!({"type": "object", "required": ["sql"], "maxProperties": 1})
}

/// What holds of it.
fn has_sql() -> Value {
    json!({"properties": {"sql": sql("current_date - 7")}, "required": ["sql"]})
}

/// A value that was written, null too.
fn written<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
