//! Subqueries as DataFusion joins them without mistaking their columns and rows.
//!
//! The conditions that tie a subquery to the rows outside of it become those of a join, and the columns in them are found
//! by their names alone: `b.k = a.k AND c.k > a.j` compared one column with both. So columns of one name get names of their
//! own first. A subquery with an aggregate and no groups has one row whatever it finds, also where the join finds nothing:
//! `EXISTS` is true then, and `IN` an `=`. What is left of both is refused. And an `x = x` of outer rows is left out of the
//! join, as if it were true where `x` is null ([`spelled_out`]).

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result, not_impl_err};
use datafusion::logical_expr::expr::{Exists, InSubquery};
use datafusion::logical_expr::utils::{conjunction, split_conjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    BinaryExpr, Distinct, EmptyRelation, Expr, Filter, LogicalPlan, LogicalPlanBuilder, Operator, Subquery, lit,
};
use datafusion::optimizer::OptimizerConfig;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A subquery in a form that is joined rightly; any other expression as it is.
///
/// Errors: a subquery that DataFusion would join and get other rows for.
pub(super) fn untangled(expr: Expr, config: &dyn OptimizerConfig) -> Result<Transformed<Expr>> {
    Ok(match expr {
        Expr::Exists(Exists { subquery, negated }) if has_one_row(&subquery.subquery) => {
            Transformed::yes(lit(!negated))
        }
        Expr::InSubquery(InSubquery { expr, subquery, negated }) if has_one_row(&subquery.subquery) => {
            let value = Expr::ScalarSubquery(renamed(subquery, true, config)?.data);
            Transformed::yes(if negated { Expr::not_eq(*expr, value) } else { Expr::eq(*expr, value) })
        }
        Expr::Exists(Exists { subquery, negated }) => {
            check(&subquery.subquery)?;
            renamed(subquery, false, config)?.update_data(|subquery| Expr::Exists(Exists { subquery, negated }))
        }
        Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
            check(&subquery.subquery)?;
            let renamed = renamed(subquery, false, config)?;
            renamed.update_data(|subquery| Expr::InSubquery(InSubquery { expr, subquery, negated }))
        }
        Expr::ScalarSubquery(subquery) => renamed(subquery, true, config)?.update_data(Expr::ScalarSubquery),
        other => Transformed::no(other),
    })
}

/// A filter with `x IS NOT NULL` for every `x = x` that it has of outer rows.
pub(super) fn spelled_out(filter: Filter) -> Result<Transformed<Filter>> {
    if !split_conjunction(&filter.predicate).into_iter().any(is_left_out) {
        return Ok(Transformed::no(filter));
    }
    let parts = split_conjunction_owned(filter.predicate).into_iter().map(|part| match part {
        // It has another value on either side.
        part if part.is_volatile() && is_left_out(&part) => part.is_true(),
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) if left == right && left.contains_outer() => {
            left.is_not_null()
        }
        part => part,
    });
    let predicate = conjunction(parts).unwrap_or_else(|| lit(true));
    Filter::try_new(predicate, filter.input).map(Transformed::yes)
}

/// Whether DataFusion makes no condition of a join of it, though it is one on outer rows.
fn is_left_out(part: &Expr) -> bool {
    match part {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => left == right && left.contains_outer(),
        _ => false,
    }
}

/// Whether there is always exactly one row.
pub(super) fn has_one_row(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Aggregate(aggregate) => aggregate.group_expr.is_empty(),
        LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row, .. }) => *produce_one_row,
        LogicalPlan::Projection(projection) => has_one_row(&projection.input),
        LogicalPlan::SubqueryAlias(alias) => has_one_row(&alias.input),
        LogicalPlan::Sort(sort) => sort.fetch.is_none() && has_one_row(&sort.input),
        LogicalPlan::Distinct(Distinct::All(input)) => has_one_row(input),
        _ => false,
    }
}

/// Refuses an aggregate without groups of rows that are tied to outer ones, where not all of its rows are wanted.
pub(super) fn check(plan: &LogicalPlan) -> Result<()> {
    let mut found = false;
    plan.apply(|node| {
        if let LogicalPlan::Aggregate(aggregate) = node {
            found |= aggregate.group_expr.is_empty() && !aggregate.input.all_out_ref_exprs().is_empty();
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    if found {
        not_impl_err!("a correlated subquery of an aggregate without GROUP BY, with conditions on it")
    } else {
        Ok(())
    }
}

/// Refuses a condition on outer rows with several subqueries in it: they would be taken for one.
pub(super) fn check_condition(condition: &Expr) -> Result<()> {
    if !condition.contains_outer() {
        return Ok(());
    }
    let mut subqueries = 0;
    condition.apply(|expr| {
        subqueries += usize::from(matches!(expr, Expr::Exists(_) | Expr::InSubquery(_)));
        Ok(TreeNodeRecursion::Continue)
    })?;
    if subqueries > 1 {
        return not_impl_err!("a condition of a correlated subquery on the outer rows, with other subqueries in it");
    }
    Ok(())
}

/// The subquery, with a name of its own for every column that it is tied by and that shares its name. Of one that gives a
/// value, the value's name is taken too.
fn renamed(subquery: Subquery, has_value: bool, config: &dyn OptimizerConfig) -> Result<Transformed<Subquery>> {
    let ties = ties(&subquery.subquery)?;
    let schema = subquery.subquery.schema();
    let is_shared = |column: &Column| {
        ties.iter().any(|other| other.name == column.name && other.relation != column.relation)
            || has_value && schema.fields().iter().any(|field| *field.name() == column.name)
    };
    let shared: BTreeSet<Column> = ties.iter().filter(|column| is_shared(column)).cloned().collect();
    if shared.is_empty() {
        return Ok(Transformed::no(subquery));
    }
    let Subquery { subquery, outer_ref_columns, spans } = subquery;
    let plan = Arc::unwrap_or_clone(subquery).transform_up(|node| match node {
        LogicalPlan::Filter(filter) => rename_in(filter, &shared, config),
        other => Ok(Transformed::no(other)),
    })?;
    Ok(Transformed::yes(Subquery { subquery: Arc::new(plan.data), outer_ref_columns, spans }))
}

/// The columns in the conditions on outer rows.
fn ties(plan: &LogicalPlan) -> Result<BTreeSet<Column>> {
    let mut found = BTreeSet::new();
    plan.apply(|node| {
        if let LogicalPlan::Filter(filter) = node {
            let tied = split_conjunction(&filter.predicate).into_iter().filter(|part| part.contains_outer());
            found.extend(tied.flat_map(|part| part.column_refs().into_iter().cloned()));
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(found)
}

fn rename_in(
    filter: Filter,
    shared: &BTreeSet<Column>,
    config: &dyn OptimizerConfig,
) -> Result<Transformed<LogicalPlan>> {
    let tied =
        |part: &Expr| part.contains_outer() && part.column_refs().into_iter().any(|column| shared.contains(column));
    if !split_conjunction(&filter.predicate).into_iter().any(tied) {
        return Ok(Transformed::no(LogicalPlan::Filter(filter)));
    }
    let given = filter.input.schema().columns();
    let names: Vec<(Column, String)> = shared
        .iter()
        .filter(|column| given.contains(column))
        .map(|column| (column.clone(), config.alias_generator().next("qtool_tie")))
        .collect();
    let own = names.iter().map(|(column, name)| Expr::Column(column.clone()).alias(name));
    let all: Vec<Expr> = given.iter().cloned().map(Expr::Column).chain(own).collect();
    let rename = |expr: Expr| match &expr {
        Expr::Column(column) => match names.iter().find(|(shared, _)| shared == column) {
            Some((_, name)) => Ok(Transformed::yes(Expr::Column(Column::new_unqualified(name)))),
            None => Ok(Transformed::no(expr)),
        },
        _ => Ok(Transformed::no(expr)),
    };
    let parts = split_conjunction_owned(filter.predicate)
        .into_iter()
        .map(|part| if tied(&part) { part.transform_up(rename).map(|part| part.data) } else { Ok(part) });
    let predicate = conjunction(parts.collect::<Result<Vec<_>>>()?).unwrap_or_else(|| lit(true));
    let plan = LogicalPlanBuilder::from(Arc::unwrap_or_clone(filter.input))
        .project(all)?
        .filter(predicate)?
        .project(given.into_iter().map(Expr::Column))?
        .build()?;
    Ok(Transformed::yes(plan))
}
