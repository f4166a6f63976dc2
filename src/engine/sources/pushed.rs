//! The closed list: which conditions a database evaluates exactly as they are evaluated here.
//!
//! A condition that is exact is evaluated there alone. One that is not exact gives there at least the rows that it gives
//! here, which are filtered again. What is on neither side of the list is not sent at all.

mod mysql;
mod postgres;
mod sqlite;

pub(super) use sqlite::Affinity;

use super::bind::Form;
use super::facts::Facts;
use super::remote_query::{Comparison, Condition, Slot, Sought};
use crate::catalog::DatabaseKind;
use crate::plan::bare_value;
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::{Between, BinaryExpr, Cast, Expr, Operator, Volatility};

/// The most items of a list that are sent.
const MOST_ITEMS: usize = 5_000;

/// What a condition is when it is sent; `None` where it is not. The values that it holds are added to `values`.
pub(super) fn condition(expr: &Expr, facts: &Facts, values: &mut Vec<Expr>) -> Option<Sought> {
    let mut finding = Finding { facts, values: Vec::new(), first: values.len() };
    let found = finding.condition(expr)?;
    values.append(&mut finding.values);
    Some(found)
}

fn exactly(condition: Condition) -> Option<Sought> {
    Some(Sought { condition, is_exact: true })
}

/// What may stand in a column for a value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum StandIn {
    /// Nothing.
    Nothing,
    /// The text of a number is the number.
    IntegerForText,
    /// A number is the text of it.
    TextForNumber,
}

/// Whether a column may hold values that are none of its type.
pub(super) fn may_misfit(facts: &Facts, column: usize) -> bool {
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::may_misfit(facts, column),
        DatabaseKind::Postgres => postgres::may_misfit(facts, column),
        DatabaseKind::Mysql => mysql::may_misfit(facts, column),
    }
}

/// What may stand in a column of a table for a value of its type.
pub(super) fn stand_in(facts: &Facts, column: usize) -> StandIn {
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::stand_in(facts, column),
        DatabaseKind::Postgres | DatabaseKind::Mysql => StandIn::Nothing,
    }
}

/// Whether a database finds the same values of a column equal.
pub(super) fn groups(facts: &Facts, column: usize) -> bool {
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::groups(facts, column),
        DatabaseKind::Postgres => postgres::groups(facts, column),
        DatabaseKind::Mysql => mysql::groups(facts, column),
    }
}

/// Whether a database puts the values of a column in the same order.
pub(super) fn orders(facts: &Facts, column: usize) -> bool {
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::orders(facts, column),
        DatabaseKind::Postgres => postgres::orders(facts, column),
        DatabaseKind::Mysql => mysql::orders(facts, column),
    }
}

/// Whether a database finds the values of two columns of its tables equal where they are equal here.
pub(super) fn joins(one: (&Facts, usize), other: (&Facts, usize)) -> bool {
    let (Some((left, _)), Some((right, _))) = (one.0.column(one.1), other.0.column(other.1)) else { return false };
    let (left, right) = (left.data_type(), right.data_type());
    let is_alike = left == right
        || left.is_integer() && right.is_integer()
        || left.is_decimal() && right.is_decimal()
        || super::bind::is_text(left) && super::bind::is_text(right);
    is_alike
        && groups(one.0, one.1)
        && groups(other.0, other.1)
        && match one.0.native.kind {
            DatabaseKind::Sqlite => sqlite::joins(one, other),
            DatabaseKind::Postgres => postgres::joins(one, other),
            DatabaseKind::Mysql => mysql::joins(one, other),
        }
}

/// Whether a database adds up a column of integers as it is done here.
pub(super) fn sums(facts: &Facts, column: usize) -> bool {
    match facts.native.kind {
        DatabaseKind::Sqlite => sqlite::has_integers(facts, column),
        DatabaseKind::Postgres => postgres::has_integers(facts, column),
        DatabaseKind::Mysql => mysql::has_integers(facts, column),
    }
}

/// Whether a database adds up a column of decimals without losing a digit.
pub(super) fn totals(facts: &Facts, column: usize) -> bool {
    match facts.native.kind {
        // The one adds up floating-point numbers, and the sums of the other have more digits than it is asked for.
        DatabaseKind::Sqlite | DatabaseKind::Mysql => false,
        DatabaseKind::Postgres => postgres::has_decimals(facts, column),
    }
}

/// What a comparison of a column is in its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    /// The same, with the value in this form.
    Exact(Form),
    /// At least the same rows.
    Inexact(Form),
    /// At least the same rows, where what is equal there is also sought by what is smaller or larger here.
    Wider(Form),
    /// A time, of which only the day is compared.
    ByDay,
    /// A decimal of so many digits that is stored as a floating-point number.
    Nearly(u8, i8),
}

/// A condition on its way.
struct Finding<'a> {
    facts: &'a Facts,
    values: Vec<Expr>,
    /// How many values there were before.
    first: usize,
}

impl Finding<'_> {
    fn condition(&mut self, expr: &Expr) -> Option<Sought> {
        match expr {
            Expr::BinaryExpr(BinaryExpr { left, op: op @ (Operator::And | Operator::Or), right }) => {
                let (left, right) = (self.exact(left)?, self.exact(right)?);
                let both = vec![left, right];
                exactly(if *op == Operator::And { Condition::All(both) } else { Condition::Any(both) })
            }
            Expr::Not(inner) => match self.boolean(inner) {
                Some(column) => exactly(Condition::Is { column, value: false }),
                None => exactly(Condition::Not(Box::new(self.exact(inner)?))),
            },
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                let negated = matches!(expr, Expr::IsNotNull(_));
                exactly(Condition::Null { column: self.column(inner)?, negated })
            }
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => self.comparison(left, comparison(*op)?, right),
            Expr::Between(Between { expr, negated: false, low, high }) => {
                let low = self.comparison(expr, Comparison::GtEq, low)?;
                let high = self.comparison(expr, Comparison::LtEq, high)?;
                let is_exact = low.is_exact && high.is_exact;
                Some(Sought { condition: Condition::All(vec![low.condition, high.condition]), is_exact })
            }
            Expr::InList(list) => self.list(list),
            other => exactly(Condition::Is { column: self.boolean(other)?, value: true }),
        }
    }

    /// A condition that is sent exactly.
    fn exact(&mut self, expr: &Expr) -> Option<Condition> {
        self.condition(expr).filter(|found| found.is_exact).map(|found| found.condition)
    }

    fn comparison(&mut self, left: &Expr, op: Comparison, right: &Expr) -> Option<Sought> {
        let (column, op, value) = match self.column(left) {
            Some(column) => (column, op, right),
            None => (self.column(right)?, op.turned(), left),
        };
        let is_certain = is_value(value)?;
        let (condition, is_exact) = match self.compared(column, op, value)? {
            Compared::Exact(form) => (Condition::Compare { column, op, value: self.slot(value, form) }, true),
            Compared::Inexact(form) => (Condition::Compare { column, op, value: self.slot(value, form) }, false),
            Compared::Wider(form) => {
                let op = match op {
                    Comparison::Lt => Comparison::LtEq,
                    Comparison::Gt => Comparison::GtEq,
                    Comparison::NotEq => return None,
                    same => same,
                };
                (Condition::Compare { column, op, value: self.slot(value, form) }, false)
            }
            Compared::ByDay => (self.between(column, op, value, (Form::FirstOfDay, Form::NextDay))?, false),
            Compared::Nearly(digits, scale) => {
                (self.between(column, op, value, (Form::Low(digits, scale), Form::High(digits, scale)))?, false)
            }
        };
        Some(Sought { condition, is_exact: is_exact && is_certain })
    }

    /// What a comparison is where all that is equal to the value lies between two others.
    fn between(&mut self, column: usize, op: Comparison, value: &Expr, ends: (Form, Form)) -> Option<Condition> {
        let (low, high) = ends;
        let mut compare = |op, form| Condition::Compare { column, op, value: self.slot(value, form) };
        Some(match op {
            Comparison::Gt | Comparison::GtEq => compare(Comparison::GtEq, low),
            Comparison::Lt | Comparison::LtEq => compare(Comparison::LtEq, high),
            Comparison::Eq => {
                let from = compare(Comparison::GtEq, low);
                Condition::All(vec![from, compare(Comparison::LtEq, high)])
            }
            Comparison::NotEq => return None,
        })
    }

    fn list(&mut self, list: &InList) -> Option<Sought> {
        let InList { expr, list, negated } = list;
        let column = self.column(expr)?;
        if list.is_empty() || list.len() > MOST_ITEMS {
            return None;
        }
        let op = if *negated { Comparison::NotEq } else { Comparison::Eq };
        let mut items = Vec::with_capacity(list.len());
        let mut is_exact = true;
        for item in list {
            match (is_value(item)?, self.compared(column, op, item)?) {
                (is_certain, Compared::Exact(form)) => {
                    is_exact &= is_certain;
                    items.push(self.slot(item, form));
                }
                (_, Compared::Inexact(form) | Compared::Wider(form)) if !negated => {
                    is_exact = false;
                    items.push(self.slot(item, form));
                }
                _ => return None,
            }
        }
        Some(Sought { condition: Condition::OneOf { column, items, negated: *negated }, is_exact })
    }

    /// The place of the column that an expression is, without what changes nothing of its values.
    fn column(&self, expr: &Expr) -> Option<usize> {
        match bare_value(expr) {
            Expr::Column(column) => self.facts.place(&column.name),
            Expr::Cast(Cast { expr: inner, field, .. }) => {
                let place = self.column(inner)?;
                let (own, _) = self.facts.column(place)?;
                keeps_values(own.data_type(), field.data_type()).then_some(place)
            }
            _ => None,
        }
    }

    /// The place of a column of booleans.
    fn boolean(&self, expr: &Expr) -> Option<usize> {
        let place = self.column(expr)?;
        let (field, native) = self.facts.column(place)?;
        let is_known = match self.facts.native.kind {
            DatabaseKind::Sqlite => sqlite::has_booleans(native),
            DatabaseKind::Postgres => native.declared == "boolean",
            DatabaseKind::Mysql => mysql::has_booleans(native),
        };
        (is_known && *field.data_type() == DataType::Boolean).then_some(place)
    }

    fn compared(&self, column: usize, op: Comparison, value: &Expr) -> Option<Compared> {
        let ty = value_type(value)?;
        match self.facts.native.kind {
            DatabaseKind::Sqlite => sqlite::compared(self.facts, column, op, &ty),
            DatabaseKind::Postgres => postgres::compared(self.facts, column, op, &ty),
            DatabaseKind::Mysql => mysql::compared(self.facts, column, op, &ty),
        }
    }

    fn slot(&mut self, value: &Expr, form: Form) -> Slot {
        self.values.push(value.clone());
        Slot { value: self.first + self.values.len() - 1, form }
    }
}

fn comparison(op: Operator) -> Option<Comparison> {
    Some(match op {
        Operator::Eq => Comparison::Eq,
        Operator::NotEq => Comparison::NotEq,
        Operator::Lt => Comparison::Lt,
        Operator::LtEq => Comparison::LtEq,
        Operator::Gt => Comparison::Gt,
        Operator::GtEq => Comparison::GtEq,
        _ => return None,
    })
}

/// Whether a cast leaves all values as they are, so that what is compared with its result may be compared with the column.
pub(super) fn keeps_values(from: &DataType, to: &DataType) -> bool {
    use DataType::{Decimal128, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32};
    match (from, to) {
        (from, to) if from == to => true,
        (Int8, Int16 | Int32 | Int64) | (Int16, Int32 | Int64) | (Int32, Int64) => true,
        (UInt8, Int16 | Int32 | Int64 | UInt16 | UInt32) | (UInt16, Int32 | Int64 | UInt32) | (UInt32, Int64) => true,
        (Decimal128(digits, scale), Decimal128(more, wider)) => {
            let whole = |digits: u8, scale: i8| i32::from(digits) - i32::from(scale);
            wider >= scale && whole(*more, *wider) >= whole(*digits, *scale)
        }
        (from, to) => super::bind::is_text(from) && super::bind::is_text(to),
    }
}

/// Whether an expression is a value that is known when a call runs; and whether that it is one is certain: a function may
/// fail, and its condition is left out then. `None` where it depends on rows, or on when it is asked.
fn is_value(expr: &Expr) -> Option<bool> {
    let (mut is_certain, mut is_known) = (true, true);
    let mut level = 0_usize;
    // Looking at an expression does not fail.
    let _ = expr.apply(|expr| {
        level += 1;
        match expr {
            Expr::Literal(..) | Expr::Placeholder(_) => {}
            // What stands for a placeholder in a plan that is kept.
            Expr::ScalarFunction(ScalarFunction { func, args })
                if args.is_empty() && func.name().starts_with("<< ") => {}
            Expr::Cast(Cast { expr, field, .. }) => {
                is_certain &= value_type(expr).is_some_and(|from| keeps_values(&from, field.data_type()));
            }
            Expr::ScalarFunction(call) if call.func.signature().volatility != Volatility::Volatile => {
                is_certain = false
            }
            Expr::BinaryExpr(_) | Expr::Negative(_) | Expr::Case(_) | Expr::TryCast(_) => is_certain = false,
            _ => is_known = false,
        }
        Ok(if is_known { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    });
    is_known.then_some(is_certain)
}

/// The type of a value without columns.
fn value_type(expr: &Expr) -> Option<DataType> {
    use datafusion::common::DFSchema;
    use datafusion::logical_expr::ExprSchemable;
    match expr {
        Expr::Literal(value, _) if *value == ScalarValue::Null => Some(DataType::Null),
        other => other.get_type(&DFSchema::empty()).ok(),
    }
}
