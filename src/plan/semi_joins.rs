//! EXISTS and IN ask whether there is a match, and DataFusion's hash join goes through all of them: two tables that have a
//! key a thousand times each are a million pairs, for one key. So the keys that are only looked for are made few before.
//!
//! They are grouped as they come. Where hardly any key is there twice, the aggregation finds that out by itself and hands
//! on what comes; the keys need not be distinct, and the answer is the same.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{JoinType, Result, internal_err};
use datafusion::logical_expr::{ExprSchemable, Join};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode, PhysicalGroupBy};
use datafusion::physical_plan::joins::HashJoinExec;
use std::sync::Arc;

type Plan = Arc<dyn ExecutionPlan>;
type Key = Arc<dyn PhysicalExpr>;

/// Groups what is only looked for by its keys. Runs where the sides of joins have their places.
#[derive(Debug)]
pub(super) struct SemiJoins;

impl PhysicalOptimizerRule for SemiJoins {
    fn optimize(&self, plan: Plan, _: &ConfigOptions) -> Result<Plan> {
        let grouped = plan.transform_up(|node| match node.downcast_ref::<HashJoinExec>() {
            Some(join) if is_grouped(join)? => Ok(Transformed::yes(grouped(join)?)),
            _ => Ok(Transformed::no(node)),
        })?;
        Ok(grouped.data)
    }

    fn name(&self) -> &str {
        "semi_joins"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether a join only asks whether there is a match, by keys alone, so that its pairs are few: no more than the rows that
/// it keeps, for each time that the grouped keys still hold one.
pub fn has_few_pairs(join: &Join) -> bool {
    use JoinType::{LeftAnti, LeftMark, LeftSemi};
    let schema = join.right.schema();
    let is_key = |key: &datafusion::logical_expr::Expr| key.get_type(schema).is_ok_and(|ty| is_plain(&ty));
    matches!(join.join_type, LeftSemi | LeftAnti | LeftMark)
        && join.filter.is_none()
        && !join.on.is_empty()
        && join.on.iter().all(|(_, key)| is_key(key))
}

/// Whether values of a type are equal for a group exactly where they are for a join. Numbers with two zeros are not.
fn is_plain(ty: &DataType) -> bool {
    !ty.is_floating() && !ty.is_nested() && !matches!(ty, DataType::Interval(_) | DataType::Null)
}

fn is_grouped(join: &HashJoinExec) -> Result<bool> {
    use JoinType::{LeftAnti, LeftMark, LeftSemi, RightAnti, RightMark, RightSemi};
    let kind = join.join_type();
    if !matches!(kind, LeftSemi | LeftAnti | LeftMark | RightSemi | RightAnti | RightMark) || join.filter().is_some() {
        return Ok(false);
    }
    let (side, keys) = looked_for(join);
    let schema = side.schema();
    for key in &keys {
        if !is_plain(&key.data_type(&schema)?) {
            return Ok(false);
        }
    }
    Ok(!side.is::<AggregateExec>())
}

/// The side that is only looked for, and its keys.
fn looked_for(join: &HashJoinExec) -> (&Plan, Vec<Key>) {
    use JoinType::{LeftAnti, LeftMark, LeftSemi};
    let (left, right) = join.on().iter().map(|(left, right)| (Arc::clone(left), Arc::clone(right))).unzip();
    if matches!(join.join_type(), LeftSemi | LeftAnti | LeftMark) { (join.right(), right) } else { (join.left(), left) }
}

fn grouped(join: &HashJoinExec) -> Result<Plan> {
    let (side, keys) = looked_for(join);
    let is_right = Arc::ptr_eq(side, join.right());
    let named = keys.into_iter().enumerate().map(|(at, key)| (key, format!("key{at}"))).collect();
    let aggregate = AggregateExec::try_new(
        AggregateMode::Partial,
        PhysicalGroupBy::new_single(named),
        Vec::new(),
        Vec::new(),
        Arc::clone(side),
        side.schema(),
    )?;
    let aggregate: Plan = Arc::new(aggregate);
    let key = |at: usize| -> Key { Arc::new(Column::new(&format!("key{at}"), at)) };
    let on =
        join.on().iter().enumerate().map(|(at, (left, right))| {
            if is_right { (Arc::clone(left), key(at)) } else { (key(at), Arc::clone(right)) }
        });
    let on: Vec<(Key, Key)> = on.collect();
    if on.is_empty() {
        return internal_err!("a hash join has no keys");
    }
    let sides =
        if is_right { vec![Arc::clone(join.left()), aggregate] } else { vec![aggregate, Arc::clone(join.right())] };
    join.builder().with_on(on).with_new_children(sides)?.recompute_properties().build_exec()
}
