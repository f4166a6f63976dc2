//! How large the tables of a plan are.

use crate::engine::sources::size_of_table;
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics};
use datafusion::datasource::source_as_provider;
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of a table.
#[derive(Debug, Clone)]
pub(crate) struct TableSize {
    /// Its rows and, in the order of its schema, what is known of its columns.
    pub(crate) statistics: Statistics,
    /// The columns of its primary key, where one is declared.
    pub(crate) primary_key: Vec<String>,
}

/// What is known of tables, by name. It need not be exact, nor be of this moment: only orders of joins depend on it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sizes(HashMap<String, TableSize>);

impl Sizes {
    /// Asks the tables of a plan, as a scan of all their columns would tell. Reads of files no more than where they are
    /// and their footers, which the session keeps.
    ///
    /// `primary_key` tells the declared primary key of a table by its name; none is no columns.
    ///
    /// Errors: a table cannot be planned.
    pub(crate) async fn read(
        plan: &LogicalPlan,
        state: &SessionState,
        primary_key: &(dyn Fn(&str) -> Vec<String> + Send + Sync),
    ) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        for (name, provider) in tables(plan)? {
            let statistics = match size_of_table(provider.as_ref()) {
                Some(statistics) => statistics,
                None => {
                    let scan = provider.scan(state, None, &[], None).await?;
                    StatisticsContext::new().compute(scan.as_ref(), &StatisticsArgs::new())?.as_ref().clone()
                }
            };
            let primary_key = primary_key(&name);
            sizes.insert(name, TableSize { statistics, primary_key });
        }
        Ok(sizes)
    }

    /// Learns of a table.
    pub(crate) fn insert(&mut self, table: String, size: TableSize) {
        self.0.insert(table, size);
    }

    /// What is known of a table.
    pub(super) fn table(&self, name: &str) -> Option<&TableSize> {
        self.0.get(name)
    }
}

/// The tables that a plan scans.
fn tables(plan: &LogicalPlan) -> Result<HashMap<String, Arc<dyn TableProvider>>> {
    let mut tables = HashMap::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Ok(provider) = source_as_provider(&scan.source)
        {
            tables.insert(scan.table_name.table().to_owned(), provider);
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(tables)
}
