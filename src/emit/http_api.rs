//! A tool as the plain HTTP API has it: `POST /tools/{name}` with an object of arguments.
//!
//! The schemas are those of MCP, but for the format of rows: `Accept` asks for it there, and rows of JSON are objects.

use super::mcp;
use crate::project::{AutomaticParameter, Definition, TableFormat};
use crate::tool::{Contract, Output};
use serde_json::{Value, json};

/// The tool without what its calls over HTTP do not have.
pub(super) fn plain_contract(tool: &Contract) -> Contract {
    let mut plain = tool.clone();
    plain.expose.retain(|automatic| *automatic != AutomaticParameter::TableFormat);
    plain.table_format = TableFormat::Structured;
    plain.definition = Definition::Full;
    plain
}

/// The tool as `GET /tools` lists it: MCP's object, with the arguments and the rows that it has over HTTP.
pub fn definition(tool: &Contract) -> Value {
    let plain = plain_contract(tool);
    let mut definition = mcp::tool(&plain);
    if let (Output::Passed { .. }, Some(all)) = (&plain.output, definition.as_object_mut()) {
        all.insert("outputSchema".to_owned(), result_schema(&plain));
    }
    definition
}

/// What a call answers; `tool` is a [`plain_contract`]. What another server answers is the one row of it.
pub(super) fn result_schema(tool: &Contract) -> Value {
    let Output::Passed { schema } = &tool.output else { return mcp::output_schema(tool) };
    let own = schema.clone().filter(|schema| !refers(schema)).unwrap_or_else(|| json!({"type": "object"}));
    let mut result = mcp::output_schema(&Contract { output: Output::Rows, ..tool.clone() });
    if let Some(row) = result.pointer_mut("/properties/rows/items") {
        *row = own;
    }
    result
}

/// Whether a schema refers to others, which are not where it is put.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.keys().any(|key| key.ends_with("Ref") || key == "$ref") || map.values().any(refers),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

/// The schema of a row; `tool` is a [`plain`] one.
pub(super) fn row_schema(tool: &Contract) -> Value {
    let mut schema = result_schema(tool);
    schema.pointer_mut("/properties/rows/items").map(Value::take).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::client::fixture;
    use crate::tool::Input;

    /// Every reference in a schema leads to a part of it.
    fn dangling(schema: &Value, part: &Value) -> Vec<String> {
        match part {
            Value::Object(map) => {
                let reference = map.get("$ref").and_then(Value::as_str);
                let own = reference.filter(|reference| {
                    reference.strip_prefix('#').is_none_or(|pointer| schema.pointer(pointer).is_none())
                });
                own.map(str::to_owned).into_iter().chain(map.values().flat_map(|part| dangling(schema, part))).collect()
            }
            Value::Array(items) => items.iter().flat_map(|part| dangling(schema, part)).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn the_schema_of_a_tool_in_rust_brings_its_definitions() {
        let mut tool = fixture::tools().remove(0);
        tool.input = Input::Schema(serde_json::json!({
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "$defs": {"Tree": {"type": "object", "properties": {"below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}},
        }));
        let schema = mcp::input_schema(&tool);
        assert!(schema.pointer("/properties/tree").is_some());
        assert_eq!(dangling(&schema, &schema), Vec::<String>::new());
    }

    #[test]
    fn whatever_the_format_of_a_tool_rows_are_objects_and_no_argument_says_otherwise() {
        for tool in fixture::tools() {
            let plain = plain_contract(&tool);
            assert_eq!(row_schema(&plain).get("type"), Some(&Value::from("object")), "{}", tool.name);
            assert_eq!(mcp::input_schema(&plain).pointer("/properties/table_format"), None, "{}", tool.name);
        }
    }
}
