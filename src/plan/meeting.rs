//! Types that meet without one that DataFusion would take for both: days beside instants, and times of several units.
//!
//! DataFusion compares a day with an instant as if the instant were a local time of UTC, and has no time of day beside one
//! of another unit. Here the day becomes an instant, which a later rule takes for midnight in the project's zone; the
//! times become those of the finer unit. It compares a day with a local time in nanoseconds, which end in 2262: here the
//! day becomes a time of the other's unit.

use super::decimals::columns::with_types_of_inputs;
use super::mentions::{calls_temporal, mentions};
use super::names;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, InList, InSubquery, ScalarFunction, SetComparison};
use datafusion::logical_expr::expr_schema::cast_subquery;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Case, Cast, Expr, ExprSchemable, Join, LogicalPlan, Operator, Projection, Subquery, Union,
};
use datafusion::optimizer::AnalyzerRule;
use std::sync::Arc;

/// The functions whose arguments become one type.
const ALIKE: [&str; 9] =
    ["coalesce", "date_bin", "generate_series", "greatest", "least", "make_array", "nullif", "nvl2", "range"];

/// Finds a type for both. Runs before the coercion of types.
#[derive(Debug)]
pub(super) struct MeetingTypes;

impl AnalyzerRule for MeetingTypes {
    fn name(&self) -> &str {
        "meeting_types"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let meets = |ty: &DataType| matches!(ty, DataType::Timestamp(..) | DataType::Time32(_) | DataType::Time64(_));
        if !mentions(&plan, &meets) && !calls_temporal(&plan) {
            return Ok(plan);
        }
        let mut changed = false;
        let each = |plan: LogicalPlan| {
            let done = operator(plan)?;
            changed |= done.transformed;
            // What is above a column of another type has another type too.
            if changed { done.map_data(with_types_of_inputs) } else { Ok(done) }
        };
        Ok(plan.transform_up_with_subqueries(each)?.data)
    }
}

fn operator(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = merge_schema(&plan.inputs());
    let rewritten = names::map_expressions(plan, &|expr| expr.transform_up(|expr| expression(expr, &schema)))?;
    let rewritten = rewritten.transform_data(|plan| match plan {
        LogicalPlan::Join(join) => joined(join),
        LogicalPlan::Union(union) => united(union),
        other => Ok(Transformed::no(other)),
    })?;
    if rewritten.transformed { rewritten.map_data(|plan| plan.recompute_schema()) } else { Ok(rewritten) }
}

/// The type that values of several types become one by one; `None` where DataFusion finds it itself.
pub fn met(types: &[DataType]) -> Option<DataType> {
    let is_day = |ty: &DataType| matches!(ty, DataType::Date32 | DataType::Date64);
    let is_time = |ty: &DataType| matches!(ty, DataType::Time32(_) | DataType::Time64(_));
    let instant = types.iter().find(|ty| matches!(ty, DataType::Timestamp(_, Some(_))));
    if let Some(DataType::Timestamp(_, carried)) = instant {
        let units = types.iter().filter_map(|ty| match ty {
            DataType::Timestamp(unit, _) => Some(*unit),
            _ => None,
        });
        return types.iter().any(is_day).then_some(DataType::Timestamp(units.max()?, carried.clone()));
    }
    let mut times = types.iter().filter(|ty| is_time(ty));
    let first = times.next()?;
    if times.all(|ty| ty == first) {
        return None;
    }
    let unit = types.iter().filter_map(|ty| match ty {
        DataType::Time32(unit) | DataType::Time64(unit) => Some(*unit),
        _ => None,
    });
    Some(match unit.max()? {
        unit @ (TimeUnit::Second | TimeUnit::Millisecond) => DataType::Time32(unit),
        unit => DataType::Time64(unit),
    })
}

/// The type that values become where they are only compared; `None` where DataFusion finds it itself.
fn compared(types: &[DataType]) -> Option<DataType> {
    if let Some(met) = met(types) {
        return Some(met);
    }
    let day = types.iter().find_map(|ty| match ty {
        DataType::Date32 => Some(TimeUnit::Second),
        // It may count parts of a day.
        DataType::Date64 => Some(TimeUnit::Millisecond),
        _ => None,
    })?;
    let units = types.iter().filter_map(|ty| match ty {
        DataType::Timestamp(unit, _) => Some(*unit),
        _ => None,
    });
    let unit = units.max().filter(|unit| *unit != TimeUnit::Nanosecond)?;
    Some(DataType::Timestamp(unit.max(day), None))
}

/// Whether a value of that type has to be cast so that it can stand beside the others.
fn is_cast(from: &DataType, to: &DataType) -> bool {
    match from {
        DataType::Date32 | DataType::Date64 => matches!(to, DataType::Timestamp(..)),
        DataType::Time32(_) | DataType::Time64(_) => from != to,
        _ => false,
    }
}

fn cast(expr: Expr, to: DataType) -> Expr {
    Expr::Cast(Cast::new(Box::new(expr), to))
}

/// How types meet.
type Meet = fn(&[DataType]) -> Option<DataType>;

/// The expressions, each with the type that they have in common; `None` where nothing is to be done.
fn alike(exprs: &[&Expr], schema: &DFSchema, meet: Meet) -> Option<Vec<Expr>> {
    let types: Vec<DataType> = exprs.iter().map(|expr| expr.get_type(schema).unwrap_or(DataType::Null)).collect();
    let to = meet(&types)?;
    let one = |(expr, from): (&&Expr, &DataType)| match is_cast(from, &to) {
        true => cast((*expr).clone(), to.clone()),
        false => (*expr).clone(),
    };
    Some(exprs.iter().zip(&types).map(one).collect())
}

fn expression(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    Ok(match expr {
        Expr::BinaryExpr(binary) => operands(binary, schema),
        Expr::Between(between) => {
            match alike(&[&between.expr, &between.low, &between.high], schema, compared).as_deref() {
                Some([expr, low, high]) => {
                    let [expr, low, high] = [expr, low, high].map(|part| Box::new(part.clone()));
                    Transformed::yes(Expr::Between(Between { expr, low, high, ..between }))
                }
                _ => Transformed::no(Expr::Between(between)),
            }
        }
        Expr::InList(list) => {
            let all: Vec<&Expr> = std::iter::once(list.expr.as_ref()).chain(&list.list).collect();
            match alike(&all, schema, compared).as_deref() {
                Some([expr, items @ ..]) => {
                    let (expr, items) = (Box::new(expr.clone()), items.to_vec());
                    Transformed::yes(Expr::InList(InList { expr, list: items, negated: list.negated }))
                }
                _ => Transformed::no(Expr::InList(list)),
            }
        }
        Expr::InSubquery(within) => match meets_column(&within.expr, &within.subquery, schema)? {
            Some((expr, subquery)) => {
                let expr = Box::new(expr);
                Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated: within.negated }))
            }
            None => Transformed::no(Expr::InSubquery(within)),
        },
        Expr::SetComparison(set) => match meets_column(&set.expr, &set.subquery, schema)? {
            Some((expr, subquery)) => {
                Transformed::yes(Expr::SetComparison(SetComparison { expr: Box::new(expr), subquery, ..set }))
            }
            None => Transformed::no(Expr::SetComparison(set)),
        },
        Expr::Case(case) => branches(case, schema),
        Expr::ScalarFunction(call) if ALIKE.contains(&call.name()) => {
            match alike(&call.args.iter().collect::<Vec<_>>(), schema, met) {
                Some(args) => Transformed::yes(Expr::ScalarFunction(ScalarFunction::new_udf(call.func, args))),
                None => Transformed::no(Expr::ScalarFunction(call)),
            }
        }
        other => Transformed::no(other),
    })
}

fn operands(binary: BinaryExpr, schema: &DFSchema) -> Transformed<Expr> {
    use Operator::{Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq};
    let compares = matches!(binary.op, Eq | NotEq | Lt | LtEq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom);
    if !compares {
        return Transformed::no(Expr::BinaryExpr(binary));
    }
    match alike(&[&binary.left, &binary.right], schema, compared).as_deref() {
        Some([left, right]) => {
            let (left, right) = (Box::new(left.clone()), Box::new(right.clone()));
            Transformed::yes(Expr::BinaryExpr(BinaryExpr::new(left, binary.op, right)))
        }
        _ => Transformed::no(Expr::BinaryExpr(binary)),
    }
}

/// What is compared with the column of a subquery, and the subquery.
fn meets_column(expr: &Expr, subquery: &Subquery, schema: &DFSchema) -> Result<Option<(Expr, Subquery)>> {
    let types = [expr.get_type(schema)?, subquery.subquery.schema().field(0).data_type().clone()];
    let [own, column] = &types;
    let Some(to) = compared(&types) else { return Ok(None) };
    let subquery = subquery.clone();
    let subquery = if is_cast(column, &to) { cast_subquery(subquery, &to)? } else { subquery };
    let expr = expr.clone();
    Ok(Some((if is_cast(own, &to) { cast(expr, to) } else { expr }, subquery)))
}

/// What is compared in a `CASE`, and what it gives.
fn branches(mut case: Case, schema: &DFSchema) -> Transformed<Expr> {
    let mut changed = false;
    if let Some(base) = case.expr.as_deref() {
        let all: Vec<&Expr> =
            std::iter::once(base).chain(case.when_then_expr.iter().map(|(when, _)| &**when)).collect();
        if let Some([base, whens @ ..]) = alike(&all, schema, compared).as_deref() {
            changed = true;
            case.expr = Some(Box::new(base.clone()));
            for ((when, _), met) in case.when_then_expr.iter_mut().zip(whens) {
                **when = met.clone();
            }
        }
    }
    let results: Vec<&Expr> =
        case.when_then_expr.iter().map(|(_, then)| &**then).chain(case.else_expr.as_deref()).collect();
    if let Some(results) = alike(&results, schema, met) {
        changed = true;
        let places = case.when_then_expr.iter_mut().map(|(_, then)| then).chain(case.else_expr.as_mut());
        for (place, met) in places.zip(results) {
            **place = met;
        }
    }
    Transformed::new_transformed(Expr::Case(case), changed)
}

fn joined(mut join: Join) -> Result<Transformed<LogicalPlan>> {
    let mut changed = false;
    for (left, right) in &mut join.on {
        let types = [left.get_type(join.left.schema())?, right.get_type(join.right.schema())?];
        let Some(to) = compared(&types) else { continue };
        for (key, from) in [left, right].into_iter().zip(&types) {
            if is_cast(from, &to) {
                changed = true;
                *key = cast(key.clone(), to.clone());
            }
        }
    }
    if changed {
        // The keys are no columns of one name any more.
        join.join_constraint = datafusion::logical_expr::JoinConstraint::On;
    }
    Ok(Transformed::new_transformed(LogicalPlan::Join(join), changed))
}

/// The columns of a union, one below the other.
fn united(union: Union) -> Result<Transformed<LogicalPlan>> {
    let column = |at: usize| -> Vec<DataType> {
        union.inputs.iter().map(|input| input.schema().field(at).data_type().clone()).collect()
    };
    let width = union.schema.fields().len();
    if union.inputs.iter().any(|input| input.schema().fields().len() != width) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let met: Vec<Option<DataType>> = (0..width).map(|at| met(&column(at))).collect();
    if met.iter().all(Option::is_none) {
        return Ok(Transformed::no(LogicalPlan::Union(union)));
    }
    let input = |input: &Arc<LogicalPlan>| -> Result<Arc<LogicalPlan>> {
        let columns = input.schema().iter().zip(&met).map(|((qualifier, field), met)| {
            let column = Expr::from((qualifier, field));
            match met.as_ref().filter(|to| is_cast(field.data_type(), to)) {
                Some(to) => cast(column, to.clone()).alias_qualified(qualifier.cloned(), field.name()),
                None => column,
            }
        });
        let columns: Vec<Expr> = columns.collect();
        Ok(Arc::new(LogicalPlan::Projection(Projection::try_new(columns, Arc::clone(input))?)))
    };
    let inputs = union.inputs.iter().map(input).collect::<Result<Vec<_>>>()?;
    // Not `try_new`, which has the names of the first input only.
    Ok(Transformed::yes(LogicalPlan::Union(Union::try_new_with_loose_types(inputs)?)))
}
