//! Sums, differences, products and negatives of integers that do not fit are an error, as in PostgreSQL and DuckDB.
//!
//! DataFusion's operators begin again at the other end: 65536 * 65536 was 0. And a difference of unsigned numbers is
//! signed: that of two ranks was 18446744073709551614 where it is -2. A difference of days is one of their numbers: what
//! estimates conditions takes it for a duration, and failed beside a number.

use super::decimals::columns::with_types_of_inputs;
use super::names;
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, ColumnarValue, Expr, ExprSchemable, LogicalPlan, Operator, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility, cast,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::physical_expr_common::datum::apply;
use std::sync::{Arc, LazyLock};

static PLUS: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Checked::udf("qtool_plus", Operator::Plus));
static MINUS: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Checked::udf("qtool_minus", Operator::Minus));
static TIMES: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| Checked::udf("qtool_times", Operator::Multiply));

/// Has differences of unsigned numbers signed. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct SignedDifferences;

impl AnalyzerRule for SignedDifferences {
    fn name(&self) -> &str {
        "qtool_signed_differences"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let mut changed = false;
        let operator = |plan: LogicalPlan| {
            let done = rewritten(plan, &signed)?;
            changed |= done.transformed;
            // What is above a column of another type has another type too.
            if changed { done.map_data(with_types_of_inputs) } else { Ok(done) }
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

/// Has operators on integers fail where the result does not fit. Runs when types are coerced.
#[derive(Debug)]
pub(super) struct CheckedArithmetic;

impl AnalyzerRule for CheckedArithmetic {
    fn name(&self) -> &str {
        "qtool_checked_arithmetic"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        Ok(plan.transform_up_with_subqueries(|plan| rewritten(plan, &checked))?.data)
    }
}

type Rewriting<'a> = &'a dyn Fn(Expr, &DFSchema) -> Result<Transformed<Expr>>;

fn rewritten(plan: LogicalPlan, each: Rewriting<'_>) -> Result<Transformed<LogicalPlan>> {
    if !plan.expressions().iter().any(calculates) {
        return Ok(Transformed::no(plan));
    }
    let schema = match &plan {
        LogicalPlan::TableScan(scan) => scan.projected_schema.as_ref().clone(),
        other => merge_schema(&other.inputs()),
    };
    names::map_expressions(plan, &|expr| expr.transform_up(|expr| each(expr, &schema)))
}

fn calculates(expr: &Expr) -> bool {
    let is_one = |expr: &Expr| match expr {
        Expr::BinaryExpr(binary) => function(binary.op).is_some(),
        Expr::Negative(_) => true,
        _ => false,
    };
    expr.exists(|expr| Ok(is_one(expr))).unwrap_or(true)
}

fn signed(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_unsigned = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| ty.is_unsigned_integer());
    Ok(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Minus, right })
            if is_unsigned(&left) && is_unsigned(&right) =>
        {
            let [left, right] = [left, right].map(|side| Box::new(cast(*side, DataType::Int64)));
            Transformed::yes(Expr::BinaryExpr(BinaryExpr::new(left, Operator::Minus, right)))
        }
        other => Transformed::no(other),
    })
}

fn checked(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_integer = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| ty.is_integer());
    let is_day = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| matches!(ty, DataType::Date32 | DataType::Date64));
    Ok(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Minus, right }) if is_day(&left) && is_day(&right) => {
            let numbers = [*left, *right].map(number_of_day);
            Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&MINUS), numbers.into())))
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match function(op) {
            Some(function) if is_integer(&left) && is_integer(&right) => {
                let call = ScalarFunction::new_udf(Arc::clone(function), vec![*left, *right]);
                Transformed::yes(Expr::ScalarFunction(call))
            }
            _ => Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right })),
        },
        Expr::Negative(inner) if !is_plain_number(&inner) => match inner.get_type(schema) {
            Ok(ty) if ty.is_signed_integer() => {
                let zero = Expr::Literal(ScalarValue::new_zero(&ty)?, None);
                let call = ScalarFunction::new_udf(Arc::clone(&MINUS), vec![zero, *inner]);
                Transformed::yes(Expr::ScalarFunction(call))
            }
            _ => Transformed::no(Expr::Negative(inner)),
        },
        other => Transformed::no(other),
    })
}

/// The number of a day, from the first of 1970.
fn number_of_day(day: Expr) -> Expr {
    cast(cast(cast(day, DataType::Date32), DataType::Int32), DataType::Int64)
}

/// Whether it is a number with a negative, which all but the least of a type have.
fn is_plain_number(expr: &Expr) -> bool {
    use ScalarValue::{Int8, Int16, Int32, Int64};
    let Expr::Literal(value, _) = expr else { return false };
    !matches!(value, Int8(Some(i8::MIN)) | Int16(Some(i16::MIN)) | Int32(Some(i32::MIN)) | Int64(Some(i64::MIN)))
}

/// The function that is an operator of integers.
fn function(op: Operator) -> Option<&'static Arc<ScalarUDF>> {
    match op {
        Operator::Plus => Some(&PLUS),
        Operator::Minus => Some(&MINUS),
        Operator::Multiply => Some(&TIMES),
        _ => None,
    }
}

/// Whether a function is one of these.
pub(super) fn is_checked(function: &ScalarUDF) -> bool {
    function.inner().is::<Checked>()
}

/// An operator of integers that fails where the result does not fit.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Checked {
    name: &'static str,
    op: Operator,
    signature: Signature,
}

impl Checked {
    fn udf(name: &'static str, op: Operator) -> Arc<ScalarUDF> {
        let signature = Signature::any(2, Volatility::Immutable);
        Arc::new(ScalarUDF::new_from_impl(Checked { name, op, signature }))
    }
}

impl ScalarUDFImpl for Checked {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [one, other] if one == other && one.is_integer() => Ok(one.clone()),
            _ => plan_err!("two integers of one type are calculated with, and not {types:?}"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    // Functions above ask of what type the bounds are, and would get that of nothing.
    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        match inputs {
            [one, ..] => Interval::make_unbounded(&one.data_type()),
            [] => plan_err!("two numbers are calculated with"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [left, right] = args.args.as_slice() else { return plan_err!("two numbers are calculated with") };
        match self.op {
            Operator::Plus => apply(left, right, numeric::add),
            Operator::Minus => apply(left, right, numeric::sub),
            _ => apply(left, right, numeric::mul),
        }
    }
}
