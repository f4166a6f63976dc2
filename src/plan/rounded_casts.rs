//! Casts to whole numbers, and to decimals of fewer digits behind the point, round as PostgreSQL's and DuckDB's do: floats
//! half to even, decimals half away from zero.
//!
//! DataFusion cuts what is behind the point of an integer. And it takes every cast of a decimal for one that loses nothing
//! where the result is compared: `CAST(2.50 AS int) = 3` became `2.50 = 3.00`. A function in the cast hides it. Only casts
//! that the author wrote are here: this runs before types are coerced.

use super::names;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, GenericListArray, OffsetSizeTrait};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, Float64Type};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, LogicalPlan, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::optimizer::AnalyzerRule;
use std::mem::take;
use std::sync::Arc;

/// The rule.
#[derive(Debug)]
pub(super) struct RoundedCasts;

impl AnalyzerRule for RoundedCasts {
    fn name(&self) -> &str {
        "qtool_rounded_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !plan.expressions().iter().any(has_cast) {
                return Ok(Transformed::no(plan));
            }
            let schema = match &plan {
                LogicalPlan::TableScan(scan) => scan.projected_schema.as_ref().clone(),
                other => merge_schema(&other.inputs()),
            };
            names::map_expressions(plan, &|expr| in_expression(expr, &schema))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

/// The expression with casts that round.
pub(super) fn in_expression(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    expr.transform_up(|expr| Ok(rewritten(expr, schema)))
}

fn has_cast(expr: &Expr) -> bool {
    let is_one = |expr: &Expr| match expr {
        Expr::Cast(_) | Expr::TryCast(_) => true,
        Expr::ScalarFunction(call) => is_cast(call),
        _ => false,
    };
    expr.exists(|expr| Ok(is_one(expr))).unwrap_or(true)
}

fn is_cast(call: &ScalarFunction) -> bool {
    matches!(call.name(), "arrow_cast" | "arrow_try_cast")
}

fn rewritten(mut expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_call = matches!(&expr, Expr::ScalarFunction(call) if is_cast(call));
    let of_call = if is_call { expr.get_type(schema).ok() } else { None };
    let (inner, to) = match &mut expr {
        Expr::Cast(cast) => (cast.expr.as_mut(), Some(cast.field.data_type().clone())),
        Expr::TryCast(cast) => (cast.expr.as_mut(), Some(cast.field.data_type().clone())),
        Expr::ScalarFunction(call) if is_call => match call.args.first_mut() {
            Some(inner) => (inner, of_call),
            None => return Transformed::no(expr),
        },
        _ => return Transformed::no(expr),
    };
    let (Ok(from), Some(to)) = (inner.get_type(schema), to) else { return Transformed::no(expr) };
    let is_done = matches!(inner, Expr::ScalarFunction(call) if is_rounded(&call.func));
    if is_done || rounded_type(&from, &to).is_none() {
        return Transformed::no(expr);
    }
    *inner = match take(inner) {
        Expr::Literal(ScalarValue::Float64(Some(number)), metadata) => {
            Expr::Literal(ScalarValue::Float64(Some(number.round_ties_even())), metadata)
        }
        number => {
            let function = Arc::new(ScalarUDF::new_from_impl(Rounded::to(to)));
            Expr::ScalarFunction(ScalarFunction::new_udf(function, vec![number]))
        }
    };
    Transformed::yes(expr)
}

/// The type of the rounded value, which is cast then; `None` where nothing is to be rounded.
fn rounded_type(from: &DataType, to: &DataType) -> Option<DataType> {
    use DataType::{Decimal32, Decimal64, Decimal128, Decimal256, LargeList, List};
    match (from, to) {
        (List(item), List(to) | LargeList(to)) => Some(List(rounded_item(item, to)?)),
        (LargeList(item), List(to) | LargeList(to)) => Some(LargeList(rounded_item(item, to)?)),
        (DataType::Float32 | DataType::Float64, to) if to.is_integer() => Some(from.clone()),
        (DataType::Float16, to) if to.is_integer() => Some(DataType::Float32),
        (Decimal32(precision, scale), to) => narrowed(*precision, *scale, to).map(|(p, s)| Decimal32(p, s)),
        (Decimal64(precision, scale), to) => narrowed(*precision, *scale, to).map(|(p, s)| Decimal64(p, s)),
        (Decimal128(precision, scale), to) => narrowed(*precision, *scale, to).map(|(p, s)| Decimal128(p, s)),
        (Decimal256(precision, scale), to) => narrowed(*precision, *scale, to).map(|(p, s)| Decimal256(p, s)),
        _ => None,
    }
}

fn rounded_item(from: &Arc<Field>, to: &Arc<Field>) -> Option<Arc<Field>> {
    let rounded = rounded_type(from.data_type(), to.data_type())?;
    Some(Arc::new(from.as_ref().clone().with_data_type(rounded)))
}

/// The digits of a decimal when it is rounded: one more in front of the point, which 9.9 becomes 10 by.
fn narrowed(precision: u8, scale: i8, to: &DataType) -> Option<(u8, i8)> {
    let digits = match to {
        DataType::Decimal32(_, to) | DataType::Decimal64(_, to) => *to,
        DataType::Decimal128(_, to) | DataType::Decimal256(_, to) => *to,
        to if to.is_integer() => 0,
        _ => return None,
    };
    if digits >= scale {
        return None;
    }
    let precision = i16::from(precision) - i16::from(scale) + i16::from(digits) + 1;
    Some((u8::try_from(precision.max(1).max(i16::from(digits))).ok()?, digits))
}

/// Whether a function is this one.
pub(super) fn is_rounded(function: &ScalarUDF) -> bool {
    function.inner().is::<Rounded>()
}

/// Rounds a number, or those of a list.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Rounded {
    /// What is made of it then.
    to: DataType,
    signature: Signature,
}

impl Rounded {
    fn to(to: DataType) -> Rounded {
        Rounded { to, signature: Signature::any(1, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Rounded {
    fn name(&self) -> &str {
        "qtool_rounded"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    // A rule behind this one may have given the number another type.
    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let [from] = types else { return plan_err!("one number is rounded") };
        Ok(rounded_type(from, &self.to).unwrap_or_else(|| from.clone()))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [number] = args.args.as_slice() else { return plan_err!("one number is rounded") };
        let to = args.return_field.data_type();
        Ok(match number {
            ColumnarValue::Array(numbers) => ColumnarValue::Array(rounded(numbers, to)?),
            ColumnarValue::Scalar(number) => {
                let number = rounded(&number.to_array()?, to)?;
                ColumnarValue::Scalar(ScalarValue::try_from_array(&number, 0)?)
            }
        })
    }
}

fn rounded(numbers: &ArrayRef, to: &DataType) -> Result<ArrayRef> {
    Ok(match (numbers.data_type(), to) {
        (DataType::Float32, _) => {
            Arc::new(numbers.as_primitive::<Float32Type>().unary::<_, Float32Type>(f32::round_ties_even))
        }
        (DataType::Float64, _) => {
            Arc::new(numbers.as_primitive::<Float64Type>().unary::<_, Float64Type>(f64::round_ties_even))
        }
        (DataType::Float16, _) => rounded(&cast(numbers, &DataType::Float32)?, to)?,
        (DataType::List(_), DataType::List(item)) => in_lists(numbers.as_list::<i32>(), item)?,
        (DataType::LargeList(_), DataType::LargeList(item)) => in_lists(numbers.as_list::<i64>(), item)?,
        // It rounds, and there is room for the result.
        _ => cast(numbers, to)?,
    })
}

fn in_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>, item: &Arc<Field>) -> Result<ArrayRef> {
    let values = rounded(lists.values(), item.data_type())?;
    let (offsets, nulls) = (lists.offsets().clone(), lists.nulls().cloned());
    Ok(Arc::new(GenericListArray::<O>::try_new(Arc::clone(item), offsets, values, nulls)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{Decimal128Array, Float64Array};
    use datafusion::arrow::datatypes::Decimal128Type;

    #[test]
    fn floats_are_rounded_to_even_and_decimals_away_from_zero() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![Some(0.5), Some(1.5), Some(-2.5), Some(2.99), None]));
        let whole = rounded(&floats, &DataType::Float64).unwrap();
        let whole: Vec<_> = whole.as_primitive::<Float64Type>().iter().collect();
        assert_eq!(whole, [Some(0.0), Some(2.0), Some(-2.0), Some(3.0), None]);

        let from = DataType::Decimal128(3, 1);
        let to = rounded_type(&from, &DataType::Int32).unwrap();
        assert_eq!(to, DataType::Decimal128(3, 0));
        let decimals = Decimal128Array::from(vec![Some(5), Some(-25), Some(999), Some(14), None]).with_data_type(from);
        let whole = rounded(&(Arc::new(decimals) as ArrayRef), &to).unwrap();
        let whole: Vec<_> = whole.as_primitive::<Decimal128Type>().iter().collect();
        assert_eq!(whole, [Some(1), Some(-3), Some(100), Some(1), None]);
    }

    #[test]
    fn what_loses_nothing_is_not_rounded() {
        assert_eq!(rounded_type(&DataType::Decimal128(5, 0), &DataType::Int64), None);
        assert_eq!(rounded_type(&DataType::Decimal128(5, 2), &DataType::Decimal128(9, 3)), None);
        assert_eq!(rounded_type(&DataType::Decimal128(5, 2), &DataType::Float64), None);
        assert_eq!(rounded_type(&DataType::Utf8, &DataType::Int64), None);
        let lists = [DataType::Float64, DataType::Int64].map(|ty| DataType::new_list(ty, true));
        assert_eq!(rounded_type(&lists[0], &lists[1]), Some(lists[0].clone()));
    }
}
