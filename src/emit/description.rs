//! The description of a tool as agents read it, with a line per parameter for those whose client shows no schema.

use super::mcp::automatic_schema;
use crate::tool::constraints::plain_value;
use crate::tool::{Constraints, Contract, Parameter};
use serde_json::Value;

/// The most allowed values that a line lists.
const MAX_LISTED: usize = 20;

/// The published description.
pub(super) fn description_of(tool: &Contract) -> Option<String> {
    let lines: Vec<String> = tool.published().map(line).chain(automatic(tool)).collect();
    if !tool.parameters_in_description || lines.is_empty() {
        return tool.description.clone();
    }
    let said = tool.description.iter().map(|description| format!("{description}\n\n"));
    Some(said.collect::<String>() + "Parameters:\n" + &lines.join("\n"))
}

fn line(parameter: &Parameter) -> String {
    let presence = match (&parameter.default, &parameter.default_expression, parameter.required) {
        (Some(default), ..) => format!("default {}", plain_value(default)),
        (_, Some(sql), _) => format!("default `{sql}`"),
        (None, None, true) => "required".to_owned(),
        (None, None, false) => "optional".to_owned(),
    };
    let mut sentences: Vec<String> = parameter.description.iter().map(|text| one_line(text)).collect();
    sentences.extend(constrained(&parameter.constraints));
    if !parameter.examples.is_empty() {
        sentences.push(format!("For example {}.", listed(&parameter.examples)));
    }
    written(&parameter.name, &parameter.ty.to_string(), &presence, &sentences)
}

/// The lines of the parameters that qtool adds.
fn automatic(tool: &Contract) -> impl Iterator<Item = String> {
    tool.expose.iter().map(|automatic| {
        let (name, schema) = automatic_schema(*automatic, tool);
        let presence = schema
            .get("default")
            .map_or_else(|| "optional".to_owned(), |value| format!("default {}", plain_value(value)));
        let text = schema.get("description").and_then(Value::as_str).map(str::to_owned);
        let values = schema.get("enum").and_then(Value::as_array).map(|values| format!("One of {}.", listed(values)));
        let most = schema.get("maximum").map(|most| format!("At most {most}."));
        let ty = schema.get("type").and_then(Value::as_str).filter(|ty| *ty != "string").unwrap_or("text");
        written(name, ty, &presence, &text.into_iter().chain(values).chain(most).collect::<Vec<_>>())
    })
}

fn written(name: &str, ty: &str, presence: &str, sentences: &[String]) -> String {
    let mut line = format!("- {name} ({ty}, {presence})");
    for (at, sentence) in sentences.iter().enumerate() {
        line.push_str(if at == 0 { ": " } else { " " });
        line.push_str(sentence);
        if !sentence.ends_with(['.', '!', '?']) {
            line.push('.');
        }
    }
    line
}

fn constrained(constraints: &Constraints) -> Vec<String> {
    let mut words = Vec::new();
    match &constraints.allowed_values {
        Some(all) if all.len() > MAX_LISTED => {
            let first = all.get(..3).unwrap_or_default();
            words.push(format!("One of {} values, such as {}.", all.len(), listed(first)));
        }
        Some(all) => words.push(format!("One of {}.", listed(all))),
        None => {}
    }
    let bounds = [
        ("at least", &constraints.minimum),
        ("more than", &constraints.exclusive_minimum),
        ("at most", &constraints.maximum),
        ("less than", &constraints.exclusive_maximum),
    ];
    let mut limits: Vec<String> =
        bounds.iter().filter_map(|(words, bound)| Some(format!("{words} {}", plain_value(bound.as_ref()?)))).collect();
    limits.extend(constraints.multiple_of.as_ref().map(|step| format!("a multiple of {step}")));
    let counts = [
        ("at least", constraints.min_length, "characters"),
        ("at most", constraints.max_length, "characters"),
        ("at least", constraints.min_items, "items"),
        ("at most", constraints.max_items, "items"),
    ];
    limits.extend(counts.iter().filter_map(|(words, count, what)| Some(format!("{words} {} {what}", (*count)?))));
    limits.extend(constraints.format.map(|format| format.words().to_owned()));
    limits.extend(constraints.pattern.as_ref().map(|pattern| format!("matches `{pattern}`")));
    if !limits.is_empty() {
        let sentence = limits.join(", ");
        let mut letters = sentence.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        words.push(format!("{}.", first.chain(letters).collect::<String>()));
    }
    words
}

fn listed(values: &[Value]) -> String {
    values.iter().map(plain_value).collect::<Vec<_>>().join(", ")
}

/// A description may be a block of several lines; this is a list of lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
