//! Which columns are stored, and which are computed on the way.

use super::function::has_floats;
use datafusion::common::{Column, DFSchema};
use datafusion::logical_expr::{Expr, LogicalPlan};
use std::collections::HashSet;

/// How far down it is looked. What lies deeper counts as computed: another function, and the same answer.
const DEPTH: usize = 64;

/// The columns with floating-point numbers in the inputs of an operator that are not read from a table as they are.
pub(super) fn made_columns(node: &LogicalPlan, schema: &DFSchema) -> HashSet<Column> {
    if matches!(node, LogicalPlan::TableScan(_)) {
        return HashSet::new();
    }
    let floats = schema.iter().filter(|(_, field)| has_floats(field.data_type()));
    let columns = floats.map(|(qualifier, field)| Column::new(qualifier.cloned(), field.name()));
    let is_made = |column: &Column| !node.inputs().iter().any(|input| is_stored(input, column, DEPTH));
    columns.filter(is_made).collect()
}

fn is_stored(plan: &LogicalPlan, column: &Column, depth: usize) -> bool {
    let Some(at) = plan.schema().maybe_index_of_column(column) else { return false };
    let Some(deeper) = depth.checked_sub(1) else { return false };
    match plan {
        LogicalPlan::TableScan(_) => true,
        LogicalPlan::Projection(projection) => match projection.expr.get(at).cloned().map(Expr::unalias) {
            Some(Expr::Column(column)) => is_stored(&projection.input, &column, deeper),
            _ => false,
        },
        LogicalPlan::SubqueryAlias(alias) => {
            alias.input.schema().columns().get(at).is_some_and(|column| is_stored(&alias.input, column, deeper))
        }
        LogicalPlan::Aggregate(aggregate) => match aggregate.group_expr.get(at).cloned().map(Expr::unalias) {
            Some(Expr::Column(column)) => is_stored(&aggregate.input, &column, deeper),
            _ => false,
        },
        LogicalPlan::Filter(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::Limit(_)
        | LogicalPlan::Repartition(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::Window(_)
        | LogicalPlan::Join(_) => plan.inputs().iter().any(|input| is_stored(input, column, deeper)),
        _ => false,
    }
}
