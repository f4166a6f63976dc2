//! What inference needs of a project beside the query.

use crate::infer::Context;
use crate::project::Project;

/// Tells the declared primary key of a table.
pub(super) fn primary_keys(project: &Project) -> impl Fn(&str) -> Vec<String> {
    |table| project.file.tables.get(table).map(|source| source.primary_key().to_vec()).unwrap_or_default()
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
