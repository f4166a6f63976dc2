//! Groups of spans of time: equal lengths are one group, which shows the smallest of its spans, part by part.

use super::extreme::smallest;
use super::{by_length, is_span};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::utils::grouping_set_to_exprlist;
use datafusion::logical_expr::{Aggregate, Expr, GroupingSet, LogicalPlan, Projection, when};
use std::sync::Arc;

/// `GROUP BY`, by the lengths of spans.
pub(super) fn aggregate(aggregate: Aggregate) -> Result<Transformed<LogicalPlan>> {
    let input = Arc::clone(aggregate.input.schema());
    let keys: Vec<Expr> = grouping_set_to_exprlist(&aggregate.group_expr)?.into_iter().cloned().collect();
    if !keys.iter().any(|key| is_span(key, &input)) {
        return Ok(Transformed::no(LogicalPlan::Aggregate(aggregate)));
    }
    let has_sets = matches!(aggregate.group_expr.as_slice(), [Expr::GroupingSet(_)]);
    let mut shown = Vec::new();
    let mut calls = aggregate.aggr_expr;
    for (at, key) in keys.iter().enumerate().filter(|(_, key)| is_span(key, &input)) {
        shown.push((at, calls.len()));
        calls.push(of_group(key.clone()).alias(format!("__span_{at}")));
    }
    let groups = aggregate.group_expr.into_iter().map(|group| keyed(group, &input)).collect::<Result<_>>()?;
    let by_lengths = Aggregate::try_new(aggregate.input, groups, calls)?;
    let columns: Vec<Expr> = by_lengths.schema.columns().into_iter().map(Expr::Column).collect();
    let first_call = columns.len() - by_lengths.aggr_expr.len();
    let restored = aggregate.schema.iter().zip(&columns).enumerate().map(|(at, ((qualifier, field), column))| {
        let span = shown.iter().find(|(key, _)| *key == at).and_then(|(_, call)| columns.get(first_call + call));
        let value = match span {
            // A key that a set leaves out is null.
            Some(span) if has_sets => when(column.clone().is_not_null(), span.clone()).end()?,
            Some(span) => span.clone(),
            None => return Ok(column.clone()),
        };
        Ok(value.alias_qualified(qualifier.cloned(), field.name()))
    });
    let restored = restored.collect::<Result<Vec<Expr>>>()?;
    let input = Arc::new(LogicalPlan::Aggregate(by_lengths));
    Ok(Transformed::yes(LogicalPlan::Projection(Projection::try_new(restored, input)?)))
}

/// `DISTINCT`, and with it `UNION`.
pub(super) fn distinct(input: Arc<LogicalPlan>) -> Result<Transformed<LogicalPlan>> {
    let columns: Vec<Expr> = input.schema().columns().into_iter().map(Expr::Column).collect();
    if !columns.iter().any(|column| is_span(column, input.schema())) {
        let same = LogicalPlan::Distinct(datafusion::logical_expr::Distinct::All(input));
        return Ok(Transformed::no(same));
    }
    aggregate(Aggregate::try_new(input, columns, Vec::new())?)
}

fn keyed(group: Expr, input: &DFSchema) -> Result<Expr> {
    let all = |keys: Vec<Expr>| keys.into_iter().map(|key| by_length(key, input)).collect::<Result<Vec<_>>>();
    Ok(match group {
        Expr::GroupingSet(GroupingSet::Rollup(keys)) => Expr::GroupingSet(GroupingSet::Rollup(all(keys)?)),
        Expr::GroupingSet(GroupingSet::Cube(keys)) => Expr::GroupingSet(GroupingSet::Cube(all(keys)?)),
        Expr::GroupingSet(GroupingSet::GroupingSets(sets)) => {
            let sets = sets.into_iter().map(all).collect::<Result<_>>()?;
            Expr::GroupingSet(GroupingSet::GroupingSets(sets))
        }
        key => by_length(key, input)?,
    })
}

fn of_group(key: Expr) -> Expr {
    let key = key.unalias();
    Expr::AggregateFunction(AggregateFunction::new_udf(smallest(), vec![key], false, None, Vec::new(), None))
}
