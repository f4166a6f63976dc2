//! What a query asks of its callers is of use only where the server knows who they are.
//!
//! Bad: `scopes: [orders.read]`, and no `auth` in `qtool.yaml`: everybody who reaches the server may call the tool.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::{BoundFrom, Project};
use crate::source::Span;
use crate::syntax::ParsedQuery;

/// Checks the queries whose headers could be read. Of each, the first of what leaves the most open is told.
pub(super) fn check<'a>(project: &Project, queries: impl Iterator<Item = &'a ParsedQuery>, sink: &mut Diagnostics) {
    if project.file.auth.is_some() {
        return;
    }
    for (name, source) in &project.file.sources {
        let place = |setting: &str| project.document.value_span(&["sources", name, "session", setting]);
        let told = source.session().find_map(|(setting, from)| match from {
            BoundFrom::Claim(_) => Some(codes::claim_without_auth(place(setting), &from.to_string())),
            BoundFrom::Header(_) => Some(codes::header_without_auth(place(setting), &from.to_string())),
            _ => None,
        });
        told.into_iter().for_each(|one| sink.push(one));
    }
    for (table, policy) in &project.file.policies {
        let place = |name: &str| project.document.value_span(&["policies", table, "params", name, "from"]);
        let told = policy.params.iter().find_map(|(name, said)| match said.from.as_ref()? {
            from @ BoundFrom::Claim(_) => Some(codes::policy_without_auth(place(name), &from.to_string(), table)),
            from @ BoundFrom::Header(_) => Some(codes::header_without_auth(place(name), &from.to_string())),
            _ => None,
        });
        told.into_iter().for_each(|one| sink.push(one));
    }
    for prefix in project.file.table_tools.iter().filter(|(_, set)| !set.scopes.is_empty()).map(|(prefix, _)| prefix) {
        sink.push(codes::scopes_without_auth(project.document.value_span(&["table_tools", prefix, "scopes"])));
    }
    for name in project.file.records.iter().filter(|(_, config)| !config.scopes.is_empty()).map(|(name, _)| name) {
        sink.push(codes::scopes_without_auth(project.document.value_span(&["records", name, "scopes"])));
    }
    for query in queries.filter(|query| query.header.enabled != Some(false)) {
        let header = bound(query, |from| matches!(from, BoundFrom::Header(_)));
        let claim = bound(query, |from| matches!(from, BoundFrom::Claim(_)));
        if !query.header.scopes.is_empty() {
            sink.push(codes::scopes_without_auth(query.document.value_span(&["scopes"])));
        } else if let Some((place, from)) = header {
            sink.push(codes::header_without_auth(place, &from.to_string()));
        } else if let Some((place, from)) = claim {
            sink.push(codes::claim_without_auth(place, &from.to_string()));
        }
    }
}

/// Where the first parameter is bound to such a source.
fn bound(query: &ParsedQuery, is_it: impl Fn(&BoundFrom) -> bool) -> Option<(Span, &BoundFrom)> {
    query.header.params.iter().find_map(|(name, config)| {
        let from = config.from.as_ref().filter(|from| is_it(from))?;
        Some((query.document.value_span(&["params", name, "from"]), from))
    })
}
