//! The plain HTTP API as an OpenAPI document, version 3.1.1 (<https://spec.openapis.org/oas/v3.1.1.html>): one path per
//! tool.

mod responses;

use super::about::About;
use super::client::names::{self, Names};
use super::{example, http_api, mcp};
use crate::tool::Contract;
use serde_json::{Map, Value, json};

/// The formats of rows beside JSON, with what is said of them where they are text.
///
/// A binary body has no schema (OpenAPI 3.1, "Working with Binary Data").
const FORMATS: [(&str, Option<&str>); 4] = [
    ("text/csv", Some("A line of column names, then a line per row.")),
    ("application/x-ndjson", Some("A JSON object per line, each as in `rows`.")),
    ("application/vnd.apache.arrow.stream", None),
    ("application/vnd.apache.parquet", None),
];

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// The OpenAPI document of the tools. `GET /tools` and `GET /openapi.json` are in it too.
pub fn document(about: &About<'_>, tools: &[Contract]) -> Value {
    let tools: Vec<Contract> = tools.iter().map(http_api::plain_contract).collect();
    let mut schemas = responses::schemas();
    let mut paths = Map::new();
    paths.insert("/tools".to_owned(), json!({"get": responses::list_of_tools(about)}));
    paths.insert("/openapi.json".to_owned(), json!({"get": responses::own_document(about)}));
    for (tool, names) in tools.iter().zip(names::names_of(&tools)) {
        add_schemas(tool, &names, &mut schemas);
        paths.insert(format!("/tools/{}", tool.name), json!({"post": operation(about, tool, &names)}));
    }
    let mut components = json!({"schemas": schemas, "responses": responses::failures(about)});
    let mut document = json!({
        "openapi": "3.1.1",
        "info": info(about),
        "servers": [{"url": "/", "description": "The server that this document comes from."}],
        "tags": tags(&tools),
        "paths": paths,
    });
    if about.authenticated {
        set(&mut components, "securitySchemes", json!({BEARER: {"type": "http", "scheme": "bearer"}}));
        set(&mut document, "security", json!([{BEARER: []}]));
    }
    set(&mut document, "components", components);
    document
}

fn info(about: &About<'_>) -> Value {
    // The version is required.
    let mut info = json!({"title": about.name, "version": about.version.unwrap_or("0.0.0")});
    if let Some(description) = about.description {
        set(&mut info, "description", description.into());
    }
    info
}

/// The tags of all tools, in the order of first use.
fn tags(tools: &[Contract]) -> Vec<Value> {
    let mut tags: Vec<&String> = Vec::new();
    for tag in tools.iter().flat_map(|tool| &tool.tags) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags.into_iter().map(|tag| json!({"name": tag})).collect()
}

fn operation(about: &About<'_>, tool: &Contract, names: &Names) -> Value {
    let mut body = json!({"schema": schema_ref(&format!("{}Arguments", names.pascal))});
    // No body is no arguments.
    let is_required = mcp::input_schema(tool).get("required").is_some();
    if let Some(arguments) = example::arguments(tool) {
        set(&mut body, "example", arguments.into());
    }
    let mut content = json!({"application/json": {"schema": schema_ref(&format!("{}Result", names.pascal))}});
    for (format, words) in FORMATS {
        let schema = words.map(|words| json!({"schema": {"type": "string", "description": words}}));
        set(&mut content, format, schema.unwrap_or_else(|| json!({})));
    }
    let mut operation = json!({"operationId": tool.name, "summary": tool.title});
    if let Some(description) = &tool.description {
        set(&mut operation, "description", description.clone().into());
    }
    if tool.alias_of.is_some() {
        set(&mut operation, "deprecated", true.into());
    }
    if !tool.tags.is_empty() {
        set(&mut operation, "tags", tool.tags.clone().into());
    }
    if about.authenticated && !tool.scopes.is_empty() {
        set(&mut operation, "security", json!([{BEARER: tool.scopes}]));
    }
    set(&mut operation, "requestBody", json!({"required": is_required, "content": {"application/json": body}}));
    set(
        &mut operation,
        "responses",
        responses::of_call(
            about,
            json!({"description": "The rows.", "headers": responses::headers(), "content": content}),
        ),
    );
    operation
}

/// The arguments, the rows and the result of a tool, each under a name of its own for those who make code of them.
fn add_schemas(tool: &Contract, names: &Names, schemas: &mut Map<String, Value>) {
    let pascal = &names.pascal;
    let mut arguments = mcp::input_schema(tool);
    if tool.schema().is_some() {
        without_foreign_references(&mut arguments);
    }
    let mut result = http_api::result_schema(tool);
    let mut row_schema = http_api::row_schema(tool);
    let definitions = result.as_object_mut().and_then(|result| result.shift_remove("$defs"));
    if definitions.is_some() {
        without_foreign_references(&mut result);
        without_foreign_references(&mut row_schema);
    }
    let row = format!("{pascal}Row");
    if let Some(items) = result.pointer_mut("/properties/rows/items") {
        *items = schema_ref(&row);
    }
    if let Some(columns) = result.pointer_mut("/properties/table_schema") {
        *columns = schema_ref("TableSchema");
    }
    schemas.insert(format!("{pascal}Arguments"), arguments);
    schemas.insert(row, row_schema);
    schemas.insert(format!("{pascal}Result"), result);
}

/// A schema of a tool that is written in Rust, or that a manifest has for its documents, can refer to its own definitions, which are
/// not in this document.
fn without_foreign_references(schema: &mut Value) {
    match schema {
        Value::Object(map) if map.get("$ref").is_some_and(Value::is_string) => map.clear(),
        Value::Object(map) => map.values_mut().for_each(without_foreign_references),
        Value::Array(items) => items.iter_mut().for_each(without_foreign_references),
        _ => {}
    }
}

fn schema_ref(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn set(object: &mut Value, key: &str, value: Value) {
    if let Some(map) = object.as_object_mut() {
        map.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::client::fixture;
    use std::collections::HashSet;

    const ABOUT: About<'_> = About { name: "flights", version: Some("1.0.0"), description: None, authenticated: true };

    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str));
                map.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_to_a_part_of_the_document() {
        let document = document(&ABOUT, &fixture::tools());
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.contains(&"#/components/schemas/LateFlightsRow"));
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
    }

    #[test]
    fn operations_and_schemas_of_all_tools_are_told_apart() {
        let tools = fixture::tools();
        let document = document(&ABOUT, &tools);
        let operations = document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap());
        let ids: Vec<&str> = operations.map(|(_, operation)| operation["operationId"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        assert_eq!(ids.len(), tools.len() + 2);
        let rows = document["components"]["schemas"].as_object().unwrap().keys().filter(|key| key.ends_with("Row"));
        assert_eq!(rows.count(), tools.len());
    }

    #[test]
    fn a_token_is_asked_for_where_the_server_asks_for_one() {
        let tools = [fixture::tool("constraints")];
        let closed = document(&ABOUT, &tools);
        assert_eq!(closed["security"], json!([{"bearer": []}]));
        assert_eq!(closed["paths"]["/tools/constraints"]["post"]["security"], json!([{"bearer": ["read:things"]}]));
        assert!(closed["paths"]["/tools/constraints"]["post"]["responses"].get("401").is_some());
        let open = document(&About { authenticated: false, ..ABOUT }, &tools).to_string();
        assert!(!open.contains("bearer") && !open.contains("\"401\""));
    }
}
