//! `qtool serve --watch`: the project is compiled again when its files change.
//!
//! What no longer compiles keeps its last good tool, and the log says what is wrong. Calls under way go on with the tools
//! that they began with. The data is not watched: where it did not fit a reload, it is looked at again until it does.

use super::super::workspace::{self, count};
use crate::diagnostic::render::{Format, render};
use crate::emit::profile::Profile;
use crate::prompts::Prompt;
use crate::serve::{Publication, Server};
use crate::tool::{Offered, Tool};
use crate::workspace::{Locking, Workspace};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// An editor writes a file in several steps, and a person saves several files in a row.
const QUIET: Duration = Duration::from_millis(150);

/// After how long the data is looked at again that did not fit; then after twice as long each time.
const SOON: Duration = Duration::from_secs(1);
/// How many tools are named that changed.
const NAMED: usize = 10;
/// How long that is at most.
const AT_LAST: Duration = Duration::from_secs(30);

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
    let reloads = Reloads { dir: dir.to_path_buf(), server, tools, profile, said: String::new() };
    tokio::spawn(reloads.carry_out(receiver));
    Ok(watcher)
}

/// Whether an event is about a file that is compiled, `qtool.yaml`, query files, manifests, prompts, or one that workers import.
fn concerns(event: &Event, root: &Path) -> bool {
    if matches!(event.kind, EventKind::Access(_)) {
        return false;
    }
    event.paths.iter().any(|path| {
        let below = path.strip_prefix(root).unwrap_or(path);
        let first = below.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        matches!(first.as_deref(), Some("qtool.yaml" | "queries" | "tools" | "prompts"))
            || below.extension().is_some_and(|ending| ending == "py")
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
    /// What was said last.
    said: String,
}

/// What a reload left undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reloaded {
    /// Nothing: the project is served as it is.
    Whole,
    /// What its files say is wrong: they will change.
    FilesAreWrong,
    /// What the data does not fit, or could not be read of it. Nobody tells when it does.
    DataIsWrong,
}

impl Reloads {
    async fn carry_out(mut self, mut changes: mpsc::UnboundedReceiver<()>) {
        let (mut reloaded, mut wait) = (Reloaded::Whole, SOON);
        loop {
            let changed = match reloaded {
                Reloaded::DataIsWrong => tokio::time::timeout(wait, changes.recv()).await,
                _ => Ok(changes.recv().await),
            };
            match changed {
                Ok(Some(())) => {
                    while let Ok(Some(())) = tokio::time::timeout(QUIET, changes.recv()).await {}
                    wait = SOON;
                    self.said.clear();
                }
                Ok(None) => break,
                // To look at the data again may cost as much as to read it.
                Err(_) => wait = (wait * 2).min(AT_LAST),
            }
            let is_again = changed.is_err();
            reloaded = self.reload().await;
            // A failure that goes on is one.
            if !is_again || reloaded == Reloaded::Whole {
                self.server.reloaded(reloaded == Reloaded::Whole);
            }
        }
    }

    /// Serves the project as it is now, as far as that can be.
    async fn reload(&mut self) -> Reloaded {
        let Some(workspace) = self.load().await else { return Reloaded::FilesAreWrong };
        let lacks_data = workspace.lacks_data();
        let (before, start) = (self.tools.clone(), Instant::now());
        // Compiling takes a while.
        let compiled = tokio::task::spawn_blocking(move || {
            let compiled = compile(&workspace, &before);
            (workspace, compiled)
        });
        let Ok((workspace, Compiled { tools: now, prompts, offered, errors })) = compiled.await else {
            return Reloaded::FilesAreWrong;
        };
        let engine = match workspace.engine(now.clone()).await {
            Ok(engine) => engine,
            Err(problems) => {
                let text = render(&problems, &workspace.project.sources, Format::Short, false);
                self.say(&format!("the data does not fit the project; its former tools are served\n{text}"));
                return Reloaded::DataIsWrong;
            }
        };
        engine.refresh().await;
        let project = &workspace.project;
        let publication = Publication::of(&project.file, &project.catalog, now.clone(), prompts);
        // Also behind a reload nothing of other servers is served that nobody has accepted.
        let publication =
            publication.offering(workspace.accepted_offers(offered).0).without(workspace.unaccepted(&now));
        let is_served = self.server.replace(engine, publication.lowered(self.profile)).is_ok();
        if is_served {
            tracing::info!("{}", summary(&self.tools, &now, start.elapsed()));
        }
        self.tools = now;
        errors.iter().for_each(|errors| self.say(errors));
        match (is_served && errors.is_none(), lacks_data) {
            (true, _) => Reloaded::Whole,
            (false, true) => Reloaded::DataIsWrong,
            (false, false) => Reloaded::FilesAreWrong,
        }
    }

    /// The project as its files are now; tables without a lock are read. `None` where it cannot be loaded.
    async fn load(&mut self) -> Option<Workspace> {
        match workspace::load_files(&self.dir) {
            Ok(mut workspace) => {
                workspace.forgo_asking_programs();
                workspace.read_data(Locking::Write, |_| {}).await;
                Some(workspace)
            }
            Err(failed) => {
                let text = render(&failed.diagnostics.into_sorted(), &failed.sources, Format::Short, false);
                self.say(&format!("the project cannot be loaded; its former tools are served\n{text}"));
                None
            }
        }
    }

    /// Says what is wrong, once for as long as it is the same.
    fn say(&mut self, what: &str) {
        if self.said != what {
            tracing::error!("{what}");
            what.clone_into(&mut self.said);
        }
    }
}

/// What was compiled, how long that took, and which tools are others than before.
fn summary(before: &[Tool], now: &[Tool], took: Duration) -> String {
    let find = |tools: &'_ [Tool], name: &str| tools.iter().position(|tool| tool.contract.name == name);
    let is_other = |tool: &&Tool| find(before, &tool.contract.name).and_then(|at| before.get(at)) != Some(*tool);
    let is_gone = |tool: &&Tool| find(now, &tool.contract.name).is_none();
    let others = now.iter().filter(is_other).map(|tool| tool.contract.name.clone());
    let gone = before.iter().filter(is_gone).map(|tool| format!("{} is gone", tool.contract.name));
    let mut changed: Vec<String> = others.chain(gone).collect();
    let more = changed.len().saturating_sub(NAMED);
    changed.truncate(NAMED);
    if more > 0 {
        changed.push(format!("and {more} more"));
    }
    let changed = if changed.is_empty() { "nothing changed".to_owned() } else { changed.join(", ") };
    format!("compiled {} in {:.2} s: {changed}", count(now.len(), "tool"), took.as_secs_f64())
}

/// What is to be served of a project.
struct Compiled {
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    offered: Vec<Offered>,
    /// What is wrong, and what becomes of the tools that it is wrong with.
    errors: Option<String>,
}

/// The tools and prompts of a project, with the last good tools of files that do not compile.
fn compile(workspace: &Workspace, before: &[Tool]) -> Compiled {
    let compilation = workspace.compile();
    let (mut tools, prompts, offered) = (compilation.tools, compilation.prompts, compilation.offered);
    if compilation.errors == 0 {
        return Compiled { tools, prompts, offered, errors: None };
    }
    let mut names = workspace.query_names();
    names.extend(workspace.project.file.made_tool_names().chain(workspace.project.upstream_tool_names()));
    let is_broken =
        |name: &str| !tools.iter().any(|new| new.contract.name == name) && !compilation.no_tools.contains(name);
    let broken: Vec<&str> = names.iter().map(String::as_str).filter(|name| is_broken(name)).collect();
    let is_of_broken = |tool: &&Tool| tool.contract.names().any(|name| broken.contains(&name));
    let kept: Vec<Tool> = before.iter().filter(is_of_broken).cloned().collect();
    let is_kept = |name: &&str| kept.iter().any(|tool| tool.contract.name == **name);
    let (former, none): (Vec<&str>, Vec<&str>) = broken.iter().copied().partition(is_kept);
    let mut parts = vec!["the project has errors".to_owned()];
    let mut told = |what: &str, names: &[&str]| {
        if !names.is_empty() {
            parts.push(format!("{what}: {}", names.join(", ")));
        }
    };
    told("what keeps its last good tool", &former);
    told("what has no tool yet", &none);
    let text = render(&compilation.diagnostics, &workspace.project.sources, Format::Short, false);
    let errors = format!("{}\n{text}", parts.join("; "));
    tools.extend(kept);
    tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
    Compiled { tools, prompts, offered, errors: Some(errors) }
}
