//! The SQL of MySQL and MariaDB.

use super::super::bind::{Beyond, Bind, Form, Sent};
use super::super::mysql::{bare, is_of_texts};
use super::{ComparedAs, Sides};
use crate::catalog::{NativeColumn, is_of_places};
use arrow::datatypes::{DataType, Field, TimeUnit};
use std::ops::RangeInclusive;

/// The days that a column may hold: from 0000-01-01 to 9999-12-31, counted from 1970-01-01.
const DAYS: RangeInclusive<i32> = -719_528..=2_932_896;

/// The times that a column may hold, in microseconds.
const MICROS: RangeInclusive<i64> = -719_528 * 86_400_000_000..=2_932_897 * 86_400_000_000 - 1;

/// The instants that one may hold: a `timestamp` begins behind 1970-01-01 00:00:00, which is another word for no time.
const INSTANTS: RangeInclusive<i64> = 1..=*MICROS.end();

/// Character sets whose texts are their bytes in UTF-8.
const UTF8: [&str; 4] = ["utf8mb4", "utf8mb3", "utf8", "ascii"];

/// Character sets of which every text that is in UTF-8 and back is the same.
const KEPT: [&str; 5] = ["utf8mb4", "utf8mb3", "utf8", "ascii", "latin1"];

/// Collations of UTF-8 in which texts are their bytes, blanks at their ends too.
const BY_BYTES: [&str; 2] = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin"];

/// An identifier in its quotes.
pub(in crate::engine::sources) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A placeholder with the type of its value, where a text would be taken for another one: a decimal that is sent as its
/// digits would be compared as a floating-point number.
pub(super) fn typed(place: String, bind: &Bind) -> String {
    match bind {
        Bind::Numeric(_, scale) => format!("CAST({place} AS DECIMAL(65,{}))", scale.max(&0)),
        Bind::Bytes(_) => format!("CAST({place} AS BINARY)"),
        _ => place,
    }
}

/// What becomes of a value that lies behind all that a column may hold.
pub(super) fn fitting(sent: Sent) -> Sent {
    let (Sent::Bind(bind) | Sent::Behind(bind)) = &sent else { return sent };
    let beyond = match bind {
        Bind::Double(number) if number.is_infinite() => Some(*number > 0.0),
        Bind::Day(day) if !DAYS.contains(day) => Some(*day > 0),
        Bind::Local(micros) if !MICROS.contains(micros) => Some(*micros > 0),
        Bind::Instant(micros) if !INSTANTS.contains(micros) => Some(*micros > 0),
        _ => None,
    };
    match beyond {
        Some(true) => Sent::Beyond(Beyond::Above),
        Some(false) => Sent::Beyond(Beyond::Below),
        None => sent,
    }
}

/// A column in a list of what is selected: what is read as a text comes as one.
pub(super) fn item(field: &Field, column: &NativeColumn) -> String {
    let (name, declared) = (quoted(&column.name), column.declared.as_str());
    let is_plain = is_of_texts(declared) || matches!(bare(declared), "json" | "uuid");
    match field.data_type() {
        DataType::Utf8 if is_of_places(declared) => format!("ST_AsText({name})"),
        DataType::Binary if is_of_places(declared) => format!("ST_AsBinary({name})"),
        DataType::Utf8 if !is_plain => format!("CAST({name} AS CHAR)"),
        _ => name,
    }
}

/// How many values of a column are none of its type here.
pub(super) fn guard(field: &Field, column: &NativeColumn) -> String {
    let name = quoted(&column.name);
    let is_other = match field.data_type() {
        DataType::Boolean => format!("{name} NOT IN (0, 1)"),
        DataType::Int64 => format!("{name} > 9223372036854775807"),
        DataType::Float64 => format!("{name} NOT BETWEEN -9007199254740992 AND 9007199254740992"),
        DataType::Decimal128(digits, scale) => format!("{name} <> CAST({name} AS DECIMAL({digits},{scale}))"),
        DataType::Time64(_) => format!("{name} NOT BETWEEN TIME'00:00:00' AND TIME'23:59:59.999999'"),
        ty => {
            let is_no_day = is_no_day(&name);
            match ty {
                DataType::Timestamp(TimeUnit::Second, _) => format!("{is_no_day} OR MICROSECOND({name}) <> 0"),
                DataType::Timestamp(TimeUnit::Millisecond, _) => {
                    format!("{is_no_day} OR MICROSECOND({name}) % 1000 <> 0")
                }
                _ => is_no_day,
            }
        }
    };
    format!("COUNT(CASE WHEN {name} IS NOT NULL AND ({is_other}) THEN 1 END)")
}

/// Whether a day of a column is none: the server keeps `0000-00-00`, `2024-00-00`, and others where it is told to.
pub(in crate::engine::sources) fn is_no_day(column: &str) -> String {
    let day = format!("DAYOFMONTH({column})");
    format!("LAST_DAY({column}) IS NULL OR {day} = 0 OR {day} > DAYOFMONTH(LAST_DAY({column}))")
}

/// What follows a column that is to hold no value. In a condition on a column of days that has no NULL, `IS NULL` finds
/// `0000-00-00`: <https://mariadb.com/kb/en/is-null/>.
pub(super) fn is_null(column: &NativeColumn) -> &'static str {
    match bare(&column.declared) {
        "date" | "datetime" | "timestamp" => " <=> NULL",
        _ => " IS NULL",
    }
}

/// A column as it is sorted and grouped here: texts by their bytes.
pub(super) fn ordered(field: &Field, column: &NativeColumn) -> String {
    match field.data_type() {
        DataType::Utf8 if is_of_texts(&column.declared) => as_bytes(column),
        _ => quoted(&column.name),
    }
}

/// A column as it is compared here with a value in a form: texts by their bytes. Those that are equal so are equal in each
/// collation too, and an index of the column finds them.
pub(super) fn compared(column: &NativeColumn, form: Form) -> ComparedAs {
    let name = quoted(&column.name);
    let collation = column.collation.as_deref().unwrap_or_default();
    let is_char = matches!(bare(&column.declared), "char" | "enum" | "set");
    if form != Form::Text || !is_char && BY_BYTES.contains(&collation) {
        return ComparedAs { exact: Sides::bare(name), found_by: None };
    }
    let around = |before: &str, behind: String| (before.to_owned(), behind);
    let exact = Sides { column: as_bytes(column), around: around("CAST(", " AS BINARY)".to_owned()) };
    let charset = charset(collation);
    let is_word = |word: &str| word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    // What is no label of an enumeration may be taken for the number of one.
    let is_found = !matches!(bare(&column.declared), "enum" | "set") && KEPT.contains(&charset) && is_word(collation);
    let found_by = is_found.then(|| match charset {
        "utf8mb4" => Sides::bare(name),
        // A text that the character set has no letters for would be an error otherwise.
        _ => Sides { column: name, around: around("CONVERT(", format!(" USING {charset}) COLLATE {collation}")) },
    });
    ComparedAs { exact, found_by }
}

/// The bytes of a text in UTF-8.
fn as_bytes(column: &NativeColumn) -> String {
    let name = quoted(&column.name);
    match UTF8.contains(&charset(column.collation.as_deref().unwrap_or_default())) {
        true => format!("CAST({name} AS BINARY)"),
        false => format!("CAST(CONVERT({name} USING utf8mb4) AS BINARY)"),
    }
}

/// The character set of a collation, by whose name its own begins.
fn charset(collation: &str) -> &str {
    collation.split('_').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(declared: &str, collation: Option<&str>) -> NativeColumn {
        NativeColumn { name: "a`b".to_owned(), declared: declared.to_owned(), collation: collation.map(str::to_owned) }
    }

    #[test]
    fn texts_are_compared_by_their_bytes() {
        for (declared, collation, exact, found_by) in [
            ("varchar(9)", "utf8mb4_general_ci", "CAST(`a``b` AS BINARY) = CAST(? AS BINARY)", Some("`a``b` = ?")),
            (
                "varchar(9)",
                "latin1_swedish_ci",
                "CAST(CONVERT(`a``b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)",
                Some("`a``b` = CONVERT(? USING latin1) COLLATE latin1_swedish_ci"),
            ),
            ("text", "sjis_japanese_ci", "CAST(CONVERT(`a``b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)", None),
            ("enum('1','2')", "utf8mb4_general_ci", "CAST(`a``b` AS BINARY) = CAST(? AS BINARY)", None),
            ("varchar(9)", "utf8mb4_nopad_bin", "`a``b` = ?", None),
            ("char(9)", "utf8mb4_0900_bin", "CAST(`a``b` AS BINARY) = CAST(? AS BINARY)", Some("`a``b` = ?")),
            ("text", "latin1_x'; DROP", "CAST(CONVERT(`a``b` USING utf8mb4) AS BINARY) = CAST(? AS BINARY)", None),
        ] {
            let compared = compared(&column(declared, Some(collation)), Form::Text);
            let written = |sides: &Sides| format!("{} = {}", sides.column, sides.value("?"));
            assert_eq!(written(&compared.exact), exact);
            assert_eq!(compared.found_by.as_ref().map(written).as_deref(), found_by, "{declared} {collation}");
        }
        assert_eq!(compared(&column("int", None), Form::Int).exact, Sides::bare("`a``b`".to_owned()));
    }

    #[test]
    fn what_no_column_holds_is_not_sent() {
        let below = Sent::Beyond(Beyond::Below);
        for (bind, fits) in [
            (Bind::Double(f64::INFINITY), Sent::Beyond(Beyond::Above)),
            (Bind::Day(2_932_897), Sent::Beyond(Beyond::Above)),
            (Bind::Day(-719_529), below.clone()),
            (Bind::Instant(0), below),
            (Bind::Day(-719_528), Sent::Bind(Bind::Day(-719_528))),
        ] {
            assert_eq!(fitting(Sent::Bind(bind)), fits);
        }
        let place = || "?".to_owned();
        assert_eq!(typed(place(), &Bind::Numeric(125, 2)), "CAST(? AS DECIMAL(65,2))");
        assert_eq!(typed(place(), &Bind::Int(125)), "?");
    }
}
