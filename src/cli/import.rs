//! `qtool import`

mod folio;
mod manifests;
mod statement;
mod toolbox;

use super::{Global, Outcome, terminal};
use crate::load::{MANIFESTS, io_reason, leads_out, write_atomically};
use clap::Subcommand;
use manifests::carried::Imported as Manifests;
use manifests::{found, fractalic, mcc};
use std::path::{Path, PathBuf};
use toolbox::Imported;

/// Make files of the tools of another program
#[derive(clap::Args)]
pub(super) struct Import {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Toolbox(Toolbox),
    Mcc(Mcc),
    Fractalic(Fractalic),
    Folio(Folio),
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

/// Make manifests of MCC's catalogs, and say what could not be carried over
#[derive(clap::Args)]
struct Mcc {
    /// A file of tools, or a folder of them
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The project that they are written into; one is made where there is none [default: the project, or this folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Make manifests of Fractalic's manifests and scripts, and say what could not be carried over; nothing is run
#[derive(clap::Args)]
struct Fractalic {
    /// The folder of its tools
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The project that they are written into; one is made where there is none [default: the project, or this folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Make records of Folio's sheets, and say what could not be carried over; nothing is run
#[derive(clap::Args)]
struct Folio {
    /// A sheet, or a folder of them
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The project that they are written into; one is made where there is none [default: the project, or this folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Import {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let dir = match &self.program {
            Program::Toolbox(Toolbox { dir, .. })
            | Program::Mcc(Mcc { dir, .. })
            | Program::Fractalic(Fractalic { dir, .. })
            | Program::Folio(Folio { dir, .. }) => dir.clone(),
        };
        let dir = dir.or_else(|| global.project.clone()).unwrap_or_else(|| PathBuf::from("."));
        let written = match &self.program {
            Program::Toolbox(toolbox) => toolbox.write(&dir),
            Program::Mcc(mcc) => found::files(&mcc.path, &mcc::FILES)
                .map_err(|why| why.to_string())
                .and_then(|files| write_manifests(&dir, mcc::imported(&files))),
            Program::Fractalic(fractalic) => found::files(&fractalic.path, &fractalic::FILES)
                .map_err(|why| why.to_string())
                .and_then(|files| write_manifests(&dir, fractalic::imported(&files))),
            Program::Folio(folio) => folio.write(&dir).map_err(|why| why.to_string()),
        };
        match written {
            Ok(outcome) => outcome,
            Err(why) => {
                terminal::error(&why, &[]);
                Outcome::CouldNotRun
            }
        }
    }
}

impl Folio {
    fn write(&self, dir: &Path) -> Result<Outcome, folio::Flaw> {
        let mut said = Manifests::default();
        let sheets = folio::read(&self.path, dir, &mut said)?;
        let written = folio::write(dir, sheets, &mut said)?;
        let mut out = format!("carried over {}\n", super::workspace::count(written.records.len(), "sheet"));
        written.records.iter().for_each(|(name, path)| out.push_str(&format!("  {name}: {path}\n")));
        if written.made_project {
            out.push_str("made qtool.yaml\n");
        }
        if let Some(entries) = &written.by_hand {
            out.push_str("\nwrite below `records` of qtool.yaml:\n");
            entries.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
        }
        tell_rest(&said, &mut out);
        terminal::out_data(&out);
        Ok(if written.records.is_empty() { Outcome::Problems } else { Outcome::Fine })
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

/// Writes manifests that are not there yet, and says what came of the others.
fn write_manifests(dir: &Path, mut imported: Manifests) -> Result<Outcome, String> {
    let mut written = Vec::new();
    for (name, text) in &imported.manifests {
        let path = format!("{MANIFESTS}/{name}.yaml");
        if dir.join(&path).exists() {
            imported.left_out.push((format!("`{path}`"), "it is there already, and stays as it is".to_owned()));
            continue;
        }
        if leads_out(dir, Path::new(&path)) {
            return Err(format!("`{path}` lies behind a link that leads out of the project"));
        }
        write_atomically(&dir.join(&path), text.as_bytes())
            .map_err(|error| format!("cannot write `{}`: {}", dir.join(&path).display(), io_reason(&error)))?;
        written.push(path);
    }
    let mut out = format!("wrote {}\n", super::workspace::count(written.len(), "manifest"));
    written.iter().for_each(|path| out.push_str(&format!("  {path}\n")));
    let project = dir.join("qtool.yaml");
    if !written.is_empty() && !project.exists() {
        let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        let name = absolute.file_name().map_or_else(|| "tools".to_owned(), |name| name.to_string_lossy().into_owned());
        let text = format!("name: {}\n", serde_json::Value::from(name));
        write_atomically(&project, text.as_bytes())
            .map_err(|error| format!("cannot write `{}`: {}", project.display(), io_reason(&error)))?;
        out.push_str("made qtool.yaml\n");
    }
    tell_rest(&imported, &mut out);
    terminal::out_data(&out);
    Ok(if written.is_empty() { Outcome::Problems } else { Outcome::Fine })
}

/// Says what is otherwise than there, and what could not be carried over.
fn tell_rest(imported: &Manifests, out: &mut String) {
    if !imported.notes.is_empty() {
        out.push_str("\notherwise than there:\n");
        imported.notes.iter().for_each(|note| out.push_str(&format!("  {note}\n")));
    }
    if !imported.left_out.is_empty() {
        out.push_str("\nnot carried over:\n");
        imported.left_out.iter().for_each(|(what, why)| out.push_str(&format!("  {what}: {why}\n")));
    }
    out.push_str("\n`qtool check` says what is left to do\n");
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
