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

/// The context of the queries of a project. `names` are those that can be selected from, sorted.
pub(super) fn context<'a>(
    project: &'a Project,
    names: &'a [String],
    primary_keys: &'a dyn Fn(&str) -> Vec<String>,
) -> Context<'a> {
    Context {
        catalog: &project.catalog,
        queries: names,
        allowed_values: &project.allowed_values,
        sources: &project.sources,
        primary_keys,
    }
}
