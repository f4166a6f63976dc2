//! Constants that functions of many rows take between bounds: percentiles, numbers of groups, positions.

use super::evaluated::value;
use super::samples::Blamed;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;

/// The functions of a percentile, with its place. What they order by comes first.
const PERCENTILES: [(&str, usize); 3] =
    [("approx_percentile_cont", 1), ("approx_percentile_cont_with_weight", 2), ("percentile_cont", 1)];

/// The constant that is out of bounds, and what is said of it.
pub(super) fn outside(expr: &Expr) -> Option<(Blamed, String)> {
    match expr {
        Expr::AggregateFunction(call) => {
            if call.func.name() == "nth_value" {
                let value = number(call.params.args.get(1)?)?;
                let why =
                    format!("the values of a group are counted from 1, or from -1 at its end, and this is {value}");
                return (value == 0.0).then(|| (blamed("nth_value", 1, value), why));
            }
            let (name, at) = PERCENTILES.into_iter().find(|(name, _)| *name == call.func.name())?;
            let value = number(call.params.args.get(at)?)?;
            let why = format!("a percentile is from 0 to 1, and this is {value}");
            (!(0.0..=1.0).contains(&value)).then(|| (blamed(name, at, value), why))
        }
        Expr::WindowFunction(call) => {
            let name = call.fun.name();
            if matches!(name, "lag" | "lead") {
                let value = value(call.params.args.get(1)?).ok()??;
                let why = format!("an offset is a whole number of rows, and this is {value}");
                let is_whole = value.is_null() || value.data_type().is_integer();
                let blamed = Blamed { of: name.to_owned(), at: 1, value, beside: Vec::new() };
                return (!is_whole).then_some((blamed, why));
            }
            let (at, what) = match name {
                "ntile" => (0, "a number of groups is 1 or more"),
                "nth_value" => (1, "the rows of a window are counted from 1, or from -1 at its end"),
                _ => return None,
            };
            let value = number(call.params.args.get(at)?)?;
            let is_outside = if name == "ntile" { value < 1.0 } else { value == 0.0 };
            is_outside.then(|| (blamed(name, at, value), format!("{what}, and this is {value}")))
        }
        _ => None,
    }
}

fn blamed(name: &str, at: usize, value: f64) -> Blamed {
    Blamed { of: name.to_owned(), at, value: ScalarValue::from(value), beside: Vec::new() }
}

/// The number that a constant is.
fn number(expr: &Expr) -> Option<f64> {
    match value(expr).ok()??.cast_to(&DataType::Float64).ok()? {
        ScalarValue::Float64(number) => number,
        _ => None,
    }
}
