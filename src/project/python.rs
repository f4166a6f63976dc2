//! `python` of a manifest: a tool that is a function in Python, which a worker calls.

use super::program::{OutputForm, ProgramConfig, ProgramLimits, RunArgument};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool that is a function in Python.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PythonConfig {
    /// The function: `module:function`, `scripts/weather.py:function`, or `module:Class.method`.
    #[schemars(length(min = 1))]
    pub python: String,
    /// The interpreter: a path below the roots, or a name that is looked for in `PATH`. Default: that of a virtual environment in
    /// `.venv` or `venv`, else `python3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub interpreter: Option<String>,
    /// What the function returns. Default: `json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputForm>,
    /// Where in what it returns the rows are: a JSON pointer (RFC 6901) such as `/items`. Default: the whole of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^(/([^~/]|~[01])*)+$"))]
    #[schemars(extend("x-expected" = "a JSON pointer such as `/data/items`"))]
    pub rows: Option<String>,
    /// The exceptions whose message callers are told, by the names of their classes: `[CityNotFound]`. Of others, they are told that the
    /// function failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub tells: Vec<String>,
    /// After how many calls a worker is started anew. Default: 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub worker_calls: Option<u64>,
    /// The folder that it runs in, and that modules are found in, below the roots of the project. Default: that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub cwd: Option<String>,
    /// Variables of its environment; values may have variables of the server's in them: `{ TOKEN: "${WEATHER_TOKEN}" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// A file with more of them, a `NAME=value` on each line. It is read when a worker starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub env_file: Option<String>,
    /// Variables of the server's environment that it has too, by name or as patterns with `*`. What looks like a secret is
    /// passed by its whole name alone, and what `qtool.yaml` names is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub passthrough: Vec<String>,
    /// Files and folders that it may read, beside those that every program needs and its own: below the roots, or absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub reads: Vec<String>,
    /// Folders that it may write, below the roots. Default: none but one of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub writes: Vec<String>,
    /// Whether it may use the network. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// What a worker may take.
    #[serde(default, skip_serializing_if = "ProgramLimits::is_default")]
    pub limits: ProgramLimits,
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
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            env_file: self.env_file.clone(),
            passthrough: self.passthrough.clone(),
            reads: self.reads.clone(),
            writes: self.writes.clone(),
            network: self.network,
            limits: self.limits.clone(),
            ..ProgramConfig::default()
        }
    }
}
