//! Tools whose names, descriptions, values and columns are as hard on generated code as a project can make them.

use crate::tool::{Contract, flat};
use serde_json::{Map, Value, json};

/// The tools of `fixture.json`, which says only what a tool, a parameter and a column do not have in common.
pub(in crate::emit) fn tools() -> Vec<Contract> {
    let tools: Vec<Map<String, Value>> = serde_json::from_str(include_str!("fixture.json")).unwrap();
    tools.into_iter().map(whole).collect()
}

/// One of them.
pub(in crate::emit) fn tool(name: &str) -> Contract {
    tools().into_iter().find(|tool| tool.name == name).unwrap()
}

fn whole(mut tool: Map<String, Value>) -> Contract {
    let parameter = json!({"required": false, "constraints": {}, "examples": []});
    let column = json!({"nullable": false});
    for (key, common) in [("parameters", parameter), ("columns", column)] {
        for one in tool.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            *one = on(&common, one.as_object().unwrap());
        }
    }
    let common = json!({
        "title": tool["name"], "tags": [], "parameters": [], "views": [], "statement": "SELECT 1 AS one",
        "columns": [{"name": "one", "type": "bigint", "nullable": false}], "placeholders": [], "tables": [],
        "result_limit": 100, "table_format": "markdown", "expose": ["limit", "table_format"], "timeout": "30s",
        "count_total": false, "strict": false,
        "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
    });
    flat::read(on(&common, &tool)).unwrap().contract
}

fn on(common: &Value, own: &Map<String, Value>) -> Value {
    let mut whole = common.as_object().unwrap().clone();
    whole.extend(own.clone());
    Value::Object(whole)
}
