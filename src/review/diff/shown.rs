//! Which columns a tool shows that not every caller sees, or whose values are somebody's.

use super::Found;
use crate::review::change::Kind;
use crate::review::sql::ToolSql;
use crate::tool::{ShownColumn, Tool};
use std::collections::{BTreeMap, BTreeSet};

/// Compares what is shown, and to whom.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    // Then a column that is not told of on one side is shown there as it is: nothing was said of it.
    let none = BTreeMap::new();
    let is_same_body =
        before.table_set() == after.table_set() && ToolSql::of(before, &none) == ToolSql::of(after, &none);
    let all = before.contract.shows.iter().chain(&after.contract.shows);
    for column in all.map(|one| one.column.as_str()).collect::<BTreeSet<_>>() {
        let of = |tool: &Tool| tool.contract.shows.iter().find(|one| one.column == column).cloned();
        let (old, new) = (of(before), of(after));
        let plain = |other: &Option<ShownColumn>| {
            let other = other.as_ref().filter(|_| is_same_body)?;
            Some(ShownColumn { masked: false, unless: Vec::new(), pii: None, ..other.clone() })
        };
        let (old, new) = (old.clone().or_else(|| plain(&new)), new.or_else(|| plain(&old)));
        if old == new {
            continue;
        }
        let is_more = match (&old, &new) {
            (Some(old), Some(new)) => shows_more(old, new),
            // Nobody sees what is masked for everybody.
            (None, Some(new)) => !new.masked || !new.unless.is_empty(),
            (_, None) => false,
        };
        let kind = if is_more { Kind::ShowsMore } else { Kind::ShowsLess };
        let (old, new) = (old.as_ref().map(line_of), new.as_ref().map(line_of));
        found.push_texts(kind, Some(column), old.as_deref(), new.as_deref());
    }
}

/// Whether somebody sees what nobody saw of it before.
fn shows_more(old: &ShownColumn, new: &ShownColumn) -> bool {
    let may_be_anywhere = old.shown_in.is_empty();
    let elsewhere = !may_be_anywhere
        && (new.shown_in.is_empty() || new.shown_in.iter().any(|output| !old.shown_in.contains(output)));
    let to_others = match (old.masked, new.masked) {
        (false, _) => false,
        (true, false) => true,
        // Who has all of the scopes sees the values.
        (true, true) if new.unless.is_empty() => false,
        (true, true) => old.unless.is_empty() || !old.unless.iter().all(|scope| new.unless.contains(scope)),
    };
    elsewhere || to_others
}

/// Who sees what of it, and where.
fn line_of(shown: &ShownColumn) -> String {
    let seen = match (shown.masked, shown.unless.as_slice()) {
        (false, _) => "as it is".to_owned(),
        (true, []) => "masked".to_owned(),
        (true, scopes) => format!("masked, unless a caller has {}", scopes.join(" and ")),
    };
    let pii = shown.pii.as_ref().map(|pii| format!(" ({pii})")).unwrap_or_default();
    let places = if shown.shown_in.is_empty() { String::new() } else { format!(", in {}", shown.shown_in.join(", ")) };
    format!("{seen}{pii}{places}")
}
