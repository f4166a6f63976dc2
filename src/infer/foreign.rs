//! What other databases write and the engine takes for something else: `x ^ 2` is no power here, `'YYYY-MM'` no format, and
//! `DATE '2024-02-29 12:00:00'` forgets the time.

use super::places::{closed, place};
use super::{Context, quoted};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::syntax::normalized;
use sqlparser::ast::{
    BinaryOperator, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned, TypedString,
    Value, Visit, Visitor,
};
use std::ops::ControlFlow;

/// Functions that write a time in a format.
const WRITERS: [&str; 2] = ["to_char", "date_format"];
/// Functions that read a time of a text in one of several formats.
const READERS: [&str; 10] = [
    "strptime",
    "to_date",
    "to_time",
    "to_timestamp",
    "to_timestamp_seconds",
    "to_timestamp_millis",
    "to_timestamp_micros",
    "to_timestamp_nanos",
    "to_unixtime",
    "try_strptime",
];

/// Reports all of it.
pub(super) fn check(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    for part in &linked.parts {
        let _ = part.statement.visit(&mut Search { context, sink });
    }
}

struct Search<'a, 's> {
    context: Context<'a>,
    sink: &'s mut Diagnostics,
}

impl Visitor for Search<'_, '_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op: BinaryOperator::BitwiseXor, right } => self.power(expr, [left, right]),
            Expr::Function(call) => self.formats(call),
            Expr::TypedString(typed) => self.day(typed),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_, '_> {
    fn power(&mut self, whole: &Expr, sides: [&Expr; 2]) {
        let Some(span) = place(whole.span(), self.context) else { return };
        let span = closed(span, self.context);
        let diagnostic = codes::invalid_query(span, "`^` is no power here: it compares bits, so that 2 ^ 3 is 1");
        let [base, exponent] = sides.map(|side| self.plain(side));
        let diagnostic = match base.zip(exponent) {
            Some((base, exponent)) => {
                diagnostic.certain_fix("write the power as a function", span, format!("power({base}, {exponent})"))
            }
            None => diagnostic.help("a power is written `power(x, 2)`"),
        };
        self.sink.push(diagnostic.help("bits in which two numbers differ are written `(a | b) - (a & b)`"));
    }

    /// The text of a column or a number; of all else, the places may leave out brackets, and `a * b ^ 2` may not mean what
    /// is read.
    fn plain(&self, side: &Expr) -> Option<String> {
        let is_plain = match side {
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => true,
            Expr::Value(value) => matches!(value.value, Value::Number(..)),
            _ => false,
        };
        let span = place(side.span(), self.context).filter(|_| is_plain)?;
        Some(self.context.sources.get(span.file)?.slice(span).to_owned())
    }

    fn formats(&mut self, call: &Function) {
        let [part] = call.name.0.as_slice() else { return };
        let name = part.as_ident().map(normalized).unwrap_or_default();
        let is_writer = WRITERS.contains(&name.as_str());
        if !is_writer && !READERS.contains(&name.as_str()) {
            return;
        }
        let FunctionArguments::List(list) = &call.args else { return };
        for arg in list.args.iter().skip(1) {
            let (FunctionArg::Unnamed(FunctionArgExpr::Expr(arg))
            | FunctionArg::Named { arg: FunctionArgExpr::Expr(arg), .. }) = arg
            else {
                continue;
            };
            let Expr::Value(value) = arg else { continue };
            let Value::SingleQuotedString(format) = &value.value else { continue };
            // Forms of spans of time.
            let is_form = ["pretty", "iso8601"].iter().any(|form| format.eq_ignore_ascii_case(form));
            if let (false, Some(span)) = (format.contains('%') || is_form, place(arg.span(), self.context)) {
                self.format(&name, format, span);
            }
        }
    }

    fn format(&mut self, name: &str, format: &str, span: Span) {
        let why = match WRITERS.contains(&name) {
            true => "the format has no part that begins with `%`: it would be written as it stands, for every row",
            false => "the format has no part that begins with `%`: it would read no text but itself",
        };
        let diagnostic = codes::invalid_query(span, why);
        self.sink.push(match translated(format) {
            Some(format) => diagnostic.certain_fix("write it in the form of strftime", span, format!("'{format}'")),
            None => diagnostic.help("formats are those of strftime: `%Y-%m-%d %H:%M:%S`"),
        });
    }

    fn day(&mut self, typed: &TypedString) {
        let Value::SingleQuotedString(text) = &typed.value.value else { return };
        if typed.data_type != DataType::Date || !quoted::has_time(text) {
            return;
        }
        let Some(span) = place(typed.value.span, self.context) else { return };
        let diagnostic = codes::invalid_query(span, "the text has a time of day, and a date has none")
            .label("would be read as its day");
        let word = || {
            let before = self.context.sources.get(span.file)?.text.get(..span.start)?.trim_end();
            let start = before.len().checked_sub(4)?;
            let is_date = before.get(start..)?.eq_ignore_ascii_case("date");
            (is_date && quoted::is_plain(text)).then_some(Span { start, end: before.len(), ..span })
        };
        self.sink.push(match word() {
            Some(word) => diagnostic.certain_fix("write a point in time", word, "TIMESTAMP"),
            None => diagnostic.help("write a point in time, or the day alone"),
        });
    }
}

/// A format of PostgreSQL in the form of strftime; `None` where a part of it has none that is certain.
fn translated(format: &str) -> Option<String> {
    const PARTS: [(&str, &str); 6] =
        [("YYYY", "%Y"), ("HH24", "%H"), ("MM", "%m"), ("DD", "%d"), ("MI", "%M"), ("SS", "%S")];
    let (mut rest, mut out, mut any) = (format, String::new(), false);
    while let Some(sign) = rest.chars().next() {
        if let Some((theirs, ours)) = PARTS.iter().find(|(theirs, _)| rest.starts_with(theirs)) {
            // `DDD` is the day of the year, `SSSS` the seconds of the day.
            let behind = rest.get(theirs.len()..)?;
            if behind.starts_with(sign) && *theirs != "YYYY" || behind.starts_with("TH") {
                return None;
            }
            out.push_str(ours);
            rest = rest.get(theirs.len()..)?;
            any = true;
        } else if matches!(sign, ' ' | '-' | '/' | '.' | ',' | ':' | '_') {
            out.push(sign);
            rest = rest.get(sign.len_utf8()..)?;
        } else {
            return None;
        }
    }
    any.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_translated_where_every_part_is_certain() {
        assert_eq!(translated("YYYY-MM").as_deref(), Some("%Y-%m"));
        assert_eq!(translated("DD.MM.YYYY HH24:MI:SS").as_deref(), Some("%d.%m.%Y %H:%M:%S"));
        assert_eq!(translated("YYYYMMDD").as_deref(), Some("%Y%m%d"));
        for other in ["Month YYYY", "yyyy-mm-dd", "YY", "HH:MI", "YYYY-MMM", "YYYY\"T\"HH24", "", "-", "DDD", "SSSS1"] {
            assert_eq!(translated(other), None, "{other}");
        }
    }
}
