//! Other tables, for the names of what a row belongs to.

use super::super::tables::{PlannedColumn, PlannedTable, Relation, plain_alias, quoted};
use super::is_readable;
use crate::ty::Type;

/// Endings of columns that hold a key of another table.
const ENDINGS: [&str; 6] = ["_id", "_key", "_code", "_no", "_nr", "_fk"];

/// A table that is joined.
#[derive(Debug)]
pub(super) struct Join<'a> {
    relation: &'a Relation,
    /// What it is called in the statement.
    alias: String,
    /// Its columns that are shown, with their names in the result.
    pub(super) shown: Vec<(String, String)>,
}

impl<'a> Join<'a> {
    /// The table that a relation leads to, with what its rows are called; `None` where it has no texts. `taken` are the names
    /// of tables, `results` those of columns of the result.
    pub(super) fn along(
        relation: &'a Relation,
        tables: &'a [PlannedTable],
        taken: &[String],
        results: &[String],
    ) -> Option<Join<'a>> {
        let other = tables.iter().find(|table| table.name == relation.table)?;
        let (prefix, alias) = names(relation);
        let shown = naming_columns(other).into_iter().map(|column| (column.to_owned(), result_name(&prefix, column)));
        let shown: Vec<(String, String)> = shown.filter(|(_, result)| !results.contains(result)).collect();
        let numbered = (2..).map(|number| format!("{alias}_{number}"));
        let alias = std::iter::once(alias.clone()).chain(numbered).find(|alias| !taken.contains(alias))?;
        (!shown.is_empty()).then_some(Join { relation, alias, shown })
    }

    /// What it is called in the statement.
    pub(super) fn alias(&self) -> &str {
        &self.alias
    }

    /// A column of it.
    pub(super) fn column(&self, name: &str) -> String {
        format!("{}.{}", quoted(&self.alias), quoted(name))
    }

    /// The columns that it shows, as items of a `SELECT`.
    pub(super) fn items(&self) -> impl Iterator<Item = String> {
        self.shown.iter().map(|(column, result)| match column == result {
            true => self.column(column),
            false => format!("{} AS {}", self.column(column), quoted(result)),
        })
    }

    /// The line of the statement. Rows that belong to nothing stay.
    pub(super) fn sql(&self, table: &PlannedTable) -> String {
        let Relation { columns, table: other, others } = self.relation;
        let named = if self.alias == *other { String::new() } else { format!(" AS {}", quoted(&self.alias)) };
        let pairs = columns.iter().zip(others);
        let pairs =
            pairs.map(|(own, other)| format!("{} = {}.{}", self.column(other), quoted(&table.name), quoted(own)));
        format!("LEFT JOIN {}{named} ON {}", quoted(other), pairs.collect::<Vec<_>>().join(" AND "))
    }
}

/// What the names of a relation begin with in the result, and what its table is called: `customer_id` leads to `customer`.
fn names(relation: &Relation) -> (String, String) {
    let [column] = relation.columns.as_slice() else { return (relation.table.clone(), relation.table.clone()) };
    let stem = ENDINGS.iter().find_map(|ending| column.strip_suffix(ending)).filter(|stem| !stem.is_empty());
    match stem {
        Some(stem) => (stem.to_owned(), plain_alias(stem)),
        None => (column.clone(), relation.table.clone()),
    }
}

/// The name of another table's column in the result.
fn result_name(prefix: &str, column: &str) -> String {
    let has_prefix = column.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    if has_prefix { column.to_owned() } else { format!("{prefix}_{column}") }
}

/// What the rows of a table are called by: its first text; of people, the last name too.
pub(super) fn naming_columns(table: &PlannedTable) -> Vec<&str> {
    let of_key = |name: &String| {
        table.key.contains(name) || table.relations.iter().any(|relation| relation.columns.contains(name))
    };
    let is_text =
        |column: &&PlannedColumn| column.ty == Some(Type::Text) && is_readable(column) && !of_key(&column.name);
    let texts: Vec<&str> = table.columns.iter().filter(is_text).map(|column| column.name.as_str()).collect();
    let Some(first) = texts.first() else { return Vec::new() };
    let second = match first.contains("first") {
        true => texts.iter().find(|name| name.contains("last")),
        false if first.contains("last") => texts.iter().find(|name| name.contains("first")),
        false => None,
    };
    std::iter::once(first).chain(second).copied().collect()
}
