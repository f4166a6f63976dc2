//! Functions with a unit of time: the width of `time_bucket`, and the unit of `date_diff`.

use super::template::{THREE, TWO, carried_over, filled};
use crate::syntax::written_call::plain_args;
use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Interval, Spanned as _, Value};
use sqlparser::tokenizer::Span;

/// Where `time_bucket` counts months from, and all else: the Monday behind.
const ORIGIN_OF_MONTHS: &str = "date_bin(arg_0, arg_1, TIMESTAMP '2000-01-01 00:00:00')";
const ORIGIN_OF_DAYS: &str = "date_bin(arg_0, arg_1, TIMESTAMP '2000-01-03 00:00:00')";
const GIVEN_ORIGIN: &str = "date_bin(arg_0, arg_1, arg_2)";

/// What the words of an interval hold that has months.
const MONTHS: [&str; 6] = ["mon", "quarter", "qtr", "year", "yr", "decade"];

/// The units that `date_diff` counts, as they are written without quotes.
const UNITS: [&str; 10] =
    ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"];

/// `time_bucket(width, time)` and `time_bucket(width, time, origin)`. Only a width that is written out tells where it is
/// counted from; an interval in the place of the origin shifts the buckets, and is no origin.
pub(super) fn bucket(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function)?;
    let form = match args.as_slice() {
        [Expr::Interval(width), _] if has_months(width)? => filled(ORIGIN_OF_MONTHS, TWO, &args),
        [Expr::Interval(_), _] => filled(ORIGIN_OF_DAYS, TWO, &args),
        [_, _, Expr::Interval(_)] => None,
        [_, _, _] => filled(GIVEN_ORIGIN, THREE, &args),
        _ => None,
    };
    match form? {
        Expr::Function(form) => carried_over(form, function, span),
        _ => None,
    }
}

/// Whether an interval is one of months; `None` where it is not written out.
fn has_months(width: &Interval) -> Option<bool> {
    let Expr::Value(value) = width.value.as_ref() else { return None };
    let number = match &value.value {
        Value::SingleQuotedString(text) => text.as_str(),
        Value::Number(..) => "",
        _ => return None,
    };
    let unit = width.leading_field.as_ref().map(ToString::to_string).unwrap_or_default();
    let words = format!("{number} {unit}").to_lowercase();
    Some(MONTHS.iter().any(|month| words.contains(month)))
}

/// `datediff(day, a, b)`: the unit is a text.
pub(super) fn quote_unit(function: &mut Function, arguments: usize) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    if list.args.len() != arguments {
        return;
    }
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(first))) = list.args.first_mut() else { return };
    let span = first.span();
    if let Expr::Identifier(ident) = first
        && ident.quote_style.is_none()
        && UNITS.contains(&ident.value.to_lowercase().as_str())
    {
        let text = Value::SingleQuotedString(ident.value.to_lowercase());
        *first = Expr::Value(text.with_span(span));
    }
}
