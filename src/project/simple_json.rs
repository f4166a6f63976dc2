//! `simple_json` of a manifest: a tool that is a program in Fractalic's convention, which takes its arguments as one JSON object and says
//! itself what they are.

use super::execution::Execution;
use super::header::OneOrMore;
use super::output::OutputConfig;
use super::program::{ProgramConfig, RunArgument, StdinForm};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tool that is a program in Fractalic's convention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimpleJsonConfig {
    /// The program, or a list of it and its first arguments: `scripts/greet.py`, `[node, scripts/greet.js]`. A file that ends in
    /// `.py` is run by the project's Python. All parameters, as one JSON object, are its last argument. `qtool lock` asks it what they are.
    pub simple_json: OneOrMore,
    /// The interpreter of a program that ends in `.py`: a path below the roots, or a name that is looked for in `PATH`. Default: that
    /// of a virtual environment in `.venv` or `venv`, else `python3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub interpreter: Option<String>,
    /// Whether callers may send arguments of any names, which are handed on as they are. Default: what the program says, where there are no
    /// `params`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_arguments: bool,
    /// What the program reads from its standard input: the object, which is no argument then. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<StdinForm>,
    /// What it writes to its standard output. Default: `any`, and `json` where there are `columns`.
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

impl SimpleJsonConfig {
    /// The program and its first arguments, as they are written.
    pub fn texts(&self) -> &[String] {
        match &self.simple_json {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        }
    }

    /// Whether the project's Python runs it.
    pub fn is_python(&self) -> bool {
        self.texts().first().is_some_and(|text| text.ends_with(".py"))
    }

    /// The same as a program.
    pub fn as_program(&self, interpreter: &str) -> ProgramConfig {
        // No text is one with placeholders.
        let itself = |text: &String| text.replace("<<", "<<<<");
        let mut run: Vec<String> = self.texts().iter().map(itself).collect();
        if self.is_python() {
            if let (Some(script), Some(folder)) = (run.first_mut(), &self.execution.cwd) {
                *script = seen_from(folder, script);
            }
            run.insert(0, interpreter.to_owned());
        }
        ProgramConfig {
            run: run.into_iter().map(RunArgument::One).collect(),
            stdin: self.stdin,
            json_argument: self.stdin.is_none(),
            output: self.output.clone(),
            success: self.success.clone(),
            exit_codes: self.exit_codes.clone(),
            execution: self.execution.clone(),
        }
    }
}

/// A path from the folder of the project, as it is called in a folder below that.
fn seen_from(folder: &str, path: &str) -> String {
    let is_plain = |part: &&str| !part.is_empty() && *part != ".";
    let is_below = !folder.starts_with('/') && !folder.split('/').any(|part| part == "..");
    if path.starts_with('/') || !is_below {
        return path.to_owned();
    }
    let up = folder.split('/').filter(is_plain).map(|_| "../");
    up.collect::<String>() + path
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(manifest: serde_json::Value) -> Vec<String> {
        let config: SimpleJsonConfig = serde_json::from_value(manifest).unwrap();
        let program = config.as_program("python3");
        program.run.iter().flat_map(RunArgument::texts).map(|(_, text)| text.to_owned()).collect()
    }

    #[test]
    fn scripts_of_python_have_an_interpreter() {
        assert_eq!(run(json!({"simple_json": "scripts/greet.py"})), ["python3", "scripts/greet.py"]);
        assert_eq!(run(json!({"simple_json": ["bin/greet", "--a", "<< b >>"]})), ["bin/greet", "--a", "<<<< b >>"]);
        let in_folder = json!({"simple_json": ["scripts/greet.py", "-v"], "cwd": "./data/new"});
        assert_eq!(run(in_folder), ["python3", "../../scripts/greet.py", "-v"]);
    }
}
