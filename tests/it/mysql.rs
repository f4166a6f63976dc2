//! What happens to a server of MySQL while its tables are served. It is MariaDB.

use crate::cases::block_on;
use crate::database_changes::out_of_service;
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
/// A statement in the server's own SQL.
const OWN: &str =
    "/*---\ndescription: By number.\nsource: shop\ntable_format: csv\n---*/\nSELECT id FROM t WHERE id = << id: int >>";
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
    std::fs::write(dir.join("queries/own.sql"), OWN)?;
    std::fs::write(dir.join("queries/slowly.sql"), SLOWLY)?;
    Ok(open(dir, Locking::Write))
}

fn open(dir: &Path, locking: Locking) -> Arc<Engine> {
    let dir = dir.to_path_buf();
    block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(locking, |_| {}).await;
        let compiled = workspace.compile();
        assert!(compiled.diagnostics.iter().all(|one| one.code.to_string() == "missing-description"), "{compiled:?}");
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, compiled.tools))
    })
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
            // All others concern who reads them alone.
            let by_id = if change.contains("RENAME TO") { "data-changed" } else { "2" };
            assert_eq!(call(&engine, "by_id", json!({"id": 2})), by_id, "{change}");
            assert_eq!(call(&engine, "own", json!({"id": 2})), by_id, "{change}");
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
    run_in_mariadb("ALTER TABLE changing.t DROP PRIMARY KEY; INSERT INTO changing.t VALUES ('w', 'Eve', 1)")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed", "pages go by the key");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1 1");
        assert_eq!(call(&engine, "count", json!({"name": "ann"})), "1");
    }
    run_in_mariadb("DELETE FROM changing.t WHERE name = 'Eve'; ALTER TABLE changing.t ADD PRIMARY KEY (id)")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1");
    }
    run_in_mariadb("ALTER TABLE changing.t MODIFY name varchar(9); INSERT INTO changing.t VALUES ('z', NULL, 9)")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed");
        assert_eq!(call(&engine, "by_id", json!({"id": 9})), "9");
    }
    Ok(())
}

/// A statement in the server's own SQL whose columns are of other types is told to be another, and not to hold wrong values.
pub(crate) fn statements_are_held_to_their_types() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let header = "description: Sizes.\ntable_format: csv\nsource: shop";
    for (name, columns, sql) in [
        ("sizes", "", "SELECT size, share FROM own WHERE id = << id: bigint >>"),
        ("narrow", "columns: { share: { type: 'decimal(3,1)' } }", "SELECT share FROM own WHERE id = << id: bigint >>"),
        (
            "computed",
            "columns: { n: { type: bigint } }",
            "SELECT size + << more: bigint >> AS n FROM own WHERE id = << id: bigint >>",
        ),
        ("bare", "", "SELECT << more: bigint >> AS n FROM own WHERE id = << id: bigint >>"),
    ] {
        std::fs::write(
            folder.path().join(format!("queries/{name}.sql")),
            format!("/*---\n{header}\n{columns}\n---*/\n{sql}"),
        )?;
    }
    let engine = served(
        folder.path(),
        "typed",
        "CREATE TABLE own (id int PRIMARY KEY, size smallint, share decimal(4,2)); INSERT INTO own VALUES (1, 2, 0.5), (2, 3, 99.99);",
    )?;
    assert_eq!(call(&engine, "sizes", json!({"id": 1})), "2,0.50");
    assert_eq!(call(&engine, "narrow", json!({"id": 1})), "0.5");
    // It is what its author says of the column that does not hold.
    assert_eq!(call(&engine, "narrow", json!({"id": 2})), "unreadable-data");
    assert_eq!(call(&engine, "computed", json!({"id": 1, "more": 5})), "7");
    assert_eq!(call(&engine, "computed", json!({"id": 1, "more": i64::MAX})), "overflow");
    assert_eq!(call(&engine, "bare", json!({"id": 1, "more": 5})), "data-changed");
    for (change, id) in [
        ("ALTER TABLE typed.own MODIFY size bigint; INSERT INTO typed.own VALUES (3, 40000, 1)", 3),
        ("ALTER TABLE typed.own MODIFY size smallint unsigned, MODIFY share decimal(9,4)", 1),
        ("UPDATE typed.own SET share = 1.2345 WHERE id = 1", 1),
        ("ALTER TABLE typed.own MODIFY share varchar(9)", 1),
        ("ALTER TABLE typed.own MODIFY share decimal(4,2), MODIFY size varchar(9)", 1),
    ] {
        run_in_mariadb(change)?;
        for _ in 0..2 {
            let answer = call(&engine, "sizes", json!({"id": id}));
            let fits = change.contains("unsigned");
            assert_eq!(answer, if fits { "2,0.50" } else { "data-changed" }, "{change}");
        }
    }
    run_in_mariadb("DELETE FROM typed.own WHERE id = 3; ALTER TABLE typed.own MODIFY size smallint")?;
    assert_eq!(call(&engine, "sizes", json!({"id": 1})), "2,1.23");
    Ok(())
}

/// What has changed when it is served anew concerns who minds, and no other; so do a column and a key that come back.
pub(crate) fn a_start_leaves_out_who_minds() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "started", "")?;
    assert_eq!(out_of_service(folder.path()), [""; 0]);
    for (change, back, broken) in [
        ("RENAME COLUMN name TO title", "RENAME COLUMN title TO name", vec!["by_name", "count"]),
        ("DROP PRIMARY KEY", "ADD PRIMARY KEY (id)", vec!["by_name"]),
        ("DROP name", "ADD name varchar(9) NOT NULL DEFAULT 'Eve'", vec!["by_name", "count"]),
    ] {
        run_in_mariadb(&format!("ALTER TABLE started.t {change}"))?;
        assert_eq!(out_of_service(folder.path()), broken, "{change}");
        let anew = open(folder.path(), Locking::ReadOnly);
        assert_eq!(call(&anew, "by_id", json!({"id": 3})), "3", "{change}");
        run_in_mariadb(&format!("ALTER TABLE started.t {back}"))?;
        assert_eq!(call(&anew, "by_id", json!({"id": 3})), "3", "{back}");
        assert_eq!(out_of_service(folder.path()), [""; 0], "{back}");
    }
    assert_eq!(call(&engine, "by_name", json!({"name": "Eve"})), "1,Eve 2,Eve 3,Eve");
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
        // They are told at once. Now and then MariaDB lies on a KILL of a sleep for half a second and more: the process list has it as
        // `starting`, and its session as busy.
        assert!(began.elapsed() < Duration::from_secs(5), "{under_way} statements are still under way");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    // The connections are those that there were: one more ends statements of the others.
    let resting: u32 = sessions("ending", false)?.parse()?;
    assert!((1..=5).contains(&resting), "{resting} sessions rest");
    Ok(())
}

/// Where the word does not arrive by which a statement is ended, the server ends it by itself a little later.
pub(crate) fn a_server_ends_what_it_is_not_told_to_end() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "unheard", "DROP USER IF EXISTS unheard@'%';")?;
    // There is no second connection, over which a statement could be ended.
    run_in_mariadb("ALTER USER unheard@'%' WITH MAX_USER_CONNECTIONS 1; KILL USER unheard")?;
    assert_eq!(call(&engine, "slowly", json!({"id": 1})), "timeout");
    assert_eq!(sessions("unheard", true)?, "1");
    let began = Instant::now();
    while sessions("unheard", true)? != "0" {
        assert!(began.elapsed() < Duration::from_secs(5), "it is still under way");
        std::thread::sleep(Duration::from_millis(50));
    }
    run_in_mariadb("ALTER USER unheard@'%' WITH MAX_USER_CONNECTIONS 0")?;
    while call(&engine, "by_id", json!({"id": 3})) != "3" {
        assert!(began.elapsed() < Duration::from_secs(10), "nobody is let in any more");
        std::thread::sleep(Duration::from_millis(50));
    }
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

/// A project that is made of a database passes its check: columns are declared as what their values are.
pub(crate) fn projects_are_made_of_what_values_are() -> crate::Outcome {
    run_in_mariadb(
        "DROP DATABASE IF EXISTS doubtful; CREATE DATABASE doubtful; USE doubtful; SET sql_mode = 'ALLOW_INVALID_DATES';
         CREATE TABLE people (id int PRIMARY KEY, is_active tinyint(1), stars tinyint(1), is_new tinyint(1), born date,
           hired date, seen datetime, left_at datetime(3), moved timestamp NULL, `odd ``name` date, span time, since year);
         INSERT INTO people VALUES
           (1, 0, 0, NULL, '0000-00-00', '2024-02-29', '2024-00-00 00:00:00', '2024-01-01 10:00:00.5', NULL, '2024-02-31',
            '838:59:59', 0),
           (2, 1, 5, NULL, '1990-05-01', '0000-01-01', NULL, NULL, '2024-01-01 00:00:00', NULL, '-01:00:00', 2024),
           (3, NULL, 1, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL)",
    )?;
    let folder = tempfile::tempdir()?;
    let socket = std::env::var("QTOOL_TEST_MARIADB_DIR")? + "/mariadb.sock";
    let address = format!("mysql://root@localhost/doubtful?socket={socket}");
    let run = |dir: &Path, arguments: &[&str]| -> Result<String, Box<dyn std::error::Error>> {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_qtool"));
        let ran = command.current_dir(dir).args(arguments).env("DOUBTFUL_URL", &address).output()?;
        let (told, wrong) = (String::from_utf8(ran.stdout)?, String::from_utf8(ran.stderr)?);
        if ran.status.success() { Ok(told) } else { Err(format!("{arguments:?}: {told}{wrong}").into()) }
    };
    run(folder.path(), &["new", "made", "--from", &address])?;
    let project = folder.path().join("made");
    let written = std::fs::read_to_string(project.join("qtool.yaml"))?;
    for line in [
        "is_active: boolean  # tinyint(1) in the database, whose rows hold 0 and 1 alone",
        "born: text  # date in the database, which its first rows are not",
        "seen: text  # datetime in the database, which its first rows are not",
        "moved: text  # timestamp in the database, which its first rows are not",
        "odd_name: text  # date in the database, which its first rows are not",
    ] {
        assert!(written.contains(line), "{line} in\n{written}");
    }
    for column in ["stars: ", "is_new: ", "hired: ", "left_at: ", "span: ", "since: "] {
        assert!(!written.contains(column), "{column} in\n{written}");
    }
    let all = "/*---\ndescription: All.\ntable_format: csv\n---*/\n\
               SELECT id, is_active, born, seen, odd_name, hired, span, since FROM people ORDER BY id";
    std::fs::write(project.join("queries/all_people.sql"), all)?;
    run(&project, &["check"])?;
    let told = run(&project, &["call", "all_people"])?;
    for line in
        ["1,false,0000-00-00,2024-00-00 00:00:00,2024-02-31,2024-02-29,", "2,true,1990-05-01,,,0000-01-01,", "3,,,,,,,"]
    {
        assert!(told.contains(line), "{line} in\n{told}");
    }
    Ok(())
}
