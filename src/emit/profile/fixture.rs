//! Tools that tests emit: every type, every constraint, and a tool that is written in Rust.

use crate::emit::mcp;
use crate::tool::{Contract, Input, Output, flat};
use serde_json::{Value, json};

/// A tool with those parameters; what a parameter does not say is as in a query that says nothing.
pub(in crate::emit) fn tool(name: &str, parameters: &[Value]) -> Contract {
    let whole = |given: &Value| {
        let mut parameter =
            json!({"description": null, "required": true, "default": null, "constraints": {}, "examples": []});
        for (key, value) in given.as_object().unwrap() {
            parameter[key] = value.clone();
        }
        parameter
    };
    let all = json!({
        "name": name,
        "title": "A tool",
        "tags": [],
        "parameters": parameters.iter().map(whole).collect::<Value>(),
        "columns": [],
        "views": [],
        "statement": "",
        "placeholders": [],
        "tables": [],
        "result_limit": 100,
        "table_format": "markdown",
        "expose": [],
        "timeout": "30s",
        "count_total": false,
        "strict": false,
        "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
    });
    flat::read(all).unwrap().contract
}

/// A tool that is written in Rust, with the properties of its own schema.
pub(in crate::emit) fn native(properties: Value) -> Contract {
    let input = json!({"type": "object", "properties": properties, "additionalProperties": false});
    Contract { input: Input::Schema(input), output: Output::Rows, ..tool("native", &[]) }
}

/// Tools with every type and every constraint, required and not.
pub(in crate::emit) fn tools() -> Vec<Contract> {
    let types = [
        "boolean",
        "smallint",
        "int",
        "bigint",
        "real",
        "double",
        "decimal(10, 2)",
        "text",
        "date",
        "time",
        "timestamp",
        "timestamptz",
        "interval",
        "uuid",
        "bytea",
        "json",
        "int[]",
        "json[]",
        "struct(a int, b text[])",
    ];
    let of_types = |required: bool| -> Vec<Value> {
        let named = |(at, ty): (usize, &&str)| json!({"name": format!("p{at}"), "type": ty, "required": required});
        types.iter().enumerate().map(named).collect()
    };
    let constrained = [
        json!({"name": "a", "type": "int", "description": "How many", "constraints": {"minimum": 1, "maximum": 10}}),
        json!({"name": "b", "type": "double", "constraints": {
            "exclusive_minimum": 0, "exclusive_maximum": 1.5, "multiple_of": 0.5
        }}),
        json!({"name": "c", "type": "text", "description": "A code.", "required": false, "default": "ab",
            "examples": ["ab", "cd"],
            "constraints": {"min_length": 2, "max_length": 10, "pattern": "^[a-z]+$"}}),
        json!({"name": "d", "type": "text", "required": false, "constraints": {"allowed_values": ["open", "shipped"]}}),
        json!({"name": "e", "type": "text", "constraints": {"format": "uri"}}),
        json!({"name": "f", "type": "text[]", "constraints": {"min_items": 1, "max_items": 3, "min_length": 2}}),
        json!({"name": "g", "type": "boolean", "constraints": {"allowed_values": [true]}}),
        json!({"name": "h", "type": "json", "constraints": {"allowed_values": [1, "x", null]}}),
    ];
    let mut exposing = tool("exposing", &[]);
    exposing.expose = serde_json::from_value(json!(["limit", "table_format", "cursor"])).unwrap();
    vec![
        tool("required", &of_types(true)),
        tool("optional", &of_types(false)),
        tool("constrained", &constrained),
        tool("empty", &[]),
        exposing,
        native(json!({
            "depth": {"type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255},
            "shape": {"oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "disc"}, "radius": {"type": "number"}},
                    "required": ["kind"],
                },
                {"type": "string", "const": "none"},
            ]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "default": []},
        })),
    ]
}

/// The published input schemas of those tools.
pub(in crate::emit) fn schemas() -> Vec<Value> {
    tools().iter().map(mcp::input_schema).collect()
}
