//! How the values of tables look: computed in one pass over the first rows of a table, and kept for as long as its data is
//! the same.

mod column;
mod meaning;
mod seen;

use super::checked::named_tables;
use super::{Object, TablesRunner, unbuilt};
use crate::engine::error::CallError;
use crate::engine::executor::Executor;
use crate::engine::failure::engine_error;
use crate::engine::open_table::DataVersion;
use crate::engine::runners::Order;
use crate::plan::stop;
use crate::tool::{DescribedColumn, DescribedTable};
use crate::ty::Type;
use column::profile_of_column;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, LogicalPlan, cast, lit};
use datafusion::prelude::ident;
use seen::Seen;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many rows are looked at.
const SAMPLE: usize = 10_000;
/// How much of a text is looked at, in characters: its length is told by the engine.
const BEGINNING: i64 = 200;

/// What was found out of tables, with the state of the data that it is of.
#[derive(Default)]
pub(super) struct Profiles(Mutex<HashMap<String, Kept>>);

struct Kept {
    version: u64,
    rows: Arc<Vec<Object>>,
}

impl Profiles {
    fn get(&self, table: &str, version: u64) -> Option<Arc<Vec<Object>>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(table).filter(|kept| kept.version == version).map(|kept| Arc::clone(&kept.rows))
    }

    fn put(&self, table: &str, version: u64, rows: &Arc<Vec<Object>>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(table.to_owned(), Kept { version, rows: Arc::clone(rows) });
    }
}

impl<E: Executor> TablesRunner<E> {
    /// A row for each column of the table that the call names, or of all.
    pub(super) async fn profile_rows(&self, order: Order<'_>) -> Result<Vec<Object>, CallError> {
        let mut all = Vec::new();
        for table in named_tables(&self.set, order.call) {
            all.extend(self.profile_of_table(order, table).await?.iter().cloned());
        }
        Ok(all)
    }

    /// The plan of the first table that is looked at.
    pub(super) fn profile_plan(&self, order: Order<'_>) -> Result<LogicalPlan, CallError> {
        let table = named_tables(&self.set, order.call).into_iter().next();
        self.sample(table.ok_or_else(|| CallError::internal("the call names no table of the tool"))?)
    }

    async fn profile_of_table(&self, order: Order<'_>, table: &DescribedTable) -> Result<Arc<Vec<Object>>, CallError> {
        if table.columns.is_empty() {
            return Ok(Arc::default());
        }
        let before = self.version(order, table);
        if let Some(kept) = before.and_then(|version| self.profiles.get(&table.name, version)) {
            return Ok(kept);
        }
        let batches = self.all_rows(order, self.sample(table)?).await?;
        let read: usize = batches.iter().map(RecordBatch::num_rows).sum();
        // With one more row in the sample, it would be chance which of them are looked at: they come from several threads.
        let has_more = read >= SAMPLE && self.has_more(order, table).await?;
        let rows = Arc::new(profile_of_rows(table, &batches, has_more)?);
        // Where the data has changed meanwhile, nobody knows which rows these are of.
        if let Some(version) = before.filter(|version| self.version(order, table) == Some(*version)) {
            self.profiles.put(&table.name, version, &rows);
        }
        Ok(rows)
    }

    /// The state of a table's data; `None` where it is not told, or the rows are those of the caller alone.
    fn version(&self, order: Order<'_>, table: &DescribedTable) -> Option<u64> {
        if order.contract.parameters().iter().any(|parameter| parameter.from.is_some()) {
            return None;
        }
        match self.core.opened.get(&table.name)?.data_version() {
            DataVersion::Of(version) => Some(version),
            DataVersion::Unsettled | DataVersion::Untold => None,
        }
    }

    /// Whether a table has more rows than are looked at.
    async fn has_more(&self, order: Order<'_>, table: &DescribedTable) -> Result<bool, CallError> {
        let behind = self.scan_of_table(table)?.limit(SAMPLE, Some(1)).map_err(unbuilt)?;
        let behind = behind.project([lit(true).alias("more")]).and_then(|plan| plan.build()).map_err(unbuilt)?;
        Ok(self.all_rows(order, behind).await?.iter().any(|batch| batch.num_rows() > 0))
    }

    /// The first rows of a table: of each column what is looked at, and of a text its length behind it.
    fn sample(&self, table: &DescribedTable) -> Result<LogicalPlan, CallError> {
        let mut looked_at = Vec::new();
        for (at, column) in table.columns.iter().enumerate() {
            let value = ident(column.name.clone());
            match Look::of_column(column) {
                Look::Whole => looked_at.push(value.alias(format!("value {at}"))),
                Look::Presence => looked_at.push(value.is_null().alias(format!("value {at}"))),
                Look::Beginning => {
                    let text = cast(value, DataType::Utf8);
                    let beginning = self.call_of("left", vec![text.clone(), lit(BEGINNING)])?;
                    looked_at.push(beginning.alias(format!("value {at}")));
                    looked_at.push(self.call_of("character_length", vec![text])?.alias(format!("length {at}")));
                }
            }
        }
        let scan = self.scan_of_table(table)?.limit(0, Some(SAMPLE)).map_err(unbuilt)?;
        scan.project(looked_at).and_then(|plan| plan.build()).map_err(unbuilt)
    }

    /// A call of a function of the engine.
    fn call_of(&self, function: &str, arguments: Vec<Expr>) -> Result<Expr, CallError> {
        let found = self.core.session().functions.scalar.get(function);
        let found = found.ok_or_else(|| CallError::internal(format!("there is no function {function}")))?;
        Ok(Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(found), arguments)))
    }
}

/// How much of a column is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Its values.
    Whole,
    /// How each begins, and how long it is.
    Beginning,
    /// Whether there is a value.
    Presence,
}

impl Look {
    fn of_column(column: &DescribedColumn) -> Look {
        match column.ty {
            Type::Text | Type::Json => Look::Beginning,
            Type::List(_) | Type::Struct(_) | Type::Map(..) | Type::Bytea | Type::Interval => Look::Presence,
            _ => Look::Whole,
        }
    }
}

/// The rows of the profile of a table.
fn profile_of_rows(table: &DescribedTable, batches: &[RecordBatch], has_more: bool) -> Result<Vec<Object>, CallError> {
    let mut profile = Vec::with_capacity(table.columns.len());
    let mut at = 0;
    for column in &table.columns {
        stop::check().map_err(engine_error)?;
        let look = Look::of_column(column);
        let lengths = (look == Look::Beginning).then_some(at + 1);
        let mut seen = Seen::of_values(look != Look::Presence);
        for batch in batches {
            let Some(values) = batch.columns().get(at) else { continue };
            match look {
                Look::Presence => seen.take_presence(values),
                Look::Whole | Look::Beginning => {
                    seen.take_values(values, lengths.and_then(|at| batch.columns().get(at)))
                }
            }
            .map_err(|error| CallError::internal_of_engine(error.to_string()))?;
        }
        at += if lengths.is_some() { 2 } else { 1 };
        let mut row = profile_of_column(column, &seen);
        row.insert("table".to_owned(), json!(table.name));
        row.insert("sampled".to_owned(), json!(has_more));
        profile.push(row);
    }
    Ok(profile)
}
