//! `round(x, digits)` of floating-point numbers that are too large, or have too few digits, to be multiplied by a power
//! of ten.
//!
//! DataFusion multiplies all the same, and gives what is not a number: `round(10.5, 400)` is 10.5, and `round(10.5, -400)`
//! is 0.

use super::names;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
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
use std::sync::Arc;

/// The rule. Runs when types are coerced.
#[derive(Debug)]
pub(super) struct Rounding;

impl AnalyzerRule for Rounding {
    fn name(&self) -> &str {
        "qtool_rounding"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            let rounds = |expr: &Expr| expr.exists(|expr| Ok(is_of_digits(expr))).unwrap_or(true);
            if !plan.expressions().iter().any(rounds) {
                return Ok(Transformed::no(plan));
            }
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| Ok(rewritten(expr, &schema))))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn is_of_digits(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(call) if call.name() == "round" && call.args.len() == 2)
}

fn rewritten(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let is_float = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| ty.is_floating());
    match expr {
        Expr::ScalarFunction(ScalarFunction { func, args })
            if func.name() == "round" && args.len() == 2 && args.first().is_some_and(is_float) =>
        {
            let signature = Signature::any(2, Volatility::Immutable);
            let function = Arc::new(ScalarUDF::new_from_impl(Kept { inner: func, signature }));
            Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(function, args)))
        }
        other => Transformed::no(other),
    }
}

/// Whether a function is that of this rule.
pub(super) fn is_kept(function: &ScalarUDF) -> bool {
    function.inner().is::<Kept>()
}

/// The rounded number, or what it is where it could not be rounded so.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Kept {
    /// DataFusion's function.
    inner: Arc<ScalarUDF>,
    signature: Signature,
}

impl ScalarUDFImpl for Kept {
    fn name(&self) -> &str {
        "qtool_round"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [number, ..] => Ok(number.clone()),
            [] => plan_err!("a number is rounded"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_literal = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_literal { 1 } else { args.number_rows };
        let [number, digits] = args.args.as_slice() else { return plan_err!("a number is rounded") };
        let (number, digits) = (number.to_array(rows)?, digits.to_array(rows)?);
        let rounded = self.inner.invoke_with_args(args)?.to_array(rows)?;
        let kept = cast(&kept(&rounded, &number, &digits)?, rounded.data_type())?;
        Ok(match is_literal {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&kept, 0)?),
            false => ColumnarValue::Array(kept),
        })
    }
}

fn kept(rounded: &ArrayRef, number: &ArrayRef, digits: &ArrayRef) -> Result<Float64Array> {
    let [rounded, number] = [rounded, number].map(|numbers| cast(numbers, &DataType::Float64));
    let (rounded, number, digits) = (rounded?, number?, cast(digits, &DataType::Int64)?);
    let digits: &Int64Array = digits.as_primitive::<Int64Type>();
    let all = rounded.as_primitive::<Float64Type>().iter().zip(number.as_primitive::<Float64Type>()).zip(digits);
    Ok(all
        .map(|((rounded, number), digits)| match (rounded, number, digits) {
            (Some(rounded), Some(number), Some(digits)) if !rounded.is_finite() && number.is_finite() => {
                Some(if digits < 0 { 0.0 } else { number })
            }
            (rounded, ..) => rounded,
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_multiplied_stays_what_it_is() {
        let numbers = |of: Vec<Option<f64>>| Arc::new(Float64Array::from(of)) as ArrayRef;
        let rounded = numbers(vec![Some(f64::NAN), Some(f64::NAN), Some(f64::INFINITY), Some(1.5), None]);
        let number = numbers(vec![Some(10.5), Some(10.5), Some(f64::INFINITY), Some(1.49), None]);
        let digits: ArrayRef = Arc::new(Int64Array::from(vec![400, -400, 2, 1, 1]));
        let kept = kept(&rounded, &number, &digits).unwrap();
        assert_eq!(kept, Float64Array::from(vec![Some(10.5), Some(0.0), Some(f64::INFINITY), Some(1.5), None]));
    }
}
