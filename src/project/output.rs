//! What a program, a web service or a function gives, and where in it the rows are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a program, a web service or a function gives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputConfig {
    /// The form of what it gives. Default: `text` of a program, `any` of one in `simple_json`, `json` of a web service and a function.
    #[serde(rename = "output", default, skip_serializing_if = "Option::is_none")]
    pub form: Option<OutputForm>,
    /// Where in a JSON document the rows are: a JSON pointer (RFC 6901) such as `/data/items`. Default: the whole of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^(/([^~/]|~[01])*)+$"))]
    #[schemars(extend("x-expected" = "a JSON pointer such as `/data/items`"))]
    pub rows: Option<String>,
    /// The JSON Schema of a document: published, and what is given is held to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub output_schema: Option<Value>,
}

/// The form of what is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputForm {
    /// A text.
    #[default]
    Text,
    /// A JSON document: a list of objects, or one object. Without `columns`, it is a `document`.
    Json,
    /// A JSON document of any form: the column `result` of one row.
    Document,
    /// A JSON document of any form, or a text where it is none: the column `result` of one row.
    Any,
    /// A JSON object on each line.
    Ndjson,
    /// CSV with a line of names.
    Csv,
}
