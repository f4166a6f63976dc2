//! What is sent for a query, word by word: one query for each line of the list of what is sent, and some for what is not.
//! `UPDATE_EXPECT=1` rewrites `expected.sent`.

use super::{Compiled, arguments};
use crate::cases::block_on;
use crate::expect;
use qtool::engine::bind::Caller;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Beside this file.
const EXPECTED: &str = "tests/it/sources";

const PROJECT: &str = "\
name: explain
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
  utf16: { type: sqlite, path: data/utf16.sqlite }
tables:
  orders: { source: shop, table: Orders, columns: { loose: text, small: smallint } }
  named: { source: shop, table: Shown }
  buyers: { source: shop, table: Buyers }
  towns: { source: shop, table: Towns }
  wide: { source: utf16, table: Wide }
";

const TABLES: &str = "\
CREATE TABLE Orders (
  id INTEGER PRIMARY KEY, small SMALLINT, flag BOOLEAN, dbl DOUBLE, amount DECIMAL(10,2), vast DECIMAL(20,2), label TEXT,
  folded TEXT COLLATE NOCASE, trimmed TEXT COLLATE RTRIM, named STRING, loose, day DATE, moment DATETIME, clock TIME,
  bytes BLOB, \"odd \"\"name\" TEXT
);
CREATE TABLE Buyers (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, town TEXT, born DATE);
CREATE TABLE Towns (name TEXT PRIMARY KEY, land TEXT NOT NULL);
CREATE VIEW Shown AS SELECT id, folded FROM Orders;
INSERT INTO Orders (id, label, folded) VALUES (1, 'a', 'a'), (2, 'b', 'B');
";

/// Queries by what they are about: their condition over `orders`, all from `FROM` on, or all.
const QUERIES: [(&str, &str); 56] = [
    ("integer", "id = << n >>"),
    ("integer_turned", "<< n >> < id"),
    ("integer_between", "id BETWEEN << n >> AND << m >>"),
    ("integer_of_another_width", "small >= << n: bigint >>"),
    ("integer_list", "id IN << ids >>"),
    ("integer_not_in", "id NOT IN (<< n >>, 7)"),
    ("integer_as_double", "id < << x: double >>"),
    ("boolean_bare", "flag"),
    ("boolean_not", "NOT flag"),
    ("boolean_value", "flag = << yes >>"),
    ("double", "dbl < << x >>"),
    ("double_computed", "dbl < << x >> * 2"),
    ("decimal", "amount >= << a >>"),
    ("decimal_literal", "amount = 12.5"),
    ("decimal_of_many_digits", "vast >= << a >>"),
    ("text", "label = << s >>"),
    ("text_literal", "label <> 'it''s; --'"),
    ("text_nocase", "folded = << s >>"),
    ("text_nocase_list", "folded IN << list >>"),
    ("text_nocase_not", "folded <> << s >>"),
    ("text_rtrim_order", "trimmed > << s >>"),
    ("text_numeric", "named = << s >>"),
    ("text_numeric_not", "named <> << s >>"),
    ("text_untyped", "loose = << s >>"),
    ("text_like", "label LIKE << s >>"),
    ("text_odd_name", "\"odd \"\"name\" = << s >>"),
    ("date", "day BETWEEN << d >> AND DATE '2024-12-31'"),
    ("date_computed", "day >= << d >> - INTERVAL '1 day'"),
    ("timestamp_above", "moment > << at >>"),
    ("timestamp_equal", "moment = << at >>"),
    ("time", "clock = << c >>"),
    ("bytes", "bytes = << b >>"),
    ("null", "label IS NULL AND day IS NOT NULL"),
    ("or", "id = << n >> OR label = << s >> AND NOT (dbl < 1.5 OR flag)"),
    ("or_with_what_is_not_sent", "id = << n >> OR label LIKE 'a%'"),
    ("optional_clause", "id > 0 [[AND label = << s >>]]"),
    ("limit", "label = << s >> LIMIT 3"),
    ("limit_that_stays", "label LIKE << s >> LIMIT 3"),
    ("of_a_view", "FROM named WHERE folded = << s >>"),
    ("utf16_equal", "FROM wide WHERE label = << s >>"),
    ("utf16_order", "FROM wide WHERE label < << s >>"),
    ("joined", "SELECT o.id, b.town FROM orders AS o JOIN buyers AS b ON b.id = o.small WHERE o.label = << s >>"),
    ("joined_by_a_key", "SELECT o.id, b.town FROM orders AS o JOIN buyers AS b ON b.id = o.small WHERE o.id = << n >>"),
    (
        "joined_with_all_conditions",
        "SELECT o.id FROM orders AS o JOIN buyers AS b ON b.id = o.small WHERE o.label = << s >> AND b.born < << d >> LIMIT 4",
    ),
    (
        "joined_left",
        "SELECT o.id, b.town FROM orders AS o LEFT JOIN buyers AS b ON b.id = o.small AND b.town = 'x' WHERE o.id < << n >>",
    ),
    (
        "joined_left_and_counted",
        "SELECT count(*) AS n, count(b.town) AS known FROM orders AS o LEFT JOIN buyers AS b ON b.id = o.small \
         WHERE o.id < << n >>",
    ),
    (
        "joined_twice",
        "SELECT o.id, t.land FROM orders AS o JOIN buyers AS b ON b.id = o.small JOIN towns AS t ON t.name = b.town \
         WHERE o.id < << n >>",
    ),
    (
        "joined_and_grouped",
        "SELECT b.town, count(*) AS n, sum(o.small) AS total FROM orders AS o JOIN buyers AS b ON b.id = o.small \
         WHERE o.day >= << d >> GROUP BY b.town",
    ),
    (
        "joined_and_sorted",
        "SELECT o.id, b.town FROM orders AS o JOIN buyers AS b ON b.id = o.small WHERE o.id > << n >> \
         ORDER BY b.town DESC, o.id LIMIT 5",
    ),
    ("sorted_by_a_double_and_a_key", "FROM orders WHERE id > << n >> ORDER BY dbl DESC, id LIMIT 5"),
    ("sorted_here_by_what_is_computed", "FROM orders WHERE id > << n >> ORDER BY dbl + 1 DESC, id LIMIT 5"),
    ("joined_here_by_no_key", "SELECT o.id FROM orders AS o JOIN buyers AS b ON b.town = o.label WHERE o.id < << n >>"),
    (
        "joined_here_by_another_collation",
        "SELECT o.id FROM orders AS o JOIN towns AS t ON t.name = o.folded WHERE o.id < << n >>",
    ),
    (
        "joined_here_by_what_is_no_column",
        "SELECT o.id FROM orders AS o JOIN buyers AS b ON b.id = o.small + 1 WHERE o.id < << n >>",
    ),
    (
        "joined_here_with_a_condition_of_here",
        "SELECT o.id FROM orders AS o JOIN buyers AS b ON b.id = o.small WHERE o.label LIKE 'a%'",
    ),
    (
        "joined_with_itself",
        "SELECT a.id, b.label FROM orders AS a JOIN orders AS b ON b.id = a.small WHERE a.id < << n >>",
    ),
];

/// What each parameter is in the calls.
fn values() -> Value {
    json!({
        "n": 1, "m": 9, "ids": [1, 2, 2], "x": 1.5, "yes": true, "a": "12.50", "s": "it's", "list": ["a", "B"],
        "d": "2024-03-31", "at": "2024-03-31T12:30:00", "c": "12:30:00", "b": "YQ=="
    })
}

/// Compares what is sent with what is expected.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("data"))?;
    crate::databases::make(TABLES, &folder.path().join("data/shop.sqlite"))?;
    let wide = "PRAGMA encoding = 'UTF-16le'; CREATE TABLE Wide (id INTEGER PRIMARY KEY, label TEXT);";
    crate::databases::make(wide, &folder.path().join("data/utf16.sqlite"))?;
    let queries = QUERIES.iter().map(|(name, rest)| ((*name).to_owned(), sql(rest)));
    let compiled = Compiled::whole(folder.path(), PROJECT, queries)?;
    compare(&compiled, &QUERIES, &values(), Path::new(EXPECTED))
}

/// Compares what is sent for queries, called with those of the values that they take, with what is expected in a folder.
pub(super) fn compare(
    compiled: &Compiled,
    queries: &[(&'static str, &str)],
    values: &Value,
    expected: &Path,
) -> crate::Outcome {
    let engine = compiled.engine()?;
    let mut text = String::new();
    for (name, rest) in queries.iter().copied() {
        let mut sent = arguments(values);
        sent.retain(|parameter, _| {
            sql(rest).contains(&format!("<< {parameter} ")) || sql(rest).contains(&format!("<< {parameter}:"))
        });
        let engine = Arc::clone(&engine);
        let plan = block_on(async move { engine.explain_as(name, &sent, &Caller::default()).await });
        let plan = plan.map_err(|error| format!("{name}: {} {:?}", error.line(), error.detail))?;
        text.push_str(&format!("{name}: {rest}\n"));
        // What is filtered here, and what is asked for.
        let lines =
            plan.lines().map(str::trim).filter(|line| line.contains("FilterExec") || line.contains("SourceExec"));
        lines.for_each(|line| text.push_str(&format!("  {}\n", without_figures(line))));
        text.push('\n');
    }
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(expected);
    Ok(expect::compare(&dir, &BTreeMap::from([("expected.sent".to_owned(), text)]))?)
}

/// The query of its condition, or of what stands behind `SELECT id`.
pub(super) fn sql(rest: &str) -> String {
    match rest.starts_with("SELECT ") {
        true => rest.to_owned(),
        false if rest.starts_with("FROM ") => format!("SELECT id {rest}"),
        false => format!("SELECT id FROM orders WHERE {rest}"),
    }
}

/// A line of a plan without what the run measured.
fn without_figures(line: &str) -> &str {
    line.split(", metrics=").next().unwrap_or(line)
}
