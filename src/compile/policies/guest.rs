//! The project that a policy is compiled in: its table, and one query.

use super::policy_text::PolicyText;
use crate::catalog::Catalog;
use crate::project::{Project, ProjectFile, QueryFile};
use crate::source::Sources;
use crate::yaml::Document;
use serde_json::json;
use std::collections::HashMap;

/// What the query is called, where the table has another name.
const NAME: &str = "policy";

/// The project; `None` where there is no such table.
pub(super) fn project_of_policy(project: &Project, table: &str, text: &PolicyText) -> Option<Project> {
    let name = if table == NAME { "policy_2" } else { NAME };
    let mut sources = Sources::default();
    let yaml = sources.add("qtool.yaml", "");
    let file = sources.add(format!("queries/{name}.sql"), text.text.sql.as_str());
    let sidecar = sources.add(format!("queries/{name}.yaml"), text.settings.as_str());
    let place = sources.get(yaml)?.whole();
    let query = QueryFile {
        file,
        sidecar: Some(sidecar),
        is_refused: false,
        stem: name.to_owned(),
        relatives: Default::default(),
    };
    // A table of files, wherever it lies: the SQL of a policy is that of every query.
    let written = json!({"name": NAME, "time_zone": project.file.time_zone, "tables": {table: {"path": table}}});
    let file: ProjectFile = serde_json::from_value(written).ok()?;
    let schema = project.catalog.tables.get(table)?.clone();
    Some(Project {
        sources,
        file,
        document: Document::empty(place),
        queries: vec![query],
        prompts: Vec::new(),
        catalog: Catalog { tables: [(table.to_owned(), schema)].into_iter().collect() },
        allowed_values: HashMap::new(),
        statements: HashMap::new(),
        records: Default::default(),
    })
}
