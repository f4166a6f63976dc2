//! The columns of the tables, as the tool was compiled for them.

use super::Object;
use super::checked::named_tables;
use crate::engine::bind::BoundCall;
use crate::tool::{DescribedColumn, TableSet};
use serde_json::{Value, json};

/// A row for each column.
pub(super) fn rows_of_schema(set: &TableSet, call: &BoundCall) -> Vec<Object> {
    let row = |table: &str, column: &DescribedColumn| -> Object {
        let values = [
            ("table", json!(table)),
            ("column", json!(column.name)),
            ("type", json!(column.ty.to_string())),
            ("nullable", json!(column.nullable)),
            ("description", column.description.as_deref().map_or(Value::Null, Value::from)),
        ];
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    };
    let tables = named_tables(set, call).into_iter();
    tables.flat_map(|table| table.columns.iter().map(|column| row(&table.name, column))).collect()
}
