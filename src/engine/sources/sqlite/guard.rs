//! What a statement that its author has written may do: read tables, and call functions that do nothing but compute.
//!
//! The file is opened for reading alone, and a statement is run only where SQLite says that it writes nothing. This is what
//! stands before both: SQLite asks for each part of a statement when it is prepared.

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization, TransactionOperation};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Functions that reach beyond the database, or into this process.
const FUNCTIONS: [&str; 7] =
    ["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "fsdir", "sqlite_compileoption_get"];

/// What the tables begin with that nobody has made: those that are pragmas, and those in which SQLite keeps what others are.
const NOBODYS: [&str; 2] = ["pragma_", "sqlite_"];

/// Sees to it that a connection refuses all else from now on.
pub(super) fn install(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.authorizer(Some(|context: AuthContext<'_>| allowed(&context)))
}

/// The same, and tells whether something is read through a view or another query.
pub(super) fn install_watching(connection: &mut Connection, through: &Arc<AtomicBool>) -> rusqlite::Result<()> {
    let through = Arc::clone(through);
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        if matches!(context.action, AuthAction::Read { .. }) && context.accessor.is_some() {
            through.store(true, Ordering::Relaxed);
        }
        allowed(&context)
    }))
}

/// The same for statements that change these tables, and no others. What triggers of the database do is the affair of who has
/// made them.
pub(super) fn install_changing(connection: &mut Connection, tables: Vec<String>) -> rusqlite::Result<()> {
    connection.authorizer(Some(move |context: AuthContext<'_>| {
        let is_target = |table: &str| tables.iter().any(|one| one.eq_ignore_ascii_case(table));
        let is_written = match context.action {
            AuthAction::Insert { table_name }
            | AuthAction::Update { table_name, .. }
            | AuthAction::Delete { table_name } => is_target(table_name) || context.accessor.is_some(),
            // Ours, at the end of it.
            AuthAction::Transaction { .. } => true,
            _ => false,
        };
        if is_written { Authorization::Allow } else { allowed(&context) }
    }))
}

fn allowed(context: &AuthContext<'_>) -> Authorization {
    let is_allowed = match context.action {
        AuthAction::Select | AuthAction::Recursive => true,
        AuthAction::Read { table_name, .. } => {
            let begins =
                |prefix: &&str| table_name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
            !NOBODYS.iter().any(begins)
        }
        AuthAction::Function { function_name } => {
            !FUNCTIONS.iter().any(|function| function_name.eq_ignore_ascii_case(function))
        }
        // Ours, around each statement. What an author has written begins with no such word.
        AuthAction::Transaction { operation: TransactionOperation::Begin | TransactionOperation::Rollback } => true,
        // What is asked here, and what the full-text index asks for itself.
        AuthAction::Pragma { pragma_name, pragma_value: None } => {
            ["data_version", "journal_mode"].iter().any(|own| pragma_name.eq_ignore_ascii_case(own))
        }
        _ => false,
    };
    if is_allowed { Authorization::Allow } else { Authorization::Deny }
}
