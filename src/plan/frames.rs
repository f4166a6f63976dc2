//! Distances of window frames that are below 0: `RANGE BETWEEN INTERVAL '-1 day' PRECEDING …`.
//!
//! PostgreSQL refuses them when it runs. DataFusion refuses what is written with a minus sign and computes frames of the
//! others that end before they begin: all values were NULL, or the process stopped.

use datafusion::arrow::datatypes::{DataType, IntervalDayTimeType, IntervalMonthDayNanoType};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan, WindowFrameBound};
use datafusion::optimizer::AnalyzerRule;

/// What is said of such a distance.
pub(crate) const DISTANCE_BELOW_ZERO: &str = "a distance of a window frame is below 0";

/// Refuses them. Runs when the distances have the types of what they are distances of.
#[derive(Debug)]
pub(super) struct Frames;

impl AnalyzerRule for Frames {
    fn name(&self) -> &str {
        "qtool_frames"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|node| {
            if let LogicalPlan::Window(window) = node {
                for expr in &window.window_expr {
                    expr.apply(checked)?;
                }
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(plan)
    }
}

fn checked(expr: &Expr) -> Result<TreeNodeRecursion> {
    if let Expr::WindowFunction(call) = expr {
        let frame = &call.params.window_frame;
        for bound in [&frame.start_bound, &frame.end_bound] {
            if let WindowFrameBound::Preceding(distance) | WindowFrameBound::Following(distance) = bound
                && is_below_zero(distance)
            {
                return plan_err!("{DISTANCE_BELOW_ZERO}");
            }
        }
    }
    Ok(TreeNodeRecursion::Continue)
}

/// Of an interval, any part: with `1 month -40 days` the frame of a later row could end before that of an earlier one.
fn is_below_zero(distance: &ScalarValue) -> bool {
    match distance {
        ScalarValue::IntervalYearMonth(Some(months)) => *months < 0,
        ScalarValue::IntervalDayTime(Some(span)) => {
            let (days, milliseconds) = IntervalDayTimeType::to_parts(*span);
            days < 0 || milliseconds < 0
        }
        ScalarValue::IntervalMonthDayNano(Some(span)) => {
            let (months, days, nanoseconds) = IntervalMonthDayNanoType::to_parts(*span);
            months < 0 || days < 0 || nanoseconds < 0
        }
        distance if distance.is_null() => false,
        distance => match distance.data_type() {
            ty if ty.is_numeric() || matches!(ty, DataType::Duration(_)) => {
                ScalarValue::new_zero(&ty).is_ok_and(|zero| *distance < zero)
            }
            _ => false,
        },
    }
}
