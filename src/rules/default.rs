//! A default is of the parameter's type, among its allowed values, and within its bounds.
//!
//! Bad: `<< origin = 'XXX' >>` with `allowed_values: [EWR, JFK, LGA]`.

use super::{as_unit, constraints_of, expected};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::infer::{Declaration, TypedParameter, default_expression};
use crate::source::{Sources, Span};
use crate::tool::Constraints;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, shortened};
use crate::ty::foreign_numbers::meant_numbers;
use serde_json::Value;

/// Checks the default, if there is one.
pub(super) fn check(parameter: &TypedParameter, coercion: &Coercion, sources: &Sources, sink: &mut Diagnostics) {
    let declaration = &parameter.declaration;
    let name = declaration.name.as_str();
    if let (Some(expression), Some(why)) =
        (&declaration.expression, default_expression::misfit(parameter, &coercion.time_zone))
    {
        let told = codes::invalid_default(expression.span, name, &why.text);
        sink.push(why.help.into_iter().fold(told, Diagnostic::help));
    }
    let Some(written) = &declaration.config.default else {
        return;
    };
    if let Err(mismatch) = parameter.ty.coerce(written, coercion) {
        let diagnostic = codes::invalid_default(place(declaration, &mismatch.path), name, &mismatch.to_string());
        let diagnostic = with_reason(diagnostic, parameter);
        sink.push(match written.as_object() {
            _ if parameter.ty == Type::Text && (written.is_number() || written.is_boolean()) => {
                let span = declaration.span_of("default");
                match sources.get(span.file).map(|file| file.slice(span)) {
                    // As it is written: `01234` is another text than `1234`.
                    Some(text) => {
                        diagnostic.fix("a text that looks like a value stands in quotes", span, format!("'{text}'"))
                    }
                    None => diagnostic,
                }
            }
            _ if is_count_for_interval(parameter, written) => codes::or_days(diagnostic, declaration.type_edit),
            _ if parameter.ty.is_numeric() && written.is_string() => {
                with_number(diagnostic, &parameter.ty, written, place(declaration, &mismatch.path))
            }
            Some(map) if map.len() == 1 => diagnostic.help("SQL as a default is written `{ sql: … }`"),
            _ => with_digits(diagnostic, parameter, written),
        });
        return;
    }
    let default = as_unit(parameter, written);
    let constraints = constraints_of(parameter);
    let allowed = Constraints {
        allowed_values: constraints.allowed_values.clone(),
        any_unit: constraints.any_unit,
        ..Constraints::default()
    };
    if let Err(violation) = allowed.check(&parameter.ty, &default, coercion) {
        let wrong = violation.item.as_ref().unwrap_or(written);
        let (span, shown) = (place(declaration, &violation.path), shortened(wrong));
        let diagnostic = if allowed.any_unit {
            let why = format!("expected {}, got {shown}", expected(parameter, &allowed, &violation));
            codes::invalid_default(span, name, &why)
        } else {
            codes::default_not_allowed(span, name, &shown, declaration.span_of("allowed_values"))
        };
        let near = violation.nearest.as_deref();
        // Of a long value only the beginning is told.
        let is_whole = violation.allowed.iter().any(|one| one.as_str() == near);
        sink.push(codes::did_you_mean(diagnostic, wrong.as_str().filter(|_| is_whole), near));
        return;
    }
    if let Err(violation) = constraints.check(&parameter.ty, &default, coercion) {
        let wrong = violation.item.as_ref().unwrap_or(written);
        let at = if violation.path.is_empty() { String::new() } else { format!(" at {}", violation.path) };
        let why = format!("expected {}{at}, got {}", violation.expected, shortened(wrong));
        sink.push(codes::invalid_default(place(declaration, &violation.path), name, &why));
    }
}

/// Adds what gave the parameter its type.
fn with_reason(diagnostic: Diagnostic, parameter: &TypedParameter) -> Diagnostic {
    let ty = &parameter.ty;
    // A mistake in a group of the project is the same one in every query that uses it.
    let file = diagnostic.primary.as_ref().map(|label| label.span.file);
    let is_beside = |span: Span| Some(span.file) == file;
    match (&parameter.declaration.ty, parameter.set_by) {
        (Some(declared), _) if declared.span != parameter.declaration.first_use && is_beside(declared.span) => {
            diagnostic.also(declared.span, "its type is written here")
        }
        (None, Some(column)) if is_beside(column) => match ty {
            Type::List(item) => diagnostic.also(column, format!("has type {item}, and so have the values")),
            _ => diagnostic.also(column, format!("has type {ty}, and so has the parameter")),
        },
        (None, None) if matches!(ty, Type::Decimal(..)) => {
            match parameter.computed_with.filter(|column| is_beside(*column)) {
                Some(column) => diagnostic.also(column, format!("beside this, the parameter is {ty}")),
                None => diagnostic,
            }
        }
        _ => diagnostic,
    }
}

/// Adds the numbers that a text may mean.
fn with_number(diagnostic: Diagnostic, ty: &Type, written: &Value, span: Span) -> Diagnostic {
    let numbers = written.as_str().map(meant_numbers).unwrap_or_default();
    let fitting =
        numbers.into_iter().filter(|(_, number)| ty.coerce(&number.as_str().into(), &Coercion::default()).is_ok());
    fitting.fold(diagnostic, |diagnostic, (help, number)| diagnostic.fix(help, span, number))
}

/// Adds the decimal that takes all digits of a number, where nobody has declared a type.
fn with_digits(diagnostic: Diagnostic, parameter: &TypedParameter, written: &Value) -> Diagnostic {
    let wider = || {
        let Type::Decimal(precision, scale) = parameter.ty else { return None };
        let text = written.is_number().then(|| written.to_string())?;
        let (whole, fraction) = text.trim_start_matches('-').split_once('.')?;
        let scale = i8::try_from(fraction.len()).ok()?.max(scale);
        let precision = u8::try_from(whole.len() + usize::try_from(scale).ok()?).ok()?.max(precision);
        let ty = Type::Decimal(precision, scale);
        (precision <= 38 && ty.coerce(written, &Coercion::default()).is_ok()).then_some(ty)
    };
    match wider().filter(|_| parameter.declaration.ty.is_none()) {
        Some(ty) => {
            let help = "declare a type that keeps all of its digits";
            diagnostic.fix(help, parameter.declaration.type_edit, format!(": {ty}"))
        }
        None => diagnostic,
    }
}

/// The item that a path such as `[2].name` leads into; the whole default where its items have no places of their own.
fn place(declaration: &Declaration, path: &str) -> Span {
    let at = path.strip_prefix('[').and_then(|rest| rest.split(']').next()?.parse::<usize>().ok());
    at.map_or_else(|| declaration.span_of("default"), |at| declaration.item_span("default", at))
}

/// Whether a plain number is the default of what is an interval only because it is added to a date.
fn is_count_for_interval(parameter: &TypedParameter, default: &Value) -> bool {
    let is_whole = default.is_i64() || default.is_u64();
    is_whole && parameter.ty == Type::Interval && parameter.declaration.ty.is_none()
}
