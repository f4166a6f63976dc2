//! Texts beside numbers and points in time, and numbers beside points in time.
//!
//! The engine reads the text of every row as what it stands beside, and fails at the first that is none: so types that
//! PostgreSQL does not compare are an error here as well. A text in quotes has no type of its own. It is read as what it
//! stands beside, once, and is an error only where it cannot be read so.

use super::collect::{Collected, item_of};
use super::constraint::Term;
use super::default_expression::evaluate;
use super::functions;
use super::places;
use super::sides::{Beside, Side, Typed, Written, is_measured, is_text, of_values};
use super::{Context, TypedParameter, apart, casts, distances, quoted};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::plan::minutes::with_seconds;
use crate::plan::zones::{Zone, in_zone};
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use arrow::datatypes::DataType;
use chrono::{DateTime, Utc};
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::binary::comparison_coercion;
use datafusion::logical_expr::{Cast, Expr};
use std::sync::Arc;

/// Reports the texts that do not go with what they stand beside; `None` where there are any.
pub(super) fn check(
    linked: &LinkedQuery<'_>,
    parameters: &[TypedParameter],
    solved: &Collected,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<()> {
    let errors = sink.errors();
    let types = Types { linked, parameters, solved };
    let of_beside = solved.beside.iter().flat_map(|beside| types.told(beside, context));
    let of_casts =
        solved.casts.iter().filter_map(|cast| casts::told_cast(&types.typed(&cast.side, context)?, &cast.to));
    let of_distances = solved.distances.iter().filter_map(|distance| {
        distances::told_distance(&types.typed(&distance.order, context)?, &types.typed(&distance.bound, context)?)
    });
    for diagnostic in of_beside.chain(of_casts).chain(of_distances) {
        sink.push(diagnostic);
    }
    (sink.errors() == errors).then_some(())
}

/// What makes one value of several: the engine does not read a text there that stands beside numbers.
const MERGED: [&str; 5] = ["CASE", "UNION", "nvl", "ifnull", "nvl2"];

/// What goes by an order: by its letters, '9' is more than '10'.
const ORDERED: [&str; 7] = ["<", "<=", ">", ">=", "BETWEEN", "greatest", "least"];

struct Types<'a> {
    linked: &'a LinkedQuery<'a>,
    parameters: &'a [TypedParameter],
    solved: &'a Collected,
}

impl Types<'_> {
    /// The type of a term where it is certain.
    fn of(&self, term: &Term) -> Option<DataType> {
        let Term::Open(cell) = term else { return term.ground().cloned() };
        let found = self.solved.constraints.cells.get(*cell)?;
        let Some(at) = found.occurrence else { return found.known.as_ref().map(|(ty, _)| ty.clone()) };
        let one = self.linked.occurrences.get(at)?;
        let parameter = self.parameters.iter().find(|one_of| one_of.declaration.name == one.name.value)?;
        Some(item_of(&parameter.ty, one.list).to_arrow())
    }

    /// A side with its type, where that is certain.
    fn typed<'s>(&self, side: &'s Side, context: Context<'s>) -> Option<Typed<'s>> {
        self.typed_at(side, place(side, context)?, context)
    }

    fn typed_at<'s>(&self, side: &'s Side, span: Span, context: Context<'s>) -> Option<Typed<'s>> {
        Some(Typed { ty: self.of(&side.term)?, span, text: context.sources.get(span.file)?.slice(span), side })
    }

    /// What is to be said of things that become one type.
    fn told(&self, beside: &Beside, context: Context<'_>) -> Vec<Diagnostic> {
        // What the parser knows no place of is told at that of another side.
        let known = beside.sides.iter().find_map(|side| place(side, context));
        let typed = |side| self.typed_at(side, place(side, context).or(known)?, context);
        let sides: Vec<Typed<'_>> = beside.sides.iter().filter_map(typed).collect();
        if let Some(diagnostic) = apart::told_clash(&beside.what, &sides).or_else(|| apart::cut(&beside.what, &sides)) {
            return vec![diagnostic];
        }
        let measured: Vec<&Typed<'_>> = sides.iter().filter(|side| is_measured(&side.ty)).collect();
        let Some(first) = measured.first() else { return apart::booleans(&beside.what, &sides).into_iter().collect() };
        if MERGED.contains(&beside.what.as_str())
            && let Some(number) = measured.iter().find(|side| of_values(&side.ty).is_numeric())
        {
            return mixed(&beside.what, &sides, number).into_iter().collect();
        }
        if let Some(text) = sides.iter().find(|side| side.is_text_of_rows()) {
            return vec![differ(&beside.what, text, &measured)];
        }
        let Some(to) = read_as(&measured) else { return Vec::new() };
        let unread = |side: &Typed<'_>| match &side.side.written {
            Written::Text(text) if !reads(text, &to) => Some(cannot_be_read((side, text), &to, first)),
            Written::Text(text) => quoted::told_text(&beside.what, (side, text), &to, first),
            _ => None,
        };
        sides.iter().filter_map(unread).collect()
    }
}

/// The type that texts beside these are read as; that of all together.
fn read_as(measured: &[&Typed<'_>]) -> Option<DataType> {
    let mut types = measured.iter().map(|side| of_values(&side.ty).clone());
    let first = types.next()?;
    let all = types.try_fold(first, |all, ty| comparison_coercion(&all, &ty))?;
    comparison_coercion(&all, &DataType::Utf8).filter(is_measured)
}

/// Whether a text can be read as a value of a type; where the engine has no such cast, that is said elsewhere.
fn reads(text: &str, ty: &DataType) -> bool {
    let text = ScalarValue::from(text);
    text.cast_to(ty).is_ok() || !matches!(computed(text, ty), Err(error) if is_about_value(&error))
}

/// The value as a call has it.
fn computed(text: ScalarValue, ty: &DataType) -> Result<ScalarValue> {
    let options = &functions::all().options;
    let cast = Expr::Cast(Cast::new(Box::new(Expr::Literal(text, None)), ty.clone()));
    let cast = in_zone(cast, &DFSchema::empty(), &Zone::of(options)?)?.data;
    evaluate(&cast, DateTime::<Utc>::UNIX_EPOCH, &Arc::new(options.clone()))
}

fn is_about_value(error: &DataFusionError) -> bool {
    matches!(error.find_root(), DataFusionError::ArrowError(..) | DataFusionError::Execution(_))
}

/// The place of a side, with the sign of a number.
fn place(side: &Side, context: Context<'_>) -> Option<Span> {
    let span = places::place(side.place, context)?;
    if !matches!(&side.written, Written::Number(digits) if digits.starts_with('-')) {
        return Some(span);
    }
    let before = context.sources.get(span.file)?.text.get(..span.start)?.trim_end();
    Some(before.strip_suffix('-').map_or(span, |before| Span { start: before.len(), ..span }))
}

/// A text of rows beside something that is none.
fn differ(what: &str, text: &Typed<'_>, measured: &[&Typed<'_>]) -> Diagnostic {
    let Some(first) = measured.first() else { return codes::invalid_query(text.span, what) };
    let other = first.name();
    if first.span == text.span {
        // An argument of a function, or a column that a join makes of two.
        let diagnostic = codes::invalid_query(text.span, &format!("{what} takes {other} here, and this is text"));
        return with_cast(diagnostic, text, &other);
    }
    let why = format!("{what} does not go with text and {other}");
    let edits: Option<Vec<(Span, String)>> = measured
        .iter()
        .map(|side| match &side.side.written {
            Written::Number(digits) => Some((side.span, format!("'{digits}'"))),
            _ => None,
        })
        .collect();
    let Some(edits) = edits.filter(|_| !ORDERED.contains(&what)) else {
        let diagnostic =
            codes::invalid_query(text.span, &why).label(text.label("text")).also(first.span, first.label(&other));
        return with_cast(diagnostic, text, &other);
    };
    let diagnostic =
        codes::invalid_query(first.span, &why).label(first.label(&other)).also(text.span, text.label("text"));
    let how = if matches!(what, "lag" | "lead") { "write a text" } else { "compare it with a text" };
    with_cast(diagnostic.fixes(how, edits), text, &other)
}

/// Numbers and texts that become one value: the engine makes texts of the numbers, which fail where they are used as
/// numbers. PostgreSQL refuses them.
fn mixed(what: &str, sides: &[Typed<'_>], number: &Typed<'_>) -> Option<Diagnostic> {
    let texts: Vec<&Typed<'_>> = sides.iter().filter(|side| is_text(&side.ty)).collect();
    let text = texts.first()?;
    let ty = number.name();
    let diagnostic = codes::invalid_query(text.span, &format!("{what} does not go with text and {ty}"))
        .label(text.label("text"))
        .also(number.span, number.label(&ty));
    let as_number = |side: &&Typed<'_>| match &side.side.written {
        Written::Text(text) => Some((side.span, digits(text)?.to_owned())),
        _ => None,
    };
    if let Some(edits) = texts.iter().map(as_number).collect() {
        return Some(diagnostic.certain_fixes("write a number", edits));
    }
    let as_text = |side: &Typed<'_>| match &side.side.written {
        Written::Number(digits) => Some((side.span, format!("'{digits}'"))),
        Written::Column => Some((side.span, format!("CAST({} AS text)", side.text))),
        _ => None,
    };
    let numbers = sides.iter().filter(|side| is_measured(&side.ty));
    let diagnostic = match numbers.map(as_text).collect() {
        Some(edits) => diagnostic.fixes("make all of it text", edits),
        None => diagnostic.help("make all of it text: `CAST(… AS text)` around what is none"),
    };
    Some(match text.side.written {
        Written::Column => with_cast(diagnostic, text, &ty),
        _ => diagnostic,
    })
}

/// The number that a text is.
fn digits(text: &str) -> Option<&str> {
    let text = text.trim();
    let begins = text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit());
    (begins && text.parse::<f64>().is_ok_and(f64::is_finite)).then_some(text)
}

/// Says how a text is read as something else.
fn with_cast(diagnostic: Diagnostic, text: &Typed<'_>, ty: &str) -> Diagnostic {
    let how = format!("read it as {ty}; `TRY_CAST` gives NULL where it is none");
    match text.side.written {
        Written::Column => diagnostic.fix(how, text.span, format!("CAST({} AS {ty})", text.text)),
        Written::Items => diagnostic,
        _ => diagnostic.help(format!("cast the text to {ty}; `TRY_CAST` gives NULL where it is none")),
    }
}

/// A text in quotes that is none of what it stands beside.
fn cannot_be_read((text, written): (&Typed<'_>, &str), to: &DataType, other: &Typed<'_>) -> Diagnostic {
    let ty = Type::from_arrow(to).map_or_else(|| to.to_string(), |ty| ty.to_string());
    // What several sides become together is a type that nobody has written.
    let is_of_all = to.is_decimal() && of_values(&other.ty) != to;
    let (what, ty) = if is_of_all { ("a number".to_owned(), "number".to_owned()) } else { (ty.clone(), ty) };
    let why = format!("the text cannot be read as {what}");
    let diagnostic =
        codes::invalid_query(text.span, &why).label(format!("is no {ty}")).also(other.span, other.label(&other.name()));
    if let Some(whole) = with_seconds(written).filter(|whole| to.is_temporal() && reads(whole, to)) {
        return diagnostic.certain_fix("write its seconds too", text.span, format!("'{whole}'"));
    }
    match quoted::form(to) {
        Some(form) => diagnostic.help(form),
        None => diagnostic,
    }
}

/// The booleans that texts in quotes are beside a boolean, in something at a place; `None` where one of them is none.
pub(super) fn booleans(
    solved: &Collected,
    what: &str,
    within: Span,
    context: Context<'_>,
) -> Option<Vec<(Span, String)>> {
    let placed = |side: &Side| {
        let span = place(side, context)?;
        (span.file == within.file && within.start <= span.start && span.end <= within.end).then_some(span)
    };
    let is_here = |beside: &&Beside| beside.what == what && beside.sides.iter().all(|side| placed(side).is_some());
    let beside = solved.beside.iter().find(is_here)?;
    let is_boolean = |side: &Side| side.term.ground().is_some_and(|ty| *of_values(ty) == DataType::Boolean);
    if !beside.sides.iter().any(is_boolean) {
        return None;
    }
    let edit = |side: &Side| match &side.written {
        Written::Text(text) => match ScalarValue::from(text.as_str()).cast_to(&DataType::Boolean) {
            Ok(ScalarValue::Boolean(Some(value))) => Some((placed(side)?, value.to_string())),
            _ => None,
        },
        _ => None,
    };
    let texts = beside.sides.iter().filter(|side| side.term.ground().is_some_and(is_text));
    texts.map(edit).collect::<Option<Vec<_>>>().filter(|edits| !edits.is_empty())
}
