//! Statements in a database's own SQL read no table past its policy: nothing here stands between them and the rows.
//!
//! What such a statement reads is the database's affair: a view, a function, `IN orders` of SQLite, or the statistics of a table
//! show what the statement itself does not name. So where a table of a database has a policy that is held to here alone, there
//! are no such statements over that database.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Project;
use crate::source::Span;
use crate::syntax::NativeStatement;

/// Checks the database that a statement, which stands at `place`, is sent to.
pub(in crate::compile) fn check_statement(
    project: &Project,
    native: &NativeStatement,
    place: Span,
    sink: &mut Diagnostics,
) {
    let source = native.source.value.as_str();
    let is_of_source = |name: &str| project.file.tables.get(name).is_some_and(|table| table.source() == Some(source));
    let policied = project
        .file
        .policies
        .iter()
        .find(|(name, policy)| policy.rewrites() && policy.enforced_by.is_none() && is_of_source(name));
    if let Some((table, _)) = policied {
        let policy = project.document.key_span(&["policies", table]);
        sink.push(codes::statement_past_a_policy(place, (table, source), policy));
    }
}
