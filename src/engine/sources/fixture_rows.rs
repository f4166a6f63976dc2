//! Rows that stand in for those of a table in a database, where statements in its own SQL are tested.

use serde_json::Value;

/// The rows of a table.
#[derive(Debug, Clone)]
pub struct FixtureRows {
    /// The table, by its name there.
    pub table: String,
    /// Its rows: what is left out is what the column has by itself.
    pub rows: Vec<Vec<FixtureCell>>,
}

/// Why there is no copy of a database with rows in the place of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FixtureError {
    /// It cannot be copied.
    NoCopy(String),
    /// The database refuses a row.
    Row {
        /// Which of the tables, as they were given.
        table: usize,
        /// Which of its rows.
        row: usize,
        /// Why, in the words of the database.
        why: String,
    },
}

/// A value of a row.
#[derive(Debug, Clone)]
pub struct FixtureCell {
    /// The column, by its name there.
    pub column: String,
    /// The value, as JSON has it.
    pub value: Value,
    /// Whether the column holds bytes, whose text is Base64.
    pub is_binary: bool,
}
