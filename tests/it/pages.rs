//! Pages: all of them together are the whole result, in its order, each row once.

use crate::cases::{Outcome, block_on, copy_all};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, Tables};
use serde_json::{Value, json};
use std::path::Path;

const PROJECT: &str = "name: pages\ntables: { flights: { path: data/flights.parquet } }\nlimits: { max_bytes: 4KiB }\n";
const QUERY: &str = "/*--- { description: Flights., result_limit: 500 } ---*/\n\
    SELECT date, carrier, flight, origin, << share = random() >> AS share, now() AS at FROM flights\n\
    WHERE dest = << dest >> AND tailnum IS NOT NULL ORDER BY date, carrier, flight, origin\n";

/// Pages of random sizes, in formats of all kinds.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/to_airport.sql"), QUERY)?;
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), &dir.join("data"))?;
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    let (dir, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await });
    let engine = Engine::prepare(tables.map_err(|errors| format!("{errors:?}"))?, tools);
    let found: Result<(Vec<Value>, usize, usize), String> = block_on(async move {
        let (mut rows, mut pages, mut instants) = (Vec::new(), 0, std::collections::BTreeSet::new());
        let mut arguments: Arguments = json!({"dest": "SBN"}).as_object().cloned().unwrap_or_default();
        loop {
            let sizes = [1, 3, 7, 500];
            arguments.insert("limit".to_owned(), json!(sizes[pages % sizes.len()]));
            let formats = ["structured", "csv", "toon", "markdown"];
            arguments.insert("table_format".to_owned(), json!(formats[pages % formats.len()]));
            let result =
                engine.call_as("to_airport", &arguments, &Caller::default()).await.map_err(|error| error.line())?;
            instants.extend(result.rows.values().iter().map(|row| row[5].to_string()));
            rows.extend(result.rows.values().iter().map(|row| json!(&row[..4])));
            pages += 1;
            match (&result.next_cursor, result.truncated) {
                (Some(cursor), true) => drop(arguments.insert("cursor".to_owned(), json!(cursor))),
                (None, false) => return Ok((rows, pages, instants.len())),
                other => return Err(format!("{other:?}")),
            }
            if pages > 100 {
                return Err("it does not end".to_owned());
            }
        }
    });
    let (rows, pages, instants) = found?;
    // Ten flights went to South Bend in 2013.
    let mut sorted = rows.clone();
    sorted.sort_by_key(ToString::to_string);
    sorted.dedup();
    if rows.len() != 10 || sorted.len() != 10 || pages < 3 || instants != 1 {
        return Err(
            format!("{} rows, {} different, {pages} pages, {instants} instants", rows.len(), sorted.len()).into()
        );
    }
    Ok(())
}
