//! What happens to a server of PostgreSQL while its tables are served.

use crate::cases::block_on;
use crate::database_changes::out_of_service;
use crate::proxy::Proxy;
use crate::servers::{asked_of_postgres, run_in_postgres};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::workspace::{Locking, Workspace};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How old what is known of a table may be at most that the server does not see to itself.
const LATELY: Duration = Duration::from_millis(110);

/// Statements of ours that are under way.
const UNDER_WAY: &str =
    "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'qtool' AND state = 'active' AND query LIKE";
const BY_NAME: &str = "/*---\ndescription: By name.\ntable_format: csv\n---*/\nSELECT id, name FROM t WHERE name = << name >> ORDER BY id";
const BY_ID: &str = "/*---\ndescription: By number.\ntable_format: csv\n---*/\nSELECT id FROM t WHERE id = << id >>";
/// A statement in the server's own SQL.
const OWN: &str = "/*---\ndescription: By name.\nsource: shop\ntable_format: csv\n---*/\nSELECT id, name FROM @.t WHERE name = << name >> ORDER BY id";
/// The same, of no column.
const OWN_COUNT: &str =
    "/*---\ndescription: A count.\nsource: shop\ntable_format: csv\n---*/\nSELECT count(*)::int AS n FROM @.t";
/// What it is found by is not returned.
const ID_BY_NAME: &str =
    "/*---\ndescription: By name.\ntable_format: csv\n---*/\nSELECT id FROM t WHERE name = << name >> ORDER BY id";
const COUNT: &str =
    "/*---\ndescription: A count.\ntable_format: csv\n---*/\nSELECT count(*) AS n FROM t WHERE name = << name >>";
const SLOWLY: &str =
    "/*---\ndescription: Slowly.\ntimeout: 300ms\ntable_format: csv\n---*/\nSELECT id FROM slow WHERE id = << id >>";

/// A project over tables of a schema, ready to be called.
fn served(dir: &Path, schema: &str, statements: &str) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    served_by(dir, schema, ("QTOOL_TEST_POSTGRES", ""), statements)
}

/// The same by the address in a variable, with more tables.
fn served_by(
    dir: &Path,
    schema: &str,
    (variable, tables): (&str, &str),
    statements: &str,
) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    run_in_postgres(&format!(
        "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; SET search_path = {schema};
         CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL); INSERT INTO t VALUES (1, 'Ann'), (2, 'ann'), (3, 'Bob');
         CREATE VIEW slow AS SELECT 1 AS id, pg_sleep(30)::text AS {schema};
         {statements}"
    ))?;
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(
        dir.join("qtool.yaml"),
        format!(
            "name: shop\nsources: {{ shop: {{ type: postgres, url_env: {variable}, max_connections: 4 }} }}\n\
             tables:\n  t: {{ source: shop, table: {schema}.t }}\n  slow: {{ source: shop, table: {schema}.slow }}\n{tables}"
        ),
    )?;
    std::fs::write(dir.join("queries/by_name.sql"), BY_NAME)?;
    std::fs::write(dir.join("queries/by_id.sql"), BY_ID)?;
    std::fs::write(dir.join("queries/count.sql"), COUNT)?;
    std::fs::write(dir.join("queries/own.sql"), OWN.replace('@', schema))?;
    std::fs::write(dir.join("queries/own_count.sql"), OWN_COUNT.replace('@', schema))?;
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

/// A table that changes is asked as it is now; one that is another is told, until it is back.
pub(crate) fn tables_are_asked_as_they_are_now() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("queries/id_by_name.sql"), ID_BY_NAME)?;
    let engine = served(folder.path(), "changing", "")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
        assert_eq!(call(&engine, "own", json!({"name": "ann"})), "2,ann");
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
        assert_eq!(call(&engine, "count", json!({"name": "ann"})), "1");
    }
    run_in_postgres(
        "DROP TABLE changing.t; CREATE TABLE changing.t (extra text, name varchar(9) NOT NULL, id int PRIMARY KEY);
         INSERT INTO changing.t VALUES ('x', 'ann', 1), ('y', 'ANN', 2);",
    )?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
        assert_eq!(call(&engine, "own", json!({"name": "ann"})), "1,ann");
    }
    for change in [
        "ALTER TABLE changing.t RENAME name TO title",
        "ALTER TABLE changing.t ADD name int NOT NULL DEFAULT 7",
        "ALTER TABLE changing.t DROP name",
        "ALTER TABLE changing.t RENAME TO other",
    ] {
        run_in_postgres(change)?;
        for _ in 0..3 {
            // Of the columns that are gone, it has one in its condition.
            assert_eq!(call(&engine, "count", json!({"name": "ann"})), "data-changed", "{change}");
            assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed", "{change}");
            assert_eq!(call(&engine, "own", json!({"name": "ann"})), "data-changed", "{change}");
            // All others concern who reads them alone.
            let (has_rows, none) = (!change.contains("RENAME TO"), "data-changed");
            assert_eq!(call(&engine, "by_id", json!({"id": 2})), if has_rows { "2" } else { none }, "{change}");
            assert_eq!(call(&engine, "own_count", json!({})), if has_rows { "2" } else { none }, "{change}");
        }
    }
    run_in_postgres("ALTER TABLE changing.other RENAME TO t; ALTER TABLE changing.t RENAME title TO name")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
        assert_eq!(call(&engine, "own", json!({"name": "ann"})), "1,ann");
    }
    // What is compared, and not returned, is noticed too.
    for _ in 0..3 {
        assert_eq!(call(&engine, "id_by_name", json!({"name": "ann"})), "1");
    }
    run_in_postgres(
        "CREATE COLLATION changing.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
         ALTER TABLE changing.t ALTER name TYPE varchar(9) COLLATE changing.folded",
    )?;
    assert_eq!(
        call(&engine, "id_by_name", json!({"name": "ann"})),
        "1",
        "the server has kept it, and was asked a moment ago"
    );
    assert_eq!(call(&engine, "count", json!({"name": "ann"})), "1");
    run_in_postgres("ALTER TABLE changing.t DROP CONSTRAINT t_pkey")?;
    run_in_postgres("INSERT INTO changing.t VALUES ('w', 'Eve', 1)")?;
    // What the server does not see itself when it plans a statement anew is asked for that often.
    std::thread::sleep(LATELY);
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed", "pages go by the key");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1 1");
        assert_eq!(call(&engine, "count", json!({"name": "ann"})), "1");
    }
    run_in_postgres("DELETE FROM changing.t WHERE name = 'Eve'; ALTER TABLE changing.t ADD PRIMARY KEY (id)")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "1,ann");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1");
    }
    run_in_postgres("ALTER TABLE changing.t ALTER name DROP NOT NULL; INSERT INTO changing.t VALUES ('z', NULL, 9)")?;
    std::thread::sleep(LATELY);
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed");
        assert_eq!(call(&engine, "by_id", json!({"id": 9})), "9");
    }
    // Once more of another type, as somebody would do it beside the server.
    run_in_postgres("ALTER TABLE changing.t ALTER name TYPE int USING length(name)")?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "count", json!({"name": "ann"})), "data-changed");
        assert_eq!(call(&engine, "by_id", json!({"id": 9})), "9");
    }
    Ok(())
}

/// What has changed when it is served anew concerns who minds, and no other; so do a column and a key that come back.
pub(crate) fn a_start_leaves_out_who_minds() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "started", "")?;
    assert_eq!(out_of_service(folder.path()), [""; 0]);
    for (change, back, broken) in [
        ("RENAME COLUMN name TO title", "RENAME COLUMN title TO name", vec!["by_name", "count"]),
        ("DROP CONSTRAINT t_pkey", "ADD PRIMARY KEY (id)", vec!["by_name"]),
        ("DROP name", "ADD name varchar(9) NOT NULL DEFAULT 'Eve'", vec!["by_name", "count"]),
    ] {
        run_in_postgres(&format!("ALTER TABLE started.t {change}"))?;
        assert_eq!(out_of_service(folder.path()), broken, "{change}");
        let anew = open(folder.path(), Locking::ReadOnly);
        assert_eq!(call(&anew, "by_id", json!({"id": 3})), "3", "{change}");
        run_in_postgres(&format!("ALTER TABLE started.t {back}"))?;
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
    let called = Arc::clone(&engine);
    block_on(async move {
        let calls = (0..12).map(|_| {
            let engine = Arc::clone(&called);
            tokio::spawn(async move {
                let began = Instant::now();
                (answer(&engine, "slowly", json!({"id": 1})).await, began.elapsed())
            })
        });
        for call in calls.collect::<Vec<_>>() {
            let (answer, took) = call.await.unwrap();
            assert!(["timeout", "busy", "source-unavailable"].contains(&answer.as_str()), "{answer}");
            assert!(took < Duration::from_secs(5), "{answer} after {took:?}");
        }
    });
    let began = Instant::now();
    loop {
        let under_way = asked_of_postgres(&format!("{UNDER_WAY} '%ending%'"))?;
        if under_way == "0" {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{under_way} statements are still under way");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    Ok(())
}

/// Connections that the server closes are made anew.
pub(crate) fn closed_connections_are_made_anew() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), "closing", "")?;
    for _ in 0..5 {
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
        run_in_postgres(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'qtool' AND state = 'idle' AND query LIKE '%closing%'",
        )?;
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
        "CREATE FUNCTION turn() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
             PERFORM set_config('default_transaction_read_only', 'off', false);
             PERFORM set_config('search_path', 'turning', false); RETURN 'turned'; END $$;
         DROP VIEW slow; CREATE VIEW slow AS SELECT length(turning.turn()) AS id;",
    )?;
    assert_eq!(call(&engine, "slowly", json!({"id": 6})), "6");
    run_in_postgres(
        "DROP VIEW turning.slow; CREATE VIEW turning.slow AS SELECT length(current_setting('search_path'))
         + CASE current_setting('default_transaction_read_only') WHEN 'on' THEN 0 ELSE 1000 END AS id",
    )?;
    assert_eq!(call(&engine, "slowly", json!({"id": 0})), "0");
    Ok(())
}

/// Neither does what a function behind a policy of rows, or behind a cast to text, says and holds: a lookup in a table goes the
/// short way only where no such function is called.
pub(crate) fn policies_of_rows_leave_nothing_behind() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let variable = "QTOOL_TEST_POLICED";
    let place = std::env::var("QTOOL_TEST_POSTGRES_TCP")?;
    qtool::engine::use_address(variable, &format!("postgres://reader:only%20for%20tests@{place}/postgres"));
    let body = "BEGIN
         IF current_setting('transaction_read_only') = 'off' THEN INSERT INTO policed.seen VALUES (1); END IF;
         PERFORM set_config('default_transaction_read_only', 'off', false);
         PERFORM set_config('timezone', 'Asia/Tokyo', false); PERFORM pg_advisory_lock(4712);";
    let statements = format!(
        "CREATE TABLE seen (n int); CREATE TYPE pair AS (a int, b int);
         CREATE FUNCTION told(one int) RETURNS boolean LANGUAGE plpgsql AS $$ {body} RETURN true; END $$;
         CREATE FUNCTION as_text(one pair) RETURNS text LANGUAGE plpgsql AS $$ {body} RETURN '3'; END $$;
         CREATE CAST (pair AS text) WITH FUNCTION as_text(pair);
         ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY rows ON t USING (policed.told(id));
         CREATE TABLE pairs (id int PRIMARY KEY, pair policed.pair NOT NULL); INSERT INTO pairs VALUES (3, '(1,2)');
         GRANT USAGE ON SCHEMA policed TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA policed TO reader;
         GRANT INSERT ON seen TO reader;"
    );
    let of_pairs = "/*---\ndescription: A pair.\ntable_format: csv\n---*/\nSELECT pair FROM pairs WHERE id = << id >>";
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("queries/pair.sql"), of_pairs)?;
    let tables = "  pairs: { source: shop, table: policed.pairs }\n";
    let engine = served_by(folder.path(), "policed", (variable, tables), &statements)?;
    for tool in ["by_id", "pair"] {
        for _ in 0..3 {
            assert_eq!(call(&engine, tool, json!({"id": 3})), "3", "{tool}");
        }
        assert_eq!(asked_of_postgres("SELECT count(*)::text FROM policed.seen")?, "0", "{tool}");
        let locks = "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND objid = 4712";
        assert_eq!(asked_of_postgres(locks)?, "0", "{tool}");
    }
    Ok(())
}

/// A view that writes is not allowed to: the session is for reading alone.
pub(crate) fn nothing_is_written() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(
        folder.path(),
        "writing",
        "CREATE FUNCTION write() RETURNS int LANGUAGE sql VOLATILE AS
             $$ INSERT INTO writing.t VALUES (99, 'written') RETURNING id $$;
         DROP VIEW slow; CREATE VIEW slow AS SELECT writing.write() AS id;",
    )?;
    let told = call(&engine, "slowly", json!({"id": 99}));
    assert!(!told.contains("99"), "{told}");
    assert_eq!(asked_of_postgres("SELECT count(*)::text FROM writing.t WHERE id = 99")?, "0");
    Ok(())
}

/// While a server says nothing, tools that ask somebody else are answered; after some calls it is not asked for a while, and
/// when it speaks again, it is.
pub(crate) fn a_server_that_stalls_holds_up_nobody_else() -> crate::Outcome {
    let proxy = Proxy::of_server(std::env::var("QTOOL_TEST_POSTGRES_TCP")?)?;
    let variable = "QTOOL_TEST_STALLING";
    qtool::engine::use_address(variable, &format!("postgres://reader:only%20for%20tests@{}/postgres", proxy.place));
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::write(dir.join("f.csv"), "n\n7\n")?;
    let files = "/*---\ndescription: Of a file.\ntable_format: csv\n---*/\nSELECT n FROM f WHERE n = << n >>";
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("queries/of_file.sql"), files)?;
    std::fs::write(dir.join("queries/soon.sql"), BY_ID.replace("table_format", "timeout: 1s\ntable_format"))?;
    let granted = "GRANT USAGE ON SCHEMA stalling TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA stalling TO reader";
    let engine = served_by(dir, "stalling", (variable, "  f: { path: f.csv }\n"), granted)?;
    for _ in 0..3 {
        assert_eq!(call(&engine, "soon", json!({"id": 3})), "3");
        assert_eq!(call(&engine, "of_file", json!({"n": 7})), "7");
    }
    proxy.stall();
    let called = Arc::clone(&engine);
    let began = Instant::now();
    block_on(async move {
        let one = |_| {
            let engine = Arc::clone(&called);
            tokio::spawn(async move { answer(&engine, "soon", json!({"id": 3})).await })
        };
        let calls: Vec<_> = (0..32).map(one).collect();
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(40)).await;
            let began = Instant::now();
            assert_eq!(answer(&called, "of_file", json!({"n": 7})).await, "7");
            assert!(began.elapsed() < Duration::from_millis(300), "{:?}", began.elapsed());
        }
        for call in calls {
            let answer = call.await.unwrap();
            // Some had no turn.
            assert!(["timeout", "source-unavailable", "busy"].contains(&answer.as_str()), "{answer}");
        }
    });
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    // Those who read for them notice a moment later.
    std::thread::sleep(Duration::from_millis(200));
    let began = Instant::now();
    assert_eq!(call(&engine, "soon", json!({"id": 3})), "source-unavailable");
    assert!(began.elapsed() < Duration::from_millis(200), "{:?}", began.elapsed());
    proxy.go_on();
    let began = Instant::now();
    while call(&engine, "soon", json!({"id": 3})) != "3" {
        assert!(began.elapsed() < Duration::from_secs(20), "it is not asked again");
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// A server knows how long a statement may take, should nobody be able to end it.
pub(crate) fn servers_know_until_when_somebody_waits() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    // The 300 ms of the call, and a second of overtime.
    let statements = "DROP VIEW slow; CREATE VIEW slow AS SELECT (setting::int BETWEEN 1000 AND 1300)::int AS id
         FROM pg_settings WHERE name = 'statement_timeout';";
    let engine = served(folder.path(), "limited", statements)?;
    assert_eq!(call(&engine, "slowly", json!({"id": 1})), "1");
    Ok(())
}
