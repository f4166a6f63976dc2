//! `qtool import`

mod statement;
mod toolbox;

use super::{Global, Outcome, terminal};
use crate::load::{io_reason, leads_out, write_atomically};
use clap::Subcommand;
use std::path::{Path, PathBuf};
use toolbox::Imported;

/// Make query files of the tools of another program
#[derive(clap::Args)]
pub(super) struct Import {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Toolbox(Toolbox),
}

/// Make query files of MCP Toolbox's tools.yaml, and say what could not be carried over
#[derive(clap::Args)]
struct Toolbox {
    /// The file, in the form of one mapping or of a document for each tool
    #[arg(value_name = "TOOLS.YAML")]
    file: PathBuf,
    /// The project that they are written into; one is made where there is none [default: the project, or this folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Import {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let Program::Toolbox(toolbox) = self.program;
        let dir = toolbox.dir.clone().or_else(|| global.project.clone()).unwrap_or_else(|| PathBuf::from("."));
        match toolbox.write(&dir) {
            Ok(outcome) => outcome,
            Err(why) => {
                terminal::error(&why, &[]);
                Outcome::CouldNotRun
            }
        }
    }
}

impl Toolbox {
    fn write(&self, dir: &Path) -> Result<Outcome, String> {
        let shown = self.file.display();
        let text = std::fs::read_to_string(&self.file)
            .map_err(|error| format!("cannot read `{shown}`: {}", io_reason(&error)))?;
        let mut imported = toolbox::read(&text).map_err(|why| format!("`{shown}` is no tools.yaml: {why}"))?;
        let written = write_queries(dir, &mut imported)?;
        let made = write_project(dir, &mut imported)?;
        let mut out = format!("wrote {}\n", super::workspace::count(written.len(), "query file"));
        written.iter().for_each(|path| out.push_str(&format!("  {path}\n")));
        if made {
            out.push_str("made qtool.yaml: say there where the rows of each table lie\n");
        }
        if !imported.left.is_empty() {
            out.push_str("\nnot carried over:\n");
            imported.left.iter().for_each(|left| out.push_str(&format!("  {left}\n")));
        }
        out.push_str("\n`qtool check` says what is left to do\n");
        terminal::out_data(&out);
        Ok(if written.is_empty() { Outcome::Problems } else { Outcome::Fine })
    }
}

/// Writes the query files that are not there yet; their paths.
fn write_queries(dir: &Path, imported: &mut Imported) -> Result<Vec<String>, String> {
    let mut written = Vec::new();
    for query in &imported.queries {
        let path = format!("queries/{}.sql", query.name);
        if dir.join(&path).exists() {
            imported.left.push(format!("`{path}` is there already, and stays as it is"));
            continue;
        }
        if leads_out(dir, Path::new(&path)) {
            return Err(format!("`{path}` lies behind a link that leads out of the project"));
        }
        write_atomically(&dir.join(&path), query.text.as_bytes())
            .map_err(|error| format!("cannot write `{}`: {}", dir.join(&path).display(), io_reason(&error)))?;
        written.push(path);
    }
    Ok(written)
}

/// Writes a qtool.yaml where there is none; else says what belongs into it.
fn write_project(dir: &Path, imported: &mut Imported) -> Result<bool, String> {
    let path = dir.join("qtool.yaml");
    if path.exists() {
        for (name, tools) in &imported.toolsets {
            imported.left.push(format!(
                "toolset `{name}`: write it into qtool.yaml: `{name}: {{ tools: [{}] }}`",
                tools.join(", ")
            ));
        }
        return Ok(false);
    }
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let name = absolute.file_name().map_or_else(|| "tools".to_owned(), |name| name.to_string_lossy().into_owned());
    write_atomically(&path, imported.project_text(&name).as_bytes())
        .map_err(|error| format!("cannot write `{}`: {}", path.display(), io_reason(&error)))?;
    Ok(true)
}
