//! Rows that are larger than a result may be: paging gets past them, in every format, and what is cut is what it was.

use crate::cases::{Outcome, block_on};
use qtool::emit;
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, Tables};
use serde_json::{Value, json};
use std::sync::Arc;

const PROJECT: &str = "name: large\ntables: { docs: { path: docs.ndjson } }\nlimits: { max_bytes: 4KiB }\n";
const QUERY: &str = "/*--- { description: Documents., result_limit: 500 } ---*/\n\
    SELECT id, body, arrow_cast(body, 'Dictionary(Int32, Utf8)') AS again, tags, numbers, record,\n\
    arrow_cast(body, 'Binary') AS raw FROM docs ORDER BY id\n";

/// The documents: every third one has something large in it.
fn documents() -> String {
    let document = |id: usize| {
        let (mut body, mut tags, mut numbers) = ("short".to_owned(), vec!["a".to_owned()], vec![1]);
        match id % 12 {
            3 => body = "long \"text\" with a tab\t and ü ".repeat(700),
            6 => tags = vec!["tag|".repeat(50); 200],
            9 => numbers = (0..9_000).collect(),
            0 => body = "\u{1}".repeat(6_000),
            _ => {}
        }
        let record = json!({"name": if id % 12 == 5 { "n".repeat(20_000) } else { "n".to_owned() }, "n": id});
        format!("{}\n", json!({"id": id, "body": body, "tags": tags, "numbers": numbers, "record": record}))
    };
    (1..=40).map(document).collect()
}

/// Pages in every format: all rows come once, no page is empty, and all of them are what is published.
pub(crate) fn paging_gets_past_them() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("docs.ndjson"), documents())?;
    std::fs::write(dir.join("queries/all_docs.sql"), QUERY)?;
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    let schema = compilation.tools.first().map(|tool| emit::mcp::output_schema(&tool.contract)).ok_or("no tool")?;
    let validator = jsonschema::validator_for(&schema)?;
    let (path, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&path, &project.file, &project.catalog).await });
    let engine = Arc::new(Engine::prepare(tables.map_err(|errors| format!("{errors:?}"))?, tools));
    for format in ["markdown", "structured", "toon", "csv"] {
        let ids = pages(&engine, format, &validator)?;
        if ids != (1..=40).map(Value::from).collect::<Vec<_>>() {
            return Err(format!("{format}: {ids:?}").into());
        }
    }
    Ok(())
}

/// The ids on all pages.
fn pages(
    engine: &Arc<Engine>,
    format: &str,
    validator: &jsonschema::Validator,
) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let mut arguments: Arguments = json!({"table_format": format}).as_object().cloned().unwrap_or_default();
    let mut ids = Vec::new();
    for _ in 0..100 {
        let (engine, sent) = (Arc::clone(engine), arguments.clone());
        let result = block_on(async move { engine.call_as("all_docs", &sent, &Caller::default()).await });
        let result = result.map_err(|error| error.line())?;
        let object = result.object();
        if let Some(error) = validator.iter_errors(&object).next() {
            return Err(format!("{format}: {error}").into());
        }
        if serde_json::from_str::<Value>(&result.object_json())? != object {
            return Err("the text is another object".into());
        }
        let is_cut = result.notes.iter().any(|note| note.contains("its longest values are cut"));
        if result.rows.is_empty() || is_cut && result.rows.len() != 1 || result.table.len() > 4096 {
            return Err(format!("{format}: {} rows in {} bytes", result.rows.len(), result.table.len()).into());
        }
        for streamed in
            [result.rows.parquet()?.len(), result.rows.clone().into_json_lines().map(|line| line.len()).sum()]
        {
            if streamed > 40_000 {
                return Err(format!("{streamed} bytes go out of {}", result.table.len()).into());
            }
        }
        ids.extend(result.rows.values().into_iter().filter_map(|row| row.into_iter().next()));
        match result.next_cursor {
            Some(cursor) => drop(arguments.insert("cursor".to_owned(), json!(cursor))),
            None => return Ok(ids),
        }
    }
    Err("it does not end".into())
}
