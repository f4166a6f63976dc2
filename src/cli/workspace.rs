//! What most commands begin with: find the project, load it, lock its tables, compile it.

use super::{Global, Outcome, terminal};
use crate::compile::{self, Analysis, Compilation};
use crate::diagnostic::render::{Format, render};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::engine::{Engine, Tables, tables};
use crate::load::{self, Disk, LoadFailed, Loaded};
use crate::name::snake_case;
use crate::project::{Project, UnreadValues};
use crate::source::Sources;
use crate::syntax;
use crate::tool::Tool;
use std::future::Future;
use std::path::{Path, PathBuf};

/// Whether the data may be read for schemas that are not locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    /// Tables without a locked schema are read and locked.
    MayBeRead,
    /// The data is not touched.
    Untouched,
}

/// A loaded project.
pub(crate) struct Workspace {
    pub(crate) dir: PathBuf,
    pub(crate) project: Project,
    found: Diagnostics,
}

impl Workspace {
    /// Finds and loads the project, and completes its catalog. What keeps it from being loaded is printed.
    pub(crate) fn open(global: &Global, data: Data) -> Result<Workspace, Outcome> {
        Workspace::load(&find(global)?, data).map_err(|failed| {
            print(&failed.diagnostics.into_sorted(), &failed.sources);
            Outcome::Problems
        })
    }

    /// Loads the project in a folder, and completes its catalog.
    pub(crate) fn load(dir: &Path, data: Data) -> Result<Workspace, LoadFailed> {
        let base = seen_from_here(dir);
        let loaded = load::load(&Disk::new(dir)).map_err(|mut failed| {
            failed.sources.show_below(base.as_str());
            failed
        });
        let Loaded { mut project, unlocked, mut diagnostics } = loaded?;
        let dir = dir.to_path_buf();
        project.sources.show_below(base);
        match data {
            Data::MayBeRead => {
                // What cannot be read is among the diagnostics.
                let _ = lock_tables(&dir, &mut project, &unlocked, &mut diagnostics);
            }
            Data::Untouched => {
                for table in &unlocked {
                    diagnostics.push(codes::table_not_locked(load::table_span(&project, table), table));
                }
            }
        }
        read_values(&dir, &mut project, data, &|_| false, &mut diagnostics);
        Ok(Workspace { dir, project, found: diagnostics })
    }

    /// Compiles the project.
    pub(crate) fn compile(&self) -> Compilation {
        compile::compile(&self.project, self.found.clone())
    }

    /// Finds out what all files mean, with what loading had to say.
    pub(crate) fn analyze(&self) -> Analysis {
        compile::analyze(&self.project).behind(self.found.clone())
    }

    /// The names of all query files.
    fn query_names(&self) -> Vec<String> {
        self.project.queries.iter().map(|query| syntax::declared_name(query, &self.project.sources)).collect()
    }

    /// Whether there is a query file of that name.
    pub(crate) fn has_query(&self, name: &str) -> bool {
        self.query_names().iter().any(|known| known == name)
    }

    /// Says that there is none.
    pub(crate) fn no_such_query(&self, name: &str) {
        let names = self.query_names();
        let help = crate::name::nearest(name, names.iter().map(String::as_str))
            .map(|near| format!("a query with a similar name exists: `{near}`"));
        let helps: Vec<&str> = help.iter().map(String::as_str).collect();
        terminal::error(&format!("there is no query `{name}`"), &helps);
    }

    /// Compiles, and picks one tool by name. What keeps it from compiling is printed.
    pub(crate) fn tool(&self, name: &str) -> Result<Tool, Outcome> {
        let compilation = self.compile();
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
            print(&self.errors_about(name, &compilation), &self.project.sources);
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

    /// Those of the tools that are in a toolset; that there is none of the name is printed.
    pub(crate) fn toolset(&self, name: &str, tools: Vec<Tool>) -> Result<Vec<Tool>, Outcome> {
        let toolsets = &self.project.file.toolsets;
        let Some(config) = toolsets.get(name) else {
            let help = match crate::name::nearest(name, toolsets.keys().map(String::as_str)) {
                Some(near) => format!("a toolset with a similar name exists: `{near}`"),
                None => "toolsets are declared under `toolsets` in qtool.yaml".to_owned(),
            };
            terminal::error(&format!("there is no toolset `{name}`"), &[help.as_str()]);
            return Err(Outcome::CouldNotRun);
        };
        Ok(tools.into_iter().filter(|tool| config.has(&tool.contract.name, &tool.contract.tags)).collect())
    }

    /// The errors in the file of that query.
    pub(crate) fn errors_in(&self, name: &str, compilation: &Compilation) -> Vec<Diagnostic> {
        let sources = &self.project.sources;
        let query = self.project.queries.iter().find(|query| syntax::declared_name(query, sources) == name);
        let query = query.or_else(|| self.project.queries.iter().find(|query| snake_case(&query.stem) == name));
        let in_file = |diagnostic: &Diagnostic| {
            let file = diagnostic.primary.as_ref().map(|label| label.span.file);
            file.is_some() && file == query.map(|query| query.file)
        };
        errors_only(&compilation.diagnostics).into_iter().filter(in_file).collect()
    }

    /// The errors in the file of that tool; all errors where it has none of its own (a table, a view below it).
    fn errors_about(&self, name: &str, compilation: &Compilation) -> Vec<Diagnostic> {
        let own = self.errors_in(name, compilation);
        if own.is_empty() { errors_only(&compilation.diagnostics) } else { own }
    }

    /// Opens the tables that the tools read, and plans the tools. What goes wrong is printed.
    pub(crate) async fn engine(&self, tools: Vec<Tool>) -> Result<Engine, Outcome> {
        let mut names: Vec<&str> = tools.iter().flat_map(|tool| &tool.contract.tables).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let opened = Tables::open_some(&self.dir, &self.project.file, &self.project.catalog, &names).await;
        let opened = opened.map_err(|errors| {
            let mut sink = Diagnostics::default();
            for failed in errors {
                sink.push(tables::diagnostic(&self.project, &failed.table, &failed.error));
            }
            print(&sink.into_sorted(), &self.project.sources);
            Outcome::Problems
        })?;
        let mut sink = Diagnostics::default();
        for (name, difference) in opened.changes(&self.project.catalog) {
            sink.push(codes::table_changed(load::table_span(&self.project, &name), &name, &difference));
        }
        if sink.errors() > 0 {
            print(&sink.into_sorted(), &self.project.sources);
            return Err(Outcome::Problems);
        }
        Ok(Engine::prepare(opened, tools))
    }
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

/// Reads the schemas of tables from their data and locks them; the names of those that cannot be read.
fn lock_tables(dir: &Path, project: &mut Project, names: &[String], sink: &mut Diagnostics) -> Vec<String> {
    let mut unreadable = Vec::new();
    for name in names {
        terminal::progress(&format!("reading the schema of table {name}"));
        let read = block_on({
            let (dir, file, name) = (dir.to_path_buf(), project.file.clone(), name.clone());
            async move {
                Tables::open_whole(&dir, &file, &Default::default(), &[name.as_str()])
                    .await
                    .map(|tables| tables.catalog())
            }
        });
        match read {
            Some(Ok(catalog)) => {
                for (name, table) in catalog.tables {
                    if let Err(error) = load::write_lock(dir, &name, &table) {
                        let why = load::io_reason(&error);
                        sink.push(codes::unreadable_file(None, &format!("{}/{name}.snap", load::TABLE_LOCKS), &why));
                    }
                    project.catalog.tables.insert(name, table);
                }
            }
            Some(Err(errors)) => {
                unreadable.push(name.clone());
                for failed in errors {
                    sink.push(tables::diagnostic(project, name, &failed.error));
                }
            }
            None => {
                unreadable.push(name.clone());
                sink.push(codes::unreadable_table(load::table_span(project, name), name, "its reader failed"));
            }
        }
    }
    unreadable
}

/// Fills in the values that queries of allowed values gave: from the snapshots, and where there are none, or `anew` asks
/// for it, from the data, which is locked then. The names of those that were read from it, and whether they changed.
fn read_values(
    dir: &Path,
    project: &mut Project,
    data: Data,
    anew: &dyn Fn(&UnreadValues) -> bool,
    sink: &mut Diagnostics,
) -> Vec<(String, bool)> {
    let mut read = Vec::new();
    for of in compile::allowed_queries(project) {
        let locked = load::locked_values(&Disk::new(dir), &of);
        if let Some(values) = locked.as_ref().filter(|_| data == Data::Untouched || !anew(&of)) {
            project.allowed_values.insert(of.key.clone(), Ok(values.clone()));
            continue;
        }
        if data == Data::Untouched || !of.tables.iter().all(|table| project.catalog.tables.contains_key(table)) {
            // The compiler says what is missing.
            continue;
        }
        let name = format!("{}.{}", of.name, of.key.1);
        terminal::progress(&format!("reading the allowed values of {name}"));
        let values = block_on({
            let (dir, file, catalog, of) =
                (dir.to_path_buf(), project.file.clone(), project.catalog.clone(), of.clone());
            async move { Tables::read_allowed_values(&dir, &file, &catalog, &of).await }
        });
        let values = values.unwrap_or_else(|| Err("the query failed inside the engine".to_owned()));
        if let Ok(values) = &values {
            let source = project.sources.get(of.key.0).map_or_else(String::new, |file| file.path.clone());
            if let Err(error) = load::write_values(dir, &source, &of, values) {
                let why = load::io_reason(&error);
                sink.push(codes::unreadable_file(None, &format!("{}/{name}.snap", load::VALUE_LOCKS), &why));
            }
            read.push((name, locked.as_ref() != Some(values)));
        }
        project.allowed_values.insert(of.key, values);
    }
    read
}

/// Reads the allowed values of queries over these tables anew; their names, and whether they changed.
pub(crate) fn reread_values(workspace: &mut Workspace, tables: &[String]) -> Vec<(String, bool)> {
    let mut sink = Diagnostics::default();
    let anew = |of: &UnreadValues| of.tables.is_empty() || of.tables.iter().any(|table| tables.contains(table));
    let read = read_values(&workspace.dir, &mut workspace.project, Data::MayBeRead, &anew, &mut sink);
    workspace.found.extend(sink);
    read
}

/// What became of the locks of tables.
pub(crate) struct Relocked {
    /// The tables whose lock changed.
    pub(crate) changed: Vec<String>,
    /// Those that cannot be read: their lock is as it was.
    pub(crate) unreadable: Vec<String>,
}

/// Reads the schemas of tables anew and locks them.
pub(crate) fn relock(workspace: &mut Workspace, names: &[String]) -> Relocked {
    let before = workspace.project.catalog.clone();
    let mut sink = Diagnostics::default();
    let unreadable = lock_tables(&workspace.dir, &mut workspace.project, names, &mut sink);
    workspace.found.extend(sink);
    let now = &workspace.project.catalog;
    let changed = names.iter().filter(|name| before.tables.get(*name) != now.tables.get(*name)).cloned().collect();
    Relocked { changed, unreadable }
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
    // A query that does not stop must not keep the program.
    runtime.shutdown_background();
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
