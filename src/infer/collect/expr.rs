//! Expressions: the type of each, and what it asks of those inside it.

use super::casts::of_cast;
use super::parts::field_of;
use super::{Collector, query};
use crate::infer::checked::Checked;
use crate::infer::constraint::{Strength, Term};
use crate::infer::scope::{Found, Scope};
use crate::syntax::link::number;
use crate::ty::Type;
use arrow::datatypes::{DataType, IntervalUnit};
use sqlparser::ast::{DateTimeField, Expr, Ident, Query, Value};

pub(super) const BOOLEAN: Term = Term::Typed(DataType::Boolean);

impl<'a> Collector<'a> {
    /// The type of an expression.
    pub(super) fn expr<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        match expr {
            Expr::Nested(inner) => self.expr(inner, scope),
            Expr::Identifier(ident) => self.column(std::slice::from_ref(ident), scope),
            Expr::CompoundIdentifier(path) => self.column(path, scope),
            Expr::Value(value) => self.value(&value.value),
            Expr::BinaryOp { left, op, right } => self.binary(expr, (left, op, right), scope),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr, scope),
            Expr::Function(function) => self.function(function, scope),
            Expr::Subquery(subquery) => self.subquery(subquery, scope),
            Expr::Case { .. } => self.case(expr, scope),
            Expr::Array(array) => self.array(&array.elem, scope),
            Expr::Map(map) => self.map(map, scope),
            Expr::CompoundFieldAccess { root, access_chain } => self.accessed(root, access_chain, scope),
            Expr::Named { expr, .. } | Expr::Collate { expr, .. } => self.expr(expr, scope),
            Expr::Tuple(values) | Expr::Struct { values, .. } => self.untyped(values, scope),
            Expr::Dictionary(fields) => self.untyped(fields.iter().map(|field| field.value.as_ref()), scope),
            Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                self.untyped(sets.iter().flatten(), scope)
            }
            Expr::TypedString(_)
            | Expr::Interval(_)
            | Expr::Cast { .. }
            | Expr::AtTimeZone { .. }
            | Expr::Extract { .. } => self.of_a_type(expr, scope),
            Expr::Ceil { .. }
            | Expr::Floor { .. }
            | Expr::Position { .. }
            | Expr::Substring { .. }
            | Expr::Trim { .. }
            | Expr::Overlay { .. } => self.in_a_form(expr, scope),
            _ => self.tested(expr, scope),
        }
    }

    /// Expressions that are true or false.
    fn tested<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        match expr {
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.compared("IS DISTINCT FROM", expr, &[left, right], scope);
            }
            Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner)
            | Expr::IsUnknown(inner)
            | Expr::IsNotUnknown(inner) => self.condition(inner, scope),
            Expr::IsNull(inner) | Expr::IsNotNull(inner) => {
                self.expr(inner, scope);
            }
            Expr::Between { expr: value, low, high, .. } => {
                self.compared("BETWEEN", expr, &[value, low, high], scope);
            }
            Expr::InList { expr: value, list, .. } => self.in_list(expr, (value, list), scope),
            Expr::InSubquery { expr: value, subquery, .. } => self.in_subquery(expr, (value, subquery), scope),
            Expr::InUnnest { expr, array_expr, .. } => {
                let (item, list) = (self.expr(expr, scope), self.expr(array_expr, scope));
                self.element(list, item);
            }
            Expr::Exists { subquery, .. } => {
                self.query(subquery, Some(scope));
            }
            Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => self.any_or_all(left, right, scope),
            Expr::Like { expr, pattern, .. }
            | Expr::ILike { expr, pattern, .. }
            | Expr::SimilarTo { expr, pattern, .. }
            | Expr::RLike { expr, pattern, .. } => {
                self.matched([expr, pattern], scope);
            }
            _ => return Term::Unknown,
        }
        BOOLEAN
    }

    /// Expressions that say their type.
    fn of_a_type<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        match expr {
            Expr::TypedString(typed) => {
                let ty = Type::from_sql(&typed.data_type);
                ty.map_or(Term::Unknown, |ty| Term::Constant(of_cast(&typed.data_type, ty)))
            }
            Expr::Interval(interval) => {
                let inner = self.expr(&interval.value, scope);
                self.must_be(&inner, Type::Text);
                Term::Constant(DataType::Interval(IntervalUnit::MonthDayNano))
            }
            Expr::Cast { kind: _, expr, data_type, .. } => self.cast(expr, data_type, scope),
            Expr::AtTimeZone { timestamp, time_zone } => {
                let time = self.expr(timestamp, scope);
                let zone = self.expr(time_zone, scope);
                self.must_be(&zone, Type::Text);
                // Nobody writes the zone of an instant that has one.
                self.ask(&time, Type::Timestamp(6), Strength::Likely);
                // An instant becomes a local time, and a local time an instant.
                match self.known(&time).or_else(|| self.occurrence(&time).map(|_| Type::Timestamp(6).to_arrow())) {
                    Some(DataType::Timestamp(unit, Some(_))) => Term::Typed(DataType::Timestamp(unit, None)),
                    Some(DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => {
                        Term::Typed(Type::Timestamp(9).to_arrow())
                    }
                    Some(_) => Term::Typed(Type::Timestamptz(9).to_arrow()),
                    None => Term::Unknown,
                }
            }
            Expr::Extract { field, expr, .. } => {
                let inner = self.expr(expr, scope);
                self.ask(&inner, Type::Timestamp(6), Strength::Guess);
                Term::Typed(match field {
                    DateTimeField::Epoch => DataType::Float64,
                    DateTimeField::Nanosecond | DateTimeField::Nanoseconds => DataType::Int64,
                    _ => DataType::Int32,
                })
            }
            _ => Term::Unknown,
        }
    }

    /// The forms that SQL has for some functions: `SUBSTRING(a FROM 2)`.
    fn in_a_form<'s>(&mut self, expr: &'a Expr, scope: &'s Scope<'s, 'a>) -> Term {
        match expr {
            Expr::Ceil { expr, .. } => self.called("ceil", &[expr], scope),
            Expr::Floor { expr, .. } => self.called("floor", &[expr], scope),
            Expr::Position { expr, r#in } => self.called("strpos", &[r#in, expr], scope),
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let mut args: Vec<&'a Expr> = vec![expr];
                args.extend(substring_from.as_deref());
                args.extend(substring_for.as_deref());
                self.called("substr", &args, scope)
            }
            Expr::Trim { expr, trim_what, trim_characters, .. } => {
                let mut args: Vec<&'a Expr> = vec![expr];
                args.extend(trim_what.as_deref());
                args.extend(trim_characters.iter().flatten());
                self.called("btrim", &args, scope)
            }
            Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let mut args: Vec<&'a Expr> = vec![expr, overlay_what, overlay_from];
                args.extend(overlay_for.as_deref());
                self.called("overlay", &args, scope)
            }
            _ => Term::Unknown,
        }
    }

    /// What is made of these has no type that is known here; they are looked into.
    fn untyped<'s>(&mut self, inner: impl IntoIterator<Item = &'a Expr>, scope: &'s Scope<'s, 'a>) -> Term {
        for expr in inner {
            self.expr(expr, scope);
        }
        Term::Unknown
    }

    pub(super) fn subquery<'s>(&mut self, query: &'a Query, scope: &'s Scope<'s, 'a>) -> Term {
        let fields = self.query(query, Some(scope));
        self.check(query, || Checked::Columns(fields.len()));
        fields.into_iter().next().map_or(Term::Unknown, |field| field.term)
    }

    fn value(&mut self, value: &Value) -> Term {
        match value {
            Value::Number(digits, _) => {
                let integer = digits.parse::<i64>().is_ok();
                Term::Constant(if integer { DataType::Int64 } else { DataType::Float64 })
            }
            Value::Boolean(_) => Term::Constant(DataType::Boolean),
            Value::Null => Term::Constant(DataType::Null),
            Value::HexStringLiteral(_) => Term::Constant(DataType::Binary),
            Value::Placeholder(id) => {
                let cell = number(id).filter(|at| *at < self.occurrences.len());
                cell.map_or(Term::Unknown, Term::Open)
            }
            _ => Term::Constant(DataType::Utf8),
        }
    }

    /// `column`, `table.column`, or either with fields of a struct behind it.
    pub(super) fn column<'s>(&mut self, path: &[Ident], scope: &'s Scope<'s, 'a>) -> Term {
        let names = query::names(path);
        let (found, fields) = match names.as_slice() {
            [] => return Term::Unknown,
            [name] => (scope.find(None, name), 1),
            [table, name, ..] => match scope.find(Some(table), name) {
                found @ (Found::Column(_) | Found::Several) => (found, 2),
                // Not a table's column: perhaps a field of a column.
                found => match (scope.find(None, table), scope.find(Some(table), table)) {
                    (column @ Found::Column(_), _) if !scope.has_relation(table) => (column, 1),
                    // `unnest(items) AS u`: the table and its only column are called alike, and another table may have
                    // a column of that name as well.
                    (Found::Column(_) | Found::Several, column @ Found::Column(_)) => (column, 1),
                    _ => (found, 2),
                },
            },
        };
        match found {
            Found::Column(mut term) => {
                for name in names.iter().skip(fields) {
                    term = field_of(&term, name);
                }
                term
            }
            Found::Nothing => {
                self.unknown(path, scope);
                Term::Wrong
            }
            Found::Several => {
                let place = path.first().zip(path.last()).and_then(|(first, last)| self.place(first, last));
                let name = names.last().cloned().unwrap_or_default();
                self.found.ambiguous.extend(place.map(|place| (place, name)));
                Term::Wrong
            }
            Found::Unclear => Term::Unknown,
        }
    }
}
