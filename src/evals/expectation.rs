//! What an argument must be, and whether it is.
//!
//! Values are compared as the tool reads them: `"5"` is 5 to a tool that is not strict, and a date is a date however it
//! is written. An argument that is left out is its default.

use super::plain_line;
use crate::project::{AutomaticParameter, TableFormat};
use crate::tool::{Constraints, Tool};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, shortened};
use regex::Regex;
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt;

/// What the arguments of a call of a tool must be.
#[derive(Debug, Clone)]
pub struct Expected {
    /// The tool.
    pub tool: String,
    /// Parameters and what is expected of them.
    pub arguments: Vec<(String, Expectation)>,
}

/// What an argument must be.
#[derive(Debug, Clone)]
pub enum Expectation {
    /// This value; of a list these items, in any order.
    Is(Value),
    /// Left out, or null.
    Absent,
    /// One of these; of a list every item.
    OneOf(Vec<Value>),
    /// A text, a part of which matches; of a list every item.
    Matches(Regex),
    /// Not smaller and not larger; of a list every item.
    Within {
        /// The smallest.
        min: Option<Value>,
        /// The largest.
        max: Option<Value>,
    },
}

/// A parameter as an agent knows it.
#[derive(Debug, Clone)]
pub(super) struct Published {
    /// The type; absent where a tool has a schema of its own instead.
    pub(super) ty: Option<Type>,
    pub(super) constraints: Constraints,
    pub(super) required: bool,
    default: Option<Value>,
}

impl Published {
    /// The parameter of that name.
    pub(super) fn of(tool: &Tool, name: &str) -> Option<Published> {
        if let Some(parameter) = tool.contract.published().find(|parameter| parameter.name == name) {
            return Some(Published {
                ty: Some(parameter.ty.clone()),
                constraints: parameter.constraints.clone(),
                required: parameter.required,
                default: parameter.default.clone(),
            });
        }
        let is_offered = |automatic| tool.contract.expose.contains(&automatic);
        let (ty, constraints) = match name {
            "limit" if is_offered(AutomaticParameter::Limit) => {
                (Some(Type::Bigint), Constraints { minimum: Some(1.into()), ..Constraints::default() })
            }
            "table_format" if is_offered(AutomaticParameter::TableFormat) => {
                let names = TableFormat::ALL.iter().map(|format| format.as_str().into()).collect();
                (Some(Type::Text), Constraints { allowed_values: Some(names), ..Constraints::default() })
            }
            "cursor" if is_offered(AutomaticParameter::Cursor) => (Some(Type::Text), Constraints::default()),
            _ => {
                native_properties(tool).find(|known| *known == name)?;
                (None, Constraints::default())
            }
        };
        Some(Published { ty, constraints, required: false, default: None })
    }

    /// The names of all.
    pub(super) fn names(tool: &Tool) -> Vec<String> {
        let automatic = ["limit", "table_format", "cursor"].into_iter();
        let automatic = automatic.filter(|name| Published::of(tool, name).is_some());
        let mut names: Vec<String> = tool.contract.published().map(|parameter| parameter.name.clone()).collect();
        names.extend(native_properties(tool).chain(automatic).map(str::to_owned));
        names
    }

    /// The type of a value, or of an item of a list.
    fn item(&self) -> Option<&Type> {
        match self.ty.as_ref()? {
            Type::List(item) => Some(item),
            ty => Some(ty),
        }
    }
}

fn native_properties(tool: &Tool) -> impl Iterator<Item = &str> {
    let properties = tool.contract.schema().and_then(|schema| schema.get("properties")?.as_object());
    properties.into_iter().flatten().map(|(name, _)| name.as_str())
}

impl Expectation {
    /// Whether an argument, or that there is none, is what is expected.
    pub(super) fn is_met(&self, parameter: &Published, sent: Option<&Value>, coercion: &Coercion) -> bool {
        let sent = sent.filter(|sent| !sent.is_null());
        if let Expectation::Absent = self {
            return sent.is_none();
        }
        let Some(sent) = sent.or(parameter.default.as_ref()) else { return false };
        let ty = parameter.ty.as_ref();
        let item = parameter.item();
        let each = |holds: &dyn Fn(&Value) -> bool| items(ty, sent).iter().all(holds);
        match self {
            Expectation::Absent => false,
            Expectation::Is(value) => is_same(ty, sent, value, coercion),
            Expectation::OneOf(values) => each(&|one| values.iter().any(|value| is_same(item, one, value, coercion))),
            Expectation::Matches(pattern) => each(&|one| pattern.is_match(&text(one))),
            Expectation::Within { min, max } => each(&|one| {
                let holds = |bound: &Option<Value>, wrong: Ordering| {
                    let order = |bound| compare(item, one, bound, coercion).is_some_and(|order| order != wrong);
                    bound.as_ref().is_none_or(order)
                };
                holds(min, Ordering::Less) && holds(max, Ordering::Greater)
            }),
        }
    }
}

/// The items of a list, which may come as its JSON text; any other value by itself.
fn items(ty: Option<&Type>, sent: &Value) -> Vec<Value> {
    let list = match (ty, sent) {
        (Some(Type::List(_)) | None, Value::Array(items)) => Some(items.clone()),
        (Some(Type::List(_)), Value::String(text)) => serde_json::from_str(text).ok(),
        _ => None,
    };
    list.unwrap_or_else(|| vec![sent.clone()])
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn is_same(ty: Option<&Type>, sent: &Value, written: &Value, coercion: &Coercion) -> bool {
    match (ty, written) {
        (Some(Type::List(item)), Value::Array(expected)) => {
            let mut left = items(ty, sent);
            let found = expected.iter().all(|one| {
                let at = left.iter().position(|sent| is_same(Some(item), sent, one, coercion));
                at.map(|at| left.swap_remove(at)).is_some()
            });
            found && left.is_empty()
        }
        (None | Some(Type::Json), _) => is_same_json(sent, written),
        (Some(ty), _) => {
            compare(Some(ty), sent, written, coercion) == Some(Ordering::Equal)
                || matches!((ty.coerce(sent, coercion), ty.coerce(written, &lax(coercion))), (Ok(a), Ok(b)) if a == b)
        }
    }
}

/// Equality as JSON Schema has it: 1.0 is 1.
fn is_same_json(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_json(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same_json(a, b)))
        }
        (a, b) => a == b,
    }
}

pub(super) fn compare(ty: Option<&Type>, sent: &Value, written: &Value, coercion: &Coercion) -> Option<Ordering> {
    match ty {
        Some(ty) => ty.compare(sent, written, coercion),
        None => match (sent.as_str(), written.as_str()) {
            (Some(sent), Some(written)) => Some(sent.cmp(written)),
            _ => sent.as_f64()?.partial_cmp(&written.as_f64()?),
        },
    }
}

/// Authors are read leniently, whatever the caller is held to.
fn lax(coercion: &Coercion) -> Coercion {
    Coercion { time_zone: coercion.time_zone.clone(), ..Coercion::default() }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::Is(value) => f.write_str(&shortened(value)),
            Expectation::Absent => f.write_str("none"),
            Expectation::OneOf(values) => {
                let names: Vec<String> = values.iter().take(8).map(shortened).collect();
                let more = if values.len() > names.len() { ", …" } else { "" };
                write!(f, "one of {}{more}", names.join(", "))
            }
            Expectation::Matches(pattern) => write!(f, "what `{}` matches", plain_line(pattern.as_str(), 60)),
            Expectation::Within { min: Some(min), max: Some(max) } => {
                write!(f, "{} to {}", shortened(min), shortened(max))
            }
            Expectation::Within { min: Some(min), max: None } => write!(f, "at least {}", shortened(min)),
            Expectation::Within { min: None, max: Some(max) } => write!(f, "at most {}", shortened(max)),
            Expectation::Within { min: None, max: None } => f.write_str("any value"),
        }
    }
}
