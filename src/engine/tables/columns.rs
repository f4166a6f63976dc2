//! From the columns that files have to the columns of a table: declared types, and texts that stand for null.

use super::TableError;
use super::options::Reading;
use crate::project::{FileFormat, TableSource};
use crate::ty::Type;
use arrow::compute::can_cast_types;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::functions::core::expr_fn::nullif;
use datafusion::logical_expr::{Expr, cast, ident, lit};
use indexmap::IndexMap;
use std::sync::Arc;

/// The columns whose type is declared.
pub(super) fn declared(source: &TableSource) -> Result<IndexMap<String, Type>, TableError> {
    let mut types = IndexMap::new();
    for (name, column) in &source.columns {
        if let Some(text) = column.ty() {
            types.insert(name.clone(), parse(&format!("columns.{name}"), text)?);
        }
    }
    Ok(types)
}

/// Reads a declared type.
pub(super) fn parse(option: &str, text: &str) -> Result<Type, TableError> {
    Type::parse(text).map_err(|unknown| TableError::option(option, unknown.to_string()))
}

/// Refuses what is said of columns that do not exist.
pub(super) fn check_names(source: &TableSource, data: &Schema, partitions: &[&str]) -> Result<(), TableError> {
    for name in source.columns.keys() {
        if data.field_with_name(name).is_err() && !partitions.contains(&name.as_str()) {
            let message = format!("column `{name}` does not exist in the data");
            return Err(TableError::option(format!("columns.{name}"), message));
        }
    }
    Ok(())
}

/// Whether the locked types do not say which types the files have, because some are declared and not the files' own.
pub(super) fn need_data(format: FileFormat, declared: &IndexMap<String, Type>) -> bool {
    match format {
        FileFormat::Csv | FileFormat::Tsv => false,
        FileFormat::Json | FileFormat::Ndjson => declared.values().any(|ty| {
            let arrow = ty.to_arrow();
            arrow == DataType::Utf8 || !json_reads(&arrow)
        }),
        FileFormat::Parquet | FileFormat::Arrow | FileFormat::Avro => !declared.is_empty(),
    }
}

/// What a table reads and what it makes of it.
#[derive(Debug)]
pub(super) struct Plan {
    /// The columns as read from the files.
    pub(super) files: SchemaRef,
    columns: Vec<Expr>,
    /// Whether the columns are not simply those of the files.
    differs: bool,
}

impl Plan {
    /// The columns of the view to lay over the files, if one is needed; `partitions` come last.
    pub(super) fn view(&self, partitions: &[&str]) -> Option<Vec<Expr>> {
        let partitions = partitions.iter().map(|name| ident(*name).alias(*name));
        self.differs.then(|| self.columns.iter().cloned().chain(partitions).collect())
    }
}

/// Plans the columns of a table: `data` are those of its files, inferred or locked.
pub(super) fn plan(reading: &Reading, data: &Schema, declared: &IndexMap<String, Type>) -> Result<Plan, TableError> {
    let mut fields = Vec::new();
    let mut columns = Vec::new();
    let mut differs = false;
    for field in data.fields() {
        let wanted =
            declared.get(field.name()).map_or_else(|| field.data_type().clone(), |ty| typed(field.data_type(), ty));
        let read = read_as(reading, field.data_type(), &wanted);
        if !casts(&read, &wanted) || (field.data_type().is_nested() && !wanted.is_nested()) {
            return Err(contradiction(field, &wanted));
        }
        let mut column = ident(field.name());
        if let Some(text) = &reading.null_value {
            column = nullif(column, lit(text.as_str()));
            differs = true;
        }
        if read != wanted {
            column = cast(column, wanted);
            differs = true;
        }
        columns.push(column.alias(field.name()));
        fields.push(Field::new(field.name(), read, field.is_nullable()));
    }
    Ok(Plan { files: Arc::new(Schema::new(fields)), columns, differs })
}

/// The Arrow type of a declared column: that of the data where a person would call it by the declared name.
fn typed(data: &DataType, ty: &Type) -> DataType {
    let same = match Type::from_arrow(data) {
        Some(Type::Text) => matches!(ty, Type::Text | Type::Uuid | Type::Json),
        Some(found) => found == *ty,
        None => false,
    };
    if same { data.clone() } else { ty.to_arrow() }
}

/// The type that the files are read with. The readers of text make values of most types; the other formats have types
/// of their own.
fn read_as(reading: &Reading, data: &DataType, wanted: &DataType) -> DataType {
    match reading.format {
        // DataFusion's reader knows no null but the empty text.
        FileFormat::Csv | FileFormat::Tsv if reading.null_value.is_some() || !csv_reads(wanted) => DataType::Utf8,
        FileFormat::Csv | FileFormat::Tsv => wanted.clone(),
        // A number is not read as text.
        FileFormat::Json | FileFormat::Ndjson
            if json_reads(wanted) && (*wanted != DataType::Utf8 || data == wanted) =>
        {
            wanted.clone()
        }
        _ => data.clone(),
    }
}

/// Whether values of one type can be those of another: not a single value a list of one.
fn casts(from: &DataType, to: &DataType) -> bool {
    from == to || (from.is_nested() == to.is_nested() && can_cast_types(from, to))
}

fn csv_reads(ty: &DataType) -> bool {
    matches!(
        ty,
        DataType::Boolean
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::Float32
            | DataType::Float64
            | DataType::Decimal128(..)
            | DataType::Utf8
            | DataType::Date32
            | DataType::Time64(_)
            | DataType::Timestamp(..)
    )
}

fn json_reads(ty: &DataType) -> bool {
    match ty {
        DataType::List(item) => json_reads(item.data_type()),
        DataType::Struct(fields) => fields.iter().all(|field| json_reads(field.data_type())),
        other => csv_reads(other),
    }
}

fn contradiction(field: &Field, wanted: &DataType) -> TableError {
    let name = |ty: &DataType| Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string());
    let message =
        format!("column `{}` holds {} and cannot be read as {}", field.name(), name(field.data_type()), name(wanted));
    TableError::option(format!("columns.{}", field.name()), message)
}
