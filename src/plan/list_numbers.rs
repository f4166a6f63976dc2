//! Numbers with a point that are written beside a list of decimals: they are decimals there, as beside a decimal.
//!
//! `list_contains(prices, 1.1)` was refused, for DataFusion has no type for the items of a list of decimals and a double. So
//! such a number goes to the planner together with the list: `list_contains(prices, prices OP 1.1)`, where an operator of
//! ours stands for the number alone.
//!
//! `price = ANY ([1.15, 2.25])` is `price IN (1.15, 2.25)`, whose numbers are decimals.

use super::exact_numbers;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::planner::RawBinaryExpr;
use datafusion::logical_expr::{self as logical, ExprSchemable};
use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Statement, UnaryOperator,
    Value, Visit, VisitMut, Visitor, VisitorMut,
};
use std::ops::ControlFlow;

/// The operator between a list and a number beside it.
const BESIDE: &str = "qtool_beside_list";

/// Writes comparisons with any item of a list that has such numbers as `IN`.
pub(super) fn compare_with_items(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Items);
}

/// Puts the list beside such numbers.
pub(super) fn put_beside_lists(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Numbers);
}

/// What the operator stands for: the number, as an item of the list where that is one of decimals; `None` where it is
/// another operator.
pub(super) fn planned(expr: &RawBinaryExpr, schema: &DFSchema) -> Option<logical::Expr> {
    is_beside(&expr.op).then(|| {
        let item = expr.left.get_type(schema).ok().and_then(|list| item_type(&list));
        item.and_then(|item| as_item(&expr.right, &item)).unwrap_or_else(|| expr.right.clone())
    })
}

fn item_type(list: &DataType) -> Option<DataType> {
    match list {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            Some(item.data_type().clone())
        }
        _ => None,
    }
}

/// The number as a decimal: of the item's type where it fits, else of its own digits.
fn as_item(number: &logical::Expr, item: &DataType) -> Option<logical::Expr> {
    let DataType::Decimal128(precision, scale) = item else { return None };
    let exact = exact_numbers::exact(number)?;
    let logical::Expr::Literal(ScalarValue::Decimal128(Some(_), ..), _) = &exact else { return None };
    Some(rescaled(&exact, *precision, *scale).unwrap_or(exact))
}

fn rescaled(exact: &logical::Expr, precision: u8, scale: i8) -> Option<logical::Expr> {
    let logical::Expr::Literal(ScalarValue::Decimal128(Some(digits), _, own), metadata) = exact else { return None };
    let more = u32::try_from(scale.checked_sub(*own)?).ok()?;
    let digits = digits.checked_mul(10_i128.checked_pow(more)?)?;
    let fits = digits.unsigned_abs() < 10_u128.checked_pow(u32::from(precision))?;
    fits.then(|| logical::Expr::Literal(ScalarValue::Decimal128(Some(digits), precision, scale), metadata.clone()))
}

struct Items;

impl VisitorMut for Items {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } = expr
            && let Some(list) = items(right)
        {
            let left = std::mem::replace(left.as_mut(), Expr::value(Value::Null));
            *expr = Expr::InList { expr: Box::new(left), list, negated: false };
        }
        ControlFlow::Continue(())
    }
}

struct Numbers;

impl VisitorMut for Numbers {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Function(call) = expr {
            beside_list(call);
        }
        ControlFlow::Continue(())
    }
}

/// The items of a written list with a number with a point among them.
fn items(list: &Expr) -> Option<Vec<Expr>> {
    match list {
        Expr::Nested(inner) => items(inner),
        Expr::Array(array) if array.elem.iter().any(has_point) => Some(array.elem.clone()),
        _ => None,
    }
}

/// Whether it is a number with a point, with a sign or without.
fn has_point(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => has_point(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => has_point(expr),
        Expr::Value(value) => matches!(&value.value, Value::Number(digits, _) if digits.contains('.')),
        _ => false,
    }
}

/// Puts the list that a function of lists is called with beside its other arguments.
fn beside_list(call: &mut Function) {
    let name = call.name.to_string().to_lowercase();
    let FunctionArguments::List(list) = &mut call.args else { return };
    if !(name.starts_with("array_") || name.starts_with("list_")) {
        return;
    }
    let mut args: Vec<&mut Expr> = list.args.iter_mut().filter_map(unnamed).collect();
    let Some(list) = args.iter().find(|arg| !has_point(arg)).and_then(|arg| list_of(arg)) else { return };
    for arg in args.iter_mut().filter(|arg| has_point(arg)) {
        let number = std::mem::replace(&mut **arg, Expr::value(Value::Null));
        **arg = Expr::BinaryOp {
            left: Box::new(list.clone()),
            op: BinaryOperator::Custom(BESIDE.to_owned()),
            right: Box::new(number),
        };
    }
}

/// A list with the items of another one: of a function that a number stands in, the list beside that. A list that is planned
/// twice again and again would take too long.
fn list_of(list: &Expr) -> Option<Expr> {
    let inner = match list {
        Expr::Function(Function { args: FunctionArguments::List(inner), .. }) => inner.args.iter().find_map(|arg| {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::BinaryOp { left, op, .. })) = arg else { return None };
            is_beside(op).then_some(left.as_ref())
        }),
        _ => None,
    };
    let list = inner.unwrap_or(list);
    Visit::visit(list, &mut Large).is_continue().then(|| list.clone())
}

fn is_beside(op: &BinaryOperator) -> bool {
    matches!(op, BinaryOperator::Custom(name) if name == BESIDE)
}

fn unnamed(arg: &mut FunctionArg) -> Option<&mut Expr> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Stops at subqueries, and where a list stands beside a number already.
struct Large;

impl Visitor for Large {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { op, .. } if is_beside(op) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;
    use datafusion::prelude::lit;

    fn put(sql: &str) -> String {
        let mut statement = parse_text(sql, &|_| None).unwrap();
        compare_with_items(&mut statement);
        put_beside_lists(&mut statement);
        statement.to_string()
    }

    #[test]
    fn numbers_stand_beside_their_list() {
        assert_eq!(put("SELECT list_contains(a, 1.5)"), "SELECT list_contains(a, a qtool_beside_list 1.5)");
        assert_eq!(put("SELECT array_prepend(-1.5, a)"), "SELECT array_prepend(a qtool_beside_list -1.5, a)");
        assert_eq!(put("SELECT b = ANY([1, 1.5])"), "SELECT b IN (1, 1.5)");
        for same in [
            "SELECT list_contains(a, 1)",
            "SELECT round(a, 1.5)",
            "SELECT list_contains((SELECT a FROM t), 1.5)",
            "SELECT b = ANY([1, 2])",
        ] {
            assert_eq!(put(same), same);
        }
        let nested = "SELECT list_append(list_append(a, a qtool_beside_list 1.5), a qtool_beside_list 2.5)";
        assert_eq!(put("SELECT list_append(list_append(a, 1.5), 2.5)"), nested);
    }

    #[test]
    fn a_number_is_an_item_where_it_fits() {
        let item = DataType::Decimal128(12, 2);
        let decimal = |digits, precision, scale| lit(ScalarValue::Decimal128(Some(digits), precision, scale));
        assert_eq!(as_item(&lit(1.1), &item), Some(decimal(110, 12, 2)));
        assert_eq!(as_item(&lit(1.105), &item), Some(decimal(1105, 4, 3)));
        assert_eq!(as_item(&lit(1.1), &DataType::Decimal128(2, 2)), Some(decimal(11, 2, 1)));
        assert_eq!(as_item(&lit(1.1), &DataType::Float64), None);
    }
}
