//! A decimal beside a floating-point number is compared as one, as in PostgreSQL and DuckDB.
//!
//! DataFusion makes a decimal of 7 or 15 digits behind the point of the other, which fails for NaN, infinity and large
//! numbers, and takes small ones for 0. A number that is written in the query is left alone where it is such a decimal:
//! it is exact so, and files can be skipped by it.

pub(super) mod columns;

use super::{exact_numbers, names};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, InList, InSubquery, ScalarFunction, SetComparison};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Case, Expr, ExprSchemable, LogicalPlan, Operator, cast};
use datafusion::optimizer::AnalyzerRule;
use std::iter::once;
use std::mem::take;

/// Functions that compare their arguments, or give one of them.
const OF_ALIKE: [&str; 4] = ["coalesce", "greatest", "least", "nullif"];

/// The rule. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct Decimals;

impl AnalyzerRule for Decimals {
    fn name(&self) -> &str {
        "qtool_decimals"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let mut changed = false;
        let operator = |plan: LogicalPlan| {
            let done = operator(plan)?;
            changed |= done.transformed;
            // What is above a column of another type has another type too.
            if changed { done.map_data(columns::with_types_of_inputs) } else { Ok(done) }
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn operator(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let plan = match plan {
        LogicalPlan::Union(union) => columns::united(union)?,
        LogicalPlan::Join(join) => columns::joined(join)?,
        other => Transformed::no(other),
    };
    plan.transform_data(|plan| {
        if !may_have_decimals(&plan) {
            return Ok(Transformed::no(plan));
        }
        let schema = match &plan {
            LogicalPlan::TableScan(scan) => scan.projected_schema.as_ref().clone(),
            other => merge_schema(&other.inputs()),
        };
        names::map_expressions(plan, &|expr| expr.transform_up(|expr| expression(expr, &schema)))
    })
}

/// Most plans have none, and nobody waits for their types.
fn may_have_decimals(plan: &LogicalPlan) -> bool {
    let of_columns = |plan: &LogicalPlan| plan.schema().fields().iter().any(|field| field.data_type().is_decimal());
    let of_expressions = |expr: &Expr| expr.exists(|expr| Ok(may_be_decimal(expr))).unwrap_or(true);
    plan.inputs().into_iter().chain([plan]).any(of_columns) || plan.expressions().iter().any(of_expressions)
}

/// Whether an expression may be a decimal that no column of its plan is.
fn may_be_decimal(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(cast) => cast.field.data_type().is_decimal(),
        Expr::TryCast(cast) => cast.field.data_type().is_decimal(),
        Expr::Literal(value, _) => value.data_type().is_decimal(),
        Expr::Column(_) | Expr::Alias(_) | Expr::BinaryExpr(_) | Expr::AggregateFunction(_) => false,
        // A value of the call may be a function without arguments.
        Expr::ScalarFunction(call) => call.args.is_empty() || call.func.name() == "arrow_cast",
        other => matches!(
            other,
            Expr::Placeholder(_)
                | Expr::ScalarSubquery(_)
                | Expr::InSubquery(_)
                | Expr::SetComparison(_)
                | Expr::OuterReferenceColumn(..)
        ),
    }
}

fn expression(mut expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let changed = match &mut expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if compares(*op) => {
            alike([left.as_mut(), right.as_mut()], schema)
        }
        Expr::Between(Between { expr, low, high, .. }) => alike([expr.as_mut(), low.as_mut(), high.as_mut()], schema),
        Expr::InList(InList { expr, list, .. }) => alike(once(expr.as_mut()).chain(list), schema),
        Expr::InSubquery(InSubquery { expr, subquery, .. }) => columns::looked_up(expr, subquery, schema)?,
        Expr::SetComparison(SetComparison { expr, subquery, .. }) => columns::looked_up(expr, subquery, schema)?,
        Expr::ScalarFunction(ScalarFunction { func, args }) if OF_ALIKE.contains(&func.name()) => alike(args, schema),
        Expr::Case(Case { expr, when_then_expr, else_expr }) => {
            let base = expr.is_some();
            let (whens, thens): (Vec<_>, Vec<_>) =
                when_then_expr.iter_mut().map(|(when, then)| (when.as_mut(), then.as_mut())).unzip();
            let compared = expr.as_deref_mut().into_iter().chain(whens);
            let results = thens.into_iter().chain(else_expr.as_deref_mut());
            // Both may need it.
            (base && alike(compared, schema)) | alike(results, schema)
        }
        _ => false,
    };
    Ok(Transformed::new_transformed(expr, changed))
}

fn compares(operator: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(operator, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

/// Makes doubles of the decimals where there are floating-point numbers among the expressions, and decimals of the numbers
/// that are written where there are no others; whether there were any.
fn alike<'a>(exprs: impl IntoIterator<Item = &'a mut Expr>, schema: &DFSchema) -> bool {
    let mut typed: Vec<_> = exprs.into_iter().map(|expr| (expr.get_type(schema).ok(), expr)).collect();
    let floating =
        |(ty, expr): &(Option<DataType>, &mut Expr)| ty.as_ref().is_some_and(DataType::is_floating) && !is_short(expr);
    if !typed.iter().any(|(ty, _)| ty.as_ref().is_some_and(DataType::is_decimal)) {
        return false;
    }
    let mut changed = false;
    if !typed.iter().any(floating) {
        let exact: Vec<Option<Expr>> = typed.iter().map(|(_, expr)| exact_numbers::exact(expr)).collect();
        if exact.iter().all(Option::is_none) {
            return false;
        }
        let of_exact = exact.iter().flatten().filter_map(|expr| expr.get_type(schema).ok());
        let decimals = typed.iter().filter_map(|(ty, _)| ty.clone().filter(DataType::is_decimal));
        let all: Vec<DataType> = decimals.chain(of_exact).collect();
        // Where no decimal has room for all digits, all are doubles.
        if exact_numbers::together(&all).is_some() {
            for ((_, expr), exact) in typed.iter_mut().zip(exact) {
                if let Some(exact) = exact {
                    **expr = exact;
                }
            }
            return true;
        }
    }
    for (_, expr) in typed.iter_mut().filter(|(ty, _)| ty.as_ref().is_some_and(DataType::is_decimal)) {
        **expr = cast(take(*expr), DataType::Float64);
        changed = true;
    }
    changed
}

/// Whether it is a number that is written in the query, or calculated of such numbers, which a decimal holds exactly.
fn is_short(expr: &Expr) -> bool {
    exact_numbers::exact(expr).is_some()
}
