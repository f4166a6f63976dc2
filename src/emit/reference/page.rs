//! What a template of the reference knows of a tool.

use super::super::arguments::{self, Absent, Argument};
use super::super::example;
use crate::tool::constraints::plain_value;
use crate::tool::{Contract, OutputColumn};
use serde::Serialize;

/// A tool.
#[derive(Serialize)]
pub(super) struct Entry {
    name: String,
    title: String,
    description: Option<String>,
    /// The first line of the description, or the title.
    summary: String,
    tags: Vec<String>,
    version: Option<String>,
    scopes: Vec<String>,
    parameters: Vec<Parameter>,
    /// The arguments of a call, as JSON of several lines; absent where no valid ones are known.
    example: Option<String>,
    columns: Vec<Column>,
    /// The conditions across parameters, in the words of the author.
    rules: Vec<String>,
    tables: Vec<String>,
    /// Sentences on what a call returns and takes.
    limits: Vec<String>,
    /// Words on what a call changes.
    effects: Vec<&'static str>,
}

/// A parameter, the author's or qtool's.
#[derive(Serialize)]
struct Parameter {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    required: bool,
    /// The value where it is not sent.
    default: Option<String>,
    /// The SQL that gives that value.
    default_sql: Option<String>,
    description: Option<String>,
    /// The description, what is accepted, and examples.
    sentences: Vec<String>,
    examples: Vec<String>,
}

/// A column.
#[derive(Serialize)]
struct Column {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    nullable: bool,
    description: Option<String>,
}

impl Entry {
    pub(super) fn of(tool: &Contract) -> Entry {
        let example = example::arguments(tool).and_then(|arguments| serde_json::to_string_pretty(&arguments).ok());
        let summary = tool.description.as_deref().and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
        Entry {
            name: tool.name.clone(),
            title: tool.title.clone(),
            description: tool.description.clone(),
            summary: summary.unwrap_or(&tool.title).to_owned(),
            tags: tool.tags.clone(),
            version: tool.version.clone(),
            scopes: tool.scopes.clone(),
            parameters: arguments::arguments_of(tool).into_iter().map(Parameter::of).collect(),
            example,
            columns: tool.columns().iter().map(Column::of).collect(),
            rules: tool.rules.iter().map(|rule| rule.message.clone()).collect(),
            tables: tool.tables.clone(),
            limits: limits(tool),
            effects: effects(tool),
        }
    }
}

impl Parameter {
    fn of(argument: Argument) -> Parameter {
        let sentences = argument.sentences();
        let (default, default_sql) = match argument.default {
            Some(Absent::Value(value)) => (Some(plain_value(&value)), None),
            Some(Absent::Sql(sql)) => (None, Some(sql)),
            None => (None, None),
        };
        Parameter {
            name: argument.name,
            ty: argument.ty,
            required: argument.required,
            default,
            default_sql,
            description: argument.description,
            sentences,
            examples: argument.examples.iter().map(plain_value).collect(),
        }
    }
}

impl Column {
    fn of(column: &OutputColumn) -> Column {
        Column {
            name: column.name.clone(),
            ty: column.ty.to_string(),
            nullable: column.nullable,
            description: column.description.clone(),
        }
    }
}

fn limits(tool: &Contract) -> Vec<String> {
    let rows = match (tool.default_limit, tool.result_limit.rows()) {
        (None, None) => "All rows are returned.".to_owned(),
        (Some(usual), None) => format!("{usual} rows are returned unless more are asked for."),
        (Some(usual), Some(most)) if usual < most => {
            format!("{usual} rows are returned unless more are asked for, {most} at most.")
        }
        (_, Some(most)) => format!("At most {most} rows are returned."),
    };
    let time = tool.timeout.0;
    let time = match time.subsec_millis() {
        0 => format!("{} s", time.as_secs()),
        _ => format!("{} ms", time.as_millis()),
    };
    vec![rows, format!("A call may take {time}.")]
}

fn effects(tool: &Contract) -> Vec<&'static str> {
    let annotations = &tool.annotations;
    vec![
        match (annotations.read_only, annotations.destructive) {
            (true, _) => "reads only",
            (false, true) => "deletes or overwrites",
            (false, false) => "adds only",
        },
        if annotations.idempotent { "idempotent" } else { "not idempotent" },
        if annotations.open_world { "open world" } else { "closed world" },
    ]
}
