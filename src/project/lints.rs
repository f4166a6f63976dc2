//! `lints`: how loud each lint is, for the project or for one query.

use crate::diagnostic::Code;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What becomes of what a lint finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// Nothing is said.
    Allow,
    /// A warning, as most are by themselves.
    Warn,
    /// An error: the query becomes no tool.
    Deny,
}

/// The levels that are set, by code. Warnings have levels, and of errors those that [`Code::is_lint`] tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lints(IndexMap<Code, LintLevel>);

impl Lints {
    /// The level of a code, where one is set.
    pub fn level(&self, code: Code) -> Option<LintLevel> {
        self.0.get(&code).copied()
    }

    /// Whether no level is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl JsonSchema for Lints {
    fn schema_name() -> Cow<'static, str> {
        "Lints".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let level = generator.subschema_for::<LintLevel>().to_value();
        let properties: Map<String, Value> =
            Code::lints().map(|code| (code.as_str().to_owned(), level.clone())).collect();
        json_schema!({
            "description": "The levels of lints by code: `allow`, `warn` or `deny`.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false
        })
    }
}
