//! How many rows of a table there are in each category.

use super::super::tables::{PlannedColumn, PlannedTable, Relation};
use super::clause::date_clauses;
use super::join::Join;
use super::{FirstQuery, Statement, is_readable};
use crate::ty::Type;
use std::cmp::Reverse;

/// A table with more rows has no categories.
const MOST: u64 = 50;

/// What rows are counted by.
enum Category<'a> {
    /// A column of theirs.
    Column(&'a PlannedColumn),
    /// What the row of another table is called that they belong to.
    Name(Join<'a>),
}

impl Category<'_> {
    /// Its name in the result.
    fn result(&self) -> &str {
        match self {
            Category::Column(column) => &column.name,
            Category::Name(join) => join.shown.first().map_or("", |(_, result)| result),
        }
    }
}

/// The query over the table with the best category.
pub(super) fn count_query(tables: &[PlannedTable]) -> Option<FirstQuery> {
    let stored = tables.iter().filter(|table| !table.is_view);
    let found = stored.filter_map(|table| Some((table, category(table, tables)?)));
    let best = found.min_by_key(|(table, (rank, _))| Reverse((*rank, table.connected().is_none(), table.row_count())));
    let (table, (_, category)) = best?;
    let result = category.result().to_owned();
    let (joins, first) = match category {
        Category::Column(column) => (Vec::new(), Some(column)),
        Category::Name(join) => (vec![join], None),
    };
    let mut statement = Statement { table, joins, items: Vec::new(), rest: Vec::new() };
    let joined =
        statement.joins.first().and_then(|join| Some((join.items().next()?, join.column(&join.shown.first()?.0))));
    let (item, group) = match (joined, first) {
        (Some(joined), _) => joined,
        (None, column) => (statement.column(&column?.name), statement.column(&column?.name)),
    };
    let counted = format!("{}_count", table.row_word().replace(' ', "_"));
    statement.items = vec![item, format!("count(*) AS {}", super::quoted(&counted))];
    let clauses = date_clauses(table);
    if !clauses.is_empty() {
        statement.rest.push("WHERE true".to_owned());
    }
    for clause in &clauses {
        statement.rest.push(clause.optional_line(&statement.column(&clause.column)));
    }
    statement.rest.push(format!("GROUP BY {group}"));
    statement.rest.push(format!("ORDER BY {} DESC, {group}", super::quoted(&counted)));
    let description = format!("How many {} there are for each {result}, most first.", table.row_words());
    let name = format!("count_{}_by_{result}", table.name);
    let (text, next) = (statement.text(&description, &clauses), format!("call {name}"));
    Some(FirstQuery { name, text, table: table.name.clone(), asked: Vec::new(), next })
}

/// The best category of a table, and how good it is.
fn category<'a>(table: &'a PlannedTable, tables: &'a [PlannedTable]) -> Option<(u8, Category<'a>)> {
    let is_own = |column: &&PlannedColumn| !table.key.contains(&column.name) && is_readable(column);
    let column = |is: &dyn Fn(&PlannedColumn) -> bool| table.columns.iter().filter(is_own).find(|column| is(column));
    let is_text = |column: &PlannedColumn| column.ty == Some(Type::Text);
    if let Some(list) = column(&|column| is_text(column) && !column.allowed.is_empty()) {
        return Some((4, Category::Column(list)));
    }
    if let Some(flag) = column(&|column| column.ty == Some(Type::Boolean)) {
        return Some((3, Category::Column(flag)));
    }
    if let Some(join) = named_category(table, tables) {
        return Some((2, Category::Name(join)));
    }
    column(&|column| is_text(column) && column.is_category).map(|column| (1, Category::Column(column)))
}

/// The table with few rows that the rows of a table belong to; of several, that with most.
fn named_category<'a>(table: &'a PlannedTable, tables: &'a [PlannedTable]) -> Option<Join<'a>> {
    let rows = |relation: &Relation| {
        let other = tables.iter().find(|other| other.name == relation.table && other.name != table.name)?;
        Some(other.row_count()).filter(|rows| (2..=MOST).contains(rows))
    };
    let few = table.relations.iter().filter_map(|relation| Some((relation, rows(relation)?)));
    let (relation, _) = few.min_by_key(|(_, rows)| Reverse(*rows))?;
    Join::along(relation, tables, std::slice::from_ref(&table.name), &[])
}
