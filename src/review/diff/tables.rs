//! What a tool that is made of tables says of them: which there are, and what their columns are.

use super::Found;
use crate::review::change::Kind;
use crate::tool::{DescribedTable, TableSet, Tool};
use std::collections::BTreeMap;

/// Compares what is known of the tables.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let (old, new) = (before.table_set(), after.table_set());
    if old == new {
        return;
    }
    let (Some(old), Some(new)) = (old, new) else {
        let what = |set: Option<&TableSet>| set.map_or("runs a statement", |set| set.does.as_str());
        found.push_texts(Kind::QueryChanged, None, Some(what(old)), Some(what(new)));
        return;
    };
    if old.does != new.does {
        found.push_texts(Kind::QueryChanged, None, Some(old.does.as_str()), Some(new.does.as_str()));
        return;
    }
    let (was, is) = (columns(old), columns(new));
    if was == is {
        descriptions(old, new, found);
        return;
    }
    let only = |one: &BTreeMap<String, String>, other: &BTreeMap<String, String>| {
        let differ = one.iter().filter(|(name, ty)| other.get(*name) != Some(*ty));
        let told: Vec<String> = differ.map(|(name, ty)| format!("{name} {ty}")).collect();
        (!told.is_empty()).then(|| told.join(", "))
    };
    let (old, new) = (only(&was, &is), only(&is, &was));
    found.push_texts(Kind::QueryChanged, None, old.as_deref(), new.as_deref());
}

/// The types of all columns, by table and column.
fn columns(set: &TableSet) -> BTreeMap<String, String> {
    let of_table = |table: &DescribedTable| -> Vec<(String, String)> {
        let null = |nullable: bool| if nullable { "" } else { " not null" };
        let column = |column: &crate::tool::DescribedColumn| {
            (format!("{}.{}", table.name, column.name), format!("{}{}", column.ty, null(column.nullable)))
        };
        table.columns.iter().map(column).collect()
    };
    set.described.iter().flat_map(of_table).collect()
}

/// What is said of tables and columns; another order of them is told here too.
fn descriptions(old: &TableSet, new: &TableSet, found: &mut Found<'_>) {
    let said = |set: &TableSet| -> String {
        let of_table = |table: &DescribedTable| {
            let columns = table.columns.iter();
            let columns =
                columns.map(|column| format!("{}: {}", column.name, column.description.as_deref().unwrap_or("")));
            let columns: Vec<String> = columns.collect();
            format!("{}: {} ({})", table.name, table.description, columns.join(", "))
        };
        set.described.iter().map(of_table).collect::<Vec<_>>().join("; ")
    };
    found.push_texts(Kind::DescriptionChanged, None, Some(&said(old)), Some(&said(new)));
}
