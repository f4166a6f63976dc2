//! `tables` of `qtool.yaml`: tables that lie in a database.

use super::column_source::ColumnSource;
use super::writable::Writable;
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
    /// What tools may change of it: all (`true`), or some `columns` and `operations`. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writable: Option<Writable>,
    /// Other names for columns, by the names that they have in the database.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub rename: IndexMap<String, String>,
    /// Whether it is a table because its database is included, and has no line of its own.
    #[serde(skip)]
    pub is_included: bool,
}

impl DatabaseSource {
    /// The name in the table of a column that the database calls so.
    pub fn renamed<'a>(&'a self, column: &'a str) -> &'a str {
        self.rename.get(column).map_or(column, String::as_str)
    }

    /// Whether something is said of a column, by the name that it has in the database.
    pub fn speaks_of(&self, column: &str) -> bool {
        let here = self.renamed(column);
        self.rename.contains_key(column)
            || self.columns.contains_key(here)
            || self.primary_key.iter().any(|name| name == here)
    }

    /// The parts of its name there, the last of them the table's: `public.orders`, with quotes around a part that has a point
    /// in it. `name` is the name that it has here.
    pub fn native_name(&self, name: &str) -> Vec<String> {
        self.table.as_deref().map_or_else(|| vec![name.to_owned()], name_parts)
    }
}

/// The parts of a name as it is written: `public.orders`, with quotes around a part that has a point in it.
pub fn name_parts(written: &str) -> Vec<String> {
    let (mut parts, mut part, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = written.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // Two of them are one that is meant so.
            '"' if is_quoted && letters.peek() == Some(&'"') => part.extend(letters.next()),
            '"' if is_quoted || part.is_empty() => is_quoted = !is_quoted,
            '.' if !is_quoted => parts.push(std::mem::take(&mut part)),
            letter => part.push(letter),
        }
    }
    parts.push(part);
    parts
}

/// A name as it is written, with quotes around the parts that need them.
pub fn written_name(parts: &[String]) -> String {
    let part = |part: &String| match part.contains(['.', '"']) {
        true => format!("\"{}\"", part.replace('"', "\"\"")),
        false => part.clone(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_has_parts() {
        let parts = |table: &str| {
            let source = json!({"source": "shop", "table": table});
            DatabaseSource::deserialize(source).unwrap().native_name("t")
        };
        assert_eq!(parts("orders"), ["orders"]);
        assert_eq!(parts("public.orders"), ["public", "orders"]);
        assert_eq!(parts(r#""a.b"."c ""d""#), ["a.b", "c \"d"]);
        assert_eq!(parts(r#"a"b"#), ["a\"b"]);
        for name in [vec!["a.b".to_owned(), "c \"d".to_owned()], vec!["plain".to_owned()]] {
            assert_eq!(name_parts(&written_name(&name)), name);
        }
        let none = DatabaseSource::deserialize(json!({"source": "shop"})).unwrap();
        assert_eq!(none.native_name("t"), ["t"]);
    }
}
