//! Subqueries that go by the rows around them, where DataFusion has no join for them: `LATERAL` and `unnest` of a column in
//! FROM, and as a value or a condition those with LIMIT, with an aggregate over an inequality, or over an `unnest`.
//!
//! SQL says that such a subquery is evaluated for each outer row. Here all outer rows are carried through it at once
//! ([`carried`]): under names of their own ([`frame`]), with a number for each row where rows have to be told apart. A LIMIT
//! counts the rows of each number, an aggregate groups by it. So an outer row is read once, two equal rows stay two, and
//! whatever the subquery does with NULL, with ties or with no rows at all it does for each outer row.
//!
//! What DataFusion makes a join of by itself is left to it. What is understood by neither is refused.

mod carried;
mod frame;
mod ties_above;

use super::ties;
use carried::{Carrier, Keep, numbered_for};
use datafusion::common::alias::AliasGenerator;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, JoinType, Result, ScalarValue, not_impl_err};
use datafusion::logical_expr::expr::{Case, Exists, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, split_conjunction_owned};
use datafusion::logical_expr::{
    Expr, ExprSchemable, Filter, Join, LogicalPlan, LogicalPlanBuilder, Subquery, SubqueryAlias, lit, not,
};
use datafusion::optimizer::decorrelate::PullUpCorrelatedExpr;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use frame::{Frame, Numbered, filtered, projected, subquery_of, where_there};
use std::sync::Arc;

/// The rule. It comes before all that make joins of subqueries.
#[derive(Debug)]
pub(super) struct DependentJoins;

impl OptimizerRule for DependentJoins {
    fn name(&self) -> &str {
        "qtool_dependent_joins"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if !is_concerned(&plan)? {
            return Ok(Transformed::no(plan));
        }
        let unique = config.alias_generator();
        let plan = plan.transform_down_with_subqueries(filtered_first)?;
        plan.transform_data(|plan| plan.transform_up_with_subqueries(|node| rewritten(node, unique)))
    }
}

/// Whether there is a subquery at all. Most queries have none, and every call is planned in time.
fn is_concerned(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|node| {
        let mut found = matches!(node, LogicalPlan::Subquery(_));
        node.apply_expressions(|expr| {
            found |= has(expr, &|_| true);
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(found)
    })
}

fn has(expr: &Expr, which: &dyn Fn(&Subquery) -> bool) -> bool {
    expr.exists(|expr| Ok(subquery_of(expr).is_some_and(which))).unwrap_or(true)
}

/// Conditions on the outer rows alone, before subqueries are evaluated for them.
fn filtered_first(node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let LogicalPlan::Filter(filter) = node else { return Ok(Transformed::no(node)) };
    let Some(join) = lateral(&filter.input) else { return Ok(Transformed::no(LogicalPlan::Filter(filter))) };
    let is_of_left = |condition: &Expr| {
        !has(condition, &|_| true)
            && !condition.is_volatile()
            && condition.column_refs().into_iter().all(|column| join.left.schema().has_column(column))
    };
    let (of_left, others): (Vec<_>, Vec<_>) =
        split_conjunction_owned(filter.predicate.clone()).into_iter().partition(is_of_left);
    let Some(of_left) = conjunction(of_left) else { return Ok(Transformed::no(LogicalPlan::Filter(filter))) };
    let left = Arc::new(filtered(join.left.as_ref().clone(), of_left)?);
    let joined = LogicalPlan::Join(Join { left, ..join.clone() });
    Ok(Transformed::yes(match conjunction(others) {
        Some(others) => LogicalPlan::Filter(Filter::try_new(others, Arc::new(joined))?),
        None => joined,
    }))
}

/// A join whose right side goes by the rows of the left one, as a whole or with something in it: in `FROM t, LATERAL (…) s
/// LEFT JOIN LATERAL (…) r` that of `t` is the join of the other two.
fn lateral(plan: &LogicalPlan) -> Option<&Join> {
    let LogicalPlan::Join(join) = plan else { return None };
    let goes_by_left = |subquery: &Subquery| {
        let of_left = |expr: &Expr| match expr {
            Expr::OuterReferenceColumn(_, column) => join.left.schema().has_column(column),
            _ => false,
        };
        subquery.subquery.all_out_ref_exprs().iter().any(of_left)
    };
    let is_lateral = match join.right.as_ref() {
        LogicalPlan::Subquery(_) => true,
        LogicalPlan::SubqueryAlias(alias) if matches!(alias.input.as_ref(), LogicalPlan::Subquery(_)) => true,
        other => {
            let is_it = |node: &LogicalPlan| matches!(node, LogicalPlan::Subquery(subquery) if goes_by_left(subquery));
            other.exists(|node| Ok(is_it(node))).unwrap_or(true)
        }
    };
    is_lateral.then_some(join)
}

fn rewritten(node: LogicalPlan, unique: &AliasGenerator) -> Result<Transformed<LogicalPlan>> {
    if let Some(join) = lateral(&node) {
        return Ok(match lateral_join(join, unique)? {
            Some(plan) => Transformed::yes(plan),
            None => Transformed::no(node),
        });
    }
    match node {
        LogicalPlan::Filter(filter) => filter_by_values(filter, unique),
        LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_) => computed(node, unique),
        other => Ok(Transformed::no(other)),
    }
}

/// A lateral join as joins of other kinds; `None` where its right side goes by rows further out alone.
fn lateral_join(join: &Join, unique: &AliasGenerator) -> Result<Option<LogicalPlan>> {
    let keep = match join.join_type {
        JoinType::Inner => Keep::Matched,
        JoinType::Left => Keep::All,
        _ => return not_impl_err!("LATERAL on the right of a join that keeps other rows than a LEFT JOIN"),
    };
    let inner = match join.right.as_ref() {
        LogicalPlan::Subquery(subquery) => subquery.subquery.as_ref().clone(),
        LogicalPlan::SubqueryAlias(SubqueryAlias { input, alias, .. }) => match input.as_ref() {
            LogicalPlan::Subquery(subquery) => {
                LogicalPlan::SubqueryAlias(SubqueryAlias::try_new(Arc::clone(&subquery.subquery), alias.clone())?)
            }
            _ => join.right.as_ref().clone(),
        },
        other => other.clone(),
    };
    let on = join.on.iter().map(|(left, right)| left.clone().eq(right.clone()));
    let conditions = on.chain(join.filter.clone().into_iter().flat_map(split_conjunction_owned));
    let condition = conjunction(conditions.filter(|condition| *condition != lit(true)));
    let mut frame = Frame::of(join.left.as_ref().clone(), Numbered::No, unique)?;
    if !frame.ties(&inner) {
        return Ok(None);
    }
    let of_condition = match (&condition, keep) {
        (Some(condition), Keep::All) if has(condition, &|_| true) => {
            return not_impl_err!("a subquery in the ON of a LEFT JOIN LATERAL");
        }
        (Some(_), Keep::All) => Numbered::Yes,
        _ => Numbered::No,
    };
    if of_condition == Numbered::Yes || numbered_for(&inner, keep, &|plan| frame.ties(plan)) == Numbered::Yes {
        frame = frame.numbered(unique)?;
    }
    let carrier = Carrier { frame: &frame, keep, unique };
    let mut carried = carrier.carried(&inner)?;
    if let (Some(condition), Keep::All) = (&condition, keep) {
        carried = carrier.kept(carried, frame.of_outer(condition.clone())?)?;
    }
    let mut columns = frame.given();
    for column in inner.schema().columns() {
        columns.push(match &carried.mark {
            Some(mark) => where_there(mark, Expr::Column(column.clone())).alias_qualified(column.relation, column.name),
            None => Expr::Column(column),
        });
    }
    let plan = projected(columns, carried.plan)?;
    Ok(Some(match (condition, keep) {
        (Some(condition), Keep::Matched) => filtered(plan, condition)?,
        _ => plan,
    }))
}

/// A filter with values of subqueries in it: those are computed below it, for the rows that its other conditions leave.
fn filter_by_values(filter: Filter, unique: &AliasGenerator) -> Result<Transformed<LogicalPlan>> {
    let is_own = |condition: &Expr| has_own(condition, Place::Row);
    let (with, without): (Vec<_>, Vec<_>) =
        split_conjunction_owned(filter.predicate.clone()).into_iter().partition(is_own);
    let Some(condition) = conjunction(with) else { return Ok(Transformed::no(LogicalPlan::Filter(filter))) };
    let given: Vec<Expr> = filter.input.schema().columns().into_iter().map(Expr::Column).collect();
    let mut below = match conjunction(without) {
        Some(first) => filtered(filter.input.as_ref().clone(), first)?,
        None => filter.input.as_ref().clone(),
    };
    let condition = with_values(condition, Place::Row, (&mut below, unique))?;
    Ok(Transformed::yes(projected(given, filtered(below, condition)?)?))
}

/// An operator that computes with values of subqueries.
fn computed(node: LogicalPlan, unique: &AliasGenerator) -> Result<Transformed<LogicalPlan>> {
    let place = if matches!(node, LogicalPlan::Aggregate(_)) { Place::Group } else { Place::Row };
    let expressions = node.expressions();
    if !expressions.iter().any(|expr| has_own(expr, place)) {
        return Ok(Transformed::no(node));
    }
    if expressions.iter().any(|expr| matches!(expr, Expr::GroupingSet(_)) && has_own(expr, place)) {
        return not_impl_err!("a correlated subquery in grouping sets");
    }
    let Some(mut below) = node.inputs().first().map(|input| LogicalPlan::clone(input)) else {
        return Ok(Transformed::no(node));
    };
    let names = NamePreserver::new(&node);
    let mut own = Vec::new();
    for expr in expressions {
        let name = names.save(&expr);
        own.push(name.restore(with_values(expr, place, (&mut below, unique))?));
    }
    node.with_new_exprs(own, vec![below]).map(Transformed::yes)
}

/// An expression with columns in the places of the subqueries that are evaluated here. `below` gets those columns.
fn with_values(expr: Expr, place: Place, (below, unique): (&mut LogicalPlan, &AliasGenerator)) -> Result<Expr> {
    let replaced = expr.transform_down(|expr| {
        if !is_own(&expr, place) {
            return Ok(Transformed::no(expr));
        }
        let value = match expr {
            Expr::ScalarSubquery(subquery) => Expr::Column(value(subquery.subquery.as_ref().clone(), below, unique)?),
            Expr::Exists(Exists { subquery, negated }) => {
                let found = exists(subquery.subquery.as_ref().clone(), below, unique)?;
                if negated { not(found) } else { found }
            }
            Expr::InSubquery(within) => is_in(within, below, unique)?,
            _ => return not_impl_err!("a comparison with all rows of a correlated subquery"),
        };
        Ok(Transformed::new(value, true, TreeNodeRecursion::Jump))
    })?;
    Ok(replaced.data)
}

/// Puts the value of a subquery of one column beside the rows of a plan; it is NULL where the subquery has no row.
fn value(inner: LogicalPlan, below: &mut LogicalPlan, unique: &AliasGenerator) -> Result<Column> {
    let value = Column::new_unqualified(unique.next("qtool_value"));
    let Some(only) = inner.schema().columns().into_iter().next() else {
        return not_impl_err!("a subquery without a column as a value");
    };
    let inner = projected(vec![Expr::Column(only).alias(&value.name)], inner)?;
    let mut frame = Frame::of(below.clone(), Numbered::No, unique)?;
    if numbered_for(&inner, Keep::All, &|plan| frame.ties(plan)) == Numbered::Yes {
        frame = frame.numbered(unique)?;
    }
    let carried = Carrier { frame: &frame, keep: Keep::All, unique }.carried(&inner)?;
    let found = Expr::Column(value.clone());
    let mut columns = frame.given();
    columns.push(match &carried.mark {
        Some(mark) => where_there(mark, found).alias(&value.name),
        None => found,
    });
    *below = projected(columns, carried.plan)?;
    Ok(value)
}

/// Whether a subquery has a row.
fn exists(inner: LogicalPlan, below: &mut LogicalPlan, unique: &AliasGenerator) -> Result<Expr> {
    let first = LogicalPlanBuilder::from(inner).limit(0, Some(1))?.build()?;
    let found = value(projected(vec![lit(true).alias("found")], first)?, below, unique)?;
    Ok(Expr::Column(found).is_not_null())
}

/// `x IN (S)`: true where a row is equal, NULL where none is and one may be.
fn is_in(within: InSubquery, below: &mut LogicalPlan, unique: &AliasGenerator) -> Result<Expr> {
    let InSubquery { expr, subquery, negated } = within;
    let inner = subquery.subquery.as_ref().clone();
    let schema = Arc::clone(below.schema());
    let looked_for = expr.transform_up(|expr| match expr {
        Expr::Column(column) => {
            let field = Expr::Column(column.clone()).to_field(&schema)?.1;
            Ok(Transformed::yes(Expr::OuterReferenceColumn(field, column)))
        }
        other if subquery_of(&other).is_some() => not_impl_err!("a subquery on the left of IN"),
        other => Ok(Transformed::no(other)),
    })?;
    let Some(item) = inner.schema().columns().into_iter().next() else {
        return not_impl_err!("a subquery without a column behind IN");
    };
    let equal = looked_for.data.eq(Expr::Column(item));
    let found = exists(filtered(inner.clone(), equal.clone())?, below, unique)?;
    let unknown = exists(filtered(inner, equal.is_null())?, below, unique)?;
    let null = Expr::Literal(ScalarValue::Boolean(None), None);
    Ok(Expr::Case(Case {
        expr: None,
        when_then_expr: vec![(Box::new(found), Box::new(lit(!negated))), (Box::new(unknown), Box::new(null))],
        else_expr: Some(Box::new(lit(negated))),
    }))
}

/// Where a subquery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Where something is computed of a row.
    Row,
    /// Where rows are grouped.
    Group,
}

fn has_own(expr: &Expr, place: Place) -> bool {
    expr.exists(|expr| Ok(is_own(expr, place))).unwrap_or(true)
}

/// Whether an expression is a subquery that is evaluated here: it goes by the rows around it, and DataFusion makes no join
/// of it that is right.
fn is_own(expr: &Expr, place: Place) -> bool {
    let Some(subquery) = subquery_of(expr).filter(|subquery| !subquery.outer_ref_columns.is_empty()) else {
        return false;
    };
    let plan = subquery.subquery.as_ref();
    let as_value = || is_joined(plan, PullUpCorrelatedExpr::new().with_need_handle_count_bug(true));
    let as_condition = || is_joined(plan, PullUpCorrelatedExpr::new().with_exists_sub_query(true));
    match expr {
        Expr::ScalarSubquery(_) => place == Place::Group || !as_value(),
        // It is there whatever the subquery finds.
        Expr::Exists(_) => !ties::has_one_row(plan) && (ties::check(plan).is_err() || skips(plan) || !as_condition()),
        Expr::InSubquery(_) if ties::has_one_row(plan) => !as_value(),
        Expr::InSubquery(_) => ties::check(plan).is_err() || !is_joined(plan, PullUpCorrelatedExpr::new()),
        _ => false,
    }
}

/// Whether DataFusion makes a join of a subquery.
fn is_joined(plan: &LogicalPlan, mut pull_up: PullUpCorrelatedExpr) -> bool {
    // It passes over those, whatever they go by.
    let has_lateral = plan.exists(|node| Ok(matches!(node, LogicalPlan::Subquery(_)))).unwrap_or(true);
    // It may fail over names that are made different before it makes the join.
    let _ = plan.clone().rewrite(&mut pull_up);
    !has_lateral && pull_up.can_pull_up && ties_above::may_be_taken_out(plan)
}

/// Whether rows are skipped, which DataFusion does not do for a condition.
fn skips(plan: &LogicalPlan) -> bool {
    let skips = |node: &LogicalPlan| match node {
        LogicalPlan::Limit(limit) => limit.skip.is_some(),
        _ => false,
    };
    plan.exists(|node| Ok(skips(node))).unwrap_or(true)
}
