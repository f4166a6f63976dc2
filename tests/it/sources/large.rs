//! Results that are read by threads of their own: they come whole, and who gives one up leaves nothing behind.

use super::{Compiled, arguments};
use crate::cases::block_on;
use qtool::engine::Engine;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROWS: i64 = 100_000;
/// Calls that are given up.
const GIVEN_UP: u64 = 50;
/// How long after the last of them every connection must rest.
const REST: Duration = Duration::from_secs(10);

const PROJECT: &str = "\
name: large-results
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/shop.sqlite, max_idle_connections: 4 }
tables:
  large: { source: shop, table: Large }
  endless: { source: shop, table: Endless, columns: { x: bigint } }
";

/// Rows without end, of which a condition that none of them meets never lets one out.
const VIEW: &str = "\
CREATE TABLE One (y INTEGER);
INSERT INTO One VALUES (0);
CREATE VIEW Endless AS
WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers)
SELECT numbers.x + One.y AS x FROM numbers, One;
";

const QUERIES: [(&str, &str); 6] = [
    (
        "whole",
        "SELECT count(*) AS n, sum(id) AS ids, sum(value) AS total, sum(length(label)) AS characters, \
         count(DISTINCT label) AS labels FROM large",
    ),
    ("counted", "SELECT count(*) AS n FROM large"),
    ("above", "SELECT count(*) AS n, sum(value) AS total FROM large WHERE value >= << least >>"),
    ("all", "SELECT id, value, label FROM large ORDER BY id"),
    ("crossed", "SELECT count(*) AS n FROM large AS a JOIN large AS b ON a.value + b.value < << most: bigint >>"),
    ("nothing", "SELECT x FROM endless WHERE x < << least >>"),
];

/// Reads many rows, gives calls up, and reads again.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("data"))?;
    let database = folder.path().join("data/shop.sqlite");
    fill(&database)?;
    let queries = QUERIES.iter().map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned()));
    let engine = Compiled::whole(folder.path(), PROJECT, queries)?.engine()?;
    are_whole(&engine)?;
    for turn in 0..GIVEN_UP {
        let (tool, sent) = match turn % 4 {
            0 => ("all", json!({})),
            1 => ("crossed", json!({"most": -1})),
            2 => ("whole", json!({})),
            _ => ("nothing", json!({"least": 0})),
        };
        let engine = Arc::clone(&engine);
        // Some before the first row, some between rows.
        let patience = Duration::from_micros(turn * turn * 40);
        block_on(async move { tokio::time::timeout(patience, engine.call(tool, &arguments(&sent))).await.is_err() });
    }
    rests(&database)?;
    are_whole(&engine)?;
    rests(&database)
}

fn fill(database: &Path) -> crate::Outcome {
    let connection = rusqlite::Connection::open(database)?;
    connection
        .execute_batch("BEGIN; CREATE TABLE Large (id INTEGER PRIMARY KEY, value INTEGER NOT NULL, label TEXT);")?;
    connection.execute_batch(VIEW)?;
    {
        let mut insert = connection.prepare("INSERT INTO Large VALUES (?1, ?2, ?3)")?;
        for id in 0..ROWS {
            insert.execute((id, value(id), label(id)))?;
        }
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}

fn value(id: i64) -> i64 {
    id * 7_919 % 10_007
}

fn label(id: i64) -> Option<String> {
    (id % 11 != 0).then(|| format!("row-{}", "é".repeat((id % 37) as usize)))
}

/// Sums of all rows are those of the rows that were written.
fn are_whole(engine: &Arc<Engine>) -> crate::Outcome {
    let total = |least: i64| (0..ROWS).map(value).filter(|value| *value >= least).sum::<i64>();
    let characters: usize = (0..ROWS).filter_map(label).map(|label| label.chars().count()).sum();
    let ids = ROWS * (ROWS - 1) / 2;
    let above = (0..ROWS).map(value).filter(|value| *value >= 5_000).count();
    for (tool, sent, wanted) in [
        ("whole", json!({}), json!([[ROWS, ids, total(0), characters, 37]])),
        ("counted", json!({}), json!([[ROWS]])),
        ("above", json!({"least": 5_000}), json!([[above, total(5_000)]])),
    ] {
        let rows = call(engine, tool, sent)?;
        if json!(rows) != wanted {
            return Err(format!("{tool}: {}, not {wanted}", json!(rows)).into());
        }
    }
    Ok(())
}

fn call(engine: &Arc<Engine>, tool: &'static str, sent: Value) -> Result<Vec<Vec<Value>>, Box<dyn std::error::Error>> {
    let engine = Arc::clone(engine);
    let result = block_on(async move { engine.call(tool, &arguments(&sent)).await });
    Ok(result.map_err(|error| format!("{tool}: {} {:?}", error.line(), error.detail))?.rows.values())
}

/// Nobody reads the file any more: who wants it alone gets it.
fn rests(database: &Path) -> crate::Outcome {
    let connection = rusqlite::Connection::open(database)?;
    connection.busy_timeout(Duration::ZERO)?;
    let start = Instant::now();
    loop {
        match connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK;") {
            Ok(()) => return Ok(()),
            Err(error) if start.elapsed() > REST => return Err(format!("a connection still reads: {error}").into()),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
