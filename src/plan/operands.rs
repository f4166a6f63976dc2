//! Operands that are something else beside what they stand beside: numbers with a point beside decimals, and what
//! DataFusion's planner refuses before any rule has seen it, which are the difference of instants that carry two zones, and
//! times of day of two units beside each other.
//!
//! Of a difference with an instant in it, the other side becomes an instant of the same zone, and of two times the coarser
//! one takes the unit of the finer one.

use super::{bits, exact_numbers, list_numbers, long_numbers, meeting, rows};
use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{DFSchema, Result, internal_err};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{BinaryExpr, Cast, Expr, ExprSchemable, Operator};
use sqlparser::ast::BinaryOperator;
use std::sync::Arc;

/// Plans such operands.
#[derive(Debug)]
pub struct Operands;

impl ExprPlanner for Operands {
    fn plan_binary_op(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<PlannerResult<RawBinaryExpr>> {
        let expr = with_doubles(expr, schema);
        if let Some(number) = list_numbers::planned(&expr, schema) {
            return Ok(PlannerResult::Planned(number));
        }
        let types = || [&expr.left, &expr.right].map(|side| side.get_type(schema).unwrap_or(DataType::Null));
        if bits::is_of_bits(&expr.op) {
            bits::check(&expr.op, &types())?;
        }
        if let Some(ordered) = rows::ordered(&expr, |columns| self.compared(columns, schema))? {
            return Ok(PlannerResult::Planned(ordered));
        }
        let Some(op) = operator(&expr.op) else { return Ok(PlannerResult::Original(expr)) };
        let types = types();
        let expr = match decimals(expr, op, (&types, schema)) {
            PlannerResult::Original(expr) => expr,
            planned @ PlannerResult::Planned(_) => return Ok(planned),
        };
        let [left, right] = match op {
            Operator::Minus => instants(&types),
            Operator::Divide if exact_numbers::is_quotient(&types[0], op, &types[1]) => {
                [Some(DataType::Float64), Some(DataType::Float64)]
            }
            op if op.is_numerical_operators() => [None, None],
            _ => times(&types),
        };
        if left.is_none() && right.is_none() {
            return Ok(PlannerResult::Original(expr));
        }
        let side = |side: Expr, to: Option<DataType>| match to {
            Some(to) => Box::new(Expr::Cast(Cast::new(Box::new(side), to))),
            None => Box::new(side),
        };
        let binary = BinaryExpr::new(side(expr.left, left), op, side(expr.right, right));
        Ok(PlannerResult::Planned(Expr::BinaryExpr(binary)))
    }
}

/// The comparison with doubles for numbers of more digits than these have, where what stands beside them is none that is exact.
fn with_doubles(expr: RawBinaryExpr, schema: &DFSchema) -> RawBinaryExpr {
    let RawBinaryExpr { op, left, right } = expr;
    let beside = |number: &Expr, other: &Expr| long_numbers::beside(number, &other.get_type(schema).ok()?);
    let (of_left, of_right) = (beside(&left, &right), beside(&right, &left));
    RawBinaryExpr { op, left: of_left.unwrap_or(left), right: of_right.unwrap_or(right) }
}

impl Operands {
    /// A comparison inside of one that is planned.
    fn compared(&self, expr: RawBinaryExpr, schema: &DFSchema) -> Result<Expr> {
        match self.plan_binary_op(expr, schema)? {
            PlannerResult::Planned(planned) => Ok(planned),
            PlannerResult::Original(RawBinaryExpr { op, left, right }) => match operator(&op) {
                Some(op) => Ok(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right)))),
                None => internal_err!("{op} compares no columns"),
            },
        }
    }
}

fn operator(op: &BinaryOperator) -> Option<Operator> {
    Some(match op {
        BinaryOperator::Plus => Operator::Plus,
        BinaryOperator::Minus => Operator::Minus,
        BinaryOperator::Multiply => Operator::Multiply,
        BinaryOperator::Divide => Operator::Divide,
        BinaryOperator::Modulo => Operator::Modulo,
        BinaryOperator::Eq => Operator::Eq,
        BinaryOperator::NotEq => Operator::NotEq,
        BinaryOperator::Lt => Operator::Lt,
        BinaryOperator::LtEq => Operator::LtEq,
        BinaryOperator::Gt => Operator::Gt,
        BinaryOperator::GtEq => Operator::GtEq,
        _ => return None,
    })
}

/// An operation of which one side is a decimal and the other a number that is written, exactly.
fn decimals(
    expr: RawBinaryExpr,
    op: Operator,
    (types, schema): (&[DataType; 2], &DFSchema),
) -> PlannerResult<RawBinaryExpr> {
    let [left, right] = types;
    let taken = |decimal: &DataType, number: &Expr| {
        let exact = exact_numbers::exact(number).filter(|_| decimal.is_decimal())?;
        exact_numbers::takes(decimal, op, &exact.get_type(schema).ok()?).then_some(exact)
    };
    let (left, right) = match (taken(right, &expr.left), taken(left, &expr.right)) {
        (Some(left), _) => (left, expr.right),
        (_, Some(right)) => (expr.left, right),
        _ => return PlannerResult::Original(expr),
    };
    PlannerResult::Planned(Expr::BinaryExpr(BinaryExpr::new(Box::new(left), op, Box::new(right))))
}

/// The types that the sides of a difference are cast to.
fn instants(types: &[DataType; 2]) -> [Option<DataType>; 2] {
    let carried = types.iter().find_map(|ty| match ty {
        DataType::Timestamp(unit, Some(zone)) => Some((*unit, zone)),
        _ => None,
    });
    let Some((unit, zone)) = carried else { return [None, None] };
    types.each_ref().map(|ty| instant(ty, unit, zone))
}

/// The type that a side is cast to; `None` where it is such an instant already, or no point in time.
fn instant(ty: &DataType, unit: TimeUnit, zone: &Arc<str>) -> Option<DataType> {
    match ty {
        DataType::Date32 | DataType::Date64 => Some(DataType::Timestamp(unit, Some(Arc::clone(zone)))),
        DataType::Timestamp(_, Some(own)) if own == zone => None,
        DataType::Timestamp(own, _) => Some(DataType::Timestamp(*own, Some(Arc::clone(zone)))),
        _ => None,
    }
}

/// The types that times of day are cast to.
fn times(types: &[DataType; 2]) -> [Option<DataType>; 2] {
    let is_time = |ty: &DataType| matches!(ty, DataType::Time32(_) | DataType::Time64(_));
    match meeting::met(types) {
        Some(to) if types.iter().all(is_time) => types.each_ref().map(|ty| (*ty != to).then(|| to.clone())),
        _ => [None, None],
    }
}
