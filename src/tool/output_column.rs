//! A column of what a tool returns.

use crate::ty::{ExactNumbers, Type};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A column of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputColumn {
    /// The name, unique in the tool.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Whether values may be null.
    pub nullable: bool,
    /// What the values mean.
    pub description: Option<String>,
    /// What exact numbers are in JSON.
    #[serde(flatten)]
    pub numbers: ExactNumbers,
    /// The JSON Schema of its values, of a document that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

impl OutputColumn {
    /// A column of which nothing more is known: its values may be null.
    pub fn new(name: impl Into<String>, ty: Type) -> OutputColumn {
        let (name, numbers) = (name.into(), ExactNumbers::default());
        OutputColumn { name, ty, nullable: true, description: None, numbers, schema: None }
    }
}
