//! What differs between the tools that compiled and those that were accepted.

use crate::compile::Compilation;
use crate::emit::tokens;
use crate::engine::outline::Outliner;
use crate::load::{self, io_reason};
use crate::review::{Change, Contract, compare, offered_snapshot, snapshot};
use crate::syntax;
use crate::tool::{Offered, Tool};
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder of the accepted snapshots of tools, below the project's.
pub(crate) const FOLDER: &str = load::ACCEPTED;

/// The folder of what was accepted of other servers beside their tools, below the project's.
pub(crate) const OFFERS: &str = load::ACCEPTED_OFFERS;

/// What is reviewed.
#[derive(Debug, Clone)]
pub(crate) enum Reviewed {
    /// A tool.
    Tool(Box<Tool>),
    /// What is passed on of another server beside its tools.
    Offered(Box<Offered>),
}

/// What is one side of a change.
pub(crate) fn contract<'a>(sides: impl Iterator<Item = &'a Option<(Reviewed, String)>>) -> Contract {
    let mut all = Contract::default();
    for (reviewed, _) in sides.flatten() {
        match reviewed {
            Reviewed::Tool(tool) => all.tools.push(tool.as_ref().clone()),
            Reviewed::Offered(offered) => all.offered.push(offered.as_ref().clone()),
        }
    }
    all
}

/// A tool whose accepted snapshot is not what compiled, or a server of which something else is passed on.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    /// Its name.
    pub(crate) name: String,
    /// The folder of its snapshot.
    pub(crate) folder: &'static str,
    /// What was accepted, and its snapshot.
    pub(crate) before: Option<(Reviewed, String)>,
    /// What compiled.
    pub(crate) after: Option<(Reviewed, String)>,
    /// Why the accepted snapshot cannot be read.
    pub(crate) unread: Option<String>,
}

/// The snapshots of a project.
pub(crate) struct Snapshots {
    project: PathBuf,
    /// The accepted ones by the tool's name: the text, and the tool or why it cannot be read.
    accepted: Accepted<Tool>,
    /// The same by the names of servers.
    offered: Accepted<Offered>,
}

/// What was accepted, by name: the text, and what it says or why it cannot be read.
type Accepted<T> = BTreeMap<String, (String, Result<T, String>)>;

/// Reads the snapshots of a folder.
///
/// Errors: the folder is there and cannot be listed.
fn accepted<T>(dir: &Path, read: fn(&str, &str) -> Result<T, snapshot::Unread>) -> std::io::Result<Accepted<T>> {
    let mut accepted = BTreeMap::new();
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries.collect::<Result<Vec<_>, _>>()?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".snap"));
        if let Some(name) = name {
            let read = match std::fs::read_to_string(&path) {
                Ok(text) => {
                    let read = read(name, &text).map_err(|unread| unread.to_string());
                    (text, read)
                }
                // A folder in its place, or bytes that are no text.
                Err(error) => (String::new(), Err(io_reason(&error))),
            };
            accepted.insert(name.to_owned(), read);
        }
    }
    Ok(accepted)
}

impl Snapshots {
    /// Reads what was accepted.
    ///
    /// Errors: the folder is there and cannot be listed.
    pub(crate) fn read(project: &Path) -> std::io::Result<Snapshots> {
        let tools = accepted(&project.join(FOLDER), snapshot::read_named)?;
        let offered = accepted(&project.join(OFFERS), offered_snapshot::read_named)?;
        Ok(Snapshots { project: project.to_owned(), accepted: tools, offered })
    }

    /// Whether anything was accepted yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.accepted.is_empty() && self.offered.is_empty()
    }

    /// The snapshots that cannot be read: their folders, their names, and why.
    pub(crate) fn unread(&self) -> Vec<(&'static str, &str, &str)> {
        fn of<'a, T>(folder: &'static str, all: &'a Accepted<T>) -> Vec<(&'static str, &'a str, &'a str)> {
            let unread = all.iter().filter_map(|(name, (_, read))| Some((name, read.as_ref().err()?)));
            unread.map(|(name, why)| (folder, name.as_str(), why.as_str())).collect()
        }
        [of(FOLDER, &self.accepted), of(OFFERS, &self.offered)].concat()
    }

    /// The tools that were accepted, as far as they can be read.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.accepted.values().filter_map(|(_, tool)| tool.as_ref().ok()).cloned().collect()
    }

    /// What was accepted of other servers beside their tools, as far as it can be read.
    pub(crate) fn offered(&self) -> Vec<Offered> {
        self.offered.values().filter_map(|(_, offered)| offered.as_ref().ok()).cloned().collect()
    }

    /// What is not as it was accepted: tools by name, then other servers by theirs.
    pub(crate) fn pending(&self, workspace: &Workspace, compilation: &Compilation) -> Vec<Pending> {
        let mut pending = self.pending_tools(workspace, &compilation.tools);
        let now = &compilation.offered;
        let names: BTreeSet<&str> =
            self.offered.keys().map(String::as_str).chain(now.iter().map(|one| one.upstream.as_str())).collect();
        for name in names {
            let accepted = self.offered.get(name);
            let unread = accepted.and_then(|(_, read)| read.as_ref().err()).cloned();
            let known = accepted.and_then(|(text, read)| Some((read.as_ref().ok()?.clone(), text.clone())));
            let after = now.iter().find(|one| one.upstream == name);
            if after.is_some() && known.as_ref().map(|(before, _)| before) == after {
                continue;
            }
            let reviewed = |offered: Offered| Reviewed::Offered(Box::new(offered));
            let after = after.map(|one| (reviewed(one.clone()), offered_snapshot::write(one)));
            let before = known.map(|(offered, text)| (reviewed(offered), text));
            pending.push(Pending { name: name.to_owned(), folder: OFFERS, before, after, unread });
        }
        pending
    }

    fn pending_tools(&self, workspace: &Workspace, tools: &[Tool]) -> Vec<Pending> {
        let outliner = Outliner::new(&workspace.project.catalog);
        let sources = sources(workspace);
        let names: BTreeSet<&str> = self
            .accepted
            .keys()
            .map(String::as_str)
            .chain(tools.iter().map(|tool| tool.contract.name.as_str()))
            .collect();
        let mut pending = Vec::new();
        for name in names {
            let after = tools.iter().find(|tool| tool.contract.name == name);
            let accepted = self.accepted.get(name);
            let unread = accepted.and_then(|(_, tool)| tool.as_ref().err()).cloned();
            let known = accepted.and_then(|(text, tool)| Some((tool.as_ref().ok()?.clone(), text.clone())));
            let written = after.map(|tool| {
                // The plan and the tokens are for people; writing them costs more than comparing what counts.
                let same =
                    known.as_ref().is_some_and(|(before, _)| snapshot::contract(before) == snapshot::contract(tool));
                (tool, same)
            });
            if let Some((_, true)) = written {
                continue;
            }
            let after = written.map(|(tool, _)| {
                let plan = outliner.plan(tool);
                let about = snapshot::About {
                    source: sources.get(&tool.contract.name).map_or("", String::as_str),
                    tokens: usize::try_from(tokens::of_definition(&tool.contract)).ok(),
                    plan: plan.as_deref(),
                };
                (Reviewed::Tool(Box::new(tool.clone())), snapshot::write(tool, &about))
            });
            let before = known.map(|(tool, text)| (Reviewed::Tool(Box::new(tool)), text));
            pending.push(Pending { name: name.to_owned(), folder: FOLDER, before, after, unread });
        }
        pending
    }

    fn path(&self, one: &Pending) -> PathBuf {
        self.project.join(one.folder).join(format!("{}.snap", one.name))
    }

    fn new_path(&self, one: &Pending) -> PathBuf {
        self.project.join(one.folder).join(format!("{}.snap.new", one.name))
    }

    /// Writes what is pending beside what was accepted, for other tools to show; what is no longer pending goes.
    pub(crate) fn write_pending(&self, pending: &[Pending]) -> std::io::Result<()> {
        let folders = [FOLDER, OFFERS].map(|folder| std::fs::read_dir(self.project.join(folder)));
        for entry in folders.into_iter().flatten().flatten().flatten() {
            let path = entry.path();
            if path.to_str().is_some_and(|path| path.ends_with(".snap.new")) {
                std::fs::remove_file(path)?;
            }
        }
        for one in pending {
            if let Some((_, text)) = &one.after {
                load::write_atomically(&self.new_path(one), text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Takes what compiled as what holds from now on.
    pub(crate) fn accept(&self, one: &Pending) -> std::io::Result<()> {
        match &one.after {
            Some((_, text)) => load::write_atomically(&self.path(one), text.as_bytes())?,
            None => std::fs::remove_file(self.path(one))?,
        }
        self.drop_pending(one)
    }

    /// Forgets what compiled: what was accepted stays.
    pub(crate) fn drop_pending(&self, one: &Pending) -> std::io::Result<()> {
        match std::fs::remove_file(self.new_path(one)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// The query files by the names of their tools.
fn sources(workspace: &Workspace) -> BTreeMap<String, String> {
    let of = |query: &crate::project::QueryFile| {
        let sources = &workspace.project.sources;
        Some((syntax::declared_name(query, sources), sources.get(query.file)?.path.clone()))
    };
    let project = &workspace.project;
    let made = project
        .file
        .made_tool_names()
        .chain(project.upstream_tool_names())
        .map(|name| (name, load::PROJECT_FILE.to_owned()));
    workspace.project.queries.iter().filter_map(of).chain(made).collect()
}

impl Pending {
    /// The changes of this alone; none where nobody knows what it was: it is no new one for that.
    pub(crate) fn changes(&self) -> Vec<Change> {
        if self.unread.is_some() {
            return Vec::new();
        }
        let side = |side: &Option<(Reviewed, String)>| contract(std::iter::once(side));
        compare(&side(&self.before), &side(&self.after))
    }
}
