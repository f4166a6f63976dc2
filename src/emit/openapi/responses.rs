//! What is the same for all tools: errors, the list of tools, and the document itself.

use super::super::about::About;
use super::schema_ref;
use serde_json::{Map, Value, json};

/// The status codes of failed requests (RFC 9110), and when they are sent.
const FAILURES: [(u16, &str, &str); 12] = [
    (400, "BadArguments", "An argument is missing, unknown or not accepted."),
    (401, "Unauthenticated", "There is no token, or it is not valid."),
    (403, "Forbidden", "The caller may not do this."),
    (404, "UnknownTool", "There is no such tool."),
    (405, "WrongMethod", "Tools are called by POST, and all else is read by GET."),
    (406, "NotAcceptable", "Rows are not written in any of the formats that `Accept` names."),
    (413, "TooLarge", "The request is too large."),
    (415, "UnsupportedMediaType", "The body is not `application/json`."),
    (429, "TooManyCalls", "There were too many calls in a short time."),
    (500, "Failed", "The server failed."),
    (503, "Busy", "The server has too much to do, or is about to stop."),
    (504, "TimedOut", "The call took longer than it may."),
];
/// Those that a request without a body and without a tool can get.
const OF_READING: [u16; 5] = [401, 403, 429, 500, 503];

/// Whether such a failure can happen.
fn can_happen(about: &About<'_>, status: u16) -> bool {
    status != 401 || about.authenticated
}

/// The schemas that no tool owns. Those of tools end in `Arguments`, `Row` and `Result`.
pub(super) fn schemas() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let column =
        json!({"type": "object", "properties": {"name": text(), "type": text()}, "required": ["name", "type"]});
    let error = json!({
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "What kind of failure, kebab-case."},
            "message": {"type": "string", "description": "One line that stands alone."},
            "parameter": {"type": "string", "description": "The parameter that it is about."},
            "expected": {"type": "string", "description": "What would have been accepted."},
            "got": {"type": "string", "description": "What was sent, shortened."},
            "allowed": {"type": "array", "items": {}, "description": "Accepted values, the nearest first."},
            "hint": {"type": "string", "description": "What to do."},
            "errors": {
                "type": "array",
                "items": schema_ref("CallError"),
                "description": "All of them, where several arguments are wrong.",
            },
        },
        "required": ["code", "message"],
    });
    let failure = json!({"type": "object", "properties": {"error": schema_ref("CallError")}, "required": ["error"]});
    let table_schema = json!({"type": "array", "items": column, "description": "The columns with their SQL types."});
    [("CallError", error), ("Failure", failure), ("TableSchema", table_schema)]
        .map(|(name, schema)| (name.to_owned(), schema))
        .into_iter()
        .collect()
}

/// What headers say of rows that are no JSON; there, the object says it.
pub(super) fn headers() -> Value {
    let header = |description: &str, ty: &str| json!({"description": description, "schema": {"type": ty}});
    json!({
        "qtool-returned-result-count": header("How many rows there are. As all of these, not beside JSON.", "integer"),
        "qtool-total-result-count": header("How many rows there are in all, where that is known.", "integer"),
        "qtool-truncated": header("Whether there are more rows.", "boolean"),
        "qtool-next-cursor": header("Where the next page begins.", "string"),
        "qtool-notes": header("What there is to say of the rows.", "string"),
    })
}

/// The responses to requests that fail.
pub(super) fn failures(about: &About<'_>) -> Map<String, Value> {
    let content = json!({"application/json": {"schema": schema_ref("Failure")}});
    FAILURES
        .iter()
        .filter(|(status, ..)| can_happen(about, *status))
        .map(|(status, name, words)| {
            let mut response = json!({"description": words, "content": content});
            if let (429 | 503, Some(map)) = (status, response.as_object_mut()) {
                let seconds = json!({"description": "Seconds to wait.", "schema": {"type": "integer"}});
                map.insert("headers".to_owned(), json!({"Retry-After": seconds}));
            }
            ((*name).to_owned(), response)
        })
        .collect()
}

fn responses(about: &About<'_>, success: Value, can_fail: impl Fn(u16) -> bool) -> Value {
    let failure = |name: &str| json!({"$ref": format!("#/components/responses/{name}")});
    let failures = FAILURES
        .iter()
        .filter(|(status, ..)| can_happen(about, *status) && can_fail(*status))
        .map(|(status, name, _)| (status.to_string(), failure(name)));
    let responses: Map<String, Value> = [("200".to_owned(), success)].into_iter().chain(failures).collect();
    responses.into()
}

/// The responses to a call.
pub(super) fn of_call(about: &About<'_>, success: Value) -> Value {
    responses(about, success, |_| true)
}

/// `GET /tools`. Names of tools are in snake case, so that no tool has this one's.
pub(super) fn list_of_tools(about: &About<'_>) -> Value {
    let object = || json!({"type": "object"});
    let tool = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "inputSchema": object(),
            "outputSchema": object(),
            "annotations": object(),
            "_meta": object(),
        },
        "required": ["name", "inputSchema"],
    });
    let list = json!({
        "type": "object",
        "properties": {"tools": {"type": "array", "items": tool}},
        "required": ["tools"],
    });
    let success = json!({
        "description": "The tools that the caller may see, as in MCP.",
        "content": {"application/json": {"schema": list}},
    });
    json!({
        "operationId": "listTools",
        "summary": "The tools",
        "responses": responses(about, success, |status| OF_READING.contains(&status)),
    })
}

/// `GET /openapi.json`.
pub(super) fn own_document(about: &About<'_>) -> Value {
    let success = json!({
        "description": "An OpenAPI document of the tools that the caller may see.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    });
    json!({
        "operationId": "getOpenApi",
        "summary": "This document",
        "responses": responses(about, success, |status| OF_READING.contains(&status)),
    })
}
