//! One parameter of a tool of MCC, and what is written for it.

use super::super::read_yaml::as_bool;
use super::super::variable::{has_variable, lone_variable};
use super::kind::{Kind, is_true};
use crate::name::foreign::{Naming, no_name, parameter_name};
use serde_json::{Map, Value};
use std::fmt;

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    /// Its name in the catalog.
    pub(super) theirs: String,
    /// Its name here.
    pub(super) name: String,
    /// Its type.
    pub(super) kind: Kind,
    /// Where its value comes from.
    pub(super) presence: Presence,
    /// Whether something uses it.
    pub(super) used: bool,
    /// Whether each item of it is an argument.
    pub(super) as_arguments: bool,
    description: String,
    example: Option<Value>,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Presence {
    /// The agent sends it.
    Required,
    /// The agent may send it; else it is this.
    Default(Value),
    /// The agent may send it; else there is none.
    Optional,
    /// It is always this.
    Fixed(Value),
    /// It is what a variable of the server says.
    Environment(String),
}

/// Why a parameter has no form here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParameterFlaw {
    /// It has no name.
    Nameless,
    /// Its name cannot be one here, and it cannot have another.
    Name(String),
    /// MCC has no such type.
    Type(String, String),
    /// Its default or override is no value of its type.
    Value(String, &'static str),
    /// A variable is a part of its default or override.
    Variable(String, &'static str),
}

impl fmt::Display for ParameterFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterFlaw::Nameless => f.write_str("a parameter has no name"),
            ParameterFlaw::Name(name) => f.write_str(&no_name(name)),
            ParameterFlaw::Type(name, ty) => write!(f, "parameter `{name}` has the type `{ty}`, which MCC has not"),
            ParameterFlaw::Value(name, key) => write!(f, "`{key}` of parameter `{name}` is no value of its type"),
            ParameterFlaw::Variable(name, key) => write!(f, "a variable is a part of `{key}` of parameter `{name}`"),
        }
    }
}

impl Parameter {
    /// Reads one.
    ///
    /// Errors: it has no form here.
    pub(super) fn read(value: &Value, naming: Naming) -> Result<Parameter, ParameterFlaw> {
        let said = value.as_object().ok_or(ParameterFlaw::Nameless)?;
        let text = |key: &str| said.get(key).and_then(Value::as_str).unwrap_or_default();
        let theirs = text("name").to_owned();
        if theirs.is_empty() {
            return Err(ParameterFlaw::Nameless);
        }
        let Some(name) = parameter_name(&theirs, naming) else { return Err(ParameterFlaw::Name(theirs)) };
        let ty = said.get("type").and_then(Value::as_str).unwrap_or("str");
        let kind = Kind::named(ty).ok_or_else(|| ParameterFlaw::Type(theirs.clone(), ty.to_owned()))?;
        let presence = presence(said, &theirs, kind)?;
        let example = match said.get("example") {
            Some(Value::String(text)) if !text.is_empty() => kind.shown_in(text),
            Some(other) => kind.value(other),
            None => None,
        };
        let description = text("description").trim().to_owned();
        Ok(Parameter { theirs, name, kind, presence, used: false, as_arguments: false, description, example })
    }

    /// Whether it always has a value.
    pub(super) fn has_value(&self) -> bool {
        self.presence != Presence::Optional
    }

    /// What a condition on it always is; `None` where a call decides.
    pub(super) fn always(&self) -> Option<bool> {
        match &self.presence {
            Presence::Fixed(value) => Some(is_true(value)),
            Presence::Environment(_) => Some(true),
            Presence::Required if self.kind != Kind::Boolean => Some(true),
            Presence::Default(value) if self.kind != Kind::Boolean && is_true(value) => Some(true),
            _ => None,
        }
    }

    /// What the manifest says of it.
    pub(super) fn settings(&self) -> Value {
        let mut settings = Map::new();
        settings.insert("type".to_owned(), self.kind.sql(self.as_arguments).into());
        if !self.description.is_empty() {
            settings.insert("description".to_owned(), self.description.as_str().into());
        }
        let (key, value) = match &self.presence {
            Presence::Required => (None, Value::Null),
            Presence::Default(value) => (Some("default"), value.clone()),
            Presence::Optional => (Some("required"), false.into()),
            Presence::Fixed(value) => (Some("fixed"), value.clone()),
            Presence::Environment(name) => (Some("from"), format!("env.{name}").into()),
        };
        settings.extend(key.map(|key| (key.to_owned(), value)));
        let is_sent = !matches!(self.presence, Presence::Fixed(_) | Presence::Environment(_));
        if let Some(example) = self.example.clone().filter(|_| is_sent) {
            settings.insert("examples".to_owned(), Value::Array(vec![example]));
        }
        Value::Object(settings)
    }
}

fn presence(said: &Map<String, Value>, theirs: &str, kind: Kind) -> Result<Presence, ParameterFlaw> {
    if let Some(fixed) = said.get("override") {
        if let Some(variable) = fixed.as_str().and_then(lone_variable) {
            return Ok(Presence::Environment(variable));
        }
        return value(fixed, theirs, (kind, "override")).map(Presence::Fixed);
    }
    if said.get("required").and_then(as_bool) == Some(true) {
        return Ok(Presence::Required);
    }
    match said.get("default").filter(|default| !default.is_null()) {
        Some(default) => value(default, theirs, (kind, "default")).map(Presence::Default),
        None => Ok(Presence::Optional),
    }
}

fn value(written: &Value, theirs: &str, (kind, key): (Kind, &'static str)) -> Result<Value, ParameterFlaw> {
    if written.as_str().is_some_and(has_variable) {
        return Err(ParameterFlaw::Variable(theirs.to_owned(), key));
    }
    kind.value(written).ok_or_else(|| ParameterFlaw::Value(theirs.to_owned(), key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn settings(said: Value) -> Value {
        Parameter::read(&said, Naming::Free).unwrap().settings()
    }

    #[test]
    fn what_is_said_has_a_form() {
        assert_eq!(settings(json!({"name": "q"})), json!({"type": "text", "required": false}));
        assert_eq!(settings(json!({"name": "q", "required": true, "default": "x"})), json!({"type": "text"}));
        assert_eq!(
            settings(json!({"name": "n", "type": "int", "default": "3", "description": " Rows. ", "example": "5"})),
            json!({"type": "bigint", "description": "Rows.", "default": 3, "examples": [5]})
        );
        assert_eq!(
            settings(json!({"name": "k", "override": "${API_KEY}"})),
            json!({"type": "text", "from": "env.API_KEY"})
        );
        assert_eq!(
            settings(json!({"name": "k", "type": "bool", "override": true, "example": "x"})),
            json!({"type": "boolean", "fixed": true})
        );
        assert_eq!(settings(json!({"name": "d", "type": "dict"}))["type"], "json");
    }

    #[test]
    fn what_has_no_form_is_told() {
        let flaw = |said: Value, naming| Parameter::read(&said, naming).unwrap_err().to_string();
        assert!(flaw(json!({"name": "a", "type": "date"}), Naming::Free).contains("`date`, which MCC has not"));
        assert!(
            flaw(json!({"name": "a", "type": "int", "default": "x"}), Naming::Free)
                .contains("`default` of parameter `a`")
        );
        assert!(
            flaw(json!({"name": "a", "override": "x-${B}"}), Naming::Free)
                .contains("a variable is a part of `override`")
        );
        assert!(flaw(json!({"name": "a", "override": null}), Naming::Free).contains("`override`"));
        assert!(flaw(json!({"name": "limit"}), Naming::Kept).contains("`limit`"));
        assert!(flaw(json!({"name": "maxRows"}), Naming::Kept).contains("`maxRows`"));
        assert!(flaw(json!({"type": "str"}), Naming::Free).contains("no name"));
        assert_eq!(Parameter::read(&json!({"name": "limit"}), Naming::Free).unwrap().name, "limit_value");
        assert_eq!(Parameter::read(&json!({"name": "maxRows"}), Naming::Free).unwrap().name, "max_rows");
    }
}
