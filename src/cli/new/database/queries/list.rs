//! The rows of a table, all or those that optional conditions leave.

use super::super::tables::{PlannedColumn, PlannedTable};
use super::super::words::{capital, joined};
use super::clause::clauses_of;
use super::{FirstQuery, Statement, is_readable};
use std::cmp::Reverse;

/// How many conditions there are.
const CLAUSES: usize = 4;

/// How many columns are shown beside those that rows are told apart and found by.
const COLUMNS: usize = 10;

/// The query over the table with the best conditions.
pub(super) fn list_query(tables: &[PlannedTable]) -> Option<FirstQuery> {
    let may_be = |table: &&PlannedTable| !table.is_view && score(table) > 0 && order(table).is_some();
    let table = tables.iter().filter(may_be).min_by_key(|table| Reverse((score(table), table.row_count())))?;
    let (clauses, _) = clauses_of(table, CLAUSES);
    let is_shown = |(at, column): &(usize, &PlannedColumn)| {
        let is_needed = table.key.contains(&column.name) || clauses.iter().any(|clause| clause.column == column.name);
        is_readable(column) && (*at < COLUMNS || is_needed)
    };
    let mut statement = Statement { table, joins: Vec::new(), items: Vec::new(), rest: Vec::new() };
    let columns = table.columns.iter().enumerate().filter(is_shown);
    statement.items = columns.map(|(_, column)| statement.column(&column.name)).collect();
    statement.rest.push("WHERE true".to_owned());
    for clause in &clauses {
        statement.rest.push(clause.optional_line(&statement.column(&clause.column)));
    }
    let order = order(table)?;
    let columns: Vec<String> = order.iter().map(|column| statement.column(column)).collect();
    statement.rest.push(format!("ORDER BY {}", columns.join(", ")));
    let many = capital(&table.row_words());
    let description = format!("{many} in the order of {}: all, or those that the parameters ask for.", joined(&order));
    let name = format!("list_{}", table.name);
    let (text, next) = (statement.text(&description, &clauses), format!("call {name}"));
    Some(FirstQuery { name, text, table: table.name.clone(), asked: Vec::new(), next })
}

fn score(table: &PlannedTable) -> usize {
    clauses_of(table, CLAUSES).1
}

/// What the rows are in the order of: their key, or else their first column. What they need to be told apart by, qtool adds.
fn order(table: &PlannedTable) -> Option<Vec<String>> {
    if !table.key.is_empty() {
        return Some(table.key.clone());
    }
    table.columns.iter().find(|column| is_readable(column)).map(|column| vec![column.name.clone()])
}
