//! Calls of statements that go on and on, given up at random moments: a second later, none of them is under way in the
//! database.

use super::{Compiled, arguments, told};
use crate::cases::block_on;
use crate::hostile_values::Random;
use qtool::engine::Engine;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Calls that are given up.
const CALLS: usize = 100;
/// Calls at a time.
const AT_ONCE: usize = 4;
/// They are given up before so many milliseconds.
const LATEST: usize = 250;
/// Until when all must be at rest. It takes less than a second where nothing else goes on, as is told at the end.
const REST: Duration = Duration::from_secs(3);

/// Statements over a table whose rows have no end, of which none meets a condition or is found in the other table.
const QUERIES: [(&str, &str); 5] = [
    ("rows", "SELECT x FROM endless WHERE x < << least: bigint >>"),
    ("counted", "SELECT count(*) AS n FROM endless WHERE x < << least: bigint >>"),
    ("first", "SELECT x FROM endless WHERE x < << least: bigint >> ORDER BY x LIMIT 3"),
    ("joined", "SELECT e.x, o.y FROM endless AS e JOIN one AS o ON o.y = e.x WHERE e.x >= << least: bigint >>"),
    ("whole", "SELECT count(*) AS n FROM endless AS e JOIN one AS o ON o.y = e.x + 1 WHERE e.x > << least: bigint >>"),
];

const SQLITE: &str = "\
name: given-up
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
tables:
  endless: { source: shop, table: Endless, columns: { x: bigint } }
  one: { source: shop, table: One }
";

const POSTGRES: &str = "\
name: given-up
defaults: { result_limit: none }
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_POSTGRES }
tables:
  endless: { source: shop, table: given_up.endless }
  one: { source: shop, table: given_up.one }
";

const MARIADB: &str = "\
name: given-up
defaults: { result_limit: none }
sources:
  shop: { type: mysql, url_env: QTOOL_TEST_MARIADB }
tables:
  endless: { source: shop, table: given_up.endless }
  one: { source: shop, table: given_up.one }
";

/// The same kind of statements in the database's own SQL, over tables that are called so there.
const OWN_SQL: [(&str, &str); 3] = [
    ("own_rows", "SELECT x FROM given_up.endless WHERE x < << least: bigint >>"),
    ("own_count", "SELECT count(*) AS n FROM given_up.endless WHERE x < << least: bigint >>"),
    ("own_order", "SELECT x FROM given_up.endless WHERE x >= << least: bigint >> ORDER BY x % 7, x"),
];

/// Statements of PostgreSQL that are under way over the tables of this test.
const UNDER_WAY: &str = "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'qtool' \
    AND state <> 'idle' AND query LIKE '%given_up%'";

/// Those of MariaDB.
const UNDER_WAY_IN_MARIADB: &str = "SELECT CAST(count(*) AS CHAR) FROM information_schema.processlist \
    WHERE command <> 'Sleep' AND info LIKE '%given_up%' AND info NOT LIKE '%processlist%'";

/// Over SQLite.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("data"))?;
    let database = folder.path().join("data/shop.sqlite");
    rusqlite::Connection::open(&database)?.execute_batch(
        "CREATE TABLE One (y INTEGER PRIMARY KEY); INSERT INTO One VALUES (0); CREATE VIEW Endless AS
         WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers)
         SELECT numbers.x + One.y AS x FROM numbers, One;",
    )?;
    // Who wants the file alone gets it where nobody reads any more.
    let rests = || {
        let connection = rusqlite::Connection::open(&database)?;
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection.execute_batch("BEGIN EXCLUSIVE; ROLLBACK;").is_ok())
    };
    give_up(folder.path(), SQLITE, &rests)
}

/// Over PostgreSQL.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    crate::servers::run_in_postgres(
        "DROP SCHEMA IF EXISTS given_up CASCADE; CREATE SCHEMA given_up; SET search_path = given_up;
         CREATE TABLE one (y bigint PRIMARY KEY); INSERT INTO one VALUES (0); CREATE VIEW endless AS
         SELECT a + b AS x FROM generate_series(1::bigint, 100000) AS a, generate_series(1::bigint, 1000000) AS b;",
    )?;
    let rests = || Ok(crate::servers::asked_of_postgres(UNDER_WAY)? == "0");
    give_up(folder.path(), POSTGRES, &rests)
}

/// Over MariaDB.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    crate::servers::run_in_mariadb(
        "DROP DATABASE IF EXISTS given_up; CREATE DATABASE given_up; USE given_up;
         CREATE TABLE one (y bigint PRIMARY KEY); INSERT INTO one VALUES (0); CREATE VIEW endless AS
         SELECT CAST(a.seq + b.seq AS SIGNED) AS x FROM seq_1_to_100000 AS a, seq_1_to_1000000 AS b",
    )?;
    let rests = || Ok(crate::servers::asked_of_mariadb(UNDER_WAY_IN_MARIADB)? == "0");
    give_up(folder.path(), MARIADB, &rests)
}

fn give_up(dir: &Path, project: &str, rests: &dyn Fn() -> Result<bool, Box<dyn std::error::Error>>) -> crate::Outcome {
    let queries = QUERIES.iter().map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned()));
    let own = OWN_SQL.iter().map(|(name, sql)| {
        // A file has one schema alone.
        let sql = if project == SQLITE { sql.replace("given_up.endless", "Endless") } else { (*sql).to_owned() };
        ((*name).to_owned(), format!("/*---\nsource: shop\ncolumns: {{ x: {{ type: bigint }} }}\n---*/\n{sql}"))
    });
    let own = own.map(|(name, sql)| match name.as_str() {
        "own_count" => (name, sql.replace("columns: { x: { type: bigint } }\n", "")),
        _ => (name, sql),
    });
    let engine = Compiled::whole(dir, project, queries.chain(own))?.engine()?;
    let mut random = Random::new(7);
    let moments: Vec<Duration> =
        (0..CALLS).map(|_| Duration::from_millis(u64::try_from(random.below(LATEST)).unwrap_or_default())).collect();
    let mut ended = 0;
    for (round, moments) in moments.chunks(AT_ONCE).enumerate() {
        let calls = moments.iter().enumerate().map(|(at, moment)| call(Arc::clone(&engine), round + at, *moment));
        let calls: Vec<_> = calls.collect();
        ended += block_on(futures::future::join_all(calls)).into_iter().filter(|ended| *ended).count();
    }
    if ended > 0 {
        return Err(format!("{ended} of {CALLS} calls ended by themselves").into());
    }
    let began = Instant::now();
    while engine.lost() > 0 || !rests()? {
        if began.elapsed() > REST {
            return Err(format!("statements are under way {REST:?} later; {} calls of them", engine.lost()).into());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    told(&format!("{CALLS} calls were given up; all was at rest {:?} later", began.elapsed()));
    Ok(())
}

/// Whether a call ends before its moment.
async fn call(engine: Arc<Engine>, at: usize, moment: Duration) -> bool {
    let (tool, _) = QUERIES.iter().chain(&OWN_SQL).nth(at % (QUERIES.len() + OWN_SQL.len())).unwrap();
    let sent = arguments(&json!({"least": 0}));
    tokio::time::timeout(moment, engine.call(tool, &sent)).await.is_ok()
}
