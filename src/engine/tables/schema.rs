//! The schema of a table's files.

use super::endings::Ending;
use super::files::Found;
use super::json_records::{self, Layout};
use super::leading_zeros::with_codes;
use super::nature;
use super::offsets::with_instants;
use super::options::{Reading, SpansLines};
use super::sample::{HEAD, Sample, WHOLE};
use super::separator_line::{separator_of, separator_told};
use super::{TableError, failure};
use crate::project::{FileFormat, FilesSource};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, FieldRef, Fields, IntervalUnit, Schema};
use arrow::error::ArrowError;
use datafusion::common::DataFusionError;
use datafusion::datasource::TableProvider;
use datafusion::prelude::{SessionContext, ident};
use futures::StreamExt;
use indexmap::IndexMap;
use object_store::ObjectMeta;
use std::collections::HashSet;
use std::sync::Arc;

/// Bytes read of all text files together, about.
pub(super) const SAMPLES: u64 = 4 * WHOLE;

/// Tells a file named `.json` that holds one object after the other from one that holds a list; and whether the objects
/// go over several lines.
pub(super) async fn settle_json(found: &mut Found, source: &FilesSource) -> Result<SpansLines, TableError> {
    let Some(file) = found.files.first() else {
        return Ok(SpansLines::No);
    };
    if source.format.is_some() || found.ending.format != FileFormat::Json {
        return Ok(SpansLines::No);
    }
    let head = Sample::take(&found.store, file, found.ending, HEAD).await;
    let head = head.map_err(|error| failure::engine(&found.shown, &error, &[]))?;
    // One that holds nothing is no lines: it is as damaged as one without a byte.
    let is_blank = head.text.trim_ascii().is_empty();
    if Layout::of(&head.text) == Layout::List || is_blank {
        return Ok(SpansLines::No);
    }
    found.ending = Ending { format: FileFormat::Ndjson, ..found.ending };
    Ok(json_records::spans_lines(&head.text))
}

/// The columns of files without a row as far as they are declared; `None` where a row tells of more.
pub(super) fn declared(reading: &Reading, declared: &IndexMap<String, Type>) -> Option<Schema> {
    let fields: Vec<Field> = declared.iter().map(|(name, ty)| Field::new(name, ty.to_arrow(), true)).collect();
    (is_json(reading) && !fields.is_empty()).then(|| Schema::new(fields))
}

/// Reads the schema from the files. `known` are the columns that they had, or should have: of text that does not say, they
/// are taken.
pub(super) async fn infer(
    ctx: &SessionContext,
    found: &Found,
    reading: &Reading,
    known: Option<&Schema>,
) -> Result<Schema, TableError> {
    if found.files.is_empty() {
        return known.cloned().ok_or_else(|| failure::unreadable(&found.shown, EMPTY));
    }
    let schema = match of_files(ctx, found, reading, &found.files).await {
        Ok(schema) if reading.is_text() => completed(&schema, reading, known),
        Ok(schema) => schema,
        Err(error) => {
            return Err(match of_culprit(ctx, found, reading).await {
                Some(culprit) => culprit,
                None => failed(found, found.files.first(), &error).await,
            });
        }
    };
    if schema.fields().is_empty() && is_json(reading) {
        return Err(failure::unreadable(&found.shown, EMPTY));
    }
    if schema.fields().is_empty() && reading.is_csv() {
        return Err(failure::unreadable(&found.shown, "it holds nothing but empty lines"));
    }
    let is_parquet = reading.format == FileFormat::Parquet;
    if let Some(column) = schema.fields().iter().find(|field| is_parquet && holds_spans(field.data_type())) {
        return Err(failure::unreadable(&found.shown, &spans_lose_months(column.name())));
    }
    let mut names = HashSet::new();
    match schema.fields().iter().find(|field| !names.insert(field.name().as_str())) {
        Some(twice) => Err(failure::unreadable(&found.shown, &named_twice(twice.name(), reading))),
        None => Ok(schema),
    }
}

fn named_twice(name: &str, reading: &Reading) -> String {
    let other = if name.is_empty() { "#2".to_owned() } else { format!("{name}#2") };
    let how = format!(": give the second another name with `rename`, by `{other}`");
    format!("two columns are named `{name}`{}", if reading.is_csv() { how.as_str() } else { "" })
}

/// Checks that CSV files still have the locked columns: their values are told apart by position only.
pub(super) async fn check_header(found: &Found, reading: &Reading, locked: &Schema) -> Result<(), TableError> {
    let Some(file) = found.files.first().filter(|_| reading.is_csv()) else {
        return Ok(());
    };
    let failed = |error: DataFusionError| failure::engine(&found.shown, &error, &[]);
    let mut head = Sample::take(&found.store, file, reading.ending(), HEAD).await.map_err(failed)?;
    head.keep_whole_csv_lines();
    let (header, _) =
        reading.csv().infer_schema(head.text.as_slice(), Some(0)).map_err(|error| failed(error.into()))?;
    if same_names(&header, locked) {
        return Ok(());
    }
    let shown = if found.single { found.shown.as_str() } else { file.location.as_ref() };
    let is_moved = header.fields().len() == locked.fields().len()
        && locked.fields().iter().all(|field| header.field_with_name(field.name()).is_ok());
    let why = if is_moved {
        "its columns have another order than those of the locked schema"
    } else {
        "its columns are not those of the locked schema"
    };
    Err(failure::unreadable(shown, why))
}

/// Reads a table to its end, to find the values that do not have their column's type.
pub(super) async fn try_out(ctx: &SessionContext, table: &Arc<dyn TableProvider>) -> Result<(), DataFusionError> {
    let mut batches = ctx.read_table(Arc::clone(table))?.execute_stream().await?;
    while let Some(batch) = batches.next().await {
        batch?;
    }
    Ok(())
}

/// The first column that cannot be read by itself, and why.
pub(super) async fn try_out_each(
    ctx: &SessionContext,
    table: &Arc<dyn TableProvider>,
) -> Option<(String, DataFusionError)> {
    for field in table.schema().fields() {
        let column = async || {
            let column = ctx.read_table(Arc::clone(table))?.select(vec![ident(field.name())])?;
            try_out(ctx, &column.into_view()).await
        };
        if let Err(error) = column().await {
            return Some((field.name().clone(), error));
        }
    }
    None
}

async fn of_files(
    ctx: &SessionContext,
    found: &Found,
    reading: &Reading,
    files: &[ObjectMeta],
) -> Result<Schema, DataFusionError> {
    if reading.is_text() {
        return text(found, files, reading).await;
    }
    let format = reading.file_format(ctx);
    let schema = format.infer_schema(&ctx.state(), &found.store, files).await?;
    // Without metadata, which a lock does not keep either.
    Ok(match reading.format {
        FileFormat::Parquet => Schema::new(with_plain_items(schema.fields())),
        _ => Schema::new(schema.fields().clone()),
    })
}

/// What is wrong with the first of several files that cannot be read by itself.
async fn of_culprit(ctx: &SessionContext, found: &Found, reading: &Reading) -> Option<TableError> {
    if found.single {
        return None;
    }
    for file in &found.files {
        if let Err(error) = of_files(ctx, found, reading, std::slice::from_ref(file)).await {
            return Some(failed(found, Some(file), &error).await);
        }
    }
    None
}

/// Why the schema of a file cannot be read: what else it is, or else what its reader says.
async fn failed(found: &Found, file: Option<&ObjectMeta>, error: &DataFusionError) -> TableError {
    let shown: &str = match file {
        Some(file) if !found.single => file.location.as_ref(),
        _ => found.shown.as_str(),
    };
    let head = match file {
        Some(file) => found.head(file).await,
        None => None,
    };
    match head.and_then(|head| nature::unlike(&head, found.ending)) {
        Some(why) => failure::unreadable(shown, &why.to_string()),
        None => failure::engine(shown, error, &[]),
    }
}

/// Why files without a row are no table.
const EMPTY: &str = "it is empty, and no columns are declared";

fn is_json(reading: &Reading) -> bool {
    matches!(reading.format, FileFormat::Json | FileFormat::Ndjson)
}

/// What the rows say of the columns, and where they say nothing, what is known of them.
fn completed(read: &Schema, reading: &Reading, known: Option<&Schema>) -> Schema {
    if let Some(known) = known
        && is_json(reading)
        && read.fields().is_empty()
    {
        return known.clone();
    }
    let of_nulls = |field: &FieldRef| {
        let known = known?.field_with_name(field.name()).ok()?;
        let is_unknown = *field.data_type() == DataType::Null;
        is_unknown.then(|| Arc::new(field.as_ref().clone().with_data_type(known.data_type().clone())))
    };
    let fields: Fields =
        read.fields().iter().map(|field| of_nulls(field).unwrap_or_else(|| Arc::clone(field))).collect();
    Schema::new(without_null(&fields))
}

async fn text(found: &Found, files: &[ObjectMeta], reading: &Reading) -> Result<Schema, DataFusionError> {
    let mut samples = Vec::new();
    let names: Vec<String> = files.iter().map(|file| file.location.to_string()).collect();
    let mut read = 0;
    for file in files {
        if read >= SAMPLES {
            break;
        }
        samples.push(Sample::take(&found.store, file, reading.ending(), WHOLE).await?);
        read += file.size.min(WHOLE);
    }
    let reading = reading.clone();
    let infer = move || match reading.format {
        FileFormat::Json => json_records::schema(&samples, &names, Layout::List, &reading),
        FileFormat::Ndjson => json_records::schema(&samples, &names, Layout::Lines, &reading),
        _ => csv(samples, &names, &reading),
    };
    let inferred = tokio::task::spawn_blocking(infer).await;
    Ok(inferred.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))??)
}

/// In one piece, unlike DataFusion's inference, which takes every 8 KiB of a file for itself: a column of times is text
/// there if some of its values have more digits than others.
fn csv(samples: Vec<Sample>, names: &[String], reading: &Reading) -> Result<Schema, ArrowError> {
    let format = reading.csv();
    let mut all: Option<Schema> = None;
    for (mut sample, name) in samples.into_iter().zip(names) {
        if let Some(sign) = separator_of(&sample.text) {
            return Err(ArrowError::SchemaError(separator_told(sign)));
        }
        if let Some(why) = nature::json_for_csv(nature::head(&sample.text)).filter(|_| reading.header) {
            return Err(ArrowError::SchemaError(why.to_string()));
        }
        sample.keep_whole_csv_lines();
        let (schema, _) = format.infer_schema(sample.text.as_slice(), None)?;
        let schema = with_codes(&with_instants(&schema, &format, &sample.text), &format, &sample.text);
        all = Some(match all {
            Some(before) => joined(&before, &schema).ok_or_else(|| {
                let first = names.first().map_or("", String::as_str);
                ArrowError::SchemaError(match other_delimiter(&sample.text, &before, reading.delimiter) {
                    Some([other, own]) => {
                        format!("`{name}` has {other} between its values, and `{first}` has {own}: write both alike")
                    }
                    None => format!("`{name}` does not have the columns of `{first}` in the same order"),
                })
            })?,
            None => schema,
        });
    }
    Ok(all.unwrap_or_else(Schema::empty))
}

/// What stands between the names of a file, where they are those of the files before in other signs: that, and theirs.
fn other_delimiter(text: &[u8], before: &Schema, delimiter: u8) -> Option<[String; 2]> {
    let text = String::from_utf8_lossy(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let line = text.lines().next()?;
    let is_between = |other: &&u8| {
        let names = line.split(char::from(**other)).map(|name| name.trim_matches('"'));
        names.eq(before.fields().iter().map(|field| field.name().as_str()))
    };
    let found = b",;\t|".iter().filter(|other| **other != delimiter).find(is_between)?;
    let shown = |byte: u8| if byte == b'\t' { "a tab".to_owned() } else { format!("`{}`", char::from(byte)) };
    Some([shown(*found), shown(delimiter)])
}

fn same_names(a: &Schema, b: &Schema) -> bool {
    a.fields().iter().map(|field| field.name()).eq(b.fields().iter().map(|field| field.name()))
}

/// `None` where they do not have the same columns in the same order.
fn joined(before: &Schema, schema: &Schema) -> Option<Schema> {
    if !same_names(before, schema) {
        return None;
    }
    let fields = before.fields().iter().zip(schema.fields());
    let fields: Vec<Field> =
        fields.map(|(a, b)| Field::new(a.name(), joined_type(a.data_type(), b.data_type()), true)).collect();
    Some(Schema::new(fields))
}

/// The type that takes the values of both, as for the values of one file.
fn joined_type(a: &DataType, b: &DataType) -> DataType {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (DataType::Null, other) | (other, DataType::Null) => other.clone(),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => DataType::Float64,
        (DataType::Timestamp(a, one), DataType::Timestamp(b, other)) => {
            DataType::Timestamp(*a.max(b), one.clone().or_else(|| other.clone()))
        }
        (time @ DataType::Timestamp(..), DataType::Date32) | (DataType::Date32, time @ DataType::Timestamp(..)) => {
            time.clone()
        }
        _ => DataType::Utf8,
    }
}

/// Whether a type is, or holds, Parquet's INTERVAL as its reader takes it: days and milliseconds, without its months.
fn holds_spans(ty: &DataType) -> bool {
    match ty {
        DataType::Interval(IntervalUnit::DayTime) => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::Map(item, _) => holds_spans(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| holds_spans(field.data_type())),
        _ => false,
    }
}

fn spans_lose_months(column: &str) -> String {
    format!(
        "column `{column}` is an INTERVAL of Parquet, whose months would be lost: write it as text, as numbers, or in an \
         Arrow file"
    )
}

/// Lists as the engine's own functions make them: Parquet calls items `element`, and lists whose items are called in
/// different ways do not go together where they are inside of others.
fn with_plain_items(fields: &Fields) -> Fields {
    fields.iter().map(field_with_plain_items).collect()
}

fn field_with_plain_items(field: &FieldRef) -> FieldRef {
    let item = |item: &FieldRef| {
        let inner = field_with_plain_items(item);
        Arc::new(Field::new_list_field(inner.data_type().clone(), true))
    };
    let ty = match field.data_type() {
        DataType::List(inner) => DataType::List(item(inner)),
        DataType::LargeList(inner) => DataType::LargeList(item(inner)),
        DataType::Struct(fields) => DataType::Struct(with_plain_items(fields)),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(ty))
}

/// Columns that hold nothing but null are text, items and fields as well.
fn without_null(fields: &Fields) -> Fields {
    fields.iter().map(field_without_null).collect()
}

fn field_without_null(field: &FieldRef) -> FieldRef {
    let ty = match field.data_type() {
        DataType::Null => DataType::Utf8,
        DataType::List(item) => DataType::List(field_without_null(item)),
        DataType::Struct(fields) => DataType::Struct(without_null(fields)),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(ty))
}
