//! Which tools a caller may see and call.

use super::state::{Published, Served};
use super::{Principal, Server};
use std::collections::HashSet;

/// What there is of a name, for a caller.
pub(super) enum Found<'a> {
    /// A tool.
    Published(&'a Published),
    /// A tool that is out of service, and why.
    Quarantined(&'a str),
    /// Nothing, or nothing that the caller may see.
    Nothing,
}

impl Server {
    /// The tools that a caller may see.
    pub(super) fn visible<'a>(
        &'a self,
        served: &'a Served,
        principal: Option<&'a Principal>,
    ) -> impl Iterator<Item = &'a Published> {
        let may_see = move |published: &&Published| {
            // It can still be called: its server may be what it was by then.
            let is_withdrawn = served.engine.is_withdrawn(&published.tool.name);
            !is_withdrawn
                && self.is_served(published)
                && self.may_see(served, &published.tool.name, &published.scopes, principal)
        };
        served.tools.iter().filter(may_see)
    }

    /// What there is of a name, as far as a caller may see it.
    pub(super) fn find<'a>(&self, served: &'a Served, name: &str, principal: Option<&Principal>) -> Found<'a> {
        if let Some(published) = self.published(served, name, principal) {
            return Found::Published(published);
        }
        match served.quarantined(name) {
            Some((reason, scopes)) if self.may_see(served, name, scopes, principal) => Found::Quarantined(reason),
            _ => Found::Nothing,
        }
    }

    /// The tool of that name, where a caller may see it.
    pub(super) fn published<'a>(
        &self,
        served: &'a Served,
        name: &str,
        principal: Option<&Principal>,
    ) -> Option<&'a Published> {
        let published = served.published(name).filter(|published| self.is_served(published))?;
        self.may_see(served, name, &published.scopes, principal).then_some(published)
    }

    /// Whether the server has it for anybody.
    fn is_served(&self, published: &Published) -> bool {
        !(self.is_read_only && published.changes_data)
    }

    fn may_see(&self, served: &Served, name: &str, scopes: &[String], principal: Option<&Principal>) -> bool {
        let is_in_toolset = self
            .toolset
            .as_deref()
            .is_none_or(|toolset| served.toolsets.get(toolset).is_some_and(|tools| tools.contains(name)));
        // Who has the process has all of it; without authentication there are no scopes.
        let has_scopes = principal.is_none_or(|principal| scopes.iter().all(|scope| principal.scopes.contains(scope)));
        // What is taken out of service is so under every name that it has.
        let is_enabled = self.shared().is_enabled(name)
            && served.alias_of(name).is_none_or(|target| self.shared().is_enabled(target));
        is_in_toolset && has_scopes && is_enabled
    }

    /// The names of the tools that a caller may call.
    pub(super) fn callable(&self, served: &Served, principal: Option<&Principal>) -> HashSet<String> {
        self.visible(served, principal).map(|published| published.tool.name.to_string()).collect()
    }
}
