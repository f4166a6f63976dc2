//! `min` and `max` of floating-point numbers in groups.
//!
//! DataFusion's fast accumulators for groups lose what they have found when a number is not one, and begin with the
//! largest finite number. So the numbers are turned into integers of the same order first, and the result back.

use super::function::{double, single};
use datafusion::arrow::array::{ArrayRef, AsArray, PrimitiveArray};
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type, Int32Type, Int64Type};
use datafusion::common::{Column, DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::{AggregateFunction, ScalarFunction};
use datafusion::logical_expr::{
    Aggregate, ColumnarValue, Expr, ExprSchemable, LogicalPlan, LogicalPlanBuilder, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static TO_ORDER: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf("qtool_float_order", Direction::ToOrder));
static FROM_ORDER: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| udf("qtool_float_of_order", Direction::FromOrder));

fn udf(name: &'static str, direction: Direction) -> Arc<ScalarUDF> {
    let signature = Signature::any(1, Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(FloatOrder { name, direction, signature }))
}

/// The aggregate with extremes of integers, and a projection that gives the numbers; `None` where it has no extremes of
/// floating-point numbers in groups.
pub(super) fn in_groups(aggregate: &Aggregate, types: &DFSchema) -> Result<Option<LogicalPlan>> {
    let is_extreme: Vec<bool> = aggregate.aggr_expr.iter().map(|expr| is_extreme(expr, types)).collect();
    if aggregate.group_expr.is_empty() || !is_extreme.contains(&true) {
        return Ok(None);
    }
    let functions = aggregate.aggr_expr.iter().zip(&is_extreme);
    let functions = functions.map(|(expr, is_extreme)| if *is_extreme { ordered(expr.clone()) } else { expr.clone() });
    let columns = aggregate.schema.columns();
    let groups = columns.len().saturating_sub(is_extreme.len());
    let whole = Aggregate::try_new(Arc::clone(&aggregate.input), aggregate.group_expr.clone(), functions.collect())?;
    let picked = columns.into_iter().enumerate().map(|(at, column)| {
        let is_extreme = at.checked_sub(groups).and_then(|at| is_extreme.get(at).copied()).unwrap_or(false);
        if is_extreme { numbers(column) } else { Expr::Column(column) }
    });
    let picked: Vec<Expr> = picked.collect();
    LogicalPlanBuilder::from(LogicalPlan::Aggregate(whole)).project(picked)?.build().map(Some)
}

fn is_extreme(expr: &Expr, types: &DFSchema) -> bool {
    let Expr::AggregateFunction(AggregateFunction { func, params }) = expr.clone().unalias() else { return false };
    matches!(func.name(), "min" | "max")
        && params.args.iter().all(|arg| matches!(arg.get_type(types), Ok(DataType::Float32 | DataType::Float64)))
}

/// The aggregate of integers under the same name.
fn ordered(expr: Expr) -> Expr {
    let (relation, name) = expr.qualified_name();
    let Expr::AggregateFunction(AggregateFunction { func, mut params }) = expr.unalias() else {
        return Expr::Column(Column::new(relation, name));
    };
    let order = |arg: Expr| Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&TO_ORDER), vec![arg]));
    params.args = params.args.into_iter().map(order).collect();
    Expr::AggregateFunction(AggregateFunction { func, params }).alias_qualified(relation, name)
}

/// The number that a column's integer stands for, under the column's name.
fn numbers(column: Column) -> Expr {
    let (relation, name) = (column.relation.clone(), column.name.clone());
    let call = ScalarFunction::new_udf(Arc::clone(&FROM_ORDER), vec![Expr::Column(column)]);
    Expr::ScalarFunction(call).alias_qualified(relation, name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Direction {
    ToOrder,
    FromOrder,
}

/// Numbers as integers of the same order, or back.
#[derive(Debug, PartialEq, Eq, Hash)]
struct FloatOrder {
    name: &'static str,
    direction: Direction,
    signature: Signature,
}

/// Turns the bits of a number into an integer of its order; and back, since it undoes itself.
fn turned64(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}

fn turned32(bits: i32) -> i32 {
    bits ^ ((bits >> 31) & i32::MAX)
}

impl FloatOrder {
    fn apply(&self, array: &ArrayRef) -> Result<ArrayRef> {
        Ok(match (self.direction, array.data_type()) {
            (Direction::ToOrder, DataType::Float64) => {
                let order = |number: f64| turned64(double(number).to_bits().cast_signed());
                let turned: PrimitiveArray<Int64Type> = array.as_primitive::<Float64Type>().unary(order);
                Arc::new(turned)
            }
            (Direction::ToOrder, DataType::Float32) => {
                let order = |number: f32| turned32(single(number).to_bits().cast_signed());
                let turned: PrimitiveArray<Int32Type> = array.as_primitive::<Float32Type>().unary(order);
                Arc::new(turned)
            }
            (Direction::FromOrder, DataType::Int64) => {
                let number = |order: i64| f64::from_bits(turned64(order).cast_unsigned());
                let turned: PrimitiveArray<Float64Type> = array.as_primitive::<Int64Type>().unary(number);
                Arc::new(turned)
            }
            (Direction::FromOrder, DataType::Int32) => {
                let number = |order: i32| f32::from_bits(turned32(order).cast_unsigned());
                let turned: PrimitiveArray<Float32Type> = array.as_primitive::<Int32Type>().unary(number);
                Arc::new(turned)
            }
            (_, other) => return plan_err!("{} does not take {other}", self.name),
        })
    }
}

impl ScalarUDFImpl for FloatOrder {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match (self.direction, arguments) {
            (Direction::ToOrder, [DataType::Float64]) => Ok(DataType::Int64),
            (Direction::ToOrder, [DataType::Float32]) => Ok(DataType::Int32),
            (Direction::FromOrder, [DataType::Int64]) => Ok(DataType::Float64),
            (Direction::FromOrder, [DataType::Int32]) => Ok(DataType::Float32),
            (_, other) => plan_err!("{} does not take {other:?}", self.name),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.first() {
            Some(ColumnarValue::Array(array)) => self.apply(array).map(ColumnarValue::Array),
            Some(ColumnarValue::Scalar(value)) => {
                let turned = self.apply(&value.to_array()?)?;
                ScalarValue::try_from_array(&turned, 0).map(ColumnarValue::Scalar)
            }
            None => plan_err!("{} has one argument", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_order_of_the_numbers() {
        let numbers = [f64::NEG_INFINITY, -2.5, -0.0, 0.0, f64::MIN_POSITIVE, 7.0, f64::MAX, f64::INFINITY, f64::NAN];
        let orders: Vec<i64> = numbers.iter().map(|number| turned64(double(*number).to_bits().cast_signed())).collect();
        assert!(orders.is_sorted());
        assert_eq!(orders[2], orders[3]);
        let back: Vec<u64> = orders.iter().map(|order| turned64(*order).cast_unsigned()).collect();
        let expected: Vec<u64> = numbers.iter().map(|number| double(*number).to_bits()).collect();
        assert_eq!(back, expected);
    }
}
