//! What plans ask of the tables of databases that they are made over.

use super::table::SourceTable;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::logical_expr::{LogicalPlan, TableScan};
use std::any::Any;
use std::sync::Arc;

/// The plan, whose rows are right only as long as the named tables have the keys that they had: the others of a database
/// may lose theirs.
pub(in crate::engine) fn relying_on_keys(plan: LogicalPlan, is_named: &dyn Fn(&str) -> bool) -> Result<LogicalPlan> {
    let plan = plan.transform_down_with_subqueries(|node| {
        let LogicalPlan::TableScan(scan) = node else { return Ok(Transformed::no(node)) };
        let table = source_as_provider(&scan.source).ok().filter(|_| is_named(scan.table_name.table()));
        let keyed =
            table.and_then(|table| Some((table.as_ref() as &dyn Any).downcast_ref::<SourceTable>()?.to_keyed()));
        Ok(match keyed {
            Some(keyed) => {
                let source = provider_as_source(Arc::new(keyed));
                Transformed::yes(LogicalPlan::TableScan(TableScan { source, ..scan }))
            }
            None => Transformed::no(LogicalPlan::TableScan(scan)),
        })
    })?;
    Ok(plan.data)
}

/// How large a table of a database is, without asking for it; `None` of one that lies elsewhere.
pub(in crate::engine) fn size_of_table(table: &dyn TableProvider) -> Option<Statistics> {
    (table as &dyn Any).downcast_ref::<SourceTable>().map(SourceTable::size)
}
