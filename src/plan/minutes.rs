//! Points in time that are written without seconds: `TIMESTAMP '2024-06-30 12:00'`. PostgreSQL and DuckDB read them, the
//! engine does not.

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;
use sqlparser::ast::{self, Expr, Statement, Value, VisitMut, VisitorMut};
use std::ops::ControlFlow;

/// Writes the seconds of texts that are cast to a point in time.
pub(super) fn complete(statement: &mut Statement) {
    let _ = statement.visit(&mut Minutes);
}

struct Minutes;

impl VisitorMut for Minutes {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let text = match expr {
            Expr::TypedString(typed) => Some((&typed.data_type, &mut typed.value.value)),
            Expr::Cast { expr, data_type, .. } => match expr.as_mut() {
                Expr::Value(value) => Some((&*data_type, &mut value.value)),
                _ => None,
            },
            _ => None,
        };
        if let Some((ast::DataType::Timestamp(..), Value::SingleQuotedString(text))) = text
            && !is_instant(text)
            && let Some(whole) = with_seconds(text).filter(|whole| is_instant(whole))
        {
            *text = whole;
        }
        ControlFlow::Continue(())
    }
}

fn is_instant(text: &str) -> bool {
    ScalarValue::from(text).cast_to(&DataType::Timestamp(TimeUnit::Microsecond, None)).is_ok()
}

/// A point in time with two digits for the hour, and with seconds: `2024-06-01 9:30` has neither, and the engine reads none
/// without.
pub(crate) fn with_seconds(text: &str) -> Option<String> {
    let (day, time) = text.trim().split_once([' ', 'T', 't'])?;
    let (hour, behind) = time.trim_start().split_once(':')?;
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, minute) = (Some(hour).filter(is_number)?, behind.get(..2).filter(is_number)?);
    let rest = behind.get(2..)?;
    let seconds = if rest.starts_with(':') { "" } else { ":00" };
    Some(format!("{day} {hour:0>2}:{minute}{seconds}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;

    #[test]
    fn minutes_have_seconds() {
        for (written, whole) in [
            ("SELECT TIMESTAMP '2024-06-30 12:00'", "SELECT TIMESTAMP '2024-06-30 12:00:00'"),
            ("SELECT '2024-06-30T9:05'::TIMESTAMP", "SELECT '2024-06-30 09:05:00'::TIMESTAMP"),
            ("SELECT TIMESTAMP '2024-06-30 12:00:01'", "SELECT TIMESTAMP '2024-06-30 12:00:01'"),
            ("SELECT TIMESTAMP '2024-06-30 25:00'", "SELECT TIMESTAMP '2024-06-30 25:00'"),
            ("SELECT '2024-06-30 12:00', DATE '2024-06-30'", "SELECT '2024-06-30 12:00', DATE '2024-06-30'"),
        ] {
            let mut statement = parse_text(written, &|_| None).unwrap();
            complete(&mut statement);
            assert_eq!(statement.to_string(), whole);
        }
    }
}
