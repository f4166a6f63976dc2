//! What a statement that its author has written gives, as SQLite tells it.

use super::super::error::SourceError;
use super::describe;
use super::guard;
use super::open::Lease;
use super::run::source_error;
use super::types::column_type;
use crate::catalog::{Column, Origin, StatementColumn};
use crate::project::{AskedChange, UnpreparedStatement};
use arrow::datatypes::DataType;
use rusqlite::{Connection, ErrorCode};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A column of the result before its table was looked at.
struct Told {
    name: String,
    declared: Option<String>,
    /// The table and the column that it shows as it is.
    origin: Option<(String, String)>,
}

/// What is known of a table that columns come from.
struct Known {
    /// Its columns, and whether each may be null.
    columns: Vec<(String, bool)>,
    key: Vec<String>,
}

/// The name that SQLite has for the number of a row.
const ROW_ID: &str = "rowid";

/// The columns of a statement. `of_tables` is a connection that may look at tables.
pub(super) fn columns(
    lease: &mut Lease<'_>,
    of_tables: &Lease<'_>,
    text: &str,
    of: &UnpreparedStatement,
) -> Result<Vec<StatementColumn>, SourceError> {
    let source = lease.source().to_owned();
    let through = Arc::new(AtomicBool::new(false));
    let failed = |error: rusqlite::Error| refused(&error, &source);
    let connection = lease.connection_mut()?;
    match &of.change {
        Some(change) => {
            let targets = describe::with_dependents(of_tables, &change.tables)?;
            guard::install_changing(connection, targets).map_err(failed)?;
        }
        None => guard::install_watching(connection, &through).map_err(failed)?,
    }
    let told = told_columns(connection, text, of, &source);
    guard::install(connection).map_err(failed)?;
    let mut told = told?;
    if let Some(change) = &of.change {
        tell_returned(&mut told, change, of_tables);
    }
    let mut tables: BTreeMap<String, Known> = BTreeMap::new();
    for (table, _) in told.iter().filter_map(|one| one.origin.as_ref()) {
        if let Ok(described) = describe::table(of_tables, std::slice::from_ref(table)) {
            let names = described.native.columns.into_iter().map(|column| column.name);
            let columns = names.zip(described.nullable).collect();
            tables.insert(table.clone(), Known { columns, key: described.native.key });
        }
    }
    let is_direct = !through.load(Ordering::Relaxed);
    Ok(told.iter().map(|one| column(one, &told, &tables, is_direct)).collect())
}

/// What SQLite itself says of the columns.
fn told_columns(
    connection: &Connection,
    text: &str,
    of: &UnpreparedStatement,
    source: &str,
) -> Result<Vec<Told>, SourceError> {
    let statement = connection.prepare(text).map_err(|error| refused(&error, source))?;
    let wrong = |why: &str| SourceError::Refused { source: source.to_owned(), why: why.to_owned() };
    if !statement.readonly() && of.change.is_none() {
        return Err(wrong("it writes"));
    }
    let gives_rows = of.change.as_ref().is_none_or(|change| change.gives_rows);
    if statement.column_count() == 0 && gives_rows {
        return Err(wrong("it gives no rows"));
    }
    if statement.parameter_count() != of.values() {
        return Err(wrong("it has parameters that are no `<< placeholders >>`"));
    }
    let declared: Vec<Option<String>> =
        statement.columns().map(|column| column.decl_type().map(str::to_owned)).collect();
    let told = statement.columns_with_metadata().zip(declared).map(|(column, declared)| Told {
        name: column.name().to_owned(),
        declared,
        origin: column.table_name().zip(column.origin_name()).map(|(table, own)| (table.to_owned(), own.to_owned())),
    });
    Ok(told.collect())
}

/// SQLite tells no origin of the columns that RETURNING gives: those of the table that are shown as they are have their own names.
fn tell_returned(told: &mut [Told], change: &AskedChange, of_tables: &Lease<'_>) {
    let Some(name) = change.returned_of.as_ref().and_then(|table| table.last()) else { return };
    let Ok(described) = describe::table(of_tables, std::slice::from_ref(name)) else { return };
    let native = described.native;
    let is_bare = |column: &str| {
        let is_it = |one: &String| one == "*" || one.eq_ignore_ascii_case(column);
        change.returned.iter().any(is_it)
    };
    for one in told.iter_mut().filter(|one| one.origin.is_none() && is_bare(&one.name)) {
        let known = native.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&one.name));
        if let (Some(known), Some(table)) = (known, native.name.last()) {
            one.declared = Some(known.declared.clone());
            one.origin = Some((table.clone(), known.name.clone()));
        }
    }
}

fn column(one: &Told, all: &[Told], tables: &BTreeMap<String, Known>, is_direct: bool) -> StatementColumn {
    let known = one.origin.as_ref().and_then(|(table, _)| tables.get(table));
    let own = one.origin.as_ref().map(|(_, own)| own.as_str()).unwrap_or_default();
    let nullable = known.is_none_or(|known| {
        let column = known.columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(own));
        // The number of a row is always there.
        column.map_or(!own.eq_ignore_ascii_case(ROW_ID), |(_, nullable)| *nullable)
    });
    let arrow = one.declared.as_deref().and_then(column_type).map_or(DataType::Null, |ty| ty.to_arrow());
    let column = Column { name: one.name.clone(), arrow, nullable: nullable || !is_direct };
    let origin = one.origin.as_ref().map(|(table, own)| Origin {
        table: table.clone(),
        column: own.clone(),
        is_key: is_direct && known.is_some_and(|known| is_of_key(known, (table, own), all)),
    });
    StatementColumn { column, origin }
}

/// Whether a column is a part of its table's key whose other parts are columns of the result too.
fn is_of_key(known: &Known, (table, own): (&str, &str), all: &[Told]) -> bool {
    let is = |part: &str, name: &str| part.eq_ignore_ascii_case(name);
    let is_there = |part: &String| {
        all.iter().filter_map(|one| one.origin.as_ref()).any(|(of, name)| of == table && is(part, name))
    };
    let is_row_id = known.key.is_empty() && is(ROW_ID, own);
    is_row_id || known.key.iter().any(|part| is(part, own)) && known.key.iter().all(is_there)
}

/// What SQLite says where it does not prepare a statement: its own words, which are about the author's text.
fn refused(error: &rusqlite::Error, source: &str) -> SourceError {
    let (failure, message) = match error {
        rusqlite::Error::SqliteFailure(failure, message) => (failure, message.as_deref()),
        rusqlite::Error::SqlInputError { error, msg, .. } => (error, Some(msg.as_str())),
        rusqlite::Error::MultipleStatement => {
            return SourceError::Refused { source: source.to_owned(), why: "it is more than one statement".to_owned() };
        }
        other => return source_error(other, source, ""),
    };
    let why = match failure.code {
        ErrorCode::AuthorizationForStatementDenied => {
            let what = message.filter(|message| *message != "not authorized").unwrap_or("a part of it is not allowed");
            format!("{what}; a tool reads tables and computes, and does nothing else")
        }
        ErrorCode::Unknown => message.unwrap_or("it is no statement of SQLite").to_owned(),
        _ => return source_error(error, source, ""),
    };
    SourceError::Refused { source: source.to_owned(), why }
}
