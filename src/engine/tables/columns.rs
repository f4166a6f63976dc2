//! From the columns that files have to the columns of a table: declared types, texts that stand for null, and texts that
//! are instants in the project's zone.

use super::TableError;
use super::decimals;
use super::options::Reading;
use super::whole::forms;
use crate::name::nearest;
use crate::plan::zones::{Zone, in_zone};
use crate::project::{FileFormat, FilesSource};
use crate::ty::Type;
use arrow::compute::can_cast_types;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::common::{DFSchema, DataFusionError};
use datafusion::functions::core::expr_fn::nullif;
use datafusion::functions::encoding::expr_fn::encode;
use datafusion::functions::regex::expr_fn::regexp_replace;
use datafusion::logical_expr::{Expr, cast, ident, lit};
use indexmap::IndexMap;
use std::sync::Arc;

/// The columns whose type is declared.
pub(super) fn declared(source: &FilesSource) -> Result<IndexMap<String, Type>, TableError> {
    let mut types = IndexMap::new();
    for (name, column) in &source.columns {
        if let Some(text) = column.ty() {
            types.insert(name.clone(), parse(&format!("columns.{name}"), text)?);
        }
    }
    Ok(types)
}

/// The columns whose type is declared, by the names that they have in the data.
pub(super) fn declared_in_data(source: &FilesSource) -> Result<IndexMap<String, Type>, TableError> {
    let in_data = |(name, ty): (String, Type)| (source.name_in_data(&name).to_owned(), ty);
    Ok(declared(source)?.into_iter().map(in_data).collect())
}

/// Reads a declared type.
pub(super) fn parse(option: &str, text: &str) -> Result<Type, TableError> {
    Type::parse(text).map_err(|unknown| TableError::option(option, unknown.to_string()))
}

/// Refuses what is said of columns that do not exist.
pub(super) fn check_names(source: &FilesSource, data: &Schema, partitions: &[&str]) -> Result<(), TableError> {
    if let Some(name) = source.rename.keys().find(|name| data.field_with_name(name).is_err()) {
        let known = nearest(name, data.fields().iter().map(|field| field.name().as_str()));
        let near = known.map(|near| format!("; there is `{near}`")).unwrap_or_default();
        let message = format!("column `{name}` does not exist in the data{near}");
        return Err(TableError::option(format!("rename.{name}"), message));
    }
    let names: Vec<&str> = data.fields().iter().map(|field| source.renamed(field.name())).collect();
    let is_taken = |name: &str| names.iter().filter(|one| **one == name).count() > 1 || partitions.contains(&name);
    if let Some((old, new)) = source.rename.iter().find(|(_, new)| is_taken(new)) {
        let message = format!("there is another column `{new}`");
        return Err(TableError::option(format!("rename.{old}"), message));
    }
    for name in source.columns.keys() {
        if !names.contains(&name.as_str()) && !partitions.contains(&name.as_str()) {
            let message = match source.rename.get(name) {
                Some(new) => format!("column `{name}` is renamed: declare `{new}`"),
                None => format!("column `{name}` does not exist in the data"),
            };
            return Err(TableError::option(format!("columns.{name}"), message));
        }
    }
    Ok(())
}

/// Whether the locked types do not say which types the files have, because some are declared and not the files' own.
pub(super) fn need_data(format: FileFormat, declared: &IndexMap<String, Type>, zone: &Zone) -> bool {
    match format {
        FileFormat::Csv | FileFormat::Tsv => false,
        FileFormat::Json | FileFormat::Ndjson => declared.values().any(|ty| {
            let arrow = ty.to_arrow();
            arrow == DataType::Utf8 || !json_reads(&arrow) || as_text(&arrow, zone) != arrow
        }),
        FileFormat::Parquet | FileFormat::Arrow | FileFormat::Avro | FileFormat::Excel => !declared.is_empty(),
    }
}

/// What a table reads and what it makes of it.
#[derive(Debug)]
pub(super) struct Plan {
    /// The columns as read from the files.
    pub(super) files: SchemaRef,
    /// The columns with the types that texts in the files must be of.
    pub(super) values: Schema,
    columns: Vec<Expr>,
    /// Whether the columns are not simply those of the files.
    differs: bool,
}

impl Plan {
    /// The columns of the view to lay over the files, if one is needed; those of the folders come last.
    pub(super) fn view(&self, folders: &Folders) -> Option<Vec<Expr>> {
        let columns = || self.columns.iter().chain(&folders.columns).cloned().collect();
        (self.differs || folders.differs).then(columns)
    }
}

/// The name in the files of a column of a view that is nothing but one of theirs, with another name or its own.
pub(super) fn name_in_file(view: &[Expr], column: &str) -> Option<String> {
    view.iter().find_map(|expr| match expr {
        Expr::Alias(alias) if alias.name == column => match alias.expr.as_ref() {
            Expr::Column(column) => Some(column.name.clone()),
            _ => None,
        },
        _ => None,
    })
}

/// What a table reads of its folders' names and what it makes of it.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// The columns as read from the names.
    pub(super) read: Vec<(String, DataType)>,
    columns: Vec<Expr>,
    differs: bool,
}

/// Plans the columns that folders are named by. Local times are those of `zone`, as in the files.
pub(super) fn of_folders(wanted: &[(String, DataType)], zone: &Zone) -> Result<Folders, TableError> {
    let mut folders = Folders::default();
    for (name, wanted) in wanted {
        let read = as_text(wanted, zone);
        let mut column = ident(name);
        if read != *wanted {
            let field = Field::new(name, read.clone(), false);
            column = in_zone(cast(column, wanted.clone()), &of_file(&field, &read)?, zone).map_err(unplanned)?.data;
            folders.differs = true;
        }
        folders.columns.push(column.alias(name));
        folders.read.push((name.clone(), read));
    }
    Ok(folders)
}

/// Plans the columns of a table: `data` are those of its files, inferred or locked. Local times are those of `zone`.
pub(super) fn plan(
    reading: &Reading,
    data: &Schema,
    declared: &IndexMap<String, Type>,
    zone: &Zone,
) -> Result<Plan, TableError> {
    let mut fields = Vec::new();
    let mut values = Vec::new();
    let mut columns = Vec::new();
    let mut differs = false;
    for field in data.fields() {
        let declared_type = declared.get(field.name());
        if let Some(fine) = decimals::too_fine(field.data_type()).filter(|_| declared_type.is_none()) {
            return Err(too_fine(reading.renamed(field.name()), fine));
        }
        let of_data = undeclared_type(field.data_type());
        let wanted = declared_type.map_or_else(|| of_data.clone(), |ty| typed(&of_data, ty));
        if reading.is_csv() && loses_offset(field.data_type(), &wanted) {
            return Err(offset_lost(reading.renamed(field.name()), &wanted));
        }
        let read = read_as(reading, field.data_type(), &wanted, zone);
        let is_uuid = declared_type == Some(&Type::Uuid) && read == DataType::FixedSizeBinary(16);
        if !(is_uuid || casts(&read, &wanted)) || (field.data_type().is_nested() && !wanted.is_nested()) {
            return Err(contradiction(reading.renamed(field.name()), field, &wanted));
        }
        // What is read as text becomes a value of the column's type.
        let is_cast_text = read == DataType::Utf8 && !wanted.is_nested();
        let becomes = reading.is_csv() || is_cast_text || read == as_text(&wanted, zone);
        let of_values = Field::new(field.name(), if becomes { &wanted } else { &read }.clone(), true);
        let chosen = declared_type.filter(|_| becomes);
        values.push(chosen.map_or_else(|| of_values.clone(), |ty| forms::declared_as(&of_values, ty)));
        let mut column = ident(field.name());
        if let Some(text) = &reading.null_value {
            column = nullif(column, lit(text.as_str()));
            differs = true;
        }
        if is_uuid {
            column = uuid_as_text(column);
            differs = true;
        } else if read != wanted {
            let column_as_read = decimals::before_cast(column, &read);
            column = in_zone(cast(column_as_read, wanted), &of_file(field, &read)?, zone).map_err(unplanned)?.data;
            differs = true;
        }
        let name = reading.renamed(field.name());
        differs |= name != field.name();
        columns.push(column.alias(name));
        fields.push(Field::new(field.name(), read, field.is_nullable()));
    }
    Ok(Plan { files: Arc::new(Schema::new(fields)), values: Schema::new(values), columns, differs })
}

/// The text of a UUID of 16 bytes, as Parquet has them.
fn uuid_as_text(column: Expr) -> Expr {
    let digits = encode(cast(column, DataType::Binary), lit("hex"));
    let groups = lit("^(.{8})(.{4})(.{4})(.{4})(.{12})$");
    regexp_replace(digits, groups, lit("${1}-${2}-${3}-${4}-${5}"), None)
}

/// The type of a column that nobody declared: that of the data, with decimals of one kind where a cast makes them.
fn undeclared_type(data: &DataType) -> DataType {
    Some(decimals::of_128_bits(data)).filter(|plain| casts(data, plain)).unwrap_or_else(|| data.clone())
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
fn read_as(reading: &Reading, data: &DataType, wanted: &DataType, zone: &Zone) -> DataType {
    match reading.format {
        // DataFusion's reader knows no null but the empty text.
        FileFormat::Csv | FileFormat::Tsv if reading.null_value.is_some() || !csv_reads(wanted) => DataType::Utf8,
        FileFormat::Csv | FileFormat::Tsv => as_text(wanted, zone),
        // Numbers are read as text too, as they are written: see `json_texts`.
        FileFormat::Json | FileFormat::Ndjson if json_reads(wanted) => as_text(wanted, zone),
        _ => data.clone(),
    }
}

/// The type with text in the place of instants. The readers of text know no answer for a time of day that comes twice or
/// never, so in a zone where there may be such times a cast reads them.
fn as_text(wanted: &DataType, zone: &Zone) -> DataType {
    match wanted {
        DataType::Timestamp(_, Some(_)) if zone.is_utc() => wanted.clone(),
        DataType::Timestamp(_, Some(_)) => DataType::Utf8,
        DataType::List(item) => DataType::List(field_as_text(item, zone)),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| field_as_text(field, zone)).collect()),
        _ => wanted.clone(),
    }
}

fn field_as_text(wanted: &FieldRef, zone: &Zone) -> FieldRef {
    let ty = as_text(wanted.data_type(), zone);
    Arc::new(wanted.as_ref().clone().with_data_type(ty))
}

/// A schema of that column alone.
fn of_file(field: &Field, read: &DataType) -> Result<DFSchema, TableError> {
    let column = Field::new(field.name(), read.clone(), true);
    DFSchema::try_from(Schema::new(vec![column])).map_err(unplanned)
}

fn unplanned(error: DataFusionError) -> TableError {
    TableError::Unreadable { message: error.strip_backtrace() }
}

/// Whether values with an offset are to be of a type that has none: the reader would show them as clocks do in UTC.
fn loses_offset(data: &DataType, wanted: &DataType) -> bool {
    let is_local = matches!(wanted, DataType::Timestamp(_, None) | DataType::Date32);
    matches!(data, DataType::Timestamp(_, Some(_))) && is_local
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

fn name(ty: &DataType) -> String {
    Type::from_arrow(ty).map_or_else(|| ty.to_string(), |ty| ty.to_string())
}

fn offset_lost(column: &str, wanted: &DataType) -> TableError {
    let wanted = name(wanted);
    let message = format!(
        "column `{column}` holds times with an offset or a `Z`, which type {wanted} has no place for; declare \
         `timestamptz`, and cast it in queries"
    );
    TableError::option(format!("columns.{column}"), message)
}

fn too_fine(column: &str, decimal: &DataType) -> TableError {
    let message = format!(
        "column `{column}` is {}, with more digits behind the point than a decimal has here: declare one of 38 digits, \
         such as `decimal(38,18)`, which it is rounded to, or `double`",
        name(decimal)
    );
    TableError::option(format!("columns.{column}"), message)
}

fn contradiction(column: &str, field: &Field, wanted: &DataType) -> TableError {
    let message = format!("column `{column}` holds {} and cannot be read as {}", name(field.data_type()), name(wanted));
    TableError::option(format!("columns.{column}"), message)
}
