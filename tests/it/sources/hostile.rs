//! No value is ever anything but a value for a database either: every string of the hostile classes, in every place that is
//! sent, with every collation, with an index and without, finds the rows that a filter written here finds, and nothing else.

mod classes;
mod modes;
pub(crate) mod raw;

use super::{Compiled, arguments, cases, quoted, shown, told};
use crate::cases::block_on;
use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use classes::{Strings, of_each_class};
use datafusion::parquet::arrow::ArrowWriter;
use qtool::engine::Engine;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// No fewer checks than this, and than this where a server reads texts otherwise.
const LEAST: usize = 3_000;
const LEAST_OTHERWISE: usize = 700;
/// Strings of one engine: the first call of each tool makes its plan, the others take it.
const CHUNK: usize = 480;
/// Chunks under way at once.
const WORKERS: usize = 2;
/// Strings that are longer lie in a table of their own.
const LARGE: usize = 1_000;
/// Arguments that are longer are refused, and shorter ones are not.
const REFUSED: usize = 1 << 20;
/// What every row that is told may hold.
const NOTE: &str = "`own` holds";
/// Every string goes through `=`, and so many of each class through every place; of the others each gets every so many-th.
const STRIDE: usize = 30;
/// Of the tables beside the first.
const STRIDE_BESIDE: usize = 70;
/// Problems that are told; more are counted.
const TOLD: usize = 12;
/// What no answer may hold.
const MARKER: &str = "CANARY-8d20c1ae";
/// One of the strings that are in no table.
const ABSENT: &str = "nobody' has; this --";

const PROJECT: &str = "\
name: hostile-values-in-sources
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
  utf16: { type: sqlite, path: data/utf16.sqlite }
tables:
  narrow: { source: shop, table: Strings }
  large: { source: shop, table: Large }
  secrets: { source: shop, table: Secrets }
  wide: { source: utf16, table: Strings }
  wide_secrets: { source: utf16, table: Secrets }
  filed: { path: data/filed.parquet }
";

/// The same over PostgreSQL: `wide` has the same texts in the other order of columns.
const POSTGRES_PROJECT: &str = "\
name: hostile-values-in-postgres
defaults: { result_limit: none }
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_POSTGRES }
tables:
  narrow: { source: shop, table: hostile.narrow }
  large: { source: shop, table: hostile.large }
  secrets: { source: shop, table: hostile.secrets }
  wide: { source: shop, table: hostile.wide }
  wide_secrets: { source: shop, table: hostile.secrets }
  filed: { path: data/filed.parquet }
";

/// The same over MariaDB: `wide` has the same texts in other sets of characters.
const MARIADB_PROJECT: &str = "\
name: hostile-values-in-mariadb
defaults: { result_limit: none }
sources:
  shop: { type: mysql, url_env: QTOOL_TEST_MARIADB }
tables:
  narrow: { source: shop, table: hostile.narrow }
  large: { source: shop, table: hostile.large }
  secrets: { source: shop, table: hostile.secrets }
  wide: { source: shop, table: hostile.wide }
  wide_secrets: { source: shop, table: hostile.secrets }
  filed: { path: data/filed.parquet }
";

/// How MariaDB keeps and compares the texts of each column of `narrow`, and of `wide`.
const MARIADB_COLLATIONS: [[&str; 6]; 2] = [
    [
        "utf8mb4_general_ci",
        "utf8mb4_unicode_ci",
        "utf8mb4_bin",
        "utf8mb4_general_ci",
        "utf8mb4_unicode_ci",
        "utf8mb4_nopad_bin",
    ],
    [
        "utf8mb4_nopad_bin",
        "utf16_unicode_ci",
        "utf8mb4_unicode_nopad_ci",
        "utf16_bin",
        "utf8mb4_swedish_ci",
        "utf32_general_ci",
    ],
];

/// How PostgreSQL compares the texts of each column: the first by the rules of a language.
const COLLATIONS: [&str; 6] =
    ["", "COLLATE hostile.folded", "COLLATE \"C\"", "", "COLLATE hostile.folded", "COLLATE \"C\""];

/// The columns of a table: the same texts in each.
const COLUMNS: [(&str, &str); 6] = [
    ("plain", "TEXT"),
    ("folded", "TEXT COLLATE NOCASE"),
    ("trimmed", "TEXT COLLATE RTRIM"),
    ("plain_index", "TEXT"),
    ("folded_index", "TEXT COLLATE NOCASE"),
    ("trimmed_index", "TEXT COLLATE RTRIM"),
];

/// Those of a table that are asked for.
fn columns(table: &str) -> &'static [(&'static str, &'static str)] {
    if table == "large" { &COLUMNS[1..3] } else { &COLUMNS }
}

/// A place of a value in a query.
struct Position {
    name: &'static str,
    /// The condition on the column `@`.
    condition: &'static str,
    arguments: fn(&Asked) -> Value,
    /// Whether a row is wanted.
    wants: fn(&str, &Asked) -> bool,
}

/// What is asked for: a string, and another one that rows have.
struct Asked<'a> {
    string: &'a str,
    other: &'a str,
    /// Whether it goes through every place.
    everywhere: bool,
}

impl Asked<'_> {
    fn least(&self) -> &str {
        self.string.min(self.other)
    }

    fn most(&self) -> &str {
        self.string.max(self.other)
    }

    /// Whether it is read as nothing there: a model that sends this text where a parameter need not be sent means that.
    fn is_nothing_in(&self, position: &Position) -> bool {
        self.string == "null" && ["in_a_clause", "over_a_default"].contains(&position.name)
    }
}

fn alone(asked: &Asked) -> Value {
    json!({"s": asked.string})
}

fn list(asked: &Asked) -> Value {
    json!({"s": [asked.string, ABSENT, asked.other]})
}

fn bounds(asked: &Asked) -> Value {
    json!({"least": asked.least(), "most": asked.most()})
}

/// The pattern of LIKE that matches the string alone.
fn pattern(asked: &Asked) -> Value {
    let mut escaped = String::with_capacity(asked.string.len());
    for c in asked.string.chars() {
        if matches!(c, '\\' | '%' | '_') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    json!({"s": escaped})
}

fn is_it(row: &str, asked: &Asked) -> bool {
    row == asked.string
}

fn is_not_it(row: &str, asked: &Asked) -> bool {
    row != asked.string
}

fn is_one(row: &str, asked: &Asked) -> bool {
    row == asked.string || row == asked.other
}

const POSITIONS: [Position; 14] = [
    Position { name: "equals", condition: "@ = << s >>", arguments: alone, wants: is_it },
    Position { name: "turned", condition: "<< s >> = @", arguments: alone, wants: is_it },
    Position { name: "differs", condition: "@ <> << s >>", arguments: alone, wants: is_not_it },
    Position { name: "is_in", condition: "@ IN << s >>", arguments: list, wants: is_one },
    Position {
        name: "is_not_in",
        condition: "@ NOT IN << s >>",
        arguments: list,
        wants: |row, asked| !is_one(row, asked),
    },
    Position { name: "is_like", condition: "@ LIKE << s >>", arguments: pattern, wants: is_it },
    Position {
        name: "is_between",
        condition: "@ BETWEEN << least >> AND << most >>",
        arguments: bounds,
        wants: |row, asked| asked.least() <= row && row <= asked.most(),
    },
    Position { name: "is_above", condition: "@ > << s >>", arguments: alone, wants: |row, asked| row > asked.string },
    Position { name: "is_negated", condition: "NOT (@ = << s >> OR id < 0)", arguments: alone, wants: is_not_it },
    Position {
        name: "is_either",
        condition: "(@ = << s >> AND id >= 0) OR @ IN (<< other >>, '' || << other >>)",
        arguments: |asked| json!({"s": asked.string, "other": asked.other}),
        wants: is_one,
    },
    Position { name: "in_a_clause", condition: "id >= 0 [[AND @ = << s >>]]", arguments: alone, wants: is_it },
    Position {
        name: "without_its_clause",
        condition: "id >= 0 [[AND @ = << s >>]]",
        arguments: |_| json!({}),
        wants: |_, _| true,
    },
    Position { name: "over_a_default", condition: "@ = << s = 'x''; --' >>", arguments: alone, wants: is_it },
    Position { name: "computed", condition: "@ = << s: text >> || << nothing = '' >>", arguments: alone, wants: is_it },
];

/// A table, and the texts of its rows by their numbers.
struct Set {
    table: &'static str,
    canary: &'static str,
    /// Where it is asked in the database's own SQL as well.
    own_sql: Option<OwnSql>,
    rows: Vec<String>,
}

/// A table in a database's own SQL.
#[derive(Clone, Copy)]
struct OwnSql {
    /// What it is called there.
    table: &'static str,
    /// The column whose texts are compared by their bytes. Others are by the rules of a language.
    column: &'static str,
    /// What tells of the rows.
    tally: &'static str,
    /// What puts two texts together.
    joined: fn(&str, &str) -> String,
}

impl OwnSql {
    fn of_sqlite(table: &'static str) -> Option<OwnSql> {
        Some(OwnSql { table, column: "plain", tally: TALLY, joined: |one, other| format!("{one} || {other}") })
    }

    fn of_postgres(table: &'static str) -> Option<OwnSql> {
        Some(OwnSql { table, column: "trimmed", tally: TALLY, joined: |one, other| format!("{one} || {other}") })
    }

    fn of_mariadb(table: &'static str) -> Option<OwnSql> {
        let joined = |one: &str, other: &str| format!("CONCAT({one}, {other})");
        Some(OwnSql { table, column: "trimmed_index", tally: TALLY_OF_MARIADB, joined })
    }

    /// A condition on the column.
    fn condition(&self, position: &Position) -> String {
        let condition = match position.name {
            "computed" => format!("@ = {}", (self.joined)("<< s: text >>", "<< nothing: text = '' >>")),
            "is_either" => {
                let other = (self.joined)("''", "<< other: text >>");
                format!("(@ = << s >> AND id >= 0) OR @ IN (<< other >>, {other})")
            }
            _ => position.condition.to_owned(),
        };
        condition.replace('@', self.column)
    }
}

/// What was found.
#[derive(Default)]
struct Found {
    checks: usize,
    /// Strings that are refused because of their length, or of a NUL.
    refused: usize,
    /// The strings that went through a place, by their numbers.
    tried: BTreeMap<String, BTreeSet<usize>>,
    problems: Vec<String>,
}

impl Found {
    fn add(&mut self, more: Found) {
        self.checks += more.checks;
        self.refused += more.refused;
        for (place, tried) in more.tried {
            self.tried.entry(place).or_default().extend(tried);
        }
        self.problems.extend(more.problems);
    }

    /// The fewest strings of a class that went through a place, of those classes that have enough texts.
    fn fewest(&self, strings: &Strings, enough: usize) -> (usize, String) {
        let numbers: BTreeMap<&str, usize> = (0..).zip(&strings.texts).map(|(at, text)| (text.as_str(), at)).collect();
        let classes = strings.everywhere.iter().filter(|(_, texts)| texts.len() >= enough);
        let each = classes.flat_map(|(class, texts)| {
            let numbers = &numbers;
            self.tried.iter().map(move |(place, tried)| {
                let went = texts.iter().filter(|text| tried.contains(&numbers[text.as_str()])).count();
                (went, format!("{class} in {place}"))
            })
        });
        each.min().unwrap_or_default()
    }
}

/// Tries every string in every place, over SQLite.
pub(crate) fn run() -> crate::Outcome {
    let strings = Strings::read()?;
    let folder = tempfile::tempdir()?;
    let sets = lay_out(folder.path(), &strings.texts)?;
    try_all(folder.path(), PROJECT, &Arc::new(sets), &strings, LEAST)
}

/// Tries every string in every place, over PostgreSQL.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let strings = Strings::read()?;
    let folder = tempfile::tempdir()?;
    let sets = lay_out_in_postgres(folder.path(), &strings.texts)?;
    let sets = Arc::new(sets);
    try_all(folder.path(), POSTGRES_PROJECT, &sets, &strings, LEAST)?;
    try_all(folder.path(), &modes::of_postgres()?, &sets, &strings.of(&modes::CLASSES), LEAST_OTHERWISE)
}

/// Tries every string in every place, over MariaDB.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let strings = Strings::read()?;
    let folder = tempfile::tempdir()?;
    let sets = lay_out_in_mariadb(folder.path(), &strings.texts)?;
    let sets = Arc::new(sets);
    try_all(folder.path(), MARIADB_PROJECT, &sets, &strings, LEAST)?;
    let modes = modes::OfMariadb::set()?;
    try_all(folder.path(), &modes.project()?, &sets, &strings.of(&modes::CLASSES), LEAST_OTHERWISE)
}

fn try_all(dir: &Path, project: &str, sets: &Arc<Vec<Set>>, tried: &Strings, least: usize) -> crate::Outcome {
    let started = Instant::now();
    let literals: Vec<(String, String, Vec<Value>)> = literals(&sets[0]);
    let own = queries(sets);
    let written = literals.iter().map(|(name, sql, _)| (name.clone(), sql.clone()));
    let compiled = Compiled::of(dir, project, own.iter().cloned().chain(written))?;
    let names = compiled.names();
    if let Some((name, _)) = own.iter().find(|(name, _)| !names.contains(name.as_str())) {
        return Err(format!("`{name}` does not compile: {}", shown(&compiled.errors())).into());
    }
    let written: Vec<_> = literals.iter().filter(|(name, ..)| names.contains(name.as_str())).cloned().collect();
    let (all, written_count) = (literals.len(), written.len());
    if written_count * 4 < all * 3 {
        return Err(format!("only {written_count} of {all} literals compile:\n{}", compiled.errors()).into());
    }
    let mut found = of_literals(&compiled, written)?;
    let strings: Arc<Vec<(String, bool)>> = Arc::new(
        tried
            .texts
            .iter()
            .map(|text| {
                let everywhere = tried.everywhere.values().any(|texts| texts.contains(text));
                (text.clone(), everywhere)
            })
            .collect(),
    );
    let chunks: Vec<usize> = (0..strings.len()).step_by(CHUNK).collect();
    let factor = cases(10)?;
    for starts in chunks.chunks(WORKERS) {
        let mut workers = Vec::new();
        for start in starts.iter().copied() {
            let (engine, sets, strings) = (compiled.engine()?, Arc::clone(sets), Arc::clone(&strings));
            workers.push(async move {
                tokio::spawn(async move { chunk(&engine, &sets, &strings, start, factor).await }).await
            });
        }
        for more in block_on(futures::future::join_all(workers)) {
            found.add(more?);
        }
    }
    let enough = of_each_class()?;
    let (fewest, of) = found.fewest(tried, enough);
    told(&format!(
        "hostile values in sources: {} checks of {} strings in {} places, {fewest} of each class at least; {} are no text of JSON, \
         {} calls were refused by length or for a NUL; {written_count} of {all} as literals; {} s",
        found.checks,
        strings.len(),
        found.tried.len(),
        tried.skipped,
        found.refused,
        started.elapsed().as_secs()
    ));
    // One of them is nothing in two of the places.
    if fewest + 1 < enough {
        found.problems.push(format!("{fewest} strings alone of {of}"));
    }
    verdict(&found, least)
}

fn verdict(found: &Found, least: usize) -> crate::Outcome {
    if found.problems.is_empty() && found.checks < least {
        return Err(format!("only {} checks", found.checks).into());
    }
    if found.problems.is_empty() {
        return Ok(());
    }
    let told: Vec<&str> = found.problems.iter().take(TOLD).map(String::as_str).collect();
    Err(format!("{} problems, the first of them:\n{}", found.problems.len(), told.join("\n")).into())
}

/// Writes the tables. What is in them is read again: a database in UTF-16 keeps some characters as another.
fn lay_out(dir: &Path, strings: &BTreeSet<String>) -> Result<Vec<Set>, Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let (small, large): (Vec<&String>, Vec<&String>) = strings.iter().partition(|string| string.len() <= LARGE);
    let narrow = rusqlite::Connection::open(dir.join("data/shop.sqlite"))?;
    let wide = rusqlite::Connection::open(dir.join("data/utf16.sqlite"))?;
    wide.execute_batch("PRAGMA encoding = 'UTF-16le'")?;
    for connection in [&narrow, &wide] {
        connection.execute_batch("CREATE TABLE Secrets (id INTEGER PRIMARY KEY, marker TEXT NOT NULL)")?;
        connection.execute("INSERT INTO Secrets VALUES (-1, ?1)", [MARKER])?;
        fill(connection, "Strings", &small)?;
    }
    fill(&narrow, "Large", &large)?;
    let sets = vec![
        Set {
            table: "narrow",
            canary: "secrets",
            own_sql: OwnSql::of_sqlite("Strings"),
            rows: stored(&narrow, "Strings")?,
        },
        Set { table: "wide", canary: "wide_secrets", own_sql: None, rows: stored(&wide, "Strings")? },
        Set { table: "large", canary: "secrets", own_sql: OwnSql::of_sqlite("Large"), rows: stored(&narrow, "Large")? },
    ];
    write_parquet(&dir.join("data/filed.parquet"), &sets[0].rows)?;
    Ok(sets)
}

/// Writes the tables into PostgreSQL, without texts that it cannot hold: those are asked for all the same.
fn lay_out_in_postgres(dir: &Path, strings: &BTreeSet<String>) -> Result<Vec<Set>, Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let held = strings.iter().filter(|string| !string.contains('\0')).cloned();
    let (small, large): (Vec<String>, Vec<String>) = held.partition(|string| string.len() <= LARGE);
    let mut statements = "DROP SCHEMA IF EXISTS hostile CASCADE; CREATE SCHEMA hostile; \
        CREATE COLLATION hostile.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
        CREATE TABLE hostile.secrets (id int PRIMARY KEY, marker text NOT NULL);"
        .to_owned();
    statements.push_str(&format!("INSERT INTO hostile.secrets VALUES (-1, '{MARKER}');"));
    for (table, rows) in [("narrow", &small), ("wide", &small), ("large", &large)] {
        let columns = COLUMNS.iter().zip(COLLATIONS);
        let columns: Vec<String> =
            columns.map(|((name, _), collation)| format!("{name} text {collation} NOT NULL")).collect();
        statements.push_str(&format!("CREATE TABLE hostile.{table} (id int PRIMARY KEY, {});", columns.join(", ")));
        for (name, _) in COLUMNS.iter().filter(|(name, _)| name.ends_with("_index") && table != "large") {
            statements.push_str(&format!("CREATE INDEX ON hostile.{table} ({name});"));
        }
        for (id, string) in rows.iter().enumerate() {
            let text = quoted(string, '\'');
            statements.push_str(&format!(
                "INSERT INTO hostile.{table} SELECT {id}, x, x, x, x, x, x FROM (SELECT {text}::text AS x) AS a;\n"
            ));
        }
    }
    crate::servers::run_in_postgres(&statements)?;
    write_parquet(&dir.join("data/filed.parquet"), &small)?;
    Ok(vec![
        Set { table: "narrow", canary: "secrets", own_sql: OwnSql::of_postgres("hostile.narrow"), rows: small.clone() },
        Set { table: "wide", canary: "wide_secrets", own_sql: None, rows: small },
        Set { table: "large", canary: "secrets", own_sql: OwnSql::of_postgres("hostile.large"), rows: large },
    ])
}

/// Writes the tables into MariaDB.
fn lay_out_in_mariadb(dir: &Path, strings: &BTreeSet<String>) -> Result<Vec<Set>, Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let (small, large): (Vec<String>, Vec<String>) = strings.iter().cloned().partition(|text| text.len() <= LARGE);
    crate::servers::run_in_mariadb(&format!(
        "DROP DATABASE IF EXISTS hostile; CREATE DATABASE hostile CHARACTER SET utf8mb4; \
         CREATE TABLE hostile.secrets (id int PRIMARY KEY, marker varchar(40) NOT NULL); \
         INSERT INTO hostile.secrets VALUES (-1, '{MARKER}');"
    ))?;
    let [narrow, wide] = MARIADB_COLLATIONS;
    for (table, rows, collations) in [("narrow", &small, narrow), ("wide", &small, wide), ("large", &large, narrow)] {
        let is_large = table == "large";
        let ty = if is_large { "longtext" } else { "varchar(1000)" };
        let column = |((name, _), collation): (&(&str, &str), &str)| {
            let charset = collation.split('_').next().unwrap_or_default();
            format!("{name} {ty} CHARACTER SET {charset} COLLATE {collation} NOT NULL")
        };
        let columns: Vec<String> = COLUMNS.iter().zip(collations).map(column).collect();
        let mut statements = format!("CREATE TABLE hostile.{table} (id int PRIMARY KEY, {});", columns.join(", "));
        for (name, _) in COLUMNS.iter().filter(|(name, _)| name.ends_with("_index") && !is_large) {
            statements.push_str(&format!("CREATE INDEX {name} ON hostile.{table} ({name}(190));"));
        }
        for (id, string) in rows.iter().enumerate() {
            let hex: String = string.bytes().map(|byte| format!("{byte:02X}")).collect();
            statements.push_str(&format!(
                "INSERT INTO hostile.{table} SELECT {id}, x, x, x, x, x, x FROM (SELECT _utf8mb4 X'{hex}' AS x) AS a;\n"
            ));
            // A server takes no longer message than it is told to.
            if statements.len() > LARGE * LARGE {
                crate::servers::run_in_mariadb(&std::mem::take(&mut statements))?;
            }
        }
        crate::servers::run_in_mariadb(&(statements + "DO 0"))?;
    }
    write_parquet(&dir.join("data/filed.parquet"), &small)?;
    Ok(vec![
        Set { table: "narrow", canary: "secrets", own_sql: OwnSql::of_mariadb("hostile.narrow"), rows: small.clone() },
        Set { table: "wide", canary: "wide_secrets", own_sql: None, rows: small },
        Set { table: "large", canary: "secrets", own_sql: OwnSql::of_mariadb("hostile.large"), rows: large },
    ])
}

fn fill(connection: &rusqlite::Connection, table: &str, strings: &[&String]) -> rusqlite::Result<()> {
    let columns: Vec<String> = COLUMNS.iter().map(|(name, declared)| format!("{name} {declared} NOT NULL")).collect();
    connection
        .execute_batch(&format!("BEGIN; CREATE TABLE {table} (id INTEGER PRIMARY KEY, {});", columns.join(", ")))?;
    for (name, _) in COLUMNS.iter().filter(|(name, _)| name.ends_with("_index")) {
        connection.execute_batch(&format!("CREATE INDEX {table}_{name} ON {table} ({name});"))?;
    }
    let insert = format!("INSERT INTO {table} VALUES (?1, ?2, ?2, ?2, ?2, ?2, ?2)");
    for (id, string) in strings.iter().enumerate() {
        connection.execute(&insert, (id as i64, string.as_str()))?;
    }
    connection.execute_batch("COMMIT")
}

fn stored(connection: &rusqlite::Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("SELECT plain FROM {table} ORDER BY id"))?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

fn write_parquet(path: &Path, strings: &[String]) -> crate::Outcome {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..strings.len() as i64));
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(strings.iter()));
    let batch = RecordBatch::try_from_iter([("id", ids), ("plain", texts)])?;
    let mut writer = ArrowWriter::try_new(std::fs::File::create(path)?, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    Ok(())
}

/// What all but one of the tools tell of the rows that they find.
const TALLY: &str = "count(*) AS n, coalesce(sum(id), 0) AS ids, coalesce(max(id), -1) AS last";

/// The same where a sum of whole numbers is a decimal.
const TALLY_OF_MARIADB: &str =
    "count(*) AS n, CAST(coalesce(sum(id), 0) AS SIGNED) AS ids, coalesce(max(id), -1) AS last";

/// The tools: of every place, column and table.
fn queries(sets: &[Set]) -> Vec<(String, String)> {
    let mut queries = Vec::new();
    for table in ["narrow", "wide", "large"] {
        for position in &POSITIONS {
            for (column, _) in columns(table) {
                let condition = position.condition.replace('@', column);
                let sql = match position.name {
                    // The text itself comes back as it is.
                    "equals" if table != "large" => {
                        format!("SELECT id, {column} AS own FROM {table} WHERE {condition} ORDER BY id")
                    }
                    _ => format!("SELECT {TALLY} FROM {table} WHERE {condition}"),
                };
                queries.push((format!("{}_{table}_{column}", position.name), sql));
            }
        }
        let choices: Vec<String> = columns(table).iter().map(|(column, _)| format!("{column}: {column}")).collect();
        queries.push((
            format!("beside_a_choice_{table}"),
            format!(
                "/*---\nparams: {{ by: {{ choices: {{ {} }}, default: folded }} }}\n---*/\n\
                 SELECT {TALLY} FROM {table} WHERE << by >> = << s >>",
                choices.join(", ")
            ),
        ));
    }
    for (table, own) in sets.iter().filter_map(|set| Some((set.table, set.own_sql?))) {
        for position in POSITIONS.iter().filter(|position| position.name != "is_like") {
            let (OwnSql { table: native, tally, .. }, condition) = (own, own.condition(position));
            let header = "source: shop\ncolumns: { ids: { type: bigint }, last: { type: bigint } }";
            let sql = format!("/*---\n{header}\n---*/\nSELECT {tally} FROM {native} WHERE {condition}");
            queries.push((format!("own_sql_{}_{table}", position.name), sql));
        }
    }
    for table in ["secrets", "wide_secrets"] {
        let sql = format!("SELECT id, marker FROM {table} WHERE marker = << s >>");
        queries.push((format!("canary_{table}"), sql));
    }
    for table in ["narrow", "filed"] {
        let sql = format!("SELECT id FROM {table} WHERE plain LIKE << s >> ORDER BY id");
        queries.push((format!("raw_pattern_{table}"), sql));
    }
    queries
}

/// Strings that the author wrote, with the tally of what each query finds.
fn literals(set: &Set) -> Vec<(String, String, Vec<Value>)> {
    let mut found = Vec::new();
    for (at, string) in set.rows.iter().enumerate().filter(|(at, string)| at % 4 == 0 && string.len() < 300) {
        let (column, _) = COLUMNS[at / 4 % COLUMNS.len()];
        let literal = quoted(string, '\'');
        let (condition, negated) = match at / 4 % 3 {
            0 => (format!("{column} = {literal}"), false),
            1 => (format!("{column} NOT IN ('x''y', {literal})"), true),
            _ => (format!("{literal} <> {column}"), true),
        };
        let wanted = tally(&set.rows, |row| (row == string) != negated);
        let sql = format!("SELECT {TALLY} FROM {} WHERE {condition}", set.table);
        found.push((format!("literal_{at}"), sql, wanted));
    }
    found
}

fn tally(rows: &[String], wants: impl Fn(&str) -> bool) -> Vec<Value> {
    let ids: Vec<i64> = (0..).zip(rows).filter(|(_, row)| wants(row)).map(|(id, _)| id).collect();
    vec![json!(ids.len()), json!(ids.iter().sum::<i64>()), json!(ids.last().copied().unwrap_or(-1))]
}

/// Calls the tools with literals, each twice.
fn of_literals(compiled: &Compiled, written: Vec<(String, String, Vec<Value>)>) -> Result<Found, Box<dyn Error>> {
    let engine = compiled.engine()?;
    Ok(block_on(async move {
        let mut found = Found::default();
        for (name, sql, wanted) in &written {
            for _ in 0..2 {
                let outcome = asks(&engine, name, &json!({}), std::slice::from_ref(wanted)).await;
                found.count(outcome, || shown(sql));
            }
        }
        found
    }))
}

impl Found {
    fn count(&mut self, outcome: Result<(), Wrong>, what: impl Fn() -> String) {
        self.checks += 1;
        match outcome {
            Ok(()) => {}
            Err(Wrong::Refused) => self.refused += 1,
            Err(Wrong::Answer(wrong)) => self.problems.push(format!("{}: {wrong}", what())),
        }
    }
}

/// Why a check fails.
enum Wrong {
    /// The argument is too long for any call, or the database has no such text.
    Refused,
    Answer(String),
}

/// The bytes of the texts and names of arguments.
fn sizes(sent: &Value) -> usize {
    match sent {
        Value::String(text) => text.len().max(8),
        Value::Array(items) => items.iter().map(sizes).sum(),
        Value::Object(all) => all.iter().map(|(name, value)| name.len() + sizes(value)).sum(),
        _ => 8,
    }
}

/// Calls a tool whose rows are known.
async fn asks(engine: &Engine, tool: &str, sent: &Value, wanted: &[Vec<Value>]) -> Result<(), Wrong> {
    let result = match engine.call(tool, &arguments(sent)).await {
        Ok(result) => result,
        Err(error) if error.code.as_str() == "arguments-too-large" && sizes(sent) > REFUSED => {
            return Err(Wrong::Refused);
        }
        Err(error) => {
            let detail = error.detail.as_ref().map(|detail| shown(detail.text()));
            return Err(Wrong::Answer(format!("{} {detail:?}", shown(&error.line()))));
        }
    };
    if result.text().contains(MARKER) || result.object().to_string().contains(MARKER) {
        return Err(Wrong::Answer("the canary is in the answer".to_owned()));
    }
    let rows = result.rows.values();
    if rows != wanted || result.notes.iter().any(|note| !note.starts_with(NOTE)) {
        let (rows, wanted) = (json!(rows).to_string(), json!(wanted).to_string());
        return Err(Wrong::Answer(format!("{}, not {}; {:?}", shown(&rows), shown(&wanted), result.notes)));
    }
    Ok(())
}

/// Tries the strings of a chunk.
async fn chunk(engine: &Engine, sets: &[Set], strings: &[(String, bool)], start: usize, factor: usize) -> Found {
    let mut found = Found::default();
    for set in sets {
        let tool = format!("canary_{}", set.canary);
        let result = engine.call(&tool, &arguments(&json!({"s": MARKER}))).await;
        if !result.is_ok_and(|result| result.text().contains(MARKER)) {
            found.problems.push(format!("the canary of {} cannot be read where it may be", set.table));
        }
    }
    for (at, (string, everywhere)) in strings.iter().enumerate().skip(start).take(CHUNK) {
        let (other, _) = &strings[(at * 31 + 7) % strings.len()];
        for set in sets.iter().filter(|set| (set.table == "large") == (string.len() > LARGE)) {
            let asked = Asked { string, other, everywhere: *everywhere && set.table != "wide" };
            one(engine, set, at, &asked, factor, &mut found).await;
        }
    }
    found
}

/// Tries a string in the places whose turn it is.
async fn one(engine: &Engine, set: &Set, at: usize, asked: &Asked<'_>, factor: usize, found: &mut Found) {
    let stride = if set.table == "narrow" { STRIDE } else { STRIDE_BESIDE };
    let (stride, columns) = ((stride * 10 / factor.max(1)).max(1), columns(set.table));
    for (place, position) in POSITIONS.iter().enumerate() {
        let is_turn = place == 0 || (at + place).is_multiple_of(stride);
        if !is_turn && !asked.everywhere {
            continue;
        }
        found.tried.entry(position.name.to_owned()).or_default().insert(at);
        if asked.is_nothing_in(position) {
            continue;
        }
        // The second time by the plan of the first.
        let times = if is_turn && set.table != "wide" { 2 } else { 1 };
        let (column, _) = columns[(at + place) % columns.len()];
        let tool = format!("{}_{}_{column}", position.name, set.table);
        let wanted = match position.name {
            "equals" if set.table != "large" => {
                let own = (0_i64..).zip(&set.rows).filter(|(_, row)| *row == asked.string);
                own.map(|(id, row)| vec![json!(id), json!(row)]).collect()
            }
            _ => vec![tally(&set.rows, |row| (position.wants)(row, asked))],
        };
        let sent = (position.arguments)(asked);
        for _ in 0..times {
            let outcome = asks(engine, &tool, &sent, &wanted).await;
            found.count(outcome, || format!("`{tool}` with {}, {}", shown(asked.string), shown(asked.other)));
        }
    }
    if set.own_sql.is_some() {
        let turn =
            (0..POSITIONS.len()).filter(|place| *place == 0 || asked.everywhere || (at + place).is_multiple_of(stride));
        let turn = turn.map(|place| &POSITIONS[place]);
        for position in turn.filter(|position| position.name != "is_like" && !asked.is_nothing_in(position)) {
            found.tried.entry(format!("{} of its own SQL", position.name)).or_default().insert(at);
            let tool = format!("own_sql_{}_{}", position.name, set.table);
            let wanted = [tally(&set.rows, |row| (position.wants)(row, asked))];
            let sent = (position.arguments)(asked);
            let outcome = match asks(engine, &tool, &sent, &wanted).await {
                // No value of PostgreSQL has a NUL in it, and its author's statement may do anything with one.
                Err(Wrong::Answer(why)) if sent.to_string().contains("\\u0000") && why.contains("invalid-argument") => {
                    Err(Wrong::Refused)
                }
                outcome => outcome,
            };
            found.count(outcome, || format!("`{tool}` with {}, {}", shown(asked.string), shown(asked.other)));
        }
    }
    if !asked.everywhere && !at.is_multiple_of(stride.div_ceil(4)) {
        return;
    }
    found.tried.entry("beside_a_choice".to_owned()).or_default().insert(at);
    let (column, _) = columns[at % columns.len()];
    let tool = format!("beside_a_choice_{}", set.table);
    let wanted = [tally(&set.rows, |row| row == asked.string)];
    let outcome = asks(engine, &tool, &json!({"by": column, "s": asked.string}), &wanted).await;
    found.count(outcome, || format!("`{tool}` by {column} with {}", shown(asked.string)));
    if set.table == "narrow" {
        let outcome = alike(engine, asked.string).await;
        found.count(outcome, || format!("as a pattern: {}", shown(asked.string)));
    }
}

/// A pattern as it is matches the same rows in the database and in the file.
async fn alike(engine: &Engine, pattern: &str) -> Result<(), Wrong> {
    let sent = arguments(&json!({"s": pattern}));
    let mut answers = Vec::new();
    for table in ["narrow", "filed"] {
        let answer = engine.call(&format!("raw_pattern_{table}"), &sent).await;
        answers.push(answer.map(|result| result.rows.values()).map_err(|error| error.code.as_str().to_owned()));
    }
    match answers.as_slice() {
        [stored, filed] if stored == filed => Ok(()),
        _ => Err(Wrong::Answer(format!("database and file differ: {}", shown(&format!("{answers:?}"))))),
    }
}
