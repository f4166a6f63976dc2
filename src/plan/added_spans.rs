//! Instants of seconds or milliseconds that a span is added to count microseconds, as in PostgreSQL and DuckDB, and a day
//! beside a written span of hours or less is an instant.
//!
//! DataFusion adds in the unit of the instant and drops what is finer: a millisecond plus a microsecond stayed as it was,
//! and a day plus twelve hours. Where the span is not written in the query, it stays a day whose spans have to be of whole
//! days ([`whole_days`]).

mod whole_days;

pub(crate) use whole_days::PART_OF_A_DAY;
pub(super) use whole_days::is_whole_days;

use super::decimals::columns::with_types_of_inputs;
use super::names;
use datafusion::arrow::compute::kernels::cast_utils::{
    IntervalParseConfig, IntervalUnit as Unit, parse_interval_month_day_nano_config,
};
use datafusion::arrow::datatypes::{DataType, FieldRef, IntervalMonthDayNano, IntervalUnit, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, WindowFrameBound, WindowFrameUnits, cast,
};
use datafusion::optimizer::AnalyzerRule;
use sqlparser::ast;
use std::borrow::Cow;
use whole_days::whole_days;

/// Has the instants count microseconds. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct AddedSpans;

impl AnalyzerRule for AddedSpans {
    fn name(&self) -> &str {
        "qtool_added_spans"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let mut changed = false;
        let operator = |plan: LogicalPlan| {
            let done = rewritten(plan)?;
            changed |= done.transformed;
            // What is above a column of another type has another type too.
            let done = if changed { done.map_data(with_types_of_inputs)? } else { done };
            repeated(&done.data)?;
            Ok(done)
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

/// Errors: a recursive query that begins with days goes on with instants.
fn repeated(plan: &LogicalPlan) -> Result<()> {
    let LogicalPlan::RecursiveQuery(query) = plan else { return Ok(()) };
    let (first, next) = (query.static_term.schema().fields(), query.recursive_term.schema().fields());
    let differs = |(first, next): (&FieldRef, &FieldRef)| {
        is_day(first.data_type()) && matches!(next.data_type(), DataType::Timestamp(..))
    };
    if first.iter().zip(next).any(differs) {
        return plan_err!("a recursive query adds hours or less to a date: begin with a timestamp");
    }
    Ok(())
}

/// Has days count microseconds in windows whose frame ends within a day. Runs when types are coerced.
#[derive(Debug)]
pub(super) struct FramesWithinDays;

impl AnalyzerRule for FramesWithinDays {
    fn name(&self) -> &str {
        "qtool_frames_within_days"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            let LogicalPlan::Window(window) = &plan else { return Ok(Transformed::no(plan)) };
            let schema = window.input.schema().as_ref().clone();
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| Ok(framed(expr, &schema))))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn framed(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    match expr {
        Expr::WindowFunction(mut call) if ends_within_a_day(&call) => {
            let mut changed = false;
            for key in &mut call.params.order_by {
                if key.expr.get_type(schema).is_ok_and(|ty| is_day(&ty)) {
                    key.expr = cast(std::mem::take(&mut key.expr), instant());
                    changed = true;
                }
            }
            Transformed::new_transformed(Expr::WindowFunction(call), changed)
        }
        other => Transformed::no(other),
    }
}

fn ends_within_a_day(call: &WindowFunction) -> bool {
    let frame = &call.params.window_frame;
    let within = |bound: &WindowFrameBound| match bound {
        WindowFrameBound::Preceding(span) | WindowFrameBound::Following(span) => {
            below_a_day(&Expr::Literal(span.clone(), None)) == Some(true)
        }
        WindowFrameBound::CurrentRow => false,
    };
    frame.units == WindowFrameUnits::Range && (within(&frame.start_bound) || within(&frame.end_bound))
}

fn rewritten(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    if !plan.expressions().iter().any(adds) {
        return Ok(Transformed::no(plan));
    }
    let schema = match &plan {
        LogicalPlan::TableScan(scan) => scan.projected_schema.as_ref().clone(),
        other => merge_schema(&other.inputs()),
    };
    names::map_expressions(plan, &|expr| in_expression(expr, &schema))
}

/// The expression with instants that count microseconds beside spans.
pub(super) fn in_expression(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    expr.transform_up(|expr| widened(expr, schema))
}

fn adds(expr: &Expr) -> bool {
    let is_one =
        |expr: &Expr| matches!(expr, Expr::BinaryExpr(BinaryExpr { op: Operator::Plus | Operator::Minus, .. }));
    expr.exists(|expr| Ok(is_one(expr))).unwrap_or(true)
}

fn widened(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    let Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::Plus | Operator::Minus), right }) = expr else {
        return Ok(Transformed::no(expr));
    };
    let is_span = |expr: &Expr| expr.get_type(schema).is_ok_and(|ty| matches!(ty, DataType::Interval(_)));
    let (one, other) = if is_span(&right) {
        beside_span(*left, *right, schema)
    } else if is_span(&left) {
        let (other, one) = beside_span(*right, *left, schema);
        (one, other)
    } else {
        (Transformed::no(*left), Transformed::no(*right))
    };
    let is_changed = one.transformed || other.transformed;
    let added = BinaryExpr::new(Box::new(one.data), op, Box::new(other.data));
    Ok(Transformed::new_transformed(Expr::BinaryExpr(added), is_changed))
}

/// What a span is added to, and the span.
fn beside_span(time: Expr, span: Expr, schema: &DFSchema) -> (Transformed<Expr>, Transformed<Expr>) {
    let Ok(ty) = time.get_type(schema) else { return (Transformed::no(time), Transformed::no(span)) };
    if !is_day(&ty) {
        let time = match finer(&ty) {
            Some(finer) => Transformed::yes(cast(time, finer)),
            None => Transformed::no(time),
        };
        return (time, Transformed::no(span));
    }
    match below_a_day(&span) {
        Some(true) => (Transformed::yes(cast(time, instant())), Transformed::no(span)),
        Some(false) => (Transformed::no(time), Transformed::no(span)),
        None => (Transformed::no(time), whole_days(span)),
    }
}

fn is_day(ty: &DataType) -> bool {
    matches!(ty, DataType::Date32 | DataType::Date64)
}

/// What a day becomes beside a span of hours or less.
fn instant() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, None)
}

/// Whether a span that is written in the query has a part below a day; `None` where it is not written there.
fn below_a_day(span: &Expr) -> Option<bool> {
    match span {
        Expr::Negative(inner) => below_a_day(inner),
        Expr::Literal(ScalarValue::IntervalMonthDayNano(span), _) => {
            Some(span.is_some_and(|span| span.nanoseconds != 0))
        }
        Expr::Literal(ScalarValue::IntervalDayTime(span), _) => Some(span.is_some_and(|span| span.milliseconds != 0)),
        Expr::Literal(ScalarValue::IntervalYearMonth(_), _) => Some(false),
        Expr::Cast(cast) if matches!(cast.field.data_type(), DataType::Interval(_)) => match cast.expr.as_ref() {
            Expr::Literal(ScalarValue::Utf8(Some(text)), _) => read(text),
            _ => None,
        },
        Expr::Case(case) => {
            let branches = case.when_then_expr.iter().map(|(_, then)| then).chain(&case.else_expr);
            any_below_a_day(branches.map(AsRef::as_ref))
        }
        Expr::ScalarFunction(call) if CHOOSE.contains(&call.name()) => any_below_a_day(call.args.iter()),
        _ => None,
    }
}

/// Functions that give one of their arguments.
const CHOOSE: [&str; 6] = ["coalesce", "nvl", "ifnull", "nullif", "greatest", "least"];

/// The same of spans of which one is added. One of hours is enough: beside an instant, any other is right too.
fn any_below_a_day<'e>(spans: impl Iterator<Item = &'e Expr>) -> Option<bool> {
    let is_null = |span: &&Expr| matches!(span, Expr::Literal(value, _) if value.is_null());
    let known: Vec<Option<bool>> = spans.filter(|span| !is_null(span)).map(below_a_day).collect();
    if known.contains(&Some(true)) {
        return Some(true);
    }
    known.iter().all(|one| *one == Some(false)).then_some(false)
}

fn read(text: &str) -> Option<bool> {
    let span: Option<IntervalMonthDayNano> =
        parse_interval_month_day_nano_config(text, IntervalParseConfig::new(Unit::Second)).ok();
    span.map(|span| span.nanoseconds != 0)
}

/// The same of the span as it is written.
pub(crate) fn is_written_below_a_day(span: &ast::Expr) -> bool {
    match span {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => is_written_below_a_day(inner),
        ast::Expr::Interval(ast::Interval { value, leading_field, .. }) => match (written(value), leading_field) {
            (Some(value), Some(unit)) => read(&format!("{value} {unit}")) == Some(true),
            (Some(value), None) => read(&value) == Some(true),
            (None, _) => false,
        },
        ast::Expr::Cast { expr, data_type: ast::DataType::Interval { .. }, .. } => match expr.as_ref() {
            ast::Expr::Value(_) => written(expr).is_some_and(|text| read(&text) == Some(true)),
            _ => false,
        },
        ast::Expr::Case { conditions, else_result, .. } => {
            conditions.iter().any(|branch| is_written_below_a_day(&branch.result))
                || else_result.as_ref().is_some_and(|other| is_written_below_a_day(other))
        }
        ast::Expr::Function(call) => match (call.name.0.as_slice(), &call.args) {
            ([name], ast::FunctionArguments::List(list)) => {
                let name = name.as_ident().map(|name| name.value.to_ascii_lowercase());
                let is_one = |arg: &ast::FunctionArg| match arg {
                    ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(arg)) => is_written_below_a_day(arg),
                    _ => false,
                };
                name.is_some_and(|name| CHOOSE.contains(&name.as_str())) && list.args.iter().any(is_one)
            }
            _ => false,
        },
        _ => false,
    }
}

/// A text or a number, without its sign.
fn written(value: &ast::Expr) -> Option<String> {
    match value {
        ast::Expr::UnaryOp { expr, .. } => written(expr),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::SingleQuotedString(text) | ast::Value::DoubleQuotedString(text) => Some(text.clone()),
            ast::Value::Number(digits, _) => Some(digits.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The type that inference knows a written span with a part below a day by, where it is added to something.
pub(crate) const BELOW_A_DAY: DataType = DataType::Interval(IntervalUnit::DayTime);

/// The type in microseconds of an instant that counts less finely.
fn finer(ty: &DataType) -> Option<DataType> {
    match ty {
        DataType::Timestamp(TimeUnit::Second | TimeUnit::Millisecond, zone) => {
            Some(DataType::Timestamp(TimeUnit::Microsecond, zone.clone()))
        }
        _ => None,
    }
}

/// The types that the sides of `+` or `-` are computed in, for inference: as the rule has them.
pub(crate) fn sides<'a>(left: &'a DataType, right: &'a DataType) -> (Cow<'a, DataType>, Cow<'a, DataType>) {
    let is_span = |ty: &DataType| matches!(ty, DataType::Interval(_));
    let beside = |ty: &'a DataType, other: &DataType| {
        let to = match ty {
            ty if *ty == BELOW_A_DAY => Some(DataType::Interval(IntervalUnit::MonthDayNano)),
            ty if is_day(ty) && *other == BELOW_A_DAY => Some(instant()),
            ty if is_span(other) => finer(ty),
            _ => None,
        };
        to.map_or(Cow::Borrowed(ty), Cow::Owned)
    };
    (beside(left, right), beside(right, left))
}
