//! A tool as a person reads it: `qtool show`.

use super::arguments::{Argument, arguments_of};
use crate::project::BoundFrom;
use crate::tool::{ANY_CHANGES, Changes, Constraints, Contract, Output, OutputColumn, Parameter, TableWrite};
use crate::ty::either;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, context};
use serde::Serialize;
use serde_json::Value;

/// The template; blocks that are empty leave no lines.
const TEMPLATE: &str = include_str!("signature.jinja");

#[derive(Serialize)]
struct Line {
    name: String,
    ty: String,
    notes: String,
    description: Option<String>,
}

/// Writes the signature, ending in a line break.
///
/// Errors: none that a tool can cause; the template is part of the program.
pub fn signature(tool: &Contract) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?;
    environment.set_syntax(syntax);
    environment.add_filter("pad", |text: String, width: usize| format!("{text:width$}"));
    environment.add_template("signature", TEMPLATE)?;
    let parameters: Vec<Line> = match tool.schema() {
        Some(_) => arguments_of(tool).into_iter().map(line_of_argument).collect(),
        None => tool.parameters().iter().flat_map(lines).collect(),
    };
    let columns: Vec<Line> = tool.columns().iter().map(column).collect();
    let widest =
        |lines: &[Line], of: fn(&Line) -> &str| lines.iter().map(|line| of(line).chars().count()).max().unwrap_or(0);
    let rows = match (tool.result_limit.rows(), tool.default_limit) {
        (None, None) => "all rows".to_owned(),
        (None, Some(usual)) => format!("{usual} rows unless more are asked for"),
        (Some(most), None) => format!("at most {most} rows"),
        (Some(most), Some(usual)) if usual >= most => format!("at most {most} rows"),
        (Some(most), Some(usual)) => format!("{usual} rows unless more are asked for, at most {most}"),
    };
    environment.get_template("signature")?.render(context! {
        name => &tool.name,
        title => (tool.title != tool.name).then_some(&tool.title),
        description => &tool.description,
        parameters => Serde(&parameters),
        parameter_width => widest(&parameters, |line| &line.name),
        parameter_type_width => widest(&parameters, |line| &line.ty),
        columns => Serde(&columns),
        column_width => widest(&columns, |line| &line.name),
        column_type_width => widest(&columns, |line| &line.ty),
        changes => tool.changes.iter().flat_map(|changes| &changes.writes).map(shown_write).collect::<Vec<_>>(),
        takes => tool.expose.iter().filter(|one| one.is_of_changes()).map(|one| one.as_str()).collect::<Vec<_>>().join(", "),
        most => tool.changes.as_ref().map(shown_changes),
        rows => rows,
        passed => matches!(tool.output, Output::Passed { .. }),
        format => tool.table_format.as_str(),
        timeout => humane(tool.timeout.0),
    })
}

/// An argument whose schema is not ours.
fn line_of_argument(argument: Argument) -> Line {
    let notes = std::iter::once(argument.presence()).chain(argument.constraints).collect::<Vec<_>>().join(", ");
    Line { name: argument.name, ty: argument.ty, notes, description: argument.description }
}

/// What is written into a table.
fn shown_write(write: &TableWrite) -> String {
    let columns = if write.columns.is_empty() { String::new() } else { format!("  {}", write.columns.join(", ")) };
    format!("{}  {}{columns}", write.table, write.operation.as_str())
}

/// How many rows are changed.
fn shown_changes(changes: &Changes) -> String {
    let rows = if changes.max_changes == 1 { "row" } else { "rows" };
    let expected = changes.expect.map(|expect| format!(", {expect}")).unwrap_or_default();
    let confirmed = if changes.confirm { ", and a person agrees to them" } else { "" };
    match changes.max_changes {
        ANY_CHANGES => format!("any number of rows changed{expected}{confirmed}"),
        most => format!("at most {most} {rows} changed{expected}{confirmed}"),
    }
}

fn humane(time: std::time::Duration) -> String {
    if time.subsec_millis() > 0 { format!("{} ms", time.as_millis()) } else { format!("{} s", time.as_secs()) }
}

/// Where the value comes from of a parameter that no agent sends.
fn hidden(parameter: &Parameter, from: &BoundFrom) -> String {
    let default = || parameter.default.as_ref().map(shown_value).or_else(|| parameter.default_expression.clone());
    match from {
        BoundFrom::Fixed(value) => format!("fixed {}, hidden", shown_value(value)),
        BoundFrom::Default => default().map_or("left out, hidden".to_owned(), |of| format!("default {of}, hidden")),
        of_caller => format!("from {of_caller}, hidden"),
    }
}

/// The line of a parameter, and of a list of rows those of its fields.
fn lines(one: &Parameter) -> Vec<Line> {
    let fields =
        one.fields.iter().map(|field| Line { name: format!("{}[].{}", one.name, field.name), ..parameter(field) });
    let own = parameter(one);
    let own = if one.is_list_of_rows() { Line { ty: "rows".to_owned(), ..own } } else { own };
    std::iter::once(own).chain(fields).collect()
}

fn parameter(parameter: &Parameter) -> Line {
    let mut notes = Vec::new();
    match (&parameter.default, parameter.required) {
        _ if parameter.from.is_some() => notes.extend(parameter.from.iter().map(|from| hidden(parameter, from))),
        (Some(default), _) => notes.push(format!("default {}", shown_value(default))),
        (None, _) if parameter.default_expression.is_some() => {
            notes.extend(parameter.default_expression.iter().map(|sql| format!("default {sql}")));
        }
        (None, true) => notes.push("required".to_owned()),
        (None, false) => notes.push("optional".to_owned()),
    }
    notes.extend(constraints(&parameter.constraints));
    Line {
        name: parameter.name.clone(),
        ty: either::shown_types(&parameter.ty, &parameter.also),
        notes: notes.join(", "),
        description: parameter.description.clone(),
    }
}

fn constraints(constraints: &Constraints) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(allowed) = &constraints.allowed_values {
        let more = allowed.len().saturating_sub(8);
        let names: Vec<String> = allowed.iter().take(8).map(shown_value).collect();
        let tail = if more > 0 { format!(" | {more} more") } else { String::new() };
        notes.push(format!("{}{tail}", names.join(" | ")));
    }
    let mut bound = |words: &str, value: Option<String>| {
        notes.extend(value.map(|value| format!("{words} {value}").trim_start().to_owned()))
    };
    bound("at least", constraints.minimum.as_ref().map(shown_value));
    bound("at most", constraints.maximum.as_ref().map(shown_value));
    bound("more than", constraints.exclusive_minimum.as_ref().map(shown_value));
    bound("less than", constraints.exclusive_maximum.as_ref().map(shown_value));
    bound("a multiple of", constraints.multiple_of.as_ref().map(ToString::to_string));
    bound("", constraints.format.map(|format| format.as_str().to_owned()));
    bound("fewest characters", constraints.min_length.map(|n| n.to_string()));
    bound("most characters", constraints.max_length.map(|n| n.to_string()));
    bound("matches", constraints.pattern.clone());
    bound("fewest items", constraints.min_items.map(|n| n.to_string()));
    bound("most items", constraints.max_items.map(|n| n.to_string()));
    notes
}

fn shown_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn column(column: &OutputColumn) -> Line {
    let not_null = (!column.nullable).then(|| "not null".to_owned());
    let numbers = column.numbers.unusual().map(|(name, form)| format!("{name} as {form}"));
    Line {
        name: column.name.clone(),
        ty: column.ty.to_string(),
        notes: not_null.into_iter().chain(numbers).collect::<Vec<_>>().join(", "),
        description: column.description.clone(),
    }
}
