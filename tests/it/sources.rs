//! Tables of databases: whatever is asked of the database instead of being evaluated here, the answer is that of the same
//! rows in a file.

pub(crate) mod differential;
pub(crate) mod explain;
pub(crate) mod explain_postgres;
pub(crate) mod given_up;
pub(crate) mod hostile;
pub(crate) mod joined;
pub(crate) mod large;
pub(crate) mod otherwise;
pub(crate) mod policies;
pub(crate) mod statements;
pub(crate) mod tpch;

use crate::cases::{Outcome, block_on};
use qtool::diagnostic::render::{Format, render};
use qtool::diagnostic::{Diagnostic, Severity};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::project::Timeout;
use qtool::tool::Tool;
use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A project whose tools are made ready as often as is wanted.
struct Compiled {
    dir: PathBuf,
    outcome: Outcome,
    tools: Vec<Tool>,
}

impl Compiled {
    /// Writes a project with its queries into a folder, in the place of the one that is there, and compiles it. Some queries
    /// may be wrong.
    fn of(
        dir: &Path,
        project: &str,
        queries: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Compiled, Box<dyn Error>> {
        let folder = dir.join("queries");
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        std::fs::write(dir.join("qtool.yaml"), project)?;
        for (name, sql) in queries {
            std::fs::write(folder.join(format!("{name}.sql")), sql)?;
        }
        let outcome = Outcome::of(dir);
        let Some(compilation) = &outcome.compilation else {
            return Err(render(&outcome.diagnostics, &outcome.sources, Format::Text, false).into());
        };
        // A debug build beside other tests is slow; how long a query takes is not what is tested here.
        let patient = |tool: &Tool| {
            let mut tool = tool.clone();
            tool.contract.timeout = Timeout(Duration::from_secs(600));
            tool
        };
        let tools = compilation.tools.iter().map(patient).collect();
        Ok(Compiled { dir: dir.to_path_buf(), outcome, tools })
    }

    /// The same, of which every query compiles.
    fn whole(
        dir: &Path,
        project: &str,
        queries: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Compiled, Box<dyn Error>> {
        let compiled = Compiled::of(dir, project, queries)?;
        let errors = compiled.errors();
        if errors.is_empty() { Ok(compiled) } else { Err(errors.into()) }
    }

    /// The names of the tools that compiled.
    fn names(&self) -> BTreeSet<&str> {
        self.tools.iter().map(|tool| tool.contract.name.as_str()).collect()
    }

    /// The errors of the queries.
    fn errors(&self) -> String {
        let errors = self.outcome.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let errors: Vec<Diagnostic> = errors.cloned().collect();
        if errors.is_empty() { String::new() } else { render(&errors, &self.outcome.sources, Format::Text, false) }
    }

    /// An engine that has planned nothing yet.
    fn engine(&self) -> Result<Arc<Engine>, Box<dyn Error>> {
        let project = self.outcome.project.as_ref().ok_or("no project")?;
        let (dir, file, catalog) = (self.dir.clone(), project.file.clone(), project.catalog.clone());
        let tables = block_on(async move { Tables::open(&dir, &file, &catalog).await });
        let tables = tables.map_err(|errors| format!("{errors:?}"))?;
        Ok(Arc::new(Engine::prepare(tables, self.tools.clone())))
    }
}

/// The arguments of an object.
fn arguments(object: &Value) -> Arguments {
    object.as_object().cloned().unwrap_or_default()
}

/// How much is tried: what `QTOOL_SOURCES_CASES` says, or as much as in the gate.
fn cases(in_the_gate: usize) -> Result<usize, Box<dyn Error>> {
    let wanted = std::env::var("QTOOL_SOURCES_CASES").ok();
    Ok(wanted.map_or(Ok(in_the_gate), |wanted| wanted.parse())?)
}

/// Tells what was done.
fn told(what: &str) {
    // Nobody may read it.
    let _ = writeln!(std::io::stderr(), "{what}");
}

/// A string as a problem shows it: escaped, and cut.
fn shown(string: &str) -> String {
    let escaped: String = string.chars().take(120).flat_map(char::escape_debug).collect();
    let more = string.chars().count().saturating_sub(120);
    if more > 0 { format!("\"{escaped}\"… and {more} more") } else { format!("\"{escaped}\"") }
}

/// An identifier or a literal in quotes, which are doubled inside.
fn quoted(text: &str, quote: char) -> String {
    let doubled: String = [quote, quote].iter().collect();
    format!("{quote}{}{quote}", text.replace(quote, &doubled))
}
