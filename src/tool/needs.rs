//! What tools need on the machine that they run on, beside the data: programs, files of the project, variables.

use super::Tool;
use crate::project::argument::{Piece, pieces};
use crate::project::{ProgramConfig, ProjectFile, RunArgument, needed_variables_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// How files of scripts end.
const SCRIPTS: [&str; 9] = ["py", "js", "mjs", "cjs", "ts", "rb", "sh", "jar", "php"];

/// What tools need on the machine that they run on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// Programs that are looked for in `PATH`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub programs: BTreeSet<String>,
    /// Files and folders of the project, relative to it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub files: BTreeSet<String>,
    /// Variables of the environment.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub variables: BTreeSet<String>,
}

impl Needs {
    /// What programs, requests and functions among the tools need.
    pub fn of(tools: &[Tool]) -> Needs {
        let mut needs = Needs::default();
        let all = || tools.iter().chain(tools.iter().flat_map(Tool::makers));
        let called = all().flat_map(|tool| tool.programs().iter().map(|called| called.tool.as_ref()));
        for tool in all().chain(called) {
            if let Some(program) = tool.program() {
                needs.add(program);
            }
            if let Some(python) = tool.python() {
                let mut program = python.as_program(python.interpreter.as_deref().unwrap_or("python3"));
                if !python.is_of_file() {
                    // A module is a file or a folder: which is not known here.
                    program.run.truncate(2);
                }
                needs.add(&program);
            }
            if let Some(simple) = tool.simple_json() {
                let interpreter = simple.interpreter.as_deref().unwrap_or("python3");
                // As it is called from the folder of the project.
                let mut here = simple.clone();
                let folder = here.execution.cwd.take();
                needs.files.extend(folder.filter(|path| is_own(path)));
                needs.add(&here.as_program(interpreter));
                let script = simple.texts().first().filter(|text| simple.is_python() && is_own(text));
                needs.files.extend(script.cloned());
            }
            if let Some(request) = tool.request() {
                let texts = request.http.texts();
                needs.variables.extend(texts.iter().flat_map(|(_, text)| needed_variables_of(text)));
            }
        }
        needs
    }

    /// The same with what the other servers of a project need whose tools are among them, or of which something else is passed on.
    #[must_use]
    pub fn with_upstreams(mut self, tools: &[Tool], file: &ProjectFile) -> Needs {
        let of_tools = tools.iter().filter_map(|tool| Some(tool.upstream()?.upstream.as_str()));
        let others = file.upstreams.iter().filter(|(_, config)| config.offers()).map(|(name, _)| name.as_str());
        let used: BTreeSet<&str> = of_tools.chain(others).collect();
        for config in used.iter().filter_map(|name| file.upstreams.get(*name)) {
            match config.command.first() {
                Some(program) if program.contains('/') && is_own(program) => drop(self.files.insert(program.clone())),
                Some(program) => drop(self.programs.insert(program.clone())),
                None => {}
            }
            // Of its arguments those that are scripts of the project: others may be names of packages.
            let is_script = |text: &&String| {
                let ending = Path::new(text.as_str()).extension().and_then(|ending| ending.to_str());
                config.cwd.is_none() && is_own(text) && ending.is_some_and(|ending| SCRIPTS.contains(&ending))
            };
            self.files.extend(config.command.iter().skip(1).filter(is_script).cloned());
            self.files.extend(config.cwd.iter().filter(|path| is_own(path)).cloned());
            self.variables.extend(config.texts().iter().flat_map(|(_, text)| needed_variables_of(text)));
        }
        self
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        *self == Needs::default()
    }

    fn add(&mut self, program: &ProgramConfig) {
        let texts: Vec<&str> = program.run.iter().flat_map(RunArgument::texts).map(|(_, text)| text).collect();
        for (at, text) in texts.iter().enumerate() {
            let Ok(parts) = pieces(text) else { continue };
            let [Piece::Text(text)] = parts.as_slice() else { continue };
            match (at, text.contains('/')) {
                (0, false) => drop(self.programs.insert(text.clone())),
                (0, true) if is_own(text) => drop(self.files.insert(text.clone())),
                (_, true) if is_own(text) => drop(self.files.insert(program.execution.in_folder(text))),
                _ => {}
            }
        }
        let execution = &program.execution;
        let named = execution.cwd.iter().chain(&execution.env_file).chain(&execution.reads).chain(&execution.writes);
        self.files.extend(named.filter(|path| is_own(path)).cloned());
        self.variables.extend(execution.env.values().flat_map(|text| needed_variables_of(text)));
    }
}

/// Whether a text is a path of the project.
fn is_own(text: &str) -> bool {
    let is_path = !text.starts_with('-') && !text.contains("://") && !text.contains(char::is_whitespace);
    is_path && !Path::new(text).is_absolute()
}
