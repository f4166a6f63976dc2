//! Rows of MySQL as batches of Arrow.

use super::super::batch::{Batch, CellRow, quoted_text};
use super::super::driver::Request;
use super::super::error::SourceError;
use super::prepare::{declared, may_be_read_as};
use super::types::column_type;
use super::values::Sent;
use crate::ty::Type;
use arrow::datatypes::{DataType, FieldRef};
use mysql_async::consts::ColumnType;
use mysql_async::{Column, Row, Value};

/// What a value is that is none of its type here, and is counted.
const COUNTED: &str = "outside of its type, such as 0000-00-00";

/// For the rows of a request that have these columns.
///
/// Errors: they are others than those that were asked for.
pub(super) fn batch(request: &Request, columns: &[Column], source: &str) -> Result<Batch, SourceError> {
    let fields = request.outline.schema.fields();
    if request.outline.is_authored {
        let is_same = |(column, field): (&Column, &FieldRef)| column.name_str() == *field.name();
        if columns.len() != fields.len() || !columns.iter().zip(fields).all(is_same) {
            return Err(SourceError::outdated(source.to_owned(), &request.outline.table));
        }
    }
    let are_enough = columns.len() >= fields.len() + request.outline.key.len() + request.outline.guarded.len();
    let is_another = |(column, field): &(&Column, &FieldRef)| !is_read_as(column.column_type(), field.data_type());
    Err(match columns.iter().zip(fields).find(is_another) {
        None if are_enough => return Ok(Batch::new(request, source, COUNTED)),
        Some((column, _)) if request.outline.is_authored && is_of_values(request, column) => {
            let why = format!(
                "for these values, column `{}` of `{}` is of the database's type {}; cast it in the statement, or say its type \
                 under `columns` of the header",
                column.name_str(),
                request.outline.table,
                declared(column)
            );
            SourceError::Refused { source: source.to_owned(), why }
        }
        _ if request.outline.is_authored => SourceError::outdated(source.to_owned(), &request.outline.table),
        _ => SourceError::Changed { source: source.to_owned(), table: request.outline.table.to_string() },
    })
}

/// Whether values may decide of which type a column is: that of an expression.
fn is_of_values(request: &Request, column: &Column) -> bool {
    column.org_table_str().is_empty() && !request.binds.is_empty()
}

/// What is told of rows that cannot be taken: where a column of a table is of another type than when the statement of an
/// author was compiled, that is why.
pub(super) fn told_error(error: SourceError, request: &Request, columns: &[Column], source: &str) -> SourceError {
    let is_meant = |name: &str| match &error {
        SourceError::Misfit(misfit) => misfit.column == name,
        SourceError::Overflow { .. } => true,
        _ => false,
    };
    let is_another = |(at, (column, field)): (usize, (&Column, &FieldRef))| {
        let is_meant = is_meant(field.name()) && !is_of_values(request, column);
        is_meant && !is_as_compiled(request, at, column, field.data_type())
    };
    match request.outline.is_authored && columns.iter().zip(request.outline.schema.fields()).enumerate().any(is_another)
    {
        true => SourceError::outdated(source.to_owned(), &request.outline.table),
        false => error,
    }
}

/// Whether the type of a column is still one that is read as what was published.
fn is_as_compiled(request: &Request, at: usize, column: &Column, published: &DataType) -> bool {
    let own = declared(column);
    let is_same = column_type(&own).is_some_and(|ty| ty.to_arrow() == *published);
    let is_told = request.outline.as_told.get(at).is_some_and(|is_told| *is_told);
    is_same || !is_told && Type::beside_column(published).is_some_and(|ty| may_be_read_as(&own, &ty))
}

impl CellRow for Row {
    type Cell<'a> = Sent<'a>;

    fn cell(&self, at: usize) -> Option<Option<Sent<'_>>> {
        let value = self.as_ref(at)?;
        Some(Some(value).filter(|value| **value != Value::NULL).map(Sent))
    }

    fn key_text(&self, at: usize) -> Option<String> {
        let is_number = self.columns_ref().get(at)?.column_type() == ColumnType::MYSQL_TYPE_NEWDECIMAL;
        match self.as_ref(at)? {
            Value::Int(number) => Some(number.to_string()),
            Value::UInt(number) => Some(number.to_string()),
            Value::Bytes(bytes) => {
                let text = std::str::from_utf8(bytes).ok()?;
                Some(if is_number { text.to_owned() } else { quoted_text(text) })
            }
            Value::Date(year, month, day, 0, 0, 0, 0) => Some(format!("'{year:04}-{month:02}-{day:02}'")),
            Value::Date(year, month, day, hour, minute, second, _) => {
                Some(format!("'{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}'"))
            }
            _ => None,
        }
    }
}

/// Whether values of a type are read as an Arrow type.
fn is_read_as(own: ColumnType, ty: &DataType) -> bool {
    use ColumnType::{
        MYSQL_TYPE_BIT, MYSQL_TYPE_DATE, MYSQL_TYPE_DATETIME, MYSQL_TYPE_DOUBLE, MYSQL_TYPE_FLOAT, MYSQL_TYPE_INT24,
        MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG, MYSQL_TYPE_NEWDECIMAL, MYSQL_TYPE_SHORT, MYSQL_TYPE_TIME,
        MYSQL_TYPE_TIMESTAMP, MYSQL_TYPE_TINY, MYSQL_TYPE_YEAR,
    };
    let is_integer = matches!(
        own,
        MYSQL_TYPE_TINY | MYSQL_TYPE_SHORT | MYSQL_TYPE_INT24 | MYSQL_TYPE_LONG | MYSQL_TYPE_LONGLONG | MYSQL_TYPE_YEAR
    );
    let is_temporal = matches!(own, MYSQL_TYPE_DATE | MYSQL_TYPE_DATETIME | MYSQL_TYPE_TIMESTAMP | MYSQL_TYPE_TIME);
    let is_real = matches!(own, MYSQL_TYPE_FLOAT | MYSQL_TYPE_DOUBLE);
    match ty {
        DataType::Boolean => is_integer || own == MYSQL_TYPE_BIT,
        DataType::Int16 | DataType::Int32 | DataType::UInt64 => is_integer,
        // Sums of whole numbers are decimals.
        DataType::Int64 => is_integer || own == MYSQL_TYPE_NEWDECIMAL,
        DataType::Float32 => own == MYSQL_TYPE_FLOAT,
        DataType::Float64 => is_integer || is_real || own == MYSQL_TYPE_NEWDECIMAL,
        DataType::Decimal128(..) => is_integer || own == MYSQL_TYPE_NEWDECIMAL,
        DataType::Date32 => own == MYSQL_TYPE_DATE,
        DataType::Timestamp(..) => own == MYSQL_TYPE_DATETIME || own == MYSQL_TYPE_TIMESTAMP,
        DataType::Time64(_) | DataType::Interval(_) => own == MYSQL_TYPE_TIME,
        DataType::Utf8 | DataType::Binary => !is_integer && !is_temporal && !is_real,
        _ => false,
    }
}
