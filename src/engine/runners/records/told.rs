//! What callers are told of records: what was done, why nothing was, and how fields and their history are written as rows.

use crate::engine::changed::{Changed, Shown};
use crate::engine::code::CallCode;
use crate::engine::encode::Rows;
use crate::engine::error::{CallError, Detail};
use crate::engine::runners::rows::batches_of_columns;
use crate::project::{Property, RecordContract, WriteOperation};
use crate::records::change::{Record, Refused, Upserted};
use crate::records::folder::{Deleted, FolderError};
use crate::records::history::Event;
use crate::tool::OutputColumn;
use crate::ty::Type;
use serde_json::{Map, Value, json};
/// What is done with some records, which were so before, and are so then where they are there.
pub(super) type Part = (WriteOperation, Vec<Record>, Option<Vec<Record>>);

/// What was done.
pub(super) enum Done {
    /// Records are written, of which there are so many then.
    Upserted(Upserted, usize),
    /// Records are removed.
    Deleted(Deleted),
}

/// What is told of it: what has changed, and the row.
pub(super) fn told_of_done(
    contract: &RecordContract,
    table: &str,
    done: Done,
    tries_only: bool,
) -> Result<(Changed, Map<String, Value>), CallError> {
    let (rows, parts, row) = match done {
        Done::Upserted(done, total) => {
            let row = json!({"inserted": done.inserted, "updated": done.updated, "total": total});
            let rows = done.new.len() + done.after.len();
            let new = (WriteOperation::Insert, Vec::new(), Some(done.new));
            let others = (WriteOperation::Update, done.before, Some(done.after));
            (rows, vec![new, others], row)
        }
        Done::Deleted(done) => {
            let row = json!({"deleted": done.deleted, "remaining": done.remaining});
            (done.deleted, vec![(WriteOperation::Delete, done.before, None)], row)
        }
    };
    let is_something = |part: &Part| !part.1.is_empty() || part.2.as_ref().is_some_and(|after| !after.is_empty());
    let shown = parts.into_iter().filter(is_something).map(|part| shown_part(contract, table, part));
    let shown = shown.collect::<Result<Vec<_>, CallError>>()?;
    let changed = Changed { rows: rows as u64, is_dry: tries_only, shown, ..Changed::default() };
    Ok((changed, row.as_object().cloned().unwrap_or_default()))
}

/// The records of a part as they are shown.
pub(super) fn shown_part(
    contract: &RecordContract,
    table: &str,
    (operation, before, after): Part,
) -> Result<Shown, CallError> {
    Ok(Shown {
        table: table.to_owned(),
        operation,
        key: 1,
        repeated: (0..contract.properties().len()).collect(),
        before: Some(shown_records(contract, &before)?),
        after: after.map(|after| shown_records(contract, &after)).transpose()?,
    })
}

/// Records as they are shown, the key first.
fn shown_records(contract: &RecordContract, records: &[Record]) -> Result<Rows, CallError> {
    let mut properties: Vec<_> = contract.properties().iter().collect();
    properties.sort_by_key(|property| !property.primary_key);
    let column = |property: &&Property| OutputColumn::new(property.name.clone(), property.logical_type.ty());
    let columns: Vec<OutputColumn> = properties.iter().map(column).collect();
    // Documents are texts in a column.
    let is_document = |name: &str| columns.iter().any(|column| column.name == name && column.ty == Type::Json);
    let cell = |(name, value): (&String, &Value)| match is_document(name) && !value.is_null() {
        true => (name.clone(), Value::from(value.to_string())),
        false => (name.clone(), value.clone()),
    };
    let records: Vec<Record> = records.iter().map(|record| record.iter().map(cell).collect()).collect();
    let batches = batches_of_columns(&columns, &records)?;
    Rows::from_batches(&columns, &batches).map_err(|error| CallError::internal_of_engine(error.to_string()))
}

/// A field of the contract, as a row.
pub(super) fn field_of(property: &Property) -> Map<String, Value> {
    let ty = serde_json::to_value(property.logical_type).unwrap_or_default();
    let row = json!({
        "field": property.name, "type": ty, "primary_key": property.primary_key, "required": property.required,
        "description": property.description, "allowed": property.allowed, "derived": property.derived,
        "inputs": (!property.inputs.is_empty()).then_some(&property.inputs), "editable_by": property.editable_by,
    });
    row.as_object().cloned().unwrap_or_default()
}

/// A line of the history, as a row.
pub(super) fn row_of_event(event: &Event) -> Map<String, Value> {
    let more = (!event.more.is_empty()).then(|| Value::Object(event.more.clone()).to_string());
    let row = json!({"field": event.field, "source": event.source, "actor": event.actor, "at": event.at, "more": more});
    row.as_object().cloned().unwrap_or_default()
}

/// What an agent is told of why nothing was written.
pub(super) fn refused(error: FolderError) -> CallError {
    match error {
        FolderError::Refused(all) => refused_records(all),
        FolderError::Busy => {
            CallError::new(CallCode::Busy, "others write these records for too long").hint("call again")
        }
        FolderError::BadLine(file, line) => {
            CallError::internal(format!("line {line} of `{file}` is none: correct it by hand"))
        }
        FolderError::Io(file, error) => CallError::internal(format!("`{file}` cannot be read or written: {error}")),
    }
}

/// What an agent is told of records that do not fit.
pub(super) fn refused_records(all: Vec<Refused>) -> CallError {
    let one = |Refused { record, field, why }: Refused| {
        let parameter =
            field.map_or_else(|| format!("records[{record}]"), |field| format!("records[{record}].{field}"));
        CallError::about(CallCode::InvalidArgument, &parameter, format!("`records[{record}]`: {why}"))
    };
    CallError::all(all.into_iter().take(20).map(one).collect()).unwrap_or_else(|| CallError::internal("no reason"))
}

/// A file of the contract is another one than when the server was started.
pub(super) fn other_contract(folder: &str, file: &str) -> CallError {
    let error = CallError::new(CallCode::DataChanged, "the contract of the records is not what it was");
    let why = format!("`{folder}/{file}` has changed: start the server again");
    CallError { detail: Some(Detail::Own(why)), ..error }
}
