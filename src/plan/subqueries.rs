//! `x IN (SELECT …)` wherever it stands, with a NULL as its value where SQL says so.
//!
//! DataFusion makes joins of subqueries in a `WHERE`. A semi join is right where NULL and false are the same, and an anti
//! join that knows of NULL is right for a `NOT IN` that stands alone and refers to no outer row. Elsewhere (below `OR`,
//! `NOT` or `CASE`, or as a value) a mark join tells true from the rest, and the rest was false. So it becomes
//!
//! ```text
//! CASE WHEN x IN (S) THEN true
//!      WHEN EXISTS (S with a NULL) THEN NULL
//!      WHEN x IS NULL AND EXISTS (S) THEN NULL
//!      ELSE false END
//! ```
//!
//! of which those lines stay that can happen. Outside of a `WHERE`, where DataFusion has no join for a subquery, the
//! joins are put below the operator that wants the value.

use super::ties;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, JoinType, Result, ScalarValue};
use datafusion::logical_expr::expr::{Exists, InSubquery};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::{conjunction, merge_schema, split_conjunction_owned};
use datafusion::logical_expr::{
    BinaryExpr, Case, Expr, ExprSchemable, Filter, LogicalPlan, LogicalPlanBuilder, Operator, Subquery, lit, not,
};
use datafusion::optimizer::decorrelate_predicate_subquery::DecorrelatePredicateSubquery;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::Arc;

/// What the column of a subquery is called once this rule has seen it.
const VALUE: &str = "qtool_in_value";

/// The rule. It comes before those that make joins of subqueries.
#[derive(Debug)]
pub(super) struct Subqueries;

impl OptimizerRule for Subqueries {
    fn name(&self) -> &str {
        "qtool_subqueries"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if !has_subqueries(&plan)? {
            return Ok(Transformed::no(plan));
        }
        plan.transform_up_with_subqueries(|node| rewrite(node, config))
    }
}

/// Whether there is anything to look at. Most queries have no subquery, and every call is planned in time.
fn has_subqueries(plan: &LogicalPlan) -> Result<bool> {
    plan.exists(|node| {
        let is_subquery =
            |expr: &Expr| Ok(matches!(expr, Expr::InSubquery(_) | Expr::Exists(_) | Expr::ScalarSubquery(_)));
        let mut found = false;
        node.apply_expressions(|expr| {
            found |= expr.exists(is_subquery)?;
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(found)
    })
}

fn rewrite(node: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    let node = match node {
        LogicalPlan::Filter(filter) => LogicalPlan::Filter(ties::spelled_out(filter)?.data),
        other => other,
    };
    let names = NamePreserver::new(&node);
    let node = node.map_expressions(|expr| {
        let name = names.save(&expr);
        let expr = expr.transform_up(|expr| ties::untangled(expr, config))?;
        Ok(expr.update_data(|expr| name.restore(expr)))
    })?;
    node.transform_data(|node| exactly(node, config))
}

fn exactly(node: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    match node {
        LogicalPlan::Filter(filter) if has_subquery(&filter.predicate) => {
            let schema = Arc::clone(filter.input.schema());
            let conditions = split_conjunction_owned(filter.predicate)
                .into_iter()
                .map(|part| alone(part, &schema))
                .collect::<Result<Vec<_>>>()?;
            conditions.iter().try_for_each(ties::check_condition)?;
            let predicate = conjunction(conditions).unwrap_or_else(|| lit(true));
            Ok(Transformed::yes(LogicalPlan::Filter(Filter::try_new(predicate, filter.input)?)))
        }
        LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_) | LogicalPlan::Window(_)
            if node.expressions().iter().any(has_subquery) =>
        {
            as_values(node, config)
        }
        // Where rows without a match are left out, a condition of the join is one of its rows.
        LogicalPlan::Join(mut join)
            if join.join_type == JoinType::Inner && join.filter.as_ref().is_some_and(has_subquery) =>
        {
            let (looked_up, own): (Vec<_>, Vec<_>) =
                join.filter.take().map(split_conjunction_owned).unwrap_or_default().into_iter().partition(has_subquery);
            join.filter = conjunction(own);
            let predicate = conjunction(looked_up).unwrap_or_else(|| lit(true));
            let above = Filter::try_new(predicate, Arc::new(LogicalPlan::Join(join)))?;
            exactly(LogicalPlan::Filter(above), config)
        }
        LogicalPlan::Join(_) if node.expressions().iter().any(has_subquery) => {
            let schema = merge_schema(&node.inputs());
            node.map_expressions(|expr| exact_within(expr, &schema).map(Transformed::yes))
        }
        other => Ok(Transformed::no(other)),
    }
}

/// A condition that stands alone: the join that is made of it knows of NULL.
fn alone(condition: Expr, schema: &DFSchema) -> Result<Expr> {
    match condition {
        Expr::InSubquery(within) if within.negated && joins_with_null(&within) => named(within).map(Expr::InSubquery),
        Expr::Not(inner) => match *inner {
            Expr::InSubquery(within) => {
                alone(Expr::InSubquery(InSubquery { negated: !within.negated, ..within }), schema)
            }
            inner => exact_within(not(inner), schema),
        },
        condition => filtering(condition, schema),
    }
}

/// Whether the anti join for a `NOT IN` has one key and nothing else to compare.
fn joins_with_null(within: &InSubquery) -> bool {
    within.subquery.outer_ref_columns.is_empty() && !within.expr.column_refs().is_empty()
}

/// A condition of which NULL and false are the same.
fn filtering(condition: Expr, schema: &DFSchema) -> Result<Expr> {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::And | Operator::Or), right }) => {
            let (left, right) = (filtering(*left, schema)?, filtering(*right, schema)?);
            Ok(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
        }
        Expr::InSubquery(within) if !within.negated => named(within).map(Expr::InSubquery),
        condition => exact_within(condition, schema),
    }
}

/// An expression, with every `IN` in it exact.
fn exact_within(expr: Expr, schema: &DFSchema) -> Result<Expr> {
    let exact = expr.transform_up(|expr| match expr {
        Expr::InSubquery(within) => exact(within, schema).map(Transformed::yes),
        other => Ok(Transformed::no(other)),
    })?;
    Ok(exact.data)
}

/// `x IN (S)` as an expression that is NULL where SQL says so.
fn exact(within: InSubquery, schema: &DFSchema) -> Result<Expr> {
    if is_named(&within.subquery) {
        return Ok(Expr::InSubquery(within));
    }
    let InSubquery { expr, subquery, negated } = named(within)?;
    let may_hold_null = subquery.subquery.schema().fields().first().is_none_or(|field| field.is_nullable());
    let may_be_null = expr.nullable(schema).unwrap_or(true);
    let null = || Box::new(Expr::Literal(ScalarValue::Boolean(None), None));
    let mut unknown = Vec::new();
    if may_hold_null {
        let nulls = LogicalPlanBuilder::from(subquery.subquery.as_ref().clone())
            .filter(Expr::Column(Column::new_unqualified(VALUE)).is_null())?
            .build()?;
        unknown.push((Box::new(exists(nulls, &subquery)?), null()));
    }
    if may_be_null {
        let any = exists(subquery.subquery.as_ref().clone(), &subquery)?;
        unknown.push((Box::new(expr.clone().is_null().and(any)), null()));
    }
    if unknown.is_empty() {
        return Ok(Expr::InSubquery(InSubquery { expr, subquery, negated }));
    }
    let found = Expr::InSubquery(InSubquery { expr, subquery, negated: false });
    let mut branches = vec![(Box::new(found), Box::new(lit(!negated)))];
    branches.append(&mut unknown);
    Ok(Expr::Case(Case { expr: None, when_then_expr: branches, else_expr: Some(Box::new(lit(negated))) }))
}

/// Whether a plan has rows. One is enough where it is the same for every outer row.
fn exists(plan: LogicalPlan, of: &Subquery) -> Result<Expr> {
    let outer_ref_columns = plan.all_out_ref_exprs();
    let plan =
        if outer_ref_columns.is_empty() { LogicalPlanBuilder::from(plan).limit(0, Some(1))?.build()? } else { plan };
    let subquery = Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: of.spans.clone() };
    Ok(Expr::Exists(Exists { subquery, negated: false }))
}

/// The same with a name for the subquery's column: of an expression without one, DataFusion finds the wrong column.
fn named(within: InSubquery) -> Result<InSubquery> {
    if is_named(&within.subquery) {
        return Ok(within);
    }
    let InSubquery { expr, subquery: Subquery { subquery, outer_ref_columns, spans }, negated } = within;
    let column = Expr::Column(Column::from(subquery.schema().qualified_field(0))).alias(VALUE);
    let plan = LogicalPlanBuilder::from(Arc::unwrap_or_clone(subquery)).project([column])?.build()?;
    Ok(InSubquery { expr, subquery: Subquery { subquery: Arc::new(plan), outer_ref_columns, spans }, negated })
}

fn is_named(subquery: &Subquery) -> bool {
    subquery.subquery.schema().fields().first().is_some_and(|field| field.name() == VALUE)
}

/// An operator that computes values of subqueries, with the joins for them below it.
fn as_values(node: LogicalPlan, config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
    let is_set = |expr: &Expr| matches!(expr, Expr::GroupingSet(_)) && has_subquery(expr);
    let expressions = node.expressions();
    let Some(mut below) = node.inputs().first().map(|input| LogicalPlan::clone(input)) else {
        return Ok(Transformed::no(node));
    };
    if expressions.iter().any(is_set) {
        return Ok(Transformed::no(node));
    }
    let schema = Arc::clone(node.schema());
    let names = NamePreserver::new(&node);
    let mut lifted = Vec::new();
    for expr in expressions {
        let name = names.save(&expr);
        let expr = expr.transform_down(|expr| match expr {
            expr @ (Expr::InSubquery(_) | Expr::Exists(_)) => {
                let expr = exact_within(expr, below.schema())?;
                let expr = match joined(&expr, &below, config)? {
                    Some((value, plan)) => {
                        below = plan;
                        value
                    }
                    None => expr,
                };
                Ok(Transformed::new(expr, true, TreeNodeRecursion::Jump))
            }
            other => Ok(Transformed::no(other)),
        })?;
        lifted.push(name.restore(expr.data));
    }
    let plan = node.with_new_exprs(lifted, vec![below])?;
    if plan.schema().fields().len() == schema.fields().len() {
        return Ok(Transformed::yes(plan));
    }
    let columns = schema.columns().into_iter().map(Expr::Column);
    Ok(Transformed::yes(LogicalPlanBuilder::from(plan).project(columns)?.build()?))
}

/// The value of subqueries as an expression over a plan with joins: those that DataFusion makes of a filter, without the
/// filter. `None` where it makes none.
fn joined(value: &Expr, plan: &LogicalPlan, config: &dyn OptimizerConfig) -> Result<Option<(Expr, LogicalPlan)>> {
    let filter = Filter::try_new(value.clone().is_null(), Arc::new(plan.clone()))?;
    let rewritten = DecorrelatePredicateSubquery::new().rewrite(LogicalPlan::Filter(filter), config)?;
    let LogicalPlan::Projection(projection) = rewritten.data else { return Ok(None) };
    let LogicalPlan::Filter(filter) = projection.input.as_ref() else { return Ok(None) };
    let Expr::IsNull(value) = &filter.predicate else { return Ok(None) };
    Ok((!has_subquery(value)).then(|| (value.as_ref().clone(), filter.input.as_ref().clone())))
}

fn has_subquery(expr: &Expr) -> bool {
    expr.exists(|expr| Ok(matches!(expr, Expr::InSubquery(_) | Expr::Exists(_)))).unwrap_or(true)
}
