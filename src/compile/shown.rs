//! Which columns of tables a tool shows, and what callers see in their places.

use crate::infer::Lineage;
use crate::project::{ColumnPolicy, Project};
use crate::tool::{ShownColumn, TableSet, Tool};
use std::collections::BTreeSet;

/// What a tool that is made of tables shows: any column that it may be asked for, in whichever column of the result.
pub(super) fn by_table_tool(project: &Project, tool: &Tool) -> Lineage {
    let Some(TableSet { does, described }) = tool.table_set() else { return Lineage::new() };
    let columns = described.iter().flat_map(|table| {
        let texts: BTreeSet<&str> = table.text_column_names().collect();
        let source = project.file.tables.get(&table.name);
        let key = source.map(|source| source.known_key(project.catalog.tables.get(&table.name))).unwrap_or_default();
        let is_shown = move |column: &&str| does.shows(texts.contains(column), key.iter().any(|one| one == column));
        let names = table.columns.iter().map(|column| column.name.as_str()).filter(is_shown);
        names.map(|column| ((table.name.clone(), column.to_owned()), BTreeSet::new()))
    });
    columns.collect()
}

/// Those of what a tool shows that not every caller sees, or whose values are somebody's.
pub(super) fn of_note(project: &Project, lineage: &Lineage) -> Vec<ShownColumn> {
    let shown = lineage.iter().filter_map(|((table, column), outputs)| {
        let policy = project.file.policies.get(table).and_then(|policy| policy.columns.get(column));
        let source = project.file.tables.get(table);
        let pii = source.and_then(|source| source.columns().get(column)?.pii().map(str::to_owned));
        let (masked, unless) = match policy {
            Some(ColumnPolicy::Mask(mask)) => (true, mask.unless.clone()),
            // No query has such a column.
            Some(ColumnPolicy::Deny) => (true, Vec::new()),
            None if pii.is_none() => return None,
            None => (false, Vec::new()),
        };
        let shown_in = outputs.iter().cloned().collect();
        Some(ShownColumn { column: format!("{table}.{column}"), shown_in, masked, unless, pii })
    });
    shown.collect()
}
