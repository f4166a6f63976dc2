//! What inference needs of a project beside the query.

use crate::infer::Context;
use crate::project::Project;

/// Tells the primary key of a table: the declared one, or that of its database.
pub(super) fn primary_keys(project: &Project) -> impl Fn(&str) -> Vec<String> {
    |table| {
        let source = project.file.tables.get(table);
        source.map(|source| source.known_key(project.catalog.tables.get(table))).unwrap_or_default()
    }
}

/// The names of the queries of a project, sorted.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Those that can be selected from.
    pub queries: Vec<String>,
    /// Those that cannot: statements in a database's own SQL.
    pub statements: Vec<String>,
}

/// The context of the queries of a project.
pub(super) fn context<'a>(
    project: &'a Project,
    names: &'a Names,
    primary_keys: &'a dyn Fn(&str) -> Vec<String>,
) -> Context<'a> {
    Context {
        catalog: &project.catalog,
        queries: &names.queries,
        statements: &names.statements,
        allowed_values: &project.allowed_values,
        file: &project.file,
        sources: &project.sources,
        primary_keys,
    }
}
