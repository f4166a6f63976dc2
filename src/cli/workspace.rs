//! What most commands begin with: find the project, load it, lock its tables. What is wrong is printed.

use super::{Global, Outcome, terminal};
use crate::compile::Compilation;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::{Format, render};
use crate::engine::Engine;
use crate::load::{self, Disk, LoadFailed, Memory, Overlay};
use crate::name::snake_case;
use crate::source::Sources;
use crate::syntax;
use crate::tool::Tool;
use crate::workspace::{Locking, Workspace};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the threads of a command may take to end.
const AT_THE_END: Duration = Duration::from_millis(100);

/// Whether the data may be read for schemas that are not locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    /// Tables without a locked schema are read and locked.
    MayBeRead,
    /// The same, but no program is asked what it takes: only calls run it.
    MayBeReadWithoutAsking,
    /// The data is not touched.
    Untouched,
}

/// Finds and loads the project, and completes its catalog. What keeps it from being loaded is printed.
pub(crate) fn open(global: &Global, data: Data) -> Result<Workspace, Outcome> {
    load(&find(global)?, data).map_err(not_loaded)
}

/// Prints what keeps a project from being loaded.
pub(crate) fn not_loaded(failed: LoadFailed) -> Outcome {
    print(&failed.diagnostics.into_sorted(), &failed.sources);
    Outcome::Problems
}

/// Loads the project in a folder, and completes its catalog.
pub(crate) fn load(dir: &Path, data: Data) -> Result<Workspace, LoadFailed> {
    completed(load_files(dir)?, data)
}

/// Loads the project in a folder with files that nobody has saved, and completes its catalog.
pub(crate) fn load_with(dir: &Path, unsaved: Memory, data: Data) -> Result<Workspace, LoadFailed> {
    let disk = Disk::new(dir);
    completed(shown_from_here(dir, Workspace::of_files(dir, &Overlay::new(unsaved, &disk)))?, data)
}

/// Completes the catalog of a project.
fn completed(mut workspace: Workspace, data: Data) -> Result<Workspace, LoadFailed> {
    if data == Data::MayBeReadWithoutAsking {
        workspace.forgo_asking_programs();
    }
    match data {
        Data::Untouched => workspace.forgo_data(),
        // Most projects are locked, and need no threads.
        Data::MayBeRead | Data::MayBeReadWithoutAsking if workspace.needs_data() => {
            let sources = workspace.project.sources.clone();
            let read = block_on(async move {
                workspace.read_data(Locking::Write, terminal::progress).await;
                workspace
            });
            return read.ok_or_else(|| LoadFailed { sources, diagnostics: Default::default() });
        }
        Data::MayBeRead | Data::MayBeReadWithoutAsking => {}
    }
    Ok(workspace)
}

/// Loads the project in a folder, as far as its files go, with their paths as seen from the working directory.
pub(crate) fn load_files(dir: &Path) -> Result<Workspace, LoadFailed> {
    shown_from_here(dir, Workspace::load(dir))
}

/// What was loaded of a folder, with paths as seen from the working directory.
fn shown_from_here(dir: &Path, loaded: Result<Workspace, LoadFailed>) -> Result<Workspace, LoadFailed> {
    let base = seen_from_here(dir);
    match loaded {
        Ok(mut workspace) => {
            workspace.project.sources.show_below(base);
            Ok(workspace)
        }
        Err(mut failed) => {
            failed.sources.show_below(base);
            Err(failed)
        }
    }
}

/// Says that there is no query file of that name.
pub(crate) fn no_such_query(workspace: &Workspace, name: &str) {
    let names = workspace.query_names();
    let help = crate::name::nearest(name, names.iter().map(String::as_str))
        .map(|near| format!("a query with a similar name exists: `{near}`"));
    let helps: Vec<&str> = help.iter().map(String::as_str).collect();
    terminal::error(&format!("there is no query `{name}`"), &helps);
}

/// Compiles, and picks one tool by name. What keeps it from compiling is printed.
pub(crate) fn tool(workspace: &Workspace, name: &str) -> Result<Tool, Outcome> {
    let compilation = workspace.compile();
    if let Some(tool) = compilation.tools.iter().find(|tool| tool.contract.name == name) {
        if compilation.errors > 0 {
            terminal::err(&format!(
                "note: {} elsewhere in the project; see `qtool check`\n",
                count(compilation.errors, "error")
            ));
        }
        return Ok(tool.clone());
    }
    if compilation.errors > 0 {
        print(&errors_about(workspace, name, &compilation), &workspace.project.sources);
    }
    let names: Vec<&str> = compilation.tools.iter().map(|tool| tool.contract.name.as_str()).collect();
    let help = match crate::name::nearest(name, names.iter().copied()) {
        Some(near) => format!("a tool with a similar name exists: `{near}`"),
        None if names.is_empty() => "the project has no tools that compile".to_owned(),
        None => "`qtool list` shows the tools".to_owned(),
    };
    terminal::error(&format!("there is no tool `{name}`"), &[help.as_str()]);
    Err(Outcome::CouldNotRun)
}

/// Says that there is no toolset of that name.
pub(crate) fn no_such_toolset<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> Outcome {
    let help = match crate::name::nearest(name, known.map(String::as_str)) {
        Some(near) => format!("a toolset with a similar name exists: `{near}`"),
        None => "toolsets are declared under `toolsets` in qtool.yaml".to_owned(),
    };
    terminal::error(&format!("there is no toolset `{name}`"), &[help.as_str()]);
    Outcome::CouldNotRun
}

/// Those of the tools that are in a toolset; that there is none of the name is printed.
pub(crate) fn toolset(workspace: &Workspace, name: &str, tools: Vec<Tool>) -> Result<Vec<Tool>, Outcome> {
    let toolsets = &workspace.project.file.toolsets;
    let Some(config) = toolsets.get(name) else {
        return Err(no_such_toolset(name, toolsets.keys()));
    };
    Ok(tools.into_iter().filter(|tool| config.has(tool.contract.names(), &tool.contract.tags)).collect())
}

/// The errors in the file of that query.
pub(crate) fn errors_in(workspace: &Workspace, name: &str, compilation: &Compilation) -> Vec<Diagnostic> {
    let sources = &workspace.project.sources;
    let query = workspace.project.queries.iter().find(|query| syntax::declared_name(query, sources) == name);
    let query = query.or_else(|| workspace.project.queries.iter().find(|query| snake_case(&query.stem) == name));
    let in_file = |diagnostic: &Diagnostic| {
        let file = diagnostic.primary.as_ref().map(|label| label.span.file);
        file.is_some() && file == query.map(|query| query.file)
    };
    errors_only(&compilation.diagnostics).into_iter().filter(in_file).collect()
}

/// The errors in the file of that tool; all errors where it has none of its own (a table, a view below it).
fn errors_about(workspace: &Workspace, name: &str, compilation: &Compilation) -> Vec<Diagnostic> {
    let own = errors_in(workspace, name, compilation);
    if own.is_empty() { errors_only(&compilation.diagnostics) } else { own }
}

/// Opens the tables that the tools read, and prepares the tools. What goes wrong is printed.
pub(crate) async fn engine(workspace: &Workspace, tools: Vec<Tool>) -> Result<Engine, Outcome> {
    workspace.engine(tools).await.map_err(|problems| {
        print(&problems, &workspace.project.sources);
        Outcome::Problems
    })
}

/// The project's folder. Why there is none is printed.
pub(crate) fn find(global: &Global) -> Result<PathBuf, Outcome> {
    if let Some(dir) = &global.project {
        if dir.join(load::PROJECT_FILE).is_file() {
            return Ok(dir.clone());
        }
        let renamed = load::nearly_project(dir).map(|name| format!("rename `{name}` to `qtool.yaml`"));
        let help = renamed.as_deref().unwrap_or("`qtool new DIR` makes a project");
        terminal::error(&format!("`{}` has no qtool.yaml", dir.display()), &[help]);
        return Err(Outcome::CouldNotRun);
    }
    let here = std::env::current_dir().ok();
    let found = here.as_deref().and_then(load::find);
    // A project above is not meant by somebody who stands in one with another name.
    let nearer = here.iter().flat_map(|here| here.ancestors()).take_while(|dir| found.as_deref() != Some(dir));
    if let Some((dir, name)) = nearer.filter_map(|dir| Some((dir, load::nearly_project(dir)?))).next() {
        let help = format!("rename `{name}` to `qtool.yaml`");
        terminal::error(&format!("`{}` has no qtool.yaml", dir.display()), &[help.as_str()]);
        return Err(Outcome::CouldNotRun);
    }
    found.ok_or_else(|| {
        let helps = ["go into a project's folder, or name it with `--project DIR`", "`qtool new DIR` makes a project"];
        terminal::error("there is no qtool.yaml here or in a folder above", &helps);
        Outcome::CouldNotRun
    })
}

/// The project's folder as seen from the working directory, with `/` at its end: programs that read paths in what is
/// printed, and people who click at them, stand there. Empty where the folder is the working directory, or does not lie
/// below it; then paths are relative to the project.
fn seen_from_here(dir: &Path) -> String {
    let below = || -> Option<PathBuf> {
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok()?;
        Some(dir.canonicalize().ok()?.strip_prefix(here).ok()?.to_path_buf())
    };
    let parts = below().unwrap_or_default();
    parts.components().map(|part| format!("{}/", part.as_os_str().to_string_lossy())).collect()
}

/// Runs a future on a runtime of its own, on threads whose stack holds a deep plan. `None` where it panicked or no
/// runtime is to be had.
pub(crate) fn block_on<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> Option<T> {
    let runtime = match crate::engine::serving_runtime() {
        Ok(runtime) => runtime,
        Err(why) => {
            terminal::error(&format!("no thread can be started: {why}"), &[]);
            return None;
        }
    };
    // On a worker, not on this thread: planning recurses.
    let result = runtime.block_on(runtime.spawn(future)).ok();
    // A query that does not stop must not keep the program. Threads that end meanwhile are waited for: one that is given up at
    // that moment may take the process with it (`engine/threads/ending.rs`).
    runtime.shutdown_timeout(AT_THE_END);
    result
}

/// Prints diagnostics for people.
pub(crate) fn print(diagnostics: &[Diagnostic], sources: &Sources) {
    terminal::err(&render(diagnostics, sources, Format::Text, true));
}

/// The errors among them.
pub(crate) fn errors_only(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == crate::diagnostic::Severity::Error;
    diagnostics.iter().filter(is_error).cloned().collect()
}

/// `1 error`, `2 errors`.
pub(crate) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}
