//! How many steps a function takes whose time grows faster than its arguments.
//!
//! One that takes too many for a single row is refused, and one that takes many for a batch is carried out for a part of
//! the rows at a time: between the parts it is looked whether anybody waits.

use super::arguments::{Lists, Texts};
use super::batch::Batch;
use super::bounds::Cap;
use super::bytes::length;
use super::patterns;
use super::{Steps, most_steps, too_many_steps};
use crate::plan::stop;
use arrow::array::{Array, ArrayRef};
use arrow::compute::concat;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};

/// The most steps for the rows that are carried out before it is looked whether anybody waits.
const MOST_AT_ONCE: u64 = 1 << 24;

/// So few characters to trim are no more than a constant.
const FEW: u64 = 16;

/// How many steps a function takes; `None` where they need not be counted.
fn steps<'a>(cap: Cap, args: &'a [ColumnarValue]) -> Result<Option<Steps<'a>>> {
    Ok(match (cap, args) {
        (Cap::Levenshtein, [one, other]) => Some(of_texts(one, other)),
        (Cap::Trim, [text, characters]) => match Texts::of(characters) {
            Texts::Literal(few) if few.map_or(0, length) <= FEW => None,
            _ => Some(of_texts(text, characters)),
        },
        // A literal is searched for in another way.
        (Cap::Find, [_, ColumnarValue::Scalar(_)]) => None,
        (Cap::Find, [text, part]) => Some(of_texts(text, part)),
        (Cap::HasAll, [one, other]) => {
            let (one, other) = (Lists::of(one)?, Lists::of(other)?);
            let items = |lists: &Lists, row| lists.at(row).map_or(0, |list| list.len() as u64);
            Some(Box::new(move |row| items(&one, row).saturating_mul(items(&other, row))))
        }
        (Cap::Pattern(search), [text, pattern, rest @ ..]) => patterns::steps(search, text, pattern, rest)?,
        _ => None,
    })
}

fn of_texts<'a>(one: &'a ColumnarValue, other: &'a ColumnarValue) -> Steps<'a> {
    let (one, other) = (Texts::of(one), Texts::of(other));
    Box::new(move |row| one.at(row).map_or(0, length).saturating_mul(other.at(row).map_or(0, length)))
}

/// The parts that the rows are carried out in: the first row of each, and how many; nothing where they are one.
///
/// Errors: a row takes too many steps.
pub(super) fn parts(cap: Cap, batch: &Batch, args: &[ColumnarValue]) -> Result<Vec<(usize, usize)>> {
    let Some(steps) = steps(cap, args)? else { return Ok(Vec::new()) };
    let (mut parts, mut first, mut taken) = (Vec::new(), 0, 0_u64);
    let most = most_steps();
    for row in 0..batch.rows() {
        let of_row = steps(row);
        if of_row > most {
            return Err(too_many_steps(batch.function()));
        }
        if taken.saturating_add(of_row) > MOST_AT_ONCE && row > first {
            parts.push((first, row - first));
            (first, taken) = (row, 0);
        }
        taken = taken.saturating_add(of_row);
    }
    if !parts.is_empty() {
        parts.push((first, batch.rows() - first));
    }
    Ok(parts)
}

/// Carries a function out, for a part of the rows at a time where it takes many steps.
///
/// Errors: those of the function; nobody waits any more.
pub(super) fn in_parts(
    function: &ScalarUDF,
    parts: Vec<(usize, usize)>,
    args: ScalarFunctionArgs,
) -> Result<ColumnarValue> {
    if parts.is_empty() {
        return function.invoke_with_args(args);
    }
    let mut done: Vec<ArrayRef> = Vec::new();
    for (first, rows) in parts {
        stop::check()?;
        let part = |arg: &ColumnarValue| match arg {
            ColumnarValue::Array(array) => ColumnarValue::Array(array.slice(first, rows)),
            literal => literal.clone(),
        };
        let of_part =
            ScalarFunctionArgs { args: args.args.iter().map(part).collect(), number_rows: rows, ..args.clone() };
        done.push(function.invoke_with_args(of_part)?.into_array(rows)?);
    }
    let done: Vec<&dyn Array> = done.iter().map(AsRef::as_ref).collect();
    Ok(ColumnarValue::Array(concat(&done)?))
}
