//! Numbers that are cast to points in time: the engine counts days, microseconds or seconds since 1970, and `20240131` is
//! no day of this age. PostgreSQL and DuckDB have no such casts.

use super::apart::day;
use super::sides::{Kind, Typed, Written, kind};
use crate::diagnostic::{Diagnostic, codes};
use crate::ty::Type;
use datafusion::arrow::datatypes::DataType;

/// What is to be said of something that is cast to a type.
pub(super) fn told_cast(side: &Typed<'_>, to: &DataType) -> Option<Diagnostic> {
    if !matches!(kind(&side.ty), Some(Kind::Number | Kind::Boolean)) {
        return None;
    }
    let (from, ty) = (side.name(), Type::from_arrow(to)?.to_string());
    let diagnostic = codes::invalid_query(side.span, &format!("a {from} is no {ty}")).label(side.label(&from));
    let eight = match &side.side.written {
        Written::Number(digits) => day(digits),
        _ => None,
    };
    Some(match (kind(to)?, eight) {
        (Kind::Moment, Some(day)) => diagnostic.certain_fix("write the day", side.span, format!("'{day}'")),
        (Kind::Moment, None) if matches!(to, DataType::Date32) => diagnostic.help(
            "digits such as 20240131 are read by `to_date(CAST(… AS text), '%Y%m%d')`; days are added to a date, as in \
             `DATE '1970-01-01' + …`",
        ),
        (Kind::Moment, None) => diagnostic
            .help("what it counts since 1970 is said by `to_timestamp_seconds(…)` or `to_timestamp_millis(…)`"),
        _ => diagnostic.help("a time of day is read of a text: `CAST('09:30:00' AS time)`"),
    })
}
