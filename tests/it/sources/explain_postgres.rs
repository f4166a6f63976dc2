//! What is sent to PostgreSQL, word by word, as [`super::explain`] pins it for SQLite: columns whose values come as the server
//! writes them.

use super::{Compiled, explain};
use serde_json::{Value, json};
use std::path::Path;

/// Beside this file.
const EXPECTED: &str = "tests/it/sources/postgres";

const PROJECT: &str = "\
name: explain
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_POSTGRES }
tables:
  orders: { source: shop, table: sent_to_postgres.orders, columns: { day: text, at: text } }
  towns: { source: shop, table: sent_to_postgres.towns }
";

const TABLES: &str = "
    DROP SCHEMA IF EXISTS sent_to_postgres CASCADE;
    CREATE SCHEMA sent_to_postgres;
    SET search_path = sent_to_postgres;
    CREATE TYPE status AS ENUM ('new', 'paid');
    CREATE TABLE orders (id uuid PRIMARY KEY, status status, code char(3) COLLATE \"C\", country char(2), host inet, label xml,
        day date, at timestamptz);
    CREATE TABLE towns (id uuid PRIMARY KEY, status status, country char(2));";

/// Queries by what they are about: their condition over `orders`, or all.
const QUERIES: [(&str, &str); 15] = [
    ("enum", "status = << s >>"),
    ("enum_list", "status IN << list >>"),
    ("enum_order", "status < << s >>"),
    ("padded", "code = << s >>"),
    ("padded_list", "country IN << list >>"),
    ("padded_order", "country >= << s >>"),
    ("address", "host <> << s >>"),
    ("xml", "label = << s >>"),
    ("day_as_text", "day = << s >>"),
    ("moment_as_text", "at IS NOT NULL AND at > << s >>"),
    ("grouped_by_enum", "SELECT status, count(*) AS n, min(code) AS code FROM orders GROUP BY status"),
    ("extremes", "SELECT min(id) AS first, max(status) AS last, min(day) AS day FROM orders"),
    ("sorted_by_enum_and_uuid", "SELECT id, status FROM orders ORDER BY status DESC, id LIMIT 5"),
    (
        "joined_by_uuid",
        "SELECT o.status, t.country FROM orders AS o JOIN towns AS t ON t.id = o.id WHERE t.status = << s >> ORDER BY t.id LIMIT 5",
    ),
    (
        "joined_here_by_enum",
        "SELECT o.id FROM orders AS o JOIN towns AS t ON t.status = o.status AND t.id = o.id WHERE o.code = << s >>",
    ),
];

/// What each parameter is in the calls.
fn values() -> Value {
    json!({ "s": "paid", "list": ["paid", "new"] })
}

/// Compares what is sent with what is expected.
pub(crate) fn run() -> crate::Outcome {
    crate::servers::run_in_postgres(TABLES)?;
    let folder = tempfile::tempdir()?;
    let queries = QUERIES.iter().map(|(name, rest)| ((*name).to_owned(), explain::sql(rest)));
    let compiled = Compiled::whole(folder.path(), PROJECT, queries)?;
    explain::compare(&compiled, &QUERIES, &values(), Path::new(EXPECTED))
}
