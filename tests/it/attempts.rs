//! Statements that an agent might try in `analyze`: what DuckDB, SQLite, PostgreSQL and the test corpus of DataFusion have for
//! files, addresses, settings, catalogs and changes. None of them reaches anything but the tables of the set.

use crate::cases::block_on;
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::workspace::{Locking, Workspace};
use serde_json::json;
use std::collections::BTreeSet;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A JSON text a line. `CANARY` stands for a folder outside of the project, `HOST` for an address that somebody listens at.
const ATTEMPTS: &str = include_str!("../attempts/analyze.ndjson");

/// Statements of a few kilobytes that would take gigabytes, or minutes, if what functions, operators and groups make had no
/// bounds. A JSON text a line.
const COSTLY: &str = include_str!("../attempts/costly.ndjson");

/// What nobody is to read.
const SECRET: &str = "nobody-reads-this";

/// The longest that a call may take, with what it takes to end it on a busy machine.
const LONGEST: Duration = Duration::from_secs(15);

/// Over files.
pub(crate) fn reach_nothing_outside_over_files() -> crate::Outcome {
    attempt("", "orders: { path: orders.csv, description: Orders., primary_key: [id] }", |dir| {
        std::fs::write(dir.join("orders.csv"), "id,name\n1,Ann\n2,Bob\n")
    })
}

/// Over a database, where the SELECT is pushed down.
pub(crate) fn reach_nothing_outside_over_a_database() -> crate::Outcome {
    let sources = "sources: { s: { type: sqlite, path: s.sqlite } }";
    attempt(sources, "orders: { source: s, description: Orders. }", |dir| {
        let connection = rusqlite::Connection::open(dir.join("s.sqlite")).map_err(std::io::Error::other)?;
        let rows = format!(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO orders VALUES (1, 'Ann'), (2, 'Bob');
             CREATE TABLE unseen (name TEXT); INSERT INTO unseen VALUES ('{SECRET}');"
        );
        connection.execute_batch(&rows).map_err(std::io::Error::other)
    })
}

/// Over PostgreSQL, likewise.
pub(crate) fn reach_nothing_outside_over_postgres() -> crate::Outcome {
    let sources = "sources: { s: { type: postgres, url_env: QTOOL_TEST_POSTGRES } }";
    attempt(sources, "orders: { source: s, table: attempts.orders, description: Orders. }", |_| {
        let rows = format!(
            "DROP SCHEMA IF EXISTS attempts CASCADE; CREATE SCHEMA attempts;
             CREATE TABLE attempts.orders (id int PRIMARY KEY, name text NOT NULL);
             INSERT INTO attempts.orders VALUES (1, 'Ann'), (2, 'Bob');
             CREATE TABLE attempts.unseen (name text); INSERT INTO attempts.unseen VALUES ('{SECRET}');"
        );
        crate::servers::run_in_postgres(&rows).map_err(|error| std::io::Error::other(error.to_string()))
    })
}

/// Over MariaDB, likewise.
pub(crate) fn reach_nothing_outside_over_mariadb() -> crate::Outcome {
    let sources = "sources: { s: { type: mysql, url_env: QTOOL_TEST_MARIADB } }";
    attempt(sources, "orders: { source: s, table: attempts.orders, description: Orders. }", |_| {
        let rows = format!(
            "DROP DATABASE IF EXISTS attempts; CREATE DATABASE attempts CHARACTER SET utf8mb4;
             CREATE TABLE attempts.orders (id int PRIMARY KEY, name varchar(20) NOT NULL);
             INSERT INTO attempts.orders VALUES (1, 'Ann'), (2, 'Bob');
             CREATE TABLE attempts.unseen (name text); INSERT INTO attempts.unseen VALUES ('{SECRET}');"
        );
        crate::servers::run_in_mariadb(&rows).map_err(|error| std::io::Error::other(error.to_string()))
    })
}

/// They are refused before they have taken much of either.
pub(crate) fn cost_little() -> crate::Outcome {
    let project = tempfile::tempdir()?;
    std::fs::create_dir_all(project.path().join("queries"))?;
    let rows: String = (1..=2_000).map(|id| format!("{id},Ann\n")).collect();
    std::fs::write(project.path().join("orders.csv"), format!("id,name\n{rows}"))?;
    std::fs::write(
        project.path().join("qtool.yaml"),
        "name: shop\ntables: { orders: { path: orders.csv, description: Orders. } }\n\
         table_tools: { shop: { tables: [orders], tools: [analyze], timeout: 30s } }\n",
    )?;
    let engine = open(project.path());
    for line in COSTLY.lines() {
        let sql: String = serde_json::from_str(line)?;
        let began = Instant::now();
        let (is_answered, text) = call(&engine, &sql);
        assert!(!is_answered && !text.starts_with("timeout"), "{sql}\n{text}");
        assert!(began.elapsed() < LONGEST, "{sql} took {:?}\n{text}", began.elapsed());
    }
    Ok(())
}

fn attempt(sources: &str, orders: &str, lay_out: impl FnOnce(&Path) -> std::io::Result<()>) -> crate::Outcome {
    let (project, outside) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let dir = project.path();
    std::fs::write(outside.path().join("secret.csv"), format!("name\n{SECRET}\n"))?;
    std::fs::write(dir.join("hidden.csv"), format!("name\n{SECRET}\n"))?;
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(
        dir.join("queries/of_hidden.sql"),
        "/*---\ndescription: All.\n---*/\nSELECT name FROM hidden ORDER BY name LIMIT 9",
    )?;
    let hidden = "hidden: { path: hidden.csv, description: Hidden. }";
    std::fs::write(
        dir.join("qtool.yaml"),
        format!(
            "name: shop\n{sources}\ntables:\n  {orders}\n  {hidden}\nlimits: {{ query_memory: 128MiB }}\n\
             table_tools:\n  shop: {{ tables: [orders], tools: [analyze], timeout: 3s }}\n"
        ),
    )?;
    lay_out(dir)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let host = listener.local_addr()?.to_string();
    let visitors = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&visitors);
    std::thread::spawn(move || listener.incoming().for_each(|_| _ = counted.fetch_add(1, Ordering::Relaxed)));
    let engine = open(dir);
    let before = (files(dir), files(outside.path()));
    let canary = outside.path().display().to_string();
    let (mut tried, mut answered) = (0, Vec::new());
    for line in ATTEMPTS.lines() {
        let sql: String = serde_json::from_str(line)?;
        let sql = sql.replace("CANARY", &canary).replace("HOST", &host);
        let began = Instant::now();
        let (is_answered, text) = call(&engine, &sql);
        assert!(began.elapsed() < LONGEST, "{sql} took {:?}", began.elapsed());
        for told in [SECRET, "root:", "datafusion.execution", "df_settings\"", dir.to_str().unwrap_or_default()] {
            // What was sent may be quoted.
            assert!(!text.replace(&sql, "").contains(told) || sql.contains(told), "{sql} tells {told}:\n{text}");
        }
        tried += 1;
        answered.extend(is_answered.then_some(sql));
    }
    assert!(tried >= 300, "{tried}");
    assert_eq!(visitors.load(Ordering::Relaxed), 0, "somebody was asked");
    assert_eq!((files(dir), files(outside.path())), before, "files came or went");
    // Long series are no attempt at all: they give as many rows as others.
    assert!(answered.iter().all(|sql| sql.contains("9223372036854775807)")), "{answered:#?}");
    assert_eq!(call(&engine, "SELECT name FROM orders ORDER BY id").1.matches("Ann").count(), 1);
    Ok(())
}

fn open(dir: &Path) -> Arc<Engine> {
    let dir = dir.to_path_buf();
    block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(Locking::Write, |_| {}).await;
        let compiled = workspace.compile();
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, compiled.tools))
    })
}

/// Whether there were rows, and all that an agent reads.
fn call(engine: &Arc<Engine>, sql: &str) -> (bool, String) {
    let engine = Arc::clone(engine);
    let arguments: Arguments = json!({"sql": sql}).as_object().cloned().unwrap();
    block_on(async move {
        match engine.call("shop_analyze", &arguments).await {
            Ok(result) => (true, result.annotated()),
            Err(error) => {
                assert_ne!(error.code.to_string(), "internal-error", "{:?}", error.detail);
                (false, format!("{}\n{}", error.line(), serde_json::to_string(&error).unwrap()))
            }
        }
    })
}

fn files(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            let name = entry.path().display().to_string();
            // A database may keep a file beside its own while it is read.
            found.extend((!name.ends_with("-shm") && !name.ends_with("-wal")).then_some(name));
        }
    }
    found
}
