//! The arguments of a tool in words: those of its parameters, those that qtool adds, and those of a tool that is
//! written in Rust.

use super::mcp::input_schema;
use crate::tool::constraints::plain_value;
use crate::tool::{Constraints, Contract, Parameter};
use serde_json::Value;

/// The most allowed values that are listed.
const MAX_LISTED: usize = 20;
/// How many of more are named.
const MAX_NAMED: usize = 3;

/// What is sent under one name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    /// The name.
    pub(super) name: String,
    /// The type as people read it.
    pub(super) ty: String,
    /// The published schema.
    pub(super) schema: Value,
    /// Whether a call without it is refused.
    pub(super) required: bool,
    /// What it is where it is not sent: a value, or SQL.
    pub(super) default: Option<Absent>,
    /// What it means.
    pub(super) description: Option<String>,
    /// Sentences on what is accepted.
    pub(super) constraints: Vec<String>,
    /// Values that show what is meant.
    pub(super) examples: Vec<Value>,
}

/// What stands in for an argument that is not sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Absent {
    /// A value.
    Value(Value),
    /// What an SQL expression gives at the time.
    Sql(String),
}

impl Argument {
    /// `required`, `optional`, or the default.
    pub(super) fn presence(&self) -> String {
        match &self.default {
            Some(Absent::Value(value)) => format!("default {}", plain_value(value)),
            Some(Absent::Sql(sql)) => format!("default {sql}"),
            None if self.required => "required".to_owned(),
            None => "optional".to_owned(),
        }
    }

    /// The description, what is accepted, and examples.
    pub(super) fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = self.description.iter().map(|text| ended(text.trim_end())).collect();
        sentences.extend(self.constraints.iter().cloned());
        if !self.examples.is_empty() {
            sentences.push(format!("For example {}.", listed(&self.examples)));
        }
        sentences
    }

    /// All there is to say, in one line.
    pub(super) fn line(&self) -> String {
        format!("{} ({}, {})", one_line(&self.sentences().join(" ")), self.ty, self.presence()).trim_start().to_owned()
    }
}

/// The arguments in the order in which they are published.
pub(super) fn arguments_of(tool: &Contract) -> Vec<Argument> {
    let schema = input_schema(tool);
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .map(|(name, schema)| {
            let required = required.contains(&name.as_str());
            match tool.published().find(|parameter| parameter.name == *name) {
                Some(parameter) => of_parameter(parameter, schema, required),
                None => of_schema(name, schema, required),
            }
        })
        .collect()
}

fn of_parameter(parameter: &Parameter, schema: &Value, required: bool) -> Argument {
    let value = parameter.default.clone().map(Absent::Value);
    Argument {
        name: parameter.name.clone(),
        ty: parameter.ty.to_string(),
        schema: schema.clone(),
        required,
        default: value.or_else(|| parameter.default_expression.clone().map(Absent::Sql)),
        description: parameter.description.clone(),
        constraints: constraints(&parameter.constraints).into_iter().chain(fields_of(parameter)).collect(),
        examples: parameter.examples.clone(),
    }
}

/// What each row of a list has.
fn fields_of(list: &Parameter) -> Option<String> {
    let field = |one: &Parameter| {
        let optional = if one.required { "" } else { ", optional" };
        format!("{} ({}{optional})", one.name, one.ty)
    };
    let fields: Vec<String> = list.fields.iter().map(field).collect();
    list.is_list_of_rows().then(|| format!("Each row has {}.", fields.join(", ")))
}

fn of_schema(name: &str, schema: &Value, required: bool) -> Argument {
    let values = |key: &str| schema.get(key).and_then(Value::as_array).cloned();
    let number = |key: &str| schema.get(key).filter(|value| value.is_number()).cloned();
    let said = Constraints {
        allowed_values: values("enum"),
        minimum: number("minimum"),
        maximum: number("maximum"),
        ..Constraints::default()
    };
    Argument {
        name: name.to_owned(),
        ty: match schema.get("type").and_then(Value::as_str) {
            Some("string") => "text".to_owned(),
            Some(ty) => ty.to_owned(),
            None => "json".to_owned(),
        },
        schema: schema.clone(),
        required,
        default: schema.get("default").filter(|value| !value.is_null()).cloned().map(Absent::Value),
        description: schema.get("description").and_then(Value::as_str).map(str::to_owned),
        constraints: constraints(&said),
        examples: values("examples").unwrap_or_default(),
    }
}

/// What is accepted, a sentence for the values and one for the bounds.
fn constraints(constraints: &Constraints) -> Vec<String> {
    let values = constraints.allowed_values.as_ref().map(|all| match all.get(..MAX_NAMED) {
        Some(first) if all.len() > MAX_LISTED => format!("One of {} values, such as {}.", all.len(), listed(first)),
        _ => format!("One of {}.", listed(all)),
    });
    let bound =
        |words: &str, bound: &Option<Value>| bound.as_ref().map(|bound| format!("{words} {}", plain_value(bound)));
    let count = |words: &str, count: Option<u64>, what: &str| count.map(|count| format!("{words} {count} {what}"));
    let bounds = [
        bound("at least", &constraints.minimum),
        bound("more than", &constraints.exclusive_minimum),
        bound("at most", &constraints.maximum),
        bound("less than", &constraints.exclusive_maximum),
        constraints.multiple_of.as_ref().map(|step| format!("a multiple of {step}")),
        count("at least", constraints.min_length, "characters"),
        count("at most", constraints.max_length, "characters"),
        count("at least", constraints.min_items, "items"),
        count("at most", constraints.max_items, "items"),
        constraints.format.map(|format| format.words().to_owned()),
        constraints.pattern.as_ref().map(|pattern| format!("matches {pattern}")),
    ];
    let bounds: Vec<String> = bounds.into_iter().flatten().collect();
    let bounds = (!bounds.is_empty()).then(|| ended(&capitalized(&bounds.join(", "))));
    values.into_iter().chain(bounds).collect()
}

fn listed(values: &[Value]) -> String {
    values.iter().map(plain_value).collect::<Vec<_>>().join(", ")
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The text without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::client::fixture;

    #[test]
    fn an_argument_tells_its_meaning_what_is_accepted_and_what_it_is_otherwise() {
        let arguments = arguments_of(&fixture::tool("late_flights"));
        let lines: Vec<String> = arguments.iter().map(Argument::line).collect();
        assert_eq!(
            lines,
            [
                "Airport of departure. One of EWR, JFK, LGA. (text, required)",
                "First day. At least 2013-01-01, at most 2013-12-31. (date, default 2013-01-01)",
                "At least 0, a multiple of 5. For example 30. (int, optional)",
                "Most rows to return. At least 1, at most 100. (integer, default 100)",
                "Where to go on: `next_cursor` of the page before. (text, optional)",
                "How rows are written. One of markdown, structured, toon, csv. (text, default markdown)",
            ]
        );
    }
}
