//! `run` of a manifest: a tool that is a program, with what it may reach and take.

use super::execution::Execution;
use super::output::OutputConfig;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool that is a program.
// To serde, a struct with flattened ones in it cannot say that it has no other keys; the schema of manifests does, and snapshots are
// compared with what was read of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What it writes to its standard output. Default: `text`.
    #[serde(flatten)]
    pub output: OutputConfig,
    /// The exit codes that are no failure. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), inner(range(min = 0, max = 255)))]
    pub success: Option<Vec<i32>>,
    /// What callers are told of exit codes that are failures: `{ 3: "there is no such city" }`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub exit_codes: IndexMap<String, String>,
    /// Where it runs, and what it may reach and take.
    #[serde(flatten)]
    pub execution: Execution,
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
