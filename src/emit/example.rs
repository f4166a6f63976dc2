//! A call of a tool that its server accepts, as an example.
//!
//! Values are the author's where there are some, and else made up; one that the parameter's own check refuses is not
//! shown.

use super::mcp::input_schema;
use crate::project::TextFormat;
use crate::tool::constraints::TIME_FORMAT;
use crate::tool::{Constraints, Contract, Parameter};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness};
use serde_json::{Map, Number, Value, json};

/// The longest text that is made up.
const MAX_TEXT: usize = 1_000;
/// The most items that are made up.
const MAX_ITEMS: usize = 100;

/// The arguments of a call: all that are required, and those that the author gives examples of. `None` where no value
/// of a required one is known. One that does nothing without another is left out with it.
///
/// The conditions that a tool has across parameters are not looked at.
pub(super) fn arguments(tool: &Contract) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    for parameter in tool.published() {
        match value(parameter) {
            Some(value) if parameter.required || !parameter.examples.is_empty() => {
                arguments.insert(parameter.name.clone(), value);
            }
            None if parameter.required => return None,
            _ => {}
        }
    }
    let there = arguments.clone();
    let has = |name: &str| there.contains_key(name) || tool.parameter(name).is_some_and(Parameter::has_default);
    for (idle, _) in tool.clauses.idle(has) {
        arguments.remove(idle);
    }
    if tool.schema().is_some() {
        arguments.extend(native(&input_schema(tool))?);
    }
    Some(arguments)
}

/// Of a tool that is written in Rust, only what its schema shows.
fn native(schema: &Value) -> Option<Map<String, Value>> {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    required
        .filter_map(Value::as_str)
        .map(|name| {
            let property = schema.get("properties")?.get(name)?;
            let first = |key: &str| property.get(key).and_then(Value::as_array).and_then(|values| values.first());
            let shown = first("examples").or_else(|| property.get("default")).or_else(|| first("enum"))?;
            Some((name.to_owned(), shown.clone()))
        })
        .collect()
}

/// A value that the parameter accepts.
fn value(parameter: &Parameter) -> Option<Value> {
    let constraints = &parameter.constraints;
    if parameter.is_list_of_rows() {
        let shown = parameter.fields.iter().filter(|field| field.required || !field.examples.is_empty());
        let row: Map<String, Value> =
            shown.map(|field| Some((field.name.clone(), value(field)?))).collect::<Option<_>>()?;
        let count = usize::try_from(constraints.min_items.unwrap_or(1)).unwrap_or(usize::MAX).clamp(1, MAX_ITEMS);
        return Some(vec![Value::Object(row); count].into());
    }
    let coercion = Coercion { strictness: Strictness::Strict, ..Coercion::default() };
    let is_accepted = |value: &Value| {
        parameter.ty.coerce(value, &coercion).is_ok() && constraints.check(&parameter.ty, value, &coercion).is_ok()
    };
    let told = parameter.examples.iter().chain(&parameter.default).find(|value| is_accepted(value)).cloned();
    told.or_else(|| made_up(&parameter.ty, constraints).into_iter().find(|value| is_accepted(value)))
}

/// Values of the type of which one may meet the constraints.
fn made_up(ty: &Type, constraints: &Constraints) -> Vec<Value> {
    let mut values: Vec<Value> = match ty {
        Type::List(item) => {
            let count = constraints.min_items.map_or(1, |least| usize::try_from(least).unwrap_or(usize::MAX));
            let count = count.clamp(1, MAX_ITEMS);
            let of_item = made_up(item, constraints).into_iter();
            return of_item.map(|item| Value::from(vec![item; count])).chain([json!([])]).collect();
        }
        _ => constraints.allowed_values.iter().flatten().cloned().collect(),
    };
    values.extend([&constraints.minimum, &constraints.maximum].into_iter().flatten().cloned());
    match ty {
        Type::Boolean => values.push(json!(true)),
        Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint => values.extend(numbers(constraints)),
        Type::Real | Type::Double => {
            values.extend(numbers(constraints));
            let bounds = (&constraints.exclusive_minimum, &constraints.exclusive_maximum);
            if let (Some(low), Some(high)) = (as_f64(bounds.0), as_f64(bounds.1)) {
                values.push(json!(f64::midpoint(low, high)));
            }
        }
        Type::Decimal(..) => values.extend(numbers(constraints).map(|number| number.to_string().into())),
        Type::Text => values.extend(texts(constraints).map(Value::from)),
        Type::Date => values.extend(["2025-01-31", "2000-01-01"].map(Value::from)),
        Type::Time => values.push("12:30:00".into()),
        Type::Timestamp(_) => values.push("2025-01-31T12:30:00".into()),
        Type::Timestamptz(_) => values.push("2025-01-31T12:30:00Z".into()),
        Type::Interval => values.push("P1D".into()),
        Type::Uuid => values.push("123e4567-e89b-12d3-a456-426614174000".into()),
        Type::Bytea => values.push("AA==".into()),
        Type::Json => values.push(json!({})),
        Type::Struct(fields) => {
            let free = Constraints::default();
            let field = |(name, ty): &(String, Type)| Some((name.clone(), made_up(ty, &free).into_iter().next()?));
            values.extend(fields.iter().map(field).collect::<Option<Map<_, _>>>().map(Value::Object));
        }
        Type::List(_) | Type::Map(..) => {}
    }
    values
}

fn as_f64(value: &Option<Value>) -> Option<f64> {
    value.as_ref().and_then(Value::as_f64)
}

/// Small whole numbers, and those beside the bounds.
fn numbers(constraints: &Constraints) -> impl Iterator<Item = Value> {
    let whole = |value: &Option<Value>| match value {
        Some(Value::String(text)) => text.parse().ok(),
        Some(value) => value.as_i64(),
        None => None,
    };
    let above = whole(&constraints.exclusive_minimum).and_then(|low: i64| low.checked_add(1));
    let below = whole(&constraints.exclusive_maximum).and_then(|high: i64| high.checked_sub(1));
    let step = constraints.multiple_of.as_ref().and_then(Number::as_i64);
    let numbers = [Some(10), Some(1), above, below, step, Some(0)];
    numbers.into_iter().flatten().map(Value::from)
}

fn texts(constraints: &Constraints) -> impl Iterator<Item = String> {
    let formatted = constraints.format.map(|format| match format {
        TextFormat::Email => "name@example.com",
        TextFormat::Uri => "https://example.com/",
        TextFormat::Hostname => "example.com",
        TextFormat::Ipv4 => "192.0.2.1",
        TextFormat::Ipv6 => "2001:db8::1",
        TextFormat::Regex => "^a",
        TextFormat::JsonPointer => "/a/0",
    });
    let length = |length: Option<u64>| length.map(|length| usize::try_from(length).unwrap_or(usize::MAX).min(MAX_TEXT));
    let least = length(constraints.min_length).unwrap_or(0);
    let most = length(constraints.max_length).unwrap_or(MAX_TEXT);
    let text = "text".chars().cycle().take(4.clamp(least.min(most), most)).collect();
    // Of a pattern that is not understood, codes of one kind of character are the likeliest.
    let is_code = constraints.pattern.is_some();
    let is_time_format = constraints.pattern.as_deref() == Some(TIME_FORMAT);
    let time_format = is_time_format.then(|| "%Y-%m-%d".to_owned());
    let codes = (1..=8).filter(move |_| is_code).flat_map(|length| ["A", "a", "1"].map(|one| one.repeat(length)));
    formatted.map(str::to_owned).into_iter().chain([text]).chain(time_format).chain(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::client::fixture;

    #[test]
    fn the_example_of_every_tool_is_a_call_that_its_published_schema_accepts() {
        let native = arguments(&fixture::tool("written_in_rust"));
        assert_eq!(native.map(Value::Object), Some(json!({"status": "open"})));
        for tool in fixture::tools().iter().filter(|tool| tool.schema().is_none()) {
            let arguments = arguments(tool).unwrap_or_else(|| panic!("no example of {}", tool.name));
            let schema = jsonschema::options().should_validate_formats(true).build(&input_schema(tool)).unwrap();
            let arguments = Value::Object(arguments);
            let errors: Vec<String> = schema.iter_errors(&arguments).map(|error| error.to_string()).collect();
            assert_eq!(errors, Vec::<String>::new(), "{} with {arguments}", tool.name);
        }
    }

    #[test]
    fn values_are_made_up_inside_of_the_bounds() {
        let parameter = |ty: &str, constraints: Value| -> Parameter {
            let whole = json!({"name": "p", "type": ty, "required": true, "constraints": constraints, "examples": []});
            serde_json::from_value(whole).unwrap()
        };
        for (ty, constraints, expected) in [
            ("int", json!({"exclusive_minimum": 41, "exclusive_maximum": 43}), json!(42)),
            ("int", json!({"minimum": 11, "multiple_of": 7, "maximum": 14}), json!(14)),
            ("double", json!({"exclusive_minimum": 0.25, "exclusive_maximum": 0.75}), json!(0.5)),
            ("decimal(4,1)", json!({"exclusive_minimum": "99"}), json!("100")),
            ("text", json!({"min_length": 6}), json!("textte")),
            ("text", json!({"pattern": "^[A-Z]{3}$"}), json!("AAA")),
            ("text", json!({"format": "ipv6"}), json!("2001:db8::1")),
            ("text[]", json!({"min_items": 2, "allowed_values": ["x"]}), json!(["x", "x"])),
            ("struct(a int, b text[])", json!({}), json!({"a": 10, "b": ["text"]})),
        ] {
            assert_eq!(value(&parameter(ty, constraints.clone())), Some(expected), "{ty} {constraints}");
        }
        assert_eq!(value(&parameter("text", json!({"pattern": "^x-[0-9]{3}$"}))), None);
    }
}
