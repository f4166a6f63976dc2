//! Queries in a database's own SQL: what is to be asked of the database, and what it said.

use crate::catalog::StatementColumn;
use crate::source::{FileId, Span};
use std::collections::HashMap;

/// What databases say of the columns of such queries, by query file; or why a database refuses the statement.
pub type PreparedStatements = HashMap<FileId, Result<Vec<StatementColumn>, RefusedStatement>>;

/// A query that its database has not been asked about yet, or whose locked answer is of another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpreparedStatement {
    /// The query file.
    pub file: FileId,
    /// Where the header names the database.
    pub place: Span,
    /// The name of the query.
    pub name: String,
    /// The database: a name of `sources`.
    pub source: String,
    /// The hash of all that the answer depends on.
    pub hash: String,
    /// The texts that are prepared: one for each combination of choices, with all optional clauses.
    pub texts: Vec<String>,
    /// How many values they take.
    pub values: usize,
    /// Whether the columns of the result may be nulls only where those of the tables are.
    pub keeps_not_null: bool,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedStatement {
    /// The database refuses the statement, or it is none that may run: why, in words for its author.
    Statement(String),
    /// It has other columns with other choices: which.
    Choices(String),
    /// The database cannot be asked: why.
    Source(String),
}
