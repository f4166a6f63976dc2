//! Which tools break when tables are not what they were when the tools were compiled.
//!
//! A tool breaks where it uses what has changed. Whether it does is asked of the planner: the tool is planned against the
//! schemas it was compiled for, once as they were and once with the one column as it is now. Where that makes no
//! difference to the plan and to what it returns, the tool does not mind.

use super::planned::{KeyedTables, PlanWith, plan_every_choice};
use crate::catalog::{Catalog, Column, Table};
use crate::plan::functions::Functions;
use crate::project::AutomaticParameter;
use crate::tool::Tool;
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::TableSource;
use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;
use std::collections::HashMap;
use std::sync::Arc;

/// How a column differs from what was compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// It is no longer there.
    Gone,
    /// It is of another type.
    Retyped {
        /// The type that was compiled for.
        was: String,
        /// The type that the data has.
        is: String,
    },
    /// It may hold nulls, which it could not.
    Nullable,
    /// It can no longer hold nulls.
    NotNull,
    /// It was not there.
    Added,
    /// It is there in another place, as the first of its table's.
    Moved,
    /// The database does not tell rows by it any more, as the first column of its table's key.
    NoKey,
}

/// A column that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnChange {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// How it differs.
    pub difference: Difference,
}

impl ColumnChange {
    /// The difference in words.
    pub fn words(&self) -> String {
        let ColumnChange { table, column, difference } = self;
        match difference {
            Difference::Gone => format!("column `{column}` of table `{table}` is gone"),
            Difference::Retyped { was, is } => format!("column `{column}` of table `{table}` was {was} and is {is}"),
            Difference::Nullable => format!("column `{column}` of table `{table}` may now be null"),
            Difference::NotNull => format!("column `{column}` of table `{table}` is no longer null"),
            Difference::Added => format!("column `{column}` of table `{table}` is new"),
            Difference::Moved => format!("the columns of table `{table}` have another order, from `{column}` on"),
            Difference::NoKey => format!("the primary key of table `{table}`, of `{column}`, is another or gone"),
        }
    }
}

/// A tool that a change breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The tool's name.
    pub tool: String,
    /// What breaks it.
    pub change: ColumnChange,
}

/// Every difference between the locked schemas and those of now, of the tables that are in both.
pub fn changes(locked: &Catalog, now: &Catalog) -> Vec<ColumnChange> {
    let both = locked.tables.iter().filter_map(|(name, before)| Some((name, before, now.tables.get(name)?)));
    both.flat_map(|(name, before, after)| of_table(name, before, after)).collect()
}

fn of_table(name: &str, before: &Table, after: &Table) -> Vec<ColumnChange> {
    let find = |table: &Table, name: &str| table.columns.iter().find(|column| column.name == name).cloned();
    let change =
        |column: &Column, difference| ColumnChange { table: name.to_owned(), column: column.name.clone(), difference };
    let mut all: Vec<ColumnChange> = before
        .columns
        .iter()
        .filter_map(|column| {
            let difference = match find(after, &column.name) {
                None => Difference::Gone,
                Some(now) if now.arrow != column.arrow => Difference::Retyped { was: column.named(), is: now.named() },
                Some(now) if now.nullable && !column.nullable => Difference::Nullable,
                Some(now) if !now.nullable && column.nullable => Difference::NotNull,
                Some(_) => return None,
            };
            Some(change(column, difference))
        })
        .collect();
    let key = before.native_key();
    let is_there = key.iter().all(|name| find(after, name).is_some_and(|column| !column.nullable));
    let first = key.first().and_then(|name| find(before, name)).filter(|_| is_there && after.native_key() != key);
    all.extend(first.map(|column| change(&column, Difference::NoKey)));
    let is_new = |column: &&Column| find(before, &column.name).is_none();
    all.extend(after.columns.iter().filter(is_new).map(|column| change(column, Difference::Added)));
    let mut pairs = before.columns.iter().zip(&after.columns);
    if all.is_empty()
        && let Some((_, moved)) = pairs.find(|(was, is)| was.name != is.name)
    {
        all.push(change(moved, Difference::Moved));
    }
    all
}

/// The tools that these changes break, each with every change that does, in the order of the tools.
pub fn broken(tools: &[Tool], locked: &Catalog, now: &Catalog, changes: &[ColumnChange]) -> Vec<Broken> {
    // The functions take longer than all else that a server does when it starts.
    if changes.is_empty() {
        return Vec::new();
    }
    let functions = Arc::new(Functions::configured(&ConfigOptions::default()));
    let mut all = Vec::new();
    for tool in tools {
        let concerns = changes.iter().filter(|change| tool.contract.tables.contains(&change.table));
        let mut before: Option<Option<String>> = None;
        for change in concerns {
            let after = match change.difference {
                // What never is null fits where it could be, and columns are known by their names.
                Difference::NotNull | Difference::Moved => continue,
                // Of a table in a database, the columns that were locked are asked for, and no others.
                Difference::Added if is_of_database(locked, change) => continue,
                // Without a statement, columns are asked for by the names that were compiled.
                Difference::Added if !tool.has_statement() => continue,
                Difference::NoKey => {
                    if relies_on_key(tool, (locked, &change.table), &functions) {
                        all.push(Broken { tool: tool.contract.name.clone(), change: change.clone() });
                    }
                    continue;
                }
                // Without one of its columns, or with nulls in it, a key is none.
                Difference::Gone | Difference::Nullable
                    if is_of_key(locked, change) && relies_on_key(tool, (locked, &change.table), &functions) =>
                {
                    all.push(Broken { tool: tool.contract.name.clone(), change: change.clone() });
                    continue;
                }
                Difference::Nullable if !tool.has_statement() => continue,
                Difference::Added => with_column(locked, now, change),
                Difference::Gone => without_column(locked, change),
                Difference::Retyped { .. } | Difference::Nullable => {
                    with_column(&without_column(locked, change), now, change)
                }
            };
            let before = before.get_or_insert_with(|| plans_in_words(tool, locked, &functions));
            if before.is_none() || plans_in_words(tool, &after, &functions) != *before {
                all.push(Broken { tool: tool.contract.name.clone(), change: change.clone() });
            }
        }
    }
    all
}

/// Whether a change is one of a table that lies in a database.
fn is_of_database(locked: &Catalog, change: &ColumnChange) -> bool {
    locked.tables.get(&change.table).is_some_and(|table| table.native.is_some())
}

/// Whether a column is one that the database tells rows by.
fn is_of_key(locked: &Catalog, change: &ColumnChange) -> bool {
    locked.tables.get(&change.table).is_some_and(|table| table.native_key().contains(&change.column))
}

/// Whether a tool minds that the database does not tell the rows of a table by its key any more: pages fit together by it,
/// or it is grouped by, for columns that each row has one of.
fn relies_on_key(tool: &Tool, (locked, table): (&Catalog, &str), functions: &Arc<Functions>) -> bool {
    let others = locked.tables.iter().filter(|(name, _)| *name != table);
    let keys: HashMap<String, Vec<String>> = others.map(|(name, other)| (name.clone(), other.native_key())).collect();
    let tables = table_sources(locked);
    let with = PlanWith { tables: &tables, functions, keyed: KeyedTables::Told(&keys) };
    tool.contract.expose.contains(&AutomaticParameter::Cursor)
        || tool.has_statement() && plan_every_choice(tool, with).is_err()
}

/// The catalog without a column.
fn without_column(catalog: &Catalog, change: &ColumnChange) -> Catalog {
    let mut catalog = catalog.clone();
    if let Some(table) = catalog.tables.get_mut(&change.table) {
        table.columns.retain(|column| column.name != change.column);
    }
    catalog
}

/// The catalog with a column that is there now.
fn with_column(catalog: &Catalog, now: &Catalog, change: &ColumnChange) -> Catalog {
    let mut catalog = catalog.clone();
    let new = now
        .tables
        .get(&change.table)
        .and_then(|table| table.columns.iter().find(|column| column.name == change.column));
    if let (Some(table), Some(column)) = (catalog.tables.get_mut(&change.table), new) {
        table.columns.push(column.clone());
    }
    catalog
}

/// What a tool does with the tables of a catalog: its plans, in words that name every column; `None` where it does not
/// plan.
fn plans_in_words(tool: &Tool, catalog: &Catalog, functions: &Arc<Functions>) -> Option<String> {
    let tables = table_sources(catalog);
    let with = PlanWith { tables: &tables, functions, keyed: KeyedTables::Unknown };
    let plans = plan_every_choice(tool, with).ok()?;
    let mut shape = String::new();
    for planned in &plans {
        let plan = planned.typical().ok()?;
        shape.push_str(&format!("{}\n{:?}\n", plan.display_indent(), plan.schema().fields()));
    }
    Some(shape)
}

/// The tables of a catalog as the planner takes them.
fn table_sources(catalog: &Catalog) -> HashMap<String, Arc<dyn TableSource>> {
    let source = |(name, table): (&String, &Table)| {
        let source: Arc<dyn TableSource> = Arc::new(LogicalTableSource::new(table.to_arrow()));
        (name.clone(), source)
    };
    catalog.tables.iter().map(source).collect()
}

#[cfg(test)]
mod tests;
