//! Statements in a database's own SQL: their pages make the whole, lists of any length find what is in them, results that are
//! kept are those of the data, and a statement that nobody waits for ends.

use super::{Compiled, arguments, told};
use crate::cases::block_on;
use qtool::engine::Engine;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The rows of the table.
const ROWS: i64 = 503;
/// Lengths of lists: about powers of two, and beyond what is filled up.
const LENGTHS: [i64; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 500, 20_000];
/// Calls that are given up.
const GIVEN_UP: usize = 40;

/// A database with the table.
struct Database {
    /// The source, as `qtool.yaml` declares it.
    source: &'static str,
    /// What the table is called there.
    table: &'static str,
    /// A statement that does not end before somebody gives up.
    endless: &'static str,
    /// How many values it takes; `None` where a list is one.
    most: Option<i64>,
    /// Whether it ends what nobody waits for, by now.
    rests: fn() -> Result<bool, Box<dyn Error>>,
    /// Whether a result that is kept is forgotten when somebody writes; otherwise it is given for as long as is said.
    tells_writes: bool,
}

const SQLITE: Database = Database {
    source: "type: sqlite, path: data/shop.sqlite",
    table: "Things",
    endless: "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) \
              SELECT n FROM numbers WHERE n < 0",
    most: Some(32_766),
    rests: || Ok(true),
    tells_writes: true,
};

const POSTGRES: Database = Database {
    source: "type: postgres, url_env: QTOOL_TEST_POSTGRES",
    table: "statements.things",
    endless: "WITH RECURSIVE numbers(n) AS (SELECT 1::bigint UNION ALL SELECT n + 1 FROM numbers) \
              SELECT n FROM numbers WHERE n < 0",
    most: None,
    rests: || {
        let under_way = "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'qtool' \
                         AND state <> 'idle' AND query LIKE '%numbers%'";
        Ok(crate::servers::asked_of_postgres(under_way)? == "0")
    },
    tells_writes: false,
};

const MARIADB: Database = Database {
    source: "type: mysql, url_env: QTOOL_TEST_MARIADB",
    table: "statements.things",
    endless: "SELECT a.id AS n FROM statements.things AS a, statements.things AS b, statements.things AS c, \
              statements.things AS d WHERE a.id + b.id + c.id + d.id < 0",
    most: Some(65_535),
    rests: || {
        let under_way = "SELECT CAST(count(*) AS CHAR) FROM information_schema.processlist \
                         WHERE command <> 'Sleep' AND info LIKE '%statements.things AS d%' AND info NOT LIKE '%processlist%'";
        Ok(crate::servers::asked_of_mariadb(under_way)? == "0")
    },
    tells_writes: false,
};

/// The tools by their names.
fn queries(database: &Database) -> Vec<(String, String)> {
    let query = |name: &str, header: &str, sql: &str| {
        let sql = sql.replace("Things", database.table);
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
        query("endless", "columns: { n: { type: bigint } }", database.endless),
    ]
}

/// Tries all of it, over SQLite.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("data/shop.sqlite");
    lay_out(&file)?;
    try_all(folder.path(), &SQLITE, &|statement| Ok(rusqlite::Connection::open(&file)?.execute_batch(statement)?))
}

/// Tries all of it, over PostgreSQL.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    crate::servers::run_in_postgres(&format!(
        "DROP SCHEMA IF EXISTS statements CASCADE; CREATE SCHEMA statements;
         CREATE TABLE statements.things (id bigint PRIMARY KEY, name text NOT NULL);
         INSERT INTO statements.things SELECT id, 'thing ' || id FROM generate_series(1, {ROWS}) AS id"
    ))?;
    try_all(folder.path(), &POSTGRES, &crate::servers::run_in_postgres)
}

/// Tries all of it, over MariaDB.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    crate::servers::run_in_mariadb(&format!(
        "DROP DATABASE IF EXISTS statements; CREATE DATABASE statements; USE statements;
         CREATE TABLE things (id bigint PRIMARY KEY, name text NOT NULL);
         INSERT INTO things SELECT seq, concat('thing ', seq) FROM seq_1_to_{ROWS}"
    ))?;
    try_all(folder.path(), &MARIADB, &crate::servers::run_in_mariadb)
}

fn try_all(dir: &Path, database: &Database, write: &dyn Fn(&str) -> crate::Outcome) -> crate::Outcome {
    let project = format!(
        "name: statements-of-databases\ndefaults: {{ result_limit: none }}\nsources:\n  shop: {{ {} }}\n",
        database.source
    );
    let compiled = Compiled::whole(dir, &project, queries(database))?;
    let engine = compiled.engine()?;
    pages(&engine)?;
    lists(&engine, database)?;
    kept(&engine, database, write)?;
    given_up(&engine, database)?;
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
fn lists(engine: &Arc<Engine>, database: &Database) -> crate::Outcome {
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
    let Some(most) = database.most else { return Ok(()) };
    let ids: Vec<i64> = (0..=most).collect();
    let most = format!("{most} values");
    match rows(engine, "listed", json!({"ids": ids})) {
        Err(error) if error.starts_with("invalid-argument") && error.contains(&most) => Ok(()),
        other => Err(format!("a list that is too long: {other:?}").into()),
    }
}

/// A result that is kept is given again until somebody writes, or for as long as is said.
fn kept(engine: &Arc<Engine>, database: &Database, write: &dyn Fn(&str) -> crate::Outcome) -> crate::Outcome {
    for more in 0..3 {
        let wanted = ROWS + if database.tells_writes { more } else { 0 };
        for _ in 0..2 {
            let found = rows(engine, "kept", json!({}))?;
            if found != [[json!(wanted)]] {
                return Err(format!("{found:?} of {wanted} rows").into());
            }
        }
        write(&format!("INSERT INTO {} VALUES ({}, 'more')", database.table, 10_000 + more))?;
    }
    let whole = rows(engine, "whole", json!({}))?.len() as i64;
    if whole == ROWS + 3 { Ok(()) } else { Err(format!("{whole} rows").into()) }
}

/// Statements that nobody waits for end: others find their connections and their threads.
fn given_up(engine: &Arc<Engine>, database: &Database) -> crate::Outcome {
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
    while (engine.lost() > 0 || !(database.rests)()?) && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    if cut < GIVEN_UP || engine.lost() > 0 || !(database.rests)()? {
        return Err(format!("{cut} of {GIVEN_UP} were given up, {} do not stop", engine.lost()).into());
    }
    rows(engine, "kept", json!({}))?;
    Ok(())
}
