//! Rows that an author wrote in the place of a table's data, typed by the table's schema.

use super::Tables;
use super::answers::Answers;
use super::open_table::PlainTable;
use super::records_place::RecordsPlace;
use super::sources::{FixtureError, FixtureRows};
use crate::catalog::{Column, Table};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Mismatch, TimeZoneName, shortened};
use arrow::array::{ArrayRef, MapArray, RecordBatch, RecordBatchOptions, StructArray, new_empty_array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{CastOptions, cast_with_options, concat};
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::common::scalar::ScalarStructBuilder;
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::datasource::MemTable;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What becomes of answers that tests keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// Those that are there are used.
    Uses,
    /// All are asked for, and kept as soon as [`Engine::write_answers`](super::Engine::write_answers) says so.
    Writes,
}

/// A row: values by column.
pub type Row = Map<String, Value>;

/// What of a row does not fit the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// The table has no such column.
    UnknownColumn {
        /// The row, from 0.
        row: usize,
        /// The name.
        column: String,
    },
    /// A value is none of the column's type.
    Value {
        /// The row, from 0.
        row: usize,
        /// The column.
        column: String,
        /// What would fit, in words.
        expected: String,
        /// What was written, shortened.
        found: String,
    },
}

impl Tables {
    /// Puts rows in the place of what tables hold.
    ///
    /// Errors: none with rows that [`batch`] made.
    pub fn with_rows(
        mut self,
        rows: impl IntoIterator<Item = (String, RecordBatch)>,
    ) -> Result<Tables, DataFusionError> {
        for (name, batch) in rows {
            let table = MemTable::try_new(batch.schema(), vec![vec![batch]]);
            let provider = Arc::new(table?);
            let primary_key = self.opened.get(&name).map(|table| table.primary_key().to_vec()).unwrap_or_default();
            self.add(&name, Arc::new(PlainTable { provider, primary_key, notes: None }));
        }
        Ok(self)
    }

    /// Answers of programs, web services and functions are those that were kept below a folder, where there are some; or they are
    /// asked for, and to be kept there.
    #[must_use]
    pub fn with_answers(mut self, folder: PathBuf, keeps: Keeps) -> Tables {
        self.programs.answers = match keeps {
            Keeps::Uses => Answers::Kept(folder),
            Keeps::Writes => Answers::keeping(folder),
        };
        self
    }

    /// Writes records into a copy of their folder that is made for each call. `rows` are those that a folder has in the place of its
    /// own.
    #[must_use]
    pub fn with_copied_records(mut self, rows: &HashMap<String, Vec<Row>>) -> Tables {
        let copied = |(folder, place): (String, RecordsPlace)| {
            let rows = rows.get(&folder).map(|rows| Arc::new(rows.clone()));
            (folder, place.copied(rows))
        };
        self.records = self.records.into_iter().map(copied).collect();
        self
    }

    /// Runs statements in a database's own SQL over a copy of it, in which tables hold other rows; `None` where there can be none
    /// of such a database.
    ///
    /// Errors: it cannot be copied, or a row does not fit its table.
    pub fn with_database_rows(self, source: &str, rows: &[FixtureRows]) -> Option<Result<Tables, FixtureError>> {
        let databases = self.databases.with_rows(source, rows)?;
        Some(databases.map(|databases| Tables { databases: Arc::new(databases), ..self }))
    }
}

/// Types rows by a table's schema. A column that a row leaves out is null, also where the schema has it without nulls,
/// so that a row need not speak of every column of a wide table. Points in time without a zone are read in `time_zone`.
///
/// Errors: all that does not fit, by row.
pub fn batch(table: &Table, rows: &[Row], time_zone: &TimeZoneName) -> Result<RecordBatch, Vec<Misfit>> {
    let coercion = Coercion { time_zone: time_zone.clone(), ..Coercion::default() };
    let mut misfits = unknown_columns(table, rows);
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for column in &table.columns {
        let left_out = rows.iter().any(|row| !row.contains_key(&column.name));
        match array(column, rows, &coercion) {
            Ok(array) => {
                fields.push(Field::new(&column.name, column.arrow.clone(), column.nullable || left_out));
                arrays.push(array);
            }
            Err(found) => misfits.extend(found),
        }
    }
    if misfits.is_empty() {
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        match RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options) {
            Ok(batch) => return Ok(batch),
            // A null inside a record whose fields have none.
            Err(error) => misfits.push(Misfit::Value {
                row: 0,
                column: String::new(),
                expected: "rows of the table's schema".to_owned(),
                found: error.to_string(),
            }),
        }
    }
    misfits.sort_by_key(Misfit::row);
    Err(misfits)
}

impl Misfit {
    /// The row that it is in, from 0.
    pub fn row(&self) -> usize {
        match self {
            Misfit::UnknownColumn { row, .. } | Misfit::Value { row, .. } => *row,
        }
    }
}

fn unknown_columns(table: &Table, rows: &[Row]) -> Vec<Misfit> {
    let is_known = |name: &str| table.columns.iter().any(|column| column.name == name);
    let of_row = |(row, values): (usize, &Row)| {
        let unknown = values.keys().filter(|name| !is_known(name)).cloned();
        unknown.map(|column| Misfit::UnknownColumn { row, column }).collect::<Vec<_>>()
    };
    rows.iter().enumerate().flat_map(of_row).collect()
}

fn array(column: &Column, rows: &[Row], coercion: &Coercion) -> Result<ArrayRef, Vec<Misfit>> {
    let (mut cells, mut misfits) = (Vec::with_capacity(rows.len()), Vec::new());
    for (at, row) in rows.iter().enumerate() {
        let written = row.get(&column.name);
        match cell(column, written, coercion) {
            Ok(cell) => cells.push(cell),
            Err(expected) => misfits.push(Misfit::Value {
                row: at,
                column: column.name.clone(),
                expected,
                found: shortened(written.unwrap_or(&Value::Null)),
            }),
        }
    }
    if !misfits.is_empty() {
        return Err(misfits);
    }
    let cells: Vec<&dyn arrow::array::Array> = cells.iter().map(AsRef::as_ref).collect();
    Ok(match cells.as_slice() {
        [] => new_empty_array(&column.arrow),
        cells => concat(cells).map_err(|_| Vec::new())?,
    })
}

/// One value as an array of the column's exact type; what was expected instead, where it is none.
fn cell(column: &Column, written: Option<&Value>, coercion: &Coercion) -> Result<ArrayRef, String> {
    let null = || ScalarValue::try_new_null(&column.arrow).and_then(|null| null.to_array());
    let named = || format!("{} ({})", expectation(column), column.named());
    let value = match written {
        None => return null().map_err(|_| named()),
        Some(Value::Null) if !column.nullable => return Err(format!("a value, as `{}` is never null", column.name)),
        Some(Value::Null) => return null().map_err(|_| named()),
        Some(value) => value,
    };
    let ty = column.ty().ok_or_else(|| "null: values of this type cannot be written".to_owned())?;
    let read = scalar(&ty, value, coercion).map_err(|mismatch| {
        if let Some(name) = &mismatch.repeated {
            return format!("{} with `{name}` once ({})", mismatch.expected, column.named());
        }
        let place = if mismatch.path.is_empty() { String::new() } else { format!(" at {}", mismatch.path) };
        format!("{}{place} ({})", mismatch.expected, column.named())
    })?;
    let array = read.to_array().map_err(|_| named())?;
    // A small integer type may not hold what its SQL type does.
    let exact = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(&array, &column.arrow, &exact).map_err(|_| named())
}

fn expectation(column: &Column) -> String {
    column.ty().map_or_else(|| "null".to_owned(), |ty| ty.expectation())
}

/// A value of a type; unlike an argument it may hold nulls.
fn scalar(ty: &Type, value: &Value, coercion: &Coercion) -> Result<ScalarValue, Mismatch> {
    let mismatch = || ty.mismatch(value);
    match (ty, value) {
        (ty, Value::Null) => ScalarValue::try_new_null(&ty.to_arrow()).map_err(|_| mismatch()),
        (Type::List(item), Value::Array(items)) => {
            let read = |(at, one): (usize, &Value)| {
                scalar(item, one, coercion).map_err(|inner| below(&format!("[{at}]"), inner))
            };
            let items = items.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
            Ok(ScalarValue::List(ScalarValue::new_list(&items, &item.to_arrow(), true)))
        }
        (Type::Struct(fields), Value::Object(map)) => {
            if map.keys().any(|key| !fields.iter().any(|(name, _)| name == key)) {
                return Err(mismatch());
            }
            let mut builder = ScalarStructBuilder::new();
            for (name, ty) in fields {
                let value = map.get(name).unwrap_or(&Value::Null);
                let read = scalar(ty, value, coercion).map_err(|inner| below(&format!(".{name}"), inner))?;
                builder = builder.with_scalar(Field::new(name, ty.to_arrow(), true), read);
            }
            builder.build().map_err(|_| mismatch())
        }
        (Type::Map(key, item), Value::Object(map)) => {
            let mut entries = (Vec::new(), Vec::new());
            for (name, value) in map {
                let inside = |inner| below(&format!(".{name}"), inner);
                entries.0.push(scalar(key, &Value::from(name.as_str()), coercion).map_err(inside)?);
                entries.1.push(scalar(item, value, coercion).map_err(inside)?);
            }
            mapping(ty, entries).ok_or_else(mismatch)
        }
        (ty, value) => ty.coerce(value, coercion),
    }
}

fn mapping(ty: &Type, (keys, values): (Vec<ScalarValue>, Vec<ScalarValue>)) -> Option<ScalarValue> {
    let DataType::Map(field, ordered) = ty.to_arrow() else { return None };
    let DataType::Struct(fields) = field.data_type() else { return None };
    let column = |scalars: Vec<ScalarValue>, field: Option<&FieldRef>| {
        if scalars.is_empty() {
            return Some(new_empty_array(field?.data_type()));
        }
        ScalarValue::iter_to_array(scalars).ok()
    };
    let length = keys.len();
    let columns = vec![column(keys, fields.first())?, column(values, fields.get(1))?];
    let entries = StructArray::try_new(fields.clone(), columns, None).ok()?;
    let map = MapArray::try_new(Arc::clone(&field), OffsetBuffer::from_lengths([length]), entries, None, ordered);
    Some(ScalarValue::Map(Arc::new(map.ok()?)))
}

fn below(step: &str, mut inner: Mismatch) -> Mismatch {
    inner.path.insert_str(0, step);
    inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::TimeUnit;
    use arrow::util::pretty::pretty_format_batches;
    use serde_json::json;

    fn column(name: &str, arrow: DataType, nullable: bool) -> Column {
        Column { name: name.to_owned(), arrow, nullable }
    }

    fn rows(value: Value) -> Vec<Row> {
        value.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect()
    }

    #[test]
    fn rows_have_the_exact_types_of_the_table_and_nulls_where_they_say_nothing() {
        let entries = Type::Map(Box::new(Type::Text), Box::new(Type::Int)).to_arrow();
        let table = Table::of_columns(vec![
            column("id", DataType::UInt8, false),
            column("name", DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8View)), true),
            column("price", DataType::Decimal256(12, 2), true),
            column("at", DataType::Timestamp(TimeUnit::Nanosecond, Some("Europe/Berlin".into())), true),
            column("tags", DataType::LargeList(Arc::new(Field::new("element", DataType::LargeUtf8, true))), true),
            column(
                "place",
                Type::Struct(vec![("lat".into(), Type::Real), ("name".into(), Type::Text)]).to_arrow(),
                true,
            ),
            column("counts", entries, true),
            column("nothing", DataType::Null, true),
        ]);
        let rows = rows(json!([
            {"id": 1, "name": "a", "price": 12.5, "at": "2024-07-01T12:00:00", "tags": ["x", null],
             "place": {"lat": 1.5}, "counts": {"a": 1}},
            {"id": 255, "price": "0.10", "tags": [], "place": null, "counts": {}, "nothing": null},
            {},
        ]));
        let zone = TimeZoneName::parse("America/New_York").unwrap();
        let batch = batch(&table, &rows, &zone).unwrap();
        let exact: Vec<&DataType> = batch.schema_ref().fields().iter().map(|field| field.data_type()).collect();
        assert_eq!(exact, table.columns.iter().map(|column| &column.arrow).collect::<Vec<_>>());
        assert_eq!(
            pretty_format_batches(&[batch]).unwrap().to_string(),
            "+-----+------+-------+---------------------------+-------+--------------------+--------+---------+\n\
             | id  | name | price | at                        | tags  | place              | counts | nothing |\n\
             +-----+------+-------+---------------------------+-------+--------------------+--------+---------+\n\
             | 1   | a    | 12.50 | 2024-07-01T18:00:00+02:00 | [x, ] | {lat: 1.5, name: } | {a: 1} |         |\n\
             | 255 |      | 0.10  |                           | []    |                    | {}     |         |\n\
             |     |      |       |                           |       |                    |        |         |\n\
             +-----+------+-------+---------------------------+-------+--------------------+--------+---------+"
        );
    }

    #[test]
    fn what_does_not_fit_is_told_row_by_row() {
        let table = Table::of_columns(vec![
            column("id", DataType::Int8, false),
            column("day", DataType::Date32, true),
            column("tags", Type::List(Box::new(Type::Int)).to_arrow(), true),
        ]);
        let rows = rows(json!([
            {"id": 300, "day": "2024-02-30"},
            {"id": null, "dya": "2024-02-01", "tags": [1, "x"]},
        ]));
        let told: Vec<String> = batch(&table, &rows, &TimeZoneName::default())
            .unwrap_err()
            .into_iter()
            .map(|misfit| match misfit {
                Misfit::UnknownColumn { row, column } => format!("{row} {column} ?"),
                Misfit::Value { row, column, expected, found } => format!("{row} {column}: {expected}; {found}"),
            })
            .collect();
        assert_eq!(
            told,
            [
                "0 id: an integer from -32768 to 32767 (smallint [Int8]); 300",
                "0 day: a date such as \"2024-03-31\" (date); \"2024-02-30\"",
                "1 dya ?",
                "1 id: a value, as `id` is never null; null",
                "1 tags: an integer from -2147483648 to 2147483647 at [1] (int[]); [1,\"x\"]",
            ]
        );
    }
}
