//! `qtool review`: what changed of the tools since it was accepted, and whether it is accepted now.

pub(super) mod pending;

use super::workspace::{self, Data, count, errors_only, print};
use super::{Global, Outcome, question, terminal};
use crate::compile::Compilation;
use crate::load::{io_reason, write_output};
use crate::review::{Change, Class, compare, page, render, snapshot};
use crate::workspace::Workspace;
use pending::{OFFERS, Pending, Reviewed, Snapshots, contract};
use similar::TextDiff;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Review what changed of the tools, and accept it
#[derive(clap::Args)]
pub(super) struct Review {
    /// The tools, and the other servers whose prompts and resources are passed on [default: all]
    #[arg(value_name = "TOOL")]
    tools: Vec<String>,
    /// Accept without asking
    #[arg(long, conflicts_with_all = ["reject", "list"])]
    accept: bool,
    /// Keep what was accepted before, and forget what is pending
    #[arg(long, conflicts_with = "list")]
    reject: bool,
    /// Show what is pending, and ask nothing
    #[arg(long)]
    list: bool,
    /// Write a page with every change, to read in a browser
    #[arg(long, value_name = "PATH", conflicts_with_all = ["accept", "reject", "list"])]
    html: Option<PathBuf>,
}

impl Review {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let workspace = workspace::open(global, Data::MayBeRead)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            terminal::error("a project with errors is not reviewed", &[]);
            return Err(Outcome::Problems);
        }
        let snapshots = Snapshots::read(&workspace.dir).map_err(|error| failed(&error))?;
        let mut pending = snapshots.pending(&workspace, &compilation);
        self.only_named(&mut pending, &snapshots, &compilation)?;
        if let Some(path) = &self.html {
            return self.write_page(&workspace, &pending, path);
        }
        if self.tools.is_empty() {
            snapshots.write_pending(&pending).map_err(|error| failed(&error))?;
        }
        if pending.is_empty() {
            terminal::err(&format!("{}: nothing to review\n", count(compilation.tools.len(), "tool")));
            return Ok(Outcome::Fine);
        }
        if self.accept || self.reject {
            unread(&pending);
            return self.decide_all(&snapshots, &pending);
        }
        if self.list || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            let all: Vec<Change> = pending.iter().flat_map(Pending::changes).collect();
            told_pending(&pending, &all, terminal::out);
            terminal::err(&format!("{} to review: `qtool review` asks, `--accept` accepts\n", counted(&pending)));
            return Ok(Outcome::Problems);
        }
        ask(&snapshots, &pending)
    }

    /// Leaves those that are named; a name that means nothing is an error.
    fn only_named(
        &self,
        pending: &mut Vec<Pending>,
        snapshots: &Snapshots,
        compilation: &Compilation,
    ) -> Result<(), Outcome> {
        if self.tools.is_empty() {
            return Ok(());
        }
        let (accepted, offered) = (snapshots.tools(), snapshots.offered());
        let tools = compilation.tools.iter().chain(&accepted).map(|tool| tool.contract.name.as_str());
        let servers = compilation.offered.iter().chain(&offered).map(|one| one.upstream.as_str());
        let known: Vec<&str> = tools.chain(servers).collect();
        for name in &self.tools {
            if !known.contains(&name.as_str()) && !pending.iter().any(|one| one.name == *name) {
                let near = crate::name::nearest(name, known.iter().copied());
                let help = near.map(|near| format!("a tool with a similar name exists: `{near}`"));
                terminal::error(
                    &format!("there is no tool `{name}`"),
                    &help.iter().map(String::as_str).collect::<Vec<_>>(),
                );
                return Err(Outcome::CouldNotRun);
            }
        }
        pending.retain(|one| self.tools.contains(&one.name));
        Ok(())
    }

    fn decide_all(&self, snapshots: &Snapshots, pending: &[Pending]) -> Result<Outcome, Outcome> {
        for one in pending {
            let done = if self.accept { snapshots.accept(one) } else { snapshots.drop_pending(one) };
            done.map_err(|error| failed(&error))?;
        }
        let number = counted(pending);
        if self.accept {
            terminal::err(&format!("accepted {number}\n"));
            Ok(Outcome::Fine)
        } else {
            terminal::err(&format!("rejected {number}: the queries are still as they are\n"));
            Ok(Outcome::Problems)
        }
    }

    fn write_page(&self, workspace: &Workspace, pending: &[Pending], path: &Path) -> Result<Outcome, Outcome> {
        unread(pending);
        if pending.iter().any(|one| one.unread.is_some()) {
            terminal::error("no page is written of tools whose accepted snapshots cannot be read", &[]);
            return Err(Outcome::CouldNotRun);
        }
        let before = contract(pending.iter().map(|one| &one.before));
        let changes = compare(&before, &contract(pending.iter().map(|one| &one.after)));
        let pairs: Vec<page::Pair> = pending.iter().map(pair).collect();
        let html = page::page(&workspace.project.file.name, &changes, &pairs).map_err(|error| {
            terminal::error(&format!("the page cannot be written: {error}"), &[]);
            Outcome::CouldNotRun
        })?;
        write_output(path, html.as_bytes()).map_err(|error| failed(&error))?;
        terminal::err(&format!("wrote {}: {}\n", path.display(), count(changes.len(), "change")));
        Ok(Outcome::Fine)
    }
}

/// How much there is to review, in words.
fn counted(pending: &[Pending]) -> String {
    let servers = pending.iter().filter(|one| one.folder == OFFERS).count();
    match (pending.len() - servers, servers) {
        (tools, 0) => count(tools, "tool"),
        (0, servers) => format!("the offers of {}", count(servers, "server")),
        (tools, servers) => format!("{} and the offers of {}", count(tools, "tool"), count(servers, "server")),
    }
}

/// The two sides of a tool for the page.
fn pair(one: &Pending) -> page::Pair {
    let side = |side: &Option<(Reviewed, String)>| {
        let (reviewed, text) = side.as_ref()?;
        let content = snapshot::content(text);
        let Reviewed::Tool(tool) = reviewed else {
            let none = String::new;
            let snapshot = content.to_owned();
            return Some(page::Side { signature: none(), schema: none(), statement: none(), plan: none(), snapshot });
        };
        let plan = content
            .split_once("\nplan:")
            .map(|(_, plan)| plan.trim_start_matches([' ', '|', '-']).trim_start_matches('\n').to_owned());
        Some(page::Side {
            signature: crate::emit::signature::signature(&tool.contract).unwrap_or_default(),
            schema: serde_json::to_string_pretty(&crate::emit::mcp::input_schema(&tool.contract)).unwrap_or_default(),
            statement: tool.statement().to_owned(),
            plan: plan.unwrap_or_default(),
            snapshot: content.to_owned(),
        })
    };
    page::Pair { name: one.name.clone(), before: side(&one.before), after: side(&one.after) }
}

/// Says what changed, and of which tools nobody knows it.
fn told_pending(pending: &[Pending], changes: &[Change], say: fn(&str)) {
    unread(pending);
    if !changes.is_empty() || pending.iter().all(|one| one.unread.is_none()) {
        say(&render::text(changes, true));
    }
}

/// Says which accepted snapshots cannot be read.
fn unread(pending: &[Pending]) {
    for one in pending {
        if let Some(why) = &one.unread {
            let help = match one.after {
                Some(_) => "what changed of this tool is unknown: read all of it; accepting writes it anew",
                None => "there is no such tool any more: accepting removes it",
            };
            terminal::error(&format!("{}/{}.snap cannot be read: {why}", one.folder, one.name), &[help]);
        }
    }
}

/// Asks for each tool: the changes first, the difference of the snapshots below.
fn ask(snapshots: &Snapshots, pending: &[Pending]) -> Result<Outcome, Outcome> {
    let (mut accepted, mut left) = (0, 0);
    for (at, one) in pending.iter().enumerate() {
        terminal::err(&format!("\n{} ({} of {})\n\n", one.name, at + 1, pending.len()));
        told_pending(std::slice::from_ref(one), &one.changes(), terminal::err);
        terminal::err(&format!("\n{}\n", text_diff(one)));
        let answers = ["accept", "reject: keep what was accepted", "skip", "accept all that follow", "stop"];
        let help = "`--accept` and `--reject` do not ask";
        let chosen = question::choose(&format!("{}: accept this?", one.name), &answers, 2, help)?;
        let done = match chosen {
            Some(0) => {
                accepted += 1;
                snapshots.accept(one)
            }
            Some(1) => {
                left += 1;
                snapshots.drop_pending(one)
            }
            Some(3) => {
                let rest = pending.get(at..).unwrap_or_default();
                accepted += rest.len();
                rest.iter().try_for_each(|one| snapshots.accept(one)).map_err(|error| failed(&error))?;
                break;
            }
            Some(2) => {
                left += 1;
                Ok(())
            }
            _ => {
                left += pending.len() - at;
                break;
            }
        };
        done.map_err(|error| failed(&error))?;
    }
    terminal::err(&format!("accepted {}, {left} left\n", count(accepted, "tool")));
    Ok(if left > 0 { Outcome::Problems } else { Outcome::Fine })
}

/// The snapshots line by line, with what is equal left out.
fn text_diff(one: &Pending) -> String {
    let content = |side: &Option<(Reviewed, String)>| {
        side.as_ref().map(|(_, text)| snapshot::content(text).to_owned()).unwrap_or_default()
    };
    let (before, after) = (content(&one.before), content(&one.after));
    TextDiff::from_lines(&before, &after).unified_diff().context_radius(2).header("accepted", "compiled").to_string()
}

/// Compares with what was accepted: for `qtool check --locked`. Says what differs; `None` where nothing was accepted yet.
pub(super) fn check_locked(workspace: &Workspace, compilation: &Compilation) -> Result<Option<bool>, Outcome> {
    let snapshots = Snapshots::read(&workspace.dir).map_err(|error| failed(&error))?;
    if snapshots.is_empty() {
        return Ok(None);
    }
    let pending = snapshots.pending(workspace, compilation);
    if pending.is_empty() {
        return Ok(Some(true));
    }
    let changes: Vec<Change> = pending.iter().flat_map(Pending::changes).collect();
    let breaking = changes.iter().filter(|change| change.class == Class::Breaking).count();
    told_pending(&pending, &changes, terminal::err);
    let what = format!("{} not as accepted, {} breaking", counted(&pending), count(breaking, "change"));
    terminal::error(&what, &["`qtool review` shows and accepts them"]);
    Ok(Some(false))
}

fn failed(error: &std::io::Error) -> Outcome {
    terminal::error(&format!("the snapshots cannot be read or written: {}", io_reason(error)), &[]);
    Outcome::CouldNotRun
}
