//! PostgreSQL behind PgBouncer, which gives each transaction one of two sessions that others have before and after it.

use crate::cases::block_on;
use crate::servers::{PGBOUNCER, asked_at_postgres, database_of_postgres};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables, use_address};
use qtool::workspace::{Locking, Workspace};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, NoTls};

/// How many sessions the pooler has for all who are one user of one database.
const SESSIONS: usize = 2;
/// Calls that are given up.
const GIVEN_UP: usize = 100;

const TABLES: &str = "
    CREATE TYPE state AS ENUM ('open', 'paid');
    CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL, f float8, day date, state state);
    INSERT INTO t SELECT n, 'name ' || n, '2024-01-02 03:04:05+00'::timestamptz + n * interval '1 hour', n / 7.0,
        '2024-01-02'::date + n, CASE n % 2 WHEN 0 THEN 'open'::state ELSE 'paid' END FROM generate_series(1, 50) AS n;
    CREATE TABLE strings (id int PRIMARY KEY, s text NOT NULL);
    CREATE FUNCTION locked() RETURNS int LANGUAGE sql AS 'SELECT 1';
    CREATE VIEW endless AS SELECT a + b AS x FROM generate_series(1::bigint, 100000) AS a, generate_series(1::bigint, 1000000) AS b;
    CREATE VIEW turned AS SELECT locked() AS id;
    CREATE SCHEMA other; CREATE TABLE other.t (id int, name text);
    CREATE FUNCTION other.lower(text) RETURNS text LANGUAGE sql AS $$ SELECT 'fooled' $$;
    CREATE FUNCTION other.coalesce_(text) RETURNS text LANGUAGE sql AS $$ SELECT 'fooled' $$;";

/// What somebody else says of the sessions, and keeps in them.
const ORDINARY: &str = "SET search_path = other, pg_catalog; SET DateStyle = 'SQL, DMY'; SET standard_conforming_strings = off;
    SET TimeZone = 'Asia/Tokyo'; SET extra_float_digits = -15; SET bytea_output = 'escape'; SET IntervalStyle = 'sql_standard';
    SET transform_null_equals = on; SET statement_timeout = 3600000; SET default_text_search_config = 'german';
    SELECT pg_advisory_lock_shared(7042)";

/// What holds of a session that was left so, but for what the pooler itself says anew for each client.
const IS_AS_LEFT: &str = "SELECT concat_ws('|', current_setting('search_path'), current_setting('extra_float_digits'),
    current_setting('bytea_output'), current_setting('IntervalStyle'), current_setting('transform_null_equals'),
    current_setting('statement_timeout'), current_setting('default_text_search_config'),
    current_setting('default_transaction_read_only'),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7042 AND pid = pg_backend_pid()),
    (SELECT string_agg(name, ' ' ORDER BY name) FROM pg_prepared_statements))";

const QUERIES: [(&str, &str); 8] = [
    ("by_name", "SELECT id, name, at, f, day FROM t WHERE name = << name >> ORDER BY id"),
    ("count", "SELECT count(*) AS n FROM t WHERE day >= << since >>"),
    ("joined", "SELECT t.id, f.label FROM t JOIN f ON f.id = t.id WHERE t.id <= << most >> ORDER BY t.id"),
    ("of_turned", "SELECT id FROM turned WHERE id = << id >>"),
    ("found", "SELECT id FROM strings WHERE s = << s >> ORDER BY id"),
    (
        "own",
        "SELECT id, lower(name) AS name, at::text AS at, f::text AS f, day::text AS day, 'a\\b' AS b, \
         '\\x00ff'::bytea::text AS bytes, interval '90 minutes'::text AS long, to_tsvector('the mice')::text AS words \
         FROM t WHERE id = << id >>",
    ),
    ("own_enum", "SELECT id FROM t WHERE state = << state >> AND id <= << most >> ORDER BY id"),
    ("of_endless", "SELECT count(*) AS n FROM endless WHERE x < << least: bigint >>"),
];

/// A database of its own, seen through the pooler.
struct Pooled {
    folder: tempfile::TempDir,
    /// The variable of its address behind the pooler.
    variable: String,
    /// The address itself.
    address: String,
    /// The address without the pooler.
    direct: String,
}

impl Pooled {
    fn new(database: &str, statements: &str) -> Result<Pooled, Box<dyn Error>> {
        let direct = database_of_postgres(database, statements)?;
        let address = std::env::var(PGBOUNCER)?;
        let address = address.strip_suffix("/postgres").map(|server| format!("{server}/{database}"));
        let address = address.ok_or("the address of the pooler names no database `postgres`")?;
        let variable = format!("QTOOL_TEST_{}", database.to_uppercase());
        use_address(&variable, &address);
        Ok(Pooled { folder: tempfile::tempdir()?, variable, address, direct })
    }

    fn dir(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a project over it. `more` are further keys of the source.
    fn write(&self, more: &str, queries: &[(&str, &str)]) -> Result<(), Box<dyn Error>> {
        let (dir, variable) = (self.dir(), &self.variable);
        std::fs::create_dir_all(dir.join("queries"))?;
        std::fs::write(dir.join("f.csv"), "id,label\n1,one\n2,two\n99,none\n")?;
        let tables = ["t", "turned", "strings", "endless"].map(|table| format!("  {table}: {{ source: shop }}\n"));
        std::fs::write(
            dir.join("qtool.yaml"),
            format!(
                "name: pooled\nsources: {{ shop: {{ type: postgres, url_env: {variable}{more} }} }}\n\
                 tables:\n{}  f: {{ path: f.csv }}\n",
                tables.concat()
            ),
        )?;
        for (name, sql) in queries {
            let source = if name.starts_with("own") { "source: shop\n" } else { "" };
            let header = format!("/*---\ndescription: Something.\ntable_format: csv\n{source}---*/\n");
            std::fs::write(dir.join(format!("queries/{name}.sql")), header + sql)?;
        }
        Ok(())
    }

    /// Its tools, ready to be called.
    fn engine(&self, more: &str) -> Result<Arc<Engine>, Box<dyn Error>> {
        self.write(more, &QUERIES)?;
        let dir = PathBuf::from(self.dir());
        Ok(block_on(async move {
            let mut workspace = Workspace::load(&dir).unwrap();
            workspace.read_data(Locking::Write, |_| {}).await;
            let compiled = workspace.compile();
            assert_eq!(compiled.errors, 0, "{:?}", compiled.diagnostics);
            let project = workspace.project;
            let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
            Arc::new(Engine::prepare(tables, compiled.tools))
        }))
    }

    /// Runs a command of the real binary: whether it succeeded, and what it said.
    fn run(&self, arguments: &[&str]) -> Result<(bool, String), Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        let output = command.args(arguments).current_dir(self.dir()).env(&self.variable, &self.address).output()?;
        let said = [output.stdout, output.stderr].concat();
        Ok((output.status.success(), String::from_utf8_lossy(&said).into_owned()))
    }

    /// Somebody else has all sessions of the pooler at once, says the same in each, and then asks something there.
    fn in_each_session(&self, said: &str, asked: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let (address, said, asked) = (self.address.clone(), said.to_owned(), asked.to_owned());
        let told = block_on(async move {
            let mut clients: Vec<Client> = Vec::new();
            for _ in 0..SESSIONS {
                let (client, connection) = tokio_postgres::connect(&address, NoTls).await?;
                tokio::spawn(connection);
                client.batch_execute("BEGIN").await?;
                clients.push(client);
            }
            let mut told = Vec::new();
            for client in &clients {
                client.batch_execute(&format!("{said}; COMMIT; BEGIN")).await?;
            }
            for client in &clients {
                let rows = client.simple_query(&asked).await?;
                let value = rows.iter().find_map(|message| match message {
                    tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                    _ => None,
                });
                told.push(value.unwrap_or_default());
                client.batch_execute("COMMIT").await?;
            }
            Ok::<_, tokio_postgres::Error>(told)
        });
        Ok(told?)
    }
}

/// The rows of a call without their names, or the code of its error.
async fn answer(engine: &Engine, tool: &str, arguments: Value) -> String {
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    match engine.call(tool, &arguments).await {
        Ok(result) => result.text().lines().skip(1).collect::<Vec<_>>().join(" "),
        Err(error) => {
            format!("{}: {}", error.code, error.detail.map(|detail| detail.text().to_owned()).unwrap_or_default())
        }
    }
}

const SHARED: &str = ", named_statements: false";

/// Calls of which each has an answer that is known.
const CALLS: [(&str, &str); 5] = [
    ("by_name", r#"{"name": "name 7"}"#),
    ("count", r#"{"since": "2024-02-01"}"#),
    ("joined", r#"{"most": 5}"#),
    ("own", r#"{"id": 7}"#),
    ("own_enum", r#"{"state": "open", "most": 6}"#),
];
const ANSWERS: [&str; 5] = [
    "7,name 7,2024-01-02T10:04:05Z,1.0,2024-01-09",
    "21",
    "1,one 2,two",
    "7,name 7,2024-01-02 10:04:05+00,1,2024-01-09,a\\b,\\x00ff,01:30:00,'mice':2",
    "2 4 6",
];

/// All calls, several of each at once.
fn call_all(engine: &Arc<Engine>) {
    let engine = Arc::clone(engine);
    block_on(async move {
        let calls = (0..40).map(|at| {
            let (engine, (tool, sent)) = (Arc::clone(&engine), CALLS[at % CALLS.len()]);
            tokio::spawn(async move {
                let sent = serde_json::from_str(sent).unwrap();
                assert_eq!(answer(&engine, tool, sent).await, ANSWERS[at % CALLS.len()], "{tool}");
            })
        });
        for call in calls.collect::<Vec<_>>() {
            call.await.unwrap();
        }
    });
}

/// Where nothing is said of the pooler, the way out is told; so it is where the address says what it does not take.
pub(crate) fn what_a_pooler_does_not_take_is_told() -> crate::Outcome {
    let mut pooled = Pooled::new("pooled_told", TABLES)?;
    for more in ["", ", named_statements: true"] {
        pooled.write(more, &QUERIES[..1])?;
        let (is_fine, said) = pooled.run(&["check"])?;
        assert!(!is_fine && said.contains("behind a pooler, say `named_statements: false`"), "{said}");
        assert!(!said.contains("only for tests") && !said.contains("only%20for"), "{said}");
    }
    pooled.write(SHARED, &QUERIES[..1])?;
    let (is_fine, said) = pooled.run(&["check"])?;
    assert!(is_fine, "{said}");
    std::fs::remove_dir_all(pooled.dir().join("snapshots"))?;
    pooled.address.push_str("?options=-c%20geqo%3Doff");
    let (is_fine, said) = pooled.run(&["check"])?;
    assert!(!is_fine && said.contains("takes no `options`"), "{said}");
    Ok(())
}

/// What others say of the sessions changes no answer, and they find them as they left them.
pub(crate) fn sessions_of_others_are_theirs() -> crate::Outcome {
    let pooled = Pooled::new("pooled_others", TABLES)?;
    let engine = pooled.engine(SHARED)?;
    call_all(&engine);
    // Sessions before they are spoiled hold nothing of ours.
    let names = "SELECT string_agg(name, ' ') FROM pg_prepared_statements";
    assert_eq!(pooled.in_each_session("SELECT 1", names)?, ["", ""]);
    let kept: String = (0..12).map(|at| format!("; PREPARE s{at} AS SELECT 1")).collect();
    let left = pooled.in_each_session(&[ORDINARY, &kept].concat(), IS_AS_LEFT)?;
    assert_eq!(left.len(), SESSIONS);
    assert!(left.iter().all(|left| left.contains("other, pg_catalog") && left.contains("s0 s1 s10 s11")), "{left:?}");
    for _ in 0..3 {
        call_all(&engine);
        // What a view calls may take locks; those of others stay.
        let called = Arc::clone(&engine);
        assert_eq!(block_on(async move { answer(&called, "of_turned", json!({"id": 1})).await }), "1");
        assert_eq!(pooled.in_each_session("SELECT 1", IS_AS_LEFT)?, left);
    }
    // Tables and statements are asked about over the same sessions, too.
    call_all(&pooled.engine(SHARED)?);
    let (is_fine, said) = pooled.run(&["describe", "--source", "shop"])?;
    assert!(is_fine && said.contains("strings"), "{said}");
    assert_eq!(pooled.in_each_session("SELECT 1", IS_AS_LEFT)?, left);
    Ok(())
}

/// Processes that lock and check their statements at the same time get in nobody's way, with types that the driver asks about.
pub(crate) fn statements_are_locked_by_several_at_once() -> crate::Outcome {
    let mut pooled = Pooled::new("pooled_locked", TABLES)?;
    let has_places =
        asked_at_postgres(&pooled.direct, "SELECT count(*)::text FROM pg_available_extensions WHERE name = 'postgis'")?
            == "1";
    let places =
        "CREATE EXTENSION postgis; CREATE TABLE places (id int PRIMARY KEY, at geometry(Point, 4326) NOT NULL);
         INSERT INTO places VALUES (1, 'SRID=4326;POINT(10 60)')";
    if has_places {
        pooled = Pooled::new("pooled_locked", &[TABLES, places].concat())?;
    }
    pooled.write(SHARED, &QUERIES)?;
    if has_places {
        let sql = "SELECT id FROM places WHERE ST_Equals(at, << at >>::geometry) AND at = << place >>";
        pooled.write(SHARED, &[("own_place", sql)])?;
    }
    pooled.in_each_session("PREPARE s0 AS SELECT 1; PREPARE s2 AS SELECT 1", "SELECT 1")?;
    for _ in 0..3 {
        for command in ["lock", "check"] {
            let told = std::thread::scope(|scope| {
                let runs: Vec<_> =
                    (0..3).map(|_| scope.spawn(|| pooled.run(&[command]).map_err(|error| error.to_string()))).collect();
                runs.into_iter().map(|run| run.join().unwrap()).collect::<Result<Vec<_>, _>>()
            })?;
            let failed = told.iter().find(|(is_fine, _)| !is_fine);
            assert!(failed.is_none(), "{command}: {}", failed.map_or("", |(_, said)| said));
        }
        let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM pg_prepared_statements";
        assert_eq!(pooled.in_each_session("SELECT 1", names)?, ["s0 s2", "s0 s2"]);
    }
    Ok(())
}

/// Calls that are given up end in the server, and those who come next are answered.
pub(crate) fn calls_given_up_end_in_the_server() -> crate::Outcome {
    let pooled = Pooled::new("pooled_given_up", TABLES)?;
    let engine = pooled.engine(SHARED)?;
    let called = Arc::clone(&engine);
    block_on(async move {
        let (mut given_up, mut round) = (0, 0);
        while given_up < GIVEN_UP {
            round += 1;
            let calls = (0..4).map(|at| {
                let (engine, moment) = (Arc::clone(&called), u64::try_from((round * 37 + at * 61) % 250).unwrap());
                let call = async move { answer(&engine, "of_endless", json!({"least": 0})).await };
                tokio::spawn(tokio::time::timeout(Duration::from_millis(moment), call))
            });
            for call in calls.collect::<Vec<_>>() {
                match call.await.unwrap() {
                    Err(_) => given_up += 1,
                    // Those before it are not over yet.
                    Ok(told) if told.starts_with("busy") => tokio::time::sleep(Duration::from_millis(100)).await,
                    Ok(told) => panic!("a call ended by itself: {told}"),
                }
            }
        }
    });
    let began = Instant::now();
    let under_way = "SELECT count(*)::text FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE '%\"endless\"%' \
         AND datname = 'pooled_given_up' AND pid <> pg_backend_pid()";
    while asked_at_postgres(&pooled.direct, under_way)? != "0" {
        // Those that waited for a session began when the ones before them ended.
        assert!(began.elapsed() < Duration::from_secs(2), "statements are under way two seconds later");
        std::thread::sleep(Duration::from_millis(20));
    }
    call_all(&engine);
    Ok(())
}

/// Values are values behind a pooler, too, whatever somebody else has said of the quotes in its sessions.
pub(crate) fn hostile_values_are_values() -> crate::Outcome {
    let strings = [
        "",
        " ",
        "a",
        "A",
        "'",
        "''",
        "' OR '1'='1",
        "'; DROP TABLE strings; --",
        "\\",
        "\\'",
        "\\\\",
        "\"",
        "`",
        "%",
        "_",
        "\\%",
        "?",
        "$1",
        "$$",
        "<< s >>",
        "[[ AND",
        "/*",
        "*/",
        "--",
        "\n",
        "1",
        "NULL",
        "é",
        "e\u{301}",
        "\u{ffff}",
        "🙂",
        "\\' OR true --",
        "E'\\''",
        "U&'\\0041'",
        "; ROLLBACK; SELECT 1",
        "DEALLOCATE ALL",
    ];
    let rows = strings.iter().enumerate().map(|(id, s)| {
        format!(
            "INSERT INTO strings SELECT {id}, string_agg(chr(c), '' ORDER BY n) FROM unnest(ARRAY[{}]::int[]) \
                 WITH ORDINALITY AS u(c, n) HAVING count(*) > 0;\n",
            s.chars().map(|c| u32::from(c).to_string()).collect::<Vec<_>>().join(",")
        )
    });
    let pooled = Pooled::new("pooled_hostile", &(TABLES.to_owned() + &rows.collect::<String>()))?;
    let engine = pooled.engine(SHARED)?;
    for said in ["SELECT 1", ORDINARY] {
        pooled.in_each_session(said, "SELECT 1")?;
        let called = Arc::clone(&engine);
        block_on(async move {
            for (id, s) in strings.iter().enumerate().skip(1) {
                assert_eq!(answer(&called, "found", json!({"s": s})).await, id.to_string(), "{s:?}");
            }
        });
    }
    Ok(())
}
