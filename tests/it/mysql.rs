//! What happens to a server of MySQL while its tables are served. It is MariaDB.

use crate::cases::block_on;
use crate::servers::{asked_of_mariadb, run_in_mariadb};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables, use_address};
use qtool::workspace::{Locking, Workspace};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const BY_NAME: &str = "/*---\ndescription: By name.\ntable_format: csv\n---*/\nSELECT id, name FROM t WHERE name = << name >> ORDER BY id";
const BY_ID: &str = "/*---\ndescription: By number.\ntable_format: csv\n---*/\nSELECT id FROM t WHERE id = << id >>";
const COUNT: &str =
    "/*---\ndescription: A count.\ntable_format: csv\n---*/\nSELECT count(*) AS n FROM t WHERE name = << name >>";
const SLOWLY: &str =
    "/*---\ndescription: Slowly.\ntimeout: 300ms\ntable_format: csv\n---*/\nSELECT id FROM slow WHERE id = << id >>";

/// A project over tables of a database of its own, ready to be called. Its user reads, and has the name of the database.
fn served(dir: &Path, database: &str, statements: &str) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    run_in_mariadb(&format!(
        "DROP DATABASE IF EXISTS {database}; CREATE DATABASE {database}; USE {database};
         CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL); INSERT INTO t VALUES (1, 'Ann'), (2, 'ann'), (3, 'Bob');
         CREATE ALGORITHM = TEMPTABLE VIEW slow AS SELECT sleep(30) AS id;
         {statements}
         CREATE USER IF NOT EXISTS {database}@'%' IDENTIFIED BY 'only for tests';
         GRANT SELECT, SHOW VIEW, EXECUTE ON {database}.* TO {database}@'%'"
    ))?;
    let (variable, place) =
        (format!("QTOOL_TEST_OF_{}", database.to_uppercase()), std::env::var("QTOOL_TEST_MARIADB_TCP")?);
    use_address(&variable, &format!("mysql://{database}:only%20for%20tests@{place}/{database}"));
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(
        dir.join("qtool.yaml"),
        format!(
            "name: shop\nsources: {{ shop: {{ type: mysql, url_env: {variable}, max_connections: 4 }} }}\n\
             tables:\n  t: {{ source: shop, table: t }}\n  slow: {{ source: shop, table: {database}.slow }}\n"
        ),
    )?;
    std::fs::write(dir.join("queries/by_name.sql"), BY_NAME)?;
    std::fs::write(dir.join("queries/by_id.sql"), BY_ID)?;
    std::fs::write(dir.join("queries/count.sql"), COUNT)?;
    std::fs::write(dir.join("queries/slowly.sql"), SLOWLY)?;
    let dir = dir.to_path_buf();
    Ok(block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(Locking::Write, |_| {}).await;
        let compiled = workspace.compile();
        assert!(compiled.diagnostics.iter().all(|one| one.code.to_string() == "missing-description"), "{compiled:?}");
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, compiled.tools))
    }))
}

/// The rows of a call without their names, or the code of its error.
fn call(engine: &Arc<Engine>, tool: &'static str, arguments: serde_json::Value) -> String {
    let engine = Arc::clone(engine);
    block_on(async move { answer(&engine, tool, arguments).await })
}

async fn answer(engine: &Engine, tool: &str, arguments: serde_json::Value) -> String {
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    match engine.call(tool, &arguments).await {
        Ok(result) => result.text().lines().skip(1).collect::<Vec<_>>().join(" "),
        Err(error) => error.code.to_string(),
    }
}

/// How many sessions of the user of a database are in a state.
fn sessions(database: &str, is_asking: bool) -> Result<String, Box<dyn std::error::Error>> {
    let command = if is_asking { "<>" } else { "=" };
    asked_of_mariadb(&format!(
        "SELECT CAST(count(*) AS CHAR) FROM information_schema.processlist
         WHERE user = '{database}' AND command {command} 'Sleep'"
    ))
}

/// A table that changes is asked as it is now; one that is another is told, until it is back.
pub(crate) fn tables_are_asked_as_they_are_now() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "changing", "")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    }
    run_in_mariadb(
        "USE changing; DROP TABLE t; CREATE TABLE t (extra text, name varchar(9) NOT NULL, id int PRIMARY KEY);
         INSERT INTO t VALUES ('x', 'ann', 1), ('y', 'ANN', 2)",
    )?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
    }
    for change in [
        "ALTER TABLE changing.t RENAME COLUMN name TO title",
        "ALTER TABLE changing.t ADD name int NOT NULL DEFAULT 7",
        "ALTER TABLE changing.t DROP name",
        "ALTER TABLE changing.t RENAME TO changing.other",
    ] {
        run_in_mariadb(change)?;
        for _ in 0..3 {
            assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed", "{change}");
        }
    }
    run_in_mariadb(
        "ALTER TABLE changing.other RENAME TO changing.t; ALTER TABLE changing.t RENAME COLUMN title TO name",
    )?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
    }
    // What is compared, and not returned, is noticed too.
    run_in_mariadb("ALTER TABLE changing.t MODIFY name varchar(9) COLLATE utf8mb4_bin NOT NULL")?;
    assert_eq!(call(&engine, "count", json!({"name": "ann"})), "1");
    run_in_mariadb("ALTER TABLE changing.t MODIFY name varchar(9); INSERT INTO changing.t VALUES ('z', NULL, 9)")?;
    assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed");
    Ok(())
}

/// What nobody waits for any more ends in the server, and those who call beside it are answered.
pub(crate) fn statements_end_with_their_calls() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "ending", "")?;
    for round in 0..3 {
        let called = Arc::clone(&engine);
        block_on(async move {
            let calls = (0..12).map(|at| {
                let engine = Arc::clone(&called);
                tokio::spawn(async move {
                    let began = Instant::now();
                    // Some are given up by who has called, and not by their time.
                    let patience = Duration::from_millis(if at % 3 == 0 { 20 * at } else { 60_000 });
                    let answer = tokio::time::timeout(patience, answer(&engine, "slowly", json!({"id": 1}))).await;
                    (answer.unwrap_or_else(|_| "timeout".to_owned()), began.elapsed())
                })
            });
            for call in calls.collect::<Vec<_>>() {
                let (answer, took) = call.await.unwrap();
                assert!(["timeout", "busy", "source-unavailable"].contains(&answer.as_str()), "{answer}");
                assert!(took < Duration::from_secs(5), "{answer} after {took:?} in round {round}");
            }
        });
    }
    let began = Instant::now();
    loop {
        let under_way = sessions("ending", true)?;
        if under_way == "0" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{under_way} statements are still under way");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    // The connections are those that there were: one more ends statements of the others.
    let resting: u32 = sessions("ending", false)?.parse()?;
    assert!((1..=5).contains(&resting), "{resting} sessions rest");
    Ok(())
}

/// Connections that the server closes are made anew.
pub(crate) fn closed_connections_are_made_anew() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "closing", "")?;
    for _ in 0..5 {
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
        run_in_mariadb("KILL USER closing")?;
    }
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    Ok(())
}

/// A function behind a view may say something of its session; the next statement does not see it.
pub(crate) fn sessions_are_as_they_were() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(
        folder.path(),
        "turning",
        "CREATE FUNCTION turn() RETURNS int BEGIN
             SET SESSION time_zone = '+05:00'; SET @left = 7; SET SESSION tx_read_only = 0; RETURN 6; END;
         DROP VIEW slow; CREATE VIEW slow AS SELECT turn() AS id;",
    )?;
    assert_eq!(call(&engine, "slowly", json!({"id": 6})), "6");
    run_in_mariadb(
        "USE turning; CREATE FUNCTION looked() RETURNS int BEGIN
             RETURN coalesce(@left, 0) + (@@time_zone <> '+00:00') * 10 + (@@tx_read_only = 0) * 100; END;
         DROP VIEW slow; CREATE VIEW slow AS SELECT looked() AS id",
    )?;
    assert_eq!(call(&engine, "slowly", json!({"id": 0})), "0");
    Ok(())
}

/// A view that writes is not allowed to: the session is for reading alone, whatever its user may do.
pub(crate) fn nothing_is_written() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "writing", "DROP VIEW slow; CREATE VIEW slow AS SELECT id FROM t;")?;
    assert_eq!(call(&engine, "slowly", json!({"id": 3})), "3");
    run_in_mariadb(
        "USE writing; CREATE FUNCTION written() RETURNS int BEGIN INSERT INTO t VALUES (99, 'written'); RETURN 99; END;
         DROP VIEW slow; CREATE VIEW slow AS SELECT written() AS id",
    )?;
    let told = call(&engine, "slowly", json!({"id": 99}));
    assert!(!told.contains("99"), "{told}");
    assert_eq!(asked_of_mariadb("SELECT CAST(count(*) AS CHAR) FROM writing.t WHERE id = 99")?, "0");
    Ok(())
}
