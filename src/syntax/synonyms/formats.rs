//! Functions with a format of times: `strftime`, and `to_timestamp` where its format has hours and no minutes.

use crate::syntax::written_call::{call, is_bare, plain_args};
use sqlparser::ast::{Expr, Function, Ident, Value};
use sqlparser::tokenizer::Span;

/// What `strftime` means by a part of its format, where `to_char` means something else.
const FORMATS: [(&str, &str); 5] =
    [("%f", "%6f"), ("%g", "%3f"), ("%c", "%Y-%m-%d %H:%M:%S"), ("%x", "%Y-%m-%d"), ("%X", "%H:%M:%S")];

/// `strftime(time, format)`, or with both the other way around.
pub(super) fn formatted(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [one, other] = <[Expr; 2]>::try_from(args).ok()?;
    let (time, format) = if is_format(&one) && !is_format(&other) { (other, one) } else { (one, other) };
    Some(call(Ident::with_span(span, "to_char"), [time, with_parts_here(format)]))
}

/// `to_timestamp(text, '%Y-%m-%d %H')`: of a format with hours and without minutes, DataFusion reads the day alone.
pub(super) fn read_by_hours(function: &Function, span: Span) -> Option<Expr> {
    let args = plain_args(function).filter(|_| is_bare(function))?;
    let [time, format] = <[Expr; 2]>::try_from(args).ok()?;
    let Expr::Value(written) = &format else { return None };
    let Value::SingleQuotedString(text) = &written.value else { return None };
    let text = text.replace("%%", "").replace(['-', '_', '0'], "");
    let has = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let reads_hours = has(&["%H", "%I", "%k", "%l"]);
    let reads_minutes = has(&["%M", "%T", "%R", "%r", "%c", "%X", "%+", "%s"]);
    (reads_hours && !reads_minutes).then(|| call(Ident::with_span(span, "strptime"), [time, format]))
}

fn is_format(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(value) if matches!(&value.value, Value::SingleQuotedString(text) if text.contains('%')))
}

/// A format whose parts mean what they mean in `strftime`. One that is no literal stays as it is.
fn with_parts_here(mut format: Expr) -> Expr {
    if let Expr::Value(value) = &mut format
        && let Value::SingleQuotedString(text) = &mut value.value
    {
        // `%%f` is a sign and a letter.
        let parts = text
            .split("%%")
            .map(|part| FORMATS.iter().fold(part.to_owned(), |part, (theirs, ours)| part.replace(theirs, ours)));
        *text = parts.collect::<Vec<_>>().join("%%");
    }
    format
}
