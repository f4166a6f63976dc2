//! The body of a tool that is made of tables: what it does, and what is known of them.

use crate::project::TableToolKind;
use crate::ty::Type;
use serde::{Deserialize, Serialize};

/// What a tool does with a set of tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSet {
    /// What it does.
    pub does: TableToolKind,
    /// The tables, in the order in which they are told.
    pub described: Vec<DescribedTable>,
}

/// A table as agents are told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedTable {
    /// The name.
    pub name: String,
    /// What a row is.
    pub description: String,
    /// The columns that it had when the tool was compiled. Columns of types that cannot be returned are left out.
    pub columns: Vec<DescribedColumn>,
}

/// A column of such a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribedColumn {
    /// The name.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Whether values may be null.
    pub nullable: bool,
    /// What the values mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl TableSet {
    /// The table of that name.
    pub fn table(&self, name: &str) -> Option<&DescribedTable> {
        self.described.iter().find(|table| table.name == name)
    }

    /// The names of the columns of all tables, each once, in the order of the tables.
    pub fn column_names(&self) -> Vec<&str> {
        distinct(self.described.iter().flat_map(DescribedTable::column_names))
    }

    /// The names of the columns of all tables that rows can be sorted by, likewise.
    pub fn sortable_column_names(&self) -> Vec<&str> {
        distinct(self.described.iter().flat_map(DescribedTable::sortable_column_names))
    }

    /// The names of the columns of all tables that texts are looked for in, likewise.
    pub fn text_column_names(&self) -> Vec<&str> {
        distinct(self.described.iter().flat_map(DescribedTable::text_column_names))
    }
}

impl DescribedTable {
    /// The names of its columns.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The names of its columns that texts are looked for in.
    pub fn text_column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(|column| column.is_text()).map(|column| column.name.as_str())
    }

    /// The names of its columns that rows can be sorted by.
    pub fn sortable_column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(|column| column.can_be_sorted()).map(|column| column.name.as_str())
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&DescribedColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

impl DescribedColumn {
    /// Whether texts are looked for in it.
    pub fn is_text(&self) -> bool {
        self.ty == Type::Text
    }

    /// Whether rows can be sorted by it.
    pub fn can_be_sorted(&self) -> bool {
        !matches!(self.ty, Type::List(_) | Type::Struct(_) | Type::Map(..) | Type::Json | Type::Interval | Type::Bytea)
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    names.filter(|name| seen.insert(*name)).for_each(|name| all.push(name));
    all
}
