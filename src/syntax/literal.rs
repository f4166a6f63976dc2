//! A default as it stands in a placeholder.

use crate::ty::Type;
use serde_json::Value;
use sqlparser::ast::{DataType, Expr, UnaryOperator, Value as SqlValue};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use std::fmt;

/// A literal: the value in the form an agent would send it, and the SQL it was written as.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// The value.
    pub value: Value,
    sql: String,
    evidence: Option<Type>,
}

impl Literal {
    /// Reads NULL, a number, a string, true, false, `DATE '…'`, `TIMESTAMP '…'`, `INTERVAL '…'` or an `ARRAY[…]` of them.
    pub fn parse(text: &str) -> Option<Literal> {
        let mut parser = Parser::new(&GenericDialect {}).try_with_sql(text).ok()?;
        let expr = parser.parse_expr().ok()?;
        if parser.peek_token().token != sqlparser::tokenizer::Token::EOF {
            return None;
        }
        let (value, evidence) = if is_null(&expr) { (Value::Null, None) } else { evaluate(&expr)? };
        Some(Literal { value, sql: text.trim().to_owned(), evidence })
    }

    /// The type that the literal's own form tells.
    pub fn evidence(&self) -> Option<Type> {
        self.evidence.clone()
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sql)
    }
}

/// NULL is a default of its own: none. Inside of a list it is none of the values that an agent can send.
fn is_null(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_null(inner),
        Expr::Value(value) => value.value == SqlValue::Null,
        _ => false,
    }
}

fn evaluate(expr: &Expr) -> Option<(Value, Option<Type>)> {
    match expr {
        Expr::Nested(inner) => evaluate(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            let (value, ty) = evaluate(expr)?;
            match value {
                Value::Number(number) => Some((number_value(&format!("-{number}"))?, ty)),
                // Too long for a JSON number: kept as text, as the agent would send it.
                Value::String(text) if ty.as_ref().is_some_and(Type::is_numeric) => {
                    Some((format!("-{text}").into(), ty))
                }
                _ => None,
            }
        }
        Expr::Value(value) => match &value.value {
            SqlValue::Number(text, _) => {
                let ty = if text.contains(['.', 'e', 'E']) { Type::Double } else { Type::Bigint };
                Some((number_value(text)?, Some(ty)))
            }
            SqlValue::SingleQuotedString(text) | SqlValue::EscapedStringLiteral(text) => {
                Some((text.clone().into(), Some(Type::Text)))
            }
            SqlValue::DollarQuotedString(text) => Some((text.value.clone().into(), Some(Type::Text))),
            SqlValue::Boolean(value) => Some(((*value).into(), Some(Type::Boolean))),
            _ => None,
        },
        Expr::TypedString(typed) => {
            let text = typed.value.value.clone().into_string()?;
            let ty = Type::from_sql(&typed.data_type).filter(|_| !matches!(typed.data_type, DataType::Custom(..)))?;
            Some((text.into(), Some(ty)))
        }
        Expr::Interval(interval) => match (evaluate(&interval.value)?, &interval.leading_field) {
            ((Value::String(text), _), None) => Some((text.into(), Some(Type::Interval))),
            ((Value::String(amount), _), Some(unit)) => Some((format!("{amount} {unit}").into(), Some(Type::Interval))),
            _ => None,
        },
        Expr::Array(array) => {
            let items: Vec<(Value, Option<Type>)> = array.elem.iter().map(evaluate).collect::<Option<_>>()?;
            let ty = items
                .iter()
                .map(|(_, ty)| ty.clone())
                .reduce(|a, b| a?.join(&b?))
                .flatten()
                .map(|item| Type::List(Box::new(item)));
            Some((Value::Array(items.into_iter().map(|(value, _)| value).collect()), ty))
        }
        _ => None,
    }
}

/// A number exact where JSON's double is not: then as text.
fn number_value(text: &str) -> Option<Value> {
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    let float: f64 = text.parse().ok().filter(|n: &f64| n.is_finite())?;
    let exact = text.trim_start_matches('-').bytes().filter(u8::is_ascii_digit).count() <= 15;
    Some(if exact { float.into() } else { text.into() })
}
