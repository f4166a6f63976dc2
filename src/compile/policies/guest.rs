//! The project that a policy is compiled in: its table, and one query.

use super::policy_text::PolicyText;
use crate::catalog::Catalog;
use crate::project::{Project, ProjectFile};
use serde_json::json;

/// What the query is called, where the table has another name.
const NAME: &str = "policy";

/// The project; `None` where there is no such table.
pub(super) fn project_of_policy(project: &Project, table: &str, text: &PolicyText) -> Option<Project> {
    let name = if table == NAME { "policy_2" } else { NAME };
    // A table of files, wherever it lies: the SQL of a policy is that of every query.
    let written = json!({"name": NAME, "time_zone": project.file.time_zone, "tables": {table: {"path": table}}});
    let file: ProjectFile = serde_json::from_value(written).ok()?;
    let schema = project.catalog.tables.get(table)?.clone();
    let catalog = Catalog { tables: [(table.to_owned(), schema)].into_iter().collect() };
    text.text.project(name, &text.settings, file, catalog)
}
