//! Constants that fail beside any row and any argument: what stands beside them is represented by values that the
//! function takes.

use super::super::constants as values;
use super::evaluated::{refusal, value};
use super::judged::{self, divides, is_constant, matches_pattern};
use crate::plan::{engine_words, similar_to};
use crate::ty::Type;
use arrow::error::ArrowError;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, DataFusionError, ScalarValue};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, Like};

/// A constant, and what it is an argument of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Blamed {
    /// The function, or the operator.
    pub of: String,
    /// Which argument it is.
    pub at: usize,
    /// The constant.
    pub value: ScalarValue,
    /// The columns of the other side of an operator.
    pub beside: Vec<String>,
}

/// How the counts and numbers beside a constant may be; all of them must fail. There is a 29 February in year 4.
const COUNTS: [i64; 2] = [1, 4];

/// The constant that a call or an operator fails because of, and what the engine says of it.
pub(super) fn failing(expr: &Expr, schema: &DFSchema) -> Option<(Blamed, DataFusionError)> {
    match expr {
        Expr::ScalarFunction(call) => of_call(call, schema),
        Expr::BinaryExpr(binary) if divides(binary.op) => divided(binary, schema),
        Expr::BinaryExpr(binary) if matches_pattern(binary.op) => {
            let with = |left| Expr::BinaryExpr(BinaryExpr::new(Box::new(left), binary.op, binary.right.clone()));
            matched(&binary.left, &binary.right, schema, &with)
        }
        Expr::SimilarTo(like) => {
            let with = |left| Expr::SimilarTo(Like { expr: Box::new(left), ..like.clone() });
            matched(&like.expr, &like.pattern, schema, &with)
        }
        _ => None,
    }
}

fn of_call(call: &ScalarFunction, schema: &DFSchema) -> Option<(Blamed, DataFusionError)> {
    let constants = judged::constants(call);
    let first = constants.first()?;
    let error = refused(call, schema, &Replaced { places: &[], text: "" })?;
    // With other constants it must be taken: else something else is wrong.
    let is_taken = |places: &[usize]| {
        judged::taken(call).iter().any(|text| refused(call, schema, &Replaced { places, text }).is_none())
    };
    // The last: of a day that a month does not have, the day is wrong.
    let at = match constants.iter().rev().find(|at| is_taken(&[**at])) {
        Some(at) => *at,
        None if is_taken(&constants) => *first,
        None => return None,
    };
    let value = value(call.args.get(at)?).ok()??;
    let error = match engine_words::is_about_a_day(&error.to_string()) {
        // What the engine says is about what stands beside it here.
        true => DataFusionError::Execution(format!("no month has a day {value} there")),
        false => error,
    };
    Some((Blamed { of: judged::name(call).to_owned(), at, value, beside: Vec::new() }, error))
}

/// The constants that others stand in for.
struct Replaced<'a> {
    /// Which arguments they are.
    places: &'a [usize],
    /// What stands in for texts.
    text: &'a str,
}

/// What the engine says of a call whatever stands in the place of what is no constant.
fn refused(call: &ScalarFunction, schema: &DFSchema, replaced: &Replaced<'_>) -> Option<DataFusionError> {
    let mut said = None;
    for count in COUNTS {
        let arg = |(at, arg): (usize, &Expr)| match is_constant(arg) {
            true if !replaced.places.contains(&at) => Some(arg.clone()),
            is_constant => {
                let ty = arg.get_type(schema).ok()?;
                let text = if is_constant { replaced.text } else { judged::text_beside(call) };
                value_of(&ty, count, text).map(|value| Expr::Literal(value, None))
            }
        };
        let args = call.args.iter().enumerate().map(arg).collect::<Option<Vec<_>>>()?;
        said = Some(refusal(&Expr::ScalarFunction(ScalarFunction { args, ..call.clone() }))?);
    }
    said
}

/// A value of a type that most functions take; `None` where there is none but NULL.
fn value_of(ty: &DataType, count: i64, text: &str) -> Option<ScalarValue> {
    let value = match Type::from_arrow(ty)? {
        Type::Text => ScalarValue::from(text),
        Type::List(item) => {
            let item = item.to_arrow();
            ScalarValue::List(ScalarValue::new_list_nullable(&[value_of(&item, count, text)?], &item))
        }
        _ if ty.is_integer() => ScalarValue::from(count),
        own => values::typical(&own, false),
    };
    value.cast_to(ty).ok().filter(|value| !value.is_null())
}

/// A division by zero. Of doubles, it has a result.
fn divided(binary: &BinaryExpr, schema: &DFSchema) -> Option<(Blamed, DataFusionError)> {
    let fails = |side: &Expr| side.get_type(schema).is_ok_and(|ty| ty.is_integer() || ty.is_decimal());
    if !fails(&binary.left) || !fails(&binary.right) || !is_constant(&binary.right) || is_constant(&binary.left) {
        return None;
    }
    let divisor = value(&binary.right).ok()??;
    if divisor != ScalarValue::new_zero(&divisor.data_type()).ok()? {
        return None;
    }
    let mut beside: Vec<String> =
        binary.left.column_refs().into_iter().map(|column| column.name.to_lowercase()).collect();
    beside.sort();
    beside.dedup();
    let of = binary.op.to_string();
    let error = DataFusionError::ArrowError(Box::new(ArrowError::DivideByZero), None);
    Some((Blamed { of, at: 1, value: divisor, beside }, error))
}

/// A text beside a pattern that is none.
fn matched(
    text: &Expr,
    pattern: &Expr,
    schema: &DFSchema,
    with: &dyn Fn(Expr) -> Expr,
) -> Option<(Blamed, DataFusionError)> {
    if !is_constant(pattern) || is_constant(text) {
        return None;
    }
    let error = refusal(&with(Expr::Literal(value_of(&text.get_type(schema).ok()?, 1, "")?, None)))?;
    let value = value(similar_to::pattern_of(pattern)).ok()??;
    Some((Blamed { of: PATTERN.to_owned(), at: 1, value, beside: Vec::new() }, error))
}

/// What operators that match patterns are called here.
pub(super) const PATTERN: &str = "~";
