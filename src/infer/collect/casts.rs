//! Casts: what is cast is asked for the type that it is cast to. So is each value of a record that is written there, for
//! the type of its field.

use super::Collector;
use super::call::value_of;
use super::row_values::named_parts;
use crate::infer::constraint::{Strength, Term};
use crate::infer::scope::Scope;
use crate::syntax::normalized;
use crate::ty::Type;
use arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use sqlparser::ast::{ArrayElemTypeDef, DataType as Sql, Expr, StructField};

impl<'a> Collector<'a> {
    /// `CAST(value AS sql)` and `value::sql`.
    pub(super) fn cast<'s>(&mut self, value: &'a Expr, sql: &'a Sql, scope: &'s Scope<'s, 'a>) -> Term {
        let inner = self.operand(value, sql, scope);
        let Some((ty, arrow)) = target(sql) else { return Term::Unknown };
        self.ask(&inner, ty, Strength::Cast);
        self.cast_side((value, &inner), &arrow);
        if matches!(inner, Term::Constant(_)) { Term::Constant(arrow) } else { Term::Typed(arrow) }
    }

    /// What is cast. The parts of a record are casts of their own, also in a list.
    fn operand<'s>(&mut self, value: &'a Expr, sql: &'a Sql, scope: &'s Scope<'s, 'a>) -> Term {
        match (value, sql) {
            (Expr::Nested(inner), _) => return self.operand(inner, sql, scope),
            (Expr::Array(array), sql) => {
                if let Some(item) = item_of(sql).filter(|item| has_records(item)) {
                    for value in &array.elem {
                        self.cast(value, item, scope);
                    }
                    return Term::Unknown;
                }
            }
            (value, Sql::Struct(fields, _)) => {
                if let Some(parts) = named_parts(value) {
                    self.fields_cast(parts, fields, scope);
                    return Term::Unknown;
                }
            }
            _ => {}
        }
        self.expr(value, scope)
    }

    /// The engine finds fields by their names, and leaves out those that the type has not. Where it has none of them, it
    /// refuses the cast: that is told, and nobody is asked for types.
    fn fields_cast<'s>(&mut self, parts: Vec<(String, &'a Expr)>, fields: &'a [StructField], scope: &'s Scope<'s, 'a>) {
        let of =
            |name: &str| fields.iter().find(|field| field.field_name.as_ref().map(normalized).as_deref() == Some(name));
        let is_by_name = parts.iter().any(|(name, _)| of(name).is_some());
        for (at, (name, part)) in parts.into_iter().enumerate() {
            match if is_by_name { of(&name) } else { fields.get(at) } {
                Some(field) => self.cast(part, &field.field_type, scope),
                None => self.expr(part, scope),
            };
        }
    }

    /// `arrow_cast(value, 'Int64')` and `cast_to_type(value, like)`; what it gives, where `value` has no type by itself.
    pub(super) fn cast_call(&mut self, name: &str, args: &[&Expr], terms: &[Term]) -> Option<Term> {
        let ([expr, how], [value, like]) = (args, terms) else { return None };
        let to = match name {
            "arrow_cast" | "arrow_try_cast" => arrow_type(how)?,
            "cast_to_type" | "try_cast_to_type" => self.known(like).filter(|ty| *ty != DataType::Null)?,
            _ => return None,
        };
        self.cast_side((*expr, value), &to);
        if !matches!(value, Term::Open(_)) {
            return None;
        }
        if let Some(ty) = Type::beside_column(&to) {
            self.ask(value, ty, Strength::Cast);
        }
        Some(Term::Typed(to))
    }
}

/// The type of the items, where a type is a list.
fn item_of(sql: &Sql) -> Option<&Sql> {
    match sql {
        Sql::Array(ArrayElemTypeDef::SquareBracket(item, None) | ArrayElemTypeDef::AngleBracket(item)) => Some(item),
        _ => None,
    }
}

/// Whether a type is a record, or a list of records.
fn has_records(sql: &Sql) -> bool {
    matches!(sql, Sql::Struct(..)) || item_of(sql).is_some_and(has_records)
}

/// The type that is named by a text: `'Int64'`.
fn arrow_type(name: &Expr) -> Option<DataType> {
    match value_of(name)? {
        ScalarValue::Utf8(Some(name)) => name.parse().ok(),
        _ => None,
    }
}

/// The type that is cast to, and what the engine makes of it; also those without a sign, of which one has a name.
fn target(sql: &Sql) -> Option<(Type, DataType)> {
    let unsigned = match sql {
        Sql::TinyIntUnsigned(_) | Sql::UTinyInt => DataType::UInt8,
        Sql::SmallIntUnsigned(_) | Sql::Int2Unsigned(_) | Sql::USmallInt => DataType::UInt16,
        Sql::IntUnsigned(_) | Sql::IntegerUnsigned(_) | Sql::Int4Unsigned(_) => DataType::UInt32,
        Sql::Int8Unsigned(_) => DataType::UInt64,
        sql => {
            let ty = Type::from_sql(sql)?;
            return Some((ty.clone(), of_cast(sql, ty)));
        }
    };
    Some((Type::beside_column(&unsigned)?, unsigned))
}

/// What the engine makes of a type's name: `TIMESTAMP` has nanoseconds there.
pub(super) fn of_cast(sql: &Sql, ty: Type) -> DataType {
    match (sql, ty) {
        (Sql::Timestamp(None, _) | Sql::Datetime(None), Type::Timestamp(_)) => Type::Timestamp(9),
        (Sql::Timestamp(None, _) | Sql::Datetime(None), Type::Timestamptz(_)) => Type::Timestamptz(9),
        (_, ty) => ty,
    }
    .to_arrow()
}
