//! Days, and times of coarser units, beside times in nanoseconds, which begin in 1677 and end in 2262.
//!
//! What DataFusion casts for a comparison failed for 9999-12-31, which many tables have for "no end". Where it is compared,
//! such a day is as good as the last moment that there is. So the cast goes to a unit in which every day has room, and a
//! function makes nanoseconds of it.

use super::mentions::mentions;
use super::names;
use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    Cast, ColumnarValue, Expr, ExprSchemable, LogicalPlan, Operator, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature, Volatility,
};
use datafusion::optimizer::AnalyzerRule;
use std::sync::{Arc, LazyLock};

/// The rule. Runs when types are coerced, and before local times are read in a zone.
#[derive(Debug)]
pub(super) struct DistantDays;

impl AnalyzerRule for DistantDays {
    fn name(&self) -> &str {
        "qtool_distant_days"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        if !mentions(&plan, &|ty| matches!(ty, DataType::Timestamp(TimeUnit::Nanosecond, _))) {
            return Ok(plan);
        }
        let operator = |plan: LogicalPlan| {
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| Ok(compared(expr, &schema))))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn compared(mut expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let sides: Vec<&mut Expr> = match &mut expr {
        Expr::BinaryExpr(binary) if compares(binary.op) => vec![binary.left.as_mut(), binary.right.as_mut()],
        Expr::Between(between) => vec![between.expr.as_mut(), between.low.as_mut(), between.high.as_mut()],
        Expr::InList(list) => std::iter::once(list.expr.as_mut()).chain(&mut list.list).collect(),
        _ => return Transformed::no(expr),
    };
    let are_columns = sides.iter().filter(|side| side.any_column_refs()).count() > 1;
    let mut is_changed = false;
    for side in sides {
        if let Some(made) = with_room(side, schema, are_columns) {
            *side = made;
            is_changed = true;
        }
    }
    Transformed::new_transformed(expr, is_changed)
}

fn compares(op: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

/// A cast to nanoseconds that has room for everything. One of a time beside a constant is left alone: DataFusion makes the
/// constant one of that unit, by which files are skipped.
fn with_room(side: &Expr, schema: &DFSchema, are_columns: bool) -> Option<Expr> {
    let Expr::Cast(cast) = side else { return None };
    let DataType::Timestamp(TimeUnit::Nanosecond, zone) = cast.field.data_type() else { return None };
    let from = cast.expr.get_type(schema).ok()?;
    let unit = match &from {
        DataType::Date32 => TimeUnit::Second,
        DataType::Date64 => TimeUnit::Millisecond,
        DataType::Timestamp(unit, _) if are_columns && *unit != TimeUnit::Nanosecond => *unit,
        _ => return None,
    };
    let coarse = DataType::Timestamp(unit, zone.clone());
    let value = cast.expr.as_ref().clone();
    let value = if from == coarse { value } else { Expr::Cast(Cast::new(Box::new(value), coarse)) };
    Some(Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&NANOSECONDS), vec![value])))
}

static NANOSECONDS: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(Nanoseconds { signature }))
});

/// Whether a function is that of this rule.
pub(super) fn is_nanoseconds(function: &ScalarUDF) -> bool {
    function.inner().is::<Nanoseconds>()
}

/// A time in nanoseconds, or the first or the last that there is where it lies beyond.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Nanoseconds {
    signature: Signature,
}

impl ScalarUDFImpl for Nanoseconds {
    fn name(&self) -> &str {
        "qtool_nanoseconds"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::Timestamp(_, zone)] => Ok(DataType::Timestamp(TimeUnit::Nanosecond, zone.clone())),
            _ => plan_err!("one time is made nanoseconds, and not {types:?}"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    // Functions above ask of what type the bounds are, and would get that of nothing.
    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        let types: Vec<DataType> = inputs.iter().map(|input| input.data_type()).collect();
        Interval::make_unbounded(&self.return_type(&types)?)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.as_slice() {
            [ColumnarValue::Scalar(time)] => {
                let made = nanoseconds(&time.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&made, 0)?))
            }
            [ColumnarValue::Array(times)] => Ok(ColumnarValue::Array(nanoseconds(times)?)),
            _ => plan_err!("one time is made nanoseconds"),
        }
    }
}

fn nanoseconds(times: &ArrayRef) -> Result<ArrayRef> {
    let DataType::Timestamp(unit, zone) = times.data_type() else {
        return plan_err!("a time is made nanoseconds, and not {}", times.data_type());
    };
    let nanoseconds: i64 = match unit {
        TimeUnit::Second => 1_000_000_000,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    };
    let counts = cast(times, &DataType::Int64)?;
    let counts = counts.as_primitive::<Int64Type>().unary::<_, Int64Type>(|count| count.saturating_mul(nanoseconds));
    let counts: ArrayRef = Arc::new(counts);
    Ok(cast(&counts, &DataType::Timestamp(TimeUnit::Nanosecond, zone.clone()))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::TimestampSecondArray;
    use datafusion::arrow::datatypes::{Field, TimestampNanosecondType};
    use datafusion::logical_expr::{cast, col, lit};

    #[test]
    fn what_lies_beyond_is_the_last_moment() {
        let days = vec![Some(253_402_214_400), Some(-62_135_596_800), Some(1), None];
        let made = nanoseconds(&(Arc::new(TimestampSecondArray::from(days)) as ArrayRef)).unwrap();
        let made: Vec<_> = made.as_primitive::<TimestampNanosecondType>().iter().collect();
        assert_eq!(made, [Some(i64::MAX), Some(i64::MIN), Some(1_000_000_000), None]);
    }

    #[test]
    fn what_has_room_is_left_alone() {
        let seconds = DataType::Timestamp(TimeUnit::Second, None);
        let nanoseconds = DataType::Timestamp(TimeUnit::Nanosecond, None);
        let fields = vec![
            Field::new("day", DataType::Date32, true),
            Field::new("at", seconds, true),
            Field::new("exact", nanoseconds.clone(), true),
        ];
        let schema = DFSchema::from_unqualified_fields(fields.into(), Default::default()).unwrap();
        let is_changed = |expr: Expr| super::compared(expr, &schema).transformed;
        let of = |name: &str| cast(col(name), nanoseconds.clone());
        let constant = || lit(ScalarValue::TimestampNanosecond(Some(1), None));
        assert!(is_changed(of("day").gt(constant())));
        assert!(is_changed(of("at").gt(col("exact"))));
        assert!(!is_changed(of("at").gt(constant())), "beside a constant");
        assert!(!is_changed(col("exact").gt(constant())), "no cast");
        assert!(!is_changed(of("day") - constant()), "no comparison");
    }
}
