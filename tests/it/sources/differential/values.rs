//! What rows hold, and what is asked of them.

use super::data::{Column, Datum, Kind, labels};
use crate::hostile_values::Random;
use chrono::{NaiveDate, NaiveDateTime};

/// How many rows there are.
const ROWS: usize = 160;

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

/// Times that MariaDB keeps as instants, from the first to the last.
const INSTANTS: [&str; 10] = [
    "1970-01-01T00:00:01",
    "1970-01-01T00:00:01.000001",
    "2024-02-29T12:30:00",
    "2024-03-30T23:59:59.999999",
    "2024-03-31T00:00:00",
    "2024-03-31T01:00:00",
    "2024-03-31T12:30:00",
    "2024-03-31T12:31:00.5",
    "2038-01-19T03:14:06",
    "2038-01-19T03:14:07.999999",
];
/// Others, beside them.
const OTHER_INSTANTS: [&str; 6] = [
    "0001-01-01T00:00:00",
    "1969-12-31T23:59:59.999999",
    "1970-01-01T00:00:00",
    "2024-03-31T12:30:00.000001",
    "2038-01-19T03:14:08",
    "9999-12-31T23:59:59.999999",
];
const UUIDS: [&str; 6] = [
    "00000000-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000001",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "b0eebc99-9c0b-1ef8-bb6d-6bb9bd380a11",
    "a0eebc99-9c0b-1ef8-bb6d-6bb9bd380a12",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
];
/// What a database may take for one of them, and what it does not take at all.
const OTHER_UUIDS: [&str; 8] = [
    "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
    "a0eebc999c0b4ef8bb6d6bb9bd380a11",
    "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 ",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13",
    "a0eebc99",
    "",
    "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
];
/// What a database may take for a label: by its number, in other letters, or none.
const OTHER_LABELS: [&str; 11] = ["", "1", "2", "0", "OK", "sad", "ok ", "A", "C,a", "a,z", "none"];

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

fn instant(text: &str) -> Datum {
    let at: NaiveDateTime = text.parse().unwrap();
    Datum::Instant(at.and_utc().timestamp_micros())
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
        Kind::Unsigned => [0, 1, 7, (1 << 53) + 1, u64::MAX >> 1, (u64::MAX >> 1) + 1, u64::MAX - 1, u64::MAX]
            .into_iter()
            .map(Datum::Unsigned)
            .collect(),
        Kind::Middle => {
            ints(&[-2_147_483_648, -2_147_483_647, -32_769, -1, 0, 1, 7, 65_536, 2_147_483_646, 2_147_483_647])
        }
        Kind::Year => ints(&[0, 1901, 1969, 1970, 1999, 2000, 2024, 2069, 2155]),
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
        Kind::Label if column.name == "level" => texts(labels("level")),
        Kind::Label => texts(&["", "z", "a", "C", "z,a", "z,C", "a,C", "z,a,C"]),
        Kind::Uuid => texts(&UUIDS),
        Kind::Day => DAYS.iter().map(|text| day(text)).collect(),
        Kind::Moment if column.name == "near" => NEAR.iter().map(|text| moment(text)).collect(),
        Kind::Moment => NEAR.iter().chain(&FAR).map(|text| moment(text)).collect(),
        Kind::Instant => INSTANTS.iter().map(|text| instant(text)).collect(),
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
        Kind::Unsigned => vec![Datum::Unsigned(3), Datum::Unsigned(1 << 53), Datum::Unsigned(40_000)],
        Kind::Middle => [3, -2, 40_000, i64::from(i32::MAX) + 1, i64::MAX].map(Datum::Int).to_vec(),
        Kind::Year => [1, 24, 69, 70, 99, 1900, 2156, -1, 40_000].map(Datum::Int).to_vec(),
        Kind::Label => texts(&OTHER_LABELS),
        Kind::Uuid => texts(&OTHER_UUIDS),
        Kind::Instant => OTHER_INSTANTS.iter().map(|text| instant(text)).collect(),
        Kind::Flag | Kind::Bytes => Vec::new(),
    };
    let held = held(column);
    if more.is_empty() || !random.one_in(5) { random.pick(&held).clone() } else { random.pick(&more).clone() }
}

/// Rows: the first has no values at all.
pub(super) fn rows(random: &mut Random, columns: &[Column]) -> Vec<Vec<Datum>> {
    let held: Vec<Vec<Datum>> = columns.iter().map(held).collect();
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
