//! What differs between the tools that compiled and those that were accepted.

use crate::emit::tokens;
use crate::engine::outline::Outliner;
use crate::load::{self, io_reason};
use crate::review::{Change, Contract, compare, snapshot};
use crate::syntax;
use crate::tool::Tool;
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folder of the accepted snapshots of tools, below the project's.
pub(crate) const FOLDER: &str = load::ACCEPTED;

/// A tool whose accepted snapshot is not what compiled.
#[derive(Debug, Clone)]
pub(crate) struct Pending {
    /// Its name.
    pub(crate) name: String,
    /// What was accepted: the tool, and its snapshot.
    pub(crate) before: Option<(Tool, String)>,
    /// What compiled.
    pub(crate) after: Option<(Tool, String)>,
    /// Why the accepted snapshot cannot be read.
    pub(crate) unread: Option<String>,
}

/// The snapshots of a project.
pub(crate) struct Snapshots {
    dir: PathBuf,
    /// The accepted ones by the tool's name: the text, and the tool or why it cannot be read.
    accepted: BTreeMap<String, (String, Result<Tool, String>)>,
}

impl Snapshots {
    /// Reads what was accepted.
    ///
    /// Errors: the folder is there and cannot be listed.
    pub(crate) fn read(project: &Path) -> std::io::Result<Snapshots> {
        let dir = project.join(FOLDER);
        let mut accepted = BTreeMap::new();
        let entries = match std::fs::read_dir(&dir) {
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
                        let tool = snapshot::read_named(name, &text).map_err(|unread| unread.to_string());
                        (text, tool)
                    }
                    // A folder in its place, or bytes that are no text.
                    Err(error) => (String::new(), Err(io_reason(&error))),
                };
                accepted.insert(name.to_owned(), read);
            }
        }
        Ok(Snapshots { dir, accepted })
    }

    /// Whether anything was accepted yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.accepted.is_empty()
    }

    /// The snapshots that cannot be read, by their tools' names, and why.
    pub(crate) fn unread(&self) -> Vec<(&str, &str)> {
        let accepted = self.accepted.iter();
        accepted.filter_map(|(name, (_, tool))| Some((name.as_str(), tool.as_ref().err()?.as_str()))).collect()
    }

    /// The tools that were accepted, as far as they can be read.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.accepted.values().filter_map(|(_, tool)| tool.as_ref().ok()).cloned().collect()
    }

    /// What is not as it was accepted, by name.
    pub(crate) fn pending(&self, workspace: &Workspace, tools: &[Tool]) -> Vec<Pending> {
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
                (tool.clone(), snapshot::write(tool, &about))
            });
            pending.push(Pending { name: name.to_owned(), before: known, after, unread });
        }
        pending
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.snap"))
    }

    fn new_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.snap.new"))
    }

    /// Writes what is pending beside what was accepted, for other tools to show; what is no longer pending goes.
    pub(crate) fn write_pending(&self, pending: &[Pending]) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.to_str().is_some_and(|path| path.ends_with(".snap.new")) {
                std::fs::remove_file(path)?;
            }
        }
        for one in pending {
            if let Some((_, text)) = &one.after {
                load::write_atomically(&self.new_path(&one.name), text.as_bytes())?;
            }
        }
        Ok(())
    }

    /// Takes what compiled as what holds from now on.
    pub(crate) fn accept(&self, one: &Pending) -> std::io::Result<()> {
        match &one.after {
            Some((_, text)) => load::write_atomically(&self.path(&one.name), text.as_bytes())?,
            None => std::fs::remove_file(self.path(&one.name))?,
        }
        self.drop_pending(one)
    }

    /// Forgets what compiled: what was accepted stays.
    pub(crate) fn drop_pending(&self, one: &Pending) -> std::io::Result<()> {
        match std::fs::remove_file(self.new_path(&one.name)) {
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
    /// The changes of this tool alone; none where nobody knows what it was: it is no new one for that.
    pub(crate) fn changes(&self) -> Vec<Change> {
        if self.unread.is_some() {
            return Vec::new();
        }
        let side =
            |side: &Option<(Tool, String)>| Contract { tools: side.iter().map(|(tool, _)| tool.clone()).collect() };
        compare(&side(&self.before), &side(&self.after))
    }
}
