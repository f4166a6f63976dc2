//! Texts beside numbers and points in time.
//!
//! The engine reads the text of every row as what it stands beside, and fails at the first that is none: so types that
//! PostgreSQL does not compare are an error here as well. A text in quotes has no type of its own. It is read as what it
//! stands beside, once, and is an error only where it cannot be read so.

use super::collect::{Collected, item_of};
use super::constraint::Term;
use super::default_expression::evaluate;
use super::functions;
use super::{Context, TypedParameter};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::plan::zones::{Zone, in_zone};
use crate::source::Span;
use crate::syntax::link::{self, LinkedQuery};
use crate::ty::Type;
use arrow::datatypes::DataType;
use chrono::{DateTime, Utc};
use datafusion::common::{DFSchema, DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::binary::comparison_coercion;
use datafusion::logical_expr::{Cast, Expr};
use sqlparser::tokenizer;
use std::sync::Arc;

/// Things that become one type.
#[derive(Debug)]
pub(super) struct Beside {
    /// How, for people.
    pub what: String,
    /// The things.
    pub sides: Vec<Side>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Side {
    /// Its type.
    pub term: Term,
    /// Where it stands.
    pub place: tokenizer::Span,
    /// What it is.
    pub written: Written,
}

/// What stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Written {
    /// A text in quotes.
    Text(String),
    /// A number, with its sign. The place of a negative one begins behind that.
    Number(String),
    /// The name of a column.
    Column,
    /// Anything else.
    Otherwise,
}

/// Whether values of a type are texts, however they are kept.
pub(super) fn is_text(ty: &DataType) -> bool {
    matches!(of_values(ty), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Whether values of a type are numbers, or times in any form.
pub(super) fn is_measured(ty: &DataType) -> bool {
    let ty = of_values(ty);
    ty.is_numeric() || ty.is_temporal()
}

/// The type of what a dictionary stands for.
fn of_values(ty: &DataType) -> &DataType {
    match ty {
        DataType::Dictionary(_, values) => of_values(values),
        DataType::RunEndEncoded(_, values) => of_values(values.data_type()),
        ty => ty,
    }
}

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
    for beside in &solved.beside {
        for diagnostic in types.told(beside, context) {
            sink.push(diagnostic);
        }
    }
    (sink.errors() == errors).then_some(())
}

struct Types<'a> {
    linked: &'a LinkedQuery<'a>,
    parameters: &'a [TypedParameter],
    solved: &'a Collected,
}

/// A side with its type, and its place in the file.
struct Typed<'a> {
    ty: DataType,
    span: Span,
    /// What stands there.
    text: &'a str,
    side: &'a Side,
}

impl Typed<'_> {
    fn name(&self) -> String {
        let ty = of_values(&self.ty);
        Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
    }

    /// Whether it is a text of every row, or of a call. What is computed of constants is looked at when it is computed.
    fn is_text_of_rows(&self) -> bool {
        is_text(&self.ty) && !matches!(self.side.term, Term::Constant(_))
    }
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

    /// What is to be said of things that become one type.
    fn told(&self, beside: &Beside, context: Context<'_>) -> Vec<Diagnostic> {
        let typed = |side| {
            let span = place(side, context)?;
            Some(Typed { ty: self.of(&side.term)?, span, text: context.sources.get(span.file)?.slice(span), side })
        };
        let sides: Vec<Typed<'_>> = beside.sides.iter().filter_map(typed).collect();
        let measured: Vec<&Typed<'_>> = sides.iter().filter(|side| is_measured(&side.ty)).collect();
        let Some(first) = measured.first() else { return Vec::new() };
        if let Some(text) = sides.iter().find(|side| side.is_text_of_rows()) {
            return vec![differ(&beside.what, text, &measured)];
        }
        let Some(to) = read_as(&measured) else { return Vec::new() };
        let unread = |side: &Typed<'_>| match &side.side.written {
            Written::Text(text) if !reads(text, &to) => Some(cannot_be_read(side, &to, first)),
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
    let (start, end) = (side.place.start, side.place.end);
    let span = link::place(context.sources, (start.line, start.column), (end.line, end.column))?;
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
    let Some(edits) = edits else {
        let diagnostic = codes::invalid_query(text.span, &why).label("is text").also(first.span, format!("is {other}"));
        return with_cast(diagnostic, text, &other);
    };
    let diagnostic = codes::invalid_query(first.span, &why).label(format!("is {other}")).also(text.span, "is text");
    with_cast(diagnostic.fixes("compare it with a text", edits), text, &other)
}

/// Says how a text is read as something else.
fn with_cast(diagnostic: Diagnostic, text: &Typed<'_>, ty: &str) -> Diagnostic {
    let how = format!("read it as {ty}; `TRY_CAST` gives NULL where it is none");
    match text.side.written {
        Written::Column => diagnostic.fix(how, text.span, format!("CAST({} AS {ty})", text.text)),
        _ => diagnostic.help(format!("cast the text to {ty}; `TRY_CAST` gives NULL where it is none")),
    }
}

/// A text in quotes that is none of what it stands beside.
fn cannot_be_read(text: &Typed<'_>, to: &DataType, other: &Typed<'_>) -> Diagnostic {
    let ty = Type::from_arrow(to).map_or_else(|| to.to_string(), |ty| ty.to_string());
    let why = format!("the text cannot be read as {ty}");
    let diagnostic = codes::invalid_query(text.span, &why)
        .label(format!("is no {ty}"))
        .also(other.span, format!("is {}", other.name()));
    match other.side.written {
        Written::Column => diagnostic.fix("compare it as a text", other.span, format!("CAST({} AS text)", other.text)),
        _ => diagnostic,
    }
}
