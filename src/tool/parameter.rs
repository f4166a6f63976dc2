//! What an agent may send under one name, and what of it is accepted.

use crate::project::{BoundFrom, Refresh, TextFormat};
use crate::ty::Type;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an agent may send under one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name: `[a-z][a-z0-9_]*`.
    pub name: String,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The types that it may be sent as too: a value of one becomes its text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Type>,
    /// What it means.
    pub description: Option<String>,
    /// Whether a call without it is refused.
    pub required: bool,
    /// The value of a call without it; absent for one that is then NULL, or whose clause is left out.
    pub default: Option<Value>,
    /// The SQL that gives that value, evaluated at every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_expression: Option<String>,
    /// What values are accepted.
    pub constraints: Constraints,
    /// Values that show what is meant.
    pub examples: Vec<Value>,
    /// The SQL that the value chooses; empty for a parameter that is a value itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<ToolChoice>,
    /// The query that gave the allowed values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_query: Option<ToolAllowedQuery>,
    /// Where the value comes from; absent for what the agent sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BoundFrom>,
    /// What each row has, of a list of rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Parameter>,
}

impl Parameter {
    /// Whether it has a value where none is sent; one that is SQL may be NULL all the same.
    pub fn has_default(&self) -> bool {
        self.default.is_some() || self.default_expression.is_some()
    }
}

/// What values of a parameter are accepted beside those of its type. Of a list parameter everything but the item counts
/// speaks of the items.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Constraints {
    /// The only values accepted.
    pub allowed_values: Option<Vec<Value>>,
    /// Whether those are the units of time that there are, because the author lists none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_unit: bool,
    /// The smallest.
    pub minimum: Option<Value>,
    /// The largest.
    pub maximum: Option<Value>,
    /// Must be larger.
    pub exclusive_minimum: Option<Value>,
    /// Must be smaller.
    pub exclusive_maximum: Option<Value>,
    /// Only multiples of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<serde_json::Number>,
    /// What a text must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<TextFormat>,
    /// Fewest characters.
    pub min_length: Option<u64>,
    /// Most characters.
    pub max_length: Option<u64>,
    /// A regular expression that a part of the text must match.
    pub pattern: Option<String>,
    /// Fewest items.
    pub min_items: Option<u64>,
    /// Most items.
    pub max_items: Option<u64>,
}

/// What names of parameters begin with that are settings of a database's transactions.
const OF_SETTING: &str = "setting:";

impl Parameter {
    /// The name of the parameter that a setting of the transactions of a source is. No author can give one such a name: a placeholder
    /// has no colon.
    pub fn name_of_setting(source: &str, setting: &str) -> String {
        format!("{OF_SETTING}{source}:{setting}")
    }

    /// The source, and the setting of its transactions, that this is the value of; `None` of all that an author has named.
    pub fn setting(&self) -> Option<(&str, &str)> {
        self.name.strip_prefix(OF_SETTING)?.split_once(':')
    }
}

/// SQL that an agent chooses by name: it stands in the place of the parameter's `$n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// What the agent says.
    pub key: String,
    /// The SQL, in brackets where it is one expression of several words.
    pub sql: String,
}

/// A query that gives the allowed values of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAllowedQuery {
    /// The SQL: one column.
    pub query: String,
    /// When a server reads the values again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<Refresh>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_of_a_list_of_rows_is_no_setting_of_a_source_of_that_name() {
        let named = |name: &str| -> Parameter {
            serde_json::from_value(
                json!({"name": name, "type": "text", "required": true, "constraints": {}, "examples": []}),
            )
            .unwrap()
        };
        assert_eq!(named("shop.role").setting(), None);
        assert_eq!(named(&Parameter::name_of_setting("shop", "app.tenant")).setting(), Some(("shop", "app.tenant")));
    }
}
