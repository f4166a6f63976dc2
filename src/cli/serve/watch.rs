//! `qtool serve --watch`: the project is compiled again when its files change.
//!
//! What no longer compiles keeps its last good tool, and the log says what is wrong. Calls under way go on with the tools
//! that they began with.

use super::super::{terminal, workspace};
use crate::diagnostic::render::{Format, render};
use crate::emit::profile::Profile;
use crate::prompts::Prompt;
use crate::serve::{Publication, Server};
use crate::tool::Tool;
use crate::workspace::{Locking, Workspace};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc;

/// An editor writes a file in several steps, and a person saves several files in a row.
const QUIET: Duration = Duration::from_millis(150);

/// Compiles and serves again whenever files change, until the watcher that is returned is dropped.
pub(super) fn start(
    dir: &Path,
    server: Server,
    tools: Vec<Tool>,
    profile: Option<Profile>,
) -> Result<RecommendedWatcher, String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let root = dir.canonicalize().map_err(|error| error.to_string())?;
    let inside = root.clone();
    let on_event = move |event: Result<Event, notify::Error>| {
        if event.is_ok_and(|event| concerns(&event, &inside)) {
            // Nobody listens any more when the server has ended.
            let _ = sender.send(());
        }
    };
    let mut watcher = notify::recommended_watcher(on_event).map_err(|error| error.to_string())?;
    watcher.watch(&root, RecursiveMode::Recursive).map_err(|error| error.to_string())?;
    let reloads = Reloads { dir: dir.to_path_buf(), server, tools, profile };
    tokio::spawn(reloads.carry_out(receiver));
    Ok(watcher)
}

/// Whether an event is about a file that is compiled: `qtool.yaml`, query files, prompts.
fn concerns(event: &Event, root: &Path) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    event.paths.iter().any(|path| {
        let below = path.strip_prefix(root).unwrap_or(path);
        let first = below.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        matches!(first.as_deref(), Some("qtool.yaml" | "queries" | "prompts"))
    })
}

/// What is served, and is to be replaced.
struct Reloads {
    dir: PathBuf,
    server: Server,
    /// The last good tools.
    tools: Vec<Tool>,
    /// Whose rules the published schemas are held to.
    profile: Option<Profile>,
}

impl Reloads {
    async fn carry_out(mut self, mut changes: mpsc::UnboundedReceiver<()>) {
        while changes.recv().await.is_some() {
            while let Ok(Some(())) = tokio::time::timeout(QUIET, changes.recv()).await {}
            let reloaded = self.reload().await.unwrap_or(false);
            self.server.reloaded(reloaded);
        }
    }

    /// Serves the project as it is now; whether all of it is. `None` where nothing of it can be.
    async fn reload(&mut self) -> Option<bool> {
        let workspace = load(&self.dir).await?;
        let before = self.tools.clone();
        // Compiling takes a while.
        let compiled = tokio::task::spawn_blocking(move || {
            let (now, prompts, is_whole) = compile(&workspace, &before);
            (workspace, now, prompts, is_whole)
        });
        let (workspace, now, prompts, is_whole) = compiled.await.ok()?;
        let engine = workspace::engine(&workspace, now.clone()).await.ok()?;
        engine.refresh().await;
        let project = &workspace.project;
        let publication = Publication::of(&project.file, &project.catalog, now.clone(), prompts);
        let is_served = self.server.replace(engine, publication.lowered(self.profile)).is_ok();
        self.tools = now;
        Some(is_served && is_whole)
    }
}

/// The project as its files are now; tables without a lock are read. `None` where it cannot be loaded.
async fn load(dir: &Path) -> Option<Workspace> {
    match workspace::load_files(dir) {
        Ok(mut workspace) => {
            workspace.read_data(Locking::Write, terminal::progress).await;
            Some(workspace)
        }
        Err(failed) => {
            let text = render(&failed.diagnostics.into_sorted(), &failed.sources, Format::Short, false);
            tracing::error!("the project cannot be loaded; its former tools are served\n{text}");
            None
        }
    }
}

/// The tools and prompts of a project, with the last good tools of files that do not compile, and whether all do.
fn compile(workspace: &Workspace, before: &[Tool]) -> (Vec<Tool>, Vec<Prompt>, bool) {
    let compilation = workspace.compile();
    if compilation.errors > 0 {
        let text = render(&compilation.diagnostics, &workspace.project.sources, Format::Short, false);
        tracing::error!("what does not compile keeps its last good tool\n{text}");
    }
    let mut tools = compilation.tools;
    if compilation.errors > 0 {
        let is_new = |tool: &&Tool| !tools.iter().any(|new| new.contract.name == tool.contract.name);
        let kept: Vec<Tool> = before
            .iter()
            .filter(is_new)
            .filter(|tool| {
                workspace.has_query(&tool.contract.name) && !compilation.no_tools.contains(&tool.contract.name)
            })
            .cloned()
            .collect();
        tools.extend(kept);
        tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
    }
    (tools, compilation.prompts, compilation.errors == 0)
}
