//! `INTERSECT ALL` and `EXCEPT ALL` count: of n equal rows on the left and m on the right, the lesser number stays, or n
//! less m.
//!
//! DataFusion makes a semi or an anti join of them, which keeps or drops all n. Here the equal rows of either side are
//! numbered first, and the number is a key of the join.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, JoinType, NullEquality, Result};
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::{
    Expr, ExprFunctionExt, Join, LogicalPlan, LogicalPlanBuilder, WindowFunctionDefinition,
};
use datafusion::optimizer::AnalyzerRule;
use std::sync::Arc;

/// The rows of the left side, and those of the right; no column of a user is called so.
const NUMBERS: [&str; 2] = ["qtool number of this row on the left", "qtool number of this row on the right"];

/// The rule. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct Multisets;

impl AnalyzerRule for Multisets {
    fn name(&self) -> &str {
        "qtool_multisets"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        Ok(plan.transform_up_with_subqueries(rewrite)?.data)
    }
}

fn rewrite(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    match plan {
        LogicalPlan::Join(join) if is_of_all(&join) => Ok(Transformed::yes(numbered(join)?)),
        other => Ok(Transformed::no(other)),
    }
}

/// No join that is written has equal nulls: it is one of these operations, and without `ALL` its left side is distinct.
fn is_of_all(join: &Join) -> bool {
    let [number, _] = NUMBERS;
    // A plan may be analysed again.
    let done = join.left.schema().has_column_with_unqualified_name(number);
    !done
        && matches!(join.join_type, JoinType::LeftSemi | JoinType::LeftAnti)
        && join.null_equality == NullEquality::NullEqualsNull
        && !matches!(join.left.as_ref(), LogicalPlan::Distinct(_))
}

fn numbered(mut join: Join) -> Result<LogicalPlan> {
    let columns = join.left.schema().columns();
    let [left, right] = NUMBERS;
    join.left = with_number(&join.left, left)?;
    join.right = with_number(&join.right, right)?;
    join.on.push((Expr::Column(Column::from_name(left)), Expr::Column(Column::from_name(right))));
    let joined = LogicalPlan::Join(join).recompute_schema()?;
    LogicalPlanBuilder::from(joined).project(columns.into_iter().map(Expr::Column))?.build()
}

/// Equal rows are 1, 2, 3, …
fn with_number(plan: &Arc<LogicalPlan>, name: &str) -> Result<Arc<LogicalPlan>> {
    let columns: Vec<_> = plan.schema().columns().into_iter().map(Expr::Column).collect();
    let function = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let number = Expr::from(function).partition_by(columns.clone()).build()?;
    let counted = Expr::Column(Column::from_name(number.schema_name().to_string())).alias(name);
    let windowed = LogicalPlanBuilder::from(Arc::clone(plan)).window([number])?;
    Ok(Arc::new(windowed.project(columns.into_iter().chain([counted]))?.build()?))
}
