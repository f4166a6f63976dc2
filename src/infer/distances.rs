//! Distances of window frames: `RANGE BETWEEN 1 PRECEDING` takes the rows whose values are no further away.
//!
//! The engine reads a bare number over dates as months, and over texts takes all rows.

use super::sides::{Kind, Typed, Written, kind};
use crate::diagnostic::{Diagnostic, codes};

/// What is to be said of a distance between values that rows are ordered by.
pub(super) fn told_distance(order: &Typed<'_>, bound: &Typed<'_>) -> Option<Diagnostic> {
    let name = order.name();
    let at = |why: &str| codes::invalid_query(bound.span, why).also(order.span, order.label(&name));
    let is_below_zero = |text: &str| text.trim_start().starts_with('-');
    if let Written::Number(text) | Written::Text(text) = &bound.side.written
        && is_below_zero(text)
    {
        let help = "write 0 or more: `PRECEDING` goes back, and `FOLLOWING` ahead";
        return Some(codes::invalid_query(bound.span, "a distance of a window frame is below 0").help(help));
    }
    match (kind(&order.ty)?, kind(&bound.ty)?) {
        (Kind::Text | Kind::Boolean, _) => {
            let why = format!("RANGE with a distance goes by a number or a point in time, and this goes by {name}");
            Some(at(&why).help("count rows instead: `ROWS BETWEEN 1 PRECEDING AND CURRENT ROW`"))
        }
        (Kind::Moment | Kind::Span, Kind::Span) => None,
        (Kind::Moment | Kind::Span, _) => {
            let digits = match &bound.side.written {
                Written::Number(digits) => Some(digits.as_str()),
                // `'1 day'` is read as the interval that it is, with or without the word in front.
                Written::Text(text) if text.contains(|sign: char| sign.is_ascii_alphabetic()) => return None,
                _ => None,
            };
            let diagnostic =
                at(&format!("a distance between values of {name} is an interval, and this is {}", bound.name()));
            let whole = digits.filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
            Some(match whole {
                Some(digits) => diagnostic.fix("write days", bound.span, format!("INTERVAL '{digits} day'")),
                None => diagnostic.help("write it with its unit: `INTERVAL '1 day' PRECEDING`"),
            })
        }
        _ => None,
    }
}
