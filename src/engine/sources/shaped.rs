//! Tables of which a database gives something else than their rows: their groups, the first of them, or the rows of a join.

use super::exec::SourceExec;
use super::facts::{Facts, changed};
use super::guards::checked;
use super::joint;
use super::remote_query::{Part, RemoteQuery, Shape};
use super::table::{SourceTable, exact_conditions, physical_values};
use arrow::datatypes::SchemaRef;
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A table that is read.
#[derive(Debug, Clone)]
pub(super) struct ShapedPart {
    /// The table.
    pub table: Arc<dyn TableProvider>,
    /// What was known of it when it was found that its database does the same.
    pub judged: Arc<Facts>,
    /// How many of the filters are on it: those behind the ones of the tables before.
    pub filters: usize,
    /// The place of its first column among those of all tables.
    pub first: usize,
    /// Its columns that are equal to those of tables before it, which come first in each pair.
    pub on: Vec<(usize, usize)>,
    /// Whether rows before it stay that it has no row for.
    pub is_outer: bool,
    /// How many of its rows are joined, if not all.
    pub fetch: Option<usize>,
}

/// What is known of tables that are read together.
pub(super) fn joined_facts(parts: &[ShapedPart], keys: &[Vec<usize>], rows: Option<usize>) -> Option<Facts> {
    let tables: Vec<(Arc<Facts>, bool)> = parts.iter().map(|part| (Arc::clone(&part.judged), part.is_outer)).collect();
    joint::facts(&tables, keys.iter().min_by_key(|key| key.len()).map_or(&[], Vec::as_slice), rows)
}

/// Tables of which a database gives something else than their rows.
#[derive(Debug)]
pub(super) struct ShapedTable {
    parts: Vec<ShapedPart>,
    /// Sets of columns that tell a row of all of them, and about how many rows there are.
    size: (Vec<Vec<usize>>, Option<usize>),
    shape: Shape,
    schema: SchemaRef,
}

impl ShapedTable {
    /// `schema` is that of what the shape gives.
    pub(super) fn new(
        parts: Vec<ShapedPart>,
        size: (Vec<Vec<usize>>, Option<usize>),
        shape: Shape,
        schema: SchemaRef,
    ) -> ShapedTable {
        ShapedTable { parts, size, shape, schema }
    }

    /// The tables as they are now, each with the one that it is of.
    ///
    /// Errors: one is not what it was when the plan was made.
    async fn fresh(&self) -> Result<Vec<(&SourceTable, ShapedPart)>> {
        let mut now = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let Some(table) = (part.table.as_ref() as &dyn Any).downcast_ref::<SourceTable>() else {
                return internal_err!("what has a shape is a table of a database");
            };
            let facts = table.fresh().await?;
            if !facts.is_like(&part.judged) {
                return Err(changed(&facts));
            }
            now.push((table, ShapedPart { judged: facts, ..part.clone() }));
        }
        Ok(now)
    }
}

#[async_trait]
impl TableProvider for ShapedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // All were found to be exact. Nobody asks: the plan is optimised already.
        Ok(vec![TableProviderFilterPushDown::Exact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let now = self.fresh().await?;
        let Some((table, _)) = now.first() else { return internal_err!("what has a shape has a table") };
        let driver = table.driver();
        let (mut values, mut joined, mut rest) = (Vec::new(), Vec::new(), filters);
        for (_, part) in &now {
            let facts = &part.judged;
            let (own, others) = rest.split_at_checked(part.filters).unwrap_or((rest, &[]));
            rest = others;
            let Some(conditions) = exact_conditions(facts, own, &mut values) else {
                facts.is_stale.store(true, Ordering::Relaxed);
                return Err(changed(facts));
            };
            let (table, on) = (Arc::clone(facts), part.on.clone());
            let ShapedPart { first, is_outer, fetch, .. } = *part;
            joined.push(Part { table, first, conditions, on, is_outer, fetch });
        }
        let all = || (0..self.schema.fields().len()).collect();
        let columns = projection.cloned().unwrap_or_else(all);
        let (table, joined, conditions) = match <[Part; 1]>::try_from(joined) {
            Ok([only]) => (only.table, Vec::new(), only.conditions),
            Err(joined) => {
                let parts: Vec<ShapedPart> = now.into_iter().map(|(_, part)| part).collect();
                let Some(facts) = joined_facts(&parts, &self.size.0, self.size.1) else {
                    return internal_err!("what is joined has tables");
                };
                (Arc::new(facts), joined, Vec::new())
            }
        };
        let mut query =
            RemoteQuery { table, joined, columns, checked: Vec::new(), conditions, shape: self.shape.clone() };
        if !matches!(query.shape, Shape::Grouped { .. }) {
            query.checked = checked(&query);
        }
        let values = physical_values(state, values)?;
        Ok(Arc::new(SourceExec::new(driver, query, &self.schema, values)?))
    }
}
