//! `table_tools` of `qtool.yaml`: tools that are made of a set of tables, without a query.

use super::{ResultLimit, Timeout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tools over a set of tables: what there is, how it looks, its rows, what is found in it, and SQL over it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableToolsConfig {
    /// The tables, by name. Each has a `description`.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub tables: Vec<String>,
    /// Which tools there are. Default: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub tools: Option<Vec<TableToolKind>>,
    /// Most rows a call may return. Default: that of `defaults`, else 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<ResultLimit>,
    /// What a caller's token must be good for: without all of these the tools are neither listed nor callable over HTTP.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    #[schemars(extend("x-keep" = "say which scopes a caller needs: without `scopes` every caller sees and calls them"))]
    pub scopes: Vec<String>,
    /// Words to group tools by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(length(min = 1)))]
    pub tags: Vec<String>,
    /// How long a call may take, e.g. `10s`. Default: that of `defaults`, else 30s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
}

/// What a tool does with its set of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableToolKind {
    /// Lists the columns of the tables.
    Schema,
    /// Says how the values of each column look.
    Profile,
    /// Returns rows of a table.
    Read,
    /// Counts the rows that a text is found in, by table and column.
    SearchSummary,
    /// Returns the rows that a text is found in, with the place in each.
    SearchContent,
    /// Runs one SELECT that the agent has written.
    Analyze,
}

impl TableToolKind {
    /// Every kind, in the order in which they are documented.
    pub const ALL: [TableToolKind; 6] = [
        TableToolKind::Schema,
        TableToolKind::Profile,
        TableToolKind::Read,
        TableToolKind::SearchSummary,
        TableToolKind::SearchContent,
        TableToolKind::Analyze,
    ];

    /// The word for it in `qtool.yaml`, and behind the prefix of a tool's name.
    pub fn as_str(self) -> &'static str {
        match self {
            TableToolKind::Schema => "schema",
            TableToolKind::Profile => "profile",
            TableToolKind::Read => "read",
            TableToolKind::SearchSummary => "search_summary",
            TableToolKind::SearchContent => "search_content",
            TableToolKind::Analyze => "analyze",
        }
    }

    /// Whether it looks for texts, so that a table without any is of no use to it.
    pub fn is_search(self) -> bool {
        matches!(self, TableToolKind::SearchSummary | TableToolKind::SearchContent)
    }

    /// Whether it returns values of a column: one of texts, or one of the primary key.
    pub fn shows(self, is_text: bool, is_key: bool) -> bool {
        match self {
            TableToolKind::Schema | TableToolKind::SearchSummary => false,
            TableToolKind::SearchContent => is_text || is_key,
            TableToolKind::Profile | TableToolKind::Read | TableToolKind::Analyze => true,
        }
    }

    /// The name of the tool of a set.
    pub fn tool_name(self, prefix: &str) -> String {
        format!("{prefix}_{}", self.as_str())
    }
}

impl TableToolsConfig {
    /// The kinds that are asked for, each once.
    pub fn kinds(&self) -> Vec<TableToolKind> {
        match &self.tools {
            Some(named) => TableToolKind::ALL.into_iter().filter(|kind| named.contains(kind)).collect(),
            None => TableToolKind::ALL.to_vec(),
        }
    }

    /// The tables, each once.
    pub fn distinct_tables(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::with_capacity(self.tables.len());
        for name in &self.tables {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_set_says_as_little_as_its_tables() {
        let set: TableToolsConfig = serde_json::from_value(json!({"tables": ["a", "b", "a"]})).unwrap();
        assert_eq!(set.kinds(), TableToolKind::ALL);
        assert_eq!(set.distinct_tables(), ["a", "b"]);
        assert_eq!(serde_json::to_value(&set).unwrap(), json!({"tables": ["a", "b", "a"]}));
    }

    #[test]
    fn kinds_are_written_as_they_are_read() {
        for kind in TableToolKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), json!(kind.as_str()));
        }
        let set: TableToolsConfig =
            serde_json::from_value(json!({"tables": ["a"], "tools": ["read", "schema", "read"]})).unwrap();
        assert_eq!(set.kinds(), [TableToolKind::Schema, TableToolKind::Read]);
    }
}
