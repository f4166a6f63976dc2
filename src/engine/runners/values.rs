//! The values of a call as texts and as JSON, for what is no statement: arguments of programs, parts of requests.

use super::Order;
use crate::engine::bind::schema::own_arguments;
use crate::engine::code::CallCode;
use crate::engine::encode::json_of_value;
use crate::engine::error::{CallError, Detail};
use crate::tool::Parameter;
use crate::ty::Type;
use serde_json::{Map, Value};

/// Whether a parameter has a value in a call.
pub(super) fn has_value(order: Order<'_>, name: &str) -> bool {
    order.call.value(name).is_some_and(|value| !value.is_null())
}

/// The value of a parameter as JSON; `None` where it has none.
///
/// Errors: it cannot be written so.
pub(super) fn json_of(order: Order<'_>, parameter: &Parameter) -> Result<Option<Value>, CallError> {
    let Some(value) = order.call.value(&parameter.name).filter(|value| !value.is_null()) else { return Ok(None) };
    let none = || CallError::internal(format!("`{}` cannot be written as {}", parameter.name, parameter.ty));
    json_of_value(value, &parameter.ty).ok_or_else(none).map(Some)
}

/// All parameters that have a value, as one object; what was sent, where there are no parameters but a schema.
///
/// Errors: one cannot be written so.
pub(super) fn object_of(order: Order<'_>) -> Result<Value, CallError> {
    if order.contract.schema().is_some() {
        return Ok(own_arguments(order.contract, order.arguments));
    }
    let mut all = Map::new();
    for parameter in order.contract.parameters() {
        if let Some(value) = json_of(order, parameter)? {
            all.insert(parameter.name.clone(), value);
        }
    }
    Ok(Value::Object(all))
}

/// The value of a parameter as a text: a text as it is, all else as JSON has it.
///
/// Errors: it has none, or one that is no text.
pub(super) fn text_of(order: Order<'_>, name: &str) -> Result<String, CallError> {
    let absent = || CallError::internal(format!("`{name}` has no value, and is used all the same"));
    let parameter = order.contract.parameter(name).ok_or_else(absent)?;
    let value = json_of(order, parameter)?.ok_or_else(absent)?;
    text_of_json(&value, &parameter.ty, name).map_err(|error| as_told(parameter, error))
}

/// What is wrong with a value, as it is told: that of a parameter which nobody sends is told to nobody but the log.
pub(super) fn as_told(parameter: &Parameter, error: CallError) -> CallError {
    if parameter.from.is_none() {
        return error;
    }
    let told = CallError::new(CallCode::NotPermitted, "the caller may not use this tool");
    CallError { detail: Some(Detail::Own(error.message)), ..told }
}

/// A value as a text.
///
/// Errors: it is null, or has the character U+0000 in it.
pub(super) fn text_of_json(value: &Value, ty: &Type, name: &str) -> Result<String, CallError> {
    let text = match (value, ty) {
        (value, Type::Json) => value.to_string(),
        (Value::String(text), _) => text.clone(),
        (Value::Null, _) => {
            let message = format!("`{name}` may not have null in it");
            return Err(CallError::about(CallCode::InvalidArgument, name, message));
        }
        (value, _) => value.to_string(),
    };
    if text.contains('\0') {
        let message = format!("`{name}` may not have the character U+0000 in it");
        return Err(CallError::about(CallCode::InvalidArgument, name, message));
    }
    Ok(text)
}
