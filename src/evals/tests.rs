mod conversations;
mod files;
mod server;

use crate::tool::Tool;
use serde_json::{Value, json};

/// A tool with those parameters; what a parameter does not say is as in a query that says nothing.
fn tool(name: &str, parameters: &[Value]) -> Tool {
    let whole = |given: &Value| {
        let mut parameter =
            json!({"description": null, "required": true, "default": null, "constraints": {}, "examples": []});
        for (key, value) in given.as_object().unwrap() {
            parameter[key] = value.clone();
        }
        parameter
    };
    crate::tool::flat::read(json!({
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
        "expose": ["limit"],
        "timeout": "30s",
        "count_total": false,
        "strict": false,
        "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
    }))
    .unwrap()
}

fn tools() -> Vec<Tool> {
    let airports = json!({"allowed_values": ["EWR", "JFK", "LGA"]});
    let late = tool(
        "late_flights",
        &[
            json!({"name": "origin", "type": "text", "constraints": airports}),
            json!({"name": "least", "type": "int", "required": false, "constraints": {"minimum": 0, "maximum": 500}}),
            json!({"name": "day", "type": "date", "required": false, "default": "2013-01-01"}),
            json!({"name": "carriers", "type": "text[]", "required": false}),
            json!({"name": "who", "type": "text", "from": "claim.sub"}),
        ],
    );
    vec![late, tool("route_summary", &[json!({"name": "filter", "type": "json", "required": false})])]
}
