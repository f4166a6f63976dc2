//! Rows with a column of every type that is sent, once in a database and once in Parquet.

use super::super::quoted;
use super::keys::Keyed;
use crate::hostile_values::Random;
use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int16Array, Int64Array,
    RecordBatch, StringArray, TimestampMicrosecondArray,
};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use datafusion::parquet::arrow::ArrowWriter;
use rusqlite::types::Value as Native;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// How many rows there are.
const ROWS: usize = 160;

/// The project over both.
pub(super) const PROJECT: &str = "\
name: differential
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/rows.sqlite }
tables:
  stored: { source: shop, table: Rows, columns: { small: smallint, loose: text } }
  filed: { path: data/rows.parquet }
";

/// The project over PostgreSQL.
pub(super) const POSTGRES_PROJECT: &str = "\
name: differential
defaults: { result_limit: none }
sources:
  shop: { type: postgres, url_env: QTOOL_TEST_POSTGRES }
tables:
  stored: { source: shop, table: differential.rows }
  filed: { path: data/rows.parquet }
";

/// The project over MariaDB.
pub(super) const MARIADB_PROJECT: &str = "\
name: differential
defaults: { result_limit: none }
sources:
  shop: { type: mysql, url_env: QTOOL_TEST_MARIADB }
tables:
  stored: { source: shop, table: differential.rows, columns: { flag: boolean } }
  filed: { path: data/rows.parquet }
";

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Big,
    Small,
    Flag,
    Double,
    /// So many digits, so many of them behind the point.
    Decimal(u8, i8),
    Text,
    Day,
    Moment,
    Bytes,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub name: &'static str,
    /// What SQLite is told of it.
    pub declared: &'static str,
    pub kind: Kind,
}

impl Column {
    /// What PostgreSQL is told of it.
    pub(super) fn served(&self) -> String {
        match (self.kind, self.name) {
            (Kind::Big, _) => "bigint".to_owned(),
            (Kind::Small, _) => "smallint".to_owned(),
            (Kind::Flag, _) => "boolean".to_owned(),
            (Kind::Double, _) => "double precision".to_owned(),
            (Kind::Decimal(digits, scale), _) => format!("numeric({digits},{scale})"),
            // Where equal texts need not have equal bytes.
            (Kind::Text, "folded") => "varchar(4000) COLLATE differential.folded".to_owned(),
            (Kind::Text, "trimmed") => "text COLLATE \"C\"".to_owned(),
            (Kind::Text, "named") => "varchar(40)".to_owned(),
            (Kind::Text, _) => "text".to_owned(),
            (Kind::Day, _) => "date".to_owned(),
            (Kind::Moment, _) => "timestamp".to_owned(),
            (Kind::Bytes, _) => "bytea".to_owned(),
        }
    }

    /// What MariaDB is told of it.
    pub(super) fn served_by_mariadb(&self) -> String {
        match (self.kind, self.name) {
            (Kind::Big, _) => "bigint".to_owned(),
            (Kind::Small, _) => "smallint".to_owned(),
            (Kind::Flag, _) => "boolean".to_owned(),
            (Kind::Double, _) => "double".to_owned(),
            (Kind::Decimal(digits, scale), _) => format!("decimal({digits},{scale})"),
            // In other sets of characters, and in other orders.
            (Kind::Text, "folded") => "varchar(200) COLLATE utf8mb4_unicode_ci".to_owned(),
            (Kind::Text, "trimmed") => "text COLLATE utf8mb4_bin".to_owned(),
            (Kind::Text, "named") => "varchar(40) CHARACTER SET utf16 COLLATE utf16_unicode_ci".to_owned(),
            (Kind::Text, "loose") => "char(60) COLLATE utf8mb4_nopad_bin".to_owned(),
            (Kind::Text, _) => "varchar(200) COLLATE utf8mb4_general_ci".to_owned(),
            (Kind::Day, _) => "date".to_owned(),
            (Kind::Moment, _) => "datetime(6)".to_owned(),
            (Kind::Bytes, _) => "varbinary(40)".to_owned(),
        }
    }
}

const fn column(name: &'static str, declared: &'static str, kind: Kind) -> Column {
    Column { name, declared, kind }
}

pub(super) const COLUMNS: [Column; 17] = [
    column("big", "INTEGER", Kind::Big),
    column("small", "SMALLINT", Kind::Small),
    column("flag", "BOOLEAN", Kind::Flag),
    column("dbl", "DOUBLE", Kind::Double),
    column("num", "NUMERIC", Kind::Double),
    column("amount", "DECIMAL(10,2)", Kind::Decimal(10, 2)),
    column("fine", "NUMERIC(15,4)", Kind::Decimal(15, 4)),
    column("vast", "NUMERIC(20,2)", Kind::Decimal(20, 2)),
    column("label", "TEXT", Kind::Text),
    column("folded", "VARCHAR(40) COLLATE NOCASE", Kind::Text),
    column("trimmed", "TEXT COLLATE RTRIM", Kind::Text),
    // What looks like a number is kept as one.
    column("named", "STRING", Kind::Text),
    column("loose", "", Kind::Text),
    column("day", "DATE", Kind::Day),
    column("moment", "DATETIME", Kind::Moment),
    // Within the years that literals of nanoseconds can name.
    column("near", "TIMESTAMP", Kind::Moment),
    column("bytes", "BLOB", Kind::Bytes),
];

/// A value; decimals without their point, days and microseconds since 1970.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    Null,
    Int(i64),
    Flag(bool),
    Double(f64),
    Decimal(i128, i8),
    Text(String),
    Day(i32),
    Moment(i64),
    Bytes(Vec<u8>),
}

#[rustfmt::skip]
const TEXTS: [&str; 34] = [
    "", " ", "  ", "a", "A", "a ", "A  ", " a", "ab", "Ab", "aB", "b", "Z", "z", "[", "_", "%", "\\", "é", "É", "e\u{301}",
    "🙂", "🙂 ", "\u{ffff}", "\u{fffd}", "\u{10ffff}", "\0", "a\0", "a\0b", "a\0c", "'", "straße", "STRASSE", "a\n",
];
/// Texts of numbers, as SQLite keeps them.
const NUMBERS: [&str; 4] = ["7", "10", "9", "-12"];
/// Texts of numbers that it would keep as others, which are asked for.
const OTHER_NUMBERS: [&str; 6] = ["007", "7.0", "+7", " 7", "1e1", "0x7"];
/// Days, from the first to the last that there are, and with changes of months between them.
const DAYS: [&str; 10] = [
    "0001-01-01",
    "0001-01-02",
    "1969-12-31",
    "1970-01-01",
    "2024-02-28",
    "2024-02-29",
    "2024-03-31",
    "2024-04-01",
    "9999-12-30",
    "9999-12-31",
];
/// Columns with an index.
const INDEXED: [&str; 7] = ["big", "amount", "label", "folded", "trimmed", "day", "moment"];
const NEAR: [&str; 13] = [
    "1969-12-31T23:59:59.999999",
    "1970-01-01T00:00:00",
    "2024-02-29T00:00:00",
    "2024-02-29T12:30:00",
    "2024-03-30T23:59:59.999999",
    "2024-03-31T00:00:00",
    "2024-03-31T00:00:00.000001",
    "2024-03-31T12:30:00",
    "2024-03-31T12:30:00.5",
    "2024-03-31T23:59:59",
    "2024-03-31T23:59:59.999999",
    "2024-04-01T00:00:00",
    "2024-04-01T00:00:01",
];
const FAR: [&str; 4] =
    ["0001-01-01T00:00:00", "0001-01-01T00:00:00.000001", "9999-12-31T00:00:00", "9999-12-31T23:59:59.999999"];

fn texts(of: &[&str]) -> Vec<Datum> {
    of.iter().map(|text| Datum::Text((*text).to_owned())).collect()
}

fn day(text: &str) -> Datum {
    let day: NaiveDate = text.parse().unwrap();
    Datum::Day(i32::try_from(day.signed_duration_since(NaiveDate::default()).num_days()).unwrap())
}

fn moment(text: &str) -> Datum {
    let at: NaiveDateTime = text.parse().unwrap();
    Datum::Moment(at.and_utc().timestamp_micros())
}

/// What rows hold in a column.
pub(super) fn held(column: &Column) -> Vec<Datum> {
    let ints = |of: &[i64]| -> Vec<Datum> { of.iter().map(|value| Datum::Int(*value)).collect() };
    let doubles = |of: &[f64]| -> Vec<Datum> { of.iter().map(|value| Datum::Double(*value)).collect() };
    let whole = 1_i64 << 53;
    match column.kind {
        Kind::Big => ints(&[
            i64::MIN,
            i64::MIN + 1,
            -whole - 1,
            -whole,
            -1,
            0,
            1,
            2,
            7,
            10,
            1 << 31,
            whole - 1,
            whole,
            whole + 1,
            i64::MAX - 1,
            i64::MAX,
        ]),
        Kind::Small => ints(&[-32_768, -32_767, -1, 0, 1, 2, 7, 255, 256, 32_766, 32_767]),
        Kind::Flag => vec![Datum::Flag(false), Datum::Flag(true)],
        // A whole number in a column without digits becomes an integer, which is read up to 2^53.
        Kind::Double if column.name == "num" => {
            doubles(&[-1.5, -1.0, 0.0, 0.1, 0.3, 0.1 + 0.2, 1.0, 7.0, 12.5, whole as f64, 1e300, f64::INFINITY])
        }
        Kind::Double => doubles(&[
            f64::NEG_INFINITY,
            f64::MIN,
            -1.5,
            -5e-324,
            0.0,
            5e-324,
            0.1,
            0.3,
            0.1 + 0.2,
            1.0,
            1.5,
            7.0,
            1e15,
            (whole - 1) as f64,
            whole as f64,
            (whole + 2) as f64,
            f64::MAX,
            f64::INFINITY,
        ]),
        Kind::Decimal(10, 2) => decimals(&[0, 1, -1, 7, 10, 99, 100, 1250, -1250, 9_999_999_999, -9_999_999_999], 2),
        Kind::Decimal(15, 4) => {
            decimals(&[0, 1, -1, 10_000, 12_345, 123_456_789_012_345, 999_999_999_999_999, -999_999_999_999_999], 4)
        }
        Kind::Decimal(_, scale) => decimals(&[0, 1, -1, 250, 123_456_789_012_345, -123_456_789_012_345], scale),
        Kind::Text if column.name == "named" => [texts(&TEXTS), texts(&NUMBERS)].concat(),
        Kind::Text => [texts(&TEXTS), texts(&NUMBERS), texts(&OTHER_NUMBERS)].concat(),
        Kind::Day => DAYS.iter().map(|text| day(text)).collect(),
        Kind::Moment if column.name == "near" => NEAR.iter().map(|text| moment(text)).collect(),
        Kind::Moment => NEAR.iter().chain(&FAR).map(|text| moment(text)).collect(),
        Kind::Bytes => [&b""[..], b"\0", b"\0\x01", b"a", b"A", b"a ", b"\xff", b"\xff\xff", "é".as_bytes()]
            .iter()
            .map(|bytes| Datum::Bytes(bytes.to_vec()))
            .collect(),
    }
}

fn decimals(digits: &[i128], scale: i8) -> Vec<Datum> {
    digits.iter().map(|digits| Datum::Decimal(*digits, scale)).collect()
}

/// A value that a column is compared with: one that rows hold, or one beside those.
pub(super) fn asked(random: &mut Random, column: &Column) -> Datum {
    let more = match column.kind {
        Kind::Big | Kind::Small => vec![Datum::Int(3), Datum::Int(-2), Datum::Int(40_000), Datum::Int(i64::MAX)],
        Kind::Double => vec![Datum::Double(-2.0), Datum::Double(0.2), Datum::Double(1e16), Datum::Double(-1e-7)],
        Kind::Decimal(_, scale) => decimals(&[2, -3, 1251, 99_999_999_999], scale),
        Kind::Text => [texts(&OTHER_NUMBERS), texts(&["nobody", "aa", "B "])].concat(),
        Kind::Day => vec![day("2024-03-30"), day("1900-01-01")],
        Kind::Moment => vec![moment("2024-03-31T12:30:00.000001"), moment("2024-03-29T00:00:00")],
        Kind::Flag | Kind::Bytes => Vec::new(),
    };
    let held = held(column);
    if more.is_empty() || !random.one_in(5) { random.pick(&held).clone() } else { random.pick(&more).clone() }
}

impl Datum {
    /// As an argument; `None` where JSON has no such value.
    pub(super) fn json(&self) -> Option<Value> {
        Some(match self {
            Datum::Null => Value::Null,
            Datum::Int(value) => json!(value),
            Datum::Flag(value) => json!(value),
            Datum::Double(value) if value.is_finite() => json!(value),
            Datum::Double(_) => return None,
            Datum::Decimal(digits, scale) => json!(decimal(*digits, *scale)),
            Datum::Text(text) => json!(text),
            Datum::Day(days) => json!(written_day(*days)),
            Datum::Moment(micros) => json!(written_moment(*micros).format("%Y-%m-%dT%H:%M:%S%.f").to_string()),
            Datum::Bytes(bytes) => json!(BASE64_STANDARD.encode(bytes)),
        })
    }

    /// As a literal of SQL; `None` where there is none, or none that keeps it.
    pub(super) fn literal(&self) -> Option<String> {
        Some(match self {
            Datum::Null => "NULL".to_owned(),
            Datum::Int(i64::MIN) => return None,
            Datum::Int(value) => value.to_string(),
            Datum::Flag(value) => value.to_string(),
            Datum::Double(value) if value.abs() < 1e6 && value.to_string().len() < 8 => format!("{value:?}"),
            Datum::Double(value) => format!("CAST('{value:e}' AS DOUBLE)"),
            Datum::Decimal(digits, scale) => decimal(*digits, *scale),
            Datum::Text(text) if text.chars().any(char::is_control) => return None,
            Datum::Text(text) => quoted(text, '\''),
            Datum::Day(days) => format!("DATE '{}'", written_day(*days)),
            Datum::Moment(micros) => {
                let at = written_moment(*micros);
                let is_far =
                    !(NaiveDate::from_ymd_opt(1700, 1, 1)?..NaiveDate::from_ymd_opt(2200, 1, 1)?).contains(&at.date());
                if is_far {
                    return None;
                }
                format!("TIMESTAMP '{}'", at.format("%Y-%m-%d %H:%M:%S%.f"))
            }
            Datum::Bytes(bytes) => format!("X'{}'", hex(bytes)),
        })
    }

    /// As SQLite keeps it. `at` tells in which of its ways a time is written.
    pub(super) fn native(&self, at: usize) -> Native {
        match self {
            Datum::Null => Native::Null,
            Datum::Int(value) => Native::Integer(*value),
            Datum::Flag(value) => Native::Integer(i64::from(*value)),
            Datum::Double(value) => Native::Real(*value),
            Datum::Decimal(digits, scale) => {
                // A program that adds up may miss by the last bit.
                let nearest: f64 = decimal(*digits, *scale).parse().unwrap();
                Native::Real(if at % 3 == 1 && nearest > 0.0 { nearest.next_up() } else { nearest })
            }
            Datum::Text(text) => Native::Text(text.clone()),
            Datum::Day(days) => Native::Text(written_day(*days)),
            Datum::Moment(micros) => Native::Text(spelled(written_moment(*micros), at)),
            Datum::Bytes(bytes) => Native::Blob(bytes.clone()),
        }
    }

    /// As a literal of PostgreSQL.
    pub(super) fn served(&self) -> String {
        match self {
            Datum::Null => "NULL".to_owned(),
            Datum::Int(value) => format!("'{value}'"),
            Datum::Flag(value) => value.to_string(),
            Datum::Double(value) => format!("'{value:e}'::float8"),
            Datum::Decimal(digits, scale) => decimal(*digits, *scale),
            Datum::Text(text) => quoted(text, '\''),
            Datum::Day(days) => format!("'{}'", written_day(*days)),
            Datum::Moment(micros) => format!("'{}'", written_moment(*micros).format("%Y-%m-%d %H:%M:%S%.f")),
            Datum::Bytes(bytes) => format!("'\\x{}'", hex(bytes)),
        }
    }

    /// As a literal of MariaDB.
    pub(super) fn served_by_mariadb(&self) -> String {
        match self {
            Datum::Double(value) => format!("{value:e}"),
            Datum::Text(text) => format!("_utf8mb4 X'{}'", hex(text.as_bytes())),
            Datum::Bytes(bytes) => format!("X'{}'", hex(bytes)),
            other => other.served(),
        }
    }

    /// As it is told of a row.
    pub(super) fn shown(&self) -> String {
        match self {
            Datum::Text(text) => format!("{text:?}"),
            other => other.literal().unwrap_or_else(|| format!("{other:?}")),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn decimal(digits: i128, scale: i8) -> String {
    let places = usize::try_from(scale).unwrap();
    let sign = if digits < 0 { "-" } else { "" };
    let all = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, behind) = all.split_at(all.len() - places);
    format!("{sign}{whole}.{behind}")
}

fn written_day(days: i32) -> String {
    let day = DateTime::from_timestamp(i64::from(days) * 86_400, 0).unwrap();
    day.format("%Y-%m-%d").to_string()
}

fn written_moment(micros: i64) -> NaiveDateTime {
    DateTime::from_timestamp_micros(micros).unwrap().naive_utc()
}

/// A time in one of the ways that SQLite's own functions write and read it.
fn spelled(at: NaiveDateTime, way: usize) -> String {
    let (text, clock) = (at.format("%Y-%m-%d").to_string(), at.format("%H:%M:%S%.f").to_string());
    let clock = match clock.strip_suffix(":00") {
        Some("00:00") if way.is_multiple_of(4) => return text,
        Some(short) if way % 4 == 1 => short.to_owned(),
        _ => clock,
    };
    format!("{text}{}{clock}", if way.is_multiple_of(3) { "T" } else { " " })
}

/// Rows: the first has no values at all.
pub(super) fn rows(random: &mut Random) -> Vec<Vec<Datum>> {
    let held: Vec<Vec<Datum>> = COLUMNS.iter().map(held).collect();
    let row = |random: &mut Random, at: usize| {
        let value = |random: &mut Random, of: &Vec<Datum>| match random.one_in(8) {
            true => Datum::Null,
            // Each value is there once at least.
            false if at <= of.len() => of[at - 1].clone(),
            false => random.pick(of).clone(),
        };
        held.iter().map(|of| if at == 0 { Datum::Null } else { value(random, of) }).collect()
    };
    (0..ROWS).map(|at| row(random, at)).collect()
}

/// Writes the rows into SQLite and into Parquet, with the tables that they are joined with.
pub(super) fn write(dir: &Path, rows: &[Vec<Datum>], keyed: &[Keyed]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    let connection = rusqlite::Connection::open(dir.join("data/rows.sqlite"))?;
    let columns: Vec<String> = COLUMNS.iter().map(|column| format!("{} {}", column.name, column.declared)).collect();
    connection.execute_batch(&format!("BEGIN; CREATE TABLE Rows (id INTEGER PRIMARY KEY, {});", columns.join(", ")))?;
    for indexed in INDEXED {
        connection.execute_batch(&format!("CREATE INDEX By_{indexed} ON Rows ({indexed});"))?;
    }
    let places: Vec<String> = (1..=COLUMNS.len() + 1).map(|place| format!("?{place}")).collect();
    let insert = format!("INSERT INTO Rows VALUES ({})", places.join(", "));
    for (id, row) in rows.iter().enumerate() {
        let values = row.iter().map(|value| value.native(id));
        let values = std::iter::once(Native::Integer(id as i64)).chain(values);
        connection.execute(&insert, rusqlite::params_from_iter(values))?;
    }
    for table in keyed {
        table.write_sqlite(&connection)?;
    }
    connection.execute_batch("COMMIT")?;
    write_parquet(dir, rows, keyed)
}

/// Writes the rows into PostgreSQL and into Parquet. What no text can hold there is left out of both.
pub(super) fn write_served(dir: &Path, rows: &mut [Vec<Datum>], keyed: &[Keyed]) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    for value in rows.iter_mut().flatten() {
        if let Datum::Text(text) = value {
            text.retain(|c| c != '\0');
        }
    }
    let columns: Vec<String> = COLUMNS.iter().map(|column| format!("{} {}", column.name, column.served())).collect();
    let mut statements = format!(
        "DROP SCHEMA IF EXISTS differential CASCADE; CREATE SCHEMA differential; \
         CREATE COLLATION differential.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false); \
         CREATE TABLE differential.rows (id bigint PRIMARY KEY, {});",
        columns.join(", ")
    );
    for indexed in INDEXED {
        statements.push_str(&format!("CREATE INDEX ON differential.rows ({indexed});"));
    }
    for (id, row) in rows.iter().enumerate() {
        let values: Vec<String> = row.iter().map(Datum::served).collect();
        statements.push_str(&format!("INSERT INTO differential.rows VALUES ({id}, {});\n", values.join(", ")));
    }
    keyed.iter().for_each(|table| statements.push_str(&table.statements()));
    crate::servers::run_in_postgres(&statements)?;
    write_parquet(dir, rows, keyed)
}

/// Writes the rows into MariaDB and into Parquet. What cannot be held there is another value in both: numbers without end, and
/// blanks at the end of a `char`.
pub(super) fn write_served_by_mariadb(
    dir: &Path,
    rows: &mut [Vec<Datum>],
    keyed: &[Keyed],
) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir.join("data"))?;
    for row in rows.iter_mut() {
        for (column, value) in COLUMNS.iter().zip(row) {
            match value {
                Datum::Double(number) if number.is_infinite() => *number = 1e308_f64.copysign(*number),
                Datum::Text(text) if column.name == "loose" => *text = text.trim_end_matches(' ').to_owned(),
                _ => {}
            }
        }
    }
    let columns: Vec<String> =
        COLUMNS.iter().map(|column| format!("{} {}", column.name, column.served_by_mariadb())).collect();
    let mut statements = format!(
        "DROP DATABASE IF EXISTS differential; CREATE DATABASE differential CHARACTER SET utf8mb4; \
         CREATE TABLE differential.rows (id bigint PRIMARY KEY, {});",
        columns.join(", ")
    );
    for indexed in INDEXED {
        let part = if indexed == "trimmed" { "(20)" } else { "" };
        statements.push_str(&format!("CREATE INDEX by_{indexed} ON differential.rows ({indexed}{part});"));
    }
    for (id, row) in rows.iter().enumerate() {
        let values: Vec<String> = row.iter().map(Datum::served_by_mariadb).collect();
        statements.push_str(&format!("INSERT INTO differential.rows VALUES ({id}, {});\n", values.join(", ")));
    }
    keyed.iter().for_each(|table| statements.push_str(&table.statements_of_mariadb()));
    crate::servers::run_in_mariadb(&statements)?;
    write_parquet(dir, rows, keyed)
}

fn write_parquet(dir: &Path, rows: &[Vec<Datum>], keyed: &[Keyed]) -> Result<(), Box<dyn Error>> {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows.len() as i64));
    let mut arrays = vec![("id", ids)];
    for (at, column) in COLUMNS.iter().enumerate() {
        arrays.push((column.name, array(column.kind, rows.iter().map(|row| &row[at]))?));
    }
    let batch =
        RecordBatch::try_from_iter_with_nullable(arrays.into_iter().map(|(name, array)| (name, array, name != "id")))?;
    let file = std::fs::File::create(dir.join("data/rows.parquet"))?;
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
    writer.write(&batch)?;
    writer.close()?;
    keyed.iter().try_for_each(|table| table.write_parquet(dir))
}

pub(super) fn array<'a>(kind: Kind, values: impl Iterator<Item = &'a Datum>) -> Result<ArrayRef, Box<dyn Error>> {
    macro_rules! of {
        ($array:ty, $case:ident, $made:expr) => {
            Arc::new(
                values
                    .map(|value| match value {
                        Datum::$case(value) => Some($made(value)),
                        _ => None,
                    })
                    .collect::<$array>(),
            )
        };
    }
    let array: ArrayRef = match kind {
        Kind::Big => of!(Int64Array, Int, |value: &i64| *value),
        Kind::Small => of!(Int16Array, Int, |value: &i64| i16::try_from(*value).unwrap()),
        Kind::Flag => of!(BooleanArray, Flag, |value: &bool| *value),
        Kind::Double => of!(Float64Array, Double, |value: &f64| *value),
        Kind::Decimal(digits, scale) => {
            let values = values.map(|value| if let Datum::Decimal(digits, _) = value { Some(*digits) } else { None });
            Arc::new(values.collect::<Decimal128Array>().with_precision_and_scale(digits, scale)?)
        }
        Kind::Text => of!(StringArray, Text, |value: &'a String| value.as_str()),
        Kind::Day => of!(Date32Array, Day, |value: &i32| *value),
        Kind::Moment => of!(TimestampMicrosecondArray, Moment, |value: &i64| *value),
        Kind::Bytes => of!(BinaryArray, Bytes, |value: &'a Vec<u8>| value.as_slice()),
    };
    Ok(array)
}
