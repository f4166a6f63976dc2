//! Statements in a database's own SQL: their pages make the whole, lists of any length find what is in them, results that are
//! kept are those of the data, and a statement that nobody waits for ends.

use super::{Compiled, arguments, told};
use crate::cases::block_on;
use qtool::engine::Engine;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The rows of the table.
const ROWS: i64 = 503;
/// Lengths of lists: about powers of two, and beyond what is filled up.
const LENGTHS: [i64; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 500, 20_000];
/// More values than SQLite takes.
const TOO_MANY: i64 = 40_000;
/// Calls that are given up.
const GIVEN_UP: usize = 40;

const PROJECT: &str = "\
name: statements-of-databases
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
";

/// The tools by their names.
fn queries() -> Vec<(String, String)> {
    let query = |name: &str, header: &str, sql: &str| {
        (name.to_owned(), format!("/*---\nsource: shop\n{header}\n---*/\n{sql}\n"))
    };
    let none = "tags: [few]";
    vec![
        query(
            "paged",
            "result_limit: 50",
            "SELECT name, id FROM Things WHERE id >= << least: bigint >> ORDER BY id DESC",
        ),
        query("listed", none, "SELECT count(*) AS n FROM Things WHERE id IN << ids: bigint[] >>"),
        query("left_out", none, "SELECT count(*) AS n FROM Things WHERE id NOT IN << ids: bigint[] >>"),
        query("kept", "cache_ttl: 60s", "SELECT count(*) AS n FROM Things"),
        query("whole", none, "SELECT id, name FROM Things"),
        query(
            "endless",
            "columns: { n: { type: bigint } }",
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT n FROM numbers WHERE n < 0",
        ),
    ]
}

/// Tries all of it.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("data/shop.sqlite");
    lay_out(&database)?;
    let compiled = Compiled::whole(folder.path(), PROJECT, queries())?;
    let engine = compiled.engine()?;
    pages(&engine)?;
    lists(&engine)?;
    kept(&engine, &database)?;
    given_up(&engine)?;
    told("statements of databases: pages, lists, kept results and calls that are given up");
    Ok(())
}

fn lay_out(database: &Path) -> crate::Outcome {
    std::fs::create_dir_all(database.parent().ok_or("no folder")?)?;
    let connection = rusqlite::Connection::open(database)?;
    connection.execute_batch("CREATE TABLE Things (id INTEGER PRIMARY KEY, name TEXT NOT NULL); BEGIN;")?;
    for id in 1..=ROWS {
        connection.execute("INSERT INTO Things VALUES (?1, 'thing ' || ?1)", [id])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}

/// The rows of a call, or its error.
fn rows(engine: &Arc<Engine>, tool: &str, sent: Value) -> Result<Vec<Vec<Value>>, String> {
    let (engine, tool) = (Arc::clone(engine), tool.to_owned());
    block_on(async move {
        let result = engine.call(&tool, &arguments(&sent)).await.map_err(|error| error.line())?;
        Ok(result.rows.values())
    })
}

/// All pages together are all rows, in their order.
fn pages(engine: &Arc<Engine>) -> crate::Outcome {
    let engine = Arc::clone(engine);
    let ids: Result<Vec<Value>, String> = block_on(async move {
        let (mut ids, mut sent) = (Vec::new(), arguments(&json!({"least": 3})));
        for limit in [1, 7, 50, 49].into_iter().cycle().take(200) {
            sent.insert("limit".to_owned(), json!(limit));
            let result = engine.call("paged", &sent).await.map_err(|error| error.line())?;
            ids.extend(result.rows.values().into_iter().map(|row| row[1].clone()));
            match result.next_cursor {
                Some(cursor) => drop(sent.insert("cursor".to_owned(), json!(cursor))),
                None => return Ok(ids),
            }
        }
        Err("it does not end".to_owned())
    });
    let wanted: Vec<Value> = (3..=ROWS).rev().map(|id| json!(id)).collect();
    if ids? == wanted { Ok(()) } else { Err("the pages are not the whole".into()) }
}

/// Lists of any length.
fn lists(engine: &Arc<Engine>) -> crate::Outcome {
    for length in LENGTHS {
        // Every other one is in the table, as far as that goes.
        let ids: Vec<i64> = (1..=length).map(|at| at * 2).collect();
        let inside = ids.iter().filter(|id| **id <= ROWS).count() as i64;
        for (tool, wanted) in [("listed", inside), ("left_out", ROWS - inside)] {
            let found = rows(engine, tool, json!({"ids": ids}))?;
            if found != [[json!(wanted)]] {
                return Err(format!("`{tool}` of {length}: {found:?}, not {wanted}").into());
            }
        }
    }
    let ids: Vec<i64> = (1..=TOO_MANY).collect();
    match rows(engine, "listed", json!({"ids": ids})) {
        Err(error) if error.starts_with("invalid-argument") && error.contains("32766 values") => Ok(()),
        other => Err(format!("a list that is too long: {other:?}").into()),
    }
}

/// A result that is kept is given again until somebody writes.
fn kept(engine: &Arc<Engine>, database: &Path) -> crate::Outcome {
    let connection = rusqlite::Connection::open(database)?;
    for more in 0..3 {
        for _ in 0..2 {
            let found = rows(engine, "kept", json!({}))?;
            if found != [[json!(ROWS + more)]] {
                return Err(format!("{found:?} of {} rows", ROWS + more).into());
            }
        }
        connection.execute("INSERT INTO Things VALUES (?1, 'more')", [10_000 + more])?;
    }
    let whole = rows(engine, "whole", json!({}))?.len() as i64;
    if whole == ROWS + 3 { Ok(()) } else { Err(format!("{whole} rows").into()) }
}

/// Statements that nobody waits for end: others find their connections and their threads.
fn given_up(engine: &Arc<Engine>) -> crate::Outcome {
    let busy = Arc::clone(engine);
    let cut: usize = block_on(async move {
        let mut cut = 0;
        for _ in 0..GIVEN_UP {
            let (nothing, wait) = (json!({}), Duration::from_millis(15));
            let sent = arguments(&nothing);
            cut += usize::from(tokio::time::timeout(wait, busy.call("endless", &sent)).await.is_err());
        }
        cut
    });
    let began = Instant::now();
    while engine.lost() > 0 && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    if cut < GIVEN_UP || engine.lost() > 0 {
        return Err(format!("{cut} of {GIVEN_UP} were given up, {} do not stop", engine.lost()).into());
    }
    rows(engine, "kept", json!({}))?;
    Ok(())
}
