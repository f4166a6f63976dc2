//! The tables and columns that a call names: each there, and each column one of its table.

use super::{TablesRunner, unbuilt};
use crate::engine::bind::BoundCall;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use crate::name::nearest;
use crate::tool::{DescribedTable, TableSet};
use datafusion::common::TableReference;
use datafusion::logical_expr::LogicalPlanBuilder;
use serde_json::Value;
use std::sync::Arc;

/// The table that a call names.
///
/// Errors: it names none, which the check of its arguments rules out.
pub(super) fn named_table<'a>(set: &'a TableSet, call: &BoundCall) -> Result<&'a DescribedTable, CallError> {
    let table = call.text("table").and_then(|name| set.table(&name));
    table.ok_or_else(|| CallError::internal("the call names no table of the tool"))
}

/// The table that a call names, or all of them.
pub(super) fn named_tables<'a>(set: &'a TableSet, call: &BoundCall) -> Vec<&'a DescribedTable> {
    let named = call.text("table").map(|name| vec![name]).or_else(|| listed(call, "tables"));
    let is_named = |table: &&DescribedTable| named.as_ref().is_none_or(|names| names.contains(&table.name));
    set.described.iter().filter(is_named).collect()
}

/// The names that a list has; `None` where it is not sent, or empty, by which nobody means nothing.
fn listed(call: &BoundCall, parameter: &str) -> Option<Vec<String>> {
    call.texts(parameter).filter(|names| !names.is_empty())
}

/// The columns of a table that a parameter names, each once; `all` where it names none.
///
/// Errors: a column of another table, with the nearest of this one.
pub(super) fn named_columns<'a>(
    table: &DescribedTable,
    call: &BoundCall,
    parameter: &str,
    all: &[&'a str],
) -> Result<Vec<&'a str>, CallError> {
    let Some(named) = listed(call, parameter) else { return Ok(all.to_vec()) };
    let mut columns = Vec::with_capacity(named.len());
    let mut errors = Vec::new();
    for name in &named {
        match all.iter().find(|known| *known == name) {
            Some(known) if columns.contains(known) => {}
            Some(known) => columns.push(*known),
            None => errors.push(no_such_column(table, parameter, name, all)),
        }
    }
    CallError::all(errors).map_or(Ok(columns), Err)
}

/// What an agent is told that names a column which the table has not. `known` are those that it can name.
pub(super) fn no_such_column(table: &DescribedTable, parameter: &str, name: &str, known: &[&str]) -> CallError {
    let what = match table.column(name) {
        Some(_) => "cannot be named here",
        None => "is none of that table",
    };
    let message = format!("the argument `{parameter}`: column `{name}` {what}, `{}`", table.name);
    let error = CallError::about(CallCode::InvalidArgument, parameter, message)
        .expected(format!("a column of table `{}`", table.name), name)
        .allowed(known.iter().map(|name| Value::from(*name)).collect());
    match nearest(name, known.iter().copied()) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error,
    }
}

impl<E> TablesRunner<E> {
    /// The rows of a table that callers see, with all columns that it has now.
    pub(in crate::engine::runners) fn scan_of_table(
        &self,
        table: &DescribedTable,
    ) -> Result<LogicalPlanBuilder, CallError> {
        let source = self.tables.get(&table.name);
        let source = source.ok_or_else(|| CallError::internal(format!("there is no table `{}`", table.name)))?;
        let name = TableReference::bare(table.name.as_str());
        LogicalPlanBuilder::scan(name, Arc::clone(source), None).map_err(unbuilt)
    }
}
