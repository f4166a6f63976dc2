//! Reads the values that a query gives for a parameter.

use super::open_table::OpenTable;
use super::session::Session;
use super::{Tables, encode};
use crate::catalog::Catalog;
use crate::plan::functions::Functions;
use crate::plan::group_keys::Keys;
use crate::plan::planner::Planner;
use crate::project::{NoValues, ProjectFile, UnreadValues};
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
use sqlparser::parser::ParserError;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The most values that a parameter may be allowed.
pub const MAX_VALUES: usize = 10_000;
/// How long reading them may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The tables by name, as the planner takes them.
pub(super) type TableSources = HashMap<String, Arc<dyn TableSource>>;

/// Why the values of a query cannot be had; shown to its author.
#[derive(Debug)]
pub(super) enum Unread {
    /// It does not parse.
    Text(ParserError),
    /// It does not plan, or fails.
    Engine(DataFusionError),
    /// It takes too long.
    TooLong,
    /// They have no type that an agent could send.
    NoType,
    /// One is a number that no agent can send.
    NotFinite,
    /// There are none.
    Nothing,
    /// There are more than [`MAX_VALUES`].
    TooMany,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Text(error) => error.fmt(f),
            Unread::Engine(error) => {
                let text = error.strip_backtrace();
                write!(
                    f,
                    "it failed: {}",
                    text.lines().next().unwrap_or_default().trim_start_matches("External error: ")
                )
            }
            Unread::TooLong => write!(f, "reading them took longer than {} s", TIMEOUT.as_secs()),
            Unread::NoType => f.write_str("its values have no type of SQL"),
            Unread::NotFinite => f.write_str("it gives NaN or an infinite number, which no agent can send"),
            Unread::Nothing => f.write_str("it gives no values, so that no argument would be accepted"),
            Unread::TooMany => write!(f, "it gives more than {MAX_VALUES} values"),
        }
    }
}

impl From<DataFusionError> for Unread {
    fn from(error: DataFusionError) -> Unread {
        Unread::Engine(error)
    }
}

impl Tables {
    /// Reads the values of a query over these tables: without NULLs, each once, in its order or, where it has none, in
    /// theirs.
    ///
    /// Errors: it fails, gives none, too many, or some that no agent could send.
    pub async fn allowed_values(&self, query: &str) -> Result<Vec<Value>, NoValues> {
        read(self.session(), &self.sources(), query).await.map_err(|why| why.to_string().into())
    }

    /// Opens the tables of a query of allowed values, and reads its values.
    ///
    /// Errors: as [`Tables::allowed_values`], and a table that cannot be opened.
    pub async fn read_allowed_values(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        of: &UnreadValues,
    ) -> Result<Vec<Value>, NoValues> {
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
pub(super) async fn read(session: &Session, tables: &TableSources, query: &str) -> Result<Vec<Value>, Unread> {
    tokio::time::timeout(TIMEOUT, read_all(session, tables, query)).await.map_err(|_| Unread::TooLong)?
}

async fn read_all(session: &Session, tables: &TableSources, query: &str) -> Result<Vec<Value>, Unread> {
    let (plan, ty, is_ordered) = plan(tables, &session.functions, query)?;
    let state = session.ctx.state();
    let physical = state.create_physical_plan(&plan).await?;
    let mut batches = execute_stream(physical, state.task_ctx())?;
    let mut values = Vec::new();
    let mut seen = HashSet::new();
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        let column = batch.columns().first().ok_or(Unread::NoType)?;
        let read = encode::json_of_column(column, &ty).ok_or(Unread::NoType)?;
        for (row, value) in read.into_iter().enumerate() {
            if column.is_null(row) {
                continue;
            }
            if value.is_null() {
                return Err(Unread::NotFinite);
            }
            if seen.insert(value.to_string()) {
                values.push(value);
            }
            if values.len() > MAX_VALUES {
                return Err(Unread::TooMany);
            }
        }
    }
    if values.is_empty() {
        return Err(Unread::Nothing);
    }
    if !is_ordered {
        let coercion = Coercion::default();
        values.sort_by(|one, other| ty.compare(one, other, &coercion).unwrap_or(Ordering::Equal));
    }
    Ok(values)
}

/// The plan of a query, the type of its values, and whether they come in an order of its own.
fn plan(tables: &TableSources, functions: &Functions, query: &str) -> Result<(LogicalPlan, Type, bool), Unread> {
    let statement = parse_text(query, &|_| None).map_err(Unread::Text)?;
    let is_ordered = matches!(&statement, Statement::Query(query) if query.order_by.is_some());
    let source = |name: &str| tables.get(name).cloned();
    let planner = Planner { tables: &source, functions, keys: Keys::NONE };
    let plan = planner.plan(vec![("values", statement)], &[]).and_then(|plan| planner.analyze(plan))?;
    let ty = Type::from_arrow(plan.schema().field(0).data_type()).ok_or(Unread::NoType)?;
    let plan = if is_ordered {
        plan
    } else {
        // One more than may be, and a NULL.
        let distinct = LogicalPlanBuilder::from(plan).distinct().and_then(|plan| plan.limit(0, Some(MAX_VALUES + 2)));
        distinct.and_then(LogicalPlanBuilder::build)?
    };
    Ok((plan, ty, is_ordered))
}
