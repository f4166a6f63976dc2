//! Which columns a tool shows that not every caller sees, or whose values are somebody's.

use super::Found;
use crate::review::change::{Change, Kind, Of};
use crate::review::sql::ToolSql;
use crate::tool::{ShownColumn, Tool};
use std::collections::{BTreeMap, BTreeSet};

/// Who sees what of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen<'t> {
    /// The columns of the result that show it; none for any.
    shown_in: &'t [String],
    /// The scopes of who sees its values; `None` where nobody does.
    scopes: Option<BTreeSet<&'t str>>,
    /// What of a person they are, where that is said.
    pii: Option<&'t str>,
}

/// Compares what is shown, and to whom.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let none = BTreeMap::new();
    // Then a column that is not told of on one side is shown there unmasked: nothing was said of it.
    let is_same_body =
        before.table_set() == after.table_set() && ToolSql::of(before, &none) == ToolSql::of(after, &none);
    let all = before.contract.shows.iter().chain(&after.contract.shows);
    for column in all.map(|one| one.column.as_str()).collect::<BTreeSet<_>>() {
        let (old, new) = (Seen::of(before, column), Seen::of(after, column));
        let plain = |other: Option<&Seen<'_>>, tool: &Tool| {
            let other = other.filter(|_| is_same_body)?;
            Some((other.shown_in.to_vec(), tool.contract.scopes.clone()))
        };
        let (old_plain, new_plain) = (plain(new.as_ref(), before), plain(old.as_ref(), after));
        let old = old.or_else(|| old_plain.as_ref().map(Seen::unmasked));
        let new = new.or_else(|| new_plain.as_ref().map(Seen::unmasked));
        if old == new {
            continue;
        }
        let is_more = match (&old, &new) {
            (Some(old), Some(new)) => new.is_more_than(old),
            // Nobody sees what is masked for everybody.
            (None, Some(new)) => new.scopes.is_some(),
            (_, None) => false,
        };
        let kind = if is_more { Kind::ShowsMore } else { Kind::ShowsLess };
        let (old, new) = (old.as_ref().map(Seen::line), new.as_ref().map(Seen::line));
        found.push_texts(kind, Some(column), old.as_deref(), new.as_deref());
    }
}

/// What a tool that is new shows of somebody to whoever may call it.
pub(super) fn by_new_tool(tool: &Tool) -> Vec<Change> {
    let shown = tool.contract.shows.iter().filter(|one| !one.masked);
    let change = |one: &ShownColumn| {
        let after = Seen::of(tool, &one.column).as_ref().map(Seen::line);
        let of = Of { subject: Some(one.column.clone()), before: None, after };
        Change::new(Kind::ShowsMore, &tool.contract.name, of)
    };
    shown.map(change).collect()
}

impl<'t> Seen<'t> {
    fn of(tool: &'t Tool, column: &str) -> Option<Seen<'t>> {
        let shown = tool.contract.shows.iter().find(|one| one.column == column)?;
        let is_hidden = shown.masked && shown.unless.is_empty();
        let scopes = tool.contract.scopes.iter().chain(&shown.unless).map(String::as_str).collect();
        let scopes = (!is_hidden).then_some(scopes);
        Some(Seen { shown_in: &shown.shown_in, scopes, pii: shown.pii.as_deref() })
    }

    fn unmasked((shown_in, scopes): &'t (Vec<String>, Vec<String>)) -> Seen<'t> {
        Seen { shown_in, scopes: Some(scopes.iter().map(String::as_str).collect()), pii: None }
    }

    /// Whether somebody sees what nobody saw of it before, or it is no longer said to be somebody's.
    fn is_more_than(&self, old: &Seen<'_>) -> bool {
        let is_elsewhere = !old.shown_in.is_empty()
            && (self.shown_in.is_empty() || self.shown_in.iter().any(|output| !old.shown_in.contains(output)));
        let is_for_others = match (&old.scopes, &self.scopes) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(old), Some(new)) => !old.is_subset(new),
        };
        is_elsewhere || is_for_others || old.pii.is_some() && self.pii.is_none()
    }

    /// Who sees what of it, and where.
    fn line(&self) -> String {
        let seen = match self.scopes.as_ref().map(|scopes| scopes.iter().copied().collect::<Vec<_>>()) {
            None => "masked".to_owned(),
            Some(scopes) if scopes.is_empty() => "unmasked".to_owned(),
            Some(scopes) => format!("unmasked for callers with {}", scopes.join(" and ")),
        };
        let pii = self.pii.map(|pii| format!(" ({pii})")).unwrap_or_default();
        let places =
            if self.shown_in.is_empty() { String::new() } else { format!(", in {}", self.shown_in.join(", ")) };
        format!("{seen}{pii}{places}")
    }
}
