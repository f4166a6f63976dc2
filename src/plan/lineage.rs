//! Where an operator has its columns from, to tell whether what DataFusion finds by name is the same column.

use datafusion::arrow::datatypes::Schema;
use datafusion::common::{JoinSide, JoinType};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::HashJoinExec;
use datafusion::physical_plan::joins::utils::{ColumnIndex, build_join_schema};
use datafusion::physical_plan::projection::ProjectionExec;
use std::sync::Arc;

/// Whether a filter over what an operator gives, rewritten by name for its inputs, is over the same columns there.
pub(super) fn is_kept(node: &Arc<dyn ExecutionPlan>, filter: &Arc<dyn PhysicalExpr>) -> bool {
    let columns = collect_columns(filter);
    if columns.is_empty() {
        return true;
    }
    if let Some(projection) = node.downcast_ref::<ProjectionExec>() {
        // Its own columns are looked up by name, and replaced by what the last of that name is computed from.
        let own = projection.schema();
        return columns.iter().all(|column| is_only_one(&own, column.name(), column.index()));
    }
    if let Some(join) = node.downcast_ref::<HashJoinExec>() {
        let from = join_columns(join);
        return columns
            .iter()
            .all(|column| from.get(column.index()).is_some_and(|from| side_keeps(join, column, from)));
    }
    if let Some(aggregate) = node.downcast_ref::<AggregateExec>() {
        let input = aggregate.input().schema();
        return columns.iter().all(|column| {
            let group = aggregate.group_expr().expr().get(column.index());
            let key = group.and_then(|(key, _)| key.downcast_ref::<Column>());
            // What is computed is no column of the input, whatever it is called.
            key.is_some_and(|key| is_at(&input, column.name(), key.index()))
        });
    }
    if let Some(filter) = node.downcast_ref::<FilterExec>() {
        return columns.iter().all(|column| is_below(filter, column));
    }
    // All others hand their inputs' columns on, each at its place.
    let is_same = |input: &Arc<dyn ExecutionPlan>| {
        let schema = input.schema();
        columns.iter().all(|column| is_at(&schema, column.name(), column.index()))
    };
    node.children().into_iter().all(is_same)
}

/// Whether an operator can take a filter in as its own: one that filters and picks columns looks for them by name.
pub(super) fn can_hold(node: &Arc<dyn ExecutionPlan>, filter: &Arc<dyn PhysicalExpr>) -> bool {
    let Some(holder) = node.downcast_ref::<FilterExec>() else { return true };
    collect_columns(filter).iter().all(|column| is_below(holder, column))
}

/// Whether a column of what a filter lets through is found in its input by name.
fn is_below(filter: &FilterExec, column: &Column) -> bool {
    let place = match filter.projection() {
        Some(picked) => picked.get(column.index()).copied(),
        None => Some(column.index()),
    };
    place.is_some_and(|place| is_at(&filter.input().schema(), column.name(), place))
}

/// Whether the first column of a name is the one at a place.
fn is_at(schema: &Schema, name: &str, place: usize) -> bool {
    schema.index_of(name).is_ok_and(|found| found == place)
}

/// Whether the only column of a name is the one at a place.
fn is_only_one(schema: &Schema, name: &str, place: usize) -> bool {
    let mut found = schema.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
    found.next().is_some_and(|(at, _)| at == place) && found.next().is_none()
}

/// Which column of which side each column of a join is.
fn join_columns(join: &HashJoinExec) -> Vec<ColumnIndex> {
    let (_, all) = build_join_schema(&join.left().schema(), &join.right().schema(), join.join_type());
    match join.projection.as_ref() {
        Some(picked) => picked.iter().filter_map(|at| all.get(*at).cloned()).collect(),
        None => all,
    }
}

/// Whether a column of a join is found by name in the side it comes from. Behind a semi join, a key is looked for in the
/// other side too, under the same name.
fn side_keeps(join: &HashJoinExec, column: &Column, from: &ColumnIndex) -> bool {
    let (here, there) = match from.side {
        JoinSide::Left => (join.left(), join.right()),
        JoinSide::Right => (join.right(), join.left()),
        JoinSide::None => return true,
    };
    let is_semi = matches!(join.join_type(), JoinType::LeftSemi | JoinType::RightSemi);
    is_at(&here.schema(), column.name(), from.index) && (!is_semi || other_keeps(join, column, from, &there.schema()))
}

/// Whether the other side has nothing of that name, or the key that is equal to it.
fn other_keeps(join: &HashJoinExec, column: &Column, from: &ColumnIndex, there: &Schema) -> bool {
    let Ok(found) = there.index_of(column.name()) else { return true };
    let mut keys = join.on().iter().filter_map(|(left, right)| {
        let (left, right) = (left.downcast_ref::<Column>()?.index(), right.downcast_ref::<Column>()?.index());
        Some(if from.side == JoinSide::Left { (left, right) } else { (right, left) })
    });
    let is_key = join.on().iter().any(|(left, right)| {
        let key = if from.side == JoinSide::Left { left } else { right };
        key.downcast_ref::<Column>().is_some_and(|key| key.index() == from.index)
    });
    !is_key || keys.any(|(own, other)| own == from.index && other == found)
}
