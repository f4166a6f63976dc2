//! Columns of every type that is sent, and their values as each database and each language writes them.

use super::super::quoted;
use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int16Array, Int32Array,
    Int64Array, StringArray, TimestampMicrosecondArray, UInt64Array,
};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use rusqlite::types::Value as Native;
use serde_json::{Value, json};
use std::error::Error;
use std::sync::Arc;

/// The project over both.
pub(super) const PROJECT: &str = "\
name: differential
defaults: { result_limit: none }
sources:
  shop: { type: sqlite, path: data/rows.sqlite }
tables:
  stored: { source: shop, table: Rows, columns: { small: smallint, loose: text, middle: int, season: smallint } }
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
    /// From 0 to the last of 64 bits.
    Unsigned,
    Middle,
    Small,
    Year,
    Flag,
    Double,
    /// So many digits, so many of them behind the point.
    Decimal(u8, i8),
    Text,
    /// One of a few texts, or several of them.
    Label,
    Uuid,
    Day,
    Moment,
    /// With a zone.
    Instant,
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
            (Kind::Unsigned, _) => "numeric(20,0)".to_owned(),
            (Kind::Middle, _) => "integer".to_owned(),
            (Kind::Small | Kind::Year, _) => "smallint".to_owned(),
            (Kind::Flag, _) => "boolean".to_owned(),
            (Kind::Double, _) => "double precision".to_owned(),
            (Kind::Decimal(digits, scale), _) => format!("numeric({digits},{scale})"),
            // Where equal texts need not have equal bytes.
            (Kind::Text, "folded") => "varchar(4000) COLLATE differential.folded".to_owned(),
            (Kind::Text, "trimmed") => "text COLLATE \"C\"".to_owned(),
            (Kind::Text, "named") => "varchar(40)".to_owned(),
            (Kind::Text, "loose") => "char(60)".to_owned(),
            (Kind::Label, "level") => "differential.level".to_owned(),
            (Kind::Text | Kind::Label, _) => "text".to_owned(),
            (Kind::Uuid, _) => "uuid".to_owned(),
            (Kind::Day, _) => "date".to_owned(),
            (Kind::Moment, _) => "timestamp".to_owned(),
            (Kind::Instant, _) => "timestamptz".to_owned(),
            (Kind::Bytes, _) => "bytea".to_owned(),
        }
    }

    /// What MariaDB is told of it.
    pub(super) fn served_by_mariadb(&self) -> String {
        match (self.kind, self.name) {
            (Kind::Big, _) => "bigint".to_owned(),
            (Kind::Unsigned, _) => "bigint unsigned".to_owned(),
            (Kind::Middle, _) => "int".to_owned(),
            (Kind::Small, _) => "smallint".to_owned(),
            (Kind::Year, _) => "year".to_owned(),
            (Kind::Flag, "truth") => "bit(1)".to_owned(),
            (Kind::Flag, _) => "boolean".to_owned(),
            (Kind::Double, _) => "double".to_owned(),
            (Kind::Decimal(digits, scale), _) => format!("decimal({digits},{scale})"),
            // In other sets of characters, and in other orders.
            (Kind::Text, "folded") => "varchar(200) COLLATE utf8mb4_unicode_ci".to_owned(),
            (Kind::Text, "trimmed") => "text COLLATE utf8mb4_bin".to_owned(),
            (Kind::Text, "named") => "varchar(40) CHARACTER SET utf16 COLLATE utf16_unicode_ci".to_owned(),
            (Kind::Text, "loose") => "char(60) COLLATE utf8mb4_nopad_bin".to_owned(),
            (Kind::Text, _) => "varchar(200) COLLATE utf8mb4_general_ci".to_owned(),
            (Kind::Label, name) => {
                let labels: Vec<String> = labels(name).iter().map(|label| quoted(label, '\'')).collect();
                format!("{}({})", if name == "level" { "enum" } else { "set" }, labels.join(", "))
            }
            (Kind::Uuid, _) => "uuid".to_owned(),
            (Kind::Day, _) => "date".to_owned(),
            (Kind::Moment, _) => "datetime(6)".to_owned(),
            (Kind::Instant, _) => "timestamp(6)".to_owned(),
            (Kind::Bytes, _) => "varbinary(40)".to_owned(),
        }
    }
}

const fn column(name: &'static str, declared: &'static str, kind: Kind) -> Column {
    Column { name, declared, kind }
}

const COLUMNS: [Column; 25] = [
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
    column("middle", "INT", Kind::Middle),
    column("season", "SMALLINT", Kind::Year),
    column("truth", "BOOLEAN", Kind::Flag),
    column("level", "TEXT", Kind::Label),
    column("marks", "TEXT", Kind::Label),
    column("token", "UUID", Kind::Uuid),
    column("instant", "TIMESTAMPTZ", Kind::Instant),
    // The last, as only MariaDB has it.
    column("huge", "", Kind::Unsigned),
];

/// The columns that rows have everywhere.
pub(super) const EVERYWHERE: &[Column] = COLUMNS.split_at(COLUMNS.len() - 1).0;
/// The columns that rows have in MariaDB.
pub(super) const IN_MARIADB: &[Column] = &COLUMNS;

/// The labels of a column of which a value is one of them, or several; neither in the order of their bytes.
pub(super) fn labels(name: &str) -> &'static [&'static str] {
    if name == "level" { &["ok", "Sad", "b c", "à l'heure"] } else { &["z", "a", "C"] }
}

/// A value; decimals without their point, days and microseconds since 1970.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    Null,
    Int(i64),
    Unsigned(u64),
    Flag(bool),
    Double(f64),
    Decimal(i128, i8),
    Text(String),
    Day(i32),
    Moment(i64),
    Instant(i64),
    Bytes(Vec<u8>),
}

impl Datum {
    /// As an argument; `None` where JSON has no such value.
    pub(super) fn json(&self) -> Option<Value> {
        Some(match self {
            Datum::Null => Value::Null,
            Datum::Int(value) => json!(value),
            Datum::Unsigned(value) => json!(value),
            Datum::Flag(value) => json!(value),
            Datum::Double(value) if value.is_finite() => json!(value),
            Datum::Double(_) => return None,
            Datum::Decimal(digits, scale) => json!(decimal(*digits, *scale)),
            Datum::Text(text) => json!(text),
            Datum::Day(days) => json!(written_day(*days)),
            Datum::Moment(micros) => json!(written_moment(*micros).format("%Y-%m-%dT%H:%M:%S%.f").to_string()),
            // Of a number of minutes that is odd, with the same instant in another zone.
            Datum::Instant(micros) if micros / 60_000_000 % 2 == 1 => {
                let there = written_moment(*micros + 7_200_000_000);
                json!(there.format("%Y-%m-%dT%H:%M:%S%.f+02:00").to_string())
            }
            Datum::Instant(micros) => json!(written_moment(*micros).format("%Y-%m-%dT%H:%M:%S%.fZ").to_string()),
            Datum::Bytes(bytes) => json!(BASE64_STANDARD.encode(bytes)),
        })
    }

    /// As a literal of SQL; `None` where there is none, or none that keeps it.
    pub(super) fn literal(&self) -> Option<String> {
        Some(match self {
            Datum::Null => "NULL".to_owned(),
            Datum::Int(i64::MIN) => return None,
            Datum::Int(value) => value.to_string(),
            Datum::Unsigned(value) => value.to_string(),
            Datum::Flag(value) => value.to_string(),
            Datum::Double(value) if value.abs() < 1e6 && value.to_string().len() < 8 => format!("{value:?}"),
            Datum::Double(value) => format!("CAST('{value:e}' AS DOUBLE)"),
            Datum::Decimal(digits, scale) => decimal(*digits, *scale),
            Datum::Text(text) if text.chars().any(char::is_control) => return None,
            Datum::Text(text) => quoted(text, '\''),
            Datum::Day(days) => format!("DATE '{}'", written_day(*days)),
            Datum::Moment(micros) => format!("TIMESTAMP '{}'", near(*micros)?.format("%Y-%m-%d %H:%M:%S%.f")),
            Datum::Instant(micros) => format!("TIMESTAMPTZ '{}'", near(*micros)?.format("%Y-%m-%d %H:%M:%S%.fZ")),
            Datum::Bytes(bytes) => format!("X'{}'", hex(bytes)),
        })
    }

    /// As SQLite keeps it. `at` tells in which of its ways a time is written.
    pub(super) fn native(&self, at: usize) -> Native {
        match self {
            Datum::Null => Native::Null,
            Datum::Int(value) => Native::Integer(*value),
            Datum::Unsigned(value) => Native::Text(value.to_string()),
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
            Datum::Instant(micros) => Native::Text(spelled_instant(*micros, at)),
            Datum::Bytes(bytes) => Native::Blob(bytes.clone()),
        }
    }

    /// As a literal of PostgreSQL.
    pub(super) fn served(&self) -> String {
        match self {
            Datum::Null => "NULL".to_owned(),
            Datum::Int(value) => format!("'{value}'"),
            Datum::Unsigned(value) => value.to_string(),
            Datum::Flag(value) => value.to_string(),
            Datum::Double(value) => format!("'{value:e}'::float8"),
            Datum::Decimal(digits, scale) => decimal(*digits, *scale),
            Datum::Text(text) => quoted(text, '\''),
            Datum::Day(days) => format!("'{}'", written_day(*days)),
            Datum::Moment(micros) => format!("'{}'", written_moment(*micros).format("%Y-%m-%d %H:%M:%S%.f")),
            Datum::Instant(micros) => format!("'{}'", written_moment(*micros).format("%Y-%m-%d %H:%M:%S%.fZ")),
            Datum::Bytes(bytes) => format!("'\\x{}'", hex(bytes)),
        }
    }

    /// As a literal of MariaDB.
    pub(super) fn served_by_mariadb(&self) -> String {
        match self {
            // The year '0' is 2000, and that of the number 0000.
            Datum::Int(value) => value.to_string(),
            Datum::Instant(micros) => format!("'{}'", written_moment(*micros).format("%Y-%m-%d %H:%M:%S%.f")),
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

/// A time that literals of nanoseconds can name.
fn near(micros: i64) -> Option<NaiveDateTime> {
    let at = written_moment(micros);
    let days = NaiveDate::from_ymd_opt(1700, 1, 1)?..NaiveDate::from_ymd_opt(2200, 1, 1)?;
    days.contains(&at.date()).then_some(at)
}

/// An instant in one of the ways that SQLite's own functions read it: in UTC, and in other zones.
fn spelled_instant(micros: i64, way: usize) -> String {
    let there = |seconds: i64| spelled(written_moment(micros + seconds * 1_000_000), 2 + way % 2);
    match way % 5 {
        0 => there(0),
        1 => format!("{}+02:00", there(7_200)),
        2 => format!("{}-11:30", there(-41_400)),
        3 => format!("{}+00:00", there(0)),
        _ => format!("{}Z", there(0)),
    }
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
        Kind::Unsigned => of!(UInt64Array, Unsigned, |value: &u64| *value),
        Kind::Middle => of!(Int32Array, Int, |value: &i64| i32::try_from(*value).unwrap()),
        Kind::Small | Kind::Year => of!(Int16Array, Int, |value: &i64| i16::try_from(*value).unwrap()),
        Kind::Flag => of!(BooleanArray, Flag, |value: &bool| *value),
        Kind::Double => of!(Float64Array, Double, |value: &f64| *value),
        Kind::Decimal(digits, scale) => {
            let values = values.map(|value| if let Datum::Decimal(digits, _) = value { Some(*digits) } else { None });
            Arc::new(values.collect::<Decimal128Array>().with_precision_and_scale(digits, scale)?)
        }
        Kind::Text | Kind::Label | Kind::Uuid => of!(StringArray, Text, |value: &'a String| value.as_str()),
        Kind::Day => of!(Date32Array, Day, |value: &i32| *value),
        Kind::Moment => of!(TimestampMicrosecondArray, Moment, |value: &i64| *value),
        Kind::Instant => {
            let values = values.map(|value| if let Datum::Instant(micros) = value { Some(*micros) } else { None });
            Arc::new(values.collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
        }
        Kind::Bytes => of!(BinaryArray, Bytes, |value: &'a Vec<u8>| value.as_slice()),
    };
    Ok(array)
}
