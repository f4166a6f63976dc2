//! `qtool serve --watch`: the project is compiled again when its files change.
//!
//! What no longer compiles keeps its last good tool, and the log says what is wrong. Calls under way go on with the tools
//! that they began with.

use super::super::workspace::{Data, Workspace};
use crate::diagnostic::render::{Format, render};
use crate::prompts::Prompt;
use crate::serve::{Publication, Server};
use crate::tool::Tool;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc;

/// An editor writes a file in several steps, and a person saves several files in a row.
const QUIET: Duration = Duration::from_millis(150);

/// Compiles and serves again whenever files change, until the watcher that is returned is dropped.
pub(super) fn start(dir: &Path, server: Server, tools: Vec<Tool>) -> Result<RecommendedWatcher, String> {
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
    tokio::spawn(reload_all(receiver, dir.to_path_buf(), server, tools));
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

async fn reload_all(mut changes: mpsc::UnboundedReceiver<()>, dir: PathBuf, server: Server, mut tools: Vec<Tool>) {
    while changes.recv().await.is_some() {
        while let Ok(Some(())) = tokio::time::timeout(QUIET, changes.recv()).await {}
        let (dir, before) = (dir.clone(), tools.clone());
        // Compiling takes a while, and tables without a lock are read.
        let compiled = tokio::task::spawn_blocking(move || compile(&dir, &before)).await;
        let Ok(Some((workspace, now, prompts, is_whole))) = compiled else {
            server.reloaded(false);
            continue;
        };
        match workspace.engine(now.clone()).await {
            Ok(engine) => {
                engine.refresh().await;
                let project = &workspace.project;
                let publication = Publication::of(&project.file, &project.catalog, now.clone(), prompts);
                let ok = server.replace(engine, publication).is_ok();
                server.reloaded(ok && is_whole);
                tools = now;
            }
            // Why was printed.
            Err(_) => server.reloaded(false),
        }
    }
}

/// The project as it is now, with the last good tools of files that do not compile. `None` where it cannot be loaded.
fn compile(dir: &Path, before: &[Tool]) -> Option<(Workspace, Vec<Tool>, Vec<Prompt>, bool)> {
    let workspace = match Workspace::load(dir, Data::MayBeRead) {
        Ok(workspace) => workspace,
        Err(failed) => {
            let text = render(&failed.diagnostics.into_sorted(), &failed.sources, Format::Short, false);
            tracing::error!("the project cannot be loaded; its former tools are served\n{text}");
            return None;
        }
    };
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
    Some((workspace, tools, compilation.prompts, compilation.errors == 0))
}
