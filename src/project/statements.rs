//! Queries in a database's own SQL: what is to be asked of the database, and what it said.

use crate::catalog::StatementAnswer;
use crate::source::{FileId, Span};
use crate::ty::Type;
use std::collections::HashMap;

/// What databases say of such queries, by query file; or why a database refuses the statement.
pub type PreparedStatements = HashMap<FileId, Result<StatementAnswer, RefusedStatement>>;

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
    /// The parameters that they take, in the order of their numbers.
    pub parameters: Vec<AskedParameter>,
    /// Whether they take a limit behind those.
    pub is_limited: bool,
    /// The columns of the result whose types the header declares.
    pub columns: Vec<(String, Type)>,
    /// Whether the columns of the result may be nulls only where those of the tables are.
    pub keeps_not_null: bool,
    /// What is asked besides of one that changes data: then there is a text for each of its statements.
    pub change: Option<AskedChange>,
    /// The statements that make the table of records, where it changes those of a folder: no database has them.
    pub image: Option<String>,
}

/// What a database is asked about a statement that changes data, beside what it is asked about all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedChange {
    /// The parameters that each of the texts takes, in the order of their numbers.
    pub parameters: Vec<Vec<AskedParameter>>,
    /// The tables that are written into, by the parts of their names there, each once.
    pub tables: Vec<Vec<String>>,
    /// The table that the keys of its calls are kept in, by the parts of its name there, where they are.
    pub keys: Option<Vec<String>>,
    /// Whether the last text gives rows.
    pub gives_rows: bool,
    /// The table that the last text writes into, where its rows are those of that table.
    pub returned_of: Option<Vec<String>>,
    /// The columns of that result that show columns of that table as they are; `*` for all of them.
    pub returned: Vec<String>,
}

impl UnpreparedStatement {
    /// What is asked about one of the texts.
    pub fn of_text(&self, at: usize) -> UnpreparedStatement {
        let Some(change) = &self.change else { return self.clone() };
        let parameters = change.parameters.get(at).cloned().unwrap_or_default();
        let is_last = at + 1 == self.texts.len();
        let change = AskedChange { gives_rows: change.gives_rows && is_last, ..change.clone() };
        UnpreparedStatement { parameters, change: Some(change), ..self.clone() }
    }

    /// How many values the texts take.
    pub fn values(&self) -> usize {
        self.parameters.len() + usize::from(self.is_limited)
    }
}

/// A parameter that a database is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedParameter {
    /// Its name.
    pub name: String,
    /// Whether it is the list behind `IN`.
    pub is_list: bool,
    /// The type that is declared of it, where one is.
    pub declared: Option<Type>,
}

/// A column of a type that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignColumn {
    /// Its name.
    pub name: String,
    /// Its type, in the words of the database.
    pub ty: String,
    /// What is declared of it, where that does not fit.
    pub declared: Option<Type>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedStatement {
    /// The database refuses the statement, or it is none that may run.
    Statement {
        /// Why, in words for its author.
        why: String,
        /// The word of the text that it is about, where the database points at one.
        word: Option<String>,
    },
    /// Columns of the result are of types that are not read.
    Columns(Vec<ForeignColumn>),
    /// It has other columns with other choices: which.
    Choices(String),
    /// The database cannot be asked: why.
    Source(String),
}
