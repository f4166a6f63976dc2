//! `sources` of `qtool.yaml`: the databases that tables lie in.

use crate::catalog::DatabaseKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many connections are kept where nothing is said.
const CONNECTIONS: u32 = 16;

/// A database, by its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SourceConfig {
    /// A file of SQLite.
    Sqlite(SqliteConfig),
}

/// A file of SQLite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqliteConfig {
    /// The file, relative to the project.
    pub path: String,
    /// How many connections are kept open for the next queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_idle_connections: Option<u32>,
}

impl SqliteConfig {
    /// How many connections are kept open for the next queries.
    pub fn max_idle_connections(&self) -> usize {
        self.max_idle_connections.unwrap_or(CONNECTIONS).max(1) as usize
    }
}

/// What `qtool.yaml` may say of a database: the keys of all types. Which of them a type has is checked with their places.
#[derive(JsonSchema)]
#[schemars(rename = "SourceConfig", deny_unknown_fields)]
#[allow(
    dead_code,
    reason = "the schema of `SourceConfig`: a list of alternatives would tell mistakes in the words of all"
)]
struct SourceKeys {
    /// What the database is.
    #[schemars(rename = "type")]
    ty: DatabaseKind,
    /// SQLite: the file, relative to the project.
    #[schemars(length(min = 1))]
    #[schemars(extend("x-keep" = "say where the file lies, relative to the project: `path: data/shop.sqlite`"))]
    path: Option<String>,
    /// SQLite: how many connections are kept open for the next queries. Default: 16.
    #[schemars(range(min = 1, max = 200))]
    #[schemars(extend("x-expected" = "a whole number from 1 to 200"))]
    max_idle_connections: Option<u32>,
}

impl SourceConfig {
    /// What kind of database it is.
    pub fn kind(&self) -> DatabaseKind {
        match self {
            SourceConfig::Sqlite(_) => DatabaseKind::Sqlite,
        }
    }

    /// The file that the data lies in, as it is written; `None` where a server has it.
    pub fn local_path(&self) -> Option<&str> {
        match self {
            SourceConfig::Sqlite(sqlite) => Some(&sqlite.path),
        }
    }
}

impl JsonSchema for SourceConfig {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        SourceKeys::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SourceKeys::json_schema(generator)
    }
}
