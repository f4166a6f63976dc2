//! A query over a file of SQLite.

use super::super::bind::Bind;
use super::super::driver::{Ran, Request};
use super::super::error::{Misfit, Rule, SourceError, ToldRow};
use super::super::pushed::StandIn;
use super::decode::{Column, phrase};
use super::open::{CUT_OFF, Lease};
use super::types::column_type;
use crate::name::shown_name;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, ErrorCode, Row, Statement, ffi};
use std::sync::Arc;

/// A batch is handed on when its texts take so many bytes.
const LARGE: usize = 1 << 20;

/// A text of a statement that is longer is not kept for the next call.
const LONG: usize = 4_096;

/// How much is shown of what SQLite says.
const LONGEST_MESSAGE: usize = 300;

/// How much of a value is shown of the row that another is in.
const SHOWN: usize = 40;

impl ToSql for Bind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Bind::Null(_) => ValueRef::Null,
            Bind::Int(value) => ValueRef::Integer(*value),
            Bind::Double(value) => ValueRef::Real(*value),
            Bind::Text(text) => ValueRef::Text(text.as_bytes()),
            Bind::Bytes(bytes) => ValueRef::Blob(bytes),
            // No form of a column of SQLite is one of these.
            Bind::Bool(_)
            | Bind::Unsigned(_)
            | Bind::Numeric(..)
            | Bind::Day(_)
            | Bind::Local(_)
            | Bind::Instant(_)
            | Bind::Uuid(_)
            | Bind::Literal { .. } => {
                return Err(rusqlite::Error::ToSqlConversionFailure("a value of another database".into()));
            }
        }))
    }
}

/// Runs a statement in a transaction that changes data, whole.
pub(super) fn changed(lease: &Lease<'_>, request: &Request) -> Result<Ran, SourceError> {
    let mut ran = Ran::default();
    let take = |rows| {
        ran.batches.push(rows);
        true
    };
    rows_within(lease, request, true, take)?;
    if request.outline.writes {
        ran.changed = lease.connection()?.changes();
    }
    Ok(ran)
}

/// Runs a query, and hands its rows to `sent`, which says whether more are wanted.
pub(super) fn rows(
    lease: &Lease<'_>,
    request: &Request,
    sent: impl FnMut(RecordBatch) -> bool,
) -> Result<(), SourceError> {
    let failed = |error: rusqlite::Error| failure(&error, lease.source(), request);
    // In one transaction with the rows: what the statement was written for is what it reads.
    let _reading = lease.reading().map_err(failed)?;
    if request.outline.version.is_some() {
        let now = lease.schema_state().map_err(failed)?;
        let mut versions =
            request.outline.others.iter().map(|(_, version)| version).chain([&request.outline.version]).flatten();
        if !versions.all(|version| *version == now) {
            return Err(SourceError::Changed {
                source: lease.source().to_owned(),
                table: request.outline.table.to_string(),
            });
        }
    }
    rows_within(lease, request, false, sent)
}

/// The same in a transaction that was begun; `is_exclusive` where nobody else writes beside it.
fn rows_within(
    lease: &Lease<'_>,
    request: &Request,
    is_exclusive: bool,
    mut sent: impl FnMut(RecordBatch) -> bool,
) -> Result<(), SourceError> {
    let failed = |error: rusqlite::Error| failure(&error, lease.source(), request);
    let connection = lease.connection()?;
    let mut statement = match request.sql.len() > LONG {
        true => Prepared::Once(connection.prepare(&request.sql).map_err(failed)?),
        false => Prepared::Kept(connection.prepare_cached(&request.sql).map_err(failed)?),
    };
    let statement = statement.statement();
    // What changes data has done so before its first row.
    if request.outline.writes && !is_as_prepared(statement, request) {
        return Err(SourceError::outdated(lease.source().to_owned(), &request.outline.table));
    }
    for (at, bind) in request.binds.iter().enumerate() {
        statement.raw_bind_parameter(at + 1, bind).map_err(failed)?;
    }
    let mut batch = Batch::new(request);
    let mut rows = statement.raw_query();
    let (mut is_first, mut number) = (true, 0);
    let failed_midway = |error: rusqlite::Error| match request.outline.is_authored && is_of_values(&error) {
        // A full-text index takes a word before a colon for a column: the text is as good as it was.
        true if connection.prepare(&request.sql).is_ok() => unfit(&error, lease.source()),
        _ => failed(error),
    };
    while let Some(row) = rows.next().map_err(failed_midway)? {
        // Not before: where the schema is another, SQLite prepares the statement anew with its first row.
        if is_first && request.outline.is_authored && !is_as_prepared(row.as_ref(), request) {
            return Err(SourceError::outdated(lease.source().to_owned(), &request.outline.table));
        }
        is_first = false;
        number += 1;
        batch.push(row).map_err(|wrong| match &wrong {
            Wrong::Misfit(misfit) if request.outline.is_authored && !is_as_compiled(row.as_ref(), request, misfit) => {
                SourceError::outdated(lease.source().to_owned(), &request.outline.table)
            }
            _ => match wrong.told(lease.source(), request) {
                SourceError::Misfit(misfit) if request.outline.is_authored => {
                    SourceError::Misfit(misfit.in_row(number))
                }
                told => told,
            },
        })?;
        if batch.is_full() && !sent(batch.take()?) {
            return Ok(());
        }
    }
    if !is_exclusive && lease.is_overwritten() {
        let why = "its file was written without SQLite while it was read".to_owned();
        return Err(SourceError::Down { source: lease.source().to_owned(), why });
    }
    if batch.rows > 0 {
        sent(batch.take()?);
    }
    Ok(())
}

/// Whether a statement of an author only reads, and gives the columns that it gave when it was compiled: `*` may be others
/// by now.
fn is_as_prepared(statement: &Statement<'_>, request: &Request) -> bool {
    let names = request.outline.schema.fields().iter().map(|field| field.name().as_str());
    statement.readonly() != request.outline.writes
        && statement.parameter_count() == request.binds.len()
        && statement.column_count() == request.outline.schema.fields().len()
        && statement.column_names().zip(names).all(|(one, other)| one == other)
}

/// Whether the column that a value does not fit into is declared as it was when the statement was compiled. Of which type an
/// expression is, nobody says.
fn is_as_compiled(statement: &Statement<'_>, request: &Request, misfit: &Misfit) -> bool {
    let Some(at) = request.outline.names.iter().position(|name| *name == misfit.column) else { return true };
    let field = request.outline.schema.field(at);
    // What has no NULL by its declaration has none.
    let is_nulled = misfit.found == phrase(ValueRef::Null) && !field.is_nullable();
    let declared = statement.columns().nth(at).and_then(|column| column.decl_type().and_then(column_type));
    let is_told = request.outline.as_told.get(at).is_some_and(|is_told| *is_told);
    !is_nulled && (!is_told || declared.is_some_and(|ty| ty.to_arrow() == *field.data_type()))
}

enum Prepared<'a> {
    Once(Statement<'a>),
    Kept(CachedStatement<'a>),
}

impl<'a> Prepared<'a> {
    fn statement(&mut self) -> &mut Statement<'a> {
        match self {
            Prepared::Once(statement) => statement,
            Prepared::Kept(statement) => statement,
        }
    }
}

/// Rows on their way.
struct Batch<'a> {
    request: &'a Request,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
}

/// Why a row cannot be taken.
enum Wrong {
    Engine(rusqlite::Error),
    Misfit(Misfit),
}

impl Wrong {
    fn told(self, source: &str, request: &Request) -> SourceError {
        match self {
            Wrong::Engine(error) => failure(&error, source, request),
            Wrong::Misfit(misfit) => SourceError::Misfit(misfit),
        }
    }
}

impl<'a> Batch<'a> {
    fn new(request: &'a Request) -> Batch<'a> {
        let columns = request.outline.schema.fields().iter().map(|field| Column::of_type(field.data_type())).collect();
        Batch { request, columns, rows: 0, bytes: 0 }
    }

    fn push(&mut self, row: &Row<'_>) -> Result<(), Wrong> {
        self.check_guarded(row)?;
        for (at, column) in self.columns.iter_mut().enumerate() {
            let value = row.get_ref(at).map_err(Wrong::Engine)?;
            let field = self.request.outline.schema.field(at);
            if matches!(value, ValueRef::Null) && !field.is_nullable() {
                // What the database says of its columns is held to.
                return Err(Wrong::Misfit(self.misfit(row, at, "NULL".to_owned(), "value of a column that has one")));
            }
            let stand_in = self.request.outline.stand_ins.get(at).copied().unwrap_or(StandIn::Nothing);
            match column.push(value, stand_in) {
                Ok(bytes) => self.bytes += bytes,
                Err(expected) => return Err(Wrong::Misfit(misfit_in(self.request, row, at, phrase(value), expected))),
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Values of other types that were counted in: they are none of what is returned.
    fn check_guarded(&self, row: &Row<'_>) -> Result<(), Wrong> {
        let before = self.columns.len() + self.request.outline.key.len();
        for (at, column) in self.request.outline.guarded.iter().enumerate() {
            // Of no rows, the count is NULL.
            let count: Option<i64> = row.get(before + at).map_err(Wrong::Engine)?;
            let count = count.unwrap_or_default();
            if count != 0 {
                return Err(Wrong::Misfit(Misfit {
                    table: self.request.outline.table.to_string(),
                    column: column.clone(),
                    row: None,
                    found: if count == 1 { "a value".to_owned() } else { format!("{count} values") }
                        + " of another type",
                    expected: String::new(),
                }));
            }
        }
        Ok(())
    }

    fn misfit(&self, row: &Row<'_>, at: usize, found: String, expected: &str) -> Misfit {
        misfit_in(self.request, row, at, found, expected)
    }

    fn is_full(&self) -> bool {
        self.rows >= self.request.batch || self.bytes >= LARGE
    }

    fn take(&mut self) -> Result<RecordBatch, SourceError> {
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        (self.rows, self.bytes) = (0, 0);
        RecordBatch::try_new_with_options(Arc::clone(&self.request.outline.schema), arrays, &options).map_err(|_| {
            SourceError::Other { source: self.request.outline.table.to_string(), code: "of its columns".to_owned() }
        })
    }
}

/// A value that is none of its column's type, with what tells its row.
fn misfit_in(request: &Request, row: &Row<'_>, at: usize, found: String, expected: &str) -> Misfit {
    let before = request.outline.schema.fields().len();
    let told = |(at, name): (usize, &String)| {
        let value = row.get_ref(before + at).ok()?;
        let value = match value {
            ValueRef::Null => "NULL".to_owned(),
            ValueRef::Integer(value) => value.to_string(),
            ValueRef::Real(value) => value.to_string(),
            ValueRef::Text(text) => format!("'{}'", shown_text(&String::from_utf8_lossy(text))),
            ValueRef::Blob(_) => "a blob".to_owned(),
        };
        Some(format!("`{}` is {value}", shown_name(name)))
    };
    let told: Vec<String> = request.outline.key.iter().enumerate().filter_map(told).collect();
    Misfit {
        table: request.outline.table.to_string(),
        column: request.outline.names.get(at).cloned().unwrap_or_default(),
        row: (!told.is_empty()).then(|| ToldRow::Key(told.join(" and "))),
        found,
        expected: expected.to_owned(),
    }
}

/// The beginning of a text, without characters that a terminal would act on.
fn shown_text(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{start}…") } else { start }
}

/// What a failure of SQLite is while a query runs. What an author has written may fail for the values of a call, which is
/// nothing that ours does: a pattern of a search, say, or a text that is no document.
fn failure(error: &rusqlite::Error, source: &str, request: &Request) -> SourceError {
    match source_error(error, source, &request.outline.table) {
        SourceError::Other { code, .. } if request.outline.is_authored && code == UNFIT => unfit(error, source),
        SourceError::Changed { source, .. } if request.outline.is_authored => {
            SourceError::outdated(source, &request.outline.table)
        }
        other => other,
    }
}

/// A statement of an author that fails for the values of a call, in the words of SQLite.
fn unfit(error: &rusqlite::Error, source: &str) -> SourceError {
    let source = source.to_owned();
    match words(error) {
        Some(says) => SourceError::Failing { source, says: on_a_line(says) },
        None => SourceError::Unfit { source },
    }
}

/// The beginning of a message, without characters that a terminal would act on.
fn on_a_line(message: &str) -> String {
    message.chars().take(LONGEST_MESSAGE).map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// What SQLite says of a failure.
fn words(error: &rusqlite::Error) -> Option<&str> {
    match error {
        rusqlite::Error::SqliteFailure(_, message) => message.as_deref(),
        rusqlite::Error::SqlInputError { msg, .. } => Some(msg),
        _ => None,
    }
}

/// Whether a failure may be one of the values, by what SQLite says: a name that it does not know, which has no code.
fn is_of_values(error: &rusqlite::Error) -> bool {
    words(error).is_some_and(is_about_a_name)
}

/// The code of failures that SQLite has no other for.
const UNFIT: &str = "1";

/// What a failure of SQLite is.
pub(super) fn source_error(error: &rusqlite::Error, source: &str, table: &str) -> SourceError {
    let source = source.to_owned();
    let message = words(error);
    let failure = match error {
        rusqlite::Error::SqliteFailure(failure, _) | rusqlite::Error::SqlInputError { error: failure, .. } => failure,
        _ => return SourceError::Other { source, code: "unknown".to_owned() },
    };
    let down = |why: &str| SourceError::Down { source: source.clone(), why: why.to_owned() };
    match failure.code {
        _ if failure.extended_code == ffi::SQLITE_READONLY_ROLLBACK => down(CUT_OFF),
        ErrorCode::OperationInterrupted => SourceError::Cancelled,
        ErrorCode::AuthorizationForStatementDenied => {
            let why = "it changes more than the tables that it names".to_owned();
            SourceError::Refused { source, why }
        }
        ErrorCode::ReadOnly => SourceError::Refusing { source, why: "its file cannot be written".to_owned() },
        ErrorCode::ConstraintViolation => violated(source, failure.extended_code, message.unwrap_or_default()),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => SourceError::Busy { source },
        ErrorCode::SchemaChanged => SourceError::Changed { source, table: table.to_owned() },
        ErrorCode::TooBig | ErrorCode::OutOfMemory => SourceError::TooLarge { source },
        ErrorCode::DiskFull => SourceError::Down { source, why: "the disk that it lies on is full".to_owned() },
        ErrorCode::CannotOpen => down("its file cannot be opened"),
        ErrorCode::NotADatabase => down("its file is no database of SQLite"),
        ErrorCode::DatabaseCorrupt => down("its file is damaged"),
        ErrorCode::SystemIoFailure => down("its file cannot be read"),
        _ if message.is_some_and(is_about_a_name) => SourceError::Changed { source, table: table.to_owned() },
        _ if message.is_some_and(|message| message.contains("integer overflow")) => SourceError::Overflow { source },
        _ => SourceError::Other { source, code: failure_code(failure) },
    }
}

/// A change that a rule of the database is against: `UNIQUE constraint failed: orders.id`.
fn violated(source: String, code: i32, message: &str) -> SourceError {
    let rule = match code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
            Rule::Unique
        }
        ffi::SQLITE_CONSTRAINT_NOTNULL => Rule::NotNull,
        ffi::SQLITE_CONSTRAINT_CHECK => Rule::Check,
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Rule::ForeignKey,
        ffi::SQLITE_CONSTRAINT_DATATYPE => Rule::Type,
        // Raised by a trigger, in words of its author.
        _ => Rule::Own,
    };
    // Of a rule about rows, its name or its expression is told, which is none of an agent.
    let columns = match rule {
        Rule::Unique | Rule::NotNull => message.rsplit_once(": ").map(|(_, columns)| columns).unwrap_or_default(),
        Rule::Check | Rule::ForeignKey | Rule::Type | Rule::Own | Rule::Once => "",
    };
    let column = |name: &str| name.rsplit('.').next().unwrap_or(name).trim().to_owned();
    let columns = columns.split(',').filter(|name| !name.trim().is_empty()).map(column).collect();
    SourceError::Violated { source, rule, columns, says: on_a_line(message) }
}

fn failure_code(failure: &ffi::Error) -> String {
    failure.extended_code.to_string()
}

/// Whether SQLite speaks of a name that it does not know: it has no code for that.
fn is_about_a_name(message: &str) -> bool {
    ["no such column", "no such table"].iter().any(|words| message.starts_with(words))
}
