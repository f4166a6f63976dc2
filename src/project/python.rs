//! `python` of a manifest: a tool that is a function in Python, which a worker calls.

use super::execution::Execution;
use super::output::OutputConfig;
use super::program::{ProgramConfig, RunArgument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool that is a function in Python.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PythonConfig {
    /// The function: `module:function`, `scripts/weather.py:function`, or `module:Class.method`.
    #[schemars(length(min = 1))]
    pub python: String,
    /// The interpreter: a path below the roots, or a name that is looked for in `PATH`. Default: that of a virtual environment in
    /// `.venv` or `venv`, else `python3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub interpreter: Option<String>,
    /// What it returns. Default: `json`.
    #[serde(flatten)]
    pub output: OutputConfig,
    /// Whether it returns rows, or the value of the one column. Default: `rows`.
    #[serde(default, skip_serializing_if = "Returns::is_usual")]
    pub returns: Returns,
    /// The exceptions whose message callers are told, by the names of their classes: `[CityNotFound]`. Of others, they are told that the
    /// function failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub tells: Vec<String>,
    /// After how many calls a worker is started anew. Default: 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub worker_calls: Option<u64>,
    /// Where it runs, and what it may reach and take.
    #[serde(flatten)]
    pub execution: Execution,
}

/// What a function returns, as far as its columns do not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Returns {
    /// A list of records, or one record.
    #[default]
    Rows,
    /// The same, or `None`, which is no row.
    Optional,
    /// The value of the one column, whatever that is.
    Value,
}

impl Returns {
    /// Whether it is what is meant where nothing is said.
    pub fn is_usual(&self) -> bool {
        *self == Returns::default()
    }

    /// How it is written.
    pub fn key(self) -> &'static str {
        match self {
            Returns::Rows => "rows",
            Returns::Optional => "optional",
            Returns::Value => "value",
        }
    }
}

impl PythonConfig {
    /// The module or the file, and the function.
    pub fn target(&self) -> Option<(&str, &str)> {
        self.python.rsplit_once(':')
    }

    /// Whether the function is one of a file.
    pub fn is_of_file(&self) -> bool {
        self.target().is_some_and(|(module, _)| module.ends_with(".py"))
    }

    /// The same as a program: the interpreter, and the files that the function lies in as its arguments.
    pub fn as_program(&self, interpreter: &str) -> ProgramConfig {
        let module = self.target().map_or("", |(module, _)| module);
        let files = match self.is_of_file() {
            true => vec![module.to_owned()],
            false => {
                let first = module.split('.').next().unwrap_or_default();
                vec![first.to_owned(), format!("{first}.py")]
            }
        };
        let run = std::iter::once(interpreter.to_owned()).chain(files);
        ProgramConfig {
            run: run.map(RunArgument::One).collect(),
            execution: self.execution.clone(),
            ..ProgramConfig::default()
        }
    }
}
