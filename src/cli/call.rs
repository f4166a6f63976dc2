//! `qtool call`

mod agreed;

use super::application;
use super::workspace::{self, Data, block_on};
use super::{Global, Outcome, terminal, typed};
use crate::engine::Engine;
use crate::engine::bind::{Arguments, Caller};
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::project::{RecordToolKind, TableFormat};
use crate::tool::Tool;
use crate::ty::Told;
use crate::workspace::Application;
use chrono::{DateTime, Utc};
use clap::ValueEnum;
use serde_json::Value;

/// Call a tool
#[derive(clap::Args)]
pub(super) struct Call {
    /// The tool's name
    tool: String,
    #[command(flatten)]
    calling: Calling,
}

/// What is said of a call beside its tool.
#[derive(clap::Args)]
pub(super) struct Calling {
    /// Arguments; a list is written with commas, or by repeating the name
    #[arg(value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// All arguments as one JSON object
    #[arg(long, value_name = "OBJECT", conflicts_with = "arguments")]
    json: Option<String>,
    /// A claim of the caller's token, for parameters that are bound to one; `org.id=1` leads into an object
    #[arg(long, value_name = "NAME=VALUE")]
    claim: Vec<String>,
    /// A header of the request, likewise
    #[arg(long, value_name = "NAME=VALUE")]
    header: Vec<String>,
    /// What the caller's token is good for, for policies; several with commas, or by repeating it
    #[arg(long, value_name = "SCOPES", value_delimiter = ',')]
    scopes: Vec<String>,
    /// What `now()` is, in RFC 3339 [default: the time of the clock]
    #[arg(long, value_name = "INSTANT")]
    now: Option<DateTime<Utc>>,
    /// Agree to what a tool changes that a person must agree to
    #[arg(long)]
    yes: bool,
    /// Show the plan of the call instead of calling
    #[arg(long, conflicts_with = "format")]
    explain: bool,
    /// How rows are written
    #[arg(long, value_name = "FORMAT")]
    format: Option<CallFormat>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CallFormat {
    /// A Markdown table
    Markdown,
    /// The result object as JSON
    Structured,
    /// TOON: names once, then the rows
    Toon,
    /// CSV
    Csv,
}

/// What came of a call.
enum Answer {
    Result(CallResult),
    Plan(String),
}

impl Call {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let workspace = workspace::open(global, Data::MayBeReadWithoutAsking)?;
        let tool = workspace::tool(&workspace, &self.tool)?;
        let only = tool.clone();
        self.calling.answer(tool, async move { workspace::engine(&workspace, vec![only]).await })
    }

    /// Calls a tool of an application that is compiled already.
    pub(super) fn run_in(self, application: Application) -> Outcome {
        let tool = application::tool(&application, &self.tool).cloned();
        let answered = tool.and_then(|tool| {
            let only = tool.clone();
            self.calling.answer(tool, async move { application::engine_of(&application, only).await })
        });
        answered.unwrap_or_else(|outcome| outcome)
    }
}

impl Calling {
    /// Calls the tool with what was typed, and prints what comes of it.
    pub(super) fn answer(
        self,
        tool: Tool,
        engine: impl Future<Output = Result<Engine, Outcome>> + Send + 'static,
    ) -> Result<Outcome, Outcome> {
        let arguments = self.arguments(&tool)?;
        let caller = self.caller(&tool)?;
        let (format, explain, yes) = (self.format, self.explain, self.yes);
        if tool.upstream().is_some() && format.is_some_and(|format| !matches!(format, CallFormat::Structured)) {
            let helps = ["leave out `--format`, or write `--format structured`"];
            terminal::error("what another server answers is no table: it is written as JSON", &helps);
            return Err(Outcome::CouldNotRun);
        }
        let makes = tool.record_set().is_some_and(|set| set.acts == RecordToolKind::Materialize);
        if makes {
            // Why a value cannot be made is told by the log alone: its author is at the terminal.
            super::serve::log_as_text();
        }
        let answer = block_on(async move {
            let name = tool.contract.name.clone();
            let engine = engine.await?;
            engine.refresh().await;
            Ok(if explain {
                engine.explain_as(&name, &arguments, &caller).await.map(Answer::Plan)
            } else {
                agreed::call(&engine, &tool.contract, &arguments, (caller, yes)).await?.map(Answer::Result)
            })
        });
        match ended(answer)? {
            Answer::Plan(plan) => terminal::out_data(&plan),
            Answer::Result(mut result) => {
                if let Some(format) = format {
                    result.rewrite(format.into());
                }
                show(&result);
                if makes && has_failures(&result) {
                    return Ok(Outcome::Problems);
                }
            }
        }
        Ok(Outcome::Fine)
    }

    fn caller(&self, tool: &Tool) -> Result<Caller, Outcome> {
        let header =
            |written: &String| typed::pair(written).map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Ok(Caller {
            claims: typed::claims(&self.claim, [&tool.contract])?,
            headers: self.header.iter().map(header).collect::<Result<_, Outcome>>()?,
            scopes: self.scopes.iter().cloned().collect(),
            now: self.now,
            ..Caller::default()
        })
    }

    fn arguments(&self, tool: &Tool) -> Result<Arguments, Outcome> {
        if let Some(json) = &self.json {
            return match serde_json::from_str::<Told>(json) {
                Ok(Told { repeated: Some(name), .. }) => {
                    Err(usage(&format!("`--json` has `{name}` more than once: nobody knows which value counts")))
                }
                Ok(Told { value: Value::Object(arguments), .. }) => Ok(arguments),
                Ok(_) => Err(usage("`--json` takes one JSON object")),
                Err(error) => Err(usage(&format!("`--json` is not valid JSON: {error}"))),
            };
        }
        let mut arguments = Arguments::new();
        for written in &self.arguments {
            let Some((name, text)) = written.split_once('=') else {
                return Err(usage(&format!("`{written}` is not of the form name=value")));
            };
            let value = match tool.contract.schema() {
                Some(schema) => typed::value_of_schema(schema, name, text),
                None => typed::value(tool.contract.parameter(name).map(|parameter| &parameter.ty), text),
            };
            match arguments.get_mut(name) {
                Some(Value::Array(items)) => match value {
                    Value::Array(more) => items.extend(more),
                    one => items.push(one),
                },
                Some(_) => return Err(usage(&format!("`{name}` is given twice"))),
                None => {
                    arguments.insert(name.to_owned(), value);
                }
            }
        }
        Ok(arguments)
    }
}

fn usage(message: &str) -> Outcome {
    terminal::error(message, &["for example: call TOOL name=value, or call TOOL --json '{\"name\": 1}'"]);
    Outcome::CouldNotRun
}

impl From<CallFormat> for TableFormat {
    fn from(format: CallFormat) -> TableFormat {
        match format {
            CallFormat::Markdown => TableFormat::Markdown,
            CallFormat::Structured => TableFormat::Structured,
            CallFormat::Toon => TableFormat::Toon,
            CallFormat::Csv => TableFormat::Csv,
        }
    }
}

/// The table on standard output, so that it can be piped; what is said about it on standard error.
fn show(result: &CallResult) {
    if result.format == TableFormat::Structured {
        let text = serde_json::to_string_pretty(&result.object()).unwrap_or_default();
        terminal::out_data(&format!("{text}\n"));
        return;
    }
    let is_tried = result.changed.as_ref().is_some_and(|changed| changed.is_dry);
    if is_tried {
        let text = serde_json::to_string_pretty(&result.object()).unwrap_or_default();
        terminal::out_data(&format!("{text}\n"));
    } else if result.has_table() {
        let table = result.table();
        terminal::out_data(table);
        if !table.ends_with('\n') {
            terminal::out("\n");
        }
    }
    // Of rows that nobody got there is nothing to sum up.
    if !terminal::is_output_lost() {
        terminal::err(&format!("{}\n", terminal::harmless_text(&result.summary())));
    }
}

/// Whether some of the values that a call was to make could not be made.
fn has_failures(result: &CallResult) -> bool {
    result
        .rows
        .structured()
        .get(0)
        .and_then(|row| row["failures"].as_array())
        .is_some_and(|failures| !failures.is_empty())
}

/// What came of a call, as `block_on` has it. Why there is nothing is printed.
pub(super) fn ended<T>(answer: Option<Result<Result<T, CallError>, Outcome>>) -> Result<T, Outcome> {
    match answer {
        Some(Ok(Ok(result))) => Ok(result),
        Some(Ok(Err(error))) => {
            complain_of_call(&error);
            Err(Outcome::Problems)
        }
        Some(Err(outcome)) => Err(outcome),
        None => {
            terminal::error("the call failed inside the engine", &[]);
            Err(Outcome::CouldNotRun)
        }
    }
}

/// Says why a call failed.
fn complain_of_call(error: &CallError) {
    let every = if error.errors.is_empty() { std::slice::from_ref(error) } else { error.errors.as_slice() };
    for one in every {
        let mut helps: Vec<String> = one.hint.iter().cloned().collect();
        if !one.allowed.is_empty() {
            helps.push(format!("allowed are {}", one.allowed_words().join(", ")));
        }
        if let Some(detail) = &one.detail {
            // The author is at the terminal: here the engine may speak.
            helps.push(detail.told());
        }
        let helps: Vec<&str> = helps.iter().map(String::as_str).collect();
        terminal::error(&one.message, &helps);
    }
}
