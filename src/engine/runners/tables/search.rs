//! In how many rows something is found, and in which.

use super::checked::{named_columns, named_table, named_tables};
use super::found::Sought;
use super::{Object, TablesRunner, unbuilt};
use crate::engine::encode::json_of_column;
use crate::engine::error::CallError;
use crate::engine::executor::Executor;
use crate::engine::runners::rows::{batches_of_columns, in_order};
use crate::engine::runners::{Order, RunOutput};
use crate::tool::DescribedTable;
use crate::ty::Type;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::logical_expr::{Expr, LogicalPlan, lit, when};
use datafusion::prelude::ident;
use serde_json::{Map, Value, json};

/// The search in a table, with all that showing its rows takes.
pub(super) struct ContentPlan<'a> {
    pub(super) plan: LogicalPlan,
    table: &'a DescribedTable,
    sought: Sought,
    /// The columns of the key, which come first.
    key: Vec<String>,
    /// The columns that are searched.
    columns: Vec<&'a str>,
    has_pages: bool,
}

impl<E: Executor> TablesRunner<E> {
    /// A row for each column with matches, the most of them first.
    pub(super) async fn summary_rows(&self, order: Order<'_>) -> Result<Vec<Object>, CallError> {
        let sought = Sought::of_call(order.call)?;
        let mut counted: Vec<(&str, &str, i64)> = Vec::new();
        for table in named_tables(&self.set, order.call) {
            let columns: Vec<&str> = table.text_column_names().collect();
            if columns.is_empty() {
                continue;
            }
            let batches = self.all_rows(order, self.counts(table, &columns, &sought)?).await?;
            let counts = batches.iter().find(|batch| batch.num_rows() > 0);
            let counts = counts.ok_or_else(|| CallError::internal("the counts have no row"))?;
            for (column, counts) in columns.iter().zip(counts.columns()) {
                let count = counts.as_primitive_opt::<Int64Type>().map(|counts| counts.value(0));
                let count = count.ok_or_else(|| CallError::internal("a count is no number"))?;
                counted.push((table.name.as_str(), *column, count));
            }
        }
        counted.retain(|(.., count)| *count > 0);
        // Sorting is stable: those with as many stay in the order of the tables.
        counted.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
        let row = |(table, column, count): (&str, &str, i64)| -> Object {
            let values = [("table", json!(table)), ("column", json!(column)), ("matches", json!(count))];
            values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
        };
        Ok(counted.into_iter().map(row).collect())
    }

    /// The plan of the first table that is searched.
    pub(super) fn summary_plan(&self, order: Order<'_>) -> Result<LogicalPlan, CallError> {
        let sought = Sought::of_call(order.call)?;
        let tables = named_tables(&self.set, order.call);
        let table = tables.into_iter().find(|table| table.text_column_names().next().is_some());
        let table = table.ok_or_else(|| CallError::internal("no table has texts"))?;
        let columns: Vec<&str> = table.text_column_names().collect();
        self.counts(table, &columns, &sought)
    }

    /// One row: how many rows match, by column. The table is read once.
    fn counts(&self, table: &DescribedTable, columns: &[&str], sought: &Sought) -> Result<LogicalPlan, CallError> {
        let counted = |column: &&str| -> Result<Expr, CallError> {
            let matched = when(sought.is_in_column(column), lit(1_i64)).end().map_err(unbuilt)?;
            Ok(count(matched).alias(*column))
        };
        let counts = columns.iter().map(counted).collect::<Result<Vec<Expr>, CallError>>()?;
        let scan = self.scan_of_table(table)?;
        scan.aggregate(Vec::<Expr>::new(), counts).and_then(|plan| plan.build()).map_err(unbuilt)
    }

    /// A row for each row that something is found in.
    pub(super) async fn content_rows(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let ContentPlan { plan, table, sought, key, columns, has_pages } = self.content_plan(order)?;
        let found = self.page_of_rows(order, plan, Some(Vec::new())).await?;
        let mut objects = Vec::new();
        for batch in &found.batches {
            objects.extend(shown_rows(batch, table, &sought, (key.as_slice(), columns.as_slice()))?);
        }
        let batches = batches_of_columns(order.contract.columns(), &objects)?;
        Ok(RunOutput { batches, columns: None, has_pages, ..found })
    }

    /// The plan of the rows that something is found in: their keys, and what was searched.
    pub(super) fn content_plan<'a>(&'a self, order: Order<'_>) -> Result<ContentPlan<'a>, CallError> {
        let table = named_table(&self.set, order.call)?;
        let texts: Vec<&str> = table.text_column_names().collect();
        let columns = named_columns(table, order.call, "columns", &texts)?;
        let sought = Sought::of_call(order.call)?;
        let matches = columns.iter().map(|column| sought.is_in_column(column)).reduce(Expr::or);
        // A table without texts has no matches.
        let matches = matches.unwrap_or_else(|| lit(false));
        let key: Vec<String> = self.core.primary_key(&table.name).to_vec();
        let is_described = key.iter().all(|name| table.column(name).is_some());
        let key = if is_described { key } else { Vec::new() };
        // Twice, because a column of the key may be searched as well.
        let of_key = key.iter().enumerate().map(|(at, name)| ident(name.clone()).alias(format!("key {at}")));
        let searched = columns.iter().enumerate().map(|(at, name)| ident(*name).alias(format!("text {at}")));
        let shown: Vec<Expr> = of_key.chain(searched).collect();
        let scan = self.scan_of_table(table)?.filter(matches).map_err(unbuilt)?;
        let plan = scan.project(shown).and_then(|plan| plan.build()).map_err(unbuilt)?;
        let (plan, has_pages) = in_order(plan, order.contract, &self.core)?;
        Ok(ContentPlan { plan, table, sought, key, columns, has_pages })
    }
}

/// The rows of a batch as they are shown, as many as it has.
fn shown_rows(
    batch: &RecordBatch,
    table: &DescribedTable,
    sought: &Sought,
    (key, columns): (&[String], &[&str]),
) -> Result<Vec<Object>, CallError> {
    let (of_key, searched) = batch.columns().split_at_checked(key.len()).unwrap_or((&[], &[]));
    let value_of_key = |(name, array): (&String, &ArrayRef)| {
        let ty: &Type = &table.column(name)?.ty;
        Some((name.clone(), json_of_column(array.as_ref(), ty)?))
    };
    let keys: Option<Vec<(String, Vec<Value>)>> = key.iter().zip(of_key).map(value_of_key).collect();
    let keys = keys.ok_or_else(|| CallError::internal("a key has a value of another type"))?;
    let as_texts = |array: &ArrayRef| cast(array, &DataType::Utf8);
    let texts = searched.iter().map(as_texts).collect::<Result<Vec<_>, _>>();
    let texts = texts.map_err(|error| CallError::internal_of_engine(error.to_string()))?;
    let snippet = |text: &ArrayRef, row: usize| {
        let text = text.as_string_opt::<i32>()?;
        if text.is_null(row) { None } else { sought.snippet(text.value(row)) }
    };
    let row = |at: usize| -> Object {
        let found = columns.iter().zip(&texts).filter_map(|(column, text)| Some((*column, snippet(text, at)?)));
        let found: Vec<(&str, String)> = found.collect();
        let values: Map<String, Value> =
            keys.iter().filter_map(|(name, values)| Some((name.clone(), values.get(at)?.clone()))).collect();
        let key = if values.is_empty() { Value::Null } else { Value::from(Value::Object(values).to_string()) };
        let (column, snippet) = found.first().map_or(("", ""), |(column, snippet)| (*column, snippet.as_str()));
        let also: Vec<&str> = found.iter().skip(1).map(|(column, _)| *column).collect();
        let shown = [
            ("table", json!(table.name)),
            ("key", key),
            ("column", json!(column)),
            ("snippet", json!(snippet)),
            ("also_in", json!(also)),
        ];
        shown.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    };
    Ok((0..batch.num_rows()).map(row).collect())
}
