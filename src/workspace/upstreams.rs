//! What a project takes from other servers: what they say of their tools, prompts and resources. It is locked, and what is locked is served once somebody has
//! accepted it.

use super::{Locking, Workspace};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::asked_upstream;
use crate::load;
use crate::project::{LockedDifference, needed_variables_of};
use crate::review::{offered_snapshot, snapshot};
use crate::serve::Quarantined;
use crate::tool::{Offered, Tool};
use std::collections::BTreeSet;

/// What a server says of itself now.
pub struct UpstreamNow {
    /// The name of the server.
    pub server: String,
    /// How that differs from what is locked, or why it cannot be asked.
    pub now: Result<Vec<LockedDifference>, String>,
}

impl Workspace {
    /// Asks servers anew what their tools are, and locks what they say; their names, and what became of their locks.
    pub async fn relock_upstreams(&mut self, names: Vec<String>, progress: fn(&str)) -> Vec<(String, &'static str)> {
        let mut asked = Vec::new();
        for name in names {
            let before = self.project.upstreams.locked.get(&name).cloned();
            if !self.ask_upstream(&name, Locking::Write, progress).await {
                continue;
            }
            let what = match (before, self.project.upstreams.locked.get(&name)) {
                (None, _) => "new",
                (Some(before), Some(now)) if before == *now => "unchanged",
                _ => "changed",
            };
            asked.push((name, what));
        }
        asked
    }

    /// Asks the servers that are not locked.
    pub(super) async fn ask_upstreams(&mut self, locking: Locking, progress: fn(&str)) {
        for name in self.unlocked_upstreams() {
            self.ask_upstream(&name, locking, progress).await;
        }
    }

    /// The servers that are not locked, and that nobody has asked in vain.
    pub(super) fn unlocked_upstreams(&self) -> Vec<String> {
        let known = &self.project.upstreams;
        let is_open = |name: &&String| !known.locked.contains_key(*name) && !known.unasked.contains_key(*name);
        self.project.file.upstreams.keys().filter(is_open).cloned().collect()
    }

    /// Asks a server, and locks what it says. Whether it says something; why not is told.
    async fn ask_upstream(&mut self, name: &str, locking: Locking, progress: fn(&str)) -> bool {
        let Some(config) = self.project.file.upstreams.get(name).cloned() else { return false };
        if let Some(why) = config.flaw_of_reach() {
            // It is told with its place, and nothing is started or sent.
            self.project.upstreams.unasked.insert(name.to_owned(), why);
            return false;
        }
        progress(&format!("asking {name}"));
        let variables = |name: &str| std::env::var(name).ok();
        let place = self.project.document.key_span(&["upstreams", name]);
        let said = match asked_upstream(&self.dir, (name, &config), &variables).await {
            Ok(said) => said,
            Err(why) if self.project.upstreams.locked.contains_key(name) => {
                self.found.push(codes::unreachable_upstream(place, name, &why.to_string()));
                return false;
            }
            Err(why) => {
                self.project.upstreams.unasked.insert(name.to_owned(), why.to_string());
                return false;
            }
        };
        let is_same = self.project.upstreams.locked.get(name) == Some(&said);
        if locking == Locking::Write
            && !is_same
            && let Err(error) = load::write_upstream(&self.dir, name, &said)
        {
            let path = load::upstream_path(std::path::Path::new(""), name);
            let shown = path.map_or_else(|_| name.to_owned(), |path| path.to_string_lossy().replace('\\', "/"));
            self.found.push(codes::unreadable_file(Some(place), &shown, &load::io_reason(&error)));
            return false;
        }
        self.project.upstreams.locked.insert(name.to_owned(), said);
        true
    }

    /// What the servers that are locked say of themselves now.
    pub async fn upstreams_now(&self, progress: fn(&str)) -> Vec<UpstreamNow> {
        let mut all = Vec::new();
        for (name, locked) in &self.project.upstreams.locked {
            let Some(config) = self.project.file.upstreams.get(name) else { continue };
            progress(&format!("asking {name}"));
            let variables = |name: &str| std::env::var(name).ok();
            let now = asked_upstream(&self.dir, (name, config), &variables).await;
            let now = now.map(|now| locked.differences(&now)).map_err(|why| why.to_string());
            all.push(UpstreamNow { server: name.clone(), now });
        }
        all
    }

    /// Servers of these tools, or of which something else is passed on, that could not be asked from here: a variable is not set, or the program is not there.
    pub(super) fn unrunnable_upstreams(&self, tools: &[Tool]) -> Vec<Diagnostic> {
        let of_tools = tools.iter().filter_map(|tool| Some(tool.upstream()?.upstream.as_str()));
        let all = self.project.file.upstreams.iter();
        let others = all.filter(|(_, config)| config.offers()).map(|(name, _)| name.as_str());
        let used: BTreeSet<&str> = of_tools.chain(others).collect();
        let mut found = Vec::new();
        for name in used {
            let Some(config) = self.project.file.upstreams.get(name) else { continue };
            let place = self.project.document.key_span(&["upstreams", name]);
            let needed = config.texts().into_iter().flat_map(|(_, text)| needed_variables_of(text));
            let unset: BTreeSet<String> = needed.filter(|name| std::env::var_os(name).is_none()).collect();
            for variable in unset {
                found.push(codes::unrunnable_program(place, name, &format!("the variable `{variable}` is not set")));
            }
            let Some(program) = config.command.first() else { continue };
            let path = std::env::var_os("PATH").unwrap_or_default();
            let is_there = match program.contains('/') {
                true => self.dir.join(program).is_file(),
                // Systems put endings behind the names of programs.
                false => !cfg!(unix) || std::env::split_paths(&path).any(|folder| folder.join(program).is_file()),
            };
            if !is_there {
                found.push(codes::unrunnable_program(place, name, &format!("there is no program `{program}`")));
            }
        }
        found
    }

    /// What somebody has accepted of what is passed on of other servers beside their tools, and what nobody has, in words.
    pub fn accepted_offers(&self, offered: Vec<Offered>) -> (Vec<Offered>, Vec<String>) {
        let (mut all, mut left) = (Vec::new(), Vec::new());
        for one in offered {
            let path = self.dir.join(load::ACCEPTED_OFFERS).join(format!("{}.snap", one.upstream));
            let accepted = std::fs::read_to_string(path).ok();
            let accepted = accepted.and_then(|text| offered_snapshot::read_named(&one.upstream, &text).ok());
            let server = one.upstream.clone();
            let (accepted, others) = one.accepted_by(accepted.as_ref());
            left.extend(others.into_iter().map(|what| format!("{what} of the server `{server}`")));
            all.extend((!accepted.is_empty()).then_some(accepted));
        }
        (all, left)
    }

    /// The tools of other servers that are not what somebody has accepted: nobody is served by them.
    pub fn unaccepted(&self, tools: &[Tool]) -> Vec<Quarantined> {
        let definition = |tool: &Tool| tool.upstream().map(|call| call.digest.clone());
        let of_servers = tools.iter().filter(|tool| tool.upstream().is_some());
        let unaccepted = of_servers.filter_map(|tool| {
            let name = &tool.contract.name;
            let path = self.dir.join(load::ACCEPTED).join(format!("{name}.snap"));
            let accepted = std::fs::read_to_string(path).ok();
            let accepted = accepted.and_then(|text| snapshot::read_named(name, &text).ok());
            let reason = match accepted {
                None => "nobody has accepted it yet",
                Some(accepted) if snapshot::contract(&accepted) != snapshot::contract(tool) => {
                    match definition(&accepted) == definition(tool) {
                        true => "what is said of it here is not what was accepted",
                        false => "its server says something else of it than what was accepted",
                    }
                }
                Some(_) => return None,
            };
            Some(Quarantined { tool: name.clone(), reason: reason.to_owned() })
        });
        unaccepted.collect()
    }
}
