//! Arguments of a tool whose input is a JSON Schema, which is not ours: checked against it, and handed on as they are.

use super::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::name::nearest;
use crate::tool::Contract;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What such arguments are checked with.
#[derive(Clone)]
pub(in crate::engine) struct InputSchema {
    validator: Arc<jsonschema::Validator>,
    names: Arc<[String]>,
    /// The values that one takes, by its name, where they are listed.
    allowed: Arc<BTreeMap<String, Vec<Value>>>,
}

impl InputSchema {
    /// Errors: it is no JSON Schema.
    pub(in crate::engine) fn of(schema: &Value) -> Result<InputSchema, jsonschema::ValidationError<'static>> {
        let validator = Arc::new(jsonschema::validator_for(schema)?);
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flatten().map(|(name, _)| name.clone()).collect();
        let listed = |(name, of): (&String, &Value)| Some((name.clone(), of.get("enum")?.as_array()?.clone()));
        let allowed = Arc::new(properties.into_iter().flatten().filter_map(listed).collect());
        Ok(InputSchema { validator, names, allowed })
    }

    /// Checks the arguments. All that is wrong with them is in the one error.
    pub(in crate::engine) fn check(&self, contract: &Contract, arguments: &Arguments) -> Result<(), CallError> {
        let own = own_arguments(contract, arguments);
        let checked = Checked { schema: self, contract, own: &own };
        let wrong = self.validator.iter_errors(&own).flat_map(|error| checked.refused(&error));
        CallError::all(wrong.collect()).map_or(Ok(()), Err)
    }
}

/// Arguments that were checked.
struct Checked<'a> {
    schema: &'a InputSchema,
    contract: &'a Contract,
    own: &'a Value,
}

impl Checked<'_> {
    /// What an agent is told of arguments that break the schema.
    fn refused(&self, error: &jsonschema::ValidationError<'_>) -> Vec<CallError> {
        use jsonschema::error::ValidationErrorKind;
        let path = error.instance_path().as_str().to_owned();
        let parameter = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        match (parameter, error.kind()) {
            (
                "",
                ValidationErrorKind::AdditionalProperties { unexpected }
                | ValidationErrorKind::UnevaluatedProperties { unexpected },
            ) => unexpected.iter().map(|name| self.unknown(name)).collect(),
            ("", ValidationErrorKind::Required { property }) => {
                let name = property.as_str().unwrap_or_default();
                let message = format!("the argument `{name}` is required");
                let allowed = self.schema.allowed.get(name).cloned().unwrap_or_default();
                vec![CallError::about(CallCode::MissingArgument, name, message).allowed(allowed)]
            }
            // Where there are no properties, whatever is sent is said to be so, and not by its name.
            ("", ValidationErrorKind::FalseSchema) => {
                let sent = self.own.as_object().into_iter().flatten().map(|(name, _)| name);
                let unknown = sent.filter(|name| !self.schema.names.contains(name)).map(|name| self.unknown(name));
                let unknown: Vec<CallError> = unknown.collect();
                match unknown.is_empty() {
                    true => vec![CallError::new(CallCode::InvalidArgument, error.to_string())],
                    false => unknown,
                }
            }
            (name, ValidationErrorKind::FalseSchema) => vec![self.unknown(name)],
            ("", _) => vec![CallError::new(CallCode::InvalidArgument, error.to_string())],
            (name, _) => {
                vec![CallError::about(CallCode::InvalidArgument, name, format!("the argument `{name}`: {error}"))]
            }
        }
    }

    fn unknown(&self, name: &str) -> CallError {
        let shown: String = name.chars().take(60).filter(|c| !c.is_control()).collect();
        let error = CallError::about(CallCode::UnknownArgument, &shown, format!("there is no parameter `{shown}`"));
        let mut known: Vec<&str> = self.schema.names.iter().map(String::as_str).collect();
        if known.is_empty() {
            known.extend(self.contract.expose.iter().map(|one| one.as_str()));
        }
        match nearest(name, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => error.hint("the tool takes no arguments"),
            None => error.hint(format!("the parameters are {}", known.join(", "))),
        }
    }
}

/// The arguments without those that qtool adds.
pub(in crate::engine) fn own_arguments(contract: &Contract, arguments: &Arguments) -> Value {
    arguments
        .iter()
        .filter(|(name, _)| !contract.is_automatic(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
