//! A row by its key, with the names of what it belongs to.

use super::super::tables::PlannedTable;
use super::super::words::{article, capital, joined};
use super::clause::Clause;
use super::join::Join;
use super::{Asked, FirstQuery, Statement, is_readable, may_be_asked, may_be_parameter};
use std::cmp::Reverse;

/// How many columns are shown of the table.
const COLUMNS: usize = 30;

/// How many tables are joined.
const JOINS: usize = 4;

/// The query over the table whose rows belong to most others. One with a key of several columns mostly connects two tables, and
/// nobody looks for its rows.
pub(super) fn lookup_query(tables: &[PlannedTable]) -> Option<FirstQuery> {
    let may_be = |table: &&PlannedTable| !table.is_view && asked(table).is_some();
    let rank = |table: &&PlannedTable| Reverse((table.key.len() == 1, table.relations.len(), table.row_count()));
    let table = tables.iter().filter(may_be).min_by_key(rank)?;
    let asked = asked(table)?;
    let columns = table.columns.iter().filter(|column| is_readable(column)).take(COLUMNS);
    let columns: Vec<String> = columns.map(|column| column.name.clone()).collect();
    let joins = joins(table, tables);
    let names: Vec<String> = joins.iter().flat_map(|join| &join.shown).map(|(_, result)| result.clone()).collect();
    let mut statement = Statement { table, joins, items: Vec::new(), rest: Vec::new() };
    statement.items = columns.iter().map(|column| statement.column(column)).collect();
    let joined_items: Vec<String> = statement.joins.iter().flat_map(Join::items).collect();
    statement.items.extend(joined_items);
    let keys: Vec<String> = table.key.iter().map(|column| statement.column(column)).collect();
    for (at, (column, name)) in keys.iter().zip(&table.key).enumerate() {
        let word = if at == 0 { "WHERE" } else { "  AND" };
        statement.rest.push(format!("{word} {column} = << {name} >>"));
    }
    statement.rest.push(format!("ORDER BY {}", keys.join(", ")));
    let row = table.row_word();
    let with = if names.is_empty() { String::new() } else { format!(", with {}", joined(&names)) };
    let description = format!("{} {row} by its {}{with}.", capital(article(&row)), joined(&table.key));
    let clause = |name: &String| Clause::equal(name, format!("The {name} of the {row} to look for."));
    let clauses: Vec<Clause> = table.key.iter().map(clause).collect();
    let name = match table.key.as_slice() {
        [only] => format!("{}_by_{only}", table.name),
        _ => format!("{}_by_key", table.name),
    };
    let (text, next) = (statement.text(&description, &clauses), format!("show {name}"));
    Some(FirstQuery { name, text, table: table.name.clone(), asked, next })
}

/// What tells a row apart, where an agent can be asked for it.
fn asked(table: &PlannedTable) -> Option<Vec<Asked>> {
    let asked = |name: &String| {
        let ty = table.column(name)?.ty.clone().filter(may_be_asked)?;
        may_be_parameter(name).then(|| Asked { column: name.clone(), ty })
    };
    let asked: Option<Vec<Asked>> = table.key.iter().map(asked).collect();
    asked.filter(|asked| !asked.is_empty())
}

/// The tables that the rows belong to, each with what its rows are called.
fn joins<'a>(table: &'a PlannedTable, tables: &'a [PlannedTable]) -> Vec<Join<'a>> {
    let mut taken = vec![table.name.clone()];
    let mut results: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let mut joins = Vec::new();
    for relation in &table.relations {
        if joins.len() < JOINS
            && let Some(join) = Join::along(relation, tables, &taken, &results)
        {
            taken.push(join.alias().to_owned());
            results.extend(join.shown.iter().map(|(_, result)| result.clone()));
            joins.push(join);
        }
    }
    joins
}
