//! `policies` of `qtool.yaml`: which rows and columns of a table a caller sees.

use super::BoundFrom;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// What callers see of a table, whatever reads it. A call whose caller lacks what a condition asks for sees no row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyConfig {
    /// The parameters of its SQL. Each is bound to the caller (`from`) or has a fixed value (`fixed`).
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub params: IndexMap<String, PolicyParam>,
    /// SQL conditions over the columns of the table: a caller sees the rows for which all of them are true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which rows a caller sees: without `rows` it is all of them"))]
    pub rows: Vec<String>,
    /// The columns that not every caller sees: `deny`, or what stands in the place of their values.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(extend("minProperties" = 1))]
    #[schemars(extend("x-keep" = "say which columns a caller sees: without `columns` it is all of them"))]
    pub columns: IndexMap<String, ColumnPolicy>,
    /// `database`: its database holds to the policy too, so that statements in its own SQL may read the table. Default: they
    /// may not, because nothing here stands between them and the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enforced_by: Option<EnforcedBy>,
}

/// A value that is the caller's, or always the same.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyParam {
    /// A SQL type name, where what it is compared with tells none or another one.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// Where the value comes from: `claim.NAME`, `header.NAME` or `env.NAME`. Who has none sees no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<BoundFrom>,
    /// Its value for every caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<Value>,
}

/// Who holds to a policy beside qtool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnforcedBy {
    /// The database that the table lies in: row-level security, and privileges.
    Database,
}

/// What callers see of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnPolicy {
    /// Nothing: the table has no such column.
    Deny,
    /// A value in the place of its own.
    Mask(MaskConfig),
}

/// What stands in the place of a column's values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaskConfig {
    /// A SQL expression over the columns of the table, of the column's type: `'***'`, `left(email, 1)`, `NULL`.
    #[schemars(length(min = 1))]
    pub mask: String,
    /// Whose token is good for all of these scopes sees the values themselves. Default: nobody does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub unless: Vec<String>,
}

/// How a column is written that nobody sees.
const DENY: &str = "deny";

impl Serialize for ColumnPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ColumnPolicy::Deny => serializer.serialize_str(DENY),
            ColumnPolicy::Mask(mask) => mask.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ColumnPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Word(String),
            Mask(MaskConfig),
        }
        match Written::deserialize(deserializer)? {
            Written::Word(word) if word == DENY => Ok(ColumnPolicy::Deny),
            Written::Word(_) => Err(serde::de::Error::custom("`deny`, or `{ mask: … }`")),
            Written::Mask(mask) => Ok(ColumnPolicy::Mask(mask)),
        }
    }
}

impl JsonSchema for ColumnPolicy {
    fn schema_name() -> Cow<'static, str> {
        "ColumnPolicy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mask = generator.subschema_for::<MaskConfig>();
        json_schema!({
            "anyOf": [{ "type": "string", "enum": [DENY] }, mask],
            "x-expected": "`deny`, or what stands in its place, as in `{ mask: \"'***'\" }`"
        })
    }
}

impl PolicyConfig {
    /// Its conditions, and what stands in the place of columns; each with the way to it from here.
    pub fn expressions(&self) -> Vec<(Vec<String>, &str)> {
        let rows =
            self.rows.iter().enumerate().map(|(at, sql)| (vec!["rows".to_owned(), at.to_string()], sql.as_str()));
        let masks = self.columns.iter().filter_map(|(column, policy)| match policy {
            ColumnPolicy::Mask(mask) => {
                Some((vec!["columns".to_owned(), column.clone(), "mask".to_owned()], mask.mask.as_str()))
            }
            ColumnPolicy::Deny => None,
        });
        rows.chain(masks).collect()
    }

    /// Whether something stands between callers and the table: a policy may also say that its database does so alone.
    pub fn rewrites(&self) -> bool {
        !self.rows.is_empty() || !self.columns.is_empty()
    }
}
