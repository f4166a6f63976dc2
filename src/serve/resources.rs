//! The project and its tables as MCP resources: what an agent looks at before it chooses a tool.
//!
//! A caller sees the tables that its tools read, and of their rows only as many as the project allows. Of a table that
//! a tool reads for its caller alone, no rows are shown and none are counted. Where the data lies is not told.

use crate::catalog::{Catalog, Column, Table};
use crate::name;
use crate::project::{ColumnPolicy, ColumnSource, PolicyConfig, ProjectFile, ResourcesConfig, TableSource};
use crate::tool::Tool;
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The resource of the project itself.
const PROJECT: &str = "qtool://project";
/// The beginning of the resource of every table.
const TABLES: &str = "qtool://tables/";
const MIME_TYPE: &str = "application/json";

/// What resources need of the data.
pub trait TableData: Send + Sync {
    /// The number of rows of a table; `None` where it is not known or not to be had cheaply.
    fn row_count(&self, table: &str) -> impl Future<Output = Option<u64>> + Send;

    /// What is to be said of the rows that were counted or shown: what of the data could not be read.
    fn note(&self, table: &str) -> Option<String>;

    /// So many rows of a table at most, each as a JSON object; `None` where they cannot be read.
    fn sample(&self, table: &str, rows: u8) -> impl Future<Output = Option<Vec<Value>>> + Send;
}

/// The resources of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resources {
    name: String,
    description: Option<String>,
    tools: Vec<String>,
    tables: Vec<TableResource>,
    sample_rows: u8,
}

/// What is told of the project.
#[derive(Serialize)]
struct ProjectNow<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    tables: Vec<&'a str>,
    tools: Vec<&'a str>,
}

/// What is told of a table, whatever its rows are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TableResource {
    #[serde(skip)]
    uri: String,
    /// The tools that read it.
    #[serde(skip)]
    readers: Vec<String>,
    /// Whether one of them reads it for its caller alone.
    #[serde(skip)]
    is_personal: bool,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    columns: Vec<ColumnResource>,
    primary_key: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ColumnResource {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    nullable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// A table with what its data says now.
#[derive(Serialize)]
struct TableNow<'a> {
    #[serde(flatten)]
    table: &'a TableResource,
    row_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_rows: Option<Vec<Value>>,
    /// What is not among the rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Resources {
    /// The resources of a project with these tools; `None` where it is to have none.
    pub fn new(config: &ResourcesConfig, file: &ProjectFile, catalog: &Catalog, tools: &[Tool]) -> Option<Resources> {
        if !config.enabled {
            return None;
        }
        let table = |(name, source): (&String, &TableSource)| {
            let readers: Vec<&Tool> = tools.iter().filter(|tool| tool.contract.tables.contains(name)).collect();
            let schema = catalog.tables.get(name)?;
            (!readers.is_empty()).then(|| table((name, source, schema), file.policies.get(name), &readers))
        };
        Some(Resources {
            name: file.name.clone(),
            description: file.description.as_deref().map(trimmed),
            tools: tools.iter().map(|tool| tool.contract.name.clone()).collect(),
            tables: file.tables.iter().filter_map(table).collect(),
            sample_rows: config.sample_rows,
        })
    }

    /// The resources of a caller who may call these tools: the project, then the tables in the order of `qtool.yaml`.
    pub fn list(&self, callable: &HashSet<String>) -> Vec<Resource> {
        let project = Resource::new(PROJECT, "project")
            .with_title(self.name.clone())
            .with_description("What the project is for, its tables and its tools.")
            .with_mime_type(MIME_TYPE);
        let listed = |table: &TableResource| {
            let resource = Resource::new(table.uri.clone(), table.name.clone()).with_mime_type(MIME_TYPE);
            match &table.description {
                Some(description) => resource.with_description(description.clone()),
                None => resource,
            }
        };
        std::iter::once(project).chain(self.visible(callable).map(listed)).collect()
    }

    /// What a resource holds, for a caller who may call these tools.
    ///
    /// Errors: resource not found, which the SDK sends as `-32602` to clients of 2026-07-28 and as `-32002` to older
    /// ones, as their protocols have it.
    pub async fn read<D: TableData>(
        &self,
        uri: &str,
        callable: &HashSet<String>,
        data: &D,
    ) -> Result<ReadResourceResult, ErrorData> {
        let text = if uri == PROJECT {
            serde_json::to_string(&self.project(callable))
        } else {
            let table = self.table(uri, callable).ok_or_else(|| self.not_found(uri, callable))?;
            let row_count = if table.is_personal { None } else { data.row_count(&table.name).await };
            let sample_rows = match self.sample_rows {
                most if most > 0 && !table.is_personal => data.sample(&table.name, most).await,
                _ => None,
            };
            let has_rows = row_count.is_some() || sample_rows.is_some();
            let note = if has_rows { data.note(&table.name) } else { None };
            serde_json::to_string(&TableNow { table, row_count, sample_rows, note })
        };
        let text = text.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let contents = ResourceContents::text(text, uri).with_mime_type(MIME_TYPE);
        Ok(ReadResourceResult::new(vec![contents]))
    }

    fn project(&self, callable: &HashSet<String>) -> ProjectNow<'_> {
        ProjectNow {
            name: &self.name,
            description: self.description.as_deref(),
            tables: self.visible(callable).map(|table| table.name.as_str()).collect(),
            tools: self.tools.iter().filter(|tool| callable.contains(*tool)).map(String::as_str).collect(),
        }
    }

    fn visible<'a>(&'a self, callable: &HashSet<String>) -> impl Iterator<Item = &'a TableResource> {
        self.tables.iter().filter(move |table| table.readers.iter().any(|tool| callable.contains(tool)))
    }

    /// The table of a URI, whether its name is percent-encoded or not.
    fn table(&self, uri: &str, callable: &HashSet<String>) -> Option<&TableResource> {
        let written = uri.strip_prefix(TABLES)?;
        self.visible(callable).find(|table| table.uri == uri || table.name == written)
    }

    fn not_found(&self, uri: &str, callable: &HashSet<String>) -> ErrorData {
        let names = self.visible(callable).map(|table| table.name.as_str());
        let near = uri.strip_prefix(TABLES).and_then(|name| name::nearest(name, names));
        let near = near.and_then(|near| self.tables.iter().find(|table| table.name == near));
        not_found(uri, near.map(|near| near.uri.as_str()))
    }
}

/// Says that there is no resource of a URI, and which is meant.
pub(super) fn not_found(uri: &str, near: Option<&str>) -> ErrorData {
    let shown: String = uri.chars().take(100).collect();
    let message = match near {
        Some(near) => format!("resource not found: {shown}; did you mean {near}?"),
        None => format!("resource not found: {shown}"),
    };
    ErrorData::resource_not_found(message, Some(json!({"uri": shown})))
}

fn table(
    (name, source, schema): (&str, &TableSource, &Table),
    policy: Option<&PolicyConfig>,
    readers: &[&Tool],
) -> TableResource {
    let of_policy = |column: &str| policy.and_then(|policy| policy.columns.get(column));
    let is_seen = |column: &str| of_policy(column) != Some(&ColumnPolicy::Deny);
    let is_personal =
        readers.iter().any(|tool| tool.contract.parameters().iter().any(|parameter| parameter.from.is_some()));
    let mut primary_key = source.known_key(Some(schema));
    // What is no longer what it was tells no rows apart.
    if primary_key.iter().any(|column| of_policy(column).is_some()) {
        primary_key.clear();
    }
    let column = |column: &Column| ColumnResource {
        name: column.name.clone(),
        // What has no SQL name has one in Arrow.
        ty: column.ty().map_or_else(|| column.arrow.to_string(), |ty| ty.to_string()),
        nullable: column.nullable,
        description: source.columns().get(&column.name).and_then(ColumnSource::description).map(trimmed),
    };
    // Names are letters, digits and `_`: of those, letters that are not ASCII are encoded.
    let encoded: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    TableResource {
        uri: format!("{TABLES}{encoded}"),
        readers: readers.iter().map(|tool| tool.contract.name.clone()).collect(),
        is_personal: is_personal || policy.is_some(),
        name: name.to_owned(),
        description: source.description().map(trimmed),
        columns: schema.columns.iter().filter(|one| is_seen(&one.name)).map(column).collect(),
        primary_key,
    }
}

fn trimmed(text: &str) -> String {
    text.trim().to_owned()
}

#[cfg(test)]
mod tests;
