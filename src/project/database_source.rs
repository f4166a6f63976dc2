//! `tables` of `qtool.yaml`: tables that lie in a database.

use super::column_source::ColumnSource;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a table lies in a database, and what is said of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatabaseSource {
    /// The database: a name of `sources`.
    #[schemars(length(min = 1))]
    pub source: String,
    /// What the table is called there, with its schema where it has one: `public.orders`. Default: the name that it has here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub table: Option<String>,
    /// What a row is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Columns whose type or description is declared; the type overrides what the database says.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub columns: IndexMap<String, ColumnSource>,
    /// Whether it is so large that queries must filter it. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large: Option<bool>,
    /// The columns that identify a row. Default: those that the database says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub primary_key: Vec<String>,
    /// Other names for columns, by the names that they have in the database.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub rename: IndexMap<String, String>,
}

impl DatabaseSource {
    /// The name in the table of a column that the database calls so.
    pub fn renamed<'a>(&'a self, column: &'a str) -> &'a str {
        self.rename.get(column).map_or(column, String::as_str)
    }
}
