//! A tool as one mapping of all that it is, without the parts that it is made of: what snapshots and fixtures show.

use super::{Body, CalledProgram, Input, Output, OutputColumn, Query, Tool};
use crate::project::RunsKind;
use serde_json::{Map, Value, json};

/// The keys of a body that is a query.
const OF_QUERIES: [&str; 3] = ["views", "statement", PROGRAMS];
/// The programs that a query selects from.
const PROGRAMS: &str = "programs";
/// The keys of a body that is a statement in a database's own SQL, but its text.
const OF_STATEMENTS: [&str; 5] = ["source", "database", "end", "sent_as", "as_told"];
/// The keys of a body that changes data, beside those of a statement in a database's own SQL.
const OF_CHANGES: [&str; 3] = ["isolation", "absent", "idempotency"];
/// What follows from its statements, and is not shown.
const FOLLOW: [&str; 3] = ["steps", "targets", "records"];
/// What a contract of a tool has that changes data.
const CHANGES: &str = "changes";
/// The keys of a body that is made of tables.
const OF_TABLES: [&str; 2] = ["does", "described"];
/// The keys of a body over records.
const OF_RECORDS: [&str; 8] = ["acts", "folder", "actor", "contract", "filters", "table", "derivations", "store"];
/// The keys of a body that is a tool of another server.
const OF_UPSTREAMS: [&str; 14] = [
    "upstream",
    "remote",
    "digest",
    "command",
    "url",
    "cwd",
    "env",
    "headers",
    "auth",
    "elicitation",
    "sampling",
    "arguments",
    "mask",
    "said",
];
/// The schema of the data that a tool of another server answers with.
const OUTPUT_SCHEMA: &str = "output_schema";
/// Whether the columns of the rows are known when they are there.
const ROWS: &str = "columns_of_call";
/// The schema of arguments that are no parameters: of a function in Rust, and of a tool of another server.
const INPUT_SCHEMA: &str = "native_input";

/// The mapping.
pub fn write(tool: &Tool) -> Map<String, Value> {
    let mut all = mapping(&tool.contract);
    all.shift_remove("input");
    all.shift_remove("output");
    // They follow from the statements.
    all.shift_remove("clauses");
    all.insert("parameters".into(), serde_json::to_value(tool.contract.parameters()).unwrap_or_default());
    all.insert("columns".into(), serde_json::to_value(tool.contract.columns()).unwrap_or_default());
    if let Some(schema) = tool.contract.schema() {
        all.insert(INPUT_SCHEMA.into(), schema.clone());
    }
    if let Some(query) = tool.query() {
        all.extend(mapping(query));
    }
    if !tool.programs().is_empty() {
        all.insert(PROGRAMS.into(), tool.programs().iter().map(write_called).collect());
    }
    if let Some(statement) = tool.own_sql() {
        all.extend(mapping(statement));
    }
    if let Some(change) = tool.change() {
        let own = mapping(change);
        all.extend(own.into_iter().filter(|(key, _)| !FOLLOW.contains(&key.as_str())));
    }
    let is_made = tool.table_set().is_some() || tool.record_set().is_some();
    if is_made && tool.contract.output == Output::Rows {
        all.insert(ROWS.into(), Value::Bool(true));
    }
    if let Some(set) = tool.table_set() {
        all.extend(mapping(set));
    }
    if let Some(set) = tool.record_set() {
        all.extend(mapping(set));
    }
    if let Some(program) = tool.program() {
        all.extend(mapping(program));
    }
    if let Some(request) = tool.request() {
        all.extend(mapping(request));
    }
    if let Some(python) = tool.python() {
        all.extend(mapping(python));
    }
    if let Some(program) = tool.simple_json() {
        all.extend(mapping(program));
    }
    if let Some(upstream) = tool.upstream() {
        all.extend(mapping(upstream));
    }
    if let Output::Passed { schema: Some(schema) } = &tool.contract.output {
        all.insert(OUTPUT_SCHEMA.into(), schema.clone());
    }
    all
}

/// A program that a query selects from, as the mapping of all that it is.
fn write_called(called: &CalledProgram) -> Value {
    let mut all = mapping(called);
    let mut tool = Value::Object(write(&called.tool));
    without_nulls(&mut tool);
    all.insert("tool".to_owned(), tool);
    Value::Object(all)
}

/// Takes away what is null because there is nothing: a value that is fixed may be one.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|key, value| key == "fixed" || !value.is_null());
            map.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

fn read_called(mut called: Value) -> serde_json::Result<CalledProgram> {
    if let Some(tool) = called.get_mut("tool") {
        *tool = serde_json::to_value(read(tool.take())?)?;
    }
    serde_json::from_value(called)
}

/// Columns, of which that of a document has its schema.
fn read_columns(columns: Value, document: Option<Value>) -> serde_json::Result<Output> {
    let mut columns: Vec<OutputColumn> = serde_json::from_value(columns)?;
    if let Some(first) = columns.first_mut() {
        first.schema = document;
    }
    Ok(Output::Columns(columns))
}

/// The tool that a mapping is of.
///
/// Errors: a field is missing, or is not what it must be.
pub fn read(value: Value) -> serde_json::Result<Tool> {
    let mut all: Map<String, Value> = serde_json::from_value(value)?;
    let mut take = |key: &str| all.shift_remove(key).unwrap_or_else(|| json!([]));
    let (parameters, columns) = (take("parameters"), take("columns"));
    let of_upstreams: Map<String, Value> = match all.contains_key("remote") {
        true => OF_UPSTREAMS.iter().filter_map(|key| all.shift_remove_entry(*key)).collect(),
        false => Map::new(),
    };
    // That of a document is its program's.
    let (passed, document) = match of_upstreams.is_empty() {
        true => (None, all.get(OUTPUT_SCHEMA).cloned()),
        false => (all.shift_remove(OUTPUT_SCHEMA), None),
    };
    let is_simple_json = all.contains_key(RunsKind::SimpleJson.key());
    let (input, output) = match all.shift_remove(INPUT_SCHEMA) {
        Some(schema) if is_simple_json => (Input::Schema(schema), read_columns(columns, document)?),
        Some(schema) if !of_upstreams.is_empty() => (Input::Schema(schema), Output::Passed { schema: passed }),
        Some(schema) => (Input::Schema(schema), Output::Rows),
        None => {
            let output = match all.shift_remove(ROWS) {
                Some(_) => Output::Rows,
                None => read_columns(columns, document)?,
            };
            (Input::Parameters(serde_json::from_value(parameters)?), output)
        }
    };
    let of_tables: Map<String, Value> = OF_TABLES.iter().filter_map(|key| all.shift_remove_entry(*key)).collect();
    let of_records: Map<String, Value> = match all.contains_key("acts") {
        true => OF_RECORDS.iter().filter_map(|key| all.shift_remove_entry(*key)).collect(),
        false => Map::new(),
    };
    let mut query: Map<String, Value> = OF_QUERIES.iter().filter_map(|key| all.shift_remove_entry(*key)).collect();
    let of_database = OF_STATEMENTS.iter().filter_map(|key| all.shift_remove_entry(*key)).collect::<Vec<_>>();
    let of_changes = OF_CHANGES.iter().filter_map(|key| all.shift_remove_entry(*key)).collect::<Vec<_>>();
    let kind = RunsKind::of(|key| all.contains_key(key));
    let keys = kind.map(RunsKind::keys).unwrap_or_default();
    let runs: Map<String, Value> = keys.iter().filter_map(|key| all.shift_remove_entry(key)).collect();
    let body = match &input {
        _ if kind == Some(RunsKind::Program) => Body::Program(serde_json::from_value(Value::Object(runs))?),
        _ if kind == Some(RunsKind::Request) => Body::Request(serde_json::from_value(Value::Object(runs))?),
        _ if kind == Some(RunsKind::Python) => Body::Python(serde_json::from_value(Value::Object(runs))?),
        _ if kind == Some(RunsKind::SimpleJson) => Body::SimpleJson(serde_json::from_value(Value::Object(runs))?),
        _ if !of_upstreams.is_empty() => Body::Upstream(serde_json::from_value(Value::Object(of_upstreams))?),
        _ if !of_records.is_empty() => Body::Records(serde_json::from_value(Value::Object(of_records))?),
        _ if all.contains_key(CHANGES) => {
            query.shift_remove("views");
            query.extend(of_database.into_iter().chain(of_changes));
            Body::Change(serde_json::from_value(Value::Object(query))?)
        }
        Input::Schema(_) => Body::Native,
        Input::Parameters(_) if !of_tables.is_empty() => {
            Body::Tables(serde_json::from_value(Value::Object(of_tables))?)
        }
        Input::Parameters(_) if !of_database.is_empty() => {
            query.extend(of_database);
            Body::Statement(serde_json::from_value(Value::Object(query))?)
        }
        Input::Parameters(_) => {
            let programs = match query.shift_remove(PROGRAMS) {
                Some(Value::Array(all)) => all.into_iter().map(read_called).collect::<serde_json::Result<_>>()?,
                _ => Vec::new(),
            };
            let query: Query = serde_json::from_value(Value::Object(query))?;
            Body::Query(Query { programs, ..query })
        }
    };
    all.insert("input".into(), serde_json::to_value(input)?);
    all.insert("output".into(), serde_json::to_value(output)?);
    Ok(Tool { contract: serde_json::from_value(Value::Object(all))?, body })
}

fn mapping(part: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(part) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{BoundFrom, UpstreamAuth};
    use crate::tool::{UpstreamArgument, UpstreamCall};

    /// A key that is not known here would be lost, and the tool never be what was accepted.
    #[test]
    fn every_key_of_a_tool_of_another_server_is_read() {
        let text = || "a".to_owned();
        let texts = || [(text(), text())].into_iter().collect();
        let argument = UpstreamArgument {
            name: text(),
            here: Some(text()),
            default: Some(json!(1)),
            from: Some(BoundFrom::Default),
            is_no_text: true,
        };
        let call = UpstreamCall {
            upstream: text(),
            remote: text(),
            digest: text(),
            command: vec![text()],
            url: Some(text()),
            cwd: Some(text()),
            env: texts(),
            headers: texts(),
            auth: Some(UpstreamAuth { bearer: text() }),
            elicitation: true,
            sampling: true,
            arguments: vec![argument],
            mask: vec![text()],
            said: Some(text()),
        };
        let keys: Vec<String> = mapping(&call).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), OF_UPSTREAMS.len());
        assert!(keys.iter().all(|key| OF_UPSTREAMS.contains(&key.as_str())), "{keys:?}");
    }
}
