//! The project that SQL of an agent is compiled in: the tables of a set, and one query.

use crate::catalog::{Catalog, Column, Table};
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::project::{Project, ProjectFile, QueryFile};
use crate::source::Sources;
use crate::tool::{DescribedColumn, DescribedTable, TableSet};
use crate::yaml::Document;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// What the query is called, as long as no table is called so. Nobody is told of it.
pub(super) const NAME: &str = "sql_of_the_call";

/// The project, and the name of its query.
pub(super) fn project_of_guest(core: &Core, set: &TableSet, sql: &str) -> Result<(Project, String), CallError> {
    let name = free_name(set);
    let mut sources = Sources::default();
    let yaml = sources.add("qtool.yaml", "");
    let file = sources.add(format!("queries/{name}.sql"), sql);
    let place = sources.get(yaml).map(|file| file.whole()).ok_or_else(|| CallError::internal("no text"))?;
    let query = QueryFile::alone(file, name.clone());
    let project = Project {
        sources,
        file: settings(core, set)?,
        document: Document::empty(place),
        queries: vec![query],
        prompts: Vec::new(),
        catalog: catalog(core, set),
        allowed_values: HashMap::new(),
        statements: HashMap::new(),
        records: Default::default(),
        upstreams: Default::default(),
    };
    Ok((project, name))
}

/// A name that no table has: else the query would be one that selects from itself.
fn free_name(set: &TableSet) -> String {
    let mut name = NAME.to_owned();
    while set.described.iter().any(|table| table.name.eq_ignore_ascii_case(&name)) {
        name.push_str("_2");
    }
    name
}

/// What a project says that has these tables: their keys, and the zone.
fn settings(core: &Core, set: &TableSet) -> Result<ProjectFile, CallError> {
    let source = |table: &DescribedTable| {
        let key = core.primary_key(&table.name);
        let is_shown = !key.is_empty() && key.iter().all(|column| table.column(column).is_some());
        let mut source = json!({"path": table.name});
        if let (true, Some(map)) = (is_shown, source.as_object_mut()) {
            map.insert("primary_key".to_owned(), json!(key));
        }
        (table.name.clone(), source)
    };
    let tables: Map<String, Value> = set.described.iter().map(source).collect();
    // A text may look like a placeholder: here it is a text.
    let lints = json!({"quoted-placeholder": "allow"});
    let written = json!({"name": NAME, "time_zone": core.time_zone.as_str(), "tables": tables, "lints": lints});
    serde_json::from_value(written).map_err(|error| CallError::internal(error.to_string()))
}

/// The schemas as the data has them, without columns that the tool does not show.
fn catalog(core: &Core, set: &TableSet) -> Catalog {
    let table = |described: &DescribedTable| {
        let opened = core.opened.get(&described.name)?;
        let now = Arc::clone(opened).table().columns;
        // What stands in the place of a value may be null where the value is not.
        let find = |shown: &DescribedColumn| {
            let column = now.iter().find(|column| column.name == shown.name)?;
            Some(Column { nullable: column.nullable || shown.nullable, ..column.clone() })
        };
        let columns = described.columns.iter().filter_map(find).collect();
        Some((described.name.clone(), Table::of_columns(columns)))
    };
    Catalog { tables: set.described.iter().filter_map(table).collect() }
}
