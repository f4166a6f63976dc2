//! What a tool changes of data: which tables and columns, and how many rows a call may change.

use super::Found;
use crate::project::{Isolation, WriteOperation};
use crate::review::change::{Change, Kind, Of};
use crate::tool::{Changes, Tool};
use std::collections::{BTreeMap, BTreeSet};

/// What is written: the columns, by table and operation.
type Written<'t> = BTreeMap<(&'t str, WriteOperation), BTreeSet<&'t str>>;

/// Compares what is changed.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let (old, new) = (before.contract.changes.as_ref(), after.contract.changes.as_ref());
    let (written, writes) = (written(old), written(new));
    for key in written.keys().chain(writes.keys()).collect::<BTreeSet<_>>() {
        let (old, new) = (written.get(key), writes.get(key));
        if old == new {
            continue;
        }
        let is_more = new.is_some_and(|new| old.is_none_or(|old| !new.is_subset(old)));
        let kind = if is_more { Kind::WritesMore } else { Kind::WritesLess };
        let line = |columns: Option<&BTreeSet<&str>>| columns.map(|columns| line(key.1, columns));
        found.push_texts(kind, Some(key.0), line(old).as_deref(), line(new).as_deref());
    }
    let (Some(old), Some(new)) = (old, new) else { return };
    if old.max_changes != new.max_changes {
        let is_more = new.max_changes > old.max_changes;
        let kind = if is_more { Kind::MaxChangesRaised } else { Kind::MaxChangesLowered };
        found.push_values(kind, None, &rows(old.max_changes), &rows(new.max_changes));
    }
    if old.expect != new.expect {
        let told = |changes: &Changes| {
            changes.expect.map_or_else(|| "any number of rows".to_owned(), |expect| format!("{expect} rows"))
        };
        found.push_values(Kind::ExpectChangesChanged, None, &told(old), &told(new));
    }
    if old.confirm != new.confirm {
        found.push(if new.confirm { Kind::ConfirmAdded } else { Kind::ConfirmRemoved }, None, (None, None));
    }
    if let (Some(old), Some(new)) = (before.change(), after.change())
        && old.isolation != new.isolation
    {
        let words = |isolation: Isolation| isolation.keywords().to_lowercase();
        found.push_values(Kind::IsolationChanged, None, &words(old.isolation), &words(new.isolation));
    }
}

/// What a new tool changes.
pub(super) fn by_new_tool(tool: &Tool) -> Vec<Change> {
    let writes = written(tool.contract.changes.as_ref());
    let change = |((table, operation), columns): (&(&str, WriteOperation), &BTreeSet<&str>)| {
        let of = Of { subject: Some((*table).to_owned()), before: None, after: Some(line(*operation, columns)) };
        Change::new(Kind::WritesMore, &tool.contract.name, of)
    };
    writes.iter().map(change).collect()
}

fn written(changes: Option<&Changes>) -> Written<'_> {
    let writes = changes.map(|changes| changes.writes.as_slice()).unwrap_or_default();
    let mut found = Written::new();
    for write in writes {
        let key = (write.table.as_str(), write.operation);
        found.entry(key).or_default().extend(write.columns.iter().map(String::as_str));
    }
    found
}

/// `UPDATE status, note`.
fn line(operation: WriteOperation, columns: &BTreeSet<&str>) -> String {
    let columns: Vec<&str> = columns.iter().copied().collect();
    match columns.is_empty() {
        true => operation.keyword().to_owned(),
        false => format!("{} {}", operation.keyword(), columns.join(", ")),
    }
}

fn rows(count: u64) -> String {
    format!("{count} {}", if count == 1 { "row" } else { "rows" })
}
