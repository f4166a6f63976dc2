//! Casts that the optimizer takes for what they are not stand in a function.
//!
//! A cast that forgets a part of an instant, `CAST(at AS date) = day`, where columns are compared:
//!
//! DataFusion guesses how many rows a filter keeps by narrowing the ranges of its columns. Where such a cast makes a range
//! wider than it was, the share is more than one, and the query fails ("Selectivity is out of limit"), depending on the
//! data. It looks into no function. Beside a constant the cast stays as it is: what reads files makes a range of it.
//!
//! A cast to a number of fewer digits, where it is compared. DataFusion takes it off beside a literal and not beside a
//! placeholder: `TRY_CAST(99999999999 AS int) > 3` was true, and `CAST` no error.

use super::in_lists::same;
use super::names;
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::{Between, InList};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator};
use datafusion::optimizer::AnalyzerRule;

/// The rule. Runs when types are coerced.
#[derive(Debug)]
pub(super) struct ForgetfulCasts;

impl AnalyzerRule for ForgetfulCasts {
    fn name(&self) -> &str {
        "qtool_forgetful_casts"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !plan.expressions().iter().any(has_cast) {
                return Ok(Transformed::no(plan));
            }
            let is_filter = matches!(plan, LogicalPlan::Filter(_) | LogicalPlan::Join(_));
            let schema = merge_schema(&plan.inputs());
            let in_function = |expr: Expr| {
                let narrow = narrowed(expr, &schema);
                if is_filter { narrow.transform_data(|expr| compared(expr, &schema)) } else { Ok(narrow) }
            };
            names::map_expressions(plan, &|expr| expr.transform_up(in_function))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn has_cast(expr: &Expr) -> bool {
    expr.exists(|expr| Ok(matches!(expr, Expr::Cast(_) | Expr::TryCast(_)))).unwrap_or(true)
}

/// A comparison whose sides may be casts to fewer digits.
fn narrowed(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let mut is_changed = false;
    let mut kept = |side: Box<Expr>| {
        let (from, to) = match side.as_ref() {
            Expr::Cast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
            Expr::TryCast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
            _ => return side,
        };
        if !from.is_ok_and(|from| narrows(&from, to)) {
            return side;
        }
        is_changed = true;
        Box::new(same(*side, 0))
    };
    let expr = match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if compares(op) || is_distinction(op) => {
            Expr::BinaryExpr(BinaryExpr::new(kept(left), op, kept(right)))
        }
        Expr::Between(between) => Expr::Between(Between { expr: kept(between.expr), ..between }),
        Expr::InList(list) => Expr::InList(InList { expr: kept(list.expr), ..list }),
        other => other,
    };
    Transformed::new_transformed(expr, is_changed)
}

/// Whether there are numbers of one type that another has no room for. Floating-point numbers are left as they are: the
/// optimizer leaves them too.
fn narrows(from: &DataType, to: &DataType) -> bool {
    match (whole_digits(from), whole_digits(to)) {
        (Some((most, _)), Some((_, room))) => most > room || (to.is_unsigned_integer() && !from.is_unsigned_integer()),
        _ => false,
    }
}

/// The digits in front of the point that numbers of a type have at most, and those that it has room for in any case.
fn whole_digits(ty: &DataType) -> Option<(i16, i16)> {
    let decimal = |precision: u8, scale: i8| i16::from(precision) - i16::from(scale);
    Some(match ty {
        DataType::Int8 | DataType::UInt8 => (3, 2),
        DataType::Int16 | DataType::UInt16 => (5, 4),
        DataType::Int32 | DataType::UInt32 => (10, 9),
        DataType::Int64 => (19, 18),
        DataType::UInt64 => (20, 19),
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => {
            let digits = decimal(*precision, *scale);
            (digits, digits)
        }
        _ => return None,
    })
}

fn compared(expr: Expr, schema: &DFSchema) -> Result<Transformed<Expr>> {
    match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right })
            if compares(op) && left.any_column_refs() && right.any_column_refs() =>
        {
            let wrapped = |side: Expr| side.transform_up(|expr| Ok(covered(expr, schema)));
            let (left, right) = (wrapped(*left)?, wrapped(*right)?);
            let is_changed = left.transformed || right.transformed;
            let compared = BinaryExpr::new(Box::new(left.data), op, Box::new(right.data));
            Ok(Transformed::new_transformed(Expr::BinaryExpr(compared), is_changed))
        }
        other => Ok(Transformed::no(other)),
    }
}

fn compares(op: Operator) -> bool {
    matches!(op, Operator::Eq | Operator::NotEq | Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq)
}

fn is_distinction(op: Operator) -> bool {
    matches!(op, Operator::IsDistinctFrom | Operator::IsNotDistinctFrom)
}

fn covered(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let (from, to) = match &expr {
        Expr::Cast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
        Expr::TryCast(cast) => (cast.expr.get_type(schema), cast.field.data_type()),
        _ => return Transformed::no(expr),
    };
    match from {
        Ok(from) if forgets(&from, to) => Transformed::yes(same(expr, 0)),
        _ => Transformed::no(expr),
    }
}

/// Whether instants of one type lose a part in another.
fn forgets(from: &DataType, to: &DataType) -> bool {
    let DataType::Timestamp(unit, _) = from else { return false };
    match to {
        DataType::Timestamp(coarser, _) => digits(*coarser) < digits(*unit),
        DataType::Date32 | DataType::Date64 | DataType::Time32(_) | DataType::Time64(_) => true,
        _ => false,
    }
}

fn digits(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    }
}
