//! `run` of a manifest: a tool that is a program, with what it may reach and take.

use super::limits::ByteSize;
use super::settings::Timeout;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool that is a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramConfig {
    /// The program and its arguments, each a text that may have placeholders: `[python3, scripts/weather.py, --city, << city >>]`.
    /// A list among them is left out where a parameter in it has no value.
    #[schemars(length(min = 1))]
    pub run: Vec<RunArgument>,
    /// What the program reads from its standard input. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<StdinForm>,
    /// Whether all parameters, as one JSON object, are the last argument. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub json_argument: bool,
    /// What the program writes to its standard output. Default: `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<OutputForm>,
    /// Where in a JSON output the rows are: a JSON pointer (RFC 6901) such as `/data/items`. Default: the whole of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^(/([^~/]|~[01])*)+$"))]
    #[schemars(extend("x-expected" = "a JSON pointer such as `/data/items`"))]
    pub rows: Option<String>,
    /// The exit codes that are no failure. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), inner(range(min = 0, max = 255)))]
    pub success: Option<Vec<i32>>,
    /// What callers are told of exit codes that are failures: `{ 3: "there is no such city" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub exit_codes: IndexMap<String, String>,
    /// The folder that it runs in, below the roots of the project. Default: that of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub cwd: Option<String>,
    /// Variables of its environment; values may have variables of the server's in them: `{ TOKEN: "${WEATHER_TOKEN}" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub env: IndexMap<String, String>,
    /// A file with more of them, a `NAME=value` on each line. It is read at each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub env_file: Option<String>,
    /// Variables of the server's environment that it has too, by name or as patterns with `*`. What looks like a secret is
    /// passed by its whole name alone, and what `qtool.yaml` names is not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub passthrough: Vec<String>,
    /// Files and folders that it may read, beside those that every program needs: below the roots, or absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub reads: Vec<String>,
    /// Folders that it may write, below the roots. Default: none but one of its own, which is gone behind the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub writes: Vec<String>,
    /// Whether it may use the network. Default: false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// What one call of it may take.
    #[serde(default, skip_serializing_if = "ProgramLimits::is_default")]
    pub limits: ProgramLimits,
}

/// The program, or an argument of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("x-expected" = "a text, a list of texts, or `{ if: << name >>, then: […] }`"))]
pub enum RunArgument {
    /// One argument.
    One(String),
    /// Arguments that are left out together where a parameter in them has no value.
    Together(Vec<String>),
    /// Arguments that are there where a parameter is true.
    When(WhenTrue),
}

/// Arguments that are there where a parameter is true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhenTrue {
    /// The placeholder of a boolean parameter.
    #[serde(rename = "if")]
    pub condition: String,
    /// The arguments.
    #[schemars(length(min = 1))]
    pub then: Vec<String>,
}

/// What a program reads from its standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StdinForm {
    /// All parameters as one JSON object.
    Json,
}

/// What a program writes to its standard output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputForm {
    /// A text.
    #[default]
    Text,
    /// A JSON document: a list of objects, or one object. Without `columns`, it is a `document`.
    Json,
    /// A JSON document of any form: the column `result` of one row.
    Document,
    /// A JSON object on each line.
    Ndjson,
    /// CSV with a line of names.
    Csv,
}

/// What one call of a program may take: all of its processes together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramLimits {
    /// Processor time. Default: that of `timeout`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Timeout>,
    /// Memory. Default: 512MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<ByteSize>,
    /// Files that are open in one process. Default: 256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 8, max = 65_536))]
    pub files: Option<u64>,
    /// Processes and threads. Default: 64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4096))]
    pub processes: Option<u64>,
    /// The largest file that it writes. Default: 64MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_size: Option<ByteSize>,
    /// What it writes to its standard output. Default: 8MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<ByteSize>,
}

impl ProgramLimits {
    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == ProgramLimits::default()
    }
}

/// `programs` of `qtool.yaml`: what holds for all programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramsConfig {
    /// Whether programs run only where the system can confine them. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-keep" = "say it: without `require_sandbox: false`, programs run only where they can be confined"))]
    pub require_sandbox: Option<bool>,
    /// The variables that `qtool.yaml` speaks of: no pattern passes them to a program.
    #[serde(skip)]
    pub withheld: Vec<String>,
}

impl ProgramsConfig {
    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == ProgramsConfig::default()
    }

    /// Whether programs run only where the system can confine them.
    pub fn requires_sandbox(&self) -> bool {
        self.require_sandbox != Some(false)
    }
}

impl RunArgument {
    /// Its texts with the keys that lead to them.
    pub fn texts(&self) -> Vec<(Vec<String>, &str)> {
        let each = |texts: &'_ [String], before: &[&str]| -> Vec<Vec<String>> {
            let path = |at: usize| before.iter().map(|key| (*key).to_owned()).chain([at.to_string()]).collect();
            (0..texts.len()).map(path).collect()
        };
        match self {
            RunArgument::One(text) => vec![(Vec::new(), text)],
            RunArgument::Together(texts) => {
                each(texts, &[]).into_iter().zip(texts.iter().map(String::as_str)).collect()
            }
            RunArgument::When(when) => {
                let then = each(&when.then, &["then"]).into_iter().zip(when.then.iter().map(String::as_str));
                [(vec!["if".to_owned()], when.condition.as_str())].into_iter().chain(then).collect()
            }
        }
    }
}
