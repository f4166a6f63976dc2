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
use datafusion::logical_expr::expr::{Between, InList, ScalarFunction};
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Cast, ColumnarValue, Expr, ExprSchemable, LogicalPlan, Operator, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility, binary_expr, lit, not,
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

fn compared(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let made = match &expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if compares(*op) => pair((left, *op, right), schema),
        Expr::Between(Between { expr, negated, low, high }) => {
            let sides = [(low.as_ref(), Operator::GtEq), (high.as_ref(), Operator::LtEq)];
            several(expr, &sides, schema).map(|pairs| {
                let both = pairs.into_iter().reduce(Expr::and).unwrap_or(lit(true));
                if *negated { not(both) } else { both }
            })
        }
        Expr::InList(InList { expr, list, negated }) => {
            let sides: Vec<_> = list.iter().map(|item| (item, Operator::Eq)).collect();
            several(expr, &sides, schema).map(|pairs| {
                let any = pairs.into_iter().reduce(Expr::or).unwrap_or(lit(false));
                if *negated { not(any) } else { any }
            })
        }
        _ => None,
    };
    made.map_or_else(|| Transformed::no(expr), Transformed::yes)
}

/// Comparisons of one value with several, each by itself: a day is compared with a day as one. `None` where nothing is to
/// be done.
fn several(value: &Expr, sides: &[(&Expr, Operator)], schema: &DFSchema) -> Option<Vec<Expr>> {
    let pairs: Vec<Option<Expr>> = sides.iter().map(|(side, op)| pair((value, *op, side), schema)).collect();
    if pairs.iter().all(Option::is_none) {
        return None;
    }
    let plain = |(side, op): &(&Expr, Operator)| binary_expr(value.clone(), *op, (*side).clone());
    Some(pairs.into_iter().zip(sides).map(|(made, side)| made.unwrap_or_else(|| plain(side))).collect())
}

/// A comparison of two values, of which a cast to nanoseconds has room for everything. Two that are cast from one type are
/// compared as they are: beyond the last moment, there are two of them.
fn pair((left, op, right): (&Expr, Operator, &Expr), schema: &DFSchema) -> Option<Expr> {
    let are_columns = left.any_column_refs() && right.any_column_refs();
    match (source(left, schema), source(right, schema)) {
        (Some(one), Some(other)) if one == other => Some(binary_expr(inner(left)?, op, inner(right)?)),
        (Some(_), Some(_)) => None,
        (Some(_), None) => Some(binary_expr(with_room(left, schema, are_columns)?, op, right.clone())),
        (None, Some(_)) => Some(binary_expr(left.clone(), op, with_room(right, schema, are_columns)?)),
        (None, None) => None,
    }
}

/// The type of which a cast makes nanoseconds, where that is a coarser one.
fn source(side: &Expr, schema: &DFSchema) -> Option<DataType> {
    let Expr::Cast(cast) = side else { return None };
    let is_fine = |ty: &DataType| matches!(ty, DataType::Timestamp(TimeUnit::Nanosecond, _));
    let from = cast.expr.get_type(schema).ok()?;
    (is_fine(cast.field.data_type()) && from.is_temporal() && !is_fine(&from)).then_some(from)
}

/// What is cast.
fn inner(side: &Expr) -> Option<Expr> {
    let Expr::Cast(cast) = side else { return None };
    Some(cast.expr.as_ref().clone())
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
    use datafusion::logical_expr::{cast, col};

    #[test]
    fn what_lies_beyond_is_the_last_moment() {
        let days = vec![Some(253_402_214_400), Some(-62_135_596_800), Some(1), None];
        let made = nanoseconds(&(Arc::new(TimestampSecondArray::from(days)) as ArrayRef)).unwrap();
        let made: Vec<_> = made.as_primitive::<TimestampNanosecondType>().iter().collect();
        assert_eq!(made, [Some(i64::MAX), Some(i64::MIN), Some(1_000_000_000), None]);
    }

    #[test]
    fn two_days_are_compared_as_days() {
        let nanoseconds = DataType::Timestamp(TimeUnit::Nanosecond, None);
        let fields = [("day", DataType::Date32), ("end", DataType::Date32), ("at", nanoseconds.clone())];
        let fields: Vec<Field> = fields.map(|(name, ty)| Field::new(name, ty, true)).into();
        let schema = DFSchema::from_unqualified_fields(fields.into(), Default::default()).unwrap();
        let of = |name: &str| cast(col(name), nanoseconds.clone());
        let made = super::compared(of("day").eq(of("end")), &schema).data;
        assert_eq!(made.to_string(), "day = end");
        let made = super::compared(of("day").between(col("at"), of("end")), &schema).data;
        assert!(made.to_string().ends_with(">= at AND day <= end"), "{made}");
        let made = super::compared(of("day").in_list(vec![col("at"), of("end")], true), &schema).data;
        assert!(
            made.to_string().starts_with("NOT qtool_nanoseconds(") && made.to_string().ends_with("OR day = end"),
            "{made}"
        );
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
        assert!(!is_changed(of("at").gt(of("day"))), "two types, of which none is finer");
        assert!(!is_changed(col("exact").gt(constant())), "no cast");
        assert!(!is_changed(of("day") - constant()), "no comparison");
    }
}
