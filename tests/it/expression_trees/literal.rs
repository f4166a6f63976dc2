//! SQL in pieces, so that a literal in it can be found again, and the literals of each type.
//!
//! Numbers with a fraction are quarters: exact as decimals, reals and doubles alike, and so are their sums, differences
//! and products. No answer depends on which of the three a parameter is.

use proptest::prelude::*;
use proptest::sample::select;
use qtool::ty::Type;
use serde_json::Value;

/// A query or a part of one.
pub(super) type Sql = Vec<Piece>;
/// Generates parts of a query.
pub(super) type Expr = BoxedStrategy<Sql>;

/// What a query is put together from.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Words and signs.
    Text(&'static str),
    /// A literal, which a placeholder may stand in for.
    Literal(Literal),
}

/// A literal in its two forms.
#[derive(Debug, Clone)]
pub(super) struct Literal {
    /// As SQL writes it.
    pub sql: String,
    /// As an agent sends it.
    pub json: Value,
    /// The type it has by itself.
    pub ty: Type,
}

/// Near the values of the table, so that comparisons go either way.
const DAYS: &[&str] = &["2024-01-01", "2024-02-29", "2023-12-31", "2024-03-31", "2024-01-31"];
const TIMES: &[&str] = &["00:00:00", "12:30:00", "23:59:59", "18:00:00"];
const TEXTS: &[&str] = &["apple", "p", "pear", "Pear", "a_b%", "it's", "", "Ünï", "z"];
const PATTERNS: &[&str] = &["%", "a%", "%p%", "_e%", "Pear", "%'%"];
const UNITS: &[&str] = &["day", "month", "year"];
const PARTS: &[&str] = &["day", "month"];
const INTERVALS: &[(&str, &str)] =
    &[("1 day", "P1D"), ("3 days", "P3D"), ("1 month", "P1M"), ("2 days", "P2D"), ("-1 day", "P-1D")];

fn literals(literals: impl Strategy<Value = Literal> + 'static) -> Expr {
    literals.prop_map(|literal| vec![Piece::Literal(literal)]).boxed()
}

fn integer(number: i64) -> Literal {
    Literal { sql: number.to_string(), json: number.into(), ty: Type::Bigint }
}

fn double(quarters: i32) -> Literal {
    let number = f64::from(quarters) / 4.0;
    // With a point even where it is whole: else it would be an integer.
    Literal { sql: format!("{number:?}"), json: number.into(), ty: Type::Double }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn text_literal(text: &str) -> Literal {
    Literal { sql: quoted(text), json: text.into(), ty: Type::Text }
}

/// `DATE '…'` where `word` is `DATE`.
fn typed(word: &str, text: String, ty: Type) -> Literal {
    Literal { sql: format!("{word} {}", quoted(&text)), json: text.into(), ty }
}

pub(super) fn whole() -> Expr {
    literals((-12_i64..=12).prop_map(integer))
}

/// A divisor, a position, a number of digits or rows.
pub(super) fn positive() -> Expr {
    literals((1_i64..=4).prop_map(integer))
}

pub(super) fn point() -> Expr {
    literals((-48_i32..=48).prop_map(double))
}

pub(super) fn positive_point() -> Expr {
    literals((1_i32..=32).prop_map(double))
}

pub(super) fn text() -> Expr {
    literals(select(TEXTS).prop_map(text_literal))
}

pub(super) fn pattern() -> Expr {
    literals(select(PATTERNS).prop_map(text_literal))
}

pub(super) fn regular_expression() -> Expr {
    literals(Just(text_literal("^a")))
}

/// What `date_trunc` cuts to.
pub(super) fn unit() -> Expr {
    literals(select(UNITS).prop_map(text_literal))
}

/// Parts of a date that are small numbers.
pub(super) fn part() -> Expr {
    literals(select(PARTS).prop_map(text_literal))
}

pub(super) fn boolean() -> Expr {
    let literal = |value: bool| Literal { sql: value.to_string(), json: value.into(), ty: Type::Boolean };
    literals(any::<bool>().prop_map(literal))
}

pub(super) fn date() -> Expr {
    literals(select(DAYS).prop_map(|day| typed("DATE", day.to_owned(), Type::Date)))
}

/// A date as plain text, which its neighbour makes a date or timestamp.
pub(super) fn date_text() -> Expr {
    literals(select(DAYS).prop_map(|day| Literal { ty: Type::Date, ..text_literal(day) }))
}

pub(super) fn timestamp() -> Expr {
    let literal = |(day, time): (&str, &str)| typed("TIMESTAMP", format!("{day}T{time}"), Type::Timestamp(6));
    literals((select(DAYS), select(TIMES)).prop_map(literal))
}

pub(super) fn timestamptz() -> Expr {
    let literal = |(day, time): (&str, &str)| typed("TIMESTAMPTZ", format!("{day}T{time}Z"), Type::Timestamptz(6));
    literals((select(DAYS), select(TIMES)).prop_map(literal))
}

/// A time of the day.
pub(super) fn time() -> Expr {
    literals(select(TIMES).prop_map(|time| typed("TIME", time.to_owned(), Type::Time)))
}

pub(super) fn interval() -> Expr {
    let literal = |(words, iso): (&str, &str)| Literal {
        json: iso.into(),
        ..typed("INTERVAL", words.to_owned(), Type::Interval)
    };
    literals(select(INTERVALS).prop_map(literal))
}
