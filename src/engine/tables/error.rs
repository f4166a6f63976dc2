//! What is wrong with a table, told to its author at the place in `qtool.yaml` that it is about.

use crate::diagnostic::{Diagnostic, codes};
use crate::load;
use crate::project::{ColumnSource, Project};
use crate::ty::Type;
use std::fmt;

/// What went wrong with a table, for its author. A message is one line, lowercase, without a full stop; it may name the
/// path as `qtool.yaml` writes it, never an absolute path or a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// Nothing lies there, or nothing that the pattern matches.
    NotFound {
        /// The path as written.
        path: String,
    },
    /// The same, where something of a similar name lies.
    Misspelt {
        /// The path as written.
        path: String,
        /// The path that was probably meant.
        near: String,
    },
    /// The path, or a file below it, lies outside the folders that tables may lie in.
    OutsideRoots {
        /// The path as written.
        path: String,
    },
    /// The data cannot be read, or does not have the declared types.
    Unreadable {
        /// The whole message.
        message: String,
    },
    /// The database that it lies in cannot be reached or opened.
    SourceDown {
        /// The database.
        source: String,
        /// Why.
        why: String,
    },
    /// The database has no such table.
    NoSuchTable {
        /// The database.
        source: String,
        /// The table there.
        table: String,
        /// One of a similar name.
        near: Option<String>,
    },
    /// What is declared does not fit the table's format or data.
    InvalidOption {
        /// The key below the table, with dots: `delimiter`, `columns.speed`. `roots` is a key of the project.
        option: String,
        /// The whole message.
        message: String,
    },
}

impl TableError {
    /// The message, on one line.
    pub fn message(&self) -> String {
        match self {
            TableError::NotFound { path } | TableError::Misspelt { path, .. } => format!("no file found at `{path}`"),
            TableError::OutsideRoots { path } => format!("`{path}` leads out of the folders that tables may lie in"),
            TableError::SourceDown { source, why } => format!("source `{source}` cannot be read: {why}"),
            TableError::NoSuchTable { source, table, .. } => format!("source `{source}` has no table `{table}`"),
            TableError::Unreadable { message } | TableError::InvalidOption { message, .. } => message.clone(),
        }
    }

    pub(in crate::engine) fn option(option: impl Into<String>, message: impl Into<String>) -> TableError {
        TableError::InvalidOption { option: option.into(), message: message.into() }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for TableError {}

/// A table's error as a diagnostic, at the place in `qtool.yaml` that it is about.
pub fn diagnostic(project: &Project, table: &str, error: &TableError) -> Diagnostic {
    let path = load::table_path_span(project, table);
    let diagnostic = match error {
        TableError::OutsideRoots { path: written } => {
            return match project.file.tables.get(table).and_then(|table| table.source()) {
                Some(source) => source_diagnostic(project, source, error),
                None => codes::path_outside_roots(path, written),
            };
        }
        TableError::SourceDown { source, .. } => return source_diagnostic(project, source, error),
        TableError::NoSuchTable { source, near, .. } => {
            let diagnostic = codes::unreadable_table(path, table, &error.message());
            return match near {
                Some(near) if project.document.has(&["tables", table, "table"]) => {
                    diagnostic.fix("a table with a similar name exists", path, near.clone())
                }
                Some(near) => diagnostic.help(format!("a table with a similar name exists: `table: {near}`")),
                None => diagnostic.help(format!("`qtool describe --source {source}` shows the tables that there are")),
            };
        }
        TableError::InvalidOption { option, message } if option == "path" => {
            codes::invalid_table_option(path, table, message)
        }
        TableError::InvalidOption { option, message } => {
            let place = load::table_option_span(project, table, option);
            with_type(codes::invalid_table_option(place, table, message), project, table, option)
        }
        error => codes::unreadable_table(path, table, &error.message()),
    };
    let written = project.sources.get(path.file).map(|file| file.slice(path)).unwrap_or_default();
    if let TableError::Misspelt { path: whole, near } = error {
        let help = "a file with a similar name exists";
        // What stands in quotes may need them, and what holds a variable is another text.
        let bare = written.trim_matches(['"', '\'']);
        let is_whole = bare == whole;
        return match is_whole {
            true => diagnostic.fix(help, path, written.replacen(bare, near, 1)),
            false => diagnostic.help(format!("{help}: `{near}`")),
        };
    }
    codes::of_database(diagnostic, written)
}

/// What is wrong with a database, at the place in `qtool.yaml` where it says how it is opened.
pub fn source_diagnostic(project: &Project, source: &str, error: &TableError) -> Diagnostic {
    let is_written = |key: &&str| project.document.has(&["sources", source, key]);
    let key = ["path", "url_env", "host"].into_iter().find(is_written);
    let place = match key {
        Some(key) => project.document.value_span(&["sources", source, key]),
        None => project.document.key_span(&["sources", source]),
    };
    match error {
        TableError::OutsideRoots { path } => codes::path_outside_roots(place, path),
        TableError::SourceDown { why, .. } => codes::unreadable_source(place, source, why),
        other => codes::unreadable_source(place, source, &other.message()),
    }
}

/// Adds the type that was probably meant by that of a column.
fn with_type(diagnostic: Diagnostic, project: &Project, table: &str, option: &str) -> Diagnostic {
    let declared = option.strip_prefix("columns.").and_then(|column| {
        let source = project.file.tables.get(table)?.columns().get(column)?;
        let unknown = Type::parse(source.ty()?).err()?;
        let path = ["tables", table, "columns", column, "type"];
        let path = path.get(..if matches!(source, ColumnSource::Full(_)) { 5 } else { 4 })?;
        Some(codes::unknown_type(project.document.value_span(path), &unknown))
    });
    let Some(told) = declared else { return diagnostic };
    Diagnostic { helps: told.helps, notes: told.notes, ..diagnostic }
}
