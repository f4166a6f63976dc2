//! What tools need on the machine that they run on, beside the data: programs, files of the project, variables.

use super::Tool;
use crate::project::argument::{Piece, pieces};
use crate::project::{ProgramConfig, RunArgument, needed_variables_of};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

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
        for tool in tools {
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
            if let Some(request) = tool.request() {
                let texts = request.http.texts();
                needs.variables.extend(texts.iter().flat_map(|(_, text)| needed_variables_of(text)));
            }
        }
        needs
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
                (_, true) if is_own(text) => drop(self.files.insert(in_folder(program.cwd.as_deref(), text))),
                _ => {}
            }
        }
        let named = program.cwd.iter().chain(&program.env_file).chain(&program.reads).chain(&program.writes);
        self.files.extend(named.filter(|path| is_own(path)).cloned());
        self.variables.extend(program.env.values().flat_map(|text| needed_variables_of(text)));
    }
}

/// Whether a text is a path of the project.
fn is_own(text: &str) -> bool {
    let is_path = !text.starts_with('-') && !text.contains("://") && !text.contains(char::is_whitespace);
    is_path && !Path::new(text).is_absolute()
}

/// A path as it is meant in the folder that a program runs in, from the project on.
fn in_folder(folder: Option<&str>, path: &str) -> String {
    match folder {
        Some(folder) => format!("{}/{path}", folder.trim_end_matches('/')),
        None => path.to_owned(),
    }
}
