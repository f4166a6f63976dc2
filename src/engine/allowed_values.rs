//! Reads the values that a query gives for a parameter.

use super::open_table::OpenTable;
use super::session::Session;
use super::{Tables, encode};
use crate::catalog::Catalog;
use crate::infer::functions::Functions;
use crate::infer::planner::Planner;
use crate::project::{ProjectFile, UnreadValues};
use crate::syntax::link::parse_text;
use crate::ty::Type;
use crate::ty::coerce::Coercion;
use datafusion::common::DataFusionError;
use datafusion::datasource::provider_as_source;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, TableSource};
use datafusion::physical_plan::execute_stream;
use futures::StreamExt;
use serde_json::Value;
use sqlparser::ast::Statement;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The most values that a parameter may be allowed.
pub const MAX_VALUES: usize = 10_000;
/// How long reading them may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The tables by name, as the planner takes them.
pub(super) type TableSources = HashMap<String, Arc<dyn TableSource>>;

impl Tables {
    /// Reads the values of a query over these tables: without NULLs, each once, in its order or, where it has none, in
    /// theirs.
    ///
    /// Errors, in words for the query's author: it fails, gives none, too many, or some that no agent could send.
    pub async fn allowed_values(&self, query: &str) -> Result<Vec<Value>, String> {
        read(self.session(), &self.sources(), query).await
    }

    /// Opens the tables of a query of allowed values, and reads its values.
    ///
    /// Errors: as [`Tables::allowed_values`], and a table that cannot be opened.
    pub async fn read_allowed_values(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        of: &UnreadValues,
    ) -> Result<Vec<Value>, String> {
        let names: Vec<&str> = of.tables.iter().map(String::as_str).collect();
        let tables = Tables::open_some(dir, file, catalog, &names).await.map_err(|errors| {
            let names: Vec<String> = errors.iter().map(|error| format!("`{}`", error.table)).collect();
            format!("it reads what cannot be opened: {}", names.join(", "))
        })?;
        tables.allowed_values(&of.query).await
    }

    pub(super) fn sources(&self) -> TableSources {
        let source = |(name, table): (&String, &Arc<dyn OpenTable>)| -> (String, Arc<dyn TableSource>) {
            (name.clone(), provider_as_source(Arc::clone(table).provider()))
        };
        self.opened.iter().map(source).collect()
    }
}

/// Reads the values of a query, as [`Tables::allowed_values`] does.
pub(super) async fn read(session: &Session, tables: &TableSources, query: &str) -> Result<Vec<Value>, String> {
    match tokio::time::timeout(TIMEOUT, read_all(session, tables, query)).await {
        Ok(read) => read,
        Err(_) => Err(format!("reading them took longer than {} s", TIMEOUT.as_secs())),
    }
}

async fn read_all(session: &Session, tables: &TableSources, query: &str) -> Result<Vec<Value>, String> {
    let (plan, ty, is_ordered) = plan(tables, &session.functions, query)?;
    let state = session.ctx.state();
    let physical = state.create_physical_plan(&plan).await.map_err(failed)?;
    let mut batches = execute_stream(physical, state.task_ctx()).map_err(failed)?;
    let mut values = Vec::new();
    let mut seen = HashSet::new();
    while let Some(batch) = batches.next().await {
        let batch = batch.map_err(failed)?;
        let column = batch.columns().first().ok_or("it has no column")?;
        let read = encode::all(column, &ty).ok_or("its values have no type of SQL")?;
        for (row, value) in read.into_iter().enumerate() {
            if column.is_null(row) {
                continue;
            }
            if value.is_null() {
                return Err("it gives NaN or an infinite number, which no agent can send".to_owned());
            }
            if seen.insert(value.to_string()) {
                values.push(value);
            }
            if values.len() > MAX_VALUES {
                return Err(format!("it gives more than {MAX_VALUES} values"));
            }
        }
    }
    if values.is_empty() {
        return Err("it gives no values, so that no argument would be accepted".to_owned());
    }
    if !is_ordered {
        let coercion = Coercion::default();
        values.sort_by(|one, other| ty.compare(one, other, &coercion).unwrap_or(Ordering::Equal));
    }
    Ok(values)
}

/// The plan of a query, the type of its values, and whether they come in an order of its own.
fn plan(tables: &TableSources, functions: &Functions, query: &str) -> Result<(LogicalPlan, Type, bool), String> {
    let statement = parse_text(query, &|_| None).map_err(|error| error.to_string())?;
    let is_ordered = matches!(&statement, Statement::Query(query) if query.order_by.is_some());
    let source = |name: &str| tables.get(name).cloned();
    let planner = Planner { tables: &source, functions };
    let plan = planner.plan(vec![("values", statement)], &[]).and_then(|plan| planner.analyze(plan)).map_err(failed)?;
    let ty = Type::from_arrow(plan.schema().field(0).data_type()).ok_or("its values have no type of SQL")?;
    let plan = if is_ordered {
        plan
    } else {
        // One more than may be, and a NULL.
        let distinct = LogicalPlanBuilder::from(plan).distinct().and_then(|plan| plan.limit(0, Some(MAX_VALUES + 2)));
        distinct.and_then(LogicalPlanBuilder::build).map_err(failed)?
    };
    Ok((plan, ty, is_ordered))
}

fn failed(error: DataFusionError) -> String {
    let text = error.strip_backtrace();
    format!("it failed: {}", text.lines().next().unwrap_or_default())
}
