//! Columns of decimals that meet columns of floating-point numbers: in unions, in the keys of joins, in subqueries.

use super::is_short;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, JoinConstraint, Result};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Join, LogicalPlan, LogicalPlanBuilder, Projection, Subquery, Union, cast,
};
use std::mem::take;
use std::sync::Arc;

/// Makes doubles of the columns of decimals that are put together with floating-point numbers.
pub(super) fn united(union: Union) -> Result<Transformed<LogicalPlan>> {
    let of_both: Vec<bool> = (0..union.schema.fields().len())
        .map(|at| {
            let is_decimal = |input: &Arc<LogicalPlan>| input.schema().field(at).data_type().is_decimal();
            union.inputs.iter().any(is_decimal) && union.inputs.iter().any(|input| is_floating(input, at))
        })
        .collect();
    if !of_both.contains(&true) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let double = |at: usize| of_both.get(at) == Some(&true);
    let inputs = union.inputs.iter().map(|input| as_doubles(input, double)).collect::<Result<_>>()?;
    Ok(Transformed::yes(LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?)))
}

/// The plan with the types that its inputs have now; a union keeps its own otherwise.
pub(in crate::plan) fn with_types_of_inputs(plan: LogicalPlan) -> Result<LogicalPlan> {
    match plan {
        LogicalPlan::Union(union) => Ok(LogicalPlan::Union(Union::try_new_with_loose_types(union.inputs)?)),
        other => other.recompute_schema(),
    }
}

/// Makes doubles of decimals in the keys of a join, which those of `INTERSECT` and `EXCEPT` are too.
pub(super) fn joined(mut join: Join) -> Result<Transformed<LogicalPlan>> {
    let (left, right) = (Arc::clone(join.left.schema()), Arc::clone(join.right.schema()));
    let mut changed = false;
    for (one, other) in &mut join.on {
        let (Ok(of_one), Ok(of_other)) = (one.get_type(&left), other.get_type(&right)) else { continue };
        if of_one.is_decimal() && of_other.is_floating() {
            *one = cast(take(one), DataType::Float64);
        } else if of_one.is_floating() && of_other.is_decimal() {
            *other = cast(take(other), DataType::Float64);
        } else {
            continue;
        }
        changed = true;
        // The keys are no columns of one name any more.
        join.join_constraint = JoinConstraint::On;
    }
    Ok(Transformed::new_transformed(LogicalPlan::Join(join), changed))
}

/// Makes doubles of decimals in a value, or in the column of a subquery that it is compared with.
pub(super) fn looked_up(expr: &mut Expr, subquery: &mut Subquery, schema: &DFSchema) -> Result<bool> {
    // What has no type yet, DataFusion gives one.
    let Ok(value) = expr.get_type(schema) else { return Ok(false) };
    let rows = subquery.subquery.schema().field(0).data_type();
    if value.is_decimal() && rows.is_floating() {
        *expr = cast(take(expr), DataType::Float64);
    } else if value.is_floating() && rows.is_decimal() && !is_short(expr) {
        *subquery = subquery.with_plan(as_doubles(&subquery.subquery, |_| true)?);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// Whether a column has floating-point numbers that are not written in the query.
fn is_floating(plan: &LogicalPlan, at: usize) -> bool {
    let written = match plan {
        LogicalPlan::Projection(Projection { expr, .. }) => {
            expr.get(at).is_some_and(|expr| is_short(&expr.clone().unalias()))
        }
        _ => false,
    };
    plan.schema().field(at).data_type().is_floating() && !written
}

fn as_doubles(plan: &Arc<LogicalPlan>, chosen: impl Fn(usize) -> bool) -> Result<Arc<LogicalPlan>> {
    let columns = plan.schema().iter().enumerate().map(|(at, (qualifier, field))| {
        let column = Expr::Column(Column::from((qualifier, field)));
        if chosen(at) && field.data_type().is_decimal() {
            cast(column, DataType::Float64).alias_qualified(qualifier.cloned(), field.name())
        } else {
            column
        }
    });
    LogicalPlanBuilder::from(Arc::clone(plan)).project(columns)?.build().map(Arc::new)
}
