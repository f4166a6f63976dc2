//! A join of a table of a database with a file reads the rows that the file asks for and no others: in all others is a value
//! that is an error wherever it is read.

use super::{Compiled, arguments, told};
use crate::cases::block_on;
use arrow::array::{ArrayRef, Date32Array, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use qtool::engine::Engine;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// The rows of the table of the database.
const ROWS: i64 = 60_000;
/// Of so many, the file has one.
const STEP: i64 = 300;
/// The customers of the orders; those that the file has are all of one.
const CUSTOMERS: i64 = 100;
/// The rows that the second file names, from the first of them on: too many to be named one by one.
const RANGE: (i64, i64) = (20_000, 4_000);

const FILES: &str = "  picked: { path: data/picked.parquet }\n  range: { path: data/range.parquet }\n";

const SQLITE: &str = "\
name: joined
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
tables:
  orders: { source: shop, table: Orders }
";

const POSTGRES: &str = "\
name: joined
defaults: { result_limit: none }
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_POSTGRES }
tables:
  orders: { source: shop, table: joined.orders }
";

/// What holds no value there has more digits than are declared here.
const MARIADB: &str = "\
name: joined
defaults: { result_limit: none }
sources:
  shop: { type: mysql, url_env: QTOOL_TEST_MARIADB }
tables:
  orders:
    source: shop
    table: joined.orders
    columns: { by_id: 'decimal(20,0)', by_range: 'decimal(20,0)', by_some: 'decimal(20,0)', by_customer: 'decimal(20,0)' }
";

/// Rows of one statement that writes them.
const AT_ONCE: usize = 10_000;

/// Queries, and the sum that each of them gives: that of the column which holds values in the rows of the join alone.
const QUERIES: [(&str, &str); 9] = [
    ("by_id", "SELECT sum(o.by_id) AS total FROM picked AS p JOIN orders AS o ON o.id = p.id"),
    ("turned", "SELECT sum(o.by_id) AS total FROM orders AS o JOIN picked AS p ON p.id = o.id"),
    ("by_day", "SELECT sum(o.by_id) AS total FROM orders AS o JOIN picked AS p ON p.day = o.day AND p.id = o.id"),
    ("by_code", "SELECT sum(o.by_id) AS total FROM orders AS o JOIN picked AS p ON p.code = o.code"),
    (
        "by_both",
        "SELECT sum(o.by_id) AS total FROM orders AS o JOIN picked AS p ON p.customer = o.customer AND p.code = o.code",
    ),
    ("among", "SELECT sum(by_id) AS total FROM orders WHERE id IN (SELECT id FROM picked)"),
    ("in_a_range", "SELECT sum(o.by_range) AS total FROM orders AS o JOIN range AS r ON r.id = o.id"),
    (
        "some",
        "SELECT sum(o.by_some) AS total FROM orders AS o JOIN picked AS p ON p.id = o.id WHERE p.kind = << kind: bigint >>",
    ),
    (
        "groups",
        "SELECT sum(g.total) AS total FROM picked AS p \
         JOIN (SELECT customer, max(by_customer) AS total FROM orders GROUP BY customer) AS g \
         ON g.customer = p.customer WHERE p.kind = << kind: bigint >>",
    ),
];

/// The text that tells an order.
fn code(id: i64) -> String {
    format!("{}-é{}", if id % 2 == 0 { "A" } else { "a" }, id)
}

fn day(id: i64) -> i32 {
    19_000 + i32::try_from(id % 1_000).unwrap_or_default()
}

/// Whether an order is in the first file, and of which kind it is there.
fn kind(id: i64) -> Option<i64> {
    (id % STEP == 7).then_some(id / STEP % 2)
}

fn is_in_range(id: i64) -> bool {
    (RANGE.0..RANGE.0 + RANGE.1).contains(&id)
}

/// What stands for a number that must not be read, by the column and the row: the others hold 1.
fn holds(column: &str, id: i64) -> bool {
    match column {
        "by_id" => kind(id).is_some(),
        "by_range" => is_in_range(id),
        "by_some" => kind(id) == Some(1),
        _ => id % CUSTOMERS == 7,
    }
}

const COLUMNS: [&str; 4] = ["by_id", "by_range", "by_some", "by_customer"];

/// Over SQLite.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    write_files(folder.path())?;
    let connection = rusqlite::Connection::open(folder.path().join("data/shop.sqlite"))?;
    connection.execute_batch(
        "CREATE TABLE Orders (id INTEGER PRIMARY KEY, customer INTEGER, code TEXT, day DATE, by_id INTEGER, \
         by_range INTEGER, by_some INTEGER, by_customer INTEGER); BEGIN;",
    )?;
    {
        let mut insert = connection
            .prepare("INSERT INTO Orders VALUES (?1, ?2, ?3, date(?4 * 86400, 'unixepoch'), ?5, ?6, ?7, ?8)")?;
        for id in 0..ROWS {
            let [a, b, c, d] = COLUMNS.map(|column| if holds(column, id) { "1" } else { "none" });
            insert.execute((id, id % CUSTOMERS, code(id), day(id), a, b, c, d))?;
        }
    }
    connection.execute_batch("COMMIT")?;
    check(folder.path(), SQLITE)
}

/// Over PostgreSQL.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    write_files(folder.path())?;
    let mut statements = "DROP SCHEMA IF EXISTS joined CASCADE; CREATE SCHEMA joined; \
        CREATE TABLE joined.orders (id bigint PRIMARY KEY, customer int, code varchar(40), day date, by_id numeric(20, 0), \
        by_range numeric(20, 0), by_some numeric(20, 0), by_customer numeric(20, 0)); INSERT INTO joined.orders VALUES\n"
        .to_owned();
    for id in 0..ROWS {
        let values = COLUMNS.map(|column| if holds(column, id) { "1" } else { "'NaN'" });
        let (customer, code, day, end) = (id % CUSTOMERS, code(id), day(id), if id + 1 < ROWS { ",\n" } else { ";" });
        statements
            .push_str(&format!("({id}, {customer}, '{code}', date '1970-01-01' + {day}, {}){end}", values.join(", ")));
    }
    crate::servers::run_in_postgres(&statements)?;
    check(folder.path(), POSTGRES)
}

/// Over MariaDB.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    write_files(folder.path())?;
    crate::servers::run_in_mariadb(
        "DROP DATABASE IF EXISTS joined; CREATE DATABASE joined CHARACTER SET utf8mb4; CREATE TABLE joined.orders \
         (id bigint PRIMARY KEY, customer int, code varchar(40), day date, by_id decimal(30, 0), by_range decimal(30, 0), \
         by_some decimal(30, 0), by_customer decimal(30, 0))",
    )?;
    let row = |id: i64| {
        let values = COLUMNS.map(|column| if holds(column, id) { "1" } else { "1000000000000000000000000" });
        let (customer, code, day) = (id % CUSTOMERS, code(id), day(id));
        format!("({id}, {customer}, '{code}', date '1970-01-01' + INTERVAL {day} DAY, {})", values.join(", "))
    };
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    for rows in rows.chunks(AT_ONCE) {
        crate::servers::run_in_mariadb(&format!("INSERT INTO joined.orders VALUES {}", rows.join(",\n")))?;
    }
    crate::servers::run_in_mariadb("ANALYZE TABLE joined.orders")?;
    check(folder.path(), MARIADB)
}

fn write_files(dir: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let ids = || (0..ROWS).filter(|id| kind(*id).is_some());
    let picked: [(&str, ArrayRef); 5] = [
        ("id", Arc::new(Int64Array::from_iter_values(ids()))),
        ("customer", Arc::new(Int64Array::from_iter_values(ids().map(|id| id % CUSTOMERS)))),
        ("code", Arc::new(StringArray::from_iter_values(ids().map(code)))),
        ("day", Arc::new(Date32Array::from_iter_values(ids().map(day)))),
        ("kind", Arc::new(Int64Array::from_iter_values(ids().filter_map(kind)))),
    ];
    write(dir, "picked", RecordBatch::try_from_iter(picked)?)?;
    let range: ArrayRef = Arc::new(Int64Array::from_iter_values((0..ROWS).filter(|id| is_in_range(*id))));
    write(dir, "range", RecordBatch::try_from_iter([("id", range)])?)
}

fn write(dir: &Path, name: &str, batch: RecordBatch) -> Result<(), Box<dyn Error>> {
    let file = std::fs::File::create(dir.join(format!("data/{name}.parquet")))?;
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

/// Every query gives its sum, whatever was asked before.
fn check(dir: &Path, project: &str) -> crate::Outcome {
    let queries = QUERIES.iter().map(|(name, sql)| ((*name).to_owned(), (*sql).to_owned()));
    let engine = Compiled::whole(dir, &format!("{project}{FILES}"), queries)?.engine()?;
    let picked = (0..ROWS).filter(|id| kind(*id).is_some()).count();
    let of_kind = |wanted| (0..ROWS).filter(|id| kind(*id) == Some(wanted)).count();
    for (tool, sent, wanted) in [
        ("by_id", json!({}), picked),
        ("turned", json!({}), picked),
        ("by_day", json!({}), picked),
        ("by_code", json!({}), picked),
        ("by_both", json!({}), picked),
        ("among", json!({}), picked),
        ("in_a_range", json!({}), usize::try_from(RANGE.1)?),
        ("some", json!({"kind": 1}), of_kind(1)),
        ("groups", json!({"kind": 0}), of_kind(0)),
        // What was learnt in one call is nothing to the next.
        ("some", json!({"kind": 1}), of_kind(1)),
    ] {
        let found = call(&engine, tool, sent)?;
        if found.as_i64().or_else(|| found.as_str()?.parse().ok()) != Some(i64::try_from(wanted)?) {
            return Err(format!("{tool}: {found}, not {wanted}").into());
        }
    }
    // Without a row on the other side, none is read.
    let nothing = call(&engine, "some", json!({"kind": 9}))?;
    if !nothing.is_null() {
        return Err(format!("of nothing: {nothing}").into());
    }
    // What must not be read is an error where it is.
    if call(&engine, "some", json!({"kind": 0})).is_ok() {
        return Err("values that are none were read".into());
    }
    told(&format!("joins read at most one of {STEP} rows"));
    Ok(())
}

fn call(engine: &Arc<Engine>, tool: &'static str, sent: Value) -> Result<Value, Box<dyn Error>> {
    let engine = Arc::clone(engine);
    let result = block_on(async move { engine.call(tool, &arguments(&sent)).await });
    let result = result.map_err(|error| format!("{tool}: {} {:?}", error.line(), error.detail))?;
    Ok(result.rows.values().first().and_then(|row| row.first()).cloned().unwrap_or(Value::Null))
}
