//! Spans of time compare by their length, as in PostgreSQL: a month has 30 days, a day 24 hours.
//!
//! Arrow compares the months, then the days, then the nanoseconds, which finds 48 hours shorter than a day. What compares,
//! orders, groups or joins by spans does so by [`length()`] instead; what is shown is the span as it was written.

mod extreme;
mod grouped;
mod length;

use super::mentions::mentions;
use super::names;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::{
    AggregateFunction, Between, InList, InSubquery, ScalarFunction, SetComparison, Sort, WindowFunction,
};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Case, Distinct, Expr, ExprSchemable, Join, JoinConstraint, LogicalPlan, LogicalPlanBuilder, Operator,
    Subquery, WindowFunctionDefinition, when,
};
use datafusion::optimizer::AnalyzerRule;
pub use extreme::{LARGEST, SMALLEST};
pub use length::LENGTH;
use length::length;
use std::sync::Arc;

/// Has spans compared by their length. Runs behind the coercion of types, and before it for what that would refuse.
#[derive(Debug)]
pub struct IntervalsByLength;

impl AnalyzerRule for IntervalsByLength {
    fn name(&self) -> &str {
        "intervals_by_length"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        if !mentions(&plan, &|ty| matches!(ty, DataType::Interval(_))) {
            return Ok(plan);
        }
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn operator(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = merge_schema(&plan.inputs());
    let rewritten = names::map_expressions(plan, &|expr| expr.transform_up(|expr| expression(expr, &schema)))?;
    rewritten.transform_data(|plan| match plan {
        LogicalPlan::Sort(mut sort) => {
            let before = sort.expr.clone();
            sort.expr = sorts(sort.expr, &schema)?;
            let changed = sort.expr != before;
            Ok(Transformed::new_transformed(LogicalPlan::Sort(sort), changed))
        }
        LogicalPlan::Join(join) => joined(join),
        LogicalPlan::Aggregate(aggregate) => grouped::aggregate(aggregate),
        LogicalPlan::Distinct(Distinct::All(input)) => grouped::distinct(input),
        LogicalPlan::Distinct(Distinct::On(mut distinct)) => {
            let keys = distinct.on_expr.clone();
            distinct.on_expr = keys.into_iter().map(|key| by_length(key, &schema)).collect::<Result<_>>()?;
            distinct.sort_expr = distinct.sort_expr.map(|keys| sorts(keys, &schema)).transpose()?;
            Ok(Transformed::yes(LogicalPlan::Distinct(Distinct::On(distinct))))
        }
        other => Ok(Transformed::no(other)),
    })
}

/// Whether values of the expression are spans whose parts may say the same in several ways.
fn is_span(expr: &Expr, schema: &DFSchema) -> bool {
    expr.get_type(schema).is_ok_and(|ty| matches!(ty, DataType::Interval(_)))
}

fn by_length(expr: Expr, schema: &DFSchema) -> Result<Expr> {
    Ok(if is_span(&expr, schema) { length(expr.unalias()) } else { expr })
}

fn sorts(keys: Vec<Sort>, schema: &DFSchema) -> Result<Vec<Sort>> {
    keys.into_iter().map(|key| Ok(Sort { expr: by_length(key.expr, schema)?, ..key })).collect()
}

fn joined(mut join: Join) -> Result<Transformed<LogicalPlan>> {
    let (left, right) = (Arc::clone(join.left.schema()), Arc::clone(join.right.schema()));
    if !join.on.iter().any(|(key, _)| is_span(key, &left)) {
        return Ok(Transformed::no(LogicalPlan::Join(join)));
    }
    let by_lengths = |(one, other): (Expr, Expr)| Ok((by_length(one, &left)?, by_length(other, &right)?));
    join.on = join.on.into_iter().map(by_lengths).collect::<Result<_>>()?;
    // The keys are no columns of one name any more.
    join.join_constraint = JoinConstraint::On;
    Ok(Transformed::yes(LogicalPlan::Join(join)))
}

fn expression(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let span = |expr: &Expr| is_span(expr, schema);
    Ok(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if is_comparison(op) && span(&left) && span(&right) => {
            let binary = BinaryExpr::new(Box::new(length(*left)), op, Box::new(length(*right)));
            Transformed::yes(Expr::BinaryExpr(binary))
        }
        Expr::Between(Between { expr, negated, low, high }) if span(&expr) => {
            let [expr, low, high] = [expr, low, high].map(|part| Box::new(length(*part)));
            Transformed::yes(Expr::Between(Between { expr, negated, low, high }))
        }
        Expr::InList(InList { expr, list, negated }) if span(&expr) => {
            let list = list.into_iter().map(length).collect();
            Transformed::yes(Expr::InList(InList { expr: Box::new(length(*expr)), list, negated }))
        }
        Expr::InSubquery(InSubquery { expr, subquery, negated }) if span(&expr) => {
            let (expr, subquery) = (Box::new(length(*expr)), first_by_length(subquery)?);
            Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated }))
        }
        Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }) if span(&expr) => {
            let (expr, subquery) = (Box::new(length(*expr)), first_by_length(subquery)?);
            Transformed::yes(Expr::SetComparison(SetComparison { expr, subquery, op, quantifier }))
        }
        Expr::Case(Case { expr: Some(base), when_then_expr, else_expr }) if span(&base) => {
            let branches = when_then_expr.into_iter().map(|(when, then)| (Box::new(length(*when)), then)).collect();
            let case = Case { expr: Some(Box::new(length(*base))), when_then_expr: branches, else_expr };
            Transformed::yes(Expr::Case(case))
        }
        Expr::ScalarFunction(call) => chosen(call, schema)?,
        Expr::AggregateFunction(call) => aggregated(call, schema)?,
        Expr::WindowFunction(call) => windowed(*call, schema)?,
        other => Transformed::no(other),
    })
}

fn is_comparison(op: Operator) -> bool {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    matches!(op, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom)
}

/// The subquery with the length of its column, where that is a span.
fn first_by_length(subquery: Subquery) -> Result<Subquery> {
    let plan = subquery.subquery.as_ref();
    let column = plan.schema().columns().into_iter().next().map(Expr::Column);
    let Some(column) = column.filter(|column| is_span(column, plan.schema())) else { return Ok(subquery) };
    let lengths = LogicalPlanBuilder::from(plan.clone()).project([length(column)])?.build()?;
    Ok(Subquery { subquery: Arc::new(lengths), ..subquery })
}

/// The functions that choose one of their arguments by comparing them.
fn chosen(call: ScalarFunction, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let op = match call.name() {
        "nullif" => Operator::Eq,
        "greatest" => Operator::GtEq,
        "least" => Operator::LtEq,
        _ => return Ok(Transformed::no(Expr::ScalarFunction(call))),
    };
    let mut args = match call.args.iter().any(|arg| is_span(arg, schema)) {
        true => call.args.into_iter(),
        false => return Ok(Transformed::no(Expr::ScalarFunction(call))),
    };
    let compared = |one: &Expr, other: &Expr| {
        Expr::BinaryExpr(BinaryExpr::new(Box::new(length(one.clone())), op, Box::new(length(other.clone()))))
    };
    let Some(mut best) = args.next() else { return plan_err!("a function without arguments") };
    for other in args {
        best = if op == Operator::Eq {
            let ty = best.get_type(schema)?;
            let nothing = Expr::Literal(ScalarValue::try_from(&ty)?, None);
            when(compared(&best, &other), nothing).otherwise(best)?
        } else {
            // NULL is passed over.
            when(other.clone().is_null().or(compared(&best, &other)), best).otherwise(other)?
        };
    }
    Ok(Transformed::yes(best))
}

fn aggregated(mut call: AggregateFunction, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let is_span = call.params.args.first().is_some_and(|arg| is_span(arg, schema));
    let before = call.clone();
    call.params.order_by = sorts(call.params.order_by, schema)?;
    match call.func.name() {
        "min" if is_span => (call.func, call.params.distinct) = (extreme::smallest(), false),
        "max" if is_span => (call.func, call.params.distinct) = (extreme::largest(), false),
        name if is_span && (name == "approx_distinct" || name == "count" && call.params.distinct) => {
            call.params.args = call.params.args.into_iter().map(|arg| by_length(arg, schema)).collect::<Result<_>>()?;
        }
        _ => {}
    }
    let changed = call != before;
    Ok(Transformed::new_transformed(Expr::AggregateFunction(call), changed))
}

fn windowed(mut call: WindowFunction, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let before = call.clone();
    let params = &mut call.params;
    params.order_by = sorts(std::mem::take(&mut params.order_by), schema)?;
    let keys = std::mem::take(&mut params.partition_by);
    params.partition_by = keys.into_iter().map(|key| by_length(key, schema)).collect::<Result<_>>()?;
    let is_span = params.args.first().is_some_and(|arg| is_span(arg, schema));
    if let WindowFunctionDefinition::AggregateUDF(function) = &call.fun
        && is_span
    {
        match function.name() {
            "min" => call.fun = WindowFunctionDefinition::AggregateUDF(extreme::smallest()),
            "max" => call.fun = WindowFunctionDefinition::AggregateUDF(extreme::largest()),
            _ => {}
        }
    }
    let changed = call != before;
    Ok(Transformed::new_transformed(Expr::from(call), changed))
}
