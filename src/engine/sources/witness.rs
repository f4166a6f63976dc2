//! What a server looks at with each statement that it keeps: whether the columns that rows are compared and sorted by are what
//! they were.
//!
//! Where a table has changed, PostgreSQL plans such a statement anew, and refuses it where its rows would have other types or
//! collations. Of a column that is not returned they say nothing: so it stands among those that are, without its values.

use super::dialect;
use super::remote_query::{RemoteQuery, Shape};
use crate::catalog::DatabaseKind;

/// The columns that stand in the rows for that alone; `None` where a statement goes by more than its rows can tell.
pub(super) fn witnesses(query: &RemoteQuery) -> Option<Vec<usize>> {
    let facts = query.table.as_ref();
    if facts.native.kind != DatabaseKind::Postgres || !query.joined.is_empty() {
        return None;
    }
    let mut by: Vec<usize> = Vec::new();
    query.conditions.iter().for_each(|sought| sought.condition.columns(&mut |at| by.push(at)));
    let is_returned = |at: &usize| {
        let Some((_, column)) = facts.column(*at) else { return false };
        let is_bare = dialect::item(facts, *at) == Some(dialect::identifier(facts.native.kind, &column.name));
        let is_wanted = query.columns.contains(at) || query.checked.contains(at);
        (is_bare && is_wanted) || facts.row.contains(&column.name)
    };
    let has_keys = match &query.shape {
        Shape::Rows(_) => true,
        // Where NULL stands is said of those that may be NULL: that one has come to be is seen in its values.
        Shape::Sorted { keys, .. } => keys.iter().all(|key| is_returned(&key.column)),
        Shape::Grouped { .. } => false,
    };
    if !has_keys {
        return None;
    }
    by.retain(|at| !is_returned(at));
    by.sort_unstable();
    by.dedup();
    by.iter().all(|at| dialect::witness(facts, *at).is_some()).then_some(by)
}
